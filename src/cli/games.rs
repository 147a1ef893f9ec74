//! The words of the commands that play an engine against another, and how such a comparison is shown.

use super::progress::progress;
use super::{CliError, Verdict};
use crate::learning::compare::{ENOUGH_EVIDENCE, Plan, Tally, compare};
use crate::search::conduct::Conduct;
use clap::Args;
use indicatif::ProgressBar;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// How games of self-play are played.
#[derive(Args)]
pub struct Games {
    /// Pairs of games, each pair from one opening
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pairs: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Games {
    /// The plan these words ask for.
    pub fn plan(&self) -> Plan {
        Plan { pairs: self.pairs, nodes: self.nodes, threads: self.threads.into(), seed: self.seed }
    }

    /// Shows how far it has come.
    pub fn progress(&self) -> ProgressBar {
        progress(self.pairs, "pairs")
    }
}

/// How one engine plays another.
#[derive(Args)]
pub struct Duel {
    #[command(flatten)]
    games: Games,
    /// End as soon as it is sure enough which of two gains it is nearer to, in Elo
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
}

impl Duel {
    /// Plays it, and says what it came to for the first, after the `title`.
    pub fn run(&self, title: &str, one: &Conduct, other: &Conduct) -> Result<Verdict, CliError> {
        let gains = self.sprt.as_ref().map(|gains| [gains[0], gains[1]]);
        let progress = self.games.progress();
        let tally = compare(one, other, &self.games.plan(), &mut |tally| {
            progress.set_message(summary(tally, gains));
            progress.inc(1);
            let decided = gains.is_some_and(|gains| tally.evidence(gains).abs() >= ENOUGH_EVIDENCE);
            if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.finish_and_clear();
        writeln!(io::stdout(), "{title}: {}", summary(&tally, gains))?;
        Ok(Verdict::Good)
    }
}

/// The tally in one line.
fn summary(tally: &Tally, gains: Option<[f64; 2]>) -> String {
    let elo = tally.elo().map_or("nothing yet".to_string(), |(elo, error)| format!("{elo:+.1} ± {error:.1} Elo"));
    let evidence = gains.map_or_else(String::new, |gains| {
        let [low, high] = gains;
        let evidence = tally.evidence(gains);
        let nearer = match evidence {
            _ if evidence >= ENOUGH_EVIDENCE => format!(": nearer {high:+}"),
            _ if evidence <= -ENOUGH_EVIDENCE => format!(": nearer {low:+}"),
            _ => String::new(),
        };
        format!(", evidence {evidence:+.2} for {high:+} against {low:+}{nearer}")
    });
    format!("{elo}, pairs {:?}{evidence}", tally.0)
}
