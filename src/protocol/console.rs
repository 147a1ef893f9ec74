//! The console: words for people and scripts, in any state.

use super::command::{CommandError, Console};
use super::parse::{count, excerpt, owned, perft_depth};
use crate::display;
use crate::display::board::{Characters, board_text};
use crate::display::verdict::{Language, verdict};
use crate::engine::{Engine, UCCI_POINT};
use crate::eval::network::Kernel;
use crate::notation::Notation;
use crate::position::Position;
use crate::rules::Rules;
use crate::rules::game_status::status;
use crate::tools::{bench, perft};
use crate::types::Color;
use std::fmt::Write;

/// Deepest bench that is begun.
const DEEPEST_BENCH: u64 = 40;

/// What `help` prints.
pub const HELP: &str = "\
ucci, uci                                 who is there, and the options; answers are in that protocol from now on
isready                                   answers readyok when all is done
setoption NAME [VALUE]                    set an option; UCI's way works as well
position {fen FEN | startpos} [moves M…]  set up a game
banmoves M…                               moves that may not be played now
go [draw] [depth N] [nodes N] [mate N] [movetime T] [searchmoves M…] [infinite]
   [time T [movestogo N | increment T]] [wtime T btime T winc T binc T]
                                          search; alone or infinite: until stop
go ponder time T …                        search in the opponent's time, until ponderhit or stop
stop                                      answer now
ponderhit [draw]                          the opponent made the expected move
probe {fen FEN | startpos} [moves M…]     what the hash table knows of a position
ucinewgame                                forget the last game
debug [on | off]                          say more
d, pos                                    the position in full
fen                                       the position as a FEN
xfen                                      the position line that recreates the game
moves [iccs | wxf | chinese | traditional]
                                          the legal moves
eval                                      the static evaluation, explained
perft N, go perft N                       leaves of the tree of legal moves, N plies deep, per move
do M…                                     make moves (h2e2, C2.5 or 炮二平五, as everywhere)
undo [N]                                  take back a move, or N
flip                                      exchange the sides
resign, draw                              end the game: the side to move gives up, or both agree
export_net FILE                           write the network that evaluates to a file
bench [N]                                 the standard bench, to depth N
compiler                                  what this program was built for
help                                      this
quit                                      end";

/// How often a position may occur, the last time of which ends the game.
const OCCURRENCES: usize = 3;

/// What is said when the players agree to a draw.
pub const AGREED_DRAW: &str = "1/2-1/2 (draw agreed)";

/// What is said when `side` resigns.
pub const fn resignation(side: Color) -> &'static str {
    match side {
        Color::Red => "0-1 (red resigns)",
        Color::Black => "1-0 (black resigns)",
    }
}

/// Reads a word of the console; `None` when the first word is none.
pub fn parse(first: &str, words: &[&str]) -> Option<Result<Console, CommandError>> {
    Some(match first {
        "d" | "pos" => Ok(Console::Show),
        "fen" => Ok(Console::Fen),
        "xfen" => Ok(Console::Game),
        "moves" => notation(words).map(Console::Moves),
        "eval" => Ok(Console::Evaluate),
        "perft" => perft_depth(words).map(Console::Perft),
        "do" if words.is_empty() => Err(CommandError::Missing { after: "do", wanted: "moves" }),
        "do" => Ok(Console::Do(owned(words))),
        "undo" => count("undo", words, usize::MAX as u64).map(|count| Console::Undo(count.unwrap_or(1) as usize)),
        "flip" => Ok(Console::Flip),
        "resign" => Ok(Console::Resign),
        "draw" => Ok(Console::Draw),
        "bench" => count("bench", words, DEEPEST_BENCH)
            .map(|depth| Console::Bench(depth.map_or(bench::DEFAULT_DEPTH, |depth| depth as u32))),
        "export_net" if words.is_empty() => Err(CommandError::Missing { after: "export_net", wanted: "a file name" }),
        "export_net" => Ok(Console::ExportNetwork(words.join(" ").into())),
        "compiler" => Ok(Console::Compiler),
        "help" => Ok(Console::Help),
        _ => return None,
    })
}

/// The position in full, in letters and in characters, and how the game stands by `rules`; `result`: how the players
/// ended it. Texts here lack the newline at the end.
pub fn show(position: &Position, rules: &Rules, result: Option<&str>) -> String {
    let mut text = board_text(position, Characters::Letters);
    let _ = write!(text, "\n{}", board_text(position, Characters::Chinese));
    let _ = writeln!(text, "\nFen: {}\nKey: {:016X}", position.to_fen(), position.key());
    let check = if position.in_check() { "yes" } else { "no" };
    let status = verdict(&status(position, rules, OCCURRENCES), Language::English);
    let _ = writeln!(text, "Side to move: {}\nCheck: {check}\nStatus: {status}", position.side());
    let _ = write!(text, "Plies without a capture: {}", position.quiet_plies());
    if let Some(result) = result {
        let _ = write!(text, "\nResult: {result}");
    }
    text
}

/// The `position` line that recreates the game.
pub fn game(position: &Position) -> String {
    let moves: Vec<_> = position.history().rev().filter_map(|past| past.mv).collect();
    let mut first = position.clone();
    while first.plies() > 0 {
        first.undo(&mut ());
    }
    let mut text = format!("position fen {}", first.to_fen());
    if !moves.is_empty() {
        text.push_str(" moves");
    }
    for mv in moves {
        let _ = write!(text, " {mv}");
    }
    text
}

/// The legal moves, in one line.
pub fn moves(position: &Position, notation: Notation) -> String {
    let list = position.legal_moves();
    let mut text = format!("{} legal moves:", list.len());
    for mv in list.iter() {
        let _ = write!(text, " {}", notation.write(position, mv));
    }
    text
}

/// The notation named after `moves`: coordinates unless another is.
fn notation(words: &[&str]) -> Result<Notation, CommandError> {
    let Some(&text) = words.first() else { return Ok(Notation::Iccs) };
    let names = || Notation::NAMES.map(|(name, _)| name).join(", ");
    Notation::named(text).ok_or_else(|| CommandError::Value {
        after: "moves",
        text: excerpt(text),
        wanted: format!("one of {}", names()),
    })
}

/// The evaluation of the present position: its parts, and what they come to for the side to move.
pub fn evaluation(engine: &Engine) -> String {
    let score = engine.evaluate();
    let points = score / UCCI_POINT;
    format!(
        "{}for {}: {score} engine units, {points} UCCI points",
        display::evaluation::evaluation(&engine.eval_terms()),
        engine.position().side()
    )
}

/// Leaves per move and in all, as far as they were counted while `goes_on`.
pub fn perft(position: &Position, depth: usize, goes_on: &impl Fn() -> bool) -> String {
    let mut text = String::new();
    let total = perft::divide(&mut position.clone(), depth, goes_on, &mut |mv, leaves| {
        let _ = writeln!(text, "{mv}: {leaves}");
    });
    let stopped = if goes_on() { "" } else { " (stopped)" };
    let _ = write!(text, "\nNodes searched: {total}{stopped}");
    text
}

/// What this program was built for.
pub fn compiler() -> String {
    let features: Vec<&str> = [
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("neon", cfg!(target_feature = "neon")),
    ]
    .into_iter()
    .filter_map(|(name, has)| has.then_some(name))
    .collect();
    format!(
        "ChuHe {}, Rust {} or newer, for {} on {} with {}; the network is worked out with {}{}",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_RUST_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if features.is_empty() { "no extensions".to_string() } else { features.join(", ") },
        Kernel::best().name,
        if cfg!(debug_assertions) { "; every move is checked, slowly" } else { "" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_numbers_are_read() {
        let console = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            parse(words[0], &words[1..]).unwrap()
        };
        assert_eq!(console("d"), Ok(Console::Show));
        assert_eq!(console("pos"), Ok(Console::Show));
        assert_eq!(console("undo"), Ok(Console::Undo(1)));
        assert_eq!(console("undo 99999999999999999999"), Ok(Console::Undo(usize::MAX)));
        assert_eq!(console("perft 4"), Ok(Console::Perft(4)));
        assert!(matches!(console("perft"), Err(CommandError::Missing { .. })));
        assert!(matches!(console("perft 1000000"), Err(CommandError::Value { .. })));
        assert!(matches!(console("do"), Err(CommandError::Missing { .. })));
    }

    #[test]
    fn the_position_is_shown_with_its_state() {
        let text = show(&Position::start(), &Rules::default(), None);
        assert!(text.contains("\nFen: rnbakabnr/9/"));
        assert!(text.ends_with("Side to move: red\nCheck: no\nStatus: ongoing\nPlies without a capture: 0"));
        for pieces in ["帥仕相馬車炮兵", "將士象马车砲卒"] {
            assert!(pieces.chars().all(|man| text.contains(man)), "{pieces}");
        }
        let mated = Position::from_fen("3k5/9/9/9/9/9/9/9/r8/r3K4 w").unwrap();
        assert!(show(&mated, &Rules::default(), None).contains("Check: yes\nStatus: black wins: checkmate\n"));
        assert_eq!(moves(&mated, Notation::Wxf), "0 legal moves:");
        assert!(show(&mated, &Rules::default(), Some(AGREED_DRAW)).ends_with("\nResult: 1/2-1/2 (draw agreed)"));
    }
}
