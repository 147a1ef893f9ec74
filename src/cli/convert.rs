//! `chuhe convert`: games written in another format.

use super::collection::{Collection, FolderArgs};
use super::doubles::Doubles;
use super::error::{CliError, ExitStatus, Failure};
use super::game_files::with_lengths;
use super::messages::print_message_in;
use super::names::{LANGUAGES, named_parser};
use super::position_argument::SourcedGame;
use super::translate::locale_language;
use super::write_games::{GameWriter, WriteArgs};
use crate::display::language::Language;
use crate::position::Variant;
use clap::Args;
use std::ffi::OsString;

#[derive(Args)]
pub(super) struct Convert {
    /// Games, in any format that is read, folders of these, names with * and ?, or @LIST, a list of names; and the file to
    /// write last: .pgn, .xqf, .cbr, .ubb (DhtmlXQ) or .fen, or - for standard output. Where a file holds one game, several get
    /// numbers: `a.xqf` becomes `a-1.xqf`, `a-2.xqf` …
    #[arg(required = true, num_args = 1.., value_name = "FROM… TO")]
    files: Vec<OsString>,
    #[command(flatten)]
    folders: FolderArgs,
    /// Leave out games with the start position and the moves of one before; say which are the beginnings of others
    #[arg(long)]
    unique: bool,
    /// Sort the games by this tag (`Date`), numbers in it by their values; games without it come last
    #[arg(long, value_name = "TAG")]
    sort: Option<String>,
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
        let Some((to, from)) = self.files.split_last().filter(|(_, from)| !from.is_empty()) else {
            return Err(CliError::OneFile.into());
        };
        let games = Collection::new(from, self.folders)?;
        games.check_files()?;
        let language = self.lang.unwrap_or_else(locale_language);
        let (writer, _lock) = GameWriter::new(&self.written, to.into(), &games.files(), language)?;
        let games = games.showing(writer.is_printing());
        let bar = games.bar.clone();
        let games = games.games(language, Variant::promoting(self.promotion));
        let mut doubles = Doubles::default();
        let mut is_wanted = |game: &SourcedGame| {
            let earlier = if self.unique { doubles.of(game) } else { None };
            earlier.into_iter().for_each(|earlier| {
                let english = format!("{}: the moves of {earlier}; left out", game.source);
                let text = language.pick(english, format!("{}：着法与 {earlier} 相同，已略去", game.source));
                bar.suspend(|| print_message_in(language, &text));
            });
            earlier.is_none()
        };
        let games = games.filter(|game| game.as_ref().map_or(true, &mut is_wanted));
        let status = match &self.sort {
            Some(tag) => writer.write(bar.clone(), sorted(games, tag)?)?,
            None => writer.write(bar.clone(), games)?,
        };
        doubles.say_beginnings(language);
        Ok(status)
    }
}

/// The games in the order of the values of a tag; those that cannot be read come first, as nothing of them is written.
fn sorted(
    games: impl Iterator<Item = Result<SourcedGame, Failure>>,
    tag: &str,
) -> Result<impl Iterator<Item = Result<SourcedGame, Failure>>, Failure> {
    let mut games: Vec<SourcedGame> = games.collect::<Result<_, _>>()?;
    games.sort_by_cached_key(|game| {
        let value = game.game.as_ref().map(|game| game.tag(tag).map(with_lengths)).ok();
        value.map(|value| (value.is_none(), value))
    });
    Ok(games.into_iter().map(Ok))
}
