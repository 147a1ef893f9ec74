//! How an engine of a match is started and spoken to.

use super::limit::Limit;
use crate::notation::Ranks;
use crate::protocol::dialect::Dialect;
use crate::search::limits::Limits;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An engine of a match.
#[derive(Clone, Debug)]
pub(crate) struct EngineConfig {
    /// Its name in the results, which no other has.
    pub name: String,
    /// The settings of an engine inside this process, and its nodes for a millisecond; `None`: it is a program.
    pub internal: Option<Limits>,
    /// The program: a file, from the working folder of the engine or from that of this process, or a name in `PATH`.
    /// Of an engine inside this process its evaluation: the file of a network, or a level of knowledge.
    pub program: PathBuf,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// The working folder; `None`: that of this process.
    pub folder: Option<PathBuf>,
    /// The protocol; `None`: it is asked.
    pub dialect: Option<Dialect>,
    /// How it numbers ranks; `None`: it is asked.
    pub ranks: Option<Ranks>,
    /// Options, in the order in which they are set. An empty value presses a button.
    pub options: Vec<(String, String)>,
    /// What limits its thinking.
    pub limit: Limit,
    /// How much later than its time allows it may answer.
    pub margin: Duration,
    /// Whether it thinks in the opponent's time.
    pub ponders: bool,
    /// Whether it is started anew for each game.
    pub restarts: bool,
    /// What its scores are multiplied with to be centipawns.
    pub score_scale: f64,
    /// The file that its standard error is appended to; `None`: it is dropped.
    pub error_file: Option<PathBuf>,
}

impl EngineConfig {
    /// Sets an option, in place of an earlier value.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) {
        self.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.options.push((name.to_string(), value.to_string()));
    }

    /// The program as it is to be started: the file in the working folder of the engine, or else in that of this process;
    /// what is no file is looked for in `PATH`.
    pub(crate) fn found_program(&self) -> PathBuf {
        let in_folder = self.folder.as_deref().unwrap_or(Path::new("")).join(&self.program);
        let is_file = |path: &PathBuf| path.is_file();
        let found = [in_folder, self.program.clone()].into_iter().find(is_file);
        found.and_then(|path| path.canonicalize().ok()).unwrap_or_else(|| self.program.clone())
    }
}
