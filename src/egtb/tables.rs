//! A set of endgame tables: those in some folders.

use super::block_cache::BlockCache;
use super::file::{EXTENSION, TableError, TableFile};
use super::index::is_possible;
use super::material::Material;
use super::value::EndgameValue;
use crate::position::{Position, Variant};
use crate::types::{Color, Move, Piece, PieceType, Square};
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

/// Why the tables do not have a position.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum NotInTables {
    /// A side has more pieces than at the start of a game.
    #[error("there is no table")]
    NoClass,
    /// There is no table of its class, or of one that follows by a capture.
    #[error("there is no table of {0}: if the memory suffices, `chuhe egtb build {0}` builds it")]
    NoTable(Material),
    /// A piece, by its letter, stands where it can never get. The tables have no such positions.
    #[error("the {0} on {1} can never get there; no table has such positions")]
    Misplaced(char, Square),
}

/// A set of tables.
#[derive(Default)]
pub struct Tables {
    files: Vec<TableFile>,
    /// The places of the tables of a class in `files`. The first that is not damaged is used.
    by_material: HashMap<Material, Vec<usize>>,
    /// The greatest number of pieces of a class.
    max_pieces: u32,
    cache: BlockCache,
}

/// What the tables have for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its value.
    pub value: EndgameValue,
    /// Whether the rules of repetition cannot change it: false for a draw where both sides have attacking pieces, and there
    /// are other pieces than kings and pawns, so that one side may hold it by perpetual chase alone.
    pub is_exact: bool,
}

impl Probe {
    /// A value that the rules of repetition cannot change.
    pub const fn exact(value: EndgameValue) -> Probe {
        Probe { value, is_exact: true }
    }
}

impl Tables {
    /// The tables in these folders: their files with the extension `egtb`. Of two of one class, the first is used,
    /// and the other if that proves damaged. Returns the files and folders that cannot be used as well.
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

    /// Adds the tables that are built in, behind those that there are.
    pub fn add_built_in(&mut self) {
        let archive = TableFile::read_archive(include_bytes!("small.egtb"));
        archive.expect("invariant: a test reads the built-in tables").into_iter().for_each(|table| self.add(table));
    }

    /// Adds a table, behind those of its class.
    pub fn add(&mut self, table: TableFile) {
        self.max_pieces = self.max_pieces.max(table.material().pieces());
        self.by_material.entry(*table.material()).or_default().push(self.files.len());
        self.files.push(table);
    }

    /// Number of classes that have a table.
    pub fn len(&self) -> usize {
        self.by_material.len()
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.by_material.is_empty()
    }

    /// The first table of a class, normalised.
    pub fn get(&self, material: &Material) -> Option<&TableFile> {
        self.by_material.get(material)?.first().map(|&number| &self.files[number])
    }

    /// The first table of each class, small classes first.
    pub fn iter(&self) -> impl Iterator<Item = &TableFile> {
        let mut all: Vec<&TableFile> = self.by_material.keys().filter_map(|class| self.get(class)).collect();
        all.sort_by_key(|table| (table.material().pieces(), table.material().to_string()));
        all.into_iter()
    }

    /// The tables that have proved damaged when they were used, each the first time that this is called after it. They are
    /// not used any more.
    pub fn take_damaged(&self) -> Vec<BadTable> {
        let damaged = self.files.iter().filter_map(|table| Some((table, table.take_damage()?)));
        damaged.map(|(table, error)| BadTable { path: table_name(table), error }).collect()
    }

    /// The value of a position for the side to move, without regard to moves before it and to the move limit; `None` if
    /// there is no table of its class, it is damaged, or a piece stands where it can never get. Without attacking pieces it is
    /// a draw.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        if position.variant() == Variant::Standard
            && !Color::ALL.iter().any(|&color| position.has_attacking_pieces(color))
        {
            return Some(Probe::exact(EndgameValue::Draw));
        }
        let pieces: u32 = Color::ALL.iter().map(|&color| position.piece_set(color).count_ones()).sum();
        if pieces > self.max_pieces || position.variant() != Variant::Standard {
            return None;
        }
        self.probe_class(position, None)
    }

    /// Whether one side has no attacking pieces, and the other one, which has rooks, knights and pawns, could not win if its
    /// guards were taken off the board.
    ///
    /// Such guards rarely matter: they are no screens, having no cannons, and cannot reach the other side. An estimate, no
    /// proof: they can block the file between the kings, and can make a move that changes nothing.
    pub fn is_drawn_without_guards(&self, position: &Position) -> bool {
        let attacks = |color: &Color| position.has_attacking_pieces(*color);
        let mut attackers = Color::ALL.into_iter().filter(attacks);
        let (Some(stronger), None) = (attackers.next(), attackers.next()) else { return false };
        position.variant() == Variant::Standard
            && position.count(stronger, PieceType::Cannon) == 0
            && self.probe_class(position, Some(stronger)).is_some_and(|probe| probe.value == EndgameValue::Draw)
    }

    /// The value of a position, without the guards of the side `unguarded`.
    fn probe_class(&self, position: &Position, unguarded: Option<Color>) -> Option<Probe> {
        let material = Material::of(position)?;
        let material = unguarded.map_or(material, |color| material.without_guards(color));
        let (material, is_flipped) = material.normalised();
        let numbers = self.by_material.get(&material)?;
        let indexer = self.files[*numbers.first()?].indexer();
        let index = indexer.index(&indexer.squares_of(position, is_flipped, unguarded)?);
        let side = if is_flipped { !position.side() } else { position.side() };
        let value = |&number: &usize| self.files[number].cached_value(index, side, &self.cache, number);
        let value = numbers.iter().find_map(value)?;
        let nobody_chases = material.is_one_sided() || material.has_only_pawns();
        Some(Probe { value, is_exact: value != EndgameValue::Draw || nobody_chases })
    }

    /// The legal moves of a position with the value of each for the side to move, best first; `None` if the tables do not
    /// have the position, or one of those that follow.
    pub fn probe_moves(&self, position: &Position) -> Option<Vec<(Move, Probe)>> {
        self.probe(position)?;
        let mut position = position.clone();
        let mut moves = Vec::new();
        for mv in position.legal_moves().iter() {
            let is_capture = position.is_capture(mv);
            position.make(mv);
            let (after, is_check) = (self.probe(&position), position.in_check());
            position.undo();
            let Probe { value, is_exact } = after?;
            moves.push((mv, Probe { value: value.before(is_check, is_capture), is_exact }));
        }
        moves.sort_by_key(|(_, probe)| std::cmp::Reverse(probe.value.preference()));
        Some(moves)
    }

    /// Why [`Tables::probe_moves`] does not have a position, unless a table is damaged.
    pub fn why_not(&self, position: &Position) -> NotInTables {
        let Some(class) = Material::of(position) else { return NotInTables::NoClass };
        let (class, _) = class.normalised();
        if !self.by_material.contains_key(&class) {
            return NotInTables::NoTable(class);
        }
        let is_misplaced = |&(piece, square): &(Piece, Square)| {
            let kind = piece.piece_type();
            kind != PieceType::King && !is_possible(piece.color(), kind, square)
        };
        if let Some((piece, square)) = position.pieces().find(is_misplaced) {
            return NotInTables::Misplaced(piece.letter(), square);
        }
        let missing = class.subclasses().into_iter().rfind(|class| !self.by_material.contains_key(class));
        NotInTables::NoTable(missing.unwrap_or(class))
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

/// The path of a table, or the name that its file would have.
fn table_name(table: &TableFile) -> PathBuf {
    table.path().map_or_else(|| format!("{}.{EXTENSION}", table.material()).into(), Path::to_path_buf)
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
