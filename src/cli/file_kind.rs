//! Kinds of the files that commands write, told apart by how a file begins.

use crate::book::book_file::BookFile;
use crate::eval::network::Network;
use crate::files;
use crate::tournament::opening_suite::{OpeningSuite, SuiteSettings};
use crate::training::training_games;
use std::fmt::{self, Display};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes at the beginning of a file that tell text from other files.
const BEGINNING: u64 = 8 << 10;

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Book,
    Network,
    /// Games for training.
    Games,
    /// A list of openings.
    Openings,
    Page,
    Pgn,
    Svg,
    Png,
    /// Text that is appended to.
    Log,
}

/// As in `… is no book`.
impl Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FileKind::Book => "book",
            FileKind::Network => "network",
            FileKind::Games => "file of training games",
            FileKind::Openings => "list of openings",
            FileKind::Page => "page",
            FileKind::Pgn => "PGN",
            FileKind::Svg => "SVG",
            FileKind::Png => "PNG",
            FileKind::Log => "text",
        })
    }
}

impl FileKind {
    /// Whether a file is of this kind, as its beginning tells where that is enough. So is an empty file.
    pub(super) fn is_of(self, path: &Path) -> bool {
        let mut beginning = Vec::new();
        let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
        if read.is_err() || beginning.is_empty() {
            return read.is_ok();
        }
        let begins_with = |text: &str| beginning.get(..text.len()).is_some_and(|found| found == text.as_bytes());
        match self {
            FileKind::Book => BookFile::open(path).is_ok(),
            FileKind::Network => beginning.starts_with(Network::MAGIC),
            FileKind::Games => begins_with(training_games::MAGIC),
            FileKind::Openings => files::read(path, files::MAX_FILE_BYTES).is_ok_and(|bytes| {
                OpeningSuite::positions(&String::from_utf8_lossy(&bytes), &SuiteSettings::ALL).is_ok()
            }),
            FileKind::Page => beginning.to_ascii_lowercase().starts_with(b"<!doctype html"),
            FileKind::Pgn => begins_with("["),
            FileKind::Svg => begins_with("<svg"),
            FileKind::Png => beginning.starts_with(b"\x89PNG"),
            FileKind::Log => !beginning.contains(&0),
        }
    }
}
