//! `chuhe board`: a position as a picture.

use super::collection::{ChoiceArgs, Collection, only_positions};
use super::error::{CliError, ExitStatus, Failure};
use super::file_kind::FileKind;
use super::guard::guard_outputs;
use super::names::{PIECE_SETS, named_parser};
use super::review_text::players;
use super::save::{is_standard_output, save_or_print, with_output};
use super::sheet::Sheet;
use super::translate::locale_language;
use super::write_games::with_number;
use crate::diagram::{Coordinates, Diagram};
use crate::display::board::PieceSet;
use crate::display::language::Language;
use crate::games::GameRecord;
use crate::games::pgn_writer::move_number;
use crate::notation::{Notation, Script};
use crate::position::{Position, Variant};
use crate::types::{Move, Square};
use clap::{ArgGroup, Args};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args)]
#[command(group = ArgGroup::new("picture").args(["svg", "png", "html"]).required(true).multiple(true))]
pub(super) struct Board {
    /// The position: `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints, quoted or not; a file with one position
    /// or game, or with several, of which --game names one; or - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    position: Vec<OsString>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Draw the positions after these numbers of plies (`10,20,35`); the names of the pictures get them: of `a.svg`,
    /// `a-10.svg` …
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with = "ply")]
    plies: Vec<usize>,
    /// Write the picture as SVG to FILE; - for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the picture as PNG to FILE; - for standard output
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Write a sheet to print, with all positions in two columns, to FILE; - for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Width of the PNG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 900, value_parser = clap::value_parser!(u32).range(16..=10_000))]
    width: u32,
    /// What is written on the pieces: traditional or simplified characters, or letters
    #[arg(long, default_value = "traditional", value_parser = named_parser(PIECE_SETS))]
    pieces: PieceSet,
    /// The coordinates at the edges: none, a to i and 0 to 9, or each side's files as in Chinese notation
    #[arg(long, default_value = "iccs", value_parser = named_parser(COORDINATES))]
    coordinates: Coordinates,
    /// Put Black at the bottom
    #[arg(long)]
    flip: bool,
    /// Do not highlight the last move and check
    #[arg(long)]
    plain: bool,
    /// Draw an arrow between two squares (`h2e2`); may be repeated
    #[arg(long, value_name = "MOVE", value_parser = arrow)]
    arrow: Vec<Move>,
    /// Draw a ring around a square (`e4`); may be repeated
    #[arg(long, value_name = "SQUARE", value_parser = square)]
    mark: Vec<Square>,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
}

const COORDINATES: &[(&str, &str, Coordinates)] =
    &[("none", "", Coordinates::None), ("iccs", "", Coordinates::Iccs), ("files", "", Coordinates::Files)];

impl Board {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let (svgs, pngs) = (self.names(&self.svg)?, self.names(&self.png)?);
        let pictures =
            svgs.iter().map(|path| (path, FileKind::Svg)).chain(pngs.iter().map(|path| (path, FileKind::Png)));
        let outputs: Vec<_> = pictures.chain([(&self.html, FileKind::Page)]).collect();
        let _locks = guard_outputs(&Collection::chosen(&self.position, &self.choice)?.files(), &outputs)?;
        let plies = if self.plies.is_empty() { self.choice.ply.as_slice() } else { &self.plies };
        let variant = Variant::promoting(self.promotion);
        let (game, positions) = only_positions(&self.position, &self.choice, plies, variant)?;
        let diagrams: Vec<Diagram> = positions.into_iter().map(|position| self.diagram(position)).collect();
        for (path, diagram) in pngs.iter().flatten().zip(&diagrams) {
            save_or_print(path, &png(diagram, self.width)?)?;
        }
        for (path, diagram) in svgs.iter().flatten().zip(&diagrams) {
            save_or_print(path, diagram.svg().as_bytes())?;
        }
        with_output(self.html.as_deref(), |output| {
            let language = locale_language();
            let Some(mut sheet) = output.map(|output| Sheet::new(output, language)).transpose()? else { return Ok(()) };
            diagrams
                .iter()
                .try_for_each(|diagram| sheet.add(diagram, &caption(&game, &diagram.position, language), None))?;
            sheet.finish()
        })?;
        Ok(ExitStatus::Success)
    }

    /// The files of the pictures that are written to `path`: several have the number of plies before their ends.
    fn names(&self, path: &Option<PathBuf>) -> Result<Vec<Option<PathBuf>>, Failure> {
        let greatest = self.plies.iter().max().copied().unwrap_or_default();
        match path {
            Some(path) if self.plies.len() > 1 && is_standard_output(path) => {
                Err(CliError::Pictures(self.plies.len()).into())
            }
            Some(path) if self.plies.len() > 1 => {
                Ok(self.plies.iter().map(|&ply| Some(with_number(path, ply, greatest))).collect())
            }
            _ => Ok(vec![path.clone()]),
        }
    }

    fn diagram(&self, position: Position) -> Diagram {
        let mut diagram = Diagram::new(position);
        diagram.pieces = self.pieces;
        diagram.coordinates = self.coordinates;
        diagram.flipped = self.flip;
        diagram.arrows = self.arrow.iter().map(|arrow| (arrow.from(), arrow.to())).collect();
        diagram.marks.clone_from(&self.mark);
        if self.plain {
            diagram.last_move = None;
            diagram.shows_check = false;
        }
        diagram
    }
}

/// What stands below a diagram: the players, the last move, who is to move.
fn caption(game: &GameRecord, position: &Position, language: Language) -> String {
    let mut parts: Vec<String> = players(game, language).into_iter().collect();
    if let Some(&mv) = position.last_moves(1).first() {
        let notation = language.pick(Notation::Wxf, Notation::Chinese(Script::Simplified));
        let number = move_number(position.plies() - 1 + game.start.side().index());
        parts.push(format!("{number} {}", notation.write(&position.before(1), mv)));
    }
    let side = language.side(position.side());
    parts.push(language.pick(format!("{side} to move"), format!("{side}走")));
    parts.join(language.pick("; ", "；"))
}

#[cfg(feature = "png")]
fn png(diagram: &Diagram, width: u32) -> Result<Vec<u8>, Failure> {
    Ok(crate::diagram::png::png(diagram, width)?)
}

#[cfg(not(feature = "png"))]
fn png(_diagram: &Diagram, _width: u32) -> Result<Vec<u8>, Failure> {
    Err(CliError::NoPng.into())
}

fn arrow(text: &str) -> Result<Move, String> {
    text.parse().map_err(|_| "not two squares such as h2e2".to_string())
}

fn square(text: &str) -> Result<Square, String> {
    let square = match *text.as_bytes() {
        [file, rank] => Square::from_ascii(file, rank),
        _ => None,
    };
    square.ok_or_else(|| "not a square such as e4".to_string())
}
