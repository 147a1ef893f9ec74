//! `chuhe egtb`: builds endgame tables and looks into them.

pub(super) mod folders;
pub(super) mod probe;

use super::error::{Context, ExitStatus, Failure, IoContext, Notice};
use super::messages::print_message;
use super::names::Threads;
use super::progress::progress;
use super::save::{check, save};
use super::text_output;
use crate::display::count::count;
use crate::display::language::Language;
use crate::egtb::file::{self, EXTENSION, TableError, TableFile};
use crate::egtb::forward_search::ForwardSearch;
use crate::egtb::generate::{self, GenerateError, Values};
use crate::egtb::index::Indexer;
use crate::egtb::material::Material;
use crate::egtb::sets::{TableSet, with_subclasses};
use crate::egtb::statistics::Statistics;
use crate::egtb::verify::{self, Fault, SearchCheck};
use crate::engine::endgames::TABLE_FOLDER;
use crate::parallel::map_in_order;
use crate::types::Color;
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Subcommand};
use folders::Folders;
use probe::Probe;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Positions that `verify` checks at a time.
const VERIFY_PART: usize = 1 << 14;
/// Positions of each table that `verify` compares with a forward search.
const SEARCHED: usize = 100;
/// Nodes of that search for a position.
const SEARCH_NODES: u64 = 20_000;

#[derive(Args)]
pub(super) struct Egtb {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build tables, and those that they need; tables that are there are kept, so that an interrupted build goes on
    Build(Build),
    /// Print the value of a position for the side to move: `win`, `draw` or `loss`, the plies to the end (or `rule`: by
    /// perpetual check) and the best moves; then the value of each move, and the line to the end. Exit status 1: there is no
    /// table for it
    Probe(Probe),
    /// Check tables: the checksums, every position against those after its moves, and a hundred of each table against a
    /// forward search
    Verify(Verify),
    /// List the tables: class, number of entries (also for what is no legal position), percent won, drawn and lost with Red and
    /// with Black to move, bytes, and the longest win in plies
    Info(Folders),
    /// List the folders in which tables are looked for, and how many each has
    Path(Folders),
}

#[derive(Args)]
#[command(group = ArgGroup::new("tables").args(["classes", "set"]).required(true).multiple(true))]
struct Build {
    /// Classes, by their pieces, as in `KRkaabb` (rook against two advisors and two bishops)
    #[arg(value_name = "CLASS")]
    classes: Vec<String>,
    /// A set of classes: `small`: one attacking piece against any defence (built in); `medium`: also two, and one against one;
    /// `large`: also one against one with any defence
    #[arg(long, value_parser = PossibleValuesParser::new(TableSet::NAMES.map(|(name, _)| name)))]
    set: Option<String>,
    /// The folder to write to
    #[arg(long, value_name = "FOLDER", default_value = TABLE_FOLDER)]
    folder: PathBuf,
    /// Number of threads; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "0")]
    threads: Threads,
    /// Memory to use at most, in megabytes; classes that need more are refused
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    memory: usize,
}

#[derive(Args)]
struct Verify {
    /// Classes [default: all]
    #[arg(value_name = "CLASS")]
    classes: Vec<String>,
    #[command(flatten)]
    folders: Folders,
    /// Number of threads; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "0")]
    threads: Threads,
}

impl Egtb {
    /// The language that its `--lang` asks for.
    pub(super) fn language(&self) -> Option<Language> {
        if let Command::Probe(probe) = &self.command { probe.lang } else { None }
    }

    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.command {
            Command::Build(build) => build.run(),
            Command::Probe(probe) => probe.run(),
            Command::Verify(verify) => verify.run(),
            Command::Info(folders) => folders.info(),
            Command::Path(folders) => folders.path(),
        }
    }
}

/// The classes with these names, normalised.
fn classes(names: &[String]) -> Result<Vec<Material>, Failure> {
    let class = |name: &String| Ok(Material::read(name)?.normalised().0);
    names.iter().map(class).collect()
}

impl Build {
    fn run(self) -> Result<ExitStatus, Failure> {
        let mut wanted = classes(&self.classes)?;
        if let Some(name) = &self.set {
            let set = TableSet::NAMES.iter().find(|(known, _)| known == name);
            wanted.extend(set.map(|(_, set)| set.classes()).unwrap_or_default());
        }
        if let Some(large) = wanted.iter().find(|class| Indexer::size_of(class).is_none()) {
            return Err(GenerateError::TooLarge(*large).into());
        }
        let wanted = with_subclasses(&wanted);
        fs::create_dir_all(&self.folder).writing(&self.folder)?;
        let mut out = text_output::stdout();
        let mut refused = false;
        for class in &wanted {
            let path = table_path(&self.folder, class);
            match TableFile::open(&path) {
                Ok(_) => continue,
                Err(TableError::Read(error)) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => print_message(&Notice::BuiltAgain(path.clone(), error)),
            }
            let needed = needed_megabytes(class);
            if needed.is_none_or(|needed| needed > self.memory) {
                print_message(&match needed {
                    Some(needed) => Notice::Megabytes(*class, needed, self.memory),
                    None => Notice::TooMuchMemory(*class, self.memory),
                });
                refused = true;
                continue;
            }
            check(&path)?;
            let start = Instant::now();
            let values = self.generate(class)?;
            let bytes = file::write(&values);
            save(&path, &bytes)?;
            let statistics = Statistics::of(&values);
            let text = class_text(class, &values.indexer, &statistics);
            writeln!(out, "{text}, {} bytes, {:.1} s", bytes.len(), start.elapsed().as_secs_f64())?;
            out.flush()?;
        }
        Ok(if refused { ExitStatus::CheckFailed } else { ExitStatus::Success })
    }

    fn generate(&self, class: &Material) -> Result<Values, Failure> {
        let mut loaded: Vec<Arc<Values>> = Vec::new();
        for smaller in class.subclasses().iter().filter(|smaller| smaller.pieces() + 1 == class.pieces()) {
            let path = table_path(&self.folder, smaller);
            let values = TableFile::open(&path).and_then(TableFile::into_values);
            loaded.push(Arc::new(values.in_file(path)?));
        }
        let bar = progress(u64::from(u8::MAX), "plies");
        bar.set_message(class.to_string());
        let smaller = |wanted: &Material| loaded.iter().find(|values| values.material == *wanted).cloned();
        let values = generate::generate(class, &smaller, self.threads.count(), &mut |plies| {
            bar.set_position(plies.into());
        });
        bar.finish_and_clear();
        Ok(values?)
    }
}

/// Checks random positions of a table against a forward search. Returns how many searches came to a mate, or to the longest
/// mate of the class without seeing one; and the first fault.
fn check_some_by_search(table: &TableFile) -> (usize, Option<Fault>) {
    let longest = |statistics: &Statistics| statistics.longest_win.max(statistics.longest_loss).map_or(0, |it| it.0);
    let longest = table.statistics().iter().map(longest).max().unwrap_or(0);
    let mut random = StdRng::seed_from_u64(1);
    let (mut checked, mut finished) = (0, 0);
    // A class may have hardly any possible positions.
    for _ in 0..100 * SEARCHED {
        let (index, side) = (random.random_range(0..table.indexer().size()), Color::ALL[random.random_range(0..2)]);
        let Some(mut position) = verify::position_of(table.indexer(), index, side) else { continue };
        let (value, mut search) = (table.value(index, side), ForwardSearch::default());
        match verify::check_by_search(value, &mut position, &mut search, longest, SEARCH_NODES) {
            SearchCheck::Agrees => finished += 1,
            SearchCheck::Unfinished => {}
            SearchCheck::Fault(fault) => return (finished, Some(fault)),
        }
        checked += 1;
        if checked == SEARCHED {
            break;
        }
    }
    (finished, None)
}

/// The file of a class.
fn table_path(folder: &Path, class: &Material) -> PathBuf {
    folder.join(format!("{class}.{EXTENSION}"))
}

/// The memory that building a class takes, in megabytes; `None` if it has too many positions.
fn needed_megabytes(class: &Material) -> Option<usize> {
    let smaller = class.subclasses().into_iter().filter(|smaller| smaller.pieces() + 1 == class.pieces());
    let smaller: usize = smaller.filter_map(|smaller| Indexer::size_of(&smaller)).sum();
    // Values and counters, and the file.
    Some((5 * Indexer::size_of(class)? + 2 * smaller) >> 20)
}

/// A class and its statistics in words.
fn class_text(class: &Material, indexer: &Indexer, statistics: &[Statistics; 2]) -> String {
    let mut text = format!("{class}: {} entries", 2 * indexer.size());
    for (side, statistics) in Color::ALL.iter().zip(statistics) {
        let share = |count: u64| 100.0 * count as f64 / statistics.positions().max(1) as f64;
        text.push_str(&format!(
            "; {side} to move: {:.2} % won, {:.2} % drawn, {:.2} % lost",
            share(statistics.wins + statistics.wins_by_rule),
            share(statistics.draws),
            share(statistics.losses + statistics.losses_by_rule)
        ));
        if statistics.wins_by_rule + statistics.losses_by_rule > 0 {
            text.push_str(&format!(
                " ({:.2} % won, {:.2} % lost by perpetual check)",
                share(statistics.wins_by_rule),
                share(statistics.losses_by_rule)
            ));
        }
        if let Some((plies, index)) = statistics.longest_win {
            let position = verify::position_of(indexer, index, *side);
            let fen = position.map_or(String::new(), |position| format!(": {}", position.to_fen()));
            text.push_str(&format!(", longest win {}{fen}", count(plies, "ply")));
        }
    }
    text
}

impl Verify {
    fn run(self) -> Result<ExitStatus, Failure> {
        let (tables, mut is_bad) = self.folders.open();
        let wanted = classes(&self.classes)?;
        let mut out = text_output::stdout();
        for class in wanted.iter().filter(|class| tables.get(class).is_none()) {
            print_message(&Notice::NoTableOf(*class));
            is_bad = true;
        }
        for table in tables.iter().filter(|table| wanted.is_empty() || wanted.contains(table.material())) {
            let class = table.material();
            if let Err(error) = table.check() {
                writeln!(out, "{class}: {error}")?;
                is_bad = true;
                continue;
            }
            let size = table.indexer().size();
            let parts = size.div_ceil(VERIFY_PART);
            let bar = progress(parts as u64, "parts");
            bar.set_message(class.to_string());
            let (mut checked, mut fault) = (0, None);
            let worker = || {
                let tables = &tables;
                move |part: u64| {
                    let start = part as usize * VERIFY_PART;
                    verify::check_positions(table, tables, start..(start + VERIFY_PART).min(size))
                }
            };
            map_in_order(0..parts as u64, self.threads.count(), worker, &mut |(count, found)| {
                checked += count;
                fault = found;
                bar.inc(1);
                if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            bar.finish_and_clear();
            let mut searched = 0;
            if fault.is_none() {
                (searched, fault) = check_some_by_search(table);
            }
            match fault {
                None => writeln!(out, "{class}: ok, {}, {searched} by search", count(checked, "position"))?,
                Some(fault) => {
                    writeln!(out, "{class}: {} is {:?}, expected {:?}", fault.fen, fault.found, fault.expected)?;
                    is_bad = true;
                }
            }
            out.flush()?;
        }
        Ok(if is_bad { ExitStatus::CheckFailed } else { ExitStatus::Success })
    }
}
