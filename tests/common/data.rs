//! The data files of the tests, read once, as plain values. Integration tests, benches and unit tests share this
//! reader.

#![allow(dead_code, reason = "each user needs its own part")]

use std::sync::LazyLock;

/// The text of `tests/data/perft.txt`.
pub const PERFT: &str = include_str!("../data/perft.txt");

/// A position and its perft counts.
pub struct PerftCase {
    pub fen: &'static str,
    /// Leaves at depth 1, 2, …
    pub counts: Vec<u64>,
    pub name: &'static str,
}

/// Positions from openings to endgames, with checks, pins and composed ones.
pub fn perft_cases() -> &'static [PerftCase] {
    static CASES: LazyLock<Vec<PerftCase>> = LazyLock::new(|| lines(PERFT).map(perft_case).collect());
    &CASES
}

/// The FENs of [`perft_cases`].
pub fn fens() -> impl Iterator<Item = &'static str> {
    perft_cases().iter().map(|case| case.fen)
}

fn perft_case(line: &'static str) -> PerftCase {
    let (facts, name) = line.split_once('|').unwrap_or_else(|| panic!("no name: {line}"));
    let mut fields = facts.split(';').map(str::trim);
    let fen = fields.next().unwrap();
    let count = |(index, field): (usize, &str)| {
        let (depth, leaves) = field.split_once(' ').unwrap_or_else(|| panic!("no count: {line}"));
        assert_eq!(depth, format!("D{}", index + 1), "{line}");
        leaves.parse().unwrap_or_else(|_| panic!("no count: {line}"))
    };
    PerftCase { fen, counts: fields.enumerate().map(count).collect(), name: name.trim() }
}

/// A game in which a cycle of moves repeats, and the verdict on it.
pub struct RepetitionCase {
    pub verdict: Verdict,
    pub fen: &'static str,
    /// Moves before the cycle, in ICCS.
    pub before: Vec<&'static str>,
    /// The moves of the cycle, in ICCS.
    pub cycle: Vec<&'static str>,
    pub name: &'static str,
}

/// A verdict of the rules of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Draw,
    RedLoses,
    BlackLoses,
}

impl Verdict {
    /// The verdict on the same game with the colors exchanged.
    pub fn color_flipped(self) -> Verdict {
        match self {
            Verdict::Draw => Verdict::Draw,
            Verdict::RedLoses => Verdict::BlackLoses,
            Verdict::BlackLoses => Verdict::RedLoses,
        }
    }
}

/// The cases of `tests/data/repetition.txt`.
pub fn repetition_cases() -> &'static [RepetitionCase] {
    const TEXT: &str = include_str!("../data/repetition.txt");
    static CASES: LazyLock<Vec<RepetitionCase>> = LazyLock::new(|| lines(TEXT).map(repetition_case).collect());
    &CASES
}

fn repetition_case(line: &'static str) -> RepetitionCase {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [verdict, fen, before, cycle, _agreement, name] = fields[..] else { panic!("{} fields: {line}", fields.len()) };
    let verdict = match verdict {
        "draw" => Verdict::Draw,
        "red-loses" => Verdict::RedLoses,
        "black-loses" => Verdict::BlackLoses,
        _ => panic!("no verdict: {line}"),
    };
    let moves = |text: &'static str| text.split_whitespace().filter(|&mv| mv != "-").collect();
    RepetitionCase { verdict, fen, before: moves(before), cycle: moves(cycle), name }
}

/// A figure of the Chinese rules of repetition.
pub struct ChineseFigure {
    pub name: &'static str,
    pub fen: &'static str,
    /// The moves of the cycle, Red's first, in ICCS; in three figures they lead into it.
    pub moves: Vec<&'static str>,
    /// The class of each move: `check`, `kill`, `chase`, `exchange` or `idle`.
    pub classes: Vec<&'static str>,
    pub verdict: Verdict,
}

/// The figures of `tests/data/repetition-chinese.txt`.
pub fn chinese_figures() -> Vec<ChineseFigure> {
    lines(include_str!("../data/repetition-chinese.txt")).map(chinese_figure).collect()
}

fn chinese_figure(line: &'static str) -> ChineseFigure {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, fen, moves, classes, verdict, ..] = fields[..] else { panic!("{} fields: {line}", fields.len()) };
    let verdict = match verdict {
        "draw" => Verdict::Draw,
        "red" => Verdict::RedLoses,
        "black" => Verdict::BlackLoses,
        _ => panic!("no verdict: {line}"),
    };
    ChineseFigure { name, fen, moves: moves.split(' ').collect(), classes: classes.split(' ').collect(), verdict }
}

/// The lines of a file but comments.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}
