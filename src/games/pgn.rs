//! PGN (Portable Game Notation) as xiangqi programs write it, and plain lists of moves.
//!
//! A game has tags in brackets (`FEN` and `Result` are read, all are kept), moves in any notation, comments, and a
//! result. Move numbers, variations and annotations are skipped. Ranks may be numbered 0 to 9 or 1 to 10. Tags are
//! optional: a file of moves is one game, a file of lines that end with a result is several.

use super::pgn_tokens::{Item, Token, Tokens};
use super::record::{GameRecord, GameResult, MAX_PLIES, MAX_TEXTS, RecordError, RecordErrorKind, RecordTexts};
use super::visible::visible;
use crate::notation::{NotationError, Ranks, is_like_chinese_move, is_move, read_with_ranks};
use crate::position::Position;
use crate::types::Move;

/// Ranks of a board by which a word is recognised as one, at least.
const MIN_BOARD_RANKS: usize = 6;

/// The games of a text, in order: see [`Games`].
pub fn games(text: &str) -> Games<&str> {
    Games::new(text, false)
}

/// The games of a text, read one after the other.
///
/// A game begins with its tags or its first move. It ends with its result, before tags that follow moves, and before the
/// tag that it began with. Lines of text are passed over before a game, such as a title, and after one that has tags,
/// such as a program's banner. Any other text, and a line with a move or a result that does not begin with a move, is a
/// game with an error.
pub struct Games<T> {
    text: T,
    /// What has been read.
    offset: usize,
    line: usize,
    is_line_start: bool,
    is_first: bool,
    follows_tags: bool,
}

impl<T: AsRef<str>> Games<T> {
    /// The games of a text that follows others. `follows_tags`: whether the last game before it has tags.
    pub fn new(text: T, follows_tags: bool) -> Games<T> {
        Games { text, offset: 0, line: 1, is_line_start: true, is_first: true, follows_tags }
    }

    /// Whether the last game has tags.
    pub fn follows_tags(&self) -> bool {
        self.follows_tags
    }
}

impl<T: AsRef<str>> Iterator for Games<T> {
    type Item = GameRecord;

    fn next(&mut self) -> Option<GameRecord> {
        let &mut Games { offset, line, is_line_start, is_first, .. } = self;
        let text = self.text.as_ref();
        let mut tokens = Tokens { rest: &text[offset..], line, is_line_start, is_first };
        let game = read_game(&mut tokens, &mut self.follows_tags);
        let Tokens { rest, line, is_line_start, is_first } = tokens;
        let offset = text.len() - rest.len();
        (self.offset, self.line, self.is_line_start, self.is_first) = (offset, line, is_line_start, is_first);
        game
    }
}

/// The next game, if there is one.
fn read_game(tokens: &mut Tokens, follows_tags: &mut bool) -> Option<GameRecord> {
    loop {
        let mut reader = GameReader::new();
        let is_end = loop {
            let before = *tokens;
            let Some(item) = tokens.next() else { break true };
            if reader.ends_before(&item, before) {
                *tokens = before;
                break false;
            }
            if reader.add(item, tokens) {
                break false;
            }
        };
        let has_tags = reader.first_tag.is_some();
        // A title alone is no loss after the last game with tags.
        let is_lost = !(is_end && *follows_tags);
        if let Some(game) = reader.finish(is_lost) {
            *follows_tags = has_tags;
            return Some(game);
        }
        if is_end {
            return None;
        }
    }
}

/// Reads one game.
struct GameReader<'a> {
    game: GameRecord,
    moves: MoveReader<'a>,
    /// The name of the tag that it began with.
    first_tag: Option<&'a str>,
    /// Whether a move, a move number or a result has been read.
    has_moves: bool,
    /// The first line of text before the game, as the error that it is if no game follows.
    title: Option<RecordError>,
}

impl<'a> GameReader<'a> {
    fn new() -> GameReader<'a> {
        let game = GameRecord {
            start: Position::start(),
            moves: Vec::new(),
            result: GameResult::Unknown,
            texts: RecordTexts::default(),
            error: None,
        };
        GameReader { moves: MoveReader::new(&game.start), game, first_tag: None, has_moves: false, title: None }
    }

    /// Whether the token, of which `tokens` is the beginning, begins the next game.
    fn ends_before(&self, item: &Item, tokens: Tokens) -> bool {
        match item.token {
            Token::Tag(name, _) => {
                let is_again = |first: &str| item.is_first && first.eq_ignore_ascii_case(name);
                self.has_moves || self.first_tag.is_some_and(is_again)
            }
            // A game without a result: the numbers of the moves begin again, perhaps below a title.
            Token::Word(_) if item.is_first && self.has_moves => {
                let may_begin = self.game.error.is_some() || self.moves.moves.len() > 1;
                may_begin && (begins_with_one(item) || self.game.error.is_none() && is_title(tokens))
            }
            _ => false,
        }
    }

    /// Reads a token. Returns whether the game ends with it.
    fn add(&mut self, item: Item<'a>, tokens: &mut Tokens<'a>) -> bool {
        let read = match item.token {
            Token::Comment(text) => self.add_comment(text),
            Token::Tag(name, value) => self.add_tag(name, value),
            Token::Unclosed(sign) => Err(RecordErrorKind::Unclosed(sign)),
            Token::Word(word) => {
                let is_san = || !matches!(self.moves.clone().read(word), Err(NotationError::NotAMove(_)));
                if !self.has_moves && self.first_tag.is_none() && is_text(item.text) && !is_san() {
                    self.title.get_or_insert_with(|| item.error(not_a_move(word)));
                    tokens.skip_line();
                    return false;
                }
                self.has_moves = true;
                if let Some(result) = GameResult::read(word) {
                    if result != GameResult::Unknown {
                        self.game.result = result;
                    }
                    return true;
                }
                self.add_move(without_number(word.trim_end_matches(['!', '?'])))
            }
        };
        if let (Err(kind), None) = (read, &self.game.error) {
            self.game.error = Some(item.error(kind));
        }
        false
    }

    fn add_comment(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        let comment = visible(&without_commands(text));
        if self.game.error.is_some() || comment.is_empty() {
            return Ok(());
        }
        self.count_texts()?;
        self.game.texts.comments.push((self.moves.moves.len(), comment));
        Ok(())
    }

    fn add_tag(&mut self, name: &'a str, value: &str) -> Result<(), RecordErrorKind> {
        if self.first_tag.is_none() {
            self.first_tag = Some(name);
            // A comment before the tags is about the game before.
            self.game.texts.comments.clear();
        }
        let value = visible(&unescaped(value));
        if !value.is_empty() {
            self.count_texts()?;
            self.game.texts.tags.push((name.to_string(), value.clone()));
        }
        if name.eq_ignore_ascii_case("Result") {
            self.game.result = GameResult::read(&value).unwrap_or(self.game.result);
        }
        // An empty one is the start position.
        if name.eq_ignore_ascii_case("FEN") && !value.trim().is_empty() {
            let start = Position::from_fen(&value)?;
            self.moves = MoveReader::new(&start);
            self.game.start = start;
        }
        Ok(())
    }

    /// Checks that there is room for one more tag or comment.
    fn count_texts(&self) -> Result<(), RecordErrorKind> {
        let RecordTexts { tags, comments } = &self.game.texts;
        if tags.len() + comments.len() < MAX_TEXTS { Ok(()) } else { Err(RecordErrorKind::TooManyTexts) }
    }

    fn add_move(&mut self, text: &'a str) -> Result<(), RecordErrorKind> {
        if text.is_empty() || self.game.error.is_some() {
            return Ok(());
        }
        if self.moves.moves.len() == MAX_PLIES {
            return Err(RecordErrorKind::TooManyMoves);
        }
        Ok(self.moves.read(text)?)
    }

    /// The game, if there is one. `is_lost`: whether text alone is a game with an error.
    fn finish(self, is_lost: bool) -> Option<GameRecord> {
        let mut game = GameRecord { moves: self.moves.moves, ..self.game };
        if self.first_tag.is_none() && game.moves.is_empty() && is_lost {
            game.error = game.error.or(self.title);
        }
        (self.first_tag.is_some() || !game.moves.is_empty() || game.error.is_some()).then_some(game)
    }
}

/// Whether lines of text begin here, and below them the first move of a game.
fn is_title(mut tokens: Tokens) -> bool {
    while let Some(item) = tokens.next() {
        match item.token {
            Token::Word(_) if item.is_first && is_text(item.text) => tokens.skip_line(),
            _ => return begins_with_one(&item),
        }
    }
    false
}

/// Whether a line begins with the number of a game's first move, and of Red.
fn begins_with_one(item: &Item) -> bool {
    let Token::Word(word) = item.token else { return false };
    let rest = word.strip_prefix('1').filter(|_| item.is_first && begins_with_number(word));
    rest.is_some_and(|rest| {
        rest.starts_with(['.', '。', '．', '、']) && !rest.starts_with("..") && !item.text.starts_with("1. ..")
    })
}

/// Whether the first line of `text` is neither a game nor one with a wrong beginning, which has a move number in front, or a
/// move, a board or a result anywhere. Costs the words up to the first of these.
pub fn is_text(text: &str) -> bool {
    let is_of_game = |word: &str| {
        let ranks = word.split('/');
        let is_rank = |rank: &str| !rank.is_empty() && rank.bytes().all(|letter| letter.is_ascii_alphanumeric());
        let is_board = ranks.clone().count() >= MIN_BOARD_RANKS && ranks.clone().all(is_rank);
        let mv = without_number(word.trim_end_matches(['!', '?']));
        is_board || GameResult::read(word).is_some() || is_move(mv) || is_like_chinese_move(mv)
    };
    let mut is_first = true;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if is_of_game(word) || is_first && begins_with_number(word) {
            return false;
        }
        if piece.ends_with('\n') {
            break;
        }
        is_first &= word.is_empty();
    }
    true
}

/// Whether a word begins with a move number; a year is none.
pub(super) fn begins_with_number(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits) && without_number(word).len() < word.len()
}

/// The error for a word, with its beginning.
fn not_a_move(word: &str) -> RecordErrorKind {
    NotationError::NotAMove(word.chars().take(16).collect()).into()
}

/// Reads the moves of a game, whose ranks may be numbered from 0 or from 1. They are read from 0 until a move cannot be
/// read so; if it and all moves before it can be read from 1, the whole game is.
#[derive(Clone)]
struct MoveReader<'a> {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    ranks: Ranks,
    /// The words read so far, while ranks are read from 0.
    words: Vec<&'a str>,
}

impl<'a> MoveReader<'a> {
    fn new(start: &Position) -> Self {
        let (start, position) = (start.clone(), start.clone());
        MoveReader { start, position, moves: Vec::new(), ranks: Ranks::FromZero, words: Vec::new() }
    }

    /// Reads the next move.
    fn read(&mut self, word: &'a str) -> Result<(), NotationError> {
        let read = self.read_with(word);
        if self.ranks == Ranks::FromZero {
            self.words.push(word);
            if read.is_err()
                && let Some(reader) = self.read_from_one()
            {
                *self = reader;
                return Ok(());
            }
        }
        read
    }

    fn read_with(&mut self, word: &str) -> Result<(), NotationError> {
        let mv = read_with_ranks(&self.position, word, self.ranks)?;
        self.position.make(mv);
        self.moves.push(mv);
        Ok(())
    }

    /// The same words with ranks from 1; `None` if they are not moves then.
    fn read_from_one(&self) -> Option<Self> {
        let mut reader = MoveReader { ranks: Ranks::FromOne, ..MoveReader::new(&self.start) };
        self.words.iter().try_for_each(|word| reader.read_with(word)).ok()?;
        Some(reader)
    }
}

/// A comment without the commands of programs in it (`[%eval 0.2]`), its blanks as single ones.
fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        text.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of a tag without the backslashes before quotes and backslashes.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = (letter == '\\').then(|| letters.next_if(|&next| matches!(next, '"' | '\\'))).flatten();
        text.push(escaped.unwrap_or(letter));
    }
    text
}

/// A word without its move number. `33.4` stays: it is a move of a pawn in WXF notation.
pub fn without_number(word: &str) -> &str {
    let is_pawn = |word: &[u8]| matches!(*word, [a, b, b'.', c] if a == b && c.is_ascii_digit() && a.is_ascii_digit());
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = after.trim_start_matches(['.', '。', '．', '…', '、']);
    if is_pawn(word.as_bytes()) || after.len() == rest.len() && !after.is_empty() { word } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::Location;
    use crate::notation::NotationError;
    use crate::types::Color;

    fn moves(game: &GameRecord) -> String {
        game.moves.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn all(text: &str) -> Vec<GameRecord> {
        games(text).collect()
    }

    #[test]
    fn game_is_read_in_any_notation() {
        let expected = "h2e2 h9g7 h0g2 i9h9";
        for text in [
            "1. C2.5 H8+7 2. H2+3 R9.8 1-0",
            "1.C2=5 h8+7\n2.N2+3 r9=8\n1-0",
            "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0",
            "1. 炮二平五　馬8進7 2. 傌二进三 車9平8 1-0",
            "1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0",
            "h2e2 h9g7 h0g2 i9h9 1-0",
            "1... h2e2 h9g7! {good} (1. g3g4 {(} (2. a) ) $3 h0g2?! ; to the end\n% as well\ni9h9 1-0",
        ] {
            let games = all(text);
            assert_eq!(games.len(), 1, "{text}");
            assert_eq!((moves(&games[0]).as_str(), &games[0].error), (expected, &None), "{text}");
            assert_eq!(games[0].result, GameResult::Won(Color::Red));
        }
    }

    #[test]
    fn games_are_separated_by_results_and_tags() {
        let text = "[Game \"Chinese Chess\"]\n[Event \"a [b] c\"]\n[Result \"0-1\"]\n\n1. C2.5 H8+7 0-1\n\n\
                    [Game \"Chinese Chess\"][Result \"1/2-1/2\"]\n[FEN \"3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1\"]\n1. K5.4\n\
                    [Game \"x\"]\n\n*\nh2e2 h9g7 1-0\nb2e2 *\n";
        let games = all(text);
        let found: Vec<(String, GameResult)> = games.iter().map(|game| (moves(game), game.result)).collect();
        let expected = [
            ("h2e2 h9g7", GameResult::Won(Color::Black)),
            ("e0f0", GameResult::Drawn),
            ("", GameResult::Unknown),
            ("h2e2 h9g7", GameResult::Won(Color::Red)),
            ("b2e2", GameResult::Unknown),
        ];
        assert_eq!(found, expected.map(|(moves, result)| (moves.to_string(), result)));
        assert!(games.iter().all(|game| game.error.is_none()));
        assert!(games[1].start.to_fen().starts_with("3k5/"));
        assert_eq!(all("").len() + all(" \n{only a comment}\n").len(), 0);
    }

    #[test]
    fn middle_pawn_move_is_not_a_move_number() {
        let text = "[FEN \"3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1\"]\n33. 33.4! k4+1 34. 7+.6 1-0";
        assert_eq!(moves(&all(text)[0]), "g6f6 d9d8 c6d6");
    }

    #[test]
    fn unclosed_bracket_ends_with_the_game() {
        for open in ["( 2. a3a4", "{ [not a tag] ( \n[nor this]"] {
            let text = format!("[Red \"a\"]\n1. h2e2 {open}\n\n[Red \"b\"]\n1. b2e2 (c) *\n");
            let games = all(&text);
            let found: Vec<(String, bool)> = games.iter().map(|game| (moves(game), game.error.is_some())).collect();
            assert_eq!(found, [("h2e2".to_string(), true), ("b2e2".to_string(), false)], "{text}");
        }
    }

    #[test]
    fn banners_are_not_games() {
        let games = all("welcome\n[Red \"a\"]\n1. h2e2 1-0\n====== http://www.example.org/ ======\n");
        assert_eq!(games.len(), 1);
        assert!(games[0].error.is_none() && games[0].moves.len() == 1);
        assert_eq!(all("h2h7 1-0")[0].error.as_ref().unwrap().to_string(), "line 1: h2h7 is illegal");
    }

    /// The errors of games, `None` for one without.
    fn errors(text: &str) -> Vec<Option<String>> {
        all(text).iter().map(|game| game.error.as_ref().map(|error| error.to_string())).collect()
    }

    #[test]
    fn games_left_out_are_errors() {
        let not_a_move = |line: usize, word: &str| Some(format!("line {line}: {word:?} is not a move"));
        for (text, expected) in [
            // Titles, at the beginning and between games.
            ("第一局\n1. h2e2 *\n\n第二局（某年\n某地 2001.01.01\n1. h2e2 *\n", vec![None, None]),
            // A wrong first move.
            ("1. h2e2 *\n\n1. Zb0c2 h9g7 1-0\n1. c3c4 *\n", vec![None, not_a_move(3, "Zb0c2"), None]),
            ("1.Zb0c2\n2. h0g2 h9g7 1-0\n", vec![not_a_move(1, "Zb0c2")]),
            ("Zb0c2 h9g7 h0g2\nh2e2 *\nh2e2 *", vec![not_a_move(1, "Zb0c2"), None]),
            ("开局 炮二平五 马8进7\n1. h2e2 *\nh2e2 *\n", vec![not_a_move(1, "开局"), None, None]),
            ("Zb0c2 *\nh2e2 *\n", vec![not_a_move(1, "Zb0c2"), None]),
            ("Zb0c2\n*\nh2e2 *\n", vec![not_a_move(1, "Zb0c2"), None]),
            ("FEN: rnbakabnr/9/9/9/9/9/9/9/9/RNBAKABNR w\n1. h2e2 *\n", vec![not_a_move(1, "FEN:"), None]),
            ("1. h2e2 *\n\n炮二平x\n\n1. c3c4 *\n", vec![None, not_a_move(3, "炮二平x"), None]),
            // Games without results, with errors and below titles.
            ("1. h2e2 h9g7 2. h0g2\n2... i9h9\n\n1. c3c4 g6g5\n", vec![None, None]),
            ("1. h2e2 h9g7\n\n第二局\n某地\n1. c3c4 g6g5\n第三局\n1. h2e2", vec![None, None, None]),
            ("1. h2e2 *\n\n1. h2zz h9g7\n\n1. c3c4 *\n", vec![None, not_a_move(3, "h2zz"), None]),
            ("1. h2e2\n1... h9g7\n2. h0g2\n1-0\n", vec![None]),
            // Text after games without tags, and text alone.
            ("1. h2e2 *\n\nwelcome home\n", vec![None, not_a_move(3, "welcome")]),
            ("[Red \"a\"]\n1. h2e2 *\nh2e2 *\nwelcome\n", vec![None, None, not_a_move(4, "welcome")]),
            ("\nwelcome\nhome\n", vec![not_a_move(2, "welcome")]),
            // With tags, what follows is a banner, unless it has a move or a result.
            ("[Red \"a\"]\n1. h2e2 *\n====\nhttp://www.example.org/\n====\n", vec![None]),
            ("[Red \"a\"]\n1. h2e2 *\n1. Zb0c2 h9g7\n", vec![None, not_a_move(3, "Zb0c2")]),
        ] {
            assert_eq!(errors(text), expected, "{text}");
        }
    }

    #[test]
    fn tags_begin_a_game_where_the_first_comes_again() {
        let text = "[Event \"A\"]\n[Red \"a\"]\n\n[Event \"B\"]\n\n[Red \"b\"]\n1. h2e2 *\n[FEN \"\"]\n [FEN \"3k5/9/9/9/9/9/9/9/9/4K4 w\"]";
        let games = all(text);
        let found: Vec<_> = games.iter().map(|game| (game.texts.tag("Red"), moves(game))).collect();
        let expected = [(Some("a"), ""), (Some("b"), "h2e2"), (None, ""), (None, "")];
        assert_eq!(found, expected.map(|(red, moves)| (red, moves.to_string())));
        assert!(games[3].start.to_fen().starts_with("3k5") && games.iter().all(|game| game.error.is_none()));
    }

    #[test]
    fn empty_fen_is_the_start_position() {
        for fen in ["", "  "] {
            let games = all(&format!("[FEN \"{fen}\"]\n1. h2e2 *\n"));
            assert!(games.len() == 1 && games[0].error.is_none() && games[0].moves.len() == 1, "{fen:?}");
        }
    }

    #[test]
    fn games_that_are_too_long_are_errors() {
        let moves = "a0a1 a9a8 a1a0 a8a9 ".repeat(MAX_PLIES / 4);
        for (text, error) in [
            (moves.clone(), None),
            (moves + "h2e2 *\n", Some("more than 5000 moves")),
            ("{x}".repeat(MAX_TEXTS) + "h2e2 *\n", None),
            ("[a \"x\"]".repeat(MAX_TEXTS) + "{x} h2e2 *\n", Some("more than 20000 tags and comments")),
        ] {
            assert_eq!(errors(&text), [error.map(|error| format!("line 1: {error}"))]);
        }
    }

    #[test]
    fn tags_and_comments_are_kept() {
        let text = "[Red \"a \\\"b\\\" c\"]\n[Black \"\"]\n[Event \"\u{1}\"]\n{of the start} 1. h2e2 {good\n  move [%eval 0.2]} (1. b2e2 {no}) {!} h9g7 \
                    {[%eval 0]} ; no\n* {of the first}\n\n[Red \"b\"]\n1. Ch3 {from one} Ch9 *";
        let games = all(text);
        let comments = |game: usize| games[game].texts.comments.clone();
        let expected = [(0, "of the start"), (1, "good move"), (1, "!")].map(|(moves, text)| (moves, text.to_string()));
        assert_eq!((games.len(), comments(0)), (2, expected.to_vec()));
        assert_eq!(games[0].texts.tags, [("Red".to_string(), "a \"b\" c".to_string())]);
        assert_eq!((games[0].texts.comment(1).as_deref(), games[0].texts.comment(2)), (Some("good move\n!"), None));
        assert_eq!(comments(1), [(1, "from one".to_string())]);
        let among_tags =
            &all("{of the game before} [Red \"a\"]\n{of the game} [Black \"b\"]\nh2e2 h9h0 {of a game not read} *")[0];
        assert_eq!(among_tags.texts.comments, [(0, "of the game".to_string())]);
    }

    #[test]
    fn tags_may_contain_brackets_and_blanks() {
        for tag in ["[Red \"a [b] c\" ]", "[ Red  \"a\"]", "[Red \"\"\t]", "[Red]"] {
            let games = all(&format!("{tag}\n[Result \"1-0\"]\n1. h2e2 1-0\n"));
            assert!(games.len() == 1 && games[0].error.is_none() && games[0].moves.len() == 1, "{tag}");
        }
    }

    #[test]
    fn brackets_in_comments_and_cut_tags_end_no_game() {
        let game = &all("1. h2e2 {first\n[%eval 3] second} h9g7 {see [Red \"A\"] there} *")[0];
        assert_eq!((moves(game).as_str(), &game.error), ("h2e2 h9g7", &None));
        let games = all("[Event \"x\n[Red \"B\"]\n\n1. h2e2 *\n");
        assert_eq!(games[0].texts.tags, [("Red".to_string(), "B".to_string())]);
    }

    #[test]
    fn long_line_takes_linear_time() {
        for words in ["h2e2 * ", "x * ", "x h2e2 * ", "1. x * "] {
            assert_eq!(all(&words.repeat(100_000)).len(), 100_000, "{words}");
        }
        assert_eq!(all(&"x ".repeat(200_000)).len(), 1);
        let tags = "[a \"x\"]".repeat(200_000);
        assert_eq!(all(&format!("{tags}[FEN \"\"]")).len(), 1);
        assert!(all(&"[".repeat(200_000))[0].error.is_some());
    }

    #[test]
    fn ranks_are_numbered_from_zero_or_one_in_the_whole_game() {
        let expected = "b2b4 i9i8 b4d4 h9g7";
        for text in ["b2b4 i9i8 b4d4 h9g7", "b3b5 i10i9 b5d5 h10g8", "Cb4 Ri8 Cd4 Hg7", "1. Cb5 Ri9 2. Cd5 Hg8 *"] {
            let game = &all(text)[0];
            assert_eq!((moves(game).as_str(), &game.error), (expected, &None), "{text}");
        }
        // Neither numbering reads it all.
        for (text, error) in [("Cb5 Ri9 Cd5 Hg6", "Hg6"), ("Cb4 Ri8 Cd4 Hg5", "Hg5"), ("h3e3 h2e2", "h2e2")] {
            assert_eq!(
                all(text)[0].error.as_ref().unwrap().to_string(),
                format!("line 1: {error} is illegal"),
                "{text}"
            );
        }
    }

    #[test]
    fn errors_name_the_line_and_keep_the_moves_before() {
        let text = "[Result \"1-0\"]\n1. C2.5 H8+7\n2. H2+9 R9.8\n1-0\n\n[FEN \"9/9 w\"]\n1. C2.5 *\n\n[Red \"a\"]\nh2e2 {no end\n";
        let games = all(text);
        assert_eq!(games.len(), 3);
        assert_eq!(moves(&games[0]), "h2e2 h9g7");
        assert_eq!(games[0].result, GameResult::Won(Color::Red));
        let illegal = RecordError { location: Location::Line(3), kind: NotationError::Illegal("H2+9".into()).into() };
        assert_eq!(games[0].error, Some(illegal));
        let error = |game: &GameRecord| game.error.as_ref().unwrap().to_string();
        assert!(error(&games[1]).starts_with("line 6: ") && games[1].moves.is_empty());
        assert_eq!((error(&games[2]).as_str(), moves(&games[2]).as_str()), ("line 10: '{' is not closed", "h2e2"));
    }

    /// Random changes never cause a panic or an illegal move.
    #[test]
    fn corrupted_text_gives_only_legal_moves() {
        use rand::{RngExt, SeedableRng};
        let good = "[Red \"\"]\n1. 炮二平五 H8+7 {a (b) c} ( d ) 2. h0g2 ; e\n[R \"1-0\"] 1/2-1/2 %\n";
        let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
        let mut read = 0;
        for _ in 0..3_000 {
            let mut bytes = good.repeat(2).into_bytes();
            for _ in 0..rng.random_range(0..6) {
                let offset = rng.random_range(0..bytes.len());
                bytes[offset] = if rng.random() { rng.random() } else { b"[](){};%\" \n"[offset % 11] };
            }
            for game in games(&crate::games::encoding::decode(&bytes)) {
                let mut position = game.start.clone();
                for mv in game.moves {
                    assert!(position.is_legal(mv));
                    position.make(mv);
                    read += 1;
                }
            }
        }
        assert!(read > 3_000, "{read}");
    }
}
