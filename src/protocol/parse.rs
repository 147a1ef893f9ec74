//! Reading what the protocols have in common: numbers, games, and what follows `go`.

use super::command::{Command, CommandError, Console};
use super::dialect::Dialect;
use crate::engine::game_setup::GameSetup;
use crate::engine::go::Go;
use crate::types::MAX_PLY;

/// Deepest perft that is begun: nobody can wait for one ply more.
const DEEPEST_PERFT: u64 = 10;

/// The beginning of a text, for an error message.
pub fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Reads a whole number as clients write them: what is negative counts as 0, what is too great as the greatest, and a
/// fraction is cut off.
pub fn number(text: &str) -> Option<u64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match digits.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => whole,
        _ => digits,
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if is_negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

/// A number up to `most` that may follow a word.
///
/// # Errors
/// When what follows is none, or greater.
pub fn count(after: &'static str, words: &[&str], most: u64) -> Result<Option<u64>, CommandError> {
    let Some(&text) = words.first() else { return Ok(None) };
    match number(text) {
        Some(number) if number <= most => Ok(Some(number)),
        Some(_) => Err(CommandError::Value { after, text: excerpt(text), wanted: format!("at most {most}") }),
        None => Err(CommandError::Value { after, text: excerpt(text), wanted: "a whole number".into() }),
    }
}

/// The depth that follows `perft`.
///
/// # Errors
/// When it is missing, no number, or deeper than anybody can wait for.
pub fn perft_depth(words: &[&str]) -> Result<usize, CommandError> {
    match count("perft", words, DEEPEST_PERFT)? {
        Some(depth) => Ok(depth as usize),
        None => Err(CommandError::Missing { after: "perft", wanted: "a depth" }),
    }
}

/// Words that are kept for later.
pub fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_string()).collect()
}

/// `{fen F | startpos} [moves …]`.
///
/// # Errors
/// When it is neither.
pub fn setup(after: &'static str, words: &[&str]) -> Result<GameSetup, CommandError> {
    GameSetup::read(&words.join(" ")).ok_or(CommandError::Missing { after, wanted: "fen or startpos" })
}

/// The words after `go`, those of either protocol, in any order. A word that wants a number and has none counts as
/// unknown.
///
/// The protocols differ in what a search without bounds is: UCCI's ends at a proven mate. In UCI `go` alone goes to the
/// greatest depth, `infinite` really is, and there is no `depth 0`.
///
/// # Errors
/// When it is a perft without a depth.
pub fn go(words: &[&str], dialect: Dialect) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut lists_moves = false;
    let mut rest = words;
    while let Some((&word, after)) = rest.split_first() {
        rest = after;
        // The list of moves ends at a word that means something here.
        let is_listed = std::mem::take(&mut lists_moves);
        match word {
            "perft" => return Ok(Command::Console(Console::Perft(perft_depth(after)?))),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "draw" => go.draw = true,
            "searchmoves" => lists_moves = true,
            _ => match (target(&mut go, word), after.first().and_then(|text| number(text))) {
                (Some(target), Some(number)) => {
                    *target = Some(number);
                    rest = &after[1..];
                }
                _ if is_listed => {
                    go.search_moves.push(word.to_string());
                    lists_moves = true;
                }
                _ => go.unknown.push(excerpt(word)),
            },
        }
    }
    if dialect == Dialect::Uci {
        if !go.is_bounded() && !go.infinite && !go.ponder {
            go.depth = Some(MAX_PLY as u64);
        }
        go.depth = go.depth.map(|depth| depth.max(1));
        go.waits = go.infinite;
    }
    Ok(Command::Go(Box::new(go)))
}

/// Where the number after `word` goes.
fn target<'a>(go: &'a mut Go, word: &str) -> Option<&'a mut Option<u64>> {
    let [red, black] = &mut go.sides;
    Some(match word {
        "depth" => &mut go.depth,
        "nodes" => &mut go.nodes,
        "mate" => &mut go.mate,
        "movetime" => &mut go.move_time,
        "time" => &mut go.own.time,
        "increment" => &mut go.own.increment,
        "movestogo" => &mut go.own.moves_to_go,
        "opptime" => &mut go.opponent.time,
        "oppincrement" => &mut go.opponent.increment,
        "oppmovestogo" => &mut go.opponent.moves_to_go,
        "wtime" => &mut red.time,
        "winc" => &mut red.increment,
        "btime" => &mut black.time,
        "binc" => &mut black.increment,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::go::Times;

    fn read(text: &str, dialect: Dialect) -> Go {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        match go(&words, dialect) {
            Ok(Command::Go(go)) => *go,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn times(time: u64, increment: u64) -> Times {
        Times { time: Some(time), increment: Some(increment), moves_to_go: None }
    }

    #[test]
    fn numbers_saturate() {
        assert_eq!(number("17"), Some(17));
        assert_eq!(number("+17"), Some(17));
        assert_eq!(number("-17"), Some(0));
        assert_eq!(number("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(number("-99999999999999999999999"), Some(0));
        assert_eq!(number("1500.75"), Some(1500));
        for bad in ["", "-", "+", ".", ".5", "1e5", "x", "1x", "--1", "1.5.2", "１"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn go_reads_its_words_in_any_order() {
        let expected = Go { own: times(60_000, 500), opponent: times(1, 2), draw: true, ..Go::default() };
        for text in [
            "draw time 60000 increment 500 opptime 1 oppincrement 2",
            "oppincrement 2 increment 500 opptime 1 time 60000 draw",
        ] {
            assert_eq!(read(text, Dialect::Ucci), expected);
        }
        let own = Times { time: Some(0), moves_to_go: Some(u64::MAX), increment: None };
        let expected = Go { own, ponder: true, ..Go::default() };
        assert_eq!(read("ponder time -5 movestogo 99999999999999999999", Dialect::Ucci), expected);
        let unknown = ["depth", "deep", "blue", "nodes"].map(String::from).to_vec();
        let expected = Go { own: Times { time: Some(5), ..Times::default() }, unknown, ..Go::default() };
        assert_eq!(read("depth deep blue time 5 nodes", Dialect::Ucci), expected);
        assert_eq!(go(&["perft", "3"], Dialect::Uci), Ok(Command::Console(Console::Perft(3))));
        let expected = Go {
            sides: [times(1, 2), times(3, 4)],
            search_moves: vec!["h2e2".into(), "b2e2".into()],
            move_time: Some(9),
            ..Go::default()
        };
        let text = "searchmoves h2e2 b2e2 wtime 1 winc 2 btime 3 binc 4 movetime 9";
        assert_eq!(read(text, Dialect::Uci), expected);
        // What is not a move is for the engine to complain of, and does not end the list.
        let search_moves = ["castles", "h2e2", "7"].map(String::from).to_vec();
        let expected = Go { search_moves, depth: Some(3), ..Go::default() };
        assert_eq!(read("searchmoves castles h2e2 7 depth 3", Dialect::Uci), expected);
    }

    #[test]
    fn a_search_without_bounds_is_what_the_protocol_says() {
        assert_eq!(read("", Dialect::Ucci), Go::default());
        assert_eq!(read("", Dialect::Uci), Go { depth: Some(MAX_PLY as u64), ..Go::default() });
        let infinite = Go { infinite: true, ..Go::default() };
        assert_eq!(read("infinite", Dialect::Ucci), infinite);
        assert_eq!(read("infinite", Dialect::Uci), Go { waits: true, ..infinite });
        assert_eq!(read("depth 0", Dialect::Ucci).depth, Some(0));
        assert_eq!(read("depth 0", Dialect::Uci).depth, Some(1));
        assert_eq!(read("ponder", Dialect::Uci).depth, None);
    }
}
