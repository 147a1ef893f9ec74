//! What a test position asks for: `bm`, `am` and `dm` of EPD.

use crate::display::units::mate_moves;
use crate::games::setup::GameSetup;
use crate::notation;
use crate::position::Position;
use crate::search::report::Iteration;
use crate::types::Move;
use crate::types::score::is_mate;

/// The move or mate that a search is to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Criterion {
    /// `bm`: one of these moves. Empty: any.
    best: Vec<Move>,
    /// `am`: none of these moves.
    avoided: Vec<Move>,
    /// `dm`: a mate in at most so many moves.
    mate: Option<i32>,
}

impl Criterion {
    /// That of a line of EPD, whose position this is.
    ///
    /// # Errors
    /// When it has none, and when a move or a number cannot be read.
    pub(crate) fn of_line(position: &Position, line: &str) -> Result<Criterion, String> {
        let mut criterion = Criterion::default();
        for (name, value) in GameSetup::read(line).map(|setup| setup.tags).unwrap_or_default() {
            let moves = match name.as_str() {
                "bm" => &mut criterion.best,
                "am" => &mut criterion.avoided,
                "dm" => {
                    let moves = value.parse().ok().filter(|&moves: &i32| moves > 0);
                    criterion.mate = Some(moves.ok_or_else(|| format!("dm {value}: no number of moves"))?);
                    continue;
                }
                _ => continue,
            };
            for word in value.split_whitespace() {
                moves.push(notation::read(position, word).map_err(|error| format!("{name}: {error}"))?);
            }
        }
        match criterion == Criterion::default() {
            true => Err("neither bm, am nor dm".into()),
            false => Ok(criterion),
        }
    }

    /// Whether a search has found it.
    pub(crate) fn is_met(&self, iteration: &Iteration) -> bool {
        let Some(line) = iteration.lines.first() else { return false };
        let Some(mv) = line.pv.first() else { return false };
        let mates = |moves| is_mate(line.score) && (1..=moves).contains(&mate_moves(line.score));
        (self.best.is_empty() || self.best.contains(mv)) && !self.avoided.contains(mv) && self.mate.is_none_or(mates)
    }
}
