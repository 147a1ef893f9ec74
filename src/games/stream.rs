//! Games of a file or pipe, read one after the other, so that it need not fit into memory: the one reader of games for all
//! commands.

use super::error::{ReadError, ReadErrorKind};
use super::open::{self, LibraryInput, Opened, TextInput};
use super::record::{GameRecord, Note};
use super::setup::{GameSetup, GameSetupError};
use super::text::{MAX_GAME_BYTES, TextReader};
use super::tree::MoveTree;
use super::{cbf, cbridge, dhtmlxq, encoding, turn, xqf};
use crate::games::error::MAX_PLIES;
use crate::notation::Ranks;
use crate::position::{Position, Variant};
use encoding_rs::Encoding;
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Maximum number of lines, at the beginning, that need not tell what the stream holds.
const MAX_UNDECIDED: usize = 100;
/// Bytes after a line by which its encoding is guessed.
const ENCODING_SAMPLE: usize = 1 << 10;

/// A game of a file.
#[derive(Clone, Debug)]
pub struct FileGame {
    /// Where it is.
    pub place: Place,
    /// The line that holds it, without blanks at its ends; `None` for a game record and a line that is too long.
    pub line: Option<String>,
    /// The game, or why nothing of it can be read.
    pub game: Result<GameRecord, ReadError>,
}

/// Where a game is in its file, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line that holds the whole game.
    Line(usize),
    /// The number of a game record.
    Game(usize),
}

/// What a file holds.
enum Source<R> {
    /// Nothing has been read.
    Unopened(R),
    /// Lines.
    Text(TextInput<R>),
    /// The records of a library.
    Library(LibraryInput<R>),
    Ended,
}

/// What a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Nothing has been decided yet.
    Unknown,
    /// Positions, one a line.
    Positions,
    /// Game records.
    Records,
    /// A page or a script, in which games may be marked.
    Page,
    /// DhtmlXQ.
    DhtmlXq,
    /// XML.
    Xml,
}

/// The games of a file: .FEN files, lists of positions, PGN and lists of moves (the module `text` says which), WXF,
/// XQF, CBR, CBL, CBF, DhtmlXQ, texts in any usual encoding. The format is found by the content. Only one game is in memory.
///
/// What a text holds is decided by the first line that tells: a position (`FEN [moves M…]`, `startpos [moves M…]`, also
/// behind `position`), the tag or a move of a game record. Blank lines and those that begin with `#` are skipped in a list
/// of positions; any other line there that is no position is an error, but for moves below a position, which are a game
/// from there. Lines before the first that tells, at most a hundred, are bad lines of a list of positions, or belong to the
/// first game record.
pub struct GameStream<R> {
    source: Source<R>,
    variant: Variant,
    form: Form,
    /// Whether a position is given before it is known what follows its line.
    gives_at_once: bool,
    /// Number of lines read.
    lines: usize,
    /// Number of game records read.
    records: usize,
    /// Lines not used yet, each with its number: undecided ones, or the last position of a list. `None`: too long.
    pending: Vec<(usize, Option<String>)>,
    reader: TextReader,
    /// The encoding of the game's lines that are not UTF-8.
    encoding: Option<&'static Encoding>,
    /// The marked text that is being read, and the number of its first line.
    marked: (usize, String),
    /// The last position of a list, given before it was known what follows it.
    given: Option<GameSetup>,
    ready: VecDeque<FileGame>,
}

impl<R: BufRead> GameStream<R> {
    /// The games of `input`, which is read only as they are taken. `variant`: what its moves may be.
    pub fn new(input: R, variant: Variant) -> GameStream<R> {
        GameStream {
            source: Source::Unopened(input),
            variant,
            form: Form::Unknown,
            gives_at_once: false,
            lines: 0,
            records: 0,
            pending: Vec::new(),
            reader: TextReader::new(variant),
            encoding: None,
            marked: (0, String::new()),
            given: None,
            ready: VecDeque::new(),
        }
    }

    /// The same, but a position on a line is given before the next line is read, as somebody may wait for the answer to it
    /// who has not written more. Moves on the next line are then a game of their own from there.
    pub fn giving_at_once(mut self) -> GameStream<R> {
        self.gives_at_once = true;
        self
    }

    /// Reads one more line, or the end.
    fn advance(&mut self) -> io::Result<()> {
        // An error ends the stream.
        match std::mem::replace(&mut self.source, Source::Ended) {
            Source::Ended => {}
            Source::Unopened(input) => match open::open(input, MAX_GAME_BYTES as u64, tells)? {
                Opened::Text(text) => self.source = Source::Text(text),
                Opened::Xqf(bytes) => self.give(xqf::read(&bytes)),
                Opened::Cbr(bytes) => self.give(cbridge::read(&bytes)),
                Opened::Library(input) => self.source = Source::Library(input),
                Opened::Large => self.give(Err(ReadErrorKind::LongRecord.into())),
                Opened::Foreign(kind) => self.give(Err(kind.into())),
                Opened::Binary(line) => self.give(Err(ReadError::in_line(line, ReadErrorKind::Binary))),
            },
            Source::Library(mut library) => {
                let Some(record) = library.record()? else {
                    if let Some(missing) = library.missing() {
                        self.give(Err(missing.into()));
                    }
                    return Ok(());
                };
                self.source = Source::Library(library);
                match record {
                    Some(bytes) if cbridge::is_heading(&bytes) => {}
                    Some(bytes) => self.give(cbridge::read(&bytes)),
                    None => self.give(Err(ReadErrorKind::LongRecord.into())),
                }
            }
            Source::Text(mut text) => match text.line()? {
                Some((line, is_too_long)) => {
                    self.lines += 1;
                    let line = if is_too_long { None } else { Some(self.decoded(&line, &mut text)?) };
                    self.source = Source::Text(text);
                    self.add(line);
                }
                None => self.finish(),
            },
        }
        Ok(())
    }

    /// A line as text. The encoding of lines that are not UTF-8 is guessed once for each game, by what stands there.
    fn decoded(&mut self, line: &[u8], text: &mut TextInput<R>) -> io::Result<String> {
        if let Ok(line) = str::from_utf8(line) {
            return Ok(line.to_string());
        }
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => {
                // What follows may not be there yet.
                let after: &[u8] = if self.gives_at_once { &[] } else { text.ahead()? };
                let sample = [line, &after[..after.len().min(ENCODING_SAMPLE)]].concat();
                *self.encoding.insert(encoding::multibyte(&sample))
            }
        };
        Ok(encoding.decode_without_bom_handling(line).0.into_owned())
    }

    /// Uses a line; `None`: it is too long.
    fn add(&mut self, line: Option<String>) {
        let text = line.as_deref().unwrap_or_default();
        if self.form == Form::Unknown {
            if let Some(kind) = open::foreign_text(text) {
                self.source = Source::Ended;
                return self.give(Err(ReadError::in_line(self.lines, ReadErrorKind::Foreign(kind))));
            }
            self.form = form(text, self.lines);
            if self.form == Form::Unknown {
                self.pending.push((self.lines, line));
                if self.pending.len() >= MAX_UNDECIDED {
                    self.form = Form::Positions;
                    self.finish_pending();
                }
                return;
            }
            let pending = std::mem::take(&mut self.pending);
            for (number, line) in pending {
                match self.form {
                    Form::Records => self.add_record_line(number, line.as_deref()),
                    Form::Positions => self.add_position_line(number, line),
                    _ => {}
                }
            }
        }
        match self.form {
            Form::Positions => self.add_position_line(self.lines, line),
            Form::Records => self.add_record_line(self.lines, Some(text).filter(|_| line.is_some())),
            Form::Page if text.contains(dhtmlxq::MARK) => {
                self.form = Form::DhtmlXq;
                self.add_marked(text);
            }
            Form::DhtmlXq | Form::Xml => self.add_marked(text),
            Form::Page | Form::Unknown => {}
        }
    }

    fn add_record_line(&mut self, number: usize, line: Option<&str>) {
        match line {
            Some(line) => self.reader.line(number, line),
            None => self.reader.long_line(number),
        }
        self.take_records();
    }

    fn take_records(&mut self) {
        while let Some(record) = self.reader.take() {
            self.give(record);
        }
    }

    /// Uses a line of a list of positions.
    fn add_position_line(&mut self, number: usize, line: Option<String>) {
        let place = Place::Line(number);
        let Some(line) = line else {
            self.finish_pending();
            let game = Err(ReadError::in_line(number, ReadErrorKind::LongLine));
            return self.ready.push_back(FileGame { place, line: None, game });
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return self.finish_pending();
        }
        let setup = GameSetup::read(line);
        let is_bare = setup.as_ref().is_some_and(|setup| setup.moves.is_empty() && setup.tags.is_empty());
        if setup.is_none() && TextReader::tells(line) {
            // Moves below a position.
            let before = self.pending.pop();
            let setup = before.and_then(|(number, line)| Some((number, GameSetup::read(&line?)?)));
            if let Some((number, setup)) = setup.or_else(|| Some((number, self.given.take()?))) {
                self.form = Form::Records;
                self.reader.position(number, setup);
                return self.add_record_line(self.lines, Some(line));
            }
        }
        self.finish_pending();
        if is_bare && !self.gives_at_once {
            self.pending.push((number, Some(line.to_string())));
        } else {
            self.give_line(number, line);
        }
        self.given = setup.filter(|_| is_bare && self.gives_at_once);
    }

    /// Gives the lines of a list that wait.
    fn finish_pending(&mut self) {
        self.given = None;
        for (number, line) in std::mem::take(&mut self.pending) {
            match line {
                Some(line) if line.trim().is_empty() || line.trim().starts_with('#') => {}
                Some(line) => self.give_line(number, line.trim()),
                None => {
                    let game = Err(ReadError::in_line(number, ReadErrorKind::LongLine));
                    self.ready.push_back(FileGame { place: Place::Line(number), line: None, game });
                }
            }
        }
    }

    fn give_line(&mut self, number: usize, line: &str) {
        let setup = setup_of(line).map(|setup| turned(setup, self.variant));
        let game = setup.and_then(|(setup, note)| set_up(setup, note, self.variant)).map_err(|kind| match kind {
            // It says which move is wrong.
            ReadErrorKind::Setup(_) => kind.into(),
            kind => ReadError::in_line(number, kind),
        });
        self.ready.push_back(FileGame { place: Place::Line(number), line: Some(line.to_string()), game });
    }

    /// Uses a line of a marked text.
    fn add_marked(&mut self, line: &str) {
        // A game whose end is not marked ends before what only the next one can have.
        let comes_again = |field: &str| line.contains(field) && self.marked.1.contains(field);
        if self.form == Form::DhtmlXq && dhtmlxq::ONCE.iter().any(|field| comes_again(field)) {
            self.finish_marked();
        }
        if self.marked.1.is_empty() {
            self.marked.0 = self.lines;
        }
        self.marked.1.push_str(line);
        let is_end = self.form == Form::DhtmlXq && line.contains(dhtmlxq::END);
        if is_end || self.marked.1.len() > MAX_GAME_BYTES {
            self.finish_marked();
        }
    }

    fn finish_marked(&mut self) {
        let (line, text) = std::mem::take(&mut self.marked);
        let game = match self.form {
            _ if text.len() > MAX_GAME_BYTES => Err(ReadErrorKind::LongRecord.into()),
            Form::Xml => cbf::read(&text),
            Form::DhtmlXq if text.contains(dhtmlxq::MARK) => dhtmlxq::read(&text),
            _ => return,
        };
        let located = |error: ReadError| error.or_in_line(line);
        self.give(match game {
            Ok(record) => Ok(GameRecord { error: record.error.map(located), ..record }),
            Err(error) => Err(located(error)),
        });
    }

    /// Uses what is left at the end.
    fn finish(&mut self) {
        match self.form {
            Form::Unknown | Form::Positions => self.finish_pending(),
            Form::Records => {
                self.reader.finish(self.lines);
                self.take_records();
            }
            Form::DhtmlXq | Form::Xml => self.finish_marked(),
            Form::Page => self.give(Err(ReadErrorKind::Empty.into())),
        }
    }

    fn give(&mut self, game: Result<GameRecord, ReadError>) {
        self.records += 1;
        self.encoding = None;
        let game = game.map(|mut record| {
            record.start.set_variant(self.variant);
            record
        });
        self.ready.push_back(FileGame { place: Place::Game(self.records), line: None, game });
    }
}

/// The game of `FEN [moves M…]` or `startpos [moves M…]`: see [`GameSetup::read`].
///
/// # Errors
/// When it begins with neither, and when the position is invalid. An error in the moves is stored in the record.
pub fn read_line(line: &str, variant: Variant) -> Result<GameRecord, ReadErrorKind> {
    set_up(setup_of(line)?, None, variant)
}

fn setup_of(line: &str) -> Result<GameSetup, ReadErrorKind> {
    GameSetup::read(line).ok_or_else(|| ReadErrorKind::NotAPosition(line.chars().take(32).collect()))
}

fn set_up(setup: GameSetup, note: Option<Note>, variant: Variant) -> Result<GameRecord, ReadErrorKind> {
    if setup.moves.len() > MAX_PLIES {
        return Err(ReadErrorKind::TooManyMoves);
    }
    let game = setup.set_up(variant, None, Ranks::FromZero).map_err(GameSetupError::from)?;
    let mut record = GameRecord { note, ..GameRecord::new(game.start.clone()) };
    record.tree = MoveTree::of_line(&game.moves());
    record.tags = setup.tags;
    record.error = game.error.map(|error| GameSetupError::from(error).into());
    Ok(record)
}

/// A game of a file, with the other side to move, and a note, if the position or its first move is legal only so.
fn turned(setup: GameSetup, variant: Variant) -> (GameSetup, Option<Note>) {
    let Some(Ok((start, note))) = setup.fen.as_deref().map(turn::of_fen) else { return (setup, None) };
    let with = |start: &Position| GameSetup { fen: Some(start.to_fen()), ..setup.clone() };
    let is_readable = |setup: &GameSetup| {
        let game = setup.set_up(variant, None, Ranks::FromZero);
        game.is_ok_and(|game| game.error.is_none_or(|error| error.number > 1))
    };
    if note.is_some() {
        return (with(&start), note);
    }
    match turn::other(&start)
        .filter(|_| !is_readable(&setup))
        .map(|other| (with(&other), Note::SideToMove(other.side())))
    {
        Some((other, note)) if is_readable(&other) => (other, Some(note)),
        _ => (setup, None),
    }
}

/// Whether a line tells what a text holds.
fn tells(line: &[u8]) -> bool {
    form(&encoding::decode_part(line), 1) != Form::Unknown
}

/// What a text holds by one of its lines; `number`: that of the line.
fn form(line: &str, number: usize) -> Form {
    let text = line.trim_start_matches('\u{feff}').trim();
    let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    match text {
        _ if text.starts_with('#') => Form::Unknown,
        _ if text.contains(dhtmlxq::MARK) || begins("[DhtmlXQ]") => Form::DhtmlXq,
        _ if number == 1 && (begins("<?xml") || begins("<ChineseChessRecord")) => Form::Xml,
        _ if begins("<!doctype") || begins("<html") || begins("<script") => Form::Page,
        _ if GameSetup::read(text).is_some() => Form::Positions,
        _ if TextReader::tells(text) => Form::Records,
        _ => Form::Unknown,
    }
}

/// The games up to the end or the first error in reading.
impl<R: BufRead> Iterator for GameStream<R> {
    type Item = io::Result<FileGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(Ok(game));
            }
            if matches!(self.source, Source::Ended) {
                return None;
            }
            if let Err(error) = self.advance() {
                return Some(Err(error));
            }
        }
    }
}

/// The games of a text.
pub fn games(text: &str) -> impl Iterator<Item = Result<GameRecord, ReadError>> + '_ {
    // Memory can be read.
    GameStream::new(text.as_bytes(), Variant::Standard).filter_map(Result::ok).map(|game| game.game)
}

/// The only game of a file, such as a .FEN file as XQWizard saves it. Lines of text beside a position are comments.
///
/// # Errors
/// Those of reading; and within, when there is no game, when there are several, and when one has an error.
pub fn only_game(input: impl BufRead, variant: Variant) -> io::Result<Result<GameRecord, ReadError>> {
    let (mut found, mut first_error) = (None, None);
    for game in GameStream::new(input, variant) {
        let FileGame { place, line, game } = game?;
        match game {
            Ok(_) if found.is_some() => return Ok(Err(ReadErrorKind::Several.into())),
            Ok(game) => found = Some(game),
            Err(error) => {
                let error = match place {
                    Place::Line(line) => error.or_in_line(line),
                    _ => error,
                };
                if line.is_none_or(|line| TextReader::tells(&line)) {
                    return Ok(Err(error));
                }
                first_error = first_error.or(Some(error));
            }
        }
    }
    Ok(match (found, first_error) {
        (Some(GameRecord { error: Some(error), .. }), _) => Err(error),
        (Some(game), _) => Ok(game),
        (None, error) => Err(error.unwrap_or_else(|| ReadErrorKind::Empty.into())),
    })
}
