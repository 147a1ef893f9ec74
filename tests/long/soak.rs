//! Soak test: games by the clock between two engine processes that live as long as the test, with an arbiter.
//!
//! ChuHe must not crash, play an illegal move, lose on time or grow in memory. The settings are environment variables:
//!
//! | variable | meaning, default |
//! |---|---|
//! | `SOAK_GAMES` | games, 20 |
//! | `SOAK_CLOCK` | milliseconds of a game and of the increment, `1000+10` |
//! | `SOAK_AT_ONCE` | games at once, 1 |
//! | `SOAK_THREADS` | threads of ChuHe's search, 1 |
//! | `SOAK_PONDER` | 1: ChuHe thinks in the opponent's time too, 0 |
//! | `SOAK_LOAD` | busy threads beside the games, 0 |
//! | `SOAK_ENGINE` | program tested, this build |
//! | `SOAK_OPPONENT` | program of the opponent: another build of ChuHe, or with `SOAK_UCI=1` a UCI engine that numbers the ranks from 1; this build |
//! | `SOAK_SEED` | of the openings, 1 |
//!
//! ```sh
//! SOAK_GAMES=1000 SOAK_AT_ONCE=2 cargo test --release --test long -- --ignored --nocapture soak
//! ```

use crate::common;

use chuhe::rules::game_status::OCCURRENCES;
use chuhe::{Color, GameStatus, Position, Rules, judge};
use common::{Client, chuhe};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::process::Command;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Games after which the memory of the engines is looked at.
const GAMES_PER_MEASUREMENT: usize = 100;
/// Kilobytes by which the memory of an engine may grow after the first measurement: freed memory that the allocator
/// keeps.
const MAX_GROWTH: u64 = 4_000;
/// ChuHe lost on time.
const LATE: &str = "loss on time";
/// ChuHe played an illegal move.
const ILLEGAL: &str = "loss by an illegal move";
/// Plies of a game before it is drawn.
const MAX_PLIES: usize = 600;

struct Soak {
    games: usize,
    time: Duration,
    increment: Duration,
    at_once: usize,
    threads: usize,
    ponder: bool,
    load: usize,
    engine: Option<String>,
    opponent: Option<String>,
    is_uci: bool,
    seed: u64,
}

fn variable<T: FromStr>(name: &str, default: T) -> T {
    let Ok(text) = std::env::var(name) else { return default };
    text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
}

impl Soak {
    fn from_environment() -> Soak {
        let clock: String = variable("SOAK_CLOCK", "1000+10".into());
        let (time, increment) = clock.split_once('+').expect("SOAK_CLOCK=TIME+INCREMENT");
        let milliseconds = |text: &str| Duration::from_millis(text.parse().expect("SOAK_CLOCK in milliseconds"));
        Soak {
            games: variable("SOAK_GAMES", 20),
            time: milliseconds(time),
            increment: milliseconds(increment),
            at_once: variable("SOAK_AT_ONCE", 1),
            threads: variable("SOAK_THREADS", 1),
            ponder: variable("SOAK_PONDER", 0) != 0,
            load: variable("SOAK_LOAD", 0),
            engine: std::env::var("SOAK_ENGINE").ok(),
            opponent: std::env::var("SOAK_OPPONENT").ok(),
            is_uci: variable("SOAK_UCI", 0) != 0,
            seed: variable("SOAK_SEED", 1),
        }
    }
}

/// An engine, and how it is spoken to.
struct Player {
    client: Client,
    is_uci: bool,
    /// The position and the ponder move of the search that runs in the opponent's time.
    pondering: Option<String>,
    ponders: bool,
}

/// How a search ended.
enum Answer {
    Move(String),
    /// The engine resigned, or had no move.
    Resigned,
}

/// The coordinates of a move with ranks numbered from 1 instead of 0 (`by` = 1), or back (`by` = -1).
fn shift_ranks(mv: &str, by: i32) -> String {
    let split = mv[1..].find(|letter: char| !letter.is_ascii_digit()).map_or(mv.len(), |at| at + 1);
    let square = |text: &str| {
        let rank = text[1..].parse::<i32>().unwrap_or_else(|_| panic!("not a move: {mv}"));
        format!("{}{}", &text[..1], rank + by)
    };
    square(&mv[..split]) + &square(&mv[split..])
}

impl Player {
    fn start(command: Command, is_uci: bool, options: &[(&str, String)], ponders: bool) -> Player {
        let mut player = Player { client: Client::spawn(command), is_uci, pondering: None, ponders };
        player.client.send(if is_uci { "uci" } else { "ucci" });
        player.client.expect(if is_uci { "uciok" } else { "ucciok" });
        for (name, value) in options {
            player.client.send(&match is_uci {
                true => format!("setoption name {name} value {value}"),
                false => format!("setoption {name} {value}"),
            });
        }
        player.client.ask("");
        player
    }

    fn new_game(&mut self) {
        self.stop_pondering();
        self.client.ask(if self.is_uci { "ucinewgame" } else { "setoption newgame" });
    }

    fn stop_pondering(&mut self) {
        if self.pondering.take().is_some() {
            self.client.send("stop");
            self.client.until_like(is_answer);
        }
    }

    /// Thinks about the move after `moves`. The clocks are those of the side to move and of its opponent.
    fn think(&mut self, fen: &str, moves: &[String], side: Color, clocks: [Duration; 2], soak: &Soak) -> Answer {
        let position = self.position(fen, moves);
        let is_hit = self.pondering.as_ref() == Some(&position);
        if is_hit {
            self.pondering = None;
            self.client.send("ponderhit");
        } else {
            self.stop_pondering();
            let go = self.go("go", side, clocks, soak);
            self.client.send(&format!("{position}\n{go}"));
        }
        let line = self.client.until_like(is_answer).pop().expect("not empty");
        let words: Vec<_> = line.split_whitespace().collect();
        let mv = match words[..] {
            ["bestmove", mv, ..] if !mv.starts_with('(') && !words.contains(&"resign") => mv.to_owned(),
            _ => return Answer::Resigned,
        };
        if self.ponders
            && let Some(at) = words.iter().position(|&word| word == "ponder")
        {
            let line = [moves, &[mv.clone(), words[at + 1].to_owned()]].concat();
            let position = self.position(fen, &line);
            let go = self.go("go ponder", side, clocks, soak);
            self.client.send(&format!("{position}\n{go}"));
            self.pondering = Some(position);
        }
        Answer::Move(if self.is_uci { shift_ranks(&mv, -1) } else { mv })
    }

    fn position(&self, fen: &str, moves: &[String]) -> String {
        let moves: String =
            moves.iter().map(|mv| format!(" {}", if self.is_uci { shift_ranks(mv, 1) } else { mv.clone() })).collect();
        format!("position fen {fen}{}{moves}", if moves.is_empty() { "" } else { " moves" })
    }

    fn go(&self, go: &str, side: Color, clocks: [Duration; 2], soak: &Soak) -> String {
        let [own, other] = clocks.map(|clock| clock.as_millis());
        let increment = soak.increment.as_millis();
        if self.is_uci {
            let [red, black] = if side == Color::Red { [own, other] } else { [other, own] };
            format!("{go} wtime {red} btime {black} winc {increment} binc {increment}")
        } else {
            format!("{go} time {own} increment {increment} opptime {other} oppincrement {increment}")
        }
    }

    /// Resident memory in kilobytes.
    fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.client.pid())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse().ok()
    }
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove") || line.starts_with("nobestmove")
}

/// The position after a few random moves, with neither side in check.
fn opening(rng: &mut StdRng) -> Position {
    loop {
        let mut position = Position::start();
        for _ in 0..6 {
            let moves = position.legal_moves();
            position.try_make(moves.get(rng.random_range(0..moves.len())).expect("in the list")).expect("legal");
        }
        if !position.in_check() && !position.has_no_moves() {
            return position;
        }
    }
}

/// Plays a game. ChuHe is `players[0]`; it moves first if `is_red`. Returns how the game ended for ChuHe.
fn play(players: &mut [Player; 2], rng: &mut StdRng, is_red: bool, soak: &Soak) -> &'static str {
    let mut position = opening(rng);
    let fen = position.to_fen();
    let rules = Rules::default();
    let mut clocks = [soak.time; 2];
    let mut moves: Vec<String> = Vec::new();
    players.iter_mut().for_each(Player::new_game);
    while moves.len() < MAX_PLIES {
        match judge(&position, &rules, OCCURRENCES) {
            GameStatus::Ongoing => {}
            GameStatus::Drawn(_) => return "draw",
            GameStatus::Won { winner, .. } => return if (winner == Color::Red) == is_red { "win" } else { "loss" },
        }
        let side = position.side();
        let mover = usize::from((side == Color::Red) != is_red);
        let clock = clocks[mover];
        let begun = Instant::now();
        let answer = players[mover].think(&fen, &moves, side, [clock, clocks[1 - mover]], soak);
        let taken = begun.elapsed();
        if taken > clock {
            if mover == 1 {
                return "win on time";
            }
            println!("late by {:?} of {clock:?} after {} plies", taken - clock, moves.len());
            return LATE;
        }
        clocks[mover] = clock - taken + soak.increment;
        match answer {
            Answer::Resigned => return if mover == 1 { "win" } else { "loss" },
            Answer::Move(mv) => {
                let is_legal = mv.parse().is_ok_and(|mv| position.try_make(mv).is_ok());
                if !is_legal {
                    if mover == 1 {
                        return "win by an illegal move";
                    }
                    println!("illegal: {mv}: position fen {fen} moves {}", moves.join(" "));
                    return ILLEGAL;
                }
                moves.push(mv);
            }
        }
    }
    "draw"
}

/// Plays games until `next` reaches the number wanted. Returns how many ended in which way.
fn play_games(soak: &Soak, next: &AtomicUsize) -> BTreeMap<&'static str, usize> {
    let threads = ("threads", soak.threads.to_string());
    let ponder = ("ponder", soak.ponder.to_string());
    let options = [("usebook", "false".into()), ("hashsize", "16".into()), threads, ponder];
    let program = |path: &Option<String>| path.as_ref().map_or_else(|| chuhe(&[]), Command::new);
    let opponent = program(&soak.opponent);
    let opponent = if soak.is_uci {
        Player::start(opponent, true, &[("UCI_Variant", "xiangqi".into())], false)
    } else {
        Player::start(opponent, false, &options[..2], false)
    };
    let mut players = [Player::start(program(&soak.engine), false, &options, soak.ponder), opponent];
    let mut results = BTreeMap::new();
    let mut first_memory = None;
    for played in 1.. {
        let game = next.fetch_add(1, Relaxed);
        if game >= soak.games {
            break;
        }
        // Both colours from one opening.
        let mut rng = StdRng::seed_from_u64((soak.seed << 32) | (game as u64 / 2));
        let result = play(&mut players, &mut rng, game.is_multiple_of(2), soak);
        *results.entry(result).or_default() += 1;
        if played % GAMES_PER_MEASUREMENT == 0
            && let Some(memory) = players[0].memory()
        {
            println!("{} games by this process, {memory} kB: {results:?}", played);
            let first = *first_memory.get_or_insert(memory);
            assert!(memory <= first + MAX_GROWTH, "{memory} kB after {played} games, {first} kB at first");
        }
    }
    for mut player in players {
        player.stop_pondering();
        player.client.send("quit");
        let finished = player.client.wait();
        assert!(finished.status.success(), "{finished:?}");
    }
    results
}

#[test]
#[ignore = "takes long: see the settings above"]
fn no_game_is_lost_by_a_fault() {
    let soak = &Soak::from_environment();
    let (next, is_over) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    let results = std::thread::scope(|scope| {
        let _over = SetOnDrop(is_over);
        for _ in 0..soak.load {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let games: Vec<_> = (0..soak.at_once).map(|_| scope.spawn(|| play_games(soak, next))).collect();
        games.into_iter().map(|thread| thread.join().expect("no fault")).collect::<Vec<_>>()
    });
    let mut sum = BTreeMap::new();
    for (result, count) in results.into_iter().flatten() {
        *sum.entry(result).or_insert(0) += count;
    }
    println!("for this build: {sum:?}");
    assert_eq!(sum.values().sum::<usize>(), soak.games);
    assert!(!sum.contains_key(LATE) && !sum.contains_key(ILLEGAL), "{sum:?}");
}

/// Sets its flag when it goes out of scope, by a panic too.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
