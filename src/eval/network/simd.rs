//! SIMD kernels of the network for several instruction sets, one of which is chosen at run time. All of it is integer
//! arithmetic, so all kernels give the same results.
//!
//! The baseline is the loops of [`super::vector`]. For AVX2 and AVX-512 they are written with intrinsics: the compiler
//! keeps no tile of a vector in registers from one row to the next, and in the dot product it counts its vectors by the
//! 32-bit sums and works with half of each register.
//!
//! Unsafe code: calling a function compiled for an instruction set is unsafe unless the CPU has it.
#![allow(unsafe_code)]

use super::vector::{AttackVector, Vector};

/// The arithmetic compiled for one instruction set that this CPU has.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The instruction set.
    pub name: &'static str,
    update: unsafe fn(&mut Vector, &Vector, &[Vector], &[u16], &[u16]),
    screlu_dot: unsafe fn(&Vector, &[AttackVector], &[u16], &Vector) -> i32,
}

/// A module with the arithmetic for registers of $lanes 16-bit numbers.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel {
    (
        $module:ident, $name:literal, $features:literal, $register:ident, $lanes:literal, $zero:ident, $splat:ident,
        $add16:ident, $sub16:ident, $min:ident, $max:ident, $mullo:ident, $madd:ident, $add32:ident
    ) => {
        mod $module {
            use super::super::vector::{ATTACK_HIDDEN, AttackVector, HIDDEN, QA, Vector};
            use super::Kernel;
            use std::arch::x86_64::*;

            pub const KERNEL: Kernel = Kernel { name: $name, update, screlu_dot };

            /// A tile: the part of a vector that stays in registers while rows are added to it.
            const TILE: usize = 16 * $lanes;
            type Tile = [$register; TILE / $lanes];
            const _: () = assert!(HIDDEN.is_multiple_of(TILE));
            /// Independent sums, so that one addition need not wait for another.
            const SUMS: usize = 2;

            #[inline]
            #[target_feature(enable = $features)]
            fn load(values: &[i16; $lanes]) -> $register {
                bytemuck::cast(*values)
            }

            /// See [`Vector::update`].
            #[target_feature(enable = $features)]
            fn update(target: &mut Vector, source: &Vector, rows: &[Vector], adds: &[u16], subs: &[u16]) {
                let tiles = target.0.as_chunks_mut::<TILE>().0.iter_mut().zip(source.0.as_chunks::<TILE>().0);
                for (number, (target, source)) in tiles.enumerate() {
                    let row = |index: u16| -> Tile {
                        bytemuck::cast(rows[usize::from(index)].0.as_chunks::<TILE>().0[number])
                    };
                    let mut tile: Tile = bytemuck::cast(*source);
                    for &add in adds {
                        for (sum, weights) in tile.iter_mut().zip(row(add)) {
                            *sum = $add16(*sum, weights);
                        }
                    }
                    for &sub in subs {
                        for (sum, weights) in tile.iter_mut().zip(row(sub)) {
                            *sum = $sub16(*sum, weights);
                        }
                    }
                    *target = bytemuck::cast(tile);
                }
            }

            /// The squares of the clipped values, times the weights, added in pairs. A square fits in 16 bits.
            #[inline]
            #[target_feature(enable = $features)]
            fn products(values: $register, weights: &[i16; $lanes]) -> $register {
                let clipped = $min($max(values, $zero()), $splat(QA));
                $madd($mullo(clipped, clipped), load(weights))
            }

            /// See [`Vector::screlu_dot`].
            #[target_feature(enable = $features)]
            fn screlu_dot(values: &Vector, rows: &[AttackVector], attacks: &[u16], weights: &Vector) -> i32 {
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
kernel!(
    avx2,
    "AVX2",
    "avx2",
    __m256i,
    16,
    _mm256_setzero_si256,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_min_epi16,
    _mm256_max_epi16,
    _mm256_mullo_epi16,
    _mm256_madd_epi16,
    _mm256_add_epi32
);
#[cfg(target_arch = "x86_64")]
kernel!(
    avx512,
    "AVX-512",
    "avx512f,avx512bw",
    __m512i,
    32,
    _mm512_setzero_si512,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_min_epi16,
    _mm512_max_epi16,
    _mm512_mullo_epi16,
    _mm512_madd_epi16,
    _mm512_add_epi32
);

/// For CPUs without these instruction sets.
const BASELINE: Kernel =
    Kernel { name: "the build target's baseline", update: Vector::update, screlu_dot: Vector::screlu_dot };

impl Kernel {
    /// The kernels that this CPU can run, the fastest last.
    pub fn all() -> Vec<Kernel> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut kernels = vec![BASELINE];
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

    /// `target = source`, plus the rows `adds` and minus the rows `subs` of `rows`.
    #[inline]
    pub fn update(self, target: &mut Vector, source: &Vector, rows: &[Vector], adds: &[u16], subs: &[u16]) {
        // SAFETY: `Kernel::all` is the only source of kernels and checks the CPU's features.
        unsafe { (self.update)(target, source, rows, adds, subs) }
    }

    /// Dot product of output weights with the squared clipped ReLU (SCReLU) of `values` plus the rows `attacks` of
    /// `attack_weights`, in units of 1 / (QA · QA · QB).
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
                let rows = [add, sub, sub2];
                for kernel in Kernel::all() {
                    let (mut moved, mut refreshed) = (Vector::ZERO, Vector::ZERO);
                    kernel.update(&mut moved, &from, &rows, &[0], &[1, 2]);
                    kernel.update(&mut refreshed, &from, &rows, &[], &[]);
                    assert_eq!(refreshed, from, "{}", kernel.name);
                    kernel.update(&mut refreshed, &from, &rows, &[0, 1, 0], &[2]);
                    let mut screlu_dot = 0i32;
                    for index in 0..HIDDEN {
                        let [from, add, sub, sub2] = at(index);
                        assert_eq!(moved.0[index], (from + add - sub - sub2) as i16, "{}", kernel.name);
                        assert_eq!(refreshed.0[index], (from + 2 * add + sub - sub2) as i16, "{}", kernel.name);
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
