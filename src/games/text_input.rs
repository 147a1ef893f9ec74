//! A file of games of unknown encoding, as lines of bytes that contain ASCII.

use super::{encoding, xqf};
use crate::games::utf16_reader::Utf16Reader;
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
    /// An XQF file that is too large.
    LargeXqf,
    /// Neither: the line, from 1, that has a NUL byte.
    Binary(usize),
}

/// A text from its beginning on, without a byte order mark: one in UTF-16 as UTF-8, any other as it is.
pub(super) enum TextInput<R> {
    /// In an encoding that contains ASCII.
    Plain(Chain<Cursor<Vec<u8>>, R>),
    /// Decoded.
    Decoded(Box<Utf16Reader<Chain<Cursor<Vec<u8>>, R>>>),
}

/// Opens a file of games. Lines are read until one `tells` what the text holds, so that one that comes in pieces need not
/// have come whole; or until it is known to be no text of lines. An XQF file has at most `max_xqf` bytes.
///
/// # Errors
/// Those of reading.
pub(super) fn open<R: BufRead>(mut input: R, max_xqf: u64, tells: impl Fn(&[u8]) -> bool) -> io::Result<Opened<R>> {
    let mut head = Vec::new();
    let marked = loop {
        let start = head.len();
        let room = (encoding::SAMPLE - start) as u64;
        if input.by_ref().take(room).read_until(b'\n', &mut head)? == 0 {
            break None;
        }
        if start == 0 && xqf::is_xqf(&head) {
            input.take((max_xqf + 1).saturating_sub(head.len() as u64)).read_to_end(&mut head)?;
            return Ok(if head.len() as u64 > max_xqf { Opened::LargeXqf } else { Opened::Xqf(head) });
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
