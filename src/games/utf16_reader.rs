//! Reads a text in UTF-16 as UTF-8.

use encoding_rs::{Decoder, Encoding};
use std::io::{self, BufRead, Read};

/// Size of the buffer in bytes.
const BUFFER: usize = 1 << 13;

/// A text in UTF-16, decoded to UTF-8 as it is read. What is not valid becomes U+FFFD.
pub(super) struct Utf16Reader<R> {
    input: R,
    decoder: Decoder,
    /// Decoded bytes.
    buffer: Box<[u8]>,
    /// Those of them that have been read, and the number of all.
    used: usize,
    length: usize,
    has_ended: bool,
}

impl<R: BufRead> Utf16Reader<R> {
    /// The text of `input`, from after its byte order mark on.
    pub(super) fn new(input: R, encoding: &'static Encoding) -> Utf16Reader<R> {
        let (decoder, buffer) = (encoding.new_decoder_without_bom_handling(), vec![0; BUFFER].into_boxed_slice());
        Utf16Reader { input, decoder, buffer, used: 0, length: 0, has_ended: false }
    }
}

impl<R: BufRead> BufRead for Utf16Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.used == self.length && !self.has_ended {
            let bytes = self.input.fill_buf()?;
            let is_last = bytes.is_empty();
            let (_, read, written, _) = self.decoder.decode_to_utf8(bytes, &mut self.buffer, is_last);
            self.input.consume(read);
            // What is left at the end fits into the buffer.
            (self.used, self.length, self.has_ended) = (0, written, is_last);
        }
        Ok(&self.buffer[self.used..self.length])
    }

    fn consume(&mut self, count: usize) {
        self.used = (self.used + count).min(self.length);
    }
}

impl<R: BufRead> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{UTF_16BE, UTF_16LE};
    use std::io::BufReader;

    #[test]
    fn text_is_decoded_in_pieces_of_any_size() {
        let text = "炮二平五 h2e2 \u{1f600}\n".repeat(2000);
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, encoding) in [(little, UTF_16LE), (big, UTF_16BE)] {
            for piece in [1, 3, 1 << 20] {
                let mut read = String::new();
                let mut reader = Utf16Reader::new(BufReader::with_capacity(piece, &bytes[..]), encoding);
                reader.read_to_string(&mut read).unwrap();
                assert!(read == text, "{encoding:?} {piece}");
            }
        }
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        let mut read = String::new();
        Utf16Reader::new(&b"a\0\x00\xd8b\0c"[..], UTF_16LE).read_to_string(&mut read).unwrap();
        assert_eq!(read, "a\u{fffd}b\u{fffd}");
    }
}
