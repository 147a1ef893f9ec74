//! Errors of the arguments of `chuhe match`.

use crate::tournament::limit::LimitError;
use thiserror::Error;

/// Why a list of `KEY=VALUE` is refused. The first text is the argument.
#[derive(Debug, Error)]
pub(super) enum MatchArgError {
    /// A word is not `KEY=VALUE`.
    #[error("{0}: expected KEY=VALUE, found {1:?}")]
    NoPair(&'static str, String),
    /// There is no such key there.
    #[error("{0}: there is no key {1:?}")]
    Key(&'static str, String),
    /// A key has another value.
    #[error("{0}: {2:?} is no value of {1}")]
    Value(&'static str, String, String),
    /// A key is missing.
    #[error("{0}: {1}= is missing")]
    Missing(&'static str, &'static str),
    /// A limit cannot be read.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// An engine has two limits.
    #[error("{0}: two limits, {1} and {2}")]
    TwoLimits(&'static str, String, String),
    /// An engine has no limit; its name.
    #[error("no limit of engine {0}, as tc=, st=, movetime=, nodes= or depth=")]
    NoLimit(String),
    /// A match needs two engines.
    #[error("--engine is needed twice or more")]
    TooFew,
    /// Two engines have one name.
    #[error("two engines are called {0}: name= tells them apart")]
    SameName(String),
    /// An engine has no such option: its name, and that of the option.
    #[error("engine {0} has no option {1}")]
    NoOption(String, String),
    /// An option of an engine does not take a value: the names, and the value.
    #[error("engine {0}: option {1} does not take {2:?}")]
    OptionValue(String, String, String),
    /// An engine inside this process has a word of a program, or the other way round: the engine's name, and the keys.
    #[error("engine {0}: {1}= does not go with {2}=")]
    OtherKind(String, String, &'static str),
    /// An SPRT needs a match of two engines.
    #[error("--sprt needs two engines and an even number of games")]
    NoPairs,
    /// The differences or probabilities of an SPRT are none.
    #[error("--sprt: expected elo0 below elo1, both within 500, alpha and beta between 0 and 0.5")]
    Sprt,
}
