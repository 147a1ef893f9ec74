//! Games written to a file, or to several files of one game, in a format of games.

use super::error::{CliError, ExitStatus, Failure};
use super::guard::{Target, guard};
use super::messages::write_error;
use super::names::notation_parser;
use super::position_argument::SourcedGame;
use super::save::{is_standard_output, save, save_or_print, with_output};
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::files::lock::FileLock;
use crate::files::save::is_replaced;
use crate::games::GameRecord;
use crate::games::write::{Format, write};
use crate::notation::Notation;
use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};

/// How games are written.
#[derive(Args)]
pub(super) struct WriteArgs {
    /// The format, if the end of the file's name does not say it
    #[arg(long, value_parser = PossibleValuesParser::new(Format::EXTENSIONS.map(|(name, _)| name)))]
    format: Option<String>,
    /// Notation of moves in PGN; default: ICCS
    #[arg(long, value_parser = notation_parser())]
    pub notation: Option<Notation>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
}

/// Writes games, and says what is wrong with them and what is lost.
pub(super) struct GameWriter {
    to: PathBuf,
    format: Format,
    notation: Notation,
    is_forced: bool,
    /// Files that are not to be replaced.
    inputs: Vec<PathBuf>,
    language: Language,
    status: ExitStatus,
}

impl GameWriter {
    /// A writer to `to`, which may be `-`, of games from `inputs`; and the lock of its file, to be held to the end.
    ///
    /// # Errors
    /// When the format is not known; when the file cannot be written, is there without `--force`, or is read.
    pub(super) fn new(
        arguments: &WriteArgs,
        to: PathBuf,
        inputs: &[&Path],
        language: Language,
    ) -> Result<(GameWriter, Vec<FileLock>), Failure> {
        let &WriteArgs { ref format, notation, force: is_forced } = arguments;
        let notation = notation.unwrap_or(Notation::Iccs);
        let named = format.as_ref().map(|name| PathBuf::from("x").with_extension(name));
        let format = Format::of_path(named.as_deref().unwrap_or(&to)).ok_or_else(|| CliError::Format(to.clone()))?;
        let inputs = inputs.iter().map(PathBuf::from).collect();
        let writer = GameWriter { to, format, notation, is_forced, inputs, language, status: ExitStatus::Success };
        let lock = if writer.is_printing() { Vec::new() } else { writer.guard(&[&writer.to])? };
        Ok((writer, lock))
    }

    /// Whether the games go to standard output.
    pub(super) fn is_printing(&self) -> bool {
        is_standard_output(&self.to)
    }

    /// Writes the games, below a bar that moves as they are taken.
    ///
    /// # Errors
    /// Those of the games and of writing; when there is no game, or more than can be written.
    pub(super) fn write(
        mut self,
        bar: ProgressBar,
        games: impl Iterator<Item = Result<SourcedGame, Failure>>,
    ) -> Result<ExitStatus, Failure> {
        let to = self.to.clone();
        if self.format.holds_several() {
            with_output(Some(&to), |output| {
                let mut output = output.into_iter().next();
                let mut is_first = true;
                for game in games {
                    let bytes = self.bytes(game?, &bar);
                    if let (Some(output), Some(bytes)) = (&mut output, bytes) {
                        output.write_bytes(if is_first { b"" } else { b"\n" })?;
                        output.write_bytes(&bytes)?;
                        is_first = false;
                    }
                }
                if is_first { Err(CliError::NoGame.into()) } else { Ok(()) }
            })?;
            return Ok(self.status);
        }
        // In memory, so that nothing is written before an error, and the numbers of all games have as many digits.
        let mut files = Vec::new();
        for game in games {
            files.extend(self.bytes(game?, &bar));
        }
        match &files[..] {
            [] => return Err(CliError::NoGame.into()),
            // One game alone has no number.
            [one] => save_or_print(&to, one)?,
            // Positions, one a line, are read again.
            _ if self.is_printing() && self.format == Format::Fen => save_or_print(&to, &files.concat())?,
            _ if self.is_printing() || !is_replaced(&to) => return Err(CliError::OneGame(to, files.len()).into()),
            _ => {
                let numbers = 1..=files.len();
                let names: Vec<PathBuf> = numbers.map(|number| with_number(&to, number, files.len())).collect();
                let _locks = self.guard(&names.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
                names.iter().zip(&files).try_for_each(|(name, bytes)| save(name, bytes))?;
            }
        }
        Ok(self.status)
    }

    /// Checks and locks files to write; refuses to replace one without `--force`, or one that is read.
    fn guard(&self, outputs: &[&Path]) -> Result<Vec<FileLock>, Failure> {
        if let Some(path) = outputs.iter().find(|path| path.is_file() && !self.is_forced) {
            return Err(CliError::Exists(path.into()).into());
        }
        let outputs: Vec<Target> = outputs.iter().map(|path| Target::State(path)).collect();
        guard(&self.inputs.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &outputs)
    }

    /// A game in the format; `None` if nothing of it can be written.
    fn bytes(&mut self, sourced: SourcedGame, bar: &ProgressBar) -> Option<Vec<u8>> {
        let SourcedGame { source, game, .. } = sourced;
        let messages = Messages::new(self.language);
        let colon = self.language.colon();
        let say = |text: String| bar.suspend(|| write_error(format!("{source}{colon}{text}\n")));
        let mut refuse = |error: String| {
            say(error);
            self.status = ExitStatus::CheckFailed;
        };
        let record = match game {
            Ok(record) => {
                if let Some(error) = &record.error {
                    refuse(messages.text(error));
                }
                GameRecord { error: None, ..record }
            }
            Err(error) => {
                refuse(messages.text(&error));
                return None;
            }
        };
        match write(&record, self.format, self.notation) {
            Ok((bytes, lost)) => {
                if !lost.is_empty() {
                    let lost: Vec<String> = lost.iter().map(|loss| messages.text(loss)).collect();
                    let lost = lost.join(self.language.pick(", ", "、"));
                    say(self.language.pick(format!("not in the new file: {lost}"), format!("新文件中没有：{lost}")));
                }
                Some(bytes)
            }
            Err(error) => {
                refuse(messages.text(&error));
                None
            }
        }
    }
}

/// A path with a number, of as many digits as the greatest one has, before the end that says the format, if it has one.
pub(super) fn with_number(path: &Path, number: usize, greatest: usize) -> PathBuf {
    let digits = greatest.to_string().len();
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{number:0digits$}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
