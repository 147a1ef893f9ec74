//! XQF and CBR files, CCBridge libraries, DhtmlXQ: games are legal, and a game that was read is written and read back.

use super::check_game;
use chuhe::games::GameRecord;
use chuhe::games::loss::Loss;
use chuhe::games::write::{Format, write};
use chuhe::internals::{cbridge, dhtmlxq, xqf};
use chuhe::notation::Notation;

/// Size of the used part of XQF's header, and of the whole header.
const USED_HEADER: usize = 52;
const HEADER: usize = 1024;

/// Checks the bytes, and the same with the unused part of XQF's header added.
pub fn check(data: &[u8]) {
    let (head, tail) = data.split_at(data.len().min(USED_HEADER));
    let mut file = head.to_vec();
    file.resize(HEADER, 0);
    file[..2].copy_from_slice(b"XQ");
    file.extend_from_slice(tail);
    let text = String::from_utf8_lossy(data);
    let games = [xqf::read(data), xqf::read(&file), cbridge::read(data), dhtmlxq::read(&text)];
    games.into_iter().flatten().for_each(|game| check_record(&game));
}

/// Checks a game, and that what is written of it is read back, but for what is said to be lost.
pub fn check_record(game: &GameRecord) {
    check_game(game);
    for format in [Format::Xqf, Format::Cbr, Format::DhtmlXq] {
        let Ok((bytes, lost)) = write(game, format, Notation::Iccs) else { continue };
        let again = match format {
            Format::Xqf => xqf::read(&bytes),
            Format::Cbr => cbridge::read(&bytes),
            _ => dhtmlxq::read(std::str::from_utf8(&bytes).expect("it is written in UTF-8")),
        };
        let again = again.expect("its own file can be read");
        assert_eq!(again.error, None);
        let board = |game: &GameRecord| game.start.to_fen().split(' ').next().map(String::from);
        assert_eq!((board(&again), again.result), (board(game), game.result));
        assert!(again.moves() == game.moves() && again.tree.lines() == game.tree.lines());
        if !lost.contains(&Loss::SideToMove) {
            assert_eq!(again.start.side(), game.start.side());
        }
    }
}
