//! Where a file named by a client is.

use std::env;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

/// The path of the file that a client calls `name`: in the working folder, or else in the folder of the program, where
/// GUIs expect it. Quotes around the name are dropped, and backslashes separate folders on every system. If there is no
/// such file, the name itself.
pub fn locate(name: &str) -> PathBuf {
    let name = unquoted(name);
    let own_folder = env::current_exe().ok().and_then(|program| Some(program.parent()?.to_path_buf()));
    locate_in(name, own_folder.as_deref())
}

/// `text` without a pair of quotes around it, which some clients put around paths. Of a list of quoted paths nothing is
/// dropped.
pub fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

fn locate_in(name: &str, own_folder: Option<&Path>) -> PathBuf {
    let names = [PathBuf::from(name), PathBuf::from(name.replace('\\', MAIN_SEPARATOR_STR))];
    let beside = names.iter().filter_map(|name| Some(own_folder?.join(name)));
    let found = names.iter().cloned().chain(beside).find(|path| path.exists());
    found.unwrap_or_else(|| PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_pair_of_quotes_is_dropped() {
        let cases = [("\"a b\"", "a b"), ("'a'", "a"), ("\"", "\""), ("\"a", "\"a"), ("\"a\";\"b\"", "\"a\";\"b\"")];
        for (text, expected) in cases {
            assert_eq!(unquoted(text), expected);
        }
    }

    #[test]
    fn files_are_found_beside_the_program_with_either_separator() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("books")).unwrap();
        let book = folder.path().join("books").join("a.dat");
        fs::write(&book, "").unwrap();
        for name in ["books/a.dat", "books\\a.dat", book.to_str().unwrap()] {
            assert_eq!(locate_in(name, Some(folder.path())).canonicalize().unwrap(), book.canonicalize().unwrap());
        }
        assert_eq!(locate_in("books\\b.dat", Some(folder.path())), Path::new("books\\b.dat"));
        assert_eq!(locate_in("books/a.dat", None), Path::new("books/a.dat"));
    }
}
