//! The game that `chuhe play` goes on with: what is resumed is valid, and keeping it gives the same game.

use super::check_position;
use chuhe::games::stream;
use chuhe::internals::game::Game;
use chuhe::internals::game_file::{of_record, record};
use chuhe::notation::Notation;
use chuhe::position::Variant;

/// The game in the content of a file.
fn read(data: &[u8]) -> Option<Game> {
    of_record(&stream::only_game(data, Variant::Standard).expect("memory can be read").ok()?)
}

/// Checks the bytes as a kept game.
pub fn check(data: &[u8]) {
    let Some(mut game) = read(data) else { return };
    check_position(game.position());
    let text = chuhe::games::pgn_writer::write(&record(&game), Notation::Iccs);
    let again = read(text.as_bytes()).expect("its own text can be read");
    assert_eq!(again.record().setup(), game.record().setup());
    assert_eq!((again.engine_plays, again.level), (game.engine_plays, game.level));
    assert_eq!(again.clock.map(|clock| clock.both()), game.clock.as_ref().map(|clock| clock.both()));
    // A long game adds many increments.
    if let Some(clock) = &mut game.clock {
        (0..10_000).for_each(|_| clock.press(chuhe::Color::Red));
    }
}
