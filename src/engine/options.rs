//! The options of the engine: their declarations, their values, and parsing by name.
//!
//! To add an option:
//! 1. add a field for its value to [`Options`] (`options/values.rs`),
//! 2. add its declaration to [`DECLARATIONS`] (`options/declarations.rs`): names, type, range, default, meaning, and what the engine
//!    does when it is set,
//! 3. if it changes how a game is played but not what a search finds, name it in `options/scope.rs`, and in the help of
//!    `--option` (`cli/play.rs`),
//! 4. the tests then ask for a row in `docs/options.md`, and for a conversation with its name as title in
//!    `tests/conversations/options.txt`.

mod declaration;
mod declarations;
mod scope;
mod setting;
mod values;

pub use declaration::{Declaration, Effect, OptionType};
pub use declarations::DECLARATIONS;
pub use setting::{OptionError, Setting};
pub(crate) use values::UCCI_POINT;
pub use values::{BookChoice, BookUse, Options, Style};

impl Default for Options {
    /// The defaults of [`DECLARATIONS`].
    fn default() -> Options {
        let mut options = Options::unset();
        DECLARATIONS.iter().for_each(|declaration| declaration.set_default(&mut options));
        // Their defaults depend on the protocol, and on the kind of time.
        options.use_book = BookUse::Unset;
        options.move_overhead = None;
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn set(name: &str, value: &str) -> Options {
        let mut options = Options::default();
        Setting::read(name, value).unwrap().apply(&mut options);
        options
    }

    #[test]
    fn names_are_unique_and_single_lower_case_words_in_ucci() {
        for (index, one) in DECLARATIONS.iter().enumerate() {
            let names: Vec<&str> = [one.ucci, one.uci].into_iter().flatten().collect();
            assert!(!names.is_empty());
            assert!(one.ucci.is_none_or(|name| name.bytes().all(|byte| byte.is_ascii_lowercase())), "{names:?}");
            assert!(
                DECLARATIONS[..index].iter().all(|other| !names.iter().any(|name| other.is_called(name))),
                "{names:?}"
            );
        }
    }

    #[test]
    fn defaults_come_from_the_table() {
        let options = Options::default();
        assert!(options.use_milliseconds && !options.batch && !options.debug && !options.ponder);
        assert!(options.resigns && options.draws);
        assert_eq!((options.hash_megabytes, options.use_book), (None, BookUse::Unset));
        assert_eq!(options.move_overhead, None);
    }

    #[test]
    fn values_are_stored_clamped_or_rejected() {
        assert!(set("batch", "on").batch);
        assert!(!set("USEMILLISEC", "False").use_milliseconds);
        assert_eq!(set("hashsize", "-5").hash_megabytes, None);
        assert_eq!(set("hashsize", "99999999999999999999").hash_megabytes, Some(32_768));
        assert_eq!(set("Move Overhead", "7").move_overhead, Some(Duration::from_millis(7)));
        assert_eq!(set("style", "Risky").style, Style::Risky);
        assert_eq!(set("bookfiles", "\"C:\\books\\a.dat\"").book_files, "C:\\books\\a.dat");
        assert_eq!(set("bookfiles", "<empty>").book_files, "");
        assert_eq!(Setting::read("newgame", "whatever"), Ok(Setting::new_game()));
        assert!(matches!(Setting::read("hashsize", "many"), Err(OptionError::Value { name: "hashsize", .. })));
        assert!(matches!(Setting::read("batch", ""), Err(OptionError::Value { name: "batch", .. })));
        let error = Setting::read("idle", "very").unwrap_err().to_string();
        assert_eq!(error, "option idle: invalid value \"very\", expected none, small, medium, large");
        assert_eq!(Setting::read("usebooks", "true"), Err(OptionError::Unknown("usebooks".into())));
    }

    #[test]
    fn clamped_numbers_are_reported() {
        let message = |value| Setting::read("threads", value).unwrap().clamped();
        assert_eq!(message("100000").unwrap(), "option threads: 100000 is not from 0 to 256, 256 is taken");
        assert_eq!(message("-1").unwrap(), "option threads: -1 is not from 0 to 256, 0 is taken");
        assert_eq!(message("256"), None);
        let uci = Setting::read("hash", "99999").unwrap().clamped().unwrap();
        assert!(uci.starts_with("option Hash: 99999 is not"), "{uci}");
        assert_eq!(Setting::read("batch", "on").unwrap().clamped(), None);
    }

    #[test]
    fn options_of_other_engines_are_taken() {
        assert_eq!(set("selectivity", "medium").randomness, 7);
        assert_eq!(set("Repetition Rule", "AsianRule"), Options::default());
        assert_eq!(set("Sixty Move Rule", "false").rules.move_limit, 1_000);
        assert_eq!(set("Sixty Move Rule", "true"), Options::default());
    }
}
