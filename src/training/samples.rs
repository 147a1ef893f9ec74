//! Training samples: quiet positions of self-play games with the score of the search and the outcome of the game.

use super::loss::Loss;
use super::outcome::GameOutcome;
use super::training_games::{GameError, ScoredMove, TrainingGame};
use crate::eval::damping::Damping;
use crate::eval::features::{InputBucket, MirrorBalance};
use crate::eval::network::{Kernel, Network, SCALE, Vector, output_bucket};
use crate::eval::piece_square::PieceSquareSum;
use crate::eval::tapered::Tapered;
use crate::position::{MAX_PIECES, PackedPosition, Position};
use crate::types::score::{DECIDED_BOUND, is_decided, is_mate, plies_to_mate};
use crate::types::{Color, Score};
use std::sync::Arc;

/// Mates at least this far away, in plies, are for the evaluation to see. Small searches know them mostly from endgame
/// tables.
const FAR_MATE_PLIES: u32 = 20;
/// The target score of a win by such a mate, in engine units. More would make evaluations steep where nothing depends on
/// them any more.
const FAR_MATE_SCORE: Score = 1_500;

/// The score of a position for the side to move, without damping, if the position is fit for a training sample:
/// searched, quiet (not in check, best move no capture), and not decided but by a far mate. The evaluation does its own
/// damping, towards the federation's move limit in the games read here.
pub fn target_score(position: &Position, ply: ScoredMove) -> Option<Score> {
    if is_fit(position, ply) { search_score(position, ply) } else { None }
}

/// Whether [`target_score`] gives a score.
fn is_fit(position: &Position, ply: ScoredMove) -> bool {
    let is_open = |score| plies_to_mate(score).map_or(!is_decided(score), |plies| plies >= FAR_MATE_PLIES);
    ply.score.is_some_and(|score| is_open(Score::from(score)))
        && !position.in_check()
        && !position.is_capture(ply.mv)
        && Color::ALL.into_iter().any(|color| position.has_attacking_pieces(color))
}

/// The score of the search for the side to move, without damping; mates count as [`FAR_MATE_SCORE`]. `None` without a
/// search, and for a game decided by the rules of repetition.
fn search_score(position: &Position, ply: ScoredMove) -> Option<Score> {
    match Score::from(ply.score?) {
        score if is_mate(score) => Some(score.signum() * FAR_MATE_SCORE),
        score if is_decided(score) => None,
        score => Some(Damping::default().undo(score, position).clamp(1 - DECIDED_BOUND, DECIDED_BOUND - 1)),
    }
}

/// A training sample, compact: millions of them are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    board: PackedPosition,
    /// The expected score by the searches, for the side to move, in parts of [`EXPECTATION_ONE`].
    expectation: u16,
    /// For the side to move: 0 loss, 1 draw, 2 win; [`NO_OUTCOME`].
    outcome: u8,
}

/// An expected score of 1.
const EXPECTATION_ONE: f32 = u16::MAX as f32;
/// A random move was played later in the game: its outcome says little about the position.
const NO_OUTCOME: u8 = 3;

impl Sample {
    /// Bytes of a sample.
    pub const BYTES: usize = PackedPosition::BYTES + 3;

    /// A position with the expected score of its side to move, 0 to 1, and the outcome of the game for Red, if it counts.
    pub fn new(position: &Position, expectation: f32, outcome: Option<GameOutcome>) -> Sample {
        let is_red = position.side() == Color::Red;
        let outcome = outcome.map_or(NO_OUTCOME, |outcome| if is_red { outcome as u8 } else { 2 - outcome as u8 });
        let expectation = (expectation * EXPECTATION_ONE).round() as u16;
        Sample { board: PackedPosition::pack(position), expectation, outcome }
    }

    /// The sample as bytes: the board, the expectation (little-endian), the outcome.
    pub fn to_bytes(&self) -> [u8; Sample::BYTES] {
        let mut bytes = [0; Sample::BYTES];
        let (board, rest) = bytes.split_at_mut(PackedPosition::BYTES);
        board.copy_from_slice(&self.board.to_bytes());
        let [low, high] = self.expectation.to_le_bytes();
        rest.copy_from_slice(&[low, high, self.outcome]);
        bytes
    }

    /// The sample of bytes; `None` if the board is not valid.
    pub fn from_bytes(bytes: &[u8; Sample::BYTES]) -> Option<Sample> {
        let (board, &[low, high, outcome]) = (bytes.first_chunk()?, bytes.last_chunk()?);
        let board = PackedPosition::from_bytes(*board)?;
        Some(Sample { board, expectation: u16::from_le_bytes([low, high]), outcome: outcome.min(NO_OUTCOME) })
    }

    /// Number of pieces.
    pub fn pieces(&self) -> usize {
        self.board.count()
    }

    /// The inputs of the network.
    pub fn inputs(&self) -> Inputs {
        let position = self.board.unpack();
        let mirror_balance = MirrorBalance::of(position.piece_squares());
        // The side to move is Red in a packed position.
        let input_buckets = Color::ALL.map(|color| InputBucket::new(color, position.king(color), mirror_balance));
        let mut inputs = Inputs {
            features: [[0; MAX_PIECES]; 2],
            pieces: 0,
            attacks: [[0; MAX_PIECES]; 2],
            attacked: 0,
            piece_square: PieceSquareSum::of(&position).tapered_score(Tapered::default()),
        };
        for piece in position.piece_squares() {
            for color in Color::ALL {
                let feature = input_buckets[color.index()].feature(color, piece);
                inputs.features[color.index()][inputs.pieces] = feature as u16;
            }
            inputs.pieces += 1;
        }
        position.for_each_attacked(position.occupied(), |attacked| {
            for color in Color::ALL {
                let feature = input_buckets[color.index()].attack_feature(color, attacked);
                inputs.attacks[color.index()][inputs.attacked] = feature as u16;
            }
            inputs.attacked += 1;
        });
        inputs
    }

    /// The expected score of the side to move by the searches, from 0 (loss) to 1 (win).
    pub fn searched(&self) -> f32 {
        f32::from(self.expectation) / EXPECTATION_ONE
    }

    /// The training target: the expected score of the side to move, from 0 (loss) to 1 (win). `wdl_weight` (lambda), from 0
    /// to 1, is the weight of the outcome, if it counts; the searches have the rest.
    pub fn target(&self, wdl_weight: f32) -> f32 {
        if self.outcome == NO_OUTCOME {
            return self.searched();
        }
        wdl_weight * f32::from(self.outcome) / 2.0 + (1.0 - wdl_weight) * self.searched()
    }
}

/// The inputs of the network for a sample.
pub struct Inputs {
    /// Active features for the perspectives of the side to move and of the other side, as many as pieces.
    features: [[u16; MAX_PIECES]; 2],
    pieces: usize,
    /// The same of the attack features, as many as attacked pieces.
    attacks: [[u16; MAX_PIECES]; 2],
    attacked: usize,
    /// Piece-square score for the side to move, in engine units.
    piece_square: Score,
}

impl Inputs {
    /// Active features for the perspectives of the side to move and of the other side.
    pub fn features(&self) -> [&[u16]; 2] {
        self.features.each_ref().map(|features| &features[..self.pieces])
    }

    /// Active attack features for the perspectives of the side to move and of the other side.
    pub fn attacks(&self) -> [&[u16]; 2] {
        self.attacks.each_ref().map(|attacks| &attacks[..self.attacked])
    }

    /// The piece-square score for the side to move, in units of the network's output ([`SCALE`] engine units).
    pub fn piece_square(&self) -> f32 {
        self.piece_square as f32 / SCALE as f32
    }

    /// The output bucket.
    pub fn output_bucket(&self) -> usize {
        output_bucket(self.pieces)
    }

    /// The static score of the side to move by a quantised network, in engine units.
    pub fn static_score(&self, network: &Network) -> Score {
        let kernel = Kernel::best();
        let accumulators = self.features().map(|features| {
            let mut accumulator = Vector::ZERO;
            kernel.update(&mut accumulator, &network.feature_bias, &network.feature_weights, features, &[]);
            accumulator
        });
        network.evaluate(kernel, accumulators.each_ref(), self.attacks(), self.pieces as u32) + self.piece_square
    }
}

/// How the training samples of a game are made.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// By which scores become expected scores.
    pub loss: Loss,
    /// λ, from 0 to 1: the weight of the later searches in the target; see [`Extraction::extract`].
    pub td_lambda: f32,
    /// Outliers to leave out, if any.
    pub outliers: Option<Outliers>,
}

/// Samples whose score by the search and static score are far apart: what the search saw is beyond an evaluation, or
/// it is wrong.
#[derive(Clone, Debug)]
pub struct Outliers {
    /// Gives the static scores.
    pub network: Arc<Network>,
    /// The greatest difference that is no outlier, in engine units.
    pub max_difference: Score,
}

impl Outliers {
    /// Whether a sample with this score by the search is one.
    fn has(&self, sample: &Sample, score: Score) -> bool {
        score.abs_diff(sample.inputs().static_score(&self.network)) > self.max_difference.unsigned_abs()
    }
}

impl Extraction {
    /// Appends the training samples of a game. Their targets are those of temporal differences, TD(λ) (R. Sutton, "Learning
    /// to predict by the methods of temporal differences", 1988): the expected score by the search has the weight 1 − λ, and
    /// the target of the position two plies later, of the same side to move, has the rest. That of the next position would
    /// not do: a small search sees the side to move better off, by about the worth of a move. A position that was not
    /// searched (a random move was played there) or is decided by the rules of repetition ends the chain: targets before it
    /// do not depend on what follows. The outcome counts after the last random move.
    ///
    /// # Errors
    /// When a move of the game is not legal.
    pub fn extract(&self, game: &TrainingGame, samples: &mut Vec<Sample>) -> Result<(), GameError> {
        let first = samples.len();
        let mut plies = Vec::new();
        let mut targets = Vec::with_capacity(game.plies.len());
        let random = game.plies.iter().rposition(|ply| ply.score.is_none());
        game.replay(&mut |position, ply| {
            if let Some(score) = target_score(position, ply) {
                let outcome = Some(game.outcome).filter(|_| random.is_none_or(|random| targets.len() > random));
                let sample = Sample::new(position, 0.0, outcome);
                if !self.outliers.as_ref().is_some_and(|outliers| outliers.has(&sample, score)) {
                    samples.push(sample);
                    plies.push(targets.len());
                }
            }
            targets.push(search_score(position, ply).map(|score| self.loss.expectation(score as f32).0));
        })?;
        for ply in (2..targets.len()).rev() {
            if let (Some(searched), Some(_), Some(later)) = (targets[ply - 2], targets[ply - 1], targets[ply]) {
                targets[ply - 2] = Some((1.0 - self.td_lambda) * searched + self.td_lambda * later);
            }
        }
        for (sample, ply) in samples[first..].iter_mut().zip(plies) {
            let target = targets[ply].expect("invariant: a sample was searched");
            sample.expectation = (target * EXPECTATION_ONE).round() as u16;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;

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
                let one = Sample::new(&position, 0.4, Some(outcome));
                assert_eq!(one, Sample::new(&flipped, 0.4, Some(opposite)), "{fen}");
                assert_eq!(Sample::from_bytes(&one.to_bytes()), Some(one));
            }
            let mover_won = if position.side() == Color::Red { GameOutcome::Win } else { GameOutcome::Loss };
            let [with, without] = [Some(mover_won), None].map(|outcome| Sample::new(&position, 0.25, outcome));
            assert!((with.target(0.2) - 0.4).abs() < 1e-4 && (without.target(0.2) - 0.25).abs() < 1e-4);
        }
        let piece_square = |side: &str| {
            let ahead = position(&format!("3k5/9/9/9/p8/9/R8/9/9/4K4 {side}"));
            Sample::new(&ahead, 0.5, None).inputs().piece_square
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
        assert_eq!(of("3k5/4a4/9/9/9/9/9/9/9/4K4 w", "e0e1", Some(77)), None, "nobody has attacking pieces");
        assert_eq!(of(quiet, "a3a4", Some(30_950)), Some(1_500), "a far mate");
        assert_eq!(of(quiet, "a3a4", Some(-30_950)), Some(-1_500));
        assert_eq!(of(quiet, "a3a4", Some(31_490)), None, "a win by the rules of repetition");
        // The damping of 60 plies without a capture is undone.
        assert!(of("3k5/9/9/9/p8/9/R8/9/9/4K4 w - - 60 50", "a3a4", Some(77)).unwrap() > 77);
    }

    /// A game with these scores from the start position on, won by Red.
    fn game(scores: &[Option<i16>]) -> TrainingGame {
        let moves = ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4", "c6c5", "b0c2", "b9c7"];
        let plies = moves.into_iter().zip(scores).map(|(mv, &score)| ScoredMove { mv: mv.parse().unwrap(), score });
        TrainingGame { start: START_FEN.to_string(), outcome: GameOutcome::Win, plies: plies.collect() }
    }

    fn extracted(game: &TrainingGame, extraction: &Extraction) -> Vec<Sample> {
        let mut samples = Vec::new();
        extraction.extract(game, &mut samples).unwrap();
        samples
    }

    #[test]
    fn scores_of_later_positions_of_the_same_side_are_in_the_target() {
        for loss in [Loss::Logistic(400.0), Loss::WinDrawLoss] {
            let of = |score: f32| loss.expectation(score).0;
            let targets = |scores: &[Option<i16>], td_lambda| -> Vec<f32> {
                let samples = extracted(&game(scores), &Extraction { loss, td_lambda, outliers: None });
                samples.iter().map(Sample::searched).collect()
            };
            let check = |found: Vec<f32>, expected: &[f32]| {
                let is_close = |(found, expected): (&f32, &f32)| (found - expected).abs() < 2e-3;
                assert!(found.len() == expected.len() && found.iter().zip(expected).all(is_close), "{found:?}");
            };
            // The side to move sees itself 50 units better off than the other side sees it: no bias of either.
            let tempo = [Some(75), Some(-25), Some(75), Some(-25), Some(75), Some(-25)];
            for td_lambda in [0.0, 0.5, 1.0] {
                check(targets(&tempo, td_lambda), &[75.0, -25.0, 75.0, -25.0, 75.0, -25.0].map(of));
            }
            let scores = [100, -40, 60, -20, 10].map(Some);
            let (third, second) = ((of(60.0) + of(10.0)) / 2.0, (of(-40.0) + of(-20.0)) / 2.0);
            check(targets(&scores, 0.5), &[(of(100.0) + third) / 2.0, second, third, of(-20.0), of(10.0)]);
            check(targets(&scores, 1.0), &[10.0, -20.0, 10.0, -20.0, 10.0].map(of));
            // A random move ends the chains of both sides, and so does a win by repetition.
            for end in [None, Some(31_490)] {
                let scores = [Some(100), Some(-40), Some(60), end, Some(50), Some(-30), Some(20)];
                check(targets(&scores, 1.0), &[60.0, -40.0, 60.0, 20.0, -30.0, 20.0].map(of));
            }
        }
    }

    #[test]
    fn outcomes_count_after_the_last_random_move() {
        let extraction = Extraction { loss: Loss::Logistic(400.0), td_lambda: 0.5, outliers: None };
        let samples = extracted(&game(&[Some(100), Some(-40), Some(60), None, Some(50), Some(31_490)]), &extraction);
        let outcomes: Vec<u8> = samples.iter().map(|sample| sample.outcome).collect();
        assert_eq!(outcomes, [NO_OUTCOME, NO_OUTCOME, NO_OUTCOME, 2]);
    }

    #[test]
    fn outliers_are_left_out() {
        let network = Network::built_in();
        let own = {
            let extraction = Extraction { loss: Loss::Logistic(400.0), td_lambda: 0.0, outliers: None };
            let samples = extracted(&game(&[Some(0); 3]), &extraction);
            samples.iter().map(|sample| sample.inputs().static_score(&network) as i16).collect::<Vec<_>>()
        };
        let scores = [Some(own[0] + 150), Some(own[1] - 250), Some(own[2] - 150)];
        let with = |max_difference| {
            let outliers = Some(Outliers { network: network.clone(), max_difference });
            extracted(&game(&scores), &Extraction { loss: Loss::Logistic(400.0), td_lambda: 1.0, outliers })
        };
        let (all, kept) = (with(300), with(200));
        // What is left out is part of the chains of those that stay.
        assert!(all.len() == 3 && kept == [all[0], all[2]]);
        assert_eq!(with(100), []);
    }
}
