//! Random games, written as files in every format and read back.

use crate::walk::{Walk, check, walks};
use chuhe::games::loss::Loss;
use chuhe::games::stream::GameStream;
use chuhe::games::tree::{MoveTree, NodeId, TreeCursor};
use chuhe::games::write::{Format, write};
use chuhe::games::{GameRecord, GameResult, games};
use chuhe::internals::xqf;
use chuhe::notation::Notation;
use chuhe::position::Variant;
use chuhe::types::{Color, Move, PieceType};
use proptest::prelude::*;
use std::cell::Cell;
use std::fmt::Write as _;

const RESULTS: [GameResult; 4] =
    [GameResult::Won(Color::Red), GameResult::Won(Color::Black), GameResult::Drawn, GameResult::Unknown];

/// A game with variations: the moves of a walk, and more from random nodes.
fn trees() -> impl Strategy<Value = GameRecord> {
    let text = prop::sample::select(vec!["", "", "好", "a comment", "红方先手 a||b", "x & y <b> \\n"]);
    let more = prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), text), 0..30);
    let names = prop::sample::select(vec!["Hu", "胡荣华", ""]);
    (walks(30), more, prop::sample::select(&RESULTS[..]), names).prop_map(|(walk, more, result, name)| {
        let mut record = GameRecord::new(walk.start());
        let mut cursor = TreeCursor::new(MoveTree::new(), record.start.clone());
        walk.moves().into_iter().try_for_each(|mv| cursor.add(mv)).ok();
        for (node, choice, comment) in more {
            let nodes: Vec<NodeId> = cursor.tree().nodes().collect();
            let at = nodes[node.index(nodes.len())];
            cursor.go_to(at);
            let moves = cursor.position().legal_moves();
            let Some(mv) = (!moves.is_empty()).then(|| moves.get(choice.index(moves.len()))).flatten() else {
                continue;
            };
            if child(cursor.tree(), at, mv).is_none() && cursor.add(mv).is_ok() {
                let node = cursor.node();
                cursor.tree().add_comment(node, comment);
            }
        }
        record.tree = cursor.into_tree();
        record.result = result;
        record.tags = [("Red", name)]
            .iter()
            .filter(|(_, name)| !name.is_empty())
            .map(|(tag, name)| (tag.to_string(), name.to_string()))
            .collect();
        record
    })
}

/// The node after a move from `node`.
fn child(tree: &MoveTree, node: NodeId, mv: Move) -> Option<NodeId> {
    tree.children(node).find(|&child| tree.mv(child) == Some(mv))
}

/// The only game of a file.
fn only_game(bytes: &[u8]) -> GameRecord {
    let mut games: Vec<_> = GameStream::new(bytes, Variant::Standard).map(Result::unwrap).collect();
    assert_eq!(games.len(), 1, "{}", String::from_utf8_lossy(bytes));
    games.remove(0).game.unwrap()
}

/// From any format into any other the same tree comes, or what is lost is said.
#[test]
fn trees_are_read_back_in_every_format() {
    let formats = [Format::Pgn, Format::Xqf, Format::Cbr, Format::DhtmlXq];
    let stored = Cell::new(0);
    check(96, trees(), |record| {
        for first in formats {
            for second in formats {
                let (mut game, mut lost) = (record.clone(), Vec::new());
                for format in [first, second] {
                    let Ok((bytes, losses)) = write(&game, format, Notation::Wxf) else {
                        assert!(!has_usual_set(&record.start));
                        break;
                    };
                    game = only_game(&bytes);
                    lost.extend(losses);
                    assert_eq!(game.error, None, "{format:?}");
                    assert_eq!(&game.tree, &record.tree, "{format:?} {:?}", record.start.to_fen());
                    assert_eq!((game.result, game.tag("Red")), (record.result, record.tag("Red")));
                    let fen = |game: &GameRecord| game.start.to_fen();
                    if !lost.contains(&Loss::Counters) && !lost.contains(&Loss::SideToMove) {
                        assert_eq!(fen(&game), fen(&record), "{format:?}");
                    }
                    stored.set(stored.get() + 1);
                }
            }
        }
    });
    assert!(stored.get() > 500, "{}", stored.get());
}

/// Whether each side has at most the pieces of the usual set, for which XQF has places.
fn has_usual_set(start: &chuhe::Position) -> bool {
    let most = |kind| if kind == PieceType::Pawn { 5 } else { 2 };
    Color::ALL.iter().all(|&color| PieceType::ALL.iter().all(|&kind| start.count(color, kind) <= most(kind)))
}

/// Checks that a record is this game.
fn assert_is(record: &GameRecord, walk: &Walk, result: GameResult, text: &str) {
    assert_eq!(record.error, None, "{text}");
    assert_eq!(record.moves(), walk.moves(), "{text}");
    assert_eq!((record.start.to_fen(), record.result), (walk.start().to_fen(), result), "{text}");
}

fn record(walk: &Walk, result: GameResult) -> GameRecord {
    let mut record = GameRecord::new(walk.start());
    (record.tree, record.result) = (MoveTree::of_line(&walk.moves()), result);
    record
}

#[test]
fn pgn_is_read_back_in_every_notation() {
    let names = prop::sample::select(vec!["Hu Ronghua", "胡荣华", "A [B] {C}", "x ; y (z", "1-0"]);
    check(96, (walks(120), prop::sample::select(&RESULTS[..]), names), |(walk, result, name)| {
        for (_, notation) in Notation::NAMES {
            let mut game = record(&walk, result);
            game.tags = vec![("Red".to_string(), name.to_string())];
            let text = String::from_utf8(write(&game, Format::Pgn, notation).unwrap().0).unwrap();
            let again = only_game(text.as_bytes());
            assert_is(&again, &walk, result, &text);
            assert_eq!((again.tag("Red"), again.tag("Black")), (Some(name), None), "{text}");
        }
    });
}

/// Several games one after the other stay apart.
#[test]
fn games_of_one_file_stay_apart() {
    check(32, prop::collection::vec((walks(30), prop::sample::select(&RESULTS[..])), 1..5), |walks| {
        let mut text = String::new();
        for (walk, result) in &walks {
            let (game, _) = write(&record(walk, *result), Format::Pgn, Notation::Wxf).unwrap();
            text += &(String::from_utf8(game).unwrap() + "\n");
        }
        let records: Vec<GameRecord> = games(&text).map(Result::unwrap).collect();
        assert_eq!(records.len(), walks.len(), "{text}");
        for (record, (walk, result)) in records.iter().zip(&walks) {
            assert_is(record, walk, *result, &text);
        }
    });
}

/// What stands between two moves.
#[derive(Clone, Debug)]
enum Remark {
    Comment(String),
    Variation(&'static str),
    Glyph(u8),
    LineComment(String),
    Mark(&'static str),
}

fn remarks() -> impl Strategy<Value = Vec<Remark>> {
    // Words of a comment: with brackets, results and moves, but nothing that closes it.
    let word = prop::sample::select(vec!["好", "(better", "[sic]", "1-0", "h2e2", "C2.5", "*", ";", "a)", "$3", "12."]);
    let comment = prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "));
    let remark = prop_oneof![
        comment.clone().prop_map(Remark::Comment),
        prop::sample::select(vec!["(zz)", "(a (b) c)", "()", "(如改走炮二平五)"]).prop_map(Remark::Variation),
        any::<u8>().prop_map(Remark::Glyph),
        comment.prop_map(Remark::LineComment),
        prop::sample::select(vec!["!", "??", "!?"]).prop_map(Remark::Mark),
    ];
    prop::collection::vec(remark, 0..40)
}

#[test]
fn comments_remarks_and_glyphs_change_no_move() {
    check(128, (walks(60), remarks()), |(walk, remarks)| {
        let (start, moves) = (walk.start(), walk.moves());
        let words = Notation::Wxf.write_line(&start, &moves);
        let mut remarks = remarks.into_iter();
        let mut text = format!("[FEN \"{}\"]\n", start.to_fen());
        let mut comments = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let _ = write!(text, " {}. {word}", index + 1);
            let comment = match remarks.next() {
                None => String::new(),
                Some(Remark::Comment(comment)) => {
                    let _ = write!(text, " {{{comment}}}");
                    comment
                }
                Some(Remark::Variation(variation)) => {
                    text += &format!(" {variation}");
                    variation[1..variation.len() - 1].to_string()
                }
                Some(Remark::Glyph(number)) => {
                    text += &format!(" ${number}");
                    String::new()
                }
                Some(Remark::LineComment(comment)) => {
                    text += &format!(" ; {comment}\n");
                    comment
                }
                Some(Remark::Mark(mark)) => {
                    text += mark;
                    String::new()
                }
            };
            comments.push(comment);
        }
        text += " 1/2-1/2\n";
        let record = only_game(text.as_bytes());
        assert_is(&record, &walk, GameResult::Drawn, &text);
        let found: Vec<String> = record.tree.main_line().map(|node| record.tree.comment(node).to_string()).collect();
        assert_eq!(found, comments, "{text}");
    });
}

/// A record that is cut off anywhere gives the moves before the cut, or an error, but nothing else.
#[test]
fn records_cut_off_give_the_moves_before() {
    check(96, (walks(60), any::<prop::sample::Index>()), |(walk, cut)| {
        let moves = walk.moves();
        let Ok((bytes, _)) = write(&record(&walk, GameResult::Unknown), Format::Xqf, Notation::Iccs) else { return };
        let cut = cut.index(bytes.len());
        if let Ok(record) = xqf::read(&bytes[..cut]) {
            assert!(record.error.is_some() || record.moves() == moves, "{cut} of {}", bytes.len());
            assert!(moves.starts_with(&record.moves()));
        } else {
            assert!(cut < 1024);
        }
    });
}
