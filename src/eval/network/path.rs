//! The network's arithmetic on rows, compiled for several sets of instructions; which of them is used is decided when the
//! program runs. All of it is integers: every path comes to the same.
//!
//! Unsafe code, for nothing else lets a function with instructions that a machine may lack be called on one that has them.
#![allow(unsafe_code)]

use super::Row;

/// The arithmetic as compiled for one set of instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// What it needs, for people.
    pub name: &'static str,
    moved: unsafe fn(&mut Row, &Row, &Row, &Row),
    captured: unsafe fn(&mut Row, &Row, &Row, &Row, &Row),
    output: unsafe fn(&Row, &Row) -> i32,
}

/// A module with the arithmetic compiled with these features.
macro_rules! path {
    ($module:ident, $name:literal $(, $features:literal)?) => {
        mod $module {
            use super::{Path, Row};

            pub const PATH: Path = Path { name: $name, moved, captured, output };

            $(#[target_feature(enable = $features)])?
            fn moved(row: &mut Row, from: &Row, more: &Row, less: &Row) {
                row.moved(from, more, less);
            }

            $(#[target_feature(enable = $features)])?
            fn captured(row: &mut Row, from: &Row, more: &Row, less: &Row, taken: &Row) {
                row.captured(from, more, less, taken);
            }

            $(#[target_feature(enable = $features)])?
            fn output(row: &Row, weights: &Row) -> i32 {
                row.output(weights)
            }
        }
    };
}

path!(plain, "what the program was built for");
#[cfg(target_arch = "x86_64")]
path!(avx2, "AVX2", "avx2");
#[cfg(target_arch = "x86_64")]
path!(avx512, "AVX-512", "avx512f,avx512bw");

impl Path {
    /// The paths that this machine has, the fastest last.
    pub fn all() -> Vec<Path> {
        let mut paths = vec![plain::PATH];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                paths.push(avx2::PATH);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                paths.push(avx512::PATH);
            }
        }
        paths
    }

    /// The fastest that this machine has.
    pub fn best() -> Path {
        *Path::all().last().expect("invariant: the first needs nothing")
    }

    /// Makes `row` what `from` is with one row more and one less.
    #[inline]
    pub fn moved(self, row: &mut Row, from: &Row, more: &Row, less: &Row) {
        // SAFETY: there are only paths that this machine has.
        unsafe { (self.moved)(row, from, more, less) }
    }

    /// Makes `row` what `from` is with one row more and two less.
    #[inline]
    pub fn captured(self, row: &mut Row, from: &Row, more: &Row, less: &Row, taken: &Row) {
        // SAFETY: there are only paths that this machine has.
        unsafe { (self.captured)(row, from, more, less, taken) }
    }

    /// Sum of the activations of a row, each times its weight, in `UNIT * UNIT * OUTPUT_UNIT`ths.
    #[inline]
    pub fn output(self, row: &Row, weights: &Row) -> i32 {
        // SAFETY: there are only paths that this machine has.
        unsafe { (self.output)(row, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HIDDEN, UNIT};
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn every_path_comes_to_the_same() {
        let mut chance = StdRng::seed_from_u64(5);
        for size in [1, UNIT, 1_000, i16::MAX] {
            for _ in 0..200 {
                let mut row = || Row(std::array::from_fn::<i16, HIDDEN, _>(|_| chance.random_range(-size..=size)));
                let [from, more, less, taken] = [row(), row(), row(), row()];
                let at = |index: usize| [from.0[index], more.0[index], less.0[index], taken.0[index]].map(i32::from);
                for path in Path::all() {
                    let (mut moved, mut captured) = (Row::ZERO, Row::ZERO);
                    path.moved(&mut moved, &from, &more, &less);
                    path.captured(&mut captured, &from, &more, &less, &taken);
                    let mut output = 0i32;
                    for index in 0..HIDDEN {
                        let [from, more, less, taken] = at(index);
                        assert_eq!(moved.0[index], (from + more - less) as i16, "{}", path.name);
                        assert_eq!(captured.0[index], (from + more - less - taken) as i16, "{}", path.name);
                        let activation = from.clamp(0, i32::from(UNIT));
                        output = output.wrapping_add(activation * activation * more);
                    }
                    assert_eq!(path.output(&from, &more), output, "{}", path.name);
                }
            }
        }
    }
}
