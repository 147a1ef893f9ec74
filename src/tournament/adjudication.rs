//! The end of games by the engines' scores and by endgame tables.

use super::termination::{GameEnd, Termination};
use crate::display::language::Language;
use crate::display::table_value::table_value;
use crate::egtb::tables::Tables;
use crate::egtb::value::EndgameValue;
use crate::position::Position;
use crate::rules::Rules;
use crate::types::Color;

/// When a game counts as lost by its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResignRule {
    /// Number of moves of a side in a row,
    pub moves: u32,
    /// with a score this far below 0, in centipawns, or more.
    pub score: i32,
    /// Whether the opponent's scores must be as far above 0.
    pub is_two_sided: bool,
}

/// When a game counts as drawn by its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawRule {
    /// From this move on,
    pub from_move: u32,
    /// and after this number of plies without a capture,
    pub quiet_plies: u32,
    /// at the end of this number of moves of both sides in a row without a capture,
    pub moves: u32,
    /// with scores at most this far from 0, in centipawns.
    pub score: i32,
}

/// Adjudicates a game by the engines' scores.
#[derive(Clone, Debug)]
pub(crate) struct ScoreJudge {
    resign: Option<ResignRule>,
    draw: Option<DrawRule>,
    /// Moves in a row with a losing score, and with a winning one, of each side.
    losing: [u32; 2],
    winning: [u32; 2],
    /// Plies in a row with a level score.
    level: u32,
}

impl ScoreJudge {
    /// A judge at the start of a game.
    pub(crate) fn new(resign: Option<ResignRule>, draw: Option<DrawRule>) -> ScoreJudge {
        ScoreJudge { resign, draw, losing: [0; 2], winning: [0; 2], level: 0 }
    }

    /// Counts the score of a move of `side`, which was ply number `plies` of the game (from 1), the last of
    /// `quiet_plies` without a capture. Returns the end of the game if the scores decide it.
    pub(crate) fn add(&mut self, side: Color, score: Option<i32>, plies: usize, quiet_plies: u32) -> Option<GameEnd> {
        if let Some(rule) = self.resign {
            let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
            count(&mut self.losing[side.index()], score.is_some_and(|score| score <= -rule.score));
            count(&mut self.winning[side.index()], score.is_some_and(|score| score >= rule.score));
            let has_lost = |loser: &Color| {
                let agrees = !rule.is_two_sided || self.winning[(!*loser).index()] >= rule.moves;
                self.losing[loser.index()] >= rule.moves && agrees
            };
            if let Some(loser) = [side, !side].into_iter().find(has_lost) {
                return Some(GameEnd::won(!loser, Termination::ResignAdjudication, "adjudicated by the scores"));
            }
        }
        let rule = self.draw?;
        let is_quiet = quiet_plies >= rule.quiet_plies.max(1);
        let is_level = is_quiet && score.is_some_and(|score| score.abs() <= rule.score);
        self.level = if is_level { self.level + 1 } else { 0 };
        let is_drawn = plies >= 2 * rule.from_move as usize && self.level >= 2 * rule.moves;
        is_drawn.then(|| GameEnd::drawn(Termination::DrawAdjudication, "adjudicated by the scores"))
    }
}

/// The end of a game that the tables decide: a win that comes before the move limit, or a draw that the rules of repetition
/// cannot change.
pub(crate) fn by_tables(tables: &Tables, position: &Position, rules: &Rules) -> Option<GameEnd> {
    let probe = tables.probe(position)?;
    let side = position.side();
    let winner = match probe.value {
        EndgameValue::Win(_) | EndgameValue::WinByRule(_) => Some(side),
        EndgameValue::Loss(_) | EndgameValue::LossByRule(_) => Some(!side),
        EndgameValue::Draw => None,
    };
    let reason = format!("endgame table: {}", table_value(&probe, side, Language::English));
    match winner {
        Some(winner) => {
            let is_in_time = probe.value.min_plies() <= rules.move_limit.saturating_sub(position.quiet_plies());
            is_in_time.then(|| GameEnd::won(winner, Termination::TableAdjudication, &reason))
        }
        None => probe.is_exact.then(|| GameEnd::drawn(Termination::TableAdjudication, &reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::GameResult;

    #[test]
    fn scores_decide_after_moves_in_a_row() {
        let resign = ResignRule { moves: 2, score: 500, is_two_sided: false };
        let results = |resign, scores: &[i32]| -> Vec<Option<GameResult>> {
            let mut judge = ScoreJudge::new(Some(resign), None);
            let add = |(ply, &score): (usize, &i32)| {
                let side = Color::ALL[ply % 2];
                judge.add(side, Some(score), ply + 1, 1).map(|end| end.result)
            };
            scores.iter().enumerate().map(add).collect()
        };
        let black_wins = Some(GameResult::Won(Color::Black));
        assert_eq!(results(resign, &[-500, 0, -600]), [None, None, black_wins]);
        assert_eq!(results(resign, &[-500, 0, -499, 0, -500]), [None; 5]);
        let both = ResignRule { is_two_sided: true, ..resign };
        assert_eq!(results(both, &[-500, 0, -600, 700, -500, 700]), [None, None, None, None, None, black_wins]);
    }

    #[test]
    fn level_scores_without_captures_draw() {
        let rule = DrawRule { from_move: 2, quiet_plies: 0, moves: 1, score: 10 };
        let ends = |rule, scores: &[(i32, u32)]| -> Vec<bool> {
            let mut judge = ScoreJudge::new(None, Some(rule));
            let add = |(ply, &(score, quiet_plies)): (usize, &(i32, u32))| {
                judge.add(Color::ALL[ply % 2], Some(score), ply + 1, quiet_plies).is_some()
            };
            scores.iter().enumerate().map(add).collect()
        };
        assert_eq!(ends(rule, &[(0, 1), (10, 2), (-10, 3), (0, 4)]), [false, false, false, true]);
        assert_eq!(ends(rule, &[(0, 1), (0, 2), (0, 0), (0, 1), (0, 2)])[3..], [false, true]);
        let later = DrawRule { quiet_plies: 3, ..rule };
        assert_eq!(ends(later, &[(0, 1), (0, 2), (0, 3), (0, 4)]), [false, false, false, true]);
        assert_eq!(ends(later, &[(0, 1), (0, 2), (11, 3), (0, 4), (0, 5)])[3..], [false, true]);
    }

    #[test]
    fn tables_decide_within_the_move_limit() {
        let (tables, rules) = (Tables::built_in(), Rules::default());
        let end = |fen: &str| by_tables(&tables, &Position::from_fen(fen).unwrap(), &rules).map(|end| end.sentence);
        let mate = end("3k5/9/9/9/9/9/R8/9/4K4/9 w - - 0 1").unwrap();
        assert!(mate.starts_with("red wins: endgame table: "), "{mate}");
        // A win in 49 plies.
        assert!(end("4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 71 1").is_some());
        assert_eq!(end("4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 72 1"), None);
        let draw = end("2bak1b2/4a4/9/9/9/9/9/R8/9/4K4 w - - 0 1").unwrap();
        assert!(draw.starts_with("draw: endgame table: "), "{draw}");
    }
}
