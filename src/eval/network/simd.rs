//! SIMD kernels of the network for several instruction sets, one of which is chosen at run time. All of it is integer
//! arithmetic, so all kernels give the same results.
//!
//! Sums and differences are the loops of [`super::vector`], auto-vectorised. The dot product is written with intrinsics:
//! the compiler counts its vectors by the 32-bit sums and works with half of each register.
//!
//! Unsafe code: calling a function compiled for an instruction set is unsafe unless the CPU has it.
#![allow(unsafe_code)]

use super::vector::{AttackVector, Vector};

/// The arithmetic compiled for one instruction set that this CPU has.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The instruction set.
    pub name: &'static str,
    add: unsafe fn(&mut Vector, &Vector),
    sub: unsafe fn(&mut Vector, &Vector),
    add_sub: unsafe fn(&mut Vector, &Vector, &Vector, &Vector),
    add_sub_sub: unsafe fn(&mut Vector, &Vector, &Vector, &Vector, &Vector),
    screlu_dot: unsafe fn(&Vector, &[AttackVector], &[u16], &Vector) -> i32,
}

/// A module with the arithmetic compiled with these target features. Its dot product is the function named last.
macro_rules! kernel {
    ($module:ident, $name:literal $(, $features:literal)?; $($screlu_dot:tt)+) => {
        mod $module {
            use super::{AttackVector, Kernel, Vector};

            pub const KERNEL: Kernel = Kernel { name: $name, add, sub, add_sub, add_sub_sub, screlu_dot };

            $(#[target_feature(enable = $features)])?
            fn add(target: &mut Vector, other: &Vector) {
                target.add(other);
            }

            $(#[target_feature(enable = $features)])?
            fn sub(target: &mut Vector, other: &Vector) {
                target.sub(other);
            }

            $(#[target_feature(enable = $features)])?
            fn add_sub(target: &mut Vector, from: &Vector, add: &Vector, sub: &Vector) {
                target.add_sub(from, add, sub);
            }

            $(#[target_feature(enable = $features)])?
            fn add_sub_sub(target: &mut Vector, from: &Vector, add: &Vector, sub: &Vector, sub2: &Vector) {
                target.add_sub_sub(from, add, sub, sub2);
            }

            $(#[target_feature(enable = $features)])?
            fn screlu_dot(values: &Vector, rows: &[AttackVector], attacks: &[u16], weights: &Vector) -> i32 {
                $($screlu_dot)+(values, rows, attacks, weights)
            }
        }
    };
}

/// A module with the dot product for registers of $lanes 16-bit numbers.
#[cfg(target_arch = "x86_64")]
macro_rules! dot_product {
    (
        $module:ident, $features:literal, $register:ident, $lanes:literal, $zero:ident, $splat:ident, $add16:ident,
        $min:ident, $max:ident, $mullo:ident, $madd:ident, $add32:ident
    ) => {
        mod $module {
            use super::super::vector::{ATTACK_HIDDEN, AttackVector, HIDDEN, QA, Vector};
            use std::arch::x86_64::*;

            /// Independent sums, so that one addition need not wait for another.
            const SUMS: usize = 2;

            #[inline]
            #[target_feature(enable = $features)]
            fn load(values: &[i16; $lanes]) -> $register {
                bytemuck::cast(*values)
            }

            /// The squares of the clipped values, times the weights, added in pairs. A square fits in 16 bits.
            #[inline]
            #[target_feature(enable = $features)]
            fn products(values: $register, weights: &[i16; $lanes]) -> $register {
                let clipped = $min($max(values, $zero()), $splat(QA));
                $madd($mullo(clipped, clipped), load(weights))
            }

            /// See [`Vector::screlu_dot`].
            #[inline]
            #[target_feature(enable = $features)]
            pub fn screlu_dot(values: &Vector, rows: &[AttackVector], attacks: &[u16], weights: &Vector) -> i32 {
                const ATTACKED: usize = ATTACK_HIDDEN / $lanes;
                let (values, weights) = (values.0.as_chunks::<$lanes>().0, weights.0.as_chunks::<$lanes>().0);
                let mut attacked = [$zero(); ATTACKED];
                for index in 0..ATTACKED {
                    attacked[index] = load(&values[index]);
                }
                for &attack in attacks {
                    let row = rows[usize::from(attack)].0.as_chunks::<$lanes>().0;
                    for index in 0..ATTACKED {
                        attacked[index] = $add16(attacked[index], load(&row[index]));
                    }
                }
                let mut sums = [$zero(); SUMS];
                for index in 0..ATTACKED {
                    sums[index % SUMS] = $add32(sums[index % SUMS], products(attacked[index], &weights[index]));
                }
                for index in ATTACKED..HIDDEN / $lanes {
                    let products = products(load(&values[index]), &weights[index]);
                    sums[index % SUMS] = $add32(sums[index % SUMS], products);
                }
                let sum: [i32; $lanes / 2] = bytemuck::cast($add32(sums[0], sums[1]));
                sum.into_iter().fold(0, i32::wrapping_add)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
dot_product!(
    dot_256,
    "avx2",
    __m256i,
    16,
    _mm256_setzero_si256,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_min_epi16,
    _mm256_max_epi16,
    _mm256_mullo_epi16,
    _mm256_madd_epi16,
    _mm256_add_epi32
);
#[cfg(target_arch = "x86_64")]
dot_product!(
    dot_512,
    "avx512f,avx512bw",
    __m512i,
    32,
    _mm512_setzero_si512,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_min_epi16,
    _mm512_max_epi16,
    _mm512_mullo_epi16,
    _mm512_madd_epi16,
    _mm512_add_epi32
);

kernel!(baseline, "the build target's baseline"; Vector::screlu_dot);
#[cfg(target_arch = "x86_64")]
kernel!(avx2, "AVX2", "avx2"; super::dot_256::screlu_dot);
#[cfg(target_arch = "x86_64")]
kernel!(avx512, "AVX-512", "avx512f,avx512bw"; super::dot_512::screlu_dot);

impl Kernel {
    /// The kernels that this CPU can run, the fastest last.
    pub fn all() -> Vec<Kernel> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut kernels = vec![baseline::KERNEL];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(avx2::KERNEL);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                kernels.push(avx512::KERNEL);
            }
        }
        kernels
    }

    /// The fastest kernel that this CPU can run.
    pub fn best() -> Kernel {
        *Kernel::all().last().expect("invariant: the baseline kernel needs no features")
    }

    /// `target += other`.
    #[inline]
    pub fn add(self, target: &mut Vector, other: &Vector) {
        // SAFETY: `Kernel::all` is the only source of kernels and checks the CPU's features.
        unsafe { (self.add)(target, other) }
    }

    /// `target -= other`.
    #[inline]
    pub fn sub(self, target: &mut Vector, other: &Vector) {
        // SAFETY: `Kernel::all` is the only source of kernels and checks the CPU's features.
        unsafe { (self.sub)(target, other) }
    }

    /// `target = from + add - sub`.
    #[inline]
    pub fn add_sub(self, target: &mut Vector, from: &Vector, add: &Vector, sub: &Vector) {
        // SAFETY: `Kernel::all` is the only source of kernels and checks the CPU's features.
        unsafe { (self.add_sub)(target, from, add, sub) }
    }

    /// `target = from + add - sub - sub2`.
    #[inline]
    pub fn add_sub_sub(self, target: &mut Vector, from: &Vector, add: &Vector, sub: &Vector, sub2: &Vector) {
        // SAFETY: `Kernel::all` is the only source of kernels and checks the CPU's features.
        unsafe { (self.add_sub_sub)(target, from, add, sub, sub2) }
    }

    /// Dot product of the squared clipped ReLU (SCReLU) with `weights`, in units of 1 / (QA · QA · QB), of `values` plus
    /// the active attack features, those rows of `attack_weights`.
    #[inline]
    pub fn screlu_dot(
        self,
        values: &Vector,
        attack_weights: &[AttackVector],
        attacks: &[u16],
        weights: &Vector,
    ) -> i32 {
        // SAFETY: `Kernel::all` is the only source of kernels and checks the CPU's features.
        unsafe { (self.screlu_dot)(values, attack_weights, attacks, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::vector::{ATTACK_HIDDEN, HIDDEN, QA};
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn all_kernels_give_the_same_results() {
        let mut rng = StdRng::seed_from_u64(5);
        for size in [1, QA, 1_000, i16::MAX] {
            for _ in 0..200 {
                let mut vector = || Vector(std::array::from_fn::<i16, HIDDEN, _>(|_| rng.random_range(-size..=size)));
                let [from, add, sub, sub2] = [vector(), vector(), vector(), vector()];
                let attack_weights = [[from, sub], [add, sub2]]
                    .map(|[even, odd]| AttackVector(std::array::from_fn(|index| [even, odd][index % 2].0[index])));
                let attacks = [1, 0, 1];
                let at = |index: usize| [from.0[index], add.0[index], sub.0[index], sub2.0[index]].map(i32::from);
                for kernel in Kernel::all() {
                    let (mut add_sub, mut add_sub_sub) = (Vector::ZERO, Vector::ZERO);
                    kernel.add_sub(&mut add_sub, &from, &add, &sub);
                    let mut steps = from;
                    kernel.add(&mut steps, &add);
                    kernel.sub(&mut steps, &sub);
                    assert_eq!(steps, add_sub, "{}", kernel.name);
                    kernel.add_sub_sub(&mut add_sub_sub, &from, &add, &sub, &sub2);
                    let mut screlu_dot = 0i32;
                    for index in 0..HIDDEN {
                        let [from, add, sub, sub2] = at(index);
                        assert_eq!(add_sub.0[index], (from + add - sub) as i16, "{}", kernel.name);
                        assert_eq!(add_sub_sub.0[index], (from + add - sub - sub2) as i16, "{}", kernel.name);
                        let weights = attacks.map(|attack| attack_weights[usize::from(attack)].0.get(index));
                        let attacked =
                            weights.into_iter().flatten().fold(from as i16, |sum, weight| sum.wrapping_add(*weight));
                        assert_eq!(index < ATTACK_HIDDEN, weights[0].is_some());
                        let activation = i32::from(attacked.clamp(0, QA));
                        screlu_dot = screlu_dot.wrapping_add(activation * activation * add);
                    }
                    assert_eq!(
                        kernel.screlu_dot(&from, &attack_weights, &attacks, &add),
                        screlu_dot,
                        "{}",
                        kernel.name
                    );
                }
            }
        }
    }
}
