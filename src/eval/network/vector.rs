//! Vectors of the first layer and their arithmetic.

/// Number of neurons of the hidden layer, for each perspective.
pub const HIDDEN: usize = 512;
/// Quantisation of the first layer: an activation of 1.0 is stored as 181, the greatest integer whose square fits in an
/// `i16`.
pub const QA: i16 = 181;

/// The hidden layer before activation for one perspective (the accumulator), or the weights that one feature or one
/// output has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Vector(pub [i16; HIDDEN]);

/// Number of neurons, the first of the hidden layer, that attack features reach.
pub const ATTACK_HIDDEN: usize = 128;

/// The weights that one attack feature has for the first [`ATTACK_HIDDEN`] neurons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct AttackVector(pub [i16; ATTACK_HIDDEN]);

impl Vector {
    /// All zero.
    pub const ZERO: Vector = Vector([0; HIDDEN]);

    /// Sets this to `source` plus the rows `adds` and minus the rows `subs` of `rows`.
    #[inline(always)]
    pub(super) fn update(&mut self, source: &Vector, rows: &[Vector], adds: &[u16], subs: &[u16]) {
        *self = *source;
        for &add in adds {
            for (value, weight) in self.0.iter_mut().zip(&rows[usize::from(add)].0) {
                *value = value.wrapping_add(*weight);
            }
        }
        for &sub in subs {
            for (value, weight) in self.0.iter_mut().zip(&rows[usize::from(sub)].0) {
                *value = value.wrapping_sub(*weight);
            }
        }
    }

    /// Dot product of the squared clipped ReLU (SCReLU), clamp(x, 0, 1)², with output weights; in units of 1 / (QA · QA ·
    /// QB). x is the accumulator, these values, plus the weights of the active attack features: they change with every
    /// move, and adding all of them here is cheaper than updating an accumulator.
    #[inline(always)]
    pub(super) fn screlu_dot(&self, attack_weights: &[AttackVector], attacks: &[u16], weights: &Vector) -> i32 {
        let (first, rest) = self.0.split_at(ATTACK_HIDDEN);
        let (first_weights, rest_weights) = weights.0.split_at(ATTACK_HIDDEN);
        let mut sums = [0; ATTACK_HIDDEN];
        sums.copy_from_slice(first);
        for &attack in attacks {
            for (sum, weight) in sums.iter_mut().zip(&attack_weights[usize::from(attack)].0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        screlu_dot(&sums, first_weights).wrapping_add(screlu_dot(rest, rest_weights))
    }
}

/// The square fits in an `i16` and is widened only for the multiplication.
#[inline(always)]
fn screlu_dot(values: &[i16], weights: &[i16]) -> i32 {
    let mut sum = 0i32;
    for (&value, &weight) in values.iter().zip(weights) {
        let value = value.clamp(0, QA);
        sum = sum.wrapping_add(i32::from(value.wrapping_mul(value)) * i32::from(weight));
    }
    sum
}
