//! Training samples: quiet positions of self-play games with the score of the search and the outcome of the game.

use super::games::{Game, GameError, ScoredMove};
use super::outcome::GameOutcome;
use crate::eval::damping::Damping;
use crate::eval::features::{MirrorBalance, Perspective};
use crate::eval::network::{Kernel, Network, SCALE, output_bucket};
use crate::eval::piece_square::piece_square_score;
use crate::position::Position;
use crate::types::score::{DECIDED_BOUND, is_decided};
use crate::types::{Color, Score};

/// Greatest number of pieces on the board.
const MAX_PIECES: usize = 32;

/// The score of a position for the side to move, without damping, if the position is fit for a training sample:
/// searched, quiet (not in check, best move no capture), not decided, and both sides have attacking pieces. The
/// evaluation does its own damping, towards the federation's move limit in the games read here.
pub fn target_score(position: &Position, ply: ScoredMove) -> Option<Score> {
    let score = Score::from(ply.score?);
    let is_fit = !position.in_check()
        && !position.is_capture(ply.mv)
        && !is_decided(score)
        && Color::ALL.into_iter().all(|color| position.has_attacking_pieces(color));
    is_fit.then(|| Damping::default().undo(score, position).clamp(1 - DECIDED_BOUND, DECIDED_BOUND - 1))
}

/// A training sample, compact: millions of them are in memory.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Active features for the perspectives of the side to move and of the other side, as many as pieces.
    features: [[u16; MAX_PIECES]; 2],
    pieces: u8,
    /// For the side to move: 0 loss, 1 draw, 2 win.
    outcome: u8,
    /// Of the search, for the side to move, without damping, in engine units.
    score: i16,
    /// Piece-square score for the side to move, in engine units.
    piece_square: i16,
}

impl Sample {
    fn new(position: &Position, score: Score, outcome: GameOutcome) -> Sample {
        let side = position.side();
        let mirror_balance = MirrorBalance::of(position.pieces());
        let piece_square = side.sign() * piece_square_score(position);
        let mut sample = Sample {
            features: [[0; MAX_PIECES]; 2],
            pieces: position.pieces().count() as u8,
            outcome: outcome as u8,
            score: score as i16,
            piece_square: piece_square as i16,
        };
        if side == Color::Black {
            sample.outcome = 2 - sample.outcome;
        }
        for (features, color) in sample.features.iter_mut().zip([side, !side]) {
            let perspective = Perspective::new(color, position.king(color), mirror_balance);
            for (feature, (piece, square)) in features.iter_mut().zip(position.pieces()) {
                *feature = perspective.feature(color, piece, square) as u16;
            }
        }
        sample
    }

    /// Bytes for a checksum over samples: all but the features.
    pub fn fingerprint(&self) -> [u8; 6] {
        let [score, piece_square] = [self.score, self.piece_square].map(i16::to_le_bytes);
        [self.pieces, self.outcome, score[0], score[1], piece_square[0], piece_square[1]]
    }

    /// Active features for the perspectives of the side to move and of the other side.
    pub fn features(&self) -> [&[u16]; 2] {
        self.features.each_ref().map(|features| &features[..self.pieces as usize])
    }

    /// The piece-square score for the side to move, in units of the network's output ([`SCALE`] engine units).
    pub fn piece_square(&self) -> f32 {
        f32::from(self.piece_square) / SCALE as f32
    }

    /// The expected score of the side to move by a quantised network, from 0 (loss) to 1 (win).
    pub fn quantised_expectation(&self, network: &Network) -> f32 {
        let [own, other] = self.features().map(|features| {
            let mut accumulator = network.feature_bias;
            features.iter().for_each(|&feature| accumulator += &network.feature_weights[feature as usize]);
            accumulator
        });
        let score =
            network.evaluate(Kernel::best(), &own, &other, u32::from(self.pieces)) + Score::from(self.piece_square);
        sigmoid(score as f32 / SCALE as f32)
    }

    /// The output bucket.
    pub fn output_bucket(&self) -> usize {
        output_bucket(self.pieces as usize)
    }

    /// The training target: the expected score of the side to move, from 0 (loss) to 1 (win). See [`target`].
    pub fn target(&self, wdl_weight: f32) -> f32 {
        target(f32::from(self.score), self.outcome, wdl_weight)
    }
}

/// The expected score, from 0 to 1, of a side with a search score of `score` engine units that lost (0), drew (1) or
/// won (2) the game. `wdl_weight` (lambda), from 0 to 1, is the weight of the outcome; the score has the rest.
pub fn target(score: f32, outcome: u8, wdl_weight: f32) -> f32 {
    wdl_weight * f32::from(outcome) / 2.0 + (1.0 - wdl_weight) * sigmoid(score / SCALE as f32)
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Appends the training samples of a game.
///
/// # Errors
/// When a move of the game is not legal.
pub fn extract(game: &Game, samples: &mut Vec<Sample>) -> Result<(), GameError> {
    game.replay(&mut |position, ply| {
        if let Some(score) = target_score(position, ply) {
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

    #[test]
    fn samples_are_color_symmetric() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b",
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
            "3ak4/9/4b4/5N3/2b6/9/6n2/9/4A4/3K1C3 b",
        ] {
            let position = position(fen);
            let flipped = position.color_flipped();
            for (outcome, opposite) in [
                (GameOutcome::Loss, GameOutcome::Win),
                (GameOutcome::Draw, GameOutcome::Draw),
                (GameOutcome::Win, GameOutcome::Loss),
            ] {
                let one = Sample::new(&position, 123, outcome);
                let other = Sample::new(&flipped, 123, opposite);
                assert_eq!(
                    (one.score, one.outcome, one.piece_square, one.pieces),
                    (other.score, other.outcome, other.piece_square, other.pieces)
                );
                let sorted = |sample: &Sample| {
                    sample.features().map(|features| {
                        let mut features = features.to_vec();
                        features.sort();
                        features
                    })
                };
                assert_eq!(sorted(&one), sorted(&other), "{fen}");
            }
            let mover_won = if position.side() == Color::Red { GameOutcome::Win } else { GameOutcome::Loss };
            assert_eq!(Sample::new(&position, 0, mover_won).target(1.0), 1.0);
        }
        let piece_square = |side: &str| {
            let ahead = position(&format!("3k5/9/9/9/p8/9/R8/9/9/4K4 {side}"));
            Sample::new(&ahead, 0, GameOutcome::Draw).piece_square
        };
        assert!(piece_square("w") > 0 && piece_square("b") == -piece_square("w"));
    }

    #[test]
    fn positions_unfit_for_samples_are_skipped() {
        let of =
            |fen: &str, mv: &str, score| target_score(&position(fen), ScoredMove { mv: mv.parse().unwrap(), score });
        let quiet = "3k5/9/9/9/p8/9/R8/9/9/4K4 w";
        assert_eq!(of(quiet, "a3a4", Some(77)), Some(77));
        assert_eq!(of(quiet, "a3a4", None), None, "a random move");
        assert_eq!(of(quiet, "a3a5", Some(77)), None, "a capture");
        assert_eq!(of(quiet, "a3a4", Some(31_000)), None, "a mate");
        assert_eq!(of("3k5/9/9/9/p8/9/3R5/9/9/4K4 b", "d9e9", Some(77)), None, "in check");
        assert_eq!(of("3k5/4a4/9/9/9/9/R8/9/9/4K4 w", "a3a4", Some(77)), None, "Black has no attacking pieces");
        // The damping of 60 plies without a capture is undone.
        assert!(of("3k5/9/9/9/p8/9/R8/9/9/4K4 w - - 60 50", "a3a4", Some(77)).unwrap() > 77);
    }
}
