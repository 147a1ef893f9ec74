//! Writing games into files: which formats there are, and what each of them cannot hold.

use super::loss::Loss;
use super::record::GameRecord;
use super::{cbridge, dhtmlxq, pgn_writer, xqf_writer};
use crate::notation::Notation;
use crate::position::START_FEN;
use std::path::Path;
use thiserror::Error;

/// A format of games that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation.
    Pgn,
    /// XQStudio.
    Xqf,
    /// 象棋桥 (CCBridge).
    Cbr,
    /// The text of 东萍 (dpxq.com).
    DhtmlXq,
    /// The final position of the main line.
    Fen,
}

/// Why a game is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WriteError {
    /// There are more pieces of a type than the format has places for.
    #[error("this position does not fit into an XQF file")]
    Xqf,
    /// As with XQF.
    #[error("this position does not fit into DhtmlXQ")]
    DhtmlXq,
}

impl Format {
    /// All formats with the ends of their files' names.
    pub const EXTENSIONS: [(&str, Format); 6] = [
        ("pgn", Format::Pgn),
        ("xqf", Format::Xqf),
        ("cbr", Format::Cbr),
        ("ubb", Format::DhtmlXq),
        ("dhtmlxq", Format::DhtmlXq),
        ("fen", Format::Fen),
    ];

    /// The format that the end of a file's name says, in any case.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        Format::EXTENSIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(extension)).map(|&(_, format)| format)
    }

    /// Whether a file may hold several games.
    pub fn holds_several(self) -> bool {
        self == Format::Pgn || self == Format::DhtmlXq
    }
}

/// A game in a format, and what of it is not there. `notation`: of the moves in PGN.
///
/// # Errors
/// When the format has no place for the position.
pub fn write(record: &GameRecord, format: Format, notation: Notation) -> Result<(Vec<u8>, Vec<Loss>), WriteError> {
    let (bytes, mut lost) = match format {
        Format::Pgn => (pgn_writer::write(record, notation).into_bytes(), Vec::new()),
        Format::Xqf => xqf_writer::write(record).ok_or(WriteError::Xqf)?,
        Format::Cbr => cbridge::write(record),
        Format::DhtmlXq => {
            let (text, lost) = dhtmlxq::write(record).ok_or(WriteError::DhtmlXq)?;
            (text.into_bytes(), lost)
        }
        Format::Fen => {
            let is_more = record.tree.moves() > 0 || !record.tags.is_empty();
            let bytes = (record.position().to_fen() + "\n").into_bytes();
            return Ok((bytes, is_more.then_some(Loss::AllButFinalPosition).into_iter().collect()));
        }
    };
    if format != Format::Pgn {
        if record.tree.nodes().any(|node| record.tree.glyph(node) != 0) {
            lost.push(Loss::Glyphs);
        }
        let fen = record.start.to_fen();
        if fen != START_FEN && !fen.ends_with(" - - 0 1") {
            lost.push(Loss::Counters);
        }
    }
    Ok((bytes, lost))
}
