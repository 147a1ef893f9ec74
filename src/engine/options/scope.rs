//! What options change, for commands that take only some of them.

use super::{Effect, Setting};

/// Names of the options that do not change what a search finds, but how the engine plays a game. Its level is not among them.
const GAME: &[&str] = &[
    "threads",
    "hashsize",
    "moveoverhead",
    "usebook",
    "bookfiles",
    "bookdepth",
    "bookchoice",
    "cloudbook",
    "cloudaddress",
    "cloudtimeout",
    "randomness",
    "randomseed",
    "resign",
    "draws",
];

impl Setting {
    /// Whether the option changes the static evaluation.
    pub fn is_for_evaluation(&self) -> bool {
        ["evalapi", "movelimit", "Sixty Move Rule", "knowledge"].into_iter().any(|name| self.is(name))
    }

    /// Whether the option changes what the search of a position finds: the evaluation, the tables, the rules, the search. The
    /// variant is not among them: positions are read by it.
    pub fn is_for_search(&self) -> bool {
        match self.effect() {
            Effect::ForgetScores => !self.is("promotion"),
            Effect::OpenNetwork | Effect::OpenTables => true,
            _ => self.is("idle"),
        }
    }

    /// Whether the option changes how the engine plays a game, but for its level.
    pub fn is_for_game(&self) -> bool {
        self.is_for_search() || GAME.iter().any(|name| self.is(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::DECLARATIONS;

    #[test]
    fn options_are_for_a_search_for_a_game_or_neither() {
        assert!(GAME.iter().all(|&name| DECLARATIONS.iter().any(|option| option.name() == name)));
        let scopes = |name: &str, value: &str| {
            let setting = Setting::read(name, value).unwrap();
            (setting.is_for_search(), setting.is_for_game())
        };
        for (name, value) in [("EvalFile", "x"), ("Sixty Move Rule", "false"), ("style", "solid"), ("Idle", "small")] {
            assert_eq!(scopes(name, value), (true, true), "{name}");
        }
        assert_eq!(scopes("Book Files", "x"), (false, true));
        for (name, value) in [("level", "3"), ("Promotion", "true"), ("multipv", "2")] {
            assert_eq!(scopes(name, value), (false, false), "{name}");
        }
        for (name, value) in [("EvalFile", "x"), ("movelimit", "60"), ("Knowledge", "small")] {
            assert!(Setting::read(name, value).unwrap().is_for_evaluation(), "{name}");
        }
    }
}
