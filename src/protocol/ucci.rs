//! UCCI, the Universal Chinese Chess Protocol 3.0: words of its clients to commands, reports and answers to its lines.

use super::command::{Command, CommandError, Console, excerpt, number};
use super::console::perft_depth;
use crate::engine::Answer;
use crate::engine::courtesy::Courtesy;
use crate::engine::go::Go;
use crate::engine::options::{self, Kind};
use crate::engine::setup::Setup;
use crate::search::report::{Bound, Iteration, Report};
use crate::search::transposition::Entry;
use crate::tools::bench::per_second;
use crate::types::score::{Score, plies_to_mate};
use std::fmt::Write;

/// Engine units to one of UCCI's, in which a knight or a cannon is about 100.
const UNITS: Score = 4;
/// A mate at once, in UCCI's units.
const MATE: Score = 10_000;
/// The greatest score that is no mate, in UCCI's units.
const MOST: Score = 8_999;
/// Moves of a line that are shown: some clients read no more than about 1 kB a line.
const LONGEST_LINE: usize = 59;

/// Reads a command of UCCI; `None` when its first word is none of UCCI's.
pub fn parse(first: &str, words: &[&str]) -> Option<Result<Command, CommandError>> {
    Some(match first {
        "ucci" => Ok(Command::Greet),
        "isready" => Ok(Command::IsReady),
        "setoption" => parse_option(words),
        "position" => parse_setup("position", words).map(Command::Position),
        "banmoves" => Ok(Command::Ban(owned(words))),
        "go" => parse_go(words),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit { draw: words.contains(&"draw") }),
        "probe" => parse_setup("probe", words).map(Command::Probe),
        "quit" => Ok(Command::Quit),
        _ => return None,
    })
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_string()).collect()
}

fn parse_option(words: &[&str]) -> Result<Command, CommandError> {
    let (name, value) = words.split_first().ok_or(CommandError::Missing { after: "setoption", wanted: "a name" })?;
    Ok(Command::Set(options::read(name, &value.join(" "))?))
}

/// `{fen F | startpos} [moves …]`. All words up to `moves` go to the FEN: it knows which of them it needs.
fn parse_setup(after: &'static str, words: &[&str]) -> Result<Setup, CommandError> {
    let missing = CommandError::Missing { after, wanted: "fen or startpos" };
    let (first, rest) = words.split_first().ok_or_else(|| missing.clone())?;
    let end = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
    let fen = match *first {
        "fen" => Some(rest[..end].join(" ")),
        "startpos" => None,
        _ => return Err(missing),
    };
    Ok(Setup { fen, moves: owned(rest.get(end + 1..).unwrap_or_default()) })
}

/// The words after `go`, in any order. A word that wants a number and has none counts as unknown.
fn parse_go(words: &[&str]) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut rest = words;
    while let Some((&word, after)) = rest.split_first() {
        rest = after;
        let given = after.first().and_then(|text| number(text));
        let target = match word {
            "perft" => return Ok(Command::Console(Console::Perft(perft_depth("perft", after)?))),
            "infinite" => {
                go.infinite = true;
                continue;
            }
            "ponder" => {
                go.ponder = true;
                continue;
            }
            "draw" => {
                go.draw = true;
                continue;
            }
            "depth" => &mut go.depth,
            "nodes" => &mut go.nodes,
            "time" => &mut go.time,
            "movestogo" => &mut go.moves_to_go,
            "increment" => &mut go.increment,
            // The opponent's clock changes nothing yet.
            "opptime" | "oppmovestogo" | "oppincrement" => &mut None,
            _ => {
                go.unknown.push(excerpt(word));
                continue;
            }
        };
        if given.is_some() {
            *target = given;
            rest = &after[1..];
        } else {
            go.unknown.push(excerpt(word));
        }
    }
    Ok(Command::Go(go))
}

/// The answer to `ucci`, without a newline at the end.
pub fn greeting() -> String {
    let mut text = String::from("id name ChuHe\n");
    let _ = writeln!(text, "id version {}", env!("CARGO_PKG_VERSION"));
    text.push_str("id copyright 2026 the ChuHe developers\nid author the ChuHe developers\nid user anybody\n");
    for option in options::TABLE {
        let _ = write!(text, "option {} type ", option.ucci);
        let _ = match option.kind {
            Kind::Check { default, .. } => writeln!(text, "check default {default}"),
            Kind::Spin { min, max, default, .. } => writeln!(text, "spin min {min} max {max} default {default}"),
            Kind::Button { .. } => writeln!(text, "button"),
        };
    }
    text.push_str("ucciok");
    text
}

/// A score in UCCI's units.
pub fn score(score: Score) -> Score {
    match plies_to_mate(score) {
        Some(plies) => score.signum() * (MATE - plies as Score),
        None => (score / UNITS).clamp(-MOST, MOST),
    }
}

/// Whether UCCI can say this. It has no bounds: a first move that failed low is no news yet, and one that failed high
/// is shown as the move to play.
pub fn has_words_for(report: &Report) -> bool {
    !matches!(report, Report::Iteration(Iteration { bound: Bound::Upper, .. }))
}

/// The lines of a report, without a newline at the end.
pub fn report(report: &Report) -> String {
    match report {
        Report::Iteration(iteration) => self::iteration(iteration),
        Report::CurrentMove { mv, number } => format!("info currmove {mv} currmovenumber {number}"),
    }
}

fn iteration(iteration: &Iteration) -> String {
    let mut text = format!("info depth {} score {}", iteration.depth, score(iteration.score));
    if !iteration.pv.is_empty() {
        text.push_str(" pv");
    }
    for mv in iteration.pv.iter().take(LONGEST_LINE) {
        let _ = write!(text, " {mv}");
    }
    let speed = per_second(iteration.nodes, iteration.elapsed);
    let _ = write!(text, "\ninfo time {} nodes {} nps {speed}", iteration.elapsed.as_millis(), iteration.nodes);
    text
}

/// The lines that answer a `go`, without a newline at the end.
pub fn answer(answer: Answer) -> String {
    match answer {
        Answer::NoMove => "nobestmove".to_string(),
        Answer::Evaluation(value) => format!("info depth 0 score {}\nnobestmove", score(value)),
        Answer::Move { best, ponder, courtesy } => {
            let mut text = format!("bestmove {best}");
            if let Some(ponder) = ponder {
                let _ = write!(text, " ponder {ponder}");
            }
            text.push_str(match courtesy {
                Some(Courtesy::Draw) => " draw",
                Some(Courtesy::Resign) => " resign",
                None => "",
            });
            text
        }
    }
}

/// The answer to `probe`, given what the table knows.
pub fn pophash(entry: Option<Entry>) -> String {
    let mut text = String::from("pophash");
    let Some(entry) = entry else { return text };
    if let Some(mv) = entry.mv {
        let _ = write!(text, " bestmove {mv}");
    }
    let value = score(entry.score);
    if entry.bound != Bound::Upper {
        let _ = write!(text, " lowerbound {value} depth {}", entry.depth);
    }
    if entry.bound != Bound::Lower {
        let _ = write!(text, " upperbound {value} depth {}", entry.depth);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::command::parse;
    use super::*;
    use crate::types::Move;
    use crate::types::score::{mate_in, mated_in};
    use std::time::Duration;

    fn go(text: &str) -> Go {
        match parse(text) {
            Ok(Some(Command::Go(go))) => go,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn go_reads_its_words_in_any_order() {
        let expected = Go { time: Some(60_000), increment: Some(500), draw: true, ..Go::default() };
        assert_eq!(go("go draw time 60000 increment 500 opptime 1 oppincrement 2"), expected);
        assert_eq!(go("go oppincrement 2 increment 500 opptime 1 time 60000 draw"), expected);
        assert_eq!(go("go"), Go::default());
        let expected = Go { time: Some(0), moves_to_go: Some(u64::MAX), ponder: true, ..Go::default() };
        assert_eq!(go("go ponder time -5 movestogo 99999999999999999999"), expected);
        let unknown = ["depth", "deep", "blue", "nodes"].map(String::from).to_vec();
        assert_eq!(go("go depth deep blue time 5 nodes"), Go { time: Some(5), unknown, ..Go::default() });
        assert_eq!(parse("go perft 3"), Ok(Some(Command::Console(Console::Perft(3)))));
    }

    #[test]
    fn positions_are_fen_or_start_and_moves() {
        let setup = |fen: Option<&str>, moves: &[&str]| {
            Ok(Some(Command::Position(Setup { fen: fen.map(String::from), moves: owned(moves) })))
        };
        assert_eq!(parse("position startpos"), setup(None, &[]));
        assert_eq!(parse("position startpos moves h2e2  h9g7\r"), setup(None, &["h2e2", "h9g7"]));
        assert_eq!(parse("position fen X w - - 0 4 ;A34.. - 1 moves a0a1"), {
            setup(Some("X w - - 0 4 ;A34.. - 1"), &["a0a1"])
        });
        assert_eq!(parse("position fen"), setup(Some(""), &[]));
        for bad in ["position", "position moves h2e2", "position kiwipete"] {
            assert!(matches!(parse(bad), Err(CommandError::Missing { after: "position", .. })), "{bad}");
        }
    }

    #[test]
    fn every_option_announced_can_be_set() {
        let greeting = greeting();
        let options: Vec<&str> = greeting.lines().filter_map(|line| line.strip_prefix("option ")).collect();
        assert_eq!(options.len(), options::TABLE.len());
        for option in options {
            let name = option.split(' ').next().unwrap();
            let value = option.split_once("default ").map_or("", |(_, value)| value);
            assert!(matches!(parse(&format!("setoption {name} {value}")), Ok(Some(Command::Set(_)))), "{option}");
        }
        assert!(greeting.ends_with("\nucciok"));
    }

    #[test]
    fn scores_are_a_quarter_and_mates_count_plies() {
        assert_eq!([score(400), score(-403), score(3), score(-3)], [100, -100, 0, 0]);
        assert_eq!([score(mate_in(1)), score(mated_in(0)), score(mated_in(6))], [9_999, -10_000, -9_994]);
        assert!(score(30_000) <= 8_999 && score(-30_000) >= -8_999);
    }

    #[test]
    fn reports_put_the_line_last_and_keep_it_short() {
        let mv: Move = "h2e2".parse().unwrap();
        let iteration = Iteration {
            depth: 7,
            selective_depth: 12,
            score: 41,
            bound: Bound::Exact,
            pv: vec![mv; 100],
            nodes: 3_000,
            elapsed: Duration::from_millis(2),
            hashfull: 0,
        };
        let text = report(&Report::Iteration(iteration.clone()));
        let (first, second) = text.split_once('\n').unwrap();
        assert!(first.starts_with("info depth 7 score 10 pv h2e2 h2e2") && first.matches("h2e2").count() < 60);
        assert_eq!(second, "info time 2 nodes 3000 nps 1500000");
        assert!(!has_words_for(&Report::Iteration(Iteration { bound: Bound::Upper, ..iteration })));
        let current = Report::CurrentMove { mv, number: 3 };
        assert_eq!(report(&current), "info currmove h2e2 currmovenumber 3");
    }

    #[test]
    fn answers_have_the_move_right_after_the_word() {
        let best: Move = "h2e2".parse().unwrap();
        let ponder = "h9g7".parse().ok();
        let text = |ponder, courtesy| answer(Answer::Move { best, ponder, courtesy });
        assert_eq!(text(None, None), "bestmove h2e2");
        assert_eq!(text(ponder, Some(Courtesy::Draw)), "bestmove h2e2 ponder h9g7 draw");
        assert_eq!(text(None, Some(Courtesy::Resign)), "bestmove h2e2 resign");
        assert_eq!(answer(Answer::NoMove), "nobestmove");
        assert_eq!(answer(Answer::Evaluation(-80)), "info depth 0 score -20\nnobestmove");
    }

    #[test]
    fn pophash_shows_the_bounds_it_has() {
        let entry = Entry { mv: "h2e2".parse().ok(), score: 80, depth: 9, bound: Bound::Exact };
        assert_eq!(pophash(None), "pophash");
        assert_eq!(pophash(Some(entry)), "pophash bestmove h2e2 lowerbound 20 depth 9 upperbound 20 depth 9");
        assert_eq!(pophash(Some(Entry { bound: Bound::Lower, mv: None, ..entry })), "pophash lowerbound 20 depth 9");
        let upper = Entry { bound: Bound::Upper, ..entry };
        assert_eq!(pophash(Some(upper)), "pophash bestmove h2e2 upperbound 20 depth 9");
    }
}
