//! Text helpers of both protocols.

use crate::engine::openings::{BookAnswer, Source, Suggestion};
use crate::eval::wdl::wdl;
use crate::games::visible::commands_terminal;
use crate::notation::Ranks;
use crate::types::{Move, Score};
use std::fmt::{Display, Write};

/// Greatest length of a line of free text in bytes, without its newline: clients have buffers of a few kilobytes. (The
/// lines of a search are shorter: a PV has at most 120 moves.)
const MAX_MESSAGE_BYTES: usize = 1_998;

/// What the client wants of lines with moves and scores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Format {
    /// Whether to write win/draw/loss (WDL) probabilities with scores.
    pub show_wdl: bool,
    /// How ranks are numbered.
    pub ranks: Ranks,
}

impl Format {
    /// The moves of a line.
    pub fn line<'a>(self, moves: impl IntoIterator<Item = &'a Move>) -> String {
        join(moves.into_iter().map(|&mv| self.ranks.write(mv)), " ")
    }

    /// The `currmove` line of both protocols.
    pub fn current_move(self, mv: Move, number: usize) -> String {
        format!("info currmove {} currmovenumber {number}", self.ranks.write(mv))
    }

    /// The `bestmove` line of both protocols.
    pub fn best_move(self, best: Move, ponder: Option<Move>) -> String {
        match ponder {
            Some(ponder) => format!("bestmove {} ponder {}", self.ranks.write(best), self.ranks.write(ponder)),
            None => format!("bestmove {}", self.ranks.write(best)),
        }
    }

    /// The moves of a book, each as `book h2e2 weight 7` or `cloud book h2e2 score 3`.
    pub fn book_moves(self, book: &BookAnswer) -> impl Iterator<Item = String> + '_ {
        let (name, worth) = match book.source {
            Source::Book => ("book", "weight"),
            Source::Cloud => ("cloud book", "score"),
        };
        let write = move |found: &Suggestion| format!("{name} {} {worth} {}", self.ranks.write(found.mv), found.worth);
        book.known.iter().map(write)
    }

    /// The book move to play, and the expected reply.
    pub fn book_line(self, book: &BookAnswer) -> String {
        self.line([Some(&book.best), book.ponder.as_ref()].into_iter().flatten())
    }
}

/// The items with `separator` between them.
pub(super) fn join(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let mut text = String::new();
    for (index, item) in items.into_iter().enumerate() {
        let _ = write!(text, "{}{item}", if index == 0 { "" } else { separator });
    }
    text
}

/// The win/draw/loss (WDL) probabilities of a score, in thousandths.
pub(super) fn wdl_text(score: Score) -> String {
    let [win, draw, loss] = wdl(score);
    format!(" wdl {win} {draw} {loss}")
}

/// A line of free text behind the words `prefix`, cut to the greatest length; what commands a terminal becomes blanks.
pub(super) fn message(prefix: &str, text: impl Display) -> String {
    const END: char = '…';
    let text = format!("{prefix} {text}");
    let mut line: String = text.chars().map(|letter| if commands_terminal(letter) { ' ' } else { letter }).collect();
    if line.len() > MAX_MESSAGE_BYTES {
        line.truncate(line.floor_char_boundary(MAX_MESSAGE_BYTES - END.len_utf8()));
        line.push(END);
    }
    line
}
