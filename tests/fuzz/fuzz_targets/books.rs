//! Reading a book, a game record or an answer of the cloud book never panics and gives only legal moves, and writing it
//! gives the same bytes.

#![no_main]

use chuhe::book::cloud_answer::{self, CloudAnswer};
use chuhe::book::cloud_query::CloudAction;
use chuhe::book::dat::OpeningBook;
use chuhe::book::text;
use chuhe::notation::game_record::GameRecord;
use chuhe::notation::{Notation, encoding, pgn, read, xqf};
use chuhe::position::Position;
use libfuzzer_sys::fuzz_target;

/// Size of the used part of an XQF header, and of the whole header.
const USED_HEADER: usize = 52;
const HEADER: usize = 1024;

fuzz_target!(|data: &[u8]| {
    if let Ok(book) = OpeningBook::read(data) {
        let mut written = Vec::new();
        book.write(&mut written).expect("memory can be written to");
        assert_eq!(written, data);
        let start = Position::start();
        assert!(book.find(&start).iter().all(|found| start.is_legal(found.mv)));
        let merged = OpeningBook::from_entries(book.entries().iter().copied());
        assert_eq!(text::read(&text::write(&merged)).expect("its own text can be read"), merged);
    }
    for (_, action) in CloudAction::NAMES {
        let first_moves: Vec<_> = match cloud_answer::read(data, action, &Position::start()) {
            Ok(CloudAnswer::Moves(known)) => known.iter().map(|known| known.mv).collect(),
            Ok(CloudAnswer::Choice(_, moves)) => moves,
            Ok(CloudAnswer::Line { pv, .. }) => pv.into_iter().take(1).collect(),
            Ok(CloudAnswer::Score(_) | CloudAnswer::Queued) | Err(_) => Vec::new(),
        };
        assert!(first_moves.iter().all(|&mv| Position::start().is_legal(mv)));
    }
    let decoded = encoding::decode(data);
    if let Ok(book) = text::read(&decoded) {
        let mut written = Vec::new();
        book.write(&mut written).expect("memory can be written to");
        assert!(book.entries().is_empty() || OpeningBook::read(&written).is_ok());
    }
    pgn::games(&decoded).for_each(|game| check(&game));
    let (head, tail) = data.split_at(data.len().min(USED_HEADER));
    let mut file = head.to_vec();
    file.resize(HEADER, 0);
    file[..2].copy_from_slice(b"XQ");
    file.extend_from_slice(tail);
    if let Ok(game) = xqf::read(&file) {
        check(&game);
    }
});

/// Checks that the moves are legal and can be read back in every notation.
fn check(game: &GameRecord) {
    let mut position = game.start.clone();
    for &mv in &game.moves {
        for (_, notation) in Notation::NAMES {
            assert_eq!(read(&position, &notation.write(&position, mv)), Ok(mv));
        }
        position.make(mv, &mut ());
    }
}
