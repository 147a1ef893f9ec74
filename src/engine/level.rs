//! Playing levels: weaker play for human opponents (`level`, `Skill Level`, `UCI_Elo`).
//!
//! A level limits the search by depth or nodes, so that it plays alike on every machine and clock, and misjudges some
//! root moves: each is with a certain probability rated too low by up to a margin (negative root noise). So the move
//! played is never worse than the best by more than the margin, as far as the search sees; mates in the search are
//! always seen, since noise does not apply to decided scores. The parameters are measured: see docs/measurements.md.

use crate::search::limits::Limits;
use crate::types::{MoveList, Score};
use rand::{Rng, RngExt};

/// The depth of levels limited by nodes only.
const MAX_DEPTH: u32 = 64;

/// The level that plays at full strength.
pub const FULL: u32 = LEVELS.len() as u32;

/// Parameters of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Maximum depth, in plies.
    pub depth: u32,
    /// Maximum nodes, times the number of multi-PV lines.
    pub nodes: u64,
    /// Probability that a root move is misjudged, in percent.
    pub misjudged: u32,
    /// Maximum error of a misjudged move, in engine units (a knight is about 400).
    pub margin: Score,
    /// Measured strength, on the scale of `UCI_Elo`.
    pub elo: u32,
}

/// Levels 0 to 19. Level 20 ([`FULL`]) has no limits.
pub const LEVELS: &[Level] = &[
    level(1, 10_000, 85, 450, 1500),
    level(1, 10_000, 82, 400, 1604),
    level(1, 10_000, 74, 320, 1704),
    level(1, 10_000, 64, 245, 1791),
    level(1, 10_000, 47, 166, 1900),
    level(2, 10_000, 46, 140, 2000),
    level(2, 10_000, 25, 70, 2094),
    level(3, 20_000, 51, 140, 2179),
    level(3, 20_000, 36, 97, 2262),
    level(4, 30_000, 48, 138, 2370),
    level(4, 30_000, 19, 50, 2479),
    level(MAX_DEPTH, 880, 20, 60, 2564),
    level(MAX_DEPTH, 1_230, 20, 60, 2683),
    level(MAX_DEPTH, 1_720, 20, 60, 2785),
    level(MAX_DEPTH, 2_450, 20, 60, 2896),
    level(MAX_DEPTH, 3_300, 20, 60, 2988),
    level(MAX_DEPTH, 4_500, 20, 60, 3113),
    level(MAX_DEPTH, 6_200, 20, 60, 3230),
    level(MAX_DEPTH, 8_700, 20, 60, 3324),
    level(MAX_DEPTH, 12_500, 20, 60, 3443),
];

/// Elo of the lowest level.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// Elo of the highest level below full strength.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;

const fn level(depth: u32, nodes: u64, misjudged: u32, margin: Score, elo: u32) -> Level {
    Level { depth, nodes, misjudged, margin, elo }
}

impl Level {
    /// Level `number`; `None` for full strength ([`FULL`] and above).
    pub fn new(number: u32) -> Option<&'static Level> {
        LEVELS.get(number as usize)
    }

    /// A level for the next move of a player of this Elo, so that its moves of the two neighbouring levels mix in
    /// proportion. Values beyond those of [`LEVELS`] are clamped.
    pub fn of_elo(elo: u32, rng: &mut impl Rng) -> &'static Level {
        let above = LEVELS.partition_point(|level| level.elo <= elo).clamp(1, LEVELS.len() - 1);
        let (lower, upper) = (&LEVELS[above - 1], &LEVELS[above]);
        let elo = elo.clamp(lower.elo, upper.elo);
        if rng.random_ratio(elo - lower.elo, upper.elo - lower.elo) { upper } else { lower }
    }

    /// Restricts `limits`, for a search of a position with these legal moves, to this level.
    pub fn restrict(&self, limits: &mut Limits, legal: &MoveList, rng: &mut impl Rng) {
        let nodes = self.nodes.saturating_mul(limits.settings.lines.max(1) as u64);
        limits.depth = Some(limits.depth.map_or(self.depth, |depth| depth.min(self.depth)));
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        // More threads would be faster, but not reproducible.
        limits.settings.threads = 1;
        for mv in legal.iter() {
            if !rng.random_ratio(self.misjudged.min(100), 100) {
                continue;
            }
            let error = -rng.random_range(0..=self.margin);
            match limits.settings.root_noise.iter_mut().find(|(noisy, _)| *noisy == mv) {
                Some((_, noise)) => *noise += error,
                None => limits.settings.root_noise.push((mv, error)),
            }
        }
    }
}
