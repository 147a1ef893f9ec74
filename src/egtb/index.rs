//! The order of the positions of a material class: each is given by the squares of its pieces, as a number.
//!
//! Each piece has only the squares it can reach: 9 for a king, 5 for an advisor, 7 for a bishop, 55 for a pawn, 90 for
//! the others. Equal pieces are unordered. Positions are mirrored so that Red's king is on file d or e. A number may
//! stand for an impossible position (two pieces on a square, kings that face each other, a king that could be captured):
//! the table marks these.

use super::material::Material;
use crate::position::Position;
use crate::types::{Color, Piece, PieceType, Square};

/// Maximum number of pieces of a class: those of one side without its pawns twice, and two pawns more.
pub const MAX_PIECES: usize = 16;

/// Squares of the pieces of a position, in the order of its class: Red's king, Black's king, then the groups.
pub type Squares = [Square; MAX_PIECES];

/// The files on which Red's king stands in indexed positions: d and e.
const RED_KING_FILES: std::ops::RangeInclusive<u8> = 3..=4;

/// The numbers of the positions of a class.
pub struct Indexer {
    /// The kings, then the groups of equal pieces.
    groups: Vec<Group>,
    /// Number of pieces.
    pieces: usize,
    /// By color and type: the place of its first piece in [`Squares`].
    first: [[u8; PieceType::COUNT]; 2],
    /// Number of positions.
    size: usize,
}

/// The placements of some equal pieces.
struct Group {
    color: Color,
    kind: PieceType,
    /// Number of pieces.
    count: usize,
    /// By square: its number among the squares of the piece.
    numbers: [u8; 256],
    /// The placements in order: the squares of the pieces, in ascending order of their numbers.
    placements: Vec<[Square; 5]>,
    /// Number of positions for one placement of this group and those before it.
    stride: usize,
}

impl Indexer {
    /// The number of positions of a class for each side to move, impossible ones included; `None` if it has more than
    /// [`MAX_PIECES`] pieces, or more than 2³² positions.
    pub fn size_of(material: &Material) -> Option<usize> {
        if material.pieces() as usize > MAX_PIECES {
            return None;
        }
        let placements = |(color, kind, count): (Color, PieceType, u8)| {
            let squares = Square::all().filter(|&square| is_possible(color, kind, square)).count();
            binomial(squares, count.into())
        };
        let mut sizes = material.groups().into_iter().map(placements);
        let size = sizes.try_fold(6 * 9_usize, usize::checked_mul);
        size.filter(|&size| size <= u32::MAX as usize)
    }

    /// The indexer of a class; `None` if [`Indexer::size_of`] is.
    pub fn new(material: &Material) -> Option<Indexer> {
        let size = Indexer::size_of(material)?;
        let kings = [(Color::Red, PieceType::King, 1), (Color::Black, PieceType::King, 1)];
        let mut groups: Vec<Group> = kings
            .into_iter()
            .chain(material.groups())
            .map(|(color, kind, count)| Group::new(color, kind, count as usize))
            .collect();
        let mut stride = 1;
        for group in groups.iter_mut().rev() {
            group.stride = stride;
            stride *= group.placements.len();
        }
        debug_assert_eq!(stride, size);
        let mut first = [[0; PieceType::COUNT]; 2];
        let mut place = 0;
        for group in &groups {
            first[group.color.index()][group.kind.index()] = place;
            place += group.count as u8;
        }
        Some(Indexer { groups, pieces: material.pieces() as usize, first, size })
    }

    /// Number of positions for each side to move, impossible ones included.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Number of pieces.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Color and type of each piece in the order of [`Squares`].
    pub fn kinds(&self) -> impl Iterator<Item = (Color, PieceType)> {
        self.groups.iter().flat_map(|group| std::iter::repeat_n((group.color, group.kind), group.count))
    }

    /// The number of a position. Mirrors it if Red's king is on file f. Equal pieces may be in any order.
    pub fn index(&self, squares: &Squares) -> usize {
        let is_mirrored = !RED_KING_FILES.contains(&squares[0].file());
        let mut first = 0;
        let mut index = 0;
        for group in &self.groups {
            let mut numbers = [0; 5];
            let own = &squares[first..first + group.count];
            for (number, &square) in numbers.iter_mut().zip(own) {
                let square = if is_mirrored { square.mirrored() } else { square };
                *number = group.numbers[square.index()] as usize;
            }
            index += group.rank(&mut numbers[..group.count]) * group.stride;
            first += group.count;
        }
        index
    }

    /// The squares of the pieces of a position of the class, or of the class with colors exchanged if `is_flipped`, apart from
    /// the guards of the side `unguarded`, which the class has not; `None` if a piece stands where it can never get, as in
    /// positions made up by people.
    pub fn squares_of(&self, position: &Position, is_flipped: bool, unguarded: Option<Color>) -> Option<Squares> {
        let mut squares = [Square::OFF; MAX_PIECES];
        let mut next = self.first;
        let is_counted = |piece: Piece| {
            Some(piece.color()) != unguarded || !matches!(piece.piece_type(), PieceType::Advisor | PieceType::Bishop)
        };
        for (piece, square) in position.pieces().filter(|&(piece, _)| is_counted(piece)) {
            let (color, square) = if is_flipped { (!piece.color(), square.flipped()) } else { (piece.color(), square) };
            let kind = piece.piece_type();
            if kind != PieceType::King && !is_possible(color, kind, square) {
                return None;
            }
            let place = &mut next[color.index()][kind.index()];
            squares[usize::from(*place)] = square;
            *place += 1;
        }
        Some(squares)
    }

    /// The squares of the pieces of a numbered position.
    pub fn squares(&self, index: usize) -> Squares {
        let mut squares = [Square::OFF; MAX_PIECES];
        let mut rest = index;
        let mut first = 0;
        for group in &self.groups {
            let placement = &group.placements[rest / group.stride];
            rest %= group.stride;
            squares[first..first + group.count].copy_from_slice(&placement[..group.count]);
            first += group.count;
        }
        squares
    }
}

impl Group {
    fn new(color: Color, kind: PieceType, count: usize) -> Group {
        let squares: Vec<Square> = Square::all().filter(|&square| is_possible(color, kind, square)).collect();
        let mut numbers = [0; 256];
        for (number, square) in squares.iter().enumerate() {
            numbers[square.index()] = number as u8;
        }
        // In the order of `rank`: the greatest number varies slowest.
        let mut placements: Vec<Vec<usize>> = vec![Vec::new()];
        for taken in 1..=count {
            placements = (taken - 1..squares.len())
                .flat_map(|greatest| {
                    let below = placements
                        .iter()
                        .take_while(move |placement| placement.last().is_none_or(|&last| last < greatest));
                    below.map(move |placement| placement.iter().copied().chain([greatest]).collect())
                })
                .collect();
        }
        let placements = placements
            .into_iter()
            .map(|numbers| {
                let mut placement = [Square::OFF; 5];
                for (square, number) in placement.iter_mut().zip(numbers) {
                    *square = squares[number];
                }
                placement
            })
            .collect();
        Group { color, kind, count, numbers, placements, stride: 0 }
    }

    /// The number of a placement, given the numbers of the squares in any order: the combinatorial number system. With
    /// two pieces on one square it is that of some placement.
    fn rank(&self, numbers: &mut [usize]) -> usize {
        match numbers {
            [one] => *one,
            [one, other] => {
                let (low, high) = ((*one).min(*other), (*one).max(*other));
                low + high * high.saturating_sub(1) / 2
            }
            _ => {
                numbers.sort_unstable();
                numbers.iter().zip(1..).map(|(&number, taken)| binomial(number, taken)).sum()
            }
        }
    }
}

/// `n` over `k`.
const fn binomial(n: usize, k: usize) -> usize {
    let (mut result, mut i) = (1, 0);
    while i < k {
        if n < k {
            return 0;
        }
        result = result * (n - i) / (i + 1);
        i += 1;
    }
    result
}

/// Whether a piece can ever stand on a square of a position or of its mirror image: Red's king is on file d or e, see
/// [`Indexer::index`].
pub fn is_possible(color: Color, kind: PieceType, square: Square) -> bool {
    // From Red's side.
    let own = if color == Color::Red { square } else { square.flipped() };
    let (file, rank) = (own.file(), own.rank());
    match kind {
        PieceType::King => {
            (3..=5).contains(&file) && rank <= 2 && (color == Color::Black || RED_KING_FILES.contains(&file))
        }
        PieceType::Advisor => [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)].contains(&(file, rank)),
        PieceType::Bishop => [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)].contains(&(file, rank)),
        PieceType::Pawn => rank >= 5 || rank >= 3 && file % 2 == 0,
        PieceType::Rook | PieceType::Knight | PieceType::Cannon => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indexer(name: &str) -> Indexer {
        Indexer::new(&Material::read(name).unwrap()).unwrap()
    }

    #[test]
    fn sizes_are_products_of_the_squares_of_each_piece() {
        for (name, size) in [
            ("KRk", 6 * 9 * 90),
            ("KPk", 6 * 9 * 55),
            ("KRkaabb", 6 * 9 * 90 * 10 * 21),
            ("KNNkab", 6 * 9 * 4005 * 5 * 7),
            ("KPPPk", 6 * 9 * 26_235),
        ] {
            assert_eq!(indexer(name).size(), size, "{name}");
        }
        assert!(Indexer::new(&Material::read("KRRNNCCAABBkrrnn").unwrap()).is_none(), "too large");
    }

    #[test]
    fn every_number_is_that_of_its_position_and_of_its_mirror_image() {
        for name in ["KRk", "KPPk", "KPPPk", "KNkaabb", "KCAkbb", "KPkp"] {
            let indexer = indexer(name);
            for index in (0..indexer.size()).step_by(7) {
                let squares = indexer.squares(index);
                let is_on_e = squares[0].file() == 4;
                assert_eq!(indexer.index(&squares), index, "{name}");
                let mirrored = squares.map(Square::mirrored);
                assert!(is_on_e || indexer.index(&mirrored) == index, "{name}");
            }
        }
    }

    #[test]
    fn equal_pieces_are_unordered() {
        let indexer = indexer("KPPPk");
        let squares = indexer.squares(12_345);
        for order in [[2, 4, 3], [4, 3, 2], [3, 2, 4]] {
            let mut other = squares;
            (2..5).zip(order).for_each(|(place, from)| other[place] = squares[from]);
            assert_eq!(indexer.index(&other), 12_345);
        }
    }
}
