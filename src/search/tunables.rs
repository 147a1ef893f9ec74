//! Search parameters: margins, reductions and bonuses, each declared once with its value and tuning range.
//!
//! They are constants. With the feature `tuning` each search has its own values, set by options of the protocol and of
//! engines inside `chuhe match`, and by `chuhe tune`. Some have an extra value outside of the range that turns the feature off, for ablation
//! tests. The names of time management begin with `time_`; `chuhe tune` leaves those out unless they are named.
//!
//! Scores are in engine units (a knight is about 400), depths in plies, fractions of plies in [`PLY`]ths.

/// One ply in the units of reductions.
pub const PLY: i32 = 1_024;

/// A search parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// Name; also the name of its option.
    pub name: &'static str,
    /// Default value.
    pub value: i32,
    /// Smallest value of the tuning range.
    pub min: i32,
    /// Greatest value of the tuning range.
    pub max: i32,
    /// The value that turns the feature off, if there is one.
    pub off: Option<i32>,
}

impl Tunable {
    /// Whether `value` is allowed.
    pub fn accepts(&self, value: i32) -> bool {
        (self.min..=self.max).contains(&value) || self.off == Some(value)
    }
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $min:literal..=$max:literal $(or $off:literal)?;)*) => {
        /// The values of all search parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Tunables {
            $(#[cfg(feature = "tuning")] $name: i32,)*
        }

        impl Tunables {
            /// All search parameters with their default values.
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

            /// Sets the parameter called `name`. False if there is none, the value is not allowed or all are constants.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                let allowed = Tunables::ALL.iter().any(|tunable| tunable.name == name && tunable.accepts(value));
                #[cfg(feature = "tuning")]
                match name {
                    $(stringify!($name) if allowed => self.$name = value,)*
                    _ => {}
                }
                allowed && cfg!(feature = "tuning")
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
    /// Aspiration windows: half-width of the first one.
    aspiration_window = 21 in 6..=60;

    /// Reverse futility pruning (RFP): greatest depth.
    reverse_futility_depth = 8 in 4..=14 or 0;
    /// RFP: margin above beta, per ply of depth.
    reverse_futility_margin_slope = 100 in 40..=180;

    /// Null move pruning (NMP): smallest depth.
    null_move_depth = 3 in 2..=6 or 999;
    /// NMP: how far the static evaluation must be above beta, at depth 0.
    null_move_margin = 120 in -100..=400 or -9999;
    /// NMP: by how much this falls with each ply of depth.
    null_move_margin_slope = 12 in 0..=40;
    /// NMP: reduction, constant part, in plies.
    null_move_base = 4 in 2..=7;
    /// NMP: depth per ply of further reduction.
    null_move_divisor = 3 in 2..=8;
    /// NMP: evaluation above beta for one more ply of reduction, three at most.
    null_move_eval = 200 in 60..=500 or 99999;
    /// NMP: smallest depth of a verification search.
    null_move_verification = 12 in 6..=20 or 999;

    /// Internal iterative reduction (IIR): smallest depth.
    iir_depth = 5 in 3..=9 or 999;

    /// Singular extension: smallest depth.
    singular_depth = 6 in 5..=10 or 999;
    /// Singular extension: margin below the score of the table, per ply of depth.
    singular_margin_slope = 2 in 1..=8;
    /// Double extension: how far all other moves must be below the bound of the singular search.
    double_extension_margin = 20 in 0..=100 or 99999;

    /// Negative extension, in plies, if the score of the table is at least beta.
    negative_extension_beta = 3 in 0..=3;
    /// Negative extension, in plies, at expected cut nodes.
    negative_extension_cut = 2 in 0..=3;

    /// Late move pruning (LMP): greatest depth.
    lmp_depth = 8 in 3..=14 or 0;
    /// LMP: number of moves, constant part; half of the number if not improving.
    lmp_base = 6 in 1..=10;
    /// LMP: number of moves, in hundredths, for the square of the depth.
    lmp_slope = 107 in 40..=200;
    /// Futility pruning: greatest depth after late move reductions.
    futility_depth = 7 in 3..=12 or -1;
    /// Futility pruning: margin, constant part.
    futility_base = 122 in 40..=300;
    /// Futility pruning: margin per ply of depth.
    futility_margin_slope = 111 in 40..=240;
    /// SEE pruning: greatest depth.
    see_depth = 9 in 4..=14 or 0;
    /// SEE pruning: loss allowed to a capture, per ply of depth.
    see_capture_margin = 121 in 40..=220;
    /// SEE pruning: loss allowed to a quiet move, for the square of the depth.
    see_quiet_margin = 27 in 10..=80;

    /// Late move reductions (LMR): smallest depth.
    lmr_min_depth = 2 in 1..=4 or 999;
    /// LMR: constant part of the reduction. This and the following up to `lmr_correction` are in [`PLY`]ths.
    lmr_base = 1200 in 0..=2500;
    /// LMR: for the product of the natural logarithms of depth and move number.
    lmr_slope = 402 in 200..=700;
    /// LMR: more at expected cut nodes.
    lmr_cut_node = 1168 in 0..=4000;
    /// LMR: more if the static evaluation is not improving.
    lmr_not_improving = 1358 in 0..=2000;
    /// LMR: less in principal variation (PV) nodes.
    lmr_pv = 910 in 0..=2000;
    /// LMR: less for killer moves.
    lmr_killer = 1251 in 0..=2000;
    /// LMR: less for moves that give check.
    lmr_check = 1022 in 0..=2000;
    /// LMR: less for captures.
    lmr_capture = 772 in 0..=2000;
    /// LMR: more if the move of the transposition table is a capture.
    lmr_tt_capture = 703 in 0..=2000;
    /// LMR: more after many beta cutoffs in the next ply.
    lmr_cutoffs = 454 in 0..=2000;
    /// LMR: less in present and former PV nodes (ttPv).
    lmr_tt_pv = 800 in 0..=2000;
    /// LMR: less for each 100 engine units of the absolute correction of the static evaluation.
    lmr_correction = 400 in 0..=1500;
    /// LMR: score above the best one from which the search after a reduced one is a ply deeper.
    lmr_deeper_margin = 50 in 10..=150 or 9999;
    /// LMR: score above the best one below which the search after a reduced one is a ply less deep.
    lmr_shallower_margin = 5 in 0..=30 or -9999;
    /// LMR: history score per ply of less reduction.
    lmr_history = 7564 in 3000..=16000;

    /// Quiescence search: plies in which quiet checks are searched.
    quiescence_checks = 2 in 1..=4 or 0;
    /// Quiescence search: margin of delta pruning, beyond the value of the captured piece.
    quiescence_futility = 200 in 60..=500 or 99999;

    /// History bonus of a cutoff, for the square of the depth.
    history_bonus_square = 18 in 4..=40;
    /// History bonus, per ply of depth.
    history_bonus_slope = 182 in 30..=300;
    /// History bonus, greatest value.
    history_bonus_max = 1950 in 800..=4000;
    /// Order of captures: engine units for a capture history of [`PLY`].
    capture_history_weight = 16 in 4..=64 or 0;
    /// Quiet history bonus of a move for each engine unit by which it raised the static evaluation.
    eval_gain_bonus = 5 in 1..=40 or 0;

    /// History score: weight of the quiet history, in 1024ths.
    quiet_history_weight = 604 in 300..=2000 or 0;
    /// History score: weight of the continuation history 1 ply back, in 1024ths.
    continuation_1_weight = 1273 in 300..=2000 or 0;
    /// History score: weight of the continuation history 2 plies back, in 1024ths.
    continuation_2_weight = 1108 in 300..=2000 or 0;

    /// Weight of the correction history by the last two moves, in 1024ths. The following are weights in 1024ths, too.
    correction_weight = 900 in 300..=1800 or 0;
    /// Correction history by pawns.
    correction_pawns = 400 in 0..=1200;
    /// Correction history by kings, advisors and bishops.
    correction_guards = 300 in 0..=1200;
    /// Correction histories by either side's rooks, knights and cannons.
    correction_pieces = 350 in 0..=1200;

    /// Time management: expected moves of one side to the end of the game.
    time_moves = 32 in 14..=60;
    /// Time management: soft limit, of a move's share of the time left. This and the following are in percent.
    time_soft = 75 in 40..=150;
    /// Time management: hard limit, of a move's share of the time left.
    time_hard = 400 in 150..=800;
    /// Time management: greatest hard limit, of the time left.
    time_max = 35 in 10..=60;
    /// Time management: factor of the soft limit if the best move has just changed.
    time_unstable = 160 in 90..=260;
    /// Time management: factor of the soft limit if the best move has not changed for four iterations.
    time_stable = 75 in 30..=110;
    /// Time management: increase of the soft limit for a score that fell by 100 engine units.
    time_falling = 100 in 0..=300;
    /// Time management: factor of the soft limit for the node effort of the best move, constant part.
    time_effort = 145 in 90..=260;
    /// Time management: decrease of that factor for an effort of all nodes.
    time_effort_slope = 75 in 0..=150;
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
    fn tunables_can_be_set() {
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
