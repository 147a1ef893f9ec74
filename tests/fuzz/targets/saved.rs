//! The game that `chuhe play` goes on with: what is resumed is valid, and saving it gives the same game.

use super::check_position;
use chuhe::display::board::PieceSet;
use chuhe::display::verdict::Language;
use chuhe::notation::Notation;
use chuhe::play::saved_game::SavedGame;
use chuhe::play::settings::Settings;
use std::time::Duration;

/// Checks the bytes as a saved game.
pub fn check(data: &[u8]) {
    let Some(saved) = SavedGame::from_bytes(data) else { return };
    let settings = Settings {
        engine_plays: [false, true],
        level: 7,
        control: None,
        move_time: Duration::from_secs(1),
        options: Vec::new(),
        rules: chuhe::rules::Rules::default(),
        notation: Notation::Iccs,
        pieces: PieceSet::Letters,
        is_ascii: false,
        language: Language::English,
    };
    let Some((settings, game, clock)) = saved.resume(settings) else { return };
    check_position(game.position());
    let again = SavedGame::of(&settings, &game, clock.as_ref());
    if let Some((_, same, mut clock_again)) = again.resume(settings) {
        assert_eq!(same.setup(), game.setup());
        assert_eq!(clock_again.as_ref().map(|clock| clock.both()), clock.map(|clock| clock.both()));
        // A long game adds many increments.
        if let Some(clock) = &mut clock_again {
            (0..10_000).for_each(|_| clock.add_increment(game.side()));
        }
    }
}
