//! Playing levels through the public API: order of strength, mates, no gross errors, reproducibility, and that only
//! moves of a game are weakened.

#![cfg(feature = "cli")]

use crate::data;

use chuhe::engine::go::{Go, Times};
use chuhe::engine::level::{FULL, LEVELS, Level, MAX_ELO, MIN_ELO};
use chuhe::engine::options::Setting;
use chuhe::engine::{Answer, Engine, SearchPlan};
use chuhe::games::setup::GameSetup;
use chuhe::rules::Rules;
use chuhe::rules::game_status::{GameStatus, OCCURRENCES, judge};
use chuhe::search::report::Report;
use chuhe::search::signals::Signals;
use chuhe::types::{Color, Move, score};
use chuhe::{Position, Score};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn engine(settings: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::new();
    for (name, value) in [("hashsize", "4"), ("usebook", "false"), ("randomseed", "1")].iter().chain(settings) {
        engine.set(&Setting::read(name, value).unwrap()).unwrap();
    }
    engine.set(&Setting::new_game()).unwrap();
    engine
}

/// A clock that does not limit the search of a level.
fn with_clock() -> Go {
    Go { own: Times { time: Some(36_000_000), ..Times::default() }, ..Go::default() }
}

fn set_up(engine: &mut Engine, fen: &str) {
    let setup = GameSetup::read(&format!("fen {fen}")).unwrap();
    engine.set_up(&setup).unwrap();
}

/// The move played, its score, the nodes searched, and the first move of the last line reported.
fn play(engine: &mut Engine, go: &Go) -> (Move, Score, u64, Option<Move>) {
    let (plan, _) = engine.plan(go);
    let mut last = None;
    let (answer, result) = engine.go(&plan, &Signals::new(), &mut |report| {
        if let Report::Iteration(iteration) = report {
            last = iteration.lines.first().and_then(|line| line.pv.first()).copied();
        }
    });
    let Answer::Move { best, .. } = answer else { panic!("no move: {answer:?}") };
    let result = result.unwrap();
    (best, result.score, result.nodes, last)
}

/// The start position after eight random plies.
fn random_opening(rng: &mut SmallRng) -> Position {
    let mut position = Position::start();
    for _ in 0..8 {
        let legal = position.legal_moves();
        position.make(legal.get(rng.random_range(0..legal.len())).unwrap());
    }
    position
}

/// Plays a game to its end, the first engine with Red. `None`: drawn.
fn winner(opening: &Position, engines: &mut [Engine; 2]) -> Option<Color> {
    let mut position = opening.clone();
    for engine in &mut *engines {
        engine.set(&Setting::new_game()).unwrap();
    }
    loop {
        match judge(&position, &Rules::default(), OCCURRENCES) {
            GameStatus::Won { winner, .. } => return Some(winner),
            GameStatus::Drawn(_) => return None,
            GameStatus::Ongoing => {}
        }
        let engine = &mut engines[position.side().index()];
        let moves: Vec<String> = position.last_moves(position.plies()).iter().map(Move::to_string).collect();
        engine.set_up(&GameSetup::read(&format!("startpos moves {}", moves.join(" "))).unwrap()).unwrap();
        // Full strength needs a limit too.
        position.make(play(engine, &Go { nodes: Some(20_000), ..with_clock() }).0);
    }
}

#[test]
fn higher_levels_are_stronger() {
    // Level 8 is limited by depth, and was measured with the search of bench 14044999: 66 % of the points with the present one.
    for (lower, higher, pairs, percent) in [(0, 4, 8, 70), (4, 8, 8, 60), (8, 12, 4, 70), (8, FULL, 2, 70)] {
        let mut rng = SmallRng::seed_from_u64(5);
        let mut engines = [higher, lower].map(|level: u32| engine(&[("Skill Level", &level.to_string())]));
        let mut points = 0;
        for _ in 0..pairs {
            let opening = random_opening(&mut rng);
            for higher in Color::ALL {
                points += match winner(&opening, &mut engines) {
                    Some(color) if color == higher => 2,
                    Some(_) => 0,
                    None => 1,
                };
                engines.swap(0, 1);
            }
        }
        // About 90 % are expected for 400 Elo. The games are reproducible.
        assert!(
            points >= 4 * pairs * percent / 100,
            "level {higher} against {lower}: {points} half points of {}",
            4 * pairs
        );
    }
}

#[test]
fn levels_are_in_the_order_of_elo() {
    // Levels limited by depth come first; their node limits only bound the time.
    let effort = |level: &Level| (level.depth, level.nodes);
    assert!(LEVELS.is_sorted_by(|one, next| one.elo < next.elo && effort(one) <= effort(next)));
    assert_eq!((MIN_ELO, MAX_ELO), (LEVELS[0].elo, LEVELS[LEVELS.len() - 1].elo));
    assert!(Level::new(FULL).is_none() && Level::new(FULL - 1).is_some());
}

#[test]
fn elo_between_two_levels_mixes_their_moves() {
    let mut rng = SmallRng::seed_from_u64(3);
    for (elo, expected) in [(0, 0), (MIN_ELO, 0), (LEVELS[7].elo, 7), (MAX_ELO, 19), (u32::MAX, 19)] {
        assert!((0..50).all(|_| Level::of_elo(elo, &mut rng) == &LEVELS[expected]), "{elo}");
    }
    let between = (3 * LEVELS[4].elo + LEVELS[5].elo) / 4;
    let upper = (0..1_000).filter(|_| Level::of_elo(between, &mut rng) == &LEVELS[5]).count();
    assert!((180..320).contains(&upper), "{upper}");
    assert!((0..50).all(|_| LEVELS[4..6].contains(Level::of_elo(between, &mut rng))));
}

#[test]
fn every_level_mates_in_one() {
    for fen in [
        "2baka3/9/2R6/p7p/9/PN1pP1p2/9/4K1c2/1r2A4/5A1c1 b - - 0 1",
        "4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1",
        "3ak1b2/4a4/4b4/6c1R/9/2C6/9/B2nN4/4p4/2BK1A1r1 b - - 0 1",
        "3k5/R8/9/9/9/9/9/9/9/1R3K3 w - - 0 1",
    ] {
        for level in 0..=FULL {
            for seed in ["1", "2", "3"] {
                let mut engine = engine(&[("Skill Level", &level.to_string()), ("randomseed", seed)]);
                set_up(&mut engine, fen);
                // Full strength needs a limit too.
                let (mv, ..) = play(&mut engine, &Go { nodes: Some(20_000), ..with_clock() });
                let mut position = Position::from_fen(fen).unwrap();
                position.make(mv);
                assert!(position.has_no_moves(), "level {level}, seed {seed}: {mv} in {fen}");
            }
        }
    }
}

/// What a search at full strength thinks of playing `mv`, for the side to move.
fn judged(fen: &str, mv: Option<Move>) -> Score {
    let mut engine = engine(&[]);
    set_up(&mut engine, fen);
    let search_moves = mv.map(|mv| mv.to_string()).into_iter().collect();
    play(&mut engine, &Go { depth: Some(8), search_moves, ..Go::default() }).1
}

#[test]
fn no_level_gives_a_rook_away() {
    const KNIGHT: Score = 400;
    // The greatest error of a level, by which it may misjudge a sacrifice of a knight.
    const MAX_LOSS: Score = 450;
    let mut played = 0;
    for (number, fen) in data::fens().enumerate() {
        let position = Position::from_fen(fen).unwrap();
        if position.has_no_moves() {
            continue;
        }
        // Half of them on each position.
        for level in [0, 3, 6, 9, 12].into_iter().skip(number % 2).step_by(2) {
            let mut engine = engine(&[("Skill Level", &level.to_string())]);
            set_up(&mut engine, fen);
            let (mv, _, _, last) = play(&mut engine, &with_clock());
            assert_eq!(last, Some(mv), "level {level}: the last line reported is that of the move in {fen}");
            played += 1;
            // By static exchange evaluation; a sacrifice may be right.
            if !position.see_ge(mv, -KNIGHT - 1) {
                let (score, best) = (judged(fen, Some(mv)), judged(fen, None));
                // In composed positions only a deep combination saves from mate.
                let is_level = score >= best - MAX_LOSS || score::is_decided(best);
                assert!(is_level, "level {level}: {mv} ({score}, best {best}) in {fen}");
            }
        }
    }
    assert!(played > 100, "{played}");
}

#[test]
fn games_repeat_with_a_seed_whatever_the_threads_and_the_table() {
    let game = |settings: &[(&str, &str)]| {
        let mut engine = engine(settings);
        let mut moves: Vec<Move> = Vec::new();
        // A weak level may be mated earlier.
        while moves.len() < 30 && !engine.position().has_no_moves() {
            let (mv, ..) = play(&mut engine, &with_clock());
            moves.push(mv);
            engine.play(&[mv.to_string()]).unwrap();
        }
        moves
    };
    for setting in [("level", "3"), ("level", "9"), ("UCI_LimitStrength", "true")] {
        let seed = |seed| [setting, ("UCI_Elo", "1950"), ("randomseed", seed)];
        let first = game(&seed("7"));
        assert_eq!(first, game(&seed("7")), "{setting:?}");
        let other = [&[("threads", "4"), ("hashsize", "32")], &seed("7")[..]].concat();
        assert_eq!(first, game(&other), "{setting:?}");
        assert_ne!(first, game(&seed("8")), "{setting:?}");
    }
}

#[test]
fn only_moves_of_a_game_are_weakened() {
    let limits = |settings: &[(&str, &str)], go: &Go| {
        let (SearchPlan { limits, .. }, errors) = engine(settings).plan(go);
        assert!(errors.is_empty());
        (limits.nodes, limits.depth, limits.settings)
    };
    let clock = with_clock();
    let weak = limits(&[("level", "1")], &clock);
    assert_eq!((weak.0, weak.1), (Some(LEVELS[1].nodes), Some(LEVELS[1].depth)));
    assert!(!weak.2.root_noise.is_empty());
    for analysis in [
        Go::default(),
        Go { infinite: true, ..clock.clone() },
        Go { infinite: true, waits_for_stop: true, ..Go::default() },
        Go { mate: Some(3), ..Go::default() },
    ] {
        assert_eq!(limits(&[("level", "1")], &analysis), limits(&[], &analysis), "{analysis:?}");
    }
    // Full strength.
    for full in [&[("level", "20")][..], &[("Skill Level", "20")], &[("UCI_Elo", "1000")]] {
        assert_eq!(limits(full, &clock), limits(&[], &clock), "{full:?}");
    }
    // `UCI_LimitStrength` has precedence; the limits of `go` hold too, and several lines get more nodes.
    let top = &LEVELS[LEVELS.len() - 1];
    let elo = top.elo.to_string();
    let limited = [("level", "1"), ("UCI_LimitStrength", "true"), ("UCI_Elo", &elo), ("multipv", "3")];
    assert_eq!(limits(&limited, &clock).0, Some(3 * top.nodes));
    assert_eq!(limits(&limited, &Go { nodes: Some(77), depth: Some(5), ..Go::default() }).0, Some(77));
    assert_eq!(limits(&limited, &Go { nodes: Some(77), depth: Some(5), ..Go::default() }).1, Some(5));
}

#[test]
fn levels_with_a_node_limit_complete_the_first_iteration() {
    let most = data::fens().map(|fen| {
        let mut engine = engine(&[]);
        set_up(&mut engine, fen);
        if engine.position().has_no_moves() { 0 } else { play(&mut engine, &Go { depth: Some(1), ..Go::default() }).2 }
    });
    let least = LEVELS.iter().map(|level| level.nodes).min().unwrap();
    assert!(most.max().unwrap() < least);
}
