//! Answering `go`: what it asks for, book moves and the search.

use super::endgames;
use super::go::Go;
use super::level::Level;
use super::offers::{MIN_DEPTH, Offer, SearchSummary};
use super::openings::{BookAnswer, CloudAdvice, NoBookMove, Openings};
use super::options::BookUse;
use super::options::UCCI_POINT;
use super::{Answer, Engine, LEVEL_MEGABYTES};
use crate::games::setup::MoveError;
use crate::search::limits::Limits;
use crate::search::report::{Report, SearchResult};
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::time_management::TimeBudget;
use crate::search::transposition::TranspositionTable;
use crate::types::Score;
use crate::types::score::is_decided;
use rand::RngExt;
use std::time::{Duration, Instant};

/// The share of its time that a search waits for more pages of a new hash table, as a divisor. A thread fills 10 kB in a
/// millisecond, for which the system provides more in a twentieth of that.
const PROVIDING_SHARE: u32 = 20;

/// What a `go` asks for in the engine's position.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    /// Limits and settings of the search.
    pub limits: Limits,
    /// The static evaluation, no search (`depth 0`).
    evaluates: bool,
    /// The search ends by itself: for a move, or a mate search; no analysis.
    is_bounded: bool,
    /// A move of a game at a level below full strength. Analysis and mate searches are not weakened.
    at_level: bool,
    /// The opponent offers a draw.
    draw_offered: bool,
}

impl Engine {
    /// What `go` asks for in the current position, with new root noise, and the errors of invalid `searchmoves`.
    pub fn plan(&mut self, go: &Go) -> (SearchPlan, Vec<MoveError>) {
        let is_bounded = go.is_bounded();
        let at_level = self.options.is_weakened() && is_bounded && go.mate.is_none();
        let mut limits = go.limits(&self.options, self.position.side());
        if let Some(clock) = &limits.clock {
            self.lag.learn(clock);
        }
        self.lag.add_to(&mut limits);
        let legal = self.position.legal_moves();
        let (wanted, errors) = self.legal_moves(&go.search_moves);
        if !wanted.is_empty() {
            limits.banned = legal.iter().filter(|mv| !wanted.contains(mv)).collect();
        }
        // Banned moves are ignored if no other move is left.
        if legal.iter().any(|mv| !limits.banned.contains(&mv) && !self.banned.contains(&mv)) {
            limits.banned.extend(&self.banned);
        }
        let max_noise = self.options.randomness as Score * UCCI_POINT;
        let root_noise = match max_noise {
            0 => Vec::new(),
            max => legal.iter().map(|mv| (mv, self.rng.random_range(0..=max))).collect(),
        };
        limits.settings =
            SearchSettings { threads: self.threads(), lines: self.options.lines, root_noise, ..self.search_settings() };
        if at_level && let Some(level) = self.level() {
            level.restrict(&mut limits, &legal, &mut self.rng);
        } else if go.mate.is_none() {
            limits.settings.tables = self.tables();
            if limits.settings.lines == 1 {
                endgames::restrict_root(&self.position, &self.options.rules, &mut limits, is_bounded);
            }
        }
        let evaluates = go.depth == Some(0);
        (SearchPlan { limits, evaluates, is_bounded, at_level, draw_offered: go.draw }, errors)
    }

    /// What the options say of every search: evaluation, rules, contempt, pruning; without tables, with one thread.
    fn search_settings(&self) -> SearchSettings {
        SearchSettings {
            pruning: self.options.pruning,
            knowledge: self.options.knowledge,
            network: self.network(),
            draw: self.options.style.draw(),
            idle: self.options.idle,
            rules: self.options.rules,
            tunables: self.options.tunables.clone(),
            ..SearchSettings::default()
        }
    }

    /// The settings of the search of one of many positions: what the options say, with the tables, and one thread.
    pub fn analysis_settings(&mut self) -> SearchSettings {
        SearchSettings { tables: self.tables(), ..self.search_settings() }
    }

    /// The level of the next move; `None` for full strength.
    fn level(&mut self) -> Option<&'static Level> {
        if self.options.limits_strength {
            Some(Level::of_elo(self.options.elo, &mut self.rng))
        } else {
            Level::new(self.options.level)
        }
    }

    /// The book move for a `go`, from the opening books or else the cloud book, if they may be used. Moves that lose a drawn
    /// ending by the cloud's endgame tables are excluded from its plan.
    ///
    /// # Errors
    /// When a book cannot be read, or the cloud book could not be queried.
    pub fn book_answer(&mut self, plan: &mut SearchPlan, signals: &Signals) -> Result<Option<BookAnswer>, NoBookMove> {
        let limits = &mut plan.limits;
        // Not for mate searches, MultiPV, pondering, unlimited searches (analysis) or `depth 0`.
        let wants_move = plan.is_bounded && !limits.ponder && limits.mate.is_none() && !plan.evaluates;
        let is_used = match self.options.use_book {
            BookUse::On => true,
            BookUse::Off => false,
            BookUse::Unset => self.books_by_default && limits.clock.is_some(),
        };
        if !wants_move || self.options.lines > 1 || !is_used {
            return Ok(None);
        }
        // The engine's own endgame tables are exact, and need neither book nor server.
        let tables = self.tables().filter(|_| !plan.at_level);
        if tables.is_some_and(|tables| tables.probe(&self.position).is_some()) {
            return Ok(None);
        }
        let (position, options, banned) = (&self.position, &self.options, &limits.banned);
        if Openings::may_choose(position, options)
            && let Some(answer) = self.openings.answer(position, options, banned, &mut self.rng)?
        {
            return Ok(Some(answer));
        }
        // At most half of the time for the move: a search may have to follow.
        let timeout = TimeBudget::of(limits).map_or(Duration::MAX, |budget| budget.soft / 2);
        let timeout = timeout.saturating_sub(signals.started().elapsed());
        let is_cancelled = || signals.is_stopped();
        match self.openings.cloud_advice(position, options, banned, timeout, &is_cancelled, &mut self.rng)? {
            CloudAdvice::None => Ok(None),
            CloudAdvice::Play(answer) => Ok(Some(answer)),
            CloudAdvice::Avoid(moves) => {
                limits.banned.extend(moves);
                Ok(None)
            }
        }
    }

    /// Searches the current position on the calling thread until the limits of the plan or the signals end it; without a
    /// legal move, returns at once.
    /// Returns the answer and, if there was a search, its result. Does not use books: see [`Engine::book_answer`].
    pub fn go(
        &mut self,
        plan: &SearchPlan,
        signals: &Signals,
        report: &mut dyn FnMut(Report),
    ) -> (Answer, Option<SearchResult>) {
        let limits = &plan.limits;
        if plan.evaluates {
            return (Answer::Evaluation(self.evaluate()), None);
        }
        // Also where the search would wait for a ponder hit or a stop: the client sees at once that the game is over.
        if self.position.has_no_moves() {
            return (Answer::NoMove, None);
        }
        if plan.draw_offered {
            signals.offer_draw();
        }
        if let Some(moves) = limits.mate
            && let Some(result) = self.find_mates(moves, limits, signals, report)
        {
            let answer = result.best.map(|best| Answer::Move { best, ponder: result.ponder, offer: None });
            return (answer.unwrap_or(Answer::NoMove), Some(result));
        }
        if plan.at_level && self.level_table.is_none() {
            self.level_table = TranspositionTable::new(LEVEL_MEGABYTES);
        }
        let uses_level_table = plan.at_level && self.level_table.is_some();
        if !uses_level_table {
            // Scores in the table contain the contempt of the side that searched.
            let side = self.position.side();
            if limits.settings.draw != 0 && self.last_contempt_side.replace(side).is_some_and(|last| last != side) {
                self.clear_table();
            }
            match TimeBudget::of(limits) {
                Some(budget) => {
                    let begun = Instant::now();
                    self.table.provide(&|| !signals.is_stopped() && begun.elapsed() < budget.soft / PROVIDING_SHARE);
                }
                None => self.table.use_all(),
            }
        }
        let shared = self.table.current();
        let level_table = self.level_table.as_ref().filter(|_| uses_level_table);
        let table = level_table.unwrap_or(&shared);
        let result = self.searcher.search_with_table_lines(&self.position, limits, signals, table, report);
        let since = if limits.ponder { signals.ponderhit_at() } else { Some(signals.started()) };
        if let Some(since) = since {
            self.lag.search_took(limits, since.elapsed(), result.stop_reason);
        }
        let Some(best) = result.best else { return (Answer::NoMove, Some(result)) };
        // No offers in analysis, or for a ponder move that was not played.
        let is_played = plan.is_bounded && (!limits.ponder || signals.ponderhit_at().is_some());
        let offer = is_played
            .then(|| {
                // A level judges by its whole search, shallow as it is; and a decided game ends the search early.
                let is_whole = plan.at_level && limits.depth.is_some_and(|depth| result.depth >= depth);
                let is_enough = is_whole || is_decided(result.score);
                let depth = if is_enough { result.depth.max(MIN_DEPTH) } else { result.depth };
                let summary = SearchSummary {
                    mv: best,
                    score: result.score,
                    depth,
                    draw: limits.settings.draw,
                    is_rule_draw: limits.settings.rules.is_rule_draw(&self.position),
                    draw_offered: signals.draw_offered(),
                };
                self.offers.decide(&self.position, summary)
            })
            .flatten()
            .filter(|offer| match offer {
                Offer::Draw => self.options.draws,
                Offer::Resign => self.options.resigns,
            });
        (Answer::Move { best, ponder: result.ponder, offer }, Some(result))
    }
}
