//! Answers to positions, one each: text or JSON objects, on standard output or in a file that continues an interrupted run.

use super::collection::Collection;
use super::error::{CliError, Context, ExitStatus, Failure, IoContext};
use super::guard::{Target, guard};
use super::messages::print_message_in;
use super::progress::{ReadBytes, progress_chars};
use super::save::is_standard_output;
use super::text_output;
use crate::analysis::answer::{Asked, JsonFormat, Refused, SourcedPosition};
use crate::analysis::answer_file::{self, Answered};
use crate::display::language::Language;
use crate::files::lock::FileLock;
use crate::protocol::hangup::exit_when_output_closes;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time after which progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_secs(2);

/// Where answers go.
#[derive(Args)]
pub(super) struct AnswerArgs {
    /// Write the JSON objects to FILE instead
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue the file of --output after an interrupted run: an incomplete last line is dropped, and what has been
    /// answered is passed over. The input and the settings must be the same
    #[arg(long, requires = "output")]
    resume: bool,
}

impl AnswerArgs {
    /// Whether answers go to a file, as JSON objects.
    pub(super) fn has_file(&self) -> bool {
        self.output.is_some()
    }

    /// Takes the file of --output away if its name has this extension: it is not for answers.
    pub(super) fn take_file(&mut self, extension: &str) -> Option<PathBuf> {
        self.output.take_if(|path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension)))
    }

    /// Whether an earlier run is to be continued.
    pub(super) fn resumes(&self) -> bool {
        self.resume
    }

    /// The answers of the earlier run that is to be continued, as far as they were written to their ends.
    pub(super) fn earlier(&self) -> Vec<serde_json::Value> {
        let text = self.output.as_ref().filter(|_| self.resume).map(fs::read_to_string);
        let text = text.and_then(Result::ok).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Checks, before hours of searching, that the input can be read and the outputs, these others too, be written. The locks
    /// are to be held to the end.
    pub(super) fn check(&self, positions: &Collection, others: &[Target]) -> Result<Vec<FileLock>, Failure> {
        positions.check_files()?;
        let own = self.output.iter().map(|path| Target::Continued(path));
        let targets: Vec<Target> = own.chain(others.iter().copied()).collect();
        let is_printed = |target: &Target| is_standard_output(target.path());
        if let Some(target) = targets.iter().find(|target| is_printed(target)) {
            let is_answers = matches!(target, Target::Continued(_));
            return Err(CliError::NoFile(if is_answers { "--output" } else { "--html" }).into());
        }
        guard(&positions.files(), &targets)
    }

    /// Opens the output. JSON objects have this format; without it there is text.
    pub(super) fn open(&self, format: Option<&JsonFormat>, language: Language) -> Result<Answers, Failure> {
        let (output, earlier) = match (&self.output, format) {
            (Some(path), Some(format)) => {
                let (file, answered) = answer_file::open(path, self.resume).in_file(path)?;
                let earlier = |answered| EarlierRun { answered, path: path.clone(), format: format.clone() };
                (Output::File(file, path.clone()), answered.map(earlier))
            }
            (_, format) => {
                exit_when_output_closes();
                (if format.is_some() { Output::Json } else { Output::Text }, None)
            }
        };
        let progress = Progress::new();
        Ok(Answers { output, earlier, progress, language, status: ExitStatus::Success, failure: None })
    }
}

/// The answers of a command.
pub(super) struct Answers {
    output: Output,
    earlier: Option<EarlierRun>,
    progress: Progress,
    language: Language,
    status: ExitStatus,
    failure: Option<Failure>,
}

impl Answers {
    /// What is to be answered, read as it is taken; `bytes`: how much of it has been.
    pub(super) fn jobs<I: Iterator<Item = Result<Asked, Failure>>>(&mut self, reads: I, bytes: ReadBytes) -> Jobs<I> {
        Jobs { reads, bytes, positions: 0, answered: 0, earlier: self.earlier.take(), progress: self.progress.clone() }
    }

    /// Writes a line before the answers.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.output.write(text)
    }

    /// Prints an answer. Breaks when that fails.
    pub(super) fn print(&mut self, answer: Answer) -> ControlFlow<()> {
        let Answers { output, progress, language, status, failure, .. } = self;
        let done = match answer {
            Answer::Position(text) => progress.step(|| output.write(&text)),
            Answer::Refused(text) => {
                *status = ExitStatus::CheckFailed;
                progress.suspend(|| match output {
                    Output::Text => {
                        print_message_in(*language, &text);
                        Ok(())
                    }
                    _ => output.write(&text),
                })
            }
            Answer::Answered { is_refused } => {
                if is_refused {
                    *status = ExitStatus::CheckFailed;
                }
                Ok(())
            }
            Answer::Failed(error) => Err(error),
        };
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Ends the progress. The exit status says whether all was read.
    ///
    /// # Errors
    /// That of printing, or of reading.
    pub(super) fn finish(self) -> Result<ExitStatus, Failure> {
        self.progress.finish();
        self.failure.map_or(Ok(self.status), Err)
    }
}

/// What is to be answered.
pub(super) enum Job {
    /// A position, and its number from 1.
    Position(u64, Box<SourcedPosition>),
    /// What cannot be read.
    Refused(Refused),
    /// An earlier run has answered it.
    Answered { is_refused: bool },
    /// Nothing more can be read.
    Failed(Failure),
}

/// What is to be printed for a [`Job`].
pub(super) enum Answer {
    Position(String),
    Refused(String),
    Answered { is_refused: bool },
    Failed(Failure),
}

impl Job {
    /// Answers it: a position, with its number, as text or JSON.
    pub(super) fn answer(
        self,
        is_json: bool,
        position: impl FnOnce(u64, &SourcedPosition) -> Result<String, Failure>,
    ) -> Answer {
        match self {
            Job::Position(number, asked) => position(number, &asked).map_or_else(Answer::Failed, Answer::Position),
            Job::Refused(refused) if is_json => Answer::Refused(JsonFormat::refused(&refused)),
            Job::Refused(Refused { source, error, .. }) => Answer::Refused(format!("{source}: {error}")),
            Job::Answered { is_refused } => Answer::Answered { is_refused },
            Job::Failed(error) => Answer::Failed(error),
        }
    }
}

/// The answers of an earlier run.
struct EarlierRun {
    answered: Answered,
    /// Their file, for errors.
    path: PathBuf,
    /// How answers begin.
    format: JsonFormat,
}

impl EarlierRun {
    /// Whether it has answered the next question.
    fn has_next(&mut self, asked: &Asked) -> Result<bool, Failure> {
        let has_next = self.answered.has_next(&self.format.beginning(asked), asked.is_err());
        has_next.in_file(&self.path)
    }

    /// Checks that no answer is left.
    fn finish(mut self) -> Result<(), Failure> {
        self.answered.finish().in_file(&self.path)
    }
}

/// The jobs, made as they are taken.
pub(super) struct Jobs<I> {
    reads: I,
    bytes: ReadBytes,
    /// Number of positions so far.
    positions: u64,
    /// Number of those before them that an earlier run has answered.
    answered: u64,
    /// The answers of an earlier run that have not been passed yet.
    earlier: Option<EarlierRun>,
    progress: Progress,
}

impl<I: Iterator<Item = Result<Asked, Failure>>> Jobs<I> {
    /// The next job; `None` at the end.
    fn take(&mut self) -> Result<Option<Job>, Failure> {
        let Some(asked) = self.reads.next().transpose()? else {
            self.progress.set_count(self.positions);
            self.earlier.take().map_or(Ok(()), EarlierRun::finish)?;
            return Ok(None);
        };
        if let Some(earlier) = &mut self.earlier {
            if earlier.has_next(&asked)? {
                self.answered += 1;
                return Ok(Some(Job::Answered { is_refused: asked.is_err() }));
            }
            self.earlier = None;
        }
        Ok(Some(match asked {
            Ok(position) => {
                self.positions += 1;
                if let Some(count) = self.bytes.estimate(self.answered + self.positions) {
                    self.progress.set_estimate(count.saturating_sub(self.answered));
                }
                Job::Position(self.positions, Box::new(position))
            }
            Err(refused) => Job::Refused(refused),
        }))
    }
}

impl<I: Iterator<Item = Result<Asked, Failure>>> Iterator for Jobs<I> {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        self.take().unwrap_or_else(|error| Some(Job::Failed(error)))
    }
}

/// Where answers go, open.
enum Output {
    /// Text on standard output.
    Text,
    /// JSON on standard output.
    Json,
    /// A file, and its path for errors.
    File(File, PathBuf),
}

impl Output {
    /// Writes a line; nothing of it stays in a buffer.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Output::Text => Ok(writeln!(text_output::stdout(), "{text}")?),
            Output::Json => Ok(writeln!(io::stdout(), "{text}")?),
            Output::File(file, path) => {
                // In one call, so that an interruption leaves at most one incomplete line.
                let line = format!("{text}\n");
                file.write_all(line.as_bytes()).writing(path)
            }
        }
    }
}

/// Progress on standard error, if that is a terminal, shown after [`PROGRESS_DELAY`].
#[derive(Clone)]
struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    /// Of a number of positions that is not known yet.
    fn new() -> Progress {
        let bar = if io::stderr().is_terminal() { ProgressBar::no_length() } else { ProgressBar::hidden() };
        bar.set_style(style("{pos} positions, {per_sec}, {elapsed}"));
        Progress { bar, start: Instant::now() }
    }

    /// Sets the number of positions that there may be.
    fn set_estimate(&self, count: u64) {
        if self.bar.length().is_none() {
            self.bar.set_style(style("{wide_bar} {pos} of about {len}, {per_sec}, {eta} left"));
        }
        self.bar.set_length(count);
    }

    /// Sets the number of positions, which is known once all have been read.
    fn set_count(&self, count: u64) {
        self.bar.set_length(count);
        self.bar.set_style(style("{wide_bar} {pos}/{len}, {eta} left"));
    }

    /// Counts one more position, and calls `print` to print above the bar.
    fn step<T>(&self, print: impl FnOnce() -> T) -> T {
        let printed = self.suspend(print);
        self.bar.update(|state| state.set_pos(state.pos() + 1));
        if self.start.elapsed() >= PROGRESS_DELAY {
            self.bar.tick();
        }
        printed
    }

    /// Calls `print` to print above the bar.
    fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("invariant: the template is well formed");
    style.progress_chars(progress_chars())
}
