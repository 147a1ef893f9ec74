//! The numbers of the search's margins, reductions and bonuses, each declared once: what it is, its value, and the range it
//! may be tuned in.
//!
//! They are constants. With the feature `tuning` each search carries values of its own instead, which `setoption`, `chuhe
//! compare` and `chuhe tune` change. Some have a value out of their range as well that turns off what they govern, to see
//! what that is worth.
//!
//! Scores are in engine units (a knight is about 400), depths in plies, parts of plies in [`PLY`]ths.

/// A ply, where parts of one count.
pub const PLY: i32 = 1_024;

/// A number that shapes the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// What it is called.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// The least value worth trying.
    pub min: i32,
    /// The greatest value worth trying.
    pub max: i32,
    /// The value that turns off what it governs, if one does.
    pub off: Option<i32>,
}

impl Tunable {
    /// Whether it may be this.
    pub fn accepts(&self, value: i32) -> bool {
        (self.min..=self.max).contains(&value) || self.off == Some(value)
    }
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $min:literal..=$max:literal $(or $off:literal)?;)*) => {
        /// The values a search goes by.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Tunables {
            $(#[cfg(feature = "tuning")] $name: i32,)*
        }

        impl Tunables {
            /// All there are, with the values they have unless they are changed.
            pub const ALL: &[Tunable] = &[$(Tunable {
                name: stringify!($name),
                value: $value,
                min: $min,
                max: $max,
                off: [$(Some($off),)? None][0],
            },)*];

            $($(#[$doc])*
            #[inline(always)]
            pub const fn $name(&self) -> i32 {
                #[cfg(feature = "tuning")]
                return self.$name;
                #[cfg(not(feature = "tuning"))]
                return $value;
            })*

            /// Gives the one called `name` another value; whether there is one that may be this.
            #[cfg(feature = "tuning")]
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                let admitted = Tunables::ALL.iter().any(|tunable| tunable.name == name && tunable.accepts(value));
                match name {
                    $(stringify!($name) if admitted => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }

        impl Default for Tunables {
            fn default() -> Tunables {
                Tunables { $(#[cfg(feature = "tuning")] $name: $value,)* }
            }
        }
    };
}

tunables! {
    /// Half-width of the first aspiration window.
    aspiration_window = 21 in 6..=60;

    /// Deepest depth at which a node far above beta is left at once.
    reverse_futility_depth = 8 in 4..=14 or 0;
    /// How far above beta for each ply.
    reverse_futility_margin_slope = 100 in 40..=180;

    /// Shallowest depth at which passing is tried.
    null_move_depth = 3 in 2..=6 or 999;
    /// By how many plies passing shrinks the depth at least.
    null_move_base = 3 in 2..=5;
    /// One ply more for each so many of depth.
    null_move_divisor = 2 in 2..=8;
    /// One ply more for each so much above beta, up to three.
    null_move_eval = 232 in 100..=400;

    /// Shallowest depth at which a hash move is compared with the others.
    singular_depth = 6 in 5..=10 or 999;
    /// How far below the hash move's score the others must be for each ply.
    singular_margin_slope = 2 in 1..=8;

    /// Plies less for a hash move that is good enough but not alone.
    negative_extension_beta = 3 in 0..=3;
    /// Plies less for a hash move that is not alone where a cutoff is expected.
    negative_extension_cut = 2 in 0..=3;

    /// Deepest depth at which late quiet moves are left out.
    lmp_depth = 8 in 3..=14 or 0;
    /// How many moves may have come before quiet ones are left out; half as many if evaluations do not rise.
    lmp_base = 6 in 1..=10;
    /// And for the square of the depth, in hundredths.
    lmp_slope = 107 in 40..=200;
    /// Deepest depth, reductions taken off, at which quiet moves that cannot reach alpha are left out.
    futility_depth = 7 in 3..=12 or -1;
    /// What a quiet move may bring at least.
    futility_base = 122 in 40..=300;
    /// And for each ply.
    futility_margin_slope = 111 in 40..=240;
    /// Deepest depth at which moves that lose material are left out.
    see_depth = 9 in 4..=14 or 0;
    /// How much a capture may lose for each ply.
    see_capture_margin = 121 in 40..=220;
    /// How much a quiet move may lose for the square of the depth.
    see_quiet_margin = 27 in 10..=80;

    /// Shallowest depth at which late moves are searched less deeply.
    lmr_min_depth = 2 in 1..=4 or 999;
    /// By how much at least.
    lmr_base = 583 in 0..=1500;
    /// And for the product of the logarithms of depth and number of the move.
    lmr_slope = 402 in 200..=700;
    /// More where a cutoff is expected.
    lmr_cut_node = 1168 in 0..=2500;
    /// More where evaluations do not rise.
    lmr_not_improving = 1358 in 0..=2000;
    /// Less on the principal variation.
    lmr_pv = 910 in 0..=2000;
    /// Less for killers.
    lmr_killer = 1251 in 0..=2000;
    /// Less for checks.
    lmr_check = 1022 in 0..=2000;
    /// Less for captures.
    lmr_capture = 772 in 0..=2000;
    /// More where the hash move captures.
    lmr_tt_capture = 703 in 0..=2000;
    /// More where many of the positions after a move refuted it.
    lmr_cutoffs = 454 in 0..=2000;
    /// A ply less for so good a history.
    lmr_history = 7564 in 3000..=16000;

    /// Plies of quiescence at which checks are tried.
    quiescence_checks = 2 in 1..=4 or 0;

    /// What a cutoff at some depth is worth to a history: for the square of the depth.
    history_bonus_square = 18 in 4..=40;
    /// For each ply.
    history_bonus_slope = 182 in 30..=300;
    /// At most.
    history_bonus_max = 1950 in 800..=4000;
    /// What a rise of the evaluation is worth to the history of the move that brought it, for each engine unit.
    eval_gain_bonus = 5 in 1..=40 or 0;

    /// How much a quiet move's history counts, whatever was before, in 1024ths.
    quiet_history_weight = 604 in 300..=2000 or 0;
    /// As a reply to the last step.
    continuation_1_weight = 1273 in 300..=2000 or 0;
    /// As the sequel to the own last step.
    continuation_2_weight = 1108 in 300..=2000 or 0;

    /// How much is added to the evaluation of what it was wrong by after the same two steps, in 1024ths.
    correction_weight = 1154 in 300..=1800 or 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_their_ranges_and_names_differ() {
        for (index, one) in Tunables::ALL.iter().enumerate() {
            assert!(one.accepts(one.value), "{}", one.name);
            assert!(Tunables::ALL[..index].iter().all(|other| other.name != one.name), "{}", one.name);
        }
    }

    #[cfg(feature = "tuning")]
    #[test]
    fn a_value_can_be_changed() {
        let mut tunables = Tunables::default();
        assert!(
            tunables.set("futility_base", 77) && !tunables.set("futility_base", -1) && !tunables.set("epsilon", 77)
        );
        assert_eq!(
            (tunables.futility_base(), tunables.aspiration_window()),
            (77, Tunables::default().aspiration_window())
        );
    }
}
