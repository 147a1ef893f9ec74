//! Material that cannot win.

use crate::position::Position;
use crate::types::{Color, PieceType};

/// Whether neither side has men to win with, and none that could become such men.
///
/// That is so when nobody has a man that attacks; when a single cannon, without advisors to shoot over, faces a king without
/// advisors, or with them if it has no bishops either, and does not mate at once; and when each side has a cannon and nothing
/// else. (Mating with a cannon takes a second screen, and advisors and bishops are the only ones left.)
#[inline]
pub fn is_insufficient_material(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| !position.has_rook_knight_or_pawn(color))
        && without_rooks_knights_pawns(position)
}

/// The same, where there are no rooks, knights and pawns.
#[cold]
fn without_rooks_knights_pawns(position: &Position) -> bool {
    if Color::ALL.into_iter().any(|color| position.has_promotable_pieces(color)) {
        return false;
    }
    let count = |color, kind| position.count(color, kind);
    let cannons = Color::ALL.map(|color| count(color, PieceType::Cannon));
    let (holder, other) = match cannons {
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
    let is_alone = count(holder, PieceType::Bishop) == 0 && !mates(position, holder);
    count(holder, PieceType::Advisor) == 0 && (count(other, PieceType::Advisor) == 0 || is_alone)
}

/// Whether it is `color`'s turn and it has a move after which the other side has none.
fn mates(position: &Position, color: Color) -> bool {
    if position.side() != color {
        return false;
    }
    let mut position = position.clone();
    position.legal_moves().iter().any(|mv| {
        position.make(mv, &mut ());
        let mates = position.has_no_moves();
        position.undo(&mut ());
        mates
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_win_is_bare() {
        for (fen, bare) in [
            ("3k5/9/9/9/9/9/9/9/9/4K4 w", true),
            ("2bakab2/9/9/9/9/9/9/4B4/9/2BAKA3 w", true),
            ("3k5/9/9/9/9/9/9/9/9/3PK4 w", false),
            ("3k5/9/9/9/9/9/9/9/4N4/4K4 b", false),
            // A cannon against no advisor, whatever the bishops, if its side has no advisor.
            ("3k5/9/9/9/9/9/9/9/4C4/4K4 w", true),
            ("2b1k1b2/9/9/9/9/9/9/4B4/4C4/3K5 b", true),
            ("3k5/9/9/9/9/9/9/9/4C4/3AK4 w", false),
            // Against advisors, if its side has no bishop either, unless it mates at once.
            ("3ak4/9/9/9/9/9/9/9/4C4/3K5 w", true),
            ("3ak4/9/9/9/9/9/9/9/2B1C4/3K5 w", false),
            ("5k3/4a4/5a3/9/9/9/9/9/5C3/4K4 b", true),
            // Two cannons, or one each with others.
            ("3k5/9/9/9/9/9/9/9/3CC4/4K4 w", false),
            ("3k5/9/4c4/9/9/9/9/9/4C4/4K4 w", true),
            ("3k5/9/4c4/9/9/9/9/9/4C4/3AK4 w", false),
            ("3k4b/9/4c4/9/9/9/9/9/4C4/4K4 w", false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(is_insufficient_material(&position), bare, "{fen}");
            assert_eq!(is_insufficient_material(&position.color_flipped()), bare, "{fen}, sides exchanged");
        }
    }

    #[test]
    fn a_cannon_that_mates_at_once_wins() {
        let fens = ["4ka3/4a3C/9/9/9/9/9/9/9/3K5 w", "4ka3/4a3C/9/9/9/9/9/9/9/3K5 b", "4ka3/8C/9/9/9/9/9/9/9/3K5 w"];
        let bare = fens.map(|fen| is_insufficient_material(&Position::from_fen(fen).unwrap()));
        assert_eq!(bare, [false, true, true], "mate by Ci9, Black to move, and the king goes to e8");
    }
}
