//! Lines to a mate completed by the endgame tables.

use super::Searcher;
use super::limits::Limits;
use super::report::{Report, SearchResult};
use super::signals::Signals;
use super::transposition::TranspositionTable;
use crate::egtb::tables::{Probe, Tables};
use crate::egtb::value::EndgameValue;
use crate::position::Position;
use crate::types::Move;
use crate::types::score::is_mate;

/// Maximum number of moves of a line that is extended by the tables.
const MAX_LINE: usize = 60;

impl Searcher {
    /// As [`Searcher::search`], with lines for people: those to a mate are completed by the tables of `limits`. The search
    /// itself sees only the moves up to the first position that they have.
    pub fn search_with_table_lines(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Report),
    ) -> SearchResult {
        let Some(tables) = limits.settings.tables.as_deref() else {
            return self.search(position, limits, signals, table, report);
        };
        let mut result = self.search(position, limits, signals, table, &mut |mut found| {
            if let Report::Iteration(iteration) = &mut found {
                let lines = iteration.lines.iter_mut().filter(|line| is_mate(line.score));
                lines.for_each(|line| extend_line(position, tables, &mut line.pv));
            }
            report(found);
        });
        if let (Some(best), None, true) = (result.best, result.ponder, is_mate(result.score)) {
            let mut line = vec![best];
            extend_line(position, tables, &mut line);
            result.ponder = line.get(1).copied();
        }
        result
    }
}

/// Appends the best moves of both sides by the tables to a line from `position`, up to the mate or sixty moves; none where
/// the tables do not have the position at its end, or no mate there.
fn extend_line(position: &Position, tables: &Tables, line: &mut Vec<Move>) {
    let mut position = position.clone();
    line.iter().for_each(|&mv| position.make(mv));
    while line.len() < MAX_LINE {
        let best = tables.probe_moves(&position).and_then(|moves| moves.first().copied());
        let Some((mv, Probe { value: EndgameValue::Win(_) | EndgameValue::Loss(_), .. })) = best else { return };
        position.make(mv);
        line.push(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_extended_to_the_mate() {
        let mut position = Position::from_fen("4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w").unwrap();
        let mut line = vec!["g0g7".parse().unwrap()];
        extend_line(&position, &Tables::built_in(), &mut line);
        line.iter().for_each(|&mv| position.try_make(mv).unwrap());
        assert!(line.len() == 49 && position.has_no_moves());
    }
}
