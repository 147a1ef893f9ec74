//! Parts of a file of games, generated apart (on several machines) and merged: the merged file equals, byte for byte, the
//! one that a single run would have written.
//!
//! The games of a run are numbered, and each depends only on the settings and its number. A shard has a range of them,
//! which ends the description of its settings in the header: `…, games 26 to 50`.

use super::training_games::{self, GamesError, Reader};
use std::io::{self, BufRead, Write};
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// Begins the range in a header.
const RANGE: &str = ", games ";

/// Greatest number of a game in a header, so that numbers of games cannot overflow.
const MAX_GAMES: u64 = 1 << 48;

/// The range of a file without one in its header: all games from the first on.
const WHOLE: Range<u64> = 0..u64::MAX;

/// One of several equal parts of the games of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    number: u64,
    /// Number of shards.
    count: u64,
}

/// A text is not `I/N` with I from 1 to N.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not I/N with I from 1 to N")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let read = || {
            let (number, count) = text.split_once('/')?;
            Some(Shard { number: number.parse().ok()?, count: count.parse().ok()? })
        };
        let is_valid = |shard: &Shard| shard.number >= 1 && shard.number <= shard.count;
        read().filter(is_valid).ok_or_else(|| ShardError(text.to_string()))
    }
}

impl Shard {
    /// The games of this shard among `total`, numbered from 0. Sizes of shards differ by at most one.
    pub fn games(self, total: u64) -> Range<u64> {
        let bound = |shards: u64| (u128::from(total) * u128::from(shards) / u128::from(self.count)) as u64;
        bound(self.number - 1)..bound(self.number)
    }
}

/// The description in the header of a file with these games of a run, numbered from 0.
pub fn description(settings: &str, games: &Range<u64>) -> String {
    format!("{settings}{RANGE}{} to {}", games.start + 1, games.end)
}

/// The settings and the range in a header; `None`, if there is no valid one: all games from the first on.
fn read_description(description: &str) -> (&str, Option<Range<u64>>) {
    let read = || {
        let (settings, range) = description.rsplit_once(RANGE)?;
        let (first, last) = range.split_once(" to ")?;
        let range = first.parse::<u64>().ok()?.checked_sub(1)?..last.parse().ok()?;
        (range.start <= range.end && range.end <= MAX_GAMES).then_some((settings, range))
    };
    read().map_or((description, None), |(settings, range)| (settings, Some(range)))
}

/// A file to merge.
pub struct Part<R> {
    /// Its name, for errors.
    pub name: String,
    /// The file.
    pub reader: Reader<R>,
}

/// Why files cannot be merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file is damaged: its name, and how.
    #[error("{0}: {1}")]
    Games(String, GamesError),
    /// The games of two files were generated with different settings.
    #[error("{name}: its games were generated with other settings than those of {other}: {found:?}, not {wanted:?}")]
    Settings {
        /// The file.
        name: String,
        /// The first file.
        other: String,
        /// Its settings.
        found: String,
        /// Those of the first file.
        wanted: String,
    },
    /// A file does not have all games that its header names.
    #[error("{0}: it has {1} of its {2} games; datagen continues it")]
    Incomplete(String, u64, u64),
    /// A file does not begin where the one before ends.
    #[error("{name} begins with game {found}, and game {wanted} is wanted")]
    Gap {
        /// The file.
        name: String,
        /// Its first game, from 1.
        found: u64,
        /// The game after the last of those before.
        wanted: u64,
    },
    /// Writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Merges files with adjoining ranges of games of one run, given in any order, and returns the number of games. If they
/// begin with the first game, the header is that of an unsharded run; otherwise it names their range, so that the merged
/// file can be merged again.
///
/// # Errors
/// When the files do not fit together, are incomplete or damaged, or writing fails; `out` is to be thrown away then.
pub fn merge<R: BufRead>(parts: Vec<Part<R>>, out: &mut dyn Write) -> Result<u64, MergeError> {
    let split = |part: Part<R>| {
        let (settings, range) = read_description(part.reader.description());
        (settings.to_string(), range.unwrap_or(WHOLE), part)
    };
    let mut parts: Vec<(String, Range<u64>, Part<R>)> = parts.into_iter().map(split).collect();
    parts.sort_by_key(|(_, range, _)| (range.start, range.end));
    let (Some((wanted, first, part)), Some((_, last, _))) = (parts.first(), parts.last()) else { return Ok(0) };
    if let Some((found, _, other)) = parts.iter().find(|(settings, ..)| settings != wanted) {
        return Err(MergeError::Settings {
            name: other.name.clone(),
            other: part.name.clone(),
            found: found.clone(),
            wanted: wanted.clone(),
        });
    }
    // The size of a whole run is not in its header.
    let joins = |end: u64, range: &Range<u64>| end == range.start || end == WHOLE.end;
    let ends = parts.iter().map(|(_, range, _)| range.end);
    if let Some((end, (_, range, part))) = ends.zip(&parts[1..]).find(|(end, (_, range, _))| !joins(*end, range)) {
        return Err(gap(&part.name, range.start, end));
    }
    let header = if first.start > 0 { description(wanted, &(first.start..last.end)) } else { wanted.clone() };
    training_games::write_header(out, &header)?;
    let begin = first.start;
    let mut next = begin;
    let mut bytes = Vec::new();
    for (_, range, Part { name, reader }) in parts {
        if range.start != next {
            return Err(gap(&name, range.start, next));
        }
        for game in reader {
            let game = game.map_err(|error| MergeError::Games(name.clone(), error))?;
            bytes.clear();
            game.record(&mut bytes);
            out.write_all(&bytes)?;
            next += 1;
        }
        if range.end != next && range != WHOLE {
            return Err(MergeError::Incomplete(name, next - range.start, range.end - range.start));
        }
    }
    Ok(next - begin)
}

fn gap(name: &str, first: u64, wanted: u64) -> MergeError {
    MergeError::Gap { name: name.to_string(), found: first + 1, wanted: wanted + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;
    use crate::training::outcome::GameOutcome;
    use crate::training::training_games::TrainingGame;

    #[test]
    fn shards_divide_the_games() {
        for (total, count) in [(10, 3), (3, 5), (0, 2), (u64::MAX, 7)] {
            let mut next = 0;
            for number in 1..=count {
                let shard: Shard = format!("{number}/{count}").parse().unwrap();
                let games = shard.games(total);
                assert_eq!(games.start, next);
                assert!((total / count..=total / count + 1).contains(&(games.end - games.start)));
                next = games.end;
            }
            assert_eq!(next, total);
        }
        for bad in ["", "1", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/3/5"] {
            assert_eq!(bad.parse::<Shard>(), Err(ShardError(bad.to_string())));
        }
    }

    /// A file of the games with these numbers, from 0.
    fn file(description: &str, numbers: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        training_games::write_header(&mut bytes, description).unwrap();
        for number in numbers {
            let outcome = GameOutcome::ALL[number as usize % 3];
            TrainingGame { start: START_FEN.to_string(), outcome, plies: Vec::new() }.record(&mut bytes);
        }
        bytes
    }

    fn merged(files: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, String> {
        let part = |(name, bytes): &(&str, Vec<u8>)| Part {
            name: name.to_string(),
            reader: Reader::new(io::Cursor::new(bytes.clone())).unwrap(),
        };
        let mut out = Vec::new();
        merge(files.iter().map(part).collect(), &mut out).map_err(|error| error.to_string())?;
        Ok(out)
    }

    #[test]
    fn merged_files_are_those_of_one_run() {
        let shard = |range: Range<u64>| file(&description("settings", &range), range);
        let (a, b, c) = (("a", shard(0..2)), ("b", shard(2..5)), ("c", shard(5..6)));
        let whole = file("settings", 0..6);
        assert_eq!(merged(&[c.clone(), a.clone(), b.clone()]).unwrap(), whole);
        let last = merged(&[b.clone(), c.clone()]).unwrap();
        assert_eq!(last, shard(2..6));
        assert_eq!(merged(&[("first", file("settings", 0..2)), ("last", last)]).unwrap(), whole);
        // Ranges out of range are part of the settings.
        let far = (1..=2).map(|back| file(&format!("far, games {0} to {0}", u64::MAX - back + 1), 0..1));
        let far: Vec<(&str, Vec<u8>)> = far.map(|file| ("far", file)).collect();
        assert!(merged(&[far[0].clone(), far[0].clone()]).unwrap_err().starts_with("far begins with game 1, "));
        assert!(merged(&far).unwrap_err().contains("other settings"));
        assert_eq!(merged(&[a.clone(), c.clone()]).unwrap_err(), "c begins with game 6, and game 3 is wanted");
        assert_eq!(merged(&[a.clone(), a.clone()]).unwrap_err(), "a begins with game 1, and game 3 is wanted");
        assert_eq!(
            merged(&[("x", file("settings", 0..2)), ("y", file("settings", 0..2))]).unwrap_err(),
            "y begins with game 1, and game 3 is wanted"
        );
        let short = ("short", file(&description("settings", &(2..5)), 2..4));
        assert_eq!(merged(&[a.clone(), short]).unwrap_err(), "short: it has 2 of its 3 games; datagen continues it");
        let empty = ("empty", shard(2..2));
        assert_eq!(merged(&[b.clone(), c.clone(), a.clone(), empty]).unwrap(), whole);
        let other = ("other", file("others, games 3 to 5", 2..5));
        assert!(merged(&[a.clone(), other]).unwrap_err().contains("\"others\", not \"settings\""));
        let reversed = ("reversed", file("settings, games 5 to 2", 4..5));
        assert!(merged(&[a.clone(), reversed]).unwrap_err().contains("\"settings, games 5 to 2\", not \"settings\""));
        let torn = ("torn", b.1[..b.1.len() - 1].to_vec());
        assert_eq!(merged(&[a, torn]).unwrap_err(), "torn: the file ends within game 3");
    }
}
