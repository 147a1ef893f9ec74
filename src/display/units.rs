//! Conversions from engine units to the score units of the protocols.

use crate::cloud::answer;
use crate::engine::options::UCCI_POINT;
use crate::types::Score;
use crate::types::score::plies_to_mate;

/// UCCI score of a mate in 0 plies.
const UCCI_MATE: Score = 10_000;
/// Maximum UCCI score that is not a mate.
const UCCI_MAX_EVAL: Score = 8_999;

/// A score that is no mate in UCCI points, rounded towards 0.
pub const fn ucci_points(score: Score) -> Score {
    score / UCCI_POINT
}

/// A score as UCCI reports it: points, or ±(10,000 − plies to mate); of a game decided by the rules of repetition ±7,376
/// to ±7,625, which no evaluation reaches.
pub fn ucci_score(score: Score) -> Score {
    match plies_to_mate(score) {
        Some(plies) => score.signum() * (UCCI_MATE - plies as Score),
        None => ucci_points(score).clamp(-UCCI_MAX_EVAL, UCCI_MAX_EVAL),
    }
}

/// A score of the cloud book as UCCI reports it. Only mates differ: the cloud book counts their plies from
/// [`answer::MAX_SCORE`].
pub const fn ucci_cloud_score(score: i32) -> i32 {
    match cloud_mate_plies(score) {
        Some(plies) => score.signum() * (UCCI_MATE - plies),
        None => score,
    }
}

/// The full moves to the mate of a score of the cloud book, negative for the side that is mated; `None` if it is no mate.
pub const fn cloud_mate_moves(score: i32) -> Option<i32> {
    match cloud_mate_plies(score) {
        Some(plies) if score > 0 => Some((plies + 1) / 2),
        Some(plies) => Some(-(plies / 2)),
        None => None,
    }
}

/// The plies to the mate of a score of the cloud book.
const fn cloud_mate_plies(score: i32) -> Option<i32> {
    let plies = answer::MAX_SCORE - score.abs();
    if plies < UCCI_MATE { Some(plies) } else { None }
}

/// The full moves to the mate of a mate score, negative for the side that is mated.
pub const fn mate_moves(score: Score) -> i32 {
    let Some(plies) = plies_to_mate(score) else { return 0 };
    let plies = plies as i32;
    if score > 0 { (plies + 1) / 2 } else { -(plies / 2) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::wdl::centipawns;
    use crate::position::piece_value;
    use crate::types::PieceType;
    use crate::types::score::{DECIDED_BOUND, TABLE_WIN_BY_RULE, WON_BY_RULE, mate_in, mated_in};

    #[test]
    fn ucci_score_of_a_minor_piece_is_about_100_and_mates_count_plies() {
        for piece in [PieceType::Knight, PieceType::Cannon] {
            assert!((90..=110).contains(&ucci_score(piece_value(piece))), "{piece:?}");
        }
        assert_eq!([400, -403, 3, -3].map(ucci_score), [100, -100, 0, 0]);
        assert_eq!([mate_in(1), mated_in(0), mated_in(6)].map(ucci_score), [9_999, -10_000, -9_994]);
        assert!(ucci_score(30_000) <= 8_999 && ucci_score(-30_000) >= -8_999);
    }

    #[test]
    fn ucci_cloud_score_changes_mates_only() {
        assert_eq!([0, -50, 20_000].map(ucci_cloud_score), [0, -50, 20_000]);
        assert_eq!([30_000, 29_999, -29_994].map(ucci_cloud_score), [10_000, 9_999, -9_994]);
        let moves = [29_999, 29_997, -29_994, 20_000].map(cloud_mate_moves);
        assert_eq!(moves, [Some(1), Some(2), Some(-3), None]);
    }

    #[test]
    fn scores_by_rule_are_beyond_all_evaluations() {
        for score in [DECIDED_BOUND, TABLE_WIN_BY_RULE, WON_BY_RULE] {
            let [ucci, uci] = [ucci_score(score), centipawns(score)];
            assert!((7_376..=7_625).contains(&ucci) && (9_967..=10_304).contains(&uci), "{ucci} {uci}");
        }
    }

    #[test]
    fn mate_distance_is_in_full_moves() {
        assert_eq!([1, 2, 3, 5].map(|plies| mate_moves(mate_in(plies))), [1, 1, 2, 3]);
        assert_eq!([0, 2, 6].map(|plies| mate_moves(mated_in(plies))), [0, -1, -3]);
    }
}
