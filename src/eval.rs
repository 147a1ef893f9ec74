//! Knowing (L3): what a position is worth at first sight.
//!
//! | module | what it owns |
//! |---|---|
//! | [`accumulator`] | what the network has worked out so far, kept up to date |
//! | [`wdl`] | scores as chances to win, draw and lose |
//! | [`classical`] | what the terms are worth |
//! | [`features`] | what the network sees of a board |
//! | [`network`] | its weights, its arithmetic, and its file |
//! | [`mod@piece_square`] | what each man is worth on each square, early and late in the game |
//! | [`terms`] | what players look at beyond that |

pub mod accumulator;
pub mod classical;
pub mod features;
pub mod network;
pub mod piece_square;
pub mod terms;
pub mod wdl;

use crate::position::{Change, Observer, Position, piece_value};
use crate::rules::MOVE_LIMIT;
use crate::types::{Color, Piece, PieceType, Score};
use accumulator::AccumulatorStack;
use network::Network;
use piece_square::{FULL_PHASE, PHASE, PIECE_SQUARE, Tapered};
use std::fmt::Write;
use std::sync::Arc;

/// A score without a ply of delay; half of it is left at the federation's move limit.
const DAMPING: Score = 2 * MOVE_LIMIT as Score;
/// Greatest size of a score: far from decided games.
const MAX_EVAL: Score = 15_000;

/// How much is known, each grade more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// What men are worth, wherever they stand.
    None,
    /// And where they stand.
    Small,
    /// And how freely men move, what they threaten, how safe kings are, and who cannot win any more.
    Medium,
    /// Material, placement, what a network makes of the rest, and again who cannot win.
    Large,
}

impl Knowledge {
    /// All grades, from nothing up.
    pub const ALL: [Knowledge; 4] = [Knowledge::None, Knowledge::Small, Knowledge::Medium, Knowledge::Large];
}

/// What material and placement add up to, Red's less Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PieceSquareSum {
    score: Tapered,
    phase: i32,
}

impl PieceSquareSum {
    /// Of all men of a position.
    fn of(position: &Position) -> PieceSquareSum {
        let mut balance = PieceSquareSum::default();
        position.pieces().for_each(|(piece, square)| balance.add(piece, square));
        balance
    }

    /// How early in the game it is, 0 to [`FULL_PHASE`].
    fn phase(&self) -> i32 {
        self.phase.min(FULL_PHASE)
    }

    /// The score between early and late, with `more` added.
    fn score(&self, more: Tapered) -> Score {
        let mut sum = self.score;
        sum += more;
        let phase = self.phase();
        (sum.early() * phase + sum.late() * (FULL_PHASE - phase)) / FULL_PHASE
    }

    #[inline]
    fn add(&mut self, piece: Piece, square: crate::types::Square) {
        self.score += PIECE_SQUARE[piece.index()][square.index()];
        self.phase += PHASE[piece.piece_type().index()];
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: crate::types::Square) {
        self.score -= PIECE_SQUARE[piece.index()][square.index()];
        self.phase -= PHASE[piece.piece_type().index()];
    }
}

/// An evaluation kept up to date with a position that it observes: what the search and everybody else asks.
#[derive(Clone)]
pub struct Evaluator {
    now: PieceSquareSum,
    /// Balances before the moves made, oldest first.
    before: Vec<PieceSquareSum>,
    backend: Backend,
}

/// What is known beyond placement.
#[derive(Clone)]
enum Backend {
    /// Less than nothing: not even placement.
    Material,
    PieceSquare,
    Classical(classical::Cache),
    Network(AccumulatorStack),
}

impl Evaluator {
    /// An evaluator of `position` with so much knowledge; `network` is that of [`Knowledge::Large`].
    pub fn new(knowledge: Knowledge, network: &Arc<Network>, position: &Position) -> Evaluator {
        let backend = match knowledge {
            Knowledge::None => Backend::Material,
            Knowledge::Small => Backend::PieceSquare,
            Knowledge::Medium => Backend::Classical(classical::Cache::new()),
            Knowledge::Large => Backend::Network(AccumulatorStack::new(Arc::clone(network), position)),
        };
        Evaluator { now: PieceSquareSum::of(position), before: Vec::with_capacity(256), backend }
    }

    /// What `position`, the one observed, is worth to the side to move, in engine units.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let score = self.raw_eval(position);
        self.damped(score, position)
    }

    /// That, as it would be far from the move limit: it depends on nothing but men, squares and whose turn it is.
    pub fn raw_eval(&mut self, position: &Position) -> Score {
        debug_assert_eq!(self.now, PieceSquareSum::of(position));
        let relative = |score: Score| if position.side() == Color::Red { score } else { -score };
        let score = match &mut self.backend {
            Backend::Material => material(position),
            Backend::PieceSquare => self.now.score(Tapered::default()),
            Backend::Classical(cache) => clamp_to_winnable(self.now.score(cache.balance(position)), position),
            Backend::Network(accumulators) => {
                let rest = relative(accumulators.evaluate(position));
                clamp_to_winnable(self.now.score(Tapered::default()) + rest, position)
            }
        };
        relative(score.clamp(-MAX_EVAL, MAX_EVAL))
    }

    /// What is left of a lasting score in `position`: the nearer the move limit, the nearer the draw. Who knows nothing but
    /// material does not know that.
    #[inline]
    pub fn damped(&self, score: Score, position: &Position) -> Score {
        if matches!(self.backend, Backend::Material) { score } else { score * damping(position) / DAMPING }
    }

    /// Works out ahead what evaluating `position`, the one observed, or one that follows it takes.
    #[inline]
    pub fn prepare(&mut self, position: &Position) {
        if let Backend::Network(accumulators) = &mut self.backend {
            accumulators.prepare(position);
        }
    }
}

/// What can still be had of a score for Red: who has nothing left to attack with cannot win, not before it has made a pawn,
/// if that is allowed.
fn clamp_to_winnable(score: Score, position: &Position) -> Score {
    let least = if position.has_attacking_pieces(Color::Black) { Score::MIN } else { 0 };
    let most = if position.has_attacking_pieces(Color::Red) { Score::MAX } else { 0 };
    score.clamp(least, most)
}

/// What material and placement say, Red's less Black's, in engine units.
pub fn piece_square_score(position: &Position) -> Score {
    PieceSquareSum::of(position).score(Tapered::default())
}

/// How early in the game it is, 0 to [`FULL_PHASE`].
pub fn phase(position: &Position) -> i32 {
    PieceSquareSum::of(position).phase()
}

/// What a score would be if the move limit were far away.
pub fn undamped(score: Score, position: &Position) -> Score {
    score * DAMPING / damping(position)
}

/// How much of a score is left as the move limit comes nearer, of [`DAMPING`].
fn damping(position: &Position) -> Score {
    DAMPING - position.quiet_plies().min(MOVE_LIMIT) as Score
}

/// What the men on the board are worth, Red's less Black's.
fn material(position: &Position) -> Score {
    PieceType::ALL.into_iter().map(|kind| material_of(kind, position)).sum()
}

/// What the men of a kind are worth, Red's less Black's; both have a king.
fn material_of(kind: PieceType, position: &Position) -> Score {
    let count = |color| position.count(color, kind) as Score;
    (count(Color::Red) - count(Color::Black)) * piece_value(kind)
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
        if let Backend::Network(accumulators) = &mut self.backend {
            accumulators.made(change);
        }
    }

    #[inline]
    fn passed(&mut self) {
        self.before.push(self.now);
        if let Backend::Network(accumulators) = &mut self.backend {
            accumulators.passed();
        }
    }

    #[inline]
    fn undone(&mut self) {
        self.now = self.before.pop().expect("invariant: undone follows made");
        if let Backend::Network(accumulators) = &mut self.backend {
            accumulators.undone();
        }
    }
}

/// The parts of the evaluation with so much knowledge, for people; every line ends with a newline. The rows of the table,
/// each between early and late as the phase says, with what the network says, faded, are the evaluation.
pub fn explain(knowledge: Knowledge, network: &Arc<Network>, position: &Position) -> String {
    let mut text = String::from("                 early   late   (red - black, engine units)\n");
    let mut row = |name: &str, score: Tapered| {
        let _ = writeln!(text, "{name:15} {:6} {:6}", score.early(), score.late());
    };
    for kind in PieceType::ALL {
        let mut sum = PieceSquareSum::default();
        for (piece, square) in position.pieces().filter(|(piece, _)| piece.piece_type() == kind) {
            sum.add(piece, square);
        }
        let worth = material_of(kind, position) as i16;
        let score = if knowledge == Knowledge::None { Tapered::new(worth, worth) } else { sum.score };
        row(&format!("{kind:?}").to_lowercase(), score);
    }
    if knowledge == Knowledge::Medium {
        classical::parts(position).into_iter().for_each(|(name, score)| row(name, score));
    }
    let _ = writeln!(text, "phase           {:6} of {FULL_PHASE}, from early to late", phase(position));
    if knowledge == Knowledge::Large {
        let score = AccumulatorStack::new(Arc::clone(network), position).evaluate(position);
        let score = if position.side() == Color::Red { score } else { -score };
        let _ = writeln!(text, "network         {score:6}");
    }
    if knowledge != Knowledge::None {
        let _ = writeln!(text, "fading          {:6} of {DAMPING}, for plies without a capture", damping(position));
    }
    if matches!(knowledge, Knowledge::Medium | Knowledge::Large) {
        for color in Color::ALL.into_iter().filter(|&color| !position.has_attacking_pieces(color)) {
            let _ = writeln!(text, "{color} has nothing to attack with");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::fens;

    fn evaluate(knowledge: Knowledge, position: &Position) -> Score {
        Evaluator::new(knowledge, &Network::built_in(), position).evaluate(position)
    }

    #[test]
    fn sides_are_evaluated_alike() {
        for position in fens().map(|fen| Position::from_fen(fen).unwrap()) {
            for knowledge in Knowledge::ALL {
                assert_eq!(
                    evaluate(knowledge, &position),
                    evaluate(knowledge, &position.color_flipped()),
                    "{knowledge:?} {}",
                    position.to_fen()
                );
            }
        }
    }

    #[test]
    fn watching_gives_what_a_fresh_look_gives() {
        for knowledge in Knowledge::ALL {
            let mut position = Position::start();
            let mut evaluator = Evaluator::new(knowledge, &Network::built_in(), &position);
            let first = evaluator.evaluate(&position);
            let mut number = 7;
            for _ in 0..200 {
                let legal = position.legal_moves();
                number = number * 31 % 1_009;
                let Some(mv) = legal.get(number % legal.len().max(1)) else { break };
                position.make(mv, &mut evaluator);
                assert_eq!(evaluator.evaluate(&position), evaluate(knowledge, &position), "{knowledge:?}");
            }
            while position.plies() > 0 {
                position.undo(&mut evaluator);
            }
            assert_eq!(evaluator.evaluate(&position), first);
        }
    }

    #[test]
    fn who_cannot_attack_cannot_be_better() {
        for knowledge in [Knowledge::Medium, Knowledge::Large] {
            let evaluate = |fen| evaluate(knowledge, &Position::from_fen(fen).unwrap());
            assert!(evaluate("3k5/9/9/9/9/9/9/4B4/4A4/2BAK3p w - - 0 1") <= 0);
            assert!(evaluate("3k5/9/9/9/9/9/9/4B4/4A4/2BAK3R w - - 0 1") > 500);
        }
    }

    #[test]
    fn the_parts_add_up() {
        for position in fens().map(|fen| Position::from_fen(&fen.replace(" 0 1", " 60 31")).unwrap()) {
            for knowledge in Knowledge::ALL {
                let text = explain(knowledge, &Network::built_in(), &position);
                let phase = phase(&position);
                let (mut early, mut late, mut whole) = (0, 0, 0);
                for line in text.lines().skip(1).filter(|line| !line.contains(" of ")) {
                    let values = line.split_whitespace().filter_map(|word| word.parse::<Score>().ok());
                    match values.collect::<Vec<_>>()[..] {
                        [one, other] => (early, late) = (early + one, late + other),
                        [one] => whole += one,
                        _ => assert!(line.contains("nothing to attack with"), "{line}"),
                    }
                }
                let sum = (early * phase + late * (FULL_PHASE - phase)) / FULL_PHASE + whole;
                let is_whole = matches!(knowledge, Knowledge::Medium | Knowledge::Large);
                let sum = if is_whole { clamp_to_winnable(sum, &position) } else { sum };
                let red = if position.side() == Color::Red { 1 } else { -1 };
                let mut evaluator = Evaluator::new(knowledge, &Network::built_in(), &position);
                let sum = evaluator.damped(red * sum, &position);
                assert_eq!(sum, evaluator.evaluate(&position), "{}\n{text}", position.to_fen());
            }
        }
    }
}
