//! The command line's help in the language of the user: English, or Chinese from the catalogue `chinese.json`, whose keys
//! are the English texts.

use super::locale::is_chinese;
use crate::display::columns::is_wide;
use crate::display::language::Language;
use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::collections::HashMap;

/// Columns of a line of Chinese help, which stands below the name of its argument.
const COLUMNS: usize = 66;

/// The catalogue: Chinese texts by English ones.
type Catalogue = HashMap<String, String>;

/// The language of the user's locale.
pub(super) fn locale_language() -> Language {
    if is_chinese() { Language::Chinese } else { Language::English }
}

/// The command with its help in Chinese.
pub(super) fn to_chinese(mut command: Command) -> Command {
    let catalogue: Catalogue =
        serde_json::from_str(include_str!("chinese.json")).expect("invariant: a test reads the catalogue");
    // Adds the arguments and the command `help`, so that they are translated too.
    command.build();
    translate(command, &catalogue)
}

fn translate(mut command: Command, catalogue: &Catalogue) -> Command {
    let text = |text: Option<&StyledStr>| text.map(|text| look_up(catalogue, &text.to_string()));
    let usage = look_up(catalogue, "Usage");
    if let Some(about) = text(command.get_about()) {
        command = command.about(about);
    }
    if let Some(about) = text(command.get_long_about()) {
        command = command.long_about(about);
    }
    command
        .next_line_help(true)
        .help_template(format!("{{about-with-newline}}\n{usage}: {{usage}}\n\n{{all-args}}{{after-help}}"))
        .subcommand_help_heading(look_up(catalogue, "Commands"))
        .mut_args(|argument| translate_argument(argument, catalogue))
        .mut_subcommands(|command| translate(command, catalogue))
}

fn translate_argument(mut argument: Arg, catalogue: &Catalogue) -> Arg {
    let values = values(&argument);
    let text = |text: Option<&StyledStr>| text.map(|text| look_up_with(catalogue, &text.to_string(), &values));
    if let Some(help) = text(argument.get_help()) {
        argument = argument.help(help);
    }
    if let Some(help) = text(argument.get_long_help()) {
        argument = argument.long_help(help);
    }
    // They are in the text.
    argument = argument.hide_default_value(true).hide_possible_values(true);
    let heading = if argument.is_positional() { "Arguments" } else { "Options" };
    argument.help_heading(look_up(catalogue, heading))
}

/// The default value and the possible values of an argument, as clap would show them in English.
fn values(argument: &Arg) -> String {
    let mut text = String::new();
    if !argument.get_action().takes_values() {
        return text;
    }
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && !argument.is_hide_default_value_set() {
        text += &format!(" [默认：{}]", defaults.join("、"));
    }
    let possible = argument.get_possible_values();
    if !possible.is_empty() && !argument.is_hide_possible_values_set() {
        let names: Vec<_> = possible.iter().map(|value| value.get_name()).collect();
        text += &format!("\n[可用值：{}]", names.join("、"));
    }
    text
}

/// The Chinese text, or the English one where there is none.
fn look_up(catalogue: &Catalogue, english: &str) -> String {
    look_up_with(catalogue, english, "")
}

/// The same with `behind` behind it.
fn look_up_with(catalogue: &Catalogue, english: &str, behind: &str) -> String {
    catalogue
        .get(english)
        .map_or_else(|| format!("{english}{behind}"), |chinese| wrapped(&format!("{chinese}{behind}")))
}

/// A Chinese text in lines of at most [`COLUMNS`]: clap breaks lines at blanks only.
fn wrapped(text: &str) -> String {
    // Where a line may end: behind a blank, and beside a Chinese character unless punctuation follows or a bracket opens.
    let may_break = |before: char, after: char| {
        before == ' '
            || (is_wide(before) || is_wide(after))
                && !"，。、；：）”》！？ ".contains(after)
                && !"（“《".contains(before)
    };
    let (mut lines, mut line, mut word, mut columns) = (String::new(), 0, String::new(), 0);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\n' {
            lines.push('\n');
            line = 0;
            continue;
        }
        word.push(letter);
        columns += 1 + is_wide(letter) as usize;
        if letters.peek().is_none_or(|&next| next == '\n' || may_break(letter, next)) {
            if line + columns > COLUMNS && line > 0 {
                lines.push('\n');
                line = 0;
            }
            lines.push_str(&word);
            line += columns;
            (columns, word) = (0, String::new());
        }
    }
    lines
}
