//! Games in texts of every kind, and in files of every format.

use chuhe::Position;
use chuhe::games::error::ReadErrorKind;
use chuhe::games::stream::{self, FileGame, GameStream, Place};
use chuhe::games::tree::MoveTree;
use chuhe::games::{GameRecord, GameResult, ReadError, encoding, games};
use chuhe::position::Variant;
use chuhe::types::{Color, Square};
use std::cell::Cell;
use std::fs;
use std::io::{self, BufReader, Read};
use std::path::Path;

const FEN: &str = "3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7";

pub fn all(text: &str) -> Vec<GameRecord> {
    games(text).map(Result::unwrap).collect()
}

/// The moves of a line of play.
pub fn moves(game: &GameRecord) -> String {
    game.moves().iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// The errors of games, `None` for one without.
pub fn errors(text: &str) -> Vec<Option<String>> {
    games(text).map(|game| game.map_or_else(Some, |game| game.error).map(|error| error.to_string())).collect()
}

/// All that a game has, as text: the board, the tree with comments, the tags, the result and the error.
fn shown(game: &Result<GameRecord, ReadError>) -> String {
    let game = match game {
        Ok(game) => game,
        Err(error) => return format!("error: {error}"),
    };
    let node = |node| {
        let path: Vec<String> = game.tree.moves_to(node).iter().map(|mv| mv.to_string()).collect();
        format!("{} {{{}}} {}", path.join(" "), game.tree.comment(node), game.tree.glyph(node))
    };
    let nodes: Vec<String> = game.tree.nodes().map(node).collect();
    format!("{} {nodes:?} {:?} {:?} {:?}", game.start.to_fen(), game.tags, game.result, game.error)
}

/// The games of a file that comes in small pieces.
pub fn stream(bytes: &[u8]) -> Vec<FileGame> {
    GameStream::new(BufReader::with_capacity(7, bytes), Variant::Standard).map(Result::unwrap).collect()
}

/// A file of `tests/data/formats`.
pub fn file(name: &str) -> Vec<FileGame> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats").join(name);
    stream(&fs::read(path).unwrap())
}

/// Each game of such a file: its moves, variations behind `|`, its result, Red, Black, and the error.
fn summary(name: &str) -> Vec<String> {
    let game = |game: FileGame| match game.game {
        Err(error) => format!("error: {error}"),
        Ok(game) => {
            let mut text = moves(&game);
            let leaves = game.tree.nodes().filter(|&node| game.tree.first_child(node).is_none());
            for leaf in leaves.skip(1) {
                let line = game.tree.moves_to(leaf);
                text += &format!(" | {}", line.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "));
            }
            text += &format!(" {}", game.result.text());
            for tag in ["Red", "Black", "Event"] {
                text += &game.tag(tag).map_or(String::new(), |value| format!(" {tag}={value}"));
            }
            text + &game.error.map_or(String::new(), |error| format!(" error: {error}"))
        }
    };
    file(name).into_iter().map(game).collect()
}

#[test]
fn every_format_is_read() {
    for (name, expected) in [
        ("dhtmlxq_ubb.txt", &["h2e2 h9g7 h0g2 g6g5 1-0 Red=甲 Black=乙"][..]),
        ("small.cbr", &["h2e2 h9g7 h0g2 | h2e2 h7e7 h0g2 | h2e2 b9c7 1-0 Red=甲 Black=乙 Event=赛事"]),
        (
            "small.cbl",
            &[
                "h2e2 h9g7 h0g2 | h2e2 h7e7 h0g2 | h2e2 b9c7 1-0 Red=甲 Black=乙 Event=赛事",
                "c3c4 g6g5 1/2-1/2 Red=丙 Black=丁 Event=赛事",
            ],
        ),
        ("cbf_small.cbf", &["h2e2 h9g7 *"]),
        ("playok.wxf", &["h2e2 h9g7 h0g2 g6g5 1-0 Red=a Black=b Event=PlayOK Game ; 10m+0s"]),
        ("xieexie_fen.wxf", &["b9c7 *"]),
        ("xqstudio_text_export.txt", &["h2e2 h9g7 h0g2 g6g5 i0h0 i9h9 1-0 Red=甲 Black=乙 Event=某赛"]),
        ("commas.txt", &["h2e2 h9g7 h0g2 g6g5 *"]),
        ("fen_then_moves.txt", &["h2e2 h9g7 h0g2 g6g5 *"]),
        ("result_word.txt", &["h2e2 h9g7 h0g2 g6g5 1-0"]),
        ("variations_dropped.pgn", &["h2e2 h9g7 h0g2 i9h9 | h2e2 h7e7 e2e6 d9e8 *"]),
        ("empty_first.pgn", &[" * Red=甲 Event=A", "h2e2 * Red=乙 Event=B"]),
        ("puzzles.pgn", &[" *", " *", " *"]),
        ("pawn_old_notation.pgn", &["c6d6 *"]),
        ("wxf2018_misread.pgn", &[" * error: line 2: 33=4 is ambiguous: g6f6 or g5f5"]),
        ("wxf2018_refused.pgn", &["c6d6 *"]),
        ("ambiguous_zh.pgn", &[" * error: line 2: 前兵进一 is ambiguous: c6c7 or e6e7"]),
        ("title_between.txt", &["h2e2 h9g7 h0g2 i9h9 1-0", "c3c4 g6g5 b0c2 h9g7 0-1", "g0e2 h7e7 1-0"]),
        ("lost_game.pgn", &["h2e2 h9g7 1-0", "error: line 3: \"Zb0c2\" is not a move", "c3c4 0-1"]),
        ("fen_in_comment.pgn", &["h2e2 h9g7 h0g2 i9h9 * Event=x"]),
        ("utf16le_without_mark.pgn", &["i0i1 h9g7 i1d1 * Red=甲 Black=乙"]),
        ("fullwidth_wxf.txt", &["h2e2 h9g7 h0g2 i9h9 *"]),
        ("vietnamese.txt", &["h2e2 h9g7 h0g2 i9h9 *"]),
        ("fen_label.txt", &["h2e2 h9g7 *"]),
        ("spaced.txt", &["h2e2 h9g7 *"]),
        ("glued.txt", &["h2e2 h9g7 h0g2 i9h9 *"]),
        ("names_header.txt", &["h2e2 h9g7 h0g2 i9h9 * Red=甲 Black=乙"]),
        ("epd_two_fields.epd", &[" *"]),
        ("html_breaks.pgn", &["h2e2 h9g7 h0g2 i9h9 1-0 Red=a Event=x"]),
        ("header_opening_like_move.txt", &["h2e2 h9g7 h0g2 i9h9 0-1 Red=甲 Black=乙 Event=某赛"]),
        ("pgn_black_first_fen_w.pgn", &["e9d9 e8c7 d9d8 *"]),
        ("xqf_black_first_side0.xqf", &["e9d9 e8c7 d9d8 c7b9 *"]),
        ("xqf_diagram_in_check_side0.xqf", &[" *"]),
        ("link_xiangqiai.txt", &[" *"]),
        ("ini.txt", &["error: line 1: \"[section]\" is no tag with a name and a quoted value"]),
        (
            "json_list_of_fens.txt",
            &["error: line 1: \"[\\\"4k4/9/9/9/9/9/9/9/9/3K5 w\\\"]\" is no tag with a name and a quoted value"],
        ),
        ("small.obk", &["error: an SQLite database, perhaps an opening book, which is not read as games"]),
    ] {
        assert_eq!(summary(name), expected, "{name}");
    }
    let first = |name: &str| file(name).remove(0).game.unwrap();
    let epd = first("epd_two_fields.epd");
    assert_eq!(
        (epd.tag("bm"), epd.tag("id"), epd.start.to_fen()),
        (Some("h2e2"), Some("one"), Position::start().to_fen())
    );
    let cbr = first("small.cbr");
    let node = cbr.tree.main_line().next().unwrap();
    assert_eq!((cbr.tree.comment(MoveTree::ROOT), cbr.tree.comment(node)), ("开局", "中炮"));
    let ranks = file("puzzles.pgn").into_iter().map(|game| game.game.unwrap().start.to_fen());
    let ranks: Vec<String> = ranks.map(|fen| fen.split('/').nth(8).unwrap().to_string()).collect();
    assert_eq!(ranks, ["R8", "1R7", "2R6"]);
}

#[test]
fn game_is_read_in_any_notation() {
    let expected = "h2e2 h9g7 h0g2 i9h9";
    for text in [
        "1. C2.5 H8+7 2. H2+3 R9.8 1-0",
        "1.C2=5 h8+7\n2.N2+3 r9=8\n1-0",
        "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0",
        "1. 炮二平五　馬8進7 2. 傌二进三 車9平8 1-0",
        "1. 炮二平五　馬8上7 2. 傌二上三（好着！） 車9平8 红方胜",
        "中国象棋某局\n作者：某\n1、炮二平五！ 马8进7\n双方布成中炮局。\n2、马二进三，車9平8 紅勝",
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0",
        "h2e2 h9g7 h0g2 i9h9 1-0",
        "1... h2e2 h9g7! {good} (1. g3g4 {(} (2. a) ) $3 h0g2?! ; to the end\n% as well\ni9h9 1-0",
    ] {
        let games = all(text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!((moves(&games[0]).as_str(), &games[0].error), (expected, &None), "{text}");
        assert_eq!(games[0].result, GameResult::Won(Color::Red), "{text}");
    }
}

#[test]
fn games_are_separated_by_results_and_tags() {
    let text = "[Game \"Chinese Chess\"]\n[Event \"a [b] c\"]\n[Result \"0-1\"]\n\n1. C2.5 H8+7 0-1\n\n\
                [Game \"Chinese Chess\"][Result \"1/2-1/2\"]\n[FEN \"3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1\"]\n1. K5.4\n\
                [Game \"x\"]\n\n*\nh2e2 h9g7 1-0\nb2e2 *\n";
    let found = all(text);
    assert!(found.iter().all(|game| game.error.is_none()) && found[1].start.to_fen().starts_with("3k5/"));
    let found: Vec<(String, GameResult)> = found.iter().map(|game| (moves(game), game.result)).collect();
    let expected = [
        ("h2e2 h9g7", GameResult::Won(Color::Black)),
        ("e0f0", GameResult::Drawn),
        ("", GameResult::Unknown),
        ("h2e2 h9g7", GameResult::Won(Color::Red)),
        ("b2e2", GameResult::Unknown),
    ];
    assert_eq!(found, expected.map(|(moves, result)| (moves.to_string(), result)));
    assert!(games("").next().is_none());
}

#[test]
fn games_one_a_line_are_told_from_a_game_over_several_lines() {
    let lines = |text: &str| all(text).iter().map(moves).collect::<Vec<_>>();
    // The second line cannot follow the first one; the others are games whatever could follow what.
    let [first, second, third] = ["h2e2 h9g7", "h2e2 b9c7 h0g2", "b0c2"];
    let games = format!("{first}\n{second}\n{third}\n\n{first}\n");
    assert_eq!(lines(&games), [first, second, third, first]);
    assert_eq!(lines("C2.5 H8+7\nC2.5 H2+3\n"), ["h2e2 h9g7", "h2e2 b9c7"]);
    assert_eq!(lines("炮二平五 马8进7\n炮二平五 马2进3"), ["h2e2 h9g7", "h2e2 b9c7"]);
    // Game after game, in numbers of thousands.
    assert_eq!(lines(&format!("{second}\n").repeat(3_000)), vec![second; 3_000]);
    // One game.
    assert_eq!(lines("h2e2 h9g7\nh0g2 b9c7\nb0c2"), ["h2e2 h9g7 h0g2 b9c7 b0c2"]);
    // Neither: the error stays that of the game.
    let wrong = ["line 2: h2e2 is illegal"];
    assert_eq!(errors("h2e2 h9g7\nh2e2 h9g9\n").into_iter().flatten().collect::<Vec<_>>(), wrong);
    // Tags and a result end the list.
    let tagged = format!("{first}\n{second}\n[Event \"x\"]\n{first}\nh0g2 1-0\n{first}\nh0g2");
    assert_eq!(lines(&tagged), [first, second, "h2e2 h9g7 h0g2", "h2e2 h9g7 h0g2"]);
}

#[test]
fn pawns_of_two_standards_are_told_apart_by_the_game() {
    let text = |moves: &str| format!("[FEN \"3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1\"]\n{moves}");
    // By the rules of 2018 the rear pawn goes, by the older ones the middle one.
    for (moves, expected) in [
        ("33. 33.4! k4+1 34. 7+.6 1-0", None),
        ("33. 33.4! k4+1 34. g5g6 1-0", Some("g6f6 d9d8 g5g6")),
        ("33. 33.4! k4+1 34. f5f6 1-0", Some("g5f5 d9d8 f5f6")),
        ("33. 23.4 k4+1 34. 17.6 1-0", Some("g6f6 d9d8 c6d6")),
    ] {
        let game = &all(&text(moves))[0];
        assert_eq!(expected.is_none(), game.error.is_some(), "{moves}");
        expected.into_iter().for_each(|expected| assert_eq!(self::moves(game), expected));
    }
}

#[test]
fn variations_and_remarks_are_told_apart() {
    let text = "{first} 1. h2e2! (1. b2e2 {no} 1... h9g7 (1... b9c7) (text) 2. h0g2) (如改走马二进三，则炮二平五) h9g7 (1. zz)\n\
                2. h0g2 (2. h0i2 i9i9 h9h8) *";
    let game = &all(text)[0];
    assert_eq!(moves(game), "h2e2 h9g7 h0g2");
    let lines: Vec<String> = game
        .tree
        .nodes()
        .map(|node| {
            let mv = game.tree.mv(node).map_or("-".to_string(), |mv| mv.to_string());
            format!("{mv} {}", game.tree.comment(node))
        })
        .collect();
    let expected = [
        "- first",
        "h2e2 如改走马二进三，则炮二平五",
        "h9g7 1. zz",
        "h0g2 ",
        "h0i2 ",
        "b2e2 no",
        "h9g7 text",
        "h0g2 ",
        "b9c7 ",
    ];
    assert_eq!(lines, expected);
    // What is wrong within a variation is an error, and the main line goes on.
    assert_eq!(game.error.as_ref().unwrap().to_string(), "line 2: i9i9 is illegal");
    assert_eq!(game.tree.glyph(game.tree.main_line().next().unwrap()), 1);
}

#[test]
fn moves_go_on_behind_a_remark_with_dots_for_the_move_of_red() {
    for text in [
        "1. 炮二平五 ……\n当头炮。\n1. …… 马8进7\n2. 马二进三 车9平8",
        "1. 炮二平五\n当头炮。\n1. … 马8进7\n2. 马二进三\n2. ---- 车9平8",
        "[Red \"a\"]\n1. C2.5 {good}\n1. ... H8+7\n2. H2+3 R9.8",
        "1. h2e2\n1. ... h9g7 2. h0g2\n2. ... i9h9 *",
    ] {
        let found: Vec<String> = all(text).iter().map(moves).collect();
        assert_eq!(found, ["h2e2 h9g7 h0g2 i9h9"], "{text}");
    }
}

#[test]
fn remarks_in_brackets_are_kept_as_written() {
    let text =
        "炮二平五 马8进7（好棋！以下红优，见第3局 {a, b}（？）。） 马二进三 （可以认为\n红胜） 车9平8 (1-0!) 1-0";
    let game = &all(text)[0];
    assert_eq!((moves(game).as_str(), game.result), ("h2e2 h9g7 h0g2 i9h9", GameResult::Won(Color::Red)));
    let comments: Vec<&str> = game.tree.main_line().map(|node| game.tree.comment(node)).collect();
    assert_eq!(comments, ["", "好棋！以下红优，见第3局 a, b(？)。", "可以认为 红胜", "1-0!"]);
    assert!(game.tree.nodes().all(|node| game.tree.glyph(node) == 0));
    // A remark before the first move of a variation.
    let game = &all("1. h2e2 (或 b2e2! h9g7) h9g7 *")[0];
    let lines: Vec<_> = game.tree.nodes().map(|node| (game.tree.comment(node), game.tree.glyph(node))).collect();
    assert_eq!(lines, [("", 0), ("", 0), ("", 0), ("或", 1), ("", 0)]);
}

#[test]
fn unclosed_bracket_ends_with_the_game() {
    for open in ["( 2. a3a4", "{ [not a tag] ( \n[nor this]"] {
        let text = format!("[Red \"a\"]\n1. h2e2 {open}\n\n[Red \"b\"]\n1. b2e2 (c) *\n");
        let found: Vec<(String, bool)> = all(&text).iter().map(|game| (moves(game), game.error.is_some())).collect();
        assert_eq!(found, [("h2e2".to_string(), true), ("b2e2".to_string(), false)], "{text}");
    }
}

#[test]
fn games_left_out_are_errors() {
    let not_a_move = |line: usize, word: &str| Some(format!("line {line}: {word:?} is not a move"));
    for (text, expected) in [
        // Titles, at the beginning and between games.
        ("第一局\n1. h2e2 *\n\n第二局（某年\n某地 2001.01.01\n1. h2e2 *\n", vec![None, None]),
        // A wrong first move.
        ("1. h2e2 *\n\n1. Zb0c2 h9g7 1-0\n1. c3c4 *\n", vec![None, not_a_move(3, "Zb0c2"), None]),
        ("1.Zb0c2\n2. h0g2 h9g7 1-0\n", vec![not_a_move(1, "Zb0c2")]),
        ("Zb0c2 h9g7 h0g2\nh2e2 *\nh2e2 *", vec![not_a_move(1, "Zb0c2"), None]),
        ("开局 炮二平五 马8进7\n1. h2e2 *\nh2e2 *\n", vec![None, None, None]),
        ("Zb0c2 *\nh2e2 *\n", vec![not_a_move(1, "Zb0c2"), None]),
        ("1. h2e2 *\n\n炮二平x\n\n1. c3c4 *\n", vec![None, not_a_move(3, "炮二平x")]),
        // Games without results, with errors and below titles.
        ("1. h2e2 h9g7 2. h0g2\n2... i9h9\n\n1. c3c4 g6g5\n", vec![None, None]),
        ("1. h2e2 h9g7\n\n第二局\n某地\n1. c3c4 g6g5\n第三局\n1. h2e2", vec![None, None, None]),
        ("1. h2e2 h9g7\nSecond game\n1. c3c4 g6g5\nx y\n2. h2e2", vec![None, not_a_move(4, "x")]),
        ("1. h2e2 *\n\n1. h2zz h9g7\n\n1. c3c4 *\n", vec![None, not_a_move(3, "h2zz"), None]),
        ("1. h2e2\n1... h9g7\n2. h0g2\n1-0\n", vec![None]),
        // Text after games without tags, and text alone.
        ("1. h2e2 *\n\nwelcome home\n", vec![None, not_a_move(3, "welcome")]),
        ("[Red \"a\"]\n1. h2e2 *\nh2e2 *\nwelcome\n", vec![None, None, not_a_move(4, "welcome")]),
        // With tags, what follows is a banner, unless it has a move or a result.
        ("welcome\n[Red \"a\"]\n1. h2e2 *\n====\nhttp://www.example.org/\n====\n", vec![None]),
        ("[Red \"a\"]\n1. h2e2 *\n1. Zb0c2 h9g7\n", vec![None, not_a_move(3, "Zb0c2")]),
        ("[Red \"a\"]\nIn this game Red wins.\n1. h2e2 *\n", vec![None]),
        ("h2h7 1-0", vec![Some("line 1: h2h7 is illegal".to_string())]),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn tags_begin_a_game() {
    let text = "[Event \"A\"]\n[Red \"a\"]\n\n[Event \"B\"]\n\n[Red \"b\"]\n1. h2e2 *\n[FEN \"\"]\n [FEN \"3k5/9/9/9/9/9/9/9/9/4K4 w\"]";
    let games = all(text);
    let found: Vec<_> = games.iter().map(|game| (game.tag("Red"), moves(game))).collect();
    let expected = [(Some("a"), ""), (Some("b"), "h2e2"), (None, ""), (None, "")];
    assert_eq!(found, expected.map(|(red, moves)| (red, moves.to_string())));
    assert!(games[3].start.to_fen().starts_with("3k5") && games.iter().all(|game| game.error.is_none()));
    // An empty line alone ends no tags; with a name that is there it does.
    assert_eq!(all("[Event \"A\"]\n\n[Red \"a\"]\n\n1. h2e2 *").len(), 1);
    assert_eq!(all("[Event \"A\"]\n[Red \"a\"]\n\n[Red \"b\"]\n[Event \"B\"]\n").len(), 2);
}

/// With and without their ends marked.
#[test]
fn games_in_dhtmlxq_stay_apart() {
    let game = |mv: &str| format!("[DhtmlXQ_title]{mv}[/DhtmlXQ_title]\n[DhtmlXQ_movelist]{mv}[/DhtmlXQ_movelist]\n");
    for (begin, end) in [("[DhtmlXQ]\n", "[/DhtmlXQ]\n"), ("[DhtmlXQ]\n", ""), ("", "")] {
        let text = ["7747", "1747", "6254"].map(|mv| format!("{begin}{}{end}", game(mv))).concat();
        let found: Vec<String> =
            games(&text).map(|game| game.map_or_else(|error| error.to_string(), |game| moves(&game))).collect();
        assert_eq!(found, ["h2e2", "b2e2", ""], "{text}");
    }
}

#[test]
fn empty_fen_is_the_start_position() {
    for fen in ["", "  "] {
        let games = all(&format!("[FEN \"{fen}\"]\n1. h2e2 *\n"));
        assert!(games.len() == 1 && games[0].error.is_none() && moves(&games[0]) == "h2e2", "{fen:?}");
    }
}

#[test]
fn games_that_are_too_long_are_errors() {
    let moves = "a0a1 a9a8 a1a0 a8a9 ".repeat(1_250);
    for (text, error) in [
        (moves.clone(), None),
        (moves + "h2e2 *\n", Some("more than 5000 moves")),
        ("[a \"x\"]\n".repeat(20_000) + "{x} h2e2 *\n", None),
        (
            "1. h2e2 ".to_string() + &"{x}\n".repeat(300_000) + "*\n",
            Some("the game record takes more than 4 MiB of memory"),
        ),
        ("1. h2e2\n".to_string() + &"(\n".repeat(300_000), Some("the game record takes more than 4 MiB of memory")),
        ("1. h2e2 {\n".to_string() + &"x\n".repeat(3_000_000), Some("the game record takes more than 4 MiB of memory")),
    ] {
        let found = errors(&text);
        assert_eq!(found[0], error.map(|error| format!("line 1: {error}")), "{:.30}", text);
    }
}

#[test]
fn tags_and_comments_are_kept() {
    let text = "[Red \"a \\\"b\\\" c\"]\n[Black \"\"]\n[Event \"\u{1}\"]\n{of the start} 1. h2e2 {good\n  move [%eval 0.2]} (1. b2e2 {no}) {!} h9g7 \
                {[%eval 0]} ; to the end\n* {of the first}\n\n[Red \"b\"]\n1. Ch3 {from one} Ch9 *";
    let games = all(text);
    let comments = |game: &GameRecord| -> Vec<(usize, String)> {
        let nodes = [MoveTree::ROOT].into_iter().chain(game.tree.main_line());
        let comments = nodes.map(|node| game.tree.comment(node).to_string()).enumerate();
        comments.filter(|(_, comment)| !comment.is_empty()).collect()
    };
    let expected =
        [(0, "of the start"), (1, "good move !"), (2, "to the end")].map(|(moves, text)| (moves, text.to_string()));
    assert_eq!((games.len(), comments(&games[0])), (2, expected.to_vec()));
    assert_eq!(games[0].tags, [("Red".to_string(), "a \"b\" c".to_string())]);
    assert_eq!(comments(&games[1]), [(1, "from one".to_string())]);
    let among_tags =
        &all("{of the game before} [Red \"a\"]\n{of the game} [Black \"b\"]\nh2e2 h9h0 {of a game not read} *")[0];
    assert_eq!(comments(among_tags), [(0, "of the game".to_string())]);
}

#[test]
fn tags_may_contain_brackets_and_blanks() {
    for tag in ["[Red \"a [b] c\" ]", "[ Red  \"a\"]", "[Red \"\"\t]"] {
        let games = all(&format!("{tag}\n[Result \"1-0\"]\n1. h2e2 1-0\n"));
        assert!(games.len() == 1 && games[0].error.is_none() && moves(&games[0]) == "h2e2", "{tag}");
    }
}

#[test]
fn brackets_in_comments_and_cut_tags_end_no_game() {
    let game = &all("1. h2e2 {first\n[%eval 3] second} h9g7 {see [Red \"A\"] there} *")[0];
    assert_eq!((moves(game).as_str(), &game.error), ("h2e2 h9g7", &None));
    let games = all("[Event \"x\n[Red \"B\"]\n\n1. h2e2 *\n");
    assert_eq!(games[0].tags, [("Red".to_string(), "B".to_string())]);
}

#[test]
fn long_line_takes_linear_time() {
    for words in ["h2e2 * ", "Zx h2e2 * "] {
        assert_eq!(games(&words.repeat(20_000)).count(), 20_000, "{words}");
    }
    assert_eq!(games(&"Zx h2e2 ".repeat(100_000)).count(), 1);
    let tags = "[a \"x\"]".repeat(100_000);
    assert_eq!(games(&format!("{tags}[FEN \"\"]")).count(), 1);
    assert!(games(&"[".repeat(200_000)).next().unwrap().is_err());
}

#[test]
fn ranks_are_numbered_from_zero_or_one_in_the_whole_game() {
    let expected = "b2b4 i9i8 b4d4 h9g7";
    for text in ["b2b4 i9i8 b4d4 h9g7", "b3b5 i10i9 b5d5 h10g8", "1. Cb4 Ri8 Cd4 Hg7", "1. Cb5 Ri9 2. Cd5 Hg8 *"] {
        let game = &all(text)[0];
        assert_eq!((moves(game).as_str(), &game.error), (expected, &None), "{text}");
    }
    // Neither numbering reads it all.
    for (text, error) in [("1. Cb5 Ri9 Cd5 Hg6", "Hg6"), ("1. Cb4 Ri8 Cd4 Hg5", "Hg5"), ("h3e3 h2e2", "h2e2")] {
        assert_eq!(errors(text), [Some(format!("line 1: {error} is illegal"))], "{text}");
    }
}

#[test]
fn errors_name_the_line_and_keep_the_moves_before() {
    let text = "[Result \"1-0\"]\n1. C2.5 H8+7\n2. H2+9 R9.8\n1-0\n\n[FEN \"9/9 w\"]\n1. C2.5 *\n\n[Red \"a\"]\nh2e2 {no end\n";
    let games = all(text);
    assert_eq!(games.len(), 3);
    assert_eq!(moves(&games[0]), "h2e2 h9g7");
    assert_eq!(games[0].result, GameResult::Won(Color::Red));
    let error = |game: &GameRecord| game.error.as_ref().unwrap().to_string();
    assert_eq!(error(&games[0]), "line 3: H2+9 is illegal");
    assert!(error(&games[1]).starts_with("line 6: ") && games[1].tree.moves() == 0);
    assert_eq!((error(&games[2]).as_str(), moves(&games[2]).as_str()), ("line 10: '{' is not closed", "h2e2"));
}

/// Pieces of any size, and UTF-16, give the same games.
#[test]
fn games_do_not_depend_on_the_pieces_read() {
    let utf_16: Vec<u8> = format!("\u{feff}{FEN}\r\n{FEN}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let list = format!("\u{feff}{FEN}\r\n\r\n# a comment\nstartpos moves h2e2 h9g7\nsome text\n{FEN}");
    let bad_first = format!("some text\n{FEN}\n");
    let fen_and_moves = format!("{FEN}\na5a4 e1e2\n{FEN}\n1. a5a4 *\n");
    let files: [&[u8]; 14] = [
        list.as_bytes(),
        bad_first.as_bytes(),
        fen_and_moves.as_bytes(),
        &utf_16,
        b"\xef\xbb\xbf[Red \"a\"]\nh2e2\n[Red \"b\"]\nh2e2 *\n",
        b"[Red \"a\"]\n1. h2e2 { good for\nred/black alike } h9g7\n\n[Red \"b\"]\n[Black \"c\"]\n1. h2e2\nh9g7 *\n1. h2e2 *",
        "h2e2 h9g7 1-0\n炮二平五 馬８進７ *\n1. h2e2\n1... h9g7\n2. h0g2 1-0\n\n".as_bytes(),
        b"[FEN \"3k5/9/9/9/p8/9/9/9/4R4/4K4 w\"]\n; x\n% h2e2\n# y\n[Red \"a\"]\n1. e1e2 *\n[Red \"b\"]\nh2e2 *",
        b"[Red \"a\"] 1. h2e2\n[Red \"b\"] {x\n} 1... h2e2 * [Red \"c\"]\n[Black \"d\"]\nh2e2 *\n",
        b"2 positions\n3k5/9/9/9/p8/9/9/9/4R4/4K4 w\n3k5/9/9/9/p8/9/9/9/4R4/4K4 b\n",
        b"1.\nh2e2 *\n1. {x} h2e2 *\n",
        b"h2e2 {:(} h9g7 1-0\nh2e2 ({)} b2e2) 1-0 ; {\nh2e2 (h2d2\n*) *\n",
        b"[Red \"a\"]\nh2e2 {\n[he said \"x\"\n [Red \"b\"]\n} h9g7 *\n[Red \"c\"]\nh2e2 *\n",
        b"[Red \"a\"]\nh2e2 {(\n[Red \"b\"]\nh2e2 *\n[Red \"c\"]\nh2e2 *\n",
    ];
    let all = |games: Vec<FileGame>| -> Vec<_> {
        games.into_iter().map(|game| (game.place, game.line, shown(&game.game))).collect()
    };
    for file in files {
        let whole = all(GameStream::new(file, Variant::Standard).map(Result::unwrap).collect());
        assert_eq!(all(stream(file)), whole, "{}", String::from_utf8_lossy(file));
        let text = encoding::decode(file);
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
            let decoded = all(GameStream::new(text.as_bytes(), Variant::Standard).map(Result::unwrap).collect());
            assert_eq!(all(stream(&bytes)), decoded, "{text}");
        }
    }
}

#[test]
fn lines_are_given_with_their_games() {
    let games = stream(format!("  {FEN}\t\r\n\nsome text\n").as_bytes());
    let lines: Vec<_> = games.iter().map(|game| (game.place, game.line.as_deref())).collect();
    assert_eq!(lines, [(Place::Line(1), Some(FEN)), (Place::Line(3), Some("some text"))]);
    assert!(games[1].game.is_err());
}

#[test]
fn a_text_without_a_position_is_a_list_of_bad_lines() {
    let games = stream("some text\n".repeat(250).as_bytes());
    assert!(games.len() == 250 && games.iter().all(|game| game.game.is_err()));
    assert_eq!(games[249].place, Place::Line(250));
    assert!(stream(b"").is_empty() && stream(b"\n# a comment\n").is_empty());
}

#[test]
fn long_lines_are_errors() {
    let long = "h2e2 ".repeat(500_000);
    let places = |text: String| -> Vec<_> {
        let games = GameStream::new(text.as_bytes(), Variant::Standard).map(Result::unwrap);
        games.map(|game| (game.place, game.game.err().map(|error| error.to_string()))).collect()
    };
    let error = |number: usize| Some(format!("line {number}: longer than 1 MiB"));
    for mark in ["", "\u{feff}"] {
        let found = places(format!("{mark}startpos moves {long}\n{FEN}\n"));
        assert_eq!(found, [(Place::Line(1), error(1)), (Place::Line(2), None)]);
    }
    let found = places(format!("[Red \"a\"]\n{{{long}\n}}\n[Red \"b\"]\nh2e2 *\n"));
    assert_eq!(found, [(Place::Game(1), error(2)), (Place::Game(2), None)]);
    // The longest line is read.
    let longest = format!("{FEN}{}", " ".repeat((1 << 20) - FEN.len()));
    assert_eq!(places(format!("{longest}\n{FEN}")), [(Place::Line(1), None), (Place::Line(2), None)]);
}

/// Each line costs its own length.
#[test]
fn many_lines_take_linear_time() {
    let text = "1. h2e2 {:(} h9g7\n*\n".repeat(1000) + &"1-0\n".repeat(100_000) + "1. h2e2\n" + &"{x\n".repeat(100_000);
    assert_eq!(games(&text).filter(|game| game.as_ref().is_ok_and(|game| game.tree.moves() > 0)).count(), 1001);
}

/// A position is returned before the next line is read, where somebody may wait for the answer.
#[test]
fn games_do_not_wait_for_more_input() {
    struct Lines<'a>(&'a Cell<usize>);
    impl Read for Lines<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.set(self.0.get() + 1);
            let line = format!("{FEN}\n");
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            Ok(line.len())
        }
    }
    let reads = Cell::new(0);
    let mut stream = GameStream::new(BufReader::new(Lines(&reads)), Variant::Standard).giving_at_once();
    for count in 1..=3 {
        assert!(stream.next().unwrap().unwrap().game.is_ok());
        assert_eq!(reads.get(), count);
    }
    // Moves below a position that was given are a game from there.
    let text = format!("{FEN}\na5a4 *\n");
    let games: Vec<_> =
        GameStream::new(text.as_bytes(), Variant::Standard).giving_at_once().map(Result::unwrap).collect();
    let found: Vec<_> = games.iter().map(|game| (game.place, moves(game.game.as_ref().unwrap()))).collect();
    assert_eq!(found, [(Place::Line(1), String::new()), (Place::Game(1), "a5a4".to_string())]);
}

/// A .FEN file in every form that other programs write.
#[test]
fn fen_files_are_read() {
    let utf_16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let link = FEN.split(" - ").next().unwrap();
    let files: [Vec<u8>; 15] = [
        FEN.into(),
        format!("{FEN}\n").into(),
        format!("{FEN}\r\n\r\n").into(),
        format!("\u{feff}{FEN}\r\n").into(),
        // 残局 in GBK.
        [FEN.as_bytes(), b"  ;\xb2\xd0\xbe\xd6\r\n"].concat(),
        [FEN.as_bytes(), b"\r\n\xb2\xd0\xbe\xd6\r\n"].concat(),
        utf_16(&format!("\u{feff}{FEN}\r\n")),
        utf_16(&format!("{FEN}\r\n")),
        format!("[FEN \"{FEN}\"]\n").into(),
        format!("position fen {FEN}\n").into(),
        format!("\"{FEN}\"\n").into(),
        format!("# a comment\n\nfen {FEN} moves\n").into(),
        format!("FEN：{FEN}\n").into(),
        format!("https://example.org/analysis/xiangqi?fen={}[]_b_-_-_3_7&x=y\n", &link[..link.len() - 2]).into(),
        format!("{}%20b%20-%20-%203%207\n", &link[..link.len() - 2]).into(),
    ];
    for file in files {
        let game = stream::only_game(&file[..], Variant::Standard).unwrap().unwrap();
        assert_eq!(game.start.to_fen(), FEN, "{}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn positions_with_moves_are_games() {
    let text = "startpos moves h2e2 h9g7\n# a comment\nposition startpos moves h2e2 h9g7\n";
    let games = stream(text.as_bytes());
    assert_eq!(games.iter().map(|game| game.place).collect::<Vec<_>>(), [Place::Line(1), Place::Line(3)]);
    for game in games {
        let position = game.game.unwrap().position();
        assert_eq!((position.plies(), position.piece_at(Square::new(6, 7)).is_some()), (2, true));
    }
    let only = stream::only_game(text.as_bytes(), Variant::Standard).unwrap();
    assert_eq!(only.err(), Some(ReadErrorKind::Several.into()));
}

#[test]
fn other_files_are_refused_with_the_place() {
    let error = |text: &str| stream::only_game(text.as_bytes(), Variant::Standard).unwrap().err().unwrap().to_string();
    assert_eq!(error(""), "neither a position nor a game is in it");
    assert_eq!(error("\n# only a comment\n"), "neither a position nor a game is in it");
    assert_eq!(error("\nsome text\n"), "line 2: \"some text\" is neither a FEN nor startpos");
    assert_eq!(error("h2e2\nh2e2\n"), "line 2: h2e2 is illegal");
    assert!(error("[FEN \"9/9 w\"]\n").starts_with("line 1: "));
    assert!(error("XQ").starts_with("byte 2: "));
    // No game is passed over.
    assert_eq!(error("1. h2e2 *\n1. Zb0c2 h9g7 *\n"), "line 2: \"Zb0c2\" is not a move");
    assert_eq!(error("SQLite\n\0\0\u{1}"), "line 2: a NUL byte; neither a text nor a known kind of file");
    assert_eq!(error("Rar!\u{1a}\0"), "a RAR archive, which is not read as games");
    assert_eq!(error("<html>\n<p>hello</p>\n"), "neither a position nor a game is in it");
    assert_eq!(error("<?xml version=\"1.0\"?><a/>"), "line 1: XML with the element \"a\", which is not read as games");
    assert_eq!(error("<?xml version=\"1.0\"?><a>"), "line 1: not a CBF file");
}

/// Random changes never cause a panic or an illegal move.
#[test]
fn corrupted_files_give_only_legal_moves() {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
    let mut read = 0;
    let text = "[Red \"\"]\n1. 炮二平五 H8+7 {a (b) c} ( d ) 2. h0g2 (2. b0c2) ; e\n[R \"1-0\"] 1/2-1/2 %\n".repeat(2);
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats");
    let names = ["small.cbr", "dhtmlxq_ubb.txt", "cbf_small.cbf", "xqstudio_text_export.txt", "playok.wxf"];
    let files = names.map(|name| fs::read(formats.join(name)).unwrap());
    for round in 0..3_000 {
        let mut bytes = files.get(round % 10).cloned().unwrap_or_else(|| text.clone().into_bytes());
        for _ in 0..rng.random_range(0..6) {
            let offset = rng.random_range(0..bytes.len());
            bytes[offset] = if rng.random() { rng.random() } else { b"[](){};%\" \n"[offset % 11] };
        }
        for game in GameStream::new(&bytes[..], Variant::Standard).filter_map(|game| game.unwrap().game.ok()) {
            for node in game.tree.nodes() {
                let mut position = game.start.clone();
                for mv in game.tree.moves_to(node) {
                    assert!(position.is_legal(mv));
                    position.make(mv);
                    read += 1;
                }
            }
        }
    }
    assert!(read > 3_000, "{read}");
}
