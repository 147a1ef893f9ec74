//! Static evaluation (L3): the value of a position without search.
//!
//! | module | what it owns |
//! |---|---|
//! | [`mod@knowledge`] | the grades of evaluation, from material to the network |
//! | [`evaluator`] | the evaluation |
//! | [`eval_terms`] | the terms of an evaluation as values, for display |
//! | [`damping`] | damping of scores towards the move limit |
//! | [`tapered`] | pairs of early and late values |
//! | [`mod@piece_square`] | piece-square tables (PSQT) |
//! | [`terms`], [`classical`] | the features of the classical evaluation, and their weights |
//! | [`features`], [`network`], [`accumulator`] | the neural network (NNUE): input features, weights and arithmetic, incremental update of the first layer |
//! | [`mod@wdl`] | win/draw/loss (WDL) probabilities of a score |

pub mod accumulator;
pub mod classical;
pub mod damping;
pub mod eval_terms;
pub mod evaluator;
pub mod features;
pub mod knowledge;
pub mod network;
pub mod piece_square;
pub mod tapered;
pub mod terms;
pub mod wdl;

pub use eval_terms::EvalTerms;
pub use evaluator::Evaluator;
pub use knowledge::Knowledge;
