//! Reproducible random numbers (L6).

use rand::SeedableRng;
use rand::rngs::StdRng;

/// The random number generator for one game, pair of games or epoch of a run with this seed. Other seeds and other
/// numbers give unrelated sequences.
pub(crate) fn seeded_rng(seed: u64, number: u64) -> StdRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    StdRng::from_seed(bytes)
}
