//! Scores as text, for people.

use super::language::Language;
use crate::display::units::mate_moves;
use crate::eval::wdl::centipawns;
use crate::types::Score;
use crate::types::score::{is_decided, plies_to_mate};

/// Columns of the longest text of a score.
pub(crate) const SCORE_WIDTH: usize = "loses by rule".len();

/// A score in pawns, normalised as [`centipawns`] (at +1.00 the side wins every second game); `#` and the full moves to
/// mate; or, of a game decided by the rules of repetition, that it is.
pub(crate) fn score_text(score: Score, language: Language) -> String {
    if plies_to_mate(score).is_some() {
        return format!("#{}", mate_moves(score));
    }
    match (is_decided(score), score > 0) {
        (false, _) => format!("{:+.2}", f64::from(centipawns(score)) / 100.0),
        (true, true) => language.pick("wins by rule", "按规则胜").to_string(),
        (true, false) => language.pick("loses by rule", "按规则负").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::wdl::EVEN_SCORE;
    use crate::types::score::{DECIDED_BOUND, TABLE_WIN_BY_RULE, WON_BY_RULE, mate_in, mated_in};

    #[test]
    fn scores_are_in_pawns_or_moves_to_mate_or_by_rule() {
        let text = |score| score_text(score, Language::English);
        let texts = [EVEN_SCORE, -EVEN_SCORE / 2, 0, mate_in(3), mated_in(4)].map(text);
        assert_eq!(texts, ["+1.00", "-0.50", "+0.00", "#2", "#-2"]);
        for score in [DECIDED_BOUND, TABLE_WIN_BY_RULE, WON_BY_RULE] {
            assert_eq!([score, -score].map(text), ["wins by rule", "loses by rule"], "{score}");
            assert_eq!(score_text(-score, Language::Chinese), "按规则负");
            assert!(text(-score).len() <= SCORE_WIDTH);
        }
        assert!(text(DECIDED_BOUND - 1).starts_with('+'));
    }
}
