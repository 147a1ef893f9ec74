//! The layers of the crate (see `src/lib.rs`): no file imports from a layer above its own, and no files or modules
//! import one another in a circle.

use crate::imports;

use imports::{Import, imports};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

/// The top modules, lowest layer first. A module may import from modules in the same line and in those above it here.
const LAYERS: &[&[&str]] = &[
    &["types"],
    &["tables"],
    &["position"],
    &["eval", "book", "egtb", "games", "notation", "rules", "system"],
    &["search"],
    &["engine"],
    // L6 is several lines, in this order.
    &["display", "parallel", "rng"],
    &["analysis", "tools"],
    &["protocol", "terminal"],
    &["tournament"],
    &["training"],
    &["cli"],
    &["lib", "main"],
];

/// The top module of a file.
fn top_module(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

fn layer(file: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&top_module(file)))
}

fn describe(import: &Import) -> String {
    format!("src/{}:{}: imports {} of src/{}", import.from, import.line, import.path, import.to)
}

/// Imports from a higher layer, and files of no layer.
fn upward(imports: &[Import]) -> Vec<String> {
    let complaint = |import: &Import| match (layer(&import.from), layer(&import.to)) {
        (Some(from), Some(to)) if to <= from => None,
        (Some(_), Some(_)) => Some(format!(
            "{}: `{}` is a layer above `{}`",
            describe(import),
            top_module(&import.to),
            top_module(&import.from)
        )),
        _ => Some(format!("{}: a module is missing from LAYERS in tests/library/layers.rs", describe(import))),
    };
    imports.iter().filter_map(complaint).collect()
}

/// The circles among nodes named by `name` (files, or modules): for each group of nodes that import one another, a
/// shortest circle.
fn circles(imports: &[Import], name: fn(&str) -> &str) -> Vec<String> {
    let mut edges: BTreeMap<&str, Vec<(&str, &Import)>> = BTreeMap::new();
    for import in imports.iter().filter(|import| name(&import.from) != name(&import.to)) {
        edges.entry(name(&import.from)).or_default().push((name(&import.to), import));
    }
    let mut found: BTreeMap<BTreeSet<&str>, String> = BTreeMap::new();
    for &start in edges.keys() {
        let Some(circle) = shortest_circle(&edges, start) else { continue };
        let nodes = circle.iter().map(|import| name(&import.from)).collect();
        let lines: Vec<String> = circle.iter().map(|import| format!("  {}", describe(import))).collect();
        found.entry(nodes).or_insert_with(|| format!("circle of {}:\n{}", lines.len(), lines.join("\n")));
    }
    found.into_values().collect()
}

/// The imports of a shortest circle through `start`.
fn shortest_circle<'a>(
    edges: &BTreeMap<&'a str, Vec<(&'a str, &'a Import)>>,
    start: &'a str,
) -> Option<Vec<&'a Import>> {
    let mut reached_by: BTreeMap<&str, (&str, &Import)> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &(next, import) in edges.get(node).into_iter().flatten() {
            if !reached_by.contains_key(next) {
                reached_by.insert(next, (node, import));
                queue.push_back(next);
            }
        }
    }
    let mut circle = Vec::new();
    let mut node = start;
    while circle.is_empty() || node != start {
        let &(before, import) = reached_by.get(node)?;
        circle.push(import);
        node = before;
    }
    circle.reverse();
    Some(circle)
}

/// The Rust files under `folder`, as paths from `src`, with their texts.
fn read_sources(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            read_sources(&path, &format!("{name}/"), files);
        } else if name.ends_with(".rs") {
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

fn crate_imports() -> Vec<Import> {
    let mut files = Vec::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    files.sort();
    let found = imports(&files);
    assert!(files.len() > 90 && found.len() > 300, "{} files, {} imports", files.len(), found.len());
    found
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn no_file_imports_from_a_higher_layer() {
    assert_none(&upward(&crate_imports()));
}

#[test]
fn no_files_import_one_another_in_a_circle() {
    assert_none(&circles(&crate_imports(), |file| file));
}

#[test]
fn no_top_modules_import_one_another_in_a_circle() {
    assert_none(&circles(&crate_imports(), top_module));
}

#[test]
fn tables_of_modules_have_every_file() {
    let mut files = Vec::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    for (name, text) in &files {
        let folder = format!("{}/", name.trim_end_matches(".rs"));
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("//! | ")).collect();
        let is_here = |path: &str| path.strip_prefix(&folder).is_some_and(|rest| !rest.contains('/'));
        let parts = files.iter().filter(|(path, _)| is_here(path) && !rows.is_empty());
        for part in parts.map(|(path, _)| path[folder.len()..].trim_end_matches(".rs")) {
            let names = [format!("`{part}`"), format!("`mod@{part}`"), format!("(mod@{part})")];
            assert!(
                rows.iter().any(|row| names.iter().any(|name| row.contains(name))),
                "src/{name}: {part} is missing"
            );
        }
    }
}

// ── The analyser ────────────────────────────────────────────────────────────────────────────────────────────────────

/// `from:line → to` for each import between made-up files.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<_> = files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect();
    imports(&files).iter().map(|import| format!("{}:{} → {}", import.from, import.line, import.to)).collect()
}

const LIB: (&str, &str) = ("lib.rs", "pub mod types; pub mod search;");
const TYPES: (&str, &str) = ("types.rs", "pub struct Move; pub struct Score; pub fn mate() {}");

#[test]
fn use_declarations_and_paths_in_code_are_imports() {
    for text in [
        "\nuse crate::types::Move;",
        "\nuse crate::types::{Score as Value, Move};",
        "\nuse crate::{types::{self, Move}};",
        "\nuse crate::types::*;",
        "\nfn f() -> crate::types::Move {}",
        "use crate::types;\nfn f() { types::mate() }",
        "use crate::types as words;\nfn f() { words::Move::new() }",
        "use super::types;\nfn f() { types::mate() }",
        "\nmacro_rules! m { () => { $crate::types::mate() } }",
        "\n#[arg(parser = super::types::mate)] struct S;",
        "mod inner { \nuse super::super::types::Move; }",
        "fn f() {\nuse crate::types::Move; }",
        "const A: char = '\"'; const B: &'static str = \"\\\"\";\nuse crate::types::Move;",
    ] {
        assert_eq!(arrows(&[LIB, TYPES, ("search.rs", text)]), ["search.rs:2 → types.rs"], "{text}");
    }
}

#[test]
fn comments_literals_tests_and_other_crates_are_no_imports() {
    for text in [
        "// use crate::types::Move;\n//! [`crate::types::Move`]",
        "/* /* nested */ use crate::types::Move; */",
        "const A: &str = \"use crate::types::Move;\"; const B: &str = r#\"\"crate::types::Move\"#;",
        "const A: &[u8] = b\"crate::types::Move\"; const B: u8 = b'\"'; fn f<'a>(x: &'a u8) {} // crate::types::Move",
        "#[cfg(test)]\nmod tests { use crate::types::Move; fn f() { { crate::types::mate() } } }",
        "#[cfg(test)]\n#[allow(dead_code)]\nfn f(a: [u8; 2]) { crate::types::mate() }",
        "#[cfg(test)]\nuse crate::types::{Move, Score};",
        "use std::types::Move; fn f() { other::types::mate(); ::types::mate(); x.types::<u8>(); }",
        "use crate::types;",
    ] {
        assert_eq!(arrows(&[LIB, TYPES, ("search.rs", text)]), [""; 0], "{text}");
    }
    let (search, tests) = (("search.rs", "#[cfg(test)]\nmod tests;"), ("search/tests.rs", "use crate::types::Move;"));
    assert_eq!(arrows(&[LIB, TYPES, search, tests]), [""; 0]);
    // Code after a test module counts.
    let after = ("search.rs", "#[cfg(test)] mod tests { fn f() {} }\nuse crate::types::Move;");
    assert_eq!(arrows(&[LIB, TYPES, after]), ["search.rs:2 → types.rs"]);
}

#[test]
fn re_exports_lead_to_the_defining_file() {
    let lib = ("lib.rs", "mod a; mod b;");
    let (child, other) = (("a/child.rs", "pub struct Item;"), ("b.rs", "use crate::a::Item;"));
    assert_eq!(arrows(&[lib, ("a.rs", "mod child; pub use child::Item;"), child, other]), ["b.rs:1 → a/child.rs"]);
    assert_eq!(arrows(&[lib, ("a.rs", "mod child; pub use child::*;"), child, other]), ["b.rs:1 → a/child.rs"]);
    let used = ("a.rs", "mod child;\npub use child::Item;\nfn f(item: Item) {}");
    assert_eq!(arrows(&[lib, used, child, other]), ["a.rs:2 → a/child.rs", "b.rs:1 → a/child.rs"]);
    // A child imports what a sibling defines and the parent re-exports, or what the parent itself defines.
    let sibling = ("a/sibling.rs", "use super::Item;");
    let parent = ("a.rs", "mod child; mod sibling; pub(crate) use child::Item;");
    assert_eq!(arrows(&[lib, parent, child, sibling]), ["a/sibling.rs:1 → a/child.rs"]);
    let parent = ("a.rs", "mod child; mod sibling; struct Item;");
    assert_eq!(arrows(&[lib, parent, child, sibling]), ["a/sibling.rs:1 → a.rs"]);
    // A re-export from elsewhere is an import; re-exports of one another end.
    assert_eq!(arrows(&[lib, ("a.rs", "pub use crate::b::X;"), ("b.rs", "pub struct X;")]), ["a.rs:1 → b.rs"]);
    assert_eq!(arrows(&[lib, ("a.rs", "pub use crate::b::X;"), ("b.rs", "pub use crate::a::X;")]), [""; 0]);
}

#[test]
fn a_name_of_a_module_and_of_an_item_means_both() {
    let lib = ("lib.rs", "mod tools; mod cli;");
    let files = [("tools.rs", "pub mod perft;"), ("tools/perft.rs", "pub fn perft() {}\npub struct Suite;")];
    for text in [
        "use crate::tools::perft::perft;",
        "use chuhe::tools::perft::perft;",
        "fn f() { crate::tools::perft::perft() }",
    ] {
        assert_eq!(arrows(&[lib, files[0], files[1], ("cli.rs", text)]), ["cli.rs:1 → tools/perft.rs"], "{text}");
    }
}

fn complaints(files: &[(&str, &str)]) -> (usize, Vec<usize>) {
    let files: Vec<_> = files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect();
    let imports = imports(&files);
    let sizes = circles(&imports, |file| file).iter().map(|text| text.lines().count() - 1).collect();
    (upward(&imports).len(), sizes)
}

#[test]
fn upward_imports_and_circles_are_found() {
    let down = ("search.rs", "use crate::types::Move;");
    assert_eq!(complaints(&[LIB, TYPES, down]), (0, vec![]));
    let (up, user) =
        (("types.rs", "pub struct Move; use crate::search::Depth;"), ("search.rs", "pub type Depth = u8;"));
    assert_eq!(complaints(&[LIB, up, user]), (1, vec![]));
    let both = ("search.rs", "pub type Depth = u8; use crate::types::Move;");
    assert_eq!(complaints(&[LIB, up, both]), (1, vec![2]));
    // Three files of one module; a file that only leads into the circle is no part of it.
    let search = ("search.rs", "mod a; mod b; mod c; mod d; pub use a::A;");
    let a = ("search/a.rs", "pub struct A; fn f() { super::b::b() }");
    let b = ("search/b.rs", "pub fn b() { super::c::c() }");
    let (c, d) = (("search/c.rs", "use super::A; pub fn c() {}"), ("search/d.rs", "use super::A;"));
    assert_eq!(complaints(&[LIB, TYPES, search, a, b, c, d]), (0, vec![3]));
    // Parent and child: only what each uses of the other counts.
    let parent = |text| [LIB, TYPES, ("search.rs", text), ("search/a.rs", "use super::S; pub struct A;")];
    assert_eq!(complaints(&parent("mod a; pub use a::A; pub struct S;")), (0, vec![]));
    assert_eq!(complaints(&parent("mod a; use a::A; pub struct S(A);")), (0, vec![2]));
    // A module of no layer.
    let unknown = [("lib.rs", "mod types; mod new;"), TYPES, ("new.rs", "use crate::types::Move;")];
    assert_eq!(complaints(&unknown), (1, vec![]));
}
