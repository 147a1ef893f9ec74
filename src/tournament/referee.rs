//! Plays a game between two engines by the rules.

use super::adjudication::{DrawRule, ResignRule, ScoreJudge, by_tables};
use super::engine_error::EngineError;
use super::match_clock::MatchClock;
use super::match_engine::{MatchEngine, Turn};
use super::opening_suite::SuiteOpening;
use super::played_game::PlayedMove;
use super::termination::{GameEnd, Termination};
use crate::egtb::tables::Tables;
use crate::games::setup::legal_move;
use crate::notation::Ranks;
use crate::position::Position;
use crate::rules::Rules;
use crate::rules::game_status::judge;
use crate::types::{Color, Move};
use std::sync::Arc;
use std::time::Duration;

/// The rules that games are played by, and when they are adjudicated.
#[derive(Clone)]
pub(crate) struct RefereeSettings {
    /// The rules.
    pub rules: Rules,
    /// Occurrences of a position that end a game.
    pub occurrences: usize,
    /// Plies after which a game is drawn.
    pub max_plies: Option<usize>,
    /// Longest search that is not limited by time.
    pub hang: Duration,
    /// When a game counts as lost by its scores.
    pub resign: Option<ResignRule>,
    /// When a game counts as drawn by its scores.
    pub draw: Option<DrawRule>,
    /// The endgame tables that decide games.
    pub tables: Option<Arc<Tables>>,
    /// Whether the best lines that engines report are checked.
    pub checks_lines: bool,
}

/// Plays a game from an opening between engines of Red and Black, whose random numbers begin with `seed`. The end of a game
/// that an engine could not go on with is its loss.
///
/// # Errors
/// [`EngineError::Interrupted`].
pub(crate) fn play(
    opening: &SuiteOpening,
    engines: [&mut dyn MatchEngine; 2],
    mut clocks: [MatchClock; 2],
    settings: &RefereeSettings,
    seed: u32,
) -> Result<(GameEnd, Vec<PlayedMove>), EngineError> {
    let (mut position, start) = (opening.position(), opening.start.to_fen());
    let mut moves = opening.moves.clone();
    let mut played: Vec<PlayedMove> = moves.iter().map(|&mv| PlayedMove::of_opening(mv)).collect();
    for side in Color::ALL {
        if let Err(error) = engines[side.index()].start_game(seed) {
            return Ok((failure(side, error)?, played));
        }
    }
    let mut scores = ScoreJudge::new(settings.resign, settings.draw);
    let mut is_draw_offered = false;
    if let Some(end) = settings.end_of(&position, moves.len()) {
        return Ok((end, played));
    }
    let end = loop {
        let side = position.side();
        let engine = &mut *engines[side.index()];
        let [own, other] = [side, !side].map(|side| &clocks[side.index()]);
        let turn = Turn { position: &position, start: &start, moves: &moves, side, own, other, is_draw_offered };
        let reply = match engine.think(&turn) {
            Ok(reply) => reply,
            Err(error) => break failure(side, error)?,
        };
        let (budget, is_time) = (own.budget(), own.limit().is_time());
        if !clocks[side.index()].spend(reply.time) {
            let ms = |time: Duration| time.as_secs_f64() * 1000.0;
            let (used, late) = (ms(reply.time), ms(reply.time.saturating_sub(budget)));
            let reason = format!("{side}: {used:.0} ms used, {late:.1} ms too late");
            let kind = if is_time { Termination::TimeForfeit } else { Termination::Hang };
            break GameEnd::won(!side, kind, &reason);
        }
        if reply.resigns {
            break GameEnd::won(!side, Termination::Resignation, &format!("{side} resigns"));
        }
        let Some(text) = reply.best else {
            break GameEnd::won(
                !side,
                Termination::NoMove,
                &format!("{side} has no move, though there are legal ones"),
            );
        };
        let Some(mv) = engine.read_move(&position, &text) else {
            let why = legal_move(&position, moves.len() + 1, &text, engine.ranks());
            let why = why.err().map_or(format!("{text:?} is not in coordinates"), |error| error.to_string());
            break GameEnd::won(!side, Termination::IllegalMove, &why);
        };
        let bad_pv = settings.checks_lines.then(|| line_fault(&position, &reply.info.pv, mv, engine.ranks())).flatten();
        let (score, depth, nodes) = (reply.info.score, reply.info.depth, reply.info.nodes);
        let ms = Some((reply.time.as_secs_f64() * 1e4).round() / 10.0);
        played.push(PlayedMove { mv, score, depth, nodes, ms, bad_pv });
        position.make(mv);
        moves.push(mv);
        if let Some(end) = settings.end_of(&position, moves.len()) {
            break end;
        }
        if reply.offers_draw && is_draw_offered {
            break GameEnd::drawn(Termination::DrawAgreement, "both sides agree");
        }
        is_draw_offered = reply.offers_draw;
        if let Some(end) = scores.add(side, score, moves.len(), position.quiet_plies()) {
            break end;
        }
        if let Some(expected) = reply.ponder.and_then(|text| engine.read_move(&position, &text)) {
            let [own, other] = [side, !side].map(|side| &clocks[side.index()]);
            let (position, start, moves) = (&position, start.as_str(), moves.as_slice());
            let turn = Turn { position, start, moves, side, own, other, is_draw_offered: false };
            if let Err(error) = engine.ponder(&turn, expected) {
                break failure(side, error)?;
            }
        }
    };
    Ok((end, played))
}

impl RefereeSettings {
    /// The end of a game by the rules, the tables or its length.
    fn end_of(&self, position: &Position, plies: usize) -> Option<GameEnd> {
        let by_rules = GameEnd::by_rules(&judge(position, &self.rules, self.occurrences));
        let by_tables = || self.tables.as_ref().and_then(|tables| by_tables(tables, position, &self.rules));
        let is_too_long = self.max_plies.is_some_and(|max| plies >= max);
        let by_length = || is_too_long.then(|| GameEnd::drawn(Termination::MaxMoves, "the greatest number of moves"));
        by_rules.or_else(by_tables).or_else(by_length)
    }
}

/// The end of a game in which the engine of `side` did not answer.
fn failure(side: Color, error: EngineError) -> Result<GameEnd, EngineError> {
    let kind = match error {
        EngineError::Interrupted => return Err(error),
        EngineError::Late(_) => Termination::TimeForfeit,
        EngineError::NoAnswer | EngineError::Silent(..) => Termination::Hang,
        _ => Termination::Crash,
    };
    Ok(GameEnd::won(!side, kind, &format!("{side}: {error}")))
}

/// What is wrong with the line that a search which chose `best` ended with.
fn line_fault(position: &Position, line: &[String], best: Move, ranks: Ranks) -> Option<String> {
    let mut position = position.clone();
    for (index, text) in line.iter().enumerate() {
        match legal_move(&position, index + 1, text, ranks) {
            Err(error) => return Some(error.to_string()),
            Ok(mv) if index == 0 && mv != best => {
                return Some(format!("the line begins with {mv}, the move is {best}"));
            }
            Ok(mv) => position.make(mv),
        }
    }
    None
}
