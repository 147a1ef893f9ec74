//! Progress bars on standard error.

use super::locale::{Charset, charset};
use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar for `count` units, with elapsed and estimated time and a message at the end.
pub(super) fn progress(count: u64, unit: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{elapsed}} of about {{duration}}  {{msg}}");
    let style = ProgressStyle::with_template(&template).expect("invariant: the template is well formed");
    ProgressBar::new(count).with_style(style.progress_chars(progress_chars()))
}

/// The characters of a bar: of its part that is done and of the rest.
pub(super) fn progress_chars() -> &'static str {
    if charset() == Charset::Utf8 { "█░" } else { "#." }
}
