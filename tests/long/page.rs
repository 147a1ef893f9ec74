//! The page of `chuhe review` in a browser. Needs chromedriver:
//! `cargo test --test long -- --ignored page`.

use crate::browser;
use crate::common;

use browser::Browser;
use chuhe::games::{GameRecord, games};
use chuhe::notation::Notation;
use chuhe::position::{Position, Variant};
use common::chuhe;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The parts of the script that do not depend on the page.
const MOVES: &str = include_str!("../../src/page/moves.js");
const TREE: &str = include_str!("../../src/page/tree.js");

const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";
const ESCAPE: &str = "\u{e00c}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

/// Writes a page of the games.
fn page(folder: &Path, games: &[&str]) -> PathBuf {
    let file = folder.join("page.html");
    let output = file.display().to_string();
    let arguments = [&["review", "--nodes", "2000", "--html", &output], games].concat();
    let status = chuhe(&arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap().status;
    assert!(status.success());
    file
}

/// The squares and pieces on the board, as the page shows them.
fn board(browser: &Browser) -> Vec<String> {
    let pieces = browser.value(
        "[...document.querySelectorAll('#pieces use')].map(it => it.dataset.square + it.getAttribute('href')[2]).sort()",
    );
    pieces.as_array().unwrap().iter().map(|piece| piece.as_str().unwrap().to_string()).collect()
}

/// What the board of a FEN looks like in [`board`].
fn expected(fen: &str) -> Vec<String> {
    let position = chuhe::Position::from_fen(fen).unwrap();
    let mut pieces: Vec<String> = chuhe::Square::all()
        .filter_map(|square| Some(format!("{square}{}", position.piece_at(square)?.letter())))
        .collect();
    pieces.sort();
    pieces
}

/// The FEN of a ply in the data of the page.
fn fen(browser: &Browser, game: usize, ply: usize) -> String {
    let fen =
        browser.value(&format!("JSON.parse(document.getElementById('games').textContent)[{game}].plies[{ply}].fen"));
    fen.as_str().unwrap().to_string()
}

#[test]
#[ignore = "needs chromedriver"]
fn a_game_is_stepped_through() {
    let folder = tempfile::tempdir().unwrap();
    // Black's first move loses a rook.
    let game = "3k5/4a4/9/9/2r6/9/9/4B4/4A4/R3K4 b - - 0 1 moves c5a5 a0a5 d9d8 a5a8 d8d7 a8a7 d7d8";
    let file = page(folder.path(), &[game]);
    let browser = Browser::start();
    browser.set_width(1280, false);
    browser.open(&file, "");
    assert_eq!(board(&browser), expected(&fen(&browser, 0, 0)));
    // Keys.
    browser.press(&RIGHT.repeat(3));
    assert_eq!((browser.text("#where"), board(&browser)), ("3 / 7".into(), expected(&fen(&browser, 0, 3))));
    browser.press(LEFT);
    assert_eq!(board(&browser), expected(&fen(&browser, 0, 2)));
    browser.press(END);
    assert_eq!(board(&browser), expected(&fen(&browser, 0, 7)));
    browser.press(HOME);
    assert_eq!(browser.text("#where"), "0 / 7");
    // The bad move, and the line that was better.
    browser.press(DOWN);
    assert_eq!(browser.text("#where"), "1 / 7");
    assert!(browser.text("#remark").contains("Blunder ??"), "{}", browser.text("#remark"));
    browser.click("#remark .line button");
    assert_ne!(board(&browser), expected(&fen(&browser, 0, 1)));
    assert!(browser.text("#where").starts_with("1 / "), "{}", browser.text("#where"));
    browser.press(ESCAPE);
    assert_eq!(board(&browser), expected(&fen(&browser, 0, 1)));
    // Buttons, moves, curve.
    browser.click("[data-go=next]");
    browser.click("[data-go=next]");
    assert_eq!(browser.text("#where"), "3 / 7");
    browser.click("#moves [data-ply='4']");
    assert_eq!(board(&browser), expected(&fen(&browser, 0, 4)));
    // The focus follows the move shown.
    browser.press(RIGHT);
    assert_eq!(browser.value("document.activeElement.dataset.ply"), "5");
    browser.click("#curve");
    let middle: usize = browser.text("#where").split(' ').next().unwrap().parse().unwrap();
    assert!((3..=4).contains(&middle), "{middle}");
    // A link within the open page.
    browser.value("location.hash = '#1.5'");
    assert_eq!((browser.text("#where"), board(&browser)), ("5 / 7".into(), expected(&fen(&browser, 0, 5))));
    // The better move is that of the position before the bad one.
    browser.click("#moves [data-ply='1']");
    assert_eq!(browser.value("document.querySelectorAll('#over .arrow.better').length"), 1);
    browser.click("#moves [data-ply='2']");
    assert_eq!(browser.value("document.querySelectorAll('#over .arrow.better').length"), 0);
    // The board turned, other pieces, the other language.
    let x = |square: &str| {
        browser.value(&format!("document.querySelector('#pieces [data-square={square}]').style.transform"))
    };
    let before = x("e0");
    browser.press("f");
    assert_ne!(x("e0"), before);
    browser.click("#language");
    assert_eq!(browser.value("document.documentElement.lang"), "zh-Hans");
    assert!(browser.text("#moves").contains("车３平１"), "{}", browser.text("#moves"));
    // Nothing is loaded, and nothing went wrong.
    assert_eq!(browser.value("performance.getEntriesByType('resource').length"), 0);
    assert_eq!(browser.log(), [""; 0]);
}

#[test]
#[ignore = "needs chromedriver"]
fn pages_fit_phones_and_hostile_names_are_only_shown() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "</script><img src=x onerror='window.attacked = 1'><!--<script>{{script}}";
    let games = folder.path().join("games.pgn");
    std::fs::write(
        &games,
        format!("[Red \"{hostile}\"]\n[Event \"{hostile}\"]\nh2e2 {{<img src=x onerror=attacked()>}} h9g7 *\n\n[Red \"b\"]\nb2e2 *\n"),
    )
    .unwrap();
    let file = page(folder.path(), &[games.to_str().unwrap(), "tests/data/games.pgn"]);
    let browser = Browser::start();
    for (width, is_phone) in [(320, true), (360, true), (1000, false), (1280, false)] {
        browser.set_width(width, is_phone);
        for fragment in ["", "1.2", "3.20"] {
            browser.open(&file, fragment);
            for _ in ["en", "zh"] {
                let overflow =
                    browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
                assert_eq!(overflow, 0, "{width} {fragment:?}");
                let cut = "[...document.querySelectorAll('.top button, .top select')].filter(it => it.offsetParent && \
                           (it.getBoundingClientRect().right > innerWidth || it.scrollWidth > it.clientWidth + 1)).length";
                assert_eq!(browser.value(cut), 0, "{width} {fragment:?}");
                // The board and the buttons below it are seen together.
                if width == 360 && fragment == "3.20" {
                    let bottom =
                        browser.value("document.getElementById('controls').getBoundingClientRect().bottom + scrollY");
                    assert!(bottom.as_f64().unwrap() <= 740.0, "{bottom}");
                }
                browser.click("#language");
            }
        }
    }
    browser.open(&file, "");
    assert!(browser.text("#index li").contains(hostile));
    browser.click("#index li:nth-child(1) a");
    assert!(browser.text("#heading").contains(hostile));
    assert_eq!(browser.value("window.attacked === undefined && !document.querySelector('img')"), true);
    browser.click("#to-index");
    browser.click("#index li:nth-child(3) a");
    assert!(browser.text("#heading").contains("徐天红"));
    assert_eq!(browser.log(), [""; 0]);
}

/// Clicks on a square of the board, or drags from one to another.
fn click_squares(browser: &Browser, from: &str, to: &str) {
    let point = |square: &str| {
        let point = browser.value(&format!(
            "(() => {{ const [file, rank] = [{square:?}.charCodeAt(0) - 97, Number({square:?}[1])]; \
             const at = new DOMPoint(file * 100, (9 - rank) * 100).matrixTransform(document.getElementById('board').getScreenCTM()); \
             return [at.x, at.y]; }})()"
        ));
        [0, 1].map(|index| point[index].as_f64().unwrap())
    };
    browser.drag([point(from), point(to)]);
}

#[test]
#[ignore = "needs chromedriver"]
fn variations_are_shown_and_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let game = "[White \"a\"]\n[Termination \"Black resigns\"]\n1. h2e2 h9g7 2. h0g2 $1 (2. b0c2 b9c7 {seen} (2... i9h9 3. a0b0) \
                3. h0g2) 2... i9h9 1-0\n";
    std::fs::write(&file, game).unwrap();
    let file = page(folder.path(), &[file.to_str().unwrap()]);
    let browser = Browser::start();
    browser.set_width(1280, false);
    browser.open(&file, "");
    assert!(browser.text("#heading").contains("a – Black · 1–0, resigned"), "{}", browser.text("#heading"));
    // The record's variations.
    let reached = |moves: &str| {
        let mut position = Position::start();
        moves.split(' ').for_each(|mv| position.make(mv.parse().unwrap()));
        expected(&position.to_fen())
    };
    assert!(browser.text("#moves").contains("2. H8+7"), "{}", browser.text("#moves"));
    browser.click(".variation .variation button:nth-of-type(2)");
    assert_eq!(board(&browser), reached("h2e2 h9g7 b0c2 i9h9 a0b0"));
    browser.press(LEFT);
    browser.press(LEFT);
    browser.press(RIGHT);
    assert_eq!(board(&browser), reached("h2e2 h9g7 b0c2 b9c7"));
    assert!(browser.text("#remark").contains("seen"));
    browser.press(ESCAPE);
    assert_eq!(board(&browser), reached("h2e2 h9g7"));
    // One's own: by two clicks, by dragging, typed; an illegal one is not made.
    click_squares(&browser, "b0", "b0");
    click_squares(&browser, "a2", "a2");
    click_squares(&browser, "e3", "e5");
    assert_eq!(board(&browser), reached("h2e2 h9g7 b0a2"));
    click_squares(&browser, "b7", "b3");
    browser.click("#typed");
    browser.press("c3+1");
    browser.click("#type button");
    assert_eq!(["#status", "#untyped"].map(|it| browser.text(it)), ["c3+1: not a legal move here"; 2]);
    browser.value("document.getElementById('typed').value = 'P7+1'");
    browser.click("#type button");
    assert_eq!(board(&browser), reached("h2e2 h9g7 b0a2 b7b3 c3c4"));
    assert_eq!(browser.text(".variation.own"), "2. H8+9C2+43. P7+1×");
    browser.click("#language");
    assert!(
        browser.text(".variation.own").contains("马八进九炮２进４3. 兵七进一"),
        "{}",
        browser.text(".variation.own")
    );
    browser.click(".variation.own .delete");
    assert_eq!(browser.value("document.querySelectorAll('.variation.own').length"), 0);
    assert_eq!(board(&browser), reached("h2e2 h9g7"));
    assert_eq!(browser.log(), [""; 0]);
}

#[test]
#[ignore = "needs chromedriver"]
fn bad_moves_are_exercises() {
    let folder = tempfile::tempdir().unwrap();
    let game = "3k5/4a4/9/9/2r6/9/9/4B4/4A4/R3K4 b - - 0 1 moves c5a5 a0a5 d9d8 a5a8 d8d7 a8a7 d7d8";
    let file = page(folder.path(), &[game]);
    let browser = Browser::start();
    browser.set_width(1280, false);
    browser.open(&file, "1.5");
    browser.click("#learn");
    browser.value("(it => { it.value = 'blunder'; it.dispatchEvent(new Event('change')); })(document.querySelector('[data-key=least]'))");
    browser.click("#remark .main");
    assert!(browser.text("#remark").contains("1 of 1, 0 found"), "{}", browser.text("#remark"));
    assert_eq!(board(&browser), expected(&fen(&browser, 0, 0)));
    // Black is at the bottom, and no arrow tells the answer.
    assert_eq!(browser.value("document.querySelectorAll('#over .better, #over .next').length"), 0);
    let answer = |mv: &str| {
        browser.value(&format!("document.getElementById('typed').value = '{mv}'"));
        browser.click("#type button");
    };
    answer("c5a5");
    assert!(browser.text("#remark").contains("That was played"), "{}", browser.text("#remark"));
    browser.click("[data-key=again]");
    let best = browser.value("JSON.parse(document.getElementById('games').textContent)[0].plies[0].best.iccs[0]");
    answer(best.as_str().unwrap());
    assert!(browser.text("#remark").contains("Right: the engine's move."), "{}", browser.text("#remark"));
    browser.click("[data-key=go]");
    // Not at the first try.
    assert!(browser.text("#remark").contains("0 of 1 found."), "{}", browser.text("#remark"));
    browser.click("[data-key=go]");
    answer(best.as_str().unwrap());
    browser.click("[data-key=go]");
    assert!(browser.text("#remark").contains("1 of 1 found."), "{}", browser.text("#remark"));
    browser.click("[data-key=leave]");
    // Another good move, found by the search for several.
    let file = page(folder.path(), &["3k5/9/9/9/r7R/9/9/9/4A4/R3K4 w - - 0 1 moves a0b0 a5i5"]);
    browser.open(&file, "1.0");
    browser.click("#learn");
    browser.click("#remark .main");
    let other =
        browser.value("JSON.parse(document.getElementById('games').textContent)[0].plies[0].alternatives[0].iccs");
    answer(other.as_str().unwrap());
    assert!(browser.text("#remark").contains("about as good"), "{}", browser.text("#remark"));
    assert!(browser.text("#remark").contains("Also good"), "{}", browser.text("#remark"));
    assert_eq!(browser.log(), [""; 0]);
}

/// Exercises of `puzzles`, solved one after the other, on a wide page and on a phone.
#[test]
#[ignore = "needs chromedriver"]
fn puzzles_are_solved_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("puzzles.html");
    let path = file.to_str().unwrap();
    let (status, _, errors) =
        common::run(&["puzzles", "--nodes", "500", "--max", "10", "--output", path, "tests/data/games.pgn"]);
    assert_eq!(status, 0, "{errors}");
    let browser = Browser::start();
    for (width, is_phone) in [(1280, false), (360, true)] {
        browser.set_width(width, is_phone);
        browser.open(&file, "1.0");
        let games = browser.value("JSON.parse(document.getElementById('games').textContent)");
        let games = games.as_array().unwrap();
        assert!(games.len() > 4, "{}", games.len());
        for (index, game) in games.iter().enumerate() {
            let moves: Vec<&str> =
                game["plies"].as_array().unwrap().iter().filter_map(|ply| ply["move"]["iccs"].as_str()).collect();
            let count = moves.len() / 2;
            assert!(browser.text("#remark").contains(&format!("1 of {count}, 0 found")), "{}", browser.text("#remark"));
            // Nothing tells the solution.
            assert_eq!(browser.value("document.querySelectorAll('#over .arrow').length"), 0);
            assert_eq!(browser.value("getComputedStyle(document.querySelector('.list')).visibility"), "hidden");
            for (ply, mv) in moves.iter().enumerate().skip(1).step_by(2) {
                assert_eq!(board(&browser), expected(game["plies"][ply]["fen"].as_str().unwrap()), "{mv}");
                browser.value(&format!("document.getElementById('typed').value = '{mv}'"));
                browser.click("#type button");
            }
            assert!(browser.text("#remark").contains("Right"), "{}", browser.text("#remark"));
            browser.click("[data-key=go]");
            let card = browser.text("#remark");
            assert!(card.contains(&format!("{count} of {count} found.")) && card.contains("Subject: "), "{card}");
            if index + 1 < games.len() {
                browser.click("[data-key=after]");
            }
        }
    }
    assert_eq!(browser.log(), Vec::<String>::new());
}

/// Legal moves, written moves and FENs of the script against those of the crate, in both variants.
#[test]
#[ignore = "needs chromedriver"]
fn the_script_knows_the_rules_and_the_notations() {
    let mut rng = StdRng::seed_from_u64(69);
    let perft = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.txt")).unwrap();
    let fens = perft.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(" ;").next());
    let mut positions = Vec::new();
    for (index, fen) in fens.enumerate() {
        let mut position = Position::from_fen(fen).unwrap();
        position.set_variant(Variant::promoting(index % 2 == 1));
        for _ in 0..40 {
            positions.push(position.clone());
            let moves: Vec<_> = position.legal_moves().iter().collect();
            let Some(&mv) = moves.choose(&mut rng) else { break };
            position.make(mv);
        }
    }
    // As an engine does, without the counters of a record.
    let fen = |position: &Position| position.with_side_to_move(position.side()).to_fen();
    let browser = Browser::start();
    let mut moves = 0;
    for positions in positions.chunks(200) {
        let asked: Vec<Value> =
            positions.iter().map(|it| json!([fen(it), it.variant() == Variant::Promotion])).collect();
        let answers = browser.value(&format!(
            "(() => {{ {MOVES}; return {}.map(([fen, promotes]) => {{ const position = readFen(fen); \
             return legalMoves(position, promotes).sort().map(move => [move, ...['wxf', 'chinese', 'traditional']\
             .map(kind => written(position, move, kind)), writeFen(after(position, move))]); }}); }})()",
            json!(asked)
        ));
        for (position, answer) in positions.iter().zip(answers.as_array().unwrap()) {
            let start = Position::from_fen(&fen(position)).map(|mut start| {
                start.set_variant(position.variant());
                start
            });
            let start = start.unwrap();
            let mut expected: Vec<Vec<String>> = start
                .legal_moves()
                .iter()
                .map(|mv| {
                    let mut next = start.clone();
                    next.make(mv);
                    let written = ["iccs", "wxf", "chinese", "traditional"]
                        .map(|name| Notation::named(name).unwrap().write(&start, mv));
                    written.into_iter().chain([next.to_fen()]).collect()
                })
                .collect();
            expected.sort();
            moves += expected.len();
            assert_eq!(*answer, json!(expected), "{}", fen(position));
        }
    }
    println!("{} positions, {moves} moves", positions.len());
    assert!(positions.len() > 2_000 && moves > 50_000);
}

/// The PGN that the page writes is read as the game with its variations, in every notation.
#[test]
#[ignore = "needs chromedriver"]
fn the_page_writes_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let text = "[Red \"a\"]\n[Black \"b\"]\n{first} 1. h2e2 h9g7 2. h0g2 $1 (2. b0c2 b9c7 {seen} (2... i9h9 3. a0b0) 3. h0g2) \
                2... i9h9 1-0\n\n[FEN \"3k5/4a4/9/9/2r6/9/9/4B4/4A4/R3K4 b - - 0 1\"]\nc5a5 a0a5 0-1\n";
    std::fs::write(&file, text).unwrap();
    let output = chuhe(&["review", "--json", "--nodes", "500", file.to_str().unwrap()]).output().unwrap();
    let reviews: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let browser = Browser::start();
    for notation in ["iccs", "wxf", "chinese", "traditional"] {
        for (review, record) in reviews.iter().zip(games(text).map(Result::unwrap)) {
            // A line of one's own after the last move.
            let pgn = browser.value(&format!(
                "(() => {{ {MOVES}; {TREE}; const game = {review}; const main = readTree(game); const last = main[main.length - 1]; \
                 addOwn(last, legalMoves(positionOf(last), false)[0]); return writePgn(game, main, '{notation}'); }})()"
            ));
            let pgn = pgn.as_str().unwrap();
            let read = games(pgn).next().unwrap().unwrap();
            assert!(read.error.is_none(), "{pgn}");
            assert_eq!(
                (read.moves(), read.result, read.start.to_fen()),
                (record.moves(), record.result, record.start.to_fen())
            );
            assert_eq!(read.tag("Red"), record.tag("Red"));
            let lines = |record: &GameRecord| {
                let ends = record.tree.nodes().filter(|&node| record.tree.first_child(node).is_none());
                ends.map(|node| record.tree.moves_to(node)).collect::<Vec<_>>()
            };
            let (read, recorded) = (lines(&read), lines(&record));
            assert!(recorded[1..].iter().all(|line| read.contains(line)), "{pgn}");
            assert!(
                read.iter().any(|line| line.len() == record.moves().len() + 1 && line.starts_with(&record.moves())),
                "{pgn}"
            );
        }
    }
}

/// By axe-core (`npm install axe-core`), whose file `axe.min.js` the environment variable `AXE` names; skipped without it.
#[test]
#[ignore = "needs chromedriver, and axe-core"]
fn a_checker_of_accessibility_finds_nothing() {
    let Some(axe) = std::env::var_os("AXE") else { return println!("skipped: AXE names no file") };
    let axe = std::fs::read_to_string(axe).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let line = "1. h2e2 h9g7 {seen} (1... i6i5 2. h0g2) 2. e2e6 g7e6 3. h0g2";
    std::fs::write(&file, format!("[Red \"a\"]\n{line} 0-1\n\n[Red \"b\"]\n{line} *\n")).unwrap();
    let file = page(folder.path(), &[file.to_str().unwrap()]);
    let browser = Browser::start();
    let check = |state: &str| {
        let found = browser.value(&format!(
            "(() => {{ {axe}; return axe.run(document).then(it => it.violations.map(it => it.id + ': ' + it.nodes[0].html)); }})()"
        ));
        assert_eq!(found, json!([]), "{state}");
    };
    for (width, theme) in [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")] {
        browser.set_width(width, width < 500);
        let features = json!([{"name": "prefers-color-scheme", "value": theme}]);
        browser.command("Emulation.setEmulatedMedia", json!({"features": features}));
        let check = |state| check(&format!("{state}, {width}, {theme}"));
        browser.open(&file, "");
        check("list");
        browser.open(&file, "1.3");
        assert!(browser.text("#remark").contains("??"));
        check("bad move");
        for (selector, state) in [
            (".variation button", "variation"),
            ("#learn", "choice"),
            ("#remark .main", "exercise"),
            ("[data-key=show]", "answer"),
            ("#language", "the other language"),
        ] {
            browser.click(selector);
            check(state);
        }
        browser.click("#language");
    }
}
