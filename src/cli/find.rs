//! `chuhe find`: the games of a collection that have a position, moves, pieces or tags.

mod text;

use super::collection::{Collection, FolderArgs};
use super::error::{CliError, ExitStatus, Failure};
use super::file_kind::FileKind;
use super::guard::guard_outputs;
use super::messages::{print_message_in, write_error};
use super::names::{LANGUAGES, named_parser};
use super::position_argument::{SourcedGame, read};
use super::save::with_output;
use super::sheet::Sheet;
use super::text_output;
use super::translate::locale_language;
use super::write_games::{GameWriter, WriteArgs};
use crate::analysis::find::{Finder, Hit, MaterialQuery, PositionQuery, SquareContent, TagQuery};
use crate::analysis::opening_tree::OpeningTree;
use crate::diagram::{Coordinates, Diagram};
use crate::display::json::json_line;
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::games::record::GameResult;
use crate::games::{GameRecord, ReadError};
use crate::notation::{self, Notation, Script};
use crate::position::{Position, Variant};
use crate::types::{Color, Move};
use clap::{ArgGroup, Args};
use indicatif::ProgressBar;
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use text::{hit_text, tree_text};

#[derive(Args)]
#[command(group = ArgGroup::new("found").args(["count", "tree", "output", "html"]))]
#[command(mut_arg("format", |argument| argument.requires("output")), mut_arg("force", |argument| argument.requires("output")))]
#[command(mut_arg("notation", |argument| argument.help("Notation of moves; default: ICCS, in Chinese the Chinese one")))]
pub(super) struct Find {
    /// Games: files (PGN, XQF, lists of moves, games one a line), folders of these, names with * and ?, and @LIST, a list of
    /// names; or - for standard input
    #[arg(required = true, value_name = "FILE")]
    games: Vec<OsString>,
    #[command(flatten)]
    folders: FolderArgs,
    /// Games with this position, and this side to move: `'FEN [moves M…]'`, `'startpos moves M…'` or what `xfen` prints
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// Games with these moves, in any notation, from that position on; without --position, from the start: `'h2e2 h9g7'`
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Games with these pieces on the board, both kings among them: `KRNkrpp`; `KRNkrpp+`: with any advisors and bishops besides
    #[arg(long, value_name = "PIECES")]
    material: Option<MaterialQuery>,
    /// Games with a piece on a square at the same time: `Re4`, Black's in small letters; `.e4`: an empty one
    #[arg(long = "piece", value_name = "PIECE", value_delimiter = ',')]
    pieces: Vec<SquareContent>,
    /// Not with files mirrored or colors exchanged
    #[arg(long)]
    exact: bool,
    /// Games of players with this in their names
    #[arg(long = "player", value_name = "TEXT")]
    players: Vec<String>,
    /// Games in which Red has this in the name
    #[arg(long, value_name = "TEXT")]
    red: Option<String>,
    /// Games in which Black has this in the name
    #[arg(long, value_name = "TEXT")]
    black: Option<String>,
    /// Games with this in the name of the event
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Games with this text in this tag
    #[arg(long = "tag", value_name = "TAG=TEXT", value_parser = tag)]
    tags: Vec<(String, String)>,
    /// Games with this result
    #[arg(long, value_name = "RESULT", value_parser = named_parser(RESULTS))]
    result: Option<GameResult>,
    /// Games of this year, or of these years: `1999`, `1990-1999`
    #[arg(long, value_name = "YEARS", value_parser = years)]
    year: Option<RangeInclusive<u32>>,
    /// Games from the start with an opening whose ECCO code begins with this, or whose name contains it: `C4`, `Central Cannon`
    #[arg(long, value_name = "CODE|TEXT")]
    opening: Option<String>,
    /// Print the number of games alone
    #[arg(long)]
    count: bool,
    /// Print the moves that were played from the position on (--position and --moves; default: the start), so many plies deep:
    /// how often, with which results, the score and the mean rating of those who played them, and the last year
    #[arg(long, value_name = "PLIES", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    #[arg(conflicts_with_all = ["material", "pieces"], value_parser = clap::value_parser!(u8).range(1..=100))]
    tree: Option<u8>,
    /// Write the games to FILE, in the format of its name: .pgn, .xqf, .cbr, .ubb (DhtmlXQ) or .fen; - for standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a sheet to print with diagrams of the positions to FILE; - for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    written: WriteArgs,
    /// Print one line with a JSON object per game, or the tree as one object
    #[arg(long, conflicts_with_all = ["count", "output", "html"])]
    json: bool,
    /// Read the moves of the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Language of the text; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

const RESULTS: &[(&str, &str, GameResult)] = &[
    ("red", "1-0", GameResult::Won(Color::Red)),
    ("black", "0-1", GameResult::Won(Color::Black)),
    ("draw", "1/2-1/2", GameResult::Drawn),
    ("none", "*", GameResult::Unknown),
];

fn tag(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("there is no `=` in it")?;
    Ok((name.to_string(), value.to_lowercase()))
}

fn years(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("expected a year or two: 1999, 1990-1999"),
    }
}

impl Find {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let games = Collection::new(&self.games, self.folders)?;
        let (_locks, _) = guard_outputs(&games.files(), &[(&self.html, FileKind::Page)])?;
        games.check_files()?;
        let mut sought = self.sought()?;
        let start = sought.position.clone().unwrap_or_else(Position::start);
        if self.tree.is_some() {
            // Also without moves games from other positions are not counted.
            sought.position = Some(start.clone());
        }
        let start = sought.moves.iter().fold(start, |position, &mv| position.after(mv));
        let finder = Finder::new(sought, self.tags(), self.exact);
        if let Some(output) = &self.output {
            return self.write(games, &finder, output.clone());
        }
        let language = self.language();
        let mut status = ExitStatus::Success;
        let mut tree = self.tree.map(|plies| OpeningTree::new(start, plies.into()));
        let mut out: Box<dyn Write> = if self.json { Box::new(io::stdout()) } else { Box::new(text_output::stdout()) };
        let (mut read, mut found) = (0, 0);
        with_output(self.html.as_deref(), |html| {
            let mut sheet = html.map(|html| Sheet::new(html, language)).transpose()?;
            let games = games.showing(!self.count && tree.is_none() && sheet.is_none());
            let bar = games.bar.clone();
            let sources = if self.json { Language::English } else { language };
            for game in games.games(sources, Variant::promoting(self.promotion)) {
                let SourcedGame { source, game, .. } = game?;
                if let Some(error) = game.as_ref().map_or_else(Some, |game| game.error.as_ref()) {
                    say_error(&bar, &source, error, language);
                    status = ExitStatus::CheckFailed;
                }
                let Ok(game) = game else { continue };
                read += 1;
                let Some(hit) = finder.find(&game) else { continue };
                found += 1;
                if let Some(tree) = &mut tree {
                    tree.add(&game, &hit);
                } else if let Some(sheet) = &mut sheet {
                    let mut diagram = Diagram::new(hit.position.clone());
                    diagram.coordinates = Coordinates::Files;
                    sheet.add(&diagram, &hit_text(&source, &game, &hit, self.text_notation(), language), None)?;
                } else if self.json {
                    writeln!(out, "{}", json_line(&JsonHit::new(&source, &game, &hit, self.json_notation())))?;
                } else if !self.count {
                    writeln!(out, "{}", hit_text(&source, &game, &hit, self.text_notation(), language))?;
                }
            }
            sheet.map_or(Ok(()), Sheet::finish)
        })?;
        if let Some(tree) = tree {
            let position = tree.position.clone();
            let root = tree.finish();
            match self.json {
                true => {
                    writeln!(out, "{}", json_line(&text::JsonNode::new(&position, None, &root, self.json_notation())))?
                }
                false => write!(out, "{}", tree_text(&position, &root, self.text_notation(), language))?,
            }
        } else if self.count {
            writeln!(out, "{found}")?;
        }
        out.flush()?;
        say_counts(found, read, language);
        Ok(status)
    }

    /// Writes the games that are found.
    fn write(&self, games: Collection, finder: &Finder, output: PathBuf) -> Result<ExitStatus, Failure> {
        let language = self.language();
        let (writer, _lock) = GameWriter::new(&self.written, output, &games.files(), language)?;
        let games = games.showing(writer.is_printing());
        let bar = games.bar.clone();
        let (mut read, mut found, mut status) = (0, 0, ExitStatus::Success);
        let mut is_written = |game: &SourcedGame| {
            // The writer says what cannot be read of the games that it is given.
            let Ok(record) = &game.game else { return true };
            let is_found = finder.find(record).is_some();
            read += 1;
            found += usize::from(is_found);
            if let Some(error) = record.error.as_ref().filter(|_| !is_found) {
                say_error(&bar, &game.source, error, language);
                status = ExitStatus::CheckFailed;
            }
            is_found
        };
        let games = games.games(language, Variant::promoting(self.promotion));
        let games = games.filter(|game| game.as_ref().map_or(true, &mut is_written));
        let written = writer.write(bar.clone(), games)?;
        say_counts(found, read, language);
        Ok(if status == ExitStatus::Success { written } else { status })
    }

    fn language(&self) -> Language {
        self.lang.unwrap_or_else(locale_language)
    }

    /// The notation of the text.
    fn text_notation(&self) -> Notation {
        let usual = self.language().pick(Notation::Iccs, Notation::Chinese(Script::Simplified));
        self.written.notation.unwrap_or(usual)
    }

    fn json_notation(&self) -> Notation {
        self.written.notation.unwrap_or(Notation::Iccs)
    }

    fn sought(&self) -> Result<PositionQuery, Failure> {
        let refused = |text: &str, reason: Failure| Failure::from(CliError::Position(text.to_string(), reason));
        let position = self.position.as_deref().map(|text| {
            let game = read(text, Variant::promoting(self.promotion)).and_then(GameRecord::whole);
            game.map(|game| game.position()).map_err(|error| refused(text, error.into()))
        });
        let position = position.transpose()?;
        let mut after = position.clone().unwrap_or_else(Position::start);
        let mut moves = Vec::new();
        for text in self.moves.iter().flat_map(|text| text.split_whitespace()) {
            let mv = notation::read(&after, text).map_err(|error| refused(text, error.into()))?;
            after.make(mv);
            moves.push(mv);
        }
        Ok(PositionQuery { position, moves, pieces: self.pieces.clone(), material: self.material })
    }

    fn tags(&self) -> TagQuery {
        let small = |text: &String| text.to_lowercase();
        let event = self.event.iter().map(|text| ("Event".to_string(), small(text)));
        TagQuery {
            players: self.players.iter().map(small).collect(),
            sides: [self.red.as_ref().map(small), self.black.as_ref().map(small)],
            tags: self.tags.iter().cloned().chain(event).collect(),
            result: self.result,
            years: self.year.clone(),
            opening: self.opening.as_ref().map(small),
        }
    }
}

fn say_error(bar: &ProgressBar, source: &str, error: &ReadError, language: Language) {
    let error = Messages::new(language).text(error);
    bar.suspend(|| write_error(format_args!("{source}{}{error}\n", language.colon())));
}

fn say_counts(found: usize, read: usize, language: Language) {
    let said = language.pick(format!("{found} of {read} games"), format!("{read} 局中有 {found} 局"));
    print_message_in(language, &said);
}

/// A game that was found.
#[derive(Serialize)]
struct JsonHit<'a> {
    source: &'a str,
    red: Option<&'a str>,
    black: Option<&'a str>,
    event: Option<&'a str>,
    date: Option<&'a str>,
    result: &'static str,
    /// Number of moves before the position.
    ply: usize,
    fen: String,
    mirrored: bool,
    swapped: bool,
    /// The next move.
    next: Option<String>,
}

impl<'a> JsonHit<'a> {
    fn new(source: &'a str, game: &'a GameRecord, hit: &Hit, notation: Notation) -> JsonHit<'a> {
        let next: Option<Move> = hit.moves.get(hit.ply).copied();
        JsonHit {
            source,
            red: game.player(Color::Red),
            black: game.player(Color::Black),
            event: game.tag("Event"),
            date: game.tag("Date"),
            result: game.result.text(),
            ply: hit.ply,
            fen: hit.position.to_fen(),
            mirrored: hit.view.is_mirrored,
            swapped: hit.view.is_swapped,
            next: next.map(|mv| notation.write(&hit.position, mv)),
        }
    }
}
