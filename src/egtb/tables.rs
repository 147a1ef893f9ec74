//! A set of endgame tables: those in some folders.

use super::file::{EXTENSION, TableError, TableFile};
use super::material::Material;
use super::value::EndgameValue;
use crate::position::{Position, Variant};
use crate::types::{Color, Move};
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file or folder that cannot be used; the others are not affected.
#[derive(Debug, Error)]
#[error("{path}: {error}")]
pub struct BadTable {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: TableError,
}

/// A set of tables.
#[derive(Default)]
pub struct Tables {
    by_material: HashMap<Material, TableFile>,
    /// The greatest number of pieces of a class.
    max_pieces: u32,
}

/// What the tables have for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its value.
    pub value: EndgameValue,
    /// Whether the rules of repetition cannot change it: false for a draw where both sides have attacking pieces, which
    /// one of them may hold by perpetual chase alone.
    pub is_exact: bool,
}

impl Tables {
    /// The tables in these folders: their files with the extension `egtb`. Of two of one class, the first is used.
    /// Returns the files and folders that cannot be used as well.
    pub fn open(folders: &[PathBuf]) -> (Tables, Vec<BadTable>) {
        let (mut tables, mut bad) = (Tables::default(), Vec::new());
        for folder in folders {
            let files = match files_in(folder) {
                Ok(files) => files,
                Err(error) => {
                    bad.push(BadTable { path: folder.clone(), error: error.into() });
                    continue;
                }
            };
            for path in files {
                match TableFile::open(&path) {
                    Ok(table) => tables.add(table),
                    Err(error) => bad.push(BadTable { path, error }),
                }
            }
        }
        (tables, bad)
    }

    /// The tables that are built in: [`super::sets::TableSet::Small`].
    pub fn built_in() -> Tables {
        let mut tables = Tables::default();
        tables.add_built_in();
        tables
    }

    /// Adds the tables that are built in, of classes for which there is none.
    pub fn add_built_in(&mut self) {
        let archive = TableFile::read_archive(include_bytes!("small.egtb"));
        archive.expect("invariant: a test reads the built-in tables").into_iter().for_each(|table| self.add(table));
    }

    /// Adds a table, if there is none of its class.
    pub fn add(&mut self, table: TableFile) {
        self.max_pieces = self.max_pieces.max(table.material().pieces());
        self.by_material.entry(*table.material()).or_insert(table);
    }

    /// Number of tables.
    pub fn len(&self) -> usize {
        self.by_material.len()
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.by_material.is_empty()
    }

    /// The table of a class, normalised.
    pub fn get(&self, material: &Material) -> Option<&TableFile> {
        self.by_material.get(material)
    }

    /// All tables, small classes first.
    pub fn iter(&self) -> impl Iterator<Item = &TableFile> {
        let mut all: Vec<&TableFile> = self.by_material.values().collect();
        all.sort_by_key(|table| (table.material().pieces(), table.material().to_string()));
        all.into_iter()
    }

    /// The value of a position for the side to move, without regard to moves before it and to the move limit; `None` if
    /// there is no table of its class, or a piece stands where it can never get.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        let pieces: u32 = Color::ALL.iter().map(|&color| position.piece_set(color).count_ones()).sum();
        if pieces > self.max_pieces || position.variant() != Variant::Standard {
            return None;
        }
        let (material, is_flipped) = Material::of(position)?.normalised();
        let table = self.by_material.get(&material)?;
        let index = table.indexer().index(&table.indexer().squares_of(position, is_flipped)?);
        let side = if is_flipped { !position.side() } else { position.side() };
        let value = table.value(index, side)?;
        Some(Probe { value, is_exact: value != EndgameValue::Draw || material.is_one_sided() })
    }

    /// The legal moves of a position with the value of each for the side to move, best first; `None` if the tables do not
    /// have the position, or one of those that follow.
    pub fn probe_moves(&self, position: &Position) -> Option<Vec<(Move, Probe)>> {
        self.probe(position)?;
        let mut position = position.clone();
        let mut moves = Vec::new();
        for mv in position.legal_moves().iter() {
            let is_capture = position.is_capture(mv);
            position.make(mv, &mut ());
            let (after, is_check) = (self.probe_after(&position), position.in_check());
            position.undo(&mut ());
            let Probe { value, is_exact } = after?;
            moves.push((mv, Probe { value: value.before(is_check, is_capture), is_exact }));
        }
        moves.sort_by_key(|(_, probe)| std::cmp::Reverse(probe.value.preference()));
        Some(moves)
    }

    /// The value of a position after a move from one that the tables have: without attacking pieces, a draw.
    fn probe_after(&self, position: &Position) -> Option<Probe> {
        if Color::ALL.iter().all(|&color| !position.has_attacking_pieces(color)) {
            return Some(Probe { value: EndgameValue::Draw, is_exact: true });
        }
        self.probe(position)
    }
}

/// Sets with tables of the same classes are equal: there is one right table of each.
impl PartialEq for Tables {
    fn eq(&self, other: &Tables) -> bool {
        self.len() == other.len() && self.by_material.keys().all(|class| other.by_material.contains_key(class))
    }
}

impl Eq for Tables {}

impl fmt::Debug for Tables {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "Tables({})", self.by_material.len())
    }
}

/// The files of endgame tables in a folder, sorted.
///
/// # Errors
/// When the folder cannot be read.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
