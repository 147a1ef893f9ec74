//! The naive implementation of the Chinese rules of repetition: on the figures of the rule book, and against the engine's.

use crate::data::{self, ChineseFigure, Verdict};
use crate::naive::chinese::{Class, classes, loser};
use crate::naive::{Board, Random, Step, iccs};
use chuhe::position::Position;
use chuhe::rules::chinese::{self, judge_cycle};
use chuhe::types::Color;
use std::collections::BTreeMap;

/// A move in ICCS coordinates.
fn step(text: &str) -> Step {
    let at = |n: usize| (text.as_bytes()[n] - if n.is_multiple_of(2) { b'a' } else { b'0' }) as usize;
    ((at(0), at(1)), (at(2), at(3)))
}

fn name(class: Class) -> &'static str {
    match class {
        Class::Check => "check",
        Class::Kill => "kill",
        Class::Chase | Class::LightChase => "chase",
        Class::Idle => "idle",
    }
}

/// The engine's name for a class, in the same words.
fn engine_name(class: &chinese::Class) -> &'static str {
    match class {
        chinese::Class::Check => "check",
        chinese::Class::Kill => "kill",
        chinese::Class::Chase(_) => "chase",
        chinese::Class::Idle(_) => "idle",
    }
}

fn color(loser: Option<bool>) -> Option<Color> {
    loser.map(|is_red| if is_red { Color::Red } else { Color::Black })
}

/// The naive searches find 43 of the 54 verdicts and 220 of the 234 classes.
#[test]
fn naive_rules_find_most_figures() {
    let (mut verdicts, mut right) = (0, 0);
    for ChineseFigure { fen, moves, classes: expected, verdict, .. } in data::chinese_figures() {
        let (start, steps) = (Board::from_fen(fen), moves.iter().map(|mv| step(mv)).collect::<Vec<_>>());
        let found = classes(&start, &steps);
        let same = |(class, expected): (&Class, &str)| name(*class) == expected.replace("exchange", "idle");
        right += found.iter().zip(expected.iter().copied()).filter(|&pair| same(pair)).count();
        // Some figures lead into the cycle, or do not show all of it.
        let boards = steps.iter().scan(start.clone(), |board, &step| {
            *board = board.after(step);
            Some(board.clone())
        });
        let boards: Vec<Board> = [start].into_iter().chain(boards).collect();
        let first = boards[..steps.len()].iter().position(|board| Some(board) == boards.last()).unwrap_or(0);
        let loser = match loser(boards[first].red_to_move, &found[first..]) {
            Some(true) => Verdict::RedLoses,
            Some(false) => Verdict::BlackLoses,
            None => Verdict::Draw,
        };
        verdicts += (loser == verdict) as usize;
    }
    assert!(verdicts >= 43 && right >= 220, "{verdicts} verdicts, {right} classes");
}

/// A random element.
fn pick<T: Copy>(random: &mut Random, of: &[T]) -> Option<T> {
    (!of.is_empty()).then(|| of[random.below(of.len())])
}

/// A legal move without capture that can be taken back; mostly one between whose squares and an enemy piece there is an
/// attack.
fn shuffle(board: &Board, random: &mut Random) -> Option<Step> {
    let is_attacking =
        |board: &Board, (f, r): (usize, usize)| board.reach(f, r).iter().any(|&(f, r)| board.pieces[r][f] != '.');
    let mut steps = board.legal();
    steps.retain(|&step| {
        let after = board.after(step);
        board.pieces[step.1.1][step.1.0] == '.' && after.reach(step.1.0, step.1.1).contains(&step.0)
    });
    let attacking: Vec<Step> = steps
        .iter()
        .copied()
        .filter(|&step| {
            board.after(step).is_attacked(!board.red_to_move)
                || is_attacking(board, step.0)
                || is_attacking(&board.after(step), step.1)
        })
        .collect();
    if random.below(8) > 0 { pick(random, &attacking) } else { pick(random, &steps) }
}

/// A position and a cycle from it of four moves: a move of each side and its taking back.
fn cycle(random: &mut Random, fens: &[&str]) -> Option<(Board, [Step; 4])> {
    let mut board = Board::from_fen(pick(random, fens)?);
    for _ in 0..random.below(12) {
        board = board.after(pick(random, &board.legal())?);
    }
    let back = |(from, to): Step| (to, from);
    let first = shuffle(&board, random)?;
    let second = shuffle(&board.after(first), random)?;
    let steps = [first, second, back(first), back(second)];
    let mut after = board.clone();
    for step in steps {
        if !after.legal().contains(&step) {
            return None;
        }
        after = after.after(step);
    }
    (after == board).then_some((board, steps))
}

fn fen(board: &Board) -> String {
    let row = |row: &[char; 9]| row.iter().collect::<String>().replace('.', "1");
    let rows: Vec<String> = board.pieces.iter().rev().map(row).collect();
    format!("{} {}", rows.join("/"), if board.red_to_move { 'w' } else { 'b' })
}

/// Random repetitions (`CHINESE_REPETITIONS` of them, 500 by default, from the seed `CHINESE_SEED`): how often the engine
/// and the naive rules agree, and an example of each difference.
#[test]
#[ignore = "minutes; prints"]
fn random_repetitions_against_the_naive_rules() {
    let variable = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let count: usize = variable("CHINESE_REPETITIONS", 500);
    let fens: Vec<&str> = data::chinese_figures().iter().map(|figure| figure.fen).chain(data::fens()).collect();
    let mut random = Random(variable("CHINESE_SEED", 7) as u64);
    let (mut verdicts, mut right) = (0, 0);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut differences: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut judged = 0;
    while judged < count {
        let Some((board, steps)) = cycle(&mut random, &fens) else { continue };
        let Ok(mut position) = Position::from_fen(&fen(&board)) else { continue };
        judged += 1;
        if judged % 500 == 0 {
            println!("{judged} repetitions, {verdicts} verdicts agree");
        }
        let text: Vec<String> = steps.iter().map(|&step| iccs(step)).collect();
        (0..8).for_each(|n| position.try_make(text[n % 4].parse().unwrap()).unwrap());
        let (theirs, ours) = (judge_cycle(&position, 4), classes(&board, &steps));
        let loser = color(loser(board.red_to_move, &ours));
        let example = format!("{} {}", position.to_fen(), text.join(" "));
        let mut differ = |kind: String, example: &String| {
            let entry = differences.entry(kind).or_insert_with(|| (0, example.clone()));
            entry.0 += 1;
        };
        verdicts += (loser == theirs.loser) as usize;
        if loser != theirs.loser {
            differ(format!("loser {:?}, naive {loser:?}", theirs.loser), &example);
        }
        for ((their, our), text) in theirs.moves.iter().zip(&ours).zip(&text) {
            let (their, our) = (engine_name(&their.class), name(*our));
            *kinds.entry(their.into()).or_default() += 1;
            right += (their == our) as usize;
            if their != our {
                differ(format!("{their}, naive {our}"), &format!("{text} in {example}"));
            }
        }
    }
    println!("{verdicts} verdicts of {count} and {right} classes of {} agree; the engine's: {kinds:?}", 4 * count);
    differences.iter().for_each(|(kind, (count, example))| println!("{count} times {kind}: {example}"));
    // Measured: 477 verdicts of 500, 1887 classes of 2000.
    assert!(verdicts * 100 >= count * 90, "{verdicts} of {count}");
}
