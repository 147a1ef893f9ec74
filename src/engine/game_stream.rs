//! Games of a file or pipe, read one after the other, so that it need not fit into memory.

use super::files;
use super::game_file::{self, FileGame, GameFileError, Place};
use super::game_setup::GameSetup;
use crate::notation::game_record::{GameRecord, Location};
use crate::notation::pgn_lines::LineState;
use crate::notation::{encoding, pgn, xqf};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// Greatest length of a line in bytes. A longer one is an error, with the game record it is in.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// Greatest length of a game record in bytes, each line counted with [`LINE_BYTES`] more. A longer one is an error.
const MAX_RECORD_BYTES: usize = 1 << 24;
/// What a line costs in memory besides its bytes.
const LINE_BYTES: usize = 64;
/// Maximum number of lines, at the beginning, that need not tell what the stream holds.
const MAX_UNDECIDED: usize = 100;

/// Begins some files in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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

/// A line not used yet.
struct Line {
    number: usize,
    bytes: Vec<u8>,
    /// Whether it is longer than [`MAX_LINE_BYTES`]; `bytes` is empty then.
    is_too_long: bool,
}

/// What a stream holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing has been decided yet.
    Unknown,
    /// Positions, one a line.
    Positions,
    /// Game records with tags before each.
    TaggedRecords,
    /// Game records without tags.
    Records,
}

/// The games of a file, as [`game_file::games`] reads them, but with only one of them in memory.
///
/// What the file holds is decided by the first line that tells: a position, the tag or a move of a game record. Lines
/// before it, at most a hundred, are bad lines of a list of positions, or belong to the first game record. Game records
/// that have moves end before the tags of the next; if the first has no tags, at a line that ends with a result. Files in
/// UTF-16 and XQF are read whole. Each line, and each game record, is decoded on its own.
pub struct GameStream<R> {
    input: R,
    form: Form,
    /// Number of lines read.
    lines: usize,
    /// Number of game records read.
    records: usize,
    /// Lines not used yet: undecided ones, or those of the game record that is being read.
    pending: Vec<Line>,
    /// Number of bytes of the game record that is being read. Lines beyond [`MAX_RECORD_BYTES`] are not kept.
    record_bytes: usize,
    /// What the pending lines leave open.
    state: LineState,
    /// Games read and not returned yet.
    ready: VecDeque<StreamGame>,
    has_ended: bool,
}

impl<R: BufRead> GameStream<R> {
    /// The games of `input`, which is read only as they are taken.
    pub fn new(input: R) -> GameStream<R> {
        GameStream {
            input,
            form: Form::Unknown,
            lines: 0,
            records: 0,
            pending: Vec::new(),
            record_bytes: 0,
            state: LineState::default(),
            ready: VecDeque::new(),
            has_ended: false,
        }
    }

    /// Reads one more line, or the end.
    fn advance(&mut self) -> io::Result<()> {
        let Some(mut line) = take_line(&mut self.input)? else {
            self.has_ended = true;
            self.finish();
            return Ok(());
        };
        self.lines += 1;
        if self.lines == 1 && is_whole(&line) {
            self.has_ended = true;
            let whole = files::read_all(line.as_slice().chain(&mut self.input), files::MAX_GAMES_BYTES)?;
            self.read_whole(&whole);
            return Ok(());
        }
        let is_too_long = skip_rest(&line, &mut self.input)?;
        if self.lines == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        self.add(Line { number: self.lines, bytes: line, is_too_long });
        Ok(())
    }

    /// Uses a line.
    fn add(&mut self, mut line: Line) {
        if self.form != Form::Positions {
            let text = encoding::decode(&line.bytes);
            let mut is_tag = self.state.is_tag(&text);
            if self.form == Form::TaggedRecords && self.state.has_move && is_tag {
                self.read_records();
            }
            // One that is not closed is an error in a game record.
            is_tag |= self.state.is_outside() && text.trim_start().starts_with('[') && text.contains('"');
            self.state.add(&text);
            if self.form == Form::Unknown {
                self.form = form(&text, is_tag, self.state.begins_with_move);
            }
        }
        if line.is_too_long {
            // Its end is unknown: it ends a game record.
            line.bytes = Vec::new();
            self.state = LineState::default();
            (self.state.has_move, self.state.ends_with_result) = (true, true);
        }
        let length = line.bytes.len() + LINE_BYTES;
        if self.record_bytes <= MAX_RECORD_BYTES {
            self.pending.push(line);
        }
        self.record_bytes = self.record_bytes.saturating_add(length);
        let is_undecided = self.pending.len() < MAX_UNDECIDED && self.record_bytes <= MAX_RECORD_BYTES;
        if self.form == Form::Unknown && !is_undecided {
            self.form = Form::Positions;
        }
        match self.form {
            Form::Positions => self.read_positions(),
            Form::Records if self.state.ends_with_result && self.state.is_outside() => self.read_records(),
            Form::Unknown | Form::TaggedRecords | Form::Records => {}
        }
    }

    /// Uses the lines left at the end.
    fn finish(&mut self) {
        match self.form {
            Form::Unknown | Form::Positions => self.read_positions(),
            Form::TaggedRecords | Form::Records => self.read_records(),
        }
    }

    /// Reads the pending lines as positions.
    fn read_positions(&mut self) {
        self.record_bytes = 0;
        for Line { number, bytes, is_too_long } in self.pending.drain(..) {
            let place = Place::Line(number);
            if is_too_long {
                let game = Err(GameFileError::LongLine(number));
                self.ready.push_back(StreamGame { place, line: None, game });
                continue;
            }
            let text = encoding::decode(&bytes);
            let line = text.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let game = game_file::read_line(line, number);
            self.ready.push_back(StreamGame { place, line: Some(line.to_string()), game });
        }
    }

    /// Reads the pending lines as game records, usually one.
    fn read_records(&mut self) {
        self.state = LineState::default();
        let before = self.pending.first().map_or(0, |line| line.number - 1);
        let long_line = self.pending.iter().find(|line| line.is_too_long).map(|line| line.number);
        let long_record = self.record_bytes > MAX_RECORD_BYTES;
        self.record_bytes = 0;
        let bytes: Vec<u8> = self.pending.drain(..).flat_map(|line| line.bytes).collect();
        let error = match long_line {
            Some(number) => Some(GameFileError::LongLine(number)),
            None => long_record.then_some(GameFileError::LongRecord(before + 1)),
        };
        if let Some(error) = error {
            self.records += 1;
            self.ready.push_back(StreamGame { place: Place::Game(self.records), line: None, game: Err(error) });
            return;
        }
        for mut record in pgn::games(&encoding::decode(&bytes)) {
            if let Some(error) = &mut record.error
                && let Location::Line(line) = &mut error.location
            {
                *line += before;
            }
            self.add_record(record);
        }
    }

    /// Reads a file whose lines cannot be told apart before it is decoded.
    fn read_whole(&mut self, bytes: &[u8]) {
        for game in game_file::games(bytes) {
            let place = game.as_ref().map_or(Place::Game(1), |game| game.place);
            self.ready.push_back(StreamGame { place, line: None, game });
        }
    }

    fn add_record(&mut self, record: GameRecord) {
        self.records += 1;
        let place = Place::Game(self.records);
        self.ready.push_back(StreamGame { place, line: None, game: Ok(FileGame::of_record(place, record)) });
    }
}

/// Whether the file that begins with these bytes is read whole: XQF and UTF-16.
fn is_whole(bytes: &[u8]) -> bool {
    xqf::is_xqf(bytes) || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes.contains(&0)
}

/// What a stream holds by one of its lines.
fn form(line: &str, is_tag: bool, begins_with_move: bool) -> Form {
    let line = line.trim();
    if line.starts_with('#') {
        return Form::Unknown;
    }
    if GameSetup::read_loosely(line).is_some() {
        return Form::Positions;
    }
    if is_tag {
        return Form::TaggedRecords;
    }
    if begins_with_move { Form::Records } else { Form::Unknown }
}

/// The next line with its end, of a text from whatever source; `None` at the end of the text. Of a line longer than
/// 1 MiB only its beginning, and true.
///
/// # Errors
/// Those of reading.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<(Vec<u8>, bool)>> {
    let Some(line) = take_line(input)? else { return Ok(None) };
    let is_too_long = skip_rest(&line, input)?;
    Ok(Some((line, is_too_long)))
}

/// The next line, at most [`MAX_LINE_BYTES`] of it.
fn take_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then_some(line))
}

/// Passes over the rest of a line that [`take_line`] has cut. Returns whether it was more than its end.
fn skip_rest(line: &[u8], input: &mut impl BufRead) -> io::Result<bool> {
    let is_cut = line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n");
    Ok(is_cut && skip_line(input)?)
}

/// Passes over the rest of a line. Returns whether there was more than its end.
fn skip_line(input: &mut impl BufRead) -> io::Result<bool> {
    let mut is_more = false;
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(bytes.len(), |end| end + 1);
        is_more |= end.unwrap_or(used) > 0;
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(is_more);
        }
    }
}

/// The games up to the end or the first error in reading.
impl<R: BufRead> Iterator for GameStream<R> {
    type Item = io::Result<StreamGame>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.has_ended {
            if let Err(error) = self.advance() {
                self.has_ended = true;
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn stream(bytes: &[u8]) -> Vec<StreamGame> {
        // Of few bytes, so that lines are split.
        GameStream::new(BufReader::with_capacity(7, bytes)).map(Result::unwrap).collect()
    }

    const FEN: &str = "3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7";

    #[test]
    fn games_are_those_of_the_whole_file() {
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
            let whole = game_file::games(file);
            let games: Vec<_> = stream(file).into_iter().map(|game| game.game).collect();
            assert_eq!(games, whole, "{}", String::from_utf8_lossy(file));
        }
    }

    #[test]
    fn of_a_record_without_end_little_is_kept() {
        let text = format!("[Red \"a\"]\n{}[Red \"b\"]\nh2e2 *\n", "h2e2\n\n".repeat(300_000));
        let mut stream = GameStream::new(text.as_bytes());
        let mut max = 0;
        while stream.ready.is_empty() {
            stream.advance().unwrap();
            if stream.lines.is_multiple_of(100_000) {
                max = max.max(stream.pending.iter().map(|line| line.bytes.len() + LINE_BYTES).sum());
            }
        }
        assert!((MAX_RECORD_BYTES..MAX_RECORD_BYTES + 100).contains(&max), "{max}");
        let games: Vec<_> = stream.map(|game| game.unwrap().game).collect();
        assert_eq!(games[0], Err(GameFileError::LongRecord(1)));
        assert!(games.len() == 2 && games[1].as_ref().is_ok_and(|game| game.texts.tag("Red") == Some("b")));
        // Before it is known what the stream holds.
        let text = format!("{}{FEN}\n", format!("{}\n", "x".repeat(1 << 19)).repeat(60));
        let games = super::tests::stream(text.as_bytes());
        assert!(games.len() == 61 && games[60].game.is_ok());
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
}
