//! Zobrist keys, the same as ElephantEye's, so that its opening books can be read and written.
//!
//! They come from one RC4 stream whose key is four zero bytes. Four successive bytes make a word, lowest first; words
//! come in threes (`key`, `lock0`, `lock1`): first the side's triple, then for each piece (Red's king, advisor,
//! bishop, knight, rook, cannon, pawn, then Black's) one for each of the 256 squares of the frame.
//!
//! A key here is `lock1 << 32 | key`; books identify positions by `lock1` alone.

use crate::types::{Color, Piece, PieceType, Square};

/// The generator of the RC4 cipher.
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Rc4 {
    /// A generator keyed with zero bytes.
    const fn new() -> Rc4 {
        let mut state = [0; 256];
        let mut n = 0;
        while n < 256 {
            state[n] = n as u8;
            n += 1;
        }
        let mut y = 0u8;
        let mut x = 0;
        while x < 256 {
            y = y.wrapping_add(state[x]);
            let swapped = state[x];
            state[x] = state[y as usize];
            state[y as usize] = swapped;
            x += 1;
        }
        Rc4 { state, x: 0, y: 0 }
    }

    const fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        let a = self.state[self.x as usize];
        self.y = self.y.wrapping_add(a);
        let b = self.state[self.y as usize];
        self.state[self.x as usize] = b;
        self.state[self.y as usize] = a;
        self.state[a.wrapping_add(b) as usize]
    }

    const fn word(&mut self) -> u32 {
        let a = self.byte();
        let b = self.byte();
        let c = self.byte();
        let d = self.byte();
        u32::from_le_bytes([a, b, c, d])
    }

    /// The next triple as a key; `lock0` is not used.
    const fn key(&mut self) -> u64 {
        let key = self.word();
        let _lock0 = self.word();
        let lock1 = self.word();
        (lock1 as u64) << 32 | key as u64
    }
}

struct Keys {
    side: u64,
    pieces: [[u64; 256]; Piece::SLOTS],
}

const fn build() -> Keys {
    let mut stream = Rc4::new();
    let mut keys = Keys { side: stream.key(), pieces: [[0; 256]; Piece::SLOTS] };
    let mut n = 0;
    while n < 2 * PieceType::COUNT {
        let color = if n < PieceType::COUNT { Color::Red } else { Color::Black };
        let row = Piece::new(color, PieceType::ALL[n % PieceType::COUNT]).index();
        let mut square = 0;
        while square < 256 {
            keys.pieces[row][square] = stream.key();
            square += 1;
        }
        n += 1;
    }
    keys
}

static KEYS: Keys = build();

/// The Zobrist key of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

/// The Zobrist key of Black to move.
#[inline]
pub fn side() -> u64 {
    KEYS.side
}

/// The part of a key by which ElephantEye's books identify the position.
#[inline]
pub const fn book_lock(key: u64) -> u32 {
    (key >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_known_values() {
        assert_eq!(side(), 0x671e_068a_4189_18de);
        let king = piece(Piece::new(Color::Red, PieceType::King), Square::from_raw(0xC7));
        assert_eq!(king, 0xffa2_bed5_bb99_fe32);
    }

    #[test]
    fn triples_include_the_middle_word() {
        let mut stream = Rc4::new();
        assert_eq!([stream.word(), stream.word(), stream.word()], [0x418918de, 0x3a5d37a3, 0x671e068a]);
    }
}
