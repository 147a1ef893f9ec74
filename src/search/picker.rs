//! Moves one after another, those most likely to cut off first, generated only when their turn comes.

use super::history::{Before, History, Step};
use crate::position::{Position, Scope, exchange_value};
use crate::types::{Kind, Move, MoveList, Piece};

/// Moves and what they are worth trying. One for each ply, reused.
pub struct Buffer {
    list: MoveList,
    /// For each move its worth, and below it its place in the list, from behind, so that of equals the first comes first.
    keys: Vec<i32>,
    /// Captures that lose material, tried last.
    losing: Vec<Move>,
}

/// Bits of a key that tell the place in the list.
const PLACE_BITS: u32 = 8;
/// The key of a move that has been dealt out.
const DEALT: i32 = i32::MIN;

impl Buffer {
    /// An empty buffer.
    pub fn new() -> Buffer {
        Buffer { list: MoveList::new(), keys: Vec::with_capacity(128), losing: Vec::with_capacity(32) }
    }

    /// Scores all moves of the list anew.
    fn score(&mut self, worth: impl Fn(Move) -> i32) {
        const { assert!(MoveList::MOST <= 1 << PLACE_BITS) };
        self.keys.clear();
        let from_behind = (0..1 << PLACE_BITS).rev();
        self.keys.extend(self.list.iter().zip(from_behind).map(|(mv, place)| worth(mv) << PLACE_BITS | place));
    }

    /// The best move not yet dealt out.
    fn select(&mut self) -> Option<Move> {
        let best = self.keys.iter().copied().max().filter(|&best| best != DEALT)?;
        let mask = (1 << PLACE_BITS) - 1;
        let index = (mask - (best & mask)) as usize;
        self.keys[index] = DEALT;
        self.list.get(index)
    }
}

impl Default for Buffer {
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
    Quiets,
    Checks,
    LosingCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Which quiet moves are dealt out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiets {
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
    before: Before,
    next: usize,
    captures_only: bool,
    /// After captures only, quiet checks.
    checks: bool,
    quiets: Quiets,
}

impl Picker {
    /// All legal moves: the hash move, winning and equal captures, killers, quiet moves by history, losing captures.
    /// In check: the hash move, captures, the rest by history.
    pub fn new(
        position: &Position,
        buffer: &mut Buffer,
        hash: Option<Move>,
        killers: [Option<Move>; 2],
        before: Before,
    ) -> Picker {
        buffer.list.clear();
        buffer.losing.clear();
        let hash = hash.filter(|&mv| position.is_legal(mv));
        Picker {
            stage: Stage::Hash,
            hash,
            killers,
            before,
            next: 0,
            captures_only: false,
            checks: false,
            quiets: Quiets::All,
        }
    }

    /// For quiescence: captures that do not lose material, then, if `checks`, quiet moves that give check and do not lose
    /// material either; in check, all evasions.
    pub fn quiescence(
        position: &Position,
        buffer: &mut Buffer,
        hash: Option<Move>,
        before: Before,
        checks: bool,
    ) -> Picker {
        let hash = hash.filter(|&mv| position.in_check() || position.is_capture(mv));
        Picker { captures_only: !position.in_check(), checks, ..Picker::new(position, buffer, hash, [None; 2], before) }
    }

    /// Of the quiet moves not yet dealt out only these will be.
    pub fn limit_quiets(&mut self, quiets: Quiets) {
        self.quiets = quiets;
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, history: &History, buffer: &mut Buffer) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::GenerateCaptures => {
                    position.generate(Scope::Captures, &mut buffer.list);
                    buffer.score(|mv| capture_worth(position, mv));
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match buffer.select() {
                    Some(mv) => {
                        if Some(mv) == self.hash {
                            continue;
                        }
                        if position.exchange_pays(mv, 0) {
                            return Some(mv);
                        }
                        if !self.captures_only {
                            buffer.losing.push(mv);
                        }
                    }
                    None if self.captures_only && self.checks => {
                        buffer.list.clear();
                        position.generate(Scope::Quiets, &mut buffer.list);
                        buffer.list.retain_from(0, |mv| position.gives_check(mv) && position.exchange_pays(mv, 0));
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
                    if self.quiets != Quiets::None {
                        buffer.list.clear();
                        position.generate(Scope::Quiets, &mut buffer.list);
                        if self.quiets == Quiets::Checks {
                            buffer.list.retain_from(0, |mv| position.gives_check(mv));
                        }
                        self.score_quiets(position, history, buffer);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match buffer.select().filter(|_| self.quiets != Quiets::None) {
                    Some(mv) => {
                        if Some(mv) != self.hash && !self.killers.contains(&Some(mv)) && self.deals(position, mv) {
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
                    position.generate(Scope::All, &mut buffer.list);
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
        Some(mv) != self.hash && !position.is_capture(mv) && position.is_legal(mv) && self.deals(position, mv)
    }

    /// Whether the quiet move `mv` is to be dealt out.
    fn deals(&self, position: &Position, mv: Move) -> bool {
        match self.quiets {
            Quiets::All => true,
            Quiets::Checks => position.gives_check(mv),
            Quiets::None => false,
        }
    }

    fn score_quiets(&self, position: &Position, history: &History, buffer: &mut Buffer) {
        buffer.score(|mv| Step::of(position, mv).map_or(0, |step| history.merit(step, &self.before)));
    }

    fn score_evasions(&self, position: &Position, history: &History, buffer: &mut Buffer) {
        buffer.score(|mv| match position.piece_at(mv.to()) {
            Some(_) => CAPTURES_FIRST + capture_worth(position, mv),
            None => Step::of(position, mv).map_or(0, |step| history.merit(step, &self.before)),
        });
    }
}

/// More than any history counter: evasions that capture come before those that do not.
const CAPTURES_FIRST: i32 = 1 << 20;

/// Most valuable victim first, among equals the least valuable attacker; the king, which nothing can take back, is the
/// cheapest of all.
fn capture_worth(position: &Position, mv: Move) -> i32 {
    let value = |piece: Option<Piece>| piece.map_or(0, |piece| exchange_value(piece.kind()));
    let attacker = position.piece_at(mv.from()).filter(|piece| piece.kind() != Kind::King);
    value(position.piece_at(mv.to())) * 16 - value(attacker) / 64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves of the tree of dealt moves. Hash moves and killers are any moves at all, legal here or not.
    fn perft(position: &mut Position, history: &History, buffers: &mut [Buffer], odd: &mut u64) -> u64 {
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
        let mut picker = Picker::new(position, buffer, hash, killers, Before::default());
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
        let cases: Vec<&str> =
            include_str!("../../tests/data/perft.txt").lines().filter(|line| !line.starts_with('#')).collect();
        let next = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
                scope.spawn(|| {
                    let (history, mut odd) = (History::new(), 1);
                    let mut buffers: Vec<Buffer> = (0..8).map(|_| Buffer::new()).collect();
                    while let Some(line) = cases.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        let mut fields = line.split('|').next().unwrap().split(';');
                        let mut position = Position::from_fen(fields.next().unwrap()).unwrap();
                        for (depth, field) in fields.enumerate() {
                            let leaves: u64 = field.trim().split(' ').nth(1).unwrap().parse().unwrap();
                            if leaves <= MOST_LEAVES {
                                let dealt = perft(&mut position, &history, &mut buffers[..=depth], &mut odd);
                                assert_eq!(dealt, leaves, "{line}");
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
        let mut buffer = Buffer::new();
        let mut deal = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            let mut picker = Picker::quiescence(&position, &mut buffer, None, Before::default(), false);
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
