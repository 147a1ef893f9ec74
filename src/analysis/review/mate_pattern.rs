//! The usual names of mates (基本杀法), as predicates on the mate and the line that leads to it.

use super::line::{between, checkers, is_between};
use crate::position::Position;
use crate::tables::leapers::knight_leg;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// Greatest number of plies of a line whose end is named: of longer ones nobody sees it from the beginning.
const MAX_PLIES: usize = 11;

/// A mate with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatePattern {
    /// A rook gives itself for the advisor in the middle of the palace.
    SwordToTheHeart,
    /// A cannon gives check over its own knight, two squares from the king.
    CannonBehindHorse,
    /// A cannon gives check over its own cannon.
    DoubleCannons,
    /// A cannon gives check over an advisor, and the king's own pieces leave it no square.
    SmotheredPalace,
    /// A knight gives check from the square in front of a bishop's first one.
    CrouchingHorse,
    /// A knight gives check from a corner of the palace.
    PalaceCornerHorse,
    /// A cannon holds the middle file, and a rook or pawn gives check beside the king on the back rank.
    IronBolt,
    /// A rook gives check with a knight two ranks and two files from the king's first square.
    AnglersHorse,
    /// A rook gives check, and another one takes a neighbouring line.
    TwoRooks,
    /// The king may not step into the view of the other king.
    FacingKings,
}

impl MatePattern {
    /// All of them.
    pub(crate) const ALL: [MatePattern; 10] = [
        MatePattern::SwordToTheHeart,
        MatePattern::CannonBehindHorse,
        MatePattern::DoubleCannons,
        MatePattern::SmotheredPalace,
        MatePattern::CrouchingHorse,
        MatePattern::PalaceCornerHorse,
        MatePattern::IronBolt,
        MatePattern::AnglersHorse,
        MatePattern::TwoRooks,
        MatePattern::FacingKings,
    ];

    /// Its name in JSON and in arguments, in English and in Chinese.
    pub(crate) fn names(self) -> [&'static str; 3] {
        match self {
            MatePattern::SwordToTheHeart => ["sword-to-the-heart", "sword to the heart", "大刀剜心"],
            MatePattern::CannonBehindHorse => ["cannon-behind-horse", "cannon behind the horse", "马后炮"],
            MatePattern::DoubleCannons => ["double-cannons", "double cannons", "重炮"],
            MatePattern::SmotheredPalace => ["smothered-palace", "smothered palace", "闷宫"],
            MatePattern::CrouchingHorse => ["crouching-horse", "crouching horse", "卧槽马"],
            MatePattern::PalaceCornerHorse => ["palace-corner-horse", "palace-corner horse", "挂角马"],
            MatePattern::IronBolt => ["iron-bolt", "iron bolt", "铁门栓"],
            MatePattern::AnglersHorse => ["anglers-horse", "angler's horse", "钓鱼马"],
            MatePattern::TwoRooks => ["two-rooks", "two rooks", "双车错"],
            MatePattern::FacingKings => ["facing-kings", "facing kings", "白脸将"],
        }
    }
}

/// The name of the mate at the end of a line from `position`, in which the winner moves first. `None`: it has none, or the
/// line is long or does not end in a mate by check.
pub(crate) fn mate_pattern(position: &Position, line: &[Move]) -> Option<MatePattern> {
    let mut last = position.clone();
    let mut is_sword = false;
    for (ply, &mv) in line.iter().enumerate() {
        let [piece, captured] = [mv.from(), mv.to()].map(|square| last.piece_at(square).map(|it| it.piece_type()));
        let is_heart = place(!position.side(), mv.to()) == (1, 4);
        is_sword |= ply.is_multiple_of(2)
            && ply + 1 < line.len()
            && is_heart
            && (piece, captured) == (Some(PieceType::Rook), Some(PieceType::Advisor));
        last.make(mv);
    }
    if line.len() > MAX_PLIES || !last.in_check() || !last.has_no_moves() || last.side() == position.side() {
        return None;
    }
    let mate = Mate { position: &last, king: last.king(last.side()), winner: position.side() };
    let checkers: Vec<Square> = checkers(&last).collect();
    let by_checker = || checkers.iter().find_map(|&square| mate.by_checker(square, checkers.len()));
    let is_facing = || mate.is_facing(&checkers).then_some(MatePattern::FacingKings);
    if is_sword { Some(MatePattern::SwordToTheHeart) } else { by_checker().or_else(is_facing) }
}

/// The ranks from `side`'s back rank and the file of a square.
fn place(side: Color, square: Square) -> (u8, u8) {
    let rank = square.rank();
    (if side == Color::Red { rank } else { 9 - rank }, square.file())
}

struct Mate<'a> {
    position: &'a Position,
    king: Square,
    winner: Color,
}

impl Mate<'_> {
    fn has(&self, square: Square, piece_type: PieceType) -> bool {
        self.position.piece_at(square) == Some(Piece::new(self.winner, piece_type))
    }

    fn place(&self, square: Square) -> (u8, u8) {
        place(!self.winner, square)
    }

    /// The winner's pieces of a type.
    fn pieces(&self, piece_type: PieceType) -> impl Iterator<Item = Square> + '_ {
        let wanted = Piece::new(self.winner, piece_type);
        self.position.pieces().filter(move |&(piece, _)| piece == wanted).map(|(_, square)| square)
    }

    /// The squares beside the king in its palace.
    fn steps(&self) -> impl Iterator<Item = Square> + '_ {
        let steps = [-16, -1, 1, 16].map(|step| self.king.offset(step));
        steps.into_iter().filter(|square| square.is_on_board() && square.is_in_palace())
    }

    fn by_checker(&self, square: Square, checkers: usize) -> Option<MatePattern> {
        match self.position.piece_at(square)?.piece_type() {
            PieceType::Cannon => {
                let [screen] = between(self.position, square, self.king)[..] else { return None };
                let distance = screen.file().abs_diff(self.king.file()) + screen.rank().abs_diff(self.king.rank());
                if self.has(screen, PieceType::Knight) && distance == 2 {
                    return Some(MatePattern::CannonBehindHorse);
                }
                if self.has(screen, PieceType::Cannon) {
                    return Some(MatePattern::DoubleCannons);
                }
                let own = |square| self.position.piece_at(square).filter(|piece| piece.color() != self.winner);
                let is_advisor = own(screen).is_some_and(|piece| piece.piece_type() == PieceType::Advisor);
                let is_smothered = checkers == 1 && is_advisor && self.steps().all(|step| own(step).is_some());
                is_smothered.then_some(MatePattern::SmotheredPalace)
            }
            PieceType::Knight => match self.place(square) {
                (1, 2 | 6) => Some(MatePattern::CrouchingHorse),
                (2, 3 | 5) => Some(MatePattern::PalaceCornerHorse),
                _ => None,
            },
            piece_type @ (PieceType::Rook | PieceType::Pawn) => {
                let holds =
                    |cannon: Square| cannon.file() == 4 && !between(self.position, cannon, self.king).is_empty();
                let is_beside = self.place(self.king) == (0, 4) && matches!(self.place(square), (0, 3 | 5));
                if is_beside && self.pieces(PieceType::Cannon).any(holds) {
                    return Some(MatePattern::IronBolt);
                }
                (piece_type == PieceType::Rook).then(|| self.by_rook(square)).flatten()
            }
            _ => None,
        }
    }

    /// A mate by the check of the rook on `square`.
    fn by_rook(&self, square: Square) -> Option<MatePattern> {
        let is_free = |leg| self.position.is_empty(leg);
        let guards = |from| self.steps().any(|step| knight_leg(from, step).is_some_and(is_free));
        let is_angler = |knight: Square| matches!(self.place(knight), (2, 2 | 6)) && guards(knight);
        if self.pieces(PieceType::Knight).any(is_angler) {
            return Some(MatePattern::AnglersHorse);
        }
        // It takes a square from the king.
        let covers = |other: Square, step: Square| {
            let is_file = step.file() == other.file() && step.file() != self.king.file();
            let is_rank = step.rank() == other.rank() && step.rank() != self.king.rank();
            (is_file || is_rank) && between(self.position, other, step).is_empty()
        };
        let is_second = |other: Square| other != square && self.steps().any(|step| covers(other, step));
        self.pieces(PieceType::Rook).any(is_second).then_some(MatePattern::TwoRooks)
    }

    /// Whether only the other king forbids a step of the king.
    fn is_facing(&self, checkers: &[Square]) -> bool {
        let other = self.position.king(self.winner);
        let is_along_check = |step: Square| checkers.iter().any(|&it| is_between(it, self.king, step));
        let is_own = |step| self.position.piece_at(step).is_some_and(|piece| piece.color() != self.winner);
        self.steps().any(|step| {
            step.file() == other.file()
                && !is_own(step)
                && between(self.position, step, other).is_empty()
                && !self.position.is_attacked(step, self.winner)
                && !is_along_check(step)
        })
    }
}
