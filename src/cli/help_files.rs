//! `chuhe completions` and `chuhe manual`: files for shells and man, made from the declaration of the command line.

use super::error::{CliError, ExitStatus};
use super::save::save;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The section of the manual: games.
const SECTION: &str = "6";

/// Prints the completions of a shell.
pub fn completions(shell: Shell, mut command: Command) -> Result<ExitStatus, CliError> {
    let name = command.get_name().to_string();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut text);
    io::stdout().write_all(&text)?;
    Ok(ExitStatus::Success)
}

/// Writes a man page for the program and for each of its commands to a folder.
pub fn manual(folder: &Path, mut command: Command) -> Result<ExitStatus, CliError> {
    fs::create_dir_all(folder).map_err(|error| CliError::Save(folder.into(), error))?;
    command.build();
    write_pages(folder, &command)?;
    Ok(ExitStatus::Success)
}

/// Writes the pages of a built command and of those below it.
fn write_pages(folder: &Path, command: &Command) -> Result<(), CliError> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_string();
    let mut page = Vec::new();
    Man::new(command.clone()).section(SECTION).render(&mut page)?;
    save(&folder.join(format!("{name}.{SECTION}")), &page)?;
    let mut shown = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    shown.try_for_each(|command| write_pages(folder, command))
}
