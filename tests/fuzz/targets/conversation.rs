//! Whole conversations with an engine: every search is answered once, by a legal move, and every line is text.

use chuhe::engine::Engine;
use chuhe::notation;
use chuhe::position::{Position, Variant};
use chuhe::protocol;
use chuhe::protocol::command::{Command, ConsoleCommand};
use chuhe::protocol::dialect::Dialect;
use chuhe::protocol::parse::parse;
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Most lines of a conversation, and most nodes of a search.
const MAX_LINES: usize = 40;
const NODES: usize = 200;

/// Checks the text as a client's lines. What would touch files or the network, use much memory or take long is left out,
/// and searches get a limit.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut script = String::from("setoption hashsize 1\nsetoption usebook false\nsetoption useegtb false\n");
    let (mut dialect, mut searches, mut stops) = (Dialect::default(), 0, 0);
    for line in text.split('\n').take(MAX_LINES) {
        let command = parse(line, dialect);
        match &command {
            Ok(Some(Command::Console(ConsoleCommand::Bench(_) | ConsoleCommand::Load(_)))) => continue,
            Ok(Some(Command::Console(ConsoleCommand::Save(_) | ConsoleCommand::ExportNetwork(_)))) => continue,
            Ok(Some(Command::Console(ConsoleCommand::Perft(2..)))) => continue,
            Ok(Some(Command::Set(_))) if !is_harmless(line) => continue,
            Ok(Some(Command::Greet(greeted))) => dialect = *greeted,
            Ok(Some(Command::Go(_))) => {
                // The position that the answer is about.
                script.push_str(&format!("fen\n{line} nodes {NODES}\n"));
                searches += 1;
                continue;
            }
            Ok(Some(Command::Console(ConsoleCommand::Play(_)))) => {
                script.push_str("fen\nplay nodes 20\n");
                searches += 1;
                continue;
            }
            Ok(Some(Command::Quit)) => break,
            Ok(Some(Command::Stop)) => stops += 1,
            _ => {}
        }
        script.push_str(line);
        script.push('\n');
    }
    let output = Shared::default();
    protocol::run(Engine::new(), Cursor::new(script.clone()), output.clone()).expect("memory can be written to");
    let output = output.0.lock().unwrap_or_else(PoisonError::into_inner);
    let output = str::from_utf8(&output).expect("lines are UTF-8");
    let (mut position, mut answers) = (None, 0);
    for line in output.lines() {
        assert!(line.len() < 2_000 && !line.contains(|letter: char| letter.is_control() && letter != '\t'), "{line:?}");
        answers += usize::from(line.starts_with("bestmove ") || line == "nobestmove");
        if line.contains('/') && line.ends_with(|letter: char| letter.is_ascii_digit()) {
            position = Position::from_fen(line).ok().or(position);
        }
        let Some(mv) = line.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next()) else { continue };
        if let Some(position) = &position {
            let is_legal = [Variant::Standard, Variant::Promotion].iter().any(|&variant| {
                let mut position = position.clone();
                position.set_variant(variant);
                notation::read(&position, mv).is_ok() || position.count_legal() == 0
            });
            assert!(is_legal || mv == "(none)" || mv == "0000", "{line} in {}:\n{script}\n{output}", position.to_fen());
        }
    }
    assert!((searches..=searches + stops).contains(&answers), "{answers} to {searches}, {stops}:\n{script}\n{output}");
}

/// Whether the line sets an option that neither touches files or the network nor uses much memory.
fn is_harmless(line: &str) -> bool {
    let lower_case = line.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower_case.contains(word));
    let is_large = lower_case.bytes().filter(u8::is_ascii_digit).count() > 1;
    let touches_more = has(&["book", "egtb", "eval", "cloud", "file", "path", "log", "batch", "millisec"]);
    let is_costly = is_large && has(&["hash", "threads", "level", "elo"]);
    !touches_more && !is_costly
}

/// Lines written by the engine's threads.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
