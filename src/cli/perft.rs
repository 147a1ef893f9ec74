//! `chuhe perft`: counts leaves, and checks perft suites.

use super::error::{CliError, ExitStatus};
use crate::position::{FenError, Position, Variant};
use crate::tools::perft;
use crate::tools::perft_suite::{self, PerftLimits};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Perft {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u8).range(0..=20))]
    depth: u8,
    /// The position [default: the start position]
    #[arg(long, value_parser = read_fen)]
    fen: Option<Position>,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Print the count of each move
    #[arg(long)]
    divide: bool,
    /// Count the moves of the last ply without generating them, which is faster
    #[arg(long, conflicts_with_all = ["divide", "suite"])]
    count: bool,
    /// Check the counts of a file of lines `FEN ;D1 n ;D2 n … | name`, up to DEPTH
    #[arg(long, conflicts_with_all = ["fen", "divide"])]
    suite: Option<PathBuf>,
    /// With --suite: skip counts greater than this
    #[arg(long, requires = "suite", default_value_t = u64::MAX, hide_default_value = true)]
    max_leaves: u64,
}

fn read_fen(text: &str) -> Result<Position, FenError> {
    Position::from_fen(text)
}

impl Perft {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let mut out = io::stdout().lock();
        let depth = self.depth as usize;
        let variant = Variant::promoting(self.promotion);
        if let Some(file) = &self.suite {
            return check_suite(file, variant, PerftLimits { depth, leaves: self.max_leaves }, &mut out);
        }
        let mut position = self.fen.unwrap_or_else(Position::start);
        position.set_variant(variant);
        let leaves = if self.divide {
            let mut written = Ok(());
            let leaves = perft::divide(&mut position, depth, &|| true, &mut |mv, leaves| {
                if written.is_ok() {
                    written = writeln!(out, "{mv}: {leaves}");
                }
            });
            written?;
            writeln!(out)?;
            leaves
        } else if self.count {
            perft::perft_counting(&mut position, depth)
        } else {
            perft::perft(&mut position, depth)
        };
        writeln!(out, "Nodes searched: {leaves}")?;
        Ok(ExitStatus::Success)
    }
}

/// Checks a suite and prints a line for each position and one for the total.
fn check_suite(
    file: &Path,
    variant: Variant,
    limits: PerftLimits,
    out: &mut impl Write,
) -> Result<ExitStatus, CliError> {
    let text = std::fs::read_to_string(file).map_err(|error| CliError::File(file.into(), error))?;
    let mut cases = perft_suite::parse(&text).map_err(|error| CliError::Suite(file.into(), error))?;
    let (mut checked, mut leaves, mut wrong) = (0, 0, 0);
    for case in &mut cases {
        case.position.set_variant(variant);
        let result = case.check(limits);
        let verdict = if result.differences.is_empty() { "ok" } else { "WRONG" };
        writeln!(out, "{verdict}: {}, {} counts, {} leaves", case.name, result.checked, result.leaves)?;
        for (depth, known, counted) in &result.differences {
            writeln!(out, "  depth {depth}: {counted}, expected {known}, {}", case.position.to_fen())?;
        }
        checked += result.checked;
        leaves += result.leaves;
        wrong += result.differences.len();
    }
    writeln!(out, "{} positions, {checked} counts, {wrong} wrong, {leaves} leaves", cases.len())?;
    Ok(if wrong == 0 { ExitStatus::Success } else { ExitStatus::CheckFailed })
}
