//! Moves in any notation: a move read is legal and can be written and read back in every notation, mirror images alike.

use chuhe::notation::{self, Notation, Ranks};
use chuhe::position::Position;

/// Checks the text behind the first line feed as a move of the position whose FEN is before it; without one, of the
/// start position.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (position, text) = match text.split_once('\n') {
        Some((fen, text)) => (Position::from_fen(fen), text),
        None => (Ok(Position::start()), &*text),
    };
    let Ok(position) = position else { return };
    for ranks in [Ranks::FromZero, Ranks::FromOne] {
        let Ok(mv) = notation::read_with_ranks(&position, text, ranks) else { continue };
        assert!(position.is_legal(mv), "{text:?}");
        for (_, notation) in Notation::NAMES {
            assert_eq!(notation::read(&position, &notation.write(&position, mv)), Ok(mv));
        }
        let mirrored = position.mirrored();
        assert!(mirrored.is_legal(mv.mirrored()));
    }
}
