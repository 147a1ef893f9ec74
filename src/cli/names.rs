//! Values of arguments that several commands have.

use crate::display::board::PieceSet;
use crate::display::language::Language;
use crate::notation::Notation;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::str::FromStr;
use std::thread::available_parallelism;

/// Names of languages.
pub(super) const LANGUAGES: &[(&str, &str, Language)] = &[("en", "", Language::English), ("zh", "", Language::Chinese)];

/// The parser of the names of notations.
pub(super) fn notation_parser() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::NAMES.map(|(name, _)| name))
        .map(|name| Notation::named(&name).expect("invariant: the parser accepts these names only"))
}

/// The parser of names of values, each with an alias that the help does not show, or `""`.
pub(super) fn named_parser<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let shown = names.iter().map(|&(name, alias, _)| match alias {
        "" => PossibleValue::new(name),
        alias => PossibleValue::new(name).alias(alias),
    });
    PossibleValuesParser::new(shown).map(move |text| {
        let found = names.iter().find(|(name, alias, _)| text == *name || text == *alias);
        found.expect("invariant: the parser accepts these names only").2
    })
}

/// Greatest number of threads.
const MAX_THREADS: usize = 512;

/// A number of threads, 1 to 512; 0 is one for each processor.
#[derive(Clone, Copy)]
pub(super) struct Threads(usize);

impl Threads {
    /// The number, at least 1.
    pub(super) const fn count(self) -> usize {
        self.0
    }
}

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Threads, String> {
        match text.parse() {
            Ok(0) => Ok(Threads(available_parallelism().map_or(1, usize::from))),
            Ok(count) if count <= MAX_THREADS => Ok(Threads(count)),
            _ => Err(format!("must be from 0 to {MAX_THREADS}")),
        }
    }
}

/// Names of the sets of pieces.
pub(super) const PIECE_SETS: &[(&str, &str, PieceSet)] = &[
    ("traditional", "", PieceSet::Traditional),
    ("simplified", "", PieceSet::Simplified),
    ("letters", "", PieceSet::Letters),
];
