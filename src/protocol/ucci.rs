//! Texts of UCCI, the Universal Chinese Chess Protocol 3.0.

use super::format::{Format, join, wdl_text};
use crate::display::units::{ucci_cloud_score, ucci_score};
use crate::engine::Answer;
use crate::engine::offers::Offer;
use crate::engine::openings::Source;
use crate::engine::options::{self, OptionType};
use crate::notation::Ranks;
use crate::search::report::{Iteration, Line, Report};
use crate::search::transposition::Entry;
use crate::types::Bound;
use std::fmt::Write;

/// Maximum moves of a PV that are written: some clients read at most about 1 kB a line.
const MAX_PV_MOVES: usize = 59;

/// The reply to `ucci`.
pub(crate) fn greeting() -> String {
    let mut text = String::from("id name ChuHe\n");
    let _ = writeln!(text, "id version {}", env!("CARGO_PKG_VERSION"));
    text.push_str("id copyright 2026 the ChuHe developers\nid author the ChuHe developers\nid user anybody\n");
    for option in options::DECLARATIONS {
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
            OptionType::Button => writeln!(text, "button"),
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

/// The lines of a report.
pub(crate) fn report(report: &Report, format: Format) -> Option<String> {
    match report {
        Report::Iteration(iteration) => self::iteration(iteration, format),
        Report::CurrentMove { mv, number, .. } => Some(format.current_move(*mv, *number)),
        Report::NoMate { .. } | Report::Waiting => None,
    }
}

/// UCCI has no `lowerbound` and `upperbound`: a best line that failed low is not shown, one that failed high is shown
/// as exact. It has no `multipv` either: the best line comes last, for clients that keep only the last one.
///
/// Classic clients look for `depth`, `score` and `pv` in one line and for the rest anywhere; newer ones, and XBoard's
/// adapter uci2wb, want nodes and speed in the line of the `pv`. So all is in one line, which begins as UCCI has it and
/// ends with the `pv`.
fn iteration(iteration: &Iteration, format: Format) -> Option<String> {
    iteration.lines.first().filter(|line| line.bound != Bound::Upper)?;
    let Iteration { nodes, elapsed, hashfull, .. } = iteration;
    let (speed, time) = (iteration.speed(), elapsed.as_millis());
    let line = |(index, line): (usize, &Line)| {
        let Line { score, depth, pv, .. } = line;
        let mut text = format!("info depth {depth}");
        if iteration.lines.len() > 1 {
            let _ = write!(text, " multipv {}", index + 1);
        }
        let _ = write!(text, " score {}", ucci_score(*score));
        if format.show_wdl {
            text.push_str(&wdl_text(*score));
        }
        let _ = write!(text, " time {time} nodes {nodes} nps {speed} hashfull {hashfull}");
        if !pv.is_empty() {
            let _ = write!(text, " pv {}", format.line(pv.iter().take(MAX_PV_MOVES)));
        }
        text
    };
    Some(join(iteration.lines.iter().enumerate().rev().map(line), "\n"))
}

/// The lines that answer a `go`.
pub(crate) fn answer(answer: Answer, format: Format) -> String {
    match answer {
        Answer::NoMove | Answer::Refused => "nobestmove".to_string(),
        Answer::Evaluation(score) => format!("info depth 0 score {}\nnobestmove", ucci_score(score)),
        Answer::Book(book, evaluation) => {
            let score = match book.source {
                Source::Book => ucci_score(evaluation),
                Source::Cloud => ucci_cloud_score(book.worth()),
            };
            let line = format!("info depth 0 score {score} pv {}", format.book_line(&book));
            let known = format.book_moves(&book).map(|text| format!("info message {text}"));
            join(known.chain([line, format.best_move(book.best, book.ponder)]), "\n")
        }
        Answer::Move { best, ponder, offer } => {
            let mut text = format.best_move(best, ponder);
            text.push_str(match offer {
                Some(Offer::Draw) => " draw",
                Some(Offer::Resign) => " resign",
                None => "",
            });
            text
        }
    }
}

/// The reply to `probe`, given the hash table entry.
pub(crate) fn pophash(entry: Option<Entry>, ranks: Ranks) -> String {
    let mut text = String::from("pophash");
    let Some(entry) = entry else { return text };
    if let Some(mv) = entry.mv {
        let _ = write!(text, " bestmove {}", ranks.write(mv));
    }
    let value = ucci_score(entry.score);
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
    use super::super::command::Command;
    use super::super::dialect::Dialect;
    use super::super::parse::parse;
    use super::*;
    use crate::types::Move;
    use std::time::Duration;

    #[test]
    fn every_announced_option_can_be_set() {
        let greeting = greeting();
        let options: Vec<&str> = greeting.lines().filter_map(|line| line.strip_prefix("option ")).collect();
        assert_eq!(options.len(), options::DECLARATIONS.iter().filter(|option| option.ucci.is_some()).count());
        for option in options {
            let name = option.split(' ').next().unwrap();
            let value = option.split_once("default ").map_or("", |(_, value)| value);
            let line = format!("setoption {name} {value}");
            assert!(matches!(parse(&line, Dialect::Ucci), Ok(Some(Command::Set(_)))), "{option}");
        }
        assert!(greeting.ends_with("\nucciok"));
    }

    fn iteration(lines: Vec<Line>) -> Report {
        let elapsed = Duration::from_millis(2);
        Report::Iteration(Iteration { selective_depth: 12, lines, nodes: 3_000, tb_hits: 0, elapsed, hashfull: 4 })
    }

    #[test]
    fn pv_comes_last_in_the_line_and_is_cut() {
        let mv: Move = "h2e2".parse().unwrap();
        let line = Line { score: 41, bound: Bound::Exact, depth: 7, pv: vec![mv; 100] };
        let text = report(&iteration(vec![line.clone()]), Format::default()).unwrap();
        let start = "info depth 7 score 10 time 2 nodes 3000 nps 1500000 hashfull 4 pv h2e2 h2e2";
        assert!(text.starts_with(start) && text.matches("h2e2").count() < 60 && !text.contains('\n'), "{text}");
        let failed = Line { bound: Bound::Upper, ..line.clone() };
        assert_eq!(report(&iteration(vec![failed]), Format::default()), None);
        let current = Report::CurrentMove { mv, number: 3, elapsed: Duration::from_secs(4) };
        assert_eq!(report(&current, Format::default()).unwrap(), "info currmove h2e2 currmovenumber 3");
        let text = report(
            &iteration(vec![line.clone(), Line { score: -40, depth: 6, ..line }]),
            Format { show_wdl: true, ..Format::default() },
        )
        .unwrap();
        let starts: Vec<&str> = text.lines().map(|line| &line[..32.min(line.len())]).collect();
        assert_eq!(
            starts[..2],
            ["info depth 6 multipv 2 score -10 ", "info depth 7 multipv 1 score 10 p"].map(|text| &text[..32])
        );
        assert!(text.lines().all(|line| line.contains(" wdl ")));
    }

    #[test]
    fn move_follows_directly_after_bestmove() {
        let best: Move = "h2e2".parse().unwrap();
        let ponder = "h9g7".parse().ok();
        let text = |ponder, offer| answer(Answer::Move { best, ponder, offer }, Format::default());
        assert_eq!(text(None, None), "bestmove h2e2");
        assert_eq!(text(ponder, Some(Offer::Draw)), "bestmove h2e2 ponder h9g7 draw");
        assert_eq!(text(None, Some(Offer::Resign)), "bestmove h2e2 resign");
        assert_eq!(answer(Answer::NoMove, Format::default()), "nobestmove");
        assert_eq!(answer(Answer::Evaluation(-80), Format::default()), "info depth 0 score -20\nnobestmove");
    }

    #[test]
    fn pophash_shows_the_bounds_of_the_entry() {
        let entry =
            Entry { mv: "h2e2".parse().ok(), score: 80, depth: 9, bound: Bound::Exact, eval: None, was_pv: false };
        assert_eq!(pophash(None, Ranks::FromZero), "pophash");
        assert_eq!(
            pophash(Some(entry), Ranks::FromZero),
            "pophash bestmove h2e2 lowerbound 20 depth 9 upperbound 20 depth 9"
        );
        assert_eq!(
            pophash(Some(Entry { bound: Bound::Lower, mv: None, ..entry }), Ranks::FromZero),
            "pophash lowerbound 20 depth 9"
        );
        let upper = Entry { bound: Bound::Upper, ..entry };
        assert_eq!(pophash(Some(upper), Ranks::FromZero), "pophash bestmove h2e2 upperbound 20 depth 9");
    }
}
