//! Parts of the text of reviews.

use crate::analysis::review::ReviewedPosition;
use crate::display::language::Language;
use crate::display::score::score_text;
use crate::games::GameRecord;
use crate::games::pgn_writer::move_number;
use crate::games::visible::visible;
use crate::notation::Notation;
use crate::position::Position;
use crate::types::Color;

/// Maximum number of moves of a line.
const MAX_MOVES_SHOWN: usize = 6;

/// The players of a game, if one is known.
pub(super) fn players(game: &GameRecord, language: Language) -> Option<String> {
    let names = Color::ALL.map(|side| game.player(side));
    let [red, black] = Color::ALL.map(|side| visible(names[side.index()].unwrap_or(language.side(side))));
    names.iter().any(Option::is_some).then(|| format!("{red} – {black}"))
}

/// A bad move with its number and mark; `None` for other moves.
pub(super) fn played_text(
    index: usize,
    start: &Position,
    before: &ReviewedPosition,
    notation: Notation,
) -> Option<String> {
    let played = before.played?;
    let (mark, _) = played.class.mark()?;
    let number = move_number(index + start.side().index());
    Some(format!("{number} {} {mark}", notation.write(&before.position, played.mv)))
}

/// The beginning of the best line.
pub(super) fn better_line(before: &ReviewedPosition, notation: Notation) -> String {
    notation.write_line(&before.position, &before.best[..before.best.len().min(MAX_MOVES_SHOWN)]).join(" ")
}

/// Red's score.
pub(super) fn score(position: &ReviewedPosition, language: Language) -> String {
    position.score.map_or("–".to_string(), |score| score_text(score, language))
}
