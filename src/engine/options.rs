//! The options of the engine: their values, and parsing by name.
//!
//! To add an option:
//! 1. add a variant to [`Setting`] (`options/setting.rs`),
//! 2. add a row with names, type, range and default to [`TABLE`] (`options/table.rs`),
//! 3. add a field to [`Options`] and an arm to [`Options::set`]; `Engine::set` handles side effects,
//! 4. add a conversation with its name as title to `tests/conversations/options.txt`.

mod setting;
mod table;

pub use setting::{BookChoice, Setting, Style};
pub use table::{Declaration, OptionType, TABLE};

use crate::eval::Knowledge;
use crate::position::Variant;
use crate::rules::Rules;
use crate::search::pruning::Pruning;
use crate::search::settings::Idle;
use crate::search::tunables::Tunables;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// Names of older protocol versions, and the current ones.
const OLD_NAMES: &[(&str, &str)] = &[("selectivity", "randomness")];

/// Why an option could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Unknown option.
    #[error("unknown option {0:?}")]
    Unknown(String),
    /// Invalid value.
    #[error("option {name}: invalid value {value:?}, expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The invalid text.
        value: String,
        /// Description of the valid values.
        expected: String,
    },
}

/// Parses the value of the option with this UCCI or UCI name (case-insensitive). Numbers out of range are clamped
/// (those of tunables are errors); a value of a button is ignored.
///
/// # Errors
/// When the option is unknown or the value invalid.
pub fn read(name: &str, value: &str) -> Result<Setting, OptionError> {
    let excerpt = |text: &str| text.chars().take(32).collect::<String>();
    let current = OLD_NAMES.iter().find(|(old, _)| old.eq_ignore_ascii_case(name)).map_or(name, |(_, current)| current);
    #[cfg(feature = "tuning")]
    if let Some(tunable) = Tunables::ALL.iter().find(|tunable| tunable.name.eq_ignore_ascii_case(current)) {
        let read = value.parse().ok().filter(|&value| tunable.accepts(value));
        let expected = format!("{} to {}", tunable.min, tunable.max);
        let error = OptionError::Value { name: tunable.name, value: excerpt(value), expected };
        return read.map(|value| Setting::Tunable(tunable.name, value)).ok_or(error);
    }
    let declaration = TABLE
        .iter()
        .find(|declaration| declaration.is_called(current))
        .ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
    let error = |expected: &dyn fmt::Display| OptionError::Value {
        name: declaration.name(),
        value: excerpt(value),
        expected: expected.to_string(),
    };
    match &declaration.kind {
        OptionType::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
            "true" | "on" => Ok(set(true)),
            "false" | "off" => Ok(set(false)),
            _ => Err(error(&"true or false")),
        },
        OptionType::Spin { min, max, set, .. } => {
            let number = value.parse::<i128>().map_err(|_| error(&"an integer"))?;
            Ok(set(number.clamp(i128::from(*min), i128::from(*max)) as u32))
        }
        OptionType::Combo { values } => {
            let found = values.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
            let words = || values.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
            found.map(|(_, setting)| setting.clone()).ok_or_else(|| error(&words()))
        }
        // `<empty>` is the empty string in UCI.
        OptionType::Text { set } => Ok(set(if value == "<empty>" { String::new() } else { value.to_string() })),
        OptionType::Button { set } => Ok(set.clone()),
    }
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether times in `go` are milliseconds; otherwise seconds.
    pub use_milliseconds: bool,
    /// Whether commands are not read during a search that ends by itself.
    pub batch: bool,
    /// Whether to send more `info message` lines.
    pub debug: bool,
    /// Whether the client may use pondering.
    pub ponder: bool,
    /// Size of the hash table in megabytes; `None`: default of the engine.
    pub hash_megabytes: Option<usize>,
    /// Search threads; `None`: as many as the machine has.
    pub threads: Option<usize>,
    /// Number of lines (MultiPV).
    pub lines: usize,
    /// Time reserved per move for communication with the client.
    pub move_overhead: Duration,
    /// Whether to report win/draw/loss probabilities (WDL) with scores.
    pub show_wdl: bool,
    /// Share of processor time left idle.
    pub idle: Idle,
    /// Amount of pruning.
    pub pruning: Pruning,
    /// Amount of knowledge in the evaluation.
    pub knowledge: Knowledge,
    /// Network file; `None`: the built-in network.
    pub evaluation_file: Option<PathBuf>,
    /// Maximum root noise in UCCI points.
    pub randomness: u32,
    /// Seed of the random generator; `None`: a new one each time.
    pub seed: Option<u32>,
    /// Score of a draw (contempt with the opposite sign).
    pub style: Style,
    /// Rules of repetition and of the move limit.
    pub rules: Rules,
    /// Standard or promotion rules.
    pub variant: Variant,
    /// Whether to use the opening books.
    pub use_book: bool,
    /// Book files, separated by `;`; empty: the built-in book.
    pub book_files: String,
    /// Plies of the game after which books are not used.
    pub book_depth: u32,
    /// Choice among book moves.
    pub book_choice: BookChoice,
    /// Whether to use the cloud book where the opening books have no move.
    pub cloud_book: bool,
    /// Address of the cloud book; empty: chessdb.cn.
    pub cloud_address: String,
    /// Maximum time to wait for the cloud book.
    pub cloud_timeout: Duration,
    /// Tunable search parameters.
    pub tunables: Tunables,
}

impl Options {
    /// Applies `setting`. Buttons change no value.
    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::UseMilliseconds(on) => self.use_milliseconds = on,
            Setting::Batch(on) => self.batch = on,
            Setting::Debug(on) => self.debug = on,
            Setting::Ponder(on) => self.ponder = on,
            Setting::HashSize(megabytes) => self.hash_megabytes = (megabytes > 0).then_some(megabytes as usize),
            Setting::Threads(threads) => self.threads = (threads > 0).then_some(threads as usize),
            Setting::Lines(lines) => self.lines = lines as usize,
            Setting::MoveOverhead(milliseconds) => self.move_overhead = Duration::from_millis(milliseconds.into()),
            Setting::ShowWdl(on) => self.show_wdl = on,
            Setting::Idle(idle) => self.idle = idle,
            Setting::Pruning(pruning) => self.pruning = pruning,
            Setting::Knowledge(knowledge) => self.knowledge = knowledge,
            Setting::EvaluationFile(path) => self.evaluation_file = (!path.is_empty()).then(|| path.into()),
            Setting::Randomness(points) => self.randomness = points,
            Setting::RandomSeed(seed) => self.seed = (seed > 0).then_some(seed),
            Setting::Style(style) => self.style = style,
            Setting::Repetition(rule) => self.rules.repetition = rule,
            Setting::MoveLimit(plies) => self.rules.move_limit = plies,
            Setting::ChecksCount(count) => self.rules.checks_count = count,
            Setting::Promotion(on) => self.variant = Variant::promoting(on),
            Setting::UseBook(on) => self.use_book = on,
            Setting::BookFiles(files) => self.book_files = files,
            Setting::BookDepth(plies) => self.book_depth = plies,
            Setting::BookChoice(choice) => self.book_choice = choice,
            Setting::CloudBook(on) => self.cloud_book = on,
            Setting::CloudAddress(address) => self.cloud_address = address,
            Setting::CloudTimeout(milliseconds) => self.cloud_timeout = Duration::from_millis(milliseconds.into()),
            Setting::NewGame | Setting::ClearHash | Setting::Variant => {}
            #[cfg(feature = "tuning")]
            Setting::Tunable(name, value) => {
                self.tunables.set(name, value);
            }
        }
    }
}

impl Default for Options {
    /// The defaults of [`TABLE`].
    fn default() -> Options {
        let mut options = Options {
            use_milliseconds: false,
            batch: false,
            debug: false,
            ponder: false,
            hash_megabytes: None,
            threads: Some(1),
            lines: 1,
            move_overhead: Duration::ZERO,
            show_wdl: false,
            idle: Idle::None,
            pruning: Pruning::Large,
            knowledge: Knowledge::Large,
            evaluation_file: None,
            randomness: 0,
            seed: None,
            style: Style::Normal,
            rules: Rules::default(),
            variant: Variant::Standard,
            use_book: false,
            book_files: String::new(),
            book_depth: 0,
            book_choice: BookChoice::Weighted,
            cloud_book: false,
            cloud_address: String::new(),
            cloud_timeout: Duration::ZERO,
            tunables: Tunables::default(),
        };
        TABLE.iter().filter_map(Declaration::default).for_each(|setting| options.set(setting));
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_single_lower_case_words_in_ucci() {
        for (index, one) in TABLE.iter().enumerate() {
            let names: Vec<&str> = [one.ucci, one.uci].into_iter().flatten().collect();
            assert!(!names.is_empty());
            assert!(one.ucci.is_none_or(|name| name.bytes().all(|byte| byte.is_ascii_lowercase())), "{names:?}");
            assert!(TABLE[..index].iter().all(|other| !names.iter().any(|name| other.is_called(name))), "{names:?}");
        }
    }

    #[test]
    fn defaults_come_from_the_table() {
        let options = Options::default();
        assert!(options.use_milliseconds && !options.batch && !options.debug && !options.ponder);
        assert_eq!(options.hash_megabytes, None);
        assert_eq!(options.move_overhead, Duration::from_millis(30));
        for declaration in TABLE {
            let is_button = matches!(declaration.kind, OptionType::Button { .. });
            assert_eq!(declaration.default().is_none(), is_button, "{}", declaration.name());
        }
    }

    #[test]
    fn values_are_parsed_clamped_or_rejected() {
        assert_eq!(read("batch", "on"), Ok(Setting::Batch(true)));
        assert_eq!(read("USEMILLISEC", "False"), Ok(Setting::UseMilliseconds(false)));
        assert_eq!(read("hashsize", "-5"), Ok(Setting::HashSize(0)));
        assert_eq!(read("hashsize", "99999999999999999999"), Ok(Setting::HashSize(32_768)));
        assert_eq!(read("newgame", "whatever"), Ok(Setting::NewGame));
        assert!(matches!(read("hashsize", "many"), Err(OptionError::Value { name: "hashsize", .. })));
        assert!(matches!(read("batch", ""), Err(OptionError::Value { name: "batch", .. })));
        assert_eq!(read("style", "Risky"), Ok(Setting::Style(Style::Risky)));
        assert_eq!(read("Move Overhead", "7"), Ok(Setting::MoveOverhead(7)));
        assert_eq!(read("selectivity", "medium"), Ok(Setting::Randomness(7)));
        let error = read("idle", "very").unwrap_err().to_string();
        assert_eq!(error, "option idle: invalid value \"very\", expected none, small, medium, large");
        assert_eq!(read("usebooks", "true"), Err(OptionError::Unknown("usebooks".into())));
    }
}
