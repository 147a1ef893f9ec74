//! Arguments and output of the commands that play a match.

use super::error::{CliError, ExitStatus};
use super::messages::write_error;
use super::names::Threads;
use super::progress::progress;
use super::text_output;
use crate::display::count::count;
use crate::search::settings::SearchSettings;
use crate::system::files;
use crate::training::match_play::{MatchSettings, compare};
use crate::training::node_limit::NodeLimit;
use crate::training::opening_list::OpeningList;
use crate::training::pentanomial::Pentanomial;
use crate::training::sprt::{EloModel, Sprt};
use clap::Args;
use indicatif::ProgressBar;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Without a terminal for the progress bar, the result so far is written after so many pairs: a long match may be killed.
const PAIRS_PER_LINE: u64 = 100;

/// What the pentanomial counts mean.
const LEGEND: &str = "A pair is two games from one opening with colors exchanged; the pentanomial counts are the pairs in \
                      which the first player scored 0, ½, 1, 1½ and 2 points.";

/// How self-play games are played.
#[derive(Args)]
pub(super) struct GameArgs {
    /// Number of game pairs: two games from one opening, with colors exchanged
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pairs: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Nodes of each player for a whole game instead: a clock that counts nodes; a hundredth is added after each move
    #[arg(long, value_name = "N", conflicts_with = "nodes", value_parser = clap::value_parser!(u64).range(10_000..))]
    node_clock: Option<u64>,
    /// Games played in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File of the openings, a FEN in each line (`chuhe net openings`); default: level positions after random moves
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

impl GameArgs {
    /// The files that are read.
    #[cfg(feature = "tuning")]
    pub(super) fn files(&self) -> Vec<&std::path::Path> {
        self.openings.iter().map(PathBuf::as_path).collect()
    }

    /// The match settings.
    pub(super) fn settings(&self) -> Result<MatchSettings, CliError> {
        let openings = match &self.openings {
            None => OpeningList::Random,
            Some(path) => {
                let bytes =
                    files::read(path, files::MAX_FILE_BYTES).map_err(|error| CliError::File(path.clone(), error))?;
                OpeningList::read(&String::from_utf8_lossy(&bytes), self.seed)
                    .map_err(|error| CliError::Openings(path.clone(), error))?
            }
        };
        Ok(MatchSettings { pairs: self.pairs, threads: self.threads.count(), seed: self.seed, openings })
    }

    /// How many nodes each player has.
    pub(super) fn node_limit(&self) -> NodeLimit {
        self.node_clock.map_or(NodeLimit::PerMove(self.nodes), NodeLimit::Clock)
    }

    /// A progress bar.
    pub(super) fn progress(&self) -> ProgressBar {
        progress(self.pairs, "pairs")
    }
}

/// How a match is played and when it ends.
#[derive(Args)]
pub(super) struct MatchArgs {
    #[command(flatten)]
    games: GameArgs,
    /// End by a sequential probability ratio test (SPRT) of these two Elo differences (alpha = beta = 0.05)
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
}

impl MatchArgs {
    /// Plays the match and prints the result of the first player after the `title`.
    pub(super) fn run(
        &self,
        title: &str,
        first: &SearchSettings,
        second: &SearchSettings,
    ) -> Result<ExitStatus, CliError> {
        let test =
            |elo: &Vec<f64>| Sprt { elo0: elo[0], elo1: elo[1], alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
        let sprt = self.sprt.as_ref().map(test);
        let settings = self.games.settings()?;
        let progress = self.games.progress();
        let [first, second] = [first, second].map(|settings| self.games.node_limit().limits(settings.clone()));
        let pentanomial = compare(&first, &second, &settings, &mut |pentanomial| {
            let result = summary(pentanomial, sprt.as_ref());
            progress.inc(1);
            if progress.is_hidden() && progress.position().is_multiple_of(PAIRS_PER_LINE) {
                write_error(format_args!("{title}: {result}\n"));
            }
            progress.set_message(result);
            let is_decided = sprt.is_some_and(|sprt| sprt.accepts_h1(sprt.llr(pentanomial)).is_some());
            if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.finish_and_clear();
        writeln!(text_output::stdout(), "{title}: {}", summary(&pentanomial, sprt.as_ref()))?;
        writeln!(text_output::stdout(), "{LEGEND}")?;
        Ok(ExitStatus::Success)
    }
}

/// The result in one line: Elo, number of pairs, pentanomial counts and, with an SPRT, the LLR and the hypothesis accepted.
fn summary(pentanomial: &Pentanomial, sprt: Option<&Sprt>) -> String {
    let elo = pentanomial.elo().map_or("no Elo yet".to_string(), |elo| format!("{elo} Elo"));
    let sprt = sprt.map_or_else(String::new, |sprt| {
        let llr = sprt.llr(pentanomial);
        let accepted = match sprt.accepts_h1(llr) {
            Some(true) => ", H1 accepted",
            Some(false) => ", H0 accepted",
            None => "",
        };
        format!(", LLR {llr:+.2} (elo0 {:+}, elo1 {:+}){accepted}", sprt.elo0, sprt.elo1)
    });
    let pairs = count(pentanomial.0.iter().sum::<u64>(), "pair");
    format!("{elo}, {pairs}, pentanomial {:?}{sprt}", pentanomial.0)
}
