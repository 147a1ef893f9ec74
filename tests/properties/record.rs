//! Recorded games: PGN and XQF are read back as they were written.

use super::walk::{Walk, check, walks};
use chuhe::games::record::{GameRecord, GameResult};
use chuhe::games::{pgn, pgn_writer, xqf, xqf_writer};
use chuhe::notation::Notation;
use chuhe::types::{Color, PieceType};
use proptest::prelude::*;
use std::cell::Cell;
use std::fmt::Write;

const RESULTS: [GameResult; 4] =
    [GameResult::Won(Color::Red), GameResult::Won(Color::Black), GameResult::Drawn, GameResult::Unknown];

/// Checks that a record is this game.
fn assert_is(record: &GameRecord, walk: &Walk, result: GameResult, text: &str) {
    assert_eq!(record.error, None, "{text}");
    assert_eq!(record.moves, walk.moves(), "{text}");
    assert_eq!((record.start.to_fen(), record.result), (walk.start().to_fen(), result), "{text}");
}

/// The only game of a PGN text.
fn only_game(text: &str) -> GameRecord {
    let mut games: Vec<GameRecord> = pgn::games(text).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[test]
fn pgn_is_read_back_in_every_notation() {
    let names = prop::sample::select(vec!["Hu Ronghua", "胡荣华", "A [B] {C}", "x ; y (z", "1-0"]);
    check(96, (walks(120), prop::sample::select(&RESULTS[..]), names), |(walk, result, name)| {
        for (_, notation) in Notation::NAMES {
            let text =
                pgn_writer::write(&[("Red", name), ("Black", "")], &walk.start(), &walk.moves(), result, notation);
            let record = only_game(&text);
            assert_is(&record, &walk, result, &text);
            assert_eq!((record.texts.tag("Red"), record.texts.tag("Black")), (Some(name), None), "{text}");
        }
    });
}

/// Several games one after the other stay apart.
#[test]
fn games_of_one_file_stay_apart() {
    check(32, prop::collection::vec((walks(30), prop::sample::select(&RESULTS[..])), 1..5), |games| {
        let mut text = String::new();
        for (walk, result) in &games {
            text += &pgn_writer::write(&[("Red", "r")], &walk.start(), &walk.moves(), *result, Notation::Wxf);
            text.push('\n');
        }
        let records: Vec<GameRecord> = pgn::games(&text).collect();
        assert_eq!(records.len(), games.len(), "{text}");
        records.iter().zip(&games).for_each(|(record, (walk, result))| assert_is(record, walk, *result, &text));
    });
}

/// What stands between two moves.
#[derive(Clone, Debug)]
enum Remark {
    Comment(String),
    Variation(String),
    Glyph(u8),
    LineComment(String),
    Mark(&'static str),
}

fn remarks() -> impl Strategy<Value = Vec<Remark>> {
    // Words of a comment: with brackets, results and moves, but nothing that closes it.
    let word = prop::sample::select(vec!["好", "(better", "[sic]", "1-0", "h2e2", "C2.5", "*", ";", "a)", "$3", "12."]);
    let comment = prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "));
    let variation = prop::sample::select(vec!["(C2.5)", "(1. h2e2 {a } } )", "(a (b) c)", "()"]);
    let variation = variation.prop_map(|text| Remark::Variation(text.replace("} }", "}")));
    let remark = prop_oneof![
        comment.clone().prop_map(Remark::Comment),
        variation,
        any::<u8>().prop_map(Remark::Glyph),
        comment.prop_map(Remark::LineComment),
        prop::sample::select(vec!["!", "??", "!?"]).prop_map(Remark::Mark),
    ];
    prop::collection::vec(remark, 0..40)
}

#[test]
fn comments_variations_and_glyphs_change_no_move() {
    check(128, (walks(60), remarks()), |(walk, remarks)| {
        let (start, moves) = (walk.start(), walk.moves());
        let words = Notation::Wxf.write_line(&start, &moves);
        let mut remarks = remarks.into_iter();
        let mut text = format!("[FEN \"{}\"]\n", start.to_fen());
        let mut comments = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let _ = write!(text, " {}. {word}", index + 1);
            match remarks.next() {
                None => {}
                Some(Remark::Comment(comment)) => {
                    let _ = write!(text, " {{{comment}}}");
                    comments.extend((!comment.is_empty()).then_some((index + 1, comment)));
                }
                Some(Remark::Variation(variation)) => text += &format!(" {variation}"),
                Some(Remark::Glyph(number)) => text += &format!(" ${number}"),
                Some(Remark::LineComment(comment)) => text += &format!(" ; {comment}\n"),
                Some(Remark::Mark(mark)) => text += mark,
            }
        }
        text += " 1/2-1/2\n";
        let record = only_game(&text);
        assert_is(&record, &walk, GameResult::Drawn, &text);
        assert_eq!(record.texts.comments, comments, "{text}");
    });
}

/// Whether each side has at most the pieces of the usual set, for which XQF has places.
fn has_usual_set(walk: &Walk) -> bool {
    let start = walk.start();
    let most = |kind| if kind == PieceType::Pawn { 5 } else { 2 };
    Color::ALL.iter().all(|&color| PieceType::ALL.iter().all(|&kind| start.count(color, kind) <= most(kind)))
}

#[test]
fn xqf_is_read_back() {
    let stored = Cell::new(0);
    check(192, (walks(120), prop::sample::select(&RESULTS[..])), |(walk, result)| {
        let bytes = xqf_writer::write(["胡荣华", "Hu"], &walk.start(), &walk.moves(), result);
        assert_eq!(bytes.is_some(), has_usual_set(&walk), "{}", walk.fen);
        let Some(bytes) = bytes else { return };
        let record = xqf::read(&bytes).unwrap();
        assert_eq!((record.error, &record.moves, record.result), (None, &walk.moves(), result));
        // The counters are not stored.
        let board = |fen: String| fen.split(" - - ").next().unwrap().to_string();
        assert_eq!(board(record.start.to_fen()), board(walk.start().to_fen()));
        assert_eq!((record.texts.tag("Red"), record.texts.tag("Black")), (Some("胡荣华"), Some("Hu")));
        stored.set(stored.get() + 1);
    });
    assert!(stored.get() > 0);
}

/// A record that is cut off anywhere gives the moves before the cut, or an error, but nothing else.
#[test]
fn records_cut_off_give_the_moves_before() {
    check(96, (walks(60), any::<prop::sample::Index>()), |(walk, cut)| {
        let moves = walk.moves();
        let Some(bytes) = xqf_writer::write(["", ""], &walk.start(), &moves, GameResult::Unknown) else { return };
        let cut = cut.index(bytes.len());
        if let Ok(record) = xqf::read(&bytes[..cut]) {
            assert!(moves.starts_with(&record.moves));
            assert!(record.error.is_some() || record.moves == moves, "{cut} of {}", bytes.len());
        } else {
            assert!(cut < 1024);
        }
    });
}
