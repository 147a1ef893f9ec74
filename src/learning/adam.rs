//! How weights follow slopes: by the mean of the slopes lately, over the root of the mean of their squares (D. Kingma and
//! J. Ba, "Adam: a method for stochastic optimization", 2014).

/// How slowly the two means change.
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
/// Keeps steps of weights that nothing moves from becoming infinite.
const EPSILON: f32 = 1e-8;

/// What one step has in common for all weights: the means began with zero, which the first steps have to make up for.
#[derive(Clone, Copy, Debug)]
pub struct Adam {
    first_share: f32,
    second_share: f32,
}

impl Adam {
    /// The step with this number, from 1.
    pub fn new(step: i32) -> Adam {
        Adam { first_share: 1.0 - FIRST_DECAY.powi(step), second_share: 1.0 - SECOND_DECAY.powi(step) }
    }

    /// Which way a weight is to go and how far, about 1 if its slopes agree, when its `gradient` is this; keeps the two means.
    #[inline]
    pub fn direction(self, first: &mut f32, second: &mut f32, gradient: f32) -> f32 {
        *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
        *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * gradient * gradient;
        -(*first / self.first_share) / ((*second / self.second_share).sqrt() + EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_as_long_for_steep_slopes_as_for_gentle_ones() {
        for gradient in [1e-4, 3.0] {
            let (mut first, mut second) = (0.0, 0.0);
            for step in 1..100 {
                let direction = Adam::new(step).direction(&mut first, &mut second, gradient);
                assert!((direction + 1.0).abs() < 1e-3, "{gradient}: {direction}");
            }
        }
    }
}
