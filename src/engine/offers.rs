//! Draws and resignations: what to add to a move.
//!
//! A wrong resignation loses a game and a wrong draw half of one, while playing on costs nothing but time: the rules
//! are made to be right far more often than wrong.
//!
//! - **Resign** when the last four searches of this game all found the game lost, by six minor pieces or a mate, each
//!   having looked deep enough to know, and the opponent still has men to win with and is making progress (a capture
//!   in the last forty plies: otherwise the move limit may yet save the game).
//! - **Accept** a draw when neither side can win any more, when nothing was captured for forty plies and the position is no better than level, or when it
//!   is worse by half a minor piece or more.
//! - **Offer** one when neither side can win any more, or when nothing was captured for sixty plies and the last eight searches all found the position level.
//!
//! What is level, and what worse, is measured by what a draw is worth to the player's style.
//!
//! A client names no game, so its searches are strung together here: a search belongs to the same game as the last one
//! if its position comes from that one by the move answered and one legal reply.

use crate::position::Position;
use crate::types::{Move, Score};

/// What is added to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Offer a draw, or accept the one offered.
    Draw,
    /// Give the game up.
    Resign,
}

/// Lost, in engine units: six minor pieces.
const RESIGN_SCORE: Score = -2400;
/// Searches in a row that must have found the game lost.
const RESIGN_AFTER: usize = 4;
/// Plies a search must have completed for its word on a lost game, or on a draw, to count.
const LEAST_DEPTH: u32 = 6;
/// Plies without a capture after which a position makes no progress.
const STALLED_PLIES: u32 = 40;
/// Worse than the opponent for certain: a draw is welcome.
const ACCEPT_SCORE: Score = -200;
/// Plies without a capture after which a level position is dead.
const DEAD_PLIES: u32 = 60;
/// Level, to either side: less than a tenth of what makes a win as likely as not; scores swing by that with the depth.
const LEVEL_SCORE: Score = 24;
/// Searches in a row that must have found the position level.
const OFFER_AFTER: usize = 8;

/// What one search of the game found.
#[derive(Clone, Copy, Debug)]
struct ScoreRecord {
    score: Score,
    draw: Score,
    depth: u32,
}

impl ScoreRecord {
    /// Whether neither side is better, and a draw is no loss.
    fn is_level(&self) -> bool {
        self.score.abs() <= LEVEL_SCORE + self.draw.abs() && self.score - self.draw <= LEVEL_SCORE
    }
}

/// What a decision rests on besides the game's past.
#[derive(Clone, Copy, Debug)]
pub struct SearchSummary {
    /// The move about to be played.
    pub mv: Move,
    /// Its score, from the mover's point of view, in engine units.
    pub score: Score,
    /// Plies completed.
    pub depth: u32,
    /// What a draw would be worth.
    pub draw: Score,
    /// Whether the position is drawn by the rules.
    pub is_rule_draw: bool,
    /// Whether the opponent offers one.
    pub draw_offered: bool,
}

/// The searches of the present game.
#[derive(Clone, Default)]
pub struct OfferTracker {
    history: Vec<ScoreRecord>,
    /// The position after the last move answered.
    expected: Option<Position>,
}

impl OfferTracker {
    /// Forgets the game.
    pub fn clear(&mut self) {
        *self = OfferTracker::default();
    }

    /// Notes what was found in `position` and says what to add to the move.
    pub fn decide(&mut self, position: &Position, summary: SearchSummary) -> Option<Offer> {
        if !self.expected.as_ref().is_some_and(|expected| is_reply(expected, position)) {
            self.history.clear();
        }
        self.history.push(ScoreRecord { score: summary.score, draw: summary.draw, depth: summary.depth });
        let mut after = position.clone();
        after.make(summary.mv, &mut ());
        self.expected = Some(after);

        if summary.is_rule_draw || summary.draw_offered && accepts(position.quiet_plies(), summary) {
            Some(Offer::Draw)
        } else if self.is_lost(position) {
            Some(Offer::Resign)
        } else if self.is_rule_draw(position) {
            Some(Offer::Draw)
        } else {
            None
        }
    }

    /// Whether the last `count` findings all satisfy `test`.
    fn last_all(&self, count: usize, test: impl Fn(&ScoreRecord) -> bool) -> bool {
        self.history.len() >= count && self.history.iter().rev().take(count).all(test)
    }

    fn is_lost(&self, position: &Position) -> bool {
        position.has_attacking_pieces(!position.side())
            && position.quiet_plies() < STALLED_PLIES
            && self.last_all(RESIGN_AFTER, |finding| finding.score <= RESIGN_SCORE && finding.depth >= LEAST_DEPTH)
    }

    fn is_rule_draw(&self, position: &Position) -> bool {
        position.quiet_plies() >= DEAD_PLIES
            && self.last_all(OFFER_AFTER, |finding| finding.is_level() && finding.depth >= LEAST_DEPTH)
    }
}

/// Whether `next` comes from `position` by one legal move.
fn is_reply(position: &Position, next: &Position) -> bool {
    let mut reply = position.clone();
    position.legal_moves().iter().any(|mv| {
        reply.make(mv, &mut ());
        let is_next = reply.key() == next.key();
        reply.undo(&mut ());
        is_next
    })
}

/// Whether to accept a draw after `quiet_plies` plies without a capture.
fn accepts(quiet_plies: u32, summary: SearchSummary) -> bool {
    let better = summary.score - summary.draw;
    let is_stalled = quiet_plies >= STALLED_PLIES && better <= LEVEL_SCORE;
    summary.depth >= LEAST_DEPTH && (is_stalled || better <= ACCEPT_SCORE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::mated_in;

    /// Kings shuffle on a board where each side has a rook.
    const ENDING: &str = "4k4/9/9/9/r8/9/8R/9/9/3K5 w - - ";

    /// A game in which Red's searches find these scores, the kings moving to and fro; what was said each time.
    fn game(quiet_plies: u32, depth: u32, scores: &[Score], draw_offered: bool) -> Vec<Option<Offer>> {
        styled_game(0, quiet_plies, depth, scores, draw_offered)
    }

    /// The same when a draw is worth `draw`.
    fn styled_game(
        draw: Score,
        quiet_plies: u32,
        depth: u32,
        scores: &[Score],
        draw_offered: bool,
    ) -> Vec<Option<Offer>> {
        let mut position = Position::from_fen(&format!("{ENDING}{quiet_plies} 1")).unwrap();
        let mut offers = OfferTracker::default();
        let mut said = Vec::new();
        for (index, &score) in scores.iter().enumerate() {
            let [mine, theirs] = [["d0d1", "e9e8"], ["d1d0", "e8e9"]][index % 2].map(|text| text.parse().unwrap());
            said.push(
                offers.decide(
                    &position,
                    SearchSummary { mv: mine, score, depth, draw, is_rule_draw: false, draw_offered },
                ),
            );
            position.make(mine, &mut ());
            position.make(theirs, &mut ());
        }
        said
    }

    #[test]
    fn resigns_only_after_four_lost_searches_in_a_row() {
        let lost = Some(Offer::Resign);
        assert_eq!(game(0, 10, &[-2500, -2400, mated_in(8), -3000, -2500], false), [None, None, None, lost, lost]);
        assert_eq!(game(0, 10, &[-2500, -2500, -2500, -2399, -2500, -2500], false), [None; 6]);
        assert_eq!(game(0, 5, &[-3000; 6], false), [None; 6], "too shallow to know");
        assert_eq!(game(40, 10, &[-3000; 6], false), [None; 6], "the move limit is near");
        assert_eq!(game(0, 10, &[3000; 6], false), [None; 6]);
    }

    #[test]
    fn searches_of_another_game_do_not_count() {
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
            assert_eq!(offers.decide(&position, summary), None, "the same position again is no reply to the move");
        }
    }

    #[test]
    fn a_game_goes_on_when_the_client_forgets_its_moves() {
        let mut position = Position::from_fen(&format!("{ENDING}0 1")).unwrap();
        let mut offers = OfferTracker::default();
        let mut said = Vec::new();
        for [mine, theirs] in [["d0d1", "e9e8"], ["d1d0", "e8e9"], ["d0d1", "e9e8"], ["d1d0", "e8e9"]] {
            let summary = SearchSummary {
                mv: mine.parse().unwrap(),
                score: -9000,
                depth: 20,
                draw: 0,
                is_rule_draw: false,
                draw_offered: false,
            };
            said.push(offers.decide(&position, summary));
            position.make(mine.parse().unwrap(), &mut ());
            position.make(theirs.parse().unwrap(), &mut ());
            position = Position::from_fen(&position.to_fen()).unwrap();
        }
        assert_eq!(said, [None, None, None, Some(Offer::Resign)]);
    }

    #[test]
    fn accepts_a_draw_when_stalled_or_worse() {
        let draw = Some(Offer::Draw);
        assert_eq!(game(0, 10, &[0, -199, -200, 50], true), [None, None, draw, None]);
        assert_eq!(game(40, 10, &[0, -20, -199, 24, 25, 300], true), [draw, draw, draw, draw, None, None]);
        assert_eq!(game(0, 10, &[-5000; 5], true), [draw; 5], "a draw is better than to resign");
        assert_eq!(game(40, 5, &[0, -500], true), [None, None], "too shallow to know");
    }

    #[test]
    fn offers_a_draw_when_dead_level_for_long() {
        let draw = Some(Offer::Draw);
        let mut expected = [None; 9];
        expected[7..].fill(draw);
        assert_eq!(game(60, 10, &[0, 24, -24, 3, 0, 0, 0, 0, 0], false), expected);
        assert_eq!(game(60, 10, &[0, 25, -10, 3, 0, 0, 0, 0], false), [None; 8]);
        assert_eq!(game(40, 10, &[0; 8], false), [None; 8]);
    }

    #[test]
    fn a_dead_position_is_a_draw_at_once() {
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
    fn what_is_level_depends_on_the_style() {
        let draw = Some(Offer::Draw);
        let (solid, risky) = (48, -48);
        assert_eq!(styled_game(solid, 40, 10, &[0, 48, 72, 73], true), [draw, draw, draw, None]);
        assert_eq!(styled_game(risky, 40, 10, &[0, -20, -24, -48], true), [None, None, draw, draw]);
        assert_eq!(styled_game(solid, 60, 10, &[0; 8], false)[7], draw);
        assert_eq!(styled_game(risky, 60, 10, &[0; 8], false)[7], None);
        assert_eq!(styled_game(risky, 60, 10, &[-48; 8], false)[7], draw);
    }
}
