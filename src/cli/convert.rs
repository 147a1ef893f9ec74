//! `chuhe convert`: games written in another format.

use super::error::{CliError, ExitStatus, Failure};
use super::guard::{Target, guard};
use super::messages::write_error;
use super::names::{LANGUAGES, named_parser, notation_parser};
use super::position_argument::{PositionArgument, SourcedGame};
use super::save::{is_standard_output, save, save_or_print, with_output};
use super::translate::locale_language;
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::files::lock::FileLock;
use crate::files::save::is_replaced;
use crate::games::GameRecord;
use crate::games::write::{Format, write};
use crate::notation::Notation;
use crate::position::Variant;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Convert {
    /// Games, in any format that is read, and the file to write last: .pgn, .xqf, .cbr, .ubb (DhtmlXQ) or .fen, or - for
    /// standard output. Where a file holds one game, several get numbers: `a.xqf` becomes `a-1.xqf`, `a-2.xqf` …
    #[arg(required = true, num_args = 2.., value_name = "FROM… TO")]
    files: Vec<OsString>,
    /// The format, if the end of the file's name does not say it
    #[arg(long, value_parser = PossibleValuesParser::new(Format::EXTENSIONS.map(|(name, _)| name)))]
    format: Option<String>,
    /// Notation of moves in PGN
    #[arg(long, default_value = "iccs", value_parser = notation_parser())]
    notation: Notation,
    /// Read the moves of the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    /// Language of the messages; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

impl Convert {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let Some((to, from)) = self.files.split_last() else { return Err(CliError::Format(PathBuf::new()).into()) };
        let to = PathBuf::from(to);
        let format = self.format.as_ref().map(|name| PathBuf::from("x").with_extension(name));
        let format = Format::of_path(format.as_deref().unwrap_or(&to)).ok_or_else(|| CliError::Format(to.clone()))?;
        let arguments = PositionArgument::group(from);
        PositionArgument::check_files(&arguments)?;
        let is_file = !is_standard_output(&to);
        let _lock = if is_file { Some(self.guard(&arguments, &[&to])?) } else { None };
        let language = self.lang.unwrap_or_else(locale_language);
        let variant = Variant::promoting(self.promotion);
        let games = arguments.clone().into_iter().flat_map(|argument| argument.stream(language, variant));
        let mut writer = Writer { format, notation: self.notation, language, status: ExitStatus::Success };
        if format.holds_several() {
            with_output(Some(&to), |output| {
                let mut output = output.into_iter().next();
                let mut is_first = true;
                for game in games {
                    let bytes = writer.bytes(game?);
                    if let (Some(output), Some(bytes)) = (&mut output, bytes) {
                        output.write_bytes(if is_first { b"" } else { b"\n" })?;
                        output.write_bytes(&bytes)?;
                        is_first = false;
                    }
                }
                if is_first { Err(CliError::NoGame.into()) } else { Ok(()) }
            })?;
            return Ok(writer.status);
        }
        // In memory, so that nothing is written before an error, and the numbers of all games have as many digits.
        let mut files = Vec::new();
        for game in games {
            files.extend(writer.bytes(game?));
        }
        match &files[..] {
            [] => return Err(CliError::NoGame.into()),
            // One game alone has no number.
            [one] => save_or_print(&to, one)?,
            // Positions, one a line, are read again.
            _ if !is_file && format == Format::Fen => save_or_print(&to, &files.concat())?,
            _ if !is_file || !is_replaced(&to) => return Err(CliError::OneGame(to, files.len()).into()),
            _ => {
                let digits = files.len().to_string().len();
                let names: Vec<PathBuf> = (1..=files.len()).map(|number| with_number(&to, number, digits)).collect();
                let _locks = self.guard(&arguments, &names.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
                names.iter().zip(&files).try_for_each(|(name, bytes)| save(name, bytes))?;
            }
        }
        Ok(writer.status)
    }

    /// Checks and locks files to write; refuses to replace one without `--force`, or one that is read.
    fn guard(&self, arguments: &[PositionArgument], outputs: &[&Path]) -> Result<Vec<FileLock>, Failure> {
        if let Some(path) = outputs.iter().find(|path| path.is_file() && !self.force) {
            return Err(CliError::Exists(path.into()).into());
        }
        let outputs: Vec<Target> = outputs.iter().map(|path| Target::State(path)).collect();
        guard(&PositionArgument::files(arguments), &outputs)
    }
}

/// Writes games, and says what is wrong with them and what is lost.
struct Writer {
    format: Format,
    notation: Notation,
    language: Language,
    status: ExitStatus,
}

impl Writer {
    /// A game in the format; `None` if nothing of it can be written.
    fn bytes(&mut self, sourced: SourcedGame) -> Option<Vec<u8>> {
        let SourcedGame { source, game, .. } = sourced;
        let messages = Messages::new(self.language);
        let colon = self.language.colon();
        let say = |text: String| write_error(format!("{source}{colon}{text}\n"));
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

/// A path with a number of so many digits before the end that says the format, if it has one.
fn with_number(path: &Path, number: usize, digits: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{number:0digits$}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
