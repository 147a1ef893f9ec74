//! Game records and lists of positions in any encoding: games are legal, a game written as PGN is read back, and a
//! stream that comes in small pieces gives the same games as one that comes at once.

use super::check_game;
use chuhe::games::stream::{self, FileGame, GameStream};
use chuhe::games::{encoding, games, pgn_writer};
use chuhe::notation::Notation;
use chuhe::position::Variant;
use std::io::BufReader;

/// Checks the bytes as a file.
pub fn check(data: &[u8]) {
    let text = encoding::decode(data);
    for game in games(&text).flatten() {
        check_game(&game);
        if game.tree.moves() < 100 {
            let (_, notation) = Notation::NAMES[data.len() % Notation::NAMES.len()];
            let written = pgn_writer::write(&game, notation);
            let again: Vec<_> = games(&written).map(|game| game.expect("its own PGN is read")).collect();
            assert!(again.len() == 1 && again[0].error.is_none(), "{written}");
            assert_eq!(again[0].start.to_fen(), game.start.to_fen());
            assert_eq!((again[0].moves(), again[0].result), (game.moves(), game.result), "{written}");
            assert_eq!(again[0].tree.lines(), game.tree.lines(), "{written}");
        }
    }
    let files = stream(data, 1 << 20);
    files.iter().flat_map(|game| &game.game).for_each(check_game);
    if let Ok(game) = stream::only_game(data, Variant::Standard).expect("memory can be read") {
        // It looks ahead, so that it may guess another encoding than a stream that gives each game at once.
        let ahead = GameStream::new(data, Variant::Standard).map(|game| game.expect("memory can be read").game);
        assert!(ahead.flatten().any(|other| other.tree == game.tree));
    }
    let shown = |games: &[FileGame]| -> Vec<String> {
        let shown = |game: &FileGame| match &game.game {
            Ok(record) => format!("{:?} {} {:?} {:?}", game.place, record.start.to_fen(), record.tree, record.error),
            Err(error) => format!("{:?} {error}", game.place),
        };
        games.iter().map(shown).collect()
    };
    assert_eq!(shown(&stream(data, 3)), shown(&files));
}

fn stream(data: &[u8], piece: usize) -> Vec<FileGame> {
    let input = BufReader::with_capacity(piece, data);
    // Without looking ahead, so that the encoding is guessed from the same bytes.
    let games = GameStream::new(input, Variant::Standard).giving_at_once();
    games.map(|game| game.expect("memory can be read")).collect()
}
