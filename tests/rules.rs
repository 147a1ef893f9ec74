//! The rules of repetition against published verdicts.

use chuhe::position::Position;
use chuhe::rules::{Rules, Verdict};
use chuhe::types::{Color, Move};

/// A line of the data: what is to be said of a game in which a cycle is played again and again.
struct Case<'a> {
    verdict: &'a str,
    fen: &'a str,
    before: &'a str,
    cycle: &'a str,
    is_disputed: bool,
    name: &'a str,
}

fn cases() -> Vec<Case<'static>> {
    let lines = include_str!("data/repetition.txt").lines().filter(|line| !line.starts_with('#'));
    let case = |line: &'static str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [verdict, fen, before, cycle, agreement, name] = fields[..] else { panic!("{line}") };
        Case { verdict, fen, before, cycle, is_disputed: agreement == "disputed", name }
    };
    lines.map(case).collect()
}

impl Case<'_> {
    /// What the rules say after the cycle was played so often.
    fn judged(&self, form: Form, times: usize) -> &'static str {
        let mut position = Position::from_fen(&form.fen(self.fen)).unwrap();
        let before = if self.before == "-" { "" } else { self.before };
        let moves = before.split_whitespace().chain((0..times).flat_map(|_| self.cycle.split_whitespace()));
        for mv in moves.map(|text| form.mv(text)) {
            assert!(position.is_legal(mv), "{mv} in {}", self.name);
            position.make(mv, &mut ());
        }
        match (Rules::default().repetition(&position, if times == 1 { 1000 } else { 0 }), position.side()) {
            (None, _) => "none",
            (Some(Verdict::Draw), _) => "draw",
            (Some(Verdict::Loss), Color::Red) | (Some(Verdict::Win), Color::Black) => "red-loses",
            (Some(Verdict::Win), Color::Red) | (Some(Verdict::Loss), Color::Black) => "black-loses",
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
        if self.exchanged { Position::from_fen(&fen).unwrap().exchanged().to_fen() } else { fen }
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
                let mark = if case.is_disputed { " (disputed)" } else { "" };
                println!(
                    "{form:?} {judged} instead of {}{mark}: {} | {} | {} | {}",
                    case.verdict, case.name, case.fen, case.before, case.cycle
                );
                wrong += !case.is_disputed as usize;
            }
        }
    }
    assert_eq!(wrong, 0);
}
