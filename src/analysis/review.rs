//! Looks a game over: evaluates every position of it, and finds the bad moves.

pub(crate) mod annotated_pgn;
pub(crate) mod class;
pub(crate) mod ending;
pub(crate) mod json;
mod line;
pub(crate) mod mate_pattern;
pub(crate) mod motif;
pub(crate) mod reason;
mod reason_text;

use super::positions::{AnalysisSettings, analyse};
use crate::book::ecco::{self, Opening};
use crate::eval::wdl::expected_points;
use crate::position::{Position, Replay, START_FEN};
use crate::rules::game_status::{GameStatus, OCCURRENCES, judge};
use crate::search::report::Iteration;
use crate::types::{Color, Move, Score};
use class::MoveClass;
use reason::{Explanation, Found};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Number of lines searched where a bad move was played.
const ALTERNATIVE_LINES: usize = 4;
/// How many times the nodes, or the time, of a search a reason must stand that is not proven.
const CONFIRMATION: u32 = 10;

/// A game that has been looked over.
#[derive(Clone)]
pub(crate) struct GameReview {
    /// Its positions, the first one included.
    pub positions: Vec<ReviewedPosition>,
    /// The opening, of a game from the start position.
    pub opening: Option<Opening>,
    /// The status at the end by the rules.
    pub status: GameStatus,
    /// The plies played when the rules ended the game, if they did.
    pub over_at: Option<usize>,
}

/// A position of a game.
#[derive(Clone)]
pub(crate) struct ReviewedPosition {
    /// The position, without the moves before it.
    pub position: Position,
    /// Red's score, in engine units; `None` if the search found none, or there is no legal move.
    pub score: Option<Score>,
    /// Red's expected points, 0 to 1.
    pub expected: f64,
    /// Whether they are known, by the search or the rules.
    pub is_known: bool,
    /// Depth of the search, in plies; 0 without one.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best line.
    pub best: Vec<Move>,
    /// Other moves that are about as good as the best one. Known only where the move played is bad.
    pub alternatives: Vec<Alternative>,
    /// Why the move played here is bad, if it is and that is certain.
    pub reason: Option<Explanation>,
    /// The move played here; `None` at the end.
    pub played: Option<ReviewedMove>,
}

/// A good move that was not played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Alternative {
    /// The move.
    pub mv: Move,
    /// The expected points that it loses, less than an inaccuracy does.
    pub loss: f64,
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReviewedMove {
    /// The move.
    pub mv: Move,
    /// The expected points that it loses for its side, 0 to 1.
    pub loss: f64,
    /// Its class.
    pub class: MoveClass,
}

impl ReviewedPosition {
    /// Whether the move played here is an inaccuracy or worse.
    pub(crate) fn has_bad_move(&self) -> bool {
        self.played.is_some_and(|played| played.class.mark().is_some())
    }

    fn found(&self) -> Found<'_> {
        Found { position: &self.position, score: self.score, best: &self.best }
    }
}

/// What [`review`] reports.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A number of positions will be searched besides those of the game.
    More(usize),
    /// A position was searched.
    Searched,
}

impl GameReview {
    /// The moves of a side, in order.
    pub(crate) fn moves(&self, side: Color) -> impl Iterator<Item = ReviewedMove> + '_ {
        self.positions.iter().filter(move |position| position.position.side() == side).filter_map(|it| it.played)
    }

    /// The accuracy of a side, 0 to 100; `None` if it had no choice.
    pub(crate) fn accuracy(&self, side: Color) -> Option<f64> {
        let own = self.positions.iter().filter(|it| it.position.side() == side);
        let played = own.filter_map(|it| Some((it.played?, it.expected)));
        let counted: Vec<_> = played.filter(|(mv, _)| mv.class.counts()).map(|(mv, it)| (mv.loss, it)).collect();
        class::accuracy(&counted)
    }

    /// The number of moves of a side in a class.
    pub(crate) fn count(&self, side: Color, class: MoveClass) -> usize {
        self.moves(side).filter(|mv| mv.class == class).count()
    }
}

/// Looks over the game of `moves`, legal ones, from `start`, and reports the progress.
///
/// Every position is searched. Where the move played seems worse than the best one, the position after the best one is
/// searched too, so that both are compared at equal depths. Where it is bad, the position is searched once more, for several
/// moves (MultiPV).
///
/// # Errors
/// When there is not enough memory for the hash tables: their total size in megabytes.
pub(crate) fn review(
    start: &Position,
    moves: &[Move],
    settings: &AnalysisSettings,
    progress: &mut dyn FnMut(Step),
) -> Result<GameReview, usize> {
    let rules = &settings.limits.settings.rules;
    let (mut status, mut over_at) = (GameStatus::Ongoing, None);
    for (plies, (position, played)) in Replay::new(start.clone(), moves.to_vec()).enumerate() {
        if over_at.is_none() || played.is_none() {
            status = judge(&position, rules, OCCURRENCES);
            over_at = over_at.or((status != GameStatus::Ongoing).then_some(plies));
        }
    }
    let mut positions = classified_positions(start, moves, &status, settings, progress)?;
    find_alternatives(start, &mut positions, moves, settings, progress)?;
    explain(start, &mut positions, moves, &status, settings, progress)?;
    let opening = Some(start).filter(|start| start.to_fen() == START_FEN).and_then(|_| ecco::opening(moves));
    Ok(GameReview { positions, opening, status, over_at })
}

/// The moves of a game with their losses and classes, without reasons and alternatives.
///
/// # Errors
/// As [`review`].
pub(crate) fn reviewed_moves(
    start: &Position,
    moves: &[Move],
    settings: &AnalysisSettings,
) -> Result<Vec<ReviewedMove>, usize> {
    let positions = classified_positions(start, moves, &GameStatus::Ongoing, settings, &mut |_| {})?;
    Ok(positions.iter().filter_map(|it| it.played).collect())
}

/// The positions of a game with this status at the end, searched, and its moves with their losses and classes.
fn classified_positions(
    start: &Position,
    moves: &[Move],
    status: &GameStatus,
    settings: &AnalysisSettings,
    progress: &mut dyn FnMut(Step),
) -> Result<Vec<ReviewedPosition>, usize> {
    let mut positions = Vec::new();
    let replay = Replay::new(start.clone(), moves.to_vec());
    search_all(replay.map(|(position, _)| position), settings, &mut |position| {
        positions.push(position);
        progress(Step::Searched);
    })?;
    let last = positions.last_mut().expect("invariant: a game has a position");
    if let Some(points) = points(status) {
        (last.expected, last.is_known) = (points, true);
    }
    classify(start, &mut positions, moves, settings, progress)?;
    Ok(positions)
}

/// Red's points in a game that is over.
fn points(status: &GameStatus) -> Option<f64> {
    match status {
        GameStatus::Ongoing => None,
        GameStatus::Won { winner, .. } => Some(if *winner == Color::Red { 1.0 } else { 0.0 }),
        GameStatus::Drawn(_) => Some(0.5),
    }
}

/// Searches positions and calls `done` with them in order.
fn search_all(
    positions: impl Iterator<Item = Position> + Send + 'static,
    settings: &AnalysisSettings,
    done: &mut dyn FnMut(ReviewedPosition),
) -> Result<(), usize> {
    let answer = |position: Position, search: &mut dyn FnMut(&Position) -> Option<Iteration>| {
        searched_position(&position, search(&position))
    };
    analyse(positions, settings, answer, &mut |position| {
        done(position);
        ControlFlow::Continue(())
    })
}

fn searched_position(position: &Position, iteration: Option<Iteration>) -> ReviewedPosition {
    let line = iteration.as_ref().and_then(|iteration| iteration.lines.first());
    let score = line.map(|line| line.score * position.side().sign());
    // Without a legal move the side to move has lost.
    let lost = if position.side() == Color::Red { 0.0 } else { 1.0 };
    ReviewedPosition {
        position: position.without_history(),
        score,
        expected: score.map_or(if iteration.is_none() { lost } else { 0.5 }, expected_points),
        is_known: score.is_some() || iteration.is_none(),
        depth: iteration.as_ref().map_or(0, Iteration::depth),
        nodes: iteration.as_ref().map_or(0, |iteration| iteration.nodes),
        best: line.map_or(Vec::new(), |line| line.pv.clone()),
        alternatives: Vec::new(),
        reason: None,
        played: None,
    }
}

/// Sets the moves played, with their losses and classes.
fn classify(
    start: &Position,
    positions: &mut [ReviewedPosition],
    moves: &[Move],
    settings: &AnalysisSettings,
    progress: &mut dyn FnMut(Step),
) -> Result<(), usize> {
    let mut doubtful = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let played = classified(&positions[index], &positions[index + 1], mv);
        if played.class.mark().is_some() && !positions[index].best.is_empty() {
            doubtful.push(index);
        }
        positions[index].played = Some(played);
    }
    progress(Step::More(doubtful.len()));
    let best: HashMap<usize, Move> = doubtful.iter().map(|&index| (index, positions[index].best[0])).collect();
    let better = Replay::new(start.clone(), moves.to_vec()).enumerate();
    let better = better.filter_map(move |(index, (position, _))| Some(position.after(*best.get(&index)?)));
    let mut doubtful = doubtful.into_iter();
    search_all(better, settings, &mut |better| {
        progress(Step::Searched);
        let index = doubtful.next().expect("invariant: there is a position for each doubtful move");
        if !better.is_known {
            return;
        }
        let loss = loss(better.expected, positions[index + 1].expected, positions[index].position.side());
        positions[index].played = Some(ReviewedMove { mv: moves[index], loss, class: MoveClass::of_loss(loss) });
    })
}

/// Sets the alternatives where a bad move was played.
fn find_alternatives(
    start: &Position,
    positions: &mut [ReviewedPosition],
    moves: &[Move],
    settings: &AnalysisSettings,
    progress: &mut dyn FnMut(Step),
) -> Result<(), usize> {
    let bad: Vec<usize> = (0..positions.len()).filter(|&index| positions[index].has_bad_move()).collect();
    progress(Step::More(bad.len()));
    let mut settings = settings.clone();
    settings.limits.settings.lines = ALTERNATIVE_LINES;
    let mut wanted = bad.clone().into_iter().peekable();
    let replay = Replay::new(start.clone(), moves.to_vec()).enumerate();
    let tasks = replay.filter_map(move |(index, (position, _))| wanted.next_if_eq(&index).map(|_| position));
    let answer = |position: Position, search: &mut dyn FnMut(&Position) -> Option<Iteration>| {
        let lines = search(&position).map_or(Vec::new(), |iteration| iteration.lines);
        let best = lines.first().map_or(0.0, |line| expected_points(line.score));
        let moves = lines.iter().filter_map(|line| Some((*line.pv.first()?, best - expected_points(line.score))));
        moves.map(|(mv, loss)| Alternative { mv, loss: loss.max(0.0) }).collect::<Vec<_>>()
    };
    let mut bad = bad.into_iter();
    analyse(tasks, &settings, answer, &mut |alternatives| {
        progress(Step::Searched);
        let position = &mut positions[bad.next().expect("invariant: there is an answer for each bad move")];
        let is_other = |mv| position.best.first() != Some(&mv) && position.played.is_none_or(|played| played.mv != mv);
        let is_good = |it: &Alternative| MoveClass::of_loss(it.loss) == MoveClass::Good && is_other(it.mv);
        position.alternatives = alternatives.into_iter().filter(is_good).collect();
        ControlFlow::Continue(())
    })
}

/// Sets the reasons of the bad moves. Where one is not proven, the lines that show it are searched for longer, and what those
/// show is the reason.
fn explain(
    start: &Position,
    positions: &mut [ReviewedPosition],
    moves: &[Move],
    status: &GameStatus,
    settings: &AnalysisSettings,
    progress: &mut dyn FnMut(Step),
) -> Result<(), usize> {
    let tables = settings.limits.settings.tables.as_deref();
    let end = |index| if index + 1 == moves.len() { status } else { &GameStatus::Ongoing };
    let (mut doubtful, mut searched) = (Vec::new(), Vec::new());
    for (index, (position, _)) in Replay::new(start.clone(), moves.to_vec()).enumerate().take(moves.len()) {
        if !positions[index].has_bad_move() {
            continue;
        }
        let around = [index, index + 1].map(|index| positions[index].found());
        let found = reason::explain(&position, moves[index], around, end(index), tables);
        match found {
            Some(it) if !it.reason.is_proven() && end(index) == &GameStatus::Ongoing => {
                // What the better move wins is missed only if the move played does not win it.
                let both = [position.clone(), position.after(moves[index])];
                searched.extend(both.into_iter().skip(usize::from(it.is_after)));
                doubtful.push((index, position, it));
            }
            found => positions[index].reason = found,
        }
    }
    progress(Step::More(searched.len()));
    let mut longer = Vec::new();
    search_all(searched.into_iter(), &settings.longer(CONFIRMATION), &mut |position| {
        progress(Step::Searched);
        longer.push(position);
    })?;
    let mut longer = longer.iter();
    let mut next = || longer.next().expect("invariant: there is a search for each position").found();
    for (index, position, it) in doubtful {
        let before = if it.is_after { positions[index].found() } else { next() };
        let found = reason::explain(&position, moves[index], [before, next()], end(index), tables);
        positions[index].reason = found.filter(|found| found.is_after == it.is_after);
    }
    Ok(())
}

/// The move from `before` to `next`, by what their searches found.
fn classified(before: &ReviewedPosition, next: &ReviewedPosition, mv: Move) -> ReviewedMove {
    let (loss, class) = if before.position.legal_moves().len() == 1 {
        (0.0, MoveClass::Forced)
    } else if before.best.first() == Some(&mv) {
        (0.0, MoveClass::Best)
    } else if before.is_known && next.is_known {
        let loss = loss(before.expected, next.expected, before.position.side());
        (loss, MoveClass::of_loss(loss))
    } else {
        (0.0, MoveClass::Unknown)
    };
    ReviewedMove { mv, loss, class }
}

/// The points that a side loses between two expectations of Red, at least 0.
fn loss(best: f64, played: f64, side: Color) -> f64 {
    ((best - played) * f64::from(side.sign())).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_next_to_a_position_without_a_score_loses_nothing() {
        let reviewed = |position: Position, expected, is_known| ReviewedPosition {
            position,
            score: None,
            expected,
            is_known,
            depth: 0,
            nodes: 0,
            best: Vec::new(),
            alternatives: Vec::new(),
            reason: None,
            played: None,
        };
        let mv = "h2e2".parse().unwrap();
        let class = |before_is_known, next_is_known| {
            let before = reviewed(Position::start(), 0.8, before_is_known);
            let next = reviewed(before.position.after(mv), 0.5, next_is_known);
            let ReviewedMove { loss, class, .. } = classified(&before, &next, mv);
            (loss > 0.0, class)
        };
        assert_eq!(class(true, true), (true, MoveClass::Blunder));
        for (before, next) in [(false, true), (true, false), (false, false)] {
            assert_eq!(class(before, next), (false, MoveClass::Unknown));
        }
    }
}
