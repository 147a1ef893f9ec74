//! The rules of repetition against published verdicts and, the league's, against naive ones.

mod naive;

use chuhe::position::Position;
use chuhe::rules::{Repetition, RepetitionVerdict, Rules};
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::{Color, Move, score};
use naive::league::{Guilt, guilt};
use naive::{Board, Random, iccs};

/// A line of the data: what is to be said of a game in which a cycle is played again and again.
struct Case<'a> {
    verdict: &'a str,
    fen: &'a str,
    before: &'a str,
    cycle: &'a str,
    name: &'a str,
}

fn cases() -> Vec<Case<'static>> {
    let lines = include_str!("data/repetition.txt").lines().filter(|line| !line.starts_with('#'));
    let case = |line: &'static str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [verdict, fen, before, cycle, _agreement, name] = fields[..] else { panic!("{line}") };
        Case { verdict, fen, before, cycle, name }
    };
    lines.map(case).collect()
}

impl Case<'_> {
    /// The game in which the cycle was played so often.
    fn moves(&self, form: Form, times: usize) -> Vec<Move> {
        let before = if self.before == "-" { "" } else { self.before };
        let moves = before.split_whitespace().chain((0..times).flat_map(|_| self.cycle.split_whitespace()));
        moves.map(|text| form.mv(text)).collect()
    }

    /// What it comes to.
    fn played(&self, form: Form, moves: &[Move]) -> Position {
        let mut position = Position::from_fen(&form.fen(self.fen)).unwrap();
        for &mv in moves {
            assert!(position.is_legal(mv), "{mv} in {}", self.name);
            position.make(mv, &mut ());
        }
        position
    }

    /// What the rules say after the cycle was played so often.
    fn judged(&self, form: Form, times: usize) -> &'static str {
        let position = self.played(form, &self.moves(form, times));
        match (Rules::default().repetition(&position, if times == 1 { 1000 } else { 0 }), position.side()) {
            (None, _) => "none",
            (Some(RepetitionVerdict::Draw), _) => "draw",
            (Some(RepetitionVerdict::Loss), Color::Red) | (Some(RepetitionVerdict::Win), Color::Black) => "red-loses",
            (Some(RepetitionVerdict::Win), Color::Red) | (Some(RepetitionVerdict::Loss), Color::Black) => "black-loses",
        }
    }
}

/// What is done to a position: files mirrored, sides exchanged.
#[derive(Clone, Copy, Debug)]
struct Form {
    mirrored: bool,
    exchanged: bool,
}

impl Form {
    const ALL: [Form; 4] = [
        Form { mirrored: false, exchanged: false },
        Form { mirrored: true, exchanged: false },
        Form { mirrored: false, exchanged: true },
        Form { mirrored: true, exchanged: true },
    ];

    fn fen(self, fen: &str) -> String {
        let mut fields: Vec<String> = fen.split(' ').map(String::from).collect();
        if self.mirrored {
            let rows: Vec<String> = fields[0].split('/').map(|row| row.chars().rev().collect()).collect();
            fields[0] = rows.join("/");
        }
        let fen = fields.join(" ");
        if self.exchanged { Position::from_fen(&fen).unwrap().color_flipped().to_fen() } else { fen }
    }

    fn mv(self, text: &str) -> Move {
        let turn = |letter: char| match letter {
            'a'..='i' if self.mirrored => (b'a' + b'i' - letter as u8) as char,
            '0'..='9' if self.exchanged => (b'0' + b'9' - letter as u8) as char,
            _ => letter,
        };
        text.chars().map(turn).collect::<String>().parse().unwrap()
    }

    fn verdict(self, verdict: &str) -> &str {
        match verdict {
            "red-loses" if self.exchanged => "black-loses",
            "black-loses" if self.exchanged => "red-loses",
            _ => verdict,
        }
    }
}

#[test]
fn published_verdicts_are_agreed_with() {
    let mut wrong = 0;
    for case in cases() {
        for (times, form) in [1, 2].into_iter().flat_map(|times| Form::ALL.map(|form| (times, form))) {
            let judged = case.judged(form, times);
            if judged != form.verdict(case.verdict) {
                println!(
                    "{form:?} {judged} instead of {}: {} | {} | {} | {}",
                    case.verdict, case.name, case.fen, case.before, case.cycle
                );
                wrong += 1;
            }
        }
    }
    assert_eq!(wrong, 0);
}

/// What other engines run into, this one does not: the move that would lose by a third repetition is not played, and the
/// one that wins by it is seen.
/// Red's knight attacks the rook, then checks; its rook faces the other all the time, and is no chaser because the check
/// keeps that one from taking it.
#[test]
fn a_check_makes_no_chase_of_an_offer_to_exchange() {
    let mut position = Position::from_fen("1N1k5/9/9/9/3r5/9/9/9/4K4/3R5 w - - 0 1").unwrap();
    for mv in "b9c7 d9d8 c7b9 d8d7 b9c7 d7d8 c7b9 d8d7 b9c7 d7d8".split(' ') {
        position.make(mv.parse().unwrap(), &mut ());
    }
    assert_eq!(Rules::default().repetition(&position, 0), Some(RepetitionVerdict::Draw));
}

#[test]
fn repetitions_that_lose_are_not_played_and_those_that_win_are_seen() {
    let (mut avoided, mut won) = (0, 0);
    for case in cases().iter().filter(|case| case.verdict != "draw") {
        let moves = case.moves(Form::ALL[0], 2);
        let (last, moves) = moves.split_last().unwrap();
        let position = case.played(Form::ALL[0], moves);
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let table = TranspositionTable::new(1).unwrap();
        let outcome = Searcher::new().search(&position, &limits, &Signals::new(), &table, &mut |_| {});
        if case.verdict == format!("{}-loses", position.side()) {
            let is_only_move = position.legal_moves().len() == 1;
            assert!(is_only_move || outcome.best != Some(*last), "{last}: {} {}", case.name, position.to_fen());
            avoided += !is_only_move as u32;
        } else {
            assert!(score::is_decided(outcome.score) && outcome.score > 0, "{last}: {}", case.name);
            won += 1;
        }
    }
    assert!(avoided > 40 && won > 40, "{avoided} {won}");
}

#[test]
fn the_league_judges_like_the_naive_league() {
    let rules = Rules { repetition: Repetition::League, ..Rules::default() };
    let mut random = Random(9);
    let (mut draws, mut chases, mut checks) = (0, 0, 0);
    let fens = include_str!("data/perft.txt").lines().filter(|line| !line.starts_with('#'));
    for fen in fens.map(|line| line.split(';').next().unwrap().trim()) {
        for _ in 0..60 {
            let mut position = Position::from_fen(fen).unwrap();
            for _ in 0..random.below(40) {
                let legal = position.legal_moves();
                let Some(mv) = legal.get(random.below(legal.len().max(1))) else { break };
                position.make(mv, &mut ());
            }
            // To and fro, by a man that threatens and, mostly, the man that it threatens.
            let start = Board::from_fen(&position.to_fen());
            let steps = start.legal();
            if steps.is_empty() {
                continue;
            }
            let one = steps[random.below(steps.len())];
            let board = start.after(one);
            let targets = board.reach(one.1.0, one.1.1);
            let mut steps = board.legal();
            if board.is_attacked(board.red_to_move) || steps.iter().any(|step| targets.contains(&step.0)) {
                steps.retain(|step| board.is_attacked(board.red_to_move) || targets.contains(&step.0));
            }
            if steps.is_empty() {
                continue;
            }
            let other = steps[random.below(steps.len())];
            let cycle = [one, other, (one.1, one.0), (other.1, other.0)];
            let before = position.plies();
            for mv in cycle.iter().map(|&step| iccs(step).parse::<Move>().unwrap()) {
                if position.is_legal(mv) && !position.is_capture(mv) {
                    position.make(mv, &mut ());
                }
            }
            if position.plies() != before + cycle.len() {
                continue;
            }
            let [red, black] = guilt(&start, &cycle);
            let loser = if red > black { Some(Color::Red) } else { Some(Color::Black).filter(|_| black > red) };
            let expected = match loser {
                None => RepetitionVerdict::Draw,
                Some(loser) if loser == position.side() => RepetitionVerdict::Loss,
                Some(_) => RepetitionVerdict::Win,
            };
            let judged = rules.repetition(&position, cycle.len());
            assert_eq!(judged, Some(expected), "{} {red:?} {black:?} {cycle:?}", position.to_fen());
            match red.max(black) {
                Guilt::None => draws += 1,
                Guilt::Chase => chases += 1,
                Guilt::Check => checks += 1,
            }
        }
    }
    assert!(draws > 1_000 && chases > 30 && checks > 30, "{draws} {chases} {checks}");
}
