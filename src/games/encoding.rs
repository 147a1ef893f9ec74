//! Decodes text files of unknown encoding.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Size in bytes of the part of a file, from its first byte on (UTF-16) or its first that is not ASCII, that decides its
/// encoding.
pub const SAMPLE: usize = 1 << 16;
/// Of this many characters in UTF-16 at least one has a zero byte.
const UNITS_FOR_A_ZERO: usize = 64;

/// Characters frequent in games of xiangqi, in the simplified and traditional script.
const VOCABULARY: &str = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒前后後中平进進退一二三四五六七八九１２３４５６７８９\
                          红紅黑方先手胜勝负負和局棋第回合";

/// Decodes a whole text file: by its byte order mark, else as UTF-16 if it looks like that ([`utf_16`]), else as
/// [`decode_part`].
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0;
    }
    match utf_16(&bytes[..bytes.len().min(SAMPLE)]) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
        None => decode_part(bytes),
    }
}

/// Decodes a text, or lines of it, in an encoding that contains ASCII: as UTF-8, else as GB 18030 (a superset of GBK and
/// GB 2312) or Big5, whichever gives more of the characters to be expected.
pub fn decode_part(bytes: &[u8]) -> Cow<'_, str> {
    let encoding = if str::from_utf8(bytes).is_ok() { UTF_8 } else { multibyte(bytes) };
    encoding.decode_without_bom_handling(bytes).0
}

/// The byte order of a text in UTF-16 without a mark that begins with `sample`; `None` if it is in another encoding.
///
/// In UTF-16 the line ends, blanks and digits have a zero byte, which other encodings have nowhere. On which side the zero
/// bytes are does not tell the byte order: 一 (U+4E00), 最 (U+6700), 开 (U+5F00) and the full-width blank (U+3000) have
/// theirs on the other side. So both orders are tried, and the one that gives more of the characters of such texts is
/// taken, if three quarters are: of Chinese characters with their bytes exchanged two thirds are in other scripts.
pub fn utf_16(sample: &[u8]) -> Option<&'static Encoding> {
    let zeros = sample.iter().filter(|&&byte| byte == 0).count();
    if !sample.len().is_multiple_of(2) || zeros == 0 || zeros * UNITS_FOR_A_ZERO * 2 < sample.len() {
        return None;
    }
    // Number of expected characters, those of ASCII among them, and of all.
    let count = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling(sample).0;
        let is_ascii = |letter: &char| letter.is_ascii() && is_expected(*letter);
        let expected = text.chars().filter(|&letter| is_expected(letter)).count();
        (expected, text.chars().filter(is_ascii).count(), text.chars().count())
    };
    let [little, big] = [UTF_16LE, UTF_16BE].map(|encoding| (count(encoding), encoding));
    let ((expected, _, all), encoding) = if (big.0.0, big.0.1) > (little.0.0, little.0.1) { big } else { little };
    // Two characters of ASCII in a row can be a Chinese one.
    let is_letter = |byte: &u8| matches!(byte, b' '..=b'~');
    let pairs = sample.chunks_exact(2).filter(|unit| unit.iter().all(is_letter)).count();
    (expected * 4 >= all * 3 && pairs * 2 < all).then_some(encoding)
}

/// Whether a character occurs in texts about xiangqi: Latin letters (also those of Vietnamese), Chinese characters, full-width
/// forms and punctuation, blanks.
fn is_expected(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{a0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
        || matches!(letter, '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{303f}' | '\u{4e00}'..='\u{9fff}')
        || matches!(letter, '\u{ff00}'..='\u{ffef}')
}

/// The most plausible encoding of a text that is not valid UTF-8.
pub fn multibyte(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let sample = &bytes[first..bytes.len().min(first + SAMPLE)];
    // UTF-8 with wrong bytes: other encodings contain hardly any sequences that are valid in it, and fewer still that are the
    // words of a game, which count where the wrong bytes are many, as in a line that was cut or damaged.
    let lossy = String::from_utf8_lossy(sample);
    let wrong = lossy.matches(char::REPLACEMENT_CHARACTER).count();
    let words = |text: &str| text.chars().filter(|&letter| VOCABULARY.contains(letter)).count();
    let words_in = |encoding: &'static Encoding| words(&encoding.decode_without_bom_handling(sample).0);
    if lossy.chars().filter(|letter| !letter.is_ascii()).count() > 5 * wrong
        || words(&lossy) > words_in(GB18030).max(words_in(BIG5))
    {
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

    /// Characters of which one byte is zero, in texts with few others.
    #[test]
    fn utf_16_is_recognised_by_its_characters() {
        for text in [
            "[Red \"甲\"]\n\n1. 車一进一 马8进7 2. 车一平六 *\n",
            "红方：最\r\n炮二平五　马８进７\r\n车一进一　开局\r\n",
            "一一一一\n一\n",
            "最新开局\n",
            "第二局\r\n兵七进一\r\n",
            "1. P2-5 M8.7 — Tướng\n",
            "startpos\n",
            "1",
        ] {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for bytes in [little, big] {
                assert_eq!(decode(&bytes), text);
            }
        }
        // Zero bytes in other encodings, and what is no text.
        let gbk = &b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5\0\0"[..];
        for bytes in [gbk, "炮二平五\0".as_bytes(), b"[Red \"a\"]\n1. h2e2 *\n\0\0", &[0; 64], b"SQLite\n\0\0\x01", b""]
        {
            assert_eq!(utf_16(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn utf_8_with_a_wrong_byte_is_utf_8() {
        let bytes = ["炮二平五 马８进７".as_bytes(), b" \xff ", "马二进三".as_bytes()].concat();
        assert_eq!(decode(&bytes), "炮二平五 马８进７ \u{fffd} 马二进三");
        // Cut within a character, and with bytes inserted.
        assert_eq!(decode(&"马二进三 车".as_bytes()[..15]), "马二进三 \u{fffd}");
        let bytes = ["马8进7(1..".as_bytes(), b"\xb7\xfb\xbf`u\xc9\xf9\x8f\xd0`", b") *"].concat();
        assert!(decode(&bytes).starts_with("马8进7(1..\u{fffd}"), "{}", decode(&bytes));
    }
}
