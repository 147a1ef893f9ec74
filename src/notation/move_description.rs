//! A move in its player's words: which man, which way, how far or where to.

use crate::position::Position;
use crate::types::{Color, Move, PieceType, Square};

/// Which way a man goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along its rank.
    Across,
    /// Towards the opponent.
    Forward,
    /// Away from the opponent.
    Back,
}

/// Where a man stands among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its file, 1 to 9 from its player's right.
    pub file: u8,
    /// How many of its kind stand on the file, itself included.
    pub count: u8,
    /// How many of these stand before it.
    pub before: u8,
    /// How many files hold several of its kind.
    pub shared_files: u8,
    /// How many of its kind on such files come before it, counted from the right and on a file from the front.
    pub place: u8,
}

/// A move as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveDescription {
    pub color: Color,
    pub kind: PieceType,
    pub origin: Origin,
    pub direction: Direction,
    /// Ranks gone straight ahead or back, or else the file reached, 1 to 9 from the player's right.
    pub number: u8,
}

/// How many files `color` counts from its right to this square's.
fn file(color: Color, square: Square) -> u8 {
    match color {
        Color::Red => 9 - square.file(),
        Color::Black => square.file() + 1,
    }
}

/// How many ranks a square lies before `color`'s back rank.
fn height(color: Color, square: Square) -> u8 {
    match color {
        Color::Red => square.rank(),
        Color::Black => 9 - square.rank(),
    }
}

/// Whether men of a kind never go along a rank or file, so that the file they reach says how far they go.
fn is_oblique(kind: PieceType) -> bool {
    matches!(kind, PieceType::Advisor | PieceType::Bishop | PieceType::Knight)
}

impl Origin {
    fn of(position: &Position, color: Color, kind: PieceType, square: Square) -> Origin {
        let mut counts = [0; 10];
        let (mut before, mut place) = (0, 0);
        let like = || {
            position
                .pieces()
                .filter(|&(piece, _)| (piece.color(), piece.piece_type()) == (color, kind))
                .map(|(_, at)| at)
        };
        for at in like() {
            counts[file(color, at) as usize] += 1;
        }
        let order = |at: Square| (file(color, at), 9 - height(color, at));
        for at in like().filter(|&at| order(at) < order(square)) {
            before += (at.file() == square.file()) as u8;
            place += (counts[file(color, at) as usize] > 1) as u8;
        }
        let file = file(color, square);
        let shared_files = counts.iter().filter(|&&count| count > 1).count() as u8;
        Origin { file, count: counts[file as usize], before, shared_files, place }
    }

    /// The man before whom and behind whom as many of its kind stand, if there are others.
    pub fn is_middle(&self) -> bool {
        self.count > 1 && self.before * 2 + 1 == self.count
    }
}

impl MoveDescription {
    /// How a move is told; `None` if nothing moves.
    pub fn of(position: &Position, mv: Move) -> Option<MoveDescription> {
        let piece = position.piece_at(mv.from()).filter(|_| mv.from() != mv.to())?;
        let (color, kind) = (piece.color(), piece.piece_type());
        let [from, to] = [mv.from(), mv.to()].map(|square| height(color, square));
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

/// Which man of its kind is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceSelector {
    /// That on this file.
    File(u8),
    /// The foremost of two or more on a file.
    First,
    /// The one in the middle.
    Middle,
    /// The rearmost.
    Last,
    /// The foremost of two or three, the second of four or five: the federation's `P+`.
    Ahead,
    /// The rearmost of two or three, the last but one of four or five: the federation's `P-`.
    Behind,
    /// On a file with others, after so many that stand on such files.
    After(u8),
    /// The foremost on this file.
    FirstOn(u8),
    /// The one in the middle of this file.
    MiddleOn(u8),
    /// The rearmost on this file.
    LastOn(u8),
}

impl PieceSelector {
    fn match_quality(self, kind: PieceType, origin: &Origin) -> MatchQuality {
        let (is_shared, behind) = (origin.count > 1, origin.count - 1 - origin.before);
        let ends = (origin.count > 3) as u8;
        let fits = match self {
            PieceSelector::File(file) => {
                // Guards on one file cannot go the same way.
                let is_told =
                    !is_shared || origin.is_middle() || matches!(kind, PieceType::Advisor | PieceType::Bishop);
                return match origin.file == file {
                    true if is_told => MatchQuality::Exact,
                    true => MatchQuality::Loose,
                    false => MatchQuality::None,
                };
            }
            PieceSelector::First => is_shared && origin.before == 0,
            PieceSelector::Middle => origin.is_middle(),
            PieceSelector::Last => is_shared && behind == 0,
            PieceSelector::Ahead => is_shared && origin.before == ends,
            PieceSelector::Behind => is_shared && behind == ends,
            PieceSelector::After(place) => is_shared && origin.place == place,
            PieceSelector::FirstOn(file) => is_shared && origin.file == file && origin.before == 0,
            PieceSelector::MiddleOn(file) => origin.file == file && origin.is_middle(),
            PieceSelector::LastOn(file) => is_shared && origin.file == file && behind == 0,
        };
        if fits { MatchQuality::Exact } else { MatchQuality::None }
    }
}

/// How well a move fits what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchQuality {
    /// Not at all.
    None,
    /// If it is the only one.
    Loose,
    /// As it would be written.
    Exact,
}

/// A move as it was read: what is wanted of a [`MoveDescription`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovePattern {
    pub kind: PieceType,
    pub selector: PieceSelector,
    pub direction: Direction,
    pub number: u8,
}

impl MovePattern {
    /// How well a move that is told so fits.
    pub fn match_quality(&self, description: &MoveDescription) -> MatchQuality {
        if (self.kind, self.direction, self.number) == (description.kind, description.direction, description.number) {
            self.selector.match_quality(self.kind, &description.origin)
        } else {
            MatchQuality::None
        }
    }
}
