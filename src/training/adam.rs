//! The Adam optimizer (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2014): a weight moves by the
//! mean of its recent gradients over the root of the mean of their squares.

/// Decay rates of the first and second moments (β₁ and β₂ in the paper).
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
/// Avoids division by zero for weights without gradient.
const EPSILON: f32 = 1e-8;

/// One step, the same for all weights: the bias corrections of the moments, which begin with zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adam {
    first_correction: f32,
    second_correction: f32,
}

impl Adam {
    /// The step with this number, counted from 1.
    pub(super) fn new(step: i32) -> Adam {
        Adam { first_correction: 1.0 - FIRST_DECAY.powi(step), second_correction: 1.0 - SECOND_DECAY.powi(step) }
    }

    /// The change of a weight for a learning rate of 1, about ±1 while its gradients agree. Updates the `first` and
    /// `second` moments.
    #[inline]
    pub(super) fn direction(self, first: &mut f32, second: &mut f32, gradient: f32) -> f32 {
        *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
        *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * gradient * gradient;
        -(*first / self.first_correction) / ((*second / self.second_correction).sqrt() + EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_size_does_not_depend_on_the_scale_of_the_gradient() {
        for gradient in [1e-4, 3.0] {
            let (mut first, mut second) = (0.0, 0.0);
            for step in 1..100 {
                let direction = Adam::new(step).direction(&mut first, &mut second, gradient);
                assert!((direction + 1.0).abs() < 1e-3, "{gradient}: {direction}");
            }
        }
    }
}
