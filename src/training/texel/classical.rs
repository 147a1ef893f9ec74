//! Texel tuning of the weights of the classical evaluation.

use super::{FeatureCounts, TaperedRegression, TaperedWeights, nonzero};
use crate::eval::classical_terms::{GROUPS, TERMS, count};
use crate::eval::piece_square::PieceSquareSum;
use crate::eval::tapered::Tapered;
use crate::position::Position;
use crate::types::Color;
use std::fmt::Write;

/// A regression of the weights of all terms on top of the piece-square tables, starting from 0.
pub(crate) fn regression() -> TaperedRegression {
    TaperedRegression::new(vec![[0.0; 2]; TERMS], features)
}

fn features(position: &Position) -> (f32, i32, FeatureCounts) {
    let piece_square = PieceSquareSum::of(position);
    let mut counts = [0i8; TERMS];
    count(position, Color::Red, |term| counts[term] += 1);
    count(position, Color::Black, |term| counts[term] -= 1);
    (piece_square.tapered_score(Tapered::default()) as f32, piece_square.phase(), nonzero(&counts))
}

/// The weights as lines of the table in `eval/classical.rs`.
pub(crate) fn to_source(weights: &TaperedWeights) -> String {
    let mut text = String::new();
    for group in GROUPS {
        let _ = writeln!(text, "    // {}", group.name);
        for line in weights[group.first..][..group.count].chunks(6) {
            let pairs =
                line.iter().map(|[early, late]| format!("s({}, {})", early.round() as i16, late.round() as i16));
            let _ = writeln!(text, "    {},", pairs.collect::<Vec<_>>().join(", "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::piece_square::piece_square_score;
    use crate::training::texel::tests::random_game;
    use crate::types::Score;

    /// The weight of a term in this test.
    fn weight(term: usize) -> i32 {
        (term as i32 * 37 + 11) % 81 - 40
    }

    fn score(position: &Position) -> Score {
        let mut score = piece_square_score(position);
        count(position, Color::Red, |term| score += weight(term));
        count(position, Color::Black, |term| score -= weight(term));
        score
    }

    #[test]
    fn weights_are_recovered_from_synthetic_scores() {
        let mut regression = regression();
        (0..60).for_each(|number| regression.add(&random_game(number, score), 0.0).unwrap());
        let mut losses = Vec::new();
        let weights = regression.fit(400, 1, &mut |loss| losses.push(loss));
        assert!(losses[399] < 0.02 * losses[0], "{} {}", losses[0], losses[399]);
        // A frequent term: cannon mobility of 8 squares.
        let term = GROUPS[1].first + 8;
        let [early, late] = weights[term];
        let phase = 0.7;
        let found = phase * early + (1.0 - phase) * late;
        assert!((found - weight(term) as f32).abs() < 20.0, "{early} {late}");
    }

    #[test]
    fn weights_are_printed_group_by_group() {
        let mut weights = vec![[0.0; 2]; TERMS];
        weights[1] = [1.4, -2.6];
        let text = to_source(&weights);
        assert!(text.starts_with("    // rook mobility\n    s(0, 0), s(1, -3), s(0, 0), "), "{text}");
        assert_eq!(text.matches("s(").count(), TERMS);
    }
}
