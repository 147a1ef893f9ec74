//! A file of games of unknown encoding, as lines of bytes that contain ASCII.

use super::error::ReadErrorKind;
use super::text::TextReader;
use super::utf16_reader::Utf16Reader;
use super::{cbridge, encoding, xqf};
use encoding_rs::{Encoding, UTF_8};
use std::io::{self, BufRead, Chain, Cursor, Read};

/// Greatest length of a line in bytes, of which more is not kept.
pub(super) const MAX_LINE_BYTES: u64 = 1 << 20;

/// What a file holds, by its beginning.
pub(super) enum Opened<R> {
    /// A text.
    Text(TextInput<R>),
    /// An XQF file, read whole.
    Xqf(Vec<u8>),
    /// A CBR file, read whole.
    Cbr(Vec<u8>),
    /// A CBL file.
    Library(LibraryInput<R>),
    /// An XQF or CBR file that is too large.
    Large,
    /// A kind of file that is known and holds no games.
    Foreign(ReadErrorKind),
    /// None of these: the line, from 1, that has a NUL byte.
    Binary(usize),
}

/// The beginnings of files that people take for games.
const FOREIGN: [(&[u8], &str); 6] = [
    (b"SQLite format 3\0", "an SQLite database, perhaps an opening book"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF document"),
];

/// How a line writes games in a way that is known and not read, by its form; `None`: in none of them.
pub(super) fn foreign_text(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_square = |word: &str| {
        word.split_at_checked(1)
            .is_some_and(|(file, rank)| file.bytes().all(|byte| byte.is_ascii_alphabetic()) && is_number(rank))
    };
    let is_direction = |word: &str| ["bình", "tiến", "thoái", "lùi"].contains(&word.to_lowercase().as_str());
    let has_pair = |is_pair: &dyn Fn(&str, &str) -> bool| words.windows(2).any(|pair| is_pair(pair[0], pair[1]));
    let list = line.split_once(';').is_some_and(|(id, moves)| is_number(id.trim()) && TextReader::tells(moves));
    match line {
        _ if line.contains("[DHJHtmlXQ") => Some("a game in DHJHtmlXQ"),
        _ if has_pair(&|square, arrow| is_square(square) && arrow.starts_with('→')) => {
            Some("moves with arrows (H3 → E3)")
        }
        _ if has_pair(&|from, word| is_number(from) && is_direction(word)) => {
            Some("moves in words of Vietnamese (Pháo 2 bình 5)")
        }
        _ if list => Some("a list of numbers and moves (1;h2e2 h9g7)"),
        _ => None,
    }
}

/// The bytes of a CBL file that end with the number of its records, of 32 bits.
const LIBRARY_HEAD: usize = 64;

/// The records of a CBL file, one after the other.
pub(super) struct LibraryInput<R> {
    input: Chain<Cursor<Vec<u8>>, R>,
    /// What has been read of the next record; before the first one, what precedes it.
    bytes: Vec<u8>,
    /// Whether a record has begun.
    has_begun: bool,
    /// The greatest length of a record.
    max: usize,
    /// Number of records given, and by the library's beginning.
    count: usize,
    said: usize,
}

impl<R: BufRead> LibraryInput<R> {
    /// The error at its end if it had fewer records than it says.
    pub(super) fn missing(&self) -> Option<ReadErrorKind> {
        (self.count < self.said).then_some(ReadErrorKind::MissingGames(self.count, self.said))
    }

    /// The next record, `None` within if it is too long; `None` at the end.
    pub(super) fn record(&mut self) -> io::Result<Option<Option<Vec<u8>>>> {
        let magic = cbridge::CBR_MAGIC;
        let (mut checked, mut is_too_long) = (if self.has_begun { 1 } else { 0 }, false);
        loop {
            let found =
                self.bytes[checked.min(self.bytes.len())..].windows(magic.len()).position(|bytes| bytes == magic);
            if let Some(found) = found {
                let rest = self.bytes.split_off(checked + found);
                let record = std::mem::replace(&mut self.bytes, rest);
                if std::mem::replace(&mut self.has_begun, true) {
                    self.count += 1;
                    return Ok(Some(Some(record).filter(|_| !is_too_long)));
                }
                checked = 1;
                continue;
            }
            checked = checked.max((self.bytes.len() + 1).saturating_sub(magic.len()));
            if !self.has_begun || is_too_long || self.bytes.len() > self.max {
                is_too_long = self.has_begun;
                self.bytes.drain(..checked);
                checked = 0;
            }
            let read = self.input.fill_buf()?;
            let length = read.len();
            self.bytes.extend_from_slice(read);
            self.input.consume(length);
            if length == 0 {
                let last = std::mem::take(&mut self.bytes);
                let has_record = std::mem::replace(&mut self.has_begun, false);
                self.count += usize::from(has_record);
                return Ok(has_record.then(|| Some(last).filter(|_| !is_too_long)));
            }
        }
    }
}

/// A text from its beginning on, without a byte order mark: one in UTF-16 as UTF-8, any other as it is.
pub(super) enum TextInput<R> {
    /// In an encoding that contains ASCII.
    Plain(Chain<Cursor<Vec<u8>>, R>),
    /// Decoded.
    Decoded(Box<Utf16Reader<Chain<Cursor<Vec<u8>>, R>>>),
}

/// Opens a file of games. Lines are read until one `tells` what the text holds, so that one that comes in pieces need not
/// have come whole; or until it is known to be no text of lines. An XQF file has at most `max` bytes.
///
/// # Errors
/// Those of reading.
pub(super) fn open<R: BufRead>(mut input: R, max: u64, tells: impl Fn(&[u8]) -> bool) -> io::Result<Opened<R>> {
    let mut head = Vec::new();
    let marked = loop {
        let start = head.len();
        let room = (encoding::SAMPLE - start) as u64;
        if input.by_ref().take(room).read_until(b'\n', &mut head)? == 0 {
            break None;
        }
        if start == 0 {
            if head.starts_with(cbridge::CBL_MAGIC) {
                let room = LIBRARY_HEAD.saturating_sub(head.len()) as u64;
                input.by_ref().take(room).read_to_end(&mut head)?;
                let said = head.get(LIBRARY_HEAD - 4..LIBRARY_HEAD).and_then(<[u8]>::first_chunk);
                // A file without the number is cut.
                let said = said.map_or(1, |&said| u32::from_le_bytes(said) as usize);
                let (input, bytes, max) = (Cursor::new(head).chain(input), Vec::new(), max as usize);
                return Ok(Opened::Library(LibraryInput { input, bytes, has_begun: false, max, count: 0, said }));
            }
            let is_xqf = head.starts_with(xqf::MAGIC);
            if is_xqf || head.starts_with(cbridge::CBR_MAGIC) {
                input.take((max + 1).saturating_sub(head.len() as u64)).read_to_end(&mut head)?;
                return Ok(match head.len() as u64 > max {
                    true => Opened::Large,
                    false if is_xqf => Opened::Xqf(head),
                    false => Opened::Cbr(head),
                });
            }
            if let Some((_, kind)) = FOREIGN.iter().find(|(magic, _)| head.starts_with(magic)) {
                return Ok(Opened::Foreign(ReadErrorKind::Foreign(kind)));
            }
        }
        if start == 0
            && let Some((encoding, length)) = Encoding::for_bom(&head)
        {
            head.drain(..length);
            if encoding != UTF_8 {
                break Some(encoding);
            }
        }
        if head.contains(&0) {
            let room = (encoding::SAMPLE - head.len().min(encoding::SAMPLE)) as u64;
            input.by_ref().take(room).read_to_end(&mut head)?;
            break None;
        }
        if tells(&head[start.min(head.len())..]) {
            break None;
        }
    };
    let utf_16 = marked.or_else(|| encoding::utf_16(&head));
    if utf_16.is_none()
        && let Some(zero) = head.iter().position(|&byte| byte == 0)
    {
        return Ok(Opened::Binary(1 + head[..zero].iter().filter(|&&byte| byte == b'\n').count()));
    }
    let text = Cursor::new(head).chain(input);
    Ok(Opened::Text(match utf_16 {
        Some(encoding) => TextInput::Decoded(Box::new(Utf16Reader::new(text, encoding))),
        None => TextInput::Plain(text),
    }))
}

impl<R: BufRead> TextInput<R> {
    fn input(&mut self) -> &mut dyn BufRead {
        match self {
            TextInput::Plain(input) => input,
            TextInput::Decoded(input) => input.as_mut(),
        }
    }

    /// The text that has been read and not used yet, or the next bytes of it.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn ahead(&mut self) -> io::Result<&[u8]> {
        self.input().fill_buf()
    }

    /// The next line with its end, and whether it is too long: then it has only its beginning. `None` at the end of the
    /// text.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn line(&mut self) -> io::Result<Option<(Vec<u8>, bool)>> {
        let (input, mut line) = (self.input(), Vec::new());
        input.take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
        let is_cut = line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n");
        let is_too_long = is_cut && skip_line(input)?;
        // Its end was left out, and nothing else.
        if is_cut && !is_too_long {
            line.push(b'\n');
        }
        Ok((!line.is_empty()).then_some((line, is_too_long)))
    }
}

/// Passes over the rest of a line. Returns whether there was more than its end.
fn skip_line(input: &mut dyn BufRead) -> io::Result<bool> {
    let mut is_more = false;
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(bytes.len(), |end| end + 1);
        is_more |= end.unwrap_or(used) > 0;
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(is_more);
        }
    }
}
