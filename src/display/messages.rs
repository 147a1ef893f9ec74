//! Errors and notices in the language of the user: English, as they display themselves, or Chinese from the catalogue
//! `messages.json`.
//!
//! The catalogue's keys are English messages in which `{}` stands for any text. In the Chinese ones `{0}`, `{1}` … stand
//! for those texts as they are, and `{~0}`, `{~1}` … for their translations.
//!
//! A message is recognised by the pieces in which it displays itself: the literal text of its format string, and between
//! them the values, such as names of files, whose words are not taken for those of a message.

use super::language::Language;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Display, Write};

/// Says messages in one language.
pub(crate) struct Messages {
    /// Empty for English; those of greater precedence come first.
    templates: Vec<Template>,
}

/// A message of the catalogue.
struct Template {
    /// The English text between the placeholders.
    literals: Vec<String>,
    chinese: String,
}

impl Messages {
    /// Messages in `language`.
    pub(crate) fn new(language: Language) -> Messages {
        let mut templates: Vec<Template> = match language {
            Language::English => Vec::new(),
            Language::Chinese => {
                catalogue().into_iter().map(|(english, chinese)| Template::new(&english, chinese)).collect()
            }
        };
        templates.sort_by_key(|template| Reverse(template.precedence()));
        Messages { templates }
    }

    /// The text of `message`. What the catalogue does not have stays English.
    pub(crate) fn text(&self, message: &dyn Display) -> String {
        let mut pieces = Pieces(Vec::new());
        // A value that cannot be displayed ends the text.
        let _ = write!(pieces, "{message}");
        self.translate(&pieces.0)
    }

    /// The translation of a message in pieces. One that was made a text before it became a part of another is recognised by
    /// its text.
    fn translate(&self, message: &[String]) -> String {
        let text = message.concat();
        let by_pieces = self.templates.iter().find_map(|template| Some((template, template.between(message)?)));
        let found = by_pieces.or_else(|| {
            let texts = |captures: Vec<&str>| captures.into_iter().map(|text| vec![text.to_string()]).collect();
            self.templates.iter().find_map(|template| Some((template, template.captures(&text).map(texts)?)))
        });
        found.map_or(text, |(template, captures)| self.fill(&template.chinese, &captures))
    }

    /// The Chinese text with the captures, in pieces, in place of its placeholders.
    fn fill(&self, chinese: &str, captures: &[Vec<String>]) -> String {
        let mut parts = chinese.split('{');
        let mut text = parts.next().unwrap_or_default().to_string();
        for (placeholder, rest) in parts.filter_map(|part| part.split_once('}')) {
            let number = placeholder.trim_start_matches('~').parse().ok();
            let capture = number.and_then(|number: usize| captures.get(number)).map_or(&[][..], Vec::as_slice);
            match placeholder.starts_with('~') {
                true => text.push_str(&self.translate(capture)),
                false => text.push_str(&capture.concat()),
            }
            text.push_str(rest);
        }
        text
    }
}

/// The pieces in which a message is displayed.
struct Pieces(Vec<String>);

impl Write for Pieces {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if !piece.is_empty() {
            self.0.push(piece.to_string());
        }
        Ok(())
    }
}

impl Template {
    fn new(english: &str, chinese: String) -> Template {
        Template { literals: english.split("{}").map(str::to_string).collect(), chinese }
    }

    /// What begins with literal text precedes what begins with a placeholder; then the one with more literal text.
    fn precedence(&self) -> (bool, usize, String) {
        let literal = self.literals.concat();
        (!self.literals[0].is_empty(), literal.len(), literal)
    }

    /// Whether it stands around another message: `{}: …`.
    fn is_outer(&self) -> bool {
        self.literals.get(1).is_some_and(|literal| literal.starts_with(": "))
    }

    /// The pieces of `message` for each placeholder, the first as few as possible, where the literals are pieces. A
    /// placeholder has at least one.
    fn between(&self, message: &[String]) -> Option<Vec<Vec<String>>> {
        let (first, others) = self.literals.split_first().filter(|(_, others)| !others.is_empty())?;
        let mut rest = &message[pieces_of(message, first)?..];
        let mut captures = Vec::new();
        for (number, literal) in (1..).zip(others) {
            let ends = |end: &usize| number < others.len() || rest[*end..].concat() == *literal;
            let end = (1..=rest.len()).filter(ends).find(|&end| pieces_of(&rest[end..], literal).is_some())?;
            captures.push(rest[..end].to_vec());
            rest = &rest[end + pieces_of(&rest[end..], literal)?..];
        }
        // A message within another one has nothing of that.
        let is_within = first.is_empty() && !self.is_outer() && captures[0].iter().any(|piece| piece.starts_with(": "));
        (!is_within).then_some(captures)
    }

    /// What stands in `message` for each placeholder, the first as short as possible. A placeholder is not empty.
    fn captures<'a>(&self, message: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.literals.split_first()?;
        let mut rest = message.strip_prefix(first.as_str())?;
        let Some((last, between)) = others.split_last() else { return rest.is_empty().then(Vec::new) };
        let mut captures = Vec::new();
        for literal in between {
            let (capture, after) = rest.split_once(literal.as_str())?;
            captures.push(capture);
            rest = after;
        }
        captures.push(rest.strip_suffix(last.as_str())?);
        // A message within another one has nothing of that.
        if first.is_empty() && !self.is_outer() && captures[0].contains(": ") {
            return None;
        }
        captures.iter().all(|capture| !capture.is_empty()).then_some(captures)
    }
}

/// How many pieces at the beginning of a message make up the text `literal`.
fn pieces_of(message: &[String], mut literal: &str) -> Option<usize> {
    let mut count = 0;
    while !literal.is_empty() {
        literal = literal.strip_prefix(message.get(count)?.as_str())?;
        count += 1;
    }
    Some(count)
}

/// Chinese messages by English ones.
fn catalogue() -> HashMap<String, String> {
    serde_json::from_str(include_str!("messages.json")).expect("invariant: a test reads the catalogue")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// The texts of the attributes `error` in the sources below a folder, with `{}` for each placeholder, without those
    /// of the protocols, whose lines are English.
    fn error_texts(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                error_texts(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).unwrap();
                found.extend(source.split("#[error(\"").skip(1).filter_map(template));
            }
        }
    }

    /// The format string up to the quote that ends it, with `{}` for each placeholder.
    fn template(source: &str) -> Option<String> {
        let end = source.match_indices('"').find(|&(at, _)| !source[..at].ends_with('\\'))?.0;
        let text = source[..end].replace("\\\"", "\"");
        let mut parts = text.split('{');
        let first = parts.next()?.to_string();
        parts.try_fold(first, |template, part| Some(format!("{template}{{}}{}", part.split_once('}')?.1)))
    }

    #[test]
    fn every_error_has_a_translation() {
        let mut texts = Vec::new();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for folder in fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path()) {
            if folder.is_dir() && !folder.ends_with("protocol") {
                error_texts(&folder, &mut texts);
            }
        }
        let others = [
            // A list of errors, a text for each problem.
            "{}",
            "line {}: {} {}",
            // Of the feature `tuning`, of the protocols.
            "{}: not a search parameter, or out of range: {}",
            "{}: not results of these changes: {}",
            "no memory for a hash table of {} MB, keeping {} MB",
        ];
        let catalogue = catalogue();
        let is_known = |text: &&String| catalogue.contains_key(*text) || others.contains(&text.as_str());
        let missing: Vec<_> = texts.iter().filter(|text| !is_known(text)).collect();
        assert!(missing.is_empty() && texts.len() > 80, "{missing:#?}");
    }

    #[test]
    fn placeholders_of_a_translation_are_those_of_its_message() {
        for (english, chinese) in catalogue() {
            let count = english.matches("{}").count();
            let chinese = chinese.replace('~', "");
            assert!((0..count).all(|number| chinese.contains(&format!("{{{number}}}"))), "{english}: {chinese}");
            assert_eq!(chinese.matches('{').count(), count, "{english}: {chinese}");
        }
    }

    #[test]
    fn each_message_has_the_translation_of_its_own() {
        let messages = Messages::new(Language::Chinese);
        for (english, chinese) in catalogue() {
            let (mut message, mut expected) = (english.clone(), chinese);
            for number in 0..english.matches("{}").count() {
                let token = format!("X{number}Y");
                message = message.replacen("{}", &token, 1);
                expected =
                    expected.replace(&format!("{{{number}}}"), &token).replace(&format!("{{~{number}}}"), &token);
            }
            assert_eq!(messages.text(&message), expected, "{english}");
        }
    }

    #[test]
    fn words_of_the_user_are_not_taken_for_those_of_a_message() {
        let messages = Messages::new(Language::Chinese);
        for name in ["cannot read x: y.dat", "the book would be empty", "line 3: \"x\" is not a move"] {
            let within = format_args!("line {}: {:?} is not a move", 3, "x").to_string();
            assert_eq!(messages.text(&format_args!("{name}: {within}")), format!("{name}：第3行：\"x\" 不是着法"));
            assert_eq!(messages.text(&format_args!("there is no table of {name}")), format!("没有 {name} 的残局库"));
        }
    }

    #[test]
    fn messages_are_translated_with_the_messages_within() {
        let messages = Messages::new(Language::Chinese);
        for (english, chinese) in [
            ("the book would be empty", "开局库中将没有任何着法"),
            ("cannot read a: b.pgn: line 3: \"x\" is not a move", "无法读取 a：b.pgn：第3行：\"x\" 不是着法"),
            ("r: the book would be empty", "r：开局库中将没有任何着法"),
            ("line 2: 前兵进一 is ambiguous: c6c7 or e6e7", "第2行：前兵进一 有歧义：c6c7 或 e6e7"),
            ("a.pgn: 前兵进一 is ambiguous: c6c7 or e6e7", "a.pgn：前兵进一 有歧义：c6c7 或 e6e7"),
            ("move 2: h2e2 is illegal: the r on h2 is black's", "第2着：h2e2 不合规则：h2 上的车是黑方的"),
            ("cannot read {1}{~1}: the book would be empty", "无法读取 {1}{~1}：开局库中将没有任何着法"),
            ("what nobody wrote", "what nobody wrote"),
            ("{0}: {1}", "{0}：{1}"),
            ("", ""),
        ] {
            assert_eq!(messages.text(&english), chinese);
            assert_eq!(Messages::new(Language::English).text(&english), english);
        }
    }
}
