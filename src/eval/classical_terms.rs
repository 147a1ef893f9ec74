//! Terms of the classical evaluation beyond the piece-square tables: mobility, threats, king safety, pawns.
//!
//! The evaluation is a weighted sum of how often each term occurs, Red minus Black. The terms are counted here for both
//! the evaluation ([`super::classical`]) and the tuning of the weights (`training::texel`).

use crate::position::Position;
use crate::tables::leapers::{KNIGHT_JUMPS, PAWN, has_crossed_river, leaps};
use crate::tables::slides::{file_mask, file_targets, rank_mask, rank_targets};
use crate::types::{Color, PieceType, Square};

/// A group of terms: a range of term indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Name for display.
    pub name: &'static str,
    /// Index of the first term.
    pub first: usize,
    /// Number of terms.
    pub count: usize,
}

impl Group {
    const fn after(self, name: &'static str, count: usize) -> Group {
        Group { name, first: self.first + self.count, count }
    }

    const fn term(self, index: usize) -> usize {
        debug_assert!(index < self.count);
        self.first + index
    }
}

/// By number of empty squares it can move to: 0 to 17.
const ROOK_MOBILITY: Group = Group { name: "rook mobility", first: 0, count: 18 };
/// By number of empty squares it can move to: 0 to 17.
const CANNON_MOBILITY: Group = ROOK_MOBILITY.after("cannon mobility", 18);
/// By number of squares it can move to, captures included: 0 to 8.
const KNIGHT_MOBILITY: Group = CANNON_MOBILITY.after("knight mobility", 9);
/// By type of the attacker (knight, rook, cannon, pawn), then type of the piece attacked.
const THREAT: Group = KNIGHT_MOBILITY.after("threats", 4 * PieceType::COUNT);
/// Cannon and enemy king on one file with 0 (hollow cannon), 2 or 3 pieces between; the same on a rank. With 1 it is
/// check.
const CANNON_LINE: Group = THREAT.after("cannon and king", 6);
/// Rook and enemy king on one file with 1 or 2 pieces between; the same on a rank.
const ROOK_LINE: Group = CANNON_LINE.after("rook and king", 4);
/// King attack: by the weight of the pieces that attack the enemy's palace, 0 to 11, then by the enemy's number of
/// advisors.
const ATTACK: Group = ROOK_LINE.after("attack", 12 * 3);
/// By number of advisors, then of enemy cannons.
const ADVISORS: Group = ATTACK.after("advisors", 3 * 3);
/// By number of bishops, then of enemy rooks and knights.
const BISHOPS: Group = ADVISORS.after("bishops", 3 * 5);
/// Pawn beside another across the river (linked); pawn in front of an own knight.
const PAWNS: Group = BISHOPS.after("pawns", 2);

/// All groups, in order.
pub(crate) const GROUPS: [Group; 10] =
    [ROOK_MOBILITY, CANNON_MOBILITY, KNIGHT_MOBILITY, THREAT, CANNON_LINE, ROOK_LINE, ATTACK, ADVISORS, BISHOPS, PAWNS];

/// Number of terms.
pub(crate) const TERMS: usize = PAWNS.first + PAWNS.count;

/// Weight of a piece in the king attack, by type.
const ATTACK_WEIGHT: [usize; PieceType::COUNT] = [0, 0, 0, 2, 3, 2, 1];

/// 1 in Red's palace, 2 in Black's.
static PALACES: [u8; 256] = {
    let mut palaces = [0; 256];
    let mut raw = 0;
    while raw < 256 {
        let square = Square::from_raw(raw as u8);
        if square.is_in_palace() {
            palaces[raw] = if square.rank() <= 2 { 1 } else { 2 };
        }
        raw += 1;
    }
    palaces
};

/// Calls `add` with the index of each term of `color` in `position`, once for each occurrence.
#[inline]
pub(crate) fn count(position: &Position, color: Color, add: impl FnMut(usize)) {
    Counter { position, color, attack: 0, attacks_palace: false, add }.count();
}

/// Counts one side's terms.
struct Counter<'a, F> {
    position: &'a Position,
    color: Color,
    /// Sum of [`ATTACK_WEIGHT`] over the pieces that attack the enemy's palace.
    attack: usize,
    /// Whether the current piece attacks the enemy's palace.
    attacks_palace: bool,
    add: F,
}

impl<F: FnMut(usize)> Counter<'_, F> {
    fn count(&mut self) {
        let (position, color) = (self.position, self.color);
        for kind in [PieceType::Knight, PieceType::Rook, PieceType::Cannon, PieceType::Pawn] {
            for square in squares(position.squares_of(color, kind)) {
                self.attacks_palace = false;
                match kind {
                    PieceType::Knight => self.knight(square),
                    PieceType::Pawn => self.pawn(square),
                    _ => self.slider(kind, square),
                }
                if self.attacks_palace {
                    self.attack += ATTACK_WEIGHT[kind.index()];
                }
            }
        }
        let number = |color, kind, max: usize| (position.count(color, kind) as usize).min(max);
        let enemies = |kind, max| number(!color, kind, max);
        (self.add)(ATTACK.term(self.attack.min(11) * 3 + enemies(PieceType::Advisor, 2)));
        (self.add)(ADVISORS.term(number(color, PieceType::Advisor, 2) * 3 + enemies(PieceType::Cannon, 2)));
        let strong = (enemies(PieceType::Rook, 2) + enemies(PieceType::Knight, 2)).min(4);
        (self.add)(BISHOPS.term(number(color, PieceType::Bishop, 2) * 5 + strong));
    }

    #[inline]
    fn is_enemy_palace(&self, square: Square) -> bool {
        PALACES[square.index()] == 1 + (!self.color).index() as u8
    }

    /// Counts a threat if an enemy piece is on `victim`, which a piece of type `kind` attacks.
    #[inline]
    fn threat(&mut self, kind: PieceType, victim: Square) {
        if let Some(threatened) = self.position.piece_type_at(!self.color, victim) {
            let attacker = kind.index() - PieceType::Knight.index();
            (self.add)(THREAT.term(attacker * PieceType::COUNT + threatened.index()));
        }
    }

    fn knight(&mut self, from: Square) {
        let mut mobility = 0;
        for (step, jumps) in KNIGHT_JUMPS {
            if !self.position.is_empty(from.offset(step)) {
                continue;
            }
            for to in jumps.map(|jump| from.offset(jump)) {
                if self.position.is_barred_to(self.color, to) {
                    continue;
                }
                mobility += 1;
                self.threat(PieceType::Knight, to);
                self.attacks_palace |= self.is_enemy_palace(to);
            }
        }
        (self.add)(KNIGHT_MOBILITY.term(mobility));
    }

    fn pawn(&mut self, from: Square) {
        for to in leaps(&PAWN[self.color.index()][from.index()], from) {
            self.threat(PieceType::Pawn, to);
            self.attacks_palace |= self.is_enemy_palace(to);
        }
        let is =
            |square: Square, color: Color, kind: PieceType| self.position.piece_type_at(color, square) == Some(kind);
        let is_linked = has_crossed_river(from, self.color) && is(from.offset(1), self.color, PieceType::Pawn);
        let is_before_knight = is(from.offset((!self.color).forward()), self.color, PieceType::Knight);
        if is_linked {
            (self.add)(PAWNS.term(0));
        }
        if is_before_knight {
            (self.add)(PAWNS.term(1));
        }
    }

    /// A rook or a cannon.
    fn slider(&mut self, kind: PieceType, from: Square) {
        let position = self.position;
        let (rank, file) = (position.rank_word(from), position.file_word(from));
        let (on_rank, on_file) = (rank_targets(from, rank), file_targets(from, file));
        let mobility = on_rank.quiet_count() + on_file.quiet_count();
        let is_rook = kind == PieceType::Rook;
        (self.add)(if is_rook { ROOK_MOBILITY } else { CANNON_MOBILITY }.term(mobility.min(17)));
        for end in 0..2 {
            let (along, across) = if is_rook {
                (on_file.first(end), on_rank.first(end))
            } else {
                (on_file.second(end), on_rank.second(end))
            };
            self.threat(kind, Square::from_raw(along | from.raw() & 0x0F));
            self.threat(kind, Square::from_raw(across | from.raw() & 0xF0));
        }
        let (rank_mask, file_mask) = (rank_mask(from, rank), file_mask(from, file));
        let captures =
            |reach: crate::tables::slides::SlideMask| reach.quiet | if is_rook { reach.rook } else { reach.cannon };
        const PALACE_FILES: u16 = 0b0_0011_1000;
        let palace_ranks: u16 = if self.color == Color::Red { 0b00_0000_0111 } else { 0b11_1000_0000 };
        let is_on_palace_file = matches!(from.file(), 3..=5);
        let far_rank = if self.color == Color::Red { 9 - from.rank() } else { from.rank() };
        if is_on_palace_file && captures(file_mask) & palace_ranks != 0
            || far_rank <= 2 && captures(rank_mask) & PALACE_FILES != 0
        {
            self.attacks_palace = true;
        }
        let king = position.king(!self.color);
        let line = |between: u32, group: Group, direction: usize| match (is_rook, between) {
            (true, 1 | 2) => Some(group.term(2 * direction + between as usize - 1)),
            (false, 0) => Some(group.term(3 * direction)),
            (false, 2 | 3) => Some(group.term(3 * direction + between as usize - 1)),
            _ => None,
        };
        let group = if is_rook { ROOK_LINE } else { CANNON_LINE };
        if king.column() == from.column() {
            let between = between(file, king.row(), from.row(), Square::FIRST_ROW);
            line(between, group, 0).into_iter().for_each(&mut self.add);
        } else if king.row() == from.row() {
            let between = between(rank, king.column(), from.column(), Square::FIRST_COLUMN);
            line(between, group, 1).into_iter().for_each(&mut self.add);
        }
    }
}

/// Number of pieces strictly between two coordinates of a line; `word` is its occupancy and `first` its first
/// coordinate.
fn between(word: u16, one: usize, other: usize, first: u8) -> u32 {
    let (low, high) = (one.min(other) - first as usize, one.max(other) - first as usize);
    let inner = (1u32 << high) - (1u32 << (low + 1)).min(1u32 << high);
    (u32::from(word) & inner).count_ones()
}

/// Unpacks the squares of a piece list, one byte each.
fn squares(mut word: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        while word != 0 {
            let square = Square::from_raw(word as u8);
            word >>= 8;
            if square != Square::OFF {
                return Some(square);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Move, Piece};

    fn positions() -> impl Iterator<Item = Position> {
        crate::test_data::fens().map(|fen| Position::from_fen(fen).unwrap())
    }

    fn counts(position: &Position, color: Color) -> [i32; TERMS] {
        let mut counts = [0; TERMS];
        count(position, color, |term| counts[term] += 1);
        counts
    }

    #[test]
    fn groups_are_contiguous() {
        let mut next = 0;
        for group in GROUPS {
            assert_eq!(group.first, next);
            next += group.count;
        }
        assert_eq!(next, TERMS);
    }

    #[test]
    fn terms_are_color_symmetric_and_mirror_symmetric() {
        for position in positions() {
            let fen = position.to_fen();
            let mirrored = position.mirrored();
            for color in Color::ALL {
                let counts = counts(&position, color);
                assert_eq!(counts, super::tests::counts(&mirrored, color), "{fen}");
                assert_eq!(counts, super::tests::counts(&position.color_flipped(), !color), "{fen}");
            }
        }
    }

    #[test]
    fn mobility_and_threats_equal_those_of_the_generated_moves() {
        for position in positions() {
            let color = position.side();
            let mut expected = [0; TERMS];
            for (piece, from) in position.pieces().filter(|(piece, _)| piece.color() == color) {
                let moves = Square::all().filter(|&to| to != from && position.is_pseudo_legal(Move::new(from, to)));
                let (captures, quiet): (Vec<_>, Vec<_>) = moves.partition(|&to| !position.is_empty(to));
                match piece.piece_type() {
                    PieceType::Rook => expected[ROOK_MOBILITY.term(quiet.len())] += 1,
                    PieceType::Cannon => expected[CANNON_MOBILITY.term(quiet.len())] += 1,
                    PieceType::Knight => expected[KNIGHT_MOBILITY.term(quiet.len() + captures.len())] += 1,
                    PieceType::Pawn => {}
                    _ => continue,
                }
                for victim in captures.into_iter().filter_map(|to| position.piece_at(to)) {
                    let attacker = piece.piece_type().index() - PieceType::Knight.index();
                    expected[THREAT.term(attacker * PieceType::COUNT + victim.piece_type().index())] += 1;
                }
            }
            let compared = CANNON_LINE.first;
            assert_eq!(counts(&position, color)[..compared], expected[..compared], "{}", position.to_fen());
        }
    }

    /// Number of pieces strictly between two squares of one line, `None` if they are not on one.
    fn pieces_between(position: &Position, one: Square, other: Square) -> Option<usize> {
        let (files, ranks) = ((one.file(), other.file()), (one.rank(), other.rank()));
        let is_between = |value: u8, (a, b): (u8, u8)| value > a.min(b) && value < a.max(b);
        let (on_file, on_rank) = (files.0 == files.1, ranks.0 == ranks.1);
        let pieces = position.pieces().map(|(_, square)| square).filter(|square| {
            on_file && square.file() == files.0 && is_between(square.rank(), ranks)
                || on_rank && square.rank() == ranks.0 && is_between(square.file(), files)
        });
        (on_file != on_rank).then(|| pieces.count())
    }

    /// Whether a piece of `color` could move to a square, or capture an enemy there.
    fn attacks(position: &Position, color: Color, kind: PieceType, from: Square, to: Square) -> bool {
        let is_empty = position.is_empty(to);
        match kind {
            PieceType::Rook => pieces_between(position, from, to) == Some(0),
            PieceType::Cannon => pieces_between(position, from, to) == Some(if is_empty { 0 } else { 1 }),
            PieceType::Knight => {
                position.piece_at(to).is_none_or(|piece| piece.color() != color) && {
                    let (files, ranks) = (to.file() as i32 - from.file() as i32, to.rank() as i32 - from.rank() as i32);
                    let leg = match (files.abs(), ranks.abs()) {
                        (1, 2) => Some((from.file() as i32, from.rank() as i32 + ranks / 2)),
                        (2, 1) => Some((from.file() as i32 + files / 2, from.rank() as i32)),
                        _ => None,
                    };
                    leg.is_some_and(|(file, rank)| position.is_empty(Square::new(file as u8, rank as u8)))
                }
            }
            _ => {
                let ahead = color.sign();
                let (files, ranks) = (to.file() as i32 - from.file() as i32, to.rank() as i32 - from.rank() as i32);
                (files, ranks) == (0, ahead) || ranks == 0 && files.abs() == 1 && has_crossed_river(from, color)
            }
        }
    }

    #[test]
    fn other_groups_equal_a_naive_count() {
        for position in positions() {
            for color in Color::ALL {
                let mut expected = [0; TERMS];
                let king = position.king(!color);
                let palace: Vec<Square> =
                    Square::all().filter(|to| to.is_in_palace() && (to.rank() > 4) == (king.rank() > 4)).collect();
                let (mut attack, mut pawns) = (0, Vec::new());
                for (piece, from) in position.pieces().filter(|(piece, _)| piece.color() == color) {
                    let kind = piece.piece_type();
                    if kind.index() < PieceType::Knight.index() {
                        continue;
                    }
                    if palace.iter().any(|&to| to != from && attacks(&position, color, kind, from, to)) {
                        attack += ATTACK_WEIGHT[kind.index()];
                    }
                    let direction = if king.file() == from.file() { 0 } else { 1 };
                    match (kind, pieces_between(&position, from, king)) {
                        (PieceType::Rook, Some(between @ 1..=2)) => {
                            expected[ROOK_LINE.term(2 * direction + between - 1)] += 1
                        }
                        (PieceType::Cannon, Some(0)) => expected[CANNON_LINE.term(3 * direction)] += 1,
                        (PieceType::Cannon, Some(between @ 2..=3)) => {
                            expected[CANNON_LINE.term(3 * direction + between - 1)] += 1
                        }
                        (PieceType::Pawn, _) => pawns.push(from),
                        _ => {}
                    }
                }
                let own = |kind| position.count(color, kind) as usize;
                let enemy = |kind| position.count(!color, kind) as usize;
                expected[ATTACK.term(attack.min(11) * 3 + enemy(PieceType::Advisor).min(2))] += 1;
                expected[ADVISORS.term(own(PieceType::Advisor).min(2) * 3 + enemy(PieceType::Cannon).min(2))] += 1;
                let strong = (enemy(PieceType::Rook).min(2) + enemy(PieceType::Knight).min(2)).min(4);
                expected[BISHOPS.term(own(PieceType::Bishop).min(2) * 5 + strong)] += 1;
                let back = -color.sign();
                for &pawn in &pawns {
                    let beside = |other: &&Square| other.rank() == pawn.rank() && other.file() == pawn.file() + 1;
                    if has_crossed_river(pawn, color) && pawns.iter().any(|other| beside(&other)) {
                        expected[PAWNS.term(0)] += 1;
                    }
                    let rank = pawn.rank() as i32 + back;
                    let behind = (0..10).contains(&rank).then(|| Square::new(pawn.file(), rank as u8));
                    if behind.and_then(|square| position.piece_at(square)) == Some(Piece::new(color, PieceType::Knight))
                    {
                        expected[PAWNS.term(1)] += 1;
                    }
                }
                let compared = CANNON_LINE.first;
                assert_eq!(counts(&position, color)[compared..], expected[compared..], "{}", position.to_fen());
            }
        }
    }
}
