//! `chuhe net texel`.

use super::Files;
use crate::cli::{CliError, ExitStatus};
use crate::learning::texel::{Examples, to_source};
use clap::Args;
use std::io::{self, Write};

#[derive(Args)]
pub struct Texel {
    #[command(flatten)]
    files: Files,
    /// How often every position is taken
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// How much the outcome of a game counts, against the score of the search: 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.25, value_parser = super::share)]
    wdl_weight: f32,
}

impl Texel {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let mut examples = Examples::default();
        self.files.for_each_game(|_, game| examples.take(game, self.wdl_weight))?;
        if examples.is_empty() {
            return Err(CliError::NoSample);
        }
        let mut epoch = 0;
        let weights = examples.tune(self.epochs, 1, &mut |error| {
            epoch += 1;
            eprintln!("epoch {epoch}: error {error:.6}");
        });
        write!(io::stdout(), "{}", to_source(&weights))?;
        Ok(ExitStatus::Success)
    }
}
