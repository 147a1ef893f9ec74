//! An option and its new value.

use super::declaration::{Declaration, Effect, OptionType};
use super::declarations::{DECLARATIONS, FAIRY_STOCKFISH, FOREIGN, PIKAFISH, SYNONYMS};
use super::values::Options;
use crate::files::unquoted;
#[cfg(feature = "tuning")]
use crate::search::tunables::Tunables;
use std::fmt;
use thiserror::Error;

/// Why an option could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Unknown option.
    #[error("unknown option {0:?}")]
    Unknown(String),
    /// An option of Fairy-Stockfish or Pikafish that has no meaning here.
    #[error("option {0:?} of other engines has no meaning here")]
    Foreign(&'static str),
    /// Invalid value.
    #[error("option {name}: invalid value {value:?}, expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The invalid text.
        value: String,
        /// Description of the valid values.
        expected: String,
    },
}

/// An option and its new value, which is in range.
#[derive(Clone)]
pub struct Setting {
    option: &'static Declaration,
    /// The name of the option in the protocol that the client used.
    name: &'static str,
    value: Value,
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Check(bool),
    /// A number in range, and what was asked for.
    Spin(u32, i128),
    /// Index of a word of a combo.
    Word(usize),
    Text(String),
    /// A button, which has no value.
    Press,
    /// Name and value of a search parameter.
    #[cfg(feature = "tuning")]
    Tunable(&'static str, i32),
}

/// Stands for all search parameters.
#[cfg(feature = "tuning")]
const TUNABLE: &Declaration = &Declaration {
    ucci: Some("tunable"),
    uci: None,
    kind: OptionType::Button,
    effect: Effect::None,
    meaning: "a search parameter",
};

impl Setting {
    /// Parses the value of the option with this UCCI or UCI name (case-insensitive). Numbers out of range are clamped
    /// (those of tunables are errors); a value of a button is ignored.
    ///
    /// # Errors
    /// When the option is unknown or the value invalid.
    pub fn read(name: &str, value: &str) -> Result<Setting, OptionError> {
        let (current, value) = (synonym(name), unquoted(value));
        #[cfg(feature = "tuning")]
        if let Some(tunable) = Tunables::ALL.iter().find(|tunable| tunable.name.eq_ignore_ascii_case(current)) {
            let read = value.parse().ok().filter(|&value| tunable.accepts(value));
            let expected = format!("{} to {}", tunable.min, tunable.max);
            let error = OptionError::Value { name: tunable.name, value: excerpt(value), expected };
            return read
                .map(|value| Setting {
                    option: TUNABLE,
                    name: tunable.name,
                    value: Value::Tunable(tunable.name, value),
                })
                .ok_or(error);
        }
        let option = declaration(current).ok_or_else(|| match foreign(current) {
            Some(other) => OptionError::Foreign(other),
            None => OptionError::Unknown(excerpt(name)),
        })?;
        let name = option.name_like(current);
        let error = |expected: &str| OptionError::Value { name, value: excerpt(value), expected: expected.to_string() };
        let value = match &option.kind {
            OptionType::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" | "yes" => Value::Check(true),
                "false" | "off" | "0" | "no" => Value::Check(false),
                _ => return Err(error("true or false")),
            },
            OptionType::Spin { min, max, .. } => {
                let number = value.parse::<i128>().map_err(|_| error("an integer"))?;
                Value::Spin(number.clamp(i128::from(*min), i128::from(*max)) as u32, number)
            }
            OptionType::Combo { values } => {
                let wanted = synonym(value);
                let found = values.iter().position(|(word, _)| word.eq_ignore_ascii_case(wanted));
                let words = || values.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
                Value::Word(found.ok_or_else(|| error(&words()))?)
            }
            // `<empty>` is the empty string in UCI.
            OptionType::Text { .. } => Value::Text(if value == "<empty>" { String::new() } else { value.to_string() }),
            OptionType::Button => Value::Press,
        };
        Ok(Setting { option, name, value })
    }

    /// Whether there is an option of this name, here or in the engines whose options are ignored.
    pub fn is_named(name: &str) -> bool {
        let current = synonym(name);
        #[cfg(feature = "tuning")]
        if Tunables::ALL.iter().any(|tunable| tunable.name.eq_ignore_ascii_case(current)) {
            return true;
        }
        declaration(current).is_some() || foreign(current).is_some()
    }

    /// Whether it is the option with this UCCI or UCI name.
    pub fn is(&self, name: &str) -> bool {
        self.option.is_called(name)
    }

    /// Whether UCI clients know the option from this engine alone: Fairy-Stockfish does not have it.
    pub fn is_unknown_to_fairy_stockfish(&self) -> bool {
        self.option.uci.is_some_and(|name| !FAIRY_STOCKFISH.contains(&name))
    }

    /// The button that begins a new game.
    pub fn new_game() -> Setting {
        Setting::read("newgame", "").expect("invariant: the option is declared")
    }

    /// The one of the option's names that was used.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What the engine does after the value has been stored.
    pub fn effect(&self) -> Effect {
        self.option.effect
    }

    /// Stores the value in `options`. Buttons store nothing.
    pub fn apply(&self, options: &mut Options) {
        match (&self.option.kind, &self.value) {
            (OptionType::Check { set, .. }, Value::Check(on)) => set(options, *on),
            (OptionType::Spin { set, .. }, Value::Spin(number, _)) => set(options, *number),
            (OptionType::Combo { values }, Value::Word(index)) => values[*index].1(options),
            (OptionType::Text { set }, Value::Text(text)) => set(options, text),
            #[cfg(feature = "tuning")]
            (_, Value::Tunable(name, value)) => {
                options.tunables.set(name, *value);
            }
            _ => {}
        }
    }

    /// What to say of a number that was out of range.
    pub fn out_of_range(&self) -> Option<String> {
        match (&self.option.kind, &self.value) {
            (OptionType::Spin { min, max, .. }, &Value::Spin(taken, asked)) if i128::from(taken) != asked => {
                Some(format!("option {}: {asked} is not from {min} to {max}", self.name))
            }
            _ => None,
        }
    }

    /// What to tell the client when the value was out of range and another one was taken.
    pub fn clamped(&self) -> Option<String> {
        let Value::Spin(taken, _) = self.value else { return None };
        self.out_of_range().map(|text| format!("{text}, {taken} is taken"))
    }
}

/// The declaration of the option with this UCCI or UCI name.
fn declaration(name: &str) -> Option<&'static Declaration> {
    DECLARATIONS.iter().chain(FOREIGN).find(|declaration| declaration.is_called(name))
}

/// The option of another engine with this name.
fn foreign(name: &str) -> Option<&'static str> {
    FAIRY_STOCKFISH.iter().chain(PIKAFISH).copied().find(|other| other.eq_ignore_ascii_case(name))
}

/// The word of this engine for a word of another one.
fn synonym(word: &str) -> &str {
    SYNONYMS.iter().find(|(other, _)| other.eq_ignore_ascii_case(word)).map_or(word, |(_, own)| own)
}

/// The first characters of a text, for an error message.
fn excerpt(text: &str) -> String {
    text.chars().take(32).collect()
}

/// Options are told apart by name.
impl PartialEq for Setting {
    fn eq(&self, other: &Setting) -> bool {
        self.option.name() == other.option.name() && self.value == other.value
    }
}

impl Eq for Setting {}

/// As in `batch = true`.
impl fmt::Debug for Setting {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let name = self.option.name();
        match (&self.option.kind, &self.value) {
            (_, Value::Check(on)) => write!(out, "{name} = {on}"),
            (_, Value::Spin(number, _)) => write!(out, "{name} = {number}"),
            (OptionType::Combo { values }, Value::Word(index)) => write!(out, "{name} = {}", values[*index].0),
            (_, Value::Text(text)) => write!(out, "{name} = {text:?}"),
            #[cfg(feature = "tuning")]
            (_, Value::Tunable(name, value)) => write!(out, "{name} = {value}"),
            _ => out.write_str(name),
        }
    }
}
