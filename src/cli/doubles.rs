//! Games that are in a collection more than once.

use super::messages::print_message_in;
use super::position_argument::SourcedGame;
use crate::display::language::Language;
use crate::games::GameRecord;
use std::collections::BTreeMap;

/// The games so far: where each is, by its start position and moves.
#[derive(Default)]
pub(super) struct Doubles {
    sources: BTreeMap<Vec<u8>, String>,
}

impl Doubles {
    /// Where the game was before, with the same start position and main line; remembers one that is new. What cannot be read is
    /// always new.
    pub(super) fn of(&mut self, game: &SourcedGame) -> Option<&str> {
        let key = key(game.game.as_ref().ok()?);
        if self.sources.contains_key(&key) {
            return self.sources.get(&key).map(String::as_str);
        }
        self.sources.insert(key, game.source.clone());
        None
    }

    /// Says which of the games are the beginnings of others.
    pub(super) fn say_beginnings(&self, language: Language) {
        // What begins with a text follows it in their order.
        for ((key, source), (next, longer)) in self.sources.iter().zip(self.sources.iter().skip(1)) {
            if has_moves(key) && next.starts_with(key) {
                let text = format!("{source}: the beginning of {longer}");
                print_message_in(language, &language.pick(text, format!("{source}：是 {longer} 的开头部分")));
            }
        }
    }
}

/// The start position, a zero, and two bytes for each move.
fn key(game: &GameRecord) -> Vec<u8> {
    let moves = game.moves().into_iter().flat_map(|mv| mv.bits().to_le_bytes());
    game.start.to_fen().into_bytes().into_iter().chain([0]).chain(moves).collect()
}

fn has_moves(key: &[u8]) -> bool {
    !key.ends_with(&[0])
}
