//! The network through the public API: incremental updates of the accumulators equal a fresh computation, and symmetric
//! positions have equal evaluations.

use chuhe::eval::network::{ATTACK_HIDDEN, AttackVector, HIDDEN, Network, OUTPUT_BUCKETS, Vector};
use chuhe::internals::eval::{ATTACK_FEATURES, AccumulatorStack, FEATURES};
use chuhe::position::{Position, START_FEN, Variant};
use chuhe::types::Score;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

/// A network of random weights, of the sizes that trained ones have.
fn network() -> Arc<Network> {
    let mut rng = StdRng::seed_from_u64(11);
    let attack_weights = (0..ATTACK_FEATURES)
        .map(|_| AttackVector(std::array::from_fn::<_, ATTACK_HIDDEN, _>(|_| rng.random_range(-40..=40))))
        .collect();
    let mut vector = |size: i16| Vector(std::array::from_fn::<_, HIDDEN, _>(|_| rng.random_range(-size..=size)));
    Arc::new(Network {
        description: String::new(),
        feature_weights: (0..FEATURES).map(|_| vector(40)).collect(),
        feature_bias: vector(100),
        attack_weights,
        output_weights: Box::new(std::array::from_fn(|_| [vector(60), vector(60)])),
        output_bias: [100; OUTPUT_BUCKETS],
    })
}

fn fresh(network: &Arc<Network>, position: &Position) -> Score {
    AccumulatorStack::new(Arc::clone(network)).evaluate(position)
}

#[test]
fn incremental_updates_equal_a_fresh_computation() {
    let network = network();
    let mut rng = StdRng::seed_from_u64(12);
    let mut promotions = 0;
    for game in 0..3_000 {
        let mut position = Position::start();
        if game % 10 == 0 {
            position.set_variant(Variant::Promotion);
        }
        let mut accumulators = AccumulatorStack::new(Arc::clone(&network));
        for _ in 0..rng.random_range(1..200) {
            // Moves, null moves and undos with evaluations in between, as in a search.
            if position.plies() > 0 && rng.random_range(0..4) == 0 {
                position.undo();
            } else if !position.in_check() && rng.random_range(0..10) == 0 {
                position.make_null();
            } else {
                let legal = position.legal_moves();
                let Some(mv) = legal.get(rng.random_range(0..legal.len().max(1))) else { break };
                promotions += (mv.from() == mv.to()) as u32;
                position.make(mv);
            }
            if rng.random_range(0..2) == 0 {
                assert_eq!(accumulators.evaluate(&position), fresh(&network, &position), "{}", position.to_fen());
            }
        }
    }
    assert!(promotions > 100, "{promotions}");
}

#[test]
fn evaluation_is_mirror_symmetric_and_color_symmetric() {
    let network = network();
    let mut rng = StdRng::seed_from_u64(13);
    // Boards with a mirror balance near 0 as well: three pawns on a rank; a knight of either side on the same wing.
    let starts = ["4k4/9/9/9/P3PP1P1/9/9/9/9/4K4 w", "1n2k4/9/9/9/4P4/9/9/9/9/4K2N1 w", "3k5/9/9/9/9/9/9/9/9/4K4 w"];
    for fen in starts.into_iter().chain(std::iter::repeat_n(START_FEN, 300)) {
        let mut position = Position::from_fen(fen).unwrap();
        assert_eq!(fresh(&network, &position), fresh(&network, &position.mirrored()), "mirrored: {fen}");
        for _ in 0..rng.random_range(1..150) {
            let legal = position.legal_moves();
            let Some(mv) = legal.get(rng.random_range(0..legal.len().max(1))) else { break };
            position.make(mv);
            let score = fresh(&network, &position);
            assert_eq!(score, fresh(&network, &position.color_flipped()), "color-flipped: {}", position.to_fen());
            assert_eq!(score, fresh(&network, &position.mirrored()), "mirrored: {}", position.to_fen());
        }
    }
}
