//! The results of a match as text and JSON.

use super::pentanomial::Pentanomial;
use super::played_game::PlayedGame;
use super::schedule::TournamentForm;
use super::sprt::Sprt;
use super::standings::Standings;
use super::termination::Termination;
use crate::display::columns::{left_aligned, right_aligned, width};
use crate::display::count::count;
use crate::display::language::Language;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Makes texts of results.
pub(crate) struct Report {
    /// The form of the tournament.
    pub form: TournamentForm,
    /// Games of two engines that meet.
    pub games: usize,
    /// The test of a match of two engines.
    pub sprt: Option<Sprt>,
    /// The language of the texts.
    pub language: Language,
}

/// Columns of a table.
const COLUMNS: usize = 80;
/// Columns of an engine's name in a table.
const NAME_COLUMNS: usize = 24;

impl Report {
    /// The line of a game, the last of the standings.
    pub(crate) fn game_line(&self, played: &PlayedGame, standings: &Standings, total: usize) -> String {
        let PlayedGame { game, red, black, result, reason, moves, termination, .. } = played;
        let plies = moves.len();
        let end = match self.language {
            Language::English => format!("{reason}, {}", count(plies, "ply")),
            Language::Chinese if termination.is_failure() => {
                format!("{}（{reason}），{plies}着", termination.chinese())
            }
            Language::Chinese => format!("{}，{plies}着", termination.chinese()),
        };
        let mut line = format!("{game}/{total} {red} – {black} {} {end}", result.text());
        if standings.names.len() == 2 {
            let _ = write!(line, " | {}", self.summary(standings));
        }
        line
    }

    /// The result of a match of two engines in one line.
    fn summary(&self, standings: &Standings) -> String {
        let (record, pairs) = (standings.record(0), &standings.pairs[0][1]);
        let share = 100.0 * record.points() / record.games().max(1) as f64;
        let name = &standings.names[0];
        let [losses, draws, wins] = record.counts;
        let mut text = format!("{name} +{wins} ={draws} -{losses} {share:.1} % {}", elo_text(pairs));
        if let Some(sprt) = &self.sprt {
            let [low, high] = sprt.bounds();
            let _ = write!(text, " LLR {:+.2} ({low:.2}, {high:.2})", sprt.llr(pairs));
        }
        text
    }

    /// The engines, the best first.
    fn ranking(&self, standings: &Standings) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..standings.names.len()).collect();
        let value = |engine: usize| (standings.points(engine), standings.buchholz(engine, self.games));
        ranking.sort_by(|&one, &other| {
            let ((one, one_second), (other, other_second)) = (value(one), value(other));
            other.total_cmp(&one).then(other_second.total_cmp(&one_second))
        });
        ranking
    }

    /// The table of the engines and the crosstable, without a newline at the end.
    pub(crate) fn table(&self, standings: &Standings) -> String {
        let (ranking, is_swiss) = (self.ranking(standings), self.form == TournamentForm::Swiss);
        let has_byes = standings.byes.iter().any(|&bye| bye > 0);
        let pick = |english: &str, chinese: &str| self.language.pick(english, chinese).to_string();
        let mut rows = vec![vec![String::new(), pick("engine", "引擎"), pick("games", "局"), pick("+", "胜")]];
        rows[0].extend([pick("=", "和"), pick("-", "负")]);
        if has_byes {
            rows[0].push(pick("bye", "轮空"));
        }
        rows[0].extend([pick("points", "积分"), "%".to_string(), pick("Elo", "等级分差")]);
        if is_swiss {
            rows[0].push(pick("Buchholz", "对手分"));
        }
        rows[0].extend((1..=ranking.len()).map(|place| place.to_string()));
        for (place, &engine) in (1..).zip(&ranking) {
            let record = standings.record(engine);
            let [losses, draws, wins] = record.counts.map(|count| count.to_string());
            let share = 100.0 * record.points() / record.games().max(1) as f64;
            let mut row = vec![place.to_string(), short(&standings.names[engine]), record.games().to_string()];
            row.extend([wins, draws, losses]);
            if has_byes {
                row.push(standings.byes[engine].to_string());
            }
            row.extend([standings.points(engine).to_string(), format!("{share:.1}")]);
            row.push(standings.all_pairs(engine).elo().map_or("–".to_string(), |elo| elo.to_string()));
            if is_swiss {
                row.push(standings.buchholz(engine, self.games).to_string());
            }
            row.extend(ranking.iter().map(|&other| {
                let record = standings.records[engine][other];
                if record.games() == 0 { "·".to_string() } else { format!("{}/{}", record.points(), record.games()) }
            }));
            rows.push(row);
        }
        aligned(&rows, 1)
    }

    /// All results: the table, of two engines the estimates, what decided games, how engines used their time.
    pub(crate) fn text(&self, standings: &Standings) -> String {
        let mut text = self.table(standings) + "\n";
        if standings.names.len() == 2 {
            text += &self.estimates(standings);
        }
        let ends = standings.terminations.iter().map(|(end, count)| format!("{} {count}", self.termination(*end)));
        let ends = ends.collect::<Vec<_>>().join(self.language.pick(", ", "，"));
        let plies = standings.plies as f64 / standings.games().max(1) as f64;
        let ends = match self.language {
            Language::English => format!("ends: {ends}; {plies:.0} plies on average"),
            Language::Chinese => format!("终局：{ends}；平均{plies:.0}着"),
        };
        text + &ends + "\n" + &self.usage(standings)
    }

    /// What the pairs of two engines tell.
    fn estimates(&self, standings: &Standings) -> String {
        let pairs = &standings.pairs[0][1];
        let colon = self.language.colon();
        let is_english = self.language == Language::English;
        let mut text = format!("{}{colon}{}\n", short(&standings.names[0]), elo_text(pairs));
        if let (Some((elo, error)), Some(los)) = (pairs.normalised_elo(), pairs.los()) {
            let normalised = self.language.pick("normalised Elo", "标准化等级分差");
            let _ = writeln!(text, "{normalised} {elo:+.1} ± {error:.1}, LOS {:.1} %", 100.0 * los);
        }
        let [red, all] = [standings.as_red[0], standings.record(0)];
        let of = |points: f64, games: u64| format!("{points}{}{games}", if is_english { " of " } else { "/" });
        let (red, black) = (of(red.points(), red.games()), of(all.points() - red.points(), all.games() - red.games()));
        let colors = (format!("{red} points as Red, {black} as Black"), format!("执红{red}分，执黑{black}分"));
        let _ = writeln!(text, "{}", self.language.pick(colors.0, colors.1));
        let number = pairs.0.iter().sum::<u64>();
        let number = self.language.pick(count(number, "pair"), format!("{number}对局"));
        let points = self.language.pick("points", "分");
        let _ = writeln!(text, "{number}, pentanomial (0, ½, 1, 1½, 2 {points}) {:?}", pairs.0);
        if let Some(sprt) = &self.sprt {
            let (llr, [low, high]) = (sprt.llr(pairs), sprt.bounds());
            let accepted = match sprt.accepts_h1(llr) {
                Some(true) => self.language.pick("H1 accepted", "接受 H1"),
                Some(false) => self.language.pick("H0 accepted", "接受 H0"),
                None => self.language.pick("not decided", "未定"),
            };
            let hypotheses = format!("{:+} and {:+} Elo ({:?})", sprt.elo0, sprt.elo1, sprt.model);
            let _ = writeln!(text, "SPRT {hypotheses}{colon}LLR {llr:+.2} ({low:.2}, {high:.2}), {accepted}");
        }
        text
    }

    /// All results as JSON.
    pub(crate) fn json(&self, standings: &Standings) -> Value {
        let engines: Vec<Value> = (0..standings.names.len())
            .map(|engine| {
                let [losses, draws, wins] = standings.record(engine).counts;
                let usage = &standings.usage[engine];
                // Infinite ones are null.
                let elo = standings.all_pairs(engine).elo();
                let [elo, low, high] = [elo.map(|elo| elo.value), elo.map(|elo| elo.low), elo.map(|elo| elo.high)];
                let opponents = standings.names.iter().zip(&standings.records[engine]).zip(&standings.pairs[engine]);
                let against: serde_json::Map<String, Value> = opponents
                    .filter(|((_, record), _)| record.games() > 0)
                    .map(|((name, record), pairs)| {
                        let [losses, draws, wins] = record.counts;
                        let of = json!({"wins": wins, "draws": draws, "losses": losses, "pentanomial": pairs.0});
                        (name.clone(), of)
                    })
                    .collect();
                json!({
                    "name": standings.names[engine], "points": standings.points(engine), "byes": standings.byes[engine],
                    "wins": wins, "draws": draws, "losses": losses, "elo": elo, "elo_low": low, "elo_high": high,
                    "against": against, "moves": usage.moves,
                    "depth": usage.depth(), "nps": usage.speed(), "time_ms": usage.time.as_millis() as u64,
                    "longest_ms": usage.longest.as_millis() as u64,
                    "least_left_ms": usage.least_left.map(|time| time.as_millis() as u64),
                    "failures": usage.failures,
                    "bad_pvs": usage.bad_pvs,
                })
            })
            .collect();
        let mut result =
            json!({"games": standings.games(), "engines": engines, "terminations": standings.terminations});
        if standings.names.len() == 2 {
            let pairs = &standings.pairs[0][1];
            let (elo, error) = pairs.normalised_elo().unzip();
            result["pentanomial"] = json!(pairs.0);
            result["normalised_elo"] = json!(elo);
            result["normalised_elo_error"] = json!(error);
            result["los"] = json!(pairs.los());
            if let Some(sprt) = &self.sprt {
                let llr = sprt.llr(pairs);
                result["sprt"] = json!({"llr": llr, "bounds": sprt.bounds(), "accepts_h1": sprt.accepts_h1(llr)});
            }
        }
        result
    }

    /// How engines thought, and how often they failed.
    fn usage(&self, standings: &Standings) -> String {
        let heads = [
            ("engine", "引擎"),
            ("moves", "着法"),
            ("depth", "深度"),
            ("nodes/s", "节点/秒"),
            ("ms/move", "毫秒/着"),
            ("longest", "最长"),
            ("least left", "最少剩余"),
        ];
        let mut rows = vec![heads.map(|(english, chinese)| self.language.pick(english, chinese).to_string()).to_vec()];
        for (name, usage) in standings.names.iter().zip(&standings.usage) {
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_string());
            let per_move = (usage.moves > 0).then(|| usage.time.as_secs_f64() * 1000.0 / usage.moves as f64);
            let mut row = vec![short(name), usage.moves.to_string()];
            row.push(or_dash(usage.depth().map(|depth| reported(depth, 1))));
            row.push(or_dash(usage.speed().map(|speed| reported(speed, 0))));
            row.push(or_dash(per_move.map(|time| reported(time, 1))));
            let ms = |time: Duration| reported(time.as_secs_f64() * 1000.0, 0) + " ms";
            row.push(ms(usage.longest));
            row.push(or_dash(usage.least_left.map(ms)));
            rows.push(row);
        }
        let mut text = aligned(&rows, 0);
        let colon = self.language.colon();
        for (name, usage) in standings.names.iter().zip(&standings.usage) {
            let name = short(name);
            let failures =
                usage.failures.iter().map(|(failure, count)| format!("{} {count}", self.termination(*failure)));
            let failures = failures.collect::<Vec<_>>().join(self.language.pick(", ", "，"));
            if !failures.is_empty() {
                let _ = write!(text, "\n{name}{colon}{}{failures}", self.language.pick("lost by ", "负于"));
            }
            if let Some(fault) = &usage.bad_pv {
                let lines = count(usage.bad_pvs, "faulty line");
                let lines = self.language.pick(lines, format!("{}行主变有误", usage.bad_pvs));
                let _ = write!(text, "\n{name}{colon}{lines}{}{fault}", self.language.pick(", such as: ", "，如："));
            }
        }
        text
    }

    fn termination(&self, termination: Termination) -> String {
        self.language.pick(termination.to_string(), termination.chinese().to_string())
    }
}

/// Elo with its interval.
fn elo_text(pairs: &Pentanomial) -> String {
    pairs.elo().map_or("– Elo".to_string(), |elo| format!("{elo} Elo"))
}

/// A name that is no longer than its column.
fn short(name: &str) -> String {
    let mut short = name.to_string();
    while width(&short) >= NAME_COLUMNS && short.pop().is_some() {}
    if short.len() < name.len() { short + "…" } else { short }
}

/// A number that an engine has reported: what no machine can have searched has an exponent.
fn reported(number: f64, decimals: usize) -> String {
    if number < 1e9 { format!("{number:.decimals$}") } else { format!("{number:.1e}") }
}

/// Rows in columns; those up to `left` stand on the left, the others on the right. What is wider than a line goes on below,
/// behind the first columns again.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(widest).collect();
    let first: Vec<usize> = (0..=left).collect();
    let mut blocks = vec![first.clone()];
    for column in left + 1..widths.len() {
        let last = blocks.len() - 1;
        let total: usize = blocks[last].iter().chain([&column]).map(|&column| widths[column] + 2).sum();
        if total - 2 > COLUMNS && blocks[last].len() > first.len() {
            blocks.push(first.clone());
        }
        blocks.last_mut().expect("invariant: it begins with one").push(column);
    }
    let cell = |row: &[String], column: usize| match column <= left {
        true => left_aligned(&row[column], widths[column]),
        false => right_aligned(&row[column], widths[column]),
    };
    let line = |row: &[String], columns: &[usize]| {
        let cells = columns.iter().map(|&column| cell(row, column));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    let lines = blocks.iter().flat_map(|columns| rows.iter().map(move |row| line(row, columns)));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameResult;
    use crate::position::Position;
    use crate::tournament::limit::Limit;
    use crate::tournament::played_game::{PlayedGame, PlayedMove};
    use crate::tournament::schedule::ScheduledGame;
    use crate::types::Color;

    /// The text of a match of engines with these names, of which each but the first has lost two games to the one before.
    fn text(names: &[&str], language: Language) -> String {
        let mut standings = Standings::new(names.iter().map(|name| (name.to_string(), Limit::Nodes(5))).collect());
        for number in 0..2 * (names.len() - 1) {
            let pair = number / 2;
            let players = if number % 2 == 0 { [pair, pair + 1] } else { [pair + 1, pair] };
            let mv = PlayedMove {
                nodes: Some(u64::MAX),
                depth: Some(u32::MAX),
                ms: Some(1e300),
                ..PlayedMove::of_opening("h2e2".parse().unwrap())
            };
            let game = PlayedGame {
                game: number + 1,
                round: 1,
                red: names[players[0]].to_string(),
                black: names[players[1]].to_string(),
                start: Position::start(),
                opening_plies: 0,
                result: GameResult::Won(Color::ALL[number % 2]),
                termination: Termination::Crash,
                reason: "it ended".to_string(),
                started: 0,
                moves: vec![mv; 40],
            };
            standings.add(&ScheduledGame { number, round: 0, pair, players, opening: 0 }, &game);
        }
        standings.byes[0] = 2;
        let report = Report { form: TournamentForm::Swiss, games: 2, sprt: None, language };
        report.text(&standings)
    }

    #[test]
    fn no_name_and_no_number_makes_a_table_wider_than_a_line() {
        let long = "an engine whose name is longer than a line of the terminal, which has eighty columns and no more";
        let names = [long, "b", "楚河汉界楚河汉界楚河汉界楚河汉界", "d", "e", "f", "g", "h", "i", "j"];
        for language in [Language::English, Language::Chinese] {
            for count in 2..=names.len() {
                let text = text(&names[..count], language);
                let wide = text.lines().find(|line| width(line) > COLUMNS);
                assert_eq!(wide, None, "{text}");
            }
        }
        assert!(text(&names, Language::Chinese).contains("终局：程序结束 18；平均40着"));
    }

    #[test]
    fn byes_have_a_column_and_the_points_add_up() {
        let text = text(&["a", "b", "c"], Language::English);
        let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(text.lines().next().unwrap().split_whitespace().nth(5), Some("bye"), "{text}");
        assert_eq!(row[..8], ["1", "a", "2", "2", "0", "0", "2", "4"], "{text}");
    }
}
