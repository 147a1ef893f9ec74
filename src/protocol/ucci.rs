//! What is said in UCCI, the Universal Chinese Chess Protocol 3.0.

use crate::types::Bound;

use super::format::{join, wdl_text};
use crate::book::cloud_answer;
use crate::engine::offers::Offer;
use crate::engine::openings::{BookAnswer, Source, Suggestion};
use crate::engine::options::{self, OptionType};
use crate::engine::{Answer, UCCI_POINT};
use crate::search::report::{Iteration, Line, Report};
use crate::search::transposition::Entry;
use crate::types::Move;
use crate::types::score::{Score, plies_to_mate};
use std::fmt::Write;

/// A mate at once, in UCCI's units.
const MATE: Score = 10_000;
/// The greatest score that is no mate, in UCCI's units.
const MAX_SCORE: Score = 8_999;
/// Moves of a line that are shown: some clients read no more than about 1 kB a line.
const MAX_PV_MOVES: usize = 59;

/// The answer to `ucci`.
pub fn greeting() -> String {
    let mut text = String::from("id name ChuHe\n");
    let _ = writeln!(text, "id version {}", env!("CARGO_PKG_VERSION"));
    text.push_str("id copyright 2026 the ChuHe developers\nid author the ChuHe developers\nid user anybody\n");
    for option in options::TABLE {
        let Some(name) = option.ucci else { continue };
        let _ = write!(text, "option {name} type ");
        let _ = match &option.kind {
            OptionType::Check { default, .. } => writeln!(text, "check default {default}"),
            OptionType::Spin { min, max, default, .. } => writeln!(text, "spin min {min} max {max} default {default}"),
            OptionType::Combo { values } => {
                writeln!(
                    text,
                    "combo var {} default {}",
                    join(values.iter().map(|value| value.0), " var "),
                    values[0].0
                )
            }
            OptionType::Text { .. } => writeln!(text, "string"),
            OptionType::Button { .. } => writeln!(text, "button"),
        };
    }
    #[cfg(feature = "tuning")]
    for tunable in crate::search::tunables::Tunables::ALL {
        let _ = writeln!(
            text,
            "option {} type spin min {} max {} default {}",
            tunable.name, tunable.min, tunable.max, tunable.value
        );
    }
    text.push_str("ucciok");
    text
}

/// A score in UCCI's units.
pub fn score(score: Score) -> Score {
    match plies_to_mate(score) {
        Some(plies) => score.signum() * (MATE - plies as Score),
        None => (score / UCCI_POINT).clamp(-MAX_SCORE, MAX_SCORE),
    }
}

/// The lines of a report.
pub fn report(report: &Report, show_wdl: bool) -> Option<String> {
    match report {
        Report::Iteration(iteration) => self::iteration(iteration, show_wdl),
        Report::CurrentMove { mv, number, .. } => Some(format!("info currmove {mv} currmovenumber {number}")),
        Report::Waiting => None,
    }
}

/// UCCI has no words for bounds: a best line that failed low is no news yet, and one that failed high is shown as the
/// line to play. Nor has it any for several lines: the best comes last, where clients that know of one only look.
fn iteration(iteration: &Iteration, show_wdl: bool) -> Option<String> {
    let best = iteration.lines.first().filter(|line| line.bound != Bound::Upper)?;
    let mut text = String::new();
    for (index, line) in iteration.lines.iter().enumerate().rev() {
        let Line { score: value, depth, pv, .. } = line;
        let _ = write!(text, "info depth {depth}");
        if iteration.lines.len() > 1 {
            let _ = write!(text, " multipv {}", index + 1);
        }
        let _ = write!(text, " score {}", score(*value));
        if !pv.is_empty() {
            let _ = write!(text, " pv {}", join(pv.iter().take(MAX_PV_MOVES), " "));
        }
        text.push('\n');
    }
    let Iteration { nodes, elapsed, hashfull, .. } = iteration;
    let (speed, time) = (iteration.speed(), elapsed.as_millis());
    let _ = write!(text, "info time {time} nodes {nodes} nps {speed} hashfull {hashfull}");
    if show_wdl {
        text.push_str(&wdl_text(best.score));
    }
    Some(text)
}

/// The lines that answer a `go`.
pub fn answer(answer: Answer) -> String {
    match answer {
        Answer::NoMove => "nobestmove".to_string(),
        Answer::Evaluation(value) => format!("info depth 0 score {}\nnobestmove", score(value)),
        Answer::Book(BookAnswer { source, known, best, ponder }) => {
            let line = |found: &Suggestion| {
                let worth = match source {
                    Source::Book => found.worth,
                    Source::Cloud => cloud_score(found.worth),
                };
                format!("info depth 0 score {worth} pv {}", found.mv)
            };
            join(known.iter().map(line).chain([best_move(best, ponder)]), "\n")
        }
        Answer::Move { best, ponder, offer } => {
            let mut text = best_move(best, ponder);
            text.push_str(match offer {
                Some(Offer::Draw) => " draw",
                Some(Offer::Resign) => " resign",
                None => "",
            });
            text
        }
    }
}

/// A score of the cloud book as one of UCCI's: mates count down from 10,000 instead of from its greatest score.
fn cloud_score(score: i32) -> i32 {
    let plies = cloud_answer::MAX_SCORE - score.abs();
    if plies < MATE { score.signum() * (MATE - plies) } else { score }
}

/// The move to play, and the reply expected.
pub fn best_move(best: Move, ponder: Option<Move>) -> String {
    match ponder {
        Some(ponder) => format!("bestmove {best} ponder {ponder}"),
        None => format!("bestmove {best}"),
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
    use super::super::command::{Command, parse};
    use super::super::dialect::Dialect;
    use super::*;
    use crate::position::piece_value;
    use crate::types::score::{mate_in, mated_in};
    use crate::types::{Move, PieceType};
    use std::time::Duration;

    #[test]
    fn every_option_announced_can_be_set() {
        let greeting = greeting();
        let options: Vec<&str> = greeting.lines().filter_map(|line| line.strip_prefix("option ")).collect();
        assert_eq!(options.len(), options::TABLE.iter().filter(|option| option.ucci.is_some()).count());
        for option in options {
            let name = option.split(' ').next().unwrap();
            let value = option.split_once("default ").map_or("", |(_, value)| value);
            let line = format!("setoption {name} {value}");
            assert!(matches!(parse(&line, Dialect::Ucci), Ok(Some(Command::Set(_)))), "{option}");
        }
        assert!(greeting.ends_with("\nucciok"));
    }

    #[test]
    fn knights_and_cannons_are_about_a_hundred_and_mates_count_plies() {
        for man in [PieceType::Knight, PieceType::Cannon] {
            assert!((90..=110).contains(&score(piece_value(man))), "{man:?}");
        }
        assert_eq!([score(400), score(-403), score(3), score(-3)], [100, -100, 0, 0]);
        assert_eq!([score(mate_in(1)), score(mated_in(0)), score(mated_in(6))], [9_999, -10_000, -9_994]);
        assert!(score(30_000) <= 8_999 && score(-30_000) >= -8_999);
    }

    fn iteration(lines: Vec<Line>) -> Report {
        let elapsed = Duration::from_millis(2);
        Report::Iteration(Iteration { selective_depth: 12, lines, nodes: 3_000, elapsed, hashfull: 4 })
    }

    #[test]
    fn reports_put_the_line_last_and_keep_it_short() {
        let mv: Move = "h2e2".parse().unwrap();
        let line = Line { score: 41, bound: Bound::Exact, depth: 7, pv: vec![mv; 100] };
        let text = report(&iteration(vec![line.clone()]), false).unwrap();
        let (first, second) = text.split_once('\n').unwrap();
        assert!(first.starts_with("info depth 7 score 10 pv h2e2 h2e2") && first.matches("h2e2").count() < 60);
        assert_eq!(second, "info time 2 nodes 3000 nps 1500000 hashfull 4");
        let failed = Line { bound: Bound::Upper, ..line.clone() };
        assert_eq!(report(&iteration(vec![failed]), false), None);
        let current = Report::CurrentMove { mv, number: 3, elapsed: Duration::from_secs(4) };
        assert_eq!(report(&current, false).unwrap(), "info currmove h2e2 currmovenumber 3");
        let text = report(&iteration(vec![line.clone(), Line { score: -40, depth: 6, ..line }]), true).unwrap();
        let starts: Vec<&str> = text.lines().map(|line| &line[..32.min(line.len())]).collect();
        assert_eq!(
            starts[..2],
            ["info depth 6 multipv 2 score -10 ", "info depth 7 multipv 1 score 10 p"].map(|text| &text[..32])
        );
        assert!(text.lines().last().unwrap().contains(" wdl "));
    }

    #[test]
    fn answers_have_the_move_right_after_the_word() {
        let best: Move = "h2e2".parse().unwrap();
        let ponder = "h9g7".parse().ok();
        let text = |ponder, offer| answer(Answer::Move { best, ponder, offer });
        assert_eq!(text(None, None), "bestmove h2e2");
        assert_eq!(text(ponder, Some(Offer::Draw)), "bestmove h2e2 ponder h9g7 draw");
        assert_eq!(text(None, Some(Offer::Resign)), "bestmove h2e2 resign");
        assert_eq!(answer(Answer::NoMove), "nobestmove");
        assert_eq!(answer(Answer::Evaluation(-80)), "info depth 0 score -20\nnobestmove");
    }

    #[test]
    fn pophash_shows_the_bounds_it_has() {
        let entry = Entry { mv: "h2e2".parse().ok(), score: 80, depth: 9, bound: Bound::Exact, eval: None };
        assert_eq!(pophash(None), "pophash");
        assert_eq!(pophash(Some(entry)), "pophash bestmove h2e2 lowerbound 20 depth 9 upperbound 20 depth 9");
        assert_eq!(pophash(Some(Entry { bound: Bound::Lower, mv: None, ..entry })), "pophash lowerbound 20 depth 9");
        let upper = Entry { bound: Bound::Upper, ..entry };
        assert_eq!(pophash(Some(upper)), "pophash bestmove h2e2 upperbound 20 depth 9");
    }
}
