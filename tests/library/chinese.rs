//! The Chinese rules of repetition against the figures of the rule book, and the search under them.

use crate::data;
use crate::naive;
use crate::rules::Symmetry;

use chuhe::position::{Position, START_FEN};
use chuhe::rules::chinese::{Class, Idle, judge_cycle};
use chuhe::rules::game_status::{EndReason, GameStatus, judge};
use chuhe::rules::{ALL_CHECKS, Repetition, RepetitionVerdict, Rules};
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::report::SearchResult;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::{Color, Move, score};
use data::{ChineseFigure, Verdict, chinese_figures};
use naive::Random;

const CHINESE: Rules =
    Rules { repetition: Repetition::Chinese, move_limit: 120, checks_count: true, counted_checks: ALL_CHECKS };

/// The position after the figure's moves were played `times` times.
fn played(figure: &ChineseFigure, symmetry: Symmetry, times: usize) -> Position {
    let mut position = symmetry.position(figure.fen);
    for mv in (0..times).flat_map(|_| &figure.moves) {
        position.try_make(symmetry.mv(mv)).unwrap();
    }
    position
}

/// Whether the position after the figure's moves is the one before them.
fn is_cycle(figure: &ChineseFigure) -> bool {
    played(figure, Symmetry::IDENTITY, 1).key() == Position::from_fen(figure.fen).unwrap().key()
}

fn verdict(loser: Option<Color>) -> Verdict {
    match loser {
        None => Verdict::Draw,
        Some(Color::Red) => Verdict::RedLoses,
        Some(Color::Black) => Verdict::BlackLoses,
    }
}

/// The class as the figures name it: all idle moves but exchanges are `idle`.
fn name(class: Class) -> &'static str {
    match class {
        Class::Check => "check",
        Class::Kill => "kill",
        Class::Chase(_) => "chase",
        Class::Idle(Idle::Exchange) => "exchange",
        Class::Idle(_) => "idle",
    }
}

#[test]
fn classes_and_verdicts_agree_with_the_figures() {
    let mut wrong = Vec::new();
    for figure in chinese_figures() {
        for symmetry in Symmetry::ALL {
            let judged = judge_cycle(&played(&figure, symmetry, 1), figure.moves.len());
            let classes: Vec<&str> = judged.moves.iter().map(|mv| name(mv.class)).collect();
            if classes != figure.classes || verdict(judged.loser) != symmetry.verdict(figure.verdict) {
                wrong.push(format!("{} {symmetry:?}: {classes:?}, {:?} loses", figure.name, judged.loser));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn games_end_at_the_third_occurrence() {
    let mut reasons = Vec::new();
    for figure in chinese_figures().iter().filter(|figure| is_cycle(figure)) {
        assert_eq!(judge(&played(figure, Symmetry::IDENTITY, 1), &CHINESE, 3), GameStatus::Ongoing);
        let (loser, reason) = match judge(&played(figure, Symmetry::IDENTITY, 2), &CHINESE, 3) {
            GameStatus::Won { winner, reason } => (Some(!winner), reason),
            GameStatus::Drawn(reason) => (None, reason),
            GameStatus::Ongoing => panic!("{}", figure.name),
        };
        assert_eq!(verdict(loser), figure.verdict, "{}", figure.name);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let attack = |checks, kills, chases| EndReason::PerpetualAttack { checks, kills, chases };
    for reason in [
        attack(false, false, true),
        attack(true, false, true),
        attack(false, true, true),
        attack(false, true, false),
        EndReason::HeavierChase,
        EndReason::MutualAttack,
        EndReason::BothIdle,
    ] {
        assert!(reasons.contains(&reason), "{reason:?}");
    }
}

fn search(position: &Position, depth: u32) -> SearchResult {
    let mut limits = Limits { depth: Some(depth), ..Limits::default() };
    limits.settings.rules = CHINESE;
    let table = TranspositionTable::new(1).unwrap();
    Searcher::new().search(position, &limits, &Signals::new(), &table, &mut |_| {})
}

/// From the last move before the third occurrence on: who would lose by making it does not make it, unless there is no
/// other, and whose opponent loses by it has won.
#[test]
fn the_search_knows_which_repetitions_lose() {
    let (mut avoided, mut won) = (0, 0);
    let is_decided = |figure: &ChineseFigure| figure.verdict != Verdict::Draw && is_cycle(figure);
    for figure in chinese_figures().iter().filter(|figure| is_decided(figure)) {
        let mut position = played(figure, Symmetry::IDENTITY, 2);
        let last = position.history().next().and_then(|past| past.mv).unwrap();
        position.undo();
        let best = search(&position, 3);
        if figure.verdict == Verdict::RedLoses {
            assert!(score::is_decided(best.score) && best.score > 0, "{last}: {}", figure.name);
            won += 1;
        } else {
            assert!(best.best != Some(last) || position.legal_moves().len() == 1, "{last}: {}", figure.name);
            avoided += 1;
        }
        // A ply earlier: Red must not let Black complete a repetition that Red loses by.
        let second = position.history().next().and_then(|past| past.mv).unwrap();
        position.undo();
        if figure.verdict == Verdict::RedLoses && position.legal_moves().len() > 1 {
            let best = search(&position, 6);
            let loses = |outcome: &SearchResult| score::is_decided(outcome.score) && outcome.score < 0;
            assert!(best.best != Some(second) || loses(&best), "{second}: {}", figure.name);
        }
    }
    assert!(avoided > 10 && won > 20, "{avoided} {won}");
}

/// Games of the engine against itself, from the figures and from random openings: nobody loses by repetition who had, at
/// the last move, another that was not lost. The number of games: `CHINESE_GAMES`, 200.
#[test]
#[ignore = "long"]
fn nobody_loses_by_repetition_who_could_play_otherwise() {
    let games = std::env::var("CHINESE_GAMES").map_or(200, |games| games.parse().unwrap());
    let figures = chinese_figures();
    let mut random = Random(11);
    let (mut by_repetition, mut drawn, mut plies) = (0, 0, 0);
    let mut wrong = Vec::new();
    for game in 0..games {
        let start = if game % 2 == 0 { figures[game / 2 % figures.len()].fen } else { START_FEN };
        let mut position = Position::from_fen(start).unwrap();
        for _ in 0..if game % 2 == 0 { game / 108 } else { 8 } {
            let legal = position.legal_moves();
            let Some(mv) = legal.get(random.below(legal.len().max(1))) else { break };
            position.make(mv);
        }
        let table = TranspositionTable::new(4).unwrap();
        let mut searchers = [Searcher::new(), Searcher::new()];
        let mut search = |position: &Position, nodes, banned: &[Move]| {
            let mut limits = Limits { nodes: Some(nodes), banned: banned.to_vec(), ..Limits::default() };
            limits.settings.rules = CHINESE;
            searchers[position.side().index()].search(position, &limits, &Signals::new(), &table, &mut |_| {})
        };
        let mut status = judge(&position, &CHINESE, 3);
        while status == GameStatus::Ongoing && position.plies() < 300 {
            let Some(mv) = search(&position, 3_000, &[]).best else { break };
            position.make(mv);
            status = judge(&position, &CHINESE, 3);
        }
        plies += position.plies();
        drawn += matches!(status, GameStatus::Drawn(_)) as usize;
        let GameStatus::Won { winner, reason } = status else { continue };
        if matches!(reason, EndReason::Checkmate | EndReason::Stalemate) {
            continue;
        }
        by_repetition += 1;
        let moves: Vec<String> = position.history().rev().map(|past| past.mv.unwrap().to_string()).collect();
        position.undo();
        if position.side() == winner {
            position.undo();
        }
        let played: Move = moves[position.plies()].parse().unwrap();
        let other = search(&position, 100_000, &[played]);
        let is_lost = score::is_decided(other.score) && other.score < 0;
        if position.legal_moves().len() > 1 && !is_lost {
            wrong.push(format!("{start} moves {}: {reason:?}, not {played} but {:?}", moves.join(" "), other.best));
        }
    }
    println!("{games} games, {plies} plies, {drawn} drawn, {by_repetition} lost by repetition");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The last move of a cycle makes no difference to who is at fault: verdicts on the same cycle, begun at any of its
/// moves.
#[test]
fn a_cycle_may_begin_at_any_of_its_moves() {
    for figure in chinese_figures().iter().filter(|figure| is_cycle(figure)) {
        let mut position = played(figure, Symmetry::IDENTITY, 2);
        for _ in 0..figure.moves.len() {
            let judged = judge_cycle(&position, figure.moves.len());
            assert_eq!(verdict(judged.loser), figure.verdict, "{}", figure.name);
            position.undo();
        }
    }
}

/// A move and its reply, taken back: in random positions all verdicts exist, and the colors do not matter.
#[test]
fn random_repetitions_are_judged() {
    let mut random = Random(5);
    let mut verdicts = [0; 3];
    let mut judged = 0;
    let fens: Vec<&str> = data::fens().collect();
    while judged < 300 {
        let fen = fens[random.below(fens.len())];
        let mut position = Position::from_fen(fen).unwrap();
        for _ in 0..random.below(30) {
            let legal = position.legal_moves();
            let Some(mv) = legal.get(random.below(legal.len().max(1))) else { break };
            position.make(mv);
        }
        let start = position.to_fen();
        let mut moves: Vec<Move> = Vec::new();
        for _ in 0..2 {
            let legal = position.legal_moves();
            let quiet: Vec<Move> = legal.iter().filter(|&mv| !position.is_capture(mv)).collect();
            let Some(&mv) = quiet.get(random.below(quiet.len().max(1))) else { break };
            position.make(mv);
            moves.push(mv);
        }
        let back = moves.iter().map(|mv| Move::new(mv.to(), mv.from())).collect::<Vec<_>>();
        if moves.len() < 2 || back.iter().any(|&mv| position.try_make(mv).is_err()) {
            continue;
        }
        let expected = match judge_cycle(&position, 4).loser {
            None => RepetitionVerdict::Draw,
            Some(loser) if loser == position.side() => RepetitionVerdict::Loss,
            Some(_) => RepetitionVerdict::Win,
        };
        assert_eq!(CHINESE.repetition(&position, 4), Some(expected), "{start} {moves:?}");
        verdicts[expected as usize] += 1;
        judged += 1;
    }
    assert!(verdicts.iter().all(|&count| count > 5), "{verdicts:?}");
    assert!(judge_cycle(&Position::from_fen(START_FEN).unwrap(), 4).moves.is_empty());
}
