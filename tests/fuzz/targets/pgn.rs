//! Game records and lists of positions in any encoding: games are legal, a game written as PGN is read back, and a
//! stream that comes in small pieces gives the same games as one that comes at once.

use super::{check_game, check_position};
use chuhe::games::stream::{self, GameStream, StreamGame};
use chuhe::games::{encoding, pgn, pgn_writer};
use chuhe::notation::Notation;
use chuhe::position::Variant;
use std::io::BufReader;

/// Checks the bytes as a file.
pub fn check(data: &[u8]) {
    let text = encoding::decode(data);
    let games: Vec<_> = pgn::games(&text).collect();
    for game in &games {
        check_game(game);
        if game.moves.len() < 100 {
            let (_, notation) = Notation::NAMES[data.len() % Notation::NAMES.len()];
            let written = pgn_writer::write(&[], &game.start, &game.moves, game.result, notation);
            let again: Vec<_> = pgn::games(&written).collect();
            assert!(again.len() == 1 && again[0].error.is_none(), "{written}");
            assert_eq!(again[0].start.to_fen(), game.start.to_fen());
            assert_eq!((&again[0].moves, again[0].result), (&game.moves, game.result), "{written}");
        }
    }
    let files = stream(data, 1 << 20);
    for game in files.iter().filter_map(|game| game.game.as_ref().ok()) {
        match game.setup.game(Variant::Standard) {
            Ok(position) => check_position(&position),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(setup) = stream::game(data).expect("memory can be read") {
        assert!(files.iter().filter_map(|game| game.game.as_ref().ok()).any(|game| game.setup == setup));
    }
    assert!(stream(data, 3) == files);
}

fn stream(data: &[u8], piece: usize) -> Vec<StreamGame> {
    GameStream::new(BufReader::with_capacity(piece, data)).map(|game| game.expect("memory can be read")).collect()
}
