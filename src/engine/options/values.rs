//! The values of all options.

use crate::engine::level;
use crate::eval::Knowledge;
use crate::notation::Ranks;
use crate::position::Variant;
use crate::rules::Rules;
use crate::search::pruning::Pruning;
use crate::search::settings::Idle;
use crate::search::tunables::Tunables;
use crate::types::Score;
use std::path::PathBuf;
use std::time::Duration;

/// Engine units in one UCCI point, in which options and scores are given; a knight or a cannon is worth about 100 points.
pub(crate) const UCCI_POINT: Score = 4;

/// Declares [`Options`]. Its defaults are in [`super::DECLARATIONS`]; until they are applied, each field has that of its type.
macro_rules! options {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// The values of all options.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Options {
            /// Each field with the default of its type.
            pub(super) fn unset() -> Options {
                Options { $($name: <$type>::default(),)* }
            }
        }
    };
}

options! {
    /// Whether times in `go` are milliseconds; otherwise seconds.
    use_milliseconds: bool,
    /// Whether commands are not read during a search that ends by itself.
    batch: bool,
    /// Whether to send more `info message` lines.
    debug: bool,
    /// Whether the client may use pondering.
    ponder: bool,
    /// Size of the hash table in megabytes; `None`: default of the engine.
    hash_megabytes: Option<usize>,
    /// Search threads; `None`: as many as the machine has.
    threads: Option<usize>,
    /// Number of lines (MultiPV).
    lines: usize,
    /// Time reserved per move for communication with the client; `None`: by the kind of time, see [`crate::engine::go`].
    move_overhead: Option<Duration>,
    /// Whether to report win/draw/loss probabilities (WDL) with scores.
    show_wdl: bool,
    /// Share of processor time left idle.
    idle: Idle,
    /// Amount of pruning.
    pruning: Pruning,
    /// Amount of knowledge in the evaluation.
    knowledge: Knowledge,
    /// Network file; `None`: the built-in network.
    evaluation_file: Option<PathBuf>,
    /// Maximum root noise in UCCI points.
    randomness: u32,
    /// Seed of the random generator; `None`: a new one each time.
    seed: Option<u32>,
    /// Playing level; [`level::FULL`]: full strength.
    level: u32,
    /// Whether to play with the strength of `elo` instead of `level`.
    limits_strength: bool,
    /// Strength in Elo, from [`level::MIN_ELO`] to [`level::MAX_ELO`].
    elo: u32,
    /// Score of a draw (contempt with the opposite sign).
    style: Style,
    /// Rules of repetition and of the move limit.
    rules: Rules,
    /// Standard or promotion rules.
    variant: Variant,
    /// How the client numbers ranks; `None`: to be found out.
    ranks: Option<Ranks>,
    /// Use of the opening books.
    use_book: BookUse,
    /// Book files, separated by `;`; empty: the built-in book.
    book_files: String,
    /// Plies of the game after which books are not used.
    book_depth: u32,
    /// Choice among book moves.
    book_choice: BookChoice,
    /// Whether to use the cloud book where the opening books have no move.
    cloud_book: bool,
    /// Address of the cloud book; empty: chessdb.cn.
    cloud_address: String,
    /// Maximum time to wait for the cloud book.
    cloud_timeout: Duration,
    /// Whether to use endgame tables.
    use_egtb: bool,
    /// Folders of endgame tables, separated by `;`; empty: the folder `egtb`, if there is one. Built-in tables are used
    /// besides.
    egtb_folders: String,
    /// Whether to resign lost games.
    resigns: bool,
    /// Whether to offer and to accept draws.
    draws: bool,
    /// Tunable search parameters.
    tunables: Tunables,
}

impl Options {
    /// Whether moves are to be played below full strength.
    pub fn is_weakened(&self) -> bool {
        self.limits_strength || self.level < level::FULL
    }
}

/// When the opening books and the cloud book are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BookUse {
    /// Not set: in searches with a clock, but never in UCI.
    #[default]
    Unset,
    /// In every search for a move.
    On,
    /// Never.
    Off,
}

/// Choice among the book moves of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BookChoice {
    /// At random, with probability proportional to the weight.
    #[default]
    Weighted,
    /// A move of maximum weight.
    Best,
}

/// Contempt, as the score of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A draw is worth more than an equal position.
    Solid,
    /// No contempt.
    #[default]
    Normal,
    /// A draw is worth less than an equal position.
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
