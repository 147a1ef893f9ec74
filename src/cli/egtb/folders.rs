//! The folders of endgame tables that a command is given, and what is in them.

use super::super::error::{ExitStatus, Failure};
use super::super::messages::print_message;
use super::super::text_output;
use crate::display::count::count;
use crate::egtb::file::TableFile;
use crate::egtb::statistics::Statistics;
use crate::egtb::tables::{Tables, files_in};
use crate::egtb::verify;
use crate::engine::endgames::{self, TABLE_FOLDER};
use crate::files::locate;
use crate::types::Color;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

/// The columns of `info`: the class; shares in percent, with Red and with Black to move; and the longest win, in plies.
const CLASS: &str = "class";
const INFO_COLUMNS: &str = "     entries     won  drawn   lost     won  drawn   lost      bytes  longest win";

#[derive(Args)]
pub(in crate::cli) struct Folders {
    /// A folder of tables, used besides those that are built in; may be repeated [default: `egtb` in the working folder, or
    /// else beside the program]
    #[arg(long = "folder", value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

impl Folders {
    /// The tables, and those that are built in. What cannot be used is said on standard error; returns whether there is such a file.
    pub(in crate::cli) fn open(&self) -> (Tables, bool) {
        let (tables, bad) = endgames::open(&self.folders);
        bad.iter().for_each(|bad| print_message(bad));
        (tables, !bad.is_empty())
    }

    /// Lists the tables.
    pub(super) fn info(&self) -> Result<ExitStatus, Failure> {
        let (tables, has_bad) = self.open();
        let mut out = text_output::stdout();
        let width = tables.iter().map(|table| table.material().to_string().len()).max().unwrap_or(0).max(CLASS.len());
        writeln!(out, "{CLASS:<width$}{INFO_COLUMNS}")?;
        for table in tables.iter() {
            write!(out, "{:<width$} {:>11}", table.material().to_string(), 2 * table.indexer().size())?;
            for statistics in table.statistics() {
                let share = |count: u64| 100.0 * count as f64 / statistics.positions().max(1) as f64;
                let won = share(statistics.wins + statistics.wins_by_rule);
                let lost = share(statistics.losses + statistics.losses_by_rule);
                write!(out, "  {won:>6.2} {:>6.2} {lost:>6.2}", share(statistics.draws))?;
            }
            write!(out, " {:>10}", table.length())?;
            let longest = |(statistics, side): (&Statistics, &Color)| Some((statistics.longest_win?, *side));
            let longest =
                table.statistics().iter().zip(&Color::ALL).filter_map(longest).max_by_key(|((plies, _), _)| *plies);
            if let Some(((plies, index), side)) = longest {
                let position = verify::position_of(table.indexer(), index, side);
                write!(out, "  {plies:>3} {}", position.map_or(String::new(), |position| position.to_fen()))?;
            }
            writeln!(out)?;
        }
        writeln!(
            out,
            "{}, {} bytes",
            count(tables.len(), "table"),
            tables.iter().map(TableFile::length).sum::<usize>()
        )?;
        Ok(if has_bad { ExitStatus::CheckFailed } else { ExitStatus::Success })
    }

    /// Lists the folders, and how many tables each has.
    pub(super) fn path(&self) -> Result<ExitStatus, Failure> {
        let mut out = text_output::stdout();
        let mut status = ExitStatus::Success;
        let default = locate(TABLE_FOLDER);
        let folders = if self.folders.is_empty() { std::slice::from_ref(&default) } else { &self.folders };
        for folder in folders {
            let found = match files_in(folder) {
                Ok(files) => count(files.len(), "table"),
                // Nobody needs the folder that is used if no other is given.
                Err(error) if self.folders.is_empty() && error.kind() == io::ErrorKind::NotFound => {
                    "there is no such folder here or beside the program".to_string()
                }
                Err(error) => {
                    status = ExitStatus::CheckFailed;
                    error.to_string()
                }
            };
            writeln!(out, "{}: {found}", folder.display())?;
        }
        writeln!(out, "built in: {}", count(Tables::built_in().len(), "table"))?;
        Ok(status)
    }
}
