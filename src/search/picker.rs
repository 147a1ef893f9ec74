//! Moves one after another, those most likely to cut off first, generated only when their turn comes.

use super::history::{History, PieceTo, PreviousMoves};
use crate::position::{GenType, Position, piece_value};
use crate::types::{Move, MoveList, Piece, PieceType};

/// Moves and what they are worth trying. One for each ply, reused.
pub struct MoveBuffer {
    list: MoveList,
    /// For each move its worth, and below it its place in the list, from behind, so that of equals the first comes first.
    keys: Vec<i32>,
    /// Captures that lose material, tried last.
    losing: Vec<Move>,
}

/// Bits of a key that tell the place in the list.
const PLACE_BITS: u32 = 8;
/// The key of a move that has been dealt out.
const PICKED: i32 = i32::MIN;

impl MoveBuffer {
    /// An empty buffer.
    pub fn new() -> MoveBuffer {
        MoveBuffer { list: MoveList::new(), keys: Vec::with_capacity(128), losing: Vec::with_capacity(32) }
    }

    /// Scores all moves of the list anew.
    fn score(&mut self, score: impl Fn(Move) -> i32) {
        const { assert!(MoveList::MAX_MOVES <= 1 << PLACE_BITS) };
        self.keys.clear();
        let from_behind = (0..1 << PLACE_BITS).rev();
        self.keys.extend(self.list.iter().zip(from_behind).map(|(mv, place)| score(mv) << PLACE_BITS | place));
    }

    /// The best move not yet dealt out.
    fn select(&mut self) -> Option<Move> {
        let best = self.keys.iter().copied().max().filter(|&best| best != PICKED)?;
        let mask = (1 << PLACE_BITS) - 1;
        let index = (mask - (best & mask)) as usize;
        self.keys[index] = PICKED;
        self.list.get(index)
    }
}

impl Default for MoveBuffer {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Hash,
    GenerateCaptures,
    Captures,
    Killers,
    GenerateQuiets,
    QuietFilter,
    Checks,
    LosingCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Which quiet moves are dealt out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuietFilter {
    /// All.
    All,
    /// Those that give check.
    Checks,
    /// None.
    None,
}

/// Deals out the legal moves of one node.
pub struct Picker {
    stage: Stage,
    hash: Option<Move>,
    killers: [Option<Move>; 2],
    previous: PreviousMoves,
    next: usize,
    captures_only: bool,
    /// After captures only, quiet checks.
    checks: bool,
    filter: QuietFilter,
}

impl Picker {
    /// All legal moves: the hash move, winning and equal captures, killers, quiet moves by history, losing captures.
    /// In check: the hash move, captures, the rest by history.
    pub fn new(
        position: &Position,
        buffer: &mut MoveBuffer,
        hash: Option<Move>,
        killers: [Option<Move>; 2],
        previous: PreviousMoves,
    ) -> Picker {
        buffer.list.clear();
        buffer.losing.clear();
        let hash = hash.filter(|&mv| position.is_legal(mv));
        Picker {
            stage: Stage::Hash,
            hash,
            killers,
            previous,
            next: 0,
            captures_only: false,
            checks: false,
            filter: QuietFilter::All,
        }
    }

    /// For quiescence: captures that do not lose material, then, if `checks`, quiet moves that give check and do not lose
    /// material either; in check, all evasions.
    pub fn quiescence(
        position: &Position,
        buffer: &mut MoveBuffer,
        hash: Option<Move>,
        previous: PreviousMoves,
        checks: bool,
    ) -> Picker {
        let hash = hash.filter(|&mv| position.in_check() || position.is_capture(mv));
        Picker {
            captures_only: !position.in_check(),
            checks,
            ..Picker::new(position, buffer, hash, [None; 2], previous)
        }
    }

    /// Of the quiet moves not yet dealt out only these will be.
    pub fn filter_quiets(&mut self, filter: QuietFilter) {
        self.filter = filter;
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, history: &History, buffer: &mut MoveBuffer) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::GenerateCaptures => {
                    position.generate(GenType::Captures, &mut buffer.list);
                    buffer.score(|mv| capture_score(position, mv));
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match buffer.select() {
                    Some(mv) => {
                        if Some(mv) == self.hash {
                            continue;
                        }
                        if position.see_ge(mv, 0) {
                            return Some(mv);
                        }
                        if !self.captures_only {
                            buffer.losing.push(mv);
                        }
                    }
                    None if self.captures_only && self.checks => {
                        buffer.list.clear();
                        position.generate(GenType::Quiets, &mut buffer.list);
                        buffer.list.retain_from(0, |mv| position.gives_check(mv) && position.see_ge(mv, 0));
                        self.score_quiets(position, history, buffer);
                        self.stage = Stage::Checks;
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
                        buffer.list.clear();
                        position.generate(GenType::Quiets, &mut buffer.list);
                        if self.filter == QuietFilter::Checks {
                            buffer.list.retain_from(0, |mv| position.gives_check(mv));
                        }
                        self.score_quiets(position, history, buffer);
                    }
                    self.stage = Stage::QuietFilter;
                }
                Stage::QuietFilter => match buffer.select().filter(|_| self.filter != QuietFilter::None) {
                    Some(mv) => {
                        if Some(mv) != self.hash
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
                Stage::Checks => match buffer.select() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::LosingCaptures => {
                    let mv = buffer.losing.get(self.next).copied();
                    self.next += 1;
                    match mv {
                        Some(mv) => return Some(mv),
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::GenerateEvasions => {
                    position.generate(GenType::All, &mut buffer.list);
                    self.score_evasions(position, history, buffer);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match buffer.select() {
                    Some(mv) => {
                        if Some(mv) != self.hash {
                            return Some(mv);
                        }
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn is_killer(&self, position: &Position, mv: Move) -> bool {
        Some(mv) != self.hash && !position.is_capture(mv) && position.is_legal(mv) && self.passes_filter(position, mv)
    }

    /// Whether the quiet move `mv` is to be dealt out.
    fn passes_filter(&self, position: &Position, mv: Move) -> bool {
        match self.filter {
            QuietFilter::All => true,
            QuietFilter::Checks => position.gives_check(mv),
            QuietFilter::None => false,
        }
    }

    fn score_quiets(&self, position: &Position, history: &History, buffer: &mut MoveBuffer) {
        buffer
            .score(|mv| PieceTo::of(position, mv).map_or(0, |piece_to| history.quiet_score(piece_to, &self.previous)));
    }

    fn score_evasions(&self, position: &Position, history: &History, buffer: &mut MoveBuffer) {
        buffer.score(|mv| match position.piece_at(mv.to()) {
            Some(_) => CAPTURES_FIRST + capture_score(position, mv),
            None => PieceTo::of(position, mv).map_or(0, |piece_to| history.quiet_score(piece_to, &self.previous)),
        });
    }
}

/// More than any history counter: evasions that capture come before those that do not.
const CAPTURES_FIRST: i32 = 1 << 20;

/// Most valuable victim first, among equals the least valuable attacker; the king, which nothing can take back, is the
/// cheapest of all.
fn capture_score(position: &Position, mv: Move) -> i32 {
    let value = |piece: Option<Piece>| piece.map_or(0, |piece| piece_value(piece.piece_type()));
    let attacker = position.piece_at(mv.from()).filter(|piece| piece.piece_type() != PieceType::King);
    value(position.piece_at(mv.to())) * 16 - value(attacker) / 64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves of the tree of dealt moves. Hash moves and killers are any moves at all, legal here or not.
    fn perft(position: &mut Position, history: &History, buffers: &mut [MoveBuffer], odd: &mut u64) -> u64 {
        let (buffer, rest) = buffers.split_first_mut().unwrap();
        let mut any_move = || {
            *odd = odd.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let list = position.legal_moves();
            match *odd >> 62 {
                0 => Move::from_bits((*odd >> 33) as u16),
                _ => list.get((*odd >> 33) as usize % list.len().max(1)),
            }
        };
        let (hash, killers) = (any_move(), [any_move(), any_move()]);
        let killers = if killers[0] == killers[1] { [killers[0], None] } else { killers };
        let mut picker = Picker::new(position, buffer, hash, killers, PreviousMoves::default());
        let mut leaves = 0;
        while let Some(mv) = picker.next(position, history, buffer) {
            if rest.is_empty() {
                leaves += 1;
                continue;
            }
            position.make(mv, &mut ());
            leaves += perft(position, history, rest, odd);
            position.undo(&mut ());
        }
        leaves
    }

    #[test]
    fn dealt_moves_are_the_legal_moves() {
        let cases = crate::test_data::perft_cases();
        let next = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
                scope.spawn(|| {
                    let (history, mut odd) = (History::new(), 1);
                    let mut buffers: Vec<MoveBuffer> = (0..8).map(|_| MoveBuffer::new()).collect();
                    while let Some(case) = cases.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        let mut position = Position::from_fen(case.fen).unwrap();
                        for (depth, &leaves) in case.counts.iter().enumerate() {
                            if leaves <= MOST_LEAVES {
                                let picked = perft(&mut position, &history, &mut buffers[..=depth], &mut odd);
                                assert_eq!(picked, leaves, "{}", case.name);
                            }
                        }
                    }
                });
            }
        });
    }

    const MOST_LEAVES: u64 = 10_000_000;

    #[test]
    fn quiescence_deals_captures_that_pay_or_every_evasion() {
        let history = History::new();
        let mut buffer = MoveBuffer::new();
        let mut deal = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            let mut picker = Picker::quiescence(&position, &mut buffer, None, PreviousMoves::default(), false);
            std::iter::from_fn(|| picker.next(&position, &history, &mut buffer)).collect::<Vec<_>>()
        };
        // A rook before a protected pawn, and before a free one.
        let quiet = deal("3k5/9/4b4/9/R1p5p/9/9/9/9/4K4 w - - 0 1");
        assert_eq!(quiet.iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), Vec::<String>::new());
        let free = deal("3k5/9/9/9/R1p5p/9/9/9/9/4K4 w - - 0 1");
        assert_eq!(free.iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["a5c5"]);
        let check = deal("3k5/9/9/9/9/9/9/9/9/r3K4 w - - 0 1");
        assert_eq!(check.len(), 1);
    }
}
