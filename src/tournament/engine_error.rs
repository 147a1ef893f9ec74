//! Why an engine does not answer.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why an engine does not answer.
#[derive(Debug, Error)]
pub(crate) enum EngineError {
    /// Its program cannot be started.
    #[error("cannot start {0}: {1}")]
    Start(PathBuf, io::Error),
    /// The arbiter lacks files, processes or memory to start it.
    #[error("there are not enough files, processes or memory for so many engines: {0}")]
    Resources(io::Error),
    /// Its working folder is none.
    #[error("{0} is no folder")]
    Folder(PathBuf),
    /// Its process has ended, or closed its output.
    #[error("its program ended: {0}")]
    Died(String),
    /// It has not answered in time.
    #[error("no answer in time")]
    NoAnswer,
    /// It has not answered within its time, nor within this longer one after it, in milliseconds.
    #[error("no answer in time, nor {0} ms later")]
    Late(u128),
    /// It has answered the greeting of neither protocol within this number of seconds.
    #[error(
        "it speaks neither UCCI nor UCI: no answer to either within {0} s (proto= says which, and waits for --startup)"
    )]
    NoProtocol(u64),
    /// It has not sent a word within this number of seconds.
    #[error("no {0} within {1} s")]
    Silent(&'static str, u64),
    /// It has answered `isready`, and not the greeting before it.
    #[error("it does not answer {0}")]
    OtherProtocol(&'static str),
    /// Its process has ended at the question how it numbers ranks.
    #[error("its program ended at a trial move from {0} (ranks=0 or ranks=1 asks for none): {1}")]
    DiedAtQuestion(&'static str, String),
    /// The match was interrupted.
    #[error("the match was interrupted")]
    Interrupted,
}
