//! Opening books in SQLite databases: `.obk` of 兵河五四 and 鲨鱼象棋 (table `bhobk`) and `.pfBook` of interfaces for Pikafish
//! (table `pfBook`). A row is a move of a position:
//!
//! - `vkey`: the exclusive or of a number for each piece on its square and, with Red to move, one more (`obk.keys`). A
//!   position is looked up as it is and mirrored left to right. The 64 bits are a signed integer in `pfBook`; in `bhobk`
//!   so if the first bit is clear, else the bits of a floating-point number.
//! - `vmove`: origin square in the high byte, target in the low byte, as [`Move::bits`] the other way round. Some programs
//!   write them in that order instead; only one of the two can be legal in a position.
//! - `vvalid`: 1, or the move is not to be played.
//! - `vscore`, `vwin`, `vdraw`, `vlost`: see [`Obk::find`].

use super::sqlite::{Database, MAGIC, SchemaRow, Source, SqliteError, Value};
use super::sqlite_writer::{self, Field};
use super::{BookMove, MoveResults};
use crate::position::Position;
use crate::types::{Color, Move, Piece, Square};
use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::io::{self, Write};
use thiserror::Error;

/// The numbers of a key as `u64`, little endian: Red to move; then for each piece (`KABNRCP`, `kabnrcp`) those of the
/// squares a9 to i9, a8 … i0.
static NUMBERS: &[u8; 8 * (1 + 14 * 90)] = include_bytes!("obk.keys");
/// Maximum size in bytes of a database that is read without an index.
const MAX_UNINDEXED_BYTES: u64 = 64 << 20;
/// Maximum number of rows read for a key: far more than a position has moves.
const MAX_ROWS: usize = 1_000;
/// Maximum size in bytes of a database whose rows are all read into memory.
const MAX_BYTES_OF_ROWS: u64 = 256 << 20;
/// The columns that are read.
const COLUMNS: [&str; 8] = ["vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid", "vmemo"];

/// Why a database is not an opening book.
#[derive(Debug, Error)]
pub enum ObkError {
    /// The database cannot be read.
    #[error(transparent)]
    Sqlite(#[from] SqliteError),
    /// It has neither table.
    #[error("it is an SQLite database without a table bhobk or pfBook")]
    Table,
    /// The table has no such column.
    #[error("its table {0} has no column {1}")]
    Column(&'static str, &'static str),
    /// It is large and has no index of keys.
    #[error("it is larger than {max} MB and has no index of keys; SQLite adds one: CREATE INDEX vkey ON {0} (vkey)", max = MAX_UNINDEXED_BYTES >> 20)]
    Index(&'static str),
    /// Its rows are not read into memory.
    #[error("it is larger than {max} MB, too large to be changed or merged", max = MAX_BYTES_OF_ROWS >> 20)]
    Rows,
    /// Another program has changes of it in this file.
    #[error("another program uses it, or did not end well: there are changes in {0}")]
    Changes(String),
}

/// The two kinds of databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObkKind {
    /// `.obk`
    Obk,
    /// `.pfBook`
    PfBook,
}

impl ObkKind {
    /// The name of the table.
    pub fn table(self) -> &'static str {
        match self {
            ObkKind::Obk => "bhobk",
            ObkKind::PfBook => "pfBook",
        }
    }

    /// The value of `vkey` for a key.
    fn field(self, key: u64) -> Field {
        match self {
            // SQLite has no NaN.
            ObkKind::Obk if key >> 63 == 1 && !f64::from_bits(key).is_nan() => Field::Real(f64::from_bits(key)),
            _ => Field::Integer(key as i64),
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// As it is stored.
    pub mv: u16,
    pub score: i64,
    /// The games with the move.
    pub results: MoveResults,
    /// Whether the move is to be played.
    pub is_valid: bool,
    pub has_remark: bool,
}

impl Row {
    /// The row of a move with its weight as the score.
    pub(super) fn new(mv: Move, weight: u16, results: MoveResults) -> Row {
        Row { mv: mv.bits().swap_bytes(), score: weight.into(), results, is_valid: true, has_remark: false }
    }

    /// Adds the score and the games of the same move.
    pub(super) fn add(&mut self, other: &Row) {
        self.score = self.score.saturating_add(other.score);
        let (own, others) = (&mut self.results, &other.results);
        own.wins = own.wins.saturating_add(others.wins);
        own.draws = own.draws.saturating_add(others.draws);
        own.losses = own.losses.saturating_add(others.losses);
        self.is_valid |= other.is_valid;
        self.has_remark |= other.has_remark;
    }

    /// Two for each game won, one for each draw.
    fn points(&self) -> i64 {
        let [wins, draws] = [self.results.wins, self.results.draws].map(|games| games as i64);
        wins.saturating_mul(2).saturating_add(draws)
    }
}

/// A key as it is stored.
#[derive(Clone, Copy, Debug)]
enum Key {
    Integer(i64),
    Real(f64),
}

impl Key {
    /// The 64 bits.
    fn bits(self) -> u64 {
        match self {
            Key::Integer(number) => number as u64,
            Key::Real(number) => number.to_bits(),
        }
    }

    fn value(self) -> Value<'static> {
        match self {
            Key::Integer(number) => Value::Integer(number),
            Key::Real(number) => Value::Real(number),
        }
    }

    fn compare(&self, other: &Key) -> Ordering {
        self.value().compare(&other.value())
    }
}

/// Where the rows of a key are found.
enum Rows {
    /// By the index with this first page.
    Index(u32),
    /// Here, in order of keys.
    Memory(Vec<(Key, Row)>),
}

/// An open book.
pub struct Obk {
    database: Database,
    /// The first page of the table.
    root: u32,
    /// Where a row has the values of [`COLUMNS`].
    columns: [Option<u16>; COLUMNS.len()],
    rows: Rows,
}

impl fmt::Debug for Obk {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Obk").field("root", &self.root).finish_non_exhaustive()
    }
}

/// The keys of a position and of its mirror image.
pub fn keys(position: &Position) -> [u64; 2] {
    let (numbers, _) = NUMBERS.as_chunks::<8>();
    let number = |index: usize| u64::from_le_bytes(numbers[index]);
    let of = |piece: Piece, square: Square| {
        let kind = 7 * piece.color() as usize + piece.piece_type().index();
        number(1 + 90 * kind + 9 * (square.row() - 3) + square.column() - 3)
    };
    let side = if position.side() == Color::Red { number(0) } else { 0 };
    position.pieces().fold([side; 2], |[own, image], (piece, square)| {
        [own ^ of(piece, square), image ^ of(piece, square.mirrored())]
    })
}

/// Whether these are the first bytes of an SQLite database.
pub fn is_database(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl Obk {
    /// Opens a book.
    ///
    /// # Errors
    /// When it cannot be read, is no such book, or has no index and is too large to be read whole.
    pub fn open(source: Box<dyn Source>) -> Result<Obk, ObkError> {
        let database = Database::open(source)?;
        let schema = database.schema()?;
        let of = |kind: ObkKind| {
            let is_it = |row: &&SchemaRow| row.kind == "table" && row.name.eq_ignore_ascii_case(kind.table());
            Some((kind, schema.iter().find(is_it)?))
        };
        let (kind, table) = of(ObkKind::Obk).or_else(|| of(ObkKind::PfBook)).ok_or(ObkError::Table)?;
        let names = columns(&table.sql);
        let place = |name: &str| names.iter().position(|column| column.eq_ignore_ascii_case(name))?.try_into().ok();
        let columns = COLUMNS.map(place);
        if let Some(missing) = columns.iter().take(2).position(Option::is_none) {
            return Err(ObkError::Column(kind.table(), COLUMNS[missing]));
        }
        let index = schema.iter().find(|row| {
            row.kind == "index" && row.table.eq_ignore_ascii_case(&table.name) && is_index_of(&row.sql, COLUMNS[0])
        });
        let mut book = Obk { database, root: table.root, columns, rows: Rows::Memory(Vec::new()) };
        match index {
            Some(index) => book.rows = Rows::Index(index.root),
            None if book.database.bytes() > MAX_UNINDEXED_BYTES => return Err(ObkError::Index(kind.table())),
            None => {
                let mut rows = Vec::new();
                book.scan(&mut |key, row| rows.push((key, row)))?;
                rows.retain(|(_, row)| row.is_valid);
                rows.sort_by(|(one, _), (other, _)| one.compare(other));
                book.rows = Rows::Memory(rows);
            }
        }
        Ok(book)
    }

    /// Calls `visit` for each row.
    fn scan(&self, visit: &mut dyn FnMut(Key, Row)) -> Result<(), SqliteError> {
        self.database.scan(self.root, &mut |_, values| {
            let key = match self.value(values, 0) {
                Some(&Value::Integer(number)) => Key::Integer(number),
                Some(&Value::Real(number)) => Key::Real(number),
                _ => return,
            };
            visit(key, self.row(values));
        })
    }

    /// All rows with their keys, in the order of the table.
    ///
    /// # Errors
    /// When the database cannot be read or is too large.
    pub(super) fn rows(&self) -> Result<Vec<(u64, Row)>, ObkError> {
        if self.database.bytes() > MAX_BYTES_OF_ROWS {
            return Err(ObkError::Rows);
        }
        let mut rows = Vec::new();
        self.scan(&mut |key, row| rows.push((key.bits(), row)))?;
        Ok(rows)
    }

    /// The value of a column of [`COLUMNS`].
    fn value<'a>(&self, values: &'a [Value<'a>], column: usize) -> Option<&'a Value<'a>> {
        values.get(usize::from(self.columns[column]?))
    }

    /// A row of these values.
    fn row(&self, values: &[Value]) -> Row {
        let value = |column: usize| match self.value(values, column) {
            Some(&Value::Integer(number)) => number,
            // A column can turn whole numbers into these.
            Some(&Value::Real(number)) => number as i64,
            _ => 0,
        };
        let games = |column| value(column).max(0) as u64;
        Row {
            mv: u16::try_from(value(1)).unwrap_or(0),
            score: value(2),
            results: MoveResults { wins: games(3), draws: games(4), losses: games(5), unknown: 0 },
            is_valid: self.columns[6].is_none() || value(6) == 1,
            has_remark: matches!(self.value(values, 7),
                Some(Value::Text(remark) | Value::Blob(remark)) if !remark.is_empty()),
        }
    }

    /// The rows of a key.
    fn with_key(&self, key: u64) -> Result<Vec<Row>, SqliteError> {
        let real = Some(f64::from_bits(key)).filter(|real| key >> 63 == 1 && !real.is_nan());
        let mut found = Vec::new();
        for key in [Some(Key::Integer(key as i64)), real.map(Key::Real)].into_iter().flatten() {
            match &self.rows {
                Rows::Memory(rows) => {
                    let from = rows.partition_point(|(row, _)| row.compare(&key) == Ordering::Less);
                    let equal = rows[from..].iter().take_while(|(row, _)| row.compare(&key) == Ordering::Equal);
                    found.extend(equal.take(MAX_ROWS).map(|&(_, row)| row));
                }
                Rows::Index(index) => {
                    for row in self.database.find(*index, &key.value(), MAX_ROWS)? {
                        self.database.with_row(self.root, row, &mut |values| found.push(self.row(values)))?;
                    }
                }
            }
        }
        found.retain(|row| row.is_valid);
        Ok(found)
    }

    /// The legal moves of the book for `position` or its mirror image, in descending order of weight. The weight is `vscore`;
    /// if no move has one above 0, `2 · vwin + vdraw`; if none has that either, the distance from the lowest score plus 1. The
    /// smallest weight is 1. If one exceeds the maximum, all weights of the position are scaled down.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(&self, position: &Position) -> Result<Vec<BookMove>, ObkError> {
        Ok(self.find_with_results(position)?.into_iter().map(|(found, _)| found).collect())
    }

    /// The same with the numbers of games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_with_results(&self, position: &Position) -> Result<Vec<(BookMove, MoveResults)>, ObkError> {
        let [own, image] = keys(position);
        let mut moves: Vec<(Move, Row)> = Vec::new();
        for (key, is_mirrored) in [(own, false), (image, true)] {
            if is_mirrored && own == image {
                break;
            }
            for row in self.with_key(key)? {
                if let Some(mv) =
                    legal_move(position, row.mv, is_mirrored).filter(|&mv| moves.iter().all(|&(known, _)| known != mv))
                {
                    moves.push((mv, row));
                }
            }
        }
        Ok(weights(moves).into_iter().map(|(mv, weight, row)| (BookMove { mv, weight }, row.results)).collect())
    }

    /// Number of moves that are to be played, as far as they are legal. Reads the whole table.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count(&self) -> Result<usize, ObkError> {
        let mut count = 0;
        self.scan(&mut |_, row| count += usize::from(row.is_valid))?;
        Ok(count)
    }
}

/// The legal move of `position` that a row has, which is of its mirror image if `is_mirrored`.
pub(super) fn legal_move(position: &Position, stored: u16, is_mirrored: bool) -> Option<Move> {
    [stored.swap_bytes(), stored].into_iter().find_map(|bits| {
        let is_on_board = |byte: u16| Square::from_raw(byte as u8).is_on_board();
        let mv = Move::from_bits(bits).filter(|_| is_on_board(bits) && is_on_board(bits >> 8))?;
        Some(if is_mirrored { mv.mirrored() } else { mv }).filter(|&mv| position.is_legal(mv))
    })
}

/// The rows of a position with the weights of [`Obk::find`], in descending order of weight, then of score and of results.
pub(super) fn weights<M>(mut moves: Vec<(M, Row)>) -> Vec<(M, u16, Row)> {
    let lowest = moves.iter().map(|(_, row)| row.score).min().unwrap_or(0);
    let value: &dyn Fn(&Row) -> i64 = if moves.iter().any(|(_, row)| row.score > 0) {
        &|row| row.score
    } else if moves.iter().any(|(_, row)| row.points() > 0) {
        &Row::points
    } else {
        &|row| row.score.saturating_sub(lowest).saturating_add(1)
    };
    moves.sort_by_key(|(_, row)| Reverse((value(row), row.score, row.points())));
    let max = moves.first().map_or(0, |(_, row)| value(row));
    let divisor = max / (i64::from(u16::MAX) + 1) + 1;
    let weight = |row: &Row| (value(row) / divisor).clamp(1, u16::MAX.into()) as u16;
    moves.into_iter().map(|(mv, row)| (mv, weight(&row), row)).collect()
}

/// Writes rows, each with the key of its position, and an index of keys.
///
/// # Errors
/// When `out` cannot be written to.
pub(super) fn write(kind: ObkKind, rows: impl IntoIterator<Item = (u64, Row)>, out: &mut impl Write) -> io::Result<()> {
    let value = |field: Field| match field {
        Field::Real(number) => Value::Real(number),
        Field::Integer(number) => Value::Integer(number),
        Field::Null => Value::Null,
    };
    let fields = |(key, Row { mv, score, results, is_valid, .. }): (u64, Row)| {
        let games = [results.wins, results.draws, results.losses].map(|games| games as i64);
        // Behind the key: move, score; games won, drawn, lost; valid; remark, index.
        let [mv, score, valid, index] = [mv.into(), score, is_valid.into(), 0].map(Field::Integer);
        let [won, drawn, lost] = games.map(Field::Integer);
        vec![kind.field(key), mv, score, won, drawn, lost, valid, Field::Null, index]
    };
    let mut rows: Vec<Vec<Field>> = rows.into_iter().map(fields).collect();
    rows.sort_by(|one, other| value(one[0]).compare(&value(other[0])));
    let table = kind.table();
    // Without a type, the column keeps the bits of keys.
    let columns = "id INTEGER PRIMARY KEY, vkey, vmove INTEGER, vscore INTEGER, vwin INTEGER, vdraw INTEGER, \
                   vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER";
    sqlite_writer::write(
        (table, &format!("CREATE TABLE {table} ({columns})")),
        ("vkey", &format!("CREATE INDEX vkey ON {table} (vkey)")),
        &rows,
        out,
    )
}

/// A word or a sign of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// Without quotes around it; whether it had some.
    Word(String, bool),
    Sign(char),
}

impl Token {
    fn is(&self, word: &str) -> bool {
        matches!(self, Token::Word(text, false) if text.eq_ignore_ascii_case(word))
    }
}

/// The words and signs of a statement.
fn tokens(sql: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let close = match first {
            '[' => Some(']'),
            '"' | '\'' | '`' => Some(first),
            _ => None,
        };
        let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
        let comment = [("--", "\n"), ("/*", "*/")].into_iter().find(|(open, _)| rest.starts_with(open));
        rest = if let Some((_, end)) = comment {
            rest.split_once(end).map_or("", |(_, after)| after)
        } else if let Some(close) = close {
            let (word, after) = rest[1..].split_once(close).unwrap_or((&rest[1..], ""));
            tokens.push(Token::Word(word.to_string(), true));
            after
        } else if is_word(first) {
            let (word, after) = rest.split_at(rest.find(|character| !is_word(character)).unwrap_or(rest.len()));
            tokens.push(Token::Word(word.to_string(), false));
            after
        } else {
            tokens.push(Token::Sign(first));
            &rest[first.len_utf8()..]
        }
        .trim_start();
    }
    tokens
}

/// What stands between the first bracket and the one that closes it, divided at commas outside of brackets, and what follows.
fn list(tokens: &[Token]) -> (Vec<&[Token]>, &[Token]) {
    let (mut items, mut depth) = (Vec::new(), 0);
    let mut from = 0;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(') if depth == 0 => (depth, from) = (1, place + 1),
            Token::Sign('(') => depth += 1,
            Token::Sign(',') if depth == 1 => {
                items.push(&tokens[from..place]);
                from = place + 1;
            }
            Token::Sign(')') if depth == 1 => {
                items.push(&tokens[from..place]);
                return (items, &tokens[place + 1..]);
            }
            Token::Sign(')') if depth > 1 => depth -= 1,
            _ => {}
        }
    }
    (items, &[])
}

/// The names of the columns in `CREATE TABLE`.
fn columns(sql: &str) -> Vec<String> {
    let tokens = tokens(sql);
    let is_constraint =
        |token: &Token| ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].iter().any(|word| token.is(word));
    let names = list(&tokens).0.into_iter().filter_map(|item| match item.first()? {
        token if is_constraint(token) => None,
        Token::Word(name, _) => Some(name.clone()),
        Token::Sign(_) => None,
    });
    names.collect()
}

/// Whether `CREATE INDEX` makes an index of all rows by `column` in ascending order, alone or before others.
fn is_index_of(sql: &str, column: &str) -> bool {
    let tokens = tokens(sql);
    let (items, after) = list(&tokens);
    let is_ascending = |rest: &[Token]| rest.is_empty() || rest.len() == 1 && rest[0].is("ASC");
    let is_first = items.first().and_then(|item| item.split_first()).is_some_and(|(first, rest)| {
        matches!(first, Token::Word(name, _) if name.eq_ignore_ascii_case(column)) && is_ascending(rest)
    });
    is_first && !after.iter().any(|token| token.is("WHERE"))
}
