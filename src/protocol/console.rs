//! The console: words for people and scripts, in any state.

use super::command::{Command, CommandError, Console, excerpt, number};
use crate::position::{Characters, Position};
use crate::tools::{bench, perft};
use std::fmt::Write;

/// Deepest perft that is begun: nobody can wait for one ply more.
const DEEPEST_PERFT: u64 = 10;
/// Deepest bench that is begun.
const DEEPEST_BENCH: u64 = 40;

/// What `help` prints.
pub const HELP: &str = "\
ucci                                      who is there, and the options
isready                                   answers readyok when all is done
setoption NAME [VALUE]                    set an option
position {fen FEN | startpos} [moves M…]  set up a game
banmoves M…                               moves that may not be played now
go [draw] [depth N] [nodes N] [time T [movestogo N | increment T]] [infinite]
                                          search; alone or infinite: until stop
go ponder time T …                        search in the opponent's time, until ponderhit or stop
stop                                      answer now
ponderhit [draw]                          the opponent made the expected move
probe {fen FEN | startpos} [moves M…]     what the hash table knows of a position
d, pos                                    the position in full
fen                                       the position as a FEN
moves                                     the legal moves
eval                                      the static evaluation, explained
perft N, go perft N                       leaves of the tree of legal moves, N plies deep, per move
do M…                                     make moves
undo [N]                                  take back a move, or N
bench [N]                                 the standard bench, to depth N
help                                      this
quit                                      end";

/// Reads a word of the console; `None` when the first word is none.
pub fn parse(first: &str, words: &[&str]) -> Option<Result<Command, CommandError>> {
    let console = match first {
        "d" | "pos" => Ok(Console::Show),
        "fen" => Ok(Console::Fen),
        "moves" => Ok(Console::Moves),
        "eval" => Ok(Console::Evaluate),
        "perft" => perft_depth("perft", words).map(Console::Perft),
        "do" if words.is_empty() => Err(CommandError::Missing { after: "do", wanted: "moves" }),
        "do" => Ok(Console::Do(words.iter().map(|&word| word.to_string()).collect())),
        "undo" => count("undo", words, usize::MAX as u64).map(|count| Console::Undo(count.unwrap_or(1) as usize)),
        "bench" => count("bench", words, DEEPEST_BENCH)
            .map(|depth| Console::Bench(depth.map_or(bench::DEFAULT_DEPTH, |depth| depth as u32))),
        "help" => Ok(Console::Help),
        _ => return None,
    };
    Some(console.map(Command::Console))
}

/// The depth that follows `perft`.
///
/// # Errors
/// When it is missing, no number, or deeper than anybody can wait for.
pub fn perft_depth(after: &'static str, words: &[&str]) -> Result<usize, CommandError> {
    match count(after, words, DEEPEST_PERFT)? {
        Some(depth) => Ok(depth as usize),
        None => Err(CommandError::Missing { after, wanted: "a depth" }),
    }
}

/// A number up to `most` that may follow a word.
fn count(after: &'static str, words: &[&str], most: u64) -> Result<Option<u64>, CommandError> {
    let Some(&text) = words.first() else { return Ok(None) };
    match number(text) {
        Some(number) if number <= most => Ok(Some(number)),
        _ => Err(CommandError::Number { after, text: excerpt(text), wanted: "a number, not too great" }),
    }
}

/// The position in full, without a newline at the end.
pub fn show(position: &Position) -> String {
    let mut text = position.board_text(Characters::Letters);
    let _ = writeln!(text, "\nFen: {}\nKey: {:016X}", position.to_fen(), position.key());
    let _ = writeln!(text, "Side to move: {}", position.side());
    let state = match (position.in_check(), position.has_no_moves()) {
        (true, true) => "mated",
        (true, false) => "in check",
        (false, true) => "stalemated",
        (false, false) => "not in check",
    };
    let _ = write!(text, "State: {state}");
    text
}

/// The legal moves, in one line.
pub fn moves(position: &Position) -> String {
    let list = position.legal_moves();
    let mut text = format!("{} legal moves:", list.len());
    for mv in list.iter() {
        let _ = write!(text, " {mv}");
    }
    text
}

/// Leaves per move and in all, without a newline at the end.
pub fn perft(position: &Position, depth: usize) -> String {
    let mut text = String::new();
    let total = perft::divide(&mut position.clone(), depth, &mut |mv, leaves| {
        let _ = writeln!(text, "{mv}: {leaves}");
    });
    let _ = write!(text, "\nNodes searched: {total}");
    text
}

#[cfg(test)]
mod tests {
    use super::super::command::parse;
    use super::*;

    #[test]
    fn words_and_their_numbers_are_read() {
        let console = |text| parse(text).map(|command| command.unwrap());
        assert_eq!(console("d"), Ok(Command::Console(Console::Show)));
        assert_eq!(console("pos"), Ok(Command::Console(Console::Show)));
        assert_eq!(console("undo"), Ok(Command::Console(Console::Undo(1))));
        assert_eq!(console("undo 99999999999999999999"), Ok(Command::Console(Console::Undo(usize::MAX))));
        assert_eq!(console("perft 4"), Ok(Command::Console(Console::Perft(4))));
        assert!(matches!(console("perft"), Err(CommandError::Missing { .. })));
        assert!(matches!(console("perft 1000000"), Err(CommandError::Number { .. })));
        assert!(matches!(console("do"), Err(CommandError::Missing { .. })));
    }

    #[test]
    fn the_position_is_shown_with_its_state() {
        let text = show(&Position::start());
        assert!(text.contains("Fen: rnbakabnr/9/"));
        assert!(text.ends_with("Side to move: red\nState: not in check"));
        let mated = Position::from_fen("3k5/9/9/9/9/9/9/9/r8/r3K4 w").unwrap();
        assert!(show(&mated).ends_with("State: mated"), "{}", show(&mated));
        assert_eq!(moves(&mated), "0 legal moves:");
    }
}
