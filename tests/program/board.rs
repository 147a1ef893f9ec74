//! `chuhe board`, through the real binary.

use crate::common;

fn run(arguments: &[&str]) -> (i32, Vec<u8>) {
    let output = common::chuhe(&[&["board"], arguments].concat()).output().unwrap();
    (output.status.code().unwrap(), output.stdout)
}

fn svg(arguments: &[&str]) -> String {
    let (status, bytes) = run(&[&["--svg", "-"], arguments].concat());
    assert_eq!(status, 0, "{arguments:?}");
    String::from_utf8(bytes).unwrap()
}

#[test]
fn pieces_stand_on_their_squares() {
    let start = svg(&["startpos"]);
    assert_eq!(start.matches("<use ").count(), 32);
    assert!(start.starts_with("<svg ") && start.contains("<title>rnbakabnr/"));
    // Red's king is at the bottom, and at the top of a flipped board.
    assert!(start.contains("<use href=\"#tK\" x=\"400\" y=\"900\"/>"));
    assert!(svg(&["startpos", "--flip"]).contains("<use href=\"#tK\" x=\"400\" y=\"0\"/>"));
    let knight = svg(&["startpos", "--pieces", "simplified"]);
    assert!(knight.contains("<use href=\"#sN\" x=\"100\" y=\"900\"/>"));
    assert!(svg(&["startpos", "--pieces", "letters"]).contains("<use href=\"#lr\" x=\"800\" y=\"0\"/>"));
}

#[test]
fn last_move_check_arrows_and_marks_are_drawn() {
    let plain = svg(&["startpos"]);
    for class in ["last", "check", "arrow", "mark"] {
        assert!(!plain.contains(&format!("class=\"{class}\"")), "{class}");
    }
    let count = |text: &str, class: &str| text.matches(&format!("class=\"{class}\"")).count();
    let game = ["3k5/9/9/9/9/9/9/9/4R4/4K4 w", "moves", "e1d1"];
    let marked = svg(&[&game[..], &["--arrow", "d1d9", "--arrow", "d9e9", "--mark", "e4"]].concat());
    assert_eq!(["last", "check", "arrow", "mark"].map(|class| count(&marked, class)), [2, 1, 2, 1]);
    assert!(marked.contains("class=\"check\" cx=\"300\" cy=\"0\""));
    let bare = svg(&[&game[..], &["--plain"]].concat());
    assert_eq!(["last", "check"].map(|class| count(&bare, class)), [0, 0]);
    // 18 files and 20 ranks; 18 files; none.
    let edges = ["iccs", "files", "none"].map(|edge| svg(&["9/4k4/9/9/9/9/9/9/9/3K5 w", "--coordinates", edge]));
    assert_eq!(edges.map(|svg| svg.matches("class=\"glyph\"").count() - 4 - 2), [38, 18, 0]);
}

#[test]
#[cfg(feature = "png")]
fn png_has_the_width_asked_for() {
    let (status, bytes) = run(&["startpos", "--png", "-", "--width", "300", "--coordinates", "none"]);
    assert_eq!((status, &bytes[..8]), (0, b"\x89PNG\r\n\x1a\n".as_slice()));
    // 928 by 1028 units.
    let size: Vec<u32> = [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())).into();
    assert_eq!(size, [300, 332]);
}

/// As pictures of their own, and on a sheet.
#[test]
fn several_positions_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let game = "startpos moves h2e2 h9g7 h0g2 i9h9 g3g4 c6c5 b0c2 b9c7 i0h0 h7i7";
    assert_eq!(run(&[game, "--plies", "2,10", "--svg", &path("a.svg"), "--html", &path("sheet.html")]).0, 0);
    for (name, plies) in [("a-02.svg", 2), ("a-10.svg", 10)] {
        let words: Vec<&str> = game.split(' ').take(2 + plies).collect();
        assert_eq!(std::fs::read_to_string(path(name)).unwrap(), svg(&[&words.join(" ")]));
    }
    let sheet = std::fs::read_to_string(path("sheet.html")).unwrap();
    assert!(sheet.starts_with("<!doctype html>") && sheet.matches("<figure>").count() == 2);
    assert!(sheet.contains("<b>1.</b> 1... H8+7; red to move</figcaption>"), "{sheet}");
    for arguments in [
        &["--plies", "1,2", "--svg", "-"][..],
        &["--plies", "11", "--svg", "-"],
        &["--plies", "1", "--ply", "1", "--svg", "-"],
    ] {
        assert_eq!(run(&[&[game], arguments].concat()), (2, Vec::new()), "{arguments:?}");
    }
}

#[test]
fn wrong_arguments_are_refused() {
    for arguments in [
        &["startpos"][..],
        &["startpos", "--svg", "-", "--arrow", "h2"],
        &["startpos", "--svg", "-", "--mark", "z9"],
        &["startpos moves h2h9h9", "--svg", "-"],
        &["startpos", "startpos", "--svg", "-"],
        &["startpos", "--svg", "/nonexistent/board.svg"],
        &["startpos", "--png", "-", "--width", "0"],
        &["startpos", "--svg", "-", "--png", "-"],
    ] {
        assert_eq!(run(arguments), (2, Vec::new()), "{arguments:?}");
    }
}
