//! Positions and games as commands take them from their arguments.

use super::collection::FolderArgs;
use super::error::{Failure, IoContext};
use super::game_files::{GameFile, once_if_none};
use super::messages::{print_message_in, write_error};
use super::progress::ReadBytes;
use crate::display::language::Language;
use crate::games::error::{ReadError, ReadErrorKind};
use crate::games::record::GameRecord;
use crate::games::setup::{GameSetup, begins_moves, is_fen_field};
use crate::games::stream::{self, FileGame, GameStream, Place};
use crate::notation;
use crate::position::Variant;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::iter;
use std::path::{Path, PathBuf};

/// A position or game, or where to read some from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PositionArgument {
    /// `FEN [moves M…]`, `startpos [moves M…]`, or what `xfen` prints.
    Text(String),
    /// A file: see [`GameStream`].
    File(GameFile),
    /// Standard input, in the form of a file.
    StandardInput,
}

/// A game and where it comes from.
pub(super) struct SourcedGame {
    /// The command line, or a file and the line or the number of the game in it.
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
            _ if game.as_ref().is_err_and(|error| error.kind.is_of_file()) => (name.to_string(), true),
            Place::Line(line) => (format!("{name}:{line}"), false),
            Place::Game(number) => {
                (language.pick(format!("{name} game {number}"), format!("{name} 第{number}局")), true)
            }
        };
        SourcedGame { source, line, game, is_record }
    }
}

/// Says what of a game was read otherwise than it is written.
pub(super) fn say_note(source: &str, game: &GameRecord, language: Language) {
    if let Some(note) = &game.note {
        print_message_in(language, &format_args!("{source}: {note}"));
    }
}

impl PositionArgument {
    /// The positions among the arguments, and the files that they name (see [`GameFile::all`]). A position may be one argument
    /// or several, as a shell splits what is not quoted. What is both a position and an existing file is a file.
    ///
    /// # Errors
    /// Those of finding the files.
    pub(super) fn group(arguments: &[OsString], folders: FolderArgs) -> Result<Vec<PositionArgument>, Failure> {
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
                _ => {
                    let files = folders.files(Path::new(argument))?;
                    groups.extend(files.into_iter().map(PositionArgument::File));
                }
            }
        }
        Ok(groups)
    }

    /// The games, read as they are taken, under the rules of `variant`. Their sources are named in `language`.
    ///
    /// The errors are those of reading. An empty file is a game with an error; empty standard input has no games.
    pub(super) fn stream(self, language: Language, variant: Variant, bytes: &ReadBytes) -> GamesOfArgument {
        let one =
            |source: String, line, game| Box::new(iter::once(Ok(SourcedGame { source, line, game, is_record: false })));
        let name = match &self {
            PositionArgument::Text(text) => {
                let source = language.pick("command line", "命令行").to_string();
                return one(source, Some(text.clone()), read(text, variant));
            }
            PositionArgument::StandardInput => "-".to_string(),
            PositionArgument::File(file) => file.path.display().to_string(),
        };
        let (path, input) = match self.open(language, bytes) {
            Ok(opened) => opened,
            Err(error) => return Box::new(iter::once(Err(error))),
        };
        let games = GameStream::new(input, variant);
        // Who writes positions into a pipe may wait for each answer.
        let is_pipe = self == PositionArgument::StandardInput;
        let games = if is_pipe { games.giving_at_once() } else { games };
        let is_found = matches!(&self, PositionArgument::File(file) if file.is_found);
        let games: Box<dyn Iterator<Item = _> + Send> = if is_found { once_if_none(games) } else { Box::new(games) };
        let mut games = games.peekable();
        if !is_pipe && games.peek().is_none() {
            return one(name, None, Err(ReadErrorKind::Empty.into()));
        }
        Box::new(games.map(move |game| Ok(SourcedGame::of_file(&name, game.reading(&path)?, language))))
    }

    /// What is read, with its name for errors. People at a terminal are told that input is awaited.
    pub(super) fn open(
        &self,
        language: Language,
        bytes: &ReadBytes,
    ) -> Result<(PathBuf, Box<dyn BufRead + Send>), Failure> {
        Ok(match self {
            PositionArgument::Text(text) => ("".into(), Box::new(io::Cursor::new(text.clone()))),
            PositionArgument::StandardInput => {
                announce_terminal(language);
                ("standard input".into(), Box::new(BufReader::new(io::stdin())))
            }
            PositionArgument::File(GameFile { path, .. }) => match File::open(path) {
                Ok(file) => (path.clone(), Box::new(bytes.counting(BufReader::new(file)))),
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
pub(super) fn read(text: &str, variant: Variant) -> Result<GameRecord, ReadError> {
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
