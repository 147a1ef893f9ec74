//! Generation of training games by self-play.

use super::selfplay::{endgame, play, random_move, reduced_opening, soft_limits};
use super::training_games::{self, GamesError, Reader, TrainingGame};
use crate::eval::Knowledge;
use crate::parallel::map_in_order;
use crate::rng::seeded_rng;
use crate::search::settings::SearchSettings;
use crate::tournament::internal_engine::HASH_MEGABYTES;
use crate::tournament::player::Player;
use crate::tournament::random_opening::{OPENING_NODES, opening};
use std::io::{self, BufRead, Read};
use std::ops::{ControlFlow, Range};

/// How games are generated: the same settings give the same games with the same search, for any number of threads.
#[derive(Clone, Debug)]
pub(crate) struct DatagenSettings {
    /// Search settings of both sides.
    pub settings: SearchSettings,
    /// Nodes for each move; the iteration in which they are reached is finished.
    pub nodes: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Start from random endgames.
    pub endgames: bool,
}

impl DatagenSettings {
    /// The settings as text, for the header of a file of games.
    pub(crate) fn description(&self) -> String {
        let DatagenSettings { settings, nodes, seed, endgames } = self;
        let evaluation = evaluation_name(settings);
        let tables = settings.tables.as_ref().map_or(0, |tables| tables.len());
        let start = if *endgames { format!(", from endgames, {tables} endgame tables") } else { String::new() };
        format!(
            "ChuHe {}, {evaluation}, {nodes} nodes a move and the rest of the iteration, seed {seed}{start}",
            env!("CARGO_PKG_VERSION")
        )
    }

    /// Plays the games with these numbers and calls `on_game` with each in order, until it breaks. Every second game
    /// starts from a [`reduced_opening`], or all from an [`endgame`]; every second pair has random moves.
    pub(crate) fn generate(
        &self,
        games: Range<u64>,
        threads: usize,
        on_game: &mut dyn FnMut(TrainingGame) -> ControlFlow<()>,
    ) {
        let limits = soft_limits(self.nodes, self.settings.clone());
        let worker = || {
            let mut player = Player::new(limits.clone(), hash_megabytes(self.nodes));
            let mut scorer = Player::scorer(&self.settings, self.nodes.min(OPENING_NODES));
            move |game| {
                let rng = &mut seeded_rng(self.seed, game);
                let start = match (self.endgames, game % 2) {
                    (true, _) => endgame,
                    (false, 0) => opening,
                    (false, _) => reduced_opening,
                }(rng, &mut scorer);
                let has_random_moves = game % 4 >= 2;
                play(&start, &mut player, &mut |position| {
                    if has_random_moves { random_move(rng, position) } else { None }
                })
            }
        };
        map_in_order(games, threads, worker, on_game);
    }
}

/// The evaluation in the description of a file of games.
pub(super) fn evaluation_name(settings: &SearchSettings) -> String {
    match settings.knowledge {
        Knowledge::None => "material".to_string(),
        Knowledge::Small => "piece-square tables".to_string(),
        Knowledge::Medium => "classical evaluation".to_string(),
        Knowledge::Large => format!("network {:08x}", settings.network.checksum()),
    }
}

/// Size of the hash table of a player, in MB: small enough that clearing it for each game takes little of the game's time.
fn hash_megabytes(nodes: u64) -> usize {
    if nodes <= 1_000 { 1 } else { HASH_MEGABYTES }
}

/// Whether a file ends within the header that it would have with this description: a run was interrupted, or the disk was
/// full.
///
/// # Errors
/// When reading fails.
pub(crate) fn has_torn_header(input: impl Read, description: &str) -> io::Result<bool> {
    let header = training_games::header(description);
    let mut beginning = Vec::new();
    input.take(header.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning.len() < header.len() && header.as_bytes().starts_with(&beginning))
}

/// Number of complete games in a file with this description, and the length of header and games in bytes; the rest is an
/// incomplete game of an interrupted run.
///
/// # Errors
/// When the file has another description, or is damaged.
pub(crate) fn resume(input: impl BufRead, description: &str) -> Result<(u64, u64), ResumeError> {
    let mut reader = Reader::new(input)?;
    if reader.description() != description {
        let (found, wanted) = (reader.description().to_string(), description.to_string());
        return Err(ResumeError::Settings { found, wanted });
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

/// Why a file of games cannot be continued.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ResumeError {
    /// It is damaged or not a file of games.
    #[error("{0}")]
    Games(#[from] GamesError),
    /// Its games were generated with other settings.
    #[error("its games were generated with other settings: {found:?}, not {wanted:?}")]
    Settings {
        /// The settings in the file.
        found: String,
        /// The settings of this run.
        wanted: String,
    },
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}
