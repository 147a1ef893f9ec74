//! Collections: the games and positions of all arguments of a command, as one sequence in which each has a number.

use super::error::{CliError, Failure, IoContext};
use super::game_files::GameFile;
use super::messages::print_message;
use super::position_argument::{GamesOfArgument, PositionArgument, SourcedGame, read, say_note};
use super::progress::ReadBytes;
use super::translate::locale_language;
use crate::analysis::answer::{Asked, Refused, SourcedPosition};
use crate::display::language::Language;
use crate::games::error::ReadErrorKind;
use crate::games::record::GameRecord;
use crate::games::stream;
use crate::position::{Position, Replay, Variant};
use clap::Args;
use indicatif::ProgressBar;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::iter;
use std::path::Path;
use std::str::FromStr;

/// Which files are read.
#[derive(Args, Clone, Copy, Default)]
pub(super) struct FolderArgs {
    /// Of folders, read those within them too
    #[arg(long)]
    recursive: bool,
}

impl FolderArgs {
    /// The files that an argument names: see [`GameFile::all`].
    ///
    /// # Errors
    /// Those of finding the files.
    pub(super) fn files(self, argument: &Path) -> Result<Vec<GameFile>, Failure> {
        GameFile::all(argument, self.recursive)
    }
}

/// Which files are read, which games of them are meant, and which position.
#[derive(Args, Clone, Default)]
pub(super) struct ChoiceArgs {
    #[command(flatten)]
    folders: FolderArgs,
    /// Take the game with this number, counted through all files, or those with this text in a name or another tag: `5`,
    /// `Hu`, `Event=Cup`
    #[arg(long = "game", value_name = "NUMBER|TEXT")]
    choice: Option<GameChoice>,
    /// Take the position after so many plies
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
}

/// A game of a collection, by its number or by a text in its tags.
#[derive(Clone, Debug, PartialEq, Eq)]
enum GameChoice {
    /// From 1.
    Number(usize),
    /// The name of a tag, if one is meant, and what its value contains, in small letters.
    Text(Option<String>, String),
}

/// A number is never a text: no game is taken for another.
impl FromStr for GameChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<GameChoice, &'static str> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse().ok().filter(|&number| number > 0);
            return number.map(GameChoice::Number).ok_or("games are numbered from 1");
        }
        let (tag, value) = text.split_once('=').map_or((None, text), |(tag, value)| (Some(tag.to_string()), value));
        match value.trim() {
            "" => Err("expected a number, a text, or TAG=TEXT"),
            value => Ok(GameChoice::Text(tag, value.to_lowercase())),
        }
    }
}

impl Display for GameChoice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GameChoice::Number(number) => number.fmt(f),
            GameChoice::Text(None, text) => text.fmt(f),
            GameChoice::Text(Some(tag), text) => write!(f, "{tag}={text}"),
        }
    }
}

impl GameChoice {
    /// Whether it means a game with this number. One that cannot be read may be meant by every text.
    fn is_of(&self, number: usize, game: &SourcedGame) -> bool {
        match (self, &game.game) {
            (GameChoice::Number(chosen), _) => *chosen == number,
            (_, Err(_)) => true,
            (GameChoice::Text(tag, text), Ok(game)) => game.tags.iter().any(|(name, value)| {
                tag.as_ref().is_none_or(|tag| name.eq_ignore_ascii_case(tag)) && value.to_lowercase().contains(text)
            }),
        }
    }
}

/// The positions of a game that are asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plies {
    All,
    First,
    Last,
    /// The one after so many plies.
    At(usize),
}

impl ChoiceArgs {
    /// The positions that are asked about: one, the last one if `is_last`, or all.
    pub(super) fn plies(&self, is_last: bool) -> Plies {
        self.ply.map_or_else(|| Plies::last_or_all(is_last), Plies::At)
    }
}

impl Plies {
    pub(super) fn last_or_all(is_last: bool) -> Plies {
        if is_last { Plies::Last } else { Plies::All }
    }
}

/// The games that the arguments of a command name.
pub(super) struct Collection {
    arguments: Vec<PositionArgument>,
    choice: Option<GameChoice>,
    /// What is read of them.
    pub bytes: ReadBytes,
    /// Shows it; hidden at first.
    pub bar: ProgressBar,
}

impl Collection {
    /// The games of arguments. Nothing is opened yet.
    ///
    /// # Errors
    /// Those of finding the files.
    pub(super) fn new(arguments: &[OsString], folders: FolderArgs) -> Result<Collection, Failure> {
        let arguments = PositionArgument::group(arguments, folders)?;
        let size = |argument: &PositionArgument| match argument {
            PositionArgument::Text(_) => Some(0),
            PositionArgument::StandardInput => None,
            PositionArgument::File(file) => Some(fs::metadata(&file.path).ok().filter(fs::Metadata::is_file)?.len()),
        };
        let bytes = ReadBytes::of(arguments.iter().map(size).sum::<Option<u64>>().unwrap_or(0));
        Ok(Collection { arguments, choice: None, bytes, bar: ProgressBar::hidden() })
    }

    /// Those of them that are meant.
    ///
    /// # Errors
    /// Those of finding the files.
    pub(super) fn chosen(arguments: &[OsString], choice: &ChoiceArgs) -> Result<Collection, Failure> {
        Ok(Collection { choice: choice.choice.clone(), ..Collection::new(arguments, choice.folders)? })
    }

    /// The same with a bar that shows how much has been read, unless what the command prints runs through it.
    pub(super) fn showing(self, prints: bool) -> Collection {
        let is_shown = !prints || !io::stdout().is_terminal();
        let bar = if is_shown { self.bytes.bar() } else { self.bar };
        Collection { bar, ..self }
    }

    /// The files.
    pub(super) fn files(&self) -> Vec<&Path> {
        let file = |argument| match argument {
            &PositionArgument::File(GameFile { ref path, .. }) => Some(path.as_path()),
            _ => None,
        };
        self.arguments.iter().filter_map(file).collect()
    }

    /// Checks, before long work, that the files can be read.
    ///
    /// # Errors
    /// When one cannot.
    pub(super) fn check_files(&self) -> Result<(), Failure> {
        self.files().into_iter().try_for_each(|path| {
            // Opening a pipe would wait for its writer.
            let open = |metadata: fs::Metadata| match metadata.is_file() {
                true => File::open(path).and_then(|mut file| file.read(&mut [0]).map(drop)),
                false => Ok(()),
            };
            fs::metadata(path).and_then(open).reading(path)
        })
    }

    /// The games, read as they are taken, under the rules of `variant`. Their sources are named in `language`. The errors are
    /// those of reading, and that no game is meant.
    pub(super) fn games(self, language: Language, variant: Variant) -> Games {
        let Collection { arguments, choice, bytes, bar } = self;
        let read = bytes.clone();
        let games = arguments.into_iter().flat_map(move |argument| argument.stream(language, variant, &read));
        Games { games: Box::new(games), choice, language, bytes, bar, number: 0, has_found: false }
    }

    /// The positions, read as they are taken: the final ones, but `plies` of game records. The errors are as with games.
    pub(super) fn positions(
        self,
        plies: Plies,
        variant: Variant,
    ) -> impl Iterator<Item = Result<Asked, Failure>> + Send + 'static {
        self.games(Language::English, variant).flat_map(move |game| match game {
            Ok(game) => Box::new(of_game(game, plies).map(Ok)),
            Err(error) => Box::new(iter::once(Err(error))) as Box<dyn Iterator<Item = _> + Send>,
        })
    }
}

/// The games of a collection that are meant.
pub(super) struct Games {
    games: GamesOfArgument,
    choice: Option<GameChoice>,
    language: Language,
    bytes: ReadBytes,
    bar: ProgressBar,
    /// Of the game before.
    number: usize,
    has_found: bool,
}

impl Iterator for Games {
    type Item = Result<SourcedGame, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_of_number = matches!(self.choice, Some(GameChoice::Number(_)));
        while !(is_of_number && self.has_found)
            && let Some(game) = self.games.next()
        {
            self.bar.set_position(self.bytes.read());
            let Ok(game) = game else { return Some(game) };
            let is_game = game.game.as_ref().map_or_else(|error| !error.kind.is_of_file(), |_| true);
            self.number += usize::from(is_game);
            if self.choice.as_ref().is_none_or(|choice| choice.is_of(self.number, &game)) {
                self.has_found |= is_of_number || game.game.is_ok();
                if let Ok(record) = &game.game {
                    self.bar.suspend(|| say_note(&game.source, record, self.language));
                }
                return Some(Ok(game));
            }
        }
        self.bar.finish_and_clear();
        let choice = self.choice.take().filter(|_| !self.has_found)?;
        Some(Err(CliError::NoSuchGame(choice.to_string(), self.number).into()))
    }
}

/// The only game that the arguments mean, up to an error in its moves.
///
/// # Errors
/// When there are several or none, and when it cannot be read.
fn only_game(arguments: &[OsString], choice: &ChoiceArgs, variant: Variant) -> Result<GameRecord, Failure> {
    let refuse = |reason: Failure| refused(arguments, reason);
    let collection = Collection::chosen(arguments, choice)?;
    let language = locale_language();
    if choice.choice.is_some() {
        let is_of_number = matches!(choice.choice, Some(GameChoice::Number(_)));
        let mut found = None;
        for game in collection.games(language, variant) {
            let SourcedGame { source, game, .. } = game?;
            match game {
                Ok(_) if found.is_some() => return Err(refuse(ReadErrorKind::Several.into())),
                Ok(game) => found = Some(game),
                Err(error) if is_of_number => return Err(refuse(error.into())),
                Err(error) => print_message(&format_args!("{source}: {error}")),
            }
        }
        return Ok(found.expect("invariant: without a game there is an error"));
    }
    let game = match &collection.arguments[..] {
        [PositionArgument::Text(text)] => read(text, variant),
        [PositionArgument::File(file)] if !file.path.exists() => {
            return Err(refuse("neither a position nor a file".into()));
        }
        [file] => {
            let (path, input) = file.open(language, &collection.bytes)?;
            stream::only_game(input, variant).reading(path)?
        }
        several => return Err(refuse(format!("{} positions, one is wanted", several.len()).into())),
    };
    let game = game.map_err(|error| refuse(error.into()))?;
    say_note(&shown(arguments), &game, language);
    Ok(game)
}

/// The only position that the arguments mean: after all moves, or after those that are asked for.
///
/// # Errors
/// When there are several or none, and when it cannot be read.
pub(super) fn only_position(
    arguments: &[OsString],
    choice: &ChoiceArgs,
    variant: Variant,
) -> Result<Position, Failure> {
    let (_, mut positions) = only_positions(arguments, choice, choice.ply.as_slice(), variant)?;
    Ok(positions.remove(0))
}

/// The only game that the arguments mean, and its positions after so many `plies`; without any, the last one.
///
/// # Errors
/// As with [`only_position`].
pub(super) fn only_positions(
    arguments: &[OsString],
    choice: &ChoiceArgs,
    plies: &[usize],
    variant: Variant,
) -> Result<(GameRecord, Vec<Position>), Failure> {
    let game = only_game(arguments, choice, variant)?;
    let refuse = |reason| refused(arguments, reason);
    if plies.is_empty() {
        let game = game.whole().map_err(|error| refuse(error.into()))?;
        let last = game.position();
        return Ok((game, vec![last]));
    }
    let positions = plies.iter().map(|&ply| position_at(&game, ply).map_err(refuse)).collect::<Result<_, _>>()?;
    Ok((game, positions))
}

/// The position of a game after so many plies, which an error behind it leaves as it is.
///
/// # Errors
/// When there are fewer: the error of the moves, if they have one.
fn position_at(game: &GameRecord, ply: usize) -> Result<Position, Failure> {
    let last = game.position();
    match (last.plies().checked_sub(ply), &game.error) {
        (Some(plies), _) => Ok(last.before(plies)),
        (None, Some(error)) => Err(error.clone().into()),
        (None, None) => Err(CliError::NoPly(ply, last.plies()).into()),
    }
}

fn shown(arguments: &[OsString]) -> String {
    arguments.join(OsStr::new(" ")).display().to_string()
}

fn refused(arguments: &[OsString], reason: Failure) -> Failure {
    CliError::Position(shown(arguments), reason).into()
}

/// The positions of a game, and its error.
fn of_game(game: SourcedGame, plies: Plies) -> Box<dyn Iterator<Item = Asked> + Send> {
    let SourcedGame { source, line, game, is_record } = game;
    let refuse = |error: String| Err(Refused { source: source.clone(), line: line.clone(), error });
    let mut game = match game {
        Ok(game) => game,
        Err(error) => return Box::new(iter::once(refuse(error.to_string()))),
    };
    if let Plies::At(ply) = plies {
        let played = game.moves().get(ply).copied().filter(|_| is_record);
        return Box::new(iter::once(match position_at(&game, ply) {
            Ok(position) => Ok(SourcedPosition { source, line, position, played }),
            Err(error) => refuse(error.to_string()),
        }));
    }
    let end = game.error.take().map(|error| refuse(error.to_string()));
    if is_record && plies != Plies::Last {
        let count = if plies == Plies::First { 1 } else { usize::MAX };
        let positions = Replay::new(game.start.clone(), game.moves()).map(move |(position, played)| {
            Ok(SourcedPosition { source: source.clone(), line: None, position, played })
        });
        return Box::new(positions.take(count).chain(end));
    }
    // After the moves before an error a line does not have the position that was meant.
    let position = (is_record || end.is_none()).then(|| {
        Ok(SourcedPosition { source: source.clone(), line: line.clone(), position: game.position(), played: None })
    });
    Box::new(position.into_iter().chain(end))
}
