//! Insufficient material: positions that neither side can win.

use crate::position::Position;
use crate::types::{Color, PieceType};

/// Whether neither side has the material to win, now or by promotion.
///
/// These cases, without rooks, knights, pawns and promotable pieces:
/// - Neither side has a cannon.
/// - One side has one cannon and no advisor, and either the other side has no advisor, or the side with the cannon has
///   no bishop and does not mate at once.
/// - Each side has one cannon and no advisors and bishops.
///
/// (To mate, a cannon needs screens, and advisors and bishops are the only ones left.)
#[inline]
pub(super) fn is_insufficient_material(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| !position.has_rook_knight_or_pawn(color))
        && without_rooks_knights_pawns(position)
}

/// The same for positions without rooks, knights and pawns.
#[cold]
fn without_rooks_knights_pawns(position: &Position) -> bool {
    if Color::ALL.into_iter().any(|color| position.has_promotable_pieces(color)) {
        return false;
    }
    let count = |color, kind| position.count(color, kind);
    let cannons = Color::ALL.map(|color| count(color, PieceType::Cannon));
    let (attacker, defender) = match cannons {
        [0, 0] => return true,
        [1, 0] => (Color::Red, Color::Black),
        [0, 1] => (Color::Black, Color::Red),
        [1, 1] => {
            return Color::ALL
                .into_iter()
                .all(|color| count(color, PieceType::Advisor) + count(color, PieceType::Bishop) == 0);
        }
        _ => return false,
    };
    let has_only_cannon = count(attacker, PieceType::Bishop) == 0 && !mates(position, attacker);
    count(attacker, PieceType::Advisor) == 0 && (count(defender, PieceType::Advisor) == 0 || has_only_cannon)
}

/// Whether it is `color`'s turn and one of its moves ends the game by checkmate or stalemate.
fn mates(position: &Position, color: Color) -> bool {
    if position.side() != color {
        return false;
    }
    let mut position = position.clone();
    position.legal_moves().iter().any(|mv| {
        position.make(mv);
        let mates = position.has_no_moves();
        position.undo();
        mates
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Variant;

    #[test]
    fn material_that_cannot_win_is_insufficient() {
        for (fen, expected) in [
            ("3k5/9/9/9/9/9/9/9/9/4K4 w", true),
            ("2bakab2/9/9/9/9/9/9/4B4/9/2BAKA3 w", true),
            ("3k5/9/9/9/9/9/9/9/9/3PK4 w", false),
            ("3k5/9/9/9/9/9/9/9/4N4/4K4 b", false),
            // A cannon without advisors against no advisor, with any bishops.
            ("3k5/9/9/9/9/9/9/9/4C4/4K4 w", true),
            ("2b1k1b2/9/9/9/9/9/9/4B4/4C4/3K5 b", true),
            ("3k5/9/9/9/9/9/9/9/4C4/3AK4 w", false),
            // A cannon without advisors and bishops against advisors, unless it mates at once.
            ("3ak4/9/9/9/9/9/9/9/4C4/3K5 w", true),
            ("3ak4/9/9/9/9/9/9/9/2B1C4/3K5 w", false),
            ("5k3/4a4/5a3/9/9/9/9/9/5C3/4K4 b", true),
            // Two cannons; a cannon on each side, alone or with other pieces.
            ("3k5/9/9/9/9/9/9/9/3CC4/4K4 w", false),
            ("3k5/9/4c4/9/9/9/9/9/4C4/4K4 w", true),
            ("3k5/9/4c4/9/9/9/9/9/4C4/3AK4 w", false),
            ("3k4b/9/4c4/9/9/9/9/9/4C4/4K4 w", false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(is_insufficient_material(&position), expected, "{fen}");
            assert_eq!(is_insufficient_material(&position.color_flipped()), expected, "{fen}, colors flipped");
        }
    }

    #[test]
    fn pieces_that_may_become_pawns_are_material() {
        for (fen, expected) in [("2bak4/9/9/9/9/9/9/9/9/3K5 w", false), ("3k5/9/9/9/9/9/9/9/9/4K4 w", true)] {
            let mut position = Position::from_fen(fen).unwrap();
            assert!(is_insufficient_material(&position), "{fen}");
            position.set_variant(Variant::Promotion);
            assert_eq!(is_insufficient_material(&position), expected, "{fen}");
        }
    }

    #[test]
    fn mate_in_one_by_a_cannon_is_sufficient() {
        let fens = ["4ka3/4a3C/9/9/9/9/9/9/9/3K5 w", "4ka3/4a3C/9/9/9/9/9/9/9/3K5 b", "4ka3/8C/9/9/9/9/9/9/9/3K5 w"];
        let is_insufficient = fens.map(|fen| is_insufficient_material(&Position::from_fen(fen).unwrap()));
        assert_eq!(is_insufficient, [false, true, true], "mate by i8i9, Black to move, and the king escapes to e8");
    }
}
