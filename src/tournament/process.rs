//! A running engine and its pipes.

use super::engine_config::EngineConfig;
use super::engine_error::EngineError;
use super::traffic_log::TrafficLog;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
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
pub(crate) struct MatchContext {
    /// Set when the match is interrupted: waits end.
    pub stop: Arc<AtomicBool>,
    /// The log of all lines.
    pub log: Option<Arc<TrafficLog>>,
}

/// A process whose lines a thread reads, so that each is stamped when it comes; another one writes, as it may not read.
/// Dropping it kills the process and its children.
pub(crate) struct Process {
    child: Child,
    /// How it has ended, if that was seen. Its number may be another's from then on.
    ended: Option<String>,
    input: Sender<String>,
    lines: Receiver<(Instant, String)>,
    name: String,
    context: MatchContext,
}

impl Process {
    /// Starts an engine.
    ///
    /// # Errors
    /// [`EngineError::Start`], [`EngineError::Folder`] and [`EngineError::Resources`].
    pub(crate) fn start(config: &EngineConfig, context: &MatchContext) -> Result<Process, EngineError> {
        let program = config.found_program();
        let refuse = |error: io::Error| match is_lack(&error) {
            true => EngineError::Resources(error),
            false => EngineError::Start(program.clone(), error),
        };
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
        let pipe = child.stdin.take().expect("invariant: piped");
        let output = child.stdout.take().expect("invariant: piped");
        let (sender, lines) = sync_channel(MAX_LINES);
        let (name, log) = (config.name.clone(), context.log.clone());
        let read = move || read_lines(output, &sender, &name, log.as_deref());
        let (input, unwritten) = channel();
        // It is killed if a thread cannot be had.
        let process = Process { child, ended: None, input, lines, name: config.name.clone(), context: context.clone() };
        thread::Builder::new().spawn(read).map_err(EngineError::Resources)?;
        thread::Builder::new().spawn(move || write_lines(pipe, &unwritten)).map_err(EngineError::Resources)?;
        Ok(process)
    }

    /// Sends a line, and does not wait until it is read.
    ///
    /// # Errors
    /// [`EngineError::Died`].
    pub(crate) fn send(&mut self, line: &str) -> Result<(), EngineError> {
        if let Some(log) = &self.context.log {
            log.write(&self.name, '<', line);
        }
        self.input.send(format!("{line}\n")).map_err(|_| EngineError::Died(self.exit_text()))
    }

    /// The next line without blanks at its ends, and when it came; waits until `deadline`.
    ///
    /// # Errors
    /// [`EngineError::NoAnswer`], [`EngineError::Died`] and [`EngineError::Interrupted`].
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), EngineError> {
        loop {
            if self.context.stop.load(Ordering::Relaxed) {
                return Err(EngineError::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(SLICE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died(self.exit_text())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(EngineError::NoAnswer),
                // A child of it may have its output still.
                Err(RecvTimeoutError::Timeout) if self.has_ended() => return Err(EngineError::Died(self.exit_text())),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets the lines that have come, not those that come meanwhile without end.
    pub(crate) fn discard_lines(&mut self) {
        self.lines.try_iter().take(MAX_LINES).for_each(drop);
    }

    /// Sends `quit` and waits a second for the end.
    pub(crate) fn quit(mut self) {
        if self.send("quit").is_ok() {
            let deadline = Instant::now() + QUIT_TIME;
            while Instant::now() < deadline && self.line(deadline).is_ok() {}
        }
    }

    /// How it has ended, after its output was closed.
    fn exit_text(&mut self) -> String {
        let deadline = Instant::now() + QUIT_TIME;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return "it closed its output".to_string();
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.end()
    }

    /// Its number, which is also that of its group.
    #[cfg(unix)]
    fn pid(&self) -> Option<rustix::process::Pid> {
        i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
    }

    /// Whether it has ended. Its number stays its own until [`Process::end`].
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.ended.is_some() || self.pid().is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
    }

    /// Whether it has ended.
    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Kills it, or if it has ended what is left of its group. Returns how it ended.
    fn end(&mut self) -> String {
        if let Some(text) = &self.ended {
            return text.clone();
        }
        #[cfg(unix)]
        if let Some(group) = self.pid() {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let text = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        self.ended.insert(text).clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether an error is a lack of this process or of the system, not a fault of the program that is started.
fn is_lack(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let lacks = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
        lacks.iter().any(|lack| error.raw_os_error() == Some(lack.raw_os_error()))
    }
    #[cfg(not(unix))]
    {
        error.kind() == io::ErrorKind::OutOfMemory
    }
}

/// Writes lines to an engine until there are no more or it does not take them any more. Those that it does not read wait:
/// few, as it is asked nothing more before it has answered.
fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv()
        && input.write_all(line.as_bytes()).is_ok()
    {}
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
