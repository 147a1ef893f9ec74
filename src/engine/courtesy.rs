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
pub enum Courtesy {
    /// Offer a draw, or accept the one offered.
    Draw,
    /// Give the game up.
    Resign,
}

/// Lost, in engine units: six minor pieces.
const HOPELESS: Score = -2400;
/// Searches in a row that must have found the game lost.
const RESIGN_AFTER: usize = 4;
/// Plies a search must have completed for its word on a lost game, or on a draw, to count.
const LEAST_DEPTH: u32 = 6;
/// Plies without a capture after which a position makes no progress.
const STALLED: u32 = 40;
/// Worse than the opponent for certain: a draw is welcome.
const WORSE: Score = -200;
/// Plies without a capture after which a level position is dead.
const DEAD: u32 = 60;
/// Level, to either side: less than a tenth of what makes a win as likely as not; scores swing by that with the depth.
const LEVEL: Score = 24;
/// Searches in a row that must have found the position level.
const OFFER_AFTER: usize = 8;

/// What one search of the game found.
#[derive(Clone, Copy, Debug)]
struct Finding {
    score: Score,
    draw: Score,
    depth: u32,
}

impl Finding {
    /// Whether neither side is better, and a draw is no loss.
    fn is_level(&self) -> bool {
        self.score.abs() <= LEVEL + self.draw.abs() && self.score - self.draw <= LEVEL
    }
}

/// What a decision rests on besides the game's past.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The move about to be played.
    pub mv: Move,
    /// Its score, from the mover's point of view, in engine units.
    pub score: Score,
    /// Plies completed.
    pub depth: u32,
    /// What a draw would be worth.
    pub draw: Score,
    /// Whether the position is drawn by the rules.
    pub is_dead: bool,
    /// Whether the opponent offers one.
    pub draw_offered: bool,
}

/// The searches of the present game.
#[derive(Clone, Default)]
pub struct Manners {
    findings: Vec<Finding>,
    /// The position after the last move answered.
    expected: Option<Position>,
}

impl Manners {
    /// Forgets the game.
    pub fn clear(&mut self) {
        *self = Manners::default();
    }

    /// Notes what was found in `position` and says what to add to the move.
    pub fn decide(&mut self, position: &Position, found: Found) -> Option<Courtesy> {
        if !self.expected.as_ref().is_some_and(|expected| is_reply(expected, position)) {
            self.findings.clear();
        }
        self.findings.push(Finding { score: found.score, draw: found.draw, depth: found.depth });
        let mut after = position.clone();
        after.make(found.mv, &mut ());
        self.expected = Some(after);

        if found.is_dead || found.draw_offered && accepts(position.quiet_plies(), found) {
            Some(Courtesy::Draw)
        } else if self.is_lost(position) {
            Some(Courtesy::Resign)
        } else if self.is_dead(position) {
            Some(Courtesy::Draw)
        } else {
            None
        }
    }

    /// Whether the last `count` findings all satisfy `test`.
    fn last_all(&self, count: usize, test: impl Fn(&Finding) -> bool) -> bool {
        self.findings.len() >= count && self.findings.iter().rev().take(count).all(test)
    }

    fn is_lost(&self, position: &Position) -> bool {
        position.has_attackers(!position.side())
            && position.quiet_plies() < STALLED
            && self.last_all(RESIGN_AFTER, |finding| finding.score <= HOPELESS && finding.depth >= LEAST_DEPTH)
    }

    fn is_dead(&self, position: &Position) -> bool {
        position.quiet_plies() >= DEAD
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
fn accepts(quiet_plies: u32, found: Found) -> bool {
    let better = found.score - found.draw;
    let is_stalled = quiet_plies >= STALLED && better <= LEVEL;
    found.depth >= LEAST_DEPTH && (is_stalled || better <= WORSE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::mated_in;

    /// Kings shuffle on a board where each side has a rook.
    const ENDING: &str = "4k4/9/9/9/r8/9/8R/9/9/3K5 w - - ";

    /// A game in which Red's searches find these scores, the kings moving to and fro; what was said each time.
    fn game(quiet_plies: u32, depth: u32, scores: &[Score], draw_offered: bool) -> Vec<Option<Courtesy>> {
        styled_game(0, quiet_plies, depth, scores, draw_offered)
    }

    /// The same when a draw is worth `draw`.
    fn styled_game(
        draw: Score,
        quiet_plies: u32,
        depth: u32,
        scores: &[Score],
        draw_offered: bool,
    ) -> Vec<Option<Courtesy>> {
        let mut position = Position::from_fen(&format!("{ENDING}{quiet_plies} 1")).unwrap();
        let mut manners = Manners::default();
        let mut said = Vec::new();
        for (index, &score) in scores.iter().enumerate() {
            let [mine, theirs] = [["d0d1", "e9e8"], ["d1d0", "e8e9"]][index % 2].map(|text| text.parse().unwrap());
            said.push(manners.decide(&position, Found { mv: mine, score, depth, draw, is_dead: false, draw_offered }));
            position.make(mine, &mut ());
            position.make(theirs, &mut ());
        }
        said
    }

    #[test]
    fn resigns_only_after_four_lost_searches_in_a_row() {
        let lost = Some(Courtesy::Resign);
        assert_eq!(game(0, 10, &[-2500, -2400, mated_in(8), -3000, -2500], false), [None, None, None, lost, lost]);
        assert_eq!(game(0, 10, &[-2500, -2500, -2500, -2399, -2500, -2500], false), [None; 6]);
        assert_eq!(game(0, 5, &[-3000; 6], false), [None; 6], "too shallow to know");
        assert_eq!(game(40, 10, &[-3000; 6], false), [None; 6], "the move limit is near");
        assert_eq!(game(0, 10, &[3000; 6], false), [None; 6]);
    }

    #[test]
    fn searches_of_another_game_do_not_count() {
        let position = Position::from_fen(&format!("{ENDING}0 1")).unwrap();
        let found = Found {
            mv: "d0d1".parse().unwrap(),
            score: -9000,
            depth: 20,
            draw: 0,
            is_dead: false,
            draw_offered: false,
        };
        let mut manners = Manners::default();
        for _ in 0..10 {
            assert_eq!(manners.decide(&position, found), None, "the same position again is no reply to the move");
        }
    }

    #[test]
    fn a_game_goes_on_when_the_client_forgets_its_moves() {
        let mut position = Position::from_fen(&format!("{ENDING}0 1")).unwrap();
        let mut manners = Manners::default();
        let mut said = Vec::new();
        for [mine, theirs] in [["d0d1", "e9e8"], ["d1d0", "e8e9"], ["d0d1", "e9e8"], ["d1d0", "e8e9"]] {
            let found = Found {
                mv: mine.parse().unwrap(),
                score: -9000,
                depth: 20,
                draw: 0,
                is_dead: false,
                draw_offered: false,
            };
            said.push(manners.decide(&position, found));
            position.make(mine.parse().unwrap(), &mut ());
            position.make(theirs.parse().unwrap(), &mut ());
            position = Position::from_fen(&position.to_fen()).unwrap();
        }
        assert_eq!(said, [None, None, None, Some(Courtesy::Resign)]);
    }

    #[test]
    fn accepts_a_draw_when_stalled_or_worse() {
        let draw = Some(Courtesy::Draw);
        assert_eq!(game(0, 10, &[0, -199, -200, 50], true), [None, None, draw, None]);
        assert_eq!(game(40, 10, &[0, -20, -199, 24, 25, 300], true), [draw, draw, draw, draw, None, None]);
        assert_eq!(game(0, 10, &[-5000; 5], true), [draw; 5], "a draw is better than to resign");
        assert_eq!(game(40, 5, &[0, -500], true), [None, None], "too shallow to know");
    }

    #[test]
    fn offers_a_draw_when_dead_level_for_long() {
        let draw = Some(Courtesy::Draw);
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
            let found = Found { mv: "e0e1".parse().unwrap(), score: 0, depth: 3, draw: 0, is_dead: true, draw_offered };
            assert_eq!(Manners::default().decide(&position, found), Some(Courtesy::Draw));
        }
    }

    #[test]
    fn what_is_level_depends_on_the_style() {
        let draw = Some(Courtesy::Draw);
        let (solid, risky) = (48, -48);
        assert_eq!(styled_game(solid, 40, 10, &[0, 48, 72, 73], true), [draw, draw, draw, None]);
        assert_eq!(styled_game(risky, 40, 10, &[0, -20, -24, -48], true), [None, None, draw, draw]);
        assert_eq!(styled_game(solid, 60, 10, &[0; 8], false)[7], draw);
        assert_eq!(styled_game(risky, 60, 10, &[0; 8], false)[7], None);
        assert_eq!(styled_game(risky, 60, 10, &[-48; 8], false)[7], draw);
    }
}
