//! The search through the public API: results, limits, settings and signals.

use crate::data;

use chuhe::internals::search::{Pruning, TimeBudget};
use chuhe::position::{Position, START_FEN};
use chuhe::rules::{Repetition, RepetitionVerdict, Rules};
use chuhe::search::Searcher;
use chuhe::search::limits::{Clock, Limits};
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
        position.make(mv);
    }
}

#[test]
fn mates_are_found_at_their_distance_in_plies() {
    // From master games, with the number of moves to the shortest mate.
    for (fen, moves) in [
        ("2baka3/9/2R6/p7p/9/PN1pP1p2/9/4K1c2/1r2A4/5A1c1 b - - 0 1", 1),
        ("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1", 1),
        ("3ak1b2/4a4/4b4/6c1R/9/2C6/9/B2nN4/4p4/2BK1A1r1 b - - 0 1", 1),
    ] {
        let (outcome, _) = search(fen, &depth(6));
        assert_eq!(score::plies_to_mate(outcome.score), Some(2 * moves - 1), "{fen}");
        let mut position = Position::from_fen(fen).unwrap();
        position.make(outcome.best.unwrap());
        assert!(position.has_no_moves());
    }
}

#[test]
fn pvs_are_legal_and_begin_with_the_best_move() {
    for fen in data::fens().step_by(5) {
        let (outcome, reports) = search(fen, &depth(7));
        let mut last = None;
        for report in reports {
            let Report::Iteration(iteration) = report else { continue };
            let mut position = Position::from_fen(fen).unwrap();
            let [best] = &iteration.lines[..] else { panic!("more than one line without multi-PV") };
            for &mv in &best.pv {
                assert!(position.is_legal(mv), "{mv} of {:?} in {fen}", best.pv);
                position.make(mv);
            }
            last = Some(best.clone());
        }
        let last = last.unwrap();
        assert_eq!(last.pv.first().copied(), outcome.best);
        assert_eq!(last.pv.get(1).copied(), outcome.ponder);
        assert_eq!(last.score, outcome.score);
    }
}

/// Wherever a search is stopped, the last line shown begins with the move and the ponder move of the answer.
#[test]
fn stopped_searches_show_what_they_answer() {
    let mut shown = 0;
    for fen in data::fens().step_by(7) {
        for nodes in [0, 1, 2, 30, 700, 1_500, 3_000] {
            for lines in [1, 3] {
                let settings = SearchSettings { lines, ..SearchSettings::default() };
                let limits = Limits { nodes: Some(nodes), settings, ..Limits::default() };
                let (outcome, reports) = search(fen, &limits);
                if outcome.best.is_none() {
                    continue;
                }
                let last = &last_lines(reports)[0];
                assert_eq!(last.pv.first().copied(), outcome.best, "{fen}, {nodes} nodes, {lines} lines");
                assert_eq!(last.pv.get(1).copied(), outcome.ponder, "{fen}, {nodes} nodes, {lines} lines");
                assert_eq!(last.score, outcome.score);
                shown += 1;
            }
        }
    }
    assert!(shown > 200, "{shown}");
}

#[test]
fn node_limits_are_exact_and_searches_are_deterministic() {
    for nodes in [1, 2, 100, 5_000, 123_457] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (outcome, _) = search(START_FEN, &limits);
        assert_eq!(outcome.nodes, nodes);
        assert!(outcome.best.is_some());
        assert_eq!(outcome, search(START_FEN, &limits).0);
    }
    let (outcome, reports) = search(START_FEN, &depth(5));
    assert_eq!(outcome.depth, 5);
    assert_eq!(reports.iter().filter(|report| matches!(report, Report::Iteration(_))).count(), 5);
}

#[test]
fn a_clock_in_nodes_is_kept_whatever_the_machine() {
    // 300,000 milliseconds of which each is a node: five minutes by a real clock.
    let (time, increment) = (Duration::from_millis(300_000), Duration::ZERO);
    let clock = Some(Clock { time, increment, moves_to_go: None, opponent: None });
    let limits = Limits { clock, node_time: Some(1), ..Limits::default() };
    let budget = TimeBudget::of(&limits).unwrap();
    let (one, other) = (search(START_FEN, &limits).0, search(START_FEN, &limits).0);
    assert_eq!(one, other);
    assert_eq!(one.stop_reason, StopReason::Time);
    // The clock is looked at every 1,024 nodes.
    assert!((1_000..=budget.hard.as_millis() as u64 + 1_024).contains(&one.nodes), "{} nodes", one.nodes);
    let longer = Limits { node_time: Some(5), ..limits };
    assert!(search(START_FEN, &longer).0.nodes > one.nodes);
}

#[test]
fn checkmate_and_stalemate_lose() {
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
fn banned_moves_are_played_only_if_all_are_banned() {
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
fn stop_before_start_still_returns_a_move() {
    for _ in 0..100 {
        let signals = Signals::new();
        signals.stop();
        let (outcome, _) = search_with(&Position::start(), &Limits::default(), &signals);
        assert!(outcome.best.is_some());
    }
}

#[test]
fn clock_without_time_still_returns_a_move() {
    for moves_to_go in [None, Some(1), Some(10)] {
        let clock = Clock { time: Duration::ZERO, increment: Duration::ZERO, moves_to_go, opponent: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        assert!(search(START_FEN, &limits).0.best.is_some());
    }
}

/// Runs a search that must not return before a signal, and sends the signal once the search reports that it waits.
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
        // A search that waits returns nothing, even on a slow machine; one that does not wait returns at once.
        assert_eq!(is_done.recv_timeout(Duration::from_millis(200)).err(), Some(RecvTimeoutError::Timeout));
        release(signals);
        is_done.recv().unwrap()
    })
}

#[test]
fn ponder_search_waits_for_ponder_hit_or_stop() {
    // Mate in one: found at once, but not returned before the ponder hit or stop.
    let position = Position::from_fen("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1").unwrap();
    let clock = Clock { time: Duration::from_secs(1), increment: Duration::ZERO, moves_to_go: None, opponent: None };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    for release in [Signals::ponderhit, Signals::stop] {
        assert_eq!(search_held(&position, &limits, release).best.unwrap().to_string(), "e7g8");
    }
}

#[test]
fn perpetual_check_loses_and_other_repetition_draws() {
    let mut position = Position::from_fen("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1").unwrap();
    play(&mut position, "h8h9 f9f8 h9h8 f8f9");
    assert_eq!(
        Rules::default().repetition(&position, 0),
        None,
        "the second occurrence in the game is no repetition yet"
    );
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
fn perpetual_check_does_not_save_a_lost_position() {
    // Red is lost and can only give checks. Perpetual check loses too, so the score must not be a draw.
    let (outcome, _) = search("3ak4/4a4/9/9/9/9/4r4/3r5/9/2R2K3 w - - 0 1", &depth(9));
    assert!(outcome.score < -300, "{}", outcome.score);
}

#[test]
fn move_limit_draws_unless_it_is_mate() {
    let winning = "3k5/9/9/9/9/9/9/9/8R/5K3 w - - 119 80";
    assert_eq!(search(winning, &depth(4)).0.score, 0);
    let mating = "3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 119 80";
    assert_eq!(score::plies_to_mate(search(mating, &depth(4)).0.score), Some(1));
}

fn with_conduct(settings: SearchSettings, limits: Limits) -> Limits {
    Limits { settings, ..limits }
}

#[test]
fn mates_missed_by_pruning_are_found_without_it() {
    // Mates in two (three plies) by sacrifices, from master games.
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
    assert_eq!(solved(Pruning::FullWidth, 3), problems.len());
    assert!(solved(Pruning::Large, 3) < problems.len());
    assert!(solved(Pruning::Large, 9) >= solved(Pruning::Large, 3), "missed mates are found at a greater depth");
}

#[test]
fn mate_limit_ends_the_search() {
    let fen = "2b1kab2/4a4/3c5/p7N/6p2/P1B1p3P/5n3/4B4/3KA1n2/5A1C1 b - - 0 1";
    for moves in [2, 5] {
        let settings = SearchSettings { pruning: Pruning::FullWidth, ..SearchSettings::default() };
        let limits =
            with_conduct(settings, Limits { mate: Some(moves), depth: Some(2 * moves - 1), ..Limits::default() });
        let (outcome, _) = search(fen, &limits);
        assert_eq!(score::plies_to_mate(outcome.score), Some(3));
        assert!(
            outcome.depth <= 3 && outcome.stop_reason == StopReason::Mate,
            "the search must end at a mate within the limit: {outcome:?}"
        );
    }
}

/// The multi-PV lines of the last iteration reported.
fn last_lines(reports: Vec<Report>) -> Vec<Line> {
    let mut lines = reports.into_iter().filter_map(|report| match report {
        Report::Iteration(iteration) => Some(iteration.lines),
        _ => None,
    });
    lines.next_back().unwrap()
}

#[test]
fn multi_pv_lines_are_the_best_moves_in_order() {
    for fen in [START_FEN, "3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1", "4k4/9/9/9/r8/9/8R/9/9/3K5 w - - 0 1"] {
        let position = Position::from_fen(fen).unwrap();
        let settings = SearchSettings { lines: 4, pruning: Pruning::FullWidth, ..SearchSettings::default() };
        let lines = last_lines(search(fen, &with_conduct(settings, depth(3))).1);
        assert_eq!(lines.len(), position.legal_moves().len().min(4));
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{lines:?}");
        // Independent oracle: one search for each move, with all others banned.
        let alone = |wanted: Move| {
            let banned = position.legal_moves().iter().filter(|&mv| mv != wanted).collect();
            let settings = SearchSettings { pruning: Pruning::FullWidth, ..SearchSettings::default() };
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

/// Mated in four moves; all moves but one are mated sooner.
#[test]
fn aborted_iteration_prints_no_mate_that_other_moves_put_off() {
    let fen = "5kb2/4a4/4b4/2P6/2p3p1p/1rB6/3n5/B4A3/9/c3K4 w - - 0 1";
    let mut mates = 0;
    for nodes in (200..5_000).step_by(50) {
        let limits = with_conduct(SearchSettings::default(), Limits { nodes: Some(nodes), ..Limits::default() });
        let score = search(fen, &limits).0.score;
        assert!(score >= score::mated_in(8), "{nodes} nodes: {score}");
        mates += score::is_mate(score) as u32;
    }
    assert!(mates > 10, "{mates}");
}

#[test]
fn aborted_iteration_keeps_the_multi_pv_lines_it_did_not_reach() {
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
            // A slow search also reports within iterations.
            assert!(whole.iter().any(|lines| lines.contains(line)), "{nodes}: {line:?}");
            left += 1;
        }
        assert!(last.is_sorted_by_key(|line| std::cmp::Reverse((line.depth, line.score))), "{nodes}: {last:?}");
    }
    assert!(left > 0);
}

#[test]
fn root_noise_costs_at_most_its_maximum() {
    let position = Position::start();
    let plain = SearchSettings { pruning: Pruning::FullWidth, ..SearchSettings::default() };
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
            assert_eq!(outcome.score, alone(mv), "the score must not include root noise");
            assert!(best.score - outcome.score <= most, "{mv} is worth {} instead of {}", outcome.score, best.score);
            played.insert(mv);
        }
    }
    assert!(played.len() > 1, "{played:?}");
}

#[test]
fn root_noise_does_not_hide_mates() {
    let fen = "4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1";
    let position = Position::from_fen(fen).unwrap();
    for mv in position.legal_moves().iter() {
        let settings = SearchSettings { root_noise: vec![(mv, 124)], ..SearchSettings::default() };
        let (outcome, _) = search(fen, &with_conduct(settings, depth(5)));
        assert_eq!(outcome.best.unwrap().to_string(), "e7g8");
        assert_eq!(score::plies_to_mate(outcome.score), Some(1));
    }
    // Nor that the side to move is mated. Without pruning, the mate is found with any window.
    let fen = "2bak4/4a4/4b4/9/9/9/P8/1C1nBR3/2r3p2/2BA1K3 w - - 0 1";
    let whole = SearchSettings { pruning: Pruning::FullWidth, ..SearchSettings::default() };
    let plain = search(fen, &with_conduct(whole.clone(), depth(7))).0;
    assert!(score::is_mate(plain.score));
    for mv in Position::from_fen(fen).unwrap().legal_moves().iter() {
        let settings = SearchSettings { root_noise: vec![(mv, 124)], ..whole.clone() };
        let (outcome, _) = search(fen, &with_conduct(settings, depth(7)));
        assert_eq!(score::is_mate(outcome.score), score::is_mate(plain.score), "{mv}");
    }
}

#[test]
fn score_of_a_draw_is_the_contempt() {
    for draw in [-48, 0, 48] {
        let settings = SearchSettings { draw, ..SearchSettings::default() };
        // Insufficient material, with either side to move.
        for fen in ["3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1"] {
            for plies in 1..6 {
                assert_eq!(search(fen, &with_conduct(settings.clone(), depth(plies))).0.score, draw, "{fen}");
            }
        }
    }
}

#[test]
fn mate_does_not_end_a_search_that_waits_for_stop() {
    let position = Position::from_fen("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1").unwrap();
    let outcome = search_held(&position, &Limits { waits: true, ..Limits::default() }, Signals::stop);
    assert_eq!((outcome.depth, score::plies_to_mate(outcome.score)), (score::MAX_PLY as u32, Some(1)));
}

#[test]
fn unlimited_search_waits_for_stop_unless_it_is_mate() {
    let drawn = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap();
    assert!(search_held(&drawn, &Limits::default(), Signals::stop).best.is_some());
    let (outcome, _) = search("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1", &Limits::default());
    assert_eq!(score::plies_to_mate(outcome.score), Some(1));
}

#[test]
fn perpetual_chase_draws_only_where_it_is_allowed() {
    // The best Red has is a perpetual chase of the rook with the cannon: a draw if only perpetual check is forbidden.
    let mut position = Position::from_fen("C4k3/3P5/9/5c3/1P7/2B6/2P2r3/3p1R3/5K3/9 w - - 0 1").unwrap();
    play(&mut position, "a9a3 f3f5 a3a5");
    let score = |repetition| {
        let settings = SearchSettings { rules: Rules { repetition, ..Rules::default() }, ..SearchSettings::default() };
        search_with(&position, &with_conduct(settings, depth(11)), &Signals::new()).0.score
    };
    assert_eq!(score(Repetition::Plain), 0);
    assert!(score(Repetition::Asian) > 200, "{}", score(Repetition::Asian));
}

/// Number of lines of at most `plies` plies to a position whose table score is decided by the rules of repetition.
fn decided_by_rule(position: &mut Position, table: &TranspositionTable, plies: usize) -> usize {
    let mut count = table.probe(position.key()).is_some_and(|entry| score::is_by_rule(entry.score)) as usize;
    if plies > 0 {
        for mv in position.legal_moves().iter() {
            position.make(mv);
            count += decided_by_rule(position, table, plies - 1);
            position.undo();
        }
    }
    count
}

#[test]
fn repetition_scores_are_not_stored_in_the_table() {
    // A perpetual check to come, one begun, and a perpetual chase begun. Their scores depend on the game history.
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
fn scores_near_the_move_limit_are_not_used_far_from_it() {
    // No capture resets the move limit, so the two searches have no position in common.
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

/// Searches with `threads` threads. Returns the result and the reports.
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
fn threads_report_the_pv_of_the_best_move_last() {
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
                assert_eq!(last.pv.get(1).copied(), outcome.ponder);
            }
        }
    }
    // On a busy machine the helper threads start late, but they start.
    assert!(
        10 * nodes_together > 22 * nodes_alone,
        "helper threads must search too: {nodes_together} after {nodes_alone}"
    );
}

#[test]
fn no_thread_plays_a_banned_move() {
    let position = Position::from_fen("4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1").unwrap();
    let mate: Move = "e7g8".parse().unwrap();
    assert_eq!(search_together(&position, 3, &depth(5), &Signals::new()).0.best, Some(mate));
    let limits = Limits { banned: vec![mate], ..depth(5) };
    for _ in 0..20 {
        assert_ne!(search_together(&position, 3, &limits, &Signals::new()).0.best, Some(mate));
    }
}

#[test]
fn threads_respect_the_node_limit_and_stop() {
    let nodes = Limits { nodes: Some(200_000), ..Limits::default() };
    let outcome = search_together(&Position::start(), 4, &nodes, &Signals::new()).0;
    // Threads add up their nodes only at intervals, so they may exceed the limit a little.
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
