//! Games that are written wrongly or ambiguously: what can be read rightly is, and nothing is lost without an error.

use crate::games::{all, errors, file, moves, stream};
use chuhe::games::GameRecord;
use chuhe::games::write::{Format, write};
use chuhe::notation::Notation;
use chuhe::types::Color;
use std::fs;
use std::path::Path;

/// What begins like a move and is none is no comment, in any notation, glued, alone on its line, and in the last move.
#[test]
fn mistyped_moves_are_errors() {
    let start = "1.炮二平五 马8进7\n2.马二进三 车9平8\n";
    for (moves, word) in [
        ("3.车一乎二 卒7进1", "车一乎二"),
        ("3.马八迸七卒7进1", "马八迸七卒7进1"),
        ("3.车一平二 卒7迸1", "卒7迸1"),
        ("3.车一平二\n卒7迸1", "卒7迸1"),
        ("好棋 车一平二卒7迸1", "卒7迸1"),
        ("3.车一平 卒7进1", "车一平"),
        ("3.车平二 卒7进1", "车平二"),
        ("3.车一二 卒7进1", "车一二"),
        ("3.军一平二 卒7进1", "军一平二"),
        ("3.车一平平二 卒7进1", "车一平平二"),
        ("3.前车乎二卒7进1", "前车乎二卒7进1"),
        ("h0q2", "h0q2"),
        ("C8+0", "C8+0"),
        ("3.h0q2 卒7进1", "h0q2"),
    ] {
        let text = format!("{start}{moves}\n");
        let line = text.lines().position(|line| line.contains(word)).unwrap() + 1;
        for text in [text.clone(), format!("[Red \"a\"]\n{text}\n[Red \"b\"]\n1. h2e2 *\n")] {
            let line = line + usize::from(text.starts_with('['));
            let error = errors(&text)[0].clone().unwrap_or_default();
            assert_eq!(error, format!("line {line}: \"{word}\" is not a move"), "{text}");
        }
    }
    // Remarks between moves, with pieces and openings in them.
    for remark in [
        "当头炮。",
        "马后炮！",
        "双方布成中炮局，红优。",
        "如车平六，黑优",
        "应炮二平五",
        "中炮对屏风马",
        "兵临城下",
        "士象全",
    ] {
        for text in [format!("{start}{remark}\n3.车一平二 卒7进1"), format!("{start}3.车一平二 {remark} 卒7进1")]
        {
            let game = &all(&text)[0];
            assert_eq!((moves(game).split(' ').count(), &game.error), (6, &None), "{text}");
        }
    }
}

/// A move that was left out, or in which the side was lost, does not give another game.
#[test]
fn moves_of_the_other_side_are_errors() {
    let error = |text: &str| errors(text)[0].clone();
    let out = |line: usize, word: &str, side: &str| {
        Some(format!("line {line}: {word} is a move of {side}'s, and it is the other side's turn"))
    };
    let start = "1.炮二平五 马8进7\n2.马二进三";
    assert_eq!(error(&format!("{start}\n3.车一平二 卒7进1\n")), out(3, "车一平二", "red"));
    assert_eq!(error("1.炮二平五\n2.马二进三 卒7进1\n"), out(2, "马二进三", "red"));
    assert_eq!(error("1.炮二平五 炮8平5 马8进7\n2.兵三进一"), out(1, "马8进7", "black"));
    assert_eq!(error("1.卒7进1 兵三进一\n2.马8进7 马二进三"), out(1, "卒7进1", "black"));
    // Who uses one kind of numbers, and slips.
    for text in [
        "1.炮2平5 马8进7 2.马2进3 车9平8 3.车1平2 卒7进1",
        "1.炮二平五 马八进七 2.马二进三 车九平八",
        "1.炮二平五 马8进7 2.马2进3 车9平8 3.车一平二 卒7进1",
        "1.炮二平五 马8进7 2.马二进三 车9平8 3.士四进五 士4进5 4.仕五退四",
    ] {
        assert_eq!(error(text), None, "{text}");
    }
}

#[test]
fn titles_like_moves_are_no_moves() {
    let game = "1.炮二平五 马8进7\n2.马二进三 车9平8\n";
    for title in
        ["第6章 中炮进三兵对左炮封车转列炮", "中炮进七兵对屏风马", "第3局 炮二平五对马8进7", "类型: 相三进五局"]
    {
        for text in
            [format!("{title}\n{game}"), format!("红方：甲\n{title}\n{game}"), format!("{game}红胜\n\n{title}\n{game}")]
        {
            let games = all(&text);
            assert!(games.iter().all(|game| moves(game) == "h2e2 h9g7 h0g2 i9h9" && game.error.is_none()), "{text}");
            assert_eq!(games.len(), text.matches("1.炮").count(), "{text}");
        }
    }
}

/// Only `[Name "value"]` is a tag; the game beside what is none is read.
#[test]
fn what_is_no_tag_is_an_error_with_its_line() {
    for line in ["[section]", "[],", "[Red]", "[Red 甲]", "[\"4k4/9 w\"]", "[a b \"c\"]", "[Red \"a"] {
        let text = format!("[Event \"x\"]\n{line}\n1. h2e2 h9g7 *\n");
        let game = all(&text).remove(0);
        let error = game.error.as_ref().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with("line 2: ") && moves(&game) == "h2e2 h9g7", "{line}: {error}");
        let alone = errors(&format!("{line}\n"));
        assert!(alone.len() == 1 && alone[0].as_ref().unwrap().starts_with("line 1: "), "{line}: {alone:?}");
    }
}

/// The move with which the game goes on.
#[test]
fn ambiguous_moves_are_decided_by_what_follows() {
    let game = file("wxf_ambiguous_pawn_1.txt").remove(0).game.unwrap();
    let moves = game.moves();
    assert_eq!((moves.len(), moves[121].to_string(), &game.error), (138, "c3c2".to_string(), &None));
    // Two knights on a file; only the front one is on f7 afterwards. In a variation too.
    let text = |moves: &str| format!("[FEN \"3k5/9/9/r8/4N4/9/4N4/9/9/4K4 w\"]\n{moves}");
    assert_eq!(self::moves(&all(&text("1. H5+4 R1-1 2. f7g5 *"))[0]).split(' ').next(), Some("e5f7"));
    let game = &all(&text("1. e0e1 (1. H5+4 R1-1 2. f7g5) d9d8 *"))[0];
    assert_eq!((game.tree.moves(), &game.error), (5, &None));
    for (moves, error) in [
        ("1. H5+4 R1-1 *", "line 2: H5+4 is ambiguous: e5f7 or e3f5"),
        ("1. H5+4 R1-1 2. K5+1 *", "line 2: H5+4 is ambiguous: e5f7 or e3f5"),
    ] {
        assert_eq!(errors(&text(moves)), [Some(error.to_string())], "{moves}");
    }
    // Many of them cost little: the lines that are followed are bounded.
    let many = "1. H5+4 R1-1 2. H4-5 R1+1 ".repeat(2_000);
    assert!(errors(&text(&many))[0].is_some());
}

/// Whatever the field for the side to move says, in every format.
#[test]
fn the_first_move_says_which_side_moves() {
    let board = "4k4/4N4/9/9/9/9/9/9/4K4/9";
    let first =
        |game: &GameRecord| (moves(game).split(' ').next().unwrap_or_default().to_string(), game.note.is_some());
    let black = |text: &str| {
        let games: Vec<_> = stream(text.as_bytes());
        let game = games[0].game.as_ref().unwrap();
        assert_eq!((games.len(), &game.error, game.start.side()), (1, &None, Color::Black), "{text}");
        first(game)
    };
    for text in [
        format!("[FEN \"{board} w - - 0 1\"]\n1... e9d9 2. e8c7 *"),
        format!("[FEN \"{board} w\"]\ne9d9 e8c7 *"),
        format!("[FEN \"{board} w\"]\n1. ... 将5平4 2. 马五进七 *"),
        format!("[FEN \"{board} w\"]\n将5平4 马五进七 *"),
        format!("[FEN \"{board} w\"]\n1... K5.4 *"),
        format!("{board} w\n1... e9d9 2. e8c7"),
        format!("{board} w moves e9d9 e8c7"),
        format!("{board} w|e9d9 e8c7"),
        format!(
            "<ChineseChessRecord><Head><FEN>{board} w</FEN></Head><MoveList><Move value=\"00-00\"/>\
                 <Move value=\"40-30\"/></MoveList></ChineseChessRecord>"
        ),
    ] {
        assert_eq!(black(&text), ("e9d9".to_string(), true), "{text}");
    }
    // A diagram in check; what is written rightly; Red in place of Black.
    let check = "4k4/9/9/9/9/4R4/9/9/9/5K3";
    for text in [format!("{check} w\n"), format!("[FEN \"{check} w\"]\n"), format!("{check} w moves e9d9")] {
        assert!(black(&text).1, "{text}");
    }
    assert_eq!(black(&format!("{board} b moves e9d9")), ("e9d9".to_string(), false));
    assert_eq!(first(&all(&format!("[FEN \"{board} b\"]\n1. e1d1 *"))[0]), ("e1d1".to_string(), true));
    assert_eq!(first(&all(&format!("[FEN \"{board} w\"]\n1. K5.4 *"))[0]), ("e1f1".to_string(), false));
    // In the binary formats, written and with the field changed.
    let record = all(&format!("[FEN \"{board} b\"]\ne9d9 e8c7 *")).remove(0);
    for (format, side, value) in [(Format::Xqf, 50, 0), (Format::Cbr, 2116, 1)] {
        let (mut bytes, _) = write(&record, format, Notation::Iccs).unwrap();
        bytes[side] = value;
        let game = stream(&bytes).remove(0).game.unwrap();
        assert_eq!((game.start.side(), first(&game)), (Color::Black, ("e9d9".to_string(), true)), "{format:?}");
    }
    // From the start position Red moves.
    assert_eq!(errors("1... h9g7 *"), [Some("line 1: h9g7 is illegal".to_string())]);
    let standard = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    assert_eq!(errors(&format!("[FEN \"{standard} w\"]\n1... h9g7 *")), [Some("line 2: h9g7 is illegal".to_string())]);
    assert_eq!(first(&all(&format!("[FEN \"{standard} b\"]\n1. h2e2 *"))[0]), ("h2e2".to_string(), true));
}

/// A field that is not closed, bytes behind the moves, and games that are missing are said.
#[test]
fn cut_and_mutated_files_are_errors() {
    let error = |bytes: &[u8]| {
        let games = stream(bytes).into_iter().map(|game| game.game.map_or_else(Some, |game| game.error));
        games.map(|error| error.map(|error| error.to_string())).collect::<Vec<_>>()
    };
    let text = "[DhtmlXQ]\n[DhtmlXQ_title]a[/DhtmlXQ_title]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n\
                [DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1]\n[DhtmlXQ_comment1]b[/DhtmlXQ_comment1]\n[/DhtmlXQ]\n";
    assert_eq!(error(text.as_bytes()), [None]);
    for name in ["movelist", "move_0_2_1", "comment1", "title"] {
        let wrong = [Some(format!("line 1: the field {name:?} is not closed"))];
        for change in ["", "[/DhtmlXQ_x]", &format!("[/DhtmlXQ{name}]"), &format!("[/DhtmlXQ_{name}")] {
            assert_eq!(error(text.replace(&format!("[/DhtmlXQ_{name}]"), change).as_bytes()), wrong, "{name} {change}");
        }
        let opening = text.replace(&format!("[DhtmlXQ_{name}]"), "");
        assert_eq!(error(opening.as_bytes()), wrong, "{name}");
    }
    // A script that names a field which is there.
    assert_eq!(error(format!("<script>find('[DhtmlXQ_comment1]')\n{text}").as_bytes()), [None]);

    let record = all("1. h2e2 h9g7 2. h0g2 *").remove(0);
    for (format, flags, value) in [(Format::Xqf, 1024 + 2, 0), (Format::Cbr, 2218, 1)] {
        let (mut bytes, _) = write(&record, format, Notation::Iccs).unwrap();
        assert_eq!(error(&[&bytes[..], &[0; 8]].concat()), [None]);
        bytes[flags] = value;
        assert!(error(&bytes)[0].as_ref().unwrap().ends_with(": more follows the end of the moves"), "{format:?}");
    }

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats/small.cbl");
    let library = fs::read(path).unwrap();
    let missing = |count| Some(format!("the library holds {count} of 2 games"));
    assert_eq!(error(&library[..104_343]), [None, missing(1)]);
    assert_eq!(error(&library[..60_000]), [missing(0)]);
    assert_eq!(error(&library), [None, None]);
    // A heading: a record with an empty board.
    let at = library.windows(16).position(|bytes| bytes == b"CCBridge Record\0").unwrap();
    let mut heading = library[at..at + 2214].to_vec();
    heading[2120..2210].fill(0);
    heading.resize(4096, 0);
    let mut with_heading = [&library[..at], &heading, &library[at..]].concat();
    with_heading[60] = 3;
    assert_eq!(error(&with_heading), [None, None]);
}

#[test]
fn lists_and_links_are_read() {
    let board = "3k5/9/9/9/p8/9/9/9/4R4/4K4";
    for (text, expected) in [
        (format!("{board} b - - 3 7|a5a4 e1e2"), "a5a4 e1e2"),
        (format!("甲|{board} b|a5a4,e1e2"), "a5a4 e1e2"),
        (format!("{board} b | a5a4"), ""),
        (format!("https://xiangqiai.com/#/{board}%20b"), ""),
    ] {
        let game = stream(text.as_bytes()).remove(0).game.unwrap();
        assert_eq!((moves(&game).as_str(), game.start.side(), &game.error), (expected, Color::Black, &None), "{text}");
    }
    for (text, kind) in [
        ("1;h2e2 h9g7\n2;h2e2 h9g7", "a list of numbers and moves (1;h2e2 h9g7)"),
        ("甲\n1. H3 → E3 H10 → G8", "moves with arrows (H3 → E3)"),
        ("1. Pháo 2 bình 5 Mã 8 tiến 7", "moves in words of Vietnamese (Pháo 2 bình 5)"),
        ("[DHJHtmlXQ]\n[DHJHtmlXQ_title]x[/DHJHtmlXQ_title]", "a game in DHJHtmlXQ"),
    ] {
        let games = stream(text.as_bytes());
        assert_eq!(games.len(), 1, "{text}");
        let error = games[0].game.as_ref().unwrap_err().to_string();
        assert!(error.ends_with(&format!("{kind}, which is not read as games")), "{error}");
    }
    let pawns = "[FEN \"3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w\"]\n1. +3=4 K4+1 2. -7=6 *";
    assert_eq!(moves(&all(pawns)[0]), "g7f7 d9d8 c5d5");
}
