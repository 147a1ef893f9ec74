//! Shared by the subcommands of `chuhe net`: arguments, and files of games and networks.

use crate::cli::error::{Context, Failure, IoContext, Within};
use crate::eval::Knowledge;
use crate::eval::network::Network;
use crate::search::settings::SearchSettings;
use crate::training::training_games::{GameError, GamesError, Reader, TrainingGame};
use clap::Args;
use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files of games.
#[derive(Args)]
pub(super) struct Files {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

impl Files {
    /// Their paths, and that of a file that is read as well.
    pub(super) fn with<'a>(&'a self, other: Option<&'a Path>) -> Vec<&'a Path> {
        self.files.iter().map(PathBuf::as_path).chain(other).collect()
    }

    /// The size of all files.
    pub(super) fn bytes(&self) -> Result<u64, Failure> {
        let size = |path: &PathBuf| path.metadata().map(|file| file.len()).reading(path);
        self.files.iter().map(size).sum()
    }

    /// The games for another thread, up to the first that is damaged, and what is wrong with it then.
    pub(super) fn games(&self) -> Result<(impl Iterator<Item = TrainingGame> + Send + 'static, Damaged), Failure> {
        let readers = self.files.iter().map(|path| Ok((path.clone(), open(path)?)));
        let readers = readers.collect::<Result<Vec<_>, Failure>>()?;
        let damaged = Damaged::default();
        let noted = Arc::clone(&damaged.0);
        let games = readers.into_iter().flat_map(|(path, reader)| reader.map(move |game| (path.clone(), game)));
        let games = games.map_while(move |(path, game)| match game {
            Ok(game) => Some(game),
            Err(error) => {
                *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(Within::file(&path, error));
                None
            }
        });
        Ok((games, damaged))
    }

    /// Visits all games with their number in their file, counted from 1.
    pub(super) fn for_each_game(
        &self,
        mut visit: impl FnMut(u64, &TrainingGame) -> Result<(), GameError>,
    ) -> Result<(), Failure> {
        for path in &self.files {
            for (number, game) in (1..).zip(open(path)?) {
                let visited =
                    game.and_then(|game| visit(number, &game).map_err(|error| GamesError::Content(number, error)));
                visited.in_file(path)?;
            }
        }
        Ok(())
    }
}

/// Why a thread that reads games stopped before their end.
#[derive(Default)]
pub(super) struct Damaged(Arc<Mutex<Option<Failure>>>);

impl Damaged {
    /// The error, once.
    pub(super) fn take(&self) -> Option<Failure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The file of an evaluation; `None`: it is a level of knowledge.
pub(super) fn evaluation_file(name: &OsStr) -> Option<&Path> {
    (!["small", "medium", "large"].contains(&name.to_str().unwrap_or_default())).then(|| Path::new(name))
}

/// Search settings with an evaluation: the file of a network, or a level of knowledge.
pub(in crate::cli) fn settings(name: &OsStr) -> Result<SearchSettings, Failure> {
    let with = |knowledge| SearchSettings { knowledge, ..SearchSettings::default() };
    match name.to_str() {
        Some("small") => Ok(with(Knowledge::Small)),
        Some("medium") => Ok(with(Knowledge::Medium)),
        Some("large") => Ok(with(Knowledge::Large)),
        _ => Ok(SearchSettings { network: open_network(Path::new(name))?, ..SearchSettings::default() }),
    }
}

pub(super) fn open_network(path: &Path) -> Result<Arc<Network>, Failure> {
    Network::open(path).in_file(path)
}

/// A network by its file or, by the name `default`, the built-in one.
pub(super) fn network_or_default(name: &Path) -> Result<Arc<Network>, Failure> {
    if name == "default" { Ok(Network::built_in()) } else { open_network(name) }
}

/// Reads a number from 0 to 1.
pub(super) fn fraction(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "not a number")?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("must be from 0 to 1".to_string()) }
}

pub(super) fn open(path: &Path) -> Result<Reader<BufReader<File>>, Failure> {
    let file = File::open(path).reading(path)?;
    Reader::new(BufReader::new(file)).in_file(path)
}
