//! The review of a game as PGN: evaluations as comments, marks behind bad moves, and the better lines as variations.

use super::GameReview;
use super::ReviewedPosition;
use crate::display::verdict::{Language, verdict};
use crate::engine::units::{centipawns, mate_moves};
use crate::games::pgn_writer::{format_name, move_number, write_tag, write_words};
use crate::games::record::RecordTexts;
use crate::notation::Notation;
use crate::position::START_FEN;
use crate::rules::game_status::GameStatus;
use crate::types::Color;
use crate::types::score::{is_decided, plies_to_mate};

/// Maximum number of moves of a variation.
const MAX_VARIATION: usize = 10;
/// Tags that are written anew.
const OWN_TAGS: [&str; 8] = ["FEN", "SetUp", "Result", "Format", "ECCO", "Opening", "Annotator", "Termination"];

/// The game as PGN, with the moves in `notation` and the `texts` of its record. Quotes in tags become apostrophes, and
/// braces in comments round brackets.
pub fn annotated_pgn(
    review: &GameReview,
    texts: &RecordTexts,
    result: &str,
    notation: Notation,
    language: Language,
) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| write_tag(&mut text, name, value);
    tag("Game", "Chinese Chess");
    let is_kept = |name: &str| name != "Game" && !OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name));
    texts.tags.iter().filter(|(name, _)| is_kept(name) && is_name(name)).for_each(|(name, value)| tag(name, value));
    tag("Result", result);
    if let Some(opening) = review.opening {
        tag("ECCO", opening.code);
        tag("Opening", &language.pick(opening.english.to_string(), opening.chinese()));
    }
    if review.status != GameStatus::Ongoing {
        tag("Termination", &verdict(&review.status, language));
    }
    tag("Annotator", "ChuHe");
    tag("Format", format_name(notation));
    let start = review.positions[0].position.to_fen();
    if start != START_FEN {
        tag("FEN", &start);
    }
    text.push('\n');
    let mut writer = MoveWriter { review, texts, notation, language, words: comment(texts, 0) };
    (0..review.positions.len()).for_each(|index| writer.add(index));
    let mut words = writer.words;
    words.push(result.to_string());
    write_words(&mut text, &words);
    text.push('\n');
    text
}

/// The comment of the record after this number of moves, in words.
fn comment(texts: &RecordTexts, moves: usize) -> Vec<String> {
    let Some(text) = texts.comment(moves) else { return Vec::new() };
    let text = text.replace('{', "(").replace('}', ")");
    let words = text.split_whitespace().map(String::from);
    ["{".to_string()].into_iter().chain(words).chain(["}".to_string()]).collect()
}

/// Whether a text can be the name of a tag.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Writes the moves of a game as words.
struct MoveWriter<'a> {
    review: &'a GameReview,
    texts: &'a RecordTexts,
    notation: Notation,
    language: Language,
    words: Vec<String>,
}

impl MoveWriter<'_> {
    /// Appends the move of this index, with its mark, the comment of the record and the evaluation after it, and the
    /// better line of a bad move. Does nothing at the end of the game.
    fn add(&mut self, index: usize) {
        let MoveWriter { review, texts, notation, language, words } = self;
        let [before, after] = match &review.positions[index..] {
            [before, after, ..] => [before, after],
            _ => return,
        };
        let Some(played) = before.played else { return };
        let first = review.positions[0].position.side();
        let ply = index + first.index();
        let follows_variation = words.last().is_some_and(|word| word.ends_with(['}', ')']));
        if before.position.side() == Color::Red || index == 0 || follows_variation {
            words.push(move_number(ply));
        }
        words.push(notation.write(&before.position, played.mv));
        let mark = played.class.mark();
        words.extend(mark.map(|(_, nag)| format!("${nag}")));
        words.extend(comment(texts, index + 1));
        words.extend(evaluation(after).map(|score| format!("{{ {score} }}")));
        if mark.is_some() && !before.best.is_empty() {
            let line = &before.best[..before.best.len().min(MAX_VARIATION)];
            let mut line = notation.write_line(&before.position, line).into_iter().enumerate().map(|(offset, mv)| {
                let has_number = offset == 0 || (ply + offset).is_multiple_of(2);
                if has_number { format!("{} {mv}", move_number(ply + offset)) } else { mv }
            });
            let better = language.pick("better", "应走");
            let score = evaluation(before).map_or(String::new(), |score| format!(" {{ {better} {score} }}"));
            let first = line.next().unwrap_or_default();
            words.push(format!("({first}{score}"));
            words.extend(line);
            let last = words.last_mut().expect("invariant: the first move was pushed");
            last.push(')');
        }
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
