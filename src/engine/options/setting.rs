//! An option and its value, and the value types defined by the engine.

use crate::engine::units::UCCI_POINT;
use crate::eval::Knowledge;
use crate::rules::Repetition;
use crate::search::pruning::Pruning;
use crate::search::settings::Idle;
use crate::types::Score;

/// An option and its new value, which is in range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Times in `go` are milliseconds; otherwise seconds.
    UseMilliseconds(bool),
    /// Commands are not read during a search that ends by itself.
    Batch(bool),
    /// More `info message` lines.
    Debug(bool),
    /// The client may use pondering.
    Ponder(bool),
    /// Size of the hash table in megabytes; 0: default of the engine.
    HashSize(u32),
    /// Search threads; 0: as many as the machine has.
    Threads(u32),
    /// Number of lines (MultiPV).
    Lines(u32),
    /// Time reserved per move for communication with the client, in milliseconds.
    MoveOverhead(u32),
    /// Report win/draw/loss probabilities (WDL) with scores.
    ShowWdl(bool),
    /// Share of processor time left idle.
    Idle(Idle),
    /// Amount of pruning.
    Pruning(Pruning),
    /// Amount of knowledge in the evaluation.
    Knowledge(Knowledge),
    /// Network file; empty: the built-in network.
    EvaluationFile(String),
    /// Maximum root noise in UCCI points.
    Randomness(u32),
    /// Seed of the random generator; 0: a new one each time.
    RandomSeed(u32),
    /// Score of a draw (contempt with the opposite sign).
    Style(Style),
    /// Repetition rules.
    Repetition(Repetition),
    /// Plies without a capture after which the game is a draw.
    MoveLimit(u32),
    /// Checks and evasions count towards the move limit.
    ChecksCount(bool),
    /// Advisors and bishops may promote to pawns.
    Promotion(bool),
    /// Use the opening books.
    UseBook(bool),
    /// Book files, separated by `;`; empty: the built-in book.
    BookFiles(String),
    /// Plies of the game after which books are not used.
    BookDepth(u32),
    /// Choice among book moves.
    BookChoice(BookChoice),
    /// Use the cloud book where the opening books have no move.
    CloudBook(bool),
    /// Address of the cloud book; empty: chessdb.cn.
    CloudAddress(String),
    /// Maximum time to wait for the cloud book, in milliseconds.
    CloudTimeout(u32),
    /// New game or edited position: clear histories and hash table.
    NewGame,
    /// Clear the hash table.
    ClearHash,
    /// `UCI_Variant`, which has only one value.
    Variant,
    /// A tunable search parameter, by name.
    #[cfg(feature = "tuning")]
    Tunable(&'static str, i32),
}

/// Choice among the book moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookChoice {
    /// At random, with probability proportional to the weight.
    Weighted,
    /// A move of maximum weight.
    Best,
}

/// Contempt, as the score of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A draw is worth more than an equal position.
    Solid,
    /// No contempt.
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
