//! Selectivity: which moves of a node are searched, and how deeply.

use super::alphabeta::{Node, Site};
use super::picker::{Picker, Quiets};
use super::pruning::Pruning;
use super::tunables::PLY;
use super::worker::Worker;
use crate::types::score::INFINITE;
use crate::types::{Move, Score};

/// Depth from which on quiet checks are not left out for their number or the evaluation: they are how mates by sacrifices
/// begin, and both speak against them. Below, quiescence sees nearly as much of them.
const SPARED_CHECKS_DEPTH: i32 = 2;

/// A move whose turn it is.
pub struct Candidate {
    mv: Move,
    /// Its number among the moves of the node, from 1.
    count: usize,
    is_capture: bool,
    /// Parts of a [`PLY`] by which its number alone makes it searched less deeply.
    lateness: i32,
}

impl Worker<'_> {
    /// `mv` as the `count`th move of a node.
    pub fn candidate(&self, site: &Site, mv: Move, count: usize) -> Candidate {
        let lateness = match self.prunes(Pruning::Small) {
            true => self.memory.reductions.of(site.depth, count, self.tunables()),
            false => 0,
        };
        Candidate { mv, count, is_capture: self.position.is_capture(mv), lateness }
    }

    /// Whether a move, not yet made, is not worth searching, and if so the most it could bring (−[`INFINITE`]: not known).
    /// Where the quiet moves after it are not either, `picker` hears of it.
    pub fn leave_out(&self, site: &Site, candidate: &Candidate, alpha: Score, picker: &mut Picker) -> Option<Score> {
        if !self.prunes(Pruning::Large) {
            return None;
        }
        let tunables = self.tunables();
        let &Site { depth, improving, .. } = site;
        let &Candidate { mv, count, is_capture, lateness } = candidate;
        let lean_depth = (depth - lateness / PLY).max(0);
        if let Some(eval) = site.eval.filter(|_| !is_capture) {
            let spares_checks = depth >= SPARED_CHECKS_DEPTH;
            let is_spared = || spares_checks && self.position.gives_check(mv);
            let others = if spares_checks { Quiets::Checks } else { Quiets::None };
            if depth <= tunables.late_move_depth() && count > tunables.late_move_count(depth, improving) {
                picker.limit_quiets(others);
            }
            let reach = eval + tunables.futility_margin(lean_depth);
            if lean_depth <= tunables.futility_depth() && reach <= alpha && !is_spared() {
                picker.limit_quiets(others);
                return Some(reach);
            }
        }
        let margin_depth = if is_capture { depth } else { lean_depth };
        let loses_material = depth <= tunables.exchange_depth()
            && !self.position.exchange_pays(mv, tunables.exchange_margin(margin_depth, is_capture))
            && !self.position.gives_check(mv);
        loses_material.then_some(-INFINITE)
    }

    /// Plies by which a move, just made, is searched more deeply than others. A check must be answered: the reply costs no
    /// depth, within reason.
    pub fn extension(&self, site: &Site, candidate: &Candidate) -> i32 {
        let is_near = site.ply < 2 * self.iteration as usize;
        match site.hash_extension {
            _ if !is_near => 0,
            plies if plies != 0 && Some(candidate.mv) == site.hash_move => plies,
            _ => self.position.in_check() as i32,
        }
    }

    /// The depth, at most `depth`, to which a move, just made, is searched at first, to see whether it is worth more.
    pub fn reduced<N: Node>(&self, site: &Site, candidate: &Candidate, depth: i32) -> i32 {
        let tunables = self.tunables();
        let &Candidate { mv, count, is_capture, lateness } = candidate;
        let is_late = count > if is_capture { 4 } else { 1 + N::PV as usize };
        if site.depth < tunables.reduction_depth() || !is_late || !self.prunes(Pruning::Small) {
            return depth;
        }
        let merit = self.last_quiet(site.ply + 1).map_or(0, |step| self.memory.history.merit(step, &site.before));
        let when = |condition: bool, parts: i32| if condition { parts } else { 0 };
        let more = when(site.cut, tunables.reduction_cut())
            + when(!site.improving, tunables.reduction_worsening())
            + when(site.hash_captures, tunables.reduction_hash_capture())
            + when(self.frames[site.ply + 1].cutoffs > 3, tunables.reduction_cutoffs());
        let less = when(N::PV, tunables.reduction_pv())
            + when(self.position.in_check(), tunables.reduction_check())
            + when(site.killers.contains(&Some(mv)), tunables.reduction_killer())
            + when(is_capture, tunables.reduction_capture())
            + merit * PLY / tunables.reduction_history();
        let reduction = (lateness + more - less) / PLY;
        (depth - reduction).clamp(1.min(depth), depth)
    }
}
