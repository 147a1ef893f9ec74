//! The user's locale: its language, and the character set of the terminal.

use encoding_rs::{Encoding, GBK, UTF_8};
use std::env;

/// A character set in which to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    /// UTF-8, also where the locale names no character set.
    Utf8,
    /// One of the others.
    Other(&'static Encoding),
    /// One that is not known: of it, only ASCII is written.
    Unknown,
}

/// The first of these variables that is set, as in `zh_CN.UTF-8`.
fn first_set(names: [&str; 3]) -> Option<String> {
    names.into_iter().find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
}

/// Characters of the simplified script, in which the messages are: Big5 has Chinese characters, but not these.
const SIMPLIFIED: &str = "这错误选项";

/// Whether the locale is Chinese, by its variables or else the system, and its character set has the simplified script.
pub(super) fn is_chinese() -> bool {
    let language = first_set(["LC_ALL", "LC_MESSAGES", "LANG"]).or_else(sys_locale::get_locale);
    language.is_some_and(|locale| locale.to_lowercase().starts_with("zh")) && charset().has(SIMPLIFIED)
}

/// The character set of the locale.
pub(super) fn charset() -> Charset {
    first_set(["LC_ALL", "LC_CTYPE", "LANG"]).map_or(Charset::Utf8, |locale| Charset::of_locale(&locale))
}

impl Charset {
    /// That of a locale such as `zh_CN.GBK` or `de_DE.ISO-8859-1@euro`.
    fn of_locale(locale: &str) -> Charset {
        let Some((_, name)) = locale.split_once('.') else { return Charset::Utf8 };
        let name = name.split_once('@').map_or(name, |(name, _)| name);
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" | "" => Charset::Utf8,
            // The C library's name of GB 2312, of which GBK is a superset.
            "euccn" => Charset::Other(GBK),
            name => match Encoding::for_label_no_replacement(name.as_bytes()) {
                Some(encoding) if encoding == UTF_8 => Charset::Utf8,
                Some(encoding) => Charset::Other(encoding),
                None => Charset::Unknown,
            },
        }
    }

    /// Whether the text can be written in it.
    fn has(self, text: &str) -> bool {
        match self {
            Charset::Utf8 => true,
            Charset::Other(encoding) => !encoding.encode(text).2,
            Charset::Unknown => text.is_ascii(),
        }
    }

    /// The text in it, with question marks for characters that it does not have.
    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        if self == Charset::Utf8 || text.is_ascii() {
            return text.as_bytes().to_vec();
        }
        let written: String =
            text.chars().map(|letter| if self.has(letter.encode_utf8(&mut [0; 4])) { letter } else { '?' }).collect();
        match self {
            Charset::Other(encoding) => encoding.encode(&written).0.into_owned(),
            Charset::Utf8 | Charset::Unknown => written.into_bytes(),
        }
    }
}
