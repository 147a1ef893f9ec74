//! Draw offers and resignation.
//!
//! A wrong resignation loses a game and a wrong draw half a game; playing on costs only time. The conditions are
//! therefore strict:
//!
//! - **Resign** when each of the last four searches of this game reached the minimum depth and scored a loss by six
//!   minor pieces or more (or a mate), the opponent still has attacking pieces, and there was a capture in the last
//!   forty plies (otherwise the move limit may save the game).
//! - **Accept** a draw when the position is a draw by rule, when there was no capture for forty plies and the position
//!   is no better than level, or when it is worse by half a minor piece or more.
//! - **Offer** a draw when the position is a draw by rule, or when there was no capture for sixty plies and each of the
//!   last eight searches scored the position as level.
//!
//! "Level" and "worse" are relative to the contempt (`style`).
//!
//! The protocols do not identify games. A search belongs to the same game as the previous one if its position follows
//! from that one by the move answered and one legal reply.

use crate::position::Position;
use crate::types::{Move, Score};

/// A draw offer or resignation sent with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Offer a draw, or accept the one offered.
    Draw,
    /// Resign the game.
    Resign,
}

/// Maximum score to resign, in engine units: six minor pieces down.
const RESIGN_SCORE: Score = -2400;
/// Consecutive lost searches required to resign.
const RESIGN_AFTER: usize = 4;
/// Minimum completed depth, in plies, of the searches that decide.
pub(super) const MIN_DEPTH: u32 = 6;
/// Plies without a capture after which there is no progress.
const STALLED_PLIES: u32 = 40;
/// Maximum score, in engine units, to accept a draw in any position: half a minor piece down.
const ACCEPT_SCORE: Score = -200;
/// Plies without a capture after which a draw is offered in a level position.
const DEAD_PLIES: u32 = 60;
/// Maximum absolute score of a level position: less than a tenth of the score with 50% wins, and within the variation
/// between depths.
const LEVEL_SCORE: Score = 24;
/// Consecutive level searches required to offer a draw.
const OFFER_AFTER: usize = 8;

/// Result of one search of the game.
#[derive(Clone, Copy, Debug)]
struct ScoreRecord {
    score: Score,
    draw: Score,
    depth: u32,
}

impl ScoreRecord {
    /// Whether the score is level, and not better than a draw.
    fn is_level(&self) -> bool {
        self.score.abs() <= LEVEL_SCORE + self.draw.abs() && self.score - self.draw <= LEVEL_SCORE
    }
}

/// Input of a decision besides the earlier searches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchSummary {
    /// The move about to be played.
    pub mv: Move,
    /// Its score, from the mover's point of view, in engine units.
    pub score: Score,
    /// Completed depth in plies; at least [`MIN_DEPTH`] of a level that searches no deeper, and of a decided score.
    pub depth: u32,
    /// Value of a draw, in engine units.
    pub draw: Score,
    /// Whether the position is a draw by rule.
    pub is_rule_draw: bool,
    /// Whether the opponent offers a draw.
    pub draw_offered: bool,
}

/// The searches of the current game.
#[derive(Clone, Default)]
pub(crate) struct OfferTracker {
    history: Vec<ScoreRecord>,
    /// The position after the last answer's move.
    expected: Option<Position>,
}

impl OfferTracker {
    /// Starts a new game.
    pub(crate) fn clear(&mut self) {
        *self = OfferTracker::default();
    }

    /// Records the search of `position` and decides on an offer.
    pub(crate) fn decide(&mut self, position: &Position, summary: SearchSummary) -> Option<Offer> {
        if !self.expected.as_ref().is_some_and(|expected| is_reply(expected, position)) {
            self.history.clear();
        }
        self.history.push(ScoreRecord { score: summary.score, draw: summary.draw, depth: summary.depth });
        self.expected = Some(position.after(summary.mv));

        if summary.is_rule_draw || summary.draw_offered && accepts(position.quiet_plies(), summary) {
            Some(Offer::Draw)
        } else if self.is_lost(position) {
            Some(Offer::Resign)
        } else if self.should_offer_draw(position) {
            Some(Offer::Draw)
        } else {
            None
        }
    }

    /// Whether there are at least `count` records and the last `count` satisfy `test`.
    fn last_all(&self, count: usize, test: impl Fn(&ScoreRecord) -> bool) -> bool {
        self.history.len() >= count && self.history.iter().rev().take(count).all(test)
    }

    fn is_lost(&self, position: &Position) -> bool {
        position.has_attacking_pieces(!position.side())
            && position.quiet_plies() < STALLED_PLIES
            && self.last_all(RESIGN_AFTER, |record| record.score <= RESIGN_SCORE && record.depth >= MIN_DEPTH)
    }

    fn should_offer_draw(&self, position: &Position) -> bool {
        position.quiet_plies() >= DEAD_PLIES
            && self.last_all(OFFER_AFTER, |record| record.is_level() && record.depth >= MIN_DEPTH)
    }
}

/// Whether `next` follows from `position` by one legal move.
fn is_reply(position: &Position, next: &Position) -> bool {
    let mut reply = position.clone();
    position.legal_moves().iter().any(|mv| {
        reply.make(mv);
        let is_next = reply.key() == next.key();
        reply.undo();
        is_next
    })
}

/// Whether to accept a draw offered after `quiet_plies` plies without a capture.
fn accepts(quiet_plies: u32, summary: SearchSummary) -> bool {
    let better = summary.score - summary.draw;
    let is_stalled = quiet_plies >= STALLED_PLIES && better <= LEVEL_SCORE;
    summary.depth >= MIN_DEPTH && (is_stalled || better <= ACCEPT_SCORE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::mated_in;

    /// An ending with a rook each, in which only the kings move.
    const ENDING: &str = "4k4/9/9/9/r8/9/8R/9/9/3K5 w - - ";

    /// The decisions in a game in which Red's searches return these scores.
    fn game(quiet_plies: u32, depth: u32, scores: &[Score], draw_offered: bool) -> Vec<Option<Offer>> {
        styled_game(0, quiet_plies, depth, scores, draw_offered)
    }

    /// The same with `draw` as the value of a draw.
    fn styled_game(
        draw: Score,
        quiet_plies: u32,
        depth: u32,
        scores: &[Score],
        draw_offered: bool,
    ) -> Vec<Option<Offer>> {
        let mut position = Position::from_fen(&format!("{ENDING}{quiet_plies} 1")).unwrap();
        let mut offers = OfferTracker::default();
        let mut decisions = Vec::new();
        for (index, &score) in scores.iter().enumerate() {
            let [mine, theirs] = [["d0d1", "e9e8"], ["d1d0", "e8e9"]][index % 2].map(|text| text.parse().unwrap());
            decisions.push(
                offers.decide(
                    &position,
                    SearchSummary { mv: mine, score, depth, draw, is_rule_draw: false, draw_offered },
                ),
            );
            position.make(mine);
            position.make(theirs);
        }
        decisions
    }

    #[test]
    fn resigns_only_after_four_lost_searches_in_a_row() {
        let lost = Some(Offer::Resign);
        assert_eq!(game(0, 10, &[-2500, -2400, mated_in(8), -3000, -2500], false), [None, None, None, lost, lost]);
        assert_eq!(game(0, 10, &[-2500, -2500, -2500, -2399, -2500, -2500], false), [None; 6]);
        assert_eq!(game(0, 5, &[-3000; 6], false), [None; 6], "below the minimum depth");
        assert_eq!(game(40, 10, &[-3000; 6], false), [None; 6], "the move limit is near");
        assert_eq!(game(0, 10, &[3000; 6], false), [None; 6]);
    }

    #[test]
    fn searches_of_other_games_are_ignored() {
        let position = Position::from_fen(&format!("{ENDING}0 1")).unwrap();
        let summary = SearchSummary {
            mv: "d0d1".parse().unwrap(),
            score: -9000,
            depth: 20,
            draw: 0,
            is_rule_draw: false,
            draw_offered: false,
        };
        let mut offers = OfferTracker::default();
        for _ in 0..10 {
            assert_eq!(offers.decide(&position, summary), None, "the position does not follow from the last move");
        }
    }

    #[test]
    fn positions_without_move_history_continue_the_game() {
        let mut position = Position::from_fen(&format!("{ENDING}0 1")).unwrap();
        let mut offers = OfferTracker::default();
        let mut decisions = Vec::new();
        for [mine, theirs] in [["d0d1", "e9e8"], ["d1d0", "e8e9"], ["d0d1", "e9e8"], ["d1d0", "e8e9"]] {
            let summary = SearchSummary {
                mv: mine.parse().unwrap(),
                score: -9000,
                depth: 20,
                draw: 0,
                is_rule_draw: false,
                draw_offered: false,
            };
            decisions.push(offers.decide(&position, summary));
            position.make(mine.parse().unwrap());
            position.make(theirs.parse().unwrap());
            position = Position::from_fen(&position.to_fen()).unwrap();
        }
        assert_eq!(decisions, [None, None, None, Some(Offer::Resign)]);
    }

    #[test]
    fn accepts_a_draw_when_stalled_or_worse() {
        let draw = Some(Offer::Draw);
        assert_eq!(game(0, 10, &[0, -199, -200, 50], true), [None, None, draw, None]);
        assert_eq!(game(40, 10, &[0, -20, -199, 24, 25, 300], true), [draw, draw, draw, draw, None, None]);
        assert_eq!(game(0, 10, &[-5000; 5], true), [draw; 5], "a draw is accepted before resigning");
        assert_eq!(game(40, 5, &[0, -500], true), [None, None], "below the minimum depth");
    }

    #[test]
    fn offers_a_draw_after_eight_level_searches() {
        let draw = Some(Offer::Draw);
        let mut expected = [None; 9];
        expected[7..].fill(draw);
        assert_eq!(game(60, 10, &[0, 24, -24, 3, 0, 0, 0, 0, 0], false), expected);
        assert_eq!(game(60, 10, &[0, 25, -10, 3, 0, 0, 0, 0], false), [None; 8]);
        assert_eq!(game(40, 10, &[0; 8], false), [None; 8]);
    }

    #[test]
    fn rule_draw_is_offered_at_once() {
        let position = Position::from_fen("2bak4/9/9/9/9/9/9/4B4/9/4KAB2 w - - 2 1").unwrap();
        for draw_offered in [false, true] {
            let summary = SearchSummary {
                mv: "e0e1".parse().unwrap(),
                score: 0,
                depth: 3,
                draw: 0,
                is_rule_draw: true,
                draw_offered,
            };
            assert_eq!(OfferTracker::default().decide(&position, summary), Some(Offer::Draw));
        }
    }

    #[test]
    fn level_score_is_relative_to_contempt() {
        let draw = Some(Offer::Draw);
        let (solid, risky) = (48, -48);
        assert_eq!(styled_game(solid, 40, 10, &[0, 48, 72, 73], true), [draw, draw, draw, None]);
        assert_eq!(styled_game(risky, 40, 10, &[0, -20, -24, -48], true), [None, None, draw, draw]);
        assert_eq!(styled_game(solid, 60, 10, &[0; 8], false)[7], draw);
        assert_eq!(styled_game(risky, 60, 10, &[0; 8], false)[7], None);
        assert_eq!(styled_game(risky, 60, 10, &[-48; 8], false)[7], draw);
    }
}
