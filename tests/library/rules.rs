//! The rules of repetition: the Asian rules against published verdicts, the league's against a naive implementation.

use crate::data;
use crate::naive;

use chuhe::position::Position;
use chuhe::rules::game_status::{EndReason, GameStatus, judge};
use chuhe::rules::recurring::Recurring;
use chuhe::rules::{Repetition, RepetitionVerdict, Rules};
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::{Color, Move, PieceType, Square, score};
use data::{RepetitionCase, Verdict, repetition_cases};
use naive::league::{Violation, violations};
use naive::{Board, Random, iccs};

impl RepetitionCase {
    /// The moves of the game with the cycle played `times` times.
    fn moves(&self, symmetry: Symmetry, times: usize) -> Vec<Move> {
        let moves = self.before.iter().chain((0..times).flat_map(|_| &self.cycle));
        moves.map(|text| symmetry.mv(text)).collect()
    }

    /// The position after these moves.
    fn played(&self, symmetry: Symmetry, moves: &[Move]) -> Position {
        let mut position = symmetry.position(self.fen);
        for &mv in moves {
            assert!(position.is_legal(mv), "{mv} in {}", self.name);
            position.make(mv);
        }
        position
    }

    /// The verdict of the rules after the cycle was played `times` times.
    fn judged(&self, symmetry: Symmetry, times: usize) -> Option<Verdict> {
        let position = self.played(symmetry, &self.moves(symmetry, times));
        let verdict = Rules::default().repetition(&position, if times == 1 { 1000 } else { 0 })?;
        Some(match (verdict, position.side()) {
            (RepetitionVerdict::Draw, _) => Verdict::Draw,
            (RepetitionVerdict::Loss, Color::Red) | (RepetitionVerdict::Win, Color::Black) => Verdict::RedLoses,
            (RepetitionVerdict::Win, Color::Red) | (RepetitionVerdict::Loss, Color::Black) => Verdict::BlackLoses,
        })
    }
}

/// A symmetry of the game: the board mirrored left to right, the colors flipped, or both.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry {
    mirrored: bool,
    color_flipped: bool,
}

impl Symmetry {
    pub const IDENTITY: Symmetry = Symmetry { mirrored: false, color_flipped: false };
    pub const ALL: [Symmetry; 4] = [
        Symmetry::IDENTITY,
        Symmetry { mirrored: true, color_flipped: false },
        Symmetry { mirrored: false, color_flipped: true },
        Symmetry { mirrored: true, color_flipped: true },
    ];

    pub fn position(self, fen: &str) -> Position {
        let position = Position::from_fen(fen).unwrap();
        let position = if self.mirrored { position.mirrored() } else { position };
        if self.color_flipped { position.color_flipped() } else { position }
    }

    pub fn mv(self, text: &str) -> Move {
        let mv: Move = text.parse().unwrap();
        let square = |square: Square| {
            let square = if self.mirrored { square.mirrored() } else { square };
            if self.color_flipped { square.flipped() } else { square }
        };
        Move::new(square(mv.from()), square(mv.to()))
    }

    pub fn verdict(self, verdict: Verdict) -> Verdict {
        if self.color_flipped { verdict.color_flipped() } else { verdict }
    }
}

#[test]
fn verdicts_agree_with_the_published_ones() {
    let mut wrong = 0;
    for case in repetition_cases() {
        for (times, symmetry) in [1, 2].into_iter().flat_map(|times| Symmetry::ALL.map(|form| (times, form))) {
            let judged = case.judged(symmetry, times);
            if judged != Some(symmetry.verdict(case.verdict)) {
                let RepetitionCase { verdict, fen, before, cycle, name } = case;
                println!("{symmetry:?} {judged:?} instead of {verdict:?}: {name} | {fen} | {before:?} | {cycle:?}");
                wrong += 1;
            }
        }
    }
    assert_eq!(wrong, 0);
}

/// Red's knight attacks the rook, then gives check. Red's rook attacks Black's all the time, but that is no chase: the
/// check keeps Black's rook from capturing it.
#[test]
fn an_offered_exchange_that_a_check_prevents_is_no_chase() {
    let mut position = Position::from_fen("1N1k5/9/9/9/3r5/9/9/9/4K4/3R5 w - - 0 1").unwrap();
    for mv in "b9c7 d9d8 c7b9 d8d7 b9c7 d7d8 c7b9 d8d7 b9c7 d7d8".split(' ') {
        position.make(mv.parse().unwrap());
    }
    assert_eq!(Rules::default().repetition(&position, 0), Some(RepetitionVerdict::Draw));
}

/// A protected cannon is chased by a bishop, and where it is not protected by a rook. By a knight and the rook it is not:
/// capturing the protected cannon would be an exchange.
#[test]
fn bishops_chase_protected_cannons() {
    let status = |fen: &str, moves: [&str; 4]| {
        let mut position = Position::from_fen(fen).unwrap();
        for text in moves.iter().cycle().take(8) {
            position.try_make(text.parse().unwrap()).unwrap();
        }
        judge(&position, &Rules::default(), 3)
    };
    let by_knight = status("3k5/9/9/9/2p6/2c6/9/8R/5N3/5K3 w - - 0 1", ["f1d2", "c4c2", "d2f1", "c2c4"]);
    assert_eq!(by_knight, GameStatus::Drawn(EndReason::Repetition));
    // The knight on g4 is attacked by one of Red's moves only.
    let by_bishop = status("3k5/9/9/9/2p6/2c3n2/9/8R/9/5KB2 w - - 0 1", ["g0e2", "c4c2", "e2g0", "c2c4"]);
    let GameStatus::Won { winner: Color::Black, reason: EndReason::PerpetualChase { by, of } } = by_bishop else {
        panic!("{by_bishop:?}")
    };
    assert_eq!(by.iter().map(|id| id.piece_type()).collect::<Vec<_>>(), [PieceType::Bishop, PieceType::Rook]);
    assert_eq!(of.iter().map(|id| id.piece_type()).collect::<Vec<_>>(), [PieceType::Cannon]);
}

/// Both sides chase on every move: Red's rooks a rook, Black's rooks a cannon. If a knight pins the chased rook to its
/// king, that is the worse violation; without the knight it could capture its chaser, so Red chases nothing.
#[test]
fn chasing_a_rook_that_a_knight_pins_is_worse_than_other_chases() {
    let judged = |fen: &str, repetition| {
        [false, true].map(|color_flipped| {
            let symmetry = Symmetry { mirrored: false, color_flipped };
            let mut position = symmetry.position(fen);
            for text in ["b7b8", "h3h2", "b8b7", "h2h3"].iter().cycle().take(8) {
                position.try_make(symmetry.mv(text)).unwrap();
            }
            let winner = match judge(&position, &Rules { repetition, ..Rules::default() }, 3) {
                GameStatus::Won { winner, reason: EndReason::PerpetualChase { .. } } => Some(winner),
                GameStatus::Drawn(EndReason::MutualChase) => None,
                status => panic!("{status:?}"),
            };
            winner.map(|winner| if color_flipped { !winner } else { winner })
        })
    };
    let pinned = "4k4/R2r5/1R1N5/9/9/9/7r1/5C2r/9/3K5 w - - 0 1";
    assert_eq!(judged(pinned, Repetition::Asian), [Some(Color::Black); 2]);
    let not_pinned = "4k4/R2r5/1R1B5/9/9/9/7r1/5C2r/9/3K5 w - - 0 1";
    assert_eq!(judged(not_pinned, Repetition::Asian), [Some(Color::Red); 2]);
    // Pinned by a rook instead of a knight: equal violations.
    let pinned_by_rook = "3k5/R2r5/1R1R5/9/9/9/7r1/5C2r/9/4K4 w - - 0 1";
    assert_eq!(judged(pinned_by_rook, Repetition::Asian), [None; 2]);
}

/// The move that would lose by a third repetition is not played, and the one that wins by it is found.
#[test]
fn the_search_avoids_losing_repetitions_and_finds_winning_ones() {
    let (mut avoided, mut won) = (0, 0);
    for case in repetition_cases().iter().filter(|case| case.verdict != Verdict::Draw) {
        let moves = case.moves(Symmetry::IDENTITY, 2);
        let (last, moves) = moves.split_last().unwrap();
        let position = case.played(Symmetry::IDENTITY, moves);
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let table = TranspositionTable::new(1).unwrap();
        let outcome = Searcher::new().search(&position, &limits, &Signals::new(), &table, &mut |_| {});
        let loser = if case.verdict == Verdict::RedLoses { Color::Red } else { Color::Black };
        if loser == position.side() {
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
fn league_verdicts_agree_with_the_naive_ones() {
    let rules = Rules { repetition: Repetition::League, ..Rules::default() };
    let mut random = Random(9);
    let (mut draws, mut chases, mut checks) = (0, 0, 0);
    for fen in data::fens() {
        for _ in 0..60 {
            let mut position = Position::from_fen(fen).unwrap();
            for _ in 0..random.below(40) {
                let legal = position.legal_moves();
                let Some(mv) = legal.get(random.below(legal.len().max(1))) else { break };
                position.make(mv);
            }
            // Back and forth, by a piece that attacks and, mostly, the piece it attacks.
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
                    position.make(mv);
                }
            }
            if position.plies() != before + cycle.len() {
                continue;
            }
            let [red, black] = violations(&start, &cycle);
            let loser = if red > black { Some(Color::Red) } else { Some(Color::Black).filter(|_| black > red) };
            let expected = match loser {
                None => RepetitionVerdict::Draw,
                Some(loser) if loser == position.side() => RepetitionVerdict::Loss,
                Some(_) => RepetitionVerdict::Win,
            };
            let judged = rules.repetition(&position, cycle.len());
            assert_eq!(judged, Some(expected), "{} {red:?} {black:?} {cycle:?}", position.to_fen());
            match red.max(black) {
                Violation::None => draws += 1,
                Violation::Chase => chases += 1,
                Violation::Check => checks += 1,
            }
        }
    }
    assert!(draws > 1_000 && chases > 30 && checks > 30, "{draws} {chases} {checks}");
}

#[test]
fn a_repetition_is_announced_with_the_moves_that_deviate() {
    let warn = |moves: &str| {
        let mut position = Position::from_fen("4k4/9/9/9/9/9/9/9/R8/3K5 b - - 0 1").unwrap();
        moves.split(' ').for_each(|mv| position.make(mv.parse().unwrap()));
        (Recurring::of(&position, &Rules::default(), 3), position)
    };
    let once = "e9f9 a1a9 f9f8 a9a8 f8f9";
    assert_eq!(warn(once).0, None);
    // Red gives perpetual check; after Black's reply it has all moves but the one that was made.
    let twice = format!("{once} a8a9");
    let warning = warn(&twice).0.unwrap();
    let reason = EndReason::PerpetualCheck;
    assert_eq!((warning.occurrences, &warning.status), (2, &GameStatus::Won { winner: Color::Black, reason }));
    let deviation = warning.deviation.unwrap();
    let (now, after) = warn(&format!("{twice} f9f8"));
    let all: Vec<Move> = after.legal_moves().iter().filter(|mv| mv.to_string() != "a9a8").collect();
    assert_eq!((deviation.side, deviation.after, &deviation.moves), (Color::Red, "f9f8".parse().ok(), &all));
    assert_eq!(now.unwrap().deviation.map(|now| (now.after, now.moves)), Some((None, all)));
    let (over, position) = warn(&format!("{twice} f9f8 a9a8 f8f9 a8a9"));
    assert_eq!((over, judge(&position, &Rules::default(), 3) == GameStatus::Ongoing), (None, false));
}
