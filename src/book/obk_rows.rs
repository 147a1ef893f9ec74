//! The rows of a database in memory, to be changed and written: those that are not changed keep their moves, scores and games.

use super::MoveResults;
use super::obk::{self, Obk, ObkError, ObkKind, Row, keys, legal_move, weights};
use crate::position::Position;
use crate::types::{Move, Square};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

/// The rows of a database, each with the key of its position.
#[derive(Clone, Debug, Default)]
pub struct ObkRows(Vec<(u64, Row)>);

impl ObkRows {
    /// All rows of a book, those of moves that are not to be played too.
    ///
    /// # Errors
    /// When the database cannot be read or is larger than 256 MB.
    pub fn of(book: &Obk) -> Result<ObkRows, ObkError> {
        Ok(ObkRows(book.rows()?))
    }

    /// The rows of legal moves of positions with these keys; a weight becomes the score.
    pub fn of_moves(moves: impl IntoIterator<Item = (u64, Move, u16, MoveResults)>) -> ObkRows {
        ObkRows(moves.into_iter().map(|(key, mv, weight, results)| (key, Row::new(mv, weight, results))).collect())
    }

    /// Number of moves that are to be played.
    pub fn moves(&self) -> usize {
        self.0.iter().filter(|(_, row)| row.is_valid).count()
    }

    /// Number of positions that have such moves; one that is there as its mirror image too counts twice.
    pub fn positions(&self) -> usize {
        self.0.iter().filter(|(_, row)| row.is_valid).map(|&(key, _)| key).collect::<HashSet<_>>().len()
    }

    /// Number of rows with a remark, which is not written.
    pub fn remarks(&self) -> usize {
        self.0.iter().filter(|(_, row)| row.has_remark).count()
    }

    /// The weights that [`Obk::find`] gives the moves that are to be played.
    pub fn weights(&self) -> impl Iterator<Item = i64> {
        with_weights_as_scores(self.0.clone()).into_iter().filter(|(_, row)| row.is_valid).map(|(_, row)| row.score)
    }

    /// Gives a legal move of a position this weight, in the book's rows of the position and of its mirror image; 0 removes it.
    /// If the weights of the position are not its scores, all of them become the scores first.
    pub fn set(&mut self, position: &Position, mv: Move, weight: u16) {
        let [own, image] = keys(position);
        let found = |&(key, row): &(u64, Row)| match key {
            _ if key == own => legal_move(position, row.mv, false),
            _ if key == image => legal_move(position, row.mv, true),
            _ => None,
        };
        let played = self.0.iter().enumerate().filter(|(_, (_, row))| row.is_valid);
        let known = played.filter_map(|(place, row)| Some(((place, found(row)?), row.1))).collect();
        for ((place, _), weight, _) in weights(known) {
            self.0[place].1.score = weight.into();
        }
        let is_it = |row: &(u64, Row)| found(row) == Some(mv);
        if weight == 0 {
            self.0.retain(|row| !is_it(row));
            return;
        }
        let mut is_known = false;
        for row in &mut self.0 {
            if is_it(row) {
                (row.1.score, row.1.is_valid, is_known) = (weight.into(), true, true);
            }
        }
        if !is_known {
            self.0.push((own, Row::new(mv, weight, MoveResults::default())));
        }
    }

    /// Adds the rows of another book. In positions of both, the weights become the scores; those of the same move are
    /// added up, and so are its games. Of positions with keys in `images`, which has the keys of mirror images, it is known
    /// that they are in both.
    pub fn merge(&mut self, mut other: ObkRows, images: &HashMap<u64, u64>) {
        let keys_of = |rows: &ObkRows| rows.0.iter().map(|&(key, _)| key).collect::<HashSet<_>>();
        let known = keys_of(self);
        for (key, row) in &mut other.0 {
            if let Some(&image) = images.get(key).filter(|&image| !known.contains(key) && known.contains(image)) {
                (*key, row.mv) = (image, mirrored(row.mv));
            }
        }
        let common: HashSet<u64> = known.intersection(&keys_of(&other)).copied().collect();
        let mut merged: BTreeMap<(u64, u16), Row> = BTreeMap::new();
        let mut result = Vec::new();
        for rows in [std::mem::take(&mut self.0), other.0] {
            let (both, one): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(key, _)| common.contains(key));
            result.extend(one);
            for (key, row) in with_weights_as_scores(both) {
                merged.entry((key, row.mv)).and_modify(|known| known.add(&row)).or_insert(row);
            }
        }
        result.extend(merged.into_iter().map(|((key, _), row)| (key, row)));
        self.0 = result;
    }

    /// Writes a database with an index of keys, without remarks.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write(&self, kind: ObkKind, out: &mut impl Write) -> io::Result<()> {
        obk::write(kind, self.0.iter().copied(), out)
    }
}

/// The mirror image of a move as it is stored, whichever square is first.
fn mirrored(stored: u16) -> u16 {
    let square = |byte: u8| {
        let square = Square::from_raw(byte);
        if square.is_on_board() { square.mirrored().raw() } else { byte }
    };
    u16::from_be_bytes(stored.to_be_bytes().map(square))
}

/// The rows with the weights of moves that are to be played as their scores.
fn with_weights_as_scores(rows: Vec<(u64, Row)>) -> Vec<(u64, Row)> {
    let (played, mut result): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, row)| row.is_valid);
    let mut by_key: BTreeMap<u64, Vec<((), Row)>> = BTreeMap::new();
    for (key, row) in played {
        by_key.entry(key).or_default().push(((), row));
    }
    for (key, rows) in by_key {
        let scored = weights(rows).into_iter().map(|(_, weight, row)| (key, Row { score: weight.into(), ..row }));
        result.extend(scored);
    }
    result
}
