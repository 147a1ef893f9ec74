//! `chuhe convert`: games written in another format.

use super::error::{CliError, ExitStatus};
use super::messages::write_error;
use super::names::{LANGUAGES, named_parser, notation_parser};
use super::position_argument::{PositionArgument, SourcedGame};
use super::save::{check, is_standard_output, save, with_output};
use super::translate::locale_language;
use chuhe::display::language::Language;
use chuhe::display::messages::Messages;
use chuhe::games::GameRecord;
use chuhe::games::write::{Format, write};
use chuhe::notation::Notation;
use chuhe::position::Variant;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Convert {
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
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let Some((to, from)) = self.files.split_last() else { return Err(CliError::Format(PathBuf::new())) };
        let to = PathBuf::from(to);
        let format = self.format.as_ref().map(|name| PathBuf::from("x").with_extension(name));
        let format = Format::of_path(format.as_deref().unwrap_or(&to)).ok_or_else(|| CliError::Format(to.clone()))?;
        let arguments = PositionArgument::group(from);
        PositionArgument::check_files(&arguments)?;
        if !is_standard_output(&to) {
            self.refuse_existing(&to)?;
            check(&to)?;
        }
        let language = self.lang.unwrap_or_else(locale_language);
        let variant = Variant::promoting(self.promotion);
        let games = arguments.into_iter().flat_map(|argument| argument.stream(language, variant));
        let mut writer = Writer { format, notation: self.notation, language, status: ExitStatus::Success };
        if format.holds_several() || is_standard_output(&to) {
            with_output(Some(&to), |output| {
                let mut output = output.into_iter().next();
                let mut is_first = true;
                for game in games {
                    let bytes = writer.bytes(game?);
                    if let (Some(output), Some(bytes)) = (&mut output, bytes) {
                        let separator: &[u8] = if is_first || format == Format::Fen { b"" } else { b"\n" };
                        output.write_bytes(separator)?;
                        output.write_bytes(&bytes)?;
                        is_first = false;
                    }
                }
                if is_first { Err(CliError::NoGame) } else { Ok(()) }
            })?;
            return Ok(writer.status);
        }
        let (mut count, mut first) = (0, None);
        for game in games {
            let Some(bytes) = writer.bytes(game?) else { continue };
            count += 1;
            match (count, first.take()) {
                (1, _) => first = Some(bytes),
                (_, before) => {
                    before.map_or(Ok(()), |before| self.save(&with_number(&to, 1), &before))?;
                    self.save(&with_number(&to, count), &bytes)?;
                }
            }
        }
        // One game alone has no number.
        first.map_or(Ok(()), |bytes| save(&to, &bytes))?;
        Ok(writer.status)
    }

    /// Refuses to replace a file without `--force`.
    fn refuse_existing(&self, path: &Path) -> Result<(), CliError> {
        if path.is_file() && !self.force { Err(CliError::Exists(path.into())) } else { Ok(()) }
    }

    fn save(&self, path: &Path, bytes: &[u8]) -> Result<(), CliError> {
        self.refuse_existing(path)?;
        save(path, bytes)
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
            Ok(GameRecord { error: Some(error), start, tree, tags, result }) => {
                refuse(messages.text(&error));
                GameRecord { error: None, start, tree, tags, result }
            }
            Ok(record) => record,
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

/// A path with a number before the end that says the format.
fn with_number(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.{extension}"))
}
