//! Samples of files of games of any size, made in the background, in chunks that fit into memory.

use super::samples::{Extraction, Sample};
use super::training_games::{GamesError, Reader, TrainingGame};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};
use thiserror::Error;

/// One of this many games is held out for validation. Odd: every other game starts from a board that lacks pieces.
const HELD_OUT_EVERY: u64 = 51;

/// Why samples cannot be read.
#[derive(Debug, Error)]
pub enum SamplesError {
    /// A file of games: which, and what is wrong.
    #[error("{0}: {1}")]
    Games(PathBuf, GamesError),
    /// A file cannot be opened.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, io::Error),
}

/// Files of games as samples.
#[derive(Clone, Debug)]
pub struct SampleStream {
    /// The files. They are read at once, each in proportion to its size, so that every chunk has of all of them.
    pub files: Vec<PathBuf>,
    /// How samples are made.
    pub extraction: Extraction,
    /// Samples of a chunk, about.
    pub chunk: usize,
}

/// Some samples in the order of their games.
pub struct Chunk {
    /// The samples.
    pub samples: Vec<Sample>,
    /// Number of games of all files up to the end of the chunk.
    pub games: u64,
    /// The part of all bytes that has been read then, from 0 to 1.
    pub progress: f64,
}

impl SampleStream {
    /// Checksum of how samples are made and of what identifies the files: their sizes and their beginnings.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn fingerprint(&self) -> Result<u32, SamplesError> {
        let mut hasher = crc32fast::Hasher::new();
        let Extraction { loss, td_lambda, outliers } = &self.extraction;
        let outliers = outliers.as_ref().map(|outliers| (outliers.max_difference, outliers.network.checksum()));
        hasher.update(format!("{loss} {td_lambda} {outliers:?}").as_bytes());
        hasher.update(&(self.chunk as u64).to_le_bytes());
        for path in &self.files {
            let read = || -> io::Result<(u64, Vec<u8>)> {
                let (file, mut head) = (File::open(path)?, Vec::new());
                let size = file.metadata()?.len();
                file.take(1 << 16).read_to_end(&mut head)?;
                Ok((size, head))
            };
            let (size, head) = read().map_err(|error| SamplesError::File(path.clone(), error))?;
            hasher.update(&size.to_le_bytes());
            hasher.update(&head);
        }
        Ok(hasher.finalize())
    }

    /// The chunks from after this number of games on, made by another thread: one is made while another is used.
    pub fn chunks(&self, skipped: u64) -> Chunks {
        let (stream, (send, receive)) = (self.clone(), sync_channel(0));
        let maker = thread::spawn(move || {
            let make = || -> Result<(), SamplesError> {
                let mut games = Games::open(&stream.files)?;
                let mut samples = Vec::new();
                while let Some((number, file, game)) = games.next()? {
                    if games.count <= skipped {
                        continue;
                    }
                    if number % HELD_OUT_EVERY != 0 {
                        stream
                            .extraction
                            .extract(&game, &mut samples)
                            .map_err(|error| SamplesError::Games(file, GamesError::Content(number, error)))?;
                    }
                    let is_end = games.is_at_end();
                    if samples.len() >= stream.chunk || is_end {
                        let chunk = Chunk {
                            samples: std::mem::replace(&mut samples, Vec::with_capacity(stream.chunk)),
                            games: games.count,
                            progress: games.progress(),
                        };
                        // Nobody wants more.
                        if send.send(Ok(chunk)).is_err() {
                            return Ok(());
                        }
                    }
                }
                Ok(())
            };
            if let Err(error) = make() {
                // Nobody listens any more.
                send.send(Err(error)).ok();
            }
        });
        Chunks { receive: Some(receive), maker: Some(maker) }
    }

    /// Samples of the games that are held out, at most `max`.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn held_out(&self, max: usize) -> Result<Vec<Sample>, SamplesError> {
        let (mut games, mut samples) = (Games::open(&self.files)?, Vec::new());
        while let Some((number, file, game)) = games.next()?
            && samples.len() < max
        {
            if number.is_multiple_of(HELD_OUT_EVERY) {
                self.extraction
                    .extract(&game, &mut samples)
                    .map_err(|error| SamplesError::Games(file, GamesError::Content(number, error)))?;
            }
        }
        samples.truncate(max);
        Ok(samples)
    }
}

/// The chunks of a [`SampleStream`].
pub struct Chunks {
    receive: Option<Receiver<Result<Chunk, SamplesError>>>,
    maker: Option<JoinHandle<()>>,
}

impl Iterator for Chunks {
    type Item = Result<Chunk, SamplesError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.receive.as_ref()?.recv().ok()
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        self.receive = None;
        // A panic of it has been printed.
        self.maker.take().map(JoinHandle::join);
    }
}

/// The games of several files, each in proportion to its size.
struct Games {
    files: Vec<OpenFile>,
    /// Number of games read.
    count: u64,
}

struct OpenFile {
    path: PathBuf,
    reader: Reader<BufReader<File>>,
    size: u64,
    /// Number of games read.
    games: u64,
}

impl Games {
    fn open(paths: &[PathBuf]) -> Result<Games, SamplesError> {
        let open = |path: &PathBuf| {
            let of_io = |error| SamplesError::File(path.clone(), error);
            let file = File::open(path).map_err(of_io)?;
            let size = file.metadata().map_err(of_io)?.len();
            let reader = Reader::new(BufReader::new(file)).map_err(|error| SamplesError::Games(path.clone(), error))?;
            Ok(OpenFile { path: path.clone(), reader, size, games: 0 })
        };
        Ok(Games { files: paths.iter().map(open).collect::<Result<_, SamplesError>>()?, count: 0 })
    }

    /// The next game: its number in its file, from 1, the file, and the game.
    fn next(&mut self) -> Result<Option<(u64, PathBuf, TrainingGame)>, SamplesError> {
        let open = self.files.iter_mut().filter(|file| file.reader.bytes() < file.size);
        let share = |file: &OpenFile| file.reader.bytes() as f64 / file.size as f64;
        let Some(file) = open.min_by(|one, other| share(one).total_cmp(&share(other))) else { return Ok(None) };
        let game = file.reader.next().transpose().map_err(|error| SamplesError::Games(file.path.clone(), error))?;
        file.games += 1;
        self.count += 1;
        Ok(game.map(|game| (file.games, file.path.clone(), game)))
    }

    fn is_at_end(&self) -> bool {
        self.files.iter().all(|file| file.reader.bytes() >= file.size)
    }

    /// The part of all bytes that has been read.
    fn progress(&self) -> f64 {
        let sum = |bytes: fn(&OpenFile) -> u64| self.files.iter().map(bytes).sum::<u64>() as f64;
        sum(|file| file.reader.bytes()) / sum(|file| file.size).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;
    use crate::training::loss::Loss;
    use crate::training::outcome::GameOutcome;
    use crate::training::training_games::{ScoredMove, write_header};
    use std::io::Write;

    /// A file of games of one move each, which has the score of its number.
    fn file(path: &std::path::Path, scores: std::ops::Range<i16>) {
        let mut bytes = Vec::new();
        write_header(&mut bytes, "a test").unwrap();
        for score in scores {
            let plies = vec![ScoredMove { mv: "h2e2".parse().unwrap(), score: Some(score) }];
            TrainingGame { start: START_FEN.to_string(), outcome: GameOutcome::Draw, plies }.record(&mut bytes);
        }
        File::create(path).unwrap().write_all(&bytes).unwrap();
    }

    #[test]
    fn chunks_have_all_games_but_those_held_out_and_are_continued() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a", "b"].map(|name| folder.path().join(name)).to_vec();
        file(&files[0], 0..100);
        file(&files[1], 100..400);
        let loss = Loss::WinDrawLoss;
        let stream = SampleStream { files, extraction: Extraction { loss, td_lambda: 0.5, outliers: None }, chunk: 60 };
        let chunks: Vec<Chunk> = stream.chunks(0).map(Result::unwrap).collect();
        let samples: usize = chunks.iter().map(|chunk| chunk.samples.len()).sum();
        let held_out = stream.held_out(1_000).unwrap();
        // One of the first file, five of the second.
        assert_eq!((samples, held_out.len(), chunks.len()), (394, 6, 7));
        assert_eq!((chunks[6].games, chunks[6].progress), (400, 1.0));
        assert!((chunks[2].progress - 0.46).abs() < 0.02, "{}", chunks[2].progress);
        // A quarter of each chunk is of the first file: small scores.
        let of_first =
            |chunk: &Chunk| chunk.samples.iter().filter(|sample| sample.searched() < loss.expectation(99.5).0).count();
        let counts: Vec<usize> = chunks[..6].iter().map(of_first).collect();
        assert!(counts.iter().all(|count| (14..=16).contains(count)), "{counts:?}");
        let rest: Vec<Chunk> = stream.chunks(chunks[3].games).map(Result::unwrap).collect();
        assert_eq!(rest.len(), 3);
        assert!(rest.iter().zip(&chunks[4..]).all(|(one, other)| one.samples == other.samples));
        // A reader that goes away ends the thread.
        drop(stream.chunks(0));
        let missing = SampleStream { files: vec!["missing".into()], ..stream };
        assert!(matches!(missing.chunks(0).next(), Some(Err(SamplesError::File(..)))));
    }
}
