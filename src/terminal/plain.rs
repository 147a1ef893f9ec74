//! The user interface in lines, for scripts, screen readers and terminals without a screen.

use super::clock::time_text;
use super::command::Command;
use super::session::Session;
use crate::display::board::board_text;
use crate::display::language::Language;
use crate::games::encoding;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType};
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

/// Pause between two looks at the engine and the clock.
const TICK: Duration = Duration::from_millis(20);

/// Plays until the input ends or the player quits. The engine's answer to the last line is awaited.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub(crate) fn run(session: &mut Session, input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let moves = session.game.record().moves();
    let mut plain = Plain { session, output, turns: 0, moves, needs_board: false };
    plain.wait()?;
    for line in input.split(b'\n') {
        let line = encoding::decode(&line?).into_owned();
        match plain.session.read(&line) {
            Some(Command::Quit) => break,
            Some(command) => plain.execute(command)?,
            None => {}
        }
        plain.wait()?;
    }
    Ok(())
}

/// The interface and what it has shown.
struct Plain<'a, W> {
    session: &'a mut Session,
    output: &'a mut W,
    /// Turns and moves of the game shown last.
    turns: u32,
    moves: Vec<Move>,
    /// Whether the board is to be shown.
    needs_board: bool,
}

impl<W: Write> Plain<'_, W> {
    fn execute(&mut self, command: Command) -> io::Result<()> {
        self.needs_board = matches!(command, Command::Board | Command::Flip);
        match command {
            Command::Pieces => {
                let language = self.session.settings.language;
                writeln!(self.output, "{}", pieces(self.session.position(), language))?;
            }
            Command::Help => write!(self.output, "{}", self.session.help())?,
            // A hint has both.
            Command::Eval => self.session.execute(Command::Hint),
            command => self.session.execute(command),
        }
        Ok(())
    }

    /// Waits until a person is to move, and tells what happened.
    fn wait(&mut self) -> io::Result<()> {
        loop {
            self.session.poll();
            for notice in self.session.take_notices() {
                writeln!(self.output, "{notice}")?;
            }
            if self.turns != self.session.turns {
                (self.turns, self.needs_board) = (self.session.turns, true);
                self.write_new_moves()?;
            }
            if !self.session.is_waiting() {
                break;
            }
            thread::sleep(TICK);
        }
        if std::mem::take(&mut self.needs_board) {
            self.write_board()?;
        }
        self.output.flush()
    }

    /// Writes the moves after those that have been shown.
    fn write_new_moves(&mut self) -> io::Result<()> {
        let (settings, record) = (&self.session.settings, self.session.game.record());
        let (start, moves) = (&record.start, record.moves());
        let texts = settings.notation.write_line(start, &moves);
        let shown = self.moves.iter().zip(&moves).take_while(|(old, new)| old == new).count();
        for (ply, text) in texts.iter().enumerate().skip(shown) {
            let side = settings.language.side(if ply % 2 == 0 { start.side() } else { !start.side() });
            let coordinates = moves[ply].to_string();
            match coordinates == *text {
                true => writeln!(self.output, "{side} {text}")?,
                false => writeln!(self.output, "{side} {text} ({coordinates})")?,
            }
        }
        self.moves = moves;
        self.output.flush()
    }

    /// Writes the board, the clock, and who is to move or how the game ended.
    fn write_board(&mut self) -> io::Result<()> {
        let settings = &self.session.settings;
        let language = settings.language;
        write!(self.output, "{}", board_text(self.session.position(), settings.pieces, settings.bottom))?;
        if let Some(clock) = &self.session.game.clock {
            let times = Color::ALL.map(|side| format!("{} {}", language.side(side), time_text(clock.left(side))));
            writeln!(self.output, "{}", times.join(", "))?;
        }
        writeln!(self.output, "{}", self.session.game.status_text(language))
    }
}

/// The pieces of both sides and their squares, as one sentence a side.
fn pieces(position: &Position, language: Language) -> String {
    let of_piece = |piece: Piece| {
        let found = position.pieces().filter(|(other, _)| *other == piece);
        let squares: Vec<String> = found.map(|(_, square)| square.to_string()).collect();
        (!squares.is_empty()).then(|| format!("{} {}", language.piece(piece), squares.join(" ")))
    };
    let of_side = |side| {
        let kinds = PieceType::ALL.into_iter().filter_map(|kind| of_piece(Piece::new(side, kind)));
        let kinds: Vec<String> = kinds.collect();
        format!("{}{}{}", language.side(side), language.colon(), kinds.join(language.pick(", ", "，")))
    };
    Color::ALL.map(of_side).join("\n")
}
