//! XQF files: games are legal, and a game written as XQF is read back.

use super::check_game;
use chuhe::games::{xqf, xqf_writer};

/// Size of the used part of the header, and of the whole header.
const USED_HEADER: usize = 52;
const HEADER: usize = 1024;

/// Checks the bytes, and the same with the unused part of the header added.
pub fn check(data: &[u8]) {
    check_file(data);
    let (head, tail) = data.split_at(data.len().min(USED_HEADER));
    let mut file = head.to_vec();
    file.resize(HEADER, 0);
    file[..2].copy_from_slice(b"XQ");
    file.extend_from_slice(tail);
    check_file(&file);
}

fn check_file(bytes: &[u8]) {
    let Ok(game) = xqf::read(bytes) else { return };
    check_game(&game);
    let Some(written) = xqf_writer::write(["红方", "Black"], &game.start, &game.moves, game.result) else {
        panic!("a position read from XQF has a place in it")
    };
    let again = xqf::read(&written).expect("its own file can be read");
    assert_eq!((again.start.to_fen(), again.error), (game.start.to_fen(), None));
    assert_eq!((again.moves, again.result), (game.moves, game.result));
    assert_eq!((again.texts.tag("Red"), again.texts.tag("Black")), (Some("红方"), Some("Black")));
}
