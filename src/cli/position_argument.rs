//! Positions and games as commands take them from their arguments.

use super::error::{CliError, Failure, IoContext};
use super::messages::{print_message, print_message_in, write_error};
use super::translate::locale_language;
use crate::analysis::answer::{Asked, Refused, SourcedPosition};
use crate::display::language::Language;
use crate::games::error::{ReadError, ReadErrorKind};
use crate::games::record::GameRecord;
use crate::games::setup::{GameSetup, begins_moves, is_fen_field};
use crate::games::stream::{self, FileGame, GameStream, Place};
use crate::notation;
use crate::position::{Position, Replay, Variant};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::iter;
use std::path::{Path, PathBuf};

/// A position or game, or where to read some from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PositionArgument {
    /// `FEN [moves M…]`, `startpos [moves M…]`, or what `xfen` prints.
    Text(String),
    /// A file: see [`GameStream`].
    File(PathBuf),
    /// Standard input, in the form of a file.
    StandardInput,
}

/// The positions of a game record that are asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plies {
    All,
    First,
    Last,
}

impl Plies {
    pub(super) fn last_or_all(is_last: bool) -> Plies {
        if is_last { Plies::Last } else { Plies::All }
    }
}

/// A game and where it comes from.
pub(super) struct SourcedGame {
    /// The command line, or a file and the line or the number of the game.
    pub source: String,
    /// The line that holds it; `None` for a game record.
    pub line: Option<String>,
    /// The game, or why nothing of it can be read.
    pub game: Result<GameRecord, ReadError>,
    /// Whether it is a game record (PGN, XQF, a list of moves), not a position with the moves that led to it.
    pub is_record: bool,
}

impl SourcedGame {
    /// A game of the file `name`, whose place is named in `language`.
    fn of_file(name: &str, game: FileGame, language: Language) -> SourcedGame {
        let FileGame { place, line, game } = game;
        let (source, is_record) = match place {
            Place::Line(line) => (format!("{name}:{line}"), false),
            Place::Game(number) => {
                (language.pick(format!("{name} game {number}"), format!("{name} 第{number}局")), true)
            }
        };
        SourcedGame { source, line, game, is_record }.noted(language)
    }

    /// The game, after its note has been said.
    fn noted(self, language: Language) -> SourcedGame {
        if let Ok(GameRecord { note: Some(note), .. }) = &self.game {
            print_message_in(language, &format_args!("{}: {note}", self.source));
        }
        self
    }
}

impl PositionArgument {
    /// The positions and files among the arguments. A position may be one argument or several, as a shell splits what is
    /// not quoted. What is both a position and an existing file is a file.
    pub(super) fn group(arguments: &[OsString]) -> Vec<PositionArgument> {
        let mut groups: Vec<PositionArgument> = Vec::new();
        for argument in arguments {
            let exists = Path::new(argument).exists();
            match (argument.to_str(), groups.last_mut()) {
                (Some(word), Some(PositionArgument::Text(text))) if continues(text, word, exists) => {
                    text.push(' ');
                    text.push_str(word);
                }
                (Some("-"), _) => groups.push(PositionArgument::StandardInput),
                (Some(text), _) if begins(text) && !exists => groups.push(PositionArgument::Text(text.to_string())),
                _ => groups.push(PositionArgument::File(argument.into())),
            }
        }
        groups
    }

    /// The only position of the arguments, after all moves.
    ///
    /// # Errors
    /// When there are several or none, and when it cannot be read.
    pub(super) fn only_position(arguments: &[OsString], variant: Variant) -> Result<Position, Failure> {
        let shown = || arguments.join(OsStr::new(" ")).display().to_string();
        let refuse = |reason: Failure| Failure::from(CliError::Position(shown(), reason));
        let game = match &PositionArgument::group(arguments)[..] {
            [PositionArgument::Text(text)] => read(text, variant),
            [PositionArgument::File(path)] if !path.exists() => {
                return Err(refuse("neither a position nor a file".into()));
            }
            [file] => {
                let (path, input) = file.open(locale_language())?;
                stream::only_game(input, variant).reading(path)?
            }
            groups => return Err(refuse(format!("{} positions, one is wanted", groups.len()).into())),
        };
        let game = game.and_then(GameRecord::whole);
        if let Ok(GameRecord { note: Some(note), .. }) = &game {
            print_message(&format_args!("{}: {note}", shown()));
        }
        Ok(game.map_err(|error| refuse(error.into()))?.position())
    }

    /// The positions of the arguments, read as they are taken: the final ones, but `plies` of game records.
    /// The errors are those of reading files.
    pub(super) fn positions(
        arguments: &[OsString],
        plies: Plies,
        variant: Variant,
    ) -> impl Iterator<Item = Result<Asked, Failure>> + Send + 'static {
        let games = PositionArgument::group(arguments)
            .into_iter()
            .flat_map(move |argument| argument.stream(Language::English, variant));
        games.flat_map(move |game| match game {
            Ok(game) => Box::new(of_game(game, plies).map(Ok)),
            Err(error) => Box::new(iter::once(Err(error))) as Box<dyn Iterator<Item = _> + Send>,
        })
    }

    /// The files among the arguments.
    pub(super) fn files<'a>(arguments: &'a [PositionArgument]) -> Vec<&'a Path> {
        let file = |argument: &'a PositionArgument| match argument {
            PositionArgument::File(path) => Some(path.as_path()),
            _ => None,
        };
        arguments.iter().filter_map(file).collect()
    }

    /// Checks, before long work, that the files can be read.
    ///
    /// # Errors
    /// When one cannot.
    pub(super) fn check_files(arguments: &[PositionArgument]) -> Result<(), Failure> {
        arguments.iter().try_for_each(|argument| match argument {
            PositionArgument::File(path) => {
                // Opening a pipe would wait for its writer.
                let open = |metadata: fs::Metadata| match metadata.is_file() || metadata.is_dir() {
                    true => File::open(path).and_then(|mut file| file.read(&mut [0]).map(drop)),
                    false => Ok(()),
                };
                fs::metadata(path).and_then(open).reading(path)
            }
            _ => Ok(()),
        })
    }

    /// The games, read as they are taken, under the rules of `variant`. Their sources are named in `language`.
    ///
    /// The errors are those of reading. An empty file is a game with an error; empty standard input has no games.
    pub(super) fn stream(self, language: Language, variant: Variant) -> GamesOfArgument {
        let one = |source: String, line, game| {
            let game = SourcedGame { source, line, game, is_record: false };
            Box::new(iter::once(Ok(game.noted(language))))
        };
        let name = match &self {
            PositionArgument::Text(text) => {
                let source = language.pick("command line", "命令行").to_string();
                return one(source, Some(text.clone()), read(text, variant));
            }
            PositionArgument::StandardInput => "-".to_string(),
            PositionArgument::File(path) => path.display().to_string(),
        };
        let (path, input) = match self.open(language) {
            Ok(opened) => opened,
            Err(error) => return Box::new(iter::once(Err(error))),
        };
        let games = GameStream::new(input, variant);
        // Who writes positions into a pipe may wait for each answer.
        let is_pipe = self == PositionArgument::StandardInput;
        let mut games = if is_pipe { games.giving_at_once() } else { games }.peekable();
        if !is_pipe && games.peek().is_none() {
            return one(name, None, Err(ReadErrorKind::Empty.into()));
        }
        Box::new(games.map(move |game| Ok(SourcedGame::of_file(&name, game.reading(&path)?, language))))
    }

    /// What is read, with its name for errors. People at a terminal are told that input is awaited.
    fn open(&self, language: Language) -> Result<(PathBuf, Box<dyn BufRead + Send>), Failure> {
        Ok(match self {
            PositionArgument::Text(text) => ("".into(), Box::new(io::Cursor::new(text.clone()))),
            PositionArgument::StandardInput => {
                announce_terminal(language);
                ("standard input".into(), Box::new(BufReader::new(io::stdin())))
            }
            PositionArgument::File(path) => match File::open(path) {
                Ok(file) => (path.clone(), Box::new(BufReader::new(file))),
                Err(error) => return Err(error).reading(path),
            },
        })
    }
}

/// The games of an argument.
pub(super) type GamesOfArgument = Box<dyn Iterator<Item = Result<SourcedGame, Failure>> + Send>;

/// Tells people at a terminal that input is awaited.
pub(super) fn announce_terminal(language: Language) {
    if io::stdin().is_terminal() {
        write_error(language.pick(
            "waiting for positions, one a line: FEN or startpos, and moves; end with Ctrl-D (--help for more)\n",
            "请输入局面，每行一个：FEN 或 startpos，可加着法；按 Ctrl-D 结束（--help 有说明）\n",
        ));
    }
}

/// Reads a position and moves.
fn read(text: &str, variant: Variant) -> Result<GameRecord, ReadError> {
    stream::read_line(text, variant).map_err(|kind| match kind {
        ReadErrorKind::NotAPosition(_) => ReadErrorKind::NoPosition.into(),
        kind => kind.into(),
    })
}

/// Whether a position begins with the text.
fn begins(text: &str) -> bool {
    GameSetup::read(text).is_some() || text.eq_ignore_ascii_case("position")
}

/// Whether an argument is the next word of the position that `text` begins.
fn continues(text: &str, word: &str, exists: bool) -> bool {
    if word.is_empty() || word.contains(char::is_whitespace) {
        return false;
    }
    let last = text.split_whitespace().next_back().unwrap_or_default();
    // These are no positions yet.
    let needs_more = ["position", "fen", "xfen"].iter().any(|word| word.eq_ignore_ascii_case(last));
    let is_field = is_fen_field(word) && !(word == "-" && text.contains("startpos"));
    let is_known = needs_more || is_field || begins_moves(word) || notation::is_move(word);
    // Behind `moves` a word that is no move is an error to be shown.
    is_known || !exists && text.split_whitespace().any(begins_moves) && !begins(word)
}

/// The positions of a game, and its error.
fn of_game(game: SourcedGame, plies: Plies) -> Box<dyn Iterator<Item = Asked> + Send> {
    let SourcedGame { source, line, game, is_record } = game;
    let refuse =
        |error: ReadError| Err(Refused { source: source.clone(), line: line.clone(), error: error.to_string() });
    let mut game = match game {
        Ok(game) => game,
        Err(error) => return Box::new(iter::once(refuse(error))),
    };
    let end = game.error.take().map(refuse);
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
