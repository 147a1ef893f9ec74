//! One engine, several dialects (L5): it owns the game, the options, the hash table and the searcher, and does what
//! clients ask for, whatever words they use.
//!
//! | module | what it owns |
//! |---|---|
//! | [`options`] | the options a client can set, in one table |
//! | [`setup`] | games as clients describe them |
//! | [`go`] | what a client asks of a search, and the limits that follow |
//! | [`openings`] | the opening books, the cloud book, and the move they give |
//! | [`offer`] | when to offer or accept a draw and when to resign |
//! | [`hash`] | how large a hash table may be |

pub mod cloud;
pub mod game_setup;
pub mod go;
pub mod hash_size;
pub mod offers;
pub mod openings;
pub mod options;
pub mod units;

use crate::eval::network::{Network, NetworkError};
use crate::eval::{EvalTerms, Evaluator};
use crate::position::{FenError, Position};
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::pruning::Pruning;
use crate::search::report::{Report, SearchResult};
use crate::search::signals::Signals;
use crate::search::time_management::TimeBudget;
use crate::search::transposition::{Entry, TranspositionTable};
use crate::types::{Color, Move, Score};
use cloud::CloudError;
use game_setup::{GameSetup, MoveError};
use go::Go;
use hash_size::HashError;
use offers::{Offer, OfferTracker, SearchSummary};
use openings::{BadBook, BookAnswer, Openings};
use options::{Options, Setting};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;
use thiserror::Error;
use units::UCCI_POINT;

/// Size of the table of a search for mates.
const MATE_MEGABYTES: usize = 64;

/// A hash table that a search and those who probe it share.
pub type SharedTable = Arc<RwLock<TranspositionTable>>;

/// The engine.
pub struct Engine {
    options: Options,
    position: Position,
    /// Moves not to be played at the root of `position`.
    banned: Vec<Move>,
    table: SharedTable,
    /// The table is one that was asked for or chosen, no placeholder.
    is_allocated: bool,
    searcher: Searcher,
    network: Arc<Network>,
    openings: Openings,
    offers: OfferTracker,
    /// What [`Engine::chosen_megabytes`] is, once asked.
    chosen_megabytes: OnceCell<usize>,
    /// The side that was to move when draws were last worth something.
    last_side: Option<Color>,
    /// Where the whims of `randomness` come from.
    rng: SmallRng,
}

/// The answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A move from an opening book.
    Book(BookAnswer),
    /// The move to play.
    Move {
        /// The move.
        best: Move,
        /// The reply expected.
        ponder: Option<Move>,
        /// What is added to it.
        offer: Option<Offer>,
    },
    /// There is no legal move.
    NoMove,
    /// No search was asked for: the static evaluation, for the side to move, in engine units.
    Evaluation(Score),
}

/// Why an option was not set.
#[derive(Debug, Error)]
pub enum SettingError {
    /// No memory for the hash table.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// A file is no network.
    #[error("{0}: {1}; the evaluation stays as it was")]
    Network(PathBuf, NetworkError),
    /// Files are no opening books; those that are are open.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Books(Vec<BadBook>),
}

impl Engine {
    /// An engine at the start position. Its hash table is the smallest there is until [`Engine::prepare`]: a client
    /// that only asks who is there gets its answer at once.
    pub fn new() -> Engine {
        let table = TranspositionTable::new(1).expect("invariant: the machine has a megabyte");
        Engine {
            options: Options::default(),
            position: Position::start(),
            banned: Vec::new(),
            table: Arc::new(RwLock::new(table)),
            is_allocated: false,
            searcher: Searcher::new(),
            network: Network::built_in(),
            openings: Openings::default(),
            offers: OfferTracker::default(),
            chosen_megabytes: OnceCell::new(),
            last_side: None,
            rng: rand::make_rng(),
        }
    }

    /// The values of its options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The position, with the moves that led to it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The hash table, for [`probe`].
    pub fn table(&self) -> SharedTable {
        Arc::clone(&self.table)
    }

    /// Sets an option, or does what a button says.
    ///
    /// # Errors
    /// When a hash table of that size cannot be had, or a file is no network; what there was stays.
    pub fn set(&mut self, setting: Setting) -> Result<(), SettingError> {
        let before = self.options.clone();
        self.options.set(setting.clone());
        self.position.set_variant(self.options.variant);
        match setting {
            Setting::HashSize(_) => Ok(self.prepare()?),
            Setting::Threads(_) => {
                self.searcher.prepare(self.threads());
                Ok(())
            }
            Setting::ClearHash => {
                self.clear_table();
                Ok(())
            }
            // What was found out in another manner is worth nothing in this.
            Setting::Pruning(_)
            | Setting::Knowledge(_)
            | Setting::Style(_)
            | Setting::Repetition(_)
            | Setting::MoveLimit(_)
            | Setting::ChecksCount(_)
            | Setting::Promotion(_) => {
                if before != self.options {
                    self.searcher.clear();
                    self.clear_table();
                }
                Ok(())
            }
            Setting::RandomSeed(_) => {
                self.seed();
                Ok(())
            }
            Setting::NewGame => {
                self.searcher.clear();
                self.offers.clear();
                self.openings.new_game();
                self.seed();
                let resized = self.resize();
                self.clear_table();
                Ok(resized.map(drop)?)
            }
            Setting::EvaluationFile(_)
                if before.evaluation_file.is_none() && self.options.evaluation_file.is_none() =>
            {
                Ok(())
            }
            Setting::EvaluationFile(_) => {
                let opened = match &self.options.evaluation_file {
                    Some(path) => Network::open(path).map_err(|error| SettingError::Network(path.clone(), error)),
                    None => Ok(Network::built_in()),
                };
                match opened {
                    Ok(network) => self.network = network,
                    Err(error) => {
                        self.options.evaluation_file = before.evaluation_file;
                        return Err(error);
                    }
                }
                // What was learned of another evaluation's mistakes says nothing of this one's.
                self.searcher.clear();
                self.clear_table();
                Ok(())
            }
            Setting::CloudAddress(_) => {
                if before.cloud_address != self.options.cloud_address {
                    self.openings.reset_cloud();
                }
                Ok(())
            }
            Setting::BookFiles(files) => {
                let bad = self.openings.open(&files);
                if bad.is_empty() { Ok(()) } else { Err(SettingError::Books(bad)) }
            }
            _ => Ok(()),
        }
    }

    /// How many threads are to search.
    fn threads(&self) -> usize {
        let machine = || std::thread::available_parallelism().map_or(1, |threads| threads.get());
        self.options.threads.unwrap_or_else(machine)
    }

    /// Gives the hash table the size that the options say, and each thread its memory, all that can take time before the
    /// first search.
    ///
    /// # Errors
    /// When there is no memory for the table. It stays as it is, and its size is what the options say from now on; the
    /// placeholder gives way to a table as large as the engine would choose.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        self.searcher.prepare(self.threads());
        if self.resize()? {
            self.clear_table();
        }
        Ok(())
    }

    /// As [`Engine::prepare`] for a client that did not ask for it and whose clock runs: a new table gets its memory as
    /// the search needs it.
    ///
    /// # Errors
    /// As [`Engine::prepare`].
    pub fn prepare_lazily(&mut self) -> Result<(), HashError> {
        self.searcher.prepare(self.threads());
        self.resize().map(drop)
    }

    /// Lets chance begin where the options say.
    fn seed(&mut self) {
        self.rng = match self.options.seed {
            Some(seed) => SmallRng::seed_from_u64(seed.into()),
            None => rand::make_rng(),
        };
    }

    /// Empties the hash table.
    fn clear_table(&mut self) {
        read(&self.table).clear();
    }

    /// Gives the hash table the size that the options say; returns whether it is a new one.
    fn resize(&mut self) -> Result<bool, HashError> {
        let wanted = self.options.hash_megabytes.unwrap_or_else(|| self.chosen_megabytes());
        if wanted == read(&self.table).megabytes() {
            self.is_allocated = true;
            return Ok(false);
        }
        let allocated = hash_size::allocate(wanted, &read(&self.table));
        if let Some(table) = allocated {
            self.replace_table(table);
            return Ok(true);
        }
        if !self.is_allocated
            && let Some(table) = TranspositionTable::new(self.chosen_megabytes())
        {
            self.replace_table(table);
        }
        let kept = read(&self.table).megabytes();
        self.options.hash_megabytes = Some(kept);
        Err(HashError { wanted, kept })
    }

    /// Size of the table when the choice is ours. Chosen once: the memory to spare changes, and a table that changed with
    /// it would forget.
    fn chosen_megabytes(&self) -> usize {
        *self.chosen_megabytes.get_or_init(hash_size::chosen_megabytes)
    }

    fn replace_table(&mut self, table: TranspositionTable) {
        *self.table.write().unwrap_or_else(PoisonError::into_inner) = table;
        self.is_allocated = true;
    }

    /// Sets up a game. Moves that were banned no longer are.
    ///
    /// # Errors
    /// The outer one when the first position is refused: then everything stays as it was. The inner one when a move is
    /// bad: then the moves before it stand.
    pub fn set_up(&mut self, setup: &GameSetup) -> Result<Result<(), MoveError>, FenError> {
        let (position, played) = setup.position(self.options.variant)?;
        self.position = position;
        self.banned.clear();
        Ok(played)
    }

    /// Bans moves at the root of the present position, besides those banned already. Returns what is wrong with those
    /// that cannot be.
    pub fn ban(&mut self, moves: &[String]) -> Vec<MoveError> {
        let mut errors = Vec::new();
        for (index, text) in moves.iter().enumerate() {
            match game_setup::legal_move(&self.position, index + 1, text) {
                Ok(mv) if self.banned.contains(&mv) => {}
                Ok(mv) => self.banned.push(mv),
                Err(error) => errors.push(error),
            }
        }
        errors
    }

    /// Makes moves on the board.
    ///
    /// # Errors
    /// When one of them is bad; those before it stand.
    pub fn play(&mut self, moves: &[String]) -> Result<(), MoveError> {
        self.banned.clear();
        game_setup::play(&mut self.position, moves)
    }

    /// Takes back up to `count` moves; returns how many there were.
    pub fn take_back(&mut self, count: usize) -> usize {
        let count = count.min(self.position.plies());
        for _ in 0..count {
            self.position.undo(&mut ());
            self.banned.clear();
        }
        count
    }

    /// Exchanges the sides: the board is turned over, each man the other side's, and the other side is to move.
    pub fn flip(&mut self) {
        self.position = self.position.color_flipped();
        self.banned.clear();
    }

    /// The limits of a search for `go`, as things stand, and what is wrong with the moves it is to search. Chance has a
    /// hand in them.
    pub fn limits(&mut self, go: &Go) -> (Limits, Vec<MoveError>) {
        let mut limits = go.limits(&self.options, self.position.side());
        let legal = self.position.legal_moves();
        let mut errors = Vec::new();
        let mut wanted = Vec::new();
        for (index, text) in go.search_moves.iter().enumerate() {
            match game_setup::legal_move(&self.position, index + 1, text) {
                Ok(mv) => wanted.push(mv),
                Err(error) => errors.push(error),
            }
        }
        if !wanted.is_empty() {
            limits.banned = legal.iter().filter(|mv| !wanted.contains(mv)).collect();
        }
        // What is banned is played only if there is nothing else to search.
        if legal.iter().any(|mv| !limits.banned.contains(&mv) && !self.banned.contains(&mv)) {
            limits.banned.extend(&self.banned);
        }
        let most = self.options.randomness as Score * UCCI_POINT;
        if most > 0 {
            limits.settings.root_noise = legal.iter().map(|mv| (mv, self.rng.random_range(0..=most))).collect();
        }
        limits.settings.threads = self.threads();
        limits.settings.lines = self.options.lines;
        limits.settings.pruning = if go.mate.is_some() { Pruning::None } else { self.options.pruning };
        limits.settings.knowledge = self.options.knowledge;
        limits.settings.network = Arc::clone(&self.network);
        limits.settings.draw = self.options.style.draw();
        limits.settings.idle = self.options.idle;
        limits.settings.rules = self.options.rules;
        limits.settings.tunables = self.options.tunables.clone();
        (limits, errors)
    }

    /// What the present position is worth at first sight to the side to move, in engine units.
    pub fn evaluate(&self) -> Score {
        let rules = &self.options.rules;
        Evaluator::new(self.options.knowledge, &self.network, rules, &self.position).evaluate(&self.position)
    }

    /// The terms of that evaluation.
    pub fn eval_terms(&self) -> EvalTerms {
        EvalTerms::of(self.options.knowledge, &self.network, &self.options.rules, &self.position)
    }

    /// The network that evaluates.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The answer to `go` that the books have, or else the cloud book, if they may answer it; `limits` are those of
    /// `go`.
    ///
    /// # Errors
    /// When the cloud book was asked in vain.
    pub fn consult(&mut self, go: &Go, limits: &Limits, signals: &Signals) -> Result<Option<BookAnswer>, CloudError> {
        // Who asks for a mate, for several lines, for as long as it takes, or for no move at all wants no book.
        let is_for_a_move = go.is_bounded() && !go.ponder && go.mate.is_none() && go.depth != Some(0);
        let may_choose = Openings::may_choose(&self.position, &self.options);
        if !is_for_a_move || self.options.lines > 1 || !may_choose {
            return Ok(None);
        }
        let (position, options, banned) = (&self.position, &self.options, &limits.banned);
        if let Some(answer) = self.openings.answer(position, options, banned, &mut self.rng) {
            return Ok(Some(answer));
        }
        // Half of the time of a move at most, so that a search finds enough if the cloud has nothing.
        let patience = TimeBudget::of(limits).map_or(Duration::MAX, |budget| budget.soft / 2);
        let patience = patience.saturating_sub(signals.started().elapsed());
        let give_up = || signals.is_stopped();
        self.openings.cloud_answer(position, options, banned, patience, &give_up, &mut self.rng)
    }

    /// Searches the present position, on the calling thread, until the limits (those of `go`) or the signals end it.
    /// Returns the answer and, if there was a search, what it came to. Books are not asked: see [`Engine::consult`].
    pub fn go(
        &mut self,
        go: &Go,
        limits: &Limits,
        signals: &Signals,
        report: &mut dyn FnMut(Report),
    ) -> (Answer, Option<SearchResult>) {
        if go.depth == Some(0) {
            if go.ponder {
                signals.wait(true);
            }
            return (Answer::Evaluation(self.evaluate()), None);
        }
        if go.draw {
            signals.offer_draw();
        }
        // What a draw is worth to one side, the table says to the other as well.
        let side = self.position.side();
        if limits.settings.draw != 0 && self.last_side.replace(side).is_some_and(|last| last != side) {
            self.clear_table();
        }
        // To look for a mate is to leave nothing out, and to trust nothing found otherwise.
        let own = limits.mate.and_then(|_| TranspositionTable::new(MATE_MEGABYTES));
        let shared = self.table();
        let shared = read(&shared);
        let table = own.as_ref().unwrap_or(&shared);
        let outcome = self.searcher.search(&self.position, limits, signals, table, report);
        let Some(best) = outcome.best else { return (Answer::NoMove, Some(outcome)) };
        // Courtesy is for games: not for an analysis, nor for a move that the opponent did not make after all.
        let is_played = go.is_bounded() && (!go.ponder || signals.ponderhit_at().is_some());
        let offer = is_played
            .then(|| {
                let summary = SearchSummary {
                    mv: best,
                    score: outcome.score,
                    depth: outcome.depth,
                    draw: limits.settings.draw,
                    is_rule_draw: limits.settings.rules.is_rule_draw(&self.position),
                    draw_offered: signals.draw_offered(),
                };
                self.offers.decide(&self.position, summary)
            })
            .flatten();
        (Answer::Move { best, ponder: outcome.ponder, offer }, Some(outcome))
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

/// What `table` knows of `position`; its move is legal there.
pub fn probe(table: &RwLock<TranspositionTable>, position: &Position) -> Option<Entry> {
    let mut entry = read(table).probe(position.key())?;
    entry.mv = entry.mv.filter(|&mv| position.is_legal(mv));
    Some(entry)
}

fn read(table: &RwLock<TranspositionTable>) -> RwLockReadGuard<'_, TranspositionTable> {
    // A table cannot be left half-written: whatever panicked, what it holds is still checked by its keys.
    table.read().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More megabytes than any machine has.
    const FAR_TOO_MANY: u32 = 1 << 30;

    #[test]
    fn a_hash_table_too_large_leaves_the_one_there_is() {
        let mut engine = Engine::new();
        engine.set(Setting::HashSize(3)).unwrap();
        let error = engine.set(Setting::HashSize(FAR_TOO_MANY)).unwrap_err();
        assert_eq!(error.to_string(), "no memory for a hash table of 1073741824 MB, keeping 3 MB");
        assert_eq!(read(&engine.table).megabytes(), 3);
        assert_eq!(engine.prepare(), Ok(()), "the same is not asked for again");
    }

    #[test]
    fn the_placeholder_is_no_table_to_keep() {
        let mut engine = Engine::new();
        engine.set(Setting::HashSize(FAR_TOO_MANY)).unwrap_err();
        let chosen = *engine.chosen_megabytes.get().unwrap();
        assert_eq!((read(&engine.table).megabytes(), engine.options.hash_megabytes), (chosen, Some(chosen)));
    }
}
