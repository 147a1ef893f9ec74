//! Which source file imports which: reads the modules of a crate and resolves `use` declarations and paths in code to
//! the files that define the items. Test code (`#[cfg(test)]`) is left out. Calls of methods are no imports.

mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use tokens::{Kind, Token, tokens};

/// The name by which the binary knows the library.
const CRATE: &str = "chuhe";

type ModulePath = Vec<String>;

/// One file imports an item that another defines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Import {
    pub from: String,
    pub to: String,
    /// Where, in `from`.
    pub line: usize,
    /// The path as written, a use tree expanded.
    pub path: String,
}

/// The modules of a crate, by path; the root has an empty one.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<ModulePath, Module>,
    /// Modules declared under `#[cfg(test)]`.
    test_modules: BTreeSet<ModulePath>,
}

#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    /// Names defined here.
    items: BTreeSet<String>,
    /// What `use` declarations bind.
    uses: Vec<Use>,
    /// Paths in code.
    paths: Vec<(ModulePath, usize)>,
    /// Identifiers in code that do not follow a dot.
    mentioned: BTreeSet<String>,
}

struct Use {
    /// The name bound; `None` for a glob.
    name: Option<String>,
    path: ModulePath,
    is_public: bool,
    line: usize,
}

/// What a path leads to.
enum Target {
    Module(ModulePath),
    /// An item defined in this file.
    Item(String),
}

/// The imports between the files of a crate, given as paths from its `src` and texts: the first of each pair of files.
pub fn imports(files: &[(String, String)]) -> Vec<Import> {
    let mut root = Crate::default();
    for (file, text) in files {
        root.read(file, &tokens(text));
    }
    let test_modules = root.test_modules.clone();
    let is_test = |path: &ModulePath| test_modules.iter().any(|test| path.starts_with(test));
    root.modules.retain(|path, _| !is_test(path));
    root.imports()
}

/// The module that a file is: `a/b.rs` and `a/b/mod.rs` are `a::b`. The binary's root, `main.rs`, counts as that of the
/// library: no module is declared in both.
fn module_path(file: &str) -> ModulePath {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    if matches!(path, "lib" | "main") { Vec::new() } else { path.split('/').map(String::from).collect() }
}

fn join(module: &[String], name: &str) -> ModulePath {
    module.iter().cloned().chain([name.to_string()]).collect()
}

impl Crate {
    fn module(&mut self, path: &[String], file: &str) -> &mut Module {
        let module = self.modules.entry(path.to_vec()).or_default();
        module.file = file.to_string();
        module
    }

    /// Reads the tokens of one file.
    fn read(&mut self, file: &str, tokens: &[Token]) {
        // The modules around the present token, each with the brace depth of its items.
        let mut modules = vec![(module_path(file), 0)];
        self.module(&modules[0].0, file);
        let (mut depth, mut at) = (0, 0);
        while let Some(token) = tokens.get(at) {
            let (current, item_depth) = modules.last().cloned().expect("the file's own module stays");
            let module = self.module(&current, file);
            let is_next = |ahead: usize, punctuation| tokens.get(at + ahead).is_some_and(|token| token.is(punctuation));
            let next_name = tokens.get(at + 1).and_then(Token::identifier);
            match (&token.kind, next_name) {
                (Kind::Punctuation('#'), _) if is_test_attribute(&tokens[at..]) => {
                    let end = at + item_length(&tokens[at..]);
                    let name = tokens[at..end].windows(3).find_map(|three| match three {
                        [keyword, name, end] if keyword.identifier() == Some("mod") && end.is(';') => name.identifier(),
                        _ => None,
                    });
                    self.test_modules.extend(name.map(|name| join(&current, name)));
                    at = end;
                    continue;
                }
                (Kind::Punctuation('{'), _) => depth += 1,
                (Kind::Punctuation('}'), _) => {
                    depth -= 1;
                    if modules.len() > 1 && depth < item_depth {
                        modules.pop();
                    }
                }
                (Kind::Identifier(word), _) if word == "use" && !is_next(1, '<') => {
                    let is_public = at.checked_sub(1).is_some_and(|before| is_visibility(&tokens[..=before]));
                    let mut tree = UseTree { tokens, at: at + 1, is_public, found: Vec::new() };
                    tree.read(&mut Vec::new());
                    module.uses.append(&mut tree.found);
                    at = tree.at;
                    continue;
                }
                (Kind::Identifier(word), Some(name)) if word == "mod" => {
                    module.children.insert(name.to_string());
                    if is_next(2, '{') {
                        depth += 1;
                        modules.push((join(&current, name), depth));
                        self.module(&join(&current, name), file);
                    }
                    at += 3;
                    continue;
                }
                (Kind::Identifier(word), Some(name)) if depth == item_depth && is_item_keyword(word) => {
                    module.items.insert(name.to_string());
                }
                (Kind::Identifier(word), _) if word == "macro_rules" => {
                    let name = tokens.get(at + 2).and_then(Token::identifier);
                    module.items.extend(name.map(String::from));
                }
                (Kind::Identifier(_), _) => {
                    let path = path(&tokens[at..]);
                    let before = at.checked_sub(1).map(|before| &tokens[before]);
                    let is_start = before.is_none_or(|token| token.kind != Kind::PathSeparator && !token.is('.'));
                    let length = 2 * path.len() - 1;
                    if is_start {
                        module.mentioned.insert(path[0].clone());
                        if path.len() > 1 {
                            module.paths.push((path, token.line));
                        }
                    }
                    at += length;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn imports(&self) -> Vec<Import> {
        let mut imports: BTreeMap<(String, String), Import> = BTreeMap::new();
        for (current, module) in &self.modules {
            let uses = module.uses.iter().filter_map(|import| {
                let target = self.file_of(current, &import.path, import.name.is_none())?;
                // What a parent re-exports from its children is no import, unless it uses the name itself.
                let is_below = module_path(&target).starts_with(current);
                let is_used = import.name.as_ref().is_some_and(|name| module.mentioned.contains(name));
                (!import.is_public || !is_below || is_used).then_some((target, &import.path, import.line))
            });
            let paths = module.paths.iter();
            let paths = paths.filter_map(|(path, line)| Some((self.file_of(current, path, false)?, path, *line)));
            for (to, path, line) in uses.chain(paths).filter(|(to, ..)| *to != module.file) {
                let import = Import { from: module.file.clone(), to: to.clone(), line, path: path.join("::") };
                let first = imports.entry((import.from.clone(), to)).or_insert_with(|| import.clone());
                if import.line < first.line {
                    *first = import;
                }
            }
        }
        imports.into_values().collect()
    }

    /// The file that defines what a path in `module` leads to. A module alone is no item, but to a glob it is.
    fn file_of(&self, module: &[String], path: &[String], is_glob: bool) -> Option<String> {
        match self.resolve(module, path, &mut BTreeSet::new())? {
            Target::Item(file) => Some(file),
            Target::Module(module) if is_glob => Some(self.modules.get(&module)?.file.clone()),
            Target::Module(_) => None,
        }
    }

    /// Resolves a path in `module`; `None` if it leads out of the crate. `seen` breaks circles of re-exports.
    fn resolve(
        &self,
        module: &[String],
        path: &[String],
        seen: &mut BTreeSet<(ModulePath, ModulePath)>,
    ) -> Option<Target> {
        if !seen.insert((module.to_vec(), path.to_vec())) {
            return None;
        }
        let mut current = module.to_vec();
        for (index, name) in path.iter().enumerate() {
            let (is_first, is_last) = (index == 0, index + 1 == path.len());
            match name.as_str() {
                "crate" => current = Vec::new(),
                CRATE if is_first => current = Vec::new(),
                "self" => {}
                "super" => drop(current.pop()),
                _ => {
                    let at = self.modules.get(&current)?;
                    let is_item = at.items.contains(name);
                    if at.children.contains(name) && !(is_last && (is_item || at.binds(name))) {
                        current = join(&current, name);
                    } else if is_item {
                        return Some(Target::Item(at.file.clone()));
                    } else if at.binds(name) {
                        let found = at.uses.iter().filter(|import| import.name.as_ref() == Some(name));
                        match found.filter_map(|import| self.resolve(&current, &import.path, seen)).next()? {
                            Target::Module(module) => current = module,
                            item => return Some(item),
                        }
                    } else {
                        let globs = at.uses.iter().filter(|import| import.name.is_none());
                        let through_glob = globs.filter_map(|glob| match self.resolve(&current, &glob.path, seen)? {
                            Target::Module(module) if self.modules.get(&module)?.knows(name) => {
                                self.resolve(&module, &path[index..], seen)
                            }
                            _ => None,
                        });
                        let found = through_glob.into_iter().next();
                        // A first name that is not known is another crate's or a local one; a later one is an item that
                        // a macro makes.
                        return found.or_else(|| (!is_first).then(|| Target::Item(at.file.clone())));
                    }
                }
            }
        }
        Some(Target::Module(current))
    }
}

impl Module {
    fn binds(&self, name: &str) -> bool {
        self.uses.iter().any(|import| import.name.as_deref() == Some(name))
    }

    fn knows(&self, name: &str) -> bool {
        self.items.contains(name) || self.children.contains(name) || self.binds(name)
    }
}

fn is_item_keyword(word: &str) -> bool {
    matches!(word, "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static")
}

/// The path that begins here.
fn path(tokens: &[Token]) -> ModulePath {
    let mut path: ModulePath = tokens[0].identifier().map(String::from).into_iter().collect();
    let mut rest = &tokens[1..];
    while let [separator, name, after @ ..] = rest {
        let Some(name) = name.identifier().filter(|_| separator.kind == Kind::PathSeparator) else { break };
        path.push(name.to_string());
        rest = after;
    }
    path
}

/// Whether `#[cfg(test)]` or `#[cfg(all(test, …))]` begins here.
fn is_test_attribute(tokens: &[Token]) -> bool {
    let texts = tokens.iter().take(7).map(|token| match &token.kind {
        Kind::Identifier(name) => name.clone(),
        Kind::Punctuation(letter) => letter.to_string(),
        _ => " ".to_string(),
    });
    let text: String = texts.collect();
    text.starts_with("#[cfg(test)]") || text.starts_with("#[cfg(all(test")
}

/// The tokens of the item that begins here, with its attributes: to its semicolon or closing brace.
fn item_length(tokens: &[Token]) -> usize {
    let (mut depth, mut is_attribute) = (0, false);
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punctuation('#') if depth == 0 => is_attribute = true,
            Kind::Punctuation('(' | '[' | '{') => depth += 1,
            Kind::Punctuation(close @ (')' | ']' | '}')) => {
                depth -= 1;
                if depth == 0 && close == '}' && !is_attribute {
                    return index + 1;
                }
                is_attribute &= depth > 0;
            }
            Kind::Punctuation(';') if depth == 0 => return index + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Whether these tokens end with `pub` or `pub(…)`.
fn is_visibility(tokens: &[Token]) -> bool {
    let end = match tokens {
        [start @ .., close] if close.is(')') => start.iter().rposition(|token| token.is('(')).unwrap_or(0),
        _ => tokens.len(),
    };
    tokens[..end].last().and_then(Token::identifier) == Some("pub")
}

/// Reads a use declaration, from after `use` to after its semicolon.
struct UseTree<'a> {
    tokens: &'a [Token],
    at: usize,
    is_public: bool,
    found: Vec<Use>,
}

impl UseTree<'_> {
    fn read(&mut self, prefix: &mut ModulePath) {
        let outer = prefix.len();
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match &token.kind {
                Kind::Identifier(word) if word == "as" => {
                    let name = self.tokens.get(self.at).and_then(Token::identifier).map(String::from);
                    self.at += 1;
                    self.add(name, prefix, outer, token.line);
                }
                Kind::Identifier(word) => prefix.push(word.clone()),
                Kind::Punctuation('*') => {
                    let (path, is_public) = (prefix.clone(), self.is_public);
                    self.found.push(Use { name: None, path, is_public, line: token.line });
                    prefix.truncate(outer);
                }
                Kind::Punctuation('{') => {
                    self.read(prefix);
                    prefix.truncate(outer);
                }
                Kind::Punctuation(end @ (',' | '}' | ';')) => {
                    self.add(prefix.last().cloned(), prefix, outer, token.line);
                    if *end != ',' {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the declaration read so far, if there is any, and goes back to the prefix.
    fn add(&mut self, name: Option<String>, prefix: &mut ModulePath, outer: usize, line: usize) {
        if prefix.len() > outer {
            let mut path = prefix.clone();
            let is_self = path.len() > 1 && path.last().is_some_and(|last| last == "self");
            let name =
                if is_self && name.as_deref() == Some("self") { path.get(path.len() - 2).cloned() } else { name };
            path.truncate(path.len() - is_self as usize);
            self.found.push(Use { name, path, is_public: self.is_public, line });
        }
        prefix.truncate(outer);
    }
}
