//! One engine, several dialects (L5): it owns the game, the options, the hash table and the searcher, and does what
//! clients ask for, whatever words they use.
//!
//! | module | what it owns |
//! |---|---|
//! | [`options`] | the options a client can set, in one table |
//! | [`setup`] | games as clients describe them |
//! | [`go`] | what a client asks of a search, and the limits that follow |
//! | [`courtesy`] | when to offer or accept a draw and when to resign |
//! | [`hash`] | how large a hash table may be |

pub mod courtesy;
pub mod go;
pub mod hash;
pub mod options;
pub mod setup;

use crate::position::{FenError, Position};
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::report::Report;
use crate::search::signals::Signals;
use crate::search::transposition::{Entry, Table};
use crate::types::{Move, Score};
use courtesy::{Courtesy, Found, Manners};
use go::Go;
use hash::HashError;
use options::{Options, Setting};
use setup::{MoveError, Setup};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// A hash table that a search and those who probe it share.
pub type SharedTable = Arc<RwLock<Table>>;

/// The engine.
pub struct Engine {
    options: Options,
    position: Position,
    /// Moves not to be played at the root of `position`.
    banned: Vec<Move>,
    table: SharedTable,
    searcher: Searcher,
    manners: Manners,
}

/// The answer to a `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The move to play.
    Move {
        /// The move.
        best: Move,
        /// The reply expected.
        ponder: Option<Move>,
        /// What is added to it.
        courtesy: Option<Courtesy>,
    },
    /// There is no legal move.
    NoMove,
    /// No search was asked for: the static evaluation, for the side to move, in engine units.
    Evaluation(Score),
}

impl Engine {
    /// An engine at the start position. Its hash table is the smallest there is until [`Engine::prepare`]: a client
    /// that only asks who is there gets its answer at once.
    pub fn new() -> Engine {
        let table = Table::new(1).expect("invariant: the machine has a megabyte");
        Engine {
            options: Options::default(),
            position: Position::start(),
            banned: Vec::new(),
            table: Arc::new(RwLock::new(table)),
            searcher: Searcher::new(),
            manners: Manners::default(),
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
    /// When a hash table of that size cannot be had; the table stays as it was.
    pub fn set(&mut self, setting: Setting) -> Result<(), HashError> {
        self.options.set(setting);
        match setting {
            Setting::HashSize(_) => self.prepare(),
            Setting::ClearHash => {
                read(&self.table).clear();
                Ok(())
            }
            Setting::NewGame => {
                self.searcher.clear();
                self.manners.clear();
                let resized = self.resize();
                if resized != Ok(true) {
                    read(&self.table).clear();
                }
                resized.map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Gives the hash table the size that the options say.
    ///
    /// # Errors
    /// When there is no memory for it. The table stays as it is, and its size is what the options say from now on.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        self.resize().map(drop)
    }

    /// As [`Engine::prepare`]; returns whether the table is a new one.
    fn resize(&mut self) -> Result<bool, HashError> {
        let wanted = self.options.hash_megabytes.unwrap_or(hash::CHOSEN_MEGABYTES);
        let kept = read(&self.table).megabytes();
        if wanted == kept {
            return Ok(false);
        }
        match hash::allocate(wanted) {
            Some(table) => {
                *self.table.write().unwrap_or_else(PoisonError::into_inner) = table;
                Ok(true)
            }
            None => {
                self.options.hash_megabytes = Some(kept);
                Err(HashError { wanted, kept })
            }
        }
    }

    /// Sets up a game. Moves that were banned no longer are.
    ///
    /// # Errors
    /// The outer one when the first position is refused: then everything stays as it was. The inner one when a move is
    /// bad: then the moves before it stand.
    pub fn set_up(&mut self, setup: &Setup) -> Result<Result<(), MoveError>, FenError> {
        let (position, played) = setup.position()?;
        self.position = position;
        self.banned.clear();
        Ok(played)
    }

    /// Bans moves at the root of the present position, besides those banned already. Returns what is wrong with those
    /// that cannot be.
    pub fn ban(&mut self, moves: &[String]) -> Vec<MoveError> {
        let mut errors = Vec::new();
        for (index, text) in moves.iter().enumerate() {
            match setup::legal_move(&self.position, index + 1, text) {
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
        setup::play(&mut self.position, moves)
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

    /// The limits of a search for `go`, as things stand.
    pub fn limits(&self, go: &Go) -> Limits {
        go.limits(&self.options, &self.banned)
    }

    /// Searches the present position, on the calling thread, until the limits or the signals end it.
    pub fn go(&mut self, go: &Go, signals: &Signals, report: &mut dyn FnMut(Report)) -> Answer {
        if go.depth == Some(0) {
            return Answer::Evaluation(crate::eval::Evaluator::new(&self.position).evaluate(&self.position));
        }
        if go.draw {
            signals.offer_draw();
        }
        let limits = self.limits(go);
        let outcome = self.searcher.search(&self.position, &limits, signals, &read(&self.table), report);
        let Some(best) = outcome.best else { return Answer::NoMove };
        // Courtesy is for games: not for an analysis, nor for a move that the opponent did not make after all.
        let is_played = go.is_bounded() && (!go.ponder || signals.ponderhit_at().is_some());
        let courtesy = is_played
            .then(|| {
                let found = Found {
                    mv: best,
                    score: outcome.score,
                    depth: outcome.depth,
                    draw_offered: signals.draw_offered(),
                };
                self.manners.decide(&self.position, found)
            })
            .flatten();
        Answer::Move { best, ponder: outcome.ponder, courtesy }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

/// What `table` knows of `position`; its move is legal there.
pub fn probe(table: &RwLock<Table>, position: &Position) -> Option<Entry> {
    let mut entry = read(table).probe(position.key())?;
    entry.mv = entry.mv.filter(|&mv| position.is_legal(mv));
    Some(entry)
}

fn read(table: &RwLock<Table>) -> RwLockReadGuard<'_, Table> {
    // A table cannot be left half-written: whatever panicked, what it holds is still checked by its keys.
    table.read().unwrap_or_else(PoisonError::into_inner)
}
