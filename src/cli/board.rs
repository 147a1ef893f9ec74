//! `chuhe board`: a position as a picture.

use super::collection::{ChoiceArgs, Collection, only_position};
#[cfg(not(feature = "png"))]
use super::error::CliError;
use super::error::{ExitStatus, Failure};
use super::file_kind::FileKind;
use super::guard::guard_outputs;
use super::names::{PIECE_SETS, named_parser};
use super::save::save_or_print;
use crate::diagram::{Coordinates, Diagram};
use crate::display::board::PieceSet;
use crate::position::Variant;
use crate::types::{Move, Square};
use clap::{ArgGroup, Args};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).required(true).multiple(true))]
pub(super) struct Board {
    /// The position: `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints, quoted or not; a file with one position
    /// or game, or with several, of which --game names one; or - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    position: Vec<OsString>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Write the picture as SVG to FILE; - for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the picture as PNG to FILE; - for standard output
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
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
        let outputs = [(&self.svg, FileKind::Svg), (&self.png, FileKind::Png)];
        let _locks = guard_outputs(&Collection::chosen(&self.position, &self.choice)?.files(), &outputs)?;
        let position = only_position(&self.position, &self.choice, Variant::promoting(self.promotion))?;
        let mut diagram = Diagram::new(position);
        diagram.pieces = self.pieces;
        diagram.coordinates = self.coordinates;
        diagram.flipped = self.flip;
        diagram.arrows = self.arrow.iter().map(|arrow| (arrow.from(), arrow.to())).collect();
        diagram.marks = self.mark;
        if self.plain {
            diagram.last_move = None;
            diagram.shows_check = false;
        }
        if let Some(path) = &self.png {
            save_or_print(path, &png(&diagram, self.width)?)?;
        }
        if let Some(path) = &self.svg {
            save_or_print(path, diagram.svg().as_bytes())?;
        }
        Ok(ExitStatus::Success)
    }
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
