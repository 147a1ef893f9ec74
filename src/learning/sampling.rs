//! Labelled positions from inside the searches of self-play games.
//!
//! Most positions that a search evaluates are never played: pieces hang in them, and attacks have no answer. So
//! the training data is made of these (nodchip's Stockfish, pull request 264): self-play games are played as by
//! [`super::datagen`], each search takes some of the positions that it evaluates, and a second, smaller search labels each
//! with its score. The positions played are used as well, with the outcome of the game.

use super::datagen::evaluation_name;
use super::labeller::Labeller;
use super::match_play::HASH_MEGABYTES;
use super::positions::{PositionsError, Reader};
use super::rng::seeded_rng;
use super::samples::{Sample, extract};
use super::selfplay::{Player, endgame, opening, play, random_move, reduced_opening};
use crate::parallel::map_in_order;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use std::io::{self, BufRead};
use std::ops::{ControlFlow, Range};

/// How positions are made: the same settings give the same positions with the same search, for any number of threads.
#[derive(Clone, Debug)]
pub struct SamplingSettings {
    /// Search settings of both sides and of the labels.
    pub settings: SearchSettings,
    /// Nodes for each move of the games.
    pub nodes: u64,
    /// Positions to take from each search, on average, at least 1; a third or so are not fit for training.
    pub positions: u64,
    /// Soft node limit of the search that labels a position.
    pub label_nodes: u64,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl SamplingSettings {
    /// The settings as text, for the header of a file of positions.
    pub fn description(&self) -> String {
        let SamplingSettings { settings, nodes, positions, label_nodes, seed } = self;
        let tables = settings.tables.as_ref().map_or(0, |tables| tables.len());
        format!(
            "ChuHe {}, {}, {tables} endgame tables, {nodes} nodes a move, {positions} positions a search, {label_nodes} \
             nodes a label, seed {seed}",
            env!("CARGO_PKG_VERSION"),
            evaluation_name(settings),
        )
    }

    /// Plays the games with these numbers and calls `on_game` with the positions of each in order, until it breaks. Of
    /// eight games, four start from an [`opening`], three from a [`reduced_opening`] and one from an [`endgame`]; three of
    /// four have random moves.
    pub fn generate(&self, games: Range<u64>, threads: usize, on_game: &mut dyn FnMut(Vec<Sample>) -> ControlFlow<()>) {
        let limits = Limits { nodes: Some(self.nodes), settings: self.settings.clone(), ..Limits::default() };
        // About three nodes of four are evaluated; the others are in check or known from the transposition table.
        let every = (self.nodes * 3 / 4 / self.positions.max(1)).max(1) as u32;
        let worker = || {
            let labeller = Labeller::new(&self.settings, self.label_nodes, HASH_MEGABYTES);
            let mut player = [Player::new(limits.clone(), HASH_MEGABYTES).with_labeller(labeller, every)];
            move |game| {
                let rng = &mut seeded_rng(self.seed, game);
                let start = match game % 8 {
                    7 => endgame,
                    1 | 3 | 5 => reduced_opening,
                    _ => opening,
                }(rng, &self.settings);
                let has_random_moves = game % 4 != 0;
                let game = play(&start, &mut player, &mut |position| {
                    if has_random_moves { random_move(rng, position) } else { None }
                });
                let mut samples = player[0].take_samples();
                extract(&game, &mut samples).expect("invariant: the moves of a game are legal");
                samples.truncate(usize::from(u16::MAX));
                samples
            }
        };
        map_in_order(games, threads, worker, on_game);
    }

    /// Number of complete games in a file written with these settings, and the length of header and games in bytes; the
    /// rest is an incomplete block of an interrupted run.
    ///
    /// # Errors
    /// When the file was written with other settings, or is damaged.
    pub fn resume(&self, input: impl BufRead) -> Result<(u64, u64), SamplingResumeError> {
        let mut reader = Reader::new(input)?;
        if reader.description() != self.description() {
            return Err(SamplingResumeError::Settings {
                found: reader.description().to_string(),
                wanted: self.description(),
            });
        }
        let mut games = 0;
        for block in reader.by_ref() {
            match block {
                Ok(_) => games += 1,
                Err(PositionsError::Torn(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok((games, reader.bytes()))
    }
}

/// Why a file of positions cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum SamplingResumeError {
    /// It is damaged or not a file of positions.
    #[error("{0}")]
    Positions(#[from] PositionsError),
    /// Its positions were made with other settings.
    #[error("its positions were made with other settings: {found:?}, not {wanted:?}")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::positions;
    use crate::search::settings::SearchSettings;
    use std::collections::HashSet;

    fn settings() -> SamplingSettings {
        SamplingSettings { settings: SearchSettings::default(), nodes: 400, positions: 4, label_nodes: 100, seed: 5 }
    }

    fn generate(threads: usize) -> Vec<Vec<Sample>> {
        let mut games = Vec::new();
        settings().generate(0..8, threads, &mut |samples| {
            games.push(samples);
            ControlFlow::Continue(())
        });
        games
    }

    #[test]
    fn positions_do_not_depend_on_the_number_of_threads() {
        let games = generate(1);
        assert!(games == generate(3));
        let (played, sampled): (Vec<&Sample>, Vec<&Sample>) =
            games.iter().flatten().partition(|sample| sample.target(1.0) != sample.target(0.0));
        assert!(played.len() > 100 && sampled.len() > played.len(), "{} {}", played.len(), sampled.len());
        let distinct: HashSet<_> = sampled.iter().map(|sample| sample.to_bytes()).collect();
        assert!(distinct.len() * 10 > sampled.len() * 9, "{} of {}", distinct.len(), sampled.len());
        // The eighth game is an endgame.
        assert!(!games[7].is_empty() && games[7].iter().all(|sample| sample.inputs().features()[0].len() <= 16));
    }

    #[test]
    fn interrupted_files_are_continued_with_the_same_settings_only() {
        let mut bytes = Vec::new();
        positions::write_header(&mut bytes, &settings().description()).unwrap();
        let games = generate(2);
        games[..2].iter().for_each(|samples| positions::write_block(samples, &mut bytes));
        let complete = bytes.len() as u64;
        positions::write_block(&games[2], &mut bytes);
        bytes.pop();
        assert_eq!(settings().resume(&bytes[..]).unwrap(), (2, complete));
        let other = SamplingSettings { label_nodes: 101, ..settings() };
        assert!(matches!(other.resume(&bytes[..]), Err(SamplingResumeError::Settings { .. })));
    }
}
