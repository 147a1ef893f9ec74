//! Properties of random games and positions. A failing case is shrunk to a short one, which is printed.
//!
//! `cargo test --test properties` tries the same cases each time; with `PROPTEST_CASES=N` each property gets N new ones.

#[path = "../common/data.rs"]
mod data;
#[path = "../naive/mod.rs"]
mod naive;

#[cfg(feature = "engine")]
mod clock;
mod endgame;
mod evaluation;
mod exchange;
mod notation;
mod position;
mod record;
mod rules;
mod walk;
