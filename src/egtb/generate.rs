//! Retrograde analysis: the values of all positions of a material class.
//!
//! Each legal position first counts its moves that capture nothing, and looks captures up in the tables of the smaller
//! classes. Then the positions of distance 0, 1, 2, … are taken in turn: from a lost one, all moves backwards lead to won
//! positions; from a won one, the counters of the positions before it go down, and one whose counter reaches 0 is lost.
//! What is left is drawn.
//!
//! **Repetition.** A win of these tables gets one ply closer with every move, so it repeats no position and needs no
//! perpetual check or chase. Only a draw can depend on the rules of repetition. In classes in which one side has
//! attacking pieces ([`Material::is_one_sided`]) it does not: kings, advisors and bishops give no check and, by the
//! rules, no forbidden chase that would hold a game. Where both sides have attacking pieces, positions that one side could
//! hold by perpetual check alone are found as lost ([`super::perpetual_check`]); a draw may still be held by perpetual chase
//! alone, and so be lost by the rules.
//!
//! **Move limit.** The tables do not know it: a win of more plies than are left to the limit may be a draw.

use super::board::{Board, BoardMove};
use super::index::{Indexer, MAX_PIECES, Squares};
use super::material::Material;
use super::value::{DRAW, IMPOSSIBLE, MAX_PLIES};
use crate::types::{Color, Piece, PieceType, Square};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::thread;
use thiserror::Error;

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The values of a class in memory.
pub struct Values {
    /// The class, normalised.
    pub material: Material,
    /// The order of the positions.
    pub indexer: Indexer,
    /// The first byte of results by perpetual check; see [`super::value`].
    pub first_by_rule: u8,
    /// By side to move: a byte for each position.
    pub bytes: [Vec<u8>; 2],
}

/// Why a class cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// Neither side has attacking pieces, or Black is the stronger side.
    #[error("{0}: there are tables only of classes with attacking pieces in which Red is the stronger side")]
    Class(Material),
    /// It has too many positions.
    #[error("{0}: too many positions")]
    TooLarge(Material),
    /// The table of a class that follows by a capture is missing.
    #[error("{0}: the table of {1} is needed first")]
    Missing(Material, Material),
    /// A distance is too great for the format.
    #[error("{0}: a win takes more than {MAX_PLIES} plies")]
    TooLong(Material),
}

/// Where the positions after the capture of a piece are.
pub(super) enum AfterCapture {
    /// Nobody can win.
    Draw,
    /// In the table of another class.
    Table {
        values: Arc<Values>,
        /// Whether colors are exchanged there.
        is_flipped: bool,
        /// For each piece there, its number here.
        pieces: Vec<usize>,
    },
}

impl AfterCapture {
    /// The positions of `material` without its piece number `captured`; `kinds`: all its pieces.
    fn new(
        material: &Material,
        kinds: &[(Color, PieceType)],
        captured: usize,
        smaller: &dyn Fn(&Material) -> Option<Arc<Values>>,
    ) -> Result<AfterCapture, GenerateError> {
        let (color, kind) = kinds[captured];
        let (rest, is_flipped) = material.without(Piece::new(color, kind)).normalised();
        if Color::ALL.iter().all(|&color| rest.attackers(color) == 0) {
            return Ok(AfterCapture::Draw);
        }
        let values = smaller(&rest).ok_or(GenerateError::Missing(*material, rest))?;
        let mut pieces: Vec<usize> = Vec::new();
        for (color, kind) in values.indexer.kinds() {
            let color = if is_flipped { !color } else { color };
            let here = (0..kinds.len())
                .find(|piece| kinds[*piece] == (color, kind) && *piece != captured && !pieces.contains(piece));
            pieces.push(here.expect("invariant: the classes differ by the captured piece"));
        }
        Ok(AfterCapture::Table { values, is_flipped, pieces })
    }

    /// The byte of the position with `side` to move, and the first byte of results by rule there.
    fn byte(&self, squares: &Squares, side: Color) -> (u8, u8) {
        let AfterCapture::Table { values, is_flipped, pieces } = self else { return (DRAW, DRAW) };
        let mut there = [Square::OFF; MAX_PIECES];
        for (square, &piece) in there.iter_mut().zip(pieces) {
            *square = if *is_flipped { squares[piece].flipped() } else { squares[piece] };
        }
        let side = if *is_flipped { !side } else { side };
        (values.bytes[side.index()][values.indexer.index(&there)], values.first_by_rule)
    }

    /// The plies to mate; results by rule are draws.
    fn plies_to_mate(&self, squares: &Squares, side: Color) -> u8 {
        let (byte, first_by_rule) = self.byte(squares, side);
        if byte >= first_by_rule && byte != IMPOSSIBLE { DRAW } else { byte }
    }

    /// The result: 0 for a loss, 1 for a win.
    pub(super) fn result(&self, squares: &Squares, side: Color) -> u8 {
        let (byte, _) = self.byte(squares, side);
        if byte < DRAW { byte % 2 } else { byte }
    }
}

/// Builds the values of a class on this many threads. `smaller` has the values of the classes that follow by captures
/// ([`Material::subclasses`]); `on_progress` is called with the distance in plies, or the rank, of the
/// positions that come next.
///
/// Memory: four bytes for each of [`Indexer::size`] positions, besides the smaller classes.
///
/// # Errors
/// When the class has no table, or one of a smaller class is missing.
pub fn generate(
    material: &Material,
    smaller: &dyn Fn(&Material) -> Option<Arc<Values>>,
    threads: usize,
    on_progress: &mut dyn FnMut(u8),
) -> Result<Values, GenerateError> {
    if material.attackers(Color::Red) == 0 || material.normalised() != (*material, false) {
        return Err(GenerateError::Class(*material));
    }
    let indexer = Indexer::new(material).ok_or(GenerateError::TooLarge(*material))?;
    let kinds: Vec<_> = indexer.kinds().collect();
    let after_capture = (2..kinds.len())
        .map(|captured| AfterCapture::new(material, &kinds, captured, smaller))
        .collect::<Result<Vec<_>, _>>()?;
    let bytes = || (0..indexer.size()).map(|_| AtomicU8::new(0)).collect::<Vec<_>>();
    let generator = Generator {
        indexer: &indexer,
        kinds: &kinds,
        after_capture,
        values: [bytes(), bytes()],
        counters: [bytes(), bytes()],
    };
    generator.parallel(threads, &|range, scratch| generator.mark_impossible(range, &mut scratch.board));
    let greatest = AtomicU8::new(0);
    generator.parallel(threads, &|range, scratch| generator.count_moves(range, scratch, &greatest));
    let mut plies = 0;
    while plies <= greatest.load(Relaxed) {
        if greatest.load(Relaxed) > MAX_PLIES {
            return Err(GenerateError::TooLong(*material));
        }
        on_progress(plies);
        generator.parallel(threads, &|range, scratch| generator.step_back(plies, range, scratch, &greatest));
        plies += 1;
    }
    let first_by_rule = generator.rank_perpetual_checks(threads, greatest.into_inner(), on_progress);
    let bytes = generator.values.map(|values| values.into_iter().map(AtomicU8::into_inner).collect());
    Ok(Values { material: *material, indexer, first_by_rule, bytes })
}

pub(super) struct Generator<'a> {
    pub(super) indexer: &'a Indexer,
    kinds: &'a [(Color, PieceType)],
    /// By number of the captured piece, less the two kings.
    after_capture: Vec<AfterCapture>,
    /// By side to move. What is not known yet is [`DRAW`]; a distance greater than that of the positions in turn may
    /// still fall.
    pub(super) values: [Vec<AtomicU8>; 2],
    /// By side to move: moves not known to lose.
    counters: [Vec<AtomicU8>; 2],
}

/// What a thread reuses from position to position.
pub(super) struct Scratch {
    pub(super) board: Board,
    pub(super) moves: Vec<BoardMove>,
    /// Positions before one.
    pub(super) before: Vec<usize>,
}

impl Generator<'_> {
    /// Calls `work` for ranges of positions on this many threads, each with a board and a list of its own.
    pub(super) fn parallel(&self, threads: usize, work: &(dyn Fn(Range<usize>, &mut Scratch) + Sync)) {
        let next = AtomicUsize::new(0);
        let run = || {
            let board = Board::new(self.kinds.iter().copied());
            let mut scratch = Scratch { board, moves: Vec::new(), before: Vec::new() };
            loop {
                let start = next.fetch_add(CHUNK, Relaxed);
                if start >= self.indexer.size() {
                    return;
                }
                work(start..(start + CHUNK).min(self.indexer.size()), &mut scratch);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // Without a thread, the others do its part.
                let _ = thread::Builder::new().spawn_scoped(scope, run);
            }
            run();
        });
    }

    /// Marks positions that are impossible, for each side to move.
    fn mark_impossible(&self, range: Range<usize>, board: &mut Board) {
        for index in range {
            let is_set = board.set(&self.indexer.squares(index));
            for side in Color::ALL {
                let is_possible = is_set && !board.is_king_attacked(!side);
                self.values[side.index()][index].store(if is_possible { DRAW } else { IMPOSSIBLE }, Relaxed);
            }
        }
    }

    /// Sets the counters, the values by captures, and those of positions without moves.
    fn count_moves(&self, range: Range<usize>, scratch: &mut Scratch, greatest: &AtomicU8) {
        let Scratch { board, moves, .. } = scratch;
        for index in range {
            let squares = self.indexer.squares(index);
            for side in Color::ALL {
                let value = &self.values[side.index()][index];
                if value.load(Relaxed) == IMPOSSIBLE {
                    continue;
                }
                board.set(&squares);
                board.moves(side, moves);
                // The shortest win and the longest loss by a capture.
                let (mut win, mut loss) = (DRAW, 0);
                let mut counter = 0;
                for &mv in moves.iter() {
                    match self.byte_after(board, side, mv, AfterCapture::plies_to_mate) {
                        IMPOSSIBLE => {}
                        plies if plies == DRAW || mv.captured.is_none() => counter += 1,
                        plies if plies.is_multiple_of(2) => win = win.min(plies + 1),
                        plies => loss = loss.max(plies + 1),
                    }
                }
                self.counters[side.index()][index].store(counter, Relaxed);
                let known = if win < DRAW { win } else { loss };
                if win < DRAW || counter == 0 {
                    value.store(known, Relaxed);
                    greatest.fetch_max(known, Relaxed);
                }
            }
        }
    }

    /// The byte of the position after a move of `side`; that of a move that captures nothing may change later, that of a
    /// capture is what `after_capture` says.
    pub(super) fn byte_after(
        &self,
        board: &mut Board,
        side: Color,
        mv: BoardMove,
        after_capture: impl Fn(&AfterCapture, &Squares, Color) -> u8,
    ) -> u8 {
        let from = board.squares()[mv.piece];
        board.make(mv);
        let byte = match mv.captured {
            None => self.values[(!side).index()][self.indexer.index(board.squares())].load(Relaxed),
            Some(_) if board.is_king_attacked(side) => IMPOSSIBLE,
            Some(captured) => after_capture(&self.after_capture[captured - 2], board.squares(), !side),
        };
        board.undo(mv, from);
        byte
    }

    /// Takes the positions of this distance and gives values to those before them.
    fn step_back(&self, plies: u8, range: Range<usize>, scratch: &mut Scratch, greatest: &AtomicU8) {
        for index in range {
            for side in Color::ALL {
                if self.values[side.index()][index].load(Relaxed) != plies {
                    continue;
                }
                self.list_before(index, !side, scratch);
                let before = std::mem::take(&mut scratch.before);
                for &earlier in &before {
                    self.learn(plies, earlier, !side, scratch, greatest);
                }
                scratch.before = before;
            }
        }
    }

    /// Puts a position on the board and lists those from which a move of `side` that captures nothing leads to it, as often
    /// as there are such moves.
    pub(super) fn list_before(&self, index: usize, side: Color, scratch: &mut Scratch) {
        let squares = self.indexer.squares(index);
        let Scratch { board, before, .. } = scratch;
        board.set(&squares);
        before.clear();
        board.unmoves(side, |piece, from| {
            let mut earlier = squares;
            earlier[piece] = from;
            // Mirror images with Red's king on file e are positions of their own, those with it on d and f are one. So a
            // position before this one counts twice if the king came from e to d (or f); and those before it from which the
            // king came from f belong to its mirror image.
            let [is_on_e, came_from_e] = [squares[0], from].map(|square| square.file() == 4);
            match (piece, is_on_e, came_from_e) {
                (0, true, false) if from.file() == 5 => return,
                (0, false, true) => before.push(self.indexer.index(&earlier.map(Square::mirrored))),
                _ => {}
            }
            before.push(self.indexer.index(&earlier));
        });
    }

    /// Gives a value to a position with a move to one of distance `plies`.
    fn learn(&self, plies: u8, index: usize, side: Color, scratch: &mut Scratch, greatest: &AtomicU8) {
        let value = &self.values[side.index()][index];
        let known = value.load(Relaxed);
        if known == IMPOSSIBLE {
            return;
        }
        if plies.is_multiple_of(2) {
            value.fetch_min(plies + 1, Relaxed);
            greatest.fetch_max(plies + 1, Relaxed);
        } else if known == DRAW && self.counters[side.index()][index].fetch_sub(1, Relaxed) == 1 {
            // All moves lose. Those that capture may do so later than this one.
            let Scratch { board, moves, .. } = scratch;
            board.set(&self.indexer.squares(index));
            board.moves(side, moves);
            let captures = moves.iter().filter(|mv| mv.captured.is_some());
            let bytes = captures
                .map(|&mv| self.byte_after(board, side, mv, AfterCapture::plies_to_mate))
                .filter(|&byte| byte != IMPOSSIBLE);
            let lost = bytes.max().unwrap_or(0).max(plies) + 1;
            value.store(lost, Relaxed);
            greatest.fetch_max(lost, Relaxed);
        }
    }
}
