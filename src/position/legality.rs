//! Checkers, blockers (pinned pieces), hollow cannons, and the legality of a move without making it.

use super::Position;
use super::mailbox::{Cell, cells_of, type_mask};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, KNIGHT_MOVES, PAWN, knight_leg};
use crate::tables::slides::{SlideTargets, file_bit, file_mask, file_targets, rank_bit, rank_mask, rank_targets};
use crate::types::{Color, Move, Piece, PieceType, Square};

/// By `square - king` (wrapping): whether a move from or to the square can give check, directly or discovered. Sliders
/// and screens are on the king's rank and file; knights, knight legs and pawns are within two files and ranks.
static MAY_GIVE_CHECK: [bool; 256] = {
    let mut relevant = [false; 256];
    let mut rows = -9i32;
    while rows <= 9 {
        let mut columns = -8i32;
        while columns <= 8 {
            let is_near = rows.abs() <= 2 && columns.abs() <= 2;
            if rows == 0 || columns == 0 || is_near {
                relevant[(rows * 16 + columns) as u8 as usize] = true;
            }
            columns += 1;
        }
        rows += 1;
    }
    relevant
};

/// Checkers and blockers of a king.
#[derive(Clone, Copy, Default)]
struct CheckInfo {
    checker_count: u32,
    hollow_cannon: bool,
    /// Own pieces that are pinned, as a piece set.
    blockers: u64,
}

/// The enemy pieces that can check a king, knights aside.
struct EnemyPieces {
    rook: Piece,
    cannon: Piece,
    king: Piece,
    pawn: Piece,
}

impl EnemyPieces {
    #[inline]
    const fn of(us: Color) -> EnemyPieces {
        let them = us.other();
        EnemyPieces {
            rook: Piece::new(them, PieceType::Rook),
            cannon: Piece::new(them, PieceType::Cannon),
            king: Piece::new(them, PieceType::King),
            pawn: Piece::new(them, PieceType::Pawn),
        }
    }
}

impl CheckInfo {
    /// Adds the checks and blockers of one direction, given the first three pieces from the king.
    ///
    /// A rook (along a file also the enemy king) gives check as the first piece and pins the first as the second. A
    /// cannon gives check as the second piece. As the first it is a *hollow cannon*: any piece between becomes its
    /// screen. As the third it pins both pieces before it: if one leaves, the other becomes the screen.
    #[inline]
    fn along(&mut self, enemies: &EnemyPieces, us: Color, on_file: bool, pieces: [Cell; 3]) {
        let [first, second, third] = pieces;
        let rooklike = |cell: Cell| cell.is(enemies.rook) | (on_file & cell.is(enemies.king));
        let second_is_cannon = second.is(enemies.cannon);
        let third_is_cannon = third.is(enemies.cannon);
        self.checker_count += (rooklike(first) | second_is_cannon) as u32;
        self.hollow_cannon |= first.is(enemies.cannon);
        let first_is_pinned = first.is_of(us) & (rooklike(second) | second_is_cannon | third_is_cannon);
        let second_is_pinned = second.is_of(us) & third_is_cannon;
        self.blockers |=
            (first_is_pinned as u64) << (first.byte() & 63) | (second_is_pinned as u64) << (second.byte() & 63);
    }
}

/// Whether there is an enemy rook or cannon on the rank and on the file of a square.
pub(super) struct EnemyLines {
    pub rank: bool,
    pub file: bool,
}

/// Which enemy pieces [`Position::is_attacked_after`] looks at: those on the square's rank and file, the king facing
/// it, pawns, knights.
#[derive(Clone, Copy)]
struct Attackers {
    rank: bool,
    file: bool,
    facing: bool,
    pawns: bool,
    knights: bool,
}

/// Whether one of two squares is on the rank of `king`.
#[inline(always)]
const fn is_on_rank(king: Square, from: Square, to: Square) -> bool {
    (from.row() == king.row()) | (to.row() == king.row())
}

/// Whether one of two squares is on the file of `king`.
#[inline(always)]
const fn is_on_file(king: Square, from: Square, to: Square) -> bool {
    (from.column() == king.column()) | (to.column() == king.column())
}

/// Whether a piece on `square` can block a knight's jump to `king`: a knight's leg, seen from the square that it attacks,
/// is diagonally adjacent.
#[inline(always)]
const fn may_be_knight_leg(square: Square, king: Square) -> bool {
    matches!(square.raw().wrapping_sub(king.raw()) as i8, -17 | -15 | 15 | 17)
}

/// The bits of a file's occupancy `word` strictly between the rows of two squares.
#[inline(always)]
const fn occupied_between(one: Square, other: Square, word: u16) -> u16 {
    let (a, b) = (file_bit(one), file_bit(other));
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    word & (high - 1) & !(low | (low - 1))
}

/// A set of squares: a bit per column of the frame, by row.
#[derive(Clone, Copy, Default)]
pub(super) struct SquareSet([u16; 16]);

impl SquareSet {
    #[inline]
    pub(super) const fn contains(&self, square: Square) -> bool {
        self.0[square.row()] >> square.column() & 1 != 0
    }

    #[inline]
    const fn insert(&mut self, square: Square) {
        self.0[square.row()] |= 1 << square.column();
    }
}

impl Position {
    /// Whether an enemy rook or cannon is on the rank or file of `square`. Usually there is none, and the slide tables
    /// need not be read.
    ///
    /// Compares the squares of eight pieces at once, one per byte of a word (SWAR): after the XOR a nibble equal to the
    /// row or column of `square` is zero, and only zero does not carry into the byte's highest bit. Captured pieces, on
    /// square 0, never match.
    #[inline(always)]
    pub(super) fn enemy_lines(&self, us: Color, square: Square) -> EnemyLines {
        const LOW_HALVES: u64 = 0x0F0F_0F0F_0F0F_0F0F;
        const CARRIES: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let them = us.other();
        let here = square.raw() as u64 * 0x0101_0101_0101_0101;
        let rooks = self.squares_of(them, PieceType::Rook) ^ here;
        let cannons = self.squares_of(them, PieceType::Cannon) ^ here;
        let nonzero = |halves: u64| (halves & LOW_HALVES) + CARRIES;
        let no_file = nonzero(rooks) & nonzero(cannons);
        let no_rank = nonzero(rooks >> 4) & nonzero(cannons >> 4);
        EnemyLines { rank: !no_rank & !CARRIES != 0, file: !no_file & !CARRIES != 0 }
    }

    /// Updates checkers, blockers and hollow cannons of the side to move. Called after every move.
    ///
    /// Shares no code with [`Position::is_attacked_after`]: pins and hollow cannons need the second and third piece on
    /// each line and the color of the piece on a knight's leg.
    #[inline(always)]
    pub(super) fn update_checks(&mut self) {
        match self.side {
            Color::Red => self.update_checks_for(Color::Red),
            Color::Black => self.update_checks_for(Color::Black),
        }
    }

    /// [`Position::update_checks`] for one side, which is a constant where this is inlined.
    #[inline(always)]
    fn update_checks_for(&mut self, us: Color) {
        let king = self.king(us);
        let enemies = EnemyPieces::of(us);
        let mut checks = CheckInfo::default();

        let (row, column) = (king.raw() & 0xF0, king.raw() & 15);
        let lines = self.enemy_lines(us, king);
        if lines.rank {
            let ends = rank_targets(king, self.ranks[king.row()]);
            let cell = |place: u8| self.cells.at(Square::from_raw(row | place));
            for end in 0..2 {
                checks.along(&enemies, us, false, [ends.first(end), ends.second(end), ends.third(end)].map(cell));
            }
        }
        let word = self.files[king.column()];
        let between = occupied_between(king, self.king(!us), word);
        let may_face = self.king(!us).column() == king.column() && between & between.wrapping_sub(1) == 0;
        if lines.file || may_face {
            let ends = file_targets(king, word);
            let cell = |place: u8| self.cells.at(Square::from_raw(place | column));
            for end in 0..2 {
                checks.along(&enemies, us, true, [ends.first(end), ends.second(end), ends.third(end)].map(cell));
            }
        }

        for knight in cells_of(!us, self.pieces[us.other().index()] & type_mask(PieceType::Knight)) {
            if let Some(leg) = knight_leg(self.squares[knight.index()], king) {
                let blocker = self.cells.at(leg);
                checks.checker_count += blocker.is_empty() as u32;
                checks.blockers |= (blocker.is_of(us) as u64) << (blocker.byte() & 63);
            }
        }
        for step in [-1, 1, us.forward()] {
            checks.checker_count += self.cells.beside(king, step).is(enemies.pawn) as u32;
        }

        self.state.checker_count = checks.checker_count as u8;
        self.state.hollow_cannon = checks.hollow_cannon;
        self.state.blockers = checks.blockers;
    }

    /// Whether the kings stand on one file with nothing between them.
    pub(super) fn kings_face(&self) -> bool {
        let [red, black] = Color::ALL.map(|color| self.king(color));
        red.column() == black.column() && occupied_between(red, black, self.files[red.column()]) == 0
    }

    /// Whether the king of `us`, moving to the adjacent square `to`, is not attacked there.
    #[inline(always)]
    pub(super) fn is_king_safe_on(&self, us: Color, to: Square) -> bool {
        let EnemyLines { rank, file } = self.enemy_lines(us, to);
        let facing = self.king(!us).column() == to.column();
        !self.is_attacked_after(us, to, self.king(us), to, Attackers { rank, file, facing, pawns: true, knights: true })
    }

    /// Whether the mover's king is not attacked once another piece has gone from `from` to `to`.
    ///
    /// Without a check before the move, only lines of the king on which `from` or `to` lies, and knights whose leg is
    /// `from`, can attack after it.
    #[inline(always)]
    pub(super) fn leaves_king_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let king = self.king(us);
        let in_check = self.state.checker_count != 0;
        let rank = in_check | is_on_rank(king, from, to);
        let file = in_check | is_on_file(king, from, to);
        let facing = file & (self.king(!us).column() == king.column());
        let knights = in_check | may_be_knight_leg(from, king);
        !self.is_attacked_after(us, king, from, to, Attackers { rank, file, facing, pawns: in_check, knights })
    }

    /// Whether one of `attackers` attacks `square`, where the king of `us` is or goes, once a piece of either side has
    /// gone from `from` to `to` (occupancy: without `from`, with `to`; what was captured on `to`, or an enemy that moved
    /// there, does not attack).
    #[inline(always)]
    fn is_attacked_after(&self, us: Color, square: Square, from: Square, to: Square, attackers: Attackers) -> bool {
        let enemies = EnemyPieces::of(us);
        let mut attacked = false;
        if attackers.rank {
            let vacated = if from.row() == square.row() { rank_bit(from) } else { 0 };
            let filled = if to.row() == square.row() { rank_bit(to) } else { 0 };
            attacked |= self.rank_attacks(square, self.ranks[square.row()] & !vacated | filled, &enemies, to);
        }
        if attackers.file | attackers.facing {
            let vacated = if from.column() == square.column() { file_bit(from) } else { 0 };
            let filled = if to.column() == square.column() { file_bit(to) } else { 0 };
            let word = self.files[square.column()] & !vacated | filled;
            attacked |= attackers.facing & (occupied_between(square, self.king(!us), word) == 0);
            if attackers.file {
                attacked |= self.file_attacks(square, word, &enemies, to);
            }
        }
        if attackers.pawns {
            for step in [-1, 1, us.forward()] {
                attacked |= self.cells.beside(square, step).is(enemies.pawn) & (square.offset(step) != to);
            }
        }
        if attackers.knights {
            for knight in cells_of(!us, self.pieces[us.other().index()] & type_mask(PieceType::Knight)) {
                let knight = self.squares[knight.index()];
                if let Some(leg) = knight_leg(knight, square) {
                    let is_leg_empty = leg != to && (leg == from || self.cells.at(leg).is_empty());
                    attacked |= is_leg_empty && knight != to;
                }
            }
        }
        attacked
    }

    /// Whether the legal move `mv` gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let king = self.king(!self.side);
        let relevant = |square: Square| MAY_GIVE_CHECK[square.raw().wrapping_sub(king.raw()) as usize];
        (relevant(mv.from()) | relevant(mv.to())) && self.gives_check_slow(mv)
    }

    /// Direct and discovered checks. After a legal move the kings do not face each other.
    fn gives_check_slow(&self, mv: Move) -> bool {
        let (from, to, them) = (mv.from(), mv.to(), !self.side);
        let king = self.king(them);
        let is_direct = match self.cells.at(from).piece_unchecked().piece_type() {
            PieceType::Rook => self.reaches_along_line(king, from, to, SlideTargets::first),
            PieceType::Cannon => self.reaches_along_line(king, from, to, SlideTargets::second),
            PieceType::Knight => {
                knight_leg(to, king).is_some_and(|leg| leg == from || leg != to && self.cells.at(leg).is_empty())
            }
            PieceType::Pawn => [-1, 1, them.forward()].into_iter().any(|step| king.offset(step) == to),
            _ => false,
        };
        let discoverers = Attackers {
            rank: is_on_rank(king, from, to),
            file: is_on_file(king, from, to),
            facing: false,
            pawns: false,
            knights: may_be_knight_leg(from, king),
        };
        is_direct || self.is_attacked_after(them, king, from, to, discoverers)
    }

    /// Whether a slider that moves from `from` to `to` is then the piece that `which` selects in a direction from
    /// `king`.
    fn reaches_along_line(&self, king: Square, from: Square, to: Square, which: fn(SlideTargets, usize) -> u8) -> bool {
        let (ends, place) = if to.row() == king.row() {
            let vacated = if from.row() == king.row() { rank_bit(from) } else { 0 };
            (rank_targets(king, self.ranks[king.row()] & !vacated | rank_bit(to)), to.raw() & 15)
        } else if to.column() == king.column() {
            let vacated = if from.column() == king.column() { file_bit(from) } else { 0 };
            (file_targets(king, self.files[king.column()] & !vacated | file_bit(to)), to.raw() & 0xF0)
        } else {
            return false;
        };
        (0..2).any(|end| which(ends, end) == place)
    }

    /// Whether an enemy rook or cannon attacks `king` along its rank with the bit-rank `word`. A piece on
    /// `gone`, which was captured, is ignored.
    #[inline(always)]
    fn rank_attacks(&self, king: Square, word: u16, enemies: &EnemyPieces, gone: Square) -> bool {
        let ends = rank_targets(king, word);
        let square = |place: u8| Square::from_raw((king.raw() & 0xF0) | place);
        let stands = |square: Square, piece: Piece| self.cells.at(square).is(piece) & (square != gone);
        stands(square(ends.first(0)), enemies.rook)
            | stands(square(ends.first(1)), enemies.rook)
            | stands(square(ends.second(0)), enemies.cannon)
            | stands(square(ends.second(1)), enemies.cannon)
    }

    /// The same along its file with the bit-file `word`, without the enemy king.
    #[inline(always)]
    fn file_attacks(&self, king: Square, word: u16, enemies: &EnemyPieces, gone: Square) -> bool {
        let ends = file_targets(king, word);
        let square = |place: u8| Square::from_raw(place | (king.raw() & 15));
        let stands = |square: Square, piece: Piece| self.cells.at(square).is(piece) & (square != gone);
        stands(square(ends.first(0)), enemies.rook)
            | stands(square(ends.first(1)), enemies.rook)
            | stands(square(ends.second(0)), enemies.cannon)
            | stands(square(ends.second(1)), enemies.cannon)
    }

    /// In check: the squares of evasions by pieces that are not blockers (the checker's square, those between it and
    /// the king, the knight leg). Otherwise: the squares between the king and hollow cannons, where a piece becomes a
    /// screen.
    pub(super) fn evasion_squares(&self, us: Color) -> SquareSet {
        let king = self.king(us);
        let enemies = EnemyPieces::of(us);
        let in_check = self.state.checker_count != 0;
        let mut squares = SquareSet::default();
        for step in [-16, -1, 1, 16] {
            // The empty squares up to the first piece, then up to the second; kept only if a checker or a hollow cannon
            // follows.
            let mut line = squares;
            let mut at = king.offset(step);
            while self.cells.at(at).is_empty() {
                line.insert(at);
                at = at.offset(step);
            }
            let first = self.cells.at(at);
            let is_attacker = if in_check { first.is(enemies.rook) } else { first.is(enemies.cannon) };
            if is_attacker {
                line.insert(at);
                squares = line;
            } else if in_check && first != Cell::BORDER {
                at = at.offset(step);
                while self.cells.at(at).is_empty() {
                    line.insert(at);
                    at = at.offset(step);
                }
                if self.cells.at(at).is(enemies.cannon) {
                    line.insert(at);
                    squares = line;
                }
            }
        }
        if in_check {
            for knight in cells_of(!us, self.pieces[us.other().index()] & type_mask(PieceType::Knight)) {
                let square = self.squares[knight.index()];
                if let Some(leg) = knight_leg(square, king).filter(|&leg| self.cells.at(leg).is_empty()) {
                    squares.insert(square);
                    squares.insert(leg);
                }
            }
            for step in [-1, 1, us.forward()].into_iter().filter(|&step| self.cells.beside(king, step).is(enemies.pawn))
            {
                squares.insert(king.offset(step));
            }
        }
        squares
    }

    /// Number of pieces that give check to the side to move.
    #[inline]
    pub(super) fn checker_count(&self) -> u8 {
        self.state.checker_count
    }

    /// Whether every pseudo-legal move of a piece that is neither king nor blocker is legal: there is neither a check
    /// nor a hollow cannon.
    #[inline]
    pub(super) fn no_check_or_hollow_cannon(&self) -> bool {
        self.state.checker_count == 0 && !self.state.hollow_cannon
    }

    /// Whether `mv` is legal. `mv` may be any move, for example from the transposition table or a client.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && {
            let cell = self.cells.at(mv.from());
            if cell == Cell::king(self.side) {
                return self.is_king_safe_on(self.side, mv.to());
            }
            let needs_no_test = self.no_check_or_hollow_cannon() && self.state.blockers & cell.bit() == 0;
            needs_no_test || self.leaves_king_safe(self.side, mv.from(), mv.to())
        }
    }

    /// Whether `mv` is pseudo-legal: a move of a piece of the side to move, the safety of its king not considered.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if from == to {
            return self.can_promote(from);
        }
        let cell = self.cells.at(from);
        if !cell.is_of(self.side) || self.cells.at(to).is_barred_to(self.side) {
            return false;
        }
        let Some(piece) = cell.piece() else { return false };
        let is_empty = |raw: u8| self.cells.at(Square::from_raw(raw)).is_empty();
        let reaches = |list: &[u8]| list.contains(&to.raw());
        match piece.piece_type() {
            PieceType::King => reaches(&KING[from.index()]),
            PieceType::Advisor => reaches(&ADVISOR[self.side.index()][from.index()]),
            PieceType::Bishop => {
                let table = &BISHOP[self.side.index()][from.index()];
                (0..4).any(|n| table.to[n] == to.raw() && is_empty(table.eye[n]))
            }
            PieceType::Knight => {
                let table = &KNIGHT_MOVES[from.index()];
                (0..8).any(|n| table.to[n] == to.raw() && is_empty(table.leg[n]))
            }
            PieceType::Pawn => reaches(&PAWN[self.side.index()][from.index()]),
            PieceType::Rook | PieceType::Cannon => {
                let (reach, bit) = if from.row() == to.row() {
                    (rank_mask(from, self.ranks[from.row()]), rank_bit(to))
                } else if from.column() == to.column() {
                    (file_mask(from, self.files[from.column()]), file_bit(to))
                } else {
                    return false;
                };
                let captures = if piece.piece_type() == PieceType::Rook { reach.rook } else { reach.cannon };
                (reach.quiet | captures) & bit != 0
            }
        }
    }

    /// Whether `color`'s king is attacked.
    pub fn is_king_attacked(&self, color: Color) -> bool {
        self.with_side_to_move(color).in_check()
    }

    /// Whether the side to move has no legal move: checkmate or stalemate, both lost.
    pub fn has_no_moves(&self) -> bool {
        !self.has_free_move() && self.count_legal() == 0
    }
}
