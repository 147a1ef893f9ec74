//! `chuhe perft`: counts leaves, and checks perft suites.

use super::collection::{ChoiceArgs, only_position};
use super::error::{Context, ExitStatus, Failure, IoContext};
use super::text_output;
use crate::display::count::count;
use crate::files;
use crate::position::perft;
use crate::position::perft_suite::{self, PerftLimits};
use crate::position::{Position, Variant};
use crate::protocol::hangup::exit_when_output_closes;
use clap::Args;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Perft {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u8).range(0..=20))]
    depth: u8,
    /// The position: a FEN, `startpos`, both also with `moves M…` and quoted or not, or a .FEN file [default: the start position]
    #[arg(long, value_name = "FEN|FILE", num_args = 1..)]
    fen: Vec<OsString>,
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

impl Perft {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        exit_when_output_closes();
        let mut out = text_output::stdout();
        let depth = self.depth as usize;
        let variant = Variant::promoting(self.promotion);
        if let Some(file) = &self.suite {
            return check_suite(file, variant, PerftLimits { depth, leaves: self.max_leaves }, &mut out);
        }
        let mut position = if self.fen.is_empty() {
            let mut start = Position::start();
            start.set_variant(variant);
            start
        } else {
            only_position(&self.fen, &ChoiceArgs::default(), variant)?
        };
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
) -> Result<ExitStatus, Failure> {
    let bytes = File::open(file).and_then(|input| files::read_all(input, files::MAX_FILE_BYTES));
    let bytes = bytes.reading(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut cases = perft_suite::parse(&text).in_file(file)?;
    let (mut checked, mut leaves, mut wrong) = (0, 0, 0);
    for case in &mut cases {
        case.position.set_variant(variant);
        let result = case.check(limits);
        let verdict = if result.differences.is_empty() { "ok" } else { "WRONG" };
        let counts = count(result.checked, "count");
        writeln!(out, "{verdict}: {}, {counts}, {}", case.name, count(result.leaves, "leaf"))?;
        for (depth, known, counted) in &result.differences {
            writeln!(out, "  depth {depth}: {counted}, expected {known}, {}", case.position.to_fen())?;
        }
        checked += result.checked;
        leaves += result.leaves;
        wrong += result.differences.len();
    }
    let [positions, counts] = [(cases.len(), "position"), (checked, "count")].map(|(number, noun)| count(number, noun));
    writeln!(out, "{positions}, {counts}, {wrong} wrong, {}", count(leaves, "leaf"))?;
    Ok(if wrong == 0 { ExitStatus::Success } else { ExitStatus::CheckFailed })
}
