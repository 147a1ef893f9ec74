//! Games as text: PGN, the Portable Game Notation, as xiangqi programs write it, and plain lists of moves.
//!
//! Tags in brackets, of which `FEN` and `Result` matter here, then moves in any notation, with numbers, comments, variations
//! and annotations, which are passed over, then the result. A game ends with its result or before the next tags. What has
//! no tags is a game as well: a file of plain moves is one, a file of lines that end with a result is several.

use super::game_record::{GameRecord, GameResult, Location, RecordError, RecordErrorKind};
use super::{NotationError, read};
use crate::position::Position;
use encoding_rs::{Encoding, GB18030};
use std::borrow::Cow;

/// The text of a file: UTF-8, or whatever its mark says, or else Chinese in GB 18030, which GBK and GB 2312 are parts of.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match (Encoding::for_bom(bytes), str::from_utf8(bytes)) {
        (Some((encoding, _)), _) => encoding.decode(bytes).0,
        (None, Ok(text)) => Cow::Borrowed(text),
        (None, Err(_)) => GB18030.decode_without_bom_handling(bytes).0,
    }
}

/// The games of a text, one after another.
pub fn games(text: &str) -> impl Iterator<Item = GameRecord> + '_ {
    let mut words = Words { rest: text, line: 1, is_line_start: true }.peekable();
    std::iter::from_fn(move || {
        loop {
            words.peek()?;
            let mut game =
                GameRecord { start: Position::start(), moves: Vec::new(), result: GameResult::Unknown, error: None };
            let mut position = game.start.clone();
            let (mut has_moves, mut has_tags) = (false, false);
            while let Some((line, word)) = words.next_if(|(_, word)| !(has_moves && matches!(word, Word::Tag(..)))) {
                let read = match word {
                    Word::Tag(name, value) if name.eq_ignore_ascii_case("FEN") => {
                        has_tags = true;
                        Position::from_fen(value).map_err(RecordErrorKind::from).map(|start| {
                            position = start.clone();
                            game.start = start;
                        })
                    }
                    Word::Tag(name, value) => {
                        has_tags = true;
                        if name.eq_ignore_ascii_case("Result") {
                            game.result = GameResult::read(value).unwrap_or(game.result);
                        }
                        Ok(())
                    }
                    Word::Open(sign) => Err(RecordErrorKind::Open(sign)),
                    Word::Plain(text) => {
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
                        read(&position, text).map_err(RecordErrorKind::from).map(|mv| {
                            position.make(mv, &mut ());
                            game.moves.push(mv);
                        })
                    }
                };
                if let (Err(why), None) = (read, &game.error) {
                    game.error = Some(RecordError { location: Location::Line(line), why });
                }
            }
            // Words without tags or a move are no game: greetings of a program, say.
            let is_other = matches!(
                &game.error,
                None | Some(RecordError { why: RecordErrorKind::Move(NotationError::NoMove(_)), .. })
            );
            if has_tags || !game.moves.is_empty() || !is_other {
                return Some(game);
            }
        }
    })
}

/// A word without the number of the move before it. The federation's `33.4` is a move all the same.
fn without_number(word: &str) -> &str {
    let is_pawn = |word: &[u8]| matches!(*word, [a, b, b'.', c] if a == b && c.is_ascii_digit() && a.is_ascii_digit());
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = after.trim_start_matches(['.', '。', '．', '…', '、']);
    if is_pawn(word.as_bytes()) || after.len() == rest.len() && !after.is_empty() { word } else { rest }
}

/// What a text is made of, comments, variations and annotations left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word<'a> {
    /// `[name "value"]`
    Tag(&'a str, &'a str),
    /// Anything else.
    Plain(&'a str),
    /// What this begins has no end.
    Open(char),
}

/// The words of a text, each with its line.
struct Words<'a> {
    rest: &'a str,
    line: usize,
    /// Whether `rest` begins where a line does.
    is_line_start: bool,
}

impl<'a> Words<'a> {
    /// Takes so many bytes.
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

    /// Takes a comment, or a variation with all that is in it; false if it has no end before the tags of the next game.
    fn pass_over(&mut self) -> bool {
        let (mut depth, mut in_comment) = (0, false);
        loop {
            self.take_until(|c| if in_comment { "}[".contains(c) } else { "{()[".contains(c) });
            match self.rest.chars().next() {
                Some('[')
                    if self.is_line_start
                        && self.tag_length().is_some_and(|length| self.rest[..length].contains('"')) =>
                {
                    return false;
                }
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

    /// How many bytes the tag takes that begins here: to the bracket after its value, which may hold others, on its line.
    fn tag_length(&self) -> Option<usize> {
        let mut quotes = 0;
        for (place, c) in self.rest.char_indices() {
            match c {
                '"' => quotes += 1,
                ']' if quotes == 0 || self.rest[..place].trim_end().ends_with('"') => return Some(place + 1),
                '\n' => return None,
                _ => {}
            }
        }
        None
    }

    fn tag(&mut self) -> Word<'a> {
        let Some(length) = self.tag_length() else {
            self.take_until(|c| c == '\n');
            return Word::Open('[');
        };
        let inside = self.take(length)[1..length - 1].trim();
        let (name, value) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        Word::Tag(name, value.trim().trim_matches('"'))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, Word<'a>);

    fn next(&mut self) -> Option<(usize, Word<'a>)> {
        loop {
            self.take_until(|c| !c.is_whitespace());
            let line = self.line;
            match self.rest.chars().next()? {
                '[' => return Some((line, self.tag())),
                sign @ ('{' | '(') => {
                    if !self.pass_over() {
                        return Some((line, Word::Open(sign)));
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
                    let word = self.take_until(|c| c.is_whitespace() || "{}();[".contains(c));
                    return Some((line, Word::Plain(word)));
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
    fn a_game_is_read_in_any_notation() {
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
    fn games_follow_one_another() {
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
    fn a_pawn_between_pawns_is_no_number() {
        let text = "[FEN \"3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1\"]\n33. 33.4! k4+1 34. 7+.6 1-0";
        assert_eq!(moves(&all(text)[0]), "g6f6 d9d8 c6d6");
    }

    #[test]
    fn what_has_no_end_ends_with_the_game() {
        for open in ["( 2. a3a4", "{ [not a tag] ( \n[nor this]"] {
            let text = format!("[Red \"a\"]\n1. h2e2 {open}\n\n[Red \"b\"]\n1. b2e2 (c) *\n");
            let games = all(&text);
            let found: Vec<(String, bool)> = games.iter().map(|game| (moves(game), game.error.is_some())).collect();
            assert_eq!(found, [("h2e2".to_string(), true), ("b2e2".to_string(), false)], "{text}");
        }
    }

    #[test]
    fn greetings_are_no_game() {
        let games = all("welcome\n[Red \"a\"]\n1. h2e2 1-0\n====== http://www.example.org/ ======\n");
        assert_eq!(games.len(), 1);
        assert!(games[0].error.is_none() && games[0].moves.len() == 1);
        assert_eq!(all("h2h7 1-0")[0].error.as_ref().unwrap().to_string(), "line 1: h2h7 is illegal");
    }

    #[test]
    fn brackets_and_blanks_are_allowed_in_tags() {
        for tag in ["[Red \"a [b] c\" ]", "[ Red  \"a\"]", "[Red \"\"\t]", "[Red]"] {
            let games = all(&format!("{tag}\n[Result \"1-0\"]\n1. h2e2 1-0\n"));
            assert!(games.len() == 1 && games[0].error.is_none() && games[0].moves.len() == 1, "{tag}");
        }
    }

    #[test]
    fn a_long_line_is_read_in_time() {
        let tags = "[a \"x\"]".repeat(200_000);
        assert_eq!(all(&format!("{tags}[FEN \"\"]")).len(), 1);
        assert!(all(&"[".repeat(200_000))[0].error.is_some());
    }

    #[test]
    fn chinese_encodings_are_told_apart() {
        let text = "[Red \"胡荣华\"]\n1. 炮二平五 马８进７ *";
        let (gbk, ..) = encoding_rs::GBK.encode(text);
        let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for bytes in [text.as_bytes(), &gbk, &utf16, format!("\u{feff}{text}").as_bytes()] {
            let text = decode(bytes);
            let games = all(&text);
            assert_eq!((games.len(), moves(&games[0]).as_str()), (1, "h2e2 h9g7"), "{text}");
        }
    }

    #[test]
    fn flaws_are_named_with_their_line_and_what_was_before_is_kept() {
        let text = "[Result \"1-0\"]\n1. C2.5 H8+7\n2. H2+9 R9.8\n1-0\n\n[FEN \"9/9 w\"]\n1. C2.5 *\n\n[Red \"a\"]\nh2e2 {no end\n";
        let games = all(text);
        assert_eq!(games.len(), 3);
        assert_eq!(moves(&games[0]), "h2e2 h9g7");
        assert_eq!(games[0].result, GameResult::Won(Color::Red));
        let illegal = RecordError { location: Location::Line(3), why: NotationError::Illegal("H2+9".into()).into() };
        assert_eq!(games[0].error, Some(illegal));
        let error = |game: &GameRecord| game.error.as_ref().unwrap().to_string();
        assert!(error(&games[1]).starts_with("line 6: ") && games[1].moves.is_empty());
        assert_eq!((error(&games[2]).as_str(), moves(&games[2]).as_str()), ("line 10: '{' has no end", "h2e2"));
    }

    /// Whatever text there is, reading ends, and every move read is legal.
    #[test]
    fn nonsense_is_survived() {
        use rand::{RngExt, SeedableRng};
        let good = "[Red \"\"]\n1. 炮二平五 H8+7 {a (b) c} ( d ) 2. h0g2 ; e\n[R \"1-0\"] 1/2-1/2 %\n";
        let mut chance = rand::rngs::SmallRng::seed_from_u64(1);
        let mut read = 0;
        for _ in 0..3_000 {
            let mut bytes = good.repeat(2).into_bytes();
            for _ in 0..chance.random_range(0..6) {
                let place = chance.random_range(0..bytes.len());
                bytes[place] = if chance.random() { chance.random() } else { b"[](){};%\" \n"[place % 11] };
            }
            for game in games(&decode(&bytes)) {
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
