//! The table of options: names, types, ranges and defaults. To add an option, see [`super`].

use super::setting::{BookChoice, Setting, Style};
use crate::eval::Knowledge;
use crate::rules::{MOVE_LIMIT, Repetition};
use crate::search::pruning::Pruning;
use crate::search::settings::Idle;

/// Type of an option in the protocols (`check`, `spin`, `combo`, `string`, `button`), with its default and the
/// constructor of its [`Setting`].
#[derive(Clone, Debug)]
pub enum OptionType {
    /// A Boolean.
    Check {
        /// Default value.
        default: bool,
        /// Constructor of the setting.
        set: fn(bool) -> Setting,
    },
    /// An integer.
    Spin {
        /// Minimum; smaller values are clamped.
        min: u32,
        /// Maximum; greater values are clamped.
        max: u32,
        /// Default value.
        default: u32,
        /// Constructor of the setting, for values in range.
        set: fn(u32) -> Setting,
    },
    /// One of several words. The default comes first: uci2wb, XBoard's adapter, takes the first word for the default
    /// and sets it.
    Combo {
        /// Words and their settings.
        values: &'static [(&'static str, Setting)],
    },
    /// A text, by default empty.
    Text {
        /// Constructor of the setting.
        set: fn(String) -> Setting,
    },
    /// An action without a value.
    Button {
        /// The action.
        set: Setting,
    },
}

/// Declaration of one option.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name in UCCI, one word in lower case; `None`: not announced in UCCI.
    pub ucci: Option<&'static str>,
    /// Name in UCI; `None`: not announced in UCI.
    pub uci: Option<&'static str>,
    /// Type, range and default.
    pub kind: OptionType,
}

/// All options, in the order of announcement.
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
/// Values in UCCI points, as in ElephantEye.
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
    /// Its UCCI name, or else its UCI name.
    pub fn name(&self) -> &'static str {
        self.ucci.or(self.uci).expect("invariant: every option has a name")
    }

    /// Whether `name` is one of its names, in any case.
    pub(super) fn is_called(&self, name: &str) -> bool {
        [self.ucci, self.uci].into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Its default setting; `None` for buttons.
    pub(super) fn default(&self) -> Option<Setting> {
        match &self.kind {
            OptionType::Check { default, set } => Some(set(*default)),
            OptionType::Spin { default, set, .. } => Some(set(*default)),
            OptionType::Combo { values } => values.first().map(|value| value.1.clone()),
            OptionType::Text { set } => Some(set(String::new())),
            OptionType::Button { .. } => None,
        }
    }
}
