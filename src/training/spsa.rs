//! Tuning of search parameters by simultaneous perturbation stochastic approximation (SPSA; J. Spall, "Multivariate
//! stochastic approximation using a simultaneous perturbation gradient approximation", IEEE Transactions on Automatic
//! Control 37, 1992; practical values in his "Implementation of the simultaneous perturbation algorithm", IEEE
//! Transactions on Aerospace and Electronic Systems 34, 1998). All parameters are perturbed at once in random
//! directions; the engine with the perturbations plays the engine with the opposite ones; each parameter moves in the
//! direction that won. The schedule is that of fishtest, Stockfish's testing framework, with larger steps for fewer
//! games.

use super::part::start_or_do;
use crate::games::GameResult;
use crate::rng::seeded_rng;
use crate::rules::Rules;
use crate::search::limits::Limits;
use crate::search::tunables::{Tunable, Tunables};
use crate::tournament::adjudication::{DrawRule, ResignRule};
use crate::tournament::internal_engine::InternalEngine;
use crate::tournament::limit::Limit;
use crate::tournament::match_clock::MatchClock;
use crate::tournament::opening_suite::{OpeningSuite, SuiteOpening};
use crate::tournament::referee::{self, RefereeSettings};
use crate::types::Color;
use rand::RngExt;
use rand::rngs::StdRng;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Decay exponents of steps (α) and perturbations (γ); Spall's practical values.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The last step for a perturbation of 1 and a game won (`r_end` of fishtest).
const R_END: f64 = 0.008;
/// Lower bound of the last perturbation, for parameters with a small range.
const MIN_C_END: f64 = 0.5;

/// How games are adjudicated. Scores are in engine units: 1,000 is a win for both sides, 25 a draw for both after 40 plies
/// without a capture, each for three moves of both.
const RESIGN: ResignRule = ResignRule { moves: 3, score: 1_000, is_two_sided: true };
const DRAW: DrawRule = DrawRule { from_move: 0, quiet_plies: 40, moves: 3, score: 25 };

/// How the games of a tuning are played.
#[derive(Clone)]
pub(crate) struct TuneSettings {
    /// Number of game pairs in all.
    pub pairs: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Where game pairs begin; `None`: random level positions.
    pub openings: Option<Arc<OpeningSuite>>,
    /// The limit of each player.
    pub limit: Limit,
    /// Nodes that count as a millisecond of a clock.
    pub node_time: Option<u64>,
    /// The last perturbation of a parameter, as a fraction of its range (fishtest: 0.05).
    pub fraction: f64,
}

/// A parameter being tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The tunable.
    pub tunable: &'static Tunable,
    /// Its current value.
    pub value: f64,
}

impl Parameter {
    /// Reads a line `name value`.
    fn read(line: &str) -> Option<Parameter> {
        let (name, value) = line.split_once(' ')?;
        let tunable = Tunables::ALL.iter().find(|tunable| tunable.name == name)?;
        let value: f64 = value.parse().ok()?;
        (tunable.min as f64..=tunable.max as f64).contains(&value).then_some(Parameter { tunable, value })
    }

    /// Its last perturbation (`c_end` of fishtest), `fraction` of its range.
    fn c_end(&self, fraction: f64) -> f64 {
        let range = (self.tunable.max - self.tunable.min) as f64;
        (range * fraction).max(MIN_C_END)
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.tunable.min as f64, self.tunable.max as f64)
    }
}

/// The state of a tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaState {
    /// TrainingGame pairs played.
    pub pairs: u64,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

impl SpsaState {
    /// The initial state: the default values of the tunables named in `only`, or if there are none of all but those of
    /// time management, which change nothing at a fixed number of nodes. Features that are turned off stay off.
    pub fn new(only: &[String]) -> SpsaState {
        let wanted = |tunable: &&Tunable| {
            let is_chosen = match only {
                [] => !tunable.name.starts_with("time_"),
                names => names.iter().any(|name| name == tunable.name),
            };
            is_chosen && tunable.off != Some(tunable.value)
        };
        let parameters = Tunables::ALL.iter().filter(wanted);
        SpsaState {
            pairs: 0,
            parameters: parameters.map(|tunable| Parameter { tunable, value: tunable.value as f64 }).collect(),
        }
    }

    /// Sets `tunables` to the parameters, rounded.
    pub fn apply(&self, tunables: &mut Tunables) {
        for parameter in &self.parameters {
            tunables.set(parameter.tunable.name, parameter.value.round() as i32);
        }
    }

    /// The state as text: a line `pairs N`, then lines `name value`.
    pub fn to_text(&self) -> String {
        let lines =
            self.parameters.iter().map(|parameter| format!("{} {:.3}\n", parameter.tunable.name, parameter.value));
        format!("pairs {}\n{}", self.pairs, lines.collect::<String>())
    }

    /// Reads [`SpsaState::to_text`].
    ///
    /// # Errors
    /// The line that is malformed, repeats a name or has a value out of range; empty if lines are missing.
    pub fn read(text: &str) -> Result<SpsaState, String> {
        let mut lines = text.lines();
        let pairs = lines.next().unwrap_or_default();
        let count = pairs.strip_prefix("pairs ").and_then(|count| count.parse().ok()).ok_or(pairs)?;
        let mut state = SpsaState { pairs: count, parameters: Vec::new() };
        for line in lines {
            let parameter =
                Parameter::read(line).filter(|new| state.parameters.iter().all(|old| old.tunable != new.tunable));
            state.parameters.push(parameter.ok_or(line)?);
        }
        if state.parameters.is_empty() { Err(String::new()) } else { Ok(state) }
    }
}

/// Tunes from `state` until `settings.pairs` game pairs have been played in all; calls `on_pair` with the state after
/// each.
pub(crate) fn tune(state: SpsaState, settings: &TuneSettings, on_pair: &(dyn Fn(&SpsaState) + Sync)) -> SpsaState {
    let started = Mutex::new(state.pairs);
    let state = Mutex::new(state);
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            start_or_do(scope, || {
                let mut players = [(), ()].map(|()| {
                    let limits = Limits { node_time: settings.node_time, ..Limits::default() };
                    InternalEngine::new(limits, |score| score, Arc::default())
                });
                loop {
                    let pair = {
                        let mut started = started.lock().unwrap_or_else(PoisonError::into_inner);
                        *started += 1;
                        *started
                    };
                    if pair > settings.pairs {
                        return;
                    }
                    let mut rng = seeded_rng(settings.seed, pair);
                    let parameters = lock().parameters.clone();
                    let perturbations: Vec<Perturbation> = parameters
                        .iter()
                        .map(|parameter| {
                            Perturbation::new(parameter.c_end(settings.fraction), pair, settings.pairs, &mut rng)
                        })
                        .collect();
                    for (player, sign) in players.iter_mut().zip([1.0, -1.0]) {
                        let mut tunables = Tunables::default();
                        for (parameter, perturbation) in parameters.iter().zip(&perturbations) {
                            let value = parameter.clamp(parameter.value + sign * perturbation.c);
                            tunables.set(parameter.tunable.name, (value + perturbation.rounding).floor() as i32);
                        }
                        player.set_tunables(tunables);
                    }
                    let opening = match &settings.openings {
                        Some(openings) => openings.opening(pair as usize),
                        None => SuiteOpening::random(&mut rng),
                    };
                    let won = f64::from(play_pair(&opening, &mut players, settings.limit));
                    let mut state = lock();
                    state.pairs += 1;
                    for (parameter, perturbation) in state.parameters.iter_mut().zip(&perturbations) {
                        parameter.value = parameter.clamp(parameter.value + perturbation.step * won);
                    }
                    on_pair(&state);
                }
            });
        }
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Plays two games from an opening with colors exchanged: the games won by the first player less those that it lost.
fn play_pair(opening: &SuiteOpening, [first, second]: &mut [InternalEngine; 2], limit: Limit) -> i32 {
    let settings = RefereeSettings {
        rules: Rules::default(),
        occurrences: 3,
        max_plies: None,
        hang: Duration::MAX,
        resign: Some(RESIGN),
        draw: Some(DRAW),
        tables: None,
        checks_lines: false,
    };
    let play = |red: &mut InternalEngine, black: &mut InternalEngine| {
        let clocks = [(), ()].map(|()| MatchClock::new(limit, Duration::MAX, Duration::MAX));
        let played = referee::play(opening, [red, black], clocks, &settings, 0);
        match played.expect("invariant: nobody interrupts").0.result {
            GameResult::Won(Color::Red) => 1,
            GameResult::Won(Color::Black) => -1,
            GameResult::Drawn | GameResult::Unknown => 0,
        }
    };
    play(first, second) - play(second, first)
}

/// The perturbation of one parameter for a game pair.
struct Perturbation {
    /// Its size, with its random sign.
    c: f64,
    /// The change of the parameter for each game won more than lost.
    step: f64,
    /// Random offset added before rounding down, the same for both players: stochastic rounding.
    rounding: f64,
}

impl Perturbation {
    fn new(c_end: f64, pair: u64, pairs: u64, rng: &mut StdRng) -> Perturbation {
        let (pairs, pair) = (pairs as f64, pair as f64);
        let stability = 0.1 * pairs;
        let c = c_end * (pairs / pair).powf(GAMMA);
        let step = R_END * c_end * c_end * ((stability + pairs) / (stability + pair)).powf(ALPHA);
        let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
        let rounding = rng.random();
        Perturbation { c: sign * c, step: sign * step / c, rounding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuning_changes_parameters_and_resumes_from_a_state() {
        let (limit, node_time) = (Limit::Nodes(200), None);
        let settings = TuneSettings { pairs: 4, threads: 2, seed: 3, openings: None, limit, node_time, fraction: 0.05 };
        let counts = Mutex::new(Vec::new());
        let half = tune(SpsaState::new(&[]), &TuneSettings { pairs: 2, ..settings.clone() }, &|state| {
            counts.lock().unwrap().push(state.pairs)
        });
        assert_eq!(half.pairs, 2);
        let whole = tune(half, &settings, &|state| counts.lock().unwrap().push(state.pairs));
        assert_eq!(*counts.lock().unwrap(), [1, 2, 3, 4]);
        assert_ne!(whole.parameters, SpsaState::new(&[]).parameters);
        let in_range = |parameter: &Parameter| parameter.value == parameter.clamp(parameter.value);
        assert!(whole.parameters.iter().all(in_range));
        let is_of_the_clock = |parameter: &Parameter| parameter.tunable.name == "time_soft";
        assert!(!whole.parameters.iter().any(is_of_the_clock), "no effect at a fixed number of nodes");
        assert!(SpsaState::new(&["time_soft".to_string()]).parameters.iter().any(is_of_the_clock));
    }

    #[test]
    fn states_round_trip() {
        let mut state = SpsaState::new(&["futility_base".to_string(), "aspiration_window".to_string()]);
        assert_eq!(state.parameters.len(), 2);
        state.pairs = 12;
        state.parameters[0].value = 17.25;
        assert_eq!(state.parameters[0].tunable.name, "aspiration_window");
        assert_eq!(SpsaState::read(&state.to_text()), Ok(state));
        for (text, line) in [
            ("", ""),
            ("pairs 3\n", ""),
            ("pairs x\nfutility_base 200\n", "pairs x"),
            ("pairs 3\nepsilon 4\n", "epsilon 4"),
            ("pairs 3\nfutility_base NaN\n", "futility_base NaN"),
            ("pairs 3\nfutility_base -4\n", "futility_base -4"),
            ("pairs 3\nfutility_base 200\nfutility_base 201\n", "futility_base 201"),
        ] {
            assert_eq!(SpsaState::read(text), Err(line.to_string()), "{text}");
        }
    }
}
