//! Opening books in SQLite databases: whatever the bytes are, moves of a book are legal, and the book is the same when it is
//! written again.

use chuhe::book::book_file::{BookFile, BookFormat, keys_by_lock, write};
use chuhe::book::obk::{Obk, ObkKind};
use chuhe::position::Position;
use std::io::Cursor;

/// Checks the bytes as a database.
pub fn check(data: &[u8]) {
    let Some(book) = open(data.to_vec()) else { return };
    let start = Position::start();
    if let Ok(moves) = book.find(&start) {
        assert!(moves.iter().all(|found| start.is_legal(found.mv) && found.weight > 0));
    }
    let Ok((dat, _)) = BookFile::Obk(book).into_dat() else { return };
    for kind in [ObkKind::Obk, ObkKind::PfBook] {
        let mut bytes = Vec::new();
        write(&dat, &keys_by_lock(&dat), &Default::default(), BookFormat::Obk(kind), &mut bytes)
            .expect("memory can be written to");
        let again = BookFile::Obk(open(bytes).expect("its own database can be read")).into_dat();
        assert!(again.is_ok_and(|again| again == (dat.clone(), 0)));
    }
}

fn open(data: Vec<u8>) -> Option<Obk> {
    Obk::open(Box::new(Cursor::new(data))).ok()
}
