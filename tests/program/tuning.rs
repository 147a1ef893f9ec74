//! Tuning of the search parameters, with the feature `tuning`.
#![cfg(feature = "tuning")]

use crate::common::run as chuhe;

#[test]
fn tunables_are_compared_and_tuned() {
    let (code, out, _) =
        chuhe(&["compare", "futility_base=300", "singular_depth=999", "--pairs", "2", "--nodes", "200"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("futility_base=300 singular_depth=999: ") && out.contains("pentanomial ["), "{out}");
    for change in ["futility_base=-1", "epsilon=3", "/nonexistent"] {
        assert_eq!(chuhe(&["compare", change, "--pairs", "1"]).0, 2, "{change}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.txt");
    let state = path.to_str().unwrap();
    let tune =
        |pairs: &str| chuhe(&["tune", "--state", state, "--pairs", pairs, "--nodes", "200", "--only", "futility_base"]);
    let (code, out, _) = tune("2");
    assert_eq!((code, out.split_whitespace().next()), (0, Some("futility_base")), "{out}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("pairs 2\nfutility_base "));
    assert_eq!(tune("3").0, 0, "resumed");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("pairs 3\n"));
    assert_eq!(
        chuhe(&["compare", state, "--pairs", "1", "--nodes", "200"]).0,
        0,
        "the state file is accepted by compare"
    );
    std::fs::write(&path, "pairs 3\nfutility_base lots\n").unwrap();
    let (code, _, errors) = tune("4");
    assert!(code == 2 && errors.contains("futility_base lots"), "{errors}");
}

#[test]
fn tunables_are_screened_and_the_results_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let results = path.to_str().unwrap();
    let screen = |changes: &[&str], pairs: &str| {
        let rest = ["--results", results, "--pairs", pairs, "--nodes", "200", "--threads", "2"];
        chuhe(&[&["screen"], changes, &rest].concat())
    };
    let changes = ["lmp_depth=0", "futility_depth=-1,see_depth=0"];
    let (code, out, errors) = screen(&changes, "2");
    assert_eq!((code, out.lines().last()), (0, Some("Elo with the change, 2 pairs")), "{errors}");
    assert!(out.starts_with("too few pairs\n"), "{out}");
    let two = std::fs::read_to_string(&path).unwrap();
    let (code, out, _) = screen(&changes, "8");
    assert!(code == 0 && out.lines().count() == 3 && out.contains("  futility_depth=-1,see_depth=0\n"), "{out}");
    let eight = std::fs::read_to_string(&path).unwrap();
    assert!(eight.starts_with(&two) && eight.lines().count() == 9, "{eight}");
    // Other changes, one that does not exist, and a file that is damaged.
    for changes in [&["lmp_depth=0"][..], &["lmp_depth=0", "epsilon=1"]] {
        assert_eq!(screen(changes, "9").0, 2, "{changes:?}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), eight);
    std::fs::write(&path, &eight[..eight.len() - 2]).unwrap();
    assert_eq!(screen(&changes, "8").0, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), eight, "a run that was killed is continued");
    std::fs::write(&path, format!("{eight}+ 1\n")).unwrap();
    let (code, _, errors) = screen(&changes, "9");
    assert!(code == 2 && errors.contains("+ 1"), "{errors}");
}
