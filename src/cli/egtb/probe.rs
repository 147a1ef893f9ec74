//! `chuhe egtb probe`: what the endgame tables say of a position, of each of its moves, and of the line to the end.

use super::super::collection::{ChoiceArgs, only_position};
use super::super::error::{ExitStatus, Failure};
use super::super::messages::print_message_in;
use super::super::names::{LANGUAGES, named_parser, notation_parser};
use super::super::text_output;
use super::super::translate::locale_language;
use super::folders::Folders;
use crate::display::columns::left_aligned;
use crate::display::language::Language;
use crate::display::table_value::table_value;
use crate::egtb::tables::{Probe as Probed, Tables};
use crate::egtb::value::EndgameValue;
use crate::notation::Notation;
use crate::position::{Position, Variant};
use crate::rules::Rules;
use crate::types::Move;
use clap::Args;
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Columns of a move.
const MOVE_WIDTH: usize = 6;
/// Maximum number of moves of the line: the greatest distance of a table, and repetitions.
const MAX_LINE: usize = 300;

#[derive(Args)]
pub(super) struct Probe {
    /// The position: `FEN [moves M…]`, `startpos [moves M…]`, quoted or not, or a file: .FEN, or games with --game and --ply
    #[arg(required = true, value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
    /// Notation of moves
    #[arg(long, default_value = "iccs", value_parser = notation_parser())]
    notation: Notation,
    /// Language of the text; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
    #[command(flatten)]
    folders: Folders,
}

/// A value, as `win` and 49.
#[derive(Serialize)]
pub(in crate::cli) struct JsonValue {
    result: &'static str,
    /// Plies to mate or stalemate; `null` for a draw and for a result by perpetual check.
    plies: Option<u32>,
    /// Whether it is won or lost because one side has only perpetual check.
    by_rule: bool,
    /// Whether it is a draw that one side may hold only by perpetual chase, which loses.
    unless_chase: bool,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    value: JsonValue,
}

#[derive(Serialize)]
struct JsonProbe {
    fen: String,
    /// For the side to move, as those of the moves.
    #[serde(flatten)]
    value: JsonValue,
    /// Plies to the move limit.
    plies_left: u32,
    /// The legal moves, best first.
    moves: Vec<JsonMove>,
    /// The best moves of both sides to the end.
    line: Vec<String>,
}

impl JsonValue {
    pub(in crate::cli) fn new(probe: &Probed) -> JsonValue {
        let (result, plies, by_rule) = match probe.value {
            EndgameValue::Win(plies) => ("win", Some(plies), false),
            EndgameValue::WinByRule(_) => ("win", None, true),
            EndgameValue::Draw => ("draw", None, false),
            EndgameValue::LossByRule(_) => ("loss", None, true),
            EndgameValue::Loss(plies) => ("loss", Some(plies), false),
        };
        JsonValue { result, plies, by_rule, unless_chase: !probe.is_exact }
    }

    /// As `win 49` or `loss rule`.
    fn text(&self) -> String {
        match (self.plies, self.by_rule) {
            (Some(plies), _) => format!("{} {plies}", self.result),
            (None, true) => format!("{} rule", self.result),
            (None, false) => self.result.to_string(),
        }
    }
}

impl Probe {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let position = only_position(&self.position, &self.choice, Variant::Standard)?;
        let (tables, _) = self.folders.open();
        let found = tables.probe(&position).zip(tables.probe_moves(&position));
        let line = line(&position, &tables);
        if let Some(bad) = tables.take_damaged().into_iter().next() {
            return Err(bad.into());
        }
        let Some((probe, moves)) = found else {
            print_message_in(self.language(), &tables.why_not(&position));
            return Ok(ExitStatus::CheckFailed);
        };
        let plies_left = Rules::default().move_limit.saturating_sub(position.quiet_plies());
        let line = self.notation.write_line(&position, &line);
        if self.json {
            let json_move = |(mv, probe): &(Move, Probed)| JsonMove {
                mv: self.notation.write(&position, *mv),
                value: JsonValue::new(probe),
            };
            let moves = moves.iter().map(json_move).collect();
            let json = JsonProbe { fen: position.to_fen(), value: JsonValue::new(&probe), plies_left, moves, line };
            let json = serde_json::to_string(&json).expect("invariant: numbers, strings and lists can be serialized");
            writeln!(io::stdout(), "{json}")?;
        } else {
            let text = self.text(&position, &probe, &moves, plies_left, &line);
            write!(text_output::stdout(), "{text}")?;
        }
        Ok(ExitStatus::Success)
    }

    fn language(&self) -> Language {
        self.lang.unwrap_or_else(locale_language)
    }

    /// A line for scripts, a sentence, the moves and the line.
    fn text(
        &self,
        position: &Position,
        probe: &Probed,
        moves: &[(Move, Probed)],
        plies_left: u32,
        line: &[String],
    ) -> String {
        let language = self.language();
        let mut text = JsonValue::new(probe).text();
        let best = moves.first().map(|(_, after)| after.value);
        for (mv, _) in moves.iter().filter(|(_, after)| Some(after.value) == best) {
            let _ = write!(text, " {}", self.notation.write(position, *mv));
        }
        let _ = write!(text, "\n{}", table_value(probe, position.side(), language));
        if probe.value.min_plies() > plies_left {
            text.push_str(&language.pick(
                format!(", but only {plies_left} plies are left to the move limit: captures decide"),
                format!("，但距自然限着只剩{plies_left}个半回合，须看吃子"),
            ));
        }
        for (mv, after) in moves {
            let written = self.notation.write(position, *mv);
            let _ = write!(text, "\n  {}  {}", left_aligned(&written, MOVE_WIDTH), JsonValue::new(after).text());
            if !after.is_exact {
                text.push_str(language.pick(" (unless chase)", "（除非长捉）"));
            }
        }
        if !line.is_empty() {
            let _ = write!(text, "\n{}{}", language.pick("line: ", "变例："), line.join(" "));
        }
        text + "\n"
    }
}

/// The best moves of both sides to mate, stalemate or a position that recurs; none in a draw.
fn line(position: &Position, tables: &Tables) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    while line.len() < MAX_LINE {
        let best = tables.probe_moves(&position).and_then(|moves| moves.first().copied());
        let Some((mv, _)) = best.filter(|(_, probe)| probe.value != EndgameValue::Draw) else { break };
        position.make(mv);
        line.push(mv);
        if crate::rules::occurrences(&position) > 1 {
            break;
        }
    }
    line
}
