//! Counters of what the search does, for its authors: `chuhe bench --statistics`. Counted with the feature `tuning` only;
//! without it there are no counters and [`Statistics::count`] does nothing.

#[cfg(feature = "tuning")]
use std::fmt;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node of the main search, after draws and mate distance.
    Node,
    /// One with an expected fail high.
    CutNode,
    /// One whose position is in the transposition table (TT).
    TtHit,
    /// One that ends by the table.
    TtCutoff,
    /// A node of quiescence search.
    QuiescenceNode,
    /// One that ends with the static evaluation.
    StandPat,
    /// A static evaluation from the table.
    TtEval,
    /// A static evaluation by the network.
    NewEval,
    /// Reverse futility pruning (RFP) of a node.
    ReverseFutility,
    /// A null move tried.
    NullMove,
    /// A null move whose search failed high.
    NullMoveSuccess,
    /// A null move that a verification search refuted.
    NullMoveRefuted,
    /// A search that excludes the table's move.
    SingularSearch,
    /// A singular move, extended.
    Singular,
    /// A singular move, extended by two plies.
    DoubleExtension,
    /// Multicut: a node ends since another move fails high too.
    Multicut,
    /// Internal iterative reduction (IIR).
    InternalReduction,
    /// A move searched with a late move reduction (LMR).
    Reduction,
    /// A reduced move that beat alpha.
    ReductionFailHigh,
    /// A search with an aspiration window.
    AspirationWindow,
    /// One that failed low.
    AspirationLow,
    /// One that failed high.
    AspirationHigh,
}

/// From which stage of the move picker a move came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSource {
    /// The transposition table.
    Tt,
    /// A capture that loses no material.
    GoodCapture,
    /// A killer move.
    Killer,
    /// Another quiet move.
    Quiet,
    /// A capture that loses material.
    BadCapture,
    /// An evasion of check.
    Evasion,
}

/// The counters of a search.
#[cfg(feature = "tuning")]
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    events: [u64; Event::AspirationHigh as usize + 1],
    /// Beta cutoffs by [`depth_zone`], [`MoveSource`], and number of the move (first, second or third, later).
    cutoffs: [[[u64; 3]; MoveSource::Evasion as usize + 1]; ZONES.len()],
}

/// No counters.
#[cfg(not(feature = "tuning"))]
#[derive(Clone, Debug, Default)]
pub struct Statistics {}

#[cfg(not(feature = "tuning"))]
#[allow(clippy::unused_self)]
impl Statistics {
    /// Does nothing.
    #[inline(always)]
    pub fn count(&mut self, _event: Event) {}

    /// Does nothing.
    #[inline(always)]
    pub fn count_cutoff(&mut self, _depth: i32, _source: MoveSource, _number: usize) {}
}

/// Names of the depth zones.
#[cfg(feature = "tuning")]
const ZONES: [&str; 3] = ["1 to 3", "4 to 7", "8 and more"];

/// Index of the depth zone.
#[cfg(feature = "tuning")]
fn depth_zone(depth: i32) -> usize {
    match depth {
        ..=3 => 0,
        4..=7 => 1,
        8.. => 2,
    }
}

#[cfg(feature = "tuning")]
impl Statistics {
    /// Counts an event.
    #[inline]
    pub fn count(&mut self, event: Event) {
        self.events[event as usize] += 1;
    }

    /// Counts a beta cutoff of a node of `depth` by its `number`th move (from 1).
    #[inline]
    pub fn count_cutoff(&mut self, depth: i32, source: MoveSource, number: usize) {
        let number = match number {
            ..=1 => 0,
            2..=3 => 1,
            4.. => 2,
        };
        self.cutoffs[depth_zone(depth)][source as usize][number] += 1;
    }

    fn of(&self, event: Event) -> u64 {
        self.events[event as usize]
    }
}

/// A table, two columns; every line ends with a newline.
#[cfg(feature = "tuning")]
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64);
        let of = |event, whole| share(self.of(event), self.of(whole));
        let all = self.cutoffs.iter().flatten();
        let cutoffs: u64 = all.clone().flatten().sum();
        let tt = self.cutoffs.iter().map(|zone| zone[MoveSource::Tt as usize]);
        let [tt_cutoffs, tt_first] = [tt.clone().flatten().sum::<u64>(), tt.map(|numbers| numbers[0]).sum()];
        let at = |number: usize| all.clone().map(|numbers| numbers[number]).sum::<u64>();
        let nodes = self.of(Event::Node) + self.of(Event::QuiescenceNode);
        let evals = self.of(Event::TtEval) + self.of(Event::NewEval);
        let rows = [
            ("nodes of the main search", self.of(Event::Node).to_string()),
            ("nodes in quiescence", share(self.of(Event::QuiescenceNode), nodes)),
            ("cutoffs at the first move", share(at(0), cutoffs)),
            ("… without a table move", share(at(0) - tt_first, cutoffs - tt_cutoffs)),
            ("cutoffs after the third move", share(at(2), cutoffs)),
            ("table hits", of(Event::TtHit, Event::Node)),
            ("table cutoffs", of(Event::TtCutoff, Event::Node)),
            ("expected cut nodes", of(Event::CutNode, Event::Node)),
            ("evaluations from the table", share(self.of(Event::TtEval), evals)),
            ("network evaluations a node", format!("{:.2}", self.of(Event::NewEval) as f64 / nodes.max(1) as f64)),
            ("reverse futility", of(Event::ReverseFutility, Event::Node)),
            ("stand pat", of(Event::StandPat, Event::QuiescenceNode)),
            ("null moves", of(Event::NullMove, Event::Node)),
            ("… that succeed", of(Event::NullMoveSuccess, Event::NullMove)),
            ("… refuted by verification", of(Event::NullMoveRefuted, Event::NullMove)),
            ("singular tests", of(Event::SingularSearch, Event::Node)),
            ("… extended", of(Event::Singular, Event::SingularSearch)),
            ("… twice", of(Event::DoubleExtension, Event::SingularSearch)),
            ("… multicut", of(Event::Multicut, Event::SingularSearch)),
            ("internal reductions", of(Event::InternalReduction, Event::Node)),
            (
                "reduced moves a node",
                format!("{:.2}", self.of(Event::Reduction) as f64 / self.of(Event::Node).max(1) as f64),
            ),
            ("… that beat alpha", of(Event::ReductionFailHigh, Event::Reduction)),
            ("aspiration windows that fail low", of(Event::AspirationLow, Event::AspirationWindow)),
            ("… high", of(Event::AspirationHigh, Event::AspirationWindow)),
        ];
        for (name, value) in rows {
            writeln!(f, "{name:34} {value:>12}")?;
        }
        writeln!(f, "\ncutoffs by depth    share  first  second, third  later")?;
        let sources = ["table", "good capture", "killer", "quiet", "bad capture", "evasion"];
        for (zone, by_source) in ZONES.iter().zip(&self.cutoffs) {
            let total: u64 = by_source.iter().flatten().sum();
            writeln!(f, "{zone}")?;
            for (source, numbers) in sources.iter().zip(by_source) {
                let of_source: u64 = numbers.iter().sum();
                let [first, second, later] = numbers.map(|number| share(number, of_source));
                writeln!(f, "  {source:14} {:>8} {first:>8} {second:>8} {later:>8}", share(of_source, total))?;
            }
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "tuning"))]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::search::Searcher;
    use crate::search::limits::Limits;
    use crate::search::signals::Signals;
    use crate::search::transposition::TranspositionTable;

    #[test]
    fn counters_agree_with_one_another() {
        let (mut searcher, table) = (Searcher::new(), TranspositionTable::new(1).unwrap());
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let result = searcher.search(&Position::start(), &limits, &Signals::new(), &table, &mut |_| {});
        let statistics = searcher.statistics();
        let of = |event| statistics.of(event);
        // A move that is searched again is made once; nodes that end by the rules or by mate distance are not counted.
        let counted = of(Event::Node) + of(Event::QuiescenceNode);
        assert!((result.nodes * 2 / 3..result.nodes * 3 / 2).contains(&counted), "{counted} of {}", result.nodes);
        for (part, whole) in [
            (Event::TtCutoff, Event::TtHit),
            (Event::NullMoveSuccess, Event::NullMove),
            (Event::StandPat, Event::QuiescenceNode),
            (Event::ReductionFailHigh, Event::Reduction),
        ] {
            assert!(0 < of(part) && of(part) < of(whole), "{part:?}");
        }
        let cutoffs: u64 = statistics.cutoffs.iter().flatten().flatten().sum();
        assert!(0 < cutoffs && cutoffs < of(Event::Node));
        assert!(statistics.to_string().lines().all(|line| line.chars().count() <= 80));
    }
}
