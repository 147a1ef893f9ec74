//! The results of a match: points, pairs, and how engines used their time.

use super::limit::Limit;
use super::match_clock::MatchClock;
use super::pentanomial::Pentanomial;
use super::played_game::PlayedGame;
use super::schedule::ScheduledGame;
use super::search_info::MATE_BOUND;
use super::termination::Termination;
use crate::games::record::GameResult;
use crate::types::Color;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// Losses, draws and wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// Losses, draws and wins.
    pub counts: [u64; 3],
}

impl Record {
    /// Number of games.
    pub(crate) fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Points: 1 for a win, ½ for a draw.
    pub(crate) fn points(&self) -> f64 {
        self.counts[2] as f64 + self.counts[1] as f64 / 2.0
    }

    /// The sum of records.
    pub(crate) fn sum<'a>(records: impl IntoIterator<Item = &'a Record>) -> Record {
        let mut sum = Record::default();
        for record in records {
            (0..3).for_each(|index| sum.counts[index] += record.counts[index]);
        }
        sum
    }
}

/// How an engine thought.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    /// Number of moves.
    pub moves: u64,
    /// Time of all moves.
    pub time: Duration,
    /// Longest time of a move.
    pub longest: Duration,
    /// Nodes of the moves that told them, and the time of these moves.
    pub nodes: u64,
    node_time: Duration,
    /// Sum of the depths of moves without a mate in sight, and their number.
    depths: u64,
    depth_moves: u64,
    /// Least time left on a clock after a move, before the increment.
    pub least_left: Option<Duration>,
    /// Games lost by failures.
    pub failures: BTreeMap<Termination, u64>,
    /// Number of faulty lines, and the first.
    pub bad_pvs: u64,
    /// The first faulty line.
    pub bad_pv: Option<String>,
}

impl Usage {
    /// Average depth.
    pub(crate) fn depth(&self) -> Option<f64> {
        (self.depth_moves > 0).then(|| self.depths as f64 / self.depth_moves as f64)
    }

    /// Nodes per second.
    pub(crate) fn speed(&self) -> Option<f64> {
        (!self.node_time.is_zero()).then(|| self.nodes as f64 / self.node_time.as_secs_f64())
    }
}

/// The results so far.
pub(crate) struct Standings {
    /// The engines.
    pub names: Vec<String>,
    limits: Vec<Limit>,
    /// The record of each engine against each other.
    pub records: Vec<Vec<Record>>,
    /// The record of each engine as Red.
    pub as_red: Vec<Record>,
    /// The pairs of each engine against each other.
    pub pairs: Vec<Vec<Pentanomial>>,
    /// Of pairs of which one game was played: by how much its first engine, the one of the lower number, won it.
    open_pairs: HashMap<usize, i32>,
    /// Points for rounds without an opponent: as many as a meeting has games.
    pub byes: Vec<u64>,
    /// Games by their end.
    pub terminations: BTreeMap<Termination, u64>,
    /// Plies of all games.
    pub plies: u64,
    /// How the engines thought.
    pub usage: Vec<Usage>,
}

impl Standings {
    /// No results, of engines with these names and limits.
    pub(crate) fn new(engines: Vec<(String, Limit)>) -> Standings {
        let count = engines.len();
        let (names, limits) = engines.into_iter().unzip();
        Standings {
            names,
            limits,
            records: vec![vec![Record::default(); count]; count],
            as_red: vec![Record::default(); count],
            pairs: vec![vec![Pentanomial::default(); count]; count],
            open_pairs: HashMap::new(),
            byes: vec![0; count],
            terminations: BTreeMap::new(),
            plies: 0,
            usage: vec![Usage::default(); count],
        }
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, scheduled: &ScheduledGame, played: &PlayedGame) {
        let [red, black] = scheduled.players;
        let difference = match played.result {
            GameResult::Won(Color::Red) => 1,
            GameResult::Won(Color::Black) => -1,
            GameResult::Drawn | GameResult::Unknown => 0,
        };
        let index = |difference: i32| (difference + 1) as usize;
        self.records[red][black].counts[index(difference)] += 1;
        self.records[black][red].counts[index(-difference)] += 1;
        self.as_red[red].counts[index(difference)] += 1;
        *self.terminations.entry(played.termination).or_default() += 1;
        self.plies += played.moves.len() as u64;
        let [first, second] = [red.min(black), red.max(black)];
        let difference = if first == red { difference } else { -difference };
        match self.open_pairs.remove(&scheduled.pair) {
            None => drop(self.open_pairs.insert(scheduled.pair, difference)),
            Some(other) => {
                self.pairs[first][second].add(difference + other);
                self.pairs[second][first].add(-difference - other);
            }
        }
        if let Some(side) = played.failed_side() {
            *self.usage[scheduled.players[side.index()]].failures.entry(played.termination).or_default() += 1;
        }
        self.add_usage(scheduled, played);
    }

    fn add_usage(&mut self, scheduled: &ScheduledGame, played: &PlayedGame) {
        let mut clocks =
            scheduled.players.map(|engine| MatchClock::new(self.limits[engine], Duration::MAX / 4, Duration::MAX));
        for (side, mv) in played.sides_and_moves() {
            let Some(ms) = mv.ms else { continue };
            let time = Duration::from_secs_f64(ms.clamp(0.0, 1e12) / 1000.0);
            let usage = &mut self.usage[scheduled.players[side.index()]];
            usage.moves += 1;
            usage.time += time;
            usage.longest = usage.longest.max(time);
            let clock = &mut clocks[side.index()];
            if let Limit::Clock { .. } = clock.limit() {
                let left = clock.left().saturating_sub(time);
                usage.least_left = Some(usage.least_left.map_or(left, |least| least.min(left)));
            }
            clock.spend(time);
            if let Some(nodes) = mv.nodes {
                usage.nodes = usage.nodes.saturating_add(nodes);
                usage.node_time += time;
            }
            // Engines race to their greatest depth once they see a mate.
            if let Some(depth) = mv.depth.filter(|_| mv.score.is_none_or(|score| score.abs() < MATE_BOUND)) {
                usage.depths = usage.depths.saturating_add(depth.into());
                usage.depth_moves += 1;
            }
            if let Some(fault) = &mv.bad_pv {
                usage.bad_pvs += 1;
                usage.bad_pv.get_or_insert_with(|| fault.clone());
            }
        }
    }

    /// Number of games.
    pub(crate) fn games(&self) -> u64 {
        self.terminations.values().sum()
    }

    /// The record of an engine against all others.
    pub(crate) fn record(&self, engine: usize) -> Record {
        Record::sum(&self.records[engine])
    }

    /// Points of an engine, with those for byes.
    pub(crate) fn points(&self, engine: usize) -> f64 {
        self.record(engine).points() + self.byes[engine] as f64
    }

    /// Sum of the points of an engine's opponents, each as often as they have met (Buchholz).
    pub(crate) fn buchholz(&self, engine: usize, games: usize) -> f64 {
        let meetings = |opponent: usize| self.records[engine][opponent].games() as f64 / games as f64;
        (0..self.names.len()).map(|opponent| meetings(opponent) * self.points(opponent)).sum()
    }

    /// The pairs of an engine against all others.
    pub(crate) fn all_pairs(&self, engine: usize) -> Pentanomial {
        let mut sum = Pentanomial::default();
        for pairs in &self.pairs[engine] {
            (0..5).for_each(|index| sum.0[index] += pairs.0[index]);
        }
        sum
    }
}
