//! The search through the public API: what it finds, and that it keeps to its limits.

#[path = "common/data.rs"]
mod data;

use chuhe::position::Position;
use chuhe::rules::{Repetition, RepetitionVerdict, Rules};
use chuhe::search::Searcher;
use chuhe::search::limits::{Clock, Limits};
use chuhe::search::pruning::Pruning;
use chuhe::search::report::{Line, Report, SearchResult, StopReason};
use chuhe::search::settings::SearchSettings;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::{Move, score};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

fn search_with(position: &Position, limits: &Limits, signals: &Signals) -> (SearchResult, Vec<Report>) {
    let table = TranspositionTable::new(4).unwrap();
    let mut reports = Vec::new();
    let outcome = Searcher::new().search(position, limits, signals, &table, &mut |report| reports.push(report));
    (outcome, reports)
}

fn search(fen: &str, limits: &Limits) -> (SearchResult, Vec<Report>) {
    search_with(&Position::from_fen(fen).unwrap(), limits, &Signals::new())
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn play(position: &mut Position, moves: &str) {
    for mv in moves.split_whitespace() {
        let mv: Move = mv.parse().unwrap();
        assert!(position.is_legal(mv), "{mv}");
        position.make(mv, &mut ());
    }
}

#[test]
fn mates_are_found_and_counted_in_plies() {
    // From master games: the shortest mate takes so many moves.
    for (fen, moves) in [
        ("2baka3/9/2R6/p7p/9/PN1pP1p2/9/4K1c2/1r2A4/5A1c1 b - - 0 1", 1),
        ("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1", 1),
        ("3ak1b2/4a4/4b4/6c1R/9/2C6/9/B2nN4/4p4/2BK1A1r1 b - - 0 1", 1),
    ] {
        let (outcome, _) = search(fen, &depth(6));
        assert_eq!(score::plies_to_mate(outcome.score), Some(2 * moves - 1), "{fen}");
        let mut position = Position::from_fen(fen).unwrap();
        position.make(outcome.best.unwrap(), &mut ());
        assert!(position.has_no_moves());
    }
}

#[test]
fn lines_are_legal_and_begin_with_the_move_played() {
    for fen in data::fens().step_by(5) {
        let (outcome, reports) = search(fen, &depth(7));
        let mut last = None;
        for report in reports {
            let Report::Iteration(iteration) = report else { continue };
            let mut position = Position::from_fen(fen).unwrap();
            let [best] = &iteration.lines[..] else { panic!("one line is asked for") };
            for &mv in &best.pv {
                assert!(position.is_legal(mv), "{mv} of {:?} in {fen}", best.pv);
                position.make(mv, &mut ());
            }
            last = Some(best.clone());
        }
        let last = last.unwrap();
        assert_eq!(last.pv.first().copied(), outcome.best);
        assert_eq!(last.pv.get(1).copied(), outcome.ponder);
        assert_eq!(last.score, outcome.score);
    }
}

#[test]
fn node_limits_are_exact_and_searches_repeat() {
    for nodes in [1, 2, 100, 5_000, 123_457] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (outcome, _) = search(chuhe::position::START_FEN, &limits);
        assert_eq!(outcome.nodes, nodes);
        assert!(outcome.best.is_some());
        assert_eq!(outcome, search(chuhe::position::START_FEN, &limits).0);
    }
    let (outcome, reports) = search(chuhe::position::START_FEN, &depth(5));
    assert_eq!(outcome.depth, 5);
    assert_eq!(reports.iter().filter(|report| matches!(report, Report::Iteration(_))).count(), 5);
}

#[test]
fn no_move_is_a_loss_whether_in_check_or_not() {
    let mate = "3k5/R8/3R5/9/9/9/9/9/9/4K4 b - - 0 1";
    let stalemate = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1";
    for (fen, in_check) in [(mate, true), (stalemate, false)] {
        let position = Position::from_fen(fen).unwrap();
        assert!(position.has_no_moves() && position.in_check() == in_check, "{fen}");
        let (outcome, _) = search(fen, &depth(3));
        assert_eq!((outcome.best, outcome.score), (None, score::mated_in(0)));
    }
}

#[test]
fn banned_moves_are_played_only_when_all_are() {
    let position = Position::from_fen("3k5/9/9/R1p5p/9/9/9/9/9/4K4 w - - 0 1").unwrap();
    let best = search_with(&position, &depth(5), &Signals::new()).0.best.unwrap();
    let banned = vec![best];
    let second = search_with(&position, &Limits { banned, ..depth(5) }, &Signals::new()).0.best.unwrap();
    assert_ne!(second, best);
    let banned: Vec<Move> = position.legal_moves().iter().collect();
    let outcome = search_with(&position, &Limits { banned, ..depth(5) }, &Signals::new()).0;
    assert_eq!(outcome.best, Some(best));
}

#[test]
fn a_stop_that_comes_first_still_gives_a_move() {
    for _ in 0..100 {
        let signals = Signals::new();
        signals.stop();
        let (outcome, _) = search_with(&Position::start(), &Limits::default(), &signals);
        assert!(outcome.best.is_some());
    }
}

#[test]
fn a_clock_without_time_still_gives_a_move() {
    for moves_to_go in [None, Some(1), Some(10)] {
        let clock = Clock { time: Duration::ZERO, increment: Duration::ZERO, moves_to_go, opponent: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        assert!(search(chuhe::position::START_FEN, &limits).0.best.is_some());
    }
}

/// Searches what does not answer of itself, and releases it when it says that it waits.
fn search_held(position: &Position, limits: &Limits, release: fn(&Signals)) -> SearchResult {
    let (signals, table) = (&Signals::new(), &TranspositionTable::new(1).unwrap());
    std::thread::scope(|scope| {
        let ((waiting, is_waiting), (done, is_done)) = (mpsc::channel(), mpsc::channel());
        scope.spawn(move || {
            let mut report = |report| {
                if matches!(report, Report::Waiting) {
                    waiting.send(()).unwrap();
                }
            };
            done.send(Searcher::new().search(position, limits, signals, table, &mut report)).unwrap();
        });
        is_waiting.recv().unwrap();
        // Who waits never answers now, however slow the machine; who does not wait has nothing left to do but that.
        assert_eq!(is_done.recv_timeout(Duration::from_millis(200)).err(), Some(RecvTimeoutError::Timeout));
        release(signals);
        is_done.recv().unwrap()
    })
}

#[test]
fn pondering_waits_for_its_signal() {
    // Mate in one: found at once, and not answered before the ponder hit.
    let position = Position::from_fen("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1").unwrap();
    let clock = Clock { time: Duration::from_secs(1), increment: Duration::ZERO, moves_to_go: None, opponent: None };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    for release in [Signals::ponderhit, Signals::stop] {
        assert_eq!(search_held(&position, &limits, release).best.unwrap().to_string(), "e7g8");
    }
}

#[test]
fn repetitions_are_judged_by_who_gave_check() {
    let mut position = Position::from_fen("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1").unwrap();
    play(&mut position, "h8h9 f9f8 h9h8 f8f9");
    assert_eq!(Rules::default().repetition(&position, 0), None, "the second occurrence, before the search began");
    assert_eq!(
        Rules::default().repetition(&position, 4),
        Some(RepetitionVerdict::Loss),
        "Red gave check on every move"
    );
    play(&mut position, "h8h9 f9f8 h9h8 f8f9");
    assert_eq!(Rules::default().repetition(&position, 0), Some(RepetitionVerdict::Loss));
    let mut position = Position::start();
    play(&mut position, "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0");
    assert_eq!(Rules::default().repetition(&position, 0), None);
    play(&mut position, "g7h9");
    assert_eq!(Rules::default().repetition(&position, 0), Some(RepetitionVerdict::Draw));
}

#[test]
fn perpetual_check_is_no_way_out() {
    // Red is lost but for checks; giving them for ever loses too, so the score must not be a draw.
    let (outcome, _) = search("3ak4/4a4/9/9/9/9/4r4/3r5/9/2R2K3 w - - 0 1", &depth(9));
    assert!(outcome.score < -300, "{}", outcome.score);
}

#[test]
fn the_move_limit_draws_but_mate_comes_first() {
    let winning = "3k5/9/9/9/9/9/9/9/8R/5K3 w - - 119 80";
    assert_eq!(search(winning, &depth(4)).0.score, 0);
    let mating = "3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 119 80";
    assert_eq!(score::plies_to_mate(search(mating, &depth(4)).0.score), Some(1));
}

fn with_conduct(settings: SearchSettings, limits: Limits) -> Limits {
    Limits { settings, ..limits }
}

#[test]
fn what_pruning_misses_is_found_without() {
    // Mates in two by sacrifices, from master games. A mate in two is three plies deep.
    let problems = [
        "1n1Rkab2/4a4/4b4/2p1C1p1p/pr7/2PN5/P3P1c1P/3AB3B/1r7/4K2c1 b - - 0 1",
        "2R1ka3/4a4/4b4/p6Rp/6p2/9/P3N3P/c2K2N2/r3A4/1c3A3 b - - 0 1",
        "2bakan2/9/1R2N4/p1p3p1p/9/2P3P2/P5R1P/4r3B/4A2r1/2BAK2c1 w - - 0 1",
        "3a1abr1/2N2k3/b1n6/pC4R1p/4P4/3p2P2/P5c1P/4B4/4A4/4KAB2 w - - 0 1",
    ];
    let solved = |pruning, depth_limit| {
        let limits = with_conduct(SearchSettings { pruning, ..SearchSettings::default() }, depth(depth_limit));
        problems.iter().filter(|fen| score::plies_to_mate(search(fen, &limits).0.score) == Some(3)).count()
    };
    assert_eq!(solved(Pruning::None, 3), problems.len());
    assert!(solved(Pruning::Large, 3) < problems.len());
    assert!(solved(Pruning::Large, 9) >= solved(Pruning::Large, 3), "what is missed is found deeper");
}

#[test]
fn a_mate_looked_for_ends_the_search() {
    let fen = "2b1kab2/4a4/3c5/p7N/6p2/P1B1p3P/5n3/4B4/3KA1n2/5A1C1 b - - 0 1";
    for moves in [2, 5] {
        let settings = SearchSettings { pruning: Pruning::None, ..SearchSettings::default() };
        let limits =
            with_conduct(settings, Limits { mate: Some(moves), depth: Some(2 * moves - 1), ..Limits::default() });
        let (outcome, _) = search(fen, &limits);
        assert_eq!(score::plies_to_mate(outcome.score), Some(3));
        assert!(
            outcome.depth <= 3 && outcome.stop_reason == StopReason::Mate,
            "as short a mate as was asked for: {outcome:?}"
        );
    }
}

/// The lines of the last report.
fn last_lines(reports: Vec<Report>) -> Vec<Line> {
    let mut lines = reports.into_iter().filter_map(|report| match report {
        Report::Iteration(iteration) => Some(iteration.lines),
        _ => None,
    });
    lines.next_back().unwrap()
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    for fen in [chuhe::position::START_FEN, "3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1", "4k4/9/9/9/r8/9/8R/9/9/3K5 w - - 0 1"]
    {
        let position = Position::from_fen(fen).unwrap();
        let settings = SearchSettings { lines: 4, pruning: Pruning::None, ..SearchSettings::default() };
        let lines = last_lines(search(fen, &with_conduct(settings, depth(3))).1);
        assert_eq!(lines.len(), position.legal_moves().len().min(4));
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{lines:?}");
        // An independent look: each move alone, all others banned.
        let alone = |wanted: Move| {
            let banned = position.legal_moves().iter().filter(|&mv| mv != wanted).collect();
            let settings = SearchSettings { pruning: Pruning::None, ..SearchSettings::default() };
            search_with(&position, &with_conduct(settings, Limits { banned, ..depth(3) }), &Signals::new()).0.score
        };
        let mut scores: Vec<_> = position.legal_moves().iter().map(alone).collect();
        scores.sort_by_key(|&score| std::cmp::Reverse(score));
        let found: Vec<_> = lines.iter().map(|line| line.score).collect();
        assert_eq!(found, scores[..lines.len()], "{fen}");
        for line in &lines {
            assert_eq!(alone(line.pv[0]), line.score, "{fen}");
        }
    }
}

#[test]
fn lines_that_a_broken_off_iteration_did_not_reach_are_as_they_were() {
    let mut left = 0;
    for nodes in (500..5_000).step_by(100) {
        let settings = SearchSettings { lines: 3, ..SearchSettings::default() };
        let limits = with_conduct(settings, Limits { nodes: Some(nodes), ..Limits::default() });
        let mut tables: Vec<Vec<Line>> = Vec::new();
        let mut note = |report| {
            if let Report::Iteration(iteration) = report {
                tables.push(iteration.lines);
            }
        };
        Searcher::new().search(
            &Position::start(),
            &limits,
            &Signals::new(),
            &TranspositionTable::new(1).unwrap(),
            &mut note,
        );
        let (last, whole) = tables.split_last().unwrap();
        for line in last.iter().filter(|line| line.depth < last[0].depth) {
            assert!(whole.last().unwrap().contains(line), "{nodes}: {line:?}");
            left += 1;
        }
    }
    assert!(left > 0);
}

#[test]
fn whims_stray_by_no_more_than_they_weigh() {
    let position = Position::start();
    let plain = SearchSettings { pruning: Pruning::None, ..SearchSettings::default() };
    let legal: Vec<Move> = position.legal_moves().iter().collect();
    let alone = |wanted: Move| {
        let banned = legal.iter().copied().filter(|&mv| mv != wanted).collect();
        search_with(&position, &with_conduct(plain.clone(), Limits { banned, ..depth(3) }), &Signals::new()).0.score
    };
    let best = search_with(&position, &with_conduct(plain.clone(), depth(3)), &Signals::new()).0;
    let mut played = std::collections::HashSet::new();
    for most in [4, 28, 124] {
        for seed in 0..8 {
            let root_noise =
                (0..).zip(&legal).map(|(index, &mv)| (mv, (index * 37 + seed * 61) % (most + 1))).collect();
            let settings = SearchSettings { root_noise, ..plain.clone() };
            let outcome = search_with(&position, &with_conduct(settings, depth(3)), &Signals::new()).0;
            let mv = outcome.best.unwrap();
            assert_eq!(outcome.score, alone(mv), "its true score is told");
            assert!(best.score - outcome.score <= most, "{mv} is worth {} instead of {}", outcome.score, best.score);
            played.insert(mv);
        }
    }
    assert!(played.len() > 1, "{played:?}");
}

#[test]
fn whims_never_miss_a_mate() {
    let fen = "4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1";
    let position = Position::from_fen(fen).unwrap();
    for mv in position.legal_moves().iter() {
        let settings = SearchSettings { root_noise: vec![(mv, 124)], ..SearchSettings::default() };
        let (outcome, _) = search(fen, &with_conduct(settings, depth(5)));
        assert_eq!(outcome.best.unwrap().to_string(), "e7g8");
        assert_eq!(score::plies_to_mate(outcome.score), Some(1));
    }
    // Nor do they hide that one is mated. Nothing is left out, so that the mate is seen whatever the window.
    let fen = "2bak4/4a4/4b4/9/9/9/P8/1C1nBR3/2r3p2/2BA1K3 w - - 0 1";
    let whole = SearchSettings { pruning: Pruning::None, ..SearchSettings::default() };
    let plain = search(fen, &with_conduct(whole.clone(), depth(7))).0;
    assert!(score::is_mate(plain.score));
    for mv in Position::from_fen(fen).unwrap().legal_moves().iter() {
        let settings = SearchSettings { root_noise: vec![(mv, 124)], ..whole.clone() };
        let (outcome, _) = search(fen, &with_conduct(settings, depth(7)));
        assert_eq!(score::is_mate(outcome.score), score::is_mate(plain.score), "{mv}");
    }
}

#[test]
fn a_draw_is_worth_what_the_conduct_says() {
    for draw in [-48, 0, 48] {
        let settings = SearchSettings { draw, ..SearchSettings::default() };
        // Nobody has anything left to win with, whoever is to move.
        for fen in ["3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1"] {
            for plies in 1..6 {
                assert_eq!(search(fen, &with_conduct(settings.clone(), depth(plies))).0.score, draw, "{fen}");
            }
        }
    }
}

#[test]
fn what_waits_is_not_ended_by_a_mate() {
    let position = Position::from_fen("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1").unwrap();
    let outcome = search_held(&position, &Limits { waits: true, ..Limits::default() }, Signals::stop);
    assert_eq!((outcome.depth, score::plies_to_mate(outcome.score)), (score::MAX_PLY as u32, Some(1)));
}

#[test]
fn what_has_no_limit_waits_unless_it_is_mate() {
    let drawn = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap();
    assert!(search_held(&drawn, &Limits::default(), Signals::stop).best.is_some());
    let (outcome, _) = search("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1", &Limits::default());
    assert_eq!(score::plies_to_mate(outcome.score), Some(1));
}

#[test]
fn perpetual_chase_is_no_way_out() {
    // Red has nothing better than to chase the rook with its cannon for ever: a draw where only checks are forbidden.
    let mut position = Position::from_fen("C4k3/3P5/9/5c3/1P7/2B6/2P2r3/3p1R3/5K3/9 w - - 0 1").unwrap();
    play(&mut position, "a9a3 f3f5 a3a5");
    let score = |repetition| {
        let settings = SearchSettings { rules: Rules { repetition, ..Rules::default() }, ..SearchSettings::default() };
        search_with(&position, &with_conduct(settings, depth(11)), &Signals::new()).0.score
    };
    assert_eq!(score(Repetition::Plain), 0);
    assert!(score(Repetition::Asian) > 200, "{}", score(Repetition::Asian));
}

/// How many lines of at most so many plies lead to a position that the table takes for decided by a rule.
fn decided_by_rule(position: &mut Position, table: &TranspositionTable, plies: usize) -> usize {
    let mut count = table.probe(position.key()).is_some_and(|entry| score::is_by_rule(entry.score)) as usize;
    if plies > 0 {
        for mv in position.legal_moves().iter() {
            position.make(mv, &mut ());
            count += decided_by_rule(position, table, plies - 1);
            position.undo(&mut ());
        }
    }
    count
}

#[test]
fn what_a_repetition_decides_is_not_remembered() {
    // A perpetual check to come, one begun, a perpetual chase begun: how they end must not leak into other games.
    for (fen, moves, plies) in [
        ("3ak4/4a4/9/9/9/9/4r4/3r5/9/2R2K3 w - - 0 1", "", 6),
        ("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1", "h8h9 f9f8 h9h8 f8f9", 6),
        ("C4k3/3P5/9/5c3/1P7/2B6/2P2r3/3p1R3/5K3/9 w - - 0 1", "a9a3 f3f5 a3a5 f5f3 a5a3 f3f5", 12),
    ] {
        let mut game = Position::from_fen(fen).unwrap();
        play(&mut game, moves);
        let table = TranspositionTable::new(4).unwrap();
        Searcher::new().search(&game, &depth(plies), &Signals::new(), &table, &mut |_| {});
        assert_eq!(decided_by_rule(&mut game, &table, 4), 0, "{fen}");
    }
}

#[test]
fn what_the_move_limit_decides_is_not_remembered() {
    // Nothing can be captured that changes the game, so that one search has no position in common with the other.
    let [far, near] =
        [0, 116].map(|quiet| Position::from_fen(&format!("3k5/9/9/9/9/9/9/4N4/9/4K4 w - - {quiet} 60")).unwrap());
    let search = |position: &Position, table: &TranspositionTable| {
        let outcome = Searcher::new().search(position, &depth(7), &Signals::new(), table, &mut |_| {});
        (outcome.score, outcome.nodes)
    };
    let table = TranspositionTable::new(4).unwrap();
    let fresh = search(&far, &table);
    let table = TranspositionTable::new(4).unwrap();
    let near = search(&near, &table);
    assert!(near.0 < fresh.0 / 2, "{near:?} {fresh:?}");
    assert_eq!(search(&far, &table), fresh);
}

/// Searches with so many threads; the outcome and the lines reported.
fn search_together(
    position: &Position,
    threads: usize,
    limits: &Limits,
    signals: &Signals,
) -> (SearchResult, Vec<Report>) {
    let settings = SearchSettings { threads, ..limits.settings.clone() };
    search_with(position, &Limits { settings, ..limits.clone() }, signals)
}

#[test]
fn threads_agree_on_a_move_and_say_its_line_last() {
    let (mut nodes_alone, mut nodes_together) = (0, 0);
    for position in data::fens().step_by(9).map(|fen| Position::from_fen(fen).unwrap()) {
        let alone = search_with(&position, &depth(6), &Signals::new()).0;
        nodes_alone += alone.nodes;
        for threads in [2, 5] {
            let (outcome, reports) = search_together(&position, threads, &depth(6), &Signals::new());
            nodes_together += outcome.nodes;
            assert_eq!(outcome.best.is_some(), alone.best.is_some());
            assert_eq!(outcome.depth, alone.depth);
            if let Some(best) = outcome.best {
                assert!(position.is_legal(best));
                let last = &last_lines(reports)[0];
                assert_eq!((last.pv[0], last.score), (best, outcome.score));
                // Of a line of one move the reply is what the table knows.
                if let Some(&reply) = last.pv.get(1) {
                    assert_eq!(outcome.ponder, Some(reply));
                }
            }
        }
    }
    // On a busy machine they come late, but they come.
    assert!(10 * nodes_together > 22 * nodes_alone, "the others help: {nodes_together} after {nodes_alone}");
}

#[test]
fn no_thread_plays_what_is_banned() {
    let position = Position::from_fen("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1").unwrap();
    let mate: Move = "e7g8".parse().unwrap();
    assert_eq!(search_together(&position, 3, &depth(5), &Signals::new()).0.best, Some(mate));
    let limits = Limits { banned: vec![mate], ..depth(5) };
    for _ in 0..20 {
        assert_ne!(search_together(&position, 3, &limits, &Signals::new()).0.best, Some(mate));
    }
}

#[test]
fn threads_keep_to_limits_and_stop_when_told() {
    let nodes = Limits { nodes: Some(200_000), ..Limits::default() };
    let outcome = search_together(&Position::start(), 4, &nodes, &Signals::new()).0;
    // Each may be a look away from knowing how many the others have.
    assert!((200_000..220_000).contains(&outcome.nodes), "{}", outcome.nodes);
    assert_eq!(outcome.stop_reason, StopReason::Nodes);
    for _ in 0..50 {
        let signals = Signals::new();
        signals.stop();
        assert!(search_together(&Position::start(), 8, &Limits::default(), &signals).0.best.is_some());
    }
}

#[test]
fn extreme_limits_and_settings_do_not_panic() {
    let fen = "2bakan2/9/1R2N4/p1p3p1p/9/2P3P2/P5R1P/4r3B/4A2r1/2BAK2c1 w - - 0 1";
    let position = Position::from_fen(fen).unwrap();
    let noise = |score| position.legal_moves().iter().map(|mv| (mv, score)).collect::<Vec<_>>();
    let clock = |time, moves_to_go| Clock { time, increment: time, moves_to_go, opponent: Some(time) };
    for (lines, threads, score) in [(0, 0, i32::MIN), (usize::MAX, 1, i32::MAX)] {
        for (clock, move_time) in [
            (Some(clock(Duration::MAX, None)), None),
            (Some(clock(Duration::MAX, Some(u32::MAX))), None),
            (Some(clock(Duration::ZERO, Some(0))), None),
            (None, Some(Duration::MAX)),
            (None, None),
        ] {
            let rules = Rules { move_limit: u32::MAX, ..Rules::default() };
            let settings = SearchSettings {
                lines,
                threads,
                draw: score,
                root_noise: noise(score),
                rules,
                ..SearchSettings::default()
            };
            let limits = Limits {
                depth: Some(u32::MAX),
                nodes: Some(20_000),
                clock,
                move_time,
                mate: Some(u32::MAX),
                overhead: Duration::ZERO,
                settings,
                ..Limits::default()
            };
            let result = search_with(&position, &limits, &Signals::new()).0;
            assert!(result.best.is_some_and(|mv| position.is_legal(mv)), "{limits:?}");
            assert!(result.score.abs() < score::INFINITE, "{limits:?}");
        }
    }
    let limits = Limits { depth: Some(0), nodes: Some(0), ..Limits::default() };
    assert!(search_with(&position, &limits, &Signals::new()).0.best.is_some());
}
