//! The two protocols that clients speak. Words in are understood in either, whatever the client greeted with, but for
//! what [`super::parse`] says of `go`; words out are those of the last greeting.

use super::{ucci, uci};
use crate::engine::Answer;
use crate::search::report::Report;

/// A protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chinese Chess Protocol 3.0; also before any greeting.
    #[default]
    Ucci,
    /// The Universal Chess Interface, as xiangqi engines speak it.
    Uci,
}

impl Dialect {
    /// The answer to its greeting. Texts here lack the newline at the end.
    pub fn greeting(self) -> String {
        match self {
            Dialect::Ucci => ucci::greeting(),
            Dialect::Uci => uci::greeting(),
        }
    }

    /// What lines of free text begin with.
    pub const fn message(self) -> &'static str {
        match self {
            Dialect::Ucci => "info message",
            Dialect::Uci => "info string",
        }
    }

    /// The lines of a report, if there are words for it.
    pub fn report(self, report: &Report, show_wdl: bool) -> Option<String> {
        match self {
            Dialect::Ucci => ucci::report(report, show_wdl),
            Dialect::Uci => uci::report(report, show_wdl),
        }
    }

    /// The lines that answer a `go`.
    pub fn answer(self, answer: Answer) -> String {
        match self {
            Dialect::Ucci => ucci::answer(answer),
            Dialect::Uci => uci::answer(answer),
        }
    }

    /// What to say to a `stop` that stops nothing: UCCI's clients wait for an answer, UCI's do not.
    pub const fn nothing_to_stop(self) -> Option<&'static str> {
        match self {
            Dialect::Ucci => Some("nobestmove"),
            Dialect::Uci => None,
        }
    }

    /// The last word.
    pub const fn farewell(self) -> Option<&'static str> {
        match self {
            Dialect::Ucci => Some("bye"),
            Dialect::Uci => None,
        }
    }
}
