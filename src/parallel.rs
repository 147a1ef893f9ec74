//! Parallel map with results in order (L6).

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Maximum number of jobs in work for each thread. It bounds the memory of jobs that wait for a thread and of results
/// that wait for an earlier one.
const WINDOW: usize = 64;

/// A job or a result. Without its type, so that channels and threads are compiled once and not for each type.
type Erased = Box<dyn Any + Send>;

/// A worker function.
type Work<'a> = Box<dyn FnMut(Erased) -> Erased + 'a>;

/// The jobs that are left; `None`: a thread has taken them.
type Jobs = Mutex<Option<Box<dyn Iterator<Item = Erased> + Send>>>;

/// What the other threads tell the one that calls [`map_in_order`].
enum Event {
    /// The next job.
    Job(Erased),
    /// There are no more jobs, or taking the next one panicked.
    End(thread::Result<()>),
    /// The result of the job with this number, from 0; or the job panicked.
    Done(u64, thread::Result<Erased>),
}

/// Runs `jobs` on this many threads (at least one) and calls `on_result` with their results in the order of the jobs,
/// until it breaks. Each thread has its own worker function, made by `worker`.
///
/// The jobs are taken by a thread of their own, as they are needed, so `jobs` may block, for example on standard input:
/// no result waits for a later job. After a break that thread ends when the job it waits for has come. Where the system
/// cannot start threads, the calling one does without them.
///
/// # Panics
/// If a worker or `jobs` panics; the other threads finish their current jobs first.
pub(crate) fn map_in_order<J: Send + 'static, T: Send + 'static, W: FnMut(J) -> T>(
    jobs: impl IntoIterator<Item = J, IntoIter: Send + 'static>,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    on_result: &mut dyn FnMut(T) -> ControlFlow<()>,
) {
    let jobs = jobs.into_iter().map(|job| Box::new(job) as Erased);
    let worker = || -> Work {
        let mut work = worker();
        Box::new(move |job| Box::new(work(typed(job))))
    };
    map_erased(Box::new(jobs), threads.max(1), &worker, &mut |result| on_result(typed(result)));
}

/// The job or result of this type.
fn typed<T: 'static>(erased: Erased) -> T {
    *erased.downcast().expect("invariant: jobs and results have one type each")
}

fn map_erased<'a>(
    jobs: Box<dyn Iterator<Item = Erased> + Send>,
    threads: usize,
    worker: &(dyn Fn() -> Work<'a> + Sync),
    on_result: &mut dyn FnMut(Erased) -> ControlFlow<()>,
) {
    let (sender, events) = mpsc::channel();
    let (permit, permits) = mpsc::channel();
    (0..threads * WINDOW).for_each(|_| permit.send(()).expect("invariant: the receiver exists"));
    let (jobs, taker) = (Arc::new(Mutex::new(Some(jobs))), sender.clone());
    let untaken = Arc::clone(&jobs);
    let take = move || take_jobs(take_once(&untaken).into_iter().flatten(), &permits, &taker);
    if thread::Builder::new().spawn(take).is_err() {
        let mut work = worker();
        let _ = take_once(&jobs).into_iter().flatten().try_for_each(|job| on_result(work(job)));
        return;
    }
    let (queue, queued) = mpsc::channel();
    let (queued, stopped) = (Mutex::new(queued), AtomicBool::new(false));
    thread::scope(|scope| {
        // Both are dropped at a break and at a panic too; then the threads end.
        let (_stop, queue) = (StopOnDrop(&stopped), queue);
        let mut own_work = Some(worker);
        for _ in 0..threads {
            let (sender, queued, stopped) = (sender.clone(), &queued, &stopped);
            let jobs = move || do_jobs(queued, stopped, worker, &sender);
            if thread::Builder::new().spawn_scoped(scope, jobs).is_ok() {
                own_work = None;
            }
        }
        let mut own_work = own_work.map(|worker| worker());
        let (mut waiting, mut taken, mut delivered, mut has_ended) = (BTreeMap::new(), 0, 0, false);
        while !has_ended || delivered < taken {
            match events.recv().expect("invariant: there is a sender") {
                Event::Job(job) => {
                    if let Some(work) = &mut own_work {
                        waiting.insert(taken, Ok(work(job)));
                        taken += 1;
                    } else {
                        queue.send((taken, job)).expect("invariant: the receiver exists");
                        taken += 1;
                    }
                }
                Event::End(Ok(())) => has_ended = true,
                Event::End(Err(panic)) => resume_unwind(panic),
                Event::Done(number, result) => {
                    waiting.insert(number, result);
                }
            }
            while let Some(result) = waiting.remove(&delivered) {
                delivered += 1;
                // The taker has ended if there are no more jobs.
                let _ = permit.send(());
                if on_result(result.unwrap_or_else(|panic| resume_unwind(panic))).is_break() {
                    return;
                }
            }
        }
    });
}

/// The jobs, the first time; then `None`.
fn take_once(jobs: &Jobs) -> Option<Box<dyn Iterator<Item = Erased> + Send>> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Takes a job for each permit, until there are no more jobs or nobody wants them.
fn take_jobs(mut jobs: impl Iterator<Item = Erased>, permits: &Receiver<()>, events: &Sender<Event>) {
    let taken = catch_unwind(AssertUnwindSafe(|| {
        while permits.recv().is_ok() {
            let Some(job) = jobs.next() else { return };
            if events.send(Event::Job(job)).is_err() {
                return;
            }
        }
    }));
    let _ = events.send(Event::End(taken));
}

/// Does queued jobs until there are no more, the map is stopped or one panics.
fn do_jobs<'a>(
    queued: &Mutex<Receiver<(u64, Erased)>>,
    stopped: &AtomicBool,
    worker: &(dyn Fn() -> Work<'a> + Sync),
    events: &Sender<Event>,
) {
    let next = || queued.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    let mut work = None;
    while let Some((number, job)) = next().filter(|_| !stopped.load(Ordering::Relaxed)) {
        let result = catch_unwind(AssertUnwindSafe(|| work.get_or_insert_with(worker)(job)));
        let is_panic = result.is_err();
        if events.send(Event::Done(number, result)).is_err() || is_panic {
            return;
        }
    }
}

/// Sets the flag when dropped.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

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
            map_in_order(3..40_u64, threads, worker, &mut |result| {
                seen.push(result);
                if result == 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(seen, (3..=30).map(|job| job * 10).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn a_panic_of_the_jobs_ends_the_map() {
        let jobs = (0..10).map(|job| if job == 5 { panic!("job 5") } else { job });
        let work = AssertUnwindSafe(|| map_in_order(jobs, 2, || |job| job, &mut |_| ControlFlow::Continue(())));
        assert!(catch_unwind(work).is_err());
    }

    /// A job that takes long holds up at most a window of others.
    #[test]
    fn jobs_are_taken_as_they_are_needed() {
        let taken = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&taken);
        let jobs = (0..100_000).inspect(move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        let mut delivered = 0;
        map_in_order(jobs, 2, || |job| job, &mut |_| {
            delivered += 1;
            assert!(taken.load(Ordering::SeqCst) <= delivered + 2 * WINDOW as u64);
            ControlFlow::Continue(())
        });
        assert_eq!(delivered, 100_000);
    }

    /// Each job comes only after the result of the one before.
    #[test]
    fn results_do_not_wait_for_later_jobs() {
        let (answer, answers) = mpsc::channel();
        let mut asked = 0;
        let jobs = std::iter::from_fn(move || {
            if asked > 0 {
                assert_eq!(answers.recv(), Ok(asked - 1));
            }
            asked += 1;
            (asked <= 20).then_some(asked - 1)
        });
        map_in_order(jobs, 3, || |job| job, &mut |result: u64| {
            answer.send(result).unwrap();
            ControlFlow::Continue(())
        });
    }
}
