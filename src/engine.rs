//! The engine (L5): owns the game, the options, the hash table and the searcher, independent of the protocol.

mod allocation;
pub(crate) mod allocation_error;
pub(crate) mod endgames;
pub mod go;
pub(crate) mod hash_table;
mod lag;
pub mod level;
mod mates;
mod memory;
pub(crate) mod offers;
pub(crate) mod openings;
pub mod options;
mod search;

use crate::egtb::tables::{BadTable, Tables};
use crate::eval::network::{Network, NetworkError};
use crate::eval::{EvalTerms, Evaluator};
use crate::files::locate;
use crate::games::setup::{self, GameSetup, GameSetupError, MoveError};
use crate::notation::Ranks;
use crate::position::Position;
use crate::search::Searcher;
use crate::search::transposition::TranspositionTable;
use crate::types::{Color, Move, Score};
use allocation_error::AllocationError;
use hash_table::HashTable;
pub use hash_table::{SharedTable, probe};
use lag::Lag;
use offers::{Offer, OfferTracker};
use openings::{BadBook, BookAnswer, Openings};
use options::{BookUse, Effect, Options, Setting};
use rand::SeedableRng;
use rand::rngs::SmallRng;
pub use search::SearchPlan;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// Size of the hash table of a level, in megabytes. Its own: with the results of an analysis, a level would play better.
pub const LEVEL_MEGABYTES: usize = 4;

/// The engine.
pub struct Engine {
    options: Options,
    position: Position,
    /// Why the position last asked for could not be set up; then `position` is not what the client thinks.
    refusal: Option<String>,
    /// How the client numbers ranks, by its habits and the moves of the games it has set up, unless the options say.
    ranks: Ranks,
    /// Moves excluded at the root of `position`.
    banned: Vec<Move>,
    table: HashTable,
    /// Hash table of searches at a level; `None` until the first of them.
    level_table: Option<TranspositionTable>,
    searcher: Searcher,
    /// The network of the options; `None`: the built-in one, which is read when it is first needed.
    network: Option<Arc<Network>>,
    openings: Openings,
    /// The endgame tables in use; `None` until they are needed.
    tables: Option<Arc<Tables>>,
    /// Whether books are used in searches with a clock while the option is not set.
    books_by_default: bool,
    offers: OfferTracker,
    /// The side to move of the last search with a contempt other than 0.
    last_contempt_side: Option<Color>,
    lag: Lag,
    /// For root noise (`randomness`) and the choice of book moves.
    rng: SmallRng,
}

/// The answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A move from an opening book, and the static evaluation of the position for the side to move, in engine units.
    Book(BookAnswer, Score),
    /// The move to play.
    Move {
        /// The move.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
        /// A draw offer or resignation sent with it.
        offer: Option<Offer>,
    },
    /// There is no legal move.
    NoMove,
    /// The request was refused, or there is no position to search.
    Refused,
    /// `go depth 0`: the static evaluation for the side to move, in engine units.
    Evaluation(Score),
}

impl Answer {
    /// The move to play, if there is one.
    pub fn best(&self) -> Option<Move> {
        match self {
            Answer::Book(book, _) => Some(book.best),
            Answer::Move { best, .. } => Some(*best),
            Answer::NoMove | Answer::Refused | Answer::Evaluation(_) => None,
        }
    }
}

/// Why an option was not set.
#[derive(Debug, Error)]
pub enum SettingError {
    /// Not enough memory for the hash table or the threads.
    #[error(transparent)]
    Allocation(#[from] AllocationError),
    /// A file that is not a network; the current one is kept.
    #[error("{0}: {1}; the evaluation stays as it was")]
    Network(PathBuf, NetworkError),
    /// Files that are not endgame tables, or folders that cannot be read; the others are open.
    #[error("{}", .0.iter().map(|bad| format!("{bad}; ignored")).collect::<Vec<_>>().join("; "))]
    Tables(Vec<BadTable>),
    /// Files that are not opening books; the others are open.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Books(Vec<BadBook>),
}

impl Engine {
    /// An engine at the start position. Its hash table is a placeholder of 1 MB until [`Engine::allocate`], so that the
    /// greeting is answered at once.
    pub fn new() -> Engine {
        Engine {
            options: Options::default(),
            position: Position::start(),
            refusal: None,
            ranks: Ranks::default(),
            banned: Vec::new(),
            table: HashTable::new(),
            level_table: None,
            searcher: Searcher::new(),
            network: None,
            openings: Openings::default(),
            tables: None,
            books_by_default: true,
            offers: OfferTracker::default(),
            last_contempt_side: None,
            lag: Lag::default(),
            rng: rand::make_rng(),
        }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether to use books in searches with a clock while the client has not set `usebook` or `OwnBook`: as in UCCI,
    /// but not in UCI.
    pub fn use_books_by_default(&mut self, on: bool) {
        self.books_by_default = on;
    }

    /// Whether book files are set, but no search uses them, because `usebook` or `OwnBook` is off.
    pub fn has_idle_books(&self) -> bool {
        let is_off = match self.options.use_book {
            BookUse::On => false,
            BookUse::Off => true,
            BookUse::Unset => !self.books_by_default,
        };
        is_off && !self.options.book_files.is_empty()
    }

    /// The position with its move history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The hash table, for [`probe`].
    pub fn table(&self) -> SharedTable {
        self.table.shared()
    }

    /// Sets an option, or executes a button.
    ///
    /// # Errors
    /// When there is not enough memory for the hash table, or a file is not a network (the current one is kept in both
    /// cases) or not an opening book.
    pub fn set(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let before = self.options.clone();
        setting.apply(&mut self.options);
        self.position.set_variant(self.options.variant);
        match setting.effect() {
            Effect::None => Ok(()),
            Effect::ResizeHash => Ok(self.allocate()?),
            Effect::PrepareThreads => Ok(self.allocate_threads()?),
            Effect::ClearHash => {
                self.clear_table();
                Ok(())
            }
            Effect::ForgetScores => {
                if before != self.options {
                    self.searcher.clear();
                    self.clear_table();
                }
                Ok(())
            }
            Effect::Seed => {
                self.seed();
                Ok(())
            }
            Effect::NewGame => {
                self.searcher.clear();
                self.offers.clear();
                self.openings.new_game();
                self.seed();
                let allocated = self.allocate();
                self.clear_table();
                Ok(allocated?)
            }
            Effect::OpenNetwork => self.open_network(before.evaluation_file),
            Effect::ResetCloud => {
                if before.cloud_address != self.options.cloud_address {
                    self.openings.reset_cloud();
                }
                Ok(())
            }
            Effect::OpenTables => {
                let (tables, bad) = endgames::open_as_set(&self.options);
                self.tables = Some(Arc::new(tables));
                self.clear_table();
                if bad.is_empty() { Ok(()) } else { Err(SettingError::Tables(bad)) }
            }
            Effect::OpenBooks => {
                let bad = self.openings.open(&self.options.book_files);
                if bad.is_empty() { Ok(()) } else { Err(SettingError::Books(bad)) }
            }
        }
    }

    /// Opens the network file of the options; `current` is the file in use.
    ///
    /// # Errors
    /// When it is not a network; the current one is kept.
    fn open_network(&mut self, current: Option<PathBuf>) -> Result<(), SettingError> {
        self.network = match &self.options.evaluation_file {
            None if current.is_none() => return Ok(()),
            None => None,
            Some(path) => match Network::open(&locate(&path.to_string_lossy())) {
                Ok(network) => Some(network),
                Err(error) => {
                    let failed = std::mem::replace(&mut self.options.evaluation_file, current);
                    return Err(SettingError::Network(failed.unwrap_or_default(), error));
                }
            },
        };
        // Stored scores and correction histories belong to the old network.
        self.searcher.clear();
        self.clear_table();
        Ok(())
    }

    /// The endgame tables, if they are to be used.
    pub fn tables(&mut self) -> Option<Arc<Tables>> {
        if !self.options.use_egtb {
            return None;
        }
        // What cannot be used in the default folder is passed over; `chuhe egtb info` tells.
        let tables = self.tables.get_or_insert_with(|| Arc::new(endgames::open_as_set(&self.options).0));
        Some(Arc::clone(tables))
    }

    /// The endgame tables, if they have been opened.
    pub fn open_tables(&self) -> Option<Arc<Tables>> {
        self.tables.clone()
    }

    /// Seeds the random generator from the options.
    fn seed(&mut self) {
        self.rng = match self.options.seed {
            Some(seed) => SmallRng::seed_from_u64(seed.into()),
            None => rand::make_rng(),
        };
    }

    /// Empties the hash tables.
    fn clear_table(&mut self) {
        self.table.clear();
        if let Some(table) = &self.level_table {
            table.clear();
        }
    }

    /// Sets up a game and clears the banned moves.
    ///
    /// # Errors
    /// When the first position or a move is invalid. Then the position stays as it was, or the moves before the invalid
    /// one are made, but [`Engine::refusal`] says that this is not the position asked for.
    pub fn set_up(&mut self, setup: &GameSetup) -> Result<(), GameSetupError> {
        self.banned.clear();
        let played = match setup.set_up(self.options.variant, self.options.ranks, self.ranks) {
            Err(error) => Err(error.into()),
            Ok(game) => {
                // Moves whose numbering is known, as those of a file, say nothing of the client.
                if game.error.is_none() && setup.ranks.or(self.options.ranks).is_none() {
                    self.ranks = game.ranks;
                }
                self.position = game.position;
                game.error.map_or(Ok(()), |error| Err(GameSetupError::Move(error)))
            }
        };
        self.refusal = played.as_ref().err().map(GameSetupError::to_string);
        played
    }

    /// How the client numbers ranks in coordinates.
    pub fn ranks(&self) -> Ranks {
        self.options.ranks.unwrap_or(self.ranks)
    }

    /// Assumes that the client numbers ranks so, until its moves tell otherwise.
    pub fn assume_ranks(&mut self, ranks: Ranks) {
        self.ranks = ranks;
    }

    /// There is no position to search from now on, for this reason: what the client sent could not be read.
    pub fn refuse_position(&mut self, reason: String) {
        self.refusal = Some(reason);
    }

    /// Why there is no position to search: the one last asked for could not be set up.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Replaces the moves excluded at the root of the current position. Returns the errors of invalid ones.
    pub fn ban(&mut self, moves: &[String]) -> Vec<MoveError> {
        let (banned, errors) = self.legal_moves(moves);
        self.banned = banned;
        errors
    }

    /// The legal moves in a list for the current position, and the errors of the others.
    fn legal_moves(&self, moves: &[String]) -> (Vec<Move>, Vec<MoveError>) {
        let (mut legal, mut errors) = (Vec::new(), Vec::new());
        for (text, number) in moves.iter().zip(1..) {
            match setup::legal_move(&self.position, number, text, self.ranks()) {
                Ok(mv) => legal.push(mv),
                Err(error) => errors.push(error),
            }
        }
        (legal, errors)
    }

    /// Makes moves on the board, which, if all are legal, is then the position to search.
    ///
    /// # Errors
    /// When one is invalid; those before it are made.
    pub fn play(&mut self, moves: &[String]) -> Result<(), MoveError> {
        self.banned.clear();
        let ranks = self.ranks();
        setup::play(&mut self.position, moves, ranks)?;
        self.refusal = None;
        Ok(())
    }

    /// Makes a legal move on the board.
    pub fn make(&mut self, mv: Move) {
        self.banned.clear();
        self.position.make(mv);
    }

    /// Takes back up to `count` moves; returns how many were taken back. The board is then the position to search.
    pub fn take_back(&mut self, count: usize) -> usize {
        let count = count.min(self.position.plies());
        for _ in 0..count {
            self.position.undo();
            self.banned.clear();
            self.refusal = None;
        }
        count
    }

    /// Exchanges the sides: see [`Position::color_flipped`].
    pub fn flip(&mut self) {
        self.position = self.position.color_flipped();
        self.banned.clear();
    }

    /// Static evaluation of the current position for the side to move, in engine units.
    pub fn evaluate(&self) -> Score {
        let rules = &self.options.rules;
        Evaluator::new(self.options.knowledge, &self.network(), rules).evaluate(&self.position)
    }

    /// The terms of the static evaluation.
    pub fn trace_evaluation(&self) -> EvalTerms {
        EvalTerms::of(self.options.knowledge, &self.network(), &self.options.rules, &self.position)
    }

    /// The current network.
    pub fn network(&self) -> Arc<Network> {
        self.network.clone().unwrap_or_else(Network::built_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More megabytes than any machine has.
    const TOO_MANY_MEGABYTES: usize = 1 << 30;

    #[test]
    fn too_large_hash_table_keeps_the_current_one() {
        let mut engine = Engine::new();
        engine.set(&Setting::read("hashsize", "3").unwrap()).unwrap();
        engine.options.hash_megabytes = Some(TOO_MANY_MEGABYTES);
        let error = engine.prepare().unwrap_err();
        assert_eq!(error.to_string(), "no memory for a hash table of 1073741824 MB, keeping 3 MB");
        assert_eq!(engine.table.megabytes(), 3);
        assert_eq!(engine.prepare(), Ok(()), "the failed size is not requested again");
    }

    #[test]
    fn placeholder_is_replaced_by_the_default_size() {
        let mut engine = Engine::new();
        engine.options.hash_megabytes = Some(TOO_MANY_MEGABYTES);
        engine.prepare().unwrap_err();
        let chosen = engine.table.default_megabytes();
        assert_eq!((engine.table.megabytes(), engine.options.hash_megabytes), (chosen, Some(chosen)));
    }
}
