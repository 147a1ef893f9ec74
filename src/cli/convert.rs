//! `chuhe convert`: games written in another format.

use super::collection::{Collection, FolderArgs};
use super::error::{CliError, ExitStatus, Failure};
use super::names::{LANGUAGES, named_parser};
use super::translate::locale_language;
use super::write_games::{GameWriter, WriteArgs};
use crate::display::language::Language;
use crate::position::Variant;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Convert {
    /// Games, in any format that is read, folders of these, names with * and ?, or @LIST, a list of names; and the file to
    /// write last: .pgn, .xqf, .cbr, .ubb (DhtmlXQ) or .fen, or - for standard output. Where a file holds one game, several get
    /// numbers: `a.xqf` becomes `a-1.xqf`, `a-2.xqf` …
    #[arg(required = true, num_args = 2.., value_name = "FROM… TO")]
    files: Vec<OsString>,
    #[command(flatten)]
    folders: FolderArgs,
    #[command(flatten)]
    written: WriteArgs,
    /// Read the moves of the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Language of the messages; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

impl Convert {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let Some((to, from)) = self.files.split_last() else { return Err(CliError::Format(PathBuf::new()).into()) };
        let games = Collection::new(from, self.folders)?;
        games.check_files()?;
        let language = self.lang.unwrap_or_else(locale_language);
        let (writer, _lock) = GameWriter::new(&self.written, to.into(), &games.files(), language)?;
        let games = games.showing(writer.is_printing());
        writer.write(games.bar.clone(), games.games(language, Variant::promoting(self.promotion)))
    }
}
