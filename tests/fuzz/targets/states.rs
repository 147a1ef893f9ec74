//! Texts of tools: perft suites, states of the tuner, time controls, numbers of shards.

use super::check_position;
use chuhe::games::encoding;
use chuhe::internals::clock::{GameClock, TimeControl};
use chuhe::internals::shard::Shard;
use chuhe::position::perft_suite;

/// Checks the bytes as each of them.
pub fn check(data: &[u8]) {
    let text = encoding::decode(data);
    if let Ok(cases) = perft_suite::parse(&text) {
        cases.iter().for_each(|case| check_position(&case.position));
    }
    #[cfg(feature = "tuning")]
    if let Ok(state) = chuhe::internals::spsa::SpsaState::read(&text) {
        let again = chuhe::internals::spsa::SpsaState::read(&state.to_text()).expect("its own text can be read");
        assert_eq!(again.to_text(), state.to_text());
    }
    if let Some(control) = TimeControl::read(&text, 60.0) {
        let mut clock = GameClock::new(control, 0);
        (0..10_000).for_each(|_| clock.press(chuhe::Color::Red));
    }
    if let Ok(shard) = text.parse::<Shard>() {
        let games = shard.games(u64::MAX);
        assert!(games.start <= games.end);
    }
}
