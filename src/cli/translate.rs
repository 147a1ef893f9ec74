//! The command line's help in the language of the user: English, or Chinese from the catalogue `chinese.json`, whose keys
//! are the English texts.

use super::locale::is_chinese;
use chuhe::display::verdict::Language;
use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::collections::HashMap;

/// The catalogue: Chinese texts by English ones.
type Catalogue = HashMap<String, String>;

/// The language of the user's locale.
pub fn locale_language() -> Language {
    if is_chinese() { Language::Chinese } else { Language::English }
}

/// The command with its help in Chinese.
pub fn to_chinese(mut command: Command) -> Command {
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
        .help_template(format!("{{about-with-newline}}\n{usage}: {{usage}}\n\n{{all-args}}"))
        .subcommand_help_heading(look_up(catalogue, "Commands"))
        .mut_args(|argument| translate_argument(argument, catalogue))
        .mut_subcommands(|command| translate(command, catalogue))
}

fn translate_argument(mut argument: Arg, catalogue: &Catalogue) -> Arg {
    let text = |text: Option<&StyledStr>| text.map(|text| look_up(catalogue, &text.to_string()));
    if let Some(help) = text(argument.get_help()) {
        argument = argument.help(help);
    }
    if let Some(help) = text(argument.get_long_help()) {
        argument = argument.long_help(help);
    }
    let heading = if argument.is_positional() { "Arguments" } else { "Options" };
    argument.help_heading(look_up(catalogue, heading))
}

/// The Chinese text, or the English one where there is none.
fn look_up(catalogue: &Catalogue, english: &str) -> String {
    catalogue.get(english).cloned().unwrap_or_else(|| english.to_string())
}
