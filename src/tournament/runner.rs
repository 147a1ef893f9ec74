//! Plays the games of a match or tournament on several threads. Results are counted in the order of the games, so that they
//! do not depend on the number of threads.

use super::engine_client::EngineClient;
use super::engine_config::EngineConfig;
use super::engine_error::EngineError;
use super::internal_engine::{InternalEngine, told_score};
use super::journal::Journal;
use super::match_clock::MatchClock;
use super::match_engine::MatchEngine;
use super::opening_suite::OpeningSuite;
use super::played_game::{PlayedGame, PlayedMove};
use super::process::MatchContext;
use super::referee::{self, RefereeSettings};
use super::schedule::{Schedule, ScheduledGame, SwissRound, TournamentForm, pair_swiss};
use super::standings::Standings;
use super::termination::{GameEnd, Termination};
use crate::display::date::now;
use crate::notation::Ranks;
use crate::parallel::map_in_order;
use crate::rng::seeded_rng;
use crate::search::limits::Limits;
use crate::types::Color;
use rand::RngExt;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use thiserror::Error;

/// Failures to start, one after the other, after which an engine is given up.
const MAX_START_FAILURES: u32 = 3;

/// A match or tournament.
pub(crate) struct Tournament {
    /// The engines.
    pub engines: Vec<EngineConfig>,
    /// Where the games begin.
    pub openings: OpeningSuite,
    /// Which games there are.
    pub schedule: Schedule,
    /// The rules.
    pub settings: RefereeSettings,
    /// What the random numbers of engines begin with, in each game others.
    pub seed: u64,
    /// Games played at the same time.
    pub concurrency: usize,
    /// How long an engine may take to start and to get ready.
    pub startup_timeout: Duration,
    /// The signal to stop, and the log.
    pub context: MatchContext,
}

/// Why a match cannot go on.
#[derive(Debug, Error)]
pub(crate) enum TournamentError {
    /// An engine does not start: its name, and why.
    #[error("engine {0}: {1}")]
    Engine(String, EngineError),
    /// The arbiter cannot start so many engines.
    #[error(transparent)]
    Resources(EngineError),
    /// The file of the match cannot be read or written.
    #[error("the file of the games: {0}")]
    Journal(#[from] io::Error),
    /// It was interrupted.
    #[error("the match was interrupted")]
    Interrupted,
}

/// What an engine said of itself.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The name that it gives itself.
    pub id_name: String,
    /// The options to be set that it has not announced.
    pub unknown_options: Vec<String>,
    /// The options to be set, with their values, that it does not take by what it announced.
    pub values_not_taken: Vec<(String, String)>,
}

/// Running engines. Dropping them ends them.
struct Players(Vec<Option<Box<dyn MatchEngine>>>);

impl Players {
    fn end(&mut self, engine: usize) {
        if let Some(client) = self.0[engine].take() {
            client.quit();
        }
    }
}

impl Drop for Players {
    fn drop(&mut self) {
        (0..self.0.len()).for_each(|engine| self.end(engine));
    }
}

impl Tournament {
    /// Starts each engine once, so that mistakes come out early, and enters into the configurations what is found by asking.
    ///
    /// # Errors
    /// The first engine that does not start.
    pub(crate) fn identify(&mut self) -> Result<Vec<Identity>, TournamentError> {
        let mut identities = Vec::new();
        for config in &mut self.engines {
            if let Some(Limits { settings, .. }) = &config.internal {
                let id_name = format!("{:?}, network {:08x}", settings.knowledge, settings.network.checksum());
                identities.push(Identity { id_name, unknown_options: Vec::new(), values_not_taken: Vec::new() });
                continue;
            }
            let client = EngineClient::start(config, &self.context, self.startup_timeout)
                .map_err(|error| TournamentError::Engine(config.name.clone(), error))?;
            let unknown_options = client.unknown_options().map(String::from).collect();
            let owned = |(name, value): (&str, &str)| (name.to_string(), value.to_string());
            let values_not_taken = client.values_not_taken().map(owned).collect();
            identities.push(Identity { id_name: client.id_name().to_string(), unknown_options, values_not_taken });
            (config.dialect, config.ranks) = (Some(client.dialect()), Some(client.ranks()));
            Box::new(client).quit();
        }
        Ok(identities)
    }

    /// What the results depend on.
    pub(crate) fn settings_json(&self, identities: &[Identity], openings: &str) -> Value {
        let engine = |(config, identity): (&EngineConfig, &Identity)| {
            json!({
                "name": config.name, "id": identity.id_name, "program": config.program, "arguments": config.arguments,
                "folder": config.folder, "protocol": config.dialect.map(|dialect| format!("{dialect:?}").to_lowercase()),
                "ranks": config.ranks.map(|ranks| u8::from(ranks == Ranks::FromOne)), "options": config.options,
                "limit": config.limit.to_string(), "margin_ms": config.margin.as_millis() as u64,
                "ponder": config.ponders, "restart": config.restarts, "score_scale": config.score_scale,
                "nodestime": config.internal.as_ref().and_then(|limits| limits.node_time),
            })
        };
        let engines: Vec<Value> = self.engines.iter().zip(identities).map(engine).collect();
        let RefereeSettings { rules, occurrences, max_plies, hang, resign, draw, tables, checks_lines } =
            &self.settings;
        json!({
            "version": env!("CARGO_PKG_VERSION"), "engines": engines, "openings": openings,
            "tournament": format!("{:?}", self.schedule.form), "rounds": self.schedule.rounds,
            "games": self.schedule.games, "repetition": format!("{:?}", rules.repetition), "occurrences": occurrences,
            "move_limit": rules.move_limit, "checks_count": rules.checks_count, "max_plies": max_plies,
            "hang_s": hang.as_secs_f64(), "resign": resign.map(|rule| format!("{rule:?}")),
            "draw": draw.map(|rule| format!("{rule:?}")), "tables": tables.as_ref().map(|tables| tables.len()),
            "check_pv": checks_lines,
        })
    }

    /// Standings without results.
    pub(crate) fn standings(&self) -> Standings {
        Standings::new(self.engines.iter().map(|engine| (engine.name.clone(), engine.limit)).collect())
    }

    /// Number of games.
    pub(crate) fn games(&self) -> usize {
        let Schedule { form, engines, rounds, games } = self.schedule;
        let meetings = match form {
            TournamentForm::RoundRobin => engines * (engines - 1) / 2,
            TournamentForm::Gauntlet => engines - 1,
            TournamentForm::Swiss => engines / 2,
        };
        rounds * games * meetings
    }

    /// Plays all games but those that the journal has, writes them to it as they end, and calls `on_game` after each, in
    /// their order, until it breaks.
    ///
    /// # Errors
    /// When the match cannot go on.
    pub(crate) fn play(
        &self,
        standings: &mut Standings,
        journal: Option<&Journal>,
        on_game: &mut dyn FnMut(&PlayedGame, &Standings) -> ControlFlow<()>,
    ) -> Result<(), TournamentError> {
        if self.schedule.form != TournamentForm::Swiss {
            let games = self.schedule.all_games();
            return self.play_games(games, standings, journal, on_game).map(drop);
        }
        let (mut has_met, mut had_bye, mut number) = (HashSet::new(), HashSet::new(), 0);
        for round in 0..self.schedule.rounds {
            let points: Vec<f64> = (0..self.engines.len()).map(|engine| standings.points(engine)).collect();
            let SwissRound { meetings, bye } = pair_swiss(&points, &has_met, &had_bye);
            let games = self.schedule.round(round, number, meetings.clone());
            number += meetings.len() * self.schedule.games;
            has_met.extend(meetings.iter().map(|&[one, other]| [one.min(other), one.max(other)]));
            if let Some(bye) = bye {
                had_bye.insert(bye);
                standings.byes[bye] += self.schedule.games as u64;
            }
            if self.play_games(games, standings, journal, on_game)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn play_games(
        &self,
        games: impl Iterator<Item = ScheduledGame> + Send + 'static,
        standings: &mut Standings,
        journal: Option<&Journal>,
        on_game: &mut dyn FnMut(&PlayedGame, &Standings) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TournamentError> {
        let start_failures: Vec<AtomicU32> = self.engines.iter().map(|_| AtomicU32::new(0)).collect();
        let worker = || {
            let mut players = Players(self.engines.iter().map(|_| None).collect());
            let start_failures = &start_failures;
            move |game: ScheduledGame| {
                let mut play = || -> Result<PlayedGame, TournamentError> {
                    if let Some(played) = journal.map_or(Ok(None), |journal| journal.game(game.number + 1))? {
                        return Ok(played);
                    }
                    let played = self.play_game(&game, &mut players, start_failures)?;
                    journal.map_or(Ok(()), |journal| journal.add(&played))?;
                    Ok(played)
                };
                let played = play();
                (game, played)
            }
        };
        let mut ended = Ok(ControlFlow::Continue(()));
        map_in_order(games, self.concurrency, worker, &mut |(game, played): (ScheduledGame, Result<_, _>)| {
            ended = played.map(|played: PlayedGame| {
                standings.add(&game, &played);
                on_game(&played, standings)
            });
            if matches!(ended, Ok(ControlFlow::Continue(()))) {
                return ControlFlow::Continue(());
            }
            // The games that are being played end too.
            self.context.stop.store(true, Ordering::Relaxed);
            ControlFlow::Break(())
        });
        ended
    }

    /// Starts an engine.
    fn start(&self, config: &EngineConfig) -> Result<Box<dyn MatchEngine>, EngineError> {
        let Some(mut limits) = config.internal.clone() else {
            return Ok(Box::new(EngineClient::start(config, &self.context, self.startup_timeout)?));
        };
        limits.settings.rules = self.settings.rules;
        Ok(Box::new(InternalEngine::new(limits, told_score, Arc::clone(&self.context.stop))))
    }

    /// Plays a game with the engines that run, or starts them. Others that run are ended.
    fn play_game(
        &self,
        game: &ScheduledGame,
        players: &mut Players,
        start_failures: &[AtomicU32],
    ) -> Result<PlayedGame, TournamentError> {
        let started = now();
        (0..self.engines.len()).filter(|engine| !game.players.contains(engine)).for_each(|other| players.end(other));
        let opening = self.openings.opening(game.opening);
        let mut not_started = None;
        for (side, engine) in Color::ALL.into_iter().zip(game.players) {
            let config = &self.engines[engine];
            if players.0[engine].is_some() {
                continue;
            }
            match self.start(config) {
                Ok(client) => {
                    players.0[engine] = Some(client);
                    start_failures[engine].store(0, Ordering::Relaxed);
                }
                Err(EngineError::Interrupted) => return Err(TournamentError::Interrupted),
                // No fault of the engine.
                Err(error @ EngineError::Resources(_)) => return Err(TournamentError::Resources(error)),
                Err(error) => {
                    if start_failures[engine].fetch_add(1, Ordering::Relaxed) + 1 >= MAX_START_FAILURES {
                        return Err(TournamentError::Engine(config.name.clone(), error));
                    }
                    not_started = Some(GameEnd::won(!side, Termination::Crash, &format!("{side}: {error}")));
                    break;
                }
            }
        }
        let (end, moves) = match not_started {
            Some(end) => (end, opening.moves.iter().map(|&mv| PlayedMove::of_opening(mv)).collect()),
            None => {
                let engines = players.0.get_disjoint_mut(game.players).expect("invariant: two engines");
                let [Some(red), Some(black)] = engines else { unreachable!("invariant: they were started") };
                let clocks = game.players.map(|engine| {
                    let EngineConfig { limit, margin, .. } = self.engines[engine];
                    MatchClock::new(limit, margin, self.settings.hang)
                });
                let seed = seeded_rng(self.seed, game.number as u64).random_range(1..=i32::MAX as u32);
                let played = referee::play(&opening, [&mut **red, &mut **black], clocks, &self.settings, seed);
                played.map_err(|_| TournamentError::Interrupted)?
            }
        };
        let played = PlayedGame {
            game: game.number + 1,
            round: game.round + 1,
            red: self.engines[game.players[0]].name.clone(),
            black: self.engines[game.players[1]].name.clone(),
            opening_plies: opening.moves.len(),
            start: opening.start,
            result: end.result,
            termination: end.termination,
            reason: end.sentence,
            started,
            moves,
        };
        for (side, engine) in Color::ALL.into_iter().zip(game.players) {
            use Termination::{Crash, Hang, TimeForfeit};
            let is_stuck = matches!(end.termination, Crash | Hang | TimeForfeit);
            if is_stuck && played.failed_side() == Some(side) {
                // Dropping it kills it.
                players.0[engine] = None;
            } else if self.engines[engine].restarts {
                players.end(engine);
            }
        }
        Ok(played)
    }
}
