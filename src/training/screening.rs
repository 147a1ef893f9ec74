//! Screening of many changes of search parameters in one match (a factorial experiment: R. Fisher, "The Design of
//! Experiments", 1935). In each game pair every change is given at random to one of the two players. The result of each
//! pair so tells something of all changes, and as many pairs as one test needs measure all of them, each in the mean over
//! the others: with and without.

use super::match_play::{HASH_MEGABYTES, MatchSettings};
use super::node_limit::NodeLimit;
use super::opening_list::OpeningList;
use super::selfplay::{Player, play_pair};
use crate::parallel::map_in_order;
use crate::search::settings::SearchSettings;
use crate::search::tunables::Tunables;
use rand::RngExt;
use std::ops::ControlFlow;

/// Elo for each game of a pair that a player wins more than it loses, between nearly equal players: a quarter of the
/// points of a game, times the slope of the Elo formula at equal points, 1600 / ln 10.
const ELO_PER_WIN: f64 = 400.0 / std::f64::consts::LN_10;

/// A change of one or several search parameters: a factor of the experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// As written: `name=value` with commas between them.
    pub text: String,
    values: Vec<(String, i32)>,
}

impl Change {
    /// Reads `name=value,name=value…`; `None` if there is no such parameter or the value is out of range.
    pub(crate) fn read(text: &str) -> Option<Change> {
        let mut probe = Tunables::default();
        let values = text.split(',').map(|part| {
            let (name, value) = part.split_once('=')?;
            let value = value.parse().ok()?;
            probe.set(name, value).then(|| (name.to_string(), value))
        });
        let values = values.collect::<Option<_>>()?;
        Some(Change { text: text.to_string(), values })
    }

    /// Sets the parameters.
    pub(crate) fn apply(&self, tunables: &mut Tunables) {
        for (name, value) in &self.values {
            tunables.set(name, *value);
        }
    }
}

/// The result of a game pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScreenedPair {
    /// For each change, whether the first player had it; else the second had.
    pub has_first: Vec<bool>,
    /// Games won by the first player minus games lost, −2 to 2.
    pub difference: i32,
}

impl ScreenedPair {
    /// As text: `+` or `-` for each change, then the difference.
    pub(crate) fn to_text(&self) -> String {
        let signs: String = self.has_first.iter().map(|&first| if first { '+' } else { '-' }).collect();
        format!("{signs} {}", self.difference)
    }

    /// Reads [`ScreenedPair::to_text`]; `None` if it is malformed or not of this many changes.
    pub(crate) fn read(line: &str, changes: usize) -> Option<ScreenedPair> {
        let (signs, difference) = line.split_once(' ')?;
        let has_first = signs.chars().map(|sign| match sign {
            '+' => Some(true),
            '-' => Some(false),
            _ => None,
        });
        let has_first = has_first.collect::<Option<Vec<_>>>()?;
        let difference = difference.parse().ok().filter(|difference| (-2..=2).contains(difference))?;
        (has_first.len() == changes).then_some(ScreenedPair { has_first, difference })
    }
}

/// Plays the game pairs from number `from` on and calls `on_pair` with each in order, until it breaks.
pub(crate) fn screen(
    changes: &[Change],
    nodes: NodeLimit,
    settings: &MatchSettings,
    from: u64,
    on_pair: &mut dyn FnMut(ScreenedPair) -> ControlFlow<()>,
) {
    let worker = || {
        let limits = || nodes.limits(SearchSettings::default());
        let mut players = [(), ()].map(|()| Player::new(limits(), HASH_MEGABYTES));
        let mut scorer = OpeningList::scorer();
        move |pair| {
            let mut rng = settings.seeded_rng(pair);
            let has_first: Vec<bool> = changes.iter().map(|_| rng.random()).collect();
            for (player, of_first) in players.iter_mut().zip([true, false]) {
                let mut tunables = Tunables::default();
                let own = changes.iter().zip(&has_first).filter(|&(_, &first)| first == of_first);
                own.for_each(|(change, _)| change.apply(&mut tunables));
                player.set_limits(nodes.limits(SearchSettings { tunables, ..SearchSettings::default() }));
            }
            let difference = play_pair(&settings.openings.of_pair(pair, &mut rng, &mut scorer), &mut players);
            ScreenedPair { has_first, difference }
        }
    };
    map_in_order(from..settings.pairs, settings.threads, worker, on_pair);
}

/// For each change the Elo difference between the player with it and the player without it, and its error margin (two
/// standard deviations): least squares over the pairs. `None` while there are too few pairs.
pub(crate) fn effects(pairs: &[ScreenedPair]) -> Option<Vec<(f64, f64)>> {
    let changes = pairs.first()?.has_first.len();
    let sign = |pair: &ScreenedPair, change: usize| if pair.has_first[change] { 1.0 } else { -1.0 };
    // The normal equations: N = XᵀX and Xᵀy.
    let mut normal = vec![vec![0.0; changes]; changes];
    let mut product = vec![0.0; changes];
    for pair in pairs {
        for (row, (sums, product)) in normal.iter_mut().zip(&mut product).enumerate() {
            *product += sign(pair, row) * f64::from(pair.difference);
            sums.iter_mut().enumerate().for_each(|(column, sum)| *sum += sign(pair, row) * sign(pair, column));
        }
    }
    let inverse = inverse(normal)?;
    let weights: Vec<f64> =
        inverse.iter().map(|row| row.iter().zip(&product).map(|(one, other)| one * other).sum()).collect();
    let residual = |pair: &ScreenedPair| {
        let expected: f64 = weights.iter().enumerate().map(|(change, weight)| weight * sign(pair, change)).sum();
        (f64::from(pair.difference) - expected).powi(2)
    };
    let freedom = pairs.len().checked_sub(changes).filter(|&freedom| freedom > 0)?;
    let variance = pairs.iter().map(residual).sum::<f64>() / freedom as f64;
    let effect = |(change, weight): (usize, &f64)| {
        (weight * ELO_PER_WIN, 2.0 * (variance * inverse[change][change]).sqrt() * ELO_PER_WIN)
    };
    Some(weights.iter().enumerate().map(effect).collect())
}

/// The inverse of a symmetric positive definite matrix (Gauss and Jordan); `None` if it is singular.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (number, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == number))));
    }
    for pivot in 0..size {
        let best = (pivot..size).max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()))?;
        matrix.swap(pivot, best);
        let divisor = matrix[pivot][pivot];
        if divisor.abs() < 1e-9 {
            return None;
        }
        matrix[pivot].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = matrix[pivot].clone();
        for (number, row) in matrix.iter_mut().enumerate() {
            if number != pivot {
                let factor = row[pivot];
                row.iter_mut().zip(&pivot_row).for_each(|(value, above)| *value -= factor * above);
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::rng::seeded_rng;

    #[test]
    fn elo_per_win_is_the_slope_of_the_elo_formula() {
        // A player that wins 0.02 games more of each pair scores 0.505 of a game.
        let elo = -400.0 * (1.0 / 0.505_f64 - 1.0).log10();
        assert!((0.02 * ELO_PER_WIN - elo).abs() < 0.01, "{elo}");
    }

    #[test]
    fn effects_of_known_differences_are_found() {
        let mut rng = seeded_rng(1, 1);
        let pairs: Vec<ScreenedPair> = (0..20_000)
            .map(|_| {
                let has_first: Vec<bool> = (0..3).map(|_| rng.random()).collect();
                let sign = |change: usize| if has_first[change] { 1.0 } else { -1.0 };
                // Change 0 wins 0.3 games more of each pair, change 1 loses 0.1.
                let expected = 0.3 * sign(0) - 0.1 * sign(1);
                let difference = if rng.random::<f64>() < (expected + 1.0) / 2.0 { 1 } else { -1 };
                ScreenedPair { has_first, difference }
            })
            .collect();
        for ((elo, error), wins) in effects(&pairs).unwrap().into_iter().zip([0.3, -0.1, 0.0]) {
            // Twice the deviation: a fourth error would be rare.
            assert!((elo - wins * ELO_PER_WIN).abs() < 2.0 * error && (2.0..3.0).contains(&error), "{elo} ± {error}");
        }
        assert_eq!(effects(&pairs[..3]), None);
        assert_eq!(effects(&[]), None);
    }

    #[test]
    fn changes_and_pairs_are_read() {
        let change = Change::read("futility_depth=-1,aspiration_window=30").unwrap();
        let mut tunables = Tunables::default();
        change.apply(&mut tunables);
        assert_eq!((tunables.futility_depth(), tunables.aspiration_window()), (-1, 30));
        for text in ["", "futility_depth", "futility_depth=x", "futility_depth=99", "epsilon=1", "futility_depth=3,"] {
            assert_eq!(Change::read(text), None, "{text}");
        }
        let pair = ScreenedPair { has_first: vec![true, false, false], difference: -2 };
        assert_eq!(pair.to_text(), "+-- -2");
        assert_eq!(ScreenedPair::read("+-- -2", 3), Some(pair));
        for line in ["+-- -2 ", "+- -2", "+-* -2", "+-- 3", "+--", ""] {
            assert_eq!(ScreenedPair::read(line, 3), None, "{line}");
        }
    }

    #[test]
    fn screening_is_reproducible_and_continues() {
        let changes = ["quiescence_checks=0", "lmr_min_depth=999"].map(|text| Change::read(text).unwrap());
        let settings = MatchSettings { pairs: 6, threads: 2, seed: 3, openings: OpeningList::Random };
        let play = |from, settings: &MatchSettings| {
            let mut pairs = Vec::new();
            screen(&changes, NodeLimit::PerMove(200), settings, from, &mut |pair| {
                pairs.push(pair);
                ControlFlow::Continue(())
            });
            pairs
        };
        let all = play(0, &settings);
        assert_eq!(all.len(), 6);
        assert_eq!(play(4, &MatchSettings { threads: 1, ..settings }), all[4..]);
        assert!((0..2).all(|change| all.iter().any(|pair| pair.has_first[change] != all[0].has_first[change])));
    }
}
