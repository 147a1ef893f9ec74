//! The results of a match as text and JSON.

use super::played_game::PlayedGame;
use super::schedule::TournamentForm;
use super::standings::Standings;
use super::termination::Termination;
use crate::display::count::count;
use crate::learning::pentanomial::Pentanomial;
use crate::learning::sprt::Sprt;
use serde_json::{Value, json};
use std::fmt::Write;

/// Makes texts of results.
pub struct Report {
    /// The form of the tournament.
    pub form: TournamentForm,
    /// Games of two engines that meet.
    pub games: usize,
    /// The test of a match of two engines.
    pub sprt: Option<Sprt>,
}

impl Report {
    /// The line of a game, the last of the standings.
    pub fn game_line(&self, played: &PlayedGame, standings: &Standings, total: usize) -> String {
        let PlayedGame { game, red, black, result, reason, moves, .. } = played;
        let mut line = format!("{game}/{total} {red} – {black} {result} {reason}, {}", count(moves.len(), "ply"));
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
    pub fn table(&self, standings: &Standings) -> String {
        let (ranking, is_swiss) = (self.ranking(standings), self.form == TournamentForm::Swiss);
        let mut rows = vec![vec!["".into(), "engine".into(), "games".into(), "+".into(), "=".into(), "-".into()]];
        rows[0].extend(["points", "%", "Elo"].map(String::from));
        if is_swiss {
            rows[0].push("Buchholz".to_string());
        }
        rows[0].extend((1..=ranking.len()).map(|place| place.to_string()));
        for (place, &engine) in (1..).zip(&ranking) {
            let record = standings.record(engine);
            let [losses, draws, wins] = record.counts.map(|count| count.to_string());
            let share = 100.0 * record.points() / record.games().max(1) as f64;
            let mut row = vec![place.to_string(), standings.names[engine].clone(), record.games().to_string()];
            row.extend([wins, draws, losses, standings.points(engine).to_string(), format!("{share:.1}")]);
            row.push(elo_text(&standings.all_pairs(engine)).replace(" Elo", ""));
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
    pub fn text(&self, standings: &Standings) -> String {
        let mut text = self.table(standings) + "\n";
        if standings.names.len() == 2 {
            text += &self.estimates(standings);
        }
        let ends: Vec<String> =
            standings.terminations.iter().map(|(termination, count)| format!("{termination} {count}")).collect();
        let plies = standings.plies as f64 / standings.games().max(1) as f64;
        let _ = writeln!(text, "ends: {}; {plies:.0} plies on average", ends.join(", "));
        text + &usage(standings)
    }

    /// What the pairs of two engines tell.
    fn estimates(&self, standings: &Standings) -> String {
        let pairs = &standings.pairs[0][1];
        let mut text = format!("{}: {}", standings.names[0], elo_text(pairs));
        if let (Some((elo, error)), Some(los)) = (pairs.normalised_elo(), pairs.los()) {
            let _ = write!(text, ", {elo:+.1} ± {error:.1} normalised, LOS {:.1} %", 100.0 * los);
        }
        let [red, all] = [standings.as_red[0], standings.record(0)];
        let of = |points: f64, games: u64| format!("{points} of {games}");
        let (red, black) = (of(red.points(), red.games()), of(all.points() - red.points(), all.games() - red.games()));
        let _ = writeln!(text, "; {red} points as Red, {black} as Black");
        let number = pairs.0.iter().sum::<u64>();
        let _ = writeln!(text, "{}, pentanomial (0, ½, 1, 1½, 2 points) {:?}", count(number, "pair"), pairs.0);
        if let Some(sprt) = &self.sprt {
            let (llr, [low, high]) = (sprt.llr(pairs), sprt.bounds());
            let accepted = match sprt.accepts_h1(llr) {
                Some(true) => "H1 accepted",
                Some(false) => "H0 accepted",
                None => "not decided",
            };
            let hypotheses = format!("{:+} and {:+} Elo ({:?})", sprt.elo0, sprt.elo1, sprt.model);
            let _ = writeln!(text, "SPRT of {hypotheses}: LLR {llr:+.2} ({low:.2}, {high:.2}), {accepted}");
        }
        text
    }

    /// All results as JSON.
    pub fn json(&self, standings: &Standings) -> Value {
        let engines: Vec<Value> = (0..standings.names.len())
            .map(|engine| {
                let [losses, draws, wins] = standings.record(engine).counts;
                let usage = &standings.usage[engine];
                let (elo, elo_error) = standings.all_pairs(engine).elo().map(|(elo, error)| (elo + 0.0, error)).unzip();
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
                    "name": standings.names[engine], "points": standings.points(engine), "wins": wins, "draws": draws,
                    "losses": losses, "elo": elo, "elo_error": elo_error, "against": against, "moves": usage.moves,
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
}

/// Elo with its margin of two deviations.
fn elo_text(pairs: &Pentanomial) -> String {
    // No negative zero.
    pairs.elo().map_or("– Elo".to_string(), |(elo, error)| format!("{:+.1} ± {error:.1} Elo", elo + 0.0))
}

/// How engines thought, and how often they failed.
fn usage(standings: &Standings) -> String {
    use Termination::{Crash, Hang, IllegalMove, NoMove, TimeForfeit};
    const FAILURES: [Termination; 5] = [TimeForfeit, IllegalMove, NoMove, Hang, Crash];
    let mut rows =
        vec![["engine", "moves", "depth", "nodes/s", "ms/move", "longest", "least left"].map(String::from).to_vec()];
    rows[0].extend(FAILURES.map(|failure| failure.to_string()));
    for (name, usage) in standings.names.iter().zip(&standings.usage) {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_string());
        let per_move = (usage.moves > 0).then(|| usage.time.as_secs_f64() * 1000.0 / usage.moves as f64);
        let mut row = vec![name.clone(), usage.moves.to_string()];
        row.push(or_dash(usage.depth().map(|depth| format!("{depth:.1}"))));
        row.push(or_dash(usage.speed().map(|speed| format!("{speed:.0}"))));
        row.push(or_dash(per_move.map(|time| format!("{time:.1}"))));
        row.push(format!("{} ms", usage.longest.as_millis()));
        row.push(or_dash(usage.least_left.map(|left| format!("{} ms", left.as_millis()))));
        row.extend(FAILURES.map(|failure| usage.failures.get(&failure).copied().unwrap_or(0).to_string()));
        rows.push(row);
    }
    let mut text = aligned(&rows, 0);
    for (name, usage) in standings.names.iter().zip(&standings.usage) {
        if let Some(fault) = &usage.bad_pv {
            let _ = write!(text, "\n{name}: {}, such as: {fault}", count(usage.bad_pvs, "faulty line"));
        }
    }
    text
}

/// Rows in columns; those up to `left` stand on the left, the others on the right.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column <= left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
