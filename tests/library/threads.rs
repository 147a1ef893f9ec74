//! Several threads at once: searches that share a table, and options that change beside them. ThreadSanitizer and
//! AddressSanitizer run these tests as well: `tests/sanitizers`.

#![cfg(feature = "engine")]

use crate::data;

use chuhe::engine::Engine;
use chuhe::position::Position;
use chuhe::protocol::{self, RunError};
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::settings::SearchSettings;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::{Entry, TranspositionTable};
use chuhe::types::{Bound, Move};
use std::io::{BufRead, BufReader, Lines, PipeReader, PipeWriter, Write, pipe};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

/// The client's end of an engine in this process.
struct Client {
    input: PipeWriter,
    lines: Lines<BufReader<PipeReader>>,
    engine: JoinHandle<Result<(), RunError>>,
}

impl Client {
    fn start(options: &str) -> Client {
        let (commands, input) = pipe().unwrap();
        let (output, answers) = pipe().unwrap();
        let engine = thread::spawn(move || protocol::run(Engine::new(), BufReader::new(commands), answers));
        let mut client = Client { input, lines: BufReader::new(output).lines(), engine };
        client.send("setoption usebook false");
        client.send(options);
        client
    }

    fn send(&mut self, text: &str) {
        self.input.write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    /// The first line that begins with `word`.
    fn expect(&mut self, word: &str) -> String {
        self.lines.find_map(|line| line.ok().filter(|line| line.starts_with(word))).unwrap()
    }

    /// Closes the input. Returns the rest of the output.
    fn finish(self) -> Vec<String> {
        drop(self.input);
        let rest = self.lines.map_while(Result::ok).collect();
        self.engine.join().unwrap().unwrap();
        rest
    }
}

/// The move of an answer in `position`.
fn best_move(answer: &str, position: &Position) -> Move {
    let mv = answer.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(position.is_legal(mv), "{answer} in {}", position.to_fen());
    mv
}

#[test]
fn options_change_beside_searches_of_four_threads() {
    let mut client = Client::start("setoption threads 4\nsetoption hashsize 1");
    let mut position = Position::start();
    let mut moves = String::new();
    for number in 0..24 {
        client.send(&format!("position startpos moves{moves}\ngo ponder time 60000 increment 0"));
        client.send("probe startpos\nisready");
        client.expect("readyok");
        // These wait for the end of the search.
        let option =
            ["hashsize 2", "clearhash", "newgame", "hashsize 1", "threads 3", "threads 4", "multipv 2", "multipv 1"];
        client.send(&format!("setoption {}\nprobe startpos", option[number % option.len()]));
        client.send(if number % 3 == 0 { "ponderhit\nstop" } else { "stop" });
        let mv = best_move(&client.expect("bestmove"), &position);
        position.make(mv);
        moves.push_str(&format!(" {mv}"));
    }
    // Short searches end by themselves, some before the table is ready.
    client.send(&format!("position startpos moves{moves}"));
    for megabytes in [1, 3, 2, 4, 1] {
        client.send(&format!("setoption hashsize {megabytes}\nsetoption clearhash\ngo depth 4\ngo nodes 300"));
        best_move(&client.expect("bestmove"), &position);
        best_move(&client.expect("bestmove"), &position);
    }
    assert!(client.finish().iter().all(|line| !line.starts_with("bestmove")));
}

#[test]
fn storms_of_stops_are_answered() {
    const SEARCHES: usize = 100;
    let mut client = Client::start("setoption threads 4\nsetoption hashsize 1\nuci");
    client.expect("uciok");
    // Without waiting for the answers.
    for number in 0..SEARCHES {
        client.send(["go infinite\nstop", "go depth 30\nstop\nstop\nstop", "go ponder\nstop\nisready"][number % 3]);
    }
    let mut position = Position::start();
    for _ in 0..SEARCHES {
        best_move(&client.expect("bestmove"), &position);
    }
    client.send("position startpos moves h2e2\ngo infinite\nquit");
    position.make("h2e2".parse().unwrap());
    best_move(&client.expect("bestmove"), &position);
    client.finish();
}

/// Entries for the positions up to `plies` moves from here, with moves of other positions and scores of none.
fn store_nonsense(position: &mut Position, plies: usize, table: &TranspositionTable, number: &mut u16) {
    for mv in position.legal_moves().iter() {
        *number = number.wrapping_mul(25_173).wrapping_add(13_849);
        let bound = [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(*number) % 3];
        let entry = Entry {
            mv: Move::from_bits(number.rotate_left(7)),
            score: i32::from(*number as i16),
            depth: (*number >> 8) as u8 % 8,
            bound,
            // Of a wrong one debug assertions would tell.
            eval: None,
            was_pv: false,
        };
        table.store(position.key(), entry);
        position.make(mv);
        if plies > 0 {
            store_nonsense(position, plies - 1, table, number);
        }
        position.undo();
    }
}

/// Tells the other thread that the searches have ended, also when one has panicked.
struct EndOfSearches<'a>(&'a AtomicBool);

impl Drop for EndOfSearches<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The worst that a race in the table could do, and more: entries whose move is that of another position, or of none. Every
/// move from the table is verified before it is made or reported, so that only scores can be wrong.
#[test]
fn wrong_entries_of_the_table_cost_no_legal_move() {
    for fen in data::fens().step_by(40) {
        let position = Position::from_fen(fen).unwrap();
        for threads in [1, 4] {
            let table = TranspositionTable::new(1).unwrap();
            let settings = SearchSettings { threads, lines: threads, ..SearchSettings::default() };
            let limits = Limits { nodes: Some(4_000), settings, ..Limits::default() };
            let has_ended = AtomicBool::new(false);
            thread::scope(|scope| {
                scope.spawn(|| {
                    let (mut position, mut number) = (position.clone(), 1);
                    while !has_ended.load(Relaxed) {
                        store_nonsense(&mut position, 1, &table, &mut number);
                    }
                });
                let _end = EndOfSearches(&has_ended);
                for _ in 0..4 {
                    let check = |line: &[Move]| {
                        let mut after = position.clone();
                        for &mv in line {
                            assert!(after.is_legal(mv), "{mv} in {}", after.to_fen());
                            after.make(mv);
                        }
                    };
                    let mut lines = Vec::new();
                    let result = Searcher::new().search(&position, &limits, &Signals::new(), &table, &mut |report| {
                        if let chuhe::Report::Iteration(iteration) = report {
                            lines.extend(iteration.lines.into_iter().map(|line| line.pv));
                        }
                    });
                    lines.push(result.best.into_iter().chain(result.ponder).collect());
                    lines.iter().for_each(|line| check(line));
                }
            });
        }
    }
}
