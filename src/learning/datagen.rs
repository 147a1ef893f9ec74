//! Games for training, made by the engine against itself.

use super::games::{Game, GamesError, Reader};
use super::match_play::HASH_MEGABYTES;
use super::rng::seeded_rng;
use super::selfplay::{Player, opening, play, random_move, reduced_opening};
use crate::eval::Knowledge;
use crate::parallel::map_in_order;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use std::io::{self, BufRead};
use std::ops::{ControlFlow, Range};

/// How games are made: the same plan makes the same games with the same search, whatever the number of threads.
#[derive(Clone, Debug)]
pub struct DatagenSettings {
    /// How both sides search.
    pub settings: SearchSettings,
    /// Nodes for each move.
    pub nodes: u64,
    /// Where chance begins.
    pub seed: u64,
}

impl DatagenSettings {
    /// The plan in words, for the header of a file.
    pub fn description(&self) -> String {
        let DatagenSettings { settings, nodes, seed } = self;
        let evaluation = match settings.knowledge {
            Knowledge::None => "material".to_string(),
            Knowledge::Small => "placement".to_string(),
            Knowledge::Medium => "classical evaluation".to_string(),
            Knowledge::Large => format!("network {:08x}", settings.network.checksum()),
        };
        format!("ChuHe {}, {evaluation}, {nodes} nodes a move, seed {seed}", env!("CARGO_PKG_VERSION"))
    }

    /// Plays games with these numbers on so many threads, and hands them to `take` in order, until it says that it is
    /// enough. Every other game begins from a board that lacks some men, and three of four have some moves by chance.
    pub fn generate(&self, games: Range<u64>, threads: usize, take: &mut dyn FnMut(Game) -> ControlFlow<()>) {
        let limits = Limits { nodes: Some(self.nodes), settings: self.settings.clone(), ..Limits::default() };
        let worker = || {
            let mut player = [Player::new(limits.clone(), HASH_MEGABYTES)];
            move |game| {
                let rng = &mut seeded_rng(self.seed, game);
                let start = if game % 2 == 0 { opening } else { reduced_opening }(rng, &self.settings);
                let is_strict = game % 4 == 0;
                play(&start, &mut player, &mut |position| if is_strict { None } else { random_move(rng, position) })
            }
        };
        map_in_order(games, threads, worker, take);
    }

    /// How many whole games a file has that was written by this plan, and how many bytes they and the header take. What
    /// comes after them was left by a writer that was broken off.
    ///
    /// # Errors
    /// When the file was made otherwise, or is damaged.
    pub fn resume(&self, input: impl BufRead) -> Result<(u64, u64), ResumeError> {
        let mut reader = Reader::new(input)?;
        if reader.description() != self.description() {
            return Err(ResumeError::Story { found: reader.description().to_string(), wanted: self.description() });
        }
        let mut games = 0;
        for game in reader.by_ref() {
            match game {
                Ok(_) => games += 1,
                Err(GamesError::Torn(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok((games, reader.bytes()))
    }
}

/// Why a file cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// It is damaged, or no file of games.
    #[error("{0}")]
    Games(#[from] GamesError),
    /// Its games were made by another plan.
    #[error("its games were made otherwise: {found:?}, not {wanted:?}")]
    Story {
        /// What the file says.
        found: String,
        /// What it should say.
        wanted: String,
    },
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
}
