//! Logging: on standard error what `RUST_LOG` selects, or into a file everything that is sent and received.

use super::error::{CliError, Failure};
use super::guard::{Target, guard};
use super::messages::print_message;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Logs to standard error what `RUST_LOG` selects (nothing by default: some clients read standard error together with
/// standard output), or everything to `file`, after a line that says what writes. Lines have the milliseconds since the start.
pub(super) fn start_log(file: Option<&Path>) -> Result<(), Failure> {
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off"));
    let start = Instant::now();
    builder.format(move |line, record| {
        let (time, level) = (start.elapsed().as_millis(), record.level());
        writeln!(line, "[{time:>7} ms {level:<5} {}] {}", record.target(), record.args())
    });
    let Some(path) = file else {
        builder.init();
        return Ok(());
    };
    let refuse = |error| CliError::Log(path.into(), error);
    if path.exists() {
        guard(&[], &[Target::Log(path)])?;
    }
    let file = File::options().create(true).append(true).open(path).map_err(refuse)?;
    let state = Arc::default();
    let log = LogFile { file, path: path.into(), state: Arc::clone(&state) };
    builder.filter_level(log::LevelFilter::Debug).target(env_logger::Target::Pipe(Box::new(log))).init();
    log::info!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    match std::mem::replace(&mut *state.lock().unwrap_or_else(PoisonError::into_inner), LogState::Running) {
        LogState::Failed(error) => Err(refuse(error).into()),
        _ => Ok(()),
    }
}

/// A log file that reports when it cannot be written; the logger itself drops errors.
struct LogFile {
    file: File,
    path: PathBuf,
    state: Arc<Mutex<LogState>>,
}

/// What happens to an error of a log file.
#[derive(Default)]
enum LogState {
    /// It is kept, and the program does not start.
    #[default]
    Starting,
    /// It was kept.
    Failed(io::Error),
    /// It is reported on standard error, once.
    Running,
    /// It was reported.
    Reported,
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.file.write_all(bytes) {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            match *state {
                LogState::Starting => *state = LogState::Failed(error),
                LogState::Running => {
                    print_message(&format_args!("error: {}", CliError::Log(self.path.clone(), error)));
                    *state = LogState::Reported;
                }
                LogState::Failed(_) | LogState::Reported => {}
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
