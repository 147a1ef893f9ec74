//! Opening books, binary and as text: writing what was read gives the same bytes, and moves of a book are legal.

use chuhe::book::dat::OpeningBook;
use chuhe::book::text;
use chuhe::games::encoding;
use chuhe::position::Position;

/// Checks the bytes as a book, and as the text of one.
pub fn check(data: &[u8]) {
    if let Ok(book) = OpeningBook::read(data) {
        assert_eq!(bytes(&book), data);
        let start = Position::start();
        assert!(book.find(&start).iter().all(|found| start.is_legal(found.mv)));
        let merged = OpeningBook::from_entries(book.entries().iter().copied());
        assert_eq!(text::read(&text::write(&merged)).expect("its own text can be read"), merged);
        book.walk(|position, _| assert_eq!(position.validate(), Ok(())));
    }
    if let Ok(book) = text::read(&encoding::decode(data)) {
        assert!(book.entries().is_empty() || OpeningBook::read(&bytes(&book)).is_ok_and(|again| again == book));
    }
}

fn bytes(book: &OpeningBook) -> Vec<u8> {
    let mut bytes = Vec::new();
    book.write(&mut bytes).expect("memory can be written to");
    bytes
}
