//! Static evaluation (L3): the value of a position without search.

pub(crate) mod accumulator;
pub(crate) mod classical;
pub(crate) mod classical_terms;
pub(crate) mod damping;
pub(crate) mod evaluator;
pub(crate) mod features;
pub(crate) mod knowledge;
pub mod network;
pub(crate) mod piece_square;
pub(crate) mod tapered;
pub(crate) mod trace;
pub mod wdl;

pub use evaluator::Evaluator;
pub use knowledge::Knowledge;
pub use trace::EvalTerms;
