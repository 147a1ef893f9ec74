//! What of a game a format does not hold.

use super::record::GameRecord;
use thiserror::Error;

/// Something of a game that a format does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Loss {
    /// A tag has no field there.
    #[error("tag {0}")]
    Tag(String),
    /// A field is too short for a tag.
    #[error("the end of tag {0}")]
    EndOfTag(String),
    /// Marks such as `!`.
    #[error("the marks of moves")]
    Glyphs,
    /// The counters of the start position.
    #[error("the move counters of the start position")]
    Counters,
    /// Which side is to move where no move follows.
    #[error("the side to move")]
    SideToMove,
    /// All but the final position.
    #[error("all but the final position")]
    AllButFinalPosition,
    /// Characters of texts.
    #[error("characters of texts that its encoding does not have")]
    Characters,
}

/// The tags that have none of these names.
pub(super) fn other_tags(record: &GameRecord, held: &[&str]) -> Vec<Loss> {
    // Those of PGN that say how the game is written.
    const OWN: [&str; 5] = ["FEN", "SetUp", "Result", "Format", "Game"];
    let is_lost = |name: &str| !held.iter().chain(&OWN).any(|held| held.eq_ignore_ascii_case(name));
    record.tags.iter().filter(|(name, _)| is_lost(name)).map(|(name, _)| Loss::Tag(name.clone())).collect()
}
