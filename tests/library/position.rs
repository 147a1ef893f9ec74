//! Positions through the public API: FEN, Zobrist keys, legality, move generation and SEE, against the naive rules in
//! `naive/`.

use crate::data;
use crate::naive;

use chuhe::internals::zobrist;
use chuhe::position::perft::{perft, perft_counting};
use chuhe::position::{
    Change, FenError, GenType, IllegalMove, Position, PositionBuilder, START_FEN, SetupError, Variant, piece_value,
};
use chuhe::types::{Color, Move, MoveList, Piece, PieceType, Square};
use data::fens;
use naive::{Board, Random, iccs};
use std::collections::BTreeSet;

fn moves(list: &MoveList) -> Vec<String> {
    let mut moves: Vec<String> = list.iter().map(|mv| mv.to_string()).collect();
    moves.sort();
    moves
}

/// Visits the positions of random games from all positions of the perft file, alternating the variant.
fn random_positions(seed: u64, plies: usize, mut visit: impl FnMut(&mut Position)) {
    let mut random = Random(seed);
    for (number, fen) in fens().enumerate() {
        let mut position = Position::from_fen(fen).unwrap();
        position.set_variant(Variant::promoting((number as u64 + seed).is_multiple_of(2)));
        for _ in 0..plies {
            visit(&mut position);
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.make(legal.get(random.below(legal.len())).unwrap());
        }
    }
}

/// The position read from its FEN.
fn fresh(position: &Position) -> Position {
    let mut fresh = Position::from_fen(&position.to_fen()).unwrap();
    fresh.set_variant(position.variant());
    fresh
}

/// The legal moves of the naive board, sorted like [`moves`].
fn naive_moves(board: &Board) -> Vec<String> {
    let mut moves: Vec<String> = board.legal().into_iter().map(iccs).collect();
    moves.sort();
    moves
}

/// The same position on the naive board.
fn naive_board(position: &Position) -> Board {
    Board { promotes: position.variant() == Variant::Promotion, ..Board::from_fen(&position.to_fen()) }
}

#[test]
fn legal_moves_agree_with_the_naive_rules() {
    let mut promotions = 0;
    random_positions(1, 30, |position| {
        let board = naive_board(position);
        let expected = naive_moves(&board);
        assert_eq!(moves(&position.legal_moves()), expected, "{}", position.to_fen());
        assert_eq!(position.count_legal(), expected.len());
        assert_eq!(position.in_check(), board.is_attacked(board.red_to_move));
        promotions += position.legal_moves().iter().filter(|mv| mv.from() == mv.to()).count();
    });
    assert!(promotions > 1_000, "{promotions}");
}

#[test]
fn perft_with_promotions_agrees_with_the_naive_rules() {
    for fen in [
        // Four pawns, five pawns, none, a check, five pawns on the back rank.
        "2bak1b2/4a4/9/2p1p1p1p/9/9/P1P1P1P2/9/4A4/2BAK1B2 w - - 0 1",
        "2bak1b2/4a4/9/2p1p1p1p/9/9/P1P1P1P1P/9/4A4/2BAK1B2 b - - 0 1",
        "2bakab2/9/9/9/4p4/9/9/9/9/2BAKAB2 w - - 0 1",
        "2bak1b2/4a4/9/9/9/4R4/9/9/9/2BAK1B2 b - - 0 1",
        "5k3/9/9/9/9/9/9/9/9/2PPKPP2 w - - 0 1",
    ] {
        for variant in [Variant::Standard, Variant::Promotion] {
            let mut position = Position::from_fen(fen).unwrap();
            position.set_variant(variant);
            for depth in 0..=4 {
                let expected = naive_board(&position).perft(depth);
                assert_eq!(perft(&mut position, depth), expected, "{fen} {variant:?} {depth}");
                assert_eq!(perft_counting(&mut position, depth), expected, "{fen} {variant:?} {depth}");
            }
        }
    }
}

#[test]
fn a_promotion_is_a_move_from_a_square_to_itself() {
    let mut position = Position::from_fen("5k3/9/9/9/9/9/P8/9/9/3AK4 w - - 7 1").unwrap();
    let mv: Move = "d0d0".parse().unwrap();
    assert!(!position.is_legal(mv), "only in the promotion variant");
    position.set_variant(Variant::Promotion);
    assert!(position.is_legal(mv) && !position.is_capture(mv));
    position.make(mv);
    assert_eq!(position.to_fen(), "5k3/9/9/9/9/9/P8/9/9/3PK4 b - - 0 1");
    position.make("f9f8".parse().unwrap());
    assert!(!position.is_legal(mv), "a pawn cannot promote");
    assert!(position.is_legal("d0d1".parse().unwrap()));
    position.undo();
    position.undo();
    assert_eq!(position.to_fen(), "5k3/9/9/9/9/9/P8/9/9/3AK4 w - - 7 1");
}

#[test]
fn captures_and_quiets_partition_the_legal_moves() {
    random_positions(2, 30, |position| {
        let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
        position.generate(GenType::Captures, &mut captures);
        position.generate(GenType::Quiets, &mut quiets);
        assert!(captures.iter().all(|mv| position.piece_at(mv.to()).is_some()));
        assert!(quiets.iter().all(|mv| mv.from() == mv.to() || position.piece_at(mv.to()).is_none()));
        let is_capture = |mv| position.is_capture(mv);
        assert!(captures.iter().all(is_capture) && !quiets.iter().any(is_capture));
        let mut both = [moves(&captures), moves(&quiets)].concat();
        both.sort();
        assert_eq!(both, moves(&position.legal_moves()));
        both.dedup();
        assert_eq!(both.len(), captures.len() + quiets.len());
    });
}

#[test]
fn is_legal_agrees_with_the_move_list() {
    for fen in fens() {
        let mut position = Position::from_fen(fen).unwrap();
        for variant in [Variant::Standard, Variant::Promotion] {
            position.set_variant(variant);
            let legal = position.legal_moves();
            for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
                let mv = Move::new(from, to);
                assert_eq!(position.is_legal(mv), legal.contains(mv), "{mv} in {fen}");
            }
            assert!(!position.is_legal(Move::from_bits(0x0102).unwrap()));
            assert!(!position.is_legal(Move::from_bits(0x0101).unwrap()));
        }
    }
}

#[test]
fn gives_check_agrees_with_making_the_move() {
    let mut checks = 0;
    let mut compare = |position: &mut Position| {
        for mv in position.legal_moves().iter() {
            let gives_check = position.gives_check(mv);
            position.make(mv);
            assert_eq!(gives_check, position.in_check(), "{mv} to {}", position.to_fen());
            position.undo();
            checks += gives_check as u32;
        }
    };
    for fen in fens() {
        compare(&mut Position::from_fen(fen).unwrap());
    }
    for seed in 0..2 {
        random_positions(seed, 80, &mut compare);
    }
    assert!(checks > 1_000, "{checks}");
}

#[test]
fn legal_moves_with_hollow_cannons_and_many_pieces() {
    // Several cannons on the king's file and rank, eight rooks, pawns on their own back ranks, pieces on squares that
    // no game reaches; squares beside the king that two pieces attack along a file, and along a rank.
    for fen in [
        "4k4/9/9/9/4C4/9/4C4/9/4C4/3K5 b - - 0 1",
        "c2ck4/c8/C8/9/4c4/9/4C4/9/9/3K5 b - - 0 1",
        "RRRRkRRRR/9/9/9/9/9/9/9/9/3K5 b - - 0 1",
        "4k4/9/9/9/9/9/9/9/RCNCNCNC1/RRRRKRR2 w - - 0 1",
        "PP1k1PPPP/9/9/9/9/9/9/9/9/4Kpppp w - - 0 1",
        "3k5/9/9/A1B1a1b2/9/9/B2A5/9/9/4K4 w - - 0 1",
        "3R5/4k4/9/9/3R5/9/9/9/9/5K3 b - - 0 1",
        "3C5/3n5/4k4/3p5/3C5/9/9/9/9/5K3 b - - 0 1",
        "3R5/9/4k4/3p5/3C5/9/9/9/9/5K3 b - - 0 1",
        "4k4/R7R/9/9/9/9/9/9/9/5K3 b - - 0 1",
    ] {
        let Ok(mut position) = Position::from_fen(fen) else { panic!("{fen}: {:?}", Position::from_fen(fen).err()) };
        let mut random = Random(7);
        for _ in 0..40 {
            let board = Board::from_fen(&position.to_fen());
            let expected = naive_moves(&board);
            assert_eq!(moves(&position.legal_moves()), expected, "{}", position.to_fen());
            if expected.is_empty() {
                break;
            }
            let legal = position.legal_moves();
            position.make(legal.get(random.below(legal.len())).unwrap());
        }
    }
}

#[test]
fn undo_restores_fen_and_key() {
    random_positions(3, 12, |position| {
        let (fen, key) = (position.to_fen(), position.key());
        for mv in position.legal_moves().iter() {
            let foreseen = position.key_after(mv);
            position.make(mv);
            let fresh = fresh(position);
            assert_eq!((foreseen, position.key(), position.in_check()), (fresh.key(), fresh.key(), fresh.in_check()));
            assert_eq!((fresh.to_fen(), position.validate()), (position.to_fen(), Ok(())));
            position.undo();
            assert_eq!(position.validate(), Ok(()), "{mv} undone");
            assert_eq!((position.to_fen(), position.key()), (fen.clone(), key));
        }
        if !position.in_check() {
            position.make_null();
            assert_ne!(position.key(), key);
            position.undo();
            assert_eq!((position.to_fen(), position.key()), (fen, key));
        }
    });
}

#[test]
fn the_quiet_ply_counter_saturates() {
    let mut position = Position::start();
    for mv in ["h0g2", "h9g7", "g2h0", "g7h9"].map(|mv| mv.parse::<Move>().unwrap()).iter().cycle().take(70_000) {
        position.make(*mv);
    }
    assert_eq!(position.quiet_plies(), u16::MAX as u32);
    assert_eq!(position.move_number(), 35_001);
}

/// Undoing a change or making it again on a map of the pieces gives the boards before and after the move.
#[test]
fn changes_and_keys_of_past_plies_are_those_of_the_moves_made() {
    type Board = std::collections::BTreeMap<u8, char>;
    let board = |position: &Position| -> Board {
        position.pieces().map(|(piece, square)| (square.raw(), piece.letter())).collect()
    };
    let mut position = Position::start();
    position.set_variant(Variant::Promotion);
    let mut past = vec![(board(&position), position.key())];
    let (mut random, mut promotions) = (Random(5), 0);
    for _ in 0..2_000 {
        let legal = position.legal_moves();
        if random.below(4) == 0 && position.plies() > 0 || legal.is_empty() {
            position.undo();
            past.pop();
        } else {
            if random.below(9) == 0 && !position.in_check() {
                position.make_null();
            } else {
                position.make(legal.get(random.below(legal.len())).unwrap());
            }
            past.push((board(&position), position.key()));
        }
        for (ply, pair) in past.windows(2).enumerate() {
            let mut board = pair[0].0.clone();
            if let Some(Change { mv, from, to, captured }) = position.change_at(ply) {
                assert_eq!((from.square(), to.square()), (mv.from(), mv.to()));
                assert!(captured.is_none_or(|captured| captured.square() == mv.to()));
                assert_eq!(board.remove(&mv.from().raw()), Some(from.piece().letter()));
                let captured = captured.map(|captured| captured.piece().letter());
                assert_eq!(board.insert(mv.to().raw(), to.piece().letter()), captured);
                promotions += (from.piece() != to.piece()) as u32;
            }
            assert_eq!(board, pair[1].0);
            assert_eq!([ply, ply + 1].map(|ply| position.key_at(ply)), [pair[0].1, pair[1].1]);
        }
    }
    assert!(promotions > 0);
}

#[test]
fn zobrist_keys_agree_with_elephant_eye() {
    let mut position = Position::start();
    assert_eq!(position.key(), 0x0526_56d5_e6db_463e);
    position.make("h2e2".parse().unwrap());
    assert_eq!(zobrist::book_lock(position.key()), 0xeb50_5d7d);
    position.undo();
    position.make("b2e2".parse().unwrap());
    assert_eq!(zobrist::book_lock(position.key()), 0x5396_644f);
}

#[test]
fn fens_round_trip() {
    for fen in fens() {
        assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
    }
}

#[test]
fn lenient_fens_are_read() {
    let board = START_FEN.split(' ').next().unwrap();
    let read = |rest: &str| Position::from_fen(&format!("{board}{rest}")).unwrap().to_fen();
    let expected = |rest: &str| format!("{board}{rest}");
    for red in ["", " w", " r", " W - -", " w - - 0 1", "  w  -  -  0  1 ", " r - - 0", " w - - x y", " w - - -3 -1"] {
        assert_eq!(read(red), START_FEN, "{red}");
    }
    assert_eq!(read(" b"), expected(" b - - 0 1"));
    assert_eq!(read(" b - - 17 40"), expected(" b - - 17 40"));
    assert_eq!(read(" b - - 0 4   ;A34.\u{fffd}\u{fffd} - - 0 1"), expected(" b - - 0 4"));
    assert_eq!(read(" w - - 4294967295 4294967295"), expected(" w - - 1000 4294967295"));
    assert_eq!(read(" w - - 99999999999999999999 7"), expected(" w - - 0 7"));
    let synonyms = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w";
    assert_eq!(Position::from_fen(synonyms).unwrap().to_fen(), START_FEN);
}

#[test]
fn fens_are_read_if_they_can_mean_only_one_thing() {
    let board = "3k5/9/9/9/p8/9/9/9/4R4/4K4";
    let read = |fields: &str| Position::from_fen(&format!("{board}{fields}")).map(|position| position.to_fen());
    for (fields, expected) in [
        (" red - - 3 7", "w - - 3 7"),
        (" Black - - 3 7", "b - - 3 7"),
        (" RED", "w - - 0 1"),
        (" white - - 3 7", "w - - 3 7"),
        (" 黑先", "b - - 0 1"),
        (" 紅 - - 3 7", "w - - 3 7"),
        (" b 3 7", "b - - 3 7"),
        (" b - 3 7", "b - - 3 7"),
        (" b 3 7 - -", "b - - 3 7"),
        (" - - b 3 7", "b - - 3 7"),
        (" 3 7 b", "b - - 3 7"),
        (" - - 3 7", "w - - 3 7"),
        (" - - 3 7 b", "b - - 3 7"),
        (" b KQkq e3 3 7", "b - - 3 7"),
        (" b - - x 7", "b - - 0 7"),
        (" b - - -5 -1", "b - - 0 1"),
        (" b - - 4 ;A34.\u{fffd}\u{fffd} - - 0 1", "b - - 4 1"),
        (" b ;w 3 7", "b - - 0 1"),
        (" b - - 3 7 红方先行", "b - - 3 7"),
        (" - - 3 7 comment", "w - - 3 7"),
    ] {
        assert_eq!(read(fields), Ok(format!("{board} {expected}")), "{fields}");
    }
    for quoted in [format!("\"{board} b - - 3 7\""), format!(" '{board} b - - 3 7' "), format!("“{board}” b - - 3 7")]
    {
        assert_eq!(Position::from_fen(&quoted).map(|position| position.to_fen()), read(" b - - 3 7"), "{quoted}");
    }
    for (fields, token) in [(" x", "x"), (" - green", "green"), (" wb - - 0 1", "wb"), (" moves", "moves")] {
        assert_eq!(read(fields), Err(FenError::Side(token.into())), "{fields}");
    }
}

#[test]
fn unplayable_fens_are_refused_with_the_reason() {
    use FenError::*;
    use SetupError::*;
    let cases = [
        ("", Empty),
        ("  ", Empty),
        ("9/9/9", RankCount(3)),
        ("4k4/9/9/9/9/9/9/9/9/9/4K4 w", RankCount(11)),
        ("4k4/9/9/8/9/9/9/9/9/3K5 w", FileCount { rank: 6, files: 8, text: "8".into() }),
        ("4k4/9/9/9/9/9/9/9/9/3K5P w", FileCount { rank: 0, files: 10, text: "3K5P".into() }),
        ("4k4/9/9/9/9/9/9/9/9/RRRRRRRRRRRR w", FileCount { rank: 0, files: 12, text: "RRRRRRRRRRRR".into() }),
        ("4k4/9/9/99999999/9/9/9/9/9/3K5 w", FileCount { rank: 6, files: 72, text: "99999999".into() }),
        ("4k4/9/9/0/9/9/9/9/9/3K5 w", Letter('0')),
        ("4k4/9/9/4x4/9/9/9/9/9/3K5 w", Letter('x')),
        ("4k4/9/9/4車4/9/9/9/9/9/3K5 w", Letter('車')),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", Side("x".into())),
        ("9/9/9/9/9/9/9/9/9/3K5 w", Setup(NoKing(Color::Black))),
        ("4k4/9/9/9/9/9/9/9/9/9 w", Setup(NoKing(Color::Red))),
        ("4k4/9/9/9/9/9/9/9/3K5/3K5 w", Setup(TwoKings(Color::Red))),
        ("4k4/9/9/9/9/9/9/9/9/2K6 w", Setup(KingOutsidePalace(Color::Red, Square::new(2, 0)))),
        ("4k4/9/3K5/9/9/9/9/9/9/9 w", Setup(KingOutsidePalace(Color::Red, Square::new(3, 7)))),
        ("9/9/9/9/3k5/9/9/9/9/4K4 w", Setup(KingOutsidePalace(Color::Black, Square::new(3, 5)))),
        ("4k4/9/9/9/9/9/9/9/PPPPPPPPP/4K4 w", Setup(TooManyOfOneType(Color::Red, PieceType::Pawn))),
        ("4k4/9/9/9/9/9/9/PPPPPPPP1/RRRRRRRR1/4K4 w", Setup(TooManyPieces(Color::Red, 17))),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", Setup(KingsFace)),
        ("4k4/9/9/9/9/9/9/9/9/4K4 b", Setup(KingsFace)),
        ("4k4/9/9/4R4/9/9/9/9/9/3K5 w", Setup(SideNotToMoveInCheck(Color::Black))),
    ];
    for (fen, error) in cases {
        assert_eq!(Position::from_fen(fen).err(), Some(error.clone()), "{fen}");
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn damaged_fens_are_read_or_refused() {
    let mut random = Random(11);
    let letters: Vec<char> = "KABNRCPkabnrcp0123456789/wrb -車\u{0}".chars().collect();
    for _ in 0..20_000 {
        let mut fen: Vec<char> = START_FEN.chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(fen.len());
            match random.below(3) {
                0 => fen[at] = letters[random.below(letters.len())],
                1 => fen.insert(at, letters[random.below(letters.len())]),
                _ => drop(fen.remove(at)),
            }
        }
        let fen: String = fen.into_iter().collect();
        if let Ok(position) = Position::from_fen(&fen) {
            position.validate().unwrap();
            assert_eq!(Position::from_fen(&position.to_fen()).unwrap().key(), position.key());
        }
    }
}

/// Static exchange evaluation on the naive board: what the side to move gains by captures on `square`, least valuable
/// attacker first, if a piece of value `standing` is on it. All results that equally cheap attackers give.
fn naive_see(board: &Board, square: (usize, usize), standing: i32) -> BTreeSet<i32> {
    let value = |piece: char| piece_value(Piece::from_letter(piece as u8).unwrap().piece_type());
    let captures = |board: &Board| board.pseudo_legal().into_iter().filter(|step| step.1 == square).collect::<Vec<_>>();
    let value_of_mover = |&((f, r), _): &naive::Step| value(board.pieces[r][f]);
    let all = captures(board);
    let Some(cheapest) = all.iter().map(value_of_mover).min() else { return BTreeSet::from([0]) };
    let mut results = BTreeSet::new();
    for &step in all.iter().filter(|step| value_of_mover(step) == cheapest) {
        let after = board.after(step);
        if cheapest == piece_value(PieceType::King) && !captures(&after).is_empty() {
            results.insert(0);
        } else {
            results.extend(naive_see(&after, square, cheapest).iter().map(|reply| (standing - reply).max(0)));
        }
    }
    results
}

#[test]
fn see_agrees_with_the_naive_board() {
    let mut compared = 0;
    random_positions(4, 25, |position| {
        let board = naive_board(position);
        let value = |piece: char| Piece::from_letter(piece as u8).map_or(0, |piece| piece_value(piece.piece_type()));
        for step in board.legal() {
            let (from, to) = step;
            let mover = value(board.after(step).pieces[to.1][to.0]);
            let taken = value(board.pieces[to.1][to.0]);
            // A promotion gives up the promoted piece for a pawn.
            let taken = if from == to { mover - taken } else { taken };
            let mv: Move = iccs(step).parse().unwrap();
            let expected = naive_see(&board.after(step), to, mover);
            let is_see = |score| position.see_ge(mv, score) && !position.see_ge(mv, score + 1);
            let agrees = expected.iter().any(|reply| is_see(taken - reply));
            assert!(agrees, "{mv} in {}: {taken} less one of {expected:?}", position.to_fen());
            compared += 1;
        }
    });
    assert!(compared > 100_000);
}

#[test]
fn symmetric_positions_have_symmetric_moves() {
    for fen in fens() {
        let position = Position::from_fen(fen).unwrap();
        let mirrored = position.mirrored();
        let flipped = position.color_flipped();
        assert_eq!(mirrored.mirrored().to_fen(), position.to_fen());
        assert_eq!(flipped.color_flipped().to_fen(), position.to_fen());
        assert_eq!((mirrored.side(), flipped.side()), (position.side(), !position.side()));
        let sorted = |moves: Vec<Move>| {
            let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
            bits.sort();
            bits
        };
        let legal: Vec<Move> = position.legal_moves().iter().collect();
        let mirror = legal.iter().map(|mv| mv.mirrored()).collect();
        let flip = legal.iter().map(|mv| Move::new(mv.from().flipped(), mv.to().flipped())).collect();
        assert_eq!(sorted(mirrored.legal_moves().iter().collect()), sorted(mirror), "{fen}");
        assert_eq!(sorted(flipped.legal_moves().iter().collect()), sorted(flip), "{fen}");
    }
}

#[test]
fn a_builder_rebuilds_its_position() {
    for (fen, promotes) in fens().zip([false, true].into_iter().cycle()) {
        let mut position = Position::from_fen(fen).unwrap();
        position.set_variant(Variant::promoting(promotes));
        let builder = PositionBuilder::from(&position);
        assert!(Square::all().all(|square| builder.piece_at(square) == position.piece_at(square)));
        let built = builder.build().unwrap();
        assert_eq!((built.to_fen(), built.key()), (position.to_fen(), position.key()));
        assert_eq!(built.variant(), position.variant());
    }
    assert_eq!(PositionBuilder::new().build().err(), Some(SetupError::NoKing(Color::Red)));
}

#[test]
fn try_make_refuses_illegal_moves() {
    let mut position = Position::start();
    for text in ["a0a9", "e0e5", "h2h8", "a1a2", "a9a8"] {
        let mv: Move = text.parse().unwrap();
        assert_eq!(position.try_make(mv), Err(IllegalMove(mv)));
        assert_eq!((position.to_fen().as_str(), position.plies()), (START_FEN, 0));
    }
    assert_eq!(position.try_make("h2e2".parse().unwrap()), Ok(()));
    assert_eq!(position.plies(), 1);
}

#[test]
fn with_side_to_move_changes_only_the_side() {
    let mut position = Position::start();
    position.make("h2e2".parse().unwrap());
    let other = position.with_side_to_move(Color::Red);
    assert_eq!((other.side(), other.plies(), other.king(Color::Red)), (Color::Red, 0, position.king(Color::Red)));
    assert_eq!(other.key(), position.key_after_null());
    assert_eq!(position.with_side_to_move(Color::Black).key(), position.key());
}
