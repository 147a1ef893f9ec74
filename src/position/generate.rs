//! Lists of legal moves.
//!
//! Men that neither shield their king nor are it need no test while there is neither a check nor a hollow cannon: their
//! moves go straight to the list. Only the others are tested, one by one, after they are written.
//!
//! The moves of a slider without capture are numbers in a row: one vector addition writes them all. Captures and leaps
//! are written always and counted only if they are moves. There is hardly a branch to mispredict.

use super::mailbox::{Cell, cells_of, type_mask};
use super::{Position, Variant};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, KNIGHT_JUMPS, KNIGHT_STEPS, has_crossed_river, leaps};
use crate::tables::slides::{FILE_STEPS, RANK_STEPS, SlideTargets, file_targets, rank_targets};
use crate::types::{Color, MoveList, PieceType, Square, Writer};

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenType {
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

const RED: u8 = 0;
const BLACK: u8 = 1;

const fn color(us: u8) -> Color {
    if us == RED { Color::Red } else { Color::Black }
}

/// Where generated moves go: a list, or a counter that only wants to know how many.
trait Sink {
    fn push<const N: usize>(&mut self, nth: impl Fn(usize) -> (bool, u16));
    fn push_steps<const N: usize>(&mut self, first: u16, steps: &[u16; N], count: usize);
}

impl Sink for Writer<'_> {
    #[inline(always)]
    fn push<const N: usize>(&mut self, nth: impl Fn(usize) -> (bool, u16)) {
        Writer::push::<N>(self, nth);
    }

    #[inline(always)]
    fn push_steps<const N: usize>(&mut self, first: u16, steps: &[u16; N], count: usize) {
        Writer::push_steps(self, first, steps, count);
    }
}

/// Counts moves.
struct MoveCounter(usize);

impl Sink for MoveCounter {
    #[inline(always)]
    fn push<const N: usize>(&mut self, nth: impl Fn(usize) -> (bool, u16)) {
        self.0 += (0..N).map(|n| nth(n).0 as usize).sum::<usize>();
    }

    #[inline(always)]
    fn push_steps<const N: usize>(&mut self, _: u16, _: &[u16; N], count: usize) {
        self.0 += count;
    }
}

/// `from | to << 8`.
#[inline(always)]
const fn bits(from: Square, to: Square) -> u16 {
    from.raw() as u16 | (to.raw() as u16) << 8
}

/// [`bits`] of a leap by `step`: one addition to what all leaps from a square share.
#[inline(always)]
const fn step_bits(from: Square, step: i8) -> u16 {
    bits(from, from).wrapping_add_signed((step as i16) << 8)
}

/// Whether a man of `us` may land on a square, by what stands there.
#[inline(always)]
const fn admits<const SCOPE: u8>(us: Color, cell: Cell) -> bool {
    match SCOPE {
        CAPTURES => cell.is_of(us.other()),
        QUIETS => cell.is_empty(),
        _ => !cell.is_barred_to(us),
    }
}

impl Position {
    /// Appends the legal moves of `scope` to `list`, in no particular order.
    #[inline(always)]
    pub fn generate(&self, scope: GenType, list: &mut MoveList) {
        match scope {
            GenType::All => self.generate_legal::<ALL>(list),
            GenType::Captures => self.generate_legal::<CAPTURES>(list),
            GenType::Quiets => self.generate_legal::<QUIETS>(list),
        }
    }

    /// All legal moves in a new list; for where speed is no matter.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(GenType::All, &mut list);
        list
    }

    /// The number of legal moves, without listing those that need no test.
    pub fn count_legal(&self) -> usize {
        match self.side {
            Color::Red => self.count_side::<RED>(),
            Color::Black => self.count_side::<BLACK>(),
        }
    }

    fn count_side<const US: u8>(&self) -> usize {
        let mut list = MoveList::new();
        let (free, blocker_moves) = self.split_by_blockers(color(US));
        let mut counter = MoveCounter(0);
        self.pseudo_legal::<ALL, US>(free, &mut counter);
        if self.no_check_or_hollow_cannon() {
            self.blocker_moves::<ALL, US>(blocker_moves, &mut list);
        } else {
            self.moves_in_check_or_hollow_cannon::<ALL, US>(&mut list);
        }
        self.king_moves::<ALL, US>(&mut list);
        if self.variant == Variant::Promotion {
            self.promotions(&mut list);
        }
        counter.0 + list.len()
    }

    #[inline(always)]
    fn generate_legal<const SCOPE: u8>(&self, list: &mut MoveList) {
        match self.side {
            Color::Red => self.generate_side::<SCOPE, RED>(list),
            Color::Black => self.generate_side::<SCOPE, BLACK>(list),
        }
    }

    /// [`Position::generate_legal`] for one side: with its bits and steps as constants a tenth faster.
    fn generate_side<const SCOPE: u8, const US: u8>(&self, list: &mut MoveList) {
        let (free, blocker_moves) = self.split_by_blockers(color(US));
        list.append(|writer| self.pseudo_legal::<SCOPE, US>(free, writer));
        if !self.no_check_or_hollow_cannon() {
            self.moves_in_check_or_hollow_cannon::<SCOPE, US>(list);
        } else if blocker_moves != 0 {
            self.blocker_moves::<SCOPE, US>(blocker_moves, list);
        }
        self.king_moves::<SCOPE, US>(list);
        if SCOPE != CAPTURES && self.variant == Variant::Promotion {
            self.promotions(list);
        }
    }

    /// The own men whose moves are legal as they are, and those whose moves must be tested; the king is neither.
    #[inline]
    fn split_by_blockers(&self, us: Color) -> (u64, u64) {
        let pieces = self.pieces[us.index()];
        let blocker_moves = if self.no_check_or_hollow_cannon() { self.state.blockers & pieces } else { pieces };
        (pieces & !blocker_moves, blocker_moves)
    }

    /// Appends those moves of `pieces` that leave the king safe. Rare enough to be kept out of the way of the rest.
    #[inline(never)]
    fn blocker_moves<const SCOPE: u8, const US: u8>(&self, pieces: u64, list: &mut MoveList) {
        let start = list.len();
        list.append(|writer| self.pseudo_legal::<SCOPE, US>(pieces, writer));
        list.retain_from(start, |mv| self.leaves_king_safe(color(US), mv.from(), mv.to()));
    }

    /// Appends the legal moves of all men but the king while there is a check or a hollow cannon.
    ///
    /// In check few squares matter: only a move to one of them, or of a bound man, can be legal. At a hollow cannon only
    /// such a move can be illegal.
    #[inline(never)]
    fn moves_in_check_or_hollow_cannon<const SCOPE: u8, const US: u8>(&self, list: &mut MoveList) {
        let us = color(US);
        let start = list.len();
        let squares = self.critical_squares(us);
        list.append(|writer| self.pseudo_legal::<SCOPE, US>(self.pieces[us.index()], writer));
        list.retain_from(start, |mv| {
            let is_blocker = self.state.blockers & self.cells.at(mv.from()).bit() != 0;
            let must_test = self.checker_count() > 1 || is_blocker || squares.contains(mv.to());
            if must_test { self.leaves_king_safe(us, mv.from(), mv.to()) } else { self.checker_count() == 0 }
        });
    }

    #[inline(always)]
    fn king_moves<const SCOPE: u8, const US: u8>(&self, list: &mut MoveList) {
        let us = color(US);
        let king = self.king(us);
        for to in leaps(&KING[king.index()], king) {
            if admits::<SCOPE>(us, self.cells.at(to)) {
                let is_safe = self.is_king_safe_on(us, to);
                list.append(|writer| writer.push::<1>(|_| (is_safe, bits(king, to))));
            }
        }
    }

    /// Writes the moves of `pieces` (kings aside), their own king's safety not considered.
    #[inline(always)]
    fn pseudo_legal<const SCOPE: u8, const US: u8>(&self, pieces: u64, sink: &mut impl Sink) {
        let us = color(US);
        let of_kind = |kind| cells_of(us, pieces & type_mask(kind)).map(|cell: Cell| self.squares[cell.index()]);

        for from in of_kind(PieceType::Rook) {
            let rank = rank_targets(from, self.ranks[from.row()]);
            let file = file_targets(from, self.files[from.column()]);
            self.slide::<SCOPE>(us, from, (rank, file), SlideTargets::first, sink);
        }
        for from in of_kind(PieceType::Cannon) {
            let rank = rank_targets(from, self.ranks[from.row()]);
            let file = file_targets(from, self.files[from.column()]);
            self.slide::<SCOPE>(us, from, (rank, file), SlideTargets::second, sink);
        }
        for from in of_kind(PieceType::Knight) {
            let mut set = 0u8;
            for (leg, (step, jumps)) in KNIGHT_JUMPS.into_iter().enumerate() {
                let is_free = self.cells.beside(from, step).is_empty();
                let admitted = |n: usize| is_free & admits::<SCOPE>(us, self.cells.beside(from, jumps[n]));
                set |= (admitted(0) as u8) << (2 * leg) | (admitted(1) as u8) << (2 * leg + 1);
            }
            sink.push_steps(bits(from, from), &KNIGHT_STEPS[set as usize], set.count_ones() as usize);
        }
        for from in of_kind(PieceType::Pawn) {
            let step = |step| (admits::<SCOPE>(us, self.cells.beside(from, step)), step_bits(from, step));
            if has_crossed_river(from, us) {
                sink.push::<3>(|n| step([us.forward(), -1, 1][n]));
            } else {
                sink.push::<1>(|_| step(us.forward()));
            }
        }
        for from in of_kind(PieceType::Bishop) {
            let table = &BISHOP[us.index()][from.index()];
            for n in 0..table.count as usize {
                let (to, eye) = (Square::from_raw(table.to[n & 3]), Square::from_raw(table.eye[n & 3]));
                let free = self.cells.at(eye).is_empty();
                sink.push::<1>(|_| (free & admits::<SCOPE>(us, self.cells.at(to)), bits(from, to)));
            }
        }
        for from in of_kind(PieceType::Advisor) {
            for to in leaps(&ADVISOR[us.index()][from.index()], from) {
                sink.push::<1>(|_| (admits::<SCOPE>(us, self.cells.at(to)), bits(from, to)));
            }
        }
    }

    /// Writes the moves of a rook or cannon: captures of the men at `ends` of its rank and its file, and what is free.
    #[inline(always)]
    fn slide<const SCOPE: u8>(
        &self,
        us: Color,
        from: Square,
        (rank, file): (SlideTargets, SlideTargets),
        captured: impl Fn(SlideTargets, usize) -> u8,
        sink: &mut impl Sink,
    ) {
        let (row, column) = (from.raw() & 0xF0, from.raw() & 15);
        if SCOPE != QUIETS {
            sink.push::<4>(|n| {
                let (line, other) = if n < 2 { (rank, row) } else { (file, column) };
                let to = Square::from_raw(captured(line, n % 2) | other);
                (!self.cells.at(to).is_barred_to(us), bits(from, to))
            });
        }
        if SCOPE != CAPTURES {
            let stay = bits(from, from);
            sink.push_steps(stay, &RANK_STEPS[rank.low_quiet_count() & 15], rank.quiet_count());
            sink.push_steps(stay, &FILE_STEPS[file.low_quiet_count() & 15], file.quiet_count());
        }
    }
}
