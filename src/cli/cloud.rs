//! `chuhe cloud`: what the Xiangqi Cloud Database has for positions.

use super::collection::{Collection, FolderArgs, Plies};
use super::error::{Context, ExitStatus, Failure};
use super::messages::print_message;
use super::names::{named_parser, notation_parser};
use super::text_output;
use crate::analysis::answer::SourcedPosition;
use crate::cloud::answer::{ChoiceSource, CloudAnswer, CloudMove, TableResult};
use crate::cloud::client::{ADDRESS, Cloud, CloudError};
use crate::cloud::query::{CloudAction, CloudQuery, TableMetric};
use crate::display::json::escape_json;
use crate::display::units::cloud_mate_moves;
use crate::notation::{self, Notation};
use crate::position::{Position, Variant};
use crate::types::Move;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

/// What the numbers of a table mean.
const LEGEND: &str = "Scores are the database's, for the side to move, about centipawns (#3: it mates in 3 moves, #-3: it is \
                      mated); win rate in percent. Notes: replies known - good replies.";

#[derive(Args)]
pub(super) struct CloudCommand {
    /// Positions and games as for `analyse`: `FEN [moves M…]` or `startpos [moves M…]`, quoted or not; files: .FEN,
    /// positions one a line, games (PGN, XQF, lists of moves), of which every position is asked about; folders of these,
    /// names with * and ?, and @LIST, a list of names; - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    positions: Vec<OsString>,
    #[command(flatten)]
    folders: FolderArgs,
    /// Of games (PGN, XQF, lists of moves), ask only about the final position
    #[arg(long)]
    last: bool,
    /// Action of the database's interface; may be repeated [default: queryall queryscore querypv]
    #[arg(long = "action", value_name = "ACTION", value_parser = PossibleValuesParser::new(CloudAction::NAMES.map(|(name, _)| name)))]
    actions: Vec<String>,
    /// List also the legal moves that the database does not know
    #[arg(long)]
    all: bool,
    /// Exclude a move; may be repeated
    #[arg(long, value_name = "MOVE")]
    ban: Vec<String>,
    /// Take answers from endgame tables only (querybest, query, querysearch)
    #[arg(long)]
    endgame: bool,
    /// What the distances of endgame tables count: plies to mate, or steps to conversion [default: the server's, dtm]
    #[arg(long, value_parser = named_parser(METRICS))]
    metric: Option<TableMetric>,
    /// Prefer a principal variation that stays the same from query to query
    #[arg(long)]
    stable: bool,
    /// Do not let the server analyse positions that it does not know
    #[arg(long)]
    no_learn: bool,
    /// Another server with the same interface (`http://…`)
    #[arg(long, value_name = "URL", default_value = ADDRESS)]
    address: String,
    /// Longest wait for an answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    timeout: u64,
    /// Notation of moves
    #[arg(long, default_value = "iccs", value_parser = notation_parser())]
    notation: Notation,
    /// Print one line with a JSON object per position instead of tables. Each action asked has a key: `queryall`: `moves`
    /// with `move`, `score` (null if unknown), `rank` (2 best, 1 good, 0 bad), `note`, `winrate` in percent and, from
    /// endgame tables, `table` with `result` (for the side to move) and `distance`; `queryscore`: `score`; `querypv`:
    /// `score`, `depth`, `pv`; `querybest`, `query`, `querysearch`: `source` and `moves`; `queue`: `queued`; or `error`
    #[arg(long)]
    json: bool,
}

const METRICS: &[(&str, &str, TableMetric)] = &[("dtm", "", TableMetric::Dtm), ("dtc", "", TableMetric::Dtc)];

/// The answers to the queries about a position.
type Answers = Vec<(CloudAction, Result<CloudAnswer, CloudError>)>;

impl CloudCommand {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let notation = self.notation;
        let mut cloud = Cloud::new(&self.address);
        let mut out = text_output::stdout();
        if !self.json {
            writeln!(out, "{LEGEND}")?;
        }
        let (mut index, mut is_refused, mut has_answer) = (0, false, false);
        let positions = Collection::new(&self.positions, self.folders)?;
        for asked in positions.positions(Plies::last_or_all(self.last), Variant::Standard) {
            let asked = match asked? {
                Ok(asked) => asked,
                Err(refused) => {
                    print_message(&format_args!("{}: {}", refused.source, refused.error));
                    is_refused = true;
                    continue;
                }
            };
            let answers = self.ask(&mut cloud, &asked.position)?;
            has_answer |= answers.iter().any(|(_, answer)| is_answer(answer));
            match self.json {
                true => writeln!(io::stdout(), "{}", escape_json(&json_line(&asked, &answers, notation)))?,
                false => writeln!(out, "{}", table(index, &asked, &answers, notation))?,
            }
            io::stdout().flush()?;
            index += 1;
        }
        Ok(if is_refused || index > 0 && !has_answer { ExitStatus::CheckFailed } else { ExitStatus::Success })
    }

    /// Asks about a position: all actions, or up to the first that finds the position without moves or unknown.
    ///
    /// # Errors
    /// When a banned move is illegal, and when the server cannot be asked.
    fn ask(&self, cloud: &mut Cloud, position: &Position) -> Result<Answers, Failure> {
        let mut banned = Vec::new();
        for text in &self.ban {
            let mv = notation::read(position, text).in_argument(text)?;
            banned.push(mv);
        }
        let default = [CloudAction::QueryAll, CloudAction::QueryScore, CloudAction::QueryPv];
        let named: Vec<CloudAction> = self.actions.iter().filter_map(|name| CloudAction::named(name)).collect();
        let mut answers = Vec::new();
        for &action in if named.is_empty() { &default[..] } else { &named } {
            let mut query = CloudQuery::new(action, position, &banned);
            query.endgame_only = self.endgame;
            query.metric = self.metric;
            query.learn = !self.no_learn;
            query.show_all = self.all;
            query.stable = self.stable;
            let answer = cloud.query(&query, position, Duration::from_millis(self.timeout));
            if let Err(error @ (CloudError::Timeout { .. } | CloudError::Unreachable { .. })) = answer {
                return Err(error.into());
            }
            let goes_on = answer.is_ok() || !named.is_empty();
            answers.push((action, answer));
            if !goes_on {
                break;
            }
        }
        Ok(answers)
    }
}

/// Whether the server answers: also that it does not know the position, or that there is no move.
fn is_answer(answer: &Result<CloudAnswer, CloudError>) -> bool {
    match answer {
        Ok(_) => true,
        Err(CloudError::Answer { error, .. }) => error.is_no_move(),
        Err(_) => false,
    }
}

/// What is wrong with an answer. The server need not be named: it has answered.
fn error_text(error: &CloudError) -> String {
    match error {
        CloudError::Answer { error, .. } => error.to_string(),
        other => other.to_string(),
    }
}

/// The answers as a table, without a newline at the end.
fn table(index: usize, asked: &SourcedPosition, answers: &Answers, notation: Notation) -> String {
    let position = &asked.position;
    let mut text = format!("{}  {}", index + 1, position.to_fen());
    if let Some(mv) = asked.played {
        let _ = write!(text, "  played: {}", notation.write(position, mv));
    }
    for (action, answer) in answers {
        let _ = match answer {
            Ok(CloudAnswer::Moves(moves)) => {
                text.push_str("\n     score  rank  win rate  note                move");
                moves.iter().try_for_each(|known| write!(text, "\n{}", table_row(known, position, notation)))
            }
            Ok(CloudAnswer::Choice(source, moves)) => {
                let moves: Vec<String> = moves.iter().map(|&mv| notation.write(position, mv)).collect();
                write!(text, "\n  {action}: {} ({})", moves.join(" "), source_text(*source))
            }
            Ok(CloudAnswer::Score(score)) => write!(text, "\n  score: {}", score_text(*score)),
            Ok(CloudAnswer::Line { score, depth, pv }) => {
                let line = notation.write_line(position, pv).join(" ");
                write!(text, "\n  line: {line} (score {}, depth {depth})", score_text(*score))
            }
            Ok(CloudAnswer::Queued) => write!(text, "\n  queued for analysis"),
            Err(error) => write!(text, "\n  {action}: {}", error_text(error)),
        };
    }
    text
}

fn table_row(known: &CloudMove, position: &Position, notation: Notation) -> String {
    let score = known.score.map_or("?".to_string(), score_text);
    let rank = ["bad", "good", "best"][usize::from(known.rank)];
    let rate = known.win_rate.map_or(String::new(), |rate| format!("{rate:.2}"));
    let note = known.table.map_or(known.note.clone(), |table| match table.result {
        TableResult::Draw => "draw".to_string(),
        result => format!("{} in {}", result_name(result), table.distance),
    });
    format!("  {score:>8}  {rank:<4}  {rate:>8}  {note:<18}  {}", notation.write(position, known.mv))
}

/// A score for the side to move: as the database has it, or `#` and the moves to mate.
fn score_text(score: i32) -> String {
    match cloud_mate_moves(score) {
        Some(moves) => format!("#{moves}"),
        None => format!("{score:+}"),
    }
}

fn result_name(result: TableResult) -> &'static str {
    match result {
        TableResult::Win => "win",
        TableResult::Draw => "draw",
        TableResult::Loss => "loss",
    }
}

fn source_text(source: ChoiceSource) -> &'static str {
    match source {
        ChoiceSource::Database => "database",
        ChoiceSource::EndgameTable => "endgame table",
        ChoiceSource::Search => "search these",
    }
}

/// The answers as a JSON object in a line.
fn json_line(asked: &SourcedPosition, answers: &Answers, notation: Notation) -> String {
    let position = &asked.position;
    let write = |mv: Move| notation.write(position, mv);
    let mut object = Map::new();
    object.insert("fen".to_string(), position.to_fen().into());
    object.insert("source".to_string(), asked.source.clone().into());
    if let Some(mv) = asked.played {
        object.insert("played".to_string(), write(mv).into());
    }
    for (action, answer) in answers {
        let value = match answer {
            Ok(CloudAnswer::Moves(moves)) => {
                json!({ "moves": moves.iter().map(|known| json_move(known, write(known.mv))).collect::<Vec<_>>() })
            }
            Ok(CloudAnswer::Choice(source, moves)) => {
                json!({ "source": source_text(*source), "moves": moves.iter().map(|&mv| write(mv)).collect::<Vec<_>>() })
            }
            Ok(CloudAnswer::Score(score)) => json!({ "score": score }),
            Ok(CloudAnswer::Line { score, depth, pv }) => {
                json!({ "score": score, "depth": depth, "pv": notation.write_line(position, pv) })
            }
            Ok(CloudAnswer::Queued) => json!({ "queued": true }),
            Err(error) => json!({ "error": error_text(error) }),
        };
        object.insert(action.to_string(), value);
    }
    Value::Object(object).to_string()
}

fn json_move(known: &CloudMove, mv: String) -> Value {
    let mut value = json!({
        "move": mv, "score": known.score, "rank": known.rank, "note": known.note, "winrate": known.win_rate,
    });
    if let Some(table) = known.table {
        value["table"] = json!({ "result": result_name(table.result), "distance": table.distance });
    }
    value
}
