//! Runs the real binary as a client does. Every wait has a timeout: a hanging engine is killed and fails its test.

#![allow(dead_code, reason = "each test file uses part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time after which a test gives up: far longer than anything here takes, on a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A fake engine for `chuhe match`, as a shell script; its top tells what it does.
pub const FAKE_ENGINE: &str = include_str!("fake_engine.sh");

/// A mate in one for Red, and a position in which Red is mated.
pub const MATE: &str = "4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1";
pub const MATED: &str = "3k5/9/9/9/9/9/9/9/r8/r3K4 w - - 0 1";

/// The number in an environment variable, for the size or the seed of a long test.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is to be a number, not {text:?}")))
}

/// What a test panics with; `None` if it does not.
pub fn panic_of(test: impl FnOnce()) -> Option<String> {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(test)).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    Some(text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default())
}

/// Leaves out pieces of `parts` while `fails` holds of what is left: halves first, single ones last; gives up after `patience`.
pub fn minimal<T: Clone>(parts: &[T], patience: Duration, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let (mut parts, start) = (parts.to_vec(), Instant::now());
    let mut size = parts.len().div_ceil(2);
    while size > 0 && !parts.is_empty() {
        let mut at = 0;
        while at < parts.len() && start.elapsed() < patience {
            let without = [&parts[..at], &parts[parts.len().min(at + size)..]].concat();
            if fails(&without) { parts = without } else { at += size }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    parts
}

/// A command that runs the binary with these arguments.
pub fn chuhe(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(arguments).env_remove("RUST_LOG").env("LC_ALL", "C");
    command
}

/// Runs a command to its end, with no input: exit status, output, errors.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = chuhe(arguments).stdin(Stdio::null()).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

/// Runs the binary with an input: exit status, output, errors.
pub fn run_with_input(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut client = Client::start_with(arguments);
    client.send_bytes(input);
    let finished = client.finish();
    let out = finished.lines.iter().map(|line| format!("{line}\n")).collect();
    (finished.status.code().expect("no signal"), out, finished.errors)
}

/// A running engine and the client's end of its input and output.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

/// The rest of the output and the exit status of an engine that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Lines not yet read.
    pub lines: Vec<String>,
    /// Its standard error.
    pub errors: String,
    /// Its exit status.
    pub status: ExitStatus,
}

impl Client {
    /// Starts the protocol loop without the built-in book, which would answer most of the tests' searches, and with a small
    /// hash table: `isready` writes to all of it.
    pub fn start() -> Client {
        Client::start_with(&["--option", "usebook=false", "--option", "hashsize=16"])
    }

    /// Starts it with these arguments.
    pub fn start_with(arguments: &[&str]) -> Client {
        Client::spawn(chuhe(arguments))
    }

    /// Starts the engine of this command.
    pub fn spawn(mut command: Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = child.stdout.take().expect("piped");
        let mut errors = child.stderr.take().expect("piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            // Lines must be valid UTF-8, whatever was sent to the engine.
            for line in BufReader::new(output).lines() {
                if sender.send(line.expect("lines are UTF-8")).is_err() {
                    return;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        Client { input: child.stdin.take(), child, lines, errors: Some(errors) }
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends lines (without the last newline).
    pub fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
        self.send_bytes(b"\n");
    }

    /// Sends bytes. Errors are ignored: if the engine has ended, its output shows why.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.input.as_mut().expect("the input is open").write_all(bytes);
    }

    /// The next line, or why there is none before the deadline.
    pub fn line_before(&mut self, deadline: Instant) -> Result<String, &'static str> {
        self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(|error| match error {
            RecvTimeoutError::Timeout => "no such line before the timeout",
            RecvTimeoutError::Disconnected => "the engine has ended",
        })
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        self.line_before(Instant::now() + PATIENCE).unwrap_or_else(|why| panic!("{why}"))
    }

    /// The lines up to the first whose first word is `word`, that one included.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        self.until_like(|line| line.split(' ').next() == Some(word))
    }

    /// The lines up to the first that passes `test`, that one included.
    pub fn until_like(&mut self, test: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let line = self.line_before(deadline).unwrap_or_else(|why| panic!("{why}; the lines were {lines:#?}"));
            let found = test(&line);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// The first line whose first word is `word`.
    pub fn expect(&mut self, word: &str) -> String {
        self.until(word).pop().expect("not empty")
    }

    /// The output up to the answer to an `isready` sent after `text`.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Closes the input and waits for the engine to end.
    pub fn finish(mut self) -> Finished {
        self.input = None;
        self.wait()
    }

    /// Waits for the engine to end, with its input open.
    pub fn wait(&mut self) -> Finished {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("the engine does not end; its last lines: {:?}", &lines[lines.len().saturating_sub(5)..])
                }
            }
        }
        let status = self.exit_status(deadline);
        let errors = self.errors.take().map(|thread| thread.join().expect("reads")).unwrap_or_default();
        Finished { lines, errors, status }
    }

    /// Closes the engine's output, sends `text` and waits for the engine to end.
    pub fn close_output_and_wait(mut command: Command, text: &str) -> ExitStatus {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("starts");
        drop(child.stdout.take());
        let mut input = child.stdin.take();
        let _ = input.as_mut().expect("piped").write_all(text.as_bytes());
        let (_, lines) = channel();
        let mut client = Client { child, input, lines, errors: None };
        client.exit_status(Instant::now() + PATIENCE)
    }

    fn exit_status(&mut self, deadline: Instant) -> ExitStatus {
        loop {
            if let Some(status) = self.child.try_wait().expect("can be waited for") {
                return status;
            }
            assert!(Instant::now() < deadline, "the engine closed its output and does not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Runs the command with standard output to `/dev/full`, where every write fails, and keeps its input open until it
/// ends. Returns its status and standard error.
#[cfg(target_os = "linux")]
pub fn run_with_full_disk(mut command: Command, text: &str) -> (ExitStatus, String) {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut child = command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().expect("starts");
    let mut errors = child.stderr.take().expect("piped");
    let mut input = child.stdin.take();
    let _ = input.as_mut().expect("piped").write_all(text.as_bytes());
    let (_, lines) = channel();
    let mut client = Client { child, input, lines, errors: None };
    let status = client.exit_status(Instant::now() + PATIENCE);
    let mut text = String::new();
    errors.read_to_string(&mut text).expect("UTF-8");
    (status, text)
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a script, closes the input and returns the output. The engine must exit successfully and log nothing.
pub fn script(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let mut client = Client::start();
    client.send_bytes(bytes.as_ref());
    let finished = client.finish();
    assert!(finished.status.success(), "{finished:?}");
    assert_eq!(finished.errors, "", "nothing is logged by default");
    finished.lines
}

/// The lines whose first word is `word`.
pub fn with_word<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    lines.iter().map(String::as_str).filter(|line| line.split(' ').next() == Some(word)).collect()
}

/// The `info message` lines.
pub fn messages(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info message ")).collect()
}
