//! A move as WXF and Chinese notation describe it: the piece, the direction, the number of ranks or the target file.

use crate::position::Position;
use crate::types::{Color, Move, PieceType, Square};

/// The direction of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Along the rank.
    Across,
    /// Towards the opponent.
    Forward,
    /// Away from the opponent.
    Back,
}

/// The file of a piece and its order among the pieces of its type and color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// Its file, 1 to 9 from the player's right.
    pub file: u8,
    /// Number of such pieces on the file, itself included.
    pub count: u8,
    /// Number of such pieces on the file in front of it.
    pub before: u8,
    /// Number of files with several such pieces.
    pub shared_files: u8,
    /// Its index among such pieces on such files, from 0, counted from the right and on each file from the front.
    pub index: u8,
}

/// A move as the notations describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveDescription {
    pub color: Color,
    pub kind: PieceType,
    pub origin: Origin,
    pub direction: Direction,
    /// Number of ranks of a move straight forward or back; else the target file, 1 to 9 from the player's right.
    pub number: u8,
}

/// The file of a square as `color` numbers it, 1 to 9 from its right.
fn file(color: Color, square: Square) -> u8 {
    match color {
        Color::Red => 9 - square.file(),
        Color::Black => square.file() + 1,
    }
}

/// The rank of a square as seen by `color`, 0 is its back rank.
fn relative_rank(color: Color, square: Square) -> u8 {
    match color {
        Color::Red => square.rank(),
        Color::Black => 9 - square.rank(),
    }
}

/// Whether pieces of a type never move along a rank or file. Their moves are described by the target file.
fn is_oblique(kind: PieceType) -> bool {
    matches!(kind, PieceType::Advisor | PieceType::Bishop | PieceType::Knight)
}

impl Origin {
    fn of(position: &Position, color: Color, kind: PieceType, square: Square) -> Origin {
        let mut counts = [0; 10];
        let (mut before, mut index) = (0, 0);
        let same = || {
            position
                .pieces()
                .filter(|&(piece, _)| (piece.color(), piece.piece_type()) == (color, kind))
                .map(|(_, at)| at)
        };
        for at in same() {
            counts[file(color, at) as usize] += 1;
        }
        let order = |at: Square| (file(color, at), 9 - relative_rank(color, at));
        for at in same().filter(|&at| order(at) < order(square)) {
            before += (at.file() == square.file()) as u8;
            index += (counts[file(color, at) as usize] > 1) as u8;
        }
        let file = file(color, square);
        let shared_files = counts.iter().filter(|&&count| count > 1).count() as u8;
        Origin { file, count: counts[file as usize], before, shared_files, index }
    }

    /// Whether as many such pieces are in front of it as behind it, and at least one.
    pub(super) fn is_middle(&self) -> bool {
        self.count > 1 && self.before * 2 + 1 == self.count
    }
}

impl MoveDescription {
    /// Describes a move; `None` for a promotion (a move from a square to itself).
    pub(super) fn of(position: &Position, mv: Move) -> Option<MoveDescription> {
        let piece = position.piece_at(mv.from()).filter(|_| mv.from() != mv.to())?;
        let (color, kind) = (piece.color(), piece.piece_type());
        let [from, to] = [mv.from(), mv.to()].map(|square| relative_rank(color, square));
        let direction = match to.cmp(&from) {
            std::cmp::Ordering::Equal => Direction::Across,
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Less => Direction::Back,
        };
        let number =
            if direction == Direction::Across || is_oblique(kind) { file(color, mv.to()) } else { to.abs_diff(from) };
        Some(MoveDescription { color, kind, origin: Origin::of(position, color, kind, mv.from()), direction, number })
    }
}

/// Which piece of a type a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceSelector {
    /// The piece on this file.
    File(u8),
    /// The front one of two or more on a file.
    First,
    /// The middle one on a file.
    Middle,
    /// The rear one on a file.
    Last,
    /// The front one of two or three, the second of four or five: WXF `P+`.
    Ahead,
    /// The rear one of two or three, the last but one of four or five: WXF `P-`.
    Behind,
    /// The one with this [`Origin::index`].
    Index(u8),
    /// The front one of several on this file.
    FirstOn(u8),
    /// The middle one on this file.
    MiddleOn(u8),
    /// The rear one of several on this file.
    LastOn(u8),
    /// The one with this number, from 0 at the front, of several on this file.
    NumberOn(u8, u8),
}

impl PieceSelector {
    fn match_quality(self, kind: PieceType, origin: &Origin) -> MatchQuality {
        let (is_shared, behind) = (origin.count > 1, origin.count - 1 - origin.before);
        let ends = (origin.count > 3) as u8;
        let is_match = match self {
            PieceSelector::File(file) => {
                // Advisors or bishops on one file cannot move in the same direction.
                let is_exact =
                    !is_shared || origin.is_middle() || matches!(kind, PieceType::Advisor | PieceType::Bishop);
                return match origin.file == file {
                    true if is_exact => MatchQuality::Exact,
                    true => MatchQuality::Loose,
                    false => MatchQuality::None,
                };
            }
            PieceSelector::First => is_shared && origin.before == 0,
            PieceSelector::Middle => origin.is_middle(),
            PieceSelector::Last => is_shared && behind == 0,
            PieceSelector::Ahead => is_shared && origin.before == ends,
            PieceSelector::Behind => is_shared && behind == ends,
            PieceSelector::Index(index) => is_shared && origin.index == index,
            PieceSelector::FirstOn(file) => is_shared && origin.file == file && origin.before == 0,
            PieceSelector::MiddleOn(file) => origin.file == file && origin.is_middle(),
            PieceSelector::LastOn(file) => is_shared && origin.file == file && behind == 0,
            PieceSelector::NumberOn(number, file) => is_shared && origin.file == file && origin.before == number,
        };
        if is_match { MatchQuality::Exact } else { MatchQuality::None }
    }
}

/// How well a move matches a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    /// Not at all.
    None,
    /// Only if no other move matches.
    Loose,
    /// As the notation writes it.
    Exact,
}

/// A move as read from a text, to be matched with [`MoveDescription`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MovePattern {
    pub kind: PieceType,
    pub selector: PieceSelector,
    pub direction: Direction,
    pub number: u8,
}

impl MovePattern {
    /// How well a move matches.
    pub(super) fn match_quality(&self, description: &MoveDescription) -> MatchQuality {
        if (self.kind, self.direction, self.number) == (description.kind, description.direction, description.number) {
            self.selector.match_quality(self.kind, &description.origin)
        } else {
            MatchQuality::None
        }
    }
}
