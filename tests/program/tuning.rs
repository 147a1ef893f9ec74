//! Tuning of the search parameters, with the feature `tuning`.
#![cfg(feature = "tuning")]

use crate::common::run as chuhe;

#[test]
fn tunables_are_compared_and_tuned() {
    let compare = |words: &str| {
        let players = format!("match -engine name=new eval=large {words} -engine eval=large -each nodes=200");
        chuhe(&players.split(' ').collect::<Vec<_>>())
    };
    let (code, out, errors) = compare("option.futility_base=300 option.singular_depth=999");
    assert!(code == 0 && out.contains("2/2 large – new "), "{out}{errors}");
    for (change, expected) in [
        ("option.futility_base=-1", "engine new: option futility_base does not take \"-1\""),
        ("option.epsilon=3", "engine new has no option epsilon"),
        ("state=/nonexistent", "/nonexistent: "),
    ] {
        let (code, _, errors) = compare(change);
        assert!(code == 2 && errors.contains(expected), "{errors}");
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
    assert_eq!(compare(&format!("state={state}")).0, 0, "the state file is accepted by match");
    std::fs::write(&path, "pairs 3\nfutility_base lots\n").unwrap();
    let (code, _, errors) = tune("4");
    assert!(code == 2 && errors.contains("futility_base lots"), "{errors}");
}
