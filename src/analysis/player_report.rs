//! A player's games together: results, accuracy by side and phase, kinds of bad moves, openings, endings, and the positions to
//! work on.

use super::review::class::{MoveClass, accuracy};
use super::review::{GameReview, ReviewedMove, ReviewedPosition};
use crate::book::ecco::Opening;
use crate::games::record::GameResult;
use crate::position::Position;
use crate::rules::game_status::GameStatus;
use crate::types::{Color, PieceType};
use serde::Serialize;
use std::cmp::Reverse;

/// Plies from the start position that are the opening.
const OPENING_PLIES: usize = 20;
/// Greatest number of rooks, knights and cannons of both sides together in an endgame.
const ENDGAME_PIECES: u32 = 4;
/// Expected points with which an endgame is winning; with one minus these it is lost.
const WINNING: f64 = 0.75;
/// Greatest number of positions to work on, and of one game.
const ITEMS: usize = 10;
const ITEMS_OF_GAME: usize = 2;

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Its first twenty plies, if they are those of a game from the start position.
    Opening,
    /// All between.
    Middlegame,
    /// At most four rooks, knights and cannons are left.
    Endgame,
}

impl Phase {
    pub(crate) const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    fn of(position: &Position, ply: usize, is_from_start: bool) -> Phase {
        let types = [PieceType::Rook, PieceType::Knight, PieceType::Cannon];
        let count = |side| types.iter().map(|&kind| position.count(side, kind)).sum::<u32>();
        match Color::ALL.into_iter().map(count).sum::<u32>() {
            ..=ENDGAME_PIECES => Phase::Endgame,
            _ if is_from_start && ply < OPENING_PLIES => Phase::Opening,
            _ => Phase::Middlegame,
        }
    }
}

/// Games with their results for the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Results {
    pub games: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Results {
    fn add(&mut self, points: Option<f64>) {
        self.games += 1;
        match points {
            Some(1.0) => self.won += 1,
            Some(0.5) => self.drawn += 1,
            Some(_) => self.lost += 1,
            None => {}
        }
    }
}

/// A bad move to work on.
pub(crate) struct WorkItem {
    /// The game, as the reader names it.
    pub source: String,
    /// Plies before the move.
    pub index: usize,
    /// The position in which the game began.
    pub first: ReviewedPosition,
    /// The positions around the move.
    pub before: ReviewedPosition,
    pub after: ReviewedPosition,
    pub played: ReviewedMove,
}

/// An endgame that was winning and not won.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ThrownAway {
    /// The game, as the reader names it.
    pub source: String,
    /// Plies before the move that lost most.
    pub ply: usize,
}

/// A player's games.
#[derive(Default)]
pub(crate) struct PlayerReport {
    /// With Red and with Black.
    pub sides: [Results; 2],
    /// Losses and points expected before, of the moves that count, by side and phase.
    moves: [[Vec<(f64, f64)>; 3]; 2],
    /// Bad moves by class ([`MoveClass::BAD`]) and phase.
    pub bad_moves: [[u32; 3]; 3],
    /// Names ([`super::review::reason::Reason::names`]) and number of the reasons of bad moves; the most frequent first.
    pub kinds: Vec<([&'static str; 3], u32)>,
    /// Openings by side; the most frequent first.
    pub openings: Vec<(Opening, Color, Results)>,
    /// Endgames that began as winning, as level, and as lost ones.
    pub endings: [Results; 3],
    /// Of the first.
    pub thrown_away: Vec<ThrownAway>,
    /// The greatest losses first.
    pub items: Vec<WorkItem>,
}

impl PlayerReport {
    /// The accuracy of the moves of these sides and phases, 0 to 100; `None` without moves.
    pub(crate) fn accuracy(&self, sides: &[Color], phases: &[Phase]) -> Option<f64> {
        let parts = sides.iter().flat_map(|side| phases.iter().map(move |&phase| (side.index(), phase as usize)));
        accuracy(&parts.flat_map(|(side, phase)| &self.moves[side][phase]).copied().collect::<Vec<_>>())
    }

    /// The results with both sides.
    pub(crate) fn total(&self) -> Results {
        let [red, black] = self.sides;
        let sum = |count: fn(Results) -> u32| count(red) + count(black);
        Results { games: sum(|it| it.games), won: sum(|it| it.won), drawn: sum(|it| it.drawn), lost: sum(|it| it.lost) }
    }

    /// Adds a game in which the player had this side.
    pub(crate) fn add(&mut self, source: &str, side: Color, result: GameResult, review: &GameReview) {
        let points = points(result, &review.status, side);
        self.sides[side.index()].add(points);
        if let Some(opening) = review.opening {
            let known = self.openings.iter().position(|(it, of, _)| it.code == opening.code && *of == side);
            let index = known.unwrap_or_else(|| {
                self.openings.push((opening, side, Results::default()));
                self.openings.len() - 1
            });
            self.openings[index].2.add(points);
        }
        let positions = &review.positions;
        let phase = |ply: usize| Phase::of(&positions[ply].position, ply, review.opening.is_some());
        let mut items = Vec::new();
        for (index, pair) in positions.windows(2).enumerate() {
            let [before, after] = pair else { continue };
            let Some(played) = before.played.filter(|_| before.position.side() == side) else { continue };
            if played.class.counts() {
                self.moves[side.index()][phase(index) as usize].push((played.loss, before.expected));
            }
            if let Some(class) = MoveClass::BAD.iter().position(|&class| class == played.class) {
                self.bad_moves[class][phase(index) as usize] += 1;
                before.reason.iter().for_each(|it| self.count_kind(it.reason.names()));
                if played.class != MoveClass::Inaccuracy {
                    let (before, after, first) = (before.clone(), after.clone(), positions[0].clone());
                    items.push(WorkItem { source: source.to_string(), index, first, before, after, played });
                }
            }
        }
        if let Some(first) = (0..positions.len()).find(|&ply| phase(ply) == Phase::Endgame) {
            self.add_ending(source, side, points, positions, first);
        }
        by_loss(&mut items);
        self.items.extend(items.into_iter().take(ITEMS_OF_GAME));
        by_loss(&mut self.items);
        self.items.truncate(ITEMS);
        self.kinds.sort_by_key(|&(_, count)| Reverse(count));
        self.openings.sort_by_key(|(.., results)| Reverse(results.games));
    }

    fn count_kind(&mut self, names: [&'static str; 3]) {
        match self.kinds.iter_mut().find(|(known, _)| known[0] == names[0]) {
            Some((_, count)) => *count += 1,
            None => self.kinds.push((names, 1)),
        }
    }

    fn add_ending(
        &mut self,
        source: &str,
        side: Color,
        points: Option<f64>,
        positions: &[ReviewedPosition],
        first: usize,
    ) {
        let expected = positions[first].expected;
        let expected = if side == Color::Red { expected } else { 1.0 - expected };
        let kind = if expected >= WINNING { 0 } else { 1 + usize::from(expected <= 1.0 - WINNING) };
        self.endings[kind].add(points);
        if kind == 0 && points.is_some_and(|points| points < 1.0) {
            let own = (first..positions.len()).filter(|&ply| positions[ply].position.side() == side);
            let loss = |ply: usize| positions[ply].played.map_or(0.0, |played| played.loss);
            let worst = own.max_by(|&one, &other| loss(one).total_cmp(&loss(other)));
            self.thrown_away.extend(worst.map(|ply| ThrownAway { source: source.to_string(), ply }));
        }
    }
}

/// The player's points in a game, by the rules or else by its record; `None` if neither says.
fn points(result: GameResult, status: &GameStatus, side: Color) -> Option<f64> {
    let of = |winner: Color| if winner == side { 1.0 } else { 0.0 };
    match (status, result) {
        (GameStatus::Won { winner, .. }, _) => Some(of(*winner)),
        (GameStatus::Drawn(_), _) | (GameStatus::Ongoing, GameResult::Drawn) => Some(0.5),
        (GameStatus::Ongoing, GameResult::Won(winner)) => Some(of(winner)),
        (GameStatus::Ongoing, GameResult::Unknown) => None,
    }
}

fn by_loss(items: &mut [WorkItem]) {
    items.sort_by(|one, other| other.played.loss.total_cmp(&one.played.loss));
}
