//! Move tables of the leapers, with the squares that must be empty: bishop eyes and knight legs.
//!
//! Destinations are in fixed arrays, padded at the end with the piece's own square.

use crate::types::{Color, Square};

/// A knight's destinations and, at the same index, the knight legs.
#[derive(Clone, Copy)]
pub(crate) struct KnightMoves {
    /// Destinations on the board, padded with the knight's square.
    pub to: [u8; 8],
    /// For each destination the leg: the square beside the knight that must be empty.
    pub leg: [u8; 8],
}

/// A bishop's destinations and, at the same index, the bishop eyes.
#[derive(Clone, Copy)]
pub(crate) struct BishopMoves {
    /// Destinations on its side's half, padded with the bishop's square.
    pub to: [u8; 4],
    /// For each destination the eye: the square between that must be empty.
    pub eye: [u8; 4],
    /// Number of destinations.
    pub count: u8,
}

/// Steps along ranks and files, in the frame.
const ORTHOGONAL: [i8; 4] = [-16, -1, 1, 16];
/// Steps along diagonals, in the frame.
pub(crate) const DIAGONAL: [i8; 4] = [-17, -15, 15, 17];
/// Knight jumps, each with the step to its leg.
const KNIGHT: [(i8, i8); 8] = [(-33, -16), (-31, -16), (-18, -1), (14, -1), (-14, 1), (18, 1), (31, 16), (33, 16)];

/// For each knight leg (a step in the frame) the two jumps that it blocks.
pub(crate) const KNIGHT_JUMPS: [(i8, [i8; 2]); 4] =
    [(-16, [-33, -31]), (-1, [-18, 14]), (1, [-14, 18]), (16, [31, 33])];

/// For each set of jumps (bit `2 * leg + n` for jump `n` of a leg of [`KNIGHT_JUMPS`]) the offsets that its jumps add
/// to the bits of a move.
pub(crate) static KNIGHT_STEPS: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut count, mut jump) = (0, 0);
        while jump < 8 {
            if set >> jump & 1 != 0 {
                table[set][count] = ((KNIGHT_JUMPS[jump / 2].1[jump % 2] as i16) << 8) as u16;
                count += 1;
            }
            jump += 1;
        }
        set += 1;
    }
    table
};

/// Whether a pawn of `color` on `square` has crossed the river.
#[inline]
pub(crate) const fn has_crossed_river(square: Square, color: Color) -> bool {
    (square.raw() < 0x80) == matches!(color, Color::Red)
}

/// Whether `square` is on `color`'s half of the board.
const fn is_home(square: Square, color: Color) -> bool {
    !has_crossed_river(square, color)
}

const fn king_moves(from: Square) -> [u8; 4] {
    let mut to = [from.raw(); 4];
    let (mut n, mut count) = (0, 0);
    while n < 4 {
        let square = from.offset(ORTHOGONAL[n]);
        if from.is_on_board() && square.is_on_board() && square.is_in_palace() {
            to[count] = square.raw();
            count += 1;
        }
        n += 1;
    }
    to
}

const fn advisor_moves(from: Square, color: Color) -> [u8; 4] {
    let mut to = [from.raw(); 4];
    let (mut n, mut count) = (0, 0);
    while n < 4 {
        let square = from.offset(DIAGONAL[n]);
        if from.is_on_board() && square.is_on_board() && square.is_in_palace() && is_home(square, color) {
            to[count] = square.raw();
            count += 1;
        }
        n += 1;
    }
    to
}

const fn bishop_moves(from: Square, color: Color) -> BishopMoves {
    let mut moves = BishopMoves { to: [from.raw(); 4], eye: [from.raw(); 4], count: 0 };
    let mut n = 0;
    while n < 4 {
        let eye = from.offset(DIAGONAL[n]);
        let square = eye.offset(DIAGONAL[n]);
        if from.is_on_board() && square.is_on_board() && is_home(square, color) {
            moves.to[moves.count as usize] = square.raw();
            moves.eye[moves.count as usize] = eye.raw();
            moves.count += 1;
        }
        n += 1;
    }
    moves
}

const fn knight_moves(from: Square) -> KnightMoves {
    let mut moves = KnightMoves { to: [from.raw(); 8], leg: [from.raw(); 8] };
    let mut count = 0;
    let mut n = 0;
    while n < 8 {
        let (jump, leg) = KNIGHT[n];
        let square = from.offset(jump);
        if from.is_on_board() && square.is_on_board() {
            moves.to[count] = square.raw();
            moves.leg[count] = from.offset(leg).raw();
            count += 1;
        }
        n += 1;
    }
    moves
}

const fn pawn_moves(from: Square, color: Color) -> [u8; 3] {
    let mut to = [from.raw(); 3];
    if from.is_on_board() {
        let has_crossed_river = match color {
            Color::Red => from.rank() >= 5,
            Color::Black => from.rank() <= 4,
        };
        let steps = [color.forward(), -1, 1];
        let (mut n, mut count) = (0, 0);
        while n < 3 {
            let square = from.offset(steps[n]);
            if square.is_on_board() && (n == 0 || has_crossed_river) {
                to[count] = square.raw();
                count += 1;
            }
            n += 1;
        }
    }
    to
}

/// A king's destinations in its palace.
pub(crate) static KING: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut raw = 0;
    while raw < 256 {
        table[raw] = king_moves(Square::from_raw(raw as u8));
        raw += 1;
    }
    table
};

/// An advisor's destinations in its side's palace, by side and square.
pub(crate) static ADVISOR: [[[u8; 4]; 256]; 2] = {
    let mut table = [[[0; 4]; 256]; 2];
    let mut raw = 0;
    while raw < 256 {
        table[0][raw] = advisor_moves(Square::from_raw(raw as u8), Color::Red);
        table[1][raw] = advisor_moves(Square::from_raw(raw as u8), Color::Black);
        raw += 1;
    }
    table
};

/// A bishop's destinations with their eyes, by side and square.
pub(crate) static BISHOP: [[BishopMoves; 256]; 2] = {
    let mut table = [[BishopMoves { to: [0; 4], eye: [0; 4], count: 0 }; 256]; 2];
    let mut raw = 0;
    while raw < 256 {
        table[0][raw] = bishop_moves(Square::from_raw(raw as u8), Color::Red);
        table[1][raw] = bishop_moves(Square::from_raw(raw as u8), Color::Black);
        raw += 1;
    }
    table
};

/// A knight's destinations with their legs.
pub(crate) static KNIGHT_MOVES: [KnightMoves; 256] = {
    let mut table = [KnightMoves { to: [0; 8], leg: [0; 8] }; 256];
    let mut raw = 0;
    while raw < 256 {
        table[raw] = knight_moves(Square::from_raw(raw as u8));
        raw += 1;
    }
    table
};

/// A pawn's destinations, by side and square.
pub(crate) static PAWN: [[[u8; 3]; 256]; 2] = {
    let mut table = [[[0; 3]; 256]; 2];
    let mut raw = 0;
    while raw < 256 {
        table[0][raw] = pawn_moves(Square::from_raw(raw as u8), Color::Red);
        table[1][raw] = pawn_moves(Square::from_raw(raw as u8), Color::Black);
        raw += 1;
    }
    table
};

/// By `to - from` (wrapping): the step from a knight to the leg of its jump to `to`; 0 if that is no knight jump.
static KNIGHT_LEG: [i8; 256] = {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 8 {
        let (jump, leg) = KNIGHT[n];
        table[jump as u8 as usize] = leg;
        n += 1;
    }
    table
};

/// The destinations in a row of [`KING`], [`ADVISOR`] or [`PAWN`] for a piece on `from`, without the padding.
#[inline(always)]
pub(crate) fn leaps(row: &[u8], from: Square) -> impl Iterator<Item = Square> {
    row.iter().copied().map(Square::from_raw).take_while(move |&to| to != from)
}

/// The knight leg of the jump from `from` to `to`, both on the board; `None` if that is no knight jump.
#[inline]
pub(crate) const fn knight_leg(from: Square, to: Square) -> Option<Square> {
    let step = KNIGHT_LEG[to.raw().wrapping_sub(from.raw()) as usize];
    if step == 0 { None } else { Some(from.offset(step)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Destinations by file and rank arithmetic, each with its step.
    fn naive(square: Square, steps: &[(i32, i32)], allowed: impl Fn(i32, i32) -> bool) -> Vec<(u8, (i32, i32))> {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        let mut found = Vec::new();
        for &(df, dr) in steps {
            let (f, r) = (file + df, rank + dr);
            if (0..9).contains(&f) && (0..10).contains(&r) && allowed(f, r) {
                found.push((Square::new(f as u8, r as u8).raw(), (df, dr)));
            }
        }
        found.sort_unstable();
        found
    }

    fn without_padding(square: Square, to: &[u8]) -> Vec<u8> {
        let mut to: Vec<u8> = to.iter().copied().filter(|&to| to != square.raw()).collect();
        to.sort_unstable();
        to
    }

    const LINES: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
    const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    fn palace(f: i32, r: i32) -> bool {
        (3..=5).contains(&f) && !(3..=6).contains(&r)
    }

    #[test]
    fn destinations_agree_with_the_rules() {
        for square in Square::all() {
            let tos = |list: Vec<(u8, (i32, i32))>| list.into_iter().map(|(to, _)| to).collect::<Vec<_>>();
            assert_eq!(without_padding(square, &KING[square.index()]), tos(naive(square, &LINES, palace)));
            for (color, step) in [(Color::Red, 1), (Color::Black, -1)] {
                let own_palace = |f: i32, r: i32| palace(f, r) && (r < 5) == (color == Color::Red);
                let expected = tos(naive(square, &DIAGONALS, own_palace));
                assert_eq!(without_padding(square, &ADVISOR[color.index()][square.index()]), expected);
                let has_crossed_river = (square.rank() >= 5) == (color == Color::Red);
                let steps = if has_crossed_river { vec![(0, step), (1, 0), (-1, 0)] } else { vec![(0, step)] };
                let expected = tos(naive(square, &steps, |_, _| true));
                assert_eq!(without_padding(square, &PAWN[color.index()][square.index()]), expected);
            }
        }
    }

    #[test]
    fn bishop_eyes_lie_between() {
        for (color, square) in Color::ALL.into_iter().flat_map(|color| Square::all().map(move |square| (color, square)))
        {
            let steps = DIAGONALS.map(|(df, dr)| (2 * df, 2 * dr));
            let expected = naive(square, &steps, |_, r| (r < 5) == (color == Color::Red));
            let table = BISHOP[color.index()][square.index()];
            assert_eq!(without_padding(square, &table.to), expected.iter().map(|e| e.0).collect::<Vec<_>>());
            assert_eq!(table.count as usize, expected.len());
            for (to, (df, dr)) in expected {
                let at = table.to.iter().position(|&t| t == to).unwrap();
                let eye = Square::new((square.file() as i32 + df / 2) as u8, (square.rank() as i32 + dr / 2) as u8);
                assert_eq!(table.eye[at], eye.raw());
            }
        }
    }

    #[test]
    fn knight_legs_lie_beside_the_knight() {
        let steps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        for square in Square::all() {
            let expected = naive(square, &steps, |_, _| true);
            let table = KNIGHT_MOVES[square.index()];
            assert_eq!(without_padding(square, &table.to), expected.iter().map(|e| e.0).collect::<Vec<_>>());
            for (to, (df, dr)) in expected {
                let leg = Square::new((square.file() as i32 + df / 2) as u8, (square.rank() as i32 + dr / 2) as u8);
                let at = table.to.iter().position(|&t| t == to).unwrap();
                assert_eq!(table.leg[at], leg.raw());
                assert_eq!(knight_leg(square, Square::from_raw(to)), Some(leg));
            }
            for other in Square::all().filter(|other| !table.to.contains(&other.raw()) || *other == square) {
                assert_eq!(knight_leg(square, other), None, "{square}{other}");
            }
        }
    }
}
