//! Static evaluation (L3): the value of a position without search.
//!
//! | module | what it owns |
//! |---|---|
//! | [`mod@knowledge`] | the grades of evaluation, from material to the network |
//! | [`evaluator`] | the evaluation |
//! | [`trace`] | the terms of an evaluation as values, for display |
//! | [`damping`] | damping of scores towards the move limit |
//! | [`tapered`] | pairs of early and late values |
//! | [`mod@piece_square`] | piece-square tables (PSQT) |
//! | [`classical_terms`], [`classical`] | the features of the classical evaluation, and their weights |
//! | [`features`], [`network`], [`accumulator`] | the neural network (NNUE): input features, weights and arithmetic, incremental update of the first layer |
//! | [`mod@wdl`] | win/draw/loss (WDL) probabilities of a score |

#[doc(hidden)]
pub mod accumulator;
pub(crate) mod classical;
pub(crate) mod classical_terms;
pub(crate) mod damping;
pub(crate) mod evaluator;
#[doc(hidden)]
pub mod features;
pub(crate) mod knowledge;
pub mod network;
pub(crate) mod piece_square;
pub(crate) mod tapered;
pub(crate) mod trace;
pub mod wdl;

pub use evaluator::Evaluator;
pub use knowledge::Knowledge;
pub use trace::EvalTerms;
