//! The options a client can set: one table, from which they are announced, read and given their defaults.
//!
//! Reading is pure: [`read`] makes a typed [`Setting`] of a name and a value, and whoever needs to know of an option
//! (the engine, but also the reader of the protocol, which has to know of `batch` before it reads on) looks at that.

use super::units::UCCI_POINT;
use crate::eval::Knowledge;
use crate::position::Variant;
use crate::rules::{MOVE_LIMIT, Repetition, Rules};
use crate::search::pruning::Pruning;
use crate::search::settings::Idle;
use crate::search::tunables::Tunables;
use crate::types::Score;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// One option set to a value that is in its range.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// How many threads search; 0: as many as the machine has.
    Threads(u32),
    /// How many best moves are shown.
    Lines(u32),
    /// Milliseconds kept back from the clock for the way of a move to the client.
    MoveOverhead(u32),
    /// Scores are shown as chances as well.
    ShowWdl(bool),
    /// How much of the processor is left to others.
    Idle(Idle),
    /// How much the search leaves out.
    Pruning(Pruning),
    /// How much is known of positions.
    Knowledge(Knowledge),
    /// The file of the network that evaluates; empty: the built-in one.
    EvaluationFile(String),
    /// By how many UCCI points the move played may be worse than the best.
    Randomness(u32),
    /// Where chance begins; 0: somewhere else each time.
    RandomSeed(u32),
    /// What a draw is worth.
    Style(Style),
    /// How repetitions are judged.
    Repetition(Repetition),
    /// Plies without a capture after which the game is drawn.
    MoveLimit(u32),
    /// Checks and the replies to them count for that.
    ChecksCount(bool),
    /// Advisors and bishops may become pawns.
    Promotion(bool),
    /// Opening books are asked.
    UseBook(bool),
    /// The files of the books, `;` between them; empty: the built-in book.
    BookFiles(String),
    /// Plies of a game after which books are not asked any more.
    BookDepth(u32),
    /// How a book's move is chosen.
    BookChoice(BookChoice),
    /// The cloud book is asked where the books know nothing.
    CloudBook(bool),
    /// The address of the cloud book; empty: chessdb.cn.
    CloudAddress(String),
    /// Most milliseconds to wait for the cloud book.
    CloudTimeout(u32),
    /// A new game, or an edited position: forget what was learnt.
    NewGame,
    /// Empty the hash table.
    ClearHash,
    /// The game to be played; there is only one.
    Variant,
    /// A number that shapes the search, by its name.
    #[cfg(feature = "tuning")]
    Tunable(&'static str, i32),
}

/// How the move to play is chosen among those that a book knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookChoice {
    /// Each as often as its weight says.
    Weighted,
    /// One of the greatest weight.
    Best,
}

/// What a draw is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// More than a level position.
    Solid,
    /// As much.
    Normal,
    /// Less: play goes on where there is play.
    Risky,
}

impl Style {
    /// The value of a draw to the engine, in engine units: 12 UCCI points more or less.
    pub fn draw(self) -> Score {
        match self {
            Style::Solid => 12 * UCCI_POINT,
            Style::Normal => 0,
            Style::Risky => -12 * UCCI_POINT,
        }
    }
}

/// How an option looks to a client, and how its value becomes a [`Setting`].
#[derive(Clone, Debug)]
pub enum OptionType {
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
    /// One of some words. The default comes first: uci2wb, XBoard's adapter, takes the first word for the default and
    /// sets it.
    Combo {
        /// The words and what they set.
        values: &'static [(&'static str, Setting)],
    },
    /// A text, empty at the start.
    Text {
        /// The setting to a text.
        set: fn(String) -> Setting,
    },
    /// Something to be done; it has no value.
    Button {
        /// What is to be done.
        set: Setting,
    },
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name in UCCI, a single word in small letters, if UCCI's clients are told of it.
    pub ucci: Option<&'static str>,
    /// Its name in UCI, if UCI's clients are told of it.
    pub uci: Option<&'static str>,
    /// What kind of option it is.
    pub kind: OptionType,
}

/// All options, in the order in which they are announced.
pub const TABLE: &[Declaration] = &[
    row(Some("usemillisec"), None, check(true, Setting::UseMilliseconds)),
    row(Some("batch"), None, check(false, Setting::Batch)),
    row(Some("debug"), None, check(false, Setting::Debug)),
    row(Some("ponder"), Some("Ponder"), check(false, Setting::Ponder)),
    row(Some("hashsize"), Some("Hash"), spin(0, 0, 32_768, Setting::HashSize)),
    row(Some("threads"), Some("Threads"), spin(1, 0, 256, Setting::Threads)),
    row(Some("multipv"), Some("MultiPV"), spin(1, 1, 128, Setting::Lines)),
    row(Some("moveoverhead"), Some("Move Overhead"), spin(30, 0, 10_000, Setting::MoveOverhead)),
    row(Some("showwdl"), Some("UCI_ShowWDL"), check(false, Setting::ShowWdl)),
    row(Some("usebook"), Some("OwnBook"), check(true, Setting::UseBook)),
    row(Some("bookfiles"), Some("Book Files"), OptionType::Text { set: Setting::BookFiles }),
    row(Some("bookdepth"), Some("Book Depth"), spin(60, 0, 1_000, Setting::BookDepth)),
    row(Some("bookchoice"), Some("Book Choice"), combo(BOOK_CHOICE)),
    row(Some("cloudbook"), Some("Cloud Book"), check(false, Setting::CloudBook)),
    row(Some("cloudaddress"), Some("Cloud Address"), OptionType::Text { set: Setting::CloudAddress }),
    row(Some("cloudtimeout"), Some("Cloud Timeout"), spin(1_000, 50, 30_000, Setting::CloudTimeout)),
    row(Some("idle"), Some("Idle"), combo(IDLE)),
    row(Some("pruning"), Some("Pruning"), combo(PRUNING)),
    row(Some("knowledge"), Some("Knowledge"), combo(KNOWLEDGE)),
    row(Some("evalapi"), Some("EvalFile"), OptionType::Text { set: Setting::EvaluationFile }),
    row(Some("randomness"), Some("Randomness"), combo(RANDOMNESS)),
    row(Some("randomseed"), Some("Random Seed"), spin(0, 0, i32::MAX as u32, Setting::RandomSeed)),
    row(Some("style"), Some("Style"), combo(STYLE)),
    row(Some("repetition"), Some("Repetition Rule"), combo(REPETITION)),
    row(Some("movelimit"), Some("Move Limit"), spin(MOVE_LIMIT, 20, 1_000, Setting::MoveLimit)),
    row(Some("checkscount"), Some("Checks Count"), check(true, Setting::ChecksCount)),
    row(Some("promotion"), Some("Promotion"), check(false, Setting::Promotion)),
    row(Some("newgame"), None, OptionType::Button { set: Setting::NewGame }),
    row(Some("clearhash"), Some("Clear Hash"), OptionType::Button { set: Setting::ClearHash }),
    row(None, Some("UCI_Variant"), combo(&[("xiangqi", Setting::Variant)])),
];

const BOOK_CHOICE: &[(&str, Setting)] =
    &[("weighted", Setting::BookChoice(BookChoice::Weighted)), ("best", Setting::BookChoice(BookChoice::Best))];
const IDLE: &[(&str, Setting)] = &[
    ("none", Setting::Idle(Idle::None)),
    ("small", Setting::Idle(Idle::Small)),
    ("medium", Setting::Idle(Idle::Medium)),
    ("large", Setting::Idle(Idle::Large)),
];
const PRUNING: &[(&str, Setting)] = &[
    ("large", Setting::Pruning(Pruning::Large)),
    ("medium", Setting::Pruning(Pruning::Medium)),
    ("small", Setting::Pruning(Pruning::Small)),
    ("none", Setting::Pruning(Pruning::None)),
];
const KNOWLEDGE: &[(&str, Setting)] = &[
    ("large", Setting::Knowledge(Knowledge::Large)),
    ("medium", Setting::Knowledge(Knowledge::Medium)),
    ("small", Setting::Knowledge(Knowledge::Small)),
    ("none", Setting::Knowledge(Knowledge::None)),
];
/// The points are ElephantEye's.
const RANDOMNESS: &[(&str, Setting)] = &[
    ("none", Setting::Randomness(0)),
    ("tiny", Setting::Randomness(1)),
    ("small", Setting::Randomness(3)),
    ("medium", Setting::Randomness(7)),
    ("large", Setting::Randomness(15)),
    ("huge", Setting::Randomness(31)),
];
const STYLE: &[(&str, Setting)] = &[
    ("normal", Setting::Style(Style::Normal)),
    ("solid", Setting::Style(Style::Solid)),
    ("risky", Setting::Style(Style::Risky)),
];
const REPETITION: &[(&str, Setting)] = &[
    ("asian", Setting::Repetition(Repetition::Asian)),
    ("league", Setting::Repetition(Repetition::League)),
    ("plain", Setting::Repetition(Repetition::Plain)),
];
/// Names that clients of older protocols still use, and today's.
const OLD_NAMES: &[(&str, &str)] = &[("selectivity", "randomness")];

const fn row(ucci: Option<&'static str>, uci: Option<&'static str>, kind: OptionType) -> Declaration {
    Declaration { ucci, uci, kind }
}

const fn check(default: bool, set: fn(bool) -> Setting) -> OptionType {
    OptionType::Check { default, set }
}

const fn spin(default: u32, min: u32, max: u32, set: fn(u32) -> Setting) -> OptionType {
    OptionType::Spin { min, max, default, set }
}

const fn combo(values: &'static [(&'static str, Setting)]) -> OptionType {
    OptionType::Combo { values }
}

impl Declaration {
    /// What it is called, in UCCI if it has a name there.
    pub fn name(&self) -> &'static str {
        self.ucci.or(self.uci).expect("invariant: every option has a name")
    }

    fn is_called(&self, name: &str) -> bool {
        [self.ucci, self.uci].into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Its setting at the start; buttons have none.
    fn default(&self) -> Option<Setting> {
        match &self.kind {
            OptionType::Check { default, set } => Some(set(*default)),
            OptionType::Spin { default, set, .. } => Some(set(*default)),
            OptionType::Combo { values } => values.first().map(|value| value.1.clone()),
            OptionType::Text { set } => Some(set(String::new())),
            OptionType::Button { .. } => None,
        }
    }
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option {0:?}")]
    Unknown(String),
    /// The value cannot be read.
    #[error("option {name}: invalid value {value:?}, expected {wanted}")]
    Value {
        /// The option.
        name: &'static str,
        /// The text in place of a value.
        value: String,
        /// What it could have been.
        wanted: String,
    },
}

/// Reads the value of the option called `name` in any dialect, in any case. Numbers out of range count as the nearest
/// one in range (those that shape the search are refused); what follows a button is ignored.
///
/// # Errors
/// When there is no such option or the value cannot be read.
pub fn read(name: &str, value: &str) -> Result<Setting, OptionError> {
    let excerpt = |text: &str| text.chars().take(32).collect::<String>();
    let today = OLD_NAMES.iter().find(|(old, _)| old.eq_ignore_ascii_case(name)).map_or(name, |(_, today)| today);
    #[cfg(feature = "tuning")]
    if let Some(tunable) = Tunables::ALL.iter().find(|tunable| tunable.name.eq_ignore_ascii_case(today)) {
        let read = value.parse().ok().filter(|&value| tunable.accepts(value));
        let wanted = format!("{} to {}", tunable.min, tunable.max);
        let error = OptionError::Value { name: tunable.name, value: excerpt(value), wanted };
        return read.map(|value| Setting::Tunable(tunable.name, value)).ok_or(error);
    }
    let declaration = TABLE
        .iter()
        .find(|declaration| declaration.is_called(today))
        .ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
    let error = |wanted: &dyn fmt::Display| OptionError::Value {
        name: declaration.name(),
        value: excerpt(value),
        wanted: wanted.to_string(),
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
        // `<empty>` is how UCI says nothing.
        OptionType::Text { set } => Ok(set(if value == "<empty>" { String::new() } else { value.to_string() })),
        OptionType::Button { set } => Ok(set.clone()),
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
    /// How many threads search; `None`: as many as the machine has.
    pub threads: Option<usize>,
    /// How many best moves are shown.
    pub lines: usize,
    /// Time kept back from the clock for each move.
    pub move_overhead: Duration,
    /// Whether scores are shown as chances as well.
    pub show_wdl: bool,
    /// How much of the processor is left to others.
    pub idle: Idle,
    /// How much the search leaves out.
    pub pruning: Pruning,
    /// How much is known of positions.
    pub knowledge: Knowledge,
    /// The file of the network that evaluates; `None`: the built-in one.
    pub evaluation_file: Option<PathBuf>,
    /// By how many UCCI points the move played may be worse than the best.
    pub randomness: u32,
    /// Where chance begins; `None`: somewhere else each time.
    pub seed: Option<u32>,
    /// What a draw is worth.
    pub style: Style,
    /// By whose rules is played.
    pub rules: Rules,
    /// Which game is played.
    pub variant: Variant,
    /// Whether opening books are asked.
    pub use_book: bool,
    /// The files of the books, `;` between them; empty: the built-in book.
    pub book_files: String,
    /// Plies of a game after which books are not asked any more.
    pub book_depth: u32,
    /// How a book's move is chosen.
    pub book_choice: BookChoice,
    /// Whether the cloud book is asked where the books know nothing.
    pub cloud_book: bool,
    /// The address of the cloud book; empty: chessdb.cn.
    pub cloud_address: String,
    /// Most time to wait for the cloud book.
    pub cloud_timeout: Duration,
    /// The numbers that shape the search.
    pub tunables: Tunables,
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
    /// The values of the table.
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
    fn names_differ_and_are_single_small_words_in_ucci() {
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
    fn values_are_read_clamped_or_refused() {
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
