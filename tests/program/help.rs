//! Help, man pages and completions, and their translations.

use crate::common::{self, run as chuhe};

use std::cmp::Reverse;
use std::collections::HashMap;

#[test]
fn help_and_version() {
    let (code, out, _) = chuhe(&["--help"]);
    assert_eq!(code, 0);
    assert!(out.contains("bench") && out.contains("perft"));
    let (code, out, _) = chuhe(&["--version"]);
    assert_eq!((code, out.as_str()), (0, concat!("chuhe ", env!("CARGO_PKG_VERSION"), "\n")));
}

/// Every command that `--help` lists has a man page, and the completions know it.
#[test]
fn manual_and_completions_have_all_commands() {
    let (_, help, _) = chuhe(&["--help"]);
    let commands = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("commands");
    let lines = commands.lines().filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(chuhe(&["manual", &folder.path().display().to_string()]).0, 0);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (status, completions, _) = chuhe(&["completions", shell]);
        assert_eq!(status, 0);
        for command in commands.iter().filter(|&&command| command != "help") {
            assert!(completions.contains(command), "{shell} {command}");
            let page = std::fs::read_to_string(folder.path().join(format!("chuhe-{command}.6"))).unwrap();
            assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH \"EXIT STATUS\""), "{command}");
        }
    }
    let program = std::fs::read_to_string(folder.path().join("chuhe.6")).unwrap();
    assert!(program.contains("\\fBrepetition, Repetition Rule\\fR: combo, asian"), "{program}");
    // In Chinese, by the locale.
    let chinese = folder.path().join("zh");
    let status = common::chuhe(&["manual", chinese.to_str().unwrap()]).env("LC_ALL", "zh_CN.UTF-8").status().unwrap();
    let page = std::fs::read_to_string(chinese.join("chuhe-find.6")).unwrap();
    assert!(status.success() && !page.contains(".SH OPTIONS") && page.contains(".SH 选项"), "{page}");
    assert!(page.contains("只输出对局数") && page.contains("检查未通过"), "{page}");
    let file = folder.path().join("chuhe.6").join("x");
    assert_eq!(chuhe(&["manual", &file.display().to_string()]).0, 2, "a folder below a file");
}

/// All arguments before the last one are read before the help is printed.
#[test]
fn examples_of_the_manual_are_commands() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(chuhe(&["manual", &folder.path().display().to_string()]).0, 0);
    let mut examples = 0;
    for page in std::fs::read_dir(folder.path()).unwrap() {
        let page = std::fs::read_to_string(page.unwrap().path()).unwrap().replace('\\', "").replace("*(Aq", "'");
        let Some((_, rest)) = page.split_once(".SH EXAMPLES\n.nf\n") else { continue };
        let (lines, _) = rest.split_once(".fi").unwrap();
        for line in lines.lines() {
            let words = line.split(" > ").next().unwrap().replace('\'', "");
            let words: Vec<&str> = words.split(' ').skip(1).chain(["--help"]).collect();
            let (status, help, errors) = chuhe(&words);
            assert!(status == 0 && help.contains(line), "{line}: {errors}");
            examples += 1;
        }
    }
    assert!(examples > 30, "{examples}");
}

/// `--option` and `--log-file` are in the help and the man page of a command if and only if the command takes them.
#[test]
fn options_are_shown_where_they_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(chuhe(&["manual", &folder.path().display().to_string()]).0, 0);
    for page in std::fs::read_dir(folder.path()).unwrap() {
        let page = page.unwrap().path();
        let name = page.file_stem().unwrap().to_string_lossy().replace("chuhe", "");
        let command: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
        let text = std::fs::read_to_string(&page).unwrap().replace('\\', "");
        let help = chuhe(&[&command[..], &["--help"]].concat()).1;
        for (argument, value, takers) in [
            (
                "--option",
                "repetition=league",
                &["", "-ucci", "-uci", "-analyse", "-eval", "-puzzles", "-review", "-play"][..],
            ),
            ("--log-file", "log.txt", &["", "-ucci", "-uci"]),
        ] {
            let is_taken = takers.contains(&name.as_str());
            let is_shown = [help.contains(&format!("{argument} <")), text.contains(&format!("{argument}fR fI<"))];
            assert_eq!(is_shown, [is_taken; 2], "{name} {argument}: {text}");
            if !is_taken {
                let (status, _, errors) = chuhe(&[&command[..], &[argument, value]].concat());
                assert!(
                    status == 2 && errors.contains(&format!("unexpected argument '{argument}'")),
                    "{name}: {errors}"
                );
            }
        }
    }
}

/// What `arguments` print in this locale.
fn help(arguments: &[&str], locale: &str) -> String {
    let output = common::chuhe(arguments).env("LC_ALL", locale).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A text without blanks and ends of lines, which depend on where lines are broken.
fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Blanks the places of a text that have `part`, apart from its blanks.
fn blank(text: &mut String, part: &str) {
    let places: Vec<(usize, char)> = text.char_indices().filter(|(_, letter)| !letter.is_whitespace()).collect();
    let letters: Vec<char> = part.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut is_blank = vec![false; text.len()];
    for start in 0..(places.len() + 1).saturating_sub(letters.len()) {
        let found = &places[start..start + letters.len()];
        if found.iter().map(|(_, letter)| letter).eq(&letters) {
            found.iter().for_each(|&(at, _)| is_blank[at] = true);
        }
    }
    *text = text.char_indices().map(|(at, letter)| if is_blank[at] { '。' } else { letter }).collect();
}

/// Adds the short and the long help of a command and of those below it, in English and in Chinese.
fn add_helps(command: &[&str], english: &mut String, chinese: &mut String) {
    for option in ["-h", "--help"] {
        let arguments = [command, &[option]].concat();
        *english += &help(&arguments, "C");
        *chinese += &help(&arguments, "zh_CN.UTF-8");
    }
    let long = help(&[command, &["--help"]].concat(), "C");
    let Some((_, list)) = long.split_once("\nCommands:\n") else { return };
    let is_command = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let commands = list.lines().take_while(|line| !line.is_empty()).filter(is_command);
    for name in commands.filter_map(|line| line.split_whitespace().next()) {
        if name != "help" {
            add_helps(&[command, &[name]].concat(), english, chinese);
        }
    }
}

#[test]
fn every_text_of_the_help_has_a_translation_and_every_translation_a_text() {
    let catalogue: HashMap<String, String> = serde_json::from_str(include_str!("../../src/cli/chinese.json")).unwrap();
    let (mut english, mut chinese) = (String::new(), String::new());
    add_helps(&[], &mut english, &mut chinese);
    let [all_english, all_chinese] = [&english, &chinese].map(|text| without_blanks(text));
    for (text, translation) in &catalogue {
        assert!(all_english.contains(&without_blanks(text)), "no help says {text:?}");
        assert!(all_chinese.contains(&without_blanks(translation)), "no help says {translation:?}");
    }
    for line in chinese.lines().chain(english.lines()).filter(|line| !line.contains(": chuhe")) {
        let columns: usize = line.chars().map(|letter| 1 + (letter >= '\u{2e80}') as usize).sum();
        assert!(columns <= 100, "{columns} columns: {line}");
    }
    // Without its translations, the longest first, it has names, values and usages only: no two words in a row.
    let mut translations: Vec<&String> = catalogue.values().collect();
    translations.sort_by_key(|text| Reverse(text.len()));
    translations.into_iter().for_each(|text| blank(&mut chinese, text));
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_prose = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_command = line.contains(": chuhe") || line.starts_with("  chuhe ");
        !is_command && words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1]))
    };
    let missing: Vec<&str> = chinese.lines().filter(is_prose).collect();
    // Commands of the feature `tuning` are for developers.
    assert!(cfg!(feature = "tuning") || missing.is_empty(), "{missing:#?}");
}
