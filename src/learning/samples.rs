//! Positions to learn from.

use super::games::{Game, GameError, ScoredMove};
use super::outcome::GameOutcome;
use crate::eval::damping::Damping;
use crate::eval::features::{MirrorBalance, Perspective};
use crate::eval::network::{Kernel, Network, SCALE, output_bucket};
use crate::eval::piece_square::piece_square_score;
use crate::position::Position;
use crate::types::score::{RULE_BOUND, is_decided};
use crate::types::{Color, Score};

/// Most men on a board.
const MAX_PIECES: usize = 32;

/// What a position is worth, if that can be learned at first sight: its side to move is not in check, it was searched, the
/// move found best is no capture, the search did not see the end, and either side could still win. The score is as it would
/// be without the approaching move limit, which the evaluation adds by itself.
pub fn sample(position: &Position, ply: ScoredMove) -> Option<Score> {
    let score = Score::from(ply.score?);
    let teaches = !position.in_check()
        && !position.is_capture(ply.mv)
        && !is_decided(score)
        && Color::ALL.into_iter().all(|color| position.has_attacking_pieces(color));
    teaches.then(|| Damping::default().undo(score, position).clamp(1 - RULE_BOUND, RULE_BOUND - 1))
}

/// A position as the network sees it, and what became of it; small enough for millions of them in memory.
#[derive(Clone, Debug)]
pub struct Sample {
    rows: [[u16; MAX_PIECES]; 2],
    pieces: u8,
    outcome: u8,
    score: i16,
    placement: i16,
}

impl Sample {
    fn new(position: &Position, score: Score, outcome: GameOutcome) -> Sample {
        let side = position.side();
        let mirror_balance = MirrorBalance::of(position.pieces());
        let placement = side.sign() * piece_square_score(position);
        let mut sample = Sample {
            rows: [[0; MAX_PIECES]; 2],
            pieces: position.pieces().count() as u8,
            outcome: outcome as u8,
            score: score as i16,
            placement: placement as i16,
        };
        if side == Color::Black {
            sample.outcome = 2 - sample.outcome;
        }
        for (rows, color) in sample.rows.iter_mut().zip([side, !side]) {
            let perspective = Perspective::new(color, position.king(color), mirror_balance);
            for (row, (piece, square)) in rows.iter_mut().zip(position.pieces()) {
                *row = perspective.feature(color, piece, square) as u16;
            }
        }
        sample
    }

    /// Bytes by which it differs from most other lessons.
    pub fn mark(&self) -> [u8; 6] {
        let [score, placement] = [self.score.to_le_bytes(), self.placement.to_le_bytes()];
        [self.pieces, self.outcome, score[0], score[1], placement[0], placement[1]]
    }

    /// Rows of the network's first layer, as the side to move sees the board and as the other side sees it.
    pub fn rows(&self) -> [&[u16]; 2] {
        self.rows.each_ref().map(|rows| &rows[..self.pieces as usize])
    }

    /// What material and placement say, as an output of the network.
    pub fn placement(&self) -> f32 {
        f32::from(self.placement) / SCALE as f32
    }

    /// What the side to move can expect by a network of integers, from 0 to 1.
    pub fn expectation_by(&self, network: &Network) -> f32 {
        let seen = self.rows().map(|rows| {
            let mut seen = network.feature_bias;
            rows.iter().for_each(|&row| seen += &network.feature_weights[row as usize]);
            seen
        });
        let score =
            network.evaluate(Kernel::best(), &seen[0], &seen[1], u32::from(self.pieces)) + Score::from(self.placement);
        sigmoid(score as f32 / SCALE as f32)
    }

    /// The network's output for so many men.
    pub fn output(&self) -> usize {
        output_bucket(self.pieces as usize)
    }

    /// What the side to move can expect, from 0 (it loses) to 1 (it wins): the outcome of the game counts `wdl_weight` and the
    /// score the rest.
    pub fn expectation(&self, wdl_weight: f32) -> f32 {
        expectation(f32::from(self.score), self.outcome, wdl_weight)
    }
}

/// What a side can expect, from 0 to 1, whose score is `score` engine units and who lost (0), drew (1) or won (2) the game,
/// which counts `wdl_weight`.
pub fn expectation(score: f32, outcome: u8, wdl_weight: f32) -> f32 {
    wdl_weight * f32::from(outcome) / 2.0 + (1.0 - wdl_weight) * sigmoid(score / SCALE as f32)
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Appends the lessons of a game.
///
/// # Errors
/// When the game does not follow the rules.
pub fn take(game: &Game, samples: &mut Vec<Sample>) -> Result<(), GameError> {
    game.replay(&mut |position, ply| {
        if let Some(score) = sample(position, ply) {
            samples.push(Sample::new(position, score, game.outcome));
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// Black learns from what it sees exactly what Red would learn in its place.
    #[test]
    fn lessons_are_those_of_the_side_to_move() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b",
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
            "3ak4/9/4b4/5N3/2b6/9/6n2/9/4A4/3K1C3 b",
        ] {
            let there = position(fen);
            let turned = there.color_flipped();
            for (outcome, other) in [
                (GameOutcome::Loss, GameOutcome::Win),
                (GameOutcome::Draw, GameOutcome::Draw),
                (GameOutcome::Win, GameOutcome::Loss),
            ] {
                let (one, other) = (Sample::new(&there, 123, outcome), Sample::new(&turned, 123, other));
                assert_eq!(
                    (one.score, one.outcome, one.placement, one.pieces),
                    (other.score, other.outcome, other.placement, other.pieces)
                );
                let sorted = |sample: &Sample| {
                    sample.rows().map(|rows| {
                        let mut rows = rows.to_vec();
                        rows.sort();
                        rows
                    })
                };
                assert_eq!(sorted(&one), sorted(&other), "{fen}");
            }
            let mover_won = if there.side() == Color::Red { GameOutcome::Win } else { GameOutcome::Loss };
            assert_eq!(Sample::new(&there, 0, mover_won).expectation(1.0), 1.0);
        }
        let placement = |side: &str| {
            let ahead = position(&format!("3k5/9/9/9/p8/9/R8/9/9/4K4 {side}"));
            Sample::new(&ahead, 0, GameOutcome::Draw).placement
        };
        assert!(placement("w") > 0 && placement("b") == -placement("w"));
    }

    #[test]
    fn what_cannot_be_learned_at_first_sight_is_left_out() {
        let of = |fen: &str, mv: &str, score| sample(&position(fen), ScoredMove { mv: mv.parse().unwrap(), score });
        let quiet = "3k5/9/9/9/p8/9/R8/9/9/4K4 w";
        assert_eq!(of(quiet, "a3a4", Some(77)), Some(77));
        assert_eq!(of(quiet, "a3a4", None), None, "a move by chance");
        assert_eq!(of(quiet, "a3a5", Some(77)), None, "a capture");
        assert_eq!(of(quiet, "a3a4", Some(31_000)), None, "a mate");
        assert_eq!(of("3k5/9/9/9/p8/9/3R5/9/9/4K4 b", "d9e9", Some(77)), None, "in check");
        assert_eq!(of("3k5/4a4/9/9/9/9/R8/9/9/4K4 w", "a3a4", Some(77)), None, "Black has nothing to win with");
        // Halfway to the move limit the evaluation is smaller than it would be.
        assert!(of("3k5/9/9/9/p8/9/R8/9/9/4K4 w - - 60 50", "a3a4", Some(77)).unwrap() > 77);
    }
}
