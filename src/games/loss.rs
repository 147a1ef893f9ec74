//! What of a game a format does not hold.

use super::record::GameRecord;
use thiserror::Error;

/// Tags of PGN that say how a game is written, not something about it.
pub(super) const FORMAT_TAGS: [&str; 5] = ["Game", "Result", "Format", "FEN", "SetUp"];

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
}

/// The tags that none of these fields holds.
pub(super) fn other_tags(record: &GameRecord, held: &[&str]) -> Vec<Loss> {
    // The player's name is in the field of Red.
    let white = ["White"].into_iter().filter(|_| held.contains(&"Red") && record.tag("Red").is_none());
    let held: Vec<&str> = held.iter().chain(&FORMAT_TAGS).copied().chain(white).collect();
    let is_lost = |name: &str| !held.iter().any(|held| held.eq_ignore_ascii_case(name));
    record.tags.iter().filter(|(name, _)| is_lost(name)).map(|(name, _)| Loss::Tag(name.clone())).collect()
}
