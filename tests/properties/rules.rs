//! The rules of repetition: mirrored games get the same verdict, games with colors exchanged the exchanged one.

use super::walk::{Symmetry, Walk, check, chosen, walks};
use chuhe::position::{PieceId, Position};
use chuhe::rules::game_status::{EndReason, GameStatus, judge};
use chuhe::rules::{Repetition, Rules, occurrences};
use chuhe::types::{Color, Move};
use proptest::prelude::*;
use std::cell::Cell;

/// A verdict with pieces named by type, color and square instead of by their number.
fn verdict(position: &Position, rules: &Rules, symmetry: Option<Symmetry>) -> String {
    let color = |color: Color| symmetry.map_or(color, |symmetry| symmetry.color(color));
    let names = |ids: &[PieceId]| {
        let name = |&id: &PieceId| {
            let square = position.square_of(id);
            let square = symmetry.map_or(square, |symmetry| symmetry.square(square));
            format!("{:?} {:?} {square}", color(id.color()), id.piece_type())
        };
        let mut names: Vec<String> = ids.iter().map(name).collect();
        names.sort();
        names.join(", ")
    };
    match judge(position, rules, 3) {
        GameStatus::Ongoing => "ongoing".into(),
        GameStatus::Drawn(reason) => format!("draw: {reason:?}"),
        GameStatus::Won { winner, reason: EndReason::PerpetualChase { by, of } } => {
            format!("{:?} wins: {} chased {}", color(winner), names(&by), names(&of))
        }
        GameStatus::Won { winner, reason } => format!("{:?} wins: {reason:?}", color(winner)),
    }
}

/// A cycle of four plies without captures from `position`: a move of each side and back again. An even choice prefers a
/// move that gives check or an answer to one, or a move of a piece that was attacked.
fn cycle(position: &Position, one: u16, other: u16) -> Option<Vec<Move>> {
    let mut after = position.clone();
    let first = chosen(&after, one)?;
    after.make(first);
    // The pieces that the first move attacks, if its side could move again.
    let again = after.with_side_to_move(position.side());
    let attacked: Vec<_> =
        again.legal_moves().iter().filter(|mv| mv.from() == first.to() && again.is_capture(*mv)).collect();
    let legal: Vec<Move> = after.legal_moves().iter().collect();
    let fleeing: Vec<Move> =
        legal.iter().copied().filter(|mv| attacked.iter().any(|attack| attack.to() == mv.from())).collect();
    let replies = if fleeing.is_empty() || other % 2 == 1 { legal } else { fleeing };
    let second = *replies.get(usize::from(other) % replies.len().max(1))?;
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    let moves = vec![first, second, back(first), back(second)];
    let mut position = position.clone();
    for &mv in &moves {
        if !position.is_legal(mv) || position.is_capture(mv) || mv.from() == mv.to() {
            return None;
        }
        position.make(mv);
    }
    Some(moves)
}

const RULES: [Repetition; 3] = [Repetition::Asian, Repetition::League, Repetition::Plain];

/// Plays two cycles, in turn until the position has occurred three times, on the board and on its image.
fn play(position: &Position, cycles: [&[Move]; 2], image: impl Fn(Move) -> Move) -> Position {
    let mut position = position.clone();
    for mv in cycles.concat() {
        position.make(image(mv));
    }
    position
}

#[test]
fn verdicts_are_symmetric() {
    let (draws, wins) = (Cell::new(0), Cell::new(0));
    let choices = prop::collection::vec(any::<[u16; 4]>(), 24);
    check(96, (walks(60), choices), |(walk, choices): (Walk, _)| {
        // Counters near the move limit would decide the game before the repetition.
        let fields: Vec<String> = walk.end().to_fen().split(' ').map(String::from).collect();
        let start = Position::from_fen(&format!("{} {} - - 0 1", fields[0], fields[1])).unwrap();
        for [one, other, third, fourth] in choices {
            let Some(first) = cycle(&start, one, other) else { continue };
            let second = cycle(&start, third, fourth).unwrap_or_else(|| first.clone());
            let played = play(&start, [&first, &second], |mv| mv);
            assert_eq!(occurrences(&played), 3);
            for repetition in RULES {
                let rules = Rules { repetition, ..Rules::default() };
                let expected = verdict(&played, &rules, None);
                for symmetry in Symmetry::ALL {
                    let image = play(&symmetry.position(&start), [&first, &second], |mv| symmetry.mv(mv));
                    // The symmetry undoes itself.
                    assert_eq!(verdict(&image, &rules, Some(symmetry)), expected, "{symmetry:?} {first:?} {second:?}");
                    for plies in [0, 4, 8] {
                        let verdicts = [&image, &played].map(|position| rules.repetition(position, plies));
                        assert_eq!(verdicts[0], verdicts[1], "{symmetry:?} {first:?} {second:?}");
                    }
                }
                let count = if expected.contains("wins") { &wins } else { &draws };
                count.set(count.get() + 1);
            }
        }
    });
    assert!(draws.get() > 0 && wins.get() > 0, "{draws:?} {wins:?}");
}

/// Draws by insufficient material and by the move limit are symmetric as well.
#[test]
fn draws_by_rule_are_symmetric() {
    check(192, walks(40), |walk| {
        let position = walk.end();
        for (move_limit, checks_count) in [(120, true), (100, false), (10, false)] {
            let rules = Rules { move_limit, checks_count, ..Rules::default() };
            for symmetry in Symmetry::ALL {
                let mut image = symmetry.position(&walk.start());
                walk.moves().into_iter().for_each(|mv| image.make(symmetry.mv(mv)));
                assert_eq!(rules.is_rule_draw(&image), rules.is_rule_draw(&position), "{}", position.to_fen());
                assert_eq!(verdict(&image, &rules, Some(symmetry)), verdict(&position, &rules, None));
            }
        }
    });
}

/// Where checks and the replies to them do not count, the limit is that of the other plies since the last capture.
#[test]
fn the_move_limit_counts_plies_that_neither_give_check_nor_answer_one() {
    let put_off = Cell::new(0);
    check(400, walks(60), |walk| {
        let mut position = walk.start();
        // For each ply made, whether it gave check or answered one.
        let mut forced = Vec::new();
        for mv in walk.moves() {
            let answers = position.in_check();
            position.make(mv);
            forced.push(answers || position.in_check());
        }
        let all = position.quiet_plies();
        let since_capture = (all as usize).min(forced.len());
        let free = all - forced.iter().rev().take(since_capture).filter(|&&is| is).count() as u32;
        let is_reached =
            |move_limit, checks_count| Rules { move_limit, checks_count, ..Rules::default() }.is_move_limit(&position);
        let fen = position.to_fen();
        assert!(is_reached(all, true) && !is_reached(all + 1, true), "{fen}");
        assert!(is_reached(free, false) && !is_reached(free + 1, false), "{fen}: {free}");
        assert_eq!(is_reached(all, false), free == all, "{fen}: {free} of {all}");
        put_off.set(put_off.get() + u32::from(free < all));
        // With a number of checks that count, between these two.
        let with_checks = |counted_checks, move_limit| Rules { counted_checks, move_limit, ..Rules::default() };
        let limit = |counted| (0..=all).rev().find(|&plies| with_checks(counted, plies).is_move_limit(&position));
        let limits = [0, 1, 2, 500].map(|counted| limit(counted).unwrap());
        assert!(limits.is_sorted() && limits[0] == free && limits[3] == all, "{fen}: {limits:?}");
    });
    assert!(put_off.get() > 0);
}
