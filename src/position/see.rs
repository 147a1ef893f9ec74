//! Static exchange evaluation: what a capture is worth once the captures on the same square have run out.

use super::Position;
use super::mailbox::{Cell, cells_of, type_mask};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, has_crossed_river, knight_leg};
use crate::tables::slides::{file_bit, file_targets, rank_bit, rank_targets};
use crate::types::{Color, Move, Piece, PieceType, Score, Square};

/// What a man counts in an exchange, in engine units.
#[inline]
pub const fn piece_value(kind: PieceType) -> Score {
    match kind {
        PieceType::King => 10_000,
        PieceType::Advisor => 200,
        PieceType::Bishop => 210,
        PieceType::Knight => 410,
        PieceType::Rook => 900,
        PieceType::Cannon => 430,
        PieceType::Pawn => 130,
    }
}

/// The men still on the board around one square while they capture each other there.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    pieces: [u64; 2],
    rank: u16,
    file: u16,
}

impl Exchange<'_> {
    fn is_alive(&self, cell: Cell) -> bool {
        cell.piece().is_some_and(|piece| self.pieces[piece.color().index()] & cell.bit() != 0)
    }

    fn is_free(&self, square: Square) -> bool {
        let cell = self.position.cells.at(square);
        cell.is_empty() || !self.is_alive(cell)
    }

    /// The man `piece` if it stands, alive, on `square`.
    fn standing(&self, square: Square, piece: Piece) -> Option<Square> {
        let cell = self.position.cells.at(square);
        (cell.is(piece) && self.is_alive(cell)).then_some(square)
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

    /// The least valuable man of `color` that can capture on the square.
    fn cheapest(&self, color: Color) -> Option<(PieceType, Square)> {
        let target = self.square;
        let side = |kind| Piece::new(color, kind);
        let lives = |kind| self.pieces[color.index()] & type_mask(kind) != 0;

        if lives(PieceType::Pawn) {
            let has_crossed_river = (target.rank() >= 5) == (color == Color::Red);
            let beside = has_crossed_river.then(|| [target.offset(-1), target.offset(1)]).into_iter().flatten();
            let mut behind = std::iter::once(target.offset((!color).forward())).chain(beside);
            if let Some(from) = behind.find_map(|from| self.standing(from, side(PieceType::Pawn))) {
                return Some((PieceType::Pawn, from));
            }
        }
        // At home the ways from the square are the ways to it; elsewhere neither advisor nor bishop goes.
        let is_home = !has_crossed_river(target, color);
        if is_home && target.is_in_palace() && lives(PieceType::Advisor) {
            let mut from = ADVISOR[color.index()][target.index()].into_iter().map(Square::from_raw);
            if let Some(from) = from.find_map(|from| self.standing(from, side(PieceType::Advisor))) {
                return Some((PieceType::Advisor, from));
            }
        }
        if is_home && lives(PieceType::Bishop) {
            let table = &BISHOP[color.index()][target.index()];
            for n in 0..4 {
                let (from, eye) = (Square::from_raw(table.to[n]), Square::from_raw(table.eye[n]));
                if from != target && self.is_free(eye) && self.standing(from, side(PieceType::Bishop)).is_some() {
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
        if lives(PieceType::Cannon) || lives(PieceType::Rook) {
            let rank = rank_targets(target, self.rank);
            let file = file_targets(target, self.file);
            let on_rank = |column: u8| Square::from_raw((target.raw() & 0xF0) | column);
            let on_file = |row: u8| Square::from_raw(row | (target.raw() & 15));
            let mut seconds = [0, 1].into_iter().flat_map(|n| [on_rank(rank.second(n)), on_file(file.second(n))]);
            if let Some(from) = seconds.find_map(|from| self.standing(from, side(PieceType::Cannon))) {
                return Some((PieceType::Cannon, from));
            }
            let mut firsts = [0, 1].into_iter().flat_map(|n| [on_rank(rank.first(n)), on_file(file.first(n))]);
            if let Some(from) = firsts.find_map(|from| self.standing(from, side(PieceType::Rook))) {
                return Some((PieceType::Rook, from));
            }
        }
        let king = self.position.king(color);
        (KING[king.index()].contains(&target.raw()) && king != target).then_some((PieceType::King, king))
    }
}

impl Position {
    /// Whether a man of `by` could capture on `square` if an enemy stood there. Pins are not seen.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        let (rank, file) = (self.ranks[square.row()], self.files[square.column()]);
        Exchange { position: self, square, pieces: self.pieces, rank, file }.cheapest(by).is_some()
    }

    /// Whether `mv` wins at least `least` in material (loses at most so much, if it is negative) when both sides then
    /// capture on its target square, cheapest men first, as long as it pays. Pins and checks are not seen, but a king does
    /// not capture what is protected.
    pub fn see_ge(&self, mv: Move, least: Score) -> bool {
        let (from, target) = (mv.from(), mv.to());
        let worth = |square: Square| self.piece_at(square).map_or(0, |piece| piece_value(piece.piece_type()));
        let Some(mover) = self.piece_at(from) else { return least <= 0 };
        let is_promotion = from == target;
        let placed = if is_promotion { piece_value(PieceType::Pawn) } else { piece_value(mover.piece_type()) };
        let won = if is_promotion { placed - worth(target) } else { worth(target) };
        let beyond = won - least;
        if beyond < 0 {
            return false;
        }
        // By how much the balance is on the side of who captures next, once it has.
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
        // The square stays occupied by whoever captured last.
        exchange.rank |= rank_bit(target);
        exchange.file |= file_bit(target);
        let mut side = !mover.color();
        let mut pays = true;
        while let Some((kind, square)) = exchange.cheapest(side) {
            exchange.remove(square);
            if kind == PieceType::King && exchange.cheapest(!side).is_some() {
                break;
            }
            pays = !pays;
            swing = piece_value(kind) - swing;
            // A balance of nothing is enough for the side that moved first, and not for the other.
            if swing < pays as Score {
                break;
            }
            side = !side;
        }
        pays
    }
}
