//! Knowing (L3): what a position is worth at first sight.
//!
//! | module | what it owns |
//! |---|---|
//! | [`chances`] | scores as chances to win, draw and lose |
//! | [`placement`] | what each man is worth on each square, early and late in the game |

pub mod chances;
pub mod placement;

use crate::position::{Change, Observer, Position, exchange_value};
use crate::rules::MOVE_LIMIT;
use crate::types::{Color, Kind, Piece, Score};
use placement::{PHASE, PLACEMENT, Tapered};

/// Sum of [`PHASE`] over all men of the start position.
const FULL_PHASE: i32 = 32;
/// A score without a ply of delay; half of it is left at the move limit.
const FADING: Score = 2 * MOVE_LIMIT as Score;
/// What the right to move is worth.
const TEMPO: Score = 12;

/// How much is known, each grade more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knowledge {
    /// What men are worth, wherever they stand.
    None,
    /// And where they stand.
    Small,
    /// And what cannot be won any more, or not for long.
    Medium,
    /// And everything else.
    Large,
}

/// What material and placement add up to, Red's less Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Balance {
    score: Tapered,
    phase: i32,
}

impl Balance {
    #[inline]
    fn add(&mut self, piece: Piece, square: crate::types::Square) {
        self.score += PLACEMENT[piece.index()][square.index()];
        self.phase += PHASE[piece.kind().index()];
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: crate::types::Square) {
        self.score -= PLACEMENT[piece.index()][square.index()];
        self.phase -= PHASE[piece.kind().index()];
    }
}

/// An evaluation kept up to date with a position that it observes: the only `evaluate` there is.
#[derive(Clone, Debug)]
pub struct Evaluator {
    now: Balance,
    /// Balances before the moves made, oldest first.
    before: Vec<Balance>,
    knowledge: Knowledge,
}

impl Evaluator {
    /// An evaluator of `position` that knows everything.
    pub fn new(position: &Position) -> Evaluator {
        Evaluator::knowing(Knowledge::Large, position)
    }

    /// An evaluator of `position` with so much knowledge.
    pub fn knowing(knowledge: Knowledge, position: &Position) -> Evaluator {
        let mut now = Balance::default();
        for (piece, square) in position.men() {
            now.add(piece, square);
        }
        Evaluator { now, before: Vec::with_capacity(256), knowledge }
    }

    /// What `position`, the one observed, is worth to the side to move, in engine units.
    pub fn evaluate(&self, position: &Position) -> Score {
        debug_assert_eq!(self.now, Evaluator::new(position).now);
        let relative = |score: Score| if position.side() == Color::Red { score } else { -score };
        if self.knowledge == Knowledge::None {
            return relative(material(position));
        }
        let phase = self.now.phase.min(FULL_PHASE);
        let mut score = (self.now.score.early() * phase + self.now.score.late() * (FULL_PHASE - phase)) / FULL_PHASE;
        if self.knowledge == Knowledge::Small {
            return relative(score);
        }
        // Who has nothing left to attack with cannot win: not before it has made a pawn, if that is allowed.
        if !position.has_attackers(Color::Red) {
            score = score.min(0);
        }
        if !position.has_attackers(Color::Black) {
            score = score.max(0);
        }
        // The nearer the move limit, the nearer the draw.
        score = score * fading(position) / FADING;
        let tempo = if self.knowledge == Knowledge::Large { TEMPO } else { 0 };
        tempo + relative(score)
    }
}

/// How much of a score is left as the move limit comes nearer, of [`FADING`].
fn fading(position: &Position) -> Score {
    FADING - position.quiet_plies().min(MOVE_LIMIT) as Score
}

/// What the men on the board are worth, Red's less Black's.
fn material(position: &Position) -> Score {
    let count = |color, kind| position.count(color, kind) as Score;
    let attackers_and_guards = &Kind::ALL[1..];
    attackers_and_guards
        .iter()
        .map(|&kind| (count(Color::Red, kind) - count(Color::Black, kind)) * exchange_value(kind))
        .sum()
}

impl Observer for Evaluator {
    #[inline]
    fn made(&mut self, change: Change) {
        self.before.push(self.now);
        self.now.remove(change.piece, change.from);
        self.now.add(change.placed, change.to);
        if let Some(captured) = change.captured {
            self.now.remove(captured, change.to);
        }
    }

    #[inline]
    fn passed(&mut self) {
        self.before.push(self.now);
    }

    #[inline]
    fn undone(&mut self) {
        self.now = self.before.pop().expect("invariant: undone follows made");
    }
}

/// The parts of the evaluation with all knowledge, for people; every line ends with a newline.
pub fn explain(position: &Position) -> String {
    use std::fmt::Write;
    let mut text = String::from("            early   late   (red - black, engine units)\n");
    for kind in Kind::ALL {
        let mut sum = Balance::default();
        for (piece, square) in position.men().filter(|(piece, _)| piece.kind() == kind) {
            sum.add(piece, square);
        }
        let name = format!("{kind:?}").to_lowercase();
        let _ = writeln!(text, "{name:10} {:6} {:6}", sum.score.early(), sum.score.late());
    }
    let evaluator = Evaluator::new(position);
    let _ = writeln!(text, "phase      {:6} of {FULL_PHASE}, from early to late", evaluator.now.phase);
    let _ = writeln!(text, "fading     {:6} of {FADING}, for plies without a capture", fading(position));
    let _ = writeln!(text, "turn       {:6}", if position.side() == Color::Red { TEMPO } else { -TEMPO });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(fen: &str) -> Score {
        let position = Position::from_fen(fen).unwrap();
        Evaluator::new(&position).evaluate(&position)
    }

    #[test]
    fn sides_are_evaluated_alike() {
        let fens = include_str!("../tests/data/perft.txt").lines().filter(|line| !line.starts_with('#'));
        for fen in fens.map(|line| line.split(';').next().unwrap().trim()) {
            let exchanged = Position::from_fen(fen).unwrap().exchanged().to_fen();
            assert_eq!(evaluate(fen), evaluate(&exchanged), "{fen}");
        }
    }

    #[test]
    fn watching_gives_what_a_fresh_look_gives() {
        let mut position = Position::start();
        let mut evaluator = Evaluator::new(&position);
        let first = evaluator.evaluate(&position);
        let mut number = 7;
        for _ in 0..200 {
            let legal = position.legal_moves();
            number = number * 31 % 1_009;
            let Some(mv) = legal.get(number % legal.len().max(1)) else { break };
            position.make(mv, &mut evaluator);
            assert_eq!(evaluator.evaluate(&position), Evaluator::new(&position).evaluate(&position));
        }
        while position.plies() > 0 {
            position.undo(&mut evaluator);
        }
        assert_eq!(evaluator.evaluate(&position), first);
    }

    #[test]
    fn who_cannot_attack_cannot_be_better() {
        assert!(evaluate("3k5/9/9/9/9/9/9/4B4/4A4/2BAK3p w - - 0 1") <= TEMPO);
        assert!(evaluate("3k5/9/9/9/9/9/9/4B4/4A4/2BAK3R w - - 0 1") > 500);
    }
}
