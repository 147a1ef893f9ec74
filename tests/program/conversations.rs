//! Runs the conversations with the real binary in `tests/conversations/*.txt`; `commands.txt` describes their format.

use crate::common;
use crate::server;

use chuhe::games::setup::{GameSetup, play};
use chuhe::notation::Ranks;
use chuhe::position::{Position, Variant};
use common::{Client, PATIENCE};
use server::Server;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// One conversation.
struct Conversation<'a> {
    title: &'a str,
    /// Arguments of the program; `None`: those that switch the built-in book off.
    arguments: Option<Vec<&'a str>>,
    /// Answers of a cloud database: a word of the request, and the answer.
    cloud: Vec<(&'a str, &'a str)>,
    /// Line number, mark and text of each line.
    lines: Vec<(usize, char, &'a str)>,
}

fn conversations(text: &str) -> Vec<Conversation<'_>> {
    let mut all: Vec<Conversation> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            all.push(Conversation { title, arguments: None, cloud: Vec::new(), lines: Vec::new() });
            continue;
        }
        let mark = line.chars().next().unwrap();
        assert!("><=!.$@".contains(mark), "line {number}: {line}");
        let text = line[1..].strip_prefix(' ').unwrap_or(&line[1..]);
        let conversation = all.last_mut().expect("a title comes first");
        match mark {
            '$' => conversation.arguments = Some(text.split_whitespace().collect()),
            '@' => conversation.cloud.push(text.split_once(' ').expect("a word and an answer")),
            _ => conversation.lines.push((number, mark, text)),
        }
    }
    all
}

/// Whether `line` is like `pattern`, in which `*` stands for any text.
fn is_like(line: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => line == pattern,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let ends = line.char_indices().map(|(end, _)| end).chain([line.len()]);
            ends.into_iter().any(|end| is_like(&line[end..], rest))
        }),
    }
}

impl Conversation<'_> {
    fn hold(&self) {
        let folder = tempfile::tempdir().unwrap();
        let cloud: Vec<_> = self.cloud.iter().map(|(word, answer)| (word.to_string(), answer.to_string())).collect();
        let server = Server::answering_each(cloud);
        let filled_in =
            |text: &str| text.replace("{folder}", folder.path().to_str().unwrap()).replace("{cloud}", &server.address);
        let mut client = Some(match &self.arguments {
            Some(arguments) => Client::start_with(arguments),
            None => Client::start(),
        });
        // Output since the last line of the client.
        let mut said: Vec<String> = Vec::new();
        for &(number, mark, text) in &self.lines {
            let deadline = Instant::now() + PATIENCE;
            let place = || format!("{:?}, line {number}: {mark} {text}", self.title);
            let text = &filled_in(text);
            let client_now = client.as_mut().unwrap_or_else(|| panic!("{}: the input has ended", place()));
            match mark {
                '>' => {
                    said.clear();
                    client_now.send(text);
                }
                '<' => loop {
                    let line = client_now
                        .line_before(deadline)
                        .unwrap_or_else(|why| panic!("{}: {why}; said {said:#?}", place()));
                    let found = is_like(&line, text);
                    said.push(line);
                    if found {
                        break;
                    }
                },
                '=' => {
                    let line = client_now.line_before(deadline).unwrap_or_else(|why| panic!("{}: {why}", place()));
                    assert!(is_like(&line, text), "{}: it says {line}", place());
                    said.push(line);
                }
                '!' => {
                    said.extend(client_now.ask(""));
                    let found = said.iter().find(|line| is_like(line, text));
                    assert!(found.is_none(), "{}: it says {}", place(), found.unwrap());
                }
                _ => {
                    let finished = client.take().unwrap().finish();
                    assert!(finished.status.success(), "{}: {finished:?}", place());
                    assert_eq!(finished.errors, "", "{}", place());
                    let rest: Vec<&String> = finished.lines.iter().filter(|line| !line.starts_with("info ")).collect();
                    assert_eq!(rest, [""; 0], "{}: said unexpectedly", place());
                }
            }
        }
    }
}

fn hold_all(text: &str) {
    conversations(text).iter().for_each(Conversation::hold);
}

#[test]
fn patterns_match_whole_lines() {
    for (line, pattern) in [("a b c", "a*c"), ("a", "*"), ("", "*"), ("abab", "*ab"), ("帥", "帥")] {
        assert!(is_like(line, pattern), "{line} {pattern}");
    }
    for (line, pattern) in [("a b c", "a*b"), ("ab", "a"), ("", "a"), ("帥", "將*")] {
        assert!(!is_like(line, pattern), "{line} {pattern}");
    }
}

#[test]
fn every_command_in_every_state() {
    let text = include_str!("../conversations/commands.txt");
    hold_all(text);
    let titles: Vec<&str> = conversations(text).iter().map(|conversation| conversation.title).collect();
    let words = "ucci uci isready setoption position banmoves go stop ponderhit probe quit ucinewgame debug";
    for word in words.split(' ') {
        for state in ["boot", "idle", "thinking"] {
            assert!(
                titles.contains(&format!("{word}, {state}").as_str()),
                "no conversation about {word} while {state}"
            );
        }
    }
}

#[test]
fn every_option_has_its_effect() {
    let text = include_str!("../conversations/options.txt");
    hold_all(text);
    let titles: Vec<&str> = conversations(text).iter().map(|conversation| conversation.title).collect();
    for option in chuhe::engine::options::DECLARATIONS {
        assert!(titles.contains(&option.name()), "no conversation about {}", option.name());
    }
}

#[test]
fn console_commands() {
    let text = include_str!("../conversations/console.txt");
    hold_all(text);
    let titles: String = conversations(text).iter().map(|conversation| conversation.title).collect();
    let words = "d pos fen xfen moves eval perft do undo flip resign draw bench compiler help";
    for word in words.split(' ') {
        assert!(titles.contains(word), "no conversation about {word}");
    }
}

/// What clients send, each file for one habit of theirs.
#[test]
fn habits_of_clients() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations/clients");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 5);
    for file in files {
        println!("{}", file.display());
        hold_all(&fs::read_to_string(file).unwrap());
    }
}

/// What real clients sent, up to the first `go` or two; the first line of each file names the numbering of ranks in which
/// it sends and expects moves. Every line shown and every move answered is legal in that numbering, and some only in it.
#[test]
fn clients_are_answered_in_their_numbering_of_ranks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/conversations");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 9);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (ranks, other) = match text.lines().next().unwrap().rsplit_once(' ').unwrap().1 {
            "0-9" => (Ranks::FromZero, Ranks::FromOne),
            "1-10" => (Ranks::FromOne, Ranks::FromZero),
            unknown => panic!("{}: {unknown}", file.display()),
        };
        let mut client = Client::start();
        let (mut position, mut answers, mut is_other_illegal) = (Position::start(), 0, false);
        for line in text.lines() {
            client.send(line);
            if line.starts_with("position") {
                let setup = GameSetup { ranks: Some(ranks), ..GameSetup::read(line).unwrap() };
                position = setup.game(Variant::Standard).unwrap();
            }
            if !line.starts_with("go ") {
                continue;
            }
            if line.contains("infinite") || line.contains("ponder") {
                client.until_like(|line| line.contains(" pv "));
                client.send("stop");
            }
            let said = client.until("bestmove");
            let complaint =
                said.iter().find(|line| line.starts_with("info string") || line.starts_with("info message"));
            assert_eq!(complaint, None, "{}: to {line}", file.display());
            let moves_of = |line: &str| {
                let moves = line.split_once(" pv ").or_else(|| line.split_once("bestmove ")).map(|(_, moves)| moves);
                let words = moves.unwrap_or_default().split(' ').filter(|word| !word.is_empty() && *word != "ponder");
                words.map(String::from).collect::<Vec<_>>()
            };
            for moves in said.iter().map(|line| moves_of(line)).filter(|moves| !moves.is_empty()) {
                let legal = |ranks| play(&mut position.clone(), &moves, ranks);
                assert_eq!(legal(ranks), Ok(()), "{}: {moves:?} in {}", file.display(), position.to_fen());
                is_other_illegal |= legal(other).is_err();
            }
            answers += 1;
        }
        assert!(answers > 0 && is_other_illegal, "{}", file.display());
    }
}

/// The documentation has one row for each option, with names, type, default and range as announced.
#[test]
fn every_option_is_documented() {
    let text = include_str!("../../docs/options.md");
    for option in chuhe::engine::options::DECLARATIONS {
        let name = |name: Option<&str>| name.map_or(String::new(), |name| format!("`{name}`"));
        let row = format!("| {} | {} | {} | ", name(option.ucci), name(option.uci), option.kind).replace("|  |", "| |");
        assert!(text.lines().any(|line| line.starts_with(&row)), "no row in docs/options.md that begins {row}");
    }
}

#[test]
fn uci_conversations() {
    hold_all(include_str!("../conversations/uci.txt"));
}
