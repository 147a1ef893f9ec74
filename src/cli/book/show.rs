//! `chuhe book show`: the moves of a book, or of games, for a position.

use super::super::collection::{ChoiceArgs, only_position};
use super::super::error::{ExitStatus, Failure};
use super::super::game_files::GameFile;
use super::super::text_output;
use super::super::translate::locale_language;
use super::book_files::{book_error, open_or_built_in};
use super::read_games::read_games;
use crate::book::book_file::BookFile;
use crate::book::builder::{BuildSettings, Builder};
use crate::book::{BookMove, MoveResults};
use crate::games::stream::{FileGame, GameStream, Place};
use crate::notation::{Notation, Script};
use crate::position::{Position, Variant};
use crate::rules::occurrences;
use clap::Args;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Show {
    /// `startpos [moves M…]`, `FEN [moves M…]` or what `xfen` prints, quoted or not; or a .FEN file; or a book or games,
    /// before a position or alone
    #[arg(required = true, value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// The book [default: the built-in one], or games, of which the main lines are counted
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Show the moves that follow as a tree, this many plies deep
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=100))]
    plies: u8,
}

impl Show {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        // A book, or games, named before a position or alone.
        let file = self.position.first().map(Path::new).filter(|path| self.book.is_none() && path.is_file());
        // A game in a line is a position too, if there is no other.
        let lines_are_games = self.book.is_some() || self.position.len() > 1;
        let is_source = |path: &&Path| BookFile::open(path).is_ok() || has_games(path, lines_are_games);
        let (path, position) = match file.filter(is_source) {
            Some(path) => (Some(path), &self.position[1..]),
            None => (self.book.as_deref(), &self.position[..]),
        };
        let start = ["startpos".into()];
        let position = if position.is_empty() { &start } else { position };
        let position = only_position(position, &ChoiceArgs::default(), Variant::Standard)?;
        let mut out = text_output::stdout();
        let language = locale_language();
        match path.filter(|path| has_games(path, lines_are_games)) {
            Some(path) => {
                let settings = BuildSettings { plies: usize::from(self.plies) + 1, ..BuildSettings::default() };
                let mut games = Builder::new(settings).counting_from(&position);
                let counts = read_games(&[GameFile::named(path)], &mut |game| games.add(game, true))?;
                let unknown = language.pick("no game has the position", "没有一局出现过该局面");
                let shown = self.show(position, &|position| Ok(games.find(position)), unknown, &mut out)?;
                Ok(if counts.errors > 0 { ExitStatus::CheckFailed } else { shown })
            }
            None => {
                let book = open_or_built_in(path)?;
                let find =
                    |position: &Position| book.find_with_results(position).map_err(|error| book_error(path, error));
                self.show(position, &find, language.pick("not in the book", "开局库中没有该局面"), &mut out)
            }
        }
    }

    /// Prints what `find` has for a position, or `unknown`.
    fn show(
        &self,
        mut position: Position,
        find: &Find,
        unknown: &str,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, Failure> {
        writeln!(out, "{}", position.to_fen())?;
        let known = find(&position)?;
        if known.is_empty() {
            writeln!(out, "{unknown}")?;
            return Ok(ExitStatus::CheckFailed);
        }
        // Only games and databases made of them have results.
        let has_results = known.iter().any(|(_, results)| results.games() > 0);
        let language = locale_language();
        let results = language.pick("  games     +     =     -  score", "   局数    胜    和    负 得分率");
        let games = if has_results { results } else { "" };
        let [columns, replies] = language
            .pick(["move  wxf   chinese   weight  share", "replies"], ["着法  WXF   中文着法    权重   占比", "应着"]);
        writeln!(out, "{columns}{games}  {replies}")?;
        show(&mut position, self.plies, 0, has_results, find, out)?;
        Ok(ExitStatus::Success)
    }
}

/// Finds the moves of a position, with the games that have them.
type Find<'a> = dyn Fn(&Position) -> Result<Vec<(BookMove, MoveResults)>, Failure> + 'a;

/// Whether a file is no book and begins with a record of a game that has moves; `lines_are_games`: or with a game in a line.
fn has_games(path: &Path, lines_are_games: bool) -> bool {
    let is_record = |file| {
        let first = GameStream::new(BufReader::new(file), Variant::Standard).next();
        matches!(first, Some(Ok(FileGame { place, game: Ok(game), .. }))
            if !game.moves().is_empty() && (lines_are_games || matches!(place, Place::Game(_))))
    };
    path.is_file() && BookFile::open(path).is_err() && File::open(path).is_ok_and(is_record)
}

/// Prints the moves of `position`, and below each those that follow it, up to `plies` plies; `has_results`: with the games.
fn show(
    position: &mut Position,
    plies: u8,
    indent: usize,
    has_results: bool,
    find: &Find,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let known = find(position)?;
    let total: f64 = known.iter().map(|(found, _)| f64::from(found.weight)).sum();
    for (BookMove { mv, weight }, results) in known {
        let [wxf, chinese] =
            [Notation::Wxf, Notation::Chinese(Script::Simplified)].map(|notation| notation.write(position, mv));
        let share = f64::from(weight) * 100.0 / total.max(1.0);
        position.make(mv);
        let replies: Vec<String> = match plies {
            0 | 1 => find(position)?.iter().map(|(found, _)| found.mv.to_string()).collect(),
            _ => Vec::new(),
        };
        let mut line = format!("{:indent$}{mv}  {wxf:4}  {chinese}  {weight:6}  {share:4.1}%", "");
        if has_results {
            let MoveResults { wins, draws, losses, .. } = results;
            let score = results.score().map_or("–".to_string(), |score| format!("{:.1}%", 100.0 * score));
            line += &format!("  {:5} {wins:5} {draws:5} {losses:5} {score:>6}", results.games());
        }
        writeln!(out, "{}", format!("{line}  {}", replies.join(" ")).trim_end())?;
        // A book may lead back to a position.
        if plies > 1 && occurrences(position) == 1 {
            show(position, plies - 1, indent + 2, has_results, find, out)?;
        }
        position.undo();
    }
    Ok(())
}
