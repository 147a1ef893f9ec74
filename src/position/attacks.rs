//! Which pieces are attacked: by what class of pieces, and whether they are defended. An input of the evaluation.

use super::Position;
use super::mailbox::{Cell, cells_of, type_mask};
use crate::tables::bitboards::{
    Bitboard, advisor_attacks, beside, bishop_attacks, bit, cannon_attacks, diagonally_beside, king_attacks,
    knight_attacks, pawn_attacks, rook_attacks, squares,
};
use crate::types::{Color, Piece, PieceSquare, PieceType, Square};

/// A class of attackers, the cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackerClass {
    /// King, advisor, bishop or pawn.
    Minor,
    /// Knight or cannon.
    KnightOrCannon,
    /// Rook.
    Rook,
}

impl AttackerClass {
    /// Number of classes.
    pub const COUNT: usize = 3;
}

/// A piece that an enemy piece could capture, pins and checks ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackedPiece {
    /// The piece on its square.
    pub piece: PieceSquare,
    /// The class of its cheapest attacker.
    pub attacker: AttackerClass,
    /// Whether a piece of its own side could recapture on its square, pins and checks ignored.
    pub is_defended: bool,
}

/// The first two pieces of each type and the first five pawns, in a side's piece set.
const USUAL_PIECES: u64 = 0x0303_0303_0303_0303 | type_mask(PieceType::Pawn) & 0x1F1F_1F1F_1F1F_1F1F;

impl Position {
    /// The squares of each color's pieces.
    pub fn occupied(&self) -> [Bitboard; 2] {
        Color::ALL.map(|color| {
            let cells = cells_of(color, self.pieces[color.index()]);
            cells.fold(0, |set, cell| set | bit(self.squares[cell.index()]))
        })
    }

    /// Visits the attacked pieces. `occupied` is [`Position::occupied`].
    #[inline(always)]
    pub fn for_each_attacked(&self, occupied: [Bitboard; 2], mut visit: impl FnMut(AttackedPiece)) {
        debug_assert_eq!(occupied, self.occupied());
        // Colors are constants here, so that the tables of each are at constant addresses.
        let (by_red, by_black) = (self.attacks(Color::Red), self.attacks(Color::Black));
        let [red, black] = occupied;
        let all = |sets: [Bitboard; AttackerClass::COUNT]| sets[0] | sets[1] | sets[2];
        let attacked = all(by_red) & black | all(by_black) & red;
        let defended = all(by_red) & red | all(by_black) & black;
        let by_minors = by_red[0] & black | by_black[0] & red;
        let by_knights_and_cannons = by_red[1] & black | by_black[1] & red;
        for square in squares(attacked) {
            let here = bit(square);
            let attacker = if by_minors & here != 0 {
                AttackerClass::Minor
            } else if by_knights_and_cannons & here != 0 {
                AttackerClass::KnightOrCannon
            } else {
                AttackerClass::Rook
            };
            let piece = PieceSquare::new(self.cells.at(square).piece_unchecked(), square);
            visit(AttackedPiece { piece, attacker, is_defended: defended & here != 0 });
        }
    }

    /// The squares that pieces of `color` attack or defend, by [`AttackerClass`]. Of those that rooks and cannons attack
    /// only the occupied ones are there.
    #[inline(always)]
    fn attacks(&self, color: Color) -> [Bitboard; AttackerClass::COUNT] {
        if self.pieces[color.index()] & !USUAL_PIECES == 0 {
            self.attacks_of_first::<2, 5>(color)
        } else {
            self.attacks_of_all(color)
        }
    }

    /// [`Position::attacks`] of any number of pieces.
    #[cold]
    fn attacks_of_all(&self, color: Color) -> [Bitboard; AttackerClass::COUNT] {
        self.attacks_of_first::<8, 8>(color)
    }

    /// [`Position::attacks`] of the king, the first `PAWNS` pawns and the first `N` pieces of the other types. Their
    /// numbers are constant: the end of a loop over those on the board would often be mispredicted. Captured and missing
    /// pieces are off the board, where they attack nothing.
    #[inline(always)]
    fn attacks_of_first<const N: usize, const PAWNS: usize>(&self, color: Color) -> [Bitboard; AttackerClass::COUNT] {
        let slots = |piece_type| &self.squares[Cell::new(Piece::new(color, piece_type), 0).index()..];
        let first = |piece_type| slots(piece_type)[..N].iter().copied();
        let lines = |square: Square| (self.ranks[square.row()], self.files[square.column()]);
        let mut minor = king_attacks(self.king(color));
        for from in first(PieceType::Advisor) {
            minor |= advisor_attacks(color, from);
        }
        for from in first(PieceType::Bishop) {
            let (above, below) = (self.ranks[from.row().wrapping_sub(1) & 15], self.ranks[(from.row() + 1) & 15]);
            minor |= bishop_attacks(color, from, diagonally_beside(from, above, below));
        }
        for &from in &slots(PieceType::Pawn)[..PAWNS] {
            minor |= pawn_attacks(color, from);
        }
        let mut knights_and_cannons = 0;
        for from in first(PieceType::Knight) {
            let (rank, file) = lines(from);
            knights_and_cannons |= knight_attacks(from, beside(from, rank, file));
        }
        for from in first(PieceType::Cannon) {
            let (rank, file) = lines(from);
            knights_and_cannons |= cannon_attacks(from, rank, file);
        }
        let mut rooks = 0;
        for from in first(PieceType::Rook) {
            let (rank, file) = lines(from);
            rooks |= rook_attacks(from, rank, file);
        }
        [minor, knights_and_cannons, rooks]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::PositionBuilder;
    use crate::types::Move;

    /// Whether the piece on `from` could capture on `square`: by [`Position::is_pseudo_legal`], with an own piece there
    /// made the enemy's. Then, if a side has too many pieces or its king can be captured, an enemy piece elsewhere is
    /// made its own.
    fn could_capture(position: &Position, from: Square, square: Square) -> bool {
        let pieces = || position.pieces().filter(|(piece, _)| piece.piece_type() != PieceType::King);
        let color = position.piece_at(from).unwrap().color();
        let mut builder = PositionBuilder::new();
        position.pieces().for_each(|(piece, square)| {
            builder.set(square, Some(piece));
        });
        builder.side_to_move(color);
        if position.piece_at(square).unwrap().color() == color {
            builder.set(square, Some(Piece::new(!color, PieceType::Pawn)));
        }
        let enemies = pieces().filter(|&(piece, at)| piece.color() != color && at != square).map(|(_, at)| at);
        let exchanged = enemies.map(|enemy| {
            let mut builder = builder.clone();
            builder.set(enemy, Some(Piece::new(color, PieceType::Pawn)));
            builder
        });
        let position = [builder.clone()].into_iter().chain(exchanged).find_map(|builder| builder.build().ok());
        position.unwrap().is_pseudo_legal(Move::new(from, square))
    }

    #[test]
    fn attacked_pieces_are_those_that_a_pseudo_legal_move_captures() {
        let class = |piece_type| match piece_type {
            PieceType::Rook => AttackerClass::Rook,
            PieceType::Knight | PieceType::Cannon => AttackerClass::KnightOrCannon,
            _ => AttackerClass::Minor,
        };
        let mut seen = [[0; 2]; AttackerClass::COUNT];
        for fen in crate::test_data::fens() {
            let position = Position::from_fen(fen).unwrap();
            if position.in_check() {
                continue;
            }
            let mut found = Vec::new();
            position.for_each_attacked(position.occupied(), |attacked| found.push(attacked));
            for (piece, square) in position.pieces().filter(|(piece, _)| piece.piece_type() != PieceType::King) {
                let capturing = |color: Color| {
                    let pieces = position.pieces().filter(move |(piece, _)| piece.color() == color);
                    pieces.filter(|&(_, from)| from != square && could_capture(&position, from, square))
                };
                let attackers = capturing(!piece.color()).map(|(attacker, _)| class(attacker.piece_type()));
                let expected = attackers.min_by_key(|&class| class as usize).map(|attacker| AttackedPiece {
                    piece: PieceSquare::new(piece, square),
                    attacker,
                    is_defended: capturing(piece.color()).next().is_some(),
                });
                assert_eq!(
                    found.iter().copied().find(|found| found.piece.square() == square),
                    expected,
                    "{fen} {square}"
                );
                if let Some(AttackedPiece { attacker, is_defended, .. }) = expected {
                    seen[attacker as usize][is_defended as usize] += 1;
                }
            }
        }
        assert!(seen.as_flattened().iter().all(|&count| count > 20), "{seen:?}");
    }
}
