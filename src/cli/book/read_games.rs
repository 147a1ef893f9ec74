//! The games of files, counted.

use super::super::error::{Failure, IoContext};
use super::super::game_files::{GameFile, once_if_none};
use super::super::messages::print_message;
use super::super::progress::progress;
use super::book_files::open_file;
use crate::games::error::{ReadError, ReadErrorKind};
use crate::games::record::GameRecord;
use crate::games::stream::{FileGame, GameStream, Place};
use crate::position::Variant;
use std::fs;
use std::io::{BufReader, Read};

/// What was read.
#[derive(Default)]
pub(super) struct Counts {
    pub games: usize,
    pub moves: usize,
    pub errors: usize,
}

/// Calls `add`, which returns a number of moves, with each game of files; errors in them are printed.
pub(super) fn read_games(files: &[GameFile], add: &mut dyn FnMut(&GameRecord) -> usize) -> Result<Counts, Failure> {
    let sizes = files.iter().map(|file| fs::metadata(&file.path).reading(&file.path));
    let sizes: Vec<u64> = sizes.map(|file| Ok(file?.len())).collect::<Result<_, Failure>>()?;
    let progress = progress(sizes.iter().sum(), "bytes");
    let mut counts = Counts::default();
    for file in files {
        let path = &file.path;
        for game in games_of(file, progress.wrap_read(open_file(path)?)) {
            let error = match game? {
                Ok(game) => {
                    if let Some(note) = game.note {
                        progress.suspend(|| print_message(&format_args!("{}: {note}", path.display())));
                    }
                    counts.games += 1;
                    counts.moves += add(&game);
                    game.error
                }
                Err(error) => Some(error),
            };
            if let Some(error) = error {
                counts.errors += 1;
                progress.suspend(|| print_message(&format_args!("{}: {error}", path.display())));
            }
        }
    }
    progress.finish_and_clear();
    Ok(counts)
}

/// The games of a file, read as they are taken; the errors outside are those of reading. An empty file is an error of it.
pub(super) fn games_of(
    file: &GameFile,
    input: impl Read + Send + 'static,
) -> impl Iterator<Item = Result<Result<GameRecord, ReadError>, Failure>> {
    let games = GameStream::new(BufReader::new(input), Variant::Standard);
    let games = if file.is_found { once_if_none(games) } else { Box::new(games) as Box<dyn Iterator<Item = _> + Send> };
    let mut games = games.peekable();
    let empty = games.peek().is_none().then(|| Ok(Err(ReadErrorKind::Empty.into())));
    let games = games.map(move |game| {
        let FileGame { place, game, .. } = game.reading(&file.path)?;
        let located = |error: ReadError| match place {
            Place::Line(line) => error.or_in_line(line),
            _ => error,
        };
        Ok(game.map_err(located).map(|record| GameRecord { error: record.error.map(located), ..record }))
    });
    empty.into_iter().chain(games)
}
