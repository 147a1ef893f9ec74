//! Tuning by simultaneous perturbation (J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37, 1992; practical values in his "Implementation of the
//! simultaneous perturbation algorithm", IEEE Transactions on Aerospace and Electronic Systems 34, 1998): all numbers are
//! moved a little at once, up or down by chance; the engine with the moves plays the engine with the opposite moves; each
//! number goes on in the direction of who won. The schedule is that of fishtest, Stockfish's testing framework, with larger steps for fewer games.

use super::match_play::{HASH_MEGABYTES, MatchSettings};
use super::selfplay::{Player, opening, play_pair};
use crate::search::settings::SearchSettings;
use crate::search::tunables::{Tunable, Tunables};
use rand::RngExt;
use rand::rngs::StdRng;
use std::sync::{Mutex, PoisonError};

/// How fast steps and perturbations shrink; Spall's practical values.
const STEP_DECAY: f64 = 0.602;
const SPREAD_DECAY: f64 = 0.101;
/// The last step, for a perturbation of 1 and a game won.
const LAST_STEP: f64 = 0.008;
/// The last perturbation, as a part of a number's range.
const LAST_SPREAD: f64 = 0.05;
/// Of a number that counts plies or the like at least this.
const LEAST_SPREAD: f64 = 0.5;

/// A number being tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Which one it is.
    pub tunable: &'static Tunable,
    /// Where it stands.
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

    /// Its perturbation in the last round.
    fn last_spread(&self) -> f64 {
        let range = (self.tunable.max - self.tunable.min) as f64;
        (range * LAST_SPREAD).max(LEAST_SPREAD)
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.tunable.min as f64, self.tunable.max as f64)
    }
}

/// How far a tuning has come.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaState {
    /// Pairs of games played.
    pub pairs: u64,
    /// The numbers.
    pub parameters: Vec<Parameter>,
}

impl SpsaState {
    /// Nothing tuned yet: all numbers as they are, or those called `only`, if any are. What is turned off stays so.
    pub fn new(only: &[String]) -> SpsaState {
        let wanted = |tunable: &&Tunable| {
            tunable.off != Some(tunable.value) && (only.is_empty() || only.iter().any(|name| name == tunable.name))
        };
        let parameters = Tunables::ALL.iter().filter(wanted);
        SpsaState {
            pairs: 0,
            parameters: parameters.map(|tunable| Parameter { tunable, value: tunable.value as f64 }).collect(),
        }
    }

    /// Gives `tunables` its numbers, rounded to the nearest.
    pub fn apply(&self, tunables: &mut Tunables) {
        for parameter in &self.parameters {
            tunables.set(parameter.tunable.name, parameter.value.round() as i32);
        }
    }

    /// The state as text: `pairs N`, then `name value` lines.
    pub fn to_text(&self) -> String {
        let lines =
            self.parameters.iter().map(|parameter| format!("{} {:.3}\n", parameter.tunable.name, parameter.value));
        format!("pairs {}\n{}", self.pairs, lines.collect::<String>())
    }

    /// Reads [`SpsaState::to_text`].
    ///
    /// # Errors
    /// The line that cannot be read, says something again, or a value out of range; nothing if lines are missing.
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

/// Tunes from `state` on until `settings.pairs` pairs have been played in all; calls `say` after each with how it stands.
pub fn tune(state: SpsaState, settings: &MatchSettings, say: &(dyn Fn(&SpsaState) + Sync)) -> SpsaState {
    let begun = Mutex::new(state.pairs);
    let state = Mutex::new(state);
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            scope.spawn(|| {
                let mut players =
                    [(), ()].map(|()| Player::new(settings.limits(SearchSettings::default()), HASH_MEGABYTES));
                loop {
                    let pair = {
                        let mut begun = begun.lock().unwrap_or_else(PoisonError::into_inner);
                        *begun += 1;
                        *begun
                    };
                    if pair > settings.pairs {
                        return;
                    }
                    let mut rng = settings.seeded_rng(pair);
                    let parameters = lock().parameters.clone();
                    let perturbations: Vec<Perturbation> = parameters
                        .iter()
                        .map(|parameter| Perturbation::new(parameter, pair, settings, &mut rng))
                        .collect();
                    for (player, sign) in players.iter_mut().zip([1.0, -1.0]) {
                        let mut tunables = Tunables::default();
                        for (parameter, perturbation) in parameters.iter().zip(&perturbations) {
                            let value = parameter.clamp(parameter.value + sign * perturbation.spread);
                            tunables.set(parameter.tunable.name, (value + perturbation.rounding).floor() as i32);
                        }
                        player.set_limits(settings.limits(SearchSettings { tunables, ..SearchSettings::default() }));
                    }
                    let won = play_pair(&opening(&mut rng, &SearchSettings::default()), &mut players) as f64;
                    let mut state = lock();
                    state.pairs += 1;
                    for (parameter, perturbation) in state.parameters.iter_mut().zip(&perturbations) {
                        parameter.value = parameter.clamp(parameter.value + perturbation.step * won);
                    }
                    say(&state);
                }
            });
        }
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// How one number is moved for a pair of games.
struct Perturbation {
    /// Its perturbation, with its sign.
    spread: f64,
    /// How far it goes for each game won more.
    step: f64,
    /// What is added before it is rounded down, the same for both players: it is rounded up as often as it is near.
    rounding: f64,
}

impl Perturbation {
    fn new(parameter: &Parameter, pair: u64, settings: &MatchSettings, rng: &mut StdRng) -> Perturbation {
        let (pairs, pair) = (settings.pairs as f64, pair as f64);
        let delay = 0.1 * pairs;
        let last = parameter.last_spread();
        let spread = last * (pairs / pair).powf(SPREAD_DECAY);
        let step = LAST_STEP * last * last * ((delay + pairs) / (delay + pair)).powf(STEP_DECAY);
        let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
        let rounding = rng.random();
        Perturbation { spread: sign * spread, step: sign * step / spread, rounding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuning_moves_numbers_and_goes_on_from_a_state() {
        let settings = MatchSettings { pairs: 4, nodes: 200, threads: 2, seed: 3 };
        let counts = Mutex::new(Vec::new());
        let half = tune(SpsaState::new(&[]), &MatchSettings { pairs: 2, ..settings }, &|state| {
            counts.lock().unwrap().push(state.pairs)
        });
        assert_eq!(half.pairs, 2);
        let whole = tune(half, &settings, &|state| counts.lock().unwrap().push(state.pairs));
        assert_eq!(*counts.lock().unwrap(), [1, 2, 3, 4]);
        assert_ne!(whole.parameters, SpsaState::new(&[]).parameters);
        let in_range = |parameter: &Parameter| parameter.value == parameter.clamp(parameter.value);
        assert!(whole.parameters.iter().all(in_range));
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let mut state = SpsaState::new(&["futility_base".to_string(), "aspiration".to_string()]);
        assert_eq!(state.parameters.len(), 2);
        state.pairs = 12;
        state.parameters[0].value = 17.25;
        assert_eq!(state.parameters[0].tunable.name, "aspiration");
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
