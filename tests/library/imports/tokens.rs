//! A lexer for Rust source: identifiers, `::` and punctuation, without comments and the contents of literals.

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Identifier(String),
    PathSeparator,
    Punctuation(char),
    /// A number, string or character.
    Literal,
}

/// A token and its line, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub line: usize,
}

impl Token {
    pub fn identifier(&self) -> Option<&str> {
        match &self.kind {
            Kind::Identifier(name) => Some(name),
            _ => None,
        }
    }

    pub fn is(&self, punctuation: char) -> bool {
        self.kind == Kind::Punctuation(punctuation)
    }
}

/// The tokens of a file.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text: text.chars().collect(), at: 0, line: 1 };
    std::iter::from_fn(|| lexer.next()).collect()
}

struct Lexer {
    text: Vec<char>,
    at: usize,
    line: usize,
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.text.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.line += (self.peek(0) == '\n') as usize;
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        if self.is_at_end() {
            return None;
        }
        let line = self.line;
        Some(Token { kind: self.kind(), line })
    }

    fn skip_blanks(&mut self) {
        while !self.is_at_end() {
            match (self.peek(0), self.peek(1)) {
                ('/', '/') => {
                    while !self.is_at_end() && self.peek(0) != '\n' {
                        self.skip(1);
                    }
                }
                ('/', '*') => self.skip_block_comment(),
                (letter, _) if letter.is_whitespace() => self.skip(1),
                _ => return,
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0;
        while !self.is_at_end() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.skip(1);
                    continue;
                }
            }
            self.skip(2);
            if depth == 0 {
                return;
            }
        }
    }

    fn kind(&mut self) -> Kind {
        let letter = self.peek(0);
        match letter {
            '"' => self.string(),
            '\'' => self.character_or_lifetime(),
            ':' if self.peek(1) == ':' => {
                self.skip(2);
                Kind::PathSeparator
            }
            _ if letter.is_ascii_digit() => {
                self.word();
                Kind::Literal
            }
            _ if is_word(letter) => self.identifier_or_prefixed_literal(),
            _ => {
                self.skip(1);
                Kind::Punctuation(letter)
            }
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while is_word(self.peek(0)) {
            self.skip(1);
        }
        self.text[start..self.at].iter().collect()
    }

    /// An identifier, raw or not, or a literal with a prefix: `b'a'`, `b"…"`, `r#"…"#`.
    fn identifier_or_prefixed_literal(&mut self) -> Kind {
        let word = self.word();
        let is_raw_prefix = matches!(word.as_str(), "r" | "br" | "cr");
        match self.peek(0) {
            '"' if is_raw_prefix => self.raw_string(),
            '"' if matches!(word.as_str(), "b" | "c") => self.string(),
            '\'' if word == "b" => self.character_or_lifetime(),
            '#' if is_raw_prefix && matches!(self.peek(1), '#' | '"') => self.raw_string(),
            '#' if word == "r" && is_word(self.peek(1)) => {
                self.skip(1);
                Kind::Identifier(self.word())
            }
            _ => Kind::Identifier(word),
        }
    }

    fn string(&mut self) -> Kind {
        self.skip(1);
        while !self.is_at_end() && self.peek(0) != '"' {
            self.skip(if self.peek(0) == '\\' { 2 } else { 1 });
        }
        self.skip(1);
        Kind::Literal
    }

    fn raw_string(&mut self) -> Kind {
        let mut hashes = 0;
        while self.peek(0) == '#' {
            hashes += 1;
            self.skip(1);
        }
        self.skip(1);
        while !self.is_at_end() {
            let is_end = self.peek(0) == '"' && (1..=hashes).all(|n| self.peek(n) == '#');
            self.skip(1);
            if is_end {
                self.skip(hashes);
                break;
            }
        }
        Kind::Literal
    }

    /// `'a'` and `'\n'` are characters, `'a` is a lifetime; neither matters.
    fn character_or_lifetime(&mut self) -> Kind {
        if self.peek(1) == '\\' {
            self.skip(3);
            while !self.is_at_end() && self.peek(0) != '\'' {
                self.skip(1);
            }
            self.skip(1);
        } else if self.peek(2) == '\'' {
            self.skip(3);
        } else {
            self.skip(1);
            self.word();
        }
        Kind::Literal
    }
}
