//! Answers of `chuhe analyse` and `chuhe solve` as JSON, an object on a line each. `docs/analyse.schema.json` describes those
//! of `analyse`.

use crate::display::json::{JsonScore, escape_json};
use crate::eval::wdl::wdl;
use crate::notation::Notation;
use crate::position::Position;
use crate::search::report::Iteration;
use crate::types::Move;
use serde::Serialize;

/// A position and where it comes from.
pub(crate) struct SourcedPosition {
    /// The command line, or a file and the line or the number of the game.
    pub source: String,
    /// The line that was read, unless it is a position of a game record.
    pub line: Option<String>,
    /// The position, with the moves that led to it.
    pub position: Position,
    /// The move played there, in a game record of which every position is wanted.
    pub played: Option<Move>,
}

/// What cannot be read, or not to its end.
pub(crate) struct Refused {
    /// As in [`SourcedPosition`].
    pub source: String,
    /// As in [`SourcedPosition`].
    pub line: Option<String>,
    /// What is wrong.
    pub error: String,
}

/// What was asked: a position, or why there is none.
pub(crate) type Asked = Result<SourcedPosition, Refused>;

/// How answers are written.
#[derive(Clone)]
pub(crate) struct JsonFormat {
    /// The settings of the analysis, as text.
    pub settings: String,
    /// The notation of moves.
    pub notation: Notation,
    /// The first key of what was found.
    pub first_key: &'static str,
}

/// The beginning of an answer, known before the search: what was asked, and how.
#[derive(Serialize)]
struct Question<'a> {
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    settings: &'a str,
    fen: String,
    /// Moves made before the position.
    ply: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
}

/// What a search has found.
#[derive(Serialize)]
pub(crate) struct Analysis {
    /// `null` if there is no legal move.
    depth: Option<u32>,
    seldepth: Option<u32>,
    nodes: Option<u64>,
    /// Absent if the time is not written. Without it the answers are the same in every run.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<Option<u64>>,
    lines: Vec<Line>,
}

impl Analysis {
    /// What a search has found at a position. `None`: there is no legal move.
    pub(crate) fn new(
        position: &Position,
        iteration: Option<&Iteration>,
        notation: Notation,
        has_time: bool,
    ) -> Analysis {
        let lines = iteration.map_or(&[][..], |iteration| &iteration.lines).iter().map(|line| Line {
            depth: line.depth,
            score: JsonScore::of(line.score),
            wdl: wdl(line.score),
            pv: notation.write_line(position, &line.pv),
        });
        let time = iteration.map(|iteration| iteration.elapsed.as_millis() as u64);
        Analysis {
            depth: iteration.map(Iteration::depth),
            seldepth: iteration.map(|iteration| iteration.selective_depth),
            nodes: iteration.map(|iteration| iteration.nodes),
            time_ms: has_time.then_some(time),
            lines: lines.collect(),
        }
    }
}

#[derive(Serialize)]
struct Line {
    /// That of the iteration that found it.
    depth: u32,
    /// For the side to move.
    #[serde(flatten)]
    score: JsonScore,
    /// Probabilities of win, draw and loss in thousandths.
    wdl: [u32; 3],
    pv: Vec<String>,
}

/// The answer to what cannot be read.
#[derive(Serialize)]
struct RefusedAnswer<'a> {
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    error: &'a str,
}

impl JsonFormat {
    /// The part of an answer that does not depend on the search, from its beginning: all of it where there is nothing to
    /// search.
    pub(crate) fn beginning(&self, asked: &Asked) -> String {
        match asked {
            Ok(position) => format!("{},\"{}\":", self.question(position), self.first_key),
            Err(refused) => JsonFormat::refused(refused),
        }
    }

    /// The answer for a position: the question, and the keys of what was found.
    pub(crate) fn answer(&self, asked: &SourcedPosition, found: &impl Serialize) -> String {
        let found = json(found);
        debug_assert!(found.starts_with(&format!("{{\"{}\":", self.first_key)));
        format!("{},{}", self.question(asked), &found[1..])
    }

    /// The answer to what cannot be read.
    pub(crate) fn refused(refused: &Refused) -> String {
        let Refused { source, line, error } = refused;
        json(&RefusedAnswer { source, input: line.as_deref(), error })
    }

    /// The object without its closing bracket.
    fn question(&self, asked: &SourcedPosition) -> String {
        let SourcedPosition { source, line, position, played } = asked;
        let mut text = json(&Question {
            source,
            input: line.as_deref(),
            settings: &self.settings,
            fen: position.to_fen(),
            ply: position.plies(),
            played: played.map(|mv| self.notation.write(position, mv)),
        });
        text.pop();
        text
    }
}

fn json(object: &impl Serialize) -> String {
    escape_json(&serde_json::to_string(object).expect("invariant: numbers, strings and lists can be serialized"))
}
