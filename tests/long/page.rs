//! The page of `chuhe review` in a browser. Needs chromedriver:
//! `cargo test --test long -- --ignored page`.

use crate::browser;
use crate::common;

use browser::Browser;
use common::chuhe;
use std::path::{Path, PathBuf};

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
    browser.click("#curve");
    let middle: usize = browser.text("#where").split(' ').next().unwrap().parse().unwrap();
    assert!((3..=4).contains(&middle), "{middle}");
    // A link within the open page.
    browser.value("location.hash = '#1.5'");
    assert_eq!((browser.text("#where"), board(&browser)), ("5 / 7".into(), expected(&fen(&browser, 0, 5))));
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
    for (width, is_phone) in [(320, true), (390, true), (1280, false)] {
        browser.set_width(width, is_phone);
        for fragment in ["", "1.2", "3.20"] {
            browser.open(&file, fragment);
            for _ in ["en", "zh"] {
                let overflow =
                    browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
                assert_eq!(overflow, 0, "{width} {fragment:?}");
                browser.click("#language");
            }
        }
    }
    browser.open(&file, "");
    assert!(browser.text("#index tbody tr").contains(hostile));
    browser.click("#index tbody tr:nth-child(1) button");
    assert!(browser.text("#heading").contains(hostile));
    assert_eq!(browser.value("window.attacked === undefined && !document.querySelector('img')"), true);
    browser.click("#to-index");
    browser.click("#index tbody tr:nth-child(3) button");
    assert!(browser.text("#heading").contains("徐天红"));
    assert_eq!(browser.log(), [""; 0]);
}
