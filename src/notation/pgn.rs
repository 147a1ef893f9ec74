//! PGN (Portable Game Notation) as xiangqi programs write it, and plain lists of moves.
//!
//! A game has tags in brackets (`FEN` and `Result` are read, all are kept), moves in any notation, comments, and a
//! result. Move numbers, variations and annotations are skipped. Ranks may be numbered 0 to 9 or 1 to 10. A game ends with its result or before the next tags. Tags are
//! optional: a file of moves is one game, a file of lines that end with a result is several.

use super::game_record::{GameRecord, GameResult, Location, RecordError, RecordErrorKind, RecordTexts};
use super::visible::visible;
use super::{NotationError, Ranks, read_with_ranks};
use crate::position::Position;
use crate::types::Move;

/// The games of a text, in order. Words without tags or moves, for example a program's banner, are skipped.
pub fn games(text: &str) -> impl Iterator<Item = GameRecord> + '_ {
    read_games(text, false)
}

/// As [`games`], but words without tags or moves are a game with an error.
pub fn strict_games(text: &str) -> impl Iterator<Item = GameRecord> + '_ {
    read_games(text, true)
}

fn read_games(text: &str, is_strict: bool) -> impl Iterator<Item = GameRecord> + '_ {
    let mut tokens = Tokens { rest: text, line: 1, is_line_start: true }.peekable();
    std::iter::from_fn(move || {
        loop {
            tokens.peek()?;
            let mut game = GameRecord {
                start: Position::start(),
                moves: Vec::new(),
                result: GameResult::Unknown,
                texts: RecordTexts::default(),
                error: None,
            };
            let mut reader = MoveReader::new(&game.start);
            let (mut has_moves, mut has_tags) = (false, false);
            while let Some((line, token)) = tokens.next_if(|(_, token)| !(has_moves && matches!(token, Token::Tag(..))))
            {
                match token {
                    // A comment before the tags is about the game before.
                    Token::Tag(..) if !has_tags => game.texts.comments.clear(),
                    Token::Comment(text) if game.error.is_none() => {
                        let comment = visible(&without_commands(text));
                        game.texts.comments.extend((!comment.is_empty()).then_some((reader.moves.len(), comment)));
                    }
                    _ => {}
                }
                if let Token::Tag(name, value) = token {
                    let value = visible(&unescaped(value));
                    game.texts.tags.extend((!value.is_empty()).then(|| (name.to_string(), value)));
                }
                let read = match token {
                    Token::Comment(_) => Ok(()),
                    Token::Tag(name, value) if name.eq_ignore_ascii_case("FEN") => {
                        has_tags = true;
                        Position::from_fen(value).map_err(RecordErrorKind::from).map(|start| {
                            reader = MoveReader::new(&start);
                            game.start = start;
                        })
                    }
                    Token::Tag(name, value) => {
                        has_tags = true;
                        if name.eq_ignore_ascii_case("Result") {
                            game.result = GameResult::read(value).unwrap_or(game.result);
                        }
                        Ok(())
                    }
                    Token::Unclosed(sign) => Err(RecordErrorKind::Unclosed(sign)),
                    Token::Word(text) => {
                        has_moves = true;
                        if let Some(result) = GameResult::read(text) {
                            if result != GameResult::Unknown {
                                game.result = result;
                            }
                            break;
                        }
                        let text = without_number(text.trim_end_matches(['!', '?']));
                        if text.is_empty() || game.error.is_some() {
                            continue;
                        }
                        reader.read(text).map_err(RecordErrorKind::from)
                    }
                };
                if let (Err(kind), None) = (read, &game.error) {
                    game.error = Some(RecordError { location: Location::Line(line), kind });
                }
            }
            game.moves = reader.moves;
            let is_text = match &game.error {
                None => true,
                Some(RecordError { kind: RecordErrorKind::Move(NotationError::NotAMove(_)), .. }) => !is_strict,
                Some(_) => false,
            };
            if has_tags || !game.moves.is_empty() || !is_text {
                return Some(game);
            }
        }
    })
}

/// Reads the moves of a game, whose ranks may be numbered from 0 or from 1. They are read from 0 until a move cannot be
/// read so; if it and all moves before it can be read from 1, the whole game is.
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
        self.position.make(mv, &mut ());
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

/// The word that `text` begins with.
pub(super) fn first_word(text: &str) -> &str {
    text.find(|c: char| c.is_whitespace() || "{}();[".contains(c)).map_or(text, |end| &text[..end])
}

/// Length in bytes of the tag that `text` begins with. It ends on the same line with the bracket after the quoted value,
/// which may contain brackets itself.
pub(super) fn tag_length(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    for (offset, c) in text.char_indices() {
        match c {
            '"' => is_quoted = true,
            ']' if !is_quoted || text[..offset].trim_end().ends_with('"') => return Some(offset + 1),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a tag with a quoted value begins the text; at the beginning of a line it ends open comments and variations.
pub fn begins_with_tag(text: &str) -> bool {
    text.starts_with('[') && tag_length(text).is_some_and(|length| text[..length].contains('"'))
}

/// A token of a PGN text. Comments to the end of the line, variations and annotations have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// `[name "value"]`
    Tag(&'a str, &'a str),
    /// A move, a move number or a result.
    Word(&'a str),
    /// `{text}`
    Comment(&'a str),
    /// An opening bracket whose closing bracket is missing.
    Unclosed(char),
}

/// The tokens of a text, each with its line number.
struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    /// Whether `rest` is at the beginning of a line.
    is_line_start: bool,
}

impl<'a> Tokens<'a> {
    /// Takes `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.is_line_start = if taken.is_empty() { self.is_line_start } else { taken.ends_with('\n') };
        self.rest = rest;
        taken
    }

    fn take_until(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(end).unwrap_or(self.rest.len()))
    }

    /// Skips a comment, or a variation with everything nested in it; false if it is not closed before the tags of the
    /// next game.
    fn skip_bracketed(&mut self) -> bool {
        let (mut depth, mut in_comment) = (0, false);
        loop {
            self.take_until(|c| if in_comment { "}[".contains(c) } else { "{()[".contains(c) });
            match self.rest.chars().next() {
                Some('[') if self.is_line_start && begins_with_tag(self.rest) => return false,
                Some('[') => {}
                Some('{') => in_comment = true,
                Some('}') => in_comment = false,
                Some('(') => depth += 1,
                Some(_) => depth -= 1,
                None => return false,
            }
            self.take(1);
            if depth <= 0 && !in_comment {
                return true;
            }
        }
    }

    fn tag(&mut self) -> Token<'a> {
        let Some(length) = tag_length(self.rest) else {
            self.take_until(|c| c == '\n');
            return Token::Unclosed('[');
        };
        let inside = self.take(length)[1..length - 1].trim();
        let (name, value) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        Token::Tag(name, value.trim().trim_matches('"'))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            self.take_until(|c| !c.is_whitespace());
            let line = self.line;
            match self.rest.chars().next()? {
                '[' => return Some((line, self.tag())),
                sign @ ('{' | '(') => {
                    let text = self.rest;
                    if !self.skip_bracketed() {
                        return Some((line, Token::Unclosed(sign)));
                    }
                    if sign == '{' {
                        return Some((line, Token::Comment(&text[1..text.len() - self.rest.len() - 1])));
                    }
                }
                ';' | '%' | '#' => {
                    self.take_until(|c| c == '\n');
                }
                '}' | ')' | ']' => {
                    self.take(1);
                }
                '$' => {
                    self.take_until(char::is_whitespace);
                }
                _ => {
                    let word = self.take(first_word(self.rest).len());
                    return Some((line, Token::Word(word)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let strict: Vec<GameRecord> = strict_games("1. h2e2 *\n\nwelcome home\n").collect();
        assert_eq!(strict[1].error.as_ref().unwrap().to_string(), "line 3: \"welcome\" is not a move");
        assert_eq!(all("h2h7 1-0")[0].error.as_ref().unwrap().to_string(), "line 1: h2h7 is illegal");
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
            for game in games(&crate::notation::encoding::decode(&bytes)) {
                let mut position = game.start.clone();
                for mv in game.moves {
                    assert!(position.is_legal(mv));
                    position.make(mv, &mut ());
                    read += 1;
                }
            }
        }
        assert!(read > 3_000, "{read}");
    }
}
