//! Progress bars on standard error.

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar for `count` units, with elapsed and estimated time and a message at the end.
pub fn progress(count: u64, unit: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{elapsed}} of about {{duration}}  {{msg}}");
    let style = ProgressStyle::with_template(&template).expect("invariant: the template is well formed");
    ProgressBar::new(count).with_style(style)
}
