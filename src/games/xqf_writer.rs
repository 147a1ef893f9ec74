//! Writing XQF files: version 10, without encryption, which every reader knows. See [`xqf`](super::xqf) for the format.

use super::record::GameResult;
use super::xqf::{HEADER, MAGIC, PIECES, PLAIN};
use crate::position::Position;
use crate::types::{Color, Move};
use encoding_rs::GBK;

/// The number of a captured piece's square.
const CAPTURED: u8 = 0xff;
/// The flags of a node that another follows.
const HAS_NEXT: u8 = 0xf0;

/// The number of the result in the header.
fn result_number(result: GameResult) -> u8 {
    match result {
        GameResult::Unknown => 0,
        GameResult::Won(Color::Red) => 1,
        GameResult::Won(Color::Black) => 2,
        GameResult::Drawn => 3,
    }
}

/// A game as an XQF file: the names of Red and Black, the start position, the moves, and the result. Move
/// counters of the start position are not stored. `None` for a position that the format cannot store: it has a place
/// for each piece of the usual set.
pub fn write(names: [&str; 2], start: &Position, moves: &[Move], result: GameResult) -> Option<Vec<u8>> {
    let mut header = [0; HEADER];
    header[..2].copy_from_slice(MAGIC);
    header[2] = PLAIN;
    header[50] = (start.side() == Color::Black) as u8;
    header[51] = result_number(result);
    let mut squares = [CAPTURED; 32];
    for (piece, square) in start.pieces() {
        let free = (0..32).find(|&n| char::from(PIECES[n]) == piece.letter() && squares[n] == CAPTURED)?;
        squares[free] = square.file() * 10 + square.rank();
    }
    header[16..48].copy_from_slice(&squares);
    for (name, offset) in names.into_iter().zip([304, 320]) {
        put_text(&mut header[offset..offset + 16], name);
    }
    let mut bytes = header.to_vec();
    // The root has squares that are no move.
    let mut node = |from: u8, to: u8, has_next: bool| {
        bytes.extend([from, to, if has_next { HAS_NEXT } else { 0 }, 0, 0, 0, 0, 0]);
    };
    node(24, 32, !moves.is_empty());
    for (index, mv) in moves.iter().enumerate() {
        let [from, to] = [mv.from(), mv.to()].map(|square| square.file() * 10 + square.rank());
        node(from + 24, to + 32, index + 1 < moves.len());
    }
    Some(bytes)
}

/// Writes the length of a text and as much of it as the field holds, in GBK.
fn put_text(field: &mut [u8], text: &str) {
    let mut length = 0;
    for letter in text.chars() {
        let mut buffer = [0; 4];
        let (bytes, _, is_lossy) = GBK.encode(letter.encode_utf8(&mut buffer));
        if is_lossy || length + bytes.len() >= field.len() {
            break;
        }
        field[1 + length..1 + length + bytes.len()].copy_from_slice(&bytes);
        length += bytes.len();
    }
    field[0] = length as u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xqf;

    #[test]
    fn written_games_are_read_back() {
        let moves: Vec<Move> = ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()).to_vec();
        let endgame = Position::from_fen("3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 0 1").unwrap();
        for (start, moves, result) in [
            (Position::start(), moves.clone(), GameResult::Won(Color::Red)),
            (Position::start(), Vec::new(), GameResult::Unknown),
            (endgame, vec!["a5a4".parse().unwrap()], GameResult::Drawn),
        ] {
            let bytes = write(["红方一个很长的名字", "ChuHe"], &start, &moves, result).unwrap();
            let game = xqf::read(&bytes).unwrap();
            assert_eq!((game.start.to_fen(), game.moves, game.result), (start.to_fen(), moves, result));
            assert!(game.error.is_none());
            assert_eq!((bytes[304], bytes[320], &bytes[321..326]), (14, 5, &b"ChuHe"[..]));
        }
    }

    #[test]
    fn six_pawns_cannot_be_stored() {
        let six = Position::from_fen("4k4/9/9/9/9/9/P1P1P1P1P/9/4P4/3K5 w - - 0 1");
        assert!(six.is_err() || write(["", ""], &six.unwrap(), &[], GameResult::Unknown).is_none());
    }
}
