//! Names of openings by the codes of the Encyclopedia of Chinese Chess Openings (ECCO), from `ecco.txt`, which says how
//! codes are recognised.

use crate::types::Move;
use std::sync::LazyLock;

/// Number of plies that decide the code.
const PLIES: usize = 20;

/// An opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    /// Its code: a letter and two digits.
    pub code: &'static str,
    /// The English name of the group of codes.
    pub english: &'static str,
    /// The Chinese name of the opening.
    pub name: &'static str,
    /// The Chinese name of the variation; empty if it has none.
    pub variation: &'static str,
}

impl Opening {
    /// The Chinese names of the opening and of its variation.
    pub(crate) fn chinese(&self) -> String {
        [self.name, self.variation].join(" ").trim_end().to_string()
    }
}

/// The opening of a game from the start position, by its first moves; `None` without a move.
pub(crate) fn opening(moves: &[Move]) -> Option<Opening> {
    let moves = &moves[..moves.len().min(PLIES)];
    moves.first()?;
    let mirrored: Vec<Move> = moves.iter().map(|mv| mv.mirrored()).collect();
    let sides =
        [moves, &mirrored].map(|moves| [0, 1].map(|side| moves.iter().skip(side).step_by(2).copied().collect()));
    let matching = PATTERNS.iter().filter_map(|pattern| {
        let counts = sides.iter().filter_map(|sides: &[Vec<Move>; 2]| pattern.count(sides));
        counts.max().map(|count| (count, pattern.opening))
    });
    // Of equal ones, the last.
    matching.max_by_key(|&(count, _)| count).map(|(_, opening)| opening)
}

/// The moves that make up a code.
struct Pattern {
    opening: Opening,
    conditions: [Vec<Condition>; 2],
}

/// A condition on the moves of a side.
struct Condition {
    /// One of these moves,
    moves: Vec<Move>,
    /// played as the side's move of this index,
    index: Option<usize>,
    /// or not played.
    is_absent: bool,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut english = "";
    let mut patterns = Vec::new();
    for line in include_str!("ecco.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("= ") {
            Some(name) => english = name,
            None => patterns.extend(pattern(line, english)),
        }
    }
    patterns
});

/// Reads a line; `None` if it is not one (a test reads them all).
fn pattern(line: &'static str, english: &'static str) -> Option<Pattern> {
    let mut fields = line.split('\t').map(|field| if field == "-" { "" } else { field });
    let [code, name, variation] = [fields.next()?, fields.next()?, fields.next()?];
    let mut side =
        || -> Option<Vec<Condition>> { fields.next()?.split(' ').filter(|it| !it.is_empty()).map(condition).collect() };
    Some(Pattern { opening: Opening { code, english, name, variation }, conditions: [side()?, side()?] })
}

fn condition(word: &str) -> Option<Condition> {
    let (is_absent, word) = word.strip_prefix('!').map_or((false, word), |word| (true, word));
    let (index, moves) = match word.split_once(':') {
        Some((number, moves)) => (Some(number.parse::<usize>().ok()?.checked_sub(1)?), moves),
        None => (None, word),
    };
    Some(Condition { moves: moves.split('|').map(|mv| mv.parse().ok()).collect::<Option<_>>()?, index, is_absent })
}

impl Pattern {
    /// The number of moves of the pattern that both sides played; `None` if a condition is not met.
    fn count(&self, sides: &[Vec<Move>; 2]) -> Option<usize> {
        let mut count = 0;
        for (conditions, moves) in self.conditions.iter().zip(sides) {
            if !conditions.iter().all(|condition| condition.is_met(moves)) {
                return None;
            }
            count += conditions.iter().filter(|condition| !condition.is_absent).count();
        }
        Some(count)
    }
}

impl Condition {
    fn is_met(&self, moves: &[Move]) -> bool {
        let is_played = match self.index {
            Some(index) => moves.get(index).is_some_and(|mv| self.moves.contains(mv)),
            None => self.moves.iter().any(|mv| moves.contains(mv)),
        };
        is_played != self.is_absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(moves: &str) -> Option<&'static str> {
        let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        opening(&moves).map(|opening| opening.code)
    }

    #[test]
    fn every_line_is_read() {
        let lines = include_str!("ecco.txt").lines().filter(|line| !line.starts_with(['#', '=']));
        let codes: Vec<&str> = lines.map(|line| &line[..3]).collect();
        assert_eq!(PATTERNS.iter().map(|pattern| pattern.opening.code).collect::<Vec<_>>(), codes);
        assert!(codes.is_sorted() && codes.len() > 250);
        assert!(PATTERNS.iter().all(|pattern| !pattern.opening.english.is_empty()));
    }

    #[test]
    fn openings_are_recognised_in_any_order_and_mirrored() {
        assert_eq!(code(""), None);
        assert_eq!(code("a0a1"), Some("A00"));
        let screen_horses = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8";
        assert_eq!(code(screen_horses), Some("C41"));
        assert_eq!(code("h2e2 b9c7 c3c4 g6g5 h0g2 h9g7 i0h0 i9h9 h0h6 h7i7 h6g6 i7i8"), Some("C41"));
        assert_eq!(code("b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 c6c5 b0b6 b7a7 b6c6 a7a8"), Some("C41"));
        let name = opening(&[("h2e2").parse().unwrap(), "h7e7".parse().unwrap()]).unwrap();
        assert_eq!((name.english, name.chinese().as_str()), ("Same Direction Cannons", "顺炮缓开车对其他"));
    }

    /// The first eight plies of openings with their codes, of which many are decided later.
    #[test]
    fn known_openings_get_codes_of_their_group() {
        let lines = include_str!("openings.txt").lines().filter(|line| !line.starts_with('#'));
        let lines: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(" * ; ")).collect();
        let counts = [1, 2, 3].map(|length| {
            lines.iter().filter(|(moves, known)| code(moves).unwrap()[..length] == known[..length]).count()
        });
        assert_eq!(lines.len(), 156);
        assert!(counts[0] >= 155 && counts[1] >= 129 && counts[2] >= 102, "{counts:?}");
    }
}
