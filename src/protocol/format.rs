//! Text helpers of both protocols.

use crate::engine::openings::{BookAnswer, Source};
use crate::eval::wdl::wdl;
use crate::types::Score;
use std::fmt::{Display, Write};

/// The items with `separator` between them.
pub fn join(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let mut text = String::new();
    for (index, item) in items.into_iter().enumerate() {
        let _ = write!(text, "{}{item}", if index == 0 { "" } else { separator });
    }
    text
}

/// The win/draw/loss (WDL) probabilities of a score, in thousandths.
pub fn wdl_text(score: Score) -> String {
    let [win, draw, loss] = wdl(score);
    format!(" wdl {win} {draw} {loss}")
}

/// The moves of a book, each as `book h2e2 weight 7` or `cloud book h2e2 score 3`.
pub fn book_moves(book: &BookAnswer) -> impl Iterator<Item = String> + '_ {
    let (name, worth) = match book.source {
        Source::Book => ("book", "weight"),
        Source::Cloud => ("cloud book", "score"),
    };
    book.known.iter().map(move |found| format!("{name} {} {worth} {}", found.mv, found.worth))
}

/// The move to play, and the expected reply.
pub fn book_pv(book: &BookAnswer) -> String {
    join([Some(book.best), book.ponder].into_iter().flatten(), " ")
}
