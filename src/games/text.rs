//! The games of a text, line by line: PGN, WXF files, and lists of moves as people write and paste them.
//!
//! A game has tags, or other lines that say something about it, moves in any notation with numbers, comments and
//! variations, and a result. All of it is optional. A game begins
//!
//! - with a tag, or another such line, that follows moves, has the name of the first one again, or follows an empty line
//!   and has a name that is there;
//! - with a position (a FEN) on a line of its own;
//! - with the number of Red's first move at the beginning of a line, behind other moves;
//! - after a result;
//! - on every line of a list of games, one a line: moves alone, of which the second line cannot follow the first.
//!
//! A line without a move, a number in front of one, or a result is text: before the first move of a game with tags, and in
//! Chinese between moves, it is a comment; otherwise it is a title, and passed over if a game follows.

use super::error::{ReadError, ReadErrorKind};
use super::headers;
use super::lexer::{Lexer, Token, is_chinese, tag_value};
use super::markup::without_elements;
use super::record::{GameRecord, GameResult, Note};
use super::resolve::{self, Item, Part};
use super::setup::GameSetup;
use super::turn;
use super::visible::visible;
use crate::notation::{NotationError, is_like_move, may_be_move};
use crate::position::{Position, Variant};
use std::collections::VecDeque;

/// Greatest length of a game in bytes.
pub(super) const MAX_GAME_BYTES: usize = 1 << 22;
/// Bytes that a token takes besides its text.
const TOKEN_BYTES: usize = 16;
/// Greatest number of characters of what is no tag in its error.
const MAX_TAG_SHOWN: usize = 32;

/// Reads the games of a text.
pub(super) struct TextReader {
    variant: Variant,
    lexer: Lexer,
    game: Game,
    /// Whether the game has the headers of a WXF file.
    is_wxf: bool,
    /// Lines of text between the moves of the game.
    texts: Vec<(usize, String)>,
    /// Whether every line of moves is a game.
    is_list: bool,
    /// Whether text after the last game is no loss: it has tags, so that a program's banner may follow.
    may_end_with_text: bool,
    ready: VecDeque<Result<GameRecord, ReadError>>,
}

/// A game as it is written.
#[derive(Default)]
struct Game {
    /// Its first line.
    line: usize,
    tags: Vec<(String, String)>,
    /// The line and text of a FEN.
    fen: Option<(usize, String)>,
    items: Vec<Item>,
    /// Number of words.
    words: usize,
    /// Whether the number of the first move is one of Black's: `1...`.
    begins_with_black: bool,
    /// Number of open variations.
    depth: usize,
    /// Whether there was a move, a number or a result.
    has_moves: bool,
    /// Whether an empty line follows the tags.
    is_past_tags: bool,
    result: Option<GameResult>,
    /// What ends the reading of the moves.
    error: Option<ReadError>,
    /// What is to be a tag and is none; the game is read nevertheless.
    tag_error: Option<ReadError>,
    /// The first line of text before it, as the error that it is if no game follows.
    title: Option<ReadError>,
    bytes: usize,
}

impl TextReader {
    /// Before the first line.
    pub(super) fn new(variant: Variant) -> TextReader {
        TextReader {
            variant,
            lexer: Lexer::default(),
            game: Game::default(),
            is_wxf: false,
            texts: Vec::new(),
            is_list: false,
            may_end_with_text: false,
            ready: VecDeque::new(),
        }
    }

    /// The next game that has been read to its end.
    pub(super) fn take(&mut self) -> Option<Result<GameRecord, ReadError>> {
        self.ready.pop_front()
    }

    /// Whether a line tells that a text holds games, not a list of positions.
    pub(super) fn tells(line: &str) -> bool {
        let reader = TextReader::new(Variant::Standard);
        let line = without_elements(line);
        let is_header = headers::is_wxf(&line) || headers::chinese(&line).is_some();
        let tokens = Lexer::default().line(&line);
        let is_none =
            tokens.iter().all(|token| matches!(token, Token::Comment(_) | Token::Glyph(_) | Token::Number(..)));
        is_header || !is_none && !reader.is_text(&tokens)
    }

    /// Reads the next line, which has this number.
    pub(super) fn line(&mut self, number: usize, line: &str) {
        let line = without_elements(line);
        if !self.lexer.is_outside() {
            let tokens = self.lexer.line(&line);
            self.check_size();
            return tokens.into_iter().for_each(|token| self.add(token, number, false));
        }
        let line = line.trim();
        if line.is_empty() {
            self.game.is_past_tags = !self.game.tags.is_empty();
            return;
        }
        if self.header(number, line) {
            return;
        }
        let mut lexer = self.lexer.clone();
        let tokens = lexer.line(line);
        // An open bracket is of no variation where there is no move yet.
        if lexer.open_bytes() == 0 && (lexer.is_outside() || !self.game.has_moves) && self.is_text(&tokens) {
            return self.text(number, line);
        }
        self.lexer = lexer;
        self.is_list = self.is_list && self.is_bare_line() || self.begins_list(&tokens, number);
        if self.is_list || self.begins_game(&tokens) {
            self.end_game(false);
        }
        self.add_texts();
        for (index, token) in tokens.into_iter().enumerate() {
            self.add(token, number, index == 0);
        }
    }

    /// A line that is too long to be read ends a game with an error.
    pub(super) fn long_line(&mut self, number: usize) {
        self.lexer = Lexer::default();
        self.begin(number);
        self.game.error.get_or_insert(ReadError::in_line(number, ReadErrorKind::LongLine));
        self.game.has_moves = true;
        (self.game.tags, self.game.items) = (Vec::new(), Vec::new());
        self.end_game(false);
    }

    /// Reads what is left at the end.
    pub(super) fn finish(&mut self, number: usize) {
        if let Some(token) = self.lexer.finish() {
            self.add(token, number, false);
        }
        self.add_texts();
        self.end_game(true);
    }

    /// A position on a line begins a game, or is that of the game whose tags stand before it.
    pub(super) fn position(&mut self, number: usize, setup: GameSetup) {
        if self.game.has_moves || self.game.fen.is_some() {
            self.end_game(false);
        }
        self.begin(number);
        self.game.tags.extend(setup.tags);
        self.game.fen = setup.fen.map(|fen| (number, fen));
        for word in setup.moves {
            self.add(Token::Word(word), number, false);
        }
    }

    /// Reads a line that says something about the game without being a tag; whether it is one.
    fn header(&mut self, number: usize, line: &str) -> bool {
        if headers::is_wxf(line) {
            self.end_game(false);
            self.begin(number);
            self.is_wxf = true;
            return true;
        }
        if self.is_wxf {
            if let Some(moves) = line.strip_prefix("START") {
                let moves = moves.trim_start().strip_prefix('{').unwrap_or(moves);
                if !moves.is_empty() {
                    self.line(number, moves);
                }
                return true;
            }
            if let Some(moves) = line.strip_suffix("END").map(|moves| moves.trim_end().trim_end_matches('}')) {
                self.line(number, moves);
                self.end_game(false);
                return true;
            }
        }
        let tags = match self.is_wxf && !self.game.has_moves {
            true => headers::wxf(line).map(|tag| vec![tag]),
            false => headers::chinese(line),
        };
        if let Some(setup) = GameSetup::read(line) {
            self.position(number, setup);
            return true;
        }
        let Some(tags) = tags else { return false };
        let has = |game: &Game, name: &str| game.tags.iter().any(|(other, _)| other == name);
        if self.game.has_moves || tags.iter().any(|(name, _)| has(&self.game, name)) {
            self.end_game(false);
        }
        self.add_texts();
        self.begin(number);
        for (name, value) in tags {
            self.add_tag(name, &value, number);
        }
        true
    }

    /// Whether a line of these tokens, outside of comments and variations, is text.
    fn is_text(&self, tokens: &[Token]) -> bool {
        let is_numbered = matches!(tokens.first(), Some(Token::Number(..)));
        let is_game = is_numbered || self.game.has_moves || !self.game.tags.is_empty();
        // A wrong first move rather than a numbered title.
        let is_like_token = |word: &str| word.is_ascii() && word.contains(|letter: char| letter.is_ascii_digit());
        if is_numbered && matches!(tokens.get(1), Some(Token::Word(word)) if is_like_token(word)) {
            return false;
        }
        // In a line that begins with a word, such as a title: 第三局 炮二平五对马8进7.
        let begins_with_word = matches!(tokens.first(), Some(Token::Word(word)) if !is_like_move(word));
        let is_in_prose =
            |index: usize| begins_with_word && index > 0 && matches!(tokens.get(index + 1), Some(Token::Tail(_)));
        let mut has_word = false;
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Tag(..) | Token::NoTag(_) | Token::Unclosed(_) if index == 0 => return false,
                Token::Result(_, false) => return false,
                Token::Result(_, true) if self.game.has_moves && index + 1 == tokens.len() => return false,
                Token::Tail(word) if is_like_move(word) => return false,
                Token::Word(word) if is_like_move(word) && !is_in_prose(index) => return false,
                Token::Word(word) if is_game && may_be_move(word) && !is_in_prose(index) => return false,
                Token::Word(_) | Token::Tail(_) | Token::Result(..) => has_word = true,
                _ => {}
            }
        }
        has_word
    }

    /// Uses a line of text.
    fn text(&mut self, number: usize, line: &str) {
        self.game.bytes += line.len();
        self.check_size();
        if self.game.has_moves {
            self.texts.push((number, line.to_string()));
        } else if self.game.tags.is_empty() && self.game.fen.is_none() {
            let word = line.split_whitespace().next().unwrap_or_default();
            self.game.title.get_or_insert_with(|| ReadError::in_line(number, NotationError::not_a_move(word)));
        } else {
            self.add(Token::Comment(visible(line)), number, false);
        }
    }

    /// Uses the lines of text before more of the same game: those in Chinese are comments.
    fn add_texts(&mut self) {
        for (number, text) in std::mem::take(&mut self.texts) {
            let tokens = if text.contains(is_chinese) {
                vec![Token::Comment(visible(&text))]
            } else {
                Lexer::default().line(&text)
            };
            tokens.into_iter().for_each(|token| self.add(token, number, false));
        }
    }

    /// Whether a line that begins with these tokens begins a game.
    fn begins_game(&self, tokens: &[Token]) -> bool {
        match tokens.first() {
            Some(Token::Tag(name, _)) => self.is_tag_of_next_game(name),
            // A game without a result, perhaps below a title.
            Some(Token::Number(1, false)) => self.game.words > 1 || self.game.words == 1 && !self.texts.is_empty(),
            _ => false,
        }
    }

    /// Whether the game is moves on one line, and nothing else.
    fn is_bare_line(&self) -> bool {
        let Game { tags, fen, result, items, error, tag_error, .. } = &self.game;
        let is_one_line = items.first().is_some_and(|first| items.last().is_some_and(|last| last.line == first.line));
        let has_error = error.is_some() || tag_error.is_some();
        is_one_line && tags.is_empty() && fen.is_none() && result.is_none() && !has_error && self.texts.is_empty()
    }

    /// Whether a line of these tokens is another game than the one line of two moves or more before it: from the start
    /// position all of it can be played, behind that line it cannot.
    fn begins_list(&self, tokens: &[Token], number: usize) -> bool {
        if self.game.words < 2
            || !self.is_bare_line()
            || !matches!(tokens.first(), Some(Token::Word(_) | Token::Number(1, false)))
        {
            return false;
        }
        let words = tokens.iter().filter_map(|token| match token {
            Token::Word(word) => Some(Item { line: number, part: Part::Word(word.clone()) }),
            _ => None,
        });
        let words: Vec<Item> = words.collect();
        let mut start = Position::start();
        start.set_variant(self.variant);
        let is_playable = |items: &[Item]| resolve::tree(&start, items).1.is_none();
        is_playable(&words)
            && is_playable(&self.game.items)
            && !is_playable(&[&self.game.items[..], &words[..]].concat())
    }

    fn is_tag_of_next_game(&self, name: &str) -> bool {
        let is_name = |(other, _): &(String, String)| other.eq_ignore_ascii_case(name);
        let game = &self.game;
        game.has_moves || game.tags.first().is_some_and(is_name) || game.is_past_tags && game.tags.iter().any(is_name)
    }

    fn begin(&mut self, number: usize) {
        if self.game.line == 0 {
            self.game.line = number;
        }
    }

    /// Uses a token; `is_first`: whether it is the first of its line, outside of comments and variations.
    fn add(&mut self, token: Token, number: usize, is_first: bool) {
        self.begin(number);
        let is_main = self.game.depth == 0;
        self.game.bytes += TOKEN_BYTES;
        let part = match token {
            Token::Tag(name, value) => {
                if !is_first && self.game.has_moves {
                    self.end_game(false);
                    self.begin(number);
                }
                return self.add_tag(&name, &tag_value(&value), number);
            }
            Token::NoTag(text) => {
                let kind = ReadErrorKind::NotATag(text.chars().take(MAX_TAG_SHOWN).collect());
                self.game.tag_error.get_or_insert(ReadError::in_line(number, kind));
                return;
            }
            Token::Unclosed('[') => {
                self.game.tag_error.get_or_insert(ReadError::in_line(number, ReadErrorKind::Unclosed('[')));
                return;
            }
            Token::Unclosed(sign) => {
                self.game.has_moves = true;
                self.game.error.get_or_insert(ReadError::in_line(number, ReadErrorKind::Unclosed(sign)));
                return;
            }
            Token::Number(_, is_black) => {
                if is_main && self.game.words == 0 {
                    self.game.begins_with_black = is_black;
                }
                self.game.has_moves = true;
                return;
            }
            Token::Result(result, is_chinese) => {
                if !is_main || is_chinese && !self.game.has_moves {
                    return;
                }
                self.game.has_moves = true;
                if result != GameResult::Unknown {
                    self.game.result = Some(result);
                }
                return self.end_game(false);
            }
            Token::Word(word) | Token::Tail(word) => {
                self.game.has_moves = true;
                self.game.words += 1;
                Part::Word(word)
            }
            Token::Comment(text) if text.is_empty() => return,
            Token::Comment(text) => Part::Comment(text),
            Token::Glyph(glyph) => Part::Glyph(glyph),
            Token::Open => {
                self.game.depth += 1;
                Part::Open
            }
            Token::Close => {
                self.game.depth = self.game.depth.saturating_sub(1);
                Part::Close
            }
            Token::Source(text) => Part::Source(text),
        };
        // The words of a variation are in its source.
        match &part {
            Part::Word(text) if is_main => self.game.bytes += text.len(),
            Part::Comment(text) | Part::Source(text) => self.game.bytes += text.len(),
            _ => {}
        }
        self.check_size();
        if self.game.error.is_none() {
            self.game.items.push(Item { line: number, part });
        }
    }

    fn add_tag(&mut self, name: &str, value: &str, number: usize) {
        let value = visible(value);
        if self.game.tags.is_empty() {
            // A comment before the tags is about the game before.
            self.game.items.clear();
        }
        self.game.is_past_tags = false;
        self.game.bytes += TOKEN_BYTES + name.len() + value.len();
        self.check_size();
        if name.eq_ignore_ascii_case("Result") {
            self.game.result =
                GameResult::read(&value).or_else(|| GameResult::read_chinese(&value)).or(self.game.result);
        }
        // An empty one is the start position.
        if name.eq_ignore_ascii_case("FEN") && !value.trim().is_empty() {
            self.game.fen = Some((number, value.clone()));
        }
        self.game.tags.push((name.to_string(), value));
    }

    /// Keeps nothing of a game that is too long.
    fn check_size(&mut self) {
        if self.game.bytes + self.lexer.open_bytes() > MAX_GAME_BYTES {
            let line = self.game.line.max(1);
            self.game.error = Some(ReadError::in_line(line, ReadErrorKind::LongRecord));
            self.game.has_moves = true;
            (self.game.tags, self.game.items, self.game.fen) = (Vec::new(), Vec::new(), None);
            self.texts.clear();
            self.lexer.forget();
            self.game.bytes = 0;
        }
    }

    /// Ends the game. `is_end`: at the end of the text.
    fn end_game(&mut self, is_end: bool) {
        let game = std::mem::take(&mut self.game);
        let has_tags = !game.tags.is_empty();
        self.is_wxf = false;
        self.texts.clear();
        let title = game.title.clone().filter(|_| is_end && !self.may_end_with_text);
        let Some(record) = game.record(self.variant) else { return self.ready.extend(title.map(Err)) };
        self.may_end_with_text = has_tags;
        let is_empty = record.tree.moves() == 0 && !has_tags;
        self.ready.push_back(match record {
            GameRecord { error: Some(error), .. } if is_empty => Err(error),
            record => Ok(record),
        });
    }
}

impl Game {
    /// The game; `None` without a tag, a position and a word.
    fn record(self, variant: Variant) -> Option<GameRecord> {
        let error = self.tag_error.or(self.error);
        if self.tags.is_empty() && self.fen.is_none() && self.words == 0 && error.is_none() {
            return None;
        }
        let start = match &self.fen {
            None => Ok((Position::start(), None)),
            Some((line, fen)) => turn::of_fen(fen).map_err(|error| ReadError::in_line(*line, error)),
        };
        let mut record = GameRecord::new(Position::start());
        record.tags = self.tags.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        record.result = self.result.unwrap_or(GameResult::Unknown);
        match start {
            Ok((mut start, note)) => {
                record.note = note;
                start.set_variant(variant);
                if let Some(mut other) = turn::other(&start) {
                    other.set_variant(variant);
                    if resolve::is_of_other_side(&start, &other, self.begins_with_black, &self.items) {
                        record.note = Some(Note::SideToMove(other.side()));
                        start = other;
                    }
                }
                let (tree, moves_error) = resolve::tree(&start, &self.items);
                (record.start, record.tree) = (start, tree);
                record.error = [error, moves_error].into_iter().flatten().min_by_key(|error| error.line());
            }
            Err(error) => record.error = Some(error),
        }
        Some(record)
    }
}
