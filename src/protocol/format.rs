//! Text helpers of both protocols.

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
