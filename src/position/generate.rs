//! Legal move generation.
//!
//! With neither a check nor a hollow cannon, pseudo-legal moves of pieces that are neither blockers (pinned) nor the
//! king are legal and need no test. All other moves are generated pseudo-legally and then tested one by one.
//!
//! Generation is nearly branchless. The quiet moves of a slider have consecutive offsets: one vector addition writes
//! them all. Captures and leaps are always written, and counted only if they are moves.

use super::mailbox::{Cell, cells_of, type_mask};
use super::{Position, Variant};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, KNIGHT_JUMPS, KNIGHT_STEPS, has_crossed_river, leaps};
use crate::tables::slides::{FILE_STEPS, RANK_STEPS, SlideTargets, file_targets, rank_targets};
use crate::types::{Color, MoveList, PieceType, Square, Writer};

/// Which of the legal moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenType {
    /// All legal moves.
    All,
    /// Captures only.
    Captures,
    /// All moves that are not captures, promotions included.
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

/// Receives generated moves: a list, or a counter.
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

/// [`bits`] of a leap by `step`: one addition to a value that all leaps from a square share.
#[inline(always)]
const fn step_bits(from: Square, step: i8) -> u16 {
    bits(from, from).wrapping_add_signed((step as i16) << 8)
}

/// Whether a piece of `us` can move to a square with this cell, for the generation type.
#[inline(always)]
const fn admits<const GEN: u8>(us: Color, cell: Cell) -> bool {
    match GEN {
        CAPTURES => cell.is_of(us.other()),
        QUIETS => cell.is_empty(),
        _ => !cell.is_barred_to(us),
    }
}

impl Position {
    /// Appends the legal moves of a generation type to `list`, in no particular order.
    #[inline(always)]
    pub fn generate(&self, gen_type: GenType, list: &mut MoveList) {
        match gen_type {
            GenType::All => self.generate_legal::<ALL>(list),
            GenType::Captures => self.generate_legal::<CAPTURES>(list),
            GenType::Quiets => self.generate_legal::<QUIETS>(list),
        }
    }

    /// All legal moves in a new list; slower than [`Position::generate`].
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(GenType::All, &mut list);
        list
    }

    /// The number of legal moves (bulk counting of perft): moves that need no test are counted without being written.
    pub fn count_legal(&self) -> usize {
        match self.side {
            Color::Red => self.count_side::<RED>(),
            Color::Black => self.count_side::<BLACK>(),
        }
    }

    /// Whether a piece whose moves need no test can move.
    #[inline]
    pub(super) fn has_free_move(&self) -> bool {
        let (mut free, _) = self.split_free_and_pinned(self.side);
        while free != 0 {
            let mut counter = MoveCounter(0);
            match self.side {
                Color::Red => self.pseudo_legal::<ALL, RED>(free & free.wrapping_neg(), &mut counter),
                Color::Black => self.pseudo_legal::<ALL, BLACK>(free & free.wrapping_neg(), &mut counter),
            }
            if counter.0 > 0 {
                return true;
            }
            free &= free - 1;
        }
        false
    }

    fn count_side<const US: u8>(&self) -> usize {
        let (free, pinned) = self.split_free_and_pinned(color(US));
        let mut counter = MoveCounter(0);
        self.pseudo_legal::<ALL, US>(free, &mut counter);
        self.king_moves::<ALL, US>(&mut counter);
        let is_simple = pinned == 0 && self.variant != Variant::Promotion;
        if is_simple { counter.0 } else { counter.0 + self.count_tested_and_promotions::<US>(pinned) }
    }

    /// The number of legal moves of `pinned` ([`Position::split_free_and_pinned`]), and of promotions. Rare, so not
    /// inlined.
    #[inline(never)]
    fn count_tested_and_promotions<const US: u8>(&self, pinned: u64) -> usize {
        let mut list = MoveList::new();
        if self.no_check_or_hollow_cannon() {
            self.pinned_moves::<ALL, US>(pinned, &mut list);
        } else {
            self.evasions::<ALL, US>(&mut list);
        }
        if self.variant == Variant::Promotion {
            self.promotions(&mut list);
        }
        list.len()
    }

    #[inline(always)]
    fn generate_legal<const GEN: u8>(&self, list: &mut MoveList) {
        match self.side {
            Color::Red => self.generate_side::<GEN, RED>(list),
            Color::Black => self.generate_side::<GEN, BLACK>(list),
        }
    }

    /// [`Position::generate_legal`] for one side, known at compile time: 10 % faster.
    fn generate_side<const GEN: u8, const US: u8>(&self, list: &mut MoveList) {
        let (free, pinned) = self.split_free_and_pinned(color(US));
        list.append(|writer| self.pseudo_legal::<GEN, US>(free, writer));
        if !self.no_check_or_hollow_cannon() {
            self.evasions::<GEN, US>(list);
        } else if pinned != 0 {
            self.pinned_moves::<GEN, US>(pinned, list);
        }
        list.append(|writer| self.king_moves::<GEN, US>(writer));
        if GEN != CAPTURES && self.variant == Variant::Promotion {
            self.promotions(list);
        }
    }

    /// The pieces whose pseudo-legal moves are legal, and the pinned ones (all in check or with a hollow cannon), whose
    /// moves must be tested. The king is handled separately.
    #[inline]
    fn split_free_and_pinned(&self, us: Color) -> (u64, u64) {
        let pieces = self.pieces[us.index()];
        let pinned = if self.no_check_or_hollow_cannon() { self.state.blockers & pieces } else { pieces };
        (pieces & !pinned, pinned)
    }

    /// Appends the legal moves of the pinned pieces (blockers). Rare, so not inlined.
    #[inline(never)]
    fn pinned_moves<const GEN: u8, const US: u8>(&self, pieces: u64, list: &mut MoveList) {
        let start = list.len();
        list.append(|writer| self.pseudo_legal::<GEN, US>(pieces, writer));
        list.retain_from(start, |mv| self.leaves_king_safe(color(US), mv.from(), mv.to()));
    }

    /// Appends the legal moves of all pieces but the king in check (evasions) or with a hollow cannon.
    ///
    /// In check, double check included, only moves to the evasion squares, or of blockers, can be legal. With a hollow
    /// cannon only such moves can be illegal.
    #[inline(never)]
    fn evasions<const GEN: u8, const US: u8>(&self, list: &mut MoveList) {
        let us = color(US);
        let start = list.len();
        let squares = self.evasion_squares(us);
        list.append(|writer| self.pseudo_legal::<GEN, US>(self.pieces[us.index()], writer));
        list.retain_from(start, |mv| {
            let is_blocker = self.state.blockers & self.cells.at(mv.from()).bit() != 0;
            let must_test = is_blocker || squares.contains(mv.to());
            if must_test { self.leaves_king_safe(us, mv.from(), mv.to()) } else { self.checker_count() == 0 }
        });
    }

    /// Writes the king's legal moves.
    #[inline(always)]
    fn king_moves<const GEN: u8, const US: u8>(&self, sink: &mut impl Sink) {
        let us = color(US);
        let king = self.king(us);
        for to in leaps(&KING[king.index()], king) {
            if admits::<GEN>(us, self.cells.at(to)) {
                let is_safe = self.is_king_safe_on(us, to);
                sink.push::<1>(|_| (is_safe, bits(king, to)));
            }
        }
    }

    /// Writes the pseudo-legal moves of `pieces`, without the king's.
    #[inline(always)]
    fn pseudo_legal<const GEN: u8, const US: u8>(&self, pieces: u64, sink: &mut impl Sink) {
        let us = color(US);
        let of_type =
            |piece_type| cells_of(us, pieces & type_mask(piece_type)).map(|cell: Cell| self.squares[cell.index()]);

        for from in of_type(PieceType::Rook) {
            let rank = rank_targets(from, self.ranks[from.row()]);
            let file = file_targets(from, self.files[from.column()]);
            self.slide::<GEN>(us, from, (rank, file), SlideTargets::first, sink);
        }
        for from in of_type(PieceType::Cannon) {
            let rank = rank_targets(from, self.ranks[from.row()]);
            let file = file_targets(from, self.files[from.column()]);
            self.slide::<GEN>(us, from, (rank, file), SlideTargets::second, sink);
        }
        for from in of_type(PieceType::Knight) {
            let mut set = 0u8;
            for (leg, (step, jumps)) in KNIGHT_JUMPS.into_iter().enumerate() {
                let is_free = self.cells.beside(from, step).is_empty();
                let admitted = |n: usize| is_free & admits::<GEN>(us, self.cells.beside(from, jumps[n]));
                set |= (admitted(0) as u8) << (2 * leg) | (admitted(1) as u8) << (2 * leg + 1);
            }
            sink.push_steps(bits(from, from), &KNIGHT_STEPS[set as usize], set.count_ones() as usize);
        }
        for from in of_type(PieceType::Pawn) {
            let step = |step| (admits::<GEN>(us, self.cells.beside(from, step)), step_bits(from, step));
            if has_crossed_river(from, us) {
                sink.push::<3>(|n| step([us.forward(), -1, 1][n]));
            } else {
                sink.push::<1>(|_| step(us.forward()));
            }
        }
        for from in of_type(PieceType::Bishop) {
            let table = &BISHOP[us.index()][from.index()];
            for n in 0..table.count as usize {
                let (to, eye) = (Square::from_raw(table.to[n & 3]), Square::from_raw(table.eye[n & 3]));
                let free = self.cells.at(eye).is_empty();
                sink.push::<1>(|_| (free & admits::<GEN>(us, self.cells.at(to)), bits(from, to)));
            }
        }
        for from in of_type(PieceType::Advisor) {
            for to in leaps(&ADVISOR[us.index()][from.index()], from) {
                sink.push::<1>(|_| (admits::<GEN>(us, self.cells.at(to)), bits(from, to)));
            }
        }
    }

    /// Writes the moves of a rook or cannon: captures of the pieces that `captured` selects, and quiet moves.
    #[inline(always)]
    fn slide<const GEN: u8>(
        &self,
        us: Color,
        from: Square,
        (rank, file): (SlideTargets, SlideTargets),
        captured: impl Fn(SlideTargets, usize) -> u8,
        sink: &mut impl Sink,
    ) {
        let (row, column) = (from.raw() & 0xF0, from.raw() & 15);
        if GEN != QUIETS {
            sink.push::<4>(|n| {
                let (line, other) = if n < 2 { (rank, row) } else { (file, column) };
                let to = Square::from_raw(captured(line, n % 2) | other);
                (!self.cells.at(to).is_barred_to(us), bits(from, to))
            });
        }
        if GEN != CAPTURES {
            let stay = bits(from, from);
            sink.push_steps(stay, &RANK_STEPS[rank.low_quiet_count() & 15], rank.quiet_count());
            sink.push_steps(stay, &FILE_STEPS[file.low_quiet_count() & 15], file.quiet_count());
        }
    }
}
