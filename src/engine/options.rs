//! The options a client can set: one table, from which they are announced, read and given their defaults.
//!
//! Reading is pure: [`read`] makes a typed [`Setting`] of a name and a value, and whoever needs to know of an option
//! (the engine, but also the reader of the protocol, which has to know of `batch` before it reads on) looks at that.

use std::time::Duration;
use thiserror::Error;

/// One option set to a value that is in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Times in `go` are milliseconds; otherwise seconds.
    UseMilliseconds(bool),
    /// Nothing is read while a search runs that will end by itself.
    Batch(bool),
    /// More `info message` lines.
    Debug(bool),
    /// The client lets the engine ponder.
    Ponder(bool),
    /// Size of the hash table in megabytes; 0: the engine chooses.
    HashSize(u32),
    /// Milliseconds kept back from the clock for the way of a move to the client.
    MoveOverhead(u32),
    /// A new game, or an edited position: forget what was learnt.
    NewGame,
    /// Empty the hash table.
    ClearHash,
}

/// How an option looks to a client, and how its value becomes a [`Setting`].
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// On or off.
    Check {
        /// Its value at the start.
        default: bool,
        /// The setting to a value.
        set: fn(bool) -> Setting,
    },
    /// A whole number.
    Spin {
        /// Smaller values count as this.
        min: u32,
        /// Greater values count as this.
        max: u32,
        /// Its value at the start.
        default: u32,
        /// The setting to a value in range.
        set: fn(u32) -> Setting,
    },
    /// Something to be done; it has no value.
    Button {
        /// What is to be done.
        set: Setting,
    },
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its UCCI name: a single word in small letters.
    pub ucci: &'static str,
    /// What kind of option it is.
    pub kind: Kind,
}

/// All options, in the order in which they are announced.
pub const TABLE: &[Declaration] = &[
    check("usemillisec", true, Setting::UseMilliseconds),
    check("batch", false, Setting::Batch),
    check("debug", false, Setting::Debug),
    check("ponder", false, Setting::Ponder),
    spin("hashsize", 0, 0, 32_768, Setting::HashSize),
    spin("moveoverhead", 30, 0, 10_000, Setting::MoveOverhead),
    button("newgame", Setting::NewGame),
    button("clearhash", Setting::ClearHash),
];

const fn check(ucci: &'static str, default: bool, set: fn(bool) -> Setting) -> Declaration {
    Declaration { ucci, kind: Kind::Check { default, set } }
}

const fn spin(ucci: &'static str, default: u32, min: u32, max: u32, set: fn(u32) -> Setting) -> Declaration {
    Declaration { ucci, kind: Kind::Spin { min, max, default, set } }
}

const fn button(ucci: &'static str, set: Setting) -> Declaration {
    Declaration { ucci, kind: Kind::Button { set } }
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option {0:?}")]
    Unknown(String),
    /// The value cannot be read.
    #[error("option {name} cannot be {value:?}: it is {wanted}")]
    Value {
        /// The option.
        name: &'static str,
        /// The text in place of a value.
        value: String,
        /// What it could have been.
        wanted: &'static str,
    },
}

/// Reads the value of the option with the UCCI name `name`, in any case. Numbers out of range count as the nearest one
/// in range; what follows a button is ignored.
///
/// # Errors
/// When there is no such option or the value cannot be read.
pub fn read(name: &str, value: &str) -> Result<Setting, OptionError> {
    let excerpt = |text: &str| text.chars().take(32).collect::<String>();
    let declaration = TABLE
        .iter()
        .find(|declaration| declaration.ucci.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
    let error = |wanted| OptionError::Value { name: declaration.ucci, value: excerpt(value), wanted };
    match declaration.kind {
        Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
            "true" | "on" => Ok(set(true)),
            "false" | "off" => Ok(set(false)),
            _ => Err(error("true or false")),
        },
        Kind::Spin { min, max, set, .. } => {
            let number = value.parse::<i128>().map_err(|_| error("a whole number"))?;
            Ok(set(number.clamp(min as i128, max as i128) as u32))
        }
        Kind::Button { set } => Ok(set),
    }
}

/// The options' values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether times in `go` are milliseconds; otherwise seconds.
    pub use_milliseconds: bool,
    /// Whether nothing is read while a search runs.
    pub batch: bool,
    /// Whether the client wants to know more.
    pub debug: bool,
    /// Whether the client lets the engine ponder.
    pub ponder: bool,
    /// Megabytes of the hash table; `None`: the engine chooses.
    pub hash_megabytes: Option<usize>,
    /// Time kept back from the clock for each move.
    pub move_overhead: Duration,
}

impl Options {
    /// Changes the value that `setting` sets. Buttons have none.
    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::UseMilliseconds(on) => self.use_milliseconds = on,
            Setting::Batch(on) => self.batch = on,
            Setting::Debug(on) => self.debug = on,
            Setting::Ponder(on) => self.ponder = on,
            Setting::HashSize(megabytes) => self.hash_megabytes = (megabytes > 0).then_some(megabytes as usize),
            Setting::MoveOverhead(milliseconds) => self.move_overhead = Duration::from_millis(milliseconds.into()),
            Setting::NewGame | Setting::ClearHash => {}
        }
    }
}

impl Default for Options {
    /// The values of the table.
    fn default() -> Options {
        let mut options = Options {
            use_milliseconds: false,
            batch: false,
            debug: false,
            ponder: false,
            hash_megabytes: None,
            move_overhead: Duration::ZERO,
        };
        for declaration in TABLE {
            match declaration.kind {
                Kind::Check { default, set } => options.set(set(default)),
                Kind::Spin { default, set, .. } => options.set(set(default)),
                Kind::Button { .. } => {}
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_single_small_words_and_differ() {
        for (index, one) in TABLE.iter().enumerate() {
            assert!(one.ucci.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", one.ucci);
            assert!(TABLE[..index].iter().all(|other| other.ucci != one.ucci), "{}", one.ucci);
        }
    }

    #[test]
    fn defaults_come_from_the_table() {
        let options = Options::default();
        assert!(options.use_milliseconds && !options.batch && !options.debug && !options.ponder);
        assert_eq!(options.hash_megabytes, None);
        assert_eq!(options.move_overhead, Duration::from_millis(30));
    }

    #[test]
    fn values_are_read_clamped_or_refused() {
        assert_eq!(read("batch", "on"), Ok(Setting::Batch(true)));
        assert_eq!(read("USEMILLISEC", "False"), Ok(Setting::UseMilliseconds(false)));
        assert_eq!(read("hashsize", "-5"), Ok(Setting::HashSize(0)));
        assert_eq!(read("hashsize", "99999999999999999999"), Ok(Setting::HashSize(32_768)));
        assert_eq!(read("newgame", "whatever"), Ok(Setting::NewGame));
        assert!(matches!(read("hashsize", "many"), Err(OptionError::Value { name: "hashsize", .. })));
        assert!(matches!(read("batch", ""), Err(OptionError::Value { name: "batch", .. })));
        assert_eq!(read("style", "risky"), Err(OptionError::Unknown("style".into())));
    }
}
