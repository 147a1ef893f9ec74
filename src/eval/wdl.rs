//! Scores as chances.

use crate::types::Score;
use crate::types::score::is_decided;

/// The score, in engine units, at which a win is as likely as not.
pub const EVEN_SCORE: Score = 275;
/// How gently chances change around it.
const SPREAD: f64 = 106.0;

/// The chances of the side whose `score` it is to win, to draw and to lose, in thousandths.
///
/// Wins and losses are logistic functions of the score, the rest are draws (the shape of Stockfish's model), fitted by
/// `chuhe net odds` to what the network of CRC-32 a5a87b97 makes of `chuhe net datagen --games 800 --nodes 10000 --seed 51`:
/// 34,987 scores of the games in which no move came by chance, and how these ended. In steps of 100 engine units the shares
/// of wins are within six hundredths of the model's. Longer searches lose less of what they have won.
pub fn wdl(score: Score) -> [u32; 3] {
    if is_decided(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let likelihood = |score: Score| (1000.0 / (1.0 + (f64::from(EVEN_SCORE - score) / SPREAD).exp())).round() as u32;
    let (win, loss) = (likelihood(score), likelihood(-score));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_are_fair() {
        for score in (-20_000..20_000).step_by(7) {
            let [win, draw, loss] = wdl(score);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(-score), [loss, draw, win]);
            assert!(wdl(score + 7)[0] >= win);
        }
        let [win, draw, _] = wdl(0);
        assert!(draw > win);
        assert_eq!(wdl(crate::types::score::mate_in(3)), [1000, 0, 0]);
    }
}
