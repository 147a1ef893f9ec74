//! Repetition: the rules to choose from, and when a position occurred before.

use crate::position::Position;

/// How repetitions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The World Xiangqi Federation's rules: perpetual check loses, then perpetual chase of the same piece.
    Asian,
    /// The rules of the UCCI league manager and of ElephantEye: perpetual check loses, then perpetual chase by the
    /// moved piece, of more valuable pieces or of unprotected ones.
    League,
    /// The Chinese Xiangqi Association's rules: checks, threats of mate and chases are one family. See
    /// [`chinese`](super::chinese).
    Chinese,
    /// Perpetual check loses, every other repetition is a draw.
    Plain,
}

/// How many plies ago the position occurred before, the most recent occurrence first.
///
/// Scans the plies since the last capture, promotion or null move, two at a time: only positions with the same side to
/// move can be equal. The first candidate is 4 plies ago, because both sides have to move a piece away and back.
pub(super) fn recurrences(position: &Position) -> impl Iterator<Item = usize> + '_ {
    const MIN_CYCLE_PLIES: usize = 4;
    let key = position.key();
    let reversible = (position.quiet_plies() as usize).min(position.plies());
    let mut history = position.history().take(reversible).take_while(|past| past.mv.is_some());
    let mut plies = 0;
    std::iter::from_fn(move || {
        loop {
            history.next()?;
            let past = history.next()?;
            plies += 2;
            if past.key == key && plies >= MIN_CYCLE_PLIES {
                return Some(plies);
            }
        }
    })
}

/// How many plies ago the first of the position's last `occurrences` occurrences was; `None` if it has not occurred
/// that often.
pub fn recurrence(position: &Position, occurrences: usize) -> Option<usize> {
    recurrences(position).nth(occurrences.checked_sub(2)?)
}

/// How often the position has occurred, since the last capture or the beginning of the game.
pub fn occurrences(position: &Position) -> usize {
    1 + recurrences(position).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::PastPosition;

    /// Compares every earlier position of the game by its key.
    fn naive_recurrences(position: &Position) -> Vec<usize> {
        let reversible = (position.quiet_plies() as usize).min(position.plies());
        let history: Vec<PastPosition> = position.history().take(reversible).collect();
        let is_reachable = |plies: usize| history[..plies].iter().all(|past| past.mv.is_some());
        (1..=reversible).filter(|&plies| history[plies - 1].key == position.key() && is_reachable(plies)).collect()
    }

    #[test]
    fn recurrences_match_comparing_every_position() {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
        let (mut found, mut multiple) = (0, 0);
        for _ in 0..300 {
            let fen = "3ak4/4a4/9/9/2r6/6R2/9/4B4/4A4/3AK4 w - - 3 1";
            let mut position = Position::from_fen(fen).unwrap();
            for _ in 0..60 {
                if !position.in_check() && rng.random_ratio(1, 40) {
                    position.make_null();
                }
                // Mostly king and advisor moves, so that positions recur.
                let legal = position.legal_moves();
                let moves: Vec<_> =
                    legal.iter().filter(|mv| mv.to().is_in_palace() && !position.is_capture(*mv)).collect();
                let Some(&mv) = moves.get(rng.random_range(0..moves.len().max(1))) else { break };
                position.make(mv);
                let expected = naive_recurrences(&position);
                assert_eq!(recurrences(&position).collect::<Vec<_>>(), expected, "{}", position.to_fen());
                found += (!expected.is_empty()) as usize;
                multiple += (expected.len() > 1) as usize;
                let mut nth = expected.iter().enumerate();
                assert!(nth.all(|(index, &plies)| recurrence(&position, index + 2) == Some(plies)));
                assert_eq!((recurrence(&position, 1), recurrence(&position, expected.len() + 2)), (None, None));
            }
        }
        assert!(found > 500 && multiple > 100, "{found} {multiple}");
    }
}
