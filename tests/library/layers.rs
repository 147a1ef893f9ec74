//! The layers of the crate (see `src/lib.rs`), by the prefixes of paths in its files: no module imports from a layer above its
//! own, and no modules import one another in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The top modules, lowest layer first. A module may import from modules in the same line and in those above it here.
const LAYERS: &[&[&str]] = &[
    &["types"],
    &["tables"],
    &["position"],
    &["eval", "book", "cloud", "egtb", "games", "files", "notation", "rules"],
    &["search"],
    &["mate"],
    &["engine"],
    // L6 is several lines, in this order.
    &["display", "parallel", "processor", "rng"],
    &["diagram"],
    &["page"],
    &["analysis"],
    &["protocol", "terminal"],
    &["tournament"],
    &["training"],
    &["cli"],
];

/// The files of `src` without their tests, by their paths from there without `.rs`.
fn files() -> BTreeMap<String, String> {
    fn read(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{prefix}{}", path.file_stem().unwrap().to_str().unwrap());
            if path.is_dir() {
                read(&path, &format!("{name}/"), files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("\nmod tests {").next().unwrap();
                let is_code = |line: &&str| !line.trim_start().starts_with("//");
                files.insert(name, code.lines().filter(is_code).collect::<Vec<_>>().join("\n"));
            }
        }
    }
    let mut found = BTreeMap::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    assert!(found.len() > 90);
    found
}

/// The top modules that a code names: those behind `crate::`.
fn modules_in(code: &str) -> BTreeSet<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let paths = code.match_indices("crate::").filter(|&(at, _)| !code[..at].ends_with(is_part));
    let name = |at: usize| code[at + "crate::".len()..].split(|letter| !is_part(letter)).next().unwrap();
    paths.map(|(at, _)| name(at)).collect()
}

/// The top modules that each file imports from.
fn imports(files: &BTreeMap<String, String>) -> BTreeMap<&str, BTreeSet<&str>> {
    let inner = files.iter().filter(|(name, _)| !matches!(name.as_str(), "lib" | "main"));
    let found: BTreeMap<_, _> = inner.map(|(name, code)| (name.as_str(), modules_in(code))).collect();
    assert!(found.values().map(BTreeSet::len).sum::<usize>() > 300, "{found:?}");
    found
}

fn top(file: &str) -> &str {
    file.split('/').next().unwrap()
}

/// A circle among the names; `None` if there is none.
fn circle<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Option<Vec<&'a str>> {
    let mut left = edges.clone();
    // What imports nothing that is left is in no circle.
    while let Some(name) = left.iter().find(|(_, to)| to.iter().all(|to| !left.contains_key(to))).map(|(&name, _)| name)
    {
        left.remove(name);
    }
    let mut walk = vec![*left.keys().next()?];
    loop {
        let next = *left[walk.last().unwrap()].iter().find(|to| left.contains_key(*to)).expect("each has one");
        if let Some(start) = walk.iter().position(|&name| name == next) {
            return Some(walk.split_off(start));
        }
        walk.push(next);
    }
}

#[test]
fn no_file_imports_from_a_higher_layer() {
    let layer = |file: &str| {
        let place = LAYERS.iter().position(|modules| modules.contains(&top(file)));
        place.unwrap_or_else(|| panic!("{file:?} is in no layer of tests/library/layers.rs"))
    };
    for (from, to) in imports(&files()) {
        let above: Vec<_> = to.into_iter().filter(|to| layer(to) > layer(from)).collect();
        assert!(above.is_empty(), "src/{from}.rs imports from above: {above:?}");
    }
}

#[test]
fn no_modules_import_one_another_in_a_circle() {
    let files = files();
    let mut modules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in imports(&files) {
        modules.entry(top(from)).or_default().extend(to.into_iter().filter(|&to| to != top(from)));
    }
    assert_eq!(circle(&modules), None);
}

#[test]
fn modules_and_circles_are_found() {
    let code = "use crate::types::Move;\nfn f(x: crate::eval::wdl::W) { macrocrate::no(); super::no() }";
    assert_eq!(modules_in(code), ["eval", "types"].into());
    let edges = |list: &[(&'static str, &[&'static str])]| {
        list.iter().map(|&(from, to)| (from, to.iter().copied().collect())).collect::<BTreeMap<_, BTreeSet<_>>>()
    };
    assert_eq!(circle(&edges(&[("a", &["b"]), ("b", &["c"]), ("c", &[])])), None);
    assert_eq!(circle(&edges(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])), Some(vec!["b", "c"]));
}
