//! Measures routines: `cargo bench`, `cargo bench --bench position NAME…` for those whose names contain one of these.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Samples of each routine: odd, so that one is the median.
const SAMPLES: usize = 21;
/// A sample runs the routine as often as fits into this time, at least once.
const SAMPLE_TIME: Duration = Duration::from_millis(100);

/// Routines to measure.
pub struct Benches<'a> {
    /// Whether to measure, as `cargo bench` asks, or only to see that the routines run (`cargo test --benches`).
    measures: bool,
    names: Vec<String>,
    benches: Vec<Bench<'a>>,
}

struct Bench<'a> {
    name: String,
    elements: u64,
    routine: Box<dyn FnMut() + 'a>,
    /// Nanoseconds of a run, by sample.
    times: Vec<f64>,
}

impl<'a> Benches<'a> {
    /// No routine yet. The names are those in the arguments of the program.
    pub fn from_arguments() -> Benches<'a> {
        let (flags, names): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|text| text.starts_with("--"));
        Benches { measures: flags.contains(&"--bench".to_string()), names, benches: Vec::new() }
    }

    /// Adds a routine that processes `elements` elements.
    pub fn add<T>(&mut self, name: impl Into<String>, elements: u64, mut routine: impl FnMut() -> T + 'a) {
        let name = name.into();
        if self.names.is_empty() || self.names.iter().any(|part| name.contains(part)) {
            let routine = Box::new(move || drop(black_box(routine())));
            self.benches.push(Bench { name, elements, routine, times: Vec::new() });
        }
    }

    /// Measures the routines in turn, so that a change of the machine's speed touches all alike, and prints for each the
    /// median with the quartiles, the time of an element, and elements a second.
    pub fn run(mut self) {
        let runs: Vec<u32> = self.benches.iter_mut().map(|bench| bench.runs()).collect();
        for _ in 0..if self.measures { SAMPLES } else { 0 } {
            for (bench, &runs) in self.benches.iter_mut().zip(&runs) {
                let start = Instant::now();
                (0..runs).for_each(|_| (bench.routine)());
                bench.times.push(start.elapsed().as_nanos() as f64 / f64::from(runs));
            }
        }
        for Bench { name, elements, mut times, .. } in self.benches.into_iter().filter(|_| self.measures) {
            times.sort_by(f64::total_cmp);
            let [low, median, high] = [1, 2, 3].map(|quarter| times[SAMPLES * quarter / 4]);
            let [time, below, above] = [median, low - median, high - median].map(|time| time / 1e3);
            let each = median / elements as f64;
            println!(
                "{name:<44} {time:>12.2} µs {below:>+9.2} {above:>+9.2} {each:>10.2} ns each {:>10.3} M/s",
                1e3 / each
            );
        }
    }
}

impl Bench<'_> {
    /// Warms up, and returns how many runs fill a sample.
    fn runs(&mut self) -> u32 {
        let start = Instant::now();
        let mut runs = 0;
        while runs == 0 || start.elapsed() < SAMPLE_TIME {
            (self.routine)();
            runs += 1;
        }
        runs
    }
}
