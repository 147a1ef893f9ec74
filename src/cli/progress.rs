//! How far long work has come, on standard error.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `count` of some things, and the time they take; a message has its place at the end.
pub fn progress(count: u64, things: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {things}, {{elapsed}} of about {{duration}}  {{msg}}");
    let style = ProgressStyle::with_template(&template).expect("invariant: the template is well formed");
    ProgressBar::new(count).with_style(style)
}
