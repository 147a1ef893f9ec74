//! Writing what the protocols have in common.

use crate::eval::wdl::wdl;
use crate::types::Score;
use std::fmt::{Display, Write};

/// Things one after another with `separator` between them.
pub fn join(things: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let mut text = String::new();
    for (index, thing) in things.into_iter().enumerate() {
        let _ = write!(text, "{}{thing}", if index == 0 { "" } else { separator });
    }
    text
}

/// A score as chances to win, draw and lose, in thousandths.
pub fn wdl_text(score: Score) -> String {
    let [win, draw, loss] = wdl(score);
    format!(" wdl {win} {draw} {loss}")
}
