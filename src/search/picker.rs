//! Move ordering: the move picker, with staged move generation. Yields the moves of a node one by one, those most
//! likely to cause a cutoff first, and generates them stage by stage.

use super::history::{History, PreviousMoves};
use super::statistics::MoveSource;
use crate::position::{GenType, Position, piece_value};
use crate::types::{Move, MoveList, Piece, PieceType};

/// Low bits of a key, which hold the index of the move in the list.
const INDEX_BITS: u32 = 8;
/// The key of a move already picked.
const PICKED: i32 = i32::MIN;
/// Number of keys compared at a time, with AVX2: four registers of eight.
const GROUP: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateCaptures,
    Captures,
    Killers,
    GenerateQuiets,
    Quiets,
    QuietChecks,
    LosingCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Which quiet moves are picked, each value fewer than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum QuietFilter {
    /// All.
    All,
    /// Those that give check.
    Checks,
    /// None.
    None,
}

/// Picks the legal moves of a node. Owns its move list: keep one for each ply and start it anew for each node, which
/// allocates nothing.
pub struct Picker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    previous: PreviousMoves,
    /// Index of the next killer or losing capture.
    next: usize,
    captures_only: bool,
    /// After captures only, quiet checks.
    checks: bool,
    filter: QuietFilter,
    /// The moves of the present stage.
    list: MoveList,
    /// For each move of the list its score, and below it its index counted from the end: of equal scores the first
    /// wins. Up to a multiple of [`GROUP`] the keys after them are [`PICKED`].
    keys: [i32; MoveList::MAX_MOVES],
    /// Captures that lose material, picked last.
    losing: Vec<Move>,
}

impl Picker {
    /// A picker of no moves.
    pub fn new() -> Picker {
        Picker {
            stage: Stage::Done,
            tt_move: None,
            killers: [None; 2],
            previous: PreviousMoves::default(),
            next: 0,
            captures_only: false,
            checks: false,
            filter: QuietFilter::All,
            list: MoveList::new(),
            keys: [PICKED; MoveList::MAX_MOVES],
            losing: Vec::with_capacity(32),
        }
    }

    /// Starts a node, all legal moves: the move of the transposition table, captures that do not lose material
    /// (MVV-LVA), killers, quiet moves by history, losing captures. In check: the move of the transposition table,
    /// captures, the other evasions by history. The killers must differ.
    pub fn start(
        &mut self,
        position: &Position,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        previous: PreviousMoves,
    ) {
        self.stage = Stage::TtMove;
        self.tt_move = tt_move.filter(|&mv| position.is_legal(mv));
        self.killers = killers;
        self.previous = previous;
        self.next = 0;
        self.captures_only = false;
        self.checks = false;
        self.filter = QuietFilter::All;
        self.list.clear();
        self.losing.clear();
    }

    /// Starts a node of quiescence search: captures that do not lose material, then, if `checks`, quiet moves that
    /// give check and do not lose material. In check: all evasions.
    pub fn start_quiescence(
        &mut self,
        position: &Position,
        tt_move: Option<Move>,
        previous: PreviousMoves,
        checks: bool,
    ) {
        let tt_move = tt_move.filter(|&mv| position.in_check() || position.is_capture(mv));
        self.start(position, tt_move, [None; 2], previous);
        self.captures_only = !position.in_check();
        self.checks = checks;
    }

    /// Restricts the quiet moves not yet picked to those that `filter` admits, until the next start; not in check. Filters
    /// only tighten.
    pub fn filter_quiets(&mut self, filter: QuietFilter) {
        self.filter = self.filter.max(filter);
    }

    /// Whether the move last picked is a capture that loses no material, found so by static exchange evaluation.
    #[inline]
    pub fn is_good_capture(&self) -> bool {
        self.stage == Stage::Captures
    }

    /// The stage that the move last picked came from.
    #[inline]
    pub fn source(&self, mv: Move) -> MoveSource {
        match self.stage {
            _ if Some(mv) == self.tt_move => MoveSource::Tt,
            Stage::Captures => MoveSource::GoodCapture,
            Stage::Killers => MoveSource::Killer,
            Stage::LosingCaptures => MoveSource::BadCapture,
            Stage::Evasions => MoveSource::Evasion,
            _ => MoveSource::Quiet,
        }
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    position.generate(GenType::Captures, &mut self.list);
                    self.score_captures(position, history);
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match self.select() {
                    Some(mv) => {
                        if Some(mv) == self.tt_move {
                            continue;
                        }
                        if position.see_ge(mv, 0) {
                            return Some(mv);
                        }
                        if !self.captures_only {
                            self.losing.push(mv);
                        }
                    }
                    None if self.captures_only && self.checks => {
                        self.list.clear();
                        position.generate(GenType::Quiets, &mut self.list);
                        self.list.retain_from(0, |mv| position.gives_check(mv) && position.see_ge(mv, 0));
                        self.score_quiets(position, history);
                        self.stage = Stage::QuietChecks;
                    }
                    None if self.captures_only => self.stage = Stage::Done,
                    None => {
                        self.stage = Stage::Killers;
                    }
                },
                Stage::Killers => {
                    let killer = self.killers.get(self.next).copied();
                    self.next += 1;
                    match killer {
                        None => self.stage = Stage::GenerateQuiets,
                        Some(Some(mv)) if self.is_killer(position, mv) => return Some(mv),
                        Some(_) => {}
                    }
                }
                Stage::GenerateQuiets => {
                    if self.filter != QuietFilter::None {
                        self.list.clear();
                        position.generate(GenType::Quiets, &mut self.list);
                        if self.filter == QuietFilter::Checks {
                            self.list.retain_from(0, |mv| position.gives_check(mv));
                        }
                        self.score_quiets(position, history);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.select().filter(|_| self.filter != QuietFilter::None) {
                    Some(mv) => {
                        if Some(mv) != self.tt_move
                            && !self.killers.contains(&Some(mv))
                            && self.passes_filter(position, mv)
                        {
                            return Some(mv);
                        }
                    }
                    None => {
                        self.next = 0;
                        self.stage = Stage::LosingCaptures;
                    }
                },
                Stage::QuietChecks => match self.select() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::LosingCaptures => {
                    let mv = self.losing.get(self.next).copied();
                    self.next += 1;
                    match mv {
                        Some(mv) => return Some(mv),
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::GenerateEvasions => {
                    position.generate(GenType::All, &mut self.list);
                    self.score_evasions(position, history);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.select() {
                    Some(mv) => {
                        if Some(mv) != self.tt_move {
                            return Some(mv);
                        }
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Scores all moves of the list.
    #[inline]
    fn score(&mut self, score: impl Fn(Move) -> i32) {
        const { assert!(MoveList::MAX_MOVES <= 1 << INDEX_BITS && MoveList::MAX_MOVES.is_multiple_of(GROUP)) };
        let indices_from_end = (0..1 << INDEX_BITS).rev();
        for ((key, mv), index) in self.keys.iter_mut().zip(self.list.iter()).zip(indices_from_end) {
            *key = score(mv) << INDEX_BITS | index;
        }
        let count = self.list.len();
        self.keys[count..count.next_multiple_of(GROUP)].fill(PICKED);
    }

    /// The best move of the list not yet picked.
    #[inline]
    fn select(&mut self) -> Option<Move> {
        let keys = &self.keys[..self.list.len().next_multiple_of(GROUP)];
        // A fold without a first element of its own: all keys go through vector registers.
        let best = keys.iter().copied().fold(PICKED, i32::max);
        if best == PICKED {
            return None;
        }
        let mask = (1 << INDEX_BITS) - 1;
        let index = (mask - (best & mask)) as usize;
        self.keys[index] = PICKED;
        self.list.get(index)
    }

    /// Whether the killer `mv` is to be picked here.
    fn is_killer(&self, position: &Position, mv: Move) -> bool {
        Some(mv) != self.tt_move
            && !position.is_capture(mv)
            && position.is_legal(mv)
            && self.passes_filter(position, mv)
    }

    fn passes_filter(&self, position: &Position, mv: Move) -> bool {
        match self.filter {
            QuietFilter::All => true,
            QuietFilter::Checks => position.gives_check(mv),
            QuietFilter::None => false,
        }
    }

    /// Most valuable victim first, and those that often caused a cutoff (capture history).
    fn score_captures(&mut self, position: &Position, history: &History) {
        self.score(|mv| mvv_lva(position, mv) + history.capture_score(position, mv) * MVV);
    }

    fn score_quiets(&mut self, position: &Position, history: &History) {
        let scores = history.quiet_scores(&self.previous);
        self.score(|mv| scores.of(position.piece_to(mv)));
    }

    fn score_evasions(&mut self, position: &Position, history: &History) {
        let scores = history.quiet_scores(&self.previous);
        self.score(|mv| match position.is_capture(mv) {
            true => CAPTURES_FIRST + mvv_lva(position, mv),
            false => scores.of(position.piece_to(mv)),
        });
    }
}

impl Default for Picker {
    fn default() -> Self {
        Self::new()
    }
}

/// Scores of captures for each engine unit of the victim's value.
const MVV: i32 = 16;

/// Greater than any history score: evasions that capture come before the others.
const CAPTURES_FIRST: i32 = 1 << 20;

/// Most valuable victim, least valuable attacker (MVV-LVA). The king counts as the least valuable attacker: a legal
/// capture by it cannot be answered by a recapture.
#[inline]
fn mvv_lva(position: &Position, mv: Move) -> i32 {
    let value = |piece: Option<Piece>| piece.map_or(0, |piece| piece_value(piece.piece_type()));
    let attacker = position.piece_at(mv.from()).filter(|piece| piece.piece_type() != PieceType::King);
    value(position.piece_at(mv.to())) * MVV - value(attacker) / 64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves of the tree of picked moves. Transposition table moves and killers are random moves, legal or not.
    fn perft(position: &mut Position, history: &History, pickers: &mut [Picker], seed: &mut u64) -> u64 {
        let (picker, rest) = pickers.split_first_mut().unwrap();
        let mut random_move = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let list = position.legal_moves();
            match *seed >> 62 {
                0 => Move::from_bits((*seed >> 33) as u16),
                _ => list.get((*seed >> 33) as usize % list.len().max(1)),
            }
        };
        let (tt_move, killers) = (random_move(), [random_move(), random_move()]);
        let killers = if killers[0] == killers[1] { [killers[0], None] } else { killers };
        picker.start(position, tt_move, killers, PreviousMoves::default());
        let mut leaves = 0;
        while let Some(mv) = picker.next(position, history) {
            if rest.is_empty() {
                leaves += 1;
                continue;
            }
            position.make(mv);
            leaves += perft(position, history, rest, seed);
            position.undo();
        }
        leaves
    }

    #[test]
    fn picked_moves_are_the_legal_moves() {
        let cases = crate::test_data::perft_cases();
        let next = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
                scope.spawn(|| {
                    let (history, mut seed) = (History::new(), 1);
                    let mut pickers: Vec<Picker> = (0..8).map(|_| Picker::new()).collect();
                    while let Some(case) = cases.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        let mut position = Position::from_fen(case.fen).unwrap();
                        for (depth, &leaves) in case.counts.iter().enumerate() {
                            if leaves <= MAX_LEAVES {
                                let picked = perft(&mut position, &history, &mut pickers[..=depth], &mut seed);
                                assert_eq!(picked, leaves, "{}", case.name);
                            }
                        }
                    }
                });
            }
        });
    }

    const MAX_LEAVES: u64 = 1_000_000;

    #[test]
    fn quiescence_picks_captures_that_lose_nothing_or_all_evasions() {
        let history = History::new();
        let mut picker = Picker::new();
        let mut pick = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            picker.start_quiescence(&position, None, PreviousMoves::default(), false);
            std::iter::from_fn(|| picker.next(&position, &history)).map(|mv| mv.to_string()).collect::<Vec<_>>()
        };
        // A rook attacks a protected pawn, then an unprotected one.
        assert_eq!(pick("3k5/9/4b4/9/R1p5p/9/9/9/9/4K4 w - - 0 1"), Vec::<String>::new());
        assert_eq!(pick("3k5/9/9/9/R1p5p/9/9/9/9/4K4 w - - 0 1"), ["a5c5"]);
        assert_eq!(pick("3k5/9/9/9/9/9/9/9/9/r3K4 w - - 0 1").len(), 1);
    }

    #[test]
    fn quiet_filter_only_tightens_until_the_next_node() {
        let (position, history, mut picker) = (Position::start(), History::new(), Picker::new());
        let mut pick = |filters: &[QuietFilter]| {
            picker.start(&position, None, [None; 2], PreviousMoves::default());
            filters.iter().for_each(|&filter| picker.filter_quiets(filter));
            std::iter::from_fn(|| picker.next(&position, &history)).filter(|&mv| !position.is_capture(mv)).count()
        };
        assert_eq!(pick(&[QuietFilter::None, QuietFilter::All]), 0);
        assert_eq!(pick(&[QuietFilter::Checks]), 0, "no quiet move of the start gives check");
        assert_eq!(pick(&[]), 42);
    }
}
