//! Files of answers of `chuhe analyse`, and their continuation after an interrupted run.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;
use thiserror::Error;

/// Bytes read at once when looking for the last line.
const BLOCK: u64 = 1 << 16;

/// How each answer begins.
const BEGINNING: &[u8] = b"{\"source\":";

/// Greatest length of an answer in bytes: its input, a line of at most 1 MiB, can get six times as long.
const MAX_ANSWER_BYTES: u64 = 1 << 24;

/// Why a file of answers cannot be continued.
#[derive(Debug, Error)]
pub enum AnswersError {
    /// A new file is wanted, and there is one.
    #[error("it exists; --resume continues it")]
    Exists,
    /// An answer is that to something else.
    #[error("line {line} answers {found:?}, the input has {wanted:?} there")]
    Input {
        /// The line, from 1.
        line: u64,
        /// What it answers.
        found: String,
        /// What is to be answered.
        wanted: String,
    },
    /// An answer was found with other settings.
    #[error("line {line} was made with other settings: {found:?}, not {wanted:?}")]
    Settings {
        /// The line, from 1.
        line: u64,
        /// Its settings.
        found: String,
        /// The settings of this run.
        wanted: String,
    },
    /// A line is no answer.
    #[error("line {0} is not an answer of analyse")]
    NoAnswer(u64),
    /// There are more answers than questions.
    #[error("line {0} and those after it answer more than the input has")]
    Longer(u64),
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The answers of an earlier run, read in order.
pub struct Answered {
    answers: Take<BufReader<File>>,
    /// Number of answers read.
    lines: u64,
}

/// Opens a file for answers: a new one, or with `resume` also an old one, of which a last line that was not written to
/// its end is cut off. Also the old answers, if there are any.
///
/// # Errors
/// When it cannot be read or written, and when there is an old one without `resume`.
pub fn open(path: &Path, resume: bool) -> Result<(File, Option<Answered>), AnswersError> {
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    let metadata = file.metadata()?;
    // A device or a pipe has nothing to continue.
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok((file, None));
    }
    if !resume {
        return Err(AnswersError::Exists);
    }
    // Any other file stays as it is.
    let mut first = Vec::new();
    file.by_ref().take(BEGINNING.len() as u64).read_to_end(&mut first)?;
    if !BEGINNING.starts_with(&first) {
        return Err(AnswersError::NoAnswer(1));
    }
    let length = length_of_lines(&mut file, metadata.len())?;
    file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)))?;
    let old = File::open(path)?;
    Ok((file, Some(Answered { answers: BufReader::new(old).take(length), lines: 0 })))
}

/// Length of a file up to the end of its last complete line.
fn length_of_lines(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let mut block = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut block)?;
        if let Some(last) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

impl Answered {
    /// Whether the next question has been answered. `beginning`: the part of its answer that is known; all of it if
    /// `is_whole`.
    ///
    /// # Errors
    /// When the next answer is another.
    pub fn has_next(&mut self, beginning: &str, is_whole: bool) -> Result<bool, AnswersError> {
        let Some(answer) = self.next()? else { return Ok(false) };
        if if is_whole { answer == beginning } else { answer.starts_with(beginning) } {
            return Ok(true);
        }
        let complete = if is_whole { beginning.to_string() } else { format!("{beginning}null}}") };
        Err(difference(self.lines, &answer, &complete))
    }

    /// Checks that no answer is left.
    ///
    /// # Errors
    /// When there is one.
    pub fn finish(&mut self) -> Result<(), AnswersError> {
        match self.next()? {
            Some(_) => Err(AnswersError::Longer(self.lines)),
            None => Ok(()),
        }
    }

    /// The next answer, without the line feed.
    fn next(&mut self) -> Result<Option<String>, AnswersError> {
        let mut line = Vec::new();
        self.answers.by_ref().take(MAX_ANSWER_BYTES).read_until(b'\n', &mut line)?;
        let Some(end) = line.pop() else { return Ok(None) };
        self.lines += 1;
        if end != b'\n' {
            return Err(AnswersError::NoAnswer(self.lines));
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

/// What tells an answer from the one wanted, both JSON.
fn difference(line: u64, found: &str, wanted: &str) -> AnswersError {
    let read = |text| serde_json::from_str::<serde_json::Value>(text).unwrap_or_default();
    let [found, wanted] = [found, wanted].map(read);
    let key = |of: &serde_json::Value, key: &str| of[key].as_str().map(String::from);
    let question = |of| ["source", "input", "fen", "played", "error"].map(|name| key(of, name));
    if found["source"].is_null() {
        return AnswersError::NoAnswer(line);
    }
    let [old, new] = [&found, &wanted].map(question);
    let differing = old.into_iter().zip(new).find(|(old, new)| old != new);
    match differing {
        Some((old, new)) => {
            AnswersError::Input { line, found: old.unwrap_or_default(), wanted: new.unwrap_or_default() }
        }
        None => {
            let [found, wanted] = [found, wanted].map(|of| key(&of, "settings").unwrap_or_default());
            AnswersError::Settings { line, found, wanted }
        }
    }
}
