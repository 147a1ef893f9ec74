//! The review of a game as PGN: evaluations as comments, marks behind bad moves, and the better lines as variations.

use super::{GameReview, ReviewedPosition};
use crate::display::language::Language;
use crate::display::units::mate_moves;
use crate::display::verdict::verdict;
use crate::eval::wdl::centipawns;
use crate::games::pgn_writer;
use crate::games::record::GameRecord;
use crate::games::tree::{MoveTree, NodeId};
use crate::notation::Notation;
use crate::rules::game_status::GameStatus;
use crate::types::score::{is_decided, plies_to_mate};

/// Maximum number of moves of a better line.
const MAX_VARIATION: usize = 10;
/// Tags that are written anew.
const OWN_TAGS: [&str; 3] = ["ECCO", "Opening", "Annotator"];

/// The game as PGN, with the moves in `notation`, and with the tags, comments and variations of its record.
pub(crate) fn annotated_pgn(
    review: &GameReview,
    record: &GameRecord,
    notation: Notation,
    language: Language,
) -> String {
    let mut game = record.clone();
    let is_over = review.status != GameStatus::Ongoing;
    game.tags.retain(|(name, _)| {
        let is_own = OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name));
        let is_replaced = is_over && name.eq_ignore_ascii_case("Termination");
        !(is_own || is_replaced)
    });
    let mut tag = |name: &str, value: String| game.tags.push((name.to_string(), value));
    if let Some(opening) = review.opening {
        tag("ECCO", opening.code.to_string());
        tag("Opening", language.pick(opening.english.to_string(), opening.chinese()));
    }
    if is_over {
        tag("Termination", verdict(&review.status, language));
    }
    tag("Annotator", "ChuHe".to_string());
    let nodes: Vec<NodeId> = game.tree.main_line().collect();
    for (pair, node) in review.positions.windows(2).zip(nodes) {
        annotate(&mut game.tree, node, &pair[0], &pair[1], notation, language);
    }
    pgn_writer::write(&game, notation) + "\n"
}

/// Adds the mark of the move that leads to `node`, the evaluation after it, and the better line if it is bad.
fn annotate(
    tree: &mut MoveTree,
    node: NodeId,
    before: &ReviewedPosition,
    after: &ReviewedPosition,
    notation: Notation,
    language: Language,
) {
    if let Some(score) = evaluation(after) {
        tree.add_comment(node, &score);
    }
    let Some((_, glyph)) = before.played.and_then(|played| played.class.mark()) else { return };
    tree.set_glyph(node, glyph);
    if let Some(reason) = &before.reason {
        add_once(tree, node, &reason.text(language, notation));
    }
    let mut parent = tree.parent(node).unwrap_or(MoveTree::ROOT);
    for (index, &mv) in before.best.iter().take(MAX_VARIATION).enumerate() {
        // The game may have the line, perhaps of an earlier review.
        parent = tree.child(parent, mv).unwrap_or_else(|| tree.add(parent, mv));
        if let Some(score) = evaluation(before).filter(|_| index == 0) {
            add_once(tree, parent, language.pick("better", "应走"));
            tree.add_comment(parent, &score);
        }
    }
}

/// Adds a comment, unless it is there.
fn add_once(tree: &mut MoveTree, node: NodeId, text: &str) {
    if !tree.comment(node).contains(text) {
        tree.add_comment(node, text);
    }
}

/// Red's score, as in `[%eval 0.35]`: pawns, or `#` and the moves to mate.
fn evaluation(position: &ReviewedPosition) -> Option<String> {
    let score = position.score?;
    let value = match plies_to_mate(score) {
        Some(_) => format!("#{}", mate_moves(score)),
        None if is_decided(score) => return None,
        None => format!("{:.2}", f64::from(centipawns(score)) / 100.0),
    };
    Some(format!("[%eval {value}]"))
}
