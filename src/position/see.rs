//! Static exchange evaluation (SEE): the material result of a move once all captures on its target square are made.

use super::Position;
use super::mailbox::{cells_of, type_mask};
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

/// Piece values by the code of a cell; 0 for empty cells and the border.
static VALUES: [Score; Piece::SLOTS] = {
    let mut values = [0; Piece::SLOTS];
    let mut n = 0;
    while n < 2 * PieceType::COUNT {
        let piece_type = PieceType::ALL[n / 2];
        values[Piece::new(Color::ALL[n % 2], piece_type).index()] = piece_value(piece_type);
        n += 1;
    }
    values
};

/// An exchange on one square: the pieces that have not captured yet, and the bit-rank and bit-file of the square.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    pieces: [u64; 2],
    rank: u16,
    file: u16,
}

impl Exchange<'_> {
    /// Whether `piece` is on `square` and still takes part.
    #[inline]
    fn has(&self, square: Square, piece: Piece) -> bool {
        let cell = self.position.cells.at(square);
        cell.is(piece) && self.pieces[cell.color_index()] & cell.bit() != 0
    }

    /// Whether `square`, on the board, is empty or its piece has captured.
    #[inline]
    fn is_free(&self, square: Square) -> bool {
        let cell = self.position.cells.at(square);
        cell.is_empty() || self.pieces[cell.color_index()] & cell.bit() == 0
    }

    /// Removes the piece on `square`, if there is one.
    #[inline]
    fn remove(&mut self, square: Square) {
        let cell = self.position.cells.at(square);
        if !cell.is_empty() {
            self.pieces[cell.color_index()] &= !cell.bit();
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
        let pieces = self.pieces[color.index()];
        let has_any = |piece_type| pieces & type_mask(piece_type) != 0;
        let has_crossed_river = has_crossed_river(target, color);

        if has_any(PieceType::Pawn) {
            let pawn = Piece::new(color, PieceType::Pawn);
            let behind = target.offset((!color).forward());
            if self.has(behind, pawn) {
                return Some((PieceType::Pawn, behind));
            }
            if has_crossed_river {
                for beside in [target.offset(-1), target.offset(1)] {
                    if self.has(beside, pawn) {
                        return Some((PieceType::Pawn, beside));
                    }
                }
            }
        }
        // On their own half the moves of advisors and bishops are symmetric; they never leave it.
        if !has_crossed_river && target.is_in_palace() && has_any(PieceType::Advisor) {
            let advisor = Piece::new(color, PieceType::Advisor);
            for from in ADVISOR[color.index()][target.index()].map(Square::from_raw) {
                if self.has(from, advisor) {
                    return Some((PieceType::Advisor, from));
                }
            }
        }
        if !has_crossed_river && has_any(PieceType::Bishop) {
            let bishop = Piece::new(color, PieceType::Bishop);
            let table = &BISHOP[color.index()][target.index()];
            for (from, eye) in table.to.map(Square::from_raw).into_iter().zip(table.eye.map(Square::from_raw)) {
                if from != target && self.has(from, bishop) && self.is_free(eye) {
                    return Some((PieceType::Bishop, from));
                }
            }
        }
        for cell in cells_of(color, pieces & type_mask(PieceType::Knight)) {
            let from = self.position.squares[cell.index()];
            if knight_leg(from, target).is_some_and(|leg| self.is_free(leg)) {
                return Some((PieceType::Knight, from));
            }
        }
        // Usually no slider is on a line with the square.
        let lines = self.position.enemy_lines(!color, target);
        if lines.rank | lines.file {
            let rank = rank_targets(target, self.rank);
            let file = file_targets(target, self.file);
            let on_rank = |column: u8| Square::from_raw((target.raw() & 0xF0) | column);
            let on_file = |row: u8| Square::from_raw(row | (target.raw() & 15));
            let cannon = Piece::new(color, PieceType::Cannon);
            for from in
                [on_rank(rank.second(0)), on_file(file.second(0)), on_rank(rank.second(1)), on_file(file.second(1))]
            {
                if self.has(from, cannon) {
                    return Some((PieceType::Cannon, from));
                }
            }
            let rook = Piece::new(color, PieceType::Rook);
            for from in [on_rank(rank.first(0)), on_file(file.first(0)), on_rank(rank.first(1)), on_file(file.first(1))]
            {
                if self.has(from, rook) {
                    return Some((PieceType::Rook, from));
                }
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

    /// Whether the static exchange evaluation (SEE) of the pseudo-legal move `mv` is at least `threshold`, in engine units.
    /// Both sides capture on the target square with the least valuable attacker first, as long as it pays. Ignores pins
    /// and checks, but a king does not capture a protected piece.
    pub fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        let (from, target) = (mv.from(), mv.to());
        let worth = |square: Square| VALUES[self.cells.at(square).code()];
        let is_promotion = from == target;
        let placed = if is_promotion { piece_value(PieceType::Pawn) } else { worth(from) };
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
        // Attackers are looked up in tables padded with the square itself, so what was captured must be gone. Whether the
        // square is occupied makes no difference to what is on its lines.
        exchange.remove(target);
        exchange.remove(from);
        let mut side = !self.side;
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
