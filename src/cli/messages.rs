//! Messages on standard error.

use super::locale::{Charset, charset};
use super::text_output;
use super::translate::locale_language;
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::egtb::tables::Tables;
use clap::error::ErrorKind;
use std::fmt::Display;
use std::io::Write;

/// Prints `message` on standard error, in the language of the locale.
pub(super) fn print_message(message: &dyn Display) {
    print_message_in(locale_language(), message);
}

/// Prints `message` on standard error.
pub(super) fn print_message_in(language: Language, message: &dyn Display) {
    let text = Messages::new(language).text(message);
    // Of a file name or an argument.
    let line = text.replace(['\n', '\t'], "\u{fffd}");
    write_error(format_args!("{line}\n"));
}

/// Says which endgame tables have proved damaged; returns whether there are any.
pub(super) fn report_damaged_tables(tables: Option<&Tables>) -> bool {
    let damaged = tables.map(Tables::take_damaged).unwrap_or_default();
    damaged.iter().for_each(|bad| print_message(bad));
    !damaged.is_empty()
}

/// Writes to standard error. There is no place to say that this cannot be done.
pub(super) fn write_error(text: impl Display) {
    let _ = write!(text_output::stderr(), "{text}");
}

/// Prints the error of a command line, or the help or the version if that is what was asked for, and ends the program.
pub(super) fn exit(error: &clap::Error) -> ! {
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    match locale_language() {
        Language::Chinese if !is_help => {
            write_error(lines(&Messages::new(Language::Chinese), error));
            std::process::exit(error.exit_code());
        }
        _ if charset() == Charset::Utf8 => error.exit(),
        // The text without colors, in the character set of the locale.
        _ if is_help => {
            let _ = write!(text_output::stdout(), "{}", error.render());
            std::process::exit(error.exit_code());
        }
        _ => {
            write_error(error.render());
            std::process::exit(error.exit_code());
        }
    }
}

/// The text of the error: each line of it is a message.
fn lines(messages: &Messages, error: &clap::Error) -> String {
    let line = |line: &str| {
        let message = line.trim_start();
        format!("{}{}\n", &line[..line.len() - message.len()], messages.text(&message))
    };
    error.render().to_string().lines().map(line).collect()
}
