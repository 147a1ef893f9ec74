//! A position (L2): board and history, making and undoing moves, legality, move generation, SEE, FEN.

mod attacks;
mod builder;
mod fen;
mod generate;
mod legality;
mod mailbox;
mod make;
mod packed;
pub mod perft;
pub mod perft_suite;
mod promotion;
mod replay;
mod see;
mod validate;

pub use attacks::{AttackedPiece, AttackerClass};
pub use builder::{PositionBuilder, SetupError};
pub use fen::{FenError, START_FEN};
pub use generate::GenType;
pub use make::{Change, IllegalMove};
pub use packed::PackedPosition;
pub use replay::Replay;
pub use see::piece_value;

use crate::types::{Color, Move, Piece, PieceSquare, PieceType, Square};
use mailbox::{Cell, Mailbox};

/// Maximum number of pieces of both sides.
pub const MAX_PIECES: usize = 2 * MAX_PIECES_OF_SIDE as usize;
/// Maximum number of pieces of one side; move lists are sized for it.
const MAX_PIECES_OF_SIDE: u32 = 16;

/// Maximum of the quiet-ply counter read from a FEN, far beyond every move limit.
const MAX_QUIET_PLIES: u16 = 1_000;

/// A position, with the moves made since it was set up.
///
/// The board is a 16×16 mailbox. It is complemented by a piece list (the square of each piece), a set of the pieces of
/// each side, and the bit-rank and bit-file of every rank and file. A piece keeps its identity until it is captured;
/// its mailbox cell encodes color, type and number.
#[derive(Clone)]
pub struct Position {
    cells: Mailbox,
    /// Piece list: the square of each piece, by the byte of its cell; off the board when captured.
    squares: [Square; 256],
    /// Pieces of each side on the board: bit `8 * type + number`.
    pieces: [u64; 2],
    /// Bit-ranks, by row of the frame.
    ranks: [u16; 16],
    /// Bit-files, by column of the frame.
    files: [u16; 16],
    side: Color,
    variant: Variant,
    state: StateInfo,
    undo: Vec<Undo>,
    /// Number of the move at which the position was set up, as in a FEN.
    first_number: u32,
    first_side: Color,
}

/// The rules of piece movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Standard xiangqi.
    #[default]
    Standard,
    /// An advisor or bishop on its side's back rank can become a pawn, as a move, if its side has fewer than five pawns
    /// and is not in check. Such a move goes from a square to itself and resets the quiet-ply counter, as in
    /// ElephantEye.
    Promotion,
}

impl Variant {
    /// The promotion variant if `promotes`.
    pub fn promoting(promotes: bool) -> Variant {
        if promotes { Variant::Promotion } else { Variant::Standard }
    }
}

/// Number of parts of a position that have keys of their own.
pub const PARTS: usize = 4;

/// The part that a piece belongs to: the pawns; the kings, advisors and bishops; Red's rooks, knights and cannons; Black's.
#[inline]
pub const fn part_of(piece: Piece) -> usize {
    match piece.piece_type() {
        PieceType::Pawn => 0,
        PieceType::King | PieceType::Advisor | PieceType::Bishop => 1,
        PieceType::Rook | PieceType::Knight | PieceType::Cannon => 2 + piece.color() as usize,
    }
}

/// Irreversible state: saved by make and restored by undo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StateInfo {
    key: u64,
    /// Zobrist keys of parts of the position, without the side to move, indexed by [`part_of`].
    part_keys: [u32; PARTS],
    /// Blockers: pieces of the side to move that are pinned, or whose moves can uncover an attack on their king. Each
    /// of their moves must be tested for legality.
    blockers: u64,
    /// Number of enemy pieces that give check.
    checker_count: u8,
    /// Whether there is a hollow cannon: an enemy cannon on a line with the king and no piece between. Then moves
    /// between them must be tested for legality.
    hollow_cannon: bool,
    /// Plies since the last capture or promotion (halfmove clock, Stockfish's `rule50`).
    quiet_plies: u16,
}

/// A move made, with what is needed to undo it.
#[derive(Clone, Copy)]
struct Undo {
    state: StateInfo,
    /// `None` for a null move.
    mv: Option<Move>,
    /// The piece that moved, as it was before.
    moved: Cell,
    /// What was on its target square: the captured piece, nothing, or the piece itself if it became a pawn.
    captured: Cell,
}

/// An earlier position of the game, as the rules of repetition need it.
#[derive(Clone, Copy, Debug)]
pub struct PastPosition {
    /// Its key.
    pub key: u64,
    /// Whether the side to move was in check there.
    pub in_check: bool,
    /// The move made there; `None` for a null move.
    pub mv: Option<Move>,
}

/// The identity of a piece, which it keeps until it is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceId(Cell);

impl PieceId {
    /// Its color.
    pub fn color(self) -> Color {
        self.0.piece_unchecked().color()
    }

    /// Its type.
    pub fn piece_type(self) -> PieceType {
        self.0.piece_unchecked().piece_type()
    }

    /// Whether it has this color and type.
    pub fn is(self, color: Color, piece_type: PieceType) -> bool {
        self.0.is(Piece::new(color, piece_type))
    }

    /// Its bit in a set of its side's pieces.
    pub fn bit(self) -> u64 {
        self.0.bit()
    }
}

impl Position {
    /// An empty board, Red to move.
    fn empty() -> Position {
        Position {
            cells: Mailbox::empty(),
            squares: [Square::OFF; 256],
            pieces: [0; 2],
            ranks: [0; 16],
            files: [0; 16],
            side: Color::Red,
            variant: Variant::Standard,
            state: StateInfo {
                key: 0,
                part_keys: [0; PARTS],
                blockers: 0,
                checker_count: 0,
                hollow_cannon: false,
                quiet_plies: 0,
            },
            undo: Vec::new(),
            first_number: 1,
            first_side: Color::Red,
        }
    }

    /// The side to move.
    #[inline]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// The rules of piece movement.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Changes the variant for the moves to come.
    pub fn set_variant(&mut self, variant: Variant) {
        self.variant = variant;
    }

    /// The piece on `square`.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.cells.at(square).piece()
    }

    /// Whether `square`, on the board, is empty.
    #[inline]
    pub const fn is_empty(&self, square: Square) -> bool {
        self.cells.at(square).is_empty()
    }

    /// The type of `color`'s piece on `square`, if there is one; `square` may be off the board.
    #[inline]
    pub const fn piece_type_at(&self, color: Color, square: Square) -> Option<PieceType> {
        let cell = self.cells.at(square);
        if cell.is_of(color) { Some(cell.piece_unchecked().piece_type()) } else { None }
    }

    /// Whether a piece of `color` cannot move to `square`: an own piece is there, or it is off the board.
    #[inline]
    pub const fn is_barred_to(&self, color: Color, square: Square) -> bool {
        self.cells.at(square).is_barred_to(color)
    }

    /// The identity of the piece on `square`.
    #[inline]
    pub fn piece_id_at(&self, square: Square) -> Option<PieceId> {
        let cell = self.cells.at(square);
        cell.piece().map(|_| PieceId(cell))
    }

    /// The square of a piece.
    #[inline]
    pub fn square_of(&self, id: PieceId) -> Square {
        self.squares[id.0.index()]
    }

    /// The same board with `side` to move, without its history. The side not to move may be in check.
    pub fn with_side_to_move(&self, side: Color) -> Position {
        let mut position = self.without_history();
        if side != self.side {
            (position.side, position.first_side) = (side, side);
            position.state.key = self.key_after_null();
            position.update_checks();
        }
        position
    }

    /// A copy without the moves made; the counters stay. Much cheaper than a clone late in a game.
    pub fn without_history(&self) -> Position {
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

    /// The square of `color`'s king.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        self.squares[Cell::king(color).index()]
    }

    /// All pieces with their squares, Red's first, ordered by type.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Color::ALL.into_iter().flat_map(move |color| {
            mailbox::cells_of(color, self.pieces[color.index()]).filter_map(|id| {
                let square = self.squares[id.index()];
                id.piece().map(|piece| (piece, square))
            })
        })
    }

    /// All pieces with their squares, Red's first, ordered by type.
    pub fn piece_squares(&self) -> impl Iterator<Item = PieceSquare> + '_ {
        self.pieces().map(|(piece, square)| PieceSquare::new(piece, square))
    }

    /// The number of `color`'s pieces of a type.
    #[inline]
    pub const fn count(&self, color: Color, piece_type: PieceType) -> u32 {
        (self.pieces[color.index()] & mailbox::type_mask(piece_type)).count_ones()
    }

    /// Whether the legal move `mv` is a capture.
    #[inline]
    pub const fn is_capture(&self, mv: Move) -> bool {
        self.cells.at(mv.to()).is_of(self.side.other())
    }

    /// The piece that the legal move `mv` moves, on its target square.
    #[inline]
    pub fn piece_to(&self, mv: Move) -> PieceSquare {
        PieceSquare::new(self.cells.at(mv.from()).piece_unchecked(), mv.to())
    }

    /// Whether `color` has a rook, knight, cannon or pawn left.
    #[inline]
    pub const fn has_attacking_pieces(&self, color: Color) -> bool {
        self.pieces[color.index()] & mailbox::ATTACKING_PIECES != 0
    }

    /// Whether `color` has a rook, knight or pawn left.
    #[inline]
    pub const fn has_rook_knight_or_pawn(&self, color: Color) -> bool {
        self.pieces[color.index()] & mailbox::ATTACKING_PIECES & !mailbox::type_mask(PieceType::Cannon) != 0
    }

    /// The number of `color`'s rooks, knights and cannons.
    #[inline]
    pub const fn non_pawn_count(&self, color: Color) -> u32 {
        (self.pieces[color.index()] & mailbox::ATTACKING_PIECES & !mailbox::type_mask(PieceType::Pawn)).count_ones()
    }

    /// Zobrist keys of parts of the position, without the side to move, indexed by [`part_of`].
    #[inline]
    pub const fn part_keys(&self) -> &[u32; PARTS] {
        &self.state.part_keys
    }

    /// The Zobrist key of the position ([`crate::tables::zobrist`]), side to move included.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.state.key
    }

    /// The pieces of `color`, as a set of [`PieceId::bit`]s.
    #[inline]
    pub const fn piece_set(&self, color: Color) -> u64 {
        self.pieces[color.index()]
    }

    /// The squares of up to eight pieces of a type, one per byte; 0 for those captured or missing.
    #[inline(always)]
    pub fn squares_of(&self, color: Color, piece_type: PieceType) -> u64 {
        let first = Cell::new(Piece::new(color, piece_type), 0).index() & 0xF8;
        u64::from_le_bytes(std::array::from_fn(|n| self.squares[first + n].raw()))
    }

    /// The bit-rank of a square: the occupancy of its rank, as in [`crate::tables::slides`].
    #[inline]
    pub const fn rank_word(&self, square: Square) -> u16 {
        self.ranks[square.row()]
    }

    /// The bit-file of a square: the occupancy of its file, as in [`crate::tables::slides`].
    #[inline]
    pub const fn file_word(&self, square: Square) -> u16 {
        self.files[square.column()]
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.state.checker_count != 0
    }

    /// Plies since the last capture or promotion (halfmove clock).
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

    /// The last `plies` moves, in the order made; fewer if the game is shorter, or after a null move.
    pub fn last_moves(&self, plies: usize) -> Vec<Move> {
        let mut moves: Vec<Move> = self.history().take(plies).map_while(|past| past.mv).collect();
        moves.reverse();
        moves
    }

    /// The position `plies` plies ago, at most [`Position::plies`].
    pub fn before(&self, plies: usize) -> Position {
        let mut position = self.clone();
        (0..plies).for_each(|_| position.undo());
        position
    }

    /// The position after a legal move.
    pub fn after(&self, mv: Move) -> Position {
        let mut position = self.clone();
        position.make(mv);
        position
    }

    /// Puts a piece on an empty square; `None` if its side already has eight of its type.
    fn put_piece(&mut self, piece: Piece, square: Square) -> Option<()> {
        let id = self.unused_cell(piece)?;
        self.pieces[piece.color().index()] |= id.bit();
        self.place(id, square);
        self.state.key ^= crate::tables::zobrist::piece(piece, square);
        self.state.part_keys[part_of(piece)] ^= crate::tables::zobrist::piece(piece, square) as u32;
        Some(())
    }

    /// An unused cell for a piece; `None` if its side already has eight of its type.
    fn unused_cell(&self, piece: Piece) -> Option<Cell> {
        let pieces = self.pieces[piece.color().index()] & mailbox::type_mask(piece.piece_type());
        let number = ((pieces >> (8 * piece.piece_type().index())) as u8).trailing_ones();
        (number < 8).then(|| Cell::new(piece, number as u8))
    }

    /// Enters a piece into mailbox, piece list, bit-rank and bit-file.
    #[inline]
    fn place(&mut self, id: Cell, square: Square) {
        use crate::tables::slides::{file_bit, rank_bit};
        self.cells.set(square, id);
        self.squares[id.index()] = square;
        self.ranks[square.row()] |= rank_bit(square);
        self.files[square.column()] |= file_bit(square);
    }
}
