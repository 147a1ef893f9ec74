//! What is checked of each reader of bytes, whatever the bytes are. `tests/fuzz` runs these functions under libFuzzer,
//! `tests/faults/fuzz_corpus.rs` on the files of `tests/fuzz/corpus`.

pub mod answers;
pub mod books;
pub mod cloud;
pub mod commands;
pub mod conversation;
pub mod fen;
pub mod games;
pub mod moves;
pub mod networks;
pub mod obk;
pub mod pgn;
pub mod saved;
pub mod states;
pub mod tables;
pub mod xqf;

use chuhe::games::GameRecord;
use chuhe::games::tree::TreeCursor;
use chuhe::notation::{Notation, read};
use chuhe::position::Position;

/// A target: its name, and what is checked.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("answers", answers::check),
    ("books", books::check),
    ("cloud", cloud::check),
    ("commands", commands::check),
    ("conversation", conversation::check),
    ("fen", fen::check),
    ("games", games::check),
    ("moves", moves::check),
    ("networks", networks::check),
    ("obk", obk::check),
    ("pgn", pgn::check),
    ("saved", saved::check),
    ("states", states::check),
    ("tables", tables::check),
    ("xqf", xqf::check),
];

/// Checks that the position is valid, that its FEN is that of an equal position, and that each of its legal moves can be
/// made and undone.
pub fn check_position(position: &Position) {
    assert_eq!(position.validate(), Ok(()));
    let fen = position.to_fen();
    let again = Position::from_fen(&fen).expect("its own FEN is understood");
    assert_eq!((again.to_fen(), again.key()), (fen.clone(), position.key()));
    let mut position = position.clone();
    for mv in position.legal_moves().iter() {
        assert!(position.is_legal(mv), "{fen} {mv}");
        position.make(mv);
        position.undo();
    }
    assert_eq!(position.to_fen(), fen);
}

/// Checks the start of a game, that its moves are legal, and that the first ones can be read back in every notation.
pub fn check_game(game: &GameRecord) {
    check_position(&game.start);
    let mut position = game.start.clone();
    for (ply, &mv) in game.moves().iter().enumerate() {
        assert!(position.is_legal(mv));
        for (_, notation) in Notation::NAMES.iter().filter(|_| ply < 20) {
            assert_eq!(read(&position, &notation.write(&position, mv)), Ok(mv));
        }
        position.make(mv);
    }
    assert!(game.tags.iter().all(|(_, value)| !value.is_empty() && !value.contains(char::is_control)));
    let mut cursor = TreeCursor::new(game.tree.clone(), game.start.clone());
    for node in game.tree.nodes().skip(1) {
        assert!(!game.tree.comment(node).contains(char::is_control));
        cursor.go_to(game.tree.parent(node).expect("only the root has none"));
        assert!(cursor.position().is_legal(game.tree.mv(node).expect("only the root has none")));
        cursor.go_to(node);
    }
}
