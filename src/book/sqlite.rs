//! Reading tables and indices of SQLite 3 databases ([file format](https://www.sqlite.org/fileformat2.html)).
//!
//! Pages are read as they are needed and a few are kept, so a large database is not loaded. Files can be hostile: every
//! length is checked, a tree is followed to a limited depth, and no more pages are read than the file has.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// How a database begins.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Length of the header of a database in bytes; the first page has it before its cells.
pub(crate) const HEADER_BYTES: usize = 100;
/// Memory for pages, in bytes.
const CACHE_BYTES: usize = 4 << 20;
/// Maximum depth of a tree. With four cells a page it has more pages than a file can have.
const MAX_DEPTH: usize = 20;
/// Bytes of a row that are read; what follows (a long remark) is not needed.
const MAX_ROW_BYTES: u64 = 1 << 16;

/// Kinds of pages of a tree, as in their first byte.
pub(crate) const INDEX_INTERIOR: u8 = 2;
/// A page of a table with the pages below it.
pub(crate) const TABLE_INTERIOR: u8 = 5;
/// A page of an index without pages below it.
pub(crate) const INDEX_LEAF: u8 = 10;
/// A page of a table with rows.
pub(crate) const TABLE_LEAF: u8 = 13;

/// What is wrong with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// Its number is 0 or greater than the number of pages.
    #[error("it is not in the file")]
    Missing,
    /// It is no page of a tree, or of one of the other kind.
    #[error("it is not a page of the table or index that leads to it")]
    Kind,
    /// A cell is not inside it.
    #[error("a cell is not inside it")]
    Cell,
    /// A row is not as its header says.
    #[error("a row is malformed")]
    Row,
    /// The way to it is too long, or pages are reached more than once.
    #[error("the way to it is a circle or too long")]
    Circle,
}

/// Why a database cannot be read.
#[derive(Debug, Error)]
pub enum SqliteError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The header is not that of a database.
    #[error("its header is not that of an SQLite 3 database")]
    Header,
    /// A page, by its number from 1, cannot be read.
    #[error("page {0} is damaged: {1}")]
    Page(u32, Damage),
}

/// A value of a row. Two are equal, and one is less than another, by the rules of SQLite, texts by their bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text in the encoding of the database.
    Text(&'a [u8]),
    /// Bytes.
    Blob(&'a [u8]),
}

impl Value<'_> {
    /// The whole number; `None` for anything else.
    pub(crate) fn integer(&self) -> Option<i64> {
        if let Value::Integer(number) = *self { Some(number) } else { None }
    }

    fn class(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Integer(_) | Value::Real(_) => 1,
            Value::Text(_) => 2,
            Value::Blob(_) => 3,
        }
    }

    /// The order in an index.
    pub(crate) fn compare(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
            (Value::Real(one), Value::Real(other)) => one.total_cmp(other),
            (Value::Integer(one), Value::Real(other)) => compare_integer(*one, *other),
            (Value::Real(one), Value::Integer(other)) => compare_integer(*other, *one).reverse(),
            (Value::Text(one), Value::Text(other)) | (Value::Blob(one), Value::Blob(other)) => one.cmp(other),
            _ => self.class().cmp(&other.class()),
        }
    }
}

/// Compares numbers as they are: not every `i64` is an `f64`.
fn compare_integer(integer: i64, real: f64) -> Ordering {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if real < -LIMIT {
        Ordering::Greater
    } else if real >= LIMIT {
        Ordering::Less
    } else {
        integer.cmp(&(real as i64)).then_with(|| 0.0_f64.total_cmp(&(real.fract() + 0.0)))
    }
}

/// A row of the table of all tables and indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SchemaRow {
    /// `table`, `index` …
    pub kind: String,
    /// Its own name.
    pub name: String,
    /// The table that it is, or that it is of.
    pub table: String,
    /// The number of the first page.
    pub root: u32,
    /// How it was made; empty for an index that a table has by itself.
    pub sql: String,
}

/// Where a database is read from.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// The file, and some of its pages: each at the place of its number modulo the number of places.
struct Pager {
    source: Box<dyn Source>,
    cache: Vec<Option<(u32, Arc<[u8]>)>>,
}

/// An open database.
pub(crate) struct Database {
    pager: Mutex<Pager>,
    /// Length of a page in bytes.
    page_bytes: usize,
    /// Bytes of a page that are used.
    usable: usize,
    /// Number of pages.
    pages: u32,
    /// 1: UTF-8; 2, 3: UTF-16, little or big endian.
    encoding: u8,
}

/// A page of a tree.
struct Node {
    number: u32,
    page: Arc<[u8]>,
    is_leaf: bool,
    /// Offset of the first cell pointer.
    pointers: usize,
    cells: usize,
}

impl Database {
    /// Opens a database.
    ///
    /// # Errors
    /// When it cannot be read or its header is invalid.
    pub(crate) fn open(mut source: Box<dyn Source>) -> Result<Database, SqliteError> {
        let length = source.seek(SeekFrom::End(0))?;
        if length < HEADER_BYTES as u64 {
            return Err(SqliteError::Header);
        }
        source.seek(SeekFrom::Start(0))?;
        let mut header = [0; HEADER_BYTES];
        source.read_exact(&mut header)?;
        let page_bytes = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 1 << 16,
            bytes => usize::from(bytes),
        };
        let usable = page_bytes.saturating_sub(header[20].into());
        // A read version above 2 is of a later format.
        if !header.starts_with(MAGIC) || !page_bytes.is_power_of_two() || usable < 480 || header[19] > 2 {
            return Err(SqliteError::Header);
        }
        let pages = u32::try_from(length / page_bytes as u64).unwrap_or(u32::MAX);
        let cache = vec![None; (CACHE_BYTES / page_bytes).min(pages as usize).max(1)];
        let pager = Mutex::new(Pager { source, cache });
        Ok(Database { pager, page_bytes, usable, pages, encoding: header[59] })
    }

    /// Length of the file in bytes, without a part of a page at its end.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.pages) * self.page_bytes as u64
    }

    /// All tables and indices.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn schema(&self) -> Result<Vec<SchemaRow>, SqliteError> {
        let mut rows = Vec::new();
        self.scan(1, &mut |_, values| {
            let text = |column: usize| match values.get(column) {
                Some(Value::Text(bytes)) => self.decode(bytes),
                _ => String::new(),
            };
            let root = values.get(3).and_then(Value::integer).and_then(|root| u32::try_from(root).ok());
            rows.push(SchemaRow {
                kind: text(0),
                name: text(1),
                table: text(2),
                root: root.unwrap_or(0),
                sql: text(4),
            });
        })?;
        Ok(rows)
    }

    fn decode(&self, bytes: &[u8]) -> String {
        let units = |unit: fn([u8; 2]) -> u16| {
            let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|&pair| unit(pair)).collect();
            Cow::Owned(String::from_utf16_lossy(&units))
        };
        match self.encoding {
            2 => units(u16::from_le_bytes),
            3 => units(u16::from_be_bytes),
            _ => String::from_utf8_lossy(bytes),
        }
        .into_owned()
    }

    /// Calls `visit` with the number and the values of each row of the table with this first page, in order.
    ///
    /// # Errors
    /// When a page cannot be read or is damaged.
    pub(crate) fn scan(&self, root: u32, visit: &mut dyn FnMut(i64, &[Value])) -> Result<(), SqliteError> {
        // In a valid file, rows share no bytes.
        let (mut read, mut bytes) = (1, 0);
        let mut path = vec![(self.node(root, TABLE_INTERIOR)?, 0)];
        while let Some((node, next)) = path.last_mut() {
            let cell = *next;
            *next += 1;
            if node.is_leaf {
                for cell in 0..node.cells {
                    let (row, payload) = self.row_at(node, cell)?;
                    bytes += 2 + payload.len() as u64;
                    if bytes > self.bytes() {
                        return Err(SqliteError::Page(node.number, Damage::Circle));
                    }
                    visit(row, &record(&payload).ok_or(SqliteError::Page(node.number, Damage::Row))?);
                }
                path.pop();
            } else if cell > node.cells {
                path.pop();
            } else {
                let child = node.child(cell)?;
                read += 1;
                if path.len() >= MAX_DEPTH || read > self.pages {
                    return Err(SqliteError::Page(child, Damage::Circle));
                }
                path.push((self.node(child, TABLE_INTERIOR)?, 0));
            }
        }
        Ok(())
    }

    /// Calls `visit` with the values of a row of the table with this first page; returns whether there is such a row.
    ///
    /// # Errors
    /// When a page cannot be read or is damaged.
    pub(crate) fn with_row(&self, root: u32, row: i64, visit: &mut dyn FnMut(&[Value])) -> Result<bool, SqliteError> {
        let mut number = root;
        for _ in 0..MAX_DEPTH {
            let node = self.node(number, TABLE_INTERIOR)?;
            let place = node.partition_point(|cell| Ok(node.row_number(cell)? < row))?;
            if !node.is_leaf {
                number = node.child(place)?;
                continue;
            }
            if place == node.cells || node.row_number(place)? != row {
                return Ok(false);
            }
            let payload = self.row_at(&node, place)?.1;
            visit(&record(&payload).ok_or(SqliteError::Page(number, Damage::Row))?);
            return Ok(true);
        }
        Err(SqliteError::Page(number, Damage::Circle))
    }

    /// The numbers of the rows whose first indexed value equals `value`, at most `max`, by the index with this first page,
    /// which is in ascending order.
    ///
    /// # Errors
    /// When a page cannot be read or is damaged.
    pub(crate) fn find(&self, root: u32, value: &Value, max: usize) -> Result<Vec<i64>, SqliteError> {
        let mut rows = Vec::new();
        // Pages on the way down, and those of the rows.
        let mut left = 2 * (MAX_DEPTH + max);
        self.find_below(root, 0, value, max, &mut left, &mut rows)?;
        Ok(rows)
    }

    /// [`Database::find`] in a page and those below it; returns whether the rows in the pages after it may be wanted, too.
    fn find_below(
        &self,
        number: u32,
        depth: usize,
        value: &Value,
        max: usize,
        left: &mut usize,
        rows: &mut Vec<i64>,
    ) -> Result<bool, SqliteError> {
        if depth >= MAX_DEPTH || *left == 0 {
            return Err(SqliteError::Page(number, Damage::Circle));
        }
        *left -= 1;
        let node = self.node(number, INDEX_INTERIOR)?;
        let first = node.partition_point(|cell| Ok(self.entry(&node, cell, value)?.0 == Ordering::Less))?;
        for cell in first..node.cells {
            if !node.is_leaf && !self.find_below(node.child(cell)?, depth + 1, value, max, left, rows)? {
                return Ok(false);
            }
            let (order, row) = self.entry(&node, cell, value)?;
            if order != Ordering::Equal || rows.len() >= max {
                return Ok(false);
            }
            rows.push(row);
        }
        if node.is_leaf {
            Ok(true)
        } else {
            self.find_below(node.child(node.cells)?, depth + 1, value, max, left, rows)
        }
    }

    /// How the first value of an entry of an index compares with `value`, and the number of its row.
    fn entry(&self, node: &Node, cell: usize, value: &Value) -> Result<(Ordering, i64), SqliteError> {
        let mut at = node.cell(cell)? + if node.is_leaf { 0 } else { 4 };
        let payload = node.varint(&mut at).and_then(|length| self.payload(node, at, length, true))?;
        let values = record(&payload);
        let entry =
            values.as_ref().and_then(|values| Some((values.first()?.compare(value), values.last()?.integer()?)));
        entry.ok_or(SqliteError::Page(node.number, Damage::Row))
    }

    /// The number and the bytes of a row.
    fn row_at(&self, node: &Node, cell: usize) -> Result<(i64, Vec<u8>), SqliteError> {
        let mut at = node.cell(cell)?;
        let length = node.varint(&mut at)?;
        let row = node.varint(&mut at)?;
        Ok((row as i64, self.payload(node, at, length, false)?))
    }

    /// The first [`MAX_ROW_BYTES`] of the `length` bytes that begin at offset `at`, and go on in other pages if they are
    /// too many for this one.
    fn payload(&self, node: &Node, at: usize, length: u64, is_index: bool) -> Result<Vec<u8>, SqliteError> {
        let usable = self.usable as u64;
        let min = (usable - 12) * 32 / 255 - 23;
        let max = if is_index { (usable - 12) * 64 / 255 - 23 } else { usable - 35 };
        let local = match length {
            length if length <= max => length,
            length => Some(min + (length - min) % (usable - 4)).filter(|&local| local <= max).unwrap_or(min),
        } as usize;
        let wanted = length.min(MAX_ROW_BYTES) as usize;
        let mut bytes = node.bytes(at, local.min(wanted))?.to_vec();
        let mut next = if bytes.len() < wanted { be_u32(node.bytes(at + local, 4)?) } else { 0 };
        while bytes.len() < wanted {
            let page = self.page(next)?;
            let part = (self.usable - 4).min(wanted - bytes.len());
            bytes.extend_from_slice(&page[4..4 + part]);
            next = be_u32(&page[..4]);
        }
        Ok(bytes)
    }

    /// A page of a tree; `interior` is the kind of its pages that are no leaves.
    fn node(&self, number: u32, interior: u8) -> Result<Node, SqliteError> {
        let page = self.page(number)?;
        let start = if number == 1 { HEADER_BYTES } else { 0 };
        let is_leaf = page[start] == interior + (TABLE_LEAF - TABLE_INTERIOR);
        if !is_leaf && page[start] != interior {
            return Err(SqliteError::Page(number, Damage::Kind));
        }
        let pointers = start + if is_leaf { 8 } else { 12 };
        let cells = usize::from(u16::from_be_bytes([page[start + 3], page[start + 4]]));
        if pointers + 2 * cells > self.usable {
            return Err(SqliteError::Page(number, Damage::Cell));
        }
        Ok(Node { number, page, is_leaf, pointers, cells })
    }

    fn page(&self, number: u32) -> Result<Arc<[u8]>, SqliteError> {
        if number == 0 || number > self.pages {
            return Err(SqliteError::Page(number, Damage::Missing));
        }
        // A reader that panicked has left whole pages.
        let mut pager = self.pager.lock().unwrap_or_else(PoisonError::into_inner);
        let Pager { source, cache } = &mut *pager;
        let place = number as usize % cache.len();
        if let Some((_, page)) = cache[place].as_ref().filter(|(kept, _)| *kept == number) {
            return Ok(Arc::clone(page));
        }
        let mut bytes = vec![0; self.page_bytes];
        source.seek(SeekFrom::Start(u64::from(number - 1) * self.page_bytes as u64))?;
        source.read_exact(&mut bytes)?;
        let page: Arc<[u8]> = bytes.into();
        cache[place] = Some((number, Arc::clone(&page)));
        Ok(page)
    }
}

impl Node {
    fn bytes(&self, at: usize, length: usize) -> Result<&[u8], SqliteError> {
        let bytes = at.checked_add(length).and_then(|end| self.page.get(at..end));
        bytes.ok_or(SqliteError::Page(self.number, Damage::Cell))
    }

    /// The offset of a cell.
    fn cell(&self, cell: usize) -> Result<usize, SqliteError> {
        let bytes = self.bytes(self.pointers + 2 * cell, 2)?;
        Ok(usize::from(u16::from_be_bytes([bytes[0], bytes[1]])))
    }

    /// The page below, before a cell or behind the last one.
    fn child(&self, cell: usize) -> Result<u32, SqliteError> {
        let at = if cell < self.cells { self.cell(cell)? } else { self.pointers - 4 };
        Ok(be_u32(self.bytes(at, 4)?))
    }

    /// The number of the row of a cell, or the greatest one below it.
    fn row_number(&self, cell: usize) -> Result<i64, SqliteError> {
        let mut at = self.cell(cell)?;
        if self.is_leaf {
            self.varint(&mut at)?;
        } else {
            at += 4;
        }
        Ok(self.varint(&mut at)? as i64)
    }

    /// The number at `at`, which is moved behind it.
    fn varint(&self, at: &mut usize) -> Result<u64, SqliteError> {
        varint(&self.page, at).ok_or(SqliteError::Page(self.number, Damage::Cell))
    }

    /// The first cell for which `is_before` is false; they are in order.
    fn partition_point(&self, is_before: impl Fn(usize) -> Result<bool, SqliteError>) -> Result<usize, SqliteError> {
        let (mut low, mut high) = (0, self.cells);
        while low < high {
            let middle = (low + high) / 2;
            if is_before(middle)? { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }
}

fn be_u32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// A number of one to nine bytes: seven bits in each, from the highest, but for the ninth with eight.
fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut number = 0;
    for count in 1..=9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if count == 9 {
            return Some(number << 8 | u64::from(byte));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

/// The values of a row, of which the last text or blob may be cut off; `None` if it is malformed.
fn record(payload: &[u8]) -> Option<Vec<Value<'_>>> {
    let mut at = 0;
    let end = usize::try_from(varint(payload, &mut at)?).ok()?;
    let header = payload.get(..end)?;
    let (mut values, mut place) = (Vec::new(), end);
    while at < end {
        let kind = varint(header, &mut at)?;
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            12.. => (kind - 12) / 2,
        };
        let stop = place.saturating_add(usize::try_from(length).ok()?);
        let bytes = payload.get(place..stop.min(payload.len()))?;
        if bytes.len() as u64 != length && kind < 12 {
            return None;
        }
        values.push(match kind {
            0 => Value::Null,
            // A number of fewer bytes has the sign in its first bit.
            1..=6 => {
                let sign = if bytes[0] < 0x80 { 0 } else { -1 };
                Value::Integer(bytes.iter().fold(sign, |number, &byte| number << 8 | i64::from(byte)))
            }
            7 => match f64::from_be_bytes(bytes.try_into().ok()?) {
                number if number.is_nan() => Value::Null,
                number => Value::Real(number),
            },
            8 | 9 => Value::Integer(kind as i64 - 8),
            _ if kind % 2 == 0 => Value::Blob(bytes),
            _ => Value::Text(bytes),
        });
        place = stop.min(payload.len());
    }
    Some(values)
}
