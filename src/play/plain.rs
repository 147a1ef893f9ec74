//! The user interface in lines, for scripts, screen readers and terminals without a screen.

use super::clock::time_text;
use super::command::{self, Command};
use super::game::Ending;
use super::help;
use super::session::Session;
use crate::display::board::board_text;
use crate::display::verdict::Language;
use crate::engine::level;
use crate::games::encoding;
use crate::position::Position;
use crate::types::{Color, Move, PieceType};
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

/// Pause between two looks at the engine and the clock.
const TICK: Duration = Duration::from_millis(20);

/// Plays until the input ends or the player quits. The engine's answer to the last line is awaited.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub fn run(session: &mut Session, input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut plain = Plain { session, output, shown: None, is_flipped: false };
    plain.wait()?;
    for line in input.split(b'\n') {
        let line = line?;
        let line = encoding::decode(&line);
        let position = plain.session.position();
        match command::read(&line, position, level::FULL) {
            None => continue,
            Some(Ok(Command::Quit)) => break,
            Some(Ok(command)) => plain.execute(command)?,
            Some(Err(error)) => plain.session.notify(&error),
        }
        plain.wait()?;
    }
    Ok(())
}

/// The interface and what it has shown.
struct Plain<'a, W> {
    session: &'a mut Session,
    output: &'a mut W,
    /// FEN of the start, moves and ending of the game shown last.
    shown: Option<(String, Vec<Move>, Option<Ending>)>,
    is_flipped: bool,
}

impl<W: Write> Plain<'_, W> {
    fn execute(&mut self, command: Command) -> io::Result<()> {
        let language = self.session.settings().language;
        match command {
            Command::Flip => {
                self.is_flipped = !self.is_flipped;
                self.board()
            }
            Command::Board => self.board(),
            Command::Pieces => writeln!(self.output, "{}", pieces(self.session.position(), language)),
            Command::Help => write!(self.output, "{}", help::text(language)),
            // A hint has both.
            Command::Eval => {
                self.session.execute(Command::Hint);
                Ok(())
            }
            command => {
                self.session.execute(command);
                Ok(())
            }
        }
    }

    /// Waits until a person is to move, and tells what happened.
    fn wait(&mut self) -> io::Result<()> {
        let mut is_new = false;
        loop {
            self.session.poll();
            for notice in self.session.take_notices() {
                writeln!(self.output, "{notice}")?;
            }
            let game = self.session.game();
            let game = (game.start().to_fen(), game.moves(), game.ending().cloned());
            if self.shown.as_ref() != Some(&game) {
                is_new = true;
                let before = match self.shown.take() {
                    Some((start, moves, _)) if start == game.0 => {
                        moves.iter().zip(&game.1).take_while(|(old, new)| old == new).count()
                    }
                    _ => game.1.len(),
                };
                self.moves_after(before)?;
                self.shown = Some(game);
            }
            if !self.session.is_waiting() {
                return if is_new { self.board() } else { self.output.flush() };
            }
            thread::sleep(TICK);
        }
    }

    /// Writes the moves after the first `shown` ones.
    fn moves_after(&mut self, shown: usize) -> io::Result<()> {
        let settings = self.session.settings();
        let game = self.session.game();
        let (start, moves) = (game.start(), game.moves());
        let texts = settings.notation.write_line(&start, &moves);
        let mut side = start.side();
        for (number, (mv, text)) in moves.iter().zip(texts).enumerate() {
            if number >= shown {
                let coordinates = Some(mv.to_string()).filter(|coordinates| *coordinates != text);
                let coordinates = coordinates.map_or(String::new(), |coordinates| format!(" ({coordinates})"));
                writeln!(self.output, "{} {text}{coordinates}", settings.language.side(side))?;
            }
            side = side.other();
        }
        self.output.flush()
    }

    /// Writes the board, the clock, and who is to move or how the game ended.
    fn board(&mut self) -> io::Result<()> {
        let settings = self.session.settings();
        let language = settings.language;
        let game = self.session.game();
        let bottom = if self.is_flipped { Color::Black } else { Color::Red };
        write!(self.output, "{}", board_text(game.position(), settings.pieces, bottom))?;
        if let Some(clock) = self.session.clock() {
            let times = Color::ALL.map(|side| format!("{} {}", language.side(side), time_text(clock.left(side))));
            writeln!(self.output, "{}", times.join(", "))?;
        }
        writeln!(self.output, "{}", game.status_text(language))?;
        self.output.flush()
    }
}

/// The pieces of both sides and their squares, as one sentence a side.
fn pieces(position: &Position, language: Language) -> String {
    let side = |color: Color| {
        let kinds = PieceType::ALL.into_iter().filter_map(|kind| {
            let of_kind = position.pieces().filter(|(piece, _)| (piece.color(), piece.piece_type()) == (color, kind));
            let mut piece = None;
            let squares: Vec<String> = of_kind
                .map(|(found, square)| {
                    piece = Some(found);
                    square.to_string()
                })
                .collect();
            Some(format!("{} {}", language.piece(piece?), squares.join(" ")))
        });
        let kinds: Vec<String> = kinds.collect();
        format!("{}{}{}", language.side(color), language.colon(), kinds.join(language.pick(", ", "，")))
    };
    Color::ALL.map(side).join("\n")
}
