//! Texts of UCI, the Universal Chess Interface, in the form that xiangqi engines and GUIs use.

use super::format::{Format, join, wdl_text};
use crate::display::units::{cloud_mate_moves, mate_moves};
use crate::engine::Answer;
use crate::engine::openings::Source;
use crate::engine::options::{self, OptionType};
use crate::eval::wdl::centipawns;
use crate::search::report::{Iteration, Line, Report};
use crate::types::Bound;
use crate::types::score::{Score, is_mate};
use std::fmt::Write;

/// The reply to `uci`.
pub(crate) fn greeting() -> String {
    let mut text = format!("id name ChuHe {}\nid author the ChuHe developers\n", env!("CARGO_PKG_VERSION"));
    for option in options::DECLARATIONS {
        let Some(name) = option.uci else { continue };
        let _ = write!(text, "option name {name} type ");
        let _ = match &option.kind {
            OptionType::Check { uci_default, .. } => writeln!(text, "check default {uci_default}"),
            OptionType::Spin { min, max, default, .. } => writeln!(text, "spin default {default} min {min} max {max}"),
            OptionType::Combo { values } => {
                writeln!(
                    text,
                    "combo default {} var {}",
                    values[0].0,
                    join(values.iter().map(|value| value.0), " var ")
                )
            }
            OptionType::Text { .. } => writeln!(text, "string default <empty>"),
            OptionType::Button => writeln!(text, "button"),
        };
    }
    #[cfg(feature = "tuning")]
    for tunable in crate::search::tunables::Tunables::ALL {
        let _ = writeln!(
            text,
            "option name {} type spin default {} min {} max {}",
            tunable.name, tunable.value, tunable.min, tunable.max
        );
    }
    text.push_str("uciok");
    text
}

/// A score as UCI reports it: centipawns, or full moves to the mate.
fn score(score: Score) -> String {
    if is_mate(score) { format!("mate {}", mate_moves(score)) } else { format!("cp {}", centipawns(score)) }
}

/// The lines of a report.
pub(crate) fn report(report: &Report, format: Format) -> Option<String> {
    match report {
        Report::Iteration(iteration) => {
            let lines = iteration.lines.iter().enumerate();
            Some(join(lines.map(|(index, best)| line(iteration, index + 1, best, format)), "\n"))
        }
        Report::CurrentMove { mv, number, .. } => Some(format.current_move(*mv, *number)),
        Report::NoMate { .. } | Report::Waiting => None,
    }
}

fn line(iteration: &Iteration, number: usize, line: &Line, format: Format) -> String {
    let Iteration { selective_depth, nodes, hashfull, tb_hits, .. } = iteration;
    let depth = line.depth;
    let mut text =
        format!("info depth {depth} seldepth {selective_depth} multipv {number} score {}", score(line.score));
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if format.show_wdl {
        text.push_str(&wdl_text(line.score));
    }
    let (speed, time) = (iteration.speed(), iteration.elapsed.as_millis());
    let _ = write!(text, " nodes {nodes} nps {speed} hashfull {hashfull} tbhits {tb_hits} time {time}");
    if !line.pv.is_empty() {
        let _ = write!(text, " pv {}", format.line(&line.pv));
    }
    text
}

/// The lines that answer a `go`. UCI has no draw offers or resignations.
pub(crate) fn answer(answer: Answer, format: Format) -> String {
    match answer {
        Answer::Book(book, evaluation) => {
            let score = match book.source {
                Source::Book => score(evaluation),
                Source::Cloud => match cloud_mate_moves(book.worth()) {
                    Some(moves) => format!("mate {moves}"),
                    None => format!("cp {}", book.worth()),
                },
            };
            let line = format!(
                "info depth 1 seldepth 1 multipv 1 score {score} nodes 0 nps 0 hashfull 0 tbhits 0 time 0 pv {}",
                format.book_line(&book)
            );
            let known = format.book_moves(&book).map(|text| format!("info string {text}"));
            join(known.chain([line, format.best_move(book.best, book.ponder)]), "\n")
        }
        Answer::Move { best, ponder, .. } => format.best_move(best, ponder),
        Answer::NoMove | Answer::Refused | Answer::Evaluation(_) => "bestmove (none)".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::Command;
    use super::super::dialect::Dialect;
    use super::super::parse::parse;
    use super::*;
    use crate::eval::wdl::EVEN_SCORE;
    use crate::types::Move;
    use crate::types::score::{mate_in, mated_in};
    use std::time::Duration;

    #[test]
    fn every_announced_option_can_be_set() {
        let greeting = greeting();
        let options: Vec<&str> = greeting.lines().filter_map(|line| line.strip_prefix("option name ")).collect();
        assert_eq!(options.len(), options::DECLARATIONS.iter().filter(|option| option.uci.is_some()).count());
        for option in options {
            let (name, rest) = option.split_once(" type ").unwrap();
            let default = rest.split_once(" default ").and_then(|(_, rest)| rest.split(' ').next());
            let line = match default {
                Some(value) => format!("setoption name {name} value {value}"),
                None => format!("setoption name {name}"),
            };
            assert!(matches!(parse(&line, Dialect::Uci), Ok(Some(Command::Set(_)))), "{line}");
        }
        assert!(greeting.ends_with("\nuciok"));
        assert!(greeting.contains("\noption name UCI_Variant type combo default xiangqi var xiangqi\n"));
    }

    #[test]
    fn scores_are_centipawns_or_moves_to_mate() {
        assert_eq!([score(0), score(EVEN_SCORE), score(-EVEN_SCORE)], ["cp 0", "cp 100", "cp -100"]);
        assert_eq!([score(mate_in(3)), score(mated_in(0)), score(mated_in(6))], ["mate 2", "mate 0", "mate -3"]);
    }

    #[test]
    fn each_multipv_line_is_reported_with_its_number() {
        let pv: Vec<Move> = vec!["h2e2".parse().unwrap()];
        let iteration = Iteration {
            selective_depth: 12,
            lines: vec![
                Line { score: EVEN_SCORE, bound: Bound::Exact, depth: 7, pv: pv.clone() },
                Line { score: -EVEN_SCORE, bound: Bound::Upper, depth: 6, pv },
            ],
            nodes: 3_000,
            tb_hits: 6,
            elapsed: Duration::from_millis(2),
            hashfull: 5,
        };
        let text = report(&Report::Iteration(iteration), Format::default()).unwrap();
        let rest = "nodes 3000 nps 1500000 hashfull 5 tbhits 6 time 2 pv h2e2";
        let expected = [
            format!("info depth 7 seldepth 12 multipv 1 score cp 100 {rest}"),
            format!("info depth 6 seldepth 12 multipv 2 score cp -100 upperbound {rest}"),
        ];
        assert_eq!(text, expected.join("\n"));
    }

    #[test]
    fn answers_have_no_draw_offer_or_resignation() {
        let best = "h2e2".parse().unwrap();
        let offer = Some(crate::engine::offers::Offer::Resign);
        assert_eq!(answer(Answer::Move { best, ponder: None, offer }, Format::default()), "bestmove h2e2");
        assert_eq!(
            answer(Answer::Move { best, ponder: Some(best), offer }, Format::default()),
            "bestmove h2e2 ponder h2e2"
        );
        assert_eq!(answer(Answer::NoMove, Format::default()), "bestmove (none)");
        assert_eq!(answer(Answer::Refused, Format::default()), "bestmove (none)");
    }
}
