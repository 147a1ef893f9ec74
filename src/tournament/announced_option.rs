//! What an engine announces of an option: which values it takes.

/// The type of an option in the protocols, with the values it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnnouncedOption {
    /// `true` or `false`.
    Check,
    /// A number within these bounds, as far as they are known.
    Spin {
        /// The lowest.
        min: Option<i64>,
        /// The highest.
        max: Option<i64>,
    },
    /// One of these words, in any case.
    Combo(Vec<String>),
    /// Anything: a text, or a type that the protocols do not have.
    Other,
}

impl AnnouncedOption {
    /// Reads what follows the word `type`, such as `spin min 0 max 9 default 1` or `combo default a var a var b`.
    pub(crate) fn read(text: &str) -> AnnouncedOption {
        let words: Vec<&str> = text.split_whitespace().collect();
        let after = |name: &str| words.iter().skip_while(|&&word| word != name).nth(1);
        let number = |name: &str| after(name)?.parse().ok();
        match words.first().copied() {
            Some("check") => AnnouncedOption::Check,
            Some("spin") => AnnouncedOption::Spin { min: number("min"), max: number("max") },
            Some("combo") => {
                // A value may have several words.
                let values = text.split(" var ").skip(1).map(|value| value.split(" default ").next().unwrap_or(value));
                AnnouncedOption::Combo(values.map(|value| value.trim().to_string()).collect())
            }
            _ => AnnouncedOption::Other,
        }
    }

    /// Whether it takes a value.
    pub(crate) fn takes(&self, value: &str) -> bool {
        match self {
            AnnouncedOption::Check => ["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(value)),
            AnnouncedOption::Spin { min, max } => value
                .parse()
                .is_ok_and(|number: i64| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)),
            AnnouncedOption::Combo(values) => values.iter().any(|word| word.eq_ignore_ascii_case(value)),
            AnnouncedOption::Other => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_by_type_and_range() {
        for (text, good, bad) in [
            ("check default true", "false", "yes"),
            ("spin min 1 max 20 default 20", "20", "21"),
            ("spin default 24 min -100 max 100", "-100", "-101"),
            ("spin default 1", "9999999", "one"),
            ("combo default Both var Both var Very Long", "very long", "Long"),
            ("combo var none var small default none", "none", "default"),
        ] {
            let option = AnnouncedOption::read(text);
            assert!(option.takes(good), "{text}: {good}");
            assert!(!option.takes(bad), "{text}: {bad}");
        }
        for text in ["string", "string default a", "button", "filename", ""] {
            assert!(AnnouncedOption::read(text).takes("anything"), "{text}");
        }
    }
}
