//! The two protocols. Commands of both are accepted at any time; only `go` differs (see [`super::parse`]). The output
//! is in the protocol of the last greeting.

use super::format::Format;
use super::{ucci, uci};
use crate::engine::Answer;
use crate::search::report::Report;

/// A protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chinese Chess Protocol 3.0; the default before a greeting.
    #[default]
    Ucci,
    /// The Universal Chess Interface, as xiangqi engines speak it.
    Uci,
}

impl Dialect {
    /// The reply to the greeting. Texts here lack the last newline.
    pub fn greeting(self) -> String {
        match self {
            Dialect::Ucci => ucci::greeting(),
            Dialect::Uci => uci::greeting(),
        }
    }

    /// First words of a line of free text.
    pub const fn message_prefix(self) -> &'static str {
        match self {
            Dialect::Ucci => "info message",
            Dialect::Uci => "info string",
        }
    }

    /// The lines of a report, or `None` if the protocol has none for it.
    pub fn report(self, report: &Report, format: Format) -> Option<String> {
        match self {
            Dialect::Ucci => ucci::report(report, format),
            Dialect::Uci => uci::report(report, format),
        }
    }

    /// The line that a `go` shows at once in a position without a legal move. UCCI has none.
    pub const fn finished_line(self) -> Option<&'static str> {
        match self {
            Dialect::Ucci => None,
            Dialect::Uci => Some("info depth 0 score mate 0"),
        }
    }

    /// The lines that answer a `go`.
    pub fn answer(self, answer: Answer, format: Format) -> String {
        match self {
            Dialect::Ucci => ucci::answer(answer, format),
            Dialect::Uci => uci::answer(answer, format),
        }
    }

    /// The reply to `stop` when nothing is pending. UCCI clients wait for one, UCI clients do not.
    pub const fn stop_reply_when_idle(self) -> Option<&'static str> {
        match self {
            Dialect::Ucci => Some("nobestmove"),
            Dialect::Uci => None,
        }
    }

    /// The reply to `quit`.
    pub const fn quit_reply(self) -> Option<&'static str> {
        match self {
            Dialect::Ucci => Some("bye"),
            Dialect::Uci => None,
        }
    }
}
