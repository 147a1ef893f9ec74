//! A running engine and its pipes.

use super::engine_config::EngineConfig;
use super::engine_error::EngineError;
use super::traffic_log::TrafficLog;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that wait to be used, at most: an engine that floods has to wait.
const MAX_LINES: usize = 1024;
/// Longest line in bytes; a longer one is several.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// How long a wait goes on before it is looked whether the match was interrupted.
const SLICE: Duration = Duration::from_millis(100);
/// Time to end after `quit`, and after closing the output.
const QUIT_TIME: Duration = Duration::from_secs(1);

/// What an engine process and the match share.
#[derive(Clone, Default)]
pub struct MatchContext {
    /// Set when the match is interrupted: waits end.
    pub stop: Arc<AtomicBool>,
    /// The log of all lines.
    pub log: Option<Arc<TrafficLog>>,
}

/// A process whose lines a thread reads, so that each is stamped when it comes. Dropping it kills the process.
pub struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
    name: String,
    context: MatchContext,
}

impl Process {
    /// Starts an engine.
    ///
    /// # Errors
    /// [`EngineError::Start`] and [`EngineError::Folder`].
    pub fn start(config: &EngineConfig, context: &MatchContext) -> Result<Process, EngineError> {
        let program = config.found_program();
        let refuse = |error| EngineError::Start(program.clone(), error);
        let mut command = Command::new(&program);
        command.args(&config.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match &config.error_file {
            Some(path) => File::options().append(true).create(true).open(path).map_err(refuse)?.into(),
            None => Stdio::null(),
        });
        if let Some(folder) = &config.folder {
            if !folder.is_dir() {
                return Err(EngineError::Folder(folder.clone()));
            }
            command.current_dir(folder);
        }
        // A group of its own: Ctrl-C at the terminal does not reach it, and it can be killed with its children.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(refuse)?;
        let input = child.stdin.take().expect("invariant: piped");
        let output = child.stdout.take().expect("invariant: piped");
        let (sender, lines) = sync_channel(MAX_LINES);
        let (name, log) = (config.name.clone(), context.log.clone());
        let read = move || read_lines(output, &sender, &name, log.as_deref());
        let reader = thread::Builder::new().spawn(read).map_err(refuse);
        let process = Process { child, input, lines, name: config.name.clone(), context: context.clone() };
        reader.map(|_| process)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// [`EngineError::Died`].
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        if let Some(log) = &self.context.log {
            log.write(&self.name, '<', line);
        }
        let sent = self.input.write_all(format!("{line}\n").as_bytes());
        sent.map_err(|_| EngineError::Died(self.exit_text()))
    }

    /// The next line without blanks at its ends, and when it came; waits until `deadline`.
    ///
    /// # Errors
    /// [`EngineError::NoAnswer`], [`EngineError::Died`] and [`EngineError::Interrupted`].
    pub fn line(&mut self, deadline: Instant) -> Result<(Instant, String), EngineError> {
        loop {
            if self.context.stop.load(Ordering::Relaxed) {
                return Err(EngineError::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(SLICE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died(self.exit_text())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(EngineError::NoAnswer),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets the lines that have come.
    pub fn discard_lines(&mut self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// Sends `quit` and waits a second for the end.
    pub fn quit(mut self) {
        if self.send("quit").is_ok() {
            let deadline = Instant::now() + QUIT_TIME;
            while self.line(deadline).is_ok() {}
        }
    }

    /// How it has ended, after its output was closed.
    fn exit_text(&mut self) -> String {
        let deadline = Instant::now() + QUIT_TIME;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return "it closed its output".to_string(),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Not one that has ended: its number may be another's.
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            #[cfg(unix)]
            if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// Sends on the lines of an engine until its output ends or nobody wants them.
fn read_lines(output: ChildStdout, lines: &SyncSender<(Instant, String)>, name: &str, log: Option<&TrafficLog>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while matches!(output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes), Ok(1..)) {
        let now = Instant::now();
        let line = String::from_utf8_lossy(&bytes).trim().to_string();
        if let Some(log) = log {
            log.write(name, '>', &line);
        }
        if lines.send((now, line)).is_err() {
            return;
        }
        bytes.clear();
    }
}
