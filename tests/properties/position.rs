//! Positions: making and undoing moves, FEN, legality.

use super::walk::{Symmetry, check, walks, walks_of_both_variants};
use crate::naive::Board;
use chuhe::internals::slides::{file_bit, rank_bit};
use chuhe::position::{GenType, PackedPosition, Position};
use chuhe::types::{Color, Move, MoveList, Piece, PieceType, Square};
use std::collections::BTreeSet;

/// Everything that can be seen of a position.
#[derive(Clone, PartialEq, Debug)]
struct Snapshot {
    fen: String,
    key: u64,
    packed: PackedPosition,
    in_check: bool,
    plies: usize,
    history: Vec<(u64, bool, Option<Move>)>,
    legal: BTreeSet<String>,
}

impl Snapshot {
    fn of(position: &Position) -> Snapshot {
        position.validate().unwrap();
        Snapshot {
            fen: position.to_fen(),
            key: position.key(),
            packed: PackedPosition::pack(position),
            in_check: position.in_check(),
            plies: position.plies(),
            history: position.history().map(|past| (past.key, past.in_check, past.mv)).collect(),
            legal: position.legal_moves().iter().map(|mv| mv.to_string()).collect(),
        }
    }

    /// The same without history.
    fn bare(self) -> Snapshot {
        Snapshot { plies: 0, history: Vec::new(), ..self }
    }
}

/// The position of the FEN of another.
fn reread(position: &Position) -> Position {
    let mut reread = Position::from_fen(&position.to_fen()).unwrap();
    reread.set_variant(position.variant());
    reread
}

#[test]
fn undo_restores_everything() {
    check(128, walks_of_both_variants(40), |walk| {
        let mut position = walk.start();
        let mut before = vec![Snapshot::of(&position)];
        for mv in walk.moves() {
            position.make(mv);
            before.push(Snapshot::of(&position));
        }
        for mv in position.legal_moves().iter() {
            position.make(mv);
            position.undo();
            assert_eq!(&Snapshot::of(&position), before.last().unwrap(), "{mv}");
        }
        if !position.in_check() {
            position.make_null();
            position.undo();
        }
        while let Some(snapshot) = before.pop() {
            assert_eq!(Snapshot::of(&position), snapshot);
            if !before.is_empty() {
                position.undo();
            }
        }
    });
}

/// The key, the checks and the moves that were updated move by move are those of the position set up anew, by its FEN
/// and piece by piece; and a key says beforehand what it will be.
#[test]
fn incremental_state_equals_a_fresh_one() {
    check(128, walks_of_both_variants(60), |walk| {
        let mut position = walk.start();
        for mv in walk.moves() {
            let foreseen = position.key_after(mv);
            position.make(mv);
            assert_eq!(foreseen, position.key());
            let expected = Snapshot::of(&position).bare();
            assert_eq!(Snapshot::of(&reread(&position)), expected);
            let with_side = position.with_side_to_move(position.side());
            assert_eq!(Snapshot::of(&with_side), expected);
        }
    });
}

#[test]
fn fens_round_trip_through_every_symmetry() {
    check(256, walks(60), |walk| {
        let position = walk.end();
        for symmetry in Symmetry::ALL {
            let image = symmetry.position(&position);
            let read = Position::from_fen(&image.to_fen()).unwrap();
            assert_eq!((read.to_fen(), read.key()), (image.to_fen(), image.key()));
            assert_eq!(symmetry.position(&read).to_fen(), position.to_fen());
            let images: BTreeSet<String> =
                position.legal_moves().iter().map(|mv| symmetry.mv(mv).to_string()).collect();
            assert_eq!(Snapshot::of(&image).legal, images);
            assert_eq!(image.in_check(), position.in_check());
        }
    });
}

/// Squares, counts and lines, as a board read from the FEN has them.
#[test]
fn everything_said_of_the_pieces_agrees_with_the_fen() {
    check(128, walks_of_both_variants(80), |walk| {
        let position = walk.end();
        let board = Board::from_fen(&position.to_fen());
        let letter = |square: Square| board.pieces[usize::from(square.rank())][usize::from(square.file())];
        let piece = |square: Square| Piece::from_letter(letter(square) as u8);
        for square in Square::all() {
            assert_eq!(position.piece_at(square), piece(square));
            assert_eq!(position.is_empty(square), letter(square) == '.');
            for color in Color::ALL {
                let own = piece(square).filter(|piece| piece.color() == color).map(Piece::piece_type);
                assert_eq!(position.piece_type_at(color, square), own);
                assert_eq!(position.is_barred_to(color, square), own.is_some());
            }
            let occupied = |on_line: fn(Square, Square) -> bool, bit: fn(Square) -> u16| {
                let line = Square::all().filter(|&other| on_line(square, other) && letter(other) != '.');
                line.fold(0, |word, other| word | bit(other))
            };
            assert_eq!(position.rank_word(square), occupied(|one, other| one.rank() == other.rank(), rank_bit));
            assert_eq!(position.file_word(square), occupied(|one, other| one.file() == other.file(), file_bit));
        }
        for color in Color::ALL {
            let count = |kind| Square::all().filter(|&square| piece(square) == Some(Piece::new(color, kind))).count();
            let kinds = [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn];
            let [rooks, knights, cannons, pawns] = kinds.map(count);
            assert_eq!(position.has_attacking_pieces(color), rooks + knights + cannons + pawns > 0);
            assert_eq!(position.has_rook_knight_or_pawn(color), rooks + knights + pawns > 0);
            assert_eq!(position.non_pawn_count(color) as usize, rooks + knights + cannons);
            let ids = position.pieces().filter_map(|(_, square)| position.piece_id_at(square));
            for (id, kind) in ids.flat_map(|id| PieceType::ALL.map(|kind| (id, kind))) {
                assert_eq!(id.is(color, kind), (id.color(), id.piece_type()) == (color, kind));
            }
        }
    });
}

#[test]
fn is_legal_agrees_with_the_list_for_all_pairs_of_squares() {
    check(128, walks_of_both_variants(80), |walk| {
        let position = walk.end();
        let legal = position.legal_moves();
        for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
            let mv = Move::new(from, to);
            assert_eq!(position.is_legal(mv), legal.contains(mv), "{mv} in {}", position.to_fen());
        }
    });
}

#[test]
fn kinds_of_moves_and_checks_are_foreseen() {
    check(96, walks_of_both_variants(60), |walk| {
        let mut position = walk.end();
        let mut of_kind = [GenType::Captures, GenType::Quiets].map(|kind| {
            let mut moves = MoveList::new();
            position.generate(kind, &mut moves);
            moves.iter().collect::<Vec<_>>()
        });
        let legal: Vec<Move> = position.legal_moves().iter().collect();
        assert_eq!(position.count_legal(), legal.len());
        assert_eq!(of_kind[0].len() + of_kind[1].len(), legal.len());
        for mv in legal {
            let is_capture = mv.from() != mv.to() && position.piece_at(mv.to()).is_some();
            assert!(of_kind[usize::from(!is_capture)].contains(&mv), "{mv}");
            assert_eq!(position.is_capture(mv), is_capture, "{mv}");
            let gives_check = position.gives_check(mv);
            position.make(mv);
            assert_eq!(gives_check, position.in_check(), "{mv} to {}", position.to_fen());
            position.undo();
        }
        of_kind.iter_mut().for_each(|moves| moves.dedup());
        assert_eq!(of_kind.iter().map(Vec::len).sum::<usize>(), position.count_legal());
    });
}
