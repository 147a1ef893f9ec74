//! `chuhe review --exercises`: the positions before bad moves, one after the other; better moves are typed.

use super::error::{Failure, IoContext};
use super::review_text::{better_line, played_text};
use super::text_output;
use crate::analysis::review::ReviewedPosition;
use crate::analysis::review::class::MoveClass;
use crate::analysis::review::reason::Explanation;
use crate::display::board::{PieceSet, board_text};
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::games::encoding;
use crate::notation::{self, Notation};
use crate::types::{Color, Move};
use std::io::{self, BufRead, Write};

/// Names of the sides.
pub(super) const SIDES: &[(&str, &str, Color)] = &[("red", "", Color::Red), ("black", "", Color::Black)];

/// Names of the bad moves that are asked for from a class on.
pub(super) const CLASSES: &[(&str, &str, &[MoveClass])] = &[
    ("inaccuracy", "", &MoveClass::BAD),
    ("mistake", "", MoveClass::BAD.split_at(1).1),
    ("blunder", "", MoveClass::BAD.split_at(2).1),
];

/// The positions, with their indices, in which moves of these classes were played, by one side or by both.
pub(super) fn asked<'a>(
    positions: &'a [ReviewedPosition],
    side: Option<Color>,
    classes: &'a [MoveClass],
) -> impl Iterator<Item = (usize, &'a ReviewedPosition)> {
    let is_asked = move |it: &ReviewedPosition| {
        it.played.is_some_and(|played| classes.contains(&played.class))
            && side.is_none_or(|side| it.position.side() == side)
    };
    positions.iter().enumerate().filter(move |(_, it)| is_asked(it))
}

/// What is asked where a bad move was played.
pub(super) fn task(played: &str, side: Color, language: Language) -> String {
    language.pick(
        format!("{played} was played. A better move for {}?", language.side(side)),
        format!("实战走了 {played}。{}应走？", language.side(side)),
    )
}

/// Which exercises are set, and how they are shown.
pub(super) struct Exercises {
    side: Option<Color>,
    classes: &'static [MoveClass],
    notation: Notation,
    pieces: PieceSet,
    language: Language,
    asked: usize,
    found: usize,
    /// Whether the player wants no more.
    is_over: bool,
}

impl Exercises {
    /// The moves of these classes, of one side or of both.
    pub(super) fn new(
        side: Option<Color>,
        classes: &'static [MoveClass],
        notation: Notation,
        pieces: PieceSet,
        language: Language,
    ) -> Exercises {
        Exercises { side, classes, notation, pieces, language, asked: 0, found: 0, is_over: false }
    }

    /// Whether the player wants no more.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Sets the exercises of a game and reads the answers.
    ///
    /// # Errors
    /// When the input cannot be read or the output cannot be written.
    pub(super) fn set(&mut self, positions: &[ReviewedPosition]) -> Result<(), Failure> {
        let asked: Vec<_> = asked(positions, self.side, self.classes).collect();
        for (number, &(index, reviewed)) in asked.iter().enumerate() {
            if !self.is_over {
                let played = played_text(index, &positions[0].position, reviewed, self.notation).unwrap_or_default();
                self.ask(reviewed, &played, &format!("{}/{}", number + 1, asked.len()))?;
            }
        }
        Ok(())
    }

    /// Prints how many were found at once.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        let (found, asked) = (self.found, self.asked);
        let text = match asked {
            0 if self.classes == MoveClass::BAD => {
                self.language.pick("no bad move to ask for".to_string(), "没有可作练习的坏着".to_string())
            }
            0 => self.language.pick(
                "no bad move to ask for; --least inaccuracy asks for lesser ones".to_string(),
                "没有可作练习的坏着；--least inaccuracy 也包括缓着".to_string(),
            ),
            _ => self.language.pick(
                format!("{found} of {asked} found at the first try"),
                format!("{asked}题中第一次就走对{found}题"),
            ),
        };
        Ok(writeln!(text_output::stdout(), "{text}")?)
    }

    fn ask(&mut self, reviewed: &ReviewedPosition, played: &str, number: &str) -> Result<(), Failure> {
        let (language, position, side) = (self.language, &reviewed.position, reviewed.position.side());
        let mut out = text_output::stdout();
        let task = format!("{number}{}{}", language.colon(), task(played, side, language));
        let how = language
            .pick("(a move; an empty line shows the answer, quit ends)", "（输入着法；空行看答案，“退出”结束）");
        writeln!(out, "{}{task} {how}", board_text(position, self.pieces, side))?;
        self.asked += 1;
        let mut is_first = true;
        loop {
            let mut line = Vec::new();
            out.flush()?;
            let read = io::stdin().lock().read_until(b'\n', &mut line);
            let length = read.reading("standard input")?;
            let line = encoding::decode(&line);
            let word = line.trim();
            self.is_over = length == 0 || matches!(word, "quit" | "exit" | "退出");
            if self.is_over || word.is_empty() {
                break;
            }
            let verdict = match notation::read(position, word) {
                Ok(mv) if position.is_legal(mv) => self.verdict(reviewed, mv),
                Ok(mv) => Err(notation::NotationError::Illegal(mv.to_string()).to_string()),
                Err(error) => Err(error.to_string()),
            };
            match verdict {
                Ok(text) => {
                    writeln!(out, "{text}")?;
                    self.found += usize::from(is_first);
                    break;
                }
                Err(text) => writeln!(out, "{}", Messages::new(language).text(&text))?,
            }
            is_first = false;
        }
        let told = |reason: &Explanation| reason.text(language, self.notation);
        let told = reviewed.reason.as_ref().map(told);
        let reason = told.map_or(String::new(), |reason| format!("{played}{}{reason}\n", language.colon()));
        let better = language.pick("better:", "应走：");
        Ok(writeln!(out, "{reason}{better} {}\n", better_line(reviewed, self.notation))?)
    }

    /// What is said of a right move, or of another one.
    fn verdict(&self, reviewed: &ReviewedPosition, mv: Move) -> Result<String, String> {
        let text = |english: &str, chinese: &str| self.language.pick(english, chinese).to_string();
        let after = reviewed.position.after(mv);
        if reviewed.best.first() == Some(&mv) {
            Ok(text("Right: the engine's move.", "正确：就是引擎的着法。"))
        } else if reviewed.alternatives.iter().any(|it| it.mv == mv) {
            Ok(text("Right: about as good as the engine's move.", "正确：与引擎的着法差不多一样好。"))
        } else if after.has_no_moves() {
            Ok(text("Right: mate.", "正确：成杀。"))
        } else if reviewed.played.is_some_and(|played| played.mv == mv) {
            Err(text("That was played in the game. Another?", "这是实战的着法，请再试。"))
        } else {
            Err(text("Not among the best moves that the engine found. Another?", "不在引擎找到的好着之中，请再试。"))
        }
    }
}
