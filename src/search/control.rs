//! When a search ends: node limit, clock, signals, other threads; and sleeping for the setting `idle`.

use super::lazy_smp::{SmpState, ThreadResult};
use super::limits::Limits;
use super::report::StopReason;
use super::settings::Idle;
use super::signals::Signals;
use super::time_management::TimeBudget;
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// Most nodes between two checks of clock and signals.
const NODES_PER_CHECK: u64 = 1024;
/// Time between two checks that is soon not exceeded: nodes are slow while the system provides the pages of the hash table.
const TIME_PER_CHECK: Duration = Duration::from_millis(1);
/// Nodes after which even the first iteration can be stopped.
const FIRST_ITERATION_NODES: u64 = 1 << 16;
/// Time between two checks of the signals during a pause.
const THROTTLE_SLICE: Duration = Duration::from_millis(4);

/// What ends the search of one thread.
pub(super) struct Control<'a> {
    pub limits: &'a Limits,
    pub signals: &'a Signals,
    /// State shared with the other threads (Lazy SMP).
    pub smp: &'a SmpState,
    /// Index of the thread; 0 is the main thread.
    pub thread_id: usize,
    /// Time for the move, if limited; main thread only.
    pub budget: Option<TimeBudget>,
    /// The search is being stopped: scores returned from now on are invalid.
    pub stopped: bool,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// Result of another thread that completed this iteration first.
    pub completed_elsewhere: Option<ThreadResult>,
    /// While pondering: the search may answer at once after a ponder hit.
    pub ponder_done: bool,
    node_limit: u64,
    /// Number of nodes at the next check, those between it and the one before, and when that was.
    next_check: u64,
    interval: u64,
    checked: Instant,
    /// Start of the search, and processor time since then, for throttling.
    begun: Instant,
    work: ThreadTime,
}

impl<'a> Control<'a> {
    /// The control of a thread that begins to search.
    pub(super) fn new(limits: &'a Limits, signals: &'a Signals, smp: &'a SmpState, thread_id: usize) -> Control<'a> {
        let begun = Instant::now();
        Control {
            limits,
            signals,
            smp,
            thread_id,
            budget: TimeBudget::of(limits).filter(|_| thread_id == 0),
            stopped: false,
            stop_reason: StopReason::Depth,
            completed_elsewhere: None,
            ponder_done: false,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            next_check: 1,
            interval: 1,
            checked: begun,
            begun,
            work: ThreadTime::now(),
        }
    }

    /// Whether the search must stop after `nodes` nodes and `tb_hits` table hits of this thread, in iteration
    /// `iteration`. The main thread finishes depth 1 first, unless the node limit or [`FIRST_ITERATION_NODES`] is
    /// reached.
    #[inline]
    pub(super) fn should_stop(&mut self, nodes: u64, tb_hits: u64, iteration: i32) -> bool {
        if !self.stopped {
            if nodes >= self.node_limit {
                self.stopped = true;
                self.stop_reason = StopReason::Nodes;
            } else if nodes >= self.next_check
                && (iteration > 1 || nodes >= FIRST_ITERATION_NODES || self.thread_id > 0)
            {
                self.check(nodes, tb_hits, iteration);
            }
        }
        self.stopped
    }

    /// Checks clock, signals and the other threads.
    #[cold]
    fn check(&mut self, nodes: u64, tb_hits: u64, iteration: i32) {
        let spent = self.budget.and_then(|budget| Some((budget, self.spent(nodes)?)));
        let is_late = spent.is_some_and(|(budget, spent)| spent >= budget.hard || self.ponder_done);
        self.smp.count(self.thread_id, nodes, tb_hits);
        let is_spent = self.smp.nodes() >= self.node_limit;
        self.stopped = is_late || is_spent || self.signals.is_stopped() || self.smp.is_finished();
        if self.stopped {
            self.stop_reason = match (is_late, is_spent) {
                (true, _) => StopReason::Time,
                (false, true) => StopReason::Nodes,
                (false, false) => StopReason::Stop,
            };
        } else if self.shares_iterations() {
            self.completed_elsewhere = self.smp.completed(iteration);
            self.stopped = self.completed_elsewhere.is_some();
        }
        self.schedule_check(nodes);
        self.throttle(nodes);
    }

    /// Sets the number of nodes at the next check. Where time is measured in nodes, it depends on nothing else.
    fn schedule_check(&mut self, nodes: u64) {
        let checked = std::mem::replace(&mut self.checked, Instant::now());
        let is_slow = self.limits.node_time.is_none() && self.checked.duration_since(checked) > TIME_PER_CHECK;
        self.interval = if is_slow { (self.interval / 2).max(1) } else { (self.interval * 2).min(NODES_PER_CHECK) };
        self.next_check = nodes + self.interval;
    }

    /// Whether threads share completed iterations.
    pub(super) fn shares_iterations(&self) -> bool {
        // Not with multi-PV, root noise or a mate limit: there one shared line is not enough.
        let settings = &self.limits.settings;
        settings.lines <= 1 && settings.root_noise.is_empty() && self.limits.mate.is_none()
    }

    /// Extra depth of each iteration: 1 for every other thread, so that threads differ in what they search.
    pub(super) fn depth_offset(&self) -> i32 {
        (self.thread_id % 2) as i32
    }

    /// Sleeps as the setting `idle` requires, less the time in which the thread did not run.
    fn throttle(&mut self, nodes: u64) {
        let idle = self.limits.settings.idle;
        if idle == Idle::None || self.stopped {
            return;
        }
        let left = match self.budget {
            Some(budget) => self.spent(nodes).map_or(Duration::MAX, |spent| budget.hard.saturating_sub(spent)),
            None => Duration::MAX,
        };
        let pause = idle.sleep_time(self.work.elapsed(), self.begun.elapsed(), left);
        let begun = Instant::now();
        // In slices, so that the main thread need not wait for a sleeping helper.
        while begun.elapsed() < pause && !self.smp.is_finished() && !self.signals.is_stopped() {
            self.signals.throttle(pause.saturating_sub(begun.elapsed()).min(THROTTLE_SLICE));
        }
        self.checked = Instant::now();
    }

    /// Time taken from the own clock; `None` while pondering.
    pub(super) fn spent(&self, nodes: u64) -> Option<Duration> {
        if let Some(time) = self.limits.time_of(nodes) {
            return Some(time);
        }
        let since = if self.limits.ponder { self.signals.ponderhit_at()? } else { self.signals.started() };
        Some(Instant::now().saturating_duration_since(since))
    }
}
