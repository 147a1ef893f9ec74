//! Material classes: which pieces are on the board, without their squares.

use crate::position::Position;
use crate::types::{Color, Piece, PieceType};
use std::fmt;
use thiserror::Error;

/// The order of the pieces in names: `KRNCPABkrncpab`.
const ORDER: [PieceType; 6] =
    [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn, PieceType::Advisor, PieceType::Bishop];

/// Number of pieces of a type that a side has at most.
const fn limit(kind: PieceType) -> u8 {
    match kind {
        PieceType::King => 1,
        PieceType::Pawn => 5,
        _ => 2,
    }
}

/// A material class. Tables exist for classes of which Red is the stronger side: see [`Material::normalised`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// The number of pieces by color and type; one king each.
    counts: [[u8; PieceType::COUNT]; 2],
}

/// Why a text is not the name of a class.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    /// A letter that is no piece.
    #[error("{0:?}: {1:?} is not a piece")]
    Letter(String, char),
    /// A side has no king, or two.
    #[error("{0:?}: each side has one king, K and k")]
    Kings(String),
    /// More pieces of a type than there are.
    #[error("{0:?}: too many pieces {1:?}")]
    TooMany(String, char),
}

impl Material {
    /// The class of a position; `None` if a side has more pieces of a type than at the start of a game.
    pub fn of(position: &Position) -> Option<Material> {
        let mut counts = [[0; PieceType::COUNT]; 2];
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let count = position.count(color, kind) as u8;
                if count > limit(kind) {
                    return None;
                }
                counts[color.index()][kind.index()] = count;
            }
        }
        Some(Material { counts })
    }

    /// Reads a name such as `KRkaabb`: the pieces of both sides in any order, Red's in capitals.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(name: &str) -> Result<Material, MaterialError> {
        let mut material = Material { counts: [[0; PieceType::COUNT]; 2] };
        for letter in name.chars() {
            let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
            let piece = piece.ok_or_else(|| MaterialError::Letter(name.to_string(), letter))?;
            let count = &mut material.counts[piece.color().index()][piece.piece_type().index()];
            *count += 1;
            if *count > limit(piece.piece_type()) {
                return Err(MaterialError::TooMany(name.to_string(), letter));
            }
        }
        if material.counts.iter().any(|counts| counts[PieceType::King.index()] != 1) {
            return Err(MaterialError::Kings(name.to_string()));
        }
        Ok(material)
    }

    /// The number of pieces of a color and type.
    pub fn count(&self, color: Color, kind: PieceType) -> u8 {
        self.counts[color.index()][kind.index()]
    }

    /// The class without the advisors and bishops of a side.
    pub fn without_guards(mut self, color: Color) -> Material {
        for kind in [PieceType::Advisor, PieceType::Bishop] {
            self.counts[color.index()][kind.index()] = 0;
        }
        self
    }

    /// The number of pieces, kings included.
    pub fn pieces(&self) -> u32 {
        self.counts.iter().flatten().map(|&count| u32::from(count)).sum()
    }

    /// The number of attacking pieces (rooks, knights, cannons, pawns) of a side.
    pub fn attackers(&self, color: Color) -> u8 {
        [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn]
            .iter()
            .map(|&kind| self.count(color, kind))
            .sum()
    }

    /// Whether only one side has attacking pieces.
    pub fn is_one_sided(&self) -> bool {
        Color::ALL.iter().filter(|&&color| self.attackers(color) > 0).count() == 1
    }

    /// Whether it has only kings and pawns, which may chase perpetually.
    pub fn has_only_pawns(&self) -> bool {
        Color::ALL.iter().all(|&color| {
            PieceType::ALL
                .iter()
                .all(|&kind| matches!(kind, PieceType::King | PieceType::Pawn) || self.count(color, kind) == 0)
        })
    }

    /// The class with colors exchanged.
    pub fn flipped(&self) -> Material {
        let [red, black] = self.counts;
        Material { counts: [black, red] }
    }

    /// The class or the one with colors exchanged, whichever has the stronger Red, and whether it was exchanged.
    pub fn normalised(&self) -> (Material, bool) {
        let strength = |color: Color| {
            let count = |kind| u32::from(self.count(color, kind));
            let attackers = 9 * count(PieceType::Rook)
                + 4 * (count(PieceType::Knight) + count(PieceType::Cannon))
                + 2 * count(PieceType::Pawn);
            (attackers, self.counts[color.index()])
        };
        if strength(Color::Red) >= strength(Color::Black) { (*self, false) } else { (self.flipped(), true) }
    }

    /// The class without one of these pieces, which it has.
    pub fn without(&self, piece: Piece) -> Material {
        let mut rest = *self;
        rest.counts[piece.color().index()][piece.piece_type().index()] -= 1;
        rest
    }

    /// All classes that can follow by captures, normalised, with attackers of at least one side, smallest first.
    pub fn subclasses(&self) -> Vec<Material> {
        let mut found: Vec<Material> = Vec::new();
        let mut rest = vec![*self];
        while let Some(material) = rest.pop() {
            let kinds = |color| ORDER.iter().map(move |&kind| (color, kind));
            for (color, kind) in Color::ALL.into_iter().flat_map(kinds) {
                if material.count(color, kind) == 0 {
                    continue;
                }
                let (next, _) = material.without(Piece::new(color, kind)).normalised();
                if Color::ALL.iter().any(|&color| next.attackers(color) > 0) && !found.contains(&next) {
                    found.push(next);
                    rest.push(next);
                }
            }
        }
        found.sort_by_key(|material| (material.pieces(), material.to_string()));
        found
    }

    /// The pieces other than kings as groups of equal ones: color, type and number.
    pub fn groups(&self) -> Vec<(Color, PieceType, u8)> {
        // The attackers come last, so that their squares vary fastest in the order of positions.
        let all = Color::ALL.into_iter().rev().flat_map(|color| ORDER.iter().rev().map(move |&kind| (color, kind)));
        all.map(|(color, kind)| (color, kind, self.count(color, kind))).filter(|group| group.2 > 0).collect()
    }
}

/// The name: `K` and Red's pieces, `k` and Black's.
impl fmt::Display for Material {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for color in Color::ALL {
            for kind in [PieceType::King].iter().chain(&ORDER) {
                for _ in 0..self.count(color, *kind) {
                    write!(out, "{}", Piece::new(color, *kind).letter())?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(materials: &[Material]) -> Vec<String> {
        materials.iter().map(Material::to_string).collect()
    }

    #[test]
    fn names_are_read_and_written() {
        for (text, name) in [("KRkaabb", "KRkaabb"), ("bkRKaba", "KRkaabb"), ("KCAk", "KCAk"), ("KEHkeh", "KNBknb")] {
            assert_eq!(Material::read(text).unwrap().to_string(), name);
        }
        assert_eq!(Material::read("KRxk"), Err(MaterialError::Letter("KRxk".into(), 'x')));
        assert_eq!(Material::read("KRRRk"), Err(MaterialError::TooMany("KRRRk".into(), 'R')));
        for text in ["", "KR", "KRkk", "rk"] {
            assert!(Material::read(text).is_err(), "{text}");
        }
        let start = Material::of(&Position::start()).unwrap();
        assert_eq!(start.to_string(), "KRRNNCCPPPPPAABBkrrnnccpppppaabb");
    }

    #[test]
    fn stronger_side_is_red() {
        for (text, name, flipped) in [
            ("KRkn", "KRkn", false),
            ("KNkr", "KRkn", true),
            ("KkP", "KPk", false),
            ("Kkp", "KPk", true),
            ("KAkab", "KABka", true),
        ] {
            let (material, is_flipped) = Material::read(text).unwrap().normalised();
            assert_eq!((material.to_string().as_str(), is_flipped), (name, flipped));
        }
    }

    #[test]
    fn captures_lead_to_smaller_classes_with_attackers() {
        let below = |name: &str| names(&Material::read(name).unwrap().subclasses());
        assert_eq!(below("KRk"), [""; 0]);
        assert_eq!(below("KRkaab"), ["KRk", "KRka", "KRkb", "KRkaa", "KRkab"]);
        assert_eq!(below("KRkn"), ["KNk", "KRk"]);
    }
}
