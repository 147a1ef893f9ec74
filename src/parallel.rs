//! Many jobs for a few threads (L6).

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does `jobs` on so many threads, at least one, and hands what they come to to `take`, in the order of their numbers,
/// until it says that it is enough. Each thread works with a worker of its own, made by `worker`.
///
/// # Panics
/// If a worker does: the others finish the job they are at, and no more.
pub fn map_in_order<T: Send, W: FnMut(u64) -> T>(
    jobs: Range<u64>,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) {
    let (next, failed) = (AtomicU64::new(jobs.start), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, failed, worker, jobs) = (&next, &failed, &worker, &jobs);
            scope.spawn(move || {
                let _alarm = Alarm(failed);
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
        let mut early = BTreeMap::new();
        let mut due = jobs.start;
        for (job, result) in results {
            early.insert(job, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if take(result).is_break() {
                    return;
                }
            }
        }
    });
}

/// Says so when its thread panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
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
    fn a_panic_ends_the_work_of_all() {
        let mut taken = 0;
        let worker = || |job| if job == 5 { panic!("the fifth") } else { job };
        let work = AssertUnwindSafe(|| {
            map_in_order(0..u64::MAX, 2, worker, &mut |_| {
                taken += 1;
                ControlFlow::Continue(())
            });
        });
        assert!(catch_unwind(work).is_err());
        assert_eq!(taken, 5);
    }

    #[test]
    fn results_come_in_order_until_it_is_enough() {
        for threads in [0, 1, 3] {
            let mut seen = Vec::new();
            let worker = || {
                |job| {
                    // Later jobs are done first now and then.
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
