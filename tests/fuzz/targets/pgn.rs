//! Game records and lists of positions in any encoding: games are legal, a game written as PGN is read back, and a
//! stream that comes in small pieces gives the same games as one in memory.

use super::{check_game, check_position};
use chuhe::engine::game_file;
use chuhe::engine::game_stream::{GameStream, StreamGame};
use chuhe::notation::{Notation, encoding, pgn, pgn_writer};
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
            let again: Vec<_> = pgn::strict_games(&written).collect();
            assert!(again.len() == 1 && again[0].error.is_none(), "{written}");
            assert_eq!(again[0].start.to_fen(), game.start.to_fen());
            assert_eq!((&again[0].moves, again[0].result), (&game.moves, game.result), "{written}");
        }
    }
    assert!(pgn::strict_games(&text).count() >= games.len());
    let files = game_file::games(data);
    assert!(!files.is_empty());
    for game in files.iter().flatten() {
        match game.setup.game(Variant::Standard) {
            Ok(position) => check_position(&position),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(setup) = game_file::game(data) {
        assert!(files.iter().flatten().any(|game| game.setup == setup));
    }
    assert!(stream(data, 3) == stream(data, 1 << 20));
}

fn stream(data: &[u8], piece: usize) -> Vec<StreamGame> {
    GameStream::new(BufReader::with_capacity(piece, data)).map(|game| game.expect("memory can be read")).collect()
}
