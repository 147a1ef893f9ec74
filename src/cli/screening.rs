//! `chuhe screen`, with the feature `tuning`.

use super::error::{CliError, ExitStatus};
use super::guard::{Target, guard};
use super::selfplay_args::GameArgs;
use super::text_output;
use crate::system::files;
use crate::training::screening::{Change, ScreenedPair, effects, screen};
use clap::Args;
use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Screen {
    /// A change of search parameters: NAME=VALUE, or several with commas between them
    #[arg(required = true, value_name = "CHANGE")]
    changes: Vec<String>,
    /// File of the results, a game pair in each line; an existing file is continued (give the same other arguments)
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    #[command(flatten)]
    games: GameArgs,
}

impl Screen {
    pub(super) fn run(self) -> Result<ExitStatus, CliError> {
        let refuse = |text: &String| CliError::Tunable("command line".into(), text.clone());
        let changes = self.changes.iter().map(|text| Change::read(text).ok_or_else(|| refuse(text)));
        let changes = changes.collect::<Result<Vec<_>, _>>()?;
        let header = format!("# {}\n", self.changes.join(" "));
        let _lock = guard(&self.games.files(), &[Target::Continued(&self.results)])?;
        let (nodes, settings) = (self.games.node_limit(), self.games.settings()?);
        let (mut pairs, mut file) = self.open(&header)?;
        let progress = self.games.progress();
        progress.set_position(pairs.len() as u64);
        progress.reset_eta();
        let mut written = Ok(());
        screen(&changes, nodes, &settings, pairs.len() as u64, &mut |pair| {
            written = writeln!(file, "{}", pair.to_text());
            pairs.push(pair);
            progress.inc(1);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        progress.finish_and_clear();
        written.map_err(|error| CliError::Save(self.results.clone(), error))?;
        let mut out = text_output::stdout();
        match effects(&pairs) {
            None => writeln!(out, "too few pairs")?,
            Some(effects) => {
                for (change, (elo, error)) in changes.iter().zip(effects) {
                    writeln!(out, "{elo:+7.1} ± {error:4.1}  {}", change.text)?;
                }
            }
        }
        writeln!(out, "Elo with the change, {} pairs", pairs.len())?;
        Ok(ExitStatus::Success)
    }

    /// The pairs in the file, and the file opened for appending. It begins with the changes. A last line without its end,
    /// of a run that was killed, is cut off.
    fn open(&self, header: &str) -> Result<(Vec<ScreenedPair>, File), CliError> {
        let save = |error| CliError::Save(self.results.clone(), error);
        let append = || File::options().append(true).create(true).open(&self.results).map_err(save);
        if !self.results.exists() {
            let mut file = append()?;
            file.write_all(header.as_bytes()).map_err(save)?;
            return Ok((Vec::new(), file));
        }
        let bytes = files::read(&self.results, files::MAX_FILE_BYTES)
            .map_err(|error| CliError::File(self.results.clone(), error))?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..complete]);
        let refuse = |line: &str| CliError::Results(self.results.clone(), line.to_string());
        let lines = text.strip_prefix(header).ok_or_else(|| refuse(text.lines().next().unwrap_or_default()))?;
        let read = |line| ScreenedPair::read(line, self.changes.len()).ok_or_else(|| refuse(line));
        let pairs = lines.lines().map(read).collect::<Result<_, _>>()?;
        let file = append()?;
        file.set_len(complete as u64).map_err(save)?;
        Ok((pairs, file))
    }
}
