//! `chuhe net texel`.

use super::common::{Files, fraction};
use crate::cli::error::{CliError, ExitStatus, Failure};
use crate::cli::messages::write_error;
use crate::training::texel::{TaperedRegression, TaperedWeights, classical, piece_square};
use clap::Args;
use std::io::{self, Write};

#[derive(Args)]
pub(super) struct Texel {
    #[command(flatten)]
    files: Files,
    /// Tune the piece-square tables (PSQT) instead of the classical terms, starting from the tables in use, and print
    /// them as in `src/eval/piece_square.rs`; networks trained with other tables are refused then and must be trained
    /// anew
    #[arg(long)]
    piece_square: bool,
    /// Passes over all samples
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// WDL weight (lambda): weight of the game outcome against the search score in the target, 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.25, value_parser = fraction)]
    wdl_weight: f32,
}

impl Texel {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let (mut regression, to_source): (TaperedRegression, fn(&TaperedWeights) -> String) = if self.piece_square {
            (piece_square::regression(), piece_square::to_source)
        } else {
            (classical::regression(), classical::to_source)
        };
        self.files.for_each_game(|_, game| regression.add(game, self.wdl_weight))?;
        if regression.is_empty() {
            return Err(CliError::NoSample.into());
        }
        let mut epoch = 0;
        let weights = regression.fit(self.epochs, 1, &mut |loss| {
            epoch += 1;
            write_error(format_args!("epoch {epoch}: training loss {loss:.6}\n"));
        });
        write!(io::stdout(), "{}", to_source(&weights))?;
        Ok(ExitStatus::Success)
    }
}
