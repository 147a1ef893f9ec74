//! What options change, for commands that take only some of them.

use super::Setting;

/// Names of the options that change the static evaluation.
const EVALUATION: &[&str] = &["evalapi", "movelimit", "knowledge"];

/// Names of the options that change what a search finds.
const SEARCH: &[&str] = &[
    "evalapi",
    "egtbpaths",
    "useegtb",
    "repetition",
    "movelimit",
    "checkscount",
    "countedchecks",
    "style",
    "pruning",
    "knowledge",
    "idle",
];

/// Names of the options that, besides, change how the engine plays a game.
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
        EVALUATION.contains(&self.declared_name())
    }

    /// Whether the option changes what the search of a position finds: the evaluation, the tables, the rules, the search.
    pub fn is_for_search(&self) -> bool {
        SEARCH.contains(&self.declared_name())
    }

    /// Whether the option changes how the engine plays a game, but for its level.
    pub fn is_for_game(&self) -> bool {
        self.is_for_search() || GAME.contains(&self.declared_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::TABLE;

    #[test]
    fn names_are_those_of_declared_options() {
        for name in SEARCH.iter().chain(GAME).chain(EVALUATION) {
            assert!(TABLE.iter().any(|option| option.name() == *name), "{name}");
        }
        assert!(Setting::read("EvalFile", "x").unwrap().is_for_search());
    }
}
