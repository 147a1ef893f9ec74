//! The network's arithmetic on rows, compiled for several sets of instructions; which of them is used is decided when the
//! program runs. All of it is integers: every path comes to the same.
//!
//! Unsafe code, for nothing else lets a function with instructions that a machine may lack be called on one that has them.
#![allow(unsafe_code)]

use super::Vector;

/// The arithmetic as compiled for one set of instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// What it needs, for people.
    pub name: &'static str,
    add_sub: unsafe fn(&mut Vector, &Vector, &Vector, &Vector),
    add_sub_sub: unsafe fn(&mut Vector, &Vector, &Vector, &Vector, &Vector),
    screlu_dot: unsafe fn(&Vector, &Vector) -> i32,
}

/// A module with the arithmetic compiled with these features.
macro_rules! kernel {
    ($module:ident, $name:literal $(, $features:literal)?) => {
        mod $module {
            use super::{Kernel, Vector};

            pub const KERNEL: Kernel = Kernel { name: $name, add_sub, add_sub_sub, screlu_dot };

            $(#[target_feature(enable = $features)])?
            fn add_sub(row: &mut Vector, from: &Vector, add: &Vector, sub: &Vector) {
                row.add_sub(from, add, sub);
            }

            $(#[target_feature(enable = $features)])?
            fn add_sub_sub(row: &mut Vector, from: &Vector, add: &Vector, sub: &Vector, sub2: &Vector) {
                row.add_sub_sub(from, add, sub, sub2);
            }

            $(#[target_feature(enable = $features)])?
            fn screlu_dot(row: &Vector, weights: &Vector) -> i32 {
                row.screlu_dot(weights)
            }
        }
    };
}

kernel!(plain, "what the program was built for");
#[cfg(target_arch = "x86_64")]
kernel!(avx2, "AVX2", "avx2");
#[cfg(target_arch = "x86_64")]
kernel!(avx512, "AVX-512", "avx512f,avx512bw");

impl Kernel {
    /// The paths that this machine has, the fastest last.
    pub fn all() -> Vec<Kernel> {
        let mut paths = vec![plain::KERNEL];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                paths.push(avx2::KERNEL);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                paths.push(avx512::KERNEL);
            }
        }
        paths
    }

    /// The fastest that this machine has.
    pub fn best() -> Kernel {
        *Kernel::all().last().expect("invariant: the first needs nothing")
    }

    /// Makes `row` what `from` is with one row more and one less.
    #[inline]
    pub fn add_sub(self, row: &mut Vector, from: &Vector, add: &Vector, sub: &Vector) {
        // SAFETY: there are only paths that this machine has.
        unsafe { (self.add_sub)(row, from, add, sub) }
    }

    /// Makes `row` what `from` is with one row more and two less.
    #[inline]
    pub fn add_sub_sub(self, row: &mut Vector, from: &Vector, add: &Vector, sub: &Vector, sub2: &Vector) {
        // SAFETY: there are only paths that this machine has.
        unsafe { (self.add_sub_sub)(row, from, add, sub, sub2) }
    }

    /// Sum of the activations of a row, each times its weight, in `QA * QA * QB`ths.
    #[inline]
    pub fn screlu_dot(self, row: &Vector, weights: &Vector) -> i32 {
        // SAFETY: there are only paths that this machine has.
        unsafe { (self.screlu_dot)(row, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HIDDEN, QA};
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn every_path_comes_to_the_same() {
        let mut chance = StdRng::seed_from_u64(5);
        for size in [1, QA, 1_000, i16::MAX] {
            for _ in 0..200 {
                let mut row = || Vector(std::array::from_fn::<i16, HIDDEN, _>(|_| chance.random_range(-size..=size)));
                let [from, add, sub, sub2] = [row(), row(), row(), row()];
                let at = |index: usize| [from.0[index], add.0[index], sub.0[index], sub2.0[index]].map(i32::from);
                for kernel in Kernel::all() {
                    let (mut add_sub, mut add_sub_sub) = (Vector::ZERO, Vector::ZERO);
                    kernel.add_sub(&mut add_sub, &from, &add, &sub);
                    kernel.add_sub_sub(&mut add_sub_sub, &from, &add, &sub, &sub2);
                    let mut screlu_dot = 0i32;
                    for index in 0..HIDDEN {
                        let [from, add, sub, sub2] = at(index);
                        assert_eq!(add_sub.0[index], (from + add - sub) as i16, "{}", kernel.name);
                        assert_eq!(add_sub_sub.0[index], (from + add - sub - sub2) as i16, "{}", kernel.name);
                        let activation = from.clamp(0, i32::from(QA));
                        screlu_dot = screlu_dot.wrapping_add(activation * activation * add);
                    }
                    assert_eq!(kernel.screlu_dot(&from, &add), screlu_dot, "{}", kernel.name);
                }
            }
        }
    }
}
