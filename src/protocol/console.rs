//! Texts of the console commands.

use super::dialect::Dialect;
use crate::display::board::{PieceSet, board_text};
use crate::display::count::count;
use crate::display::language::Language;
use crate::display::table_value::table_value;
use crate::display::verdict::verdict;
use crate::egtb::tables::Tables;
use crate::engine::Engine;
use crate::engine::options::DECLARATIONS;
use crate::eval::network::Kernel;
use crate::notation::{Notation, Ranks};
use crate::position::Position;
use crate::position::perft;
use crate::rules::game_status::{GameStatus, OCCURRENCES, judge};
use crate::rules::{Rules, occurrences};
use crate::types::Color;
use std::fmt::Write;

/// Output of `help`.
pub const HELP: &str = "\
To play: type moves (h2e2, C2.5 or 炮二平五), and `play` for the engine's move. `quit` ends the program.

newgame                                   begin a new game
M…                                        make moves; also do M…
play [depth N | nodes N | movetime T]     let the engine move
undo [N]                                  take back a move, or N
level N                                   strength, from 1 to 20
d, pos, board                             show the position
moves [iccs | wxf | chinese | traditional]
                                          list the legal moves
eval                                      show the static evaluation, its terms and the value of each piece
flip                                      exchange the sides
resign, draw                              end the game: the side to move resigns, or both agree to a draw
load FILE, save [--force] FILE            read the position from a .FEN file, or write it
fen                                       show the FEN of the position
xfen                                      show the position command that recreates the game
perft N, go perft N                       count the leaf nodes N plies deep, per root move
bench [N]                                 run the standard bench, to depth N
export_net FILE                           write the current network to a file
compiler                                  show the build target and instruction set extensions
help, ?                                   show this text
help options                              list the options
quit, exit                                end the program

ucci, uci, ucicyclone                     identify, list the options, answer in that protocol from now on
isready                                   answer readyok when everything before is done
setoption NAME [VALUE]                    set an option; also setoption name NAME [value VALUE]
position {fen FEN | startpos} [moves M…]  set up a game; also without the word position
banmoves M…                               exclude these moves at the root of the current position
go [draw] [depth N] [nodes N] [mate N] [movetime T] [searchmoves M…] [infinite]
   [time T [movestogo N | increment T]] [wtime T btime T winc T binc T]
                                          search; without limits or with infinite: until stop
go ponder time T …                        search in the opponent's time, until ponderhit or stop
stop                                      answer now
ponderhit [draw]                          the opponent played the expected move
probe {fen FEN | startpos} [moves M…]     show the hash table entry of a position
ucinewgame                                clear the hash table and the histories
debug [on | off]                          write more messages";

/// Result of `draw`.
pub const AGREED_DRAW: &str = "1/2-1/2 (draw agreed)";

/// Result of `resign` by `side`.
pub const fn resignation(side: Color) -> &'static str {
    match side {
        Color::Red => "0-1 (red resigns)",
        Color::Black => "1-0 (black resigns)",
    }
}

/// The board in letters and in Chinese characters, the FEN, and the status of the game by `rules`, and the value in the
/// endgame tables; `result`: that of `resign` or `draw`. Texts here lack the last newline.
pub fn show(position: &Position, rules: &Rules, tables: Option<&Tables>, result: Option<&str>) -> String {
    let mut text = board_text(position, PieceSet::Letters, Color::Red);
    let _ = write!(text, "\n{}", board_text(position, PieceSet::Traditional, Color::Red));
    let _ = writeln!(text, "\nFen: {}\nKey: {:016X}", position.to_fen(), position.key());
    let check = if position.in_check() { "yes" } else { "no" };
    let status = verdict(&judge(position, rules, OCCURRENCES), Language::English);
    let _ = writeln!(text, "Side to move: {}\nCheck: {check}\nStatus: {status}", position.side());
    let _ = writeln!(text, "Plies without a capture: {}", position.quiet_plies());
    let _ = writeln!(text, "Move number: {}", position.move_number());
    let _ = write!(text, "Occurrences of the position: {}", occurrences(position));
    if let Some(probe) = tables.and_then(|tables| tables.probe(position)) {
        let _ = write!(text, "\nEndgame table: {}", table_value(&probe, position.side(), Language::English));
    }
    if let Some(result) = result {
        let _ = write!(text, "\nResult: {result}");
    }
    text
}

/// The board in Chinese characters, and who is to move or how the game has ended: shown after moves.
pub fn board(engine: &Engine) -> String {
    let position = engine.position();
    let status = judge(position, &engine.options().rules, OCCURRENCES);
    let state = match status {
        GameStatus::Ongoing if position.in_check() => format!("{} to move, in check", position.side()),
        GameStatus::Ongoing => format!("{} to move", position.side()),
        ended => verdict(&ended, Language::English),
    };
    format!("{}{state}", board_text(position, PieceSet::Traditional, Color::Red))
}

/// The `position` line that recreates the game.
pub fn game(position: &Position, ranks: Ranks) -> String {
    let moves = position.last_moves(position.plies());
    let first = position.before(position.plies());
    let (fen, start) = (first.to_fen(), Position::start().to_fen());
    let mut text = if fen == start { "position startpos".to_string() } else { format!("position fen {fen}") };
    if !moves.is_empty() {
        text.push_str(" moves");
    }
    for mv in moves {
        let _ = write!(text, " {}", ranks.write(mv));
    }
    text
}

/// The options as a table: name, type with default and range, meaning.
pub fn options(dialect: Dialect) -> String {
    let rows = DECLARATIONS.iter().filter_map(|option| {
        let name = match dialect {
            Dialect::Ucci => option.ucci,
            Dialect::Uci => option.uci,
        };
        Some(format!("{:<16} {:<44} {}", name?, option.kind.to_string(), option.meaning))
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// The legal moves in one line; `ranks` of those in coordinates.
pub fn moves(position: &Position, notation: Notation, ranks: Ranks) -> String {
    let list = position.legal_moves();
    let mut text = count(list.len(), "legal move") + ":";
    for mv in list.iter() {
        let _ = match notation {
            Notation::Iccs => write!(text, " {}", ranks.write(mv)),
            notation => write!(text, " {}", notation.write(position, mv)),
        };
    }
    text
}

/// Leaf nodes per root move and in total; stops early when `goes_on` is false.
pub fn perft(position: &Position, ranks: Ranks, depth: usize, goes_on: &impl Fn() -> bool) -> String {
    let mut text = String::new();
    let total = perft::divide(&mut position.clone(), depth, goes_on, &mut |mv, leaves| {
        // The count that was interrupted is not shown.
        if goes_on() {
            let _ = writeln!(text, "{}: {leaves}", ranks.write(mv));
        }
    });
    let _ = if goes_on() {
        write!(text, "\nNodes searched: {total}")
    } else {
        write!(text, "\nStopped: not all nodes were counted")
    };
    text
}

/// Version, build target and instruction set extensions.
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
        "ChuHe {}, Rust {} or newer, for {} on {} with {}; network kernel {}{}",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_RUST_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if features.is_empty() { "no extensions".to_string() } else { features.join(", ") },
        Kernel::best().name,
        if cfg!(debug_assertions) { "; debug assertions on (slow)" } else { "" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_is_shown_with_its_status() {
        let text = show(&Position::start(), &Rules::default(), None, None);
        assert!(text.contains("\nFen: rnbakabnr/9/"));
        assert!(text.ends_with("Side to move: red\nCheck: no\nStatus: ongoing\nPlies without a capture: 0\nMove number: 1\nOccurrences of the position: 1"));
        for pieces in ["帥仕相傌俥炮兵", "將士象馬車砲卒"] {
            assert!(pieces.chars().all(|piece| text.contains(piece)), "{pieces}");
        }
        let mated = Position::from_fen("3k5/9/9/9/9/9/9/9/r8/r3K4 w").unwrap();
        assert!(show(&mated, &Rules::default(), None, None).contains("Check: yes\nStatus: black wins: checkmate\n"));
        assert_eq!(moves(&mated, Notation::Wxf, Ranks::FromZero), "0 legal moves:");
        assert!(show(&mated, &Rules::default(), None, Some(AGREED_DRAW)).ends_with("\nResult: 1/2-1/2 (draw agreed)"));
    }
}
