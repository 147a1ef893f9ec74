//! `chuhe eval`: the static evaluation of positions, its terms and the value of each piece.

use super::collection::{ChoiceArgs, Collection};
use super::error::{ExitStatus, Failure};
use super::messages::print_message_in;
use super::names::{LANGUAGES, named_parser};
use super::option_args;
use super::text_output;
use super::translate::locale_language;
use crate::analysis::answer::{JsonFormat, Refused, SourcedPosition};
use crate::display::evaluation::evaluation;
use crate::display::json::{JsonScore, escape_json};
use crate::display::language::Language;
use crate::display::units::ucci_points;
use crate::engine::options::Setting;
use crate::eval::EvalTerms;
use crate::position::Variant;
use crate::types::Score;
use clap::Args;
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, Write};

#[derive(Args)]
pub(super) struct Eval {
    /// Positions: `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints, quoted or not; files: .FEN, positions
    /// one a line (blank lines and lines that begin with # are skipped), and games (PGN, XQF, lists of moves), of which
    /// every position is evaluated; folders of these, names with * and ?, and @LIST, a list of names; or - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    positions: Vec<OsString>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Of games (PGN, XQF, lists of moves), evaluate only the final position
    #[arg(long, conflicts_with = "ply")]
    last: bool,
    /// Set an option that changes the evaluation, as `setoption` does; may be repeated: EvalFile, Knowledge, Move Limit
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = evaluation_option)]
    options: Vec<Setting>,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Print one line with a JSON object per position: `cp` in centipawns, `ucci` in points of UCCI, all other scores in engine
    /// units, all Red minus Black. What cannot be read has an object with `error`, and the exit status is 1
    #[arg(long)]
    json: bool,
    /// Language of the text; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

fn evaluation_option(text: &str) -> Result<Setting, String> {
    option_args::read(text, Setting::is_for_evaluation, &[("promotion", "--promotion")])
}

/// An evaluation, Red minus Black.
#[derive(Serialize)]
struct JsonEvaluation<'a> {
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    fen: String,
    /// Moves made before the position.
    ply: usize,
    /// In engine units.
    score: Score,
    #[serde(flatten)]
    cp: JsonScore,
    /// In points of UCCI.
    ucci: Score,
    terms: Vec<JsonTerm>,
    /// See [`EvalTerms`], as the keys that follow.
    phase: i32,
    network: Option<Score>,
    damping: Option<(Score, Score)>,
    cannot_win: Vec<String>,
    pieces: Vec<JsonPiece>,
}

#[derive(Serialize)]
struct JsonTerm {
    name: String,
    early: i32,
    late: i32,
}

#[derive(Serialize)]
struct JsonPiece {
    piece: char,
    square: String,
    value: Option<Score>,
}

impl Eval {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let engine = option_args::engine(&self.options)?;
        let (options, network) = (engine.options(), engine.network());
        let variant = Variant::promoting(self.promotion);
        let language = self.lang.unwrap_or_else(locale_language);
        let (mut status, mut separator) = (ExitStatus::Success, "");
        let positions = Collection::chosen(&self.positions, &self.choice)?.showing(true);
        let bar = positions.bar.clone();
        for asked in positions.positions(self.choice.plies(self.last), variant) {
            match asked? {
                Ok(asked) => {
                    let position = &asked.position;
                    let terms = EvalTerms::of(options.knowledge, &network, &options.rules, position);
                    if self.json {
                        writeln!(io::stdout(), "{}", json(&asked, terms))?;
                    } else {
                        let text = evaluation(&terms, position.side(), language);
                        writeln!(text_output::stdout(), "{separator}{}\n{text}", position.to_fen())?;
                    }
                    separator = "\n";
                }
                Err(refused) => {
                    status = ExitStatus::CheckFailed;
                    if self.json {
                        writeln!(io::stdout(), "{}", JsonFormat::refused(&refused))?;
                    } else {
                        let Refused { source, error, .. } = refused;
                        bar.suspend(|| print_message_in(language, &format_args!("{source}: {error}")));
                    }
                }
            }
        }
        Ok(status)
    }
}

fn json(asked: &SourcedPosition, terms: EvalTerms) -> String {
    let types = terms.piece_types.iter().map(|(kind, score)| (format!("{kind:?}").to_lowercase(), score));
    let classical = terms.classical.iter().map(|(name, score)| (name.to_string(), score));
    let evaluation = JsonEvaluation {
        source: &asked.source,
        input: asked.line.as_deref(),
        fen: asked.position.to_fen(),
        ply: asked.position.plies(),
        score: terms.score,
        cp: JsonScore::of(terms.score),
        ucci: ucci_points(terms.score),
        terms: types
            .chain(classical)
            .map(|(name, score)| JsonTerm { name, early: score.early(), late: score.late() })
            .collect(),
        phase: terms.phase,
        network: terms.network,
        damping: terms.damping,
        cannot_win: terms.cannot_win.iter().map(|color| color.to_string()).collect(),
        pieces: terms
            .pieces
            .iter()
            .map(|&(piece, square, value)| JsonPiece { piece: piece.letter(), square: square.to_string(), value })
            .collect(),
    };
    escape_json(&serde_json::to_string(&evaluation).expect("invariant: numbers, strings and lists can be serialized"))
}
