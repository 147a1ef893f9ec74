//! Lists of legal moves.
//!
//! Men that neither shield their king nor are it need no test while there is neither a check nor a hollow cannon: their
//! moves go straight to the list. Only the others are tested, one by one, after they are written.
//!
//! The moves of a slider without capture are written as one lane of numbers in a row (the compiler makes it one vector),
//! captures are written and counted only if they are any: there is hardly a branch to mispredict.

use super::Position;
use super::cell::{Cell, kind_mask, members, side_bit};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, KNIGHT_MOVES, PAWN};
use crate::tables::slides::{Ends, file_ends, rank_ends};
use crate::types::{Kind, Move, MoveList, Square};

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All.
    All,
    /// Captures only.
    Captures,
    /// All but captures.
    Quiets,
}

const ALL: u8 = 0;
const CAPTURES: u8 = 1;
const QUIETS: u8 = 2;

/// Where generated moves go: a list, or a counter that only wants to know how many.
trait Sink {
    fn push_if(&mut self, keep: bool, bits: u16);
    fn push_lane<const N: usize>(&mut self, lane: impl FnOnce() -> [u16; N], count: usize);
}

impl Sink for MoveList {
    #[inline]
    fn push_if(&mut self, keep: bool, bits: u16) {
        MoveList::push_if(self, keep, bits);
    }

    #[inline]
    fn push_lane<const N: usize>(&mut self, lane: impl FnOnce() -> [u16; N], count: usize) {
        MoveList::push_lane(self, lane(), count);
    }
}

/// Counts moves.
struct Counter(usize);

impl Sink for Counter {
    #[inline]
    fn push_if(&mut self, keep: bool, _: u16) {
        self.0 += keep as usize;
    }

    #[inline]
    fn push_lane<const N: usize>(&mut self, _: impl FnOnce() -> [u16; N], count: usize) {
        self.0 += count;
    }
}

/// `from | to << 8`.
#[inline]
const fn bits(from: Square, to: u8) -> u16 {
    from.raw() as u16 | (to as u16) << 8
}

/// The quiet moves along a line: all places between the nearest men but the slider's own, in frame steps of `1 << shift`.
#[inline]
fn quiet_lane<const N: usize>(from: Square, start: u8, own_place: usize, shift: u32) -> [u16; N] {
    let first = bits(from, start);
    std::array::from_fn(|n| first.wrapping_add(((n + (n >= own_place) as usize) << (8 + shift)) as u16))
}

impl Position {
    /// Appends the legal moves of `scope` to `list`, in no particular order.
    #[inline]
    pub fn generate(&self, scope: Scope, list: &mut MoveList) {
        match scope {
            Scope::All => self.generate_legal::<ALL>(list),
            Scope::Captures => self.generate_legal::<CAPTURES>(list),
            Scope::Quiets => self.generate_legal::<QUIETS>(list),
        }
    }

    /// All legal moves in a new list; for where speed is no matter.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Scope::All, &mut list);
        list
    }

    /// The number of legal moves, without listing those that need no test.
    pub fn count_legal(&self) -> usize {
        let mut list = MoveList::new();
        if !self.needs_no_test() {
            self.generate_legal::<ALL>(&mut list);
            return list.len();
        }
        let (free, tested) = self.free_and_tested();
        let mut counter = Counter(0);
        self.pseudo_legal::<ALL>(free, &mut counter);
        self.tested::<ALL>(tested, &mut list);
        counter.0 + list.len()
    }

    #[inline]
    fn generate_legal<const SCOPE: u8>(&self, list: &mut MoveList) {
        if self.needs_no_test() {
            let (free, tested) = self.free_and_tested();
            self.pseudo_legal::<SCOPE>(free, list);
            self.tested::<SCOPE>(tested, list);
        } else {
            self.evasions::<SCOPE>(list);
        }
    }

    /// The own men whose moves are legal as they are, and those whose moves must be tested.
    #[inline]
    fn free_and_tested(&self) -> (u64, u64) {
        let men = self.men[self.side.index()];
        let tested = (self.state.bound | kind_mask(Kind::King)) & men;
        (men & !tested, tested)
    }

    /// Appends those moves of `men` that leave the king safe.
    #[inline]
    fn tested<const SCOPE: u8>(&self, men: u64, list: &mut MoveList) {
        let start = list.len();
        self.pseudo_legal::<SCOPE>(men, list);
        self.king_moves::<SCOPE>(list);
        list.retain_from(start, |mv| self.is_safe(mv.from(), mv.to()));
    }

    /// Legal moves while in check, or while a hollow cannon forbids to step between.
    fn evasions<const SCOPE: u8>(&self, list: &mut MoveList) {
        let start = list.len();
        self.pseudo_legal::<SCOPE>(self.men[self.side.index()], list);
        self.king_moves::<SCOPE>(list);
        list.retain_from(start, |mv: Move| self.is_safe(mv.from(), mv.to()));
    }

    #[inline]
    fn king_moves<const SCOPE: u8>(&self, list: &mut MoveList) {
        let from = self.king(self.side);
        for to in KING[from.index()] {
            list.push_if(self.accepts::<SCOPE>(to), bits(from, to));
        }
    }

    /// Whether a man may land on this square, by what stands there.
    #[inline]
    fn accepts<const SCOPE: u8>(&self, to: u8) -> bool {
        let cell = self.cells[to as usize];
        match SCOPE {
            CAPTURES => cell.is_of(!self.side),
            QUIETS => cell.is_empty(),
            _ => !cell.is_barred_to(self.side),
        }
    }

    /// Writes the moves of `men` (kings aside), their own king's safety not considered.
    #[inline]
    fn pseudo_legal<const SCOPE: u8>(&self, men: u64, sink: &mut impl Sink) {
        let square_of = |man: Cell| self.squares[man.index()];
        let of_kind = |kind| members(self.side, men & kind_mask(kind)).map(square_of);
        let is_free = |raw: u8| self.cells[raw as usize].is_empty();

        for from in of_kind(Kind::Rook) {
            let rank = rank_ends(from, self.ranks[from.row()]);
            let file = file_ends(from, self.files[from.column()]);
            if SCOPE != CAPTURES {
                self.slide_quietly(from, rank, file, sink);
            }
            if SCOPE != QUIETS {
                let (columns, rows) = ([rank.first_low(), rank.first_high()], [file.first_low(), file.first_high()]);
                self.slide_to_capture(from, columns, rows, sink);
            }
        }
        for from in of_kind(Kind::Cannon) {
            let rank = rank_ends(from, self.ranks[from.row()]);
            let file = file_ends(from, self.files[from.column()]);
            if SCOPE != CAPTURES {
                self.slide_quietly(from, rank, file, sink);
            }
            if SCOPE != QUIETS {
                let columns = [rank.second_low(), rank.second_high()];
                let rows = [file.second_low(), file.second_high()];
                self.slide_to_capture(from, columns, rows, sink);
            }
        }
        for from in of_kind(Kind::Knight) {
            let table = &KNIGHT_MOVES[from.index()];
            for n in 0..8 {
                sink.push_if(is_free(table.leg[n]) & self.accepts::<SCOPE>(table.to[n]), bits(from, table.to[n]));
            }
        }
        for from in of_kind(Kind::Pawn) {
            for to in PAWN[self.side.index()][from.index()] {
                sink.push_if(self.accepts::<SCOPE>(to), bits(from, to));
            }
        }
        for from in of_kind(Kind::Bishop) {
            let table = &BISHOP[from.index()];
            for n in 0..4 {
                sink.push_if(is_free(table.eye[n]) & self.accepts::<SCOPE>(table.to[n]), bits(from, table.to[n]));
            }
        }
        for from in of_kind(Kind::Advisor) {
            for to in ADVISOR[from.index()] {
                sink.push_if(self.accepts::<SCOPE>(to), bits(from, to));
            }
        }
    }

    /// The moves of a rook or cannon without capture.
    #[inline]
    fn slide_quietly(&self, from: Square, rank: Ends, file: Ends, sink: &mut impl Sink) {
        let (low, high) = (rank.first_low(), rank.first_high());
        let start = (from.raw() & 0xF0) | (low + 1);
        let own = from.column() - low as usize - 1;
        sink.push_lane::<8>(|| quiet_lane(from, start, own, 0), (high - low - 2) as usize);
        let (low, high) = (file.first_low(), file.first_high());
        let start = (low + 1) << 4 | from.column() as u8;
        let own = from.row() - low as usize - 1;
        sink.push_lane::<9>(|| quiet_lane(from, start, own, 4), (high - low - 2) as usize);
    }

    /// The captures of a rook or cannon that sees men on these columns of its rank and rows of its file.
    #[inline]
    fn slide_to_capture(&self, from: Square, columns: [u8; 2], rows: [u8; 2], sink: &mut impl Sink) {
        for column in columns {
            let to = (from.raw() & 0xF0) | column;
            sink.push_if(self.cells[to as usize].byte() & 0xC0 == side_bit(!self.side), bits(from, to));
        }
        for row in rows {
            let to = row << 4 | from.column() as u8;
            sink.push_if(self.cells[to as usize].byte() & 0xC0 == side_bit(!self.side), bits(from, to));
        }
    }
}
