//! A position (L2): the board with its history, moves made and taken back, and what is legal.
//!
//! | module | what it owns |
//! |---|---|
//! | [`fen`](FenError) | positions from and to text |
//! | `cell` | what stands on a square, in one byte |
//! | `make` | making and undoing moves, and telling an [`Observer`] |
//! | `legality` | checks, pins, and whether a move is legal |
//! | `generate` | lists of legal moves: all, captures, quiets |
//! | `exchange` | static exchange evaluation |
//! | `promotion` | the variant in which advisors and bishops become pawns |
//! | `validate` | every redundancy of the representation, checked in debug builds |

mod builder;
mod fen;
mod generate;
mod legality;
mod mailbox;
mod make;
mod promotion;
mod see;
mod validate;

pub use builder::{PositionBuilder, SetupError};
pub use fen::{FenError, START_FEN};
pub use generate::GenType;
pub use make::{Change, IllegalMove, Observer};
pub use see::piece_value;

use crate::types::{Color, Move, Piece, PieceType, Square};
use mailbox::{Cell, Mailbox};

/// Greatest number of pieces of one side: move generation is sized for it.
const MAX_PIECES: u32 = 16;

/// Counters in a FEN beyond this are cut: every limit has long been passed.
const MAX_QUIET_PLIES: u16 = 1_000;

/// A position and the moves that led to it from where it was set up.
///
/// The board is a 16×16 mailbox. Beside it stand a list of men (where is each), a set of the living men of each side,
/// and one occupancy word for each rank and file. A man keeps its identity while it lives; its cell on the mailbox says side,
/// kind and number.
#[derive(Clone)]
pub struct Position {
    cells: Mailbox,
    /// Square of each man, by its cell's byte; off the board when captured.
    squares: [Square; 256],
    /// Living men of each side: bit `8 * kind + number`.
    pieces: [u64; 2],
    ranks: [u16; 16],
    files: [u16; 16],
    side: Color,
    variant: Variant,
    state: StateInfo,
    undo: Vec<Undo>,
    /// Number of the move at which the position was set up, as in a FEN.
    first_number: u32,
    first_side: Color,
}

/// Which game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Xiangqi as everybody knows it.
    #[default]
    Standard,
    /// An advisor or bishop on its side's back rank may, as its move, become a pawn there, if its side has fewer than five
    /// pawns and is not in check. Such a move goes from a square to itself, and counts as a capture does for the move
    /// limit, as in ElephantEye.
    Promotion,
}

impl Variant {
    /// The promotion variant, or not.
    pub fn promoting(promotes: bool) -> Variant {
        if promotes { Variant::Promotion } else { Variant::Standard }
    }
}

/// What making a move changes and undoing it restores as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StateInfo {
    key: u64,
    /// Men of the side to move that shield their king: each of their moves must be tested.
    blockers: u64,
    /// How many enemy men give check.
    checker_count: u8,
    /// Whether an enemy cannon faces the king with nothing between: then a move in between must be tested.
    hollow_cannon: bool,
    /// Plies since the last capture or promotion.
    quiet_plies: u16,
}

/// One move made: how to take it back, and what the position was before it.
#[derive(Clone, Copy)]
struct Undo {
    state: StateInfo,
    /// `None` for a null move.
    mv: Option<Move>,
    /// The man captured, or the man that became a pawn.
    captured: Cell,
}

/// One position of the past, as the rules of repetition look at it.
#[derive(Clone, Copy, Debug)]
pub struct PastPosition {
    /// Its key.
    pub key: u64,
    /// Whether the side to move was in check there.
    pub in_check: bool,
    /// The move made there; `None` for a null move.
    pub mv: Option<Move>,
}

/// One man, which keeps its identity while it lives, wherever it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceId(Cell);

impl PieceId {
    /// Its side.
    pub fn color(self) -> Color {
        self.0.piece_unchecked().color()
    }

    /// Its kind.
    pub fn piece_type(self) -> PieceType {
        self.0.piece_unchecked().piece_type()
    }

    /// Whether it is `color`'s man of `kind`.
    pub fn is(self, color: Color, kind: PieceType) -> bool {
        self.0.is(Piece::new(color, kind))
    }

    /// Its bit in a set of its side's men.
    pub fn bit(self) -> u64 {
        self.0.bit()
    }
}

impl Position {
    /// The start position.
    pub fn start() -> Position {
        Position::from_fen(START_FEN).expect("invariant: the start position is well formed")
    }

    /// A board without men, Red to move.
    fn empty() -> Position {
        Position {
            cells: Mailbox::empty(),
            squares: [Square::OFF; 256],
            pieces: [0; 2],
            ranks: [0; 16],
            files: [0; 16],
            side: Color::Red,
            variant: Variant::Standard,
            state: StateInfo { key: 0, blockers: 0, checker_count: 0, hollow_cannon: false, quiet_plies: 0 },
            undo: Vec::new(),
            first_number: 1,
            first_side: Color::Red,
        }
    }

    /// Whose turn it is.
    #[inline]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Which game is played.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Goes on by the rules of `variant`. The moves made stay.
    pub fn set_variant(&mut self, variant: Variant) {
        self.variant = variant;
    }

    /// The man on `square`.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.cells.at(square).piece()
    }

    /// Whether nobody stands on `square`, which is on the board.
    #[inline]
    pub const fn is_empty(&self, square: Square) -> bool {
        self.cells.at(square).is_empty()
    }

    /// The kind of `color`'s man on `square`, if there is one; `square` may be off the board.
    #[inline]
    pub const fn piece_type_at(&self, color: Color, square: Square) -> Option<PieceType> {
        let cell = self.cells.at(square);
        if cell.is_of(color) { Some(cell.piece_unchecked().piece_type()) } else { None }
    }

    /// Whether a man of `color` cannot go to `square`: one of its side stands there, or it is off the board.
    #[inline]
    pub const fn is_barred_to(&self, color: Color, square: Square) -> bool {
        self.cells.at(square).is_barred_to(color)
    }

    /// The man on `square`, with its identity.
    #[inline]
    pub fn piece_id_at(&self, square: Square) -> Option<PieceId> {
        let cell = self.cells.at(square);
        cell.piece().map(|_| PieceId(cell))
    }

    /// Where a man stands.
    #[inline]
    pub fn square_of(&self, id: PieceId) -> Square {
        self.squares[id.0.index()]
    }

    /// The same board with `side` to move, without its history. It may be one that no game could reach: the other side in
    /// check.
    pub fn with_side_to_move(&self, side: Color) -> Position {
        let mut position = self.without_history();
        if side != self.side {
            (position.side, position.first_side) = (side, side);
            position.state.key = self.key_after_null();
            position.update_checks();
        }
        position
    }

    /// A copy that does not remember how the position came about; its counters stay. Much cheaper than a clone late in a
    /// game.
    fn without_history(&self) -> Position {
        Position {
            cells: self.cells.clone(),
            squares: self.squares,
            pieces: self.pieces,
            ranks: self.ranks,
            files: self.files,
            side: self.side,
            variant: self.variant,
            state: self.state,
            undo: Vec::new(),
            first_number: self.move_number(),
            first_side: self.side,
        }
    }

    /// Where `color`'s king stands.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        self.squares[Cell::king(color).index()]
    }

    /// All men and where they stand, Red's first, by kind.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Color::ALL.into_iter().flat_map(move |color| {
            mailbox::cells_of(color, self.pieces[color.index()]).filter_map(|id| {
                let square = self.squares[id.index()];
                id.piece().map(|piece| (piece, square))
            })
        })
    }

    /// How many men of `kind` `color` has.
    #[inline]
    pub const fn count(&self, color: Color, kind: PieceType) -> u32 {
        (self.pieces[color.index()] & mailbox::type_mask(kind)).count_ones()
    }

    /// Whether `mv`, legal here, captures a man.
    #[inline]
    pub const fn is_capture(&self, mv: Move) -> bool {
        self.cells.at(mv.to()).is_of(self.side.other())
    }

    /// Whether `color` has a rook, knight, cannon or pawn left.
    #[inline]
    pub const fn has_attacking_pieces(&self, color: Color) -> bool {
        self.pieces[color.index()] & mailbox::ATTACKING_PIECES != 0
    }

    /// Whether `color` has a rook, knight or pawn left: a man that can win without others.
    #[inline]
    pub const fn has_rook_knight_or_pawn(&self, color: Color) -> bool {
        self.pieces[color.index()] & mailbox::ATTACKING_PIECES & !mailbox::type_mask(PieceType::Cannon) != 0
    }

    /// Whether `color` has a rook, knight or cannon left: then giving up a turn is rarely a virtue.
    #[inline]
    pub const fn has_non_pawn_material(&self, color: Color) -> bool {
        self.non_pawn_count(color) != 0
    }

    /// How many rooks, knights and cannons `color` has.
    #[inline]
    pub const fn non_pawn_count(&self, color: Color) -> u32 {
        (self.pieces[color.index()] & mailbox::ATTACKING_PIECES & !mailbox::type_mask(PieceType::Pawn)).count_ones()
    }

    /// The position's key ([`crate::tables::zobrist`]), side to move included.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.state.key
    }

    /// The living men of `color`, as a set of [`PieceId::bit`]s.
    #[inline]
    pub const fn piece_set(&self, color: Color) -> u64 {
        self.pieces[color.index()]
    }

    /// The squares of up to eight men of a kind, a byte each; 0 for those captured or missing.
    #[inline(always)]
    pub fn squares_of(&self, color: Color, kind: PieceType) -> u64 {
        let first = Cell::new(Piece::new(color, kind), 0).index() & 0xF8;
        u64::from_le_bytes(std::array::from_fn(|n| self.squares[first + n].raw()))
    }

    /// The occupancy of a square's rank, as [`crate::tables::slides`] has it.
    #[inline]
    pub const fn rank_word(&self, square: Square) -> u16 {
        self.ranks[square.row()]
    }

    /// The occupancy of a square's file, as [`crate::tables::slides`] has it.
    #[inline]
    pub const fn file_word(&self, square: Square) -> u16 {
        self.files[square.column()]
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.state.checker_count != 0
    }

    /// Plies since the last capture or promotion.
    #[inline]
    pub const fn quiet_plies(&self) -> u32 {
        self.state.quiet_plies as u32
    }

    /// Plies made since the position was set up, null moves included.
    #[inline]
    pub const fn plies(&self) -> usize {
        self.undo.len()
    }

    /// The positions before this one, newest first.
    #[inline]
    pub fn history(&self) -> impl DoubleEndedIterator<Item = PastPosition> + ExactSizeIterator + '_ {
        self.undo.iter().rev().map(|undo| PastPosition {
            key: undo.state.key,
            in_check: undo.state.checker_count != 0,
            mv: undo.mv,
        })
    }

    /// Puts a man on an empty square; `None` when its side has eight of its kind already.
    fn put_piece(&mut self, piece: Piece, square: Square) -> Option<()> {
        let id = self.unused_cell(piece)?;
        self.pieces[piece.color().index()] |= id.bit();
        self.place(id, square);
        self.state.key ^= crate::tables::zobrist::piece(piece, square);
        Some(())
    }

    /// A man that is not on the board; `None` when its side has eight of its kind already.
    fn unused_cell(&self, piece: Piece) -> Option<Cell> {
        let pieces = self.pieces[piece.color().index()] & mailbox::type_mask(piece.piece_type());
        let number = ((pieces >> (8 * piece.piece_type().index())) as u8).trailing_ones();
        (number < 8).then(|| Cell::new(piece, number as u8))
    }

    /// Sets the man down on the mailbox, the list and the line words.
    #[inline]
    fn place(&mut self, id: Cell, square: Square) {
        use crate::tables::slides::{file_bit, rank_bit};
        self.cells.set(square, id);
        self.squares[id.index()] = square;
        self.ranks[square.row()] |= rank_bit(square);
        self.files[square.column()] |= file_bit(square);
    }
}
