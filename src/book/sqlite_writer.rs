//! Writing an SQLite 3 database of one table with an index ([file format](https://www.sqlite.org/fileformat2.html)).

use super::sqlite::{HEADER_BYTES, INDEX_INTERIOR, INDEX_LEAF, MAGIC, TABLE_INTERIOR, TABLE_LEAF};
use std::io::{self, Write};

/// Length of a page in bytes.
const PAGE_BYTES: usize = 4096;
/// The page that has this byte of the file is used by SQLite for locks, and by nothing else.
const LOCK_BYTE: usize = 1 << 30;
/// The version of SQLite whose format this is, 3.40.1: of 2022, to be read by any later one.
const SQLITE_VERSION: u32 = 3_040_001;

/// A value to be written.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number, no NaN.
    Real(f64),
}

/// A tree that is written from its leaves up.
struct Tree {
    leaf: u8,
    interior: u8,
    /// Greatest length of a cell in bytes, with its pointer and, in an interior page, the number of the page below.
    cell_bytes: usize,
}

/// A cell of a leaf: its bytes, and what the page above has to tell it from the cells after it.
struct Cell {
    bytes: Vec<u8>,
    separator: Vec<u8>,
}

/// Pages in memory.
struct Pages {
    bytes: Vec<u8>,
}

impl Pages {
    /// Adds a page of zeros; returns its number, from 1.
    fn add(&mut self) -> usize {
        if self.bytes.len() / PAGE_BYTES == LOCK_BYTE / PAGE_BYTES {
            self.bytes.resize(self.bytes.len() + PAGE_BYTES, 0);
        }
        self.bytes.resize(self.bytes.len() + PAGE_BYTES, 0);
        self.bytes.len() / PAGE_BYTES
    }

    /// Writes a page of a tree; `right` is the page below and behind the last cell.
    fn fill(&mut self, number: usize, kind: u8, cells: &[Vec<u8>], right: Option<usize>) {
        let page = &mut self.bytes[(number - 1) * PAGE_BYTES..number * PAGE_BYTES];
        let start = if number == 1 { HEADER_BYTES } else { 0 };
        let mut pointer = start + if right.is_some() { 12 } else { 8 };
        let mut content = PAGE_BYTES;
        for cell in cells {
            content -= cell.len();
            page[content..content + cell.len()].copy_from_slice(cell);
            page[pointer..pointer + 2].copy_from_slice(&(content as u16).to_be_bytes());
            pointer += 2;
        }
        assert!(pointer <= content, "invariant: the cells fit into the page");
        page[start] = kind;
        page[start + 3..start + 5].copy_from_slice(&(cells.len() as u16).to_be_bytes());
        page[start + 5..start + 7].copy_from_slice(&(content as u16).to_be_bytes());
        if let Some(right) = right {
            page[start + 8..start + 12].copy_from_slice(&(right as u32).to_be_bytes());
        }
    }

    /// Writes the cells of a tree; returns the number of its first page.
    fn tree(&mut self, tree: &Tree, cells: &[Cell]) -> usize {
        let is_index = tree.leaf == INDEX_LEAF;
        let capacity = (PAGE_BYTES - 12) / tree.cell_bytes;
        // In an index, the cell between two leaves stands in the page above only.
        let between = usize::from(is_index);
        let leaves = (cells.len() + between).div_ceil(capacity + between).max(1);
        let (mut children, mut separators) = (Vec::new(), Vec::new());
        let mut rest = cells;
        for size in parts(cells.len() - between * (leaves - 1), leaves) {
            let (part, after) = rest.split_at(size);
            let number = self.add();
            let bytes: Vec<Vec<u8>> = part.iter().map(|cell| cell.bytes.clone()).collect();
            self.fill(number, tree.leaf, &bytes, None);
            children.push(number);
            separators.extend(if is_index { after.first() } else { part.last() }.map(|cell| &cell.separator));
            rest = after.get(between..).unwrap_or(&[]);
        }
        while children.len() > 1 {
            let groups = children.len().div_ceil(capacity + 1);
            let (mut parents, mut above) = (Vec::new(), Vec::new());
            let mut at = 0;
            for size in parts(children.len(), groups) {
                let last = at + size - 1;
                let cell = |child: usize| [&(children[child] as u32).to_be_bytes()[..], separators[child]].concat();
                let number = self.add();
                self.fill(number, tree.interior, &(at..last).map(cell).collect::<Vec<_>>(), Some(children[last]));
                parents.push(number);
                above.extend(separators.get(last));
                at = last + 1;
            }
            (children, separators) = (parents, above);
        }
        children[0]
    }
}

/// Divides `count` into `parts` parts that differ by at most 1.
fn parts(count: usize, parts: usize) -> impl Iterator<Item = usize> {
    (0..parts).map(move |part| count / parts + usize::from(part < count % parts))
}

/// Appends a number in one to nine bytes: seven bits in each, from the highest; numbers up to 2^56 only.
fn push_varint(bytes: &mut Vec<u8>, number: u64) {
    let length = (64 - number.leading_zeros()).div_ceil(7).max(1);
    bytes
        .extend((0..length).rev().map(|place| (number >> (7 * place)) as u8 & 0x7f | if place > 0 { 0x80 } else { 0 }));
}

/// The bytes of a row: for each value its kind, then the values.
fn record(fields: &[Field]) -> Vec<u8> {
    let (mut header, mut body) = (Vec::new(), Vec::new());
    for &field in fields {
        match field {
            Field::Null => header.push(0),
            Field::Integer(number @ (0 | 1)) => header.push(8 + number as u8),
            Field::Integer(number) => {
                // The kinds 1 to 6, with the fewest bytes that hold the number.
                let bits = 65 - if number < 0 { !number } else { number }.leading_zeros();
                let lengths = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 8)];
                let (kind, length) = lengths.into_iter().find(|(_, length)| 8 * length >= bits).unwrap_or((6, 8));
                header.push(kind);
                body.extend_from_slice(&number.to_be_bytes()[8 - length as usize..]);
            }
            Field::Real(number) => {
                header.push(7);
                body.extend_from_slice(&number.to_be_bytes());
            }
        }
    }
    // The length of the header counts itself.
    [&[header.len() as u8 + 1], &header[..], &body[..]].concat()
}

/// Writes a database: a table with these rows, numbered from 1 in its first column, and an index of the second column,
/// whose values are in the order of SQLite. `table` and `index` are names and the statements that make them.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(table: (&str, &str), index: (&str, &str), rows: &[Vec<Field>], out: &mut impl Write) -> io::Result<()> {
    let (mut row_cells, mut entries) = (Vec::new(), Vec::new());
    for (number, fields) in (1..).zip(rows) {
        let mut separator = Vec::new();
        push_varint(&mut separator, number);
        let row = record(&[&[Field::Null], &fields[..]].concat());
        let mut bytes = Vec::new();
        push_varint(&mut bytes, row.len() as u64);
        bytes.extend_from_slice(&separator);
        bytes.extend_from_slice(&row);
        row_cells.push(Cell { bytes, separator });
        let entry = record(&[fields[0], Field::Integer(number as i64)]);
        let bytes = [&[entry.len() as u8], &entry[..]].concat();
        entries.push(Cell { separator: bytes.clone(), bytes });
    }
    let tree = |leaf, interior, cells: &[Cell]| Tree {
        leaf,
        interior,
        cell_bytes: cells.iter().map(|cell| cell.bytes.len().max(cell.separator.len() + 4)).max().unwrap_or(0) + 2,
    };
    let mut pages = Pages { bytes: Vec::new() };
    pages.add();
    let table_root = pages.tree(&tree(TABLE_LEAF, TABLE_INTERIOR, &row_cells), &row_cells);
    let index_root = pages.tree(&tree(INDEX_LEAF, INDEX_INTERIOR, &entries), &entries);
    let schema = [
        schema_row(1, "table", table.0, table.0, table_root, table.1),
        schema_row(2, "index", index.0, table.0, index_root, index.1),
    ];
    pages.fill(1, TABLE_LEAF, &schema, None);
    let count = (pages.bytes.len() / PAGE_BYTES) as u32;
    pages.bytes[..HEADER_BYTES].copy_from_slice(&header(count));
    out.write_all(&pages.bytes)
}

/// A cell of the table of all tables and indices.
fn schema_row(number: u8, kind: &str, name: &str, table: &str, root: usize, sql: &str) -> Vec<u8> {
    let texts = [kind, name, table];
    let (mut header, mut body) = (Vec::new(), Vec::new());
    for text in texts {
        push_varint(&mut header, 13 + 2 * text.len() as u64);
        body.extend_from_slice(text.as_bytes());
    }
    header.push(4);
    body.extend_from_slice(&(root as u32).to_be_bytes());
    push_varint(&mut header, 13 + 2 * sql.len() as u64);
    body.extend_from_slice(sql.as_bytes());
    let mut cell = Vec::new();
    push_varint(&mut cell, (1 + header.len() + body.len()) as u64);
    cell.extend([number, header.len() as u8 + 1]);
    [cell, header, body].concat()
}

/// The header of a database of so many pages.
fn header(pages: u32) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, MAGIC);
    put(16, &(PAGE_BYTES as u16).to_be_bytes());
    // Format versions for writing and reading, unused bytes of a page, three fixed fractions.
    put(18, &[1, 1, 0, 64, 32, 32]);
    // Offset, number: changes; pages; changes of the schema; format of the schema; UTF-8; changes at which the version was
    // written; the version.
    for (at, number) in [(24, 1), (28, pages), (40, 1), (44, 4), (56, 1), (92, 1), (96, SQLITE_VERSION)] {
        put(at, &u32::to_be_bytes(number));
    }
    header
}
