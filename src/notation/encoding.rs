//! Decodes text files of unknown encoding.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Size in bytes of the part of a file, from its first byte that is not ASCII on, that decides its encoding.
const SAMPLE: usize = 1 << 16;

/// Characters frequent in games of xiangqi, in the simplified and traditional script.
const VOCABULARY: &str = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒前后後中平进進退一二三四五六七八九１２３４５６７８９\
                          红紅黑方先手胜勝负負和局棋第回合";

/// Decodes a text file: by its byte order mark, else as UTF-16 if every second byte of many is zero, else as UTF-8, else
/// as GB 18030 (a superset of GBK and GB 2312) or Big5, whichever gives more of the characters to be expected.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0;
    }
    let encoding =
        utf_16(bytes).unwrap_or_else(|| if str::from_utf8(bytes).is_ok() { UTF_8 } else { multibyte(bytes) });
    encoding.decode_without_bom_handling(bytes).0
}

/// The byte order of a text in UTF-16 without a mark: ASCII characters have a zero byte at even offsets (big endian) or
/// at odd ones (little endian). `None` if it is another encoding.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let zeros = |first| sample.iter().skip(first).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let is_most = |zeros: usize| bytes.len().is_multiple_of(2) && zeros * 8 >= sample.len();
    match (even, odd) {
        (0, _) if is_most(odd) => Some(UTF_16LE),
        (_, 0) if is_most(even) => Some(UTF_16BE),
        _ => None,
    }
}

/// The most plausible encoding of a text that is not valid UTF-8.
fn multibyte(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let sample = &bytes[first..bytes.len().min(first + SAMPLE)];
    // UTF-8 with a few wrong bytes: other encodings contain hardly any sequences that are valid in it.
    let lossy = String::from_utf8_lossy(sample);
    let wrong = lossy.matches(char::REPLACEMENT_CHARACTER).count();
    if lossy.chars().filter(|letter| !letter.is_ascii()).count() > 5 * wrong {
        return UTF_8;
    }
    // Lead bytes of the first level, the frequent characters, of GB 2312 and of Big5.
    if plausibility(sample, BIG5, 0xa4..=0xc6) > plausibility(sample, GB18030, 0xb0..=0xd7) { BIG5 } else { GB18030 }
}

/// How much the text looks like one about xiangqi in this encoding.
fn plausibility(sample: &[u8], encoding: &'static Encoding, first_level: std::ops::RangeInclusive<u8>) -> i64 {
    let text = encoding.decode_without_bom_handling(sample).0;
    let score = |letter: char| match letter {
        char::REPLACEMENT_CHARACTER => -8,
        letter if VOCABULARY.contains(letter) => 4,
        letter => {
            let mut buffer = [0; 4];
            let (encoded, ..) = encoding.encode(letter.encode_utf8(&mut buffer));
            first_level.contains(&encoded[0]) as i64
        }
    };
    text.chars().map(score).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes were computed with another program's tables (Python's `gbk` and `cp950`).
    #[test]
    fn chinese_encodings_are_told_apart() {
        for (bytes, text) in [
            (&b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 \xc2\xed\xa3\xb8\xbd\xf8\xa3\xb7"[..], "炮二平五 马８进７"),
            (b"\xac\xb6\xa4G\xa5\xad\xa4\xad \xb0\xa8\xa2\xb7\xb6i\xa2\xb6", "炮二平五 馬８進７"),
            (b"[Red \"\xba\xfa\xc8\xd9\xbb\xaa\"]", "[Red \"胡荣华\"]"),
            (b"[Red \"\xd0\xed\xd2\xf8\xb4\xa8\"]", "[Red \"许银川\"]"),
            (b"[Red \"\xadJ\xbaa\xb5\xd8\"]", "[Red \"胡榮華\"]"),
            (b"\xb7\xa8\xa9x\xbfZ\xb9\xef\xadJ\xbaa\xb5\xd8", "楊官璘對胡榮華"),
            // In GBK two other frequent characters, in Big5 two others and a half.
            (b"\xb6\xc2\xb3\xd3", "黑勝"),
            (b"\x8c\xa2\xce\xe5\xc6\xbd\xc1\xf9", "將五平六"),
            // As plausible in Big5.
            (b"\xd9\xcd", "偻"),
        ] {
            assert_eq!(decode(bytes), text);
        }
    }

    #[test]
    fn the_first_characters_that_are_not_ascii_decide() {
        let bytes = [&[b'x'; SAMPLE + 1][..], b"\xac\xb6\xa4G\xa5\xad\xa4\xad"].concat();
        assert!(decode(&bytes).ends_with("x炮二平五"));
    }

    /// Most of these characters are sequences of UTF-8 too.
    #[test]
    fn gbk_like_utf_8_is_gbk() {
        let text = "摹牡弄啪瞥迁羌缺搔珊石摔烁汰廷投潍慰洗些炮二平五马八进七车一";
        let bytes = b"\xc4\xa1\xc4\xb5\xc5\xaa\xc5\xbe\xc6\xb3\xc7\xa8\xc7\xbc\xc8\xb1\xc9\xa6\xc9\xba\xca\xaf\xcb\xa4\xcb\
                      \xb8\xcc\xad\xcd\xa2\xcd\xb6\xce\xab\xce\xbf\xcf\xb4\xd0\xa9\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5\xc2\xed\xb0\xcb\xbd\xf8\xc6\xdf\xb3\xb5\xd2\xbb";
        assert_eq!(decode(bytes), text);
    }

    #[test]
    fn unicode_is_recognised_with_and_without_a_mark() {
        let text = "[Red \"胡荣华\"]\n1. h2e2 h9g7 *\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (mark, bytes) in [
            (&[][..], text.as_bytes()),
            (b"\xef\xbb\xbf", text.as_bytes()),
            (&[], &little),
            (b"\xff\xfe", &little),
            (&[], &big),
            (b"\xfe\xff", &big),
        ] {
            assert_eq!(decode(&[mark, bytes].concat()), text);
        }
        assert_eq!(decode(b"a\0b"), "a\0b");
        assert_eq!(decode(b""), "");
        assert_eq!(decode("红方胜\u{0}".as_bytes()), "红方胜\u{0}");
    }

    #[test]
    fn utf_8_with_a_wrong_byte_is_utf_8() {
        let bytes = ["炮二平五 马８进７".as_bytes(), b" \xff ", "马二进三".as_bytes()].concat();
        assert_eq!(decode(&bytes), "炮二平五 马８进７ \u{fffd} 马二进三");
    }
}
