//! Games of a file or pipe, read one after the other, so that it need not fit into memory: the one reader of games for all
//! commands.

use super::file::{self, FileGame, GameFileError, Place};
use super::setup::GameSetup;
use super::text_input::{self, Opened, TextInput};
use super::{encoding, pgn, xqf};
use crate::games::pgn_lines::LineState;
use crate::games::record::{GameRecord, Location, RecordError};
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Greatest length of a game record in bytes: a text in UTF-8 if the file is in UTF-16, or an XQF file. A longer one is an
/// error.
const MAX_RECORD_BYTES: usize = 1 << 22;
/// Maximum number of lines, at the beginning, that need not tell what the stream holds.
const MAX_UNDECIDED: usize = 100;

/// A game of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamGame {
    /// Where it is.
    pub place: Place,
    /// The line that holds it, without blanks at its ends; `None` for a game record and a line that is too long.
    pub line: Option<String>,
    /// The game, or why it cannot be read.
    pub game: Result<FileGame, GameFileError>,
}

/// The bytes of a file.
enum Source<R> {
    /// Nothing has been read.
    Unopened(R),
    Text(TextInput<R>),
    Ended,
}

/// Lines that hold game records, usually one.
enum Records {
    /// A text, and the number of the line before it.
    Text(String, usize),
    /// Why they cannot be read.
    Bad(GameFileError),
}

/// What a text holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing has been decided yet.
    Unknown,
    /// Positions, one a line.
    Positions,
    /// Game records.
    Records,
}

/// The games of a file: .FEN files, lists of positions, PGN, XQF, plain lists of moves, in any usual encoding. Only one game
/// is in memory.
///
/// An XQF file is one game. What a text holds is decided by the first line that tells: a position (`FEN [moves M…]`,
/// `startpos [moves M…]`, also behind `position`), the tag or a move of a game record. Blank lines and those that begin
/// with `#` are skipped in a list of positions; any other line there that is no position is an error. Lines before the
/// first that tells, at most a hundred, are bad lines of a list of positions, or belong to the first game record. Game records
/// are read as [`pgn::Games`] reads them, each decoded on its own. A record ends at a line that ends with a result, and
/// before the tags of the next.
pub struct GameStream<R> {
    source: Source<R>,
    form: Form,
    /// Number of lines read.
    lines: usize,
    /// Number of game records read.
    records: usize,
    /// Lines not used yet: undecided ones, or those of the game record that is being read. Nothing of it is kept if it is
    /// longer than [`MAX_RECORD_BYTES`].
    pending: Vec<u8>,
    /// Number of the line before them.
    before: usize,
    /// Those of them that are too long, of which nothing is kept.
    long_lines: Vec<usize>,
    /// Whether the record is too long.
    is_too_long: bool,
    /// What the pending lines leave open.
    state: LineState,
    /// The game records that are being read, and the number of the line before them.
    reading: Option<(pgn::Games<String>, usize)>,
    /// Those to be read after them.
    waiting: VecDeque<Records>,
    /// Whether the last game record has tags.
    follows_tags: bool,
    /// Games read and not returned yet.
    ready: VecDeque<StreamGame>,
}

impl<R: BufRead> GameStream<R> {
    /// The games of `input`, which is read only as they are taken.
    pub fn new(input: R) -> GameStream<R> {
        GameStream {
            source: Source::Unopened(input),
            form: Form::Unknown,
            lines: 0,
            records: 0,
            pending: Vec::new(),
            before: 0,
            long_lines: Vec::new(),
            is_too_long: false,
            state: LineState::default(),
            reading: None,
            waiting: VecDeque::new(),
            follows_tags: false,
            ready: VecDeque::new(),
        }
    }

    /// Reads one more line, or the end.
    fn advance(&mut self) -> io::Result<()> {
        // An error ends the stream.
        match std::mem::replace(&mut self.source, Source::Ended) {
            Source::Ended => {}
            Source::Unopened(input) => match text_input::open(input, MAX_RECORD_BYTES as u64, tells)? {
                Opened::Text(text) => self.source = Source::Text(text),
                Opened::Xqf(bytes) => {
                    let game = xqf::read(&bytes).map_err(GameFileError::from);
                    self.add_record(game);
                }
                Opened::LargeXqf => self.add_record(Err(GameFileError::LongRecord(1))),
                Opened::Binary(line) => self.add_record(Err(GameFileError::Binary(line))),
            },
            Source::Text(mut text) => match text.line()? {
                Some((line, is_too_long)) => {
                    self.source = Source::Text(text);
                    self.add(line, is_too_long);
                }
                None => self.finish(),
            },
        }
        Ok(())
    }

    /// Uses a line.
    fn add(&mut self, mut line: Vec<u8>, is_too_long: bool) {
        if self.form != Form::Positions {
            let text = encoding::decode_part(&line);
            if self.form == Form::Records && self.state.begins_game(&text) {
                self.read_records();
            }
            let before = self.state.clone();
            self.state.add(&text);
            if self.form == Form::Unknown {
                self.form = form(&text, &before, self.state.begins_with_move);
            }
        }
        self.lines += 1;
        if is_too_long {
            // Its end is unknown: it ends a game record.
            line = b"\n".to_vec();
            self.long_lines.push(self.lines);
            self.state = LineState::default();
            (self.state.has_move, self.state.ends_with_result) = (true, true);
        }
        self.is_too_long |= self.pending.len() + line.len() > MAX_RECORD_BYTES;
        if self.form == Form::Unknown && (self.is_too_long || self.lines - self.before >= MAX_UNDECIDED) {
            self.form = Form::Positions;
        }
        match self.form {
            _ if !self.is_too_long => self.pending.append(&mut line),
            Form::Records => self.pending.clear(),
            Form::Unknown | Form::Positions => self.pending.append(&mut line),
        }
        match self.form {
            Form::Positions => self.read_positions(),
            Form::Records if self.state.ends_with_result && self.state.is_outside() => self.read_records(),
            Form::Unknown | Form::Records => {}
        }
    }

    /// Uses the lines left at the end.
    fn finish(&mut self) {
        match self.form {
            Form::Unknown | Form::Positions => self.read_positions(),
            Form::Records => self.read_records(),
        }
    }

    /// Reads the pending lines as positions.
    fn read_positions(&mut self) {
        let (before, long_lines, lines) = self.take_pending();
        for (number, line) in (before + 1..).zip(lines.split_inclusive(|&byte| byte == b'\n')) {
            let place = Place::Line(number);
            if long_lines.contains(&number) {
                let game = Err(GameFileError::LongLine(number));
                self.ready.push_back(StreamGame { place, line: None, game });
                continue;
            }
            let text = encoding::decode_part(line);
            let line = text.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let game = file::read_line(line, number);
            self.ready.push_back(StreamGame { place, line: Some(line.to_string()), game });
        }
    }

    /// Reads the pending lines as game records, usually one.
    fn read_records(&mut self) {
        let is_too_long = self.is_too_long;
        let (before, long_lines, lines) = self.take_pending();
        self.waiting.push_back(if let Some(&line) = long_lines.first() {
            Records::Bad(GameFileError::LongLine(line))
        } else if is_too_long {
            Records::Bad(GameFileError::LongRecord(before + 1))
        } else {
            let text = String::from_utf8(lines);
            let text = text.unwrap_or_else(|error| encoding::decode_part(error.as_bytes()).into_owned());
            Records::Text(text, before)
        });
    }

    /// Takes the pending lines, of which too long ones are empty: the number of the line before them, those of too long
    /// ones, and the lines.
    fn take_pending(&mut self) -> (usize, Vec<usize>, Vec<u8>) {
        (self.state, self.is_too_long) = (LineState::default(), false);
        let lines = std::mem::take(&mut self.pending);
        let before = std::mem::replace(&mut self.before, self.lines);
        (before, std::mem::take(&mut self.long_lines), lines)
    }

    /// The next game of the records that are being read.
    fn next_record(&mut self) -> Option<StreamGame> {
        let game = loop {
            if let Some((games, before)) = &mut self.reading {
                if let Some(mut game) = games.next() {
                    self.follows_tags = games.follows_tags();
                    if let Some(RecordError { location: Location::Line(line), .. }) = &mut game.error {
                        *line += *before;
                    }
                    break Ok(game);
                }
                self.reading = None;
            }
            match self.waiting.pop_front()? {
                Records::Text(text, before) => self.reading = Some((pgn::Games::new(text, self.follows_tags), before)),
                Records::Bad(error) => break Err(error),
            }
        };
        self.add_record(game);
        self.ready.pop_front()
    }

    /// Of a game record without a move and without tags only the error is left.
    fn add_record(&mut self, record: Result<GameRecord, GameFileError>) {
        self.records += 1;
        let place = Place::Game(self.records);
        let game = match record {
            Ok(GameRecord { error: Some(error), moves, texts, .. }) if moves.is_empty() && texts.tags.is_empty() => {
                Err(error.into())
            }
            record => record.map(|record| FileGame::of_record(place, record)),
        };
        self.ready.push_back(StreamGame { place, line: None, game });
    }
}

/// Whether a line tells what a text holds.
fn tells(line: &[u8]) -> bool {
    let (text, mut state) = (encoding::decode_part(line), LineState::default());
    state.add(&text);
    form(&text, &LineState::default(), state.begins_with_move) != Form::Unknown
}

/// What a text holds by one of its lines; `before`: what the lines before it leave open.
fn form(line: &str, before: &LineState, begins_with_move: bool) -> Form {
    if line.trim().starts_with('#') {
        return Form::Unknown;
    }
    if GameSetup::read_loosely(line.trim()).is_some() {
        return Form::Positions;
    }
    // One that is not closed is an error in a game record.
    let is_unclosed_tag = before.is_outside() && line.trim_start().starts_with('[') && line.contains('"');
    if before.is_tag(line) || is_unclosed_tag || begins_with_move { Form::Records } else { Form::Unknown }
}

/// The games up to the end or the first error in reading.
impl<R: BufRead> Iterator for GameStream<R> {
    type Item = io::Result<StreamGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front().or_else(|| self.next_record()) {
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

/// The only game of a file, such as a .FEN file as XQWizard saves it. Lines of text beside a position are comments.
///
/// # Errors
/// Those of reading; and within, when there is no game, when there are several, and when one has an error.
pub fn game(input: impl BufRead) -> io::Result<Result<GameSetup, GameFileError>> {
    let (mut found, mut first_error) = (None, None);
    for game in GameStream::new(input) {
        let StreamGame { line, game, .. } = game?;
        match game {
            Ok(_) if found.is_some() => return Ok(Err(GameFileError::Several)),
            Ok(game) => found = Some(game),
            Err(error) if line.is_some_and(|line| pgn::is_text(&line)) => first_error = first_error.or(Some(error)),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(match (found, first_error) {
        (Some(FileGame { error: Some(error), .. }), _) => Err(error.into()),
        (Some(game), _) => Ok(game.setup),
        (None, error) => Err(error.unwrap_or(GameFileError::Empty)),
    })
}

#[cfg(test)]
mod tests {
    use super::text_input::MAX_LINE_BYTES;
    use super::*;
    use crate::position::{Position, Variant};
    use std::io::{BufReader, Read};

    fn stream(bytes: &[u8]) -> Vec<StreamGame> {
        // Of few bytes, so that lines are split.
        GameStream::new(BufReader::with_capacity(7, bytes)).map(Result::unwrap).collect()
    }

    const FEN: &str = "3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7";

    /// Pieces of any size, and UTF-16, give the same games.
    #[test]
    fn games_do_not_depend_on_the_pieces_read() {
        let utf_16: Vec<u8> = format!("\u{feff}{FEN}\r\n{FEN}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let list = format!("\u{feff}{FEN}\r\n\r\n# a comment\nstartpos moves h2e2 h9g7\nsome text\n{FEN}");
        let bad_first = format!("some text\n{FEN}\n");
        let files: [&[u8]; 23] = [
            list.as_bytes(),
            bad_first.as_bytes(),
            &utf_16,
            b"\xef\xbb\xbf[Red \"a\"]\nh2e2\n[Red \"b\"]\nh2e2 *\n",
            b"a banner\n[Red \"a\"]\n\n1. C2.5 H8+7 *\n\n[Red \"b\"]\n1. h2e2 h9g7 1-0\n",
            b"[Red \"a\"]\n1. h2e2 { good for\nred/black alike } h9g7\n\n[Red \"b\"]\n[Black \"c\"]\n1. h2e2\nh9g7 *\n1. h2e2 *",
            "h2e2 h9g7 1-0\n炮二平五 馬８進７ *\n1. h2e2\n1... h9g7\n2. h0g2 1-0\n\n".as_bytes(),
            b"1. h2e2 {won,\n1-0\n} h9g7 1-0\nh2e2 *\n",
            b"[Red \"\xba\xfa\xc8\xd9\xbb\xaa\"]\n\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 \xc2\xed\xa3\xb8\xbd\xf8\xa3\xb7\n[Red \"b\"]\nh2e2 *\n",
            b"[Red \"a\"]\nh2e2 *\n\n[Red \"b\"]\nh2e2 h2e2 *\n",
            b"[FEN \"3k5/9/9/9/p8/9/9/9/4R4/4K4 w\"]\ne1e2 *\n[FEN \"9/9 w\"]\nh2e2 *\n",
            // Lines without moves before and between tags.
            b"# x\n[FEN \"3k5/9/9/9/p8/9/9/9/4R4/4K4 w\"]\n[Red \"a\"]\n1. e1e2 *\n",
            b"[FEN \"3k5/9/9/9/p8/9/9/9/4R4/4K4 w\"]\n; x\n% h2e2\n# y\n[Red \"a\"]\n1. e1e2 *\n[Red \"b\"]\nh2e2 *",
            b"a banner\n[FEN \"3k5/9/9/9/p8/9/9/9/4R4/4K4 w\"]\n[Red \"a\"]\n1. e1e2 *\n",
            b"[Red \"a\"] 1. h2e2\n[Red \"b\"] {x\n} 1... h2e2 * [Red \"c\"]\n[Black \"d\"]\nh2e2 *\n",
            b"2 positions\n3k5/9/9/9/p8/9/9/9/4R4/4K4 w\n3k5/9/9/9/p8/9/9/9/4R4/4K4 b\n",
            b"2024\n3k5/9/9/9/p8/9/9/9/4R4/4K4 w\n",
            b"1.\nh2e2 *\n1. {x} h2e2 *\n",
            b"1. {x} h2e2 h9g7 *\n",
            // Signs in comments, and bytes like them in Chinese characters.
            b"h2e2 {:(} h9g7 1-0\nh2e2 ({)} b2e2) 1-0 ; {\nh2e2 (h2d2\n*) *\n",
            b"h2e2 {\x81\x7d *\n} h9g7 *\n\x93\x7b\xb6\xfe\xc6\xbd\xce\xe5 *\nh2e2 *\n",
            b"[Red \"a\"]\nh2e2 {\n[he said \"x\"\n [Red \"b\"]\n} h9g7 *\n[Red \"c\"]\nh2e2 *\n",
            b"[Red \"a\"]\nh2e2 {(\n[Red \"b\"]\nh2e2 *\n[Red \"c\"]\nh2e2 *\n",
        ];
        for file in files {
            let whole: Vec<_> = GameStream::new(file).map(Result::unwrap).collect();
            assert_eq!(stream(file), whole, "{}", String::from_utf8_lossy(file));
            let text = encoding::decode(file);
            for order in [u16::to_le_bytes, u16::to_be_bytes] {
                let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
                let decoded: Vec<_> = GameStream::new(text.as_bytes()).map(Result::unwrap).collect();
                assert_eq!(stream(&bytes), decoded, "{text}");
            }
        }
    }

    #[test]
    fn of_a_record_without_end_little_is_kept() {
        let text = format!("[Red \"a\"]\n{}[Red \"b\"]\nh2e2 *\n", "h2e2\n\n".repeat(1_000_000));
        let mut stream = GameStream::new(text.as_bytes());
        let mut max = 0;
        while stream.waiting.is_empty() {
            stream.advance().unwrap();
            max = max.max(stream.pending.capacity());
        }
        assert!((MAX_RECORD_BYTES..2 * MAX_RECORD_BYTES).contains(&max), "{max}");
        let games: Vec<_> = stream.map(|game| game.unwrap().game).collect();
        assert_eq!(games[0], Err(GameFileError::LongRecord(1)));
        assert!(games.len() == 2 && games[1].as_ref().is_ok_and(|game| game.texts.tag("Red") == Some("b")));
        // Before it is known what the stream holds.
        let text = format!("{}{FEN}\n", format!("{}\n", "x".repeat(1 << 19)).repeat(60));
        let games = super::tests::stream(text.as_bytes());
        assert!(games.len() == 61 && games[60].game.is_ok());
    }

    /// A line can end one record and hold the next.
    #[test]
    fn unfinished_game_before_a_game_on_one_line_is_kept() {
        let events = |text: &str| -> Vec<_> {
            let event = |game: FileGame| game.texts.tag("Event").unwrap_or_default().to_string();
            stream(text.as_bytes()).into_iter().map(|game| game.game.map(event)).collect()
        };
        let line = "[Event \"b\"] 1. c3c4 *";
        let found = events(&format!("[Event \"a\"]\n1. h2e2 h9g7\n{line}\n[Event \"c\"]\n"));
        assert_eq!(found, ["a", "b", "c"].map(|event| Ok(event.to_string())));
        let long = format!("[Event \"a\"]\n1. h2e2\n{line}{}\n[Event \"c\"]\n", " ".repeat(1 << 20));
        assert_eq!(events(&long), [Ok("a".to_string()), Err(GameFileError::LongLine(3)), Ok("c".to_string())]);
    }

    #[test]
    fn lines_are_given_with_their_games() {
        let games = stream(format!("  {FEN}\t\r\n\nsome text\n").as_bytes());
        let lines: Vec<_> = games.iter().map(|game| (game.place, game.line.as_deref())).collect();
        assert_eq!(lines, [(Place::Line(1), Some(FEN)), (Place::Line(3), Some("some text"))]);
        assert!(games[1].game.is_err());
    }

    #[test]
    fn a_text_without_a_position_is_a_list_of_bad_lines() {
        let text = "some text\n".repeat(250);
        let games = stream(text.as_bytes());
        assert!(games.len() == 250 && games.iter().all(|game| game.game.is_err()));
        assert_eq!(games[249].place, Place::Line(250));
        assert_eq!(stream(b""), []);
        assert_eq!(stream(b"\n# a comment\n"), []);
    }

    #[test]
    fn long_lines_are_errors() {
        let long = "h2e2 ".repeat(500_000);
        let places = |text: String| -> Vec<_> {
            let games = GameStream::new(text.as_bytes()).map(Result::unwrap);
            games.map(|game| (game.place, game.game.err().map(|error| error.to_string()))).collect()
        };
        let error = |number: usize| Some(format!("line {number} is longer than 1 MiB"));
        for mark in ["", "\u{feff}"] {
            let found = places(format!("{mark}startpos moves {long}\n{FEN}\n"));
            assert_eq!(found, [(Place::Line(1), error(1)), (Place::Line(2), None)]);
        }
        let found = places(format!("{long}\nh2e2 *\n"));
        assert_eq!(found, [(Place::Game(1), error(1)), (Place::Game(2), None)]);
        let found = places(format!("[Red \"a\"]\n{{{long}\n}}\n[Red \"b\"]\nh2e2 *\n"));
        assert_eq!(found, [(Place::Game(1), error(2)), (Place::Game(2), None)]);
        // The longest line is read.
        let longest = format!("{FEN}{}", " ".repeat(MAX_LINE_BYTES as usize - FEN.len()));
        assert_eq!(places(format!("{longest}\n{FEN}")), [(Place::Line(1), None), (Place::Line(2), None)]);
    }

    /// Each line costs its own length, and complete games do not stay in memory.
    #[test]
    fn many_lines_take_linear_time() {
        let text = "1. h2e2 {:(} h9g7\n*\n".repeat(1000) + &"1-0\n".repeat(100_000) + &"{x\n".repeat(200_000);
        let mut stream = GameStream::new(text.as_bytes());
        for number in 1..=1000 {
            assert_eq!(stream.next().unwrap().unwrap().place, Place::Game(number));
            assert!(stream.pending.is_empty());
        }
        assert_eq!(stream.count(), 1);
    }

    /// A game is returned before the next is read.
    #[test]
    fn games_do_not_wait_for_more_input() {
        struct Lines<'a>(&'a std::cell::Cell<usize>);
        impl Read for Lines<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.set(self.0.get() + 1);
                let line = format!("{FEN}\n");
                buffer[..line.len()].copy_from_slice(line.as_bytes());
                Ok(line.len())
            }
        }
        let reads = std::cell::Cell::new(0);
        let mut stream = GameStream::new(BufReader::new(Lines(&reads)));
        for count in 1..=3 {
            assert!(stream.next().unwrap().unwrap().game.is_ok());
            assert_eq!(reads.get(), count);
        }
    }

    /// A .FEN file in every form that other programs write.
    #[test]
    fn fen_files_are_read() {
        let utf_16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let files: [Vec<u8>; 12] = [
            FEN.into(),
            format!("{FEN}\n").into(),
            format!("{FEN}\r\n\r\n").into(),
            format!("\u{feff}{FEN}\r\n").into(),
            // 残局 in GBK.
            [FEN.as_bytes(), b"  ;\xb2\xd0\xbe\xd6\r\n"].concat(),
            [FEN.as_bytes(), b"\r\n\xb2\xd0\xbe\xd6\r\n"].concat(),
            utf_16(&format!("\u{feff}{FEN}\r\n")),
            utf_16(&format!("{FEN}\r\n")),
            format!("[FEN \"{FEN}\"]\n").into(),
            format!("position fen {FEN}\n").into(),
            format!("\"{FEN}\"\n").into(),
            format!("# a comment\n\nfen {FEN} moves\n").into(),
        ];
        for file in files {
            let position = game(&file[..]).unwrap().unwrap().game(Variant::Standard).unwrap();
            assert_eq!(position.to_fen(), FEN, "{}", String::from_utf8_lossy(&file));
        }
        let position = Position::from_fen(FEN).unwrap();
        assert_eq!(game(file::write(&position).as_bytes()).unwrap().unwrap().fen.as_deref(), Some(FEN));
    }

    #[test]
    fn games_are_read_from_any_file() {
        let lines = "startpos moves h2e2 h9g7\n# a comment\nposition startpos moves h2e2 h9g7\n";
        let pgn = "[Red \"a\"]\n1. C2.5 H8+7 *\n\n[Red \"b\"]\n1. h2e2 h9g7 1-0\n";
        for (text, places) in [
            (lines, [Place::Line(1), Place::Line(3)]),
            (pgn, [Place::Game(1), Place::Game(2)]),
            (
                "[Red \"a\"]\n1. h2e2 { good for\nred/black alike } h9g7 *\n\n1. h2e2 h9g7 *\n",
                [Place::Game(1), Place::Game(2)],
            ),
            ("h2e2 h9g7 1-0\n炮二平五 馬８進７ *\n", [Place::Game(1), Place::Game(2)]),
        ] {
            let games: Vec<FileGame> = stream(text.as_bytes()).into_iter().map(|game| game.game.unwrap()).collect();
            assert_eq!(games.iter().map(|game| game.place).collect::<Vec<_>>(), places, "{text}");
            for game in games {
                assert!(game.error.is_none());
                let position = game.setup.game(Variant::Standard).unwrap();
                assert_eq!((position.plies(), position.piece_at(crate::types::Square::new(6, 7)).is_some()), (2, true));
            }
            assert_eq!(super::game(text.as_bytes()).unwrap(), Err(GameFileError::Several));
        }
    }

    #[test]
    fn other_files_are_refused_with_the_place() {
        let error = |text: &str| game(text.as_bytes()).unwrap().unwrap_err().to_string();
        assert_eq!(error(""), "neither a position nor a game is in it");
        assert_eq!(error("\n# only a comment\n"), "neither a position nor a game is in it");
        assert_eq!(error("\nsome text\n"), "line 2: \"some text\" is neither a FEN nor startpos");
        assert_eq!(error("h2e2\nh2e2\n"), "line 2: h2e2 is illegal");
        assert!(error("[FEN \"9/9 w\"]\n").starts_with("line 1: "));
        assert!(error("XQ").starts_with("byte 2: "));
        let games = stream(format!("{FEN}\nsome text\n{FEN}\n").as_bytes());
        assert!(games[0].game.is_ok() && games[2].game.is_ok());
        assert_eq!(games[1].game, Err(GameFileError::Line(2, "some text".into())));
        // What looks like moves is no comment of a position, and no game is passed over.
        assert_eq!(error(&format!("{FEN}\n炮二平五\n")), "line 2: \"炮二平五\" is neither a FEN nor startpos");
        assert_eq!(error("1. h2e2 *\n1. Zb0c2 h9g7 *\n"), "line 2: \"Zb0c2\" is not a move");
        assert_eq!(error("SQLite\n\0\0\u{1}"), "line 2: a NUL byte; neither a text nor an XQF file");
    }
}
