//! The declaration of an option.

use super::values::Options;
use std::fmt;

/// Declaration of one option. Everything that the protocols, `help options` and the documentation say of it follows.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name in UCCI, one word in lower case; `None`: not announced in UCCI.
    pub ucci: Option<&'static str>,
    /// Name in UCI; `None`: not announced in UCI.
    pub uci: Option<&'static str>,
    /// Type, range, default, and how a value is stored.
    pub kind: OptionType,
    /// What the engine does after the value has been stored.
    pub effect: Effect,
    /// What it means, in a line.
    pub meaning: &'static str,
}

/// Type of an option in the protocols (`check`, `spin`, `combo`, `string`, `button`), with its default and the function
/// that stores a value.
#[derive(Clone, Debug)]
pub enum OptionType {
    /// A Boolean.
    Check {
        /// Default value.
        default: bool,
        /// Default value for UCI clients.
        uci_default: bool,
        /// Stores a value.
        set: fn(&mut Options, bool),
    },
    /// An integer.
    Spin {
        /// Minimum; smaller values are clamped.
        min: u32,
        /// Maximum; greater values are clamped.
        max: u32,
        /// Default value.
        default: u32,
        /// Stores a value, which is in range.
        set: fn(&mut Options, u32),
    },
    /// One of several words. The default comes first: uci2wb, XBoard's adapter, takes the first word for the default
    /// and sets it.
    Combo {
        /// The words, and what each stores.
        values: &'static [Word],
    },
    /// A text, by default empty.
    Text {
        /// Stores a value.
        set: fn(&mut Options, &str),
    },
    /// An action without a value.
    Button,
}

/// A word of a combo, and the function that stores it.
pub(super) type Word = (&'static str, fn(&mut Options));

/// What the engine does after an option has been set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Resize the hash table.
    ResizeHash,
    /// Allocate the memory of the search threads.
    PrepareThreads,
    /// Clear the hash table, the histories and the game's state: a new game.
    NewGame,
    /// Clear the hash table.
    ClearHash,
    /// If the value has changed, clear what contains scores (hash table, histories), which depend on it.
    ForgetScores,
    /// Seed the random generator.
    Seed,
    /// Open the network file.
    OpenNetwork,
    /// Open the book files.
    OpenBooks,
    /// Open the endgame tables.
    OpenTables,
    /// Connect to the cloud book again.
    ResetCloud,
}

impl Declaration {
    /// Its UCCI name, or else its UCI name.
    pub fn name(&self) -> &'static str {
        self.ucci.or(self.uci).expect("invariant: every option has a name")
    }

    /// The one of its names that `name` is, exactly or in another case; if none, its UCCI or UCI name.
    pub fn name_like(&self, name: &str) -> &'static str {
        let names = || [self.ucci, self.uci].into_iter().flatten();
        let exact = names().find(|&own| own == name);
        exact.or_else(|| names().find(|own| own.eq_ignore_ascii_case(name))).unwrap_or_else(|| self.name())
    }

    /// Whether `name` is one of its names, in any case.
    pub fn is_called(&self, name: &str) -> bool {
        [self.ucci, self.uci].into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Stores its default in `options`.
    pub(super) fn set_default(&self, options: &mut Options) {
        match &self.kind {
            OptionType::Check { default, set, .. } => set(options, *default),
            OptionType::Spin { default, set, .. } => set(options, *default),
            OptionType::Combo { values } => values[0].1(options),
            OptionType::Text { set } => set(options, ""),
            OptionType::Button => {}
        }
    }
}

/// Type, default and range, as in `spin, 1 (0 to 256)`.
impl fmt::Display for OptionType {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionType::Check { default, uci_default, .. } if default != uci_default => {
                write!(out, "check, {default} (UCI: {uci_default})")
            }
            OptionType::Check { default, .. } => write!(out, "check, {default}"),
            OptionType::Spin { min, max, default, .. } => write!(out, "spin, {default} ({min} to {max})"),
            OptionType::Combo { values } => {
                let words: Vec<&str> = values.iter().map(|value| value.0).collect();
                write!(out, "combo, {}", words.join(", "))
            }
            OptionType::Text { .. } => out.write_str("string"),
            OptionType::Button => out.write_str("button"),
        }
    }
}
