//! Static exchange evaluation (SEE): the material result of a move once all captures on its target square are made.

use super::Position;
use super::mailbox::{Cell, cells_of, type_mask};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, has_crossed_river, knight_leg};
use crate::tables::slides::{file_bit, file_targets, rank_bit, rank_targets};
use crate::types::{Color, Move, Piece, PieceType, Score, Square};

/// Piece values of the static exchange evaluation, in engine units.
#[inline]
pub const fn piece_value(piece_type: PieceType) -> Score {
    match piece_type {
        PieceType::King => 10_000,
        PieceType::Advisor => 200,
        PieceType::Bishop => 210,
        PieceType::Knight => 410,
        PieceType::Rook => 900,
        PieceType::Cannon => 430,
        PieceType::Pawn => 130,
    }
}

/// An exchange on one square: the pieces that have not captured yet, and the bit-rank and bit-file of the square.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    pieces: [u64; 2],
    rank: u16,
    file: u16,
}

impl Exchange<'_> {
    fn is_present(&self, cell: Cell) -> bool {
        cell.piece().is_some_and(|piece| self.pieces[piece.color().index()] & cell.bit() != 0)
    }

    fn is_free(&self, square: Square) -> bool {
        let cell = self.position.cells.at(square);
        cell.is_empty() || !self.is_present(cell)
    }

    /// `square`, if `piece` is on it and still takes part.
    fn present(&self, square: Square, piece: Piece) -> Option<Square> {
        let cell = self.position.cells.at(square);
        (cell.is(piece) && self.is_present(cell)).then_some(square)
    }

    fn remove(&mut self, square: Square) {
        let cell = self.position.cells.at(square);
        if let Some(piece) = cell.piece() {
            self.pieces[piece.color().index()] &= !cell.bit();
        }
        if square.row() == self.square.row() {
            self.rank &= !rank_bit(square);
        }
        if square.column() == self.square.column() {
            self.file &= !file_bit(square);
        }
    }

    /// The least valuable attacker: type and square of `color`'s cheapest piece that can capture on the square.
    ///
    /// Shares no code with [`Position::is_king_safe_on`]: it stops at the first attacker in ascending order of value.
    /// Finding all of them at every capture costs 1.3 % more instructions in `bench 6` (callgrind, on commit a6a5043).
    fn least_valuable_attacker(&self, color: Color) -> Option<(PieceType, Square)> {
        let target = self.square;
        let side = |piece_type| Piece::new(color, piece_type);
        let has = |piece_type| self.pieces[color.index()] & type_mask(piece_type) != 0;

        if has(PieceType::Pawn) {
            let beside =
                has_crossed_river(target, color).then(|| [target.offset(-1), target.offset(1)]).into_iter().flatten();
            let mut behind = std::iter::once(target.offset((!color).forward())).chain(beside);
            if let Some(from) = behind.find_map(|from| self.present(from, side(PieceType::Pawn))) {
                return Some((PieceType::Pawn, from));
            }
        }
        // On their own half the moves of advisors and bishops are symmetric; they never leave it.
        let is_home = !has_crossed_river(target, color);
        if is_home && target.is_in_palace() && has(PieceType::Advisor) {
            let mut from = ADVISOR[color.index()][target.index()].into_iter().map(Square::from_raw);
            if let Some(from) = from.find_map(|from| self.present(from, side(PieceType::Advisor))) {
                return Some((PieceType::Advisor, from));
            }
        }
        if is_home && has(PieceType::Bishop) {
            let table = &BISHOP[color.index()][target.index()];
            for n in 0..4 {
                let (from, eye) = (Square::from_raw(table.to[n]), Square::from_raw(table.eye[n]));
                if from != target && self.is_free(eye) && self.present(from, side(PieceType::Bishop)).is_some() {
                    return Some((PieceType::Bishop, from));
                }
            }
        }
        for cell in cells_of(color, self.pieces[color.index()] & type_mask(PieceType::Knight)) {
            let from = self.position.squares[cell.index()];
            if knight_leg(from, target).is_some_and(|leg| self.is_free(leg)) {
                return Some((PieceType::Knight, from));
            }
        }
        if has(PieceType::Cannon) || has(PieceType::Rook) {
            let rank = rank_targets(target, self.rank);
            let file = file_targets(target, self.file);
            let on_rank = |column: u8| Square::from_raw((target.raw() & 0xF0) | column);
            let on_file = |row: u8| Square::from_raw(row | (target.raw() & 15));
            let mut seconds = [0, 1].into_iter().flat_map(|n| [on_rank(rank.second(n)), on_file(file.second(n))]);
            if let Some(from) = seconds.find_map(|from| self.present(from, side(PieceType::Cannon))) {
                return Some((PieceType::Cannon, from));
            }
            let mut firsts = [0, 1].into_iter().flat_map(|n| [on_rank(rank.first(n)), on_file(file.first(n))]);
            if let Some(from) = firsts.find_map(|from| self.present(from, side(PieceType::Rook))) {
                return Some((PieceType::Rook, from));
            }
        }
        let king = self.position.king(color);
        (KING[king.index()].contains(&target.raw()) && king != target).then_some((PieceType::King, king))
    }
}

impl Position {
    /// Whether a piece of `by` attacks `square`, as if an enemy piece were there. Ignores pins.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        let (rank, file) = (self.ranks[square.row()], self.files[square.column()]);
        Exchange { position: self, square, pieces: self.pieces, rank, file }.least_valuable_attacker(by).is_some()
    }

    /// Whether the static exchange evaluation (SEE) of `mv` is at least `threshold`, in engine units. Both sides
    /// capture on the target square with the least valuable attacker first, as long as it pays. Ignores pins and
    /// checks, but a king does not capture a protected piece.
    pub fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        let (from, target) = (mv.from(), mv.to());
        let worth = |square: Square| self.piece_at(square).map_or(0, |piece| piece_value(piece.piece_type()));
        let Some(mover) = self.piece_at(from) else { return threshold <= 0 };
        let is_promotion = from == target;
        let placed = if is_promotion { piece_value(PieceType::Pawn) } else { piece_value(mover.piece_type()) };
        let won = if is_promotion { placed - worth(target) } else { worth(target) };
        let beyond = won - threshold;
        if beyond < 0 {
            return false;
        }
        // How far the moving side falls below the threshold if its piece is recaptured.
        let mut swing = placed - beyond;
        if swing <= 0 {
            return true;
        }
        let mut exchange = Exchange {
            position: self,
            square: target,
            pieces: self.pieces,
            rank: self.ranks[target.row()],
            file: self.files[target.column()],
        };
        exchange.remove(target);
        exchange.remove(from);
        // The square stays occupied by the last capturing piece.
        exchange.rank |= rank_bit(target);
        exchange.file |= file_bit(target);
        let mut side = !mover.color();
        let mut pays = true;
        while let Some((piece_type, square)) = exchange.least_valuable_attacker(side) {
            exchange.remove(square);
            if piece_type == PieceType::King && exchange.least_valuable_attacker(!side).is_some() {
                break;
            }
            pays = !pays;
            swing = piece_value(piece_type) - swing;
            // A balance of zero is enough for the side that moved first, not for the other.
            if swing < pays as Score {
                break;
            }
            side = !side;
        }
        pays
    }
}
