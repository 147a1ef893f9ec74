//! Parallel map with results in order (L6).

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Runs `jobs` on this many threads (at least one) and calls `on_result` with their results in the order of job
/// numbers, until it breaks. Each thread has its own worker function, made by `worker`.
///
/// # Panics
/// If a worker panics; the other threads finish their current jobs first.
pub fn map_in_order<T: Send, W: FnMut(u64) -> T>(
    jobs: Range<u64>,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    on_result: &mut dyn FnMut(T) -> ControlFlow<()>,
) {
    let (next, failed) = (AtomicU64::new(jobs.start), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, failed, worker, jobs) = (&next, &failed, &worker, &jobs);
            scope.spawn(move || {
                let _panic_flag = PanicFlag(failed);
                let mut work = worker();
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    if failed.load(Ordering::Relaxed) || !jobs.contains(&job) || sender.send((job, work(job))).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next_job = jobs.start;
        for (job, result) in results {
            waiting.insert(job, result);
            while let Some(result) = waiting.remove(&next_job) {
                next_job += 1;
                if on_result(result).is_break() {
                    return;
                }
            }
        }
    });
}

/// Sets the flag when dropped by a panic.
struct PanicFlag<'a>(&'a AtomicBool);

impl Drop for PanicFlag<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_panic_of_a_worker_ends_the_map() {
        let mut results = 0;
        let worker = || |job| if job == 5 { panic!("job 5") } else { job };
        let work = AssertUnwindSafe(|| {
            map_in_order(0..u64::MAX, 2, worker, &mut |_| {
                results += 1;
                ControlFlow::Continue(())
            });
        });
        assert!(catch_unwind(work).is_err());
        assert_eq!(results, 5);
    }

    #[test]
    fn results_come_in_order_until_a_break() {
        for threads in [0, 1, 3] {
            let mut seen = Vec::new();
            let worker = || {
                |job| {
                    // Yields of different number change the order in which jobs end.
                    (0..job * 7 % 40).for_each(|_| thread::yield_now());
                    job * 10
                }
            };
            map_in_order(3..40, threads, worker, &mut |result| {
                seen.push(result);
                if result == 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(seen, (3..=30).map(|job| job * 10).collect::<Vec<u64>>());
        }
    }
}
