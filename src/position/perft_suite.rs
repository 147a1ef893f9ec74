//! Perft suites: files of positions with their known perft counts.
//!
//! A line is `FEN ;D1 n ;D2 n … | name`; the name is optional. Blank lines and lines that begin with `#` are skipped.

use super::perft::perft;
use crate::position::{FenError, Position};
use thiserror::Error;

/// A position with its known counts.
#[derive(Clone)]
pub struct Case {
    /// The position.
    pub position: Position,
    /// Depths and counts, in the order of the file.
    pub counts: Vec<(usize, u64)>,
    /// Its name, or its FEN if it has none.
    pub name: String,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SuiteError {
    /// The FEN is invalid.
    #[error("line {line}: {error}")]
    Fen {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// A count is invalid.
    #[error("line {line}: {text:?} is not a count such as D3 79666")]
    Count {
        /// The line, from 1.
        line: usize,
        /// The text in place of the count.
        text: String,
    },
}

/// Limits of the counts to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftLimits {
    /// Maximum depth.
    pub depth: usize,
    /// Maximum count.
    pub leaves: u64,
}

/// The result of checking a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteResult {
    /// Number of counts checked.
    pub checked: usize,
    /// Number of leaves counted.
    pub leaves: u64,
    /// Depth, known count and actual count where they differ.
    pub differences: Vec<(usize, u64, u64)>,
}

/// Reads a suite.
///
/// # Errors
/// The first line that cannot be read.
pub fn parse(text: &str) -> Result<Vec<Case>, SuiteError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(line, text)| case(line, text)).collect()
}

fn case(line: usize, text: &str) -> Result<Case, SuiteError> {
    let (facts, name) = text.split_once('|').unwrap_or((text, ""));
    let mut parts = facts.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    let position = Position::from_fen(fen).map_err(|error| SuiteError::Fen { line, error })?;
    let counts = parts
        .map(|part| count(part).ok_or_else(|| SuiteError::Count { line, text: part.chars().take(32).collect() }))
        .collect::<Result<_, _>>()?;
    let name = if name.trim().is_empty() { fen } else { name.trim() };
    Ok(Case { position, counts, name: name.to_string() })
}

fn count(part: &str) -> Option<(usize, u64)> {
    let (depth, leaves) = part.strip_prefix('D')?.split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, leaves.trim().parse().ok()?))
}

impl Case {
    /// Checks the counts within `limits`.
    pub fn check(&self, limits: PerftLimits) -> SuiteResult {
        let mut result = SuiteResult::default();
        for &(depth, known) in &self.counts {
            if depth > limits.depth || known > limits.leaves {
                continue;
            }
            let counted = perft(&mut self.position.clone(), depth);
            result.checked += 1;
            result.leaves += counted;
            if counted != known {
                result.differences.push((depth, known, counted));
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    #[test]
    fn differences_are_found() {
        let text = format!("# comment\n\n{START} ;D1 44 ;D2 1921 ;D3 79666 | start\n{START}\n");
        let cases = parse(&text).unwrap();
        assert_eq!(cases.len(), 2);
        assert_eq!((cases[0].name.as_str(), cases[1].name.as_str()), ("start", START));
        let result = cases[0].check(PerftLimits { depth: 2, leaves: u64::MAX });
        assert_eq!(result, SuiteResult { checked: 2, leaves: 1964, differences: vec![(2, 1921, 1920)] });
        assert_eq!(cases[0].check(PerftLimits { depth: 9, leaves: 50 }).checked, 1);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| parse(text).map(|cases| cases.len()).unwrap_err().to_string();
        assert_eq!(error("\n9/9 w ;D1 3"), "line 2: the number of ranks is 2 instead of 10");
        assert_eq!(error(&format!("{START} ;D1 x")), "line 1: \"D1 x\" is not a count such as D3 79666");
    }
}
