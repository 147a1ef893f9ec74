//! A move in its player's words: which man, which way, how far or where to.

use crate::position::Position;
use crate::types::{Color, Kind, Move, Square};

/// Which way a man goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Along its rank.
    Across,
    /// Towards the opponent.
    Forward,
    /// Away from the opponent.
    Back,
}

/// Where a man stands among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Its file, 1 to 9 from its player's right.
    pub file: u8,
    /// How many of its kind stand on the file, itself included.
    pub count: u8,
    /// How many of these stand before it.
    pub before: u8,
    /// How many files hold several of its kind.
    pub crowded: u8,
    /// How many of its kind on such files come before it, counted from the right and on a file from the front.
    pub place: u8,
}

/// A move as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    pub color: Color,
    pub kind: Kind,
    pub spot: Spot,
    pub way: Way,
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
fn is_oblique(kind: Kind) -> bool {
    matches!(kind, Kind::Advisor | Kind::Bishop | Kind::Knight)
}

impl Spot {
    fn of(position: &Position, color: Color, kind: Kind, square: Square) -> Spot {
        let mut counts = [0; 10];
        let (mut before, mut place) = (0, 0);
        let like = || position.men().filter(|&(man, _)| (man.color(), man.kind()) == (color, kind)).map(|(_, at)| at);
        for at in like() {
            counts[file(color, at) as usize] += 1;
        }
        let order = |at: Square| (file(color, at), 9 - height(color, at));
        for at in like().filter(|&at| order(at) < order(square)) {
            before += (at.file() == square.file()) as u8;
            place += (counts[file(color, at) as usize] > 1) as u8;
        }
        let file = file(color, square);
        let crowded = counts.iter().filter(|&&count| count > 1).count() as u8;
        Spot { file, count: counts[file as usize], before, crowded, place }
    }

    /// The man before whom and behind whom as many of its kind stand, if there are others.
    pub fn is_middle(&self) -> bool {
        self.count > 1 && self.before * 2 + 1 == self.count
    }
}

impl Description {
    /// How a move is told; `None` if nothing moves.
    pub fn of(position: &Position, mv: Move) -> Option<Description> {
        let man = position.piece_at(mv.from()).filter(|_| mv.from() != mv.to())?;
        let (color, kind) = (man.color(), man.kind());
        let [from, to] = [mv.from(), mv.to()].map(|square| height(color, square));
        let way = match to.cmp(&from) {
            std::cmp::Ordering::Equal => Way::Across,
            std::cmp::Ordering::Greater => Way::Forward,
            std::cmp::Ordering::Less => Way::Back,
        };
        let number = if way == Way::Across || is_oblique(kind) { file(color, mv.to()) } else { to.abs_diff(from) };
        Some(Description { color, kind, spot: Spot::of(position, color, kind, mv.from()), way, number })
    }
}

/// Which man of its kind is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
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

impl Which {
    fn fit(self, kind: Kind, spot: &Spot) -> Fit {
        let (is_shared, behind) = (spot.count > 1, spot.count - 1 - spot.before);
        let ends = (spot.count > 3) as u8;
        let fits = match self {
            Which::File(file) => {
                // Guards on one file cannot go the same way.
                let is_told = !is_shared || spot.is_middle() || matches!(kind, Kind::Advisor | Kind::Bishop);
                return match spot.file == file {
                    true if is_told => Fit::Exact,
                    true => Fit::Loose,
                    false => Fit::None,
                };
            }
            Which::First => is_shared && spot.before == 0,
            Which::Middle => spot.is_middle(),
            Which::Last => is_shared && behind == 0,
            Which::Ahead => is_shared && spot.before == ends,
            Which::Behind => is_shared && behind == ends,
            Which::After(place) => is_shared && spot.place == place,
            Which::FirstOn(file) => is_shared && spot.file == file && spot.before == 0,
            Which::MiddleOn(file) => spot.file == file && spot.is_middle(),
            Which::LastOn(file) => is_shared && spot.file == file && behind == 0,
        };
        if fits { Fit::Exact } else { Fit::None }
    }
}

/// How well a move fits what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Not at all.
    None,
    /// If it is the only one.
    Loose,
    /// As it would be written.
    Exact,
}

/// A move as it was read: what is wanted of a [`Description`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub kind: Kind,
    pub which: Which,
    pub way: Way,
    pub number: u8,
}

impl Wanted {
    /// How well a move that is told so fits.
    pub fn fit(&self, told: &Description) -> Fit {
        if (self.kind, self.way, self.number) == (told.kind, told.way, told.number) {
            self.which.fit(self.kind, &told.spot)
        } else {
            Fit::None
        }
    }
}
