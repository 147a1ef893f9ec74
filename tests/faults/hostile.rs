//! Fuzz test of the protocol: seeded random commands, valid and invalid, in any order, without waiting.
//!
//! The engine must not panic, hang, or exceed its memory limit, and must answer every accepted `go` exactly once.

use crate::common;

use chuhe::protocol::command::Command;
use chuhe::protocol::dialect::Dialect;
use chuhe::protocol::parse::parse;
use common::Client;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::time::Duration;

/// Maximum peak memory of the engine in kilobytes: its tables, its hash table, and a few long lines.
const MAX_KILOBYTES: u64 = 700_000;

/// How long a conversation that fails is shortened.
const SHORTENING: Duration = Duration::from_secs(300);

/// Whole lines, valid in some state.
const LINES: [&str; 50] = [
    "ucci",
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit draw",
    "setoption newgame",
    "setoption clearhash",
    "setoption name Clear Hash",
    "setoption hashsize 1",
    "setoption hashsize 99999999999999999999",
    "setoption name Hash value -3",
    "setoption multipv 3",
    "setoption name MultiPV value 1",
    "setoption idle small",
    "setoption idle none",
    "setoption pruning none",
    "setoption pruning large",
    "setoption knowledge none",
    "setoption randomness huge",
    "setoption style risky",
    "setoption ponder on",
    "setoption usemillisec off",
    "setoption usemillisec on",
    "setoption usebook true",
    "setoption evalapi /nonexistent/a.net",
    "setoption name EvalFile value /dev/zero",
    "setoption evalapi default",
    "export_net /nonexistent/a.net",
    "debug on",
    "debug off",
    "position startpos",
    "position startpos moves h2e2 h9g7 h0g2 i9h9",
    "position fen 4k4/9/9/9/r8/9/8R/9/9/3K5 w - - 0 1",
    "position fen 3k5/9/9/9/9/9/9/9/r8/r3K4 w - - 0 1",
    "position fen 9/9 w",
    "banmoves h2e2 a0a1 nonsense",
    "probe startpos",
    "probe fen RRRRRRRRR/RRRRRRRRR/9/9/9/9/9/9/9/9 w",
    "d",
    "eval",
    "moves",
    "do h2e2",
    "undo 3",
    "flip",
    "xfen",
    "perft 4",
];

/// Short searches that end by themselves.
const SHORT_SEARCHES: [&str; 8] = [
    "go depth 3",
    "go nodes 500",
    "go time 3",
    "go depth 0",
    "go movetime 2",
    "go wtime 5 btime 5 movestogo 1",
    "go mate 1",
    "go depth 2 searchmoves h2e2 draw",
];

/// Searches that end only at `stop` or `ponderhit`.
const LONG_SEARCHES: [&str; 8] = [
    "go",
    "go infinite",
    "go ponder",
    "go ponder time 1000000 increment 0",
    "go depth 99999999999999999999",
    "go nodes 99999999999999999999",
    "go time 99999999999999999999",
    "go deep blue -1 depth",
];

/// Words for random lines.
const WORDS: [&str; 34] = [
    "position",
    "setoption",
    "go",
    "probe",
    "banmoves",
    "fen",
    "startpos",
    "moves",
    "depth",
    "nodes",
    "time",
    "increment",
    "movestogo",
    "ponder",
    "draw",
    "infinite",
    "perft",
    "searchmoves",
    "mate",
    "name",
    "value",
    "h2e2",
    "a0a1",
    "0000",
    "-1",
    "0",
    "3",
    "99999999999999999999",
    "1e9",
    "w",
    "- -",
    "4k4/9/9/9/r8/9/8R/9/9/3K5",
    "9/9",
    "\u{5e25}",
];

/// Generator of the lines of a client.
struct Conversation {
    random: StdRng,
    /// Whether `batch` is on: then `stop` is not read during a search, so there are no long searches.
    batch: bool,
    /// Whether the protocol is UCI, where a `stop` without a search has no answer, so that answers can be counted.
    uci: bool,
}

impl Conversation {
    fn new(seed: u64) -> Conversation {
        let mut random = StdRng::seed_from_u64(seed);
        let (batch, uci) = (random.random_range(0..4) == 0, random.random());
        Conversation { random, batch, uci }
    }

    fn line(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let mut pick = |lines: &[&str]| lines.choose(random).unwrap().as_bytes().to_vec();
        match self.batch {
            true => match pick(&["line", "search", "noise"]).as_slice() {
                b"line" => pick(&LINES),
                b"search" => pick(&SHORT_SEARCHES),
                _ => self.noise(),
            },
            false => match pick(&["line", "line", "search", "long", "words", "broken", "noise"]).as_slice() {
                b"line" => pick(&LINES),
                b"search" => pick(&SHORT_SEARCHES),
                b"long" => pick(&LONG_SEARCHES),
                b"words" => self.words(),
                b"broken" => self.broken(),
                _ => self.noise(),
            },
        }
    }

    fn words(&mut self) -> Vec<u8> {
        let count = self.random.random_range(1..12);
        let words: Vec<&str> = (0..count).map(|_| *WORDS.choose(&mut self.random).unwrap()).collect();
        words.join(" ").into_bytes()
    }

    /// A line with some bytes replaced.
    fn broken(&mut self) -> Vec<u8> {
        let mut line = LINES.choose(&mut self.random).unwrap().as_bytes().to_vec();
        for _ in 0..self.random.random_range(1..4) {
            let at = self.random.random_range(0..line.len());
            line[at] = self.random.random();
        }
        line
    }

    fn noise(&mut self) -> Vec<u8> {
        let length = match self.random.random_range(0..200) {
            0 => 1_200_000,
            1..10 => 100_000,
            _ => 60,
        };
        let mut noise: Vec<u8> = (0..length).map(|_| self.random.random::<u8>()).collect();
        if self.random.random_range(0..3) == 0 {
            noise.splice(0..0, *b"position fen ");
        }
        noise
    }
}

/// Number of accepted searches in the input, and the same plus the number of `stop`s.
fn asked(bytes: &[u8]) -> (usize, usize) {
    let mut dialect = Dialect::default();
    // One more `stop` is sent at the end.
    let (mut searches, mut stops) = (0, 1);
    for line in bytes.split(|&byte| byte == b'\n') {
        match parse(&String::from_utf8_lossy(line), dialect) {
            Ok(Some(Command::Greet(greeted))) => dialect = greeted,
            Ok(Some(Command::Go(_))) => searches += 1,
            Ok(Some(Command::Stop)) => stops += 1,
            _ => {}
        }
    }
    (searches, searches + stops)
}

/// Peak memory of the process in kilobytes, where the system reports it.
fn peak_kilobytes(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// The first lines of a conversation, on which what is expected of the others depends.
fn opening(conversation: &Conversation) -> Vec<Vec<u8>> {
    let lines = [(conversation.uci, "uci"), (conversation.batch, "setoption batch on")];
    lines.iter().filter(|(is_sent, _)| *is_sent).map(|(_, line)| line.as_bytes().to_vec()).collect()
}

/// The other lines of a conversation.
fn lines_of(conversation: &mut Conversation, count: usize) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for _ in 0..count {
        let line = conversation.line();
        // Commands that end the process, or never end in batch mode, are covered by other tests.
        let text = String::from_utf8_lossy(&line);
        let is_harmful = |line: &str| {
            let slow = ["perft", "usemillisec"];
            ["quit", "batch", "bench"].iter().any(|word| line.contains(word))
                || conversation.batch && slow.iter().any(|word| line.contains(word))
                || conversation.uci && line.contains("ucci")
        };
        if !(is_harmful(&text) || conversation.batch && line.contains(&b'\n')) {
            lines.push(line);
        }
    }
    lines
}

/// Sends the lines, and checks the answers. Returns the number of searches.
fn check(lines: &[Vec<u8>], is_uci: bool) -> usize {
    let bytes: Vec<u8> = lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect();
    // Of its own: a broken line may name a file to be written.
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut command = common::chuhe(&["--option", "usebook=false", "--option", "hashsize=16"]);
    command.current_dir(&folder);
    let mut client = Client::spawn(command);
    client.send_bytes(&bytes);
    // The running searches end, and the engine still responds.
    client.send("stop\nthat-is-all");
    let mut lines = client.until_like(|line| line.contains("\"that-is-all\""));
    let peak = peak_kilobytes(client.pid());
    let finished = client.finish();
    assert!(finished.status.success(), "{finished:?}");
    assert_eq!(finished.errors, "");
    assert!(peak.is_none_or(|peak| peak < MAX_KILOBYTES), "{peak:?} kB");
    lines.extend(finished.lines);
    let answers = lines.iter().filter(|line| line.starts_with("bestmove ") || *line == "nobestmove").count();
    // UCCI answers a `stop` without a search with `nobestmove`.
    let (min, mut max) = asked(&bytes);
    if is_uci {
        max = min;
    }
    // Commands that came while too many waited, and are counted when there is room again.
    let refused = |line: &String| line.strip_suffix(" refused")?.split(' ').nth(2)?.parse::<usize>().ok();
    let refused: usize = lines.iter().filter_map(refused).sum();
    let range = min.saturating_sub(refused)..=max;
    assert!(
        range.contains(&answers),
        "{answers} answers to {min} searches, {max} with stops; {refused} commands refused"
    );
    assert!(lines.iter().all(|line| line.len() < 2_000 && !line.contains('\r')), "a line too long, or with CR");
    min
}

/// Holds the conversation of this seed; one that fails is shortened and printed. Returns the number of searches.
fn converse(seed: u64) -> usize {
    let mut conversation = Conversation::new(seed);
    let count = if seed.is_multiple_of(10) { 3_000 } else { 150 };
    let lines = lines_of(&mut conversation, count);
    let (mut searches, opening) = (0, opening(&conversation));
    let fault = |lines: &[Vec<u8>], searches: &mut usize| {
        common::panic_of(|| *searches = check(&[&opening, lines].concat(), conversation.uci))
    };
    let Some(why) = fault(&lines, &mut searches) else { return searches };
    let lines = common::minimal(&lines, SHORTENING, |lines| fault(lines, &mut searches).is_some());
    let shown: Vec<String> = lines.iter().map(|line| line[..line.len().min(500)].escape_ascii().to_string()).collect();
    let (length, batch, uci) = (lines.len(), conversation.batch, conversation.uci);
    panic!("HOSTILE_SEED={seed}: {why}\nshortened to {length} lines (batch {batch}, UCI {uci}):\n{}", shown.join("\n"));
}

#[test]
fn random_input_is_handled() {
    (0..16).for_each(|seed| _ = converse(seed));
}

/// 5,000 random conversations, or `HOSTILE_CONVERSATIONS`, of the seeds from `HOSTILE_SEED` on: two to three searches each.
#[test]
#[ignore = "takes an hour: cargo test --test faults -- --ignored --nocapture hostile"]
fn thousands_of_random_conversations_are_handled() {
    let first = common::number("HOSTILE_SEED", 1_000);
    let seeds = first..first + common::number("HOSTILE_CONVERSATIONS", 5_000);
    let (count, searches) = (seeds.end - seeds.start, seeds.map(converse).sum::<usize>());
    println!("{count} conversations, {searches} searches");
}
