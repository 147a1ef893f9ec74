//! How a piece is won: the usual motifs of tactics, as predicates on the positions of a line.

use super::line::{attacks, checkers, is_between};
use crate::position::{Position, piece_value};
use crate::types::{Move, Piece, PieceType, Score, Square};

/// The material, in engine units, from which a gain is told: a pawn, not an advisor for a pawn.
pub(crate) const MIN_MATERIAL: Score = 120;

/// How a piece is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motif {
    /// It could be captured at once.
    Hanging,
    /// A move attacks two at once, one of them perhaps the king.
    Fork,
    /// A piece moves away and attacks while another one, which it hid, gives check.
    DiscoveredCheck,
    /// A piece moves away, and the one that it hid attacks.
    DiscoveredAttack,
    /// The move that attacks threatens mate too.
    MateThreat,
    /// What defended it is captured.
    DefenderRemoved,
    /// It, or what defends it, may not move, since its king would be in check.
    Pin,
    /// It is attacked, and so is every square to which it can go.
    Trapped,
}

impl Motif {
    /// All of them.
    pub(crate) const ALL: [Motif; 8] = [
        Motif::Hanging,
        Motif::Fork,
        Motif::DiscoveredCheck,
        Motif::DiscoveredAttack,
        Motif::MateThreat,
        Motif::DefenderRemoved,
        Motif::Pin,
        Motif::Trapped,
    ];

    /// Its name in JSON and in arguments, in English and in Chinese.
    pub(crate) fn names(self) -> [&'static str; 3] {
        match self {
            Motif::Hanging => ["hanging", "hanging", "丢子"],
            Motif::Fork => ["fork", "fork", "捉双"],
            Motif::DiscoveredCheck => ["discovered-check", "discovered check", "抽将"],
            Motif::DiscoveredAttack => ["discovered-attack", "discovered attack", "闪击"],
            Motif::MateThreat => ["mate-threat", "threat of mate", "捉子要杀"],
            Motif::DefenderRemoved => ["defender-removed", "captures the defender", "去根"],
            Motif::Pin => ["pin", "pin", "牵制"],
            Motif::Trapped => ["trapped", "trapped", "困子"],
        }
    }
}

/// How the piece is won that the move `capture` of a line takes: the motif and the ply of the move that brings it about, the
/// capture itself or the winner's move before. The winner moves first in `position`, so `capture` is even. `None`: in none of
/// these ways.
pub(crate) fn motif(position: &Position, line: &[Move], capture: usize) -> Option<(Motif, usize)> {
    let taking = line[capture];
    let Some(key) = capture.checked_sub(2) else {
        return by_capture(position, taking).map(|motif| (motif, capture));
    };
    let mut before = position.clone();
    line[..key].iter().for_each(|&mv| before.make(mv));
    let is_old = |square| line[..capture].iter().all(|mv| mv.to() != square);
    if is_old(taking.to()) && threats(position).any(|threat| threat.to() == taking.to()) {
        // It was attacked from the beginning; the winner had time.
        return Some((Motif::Hanging, capture));
    }
    let (mv, reply) = (line[key], line[key + 1]);
    // What comes to be captured was no target; it is exchanged, or goes where it must.
    if reply.to() == taking.to() {
        return None;
    }
    by_move(&before, mv, taking).map(|motif| (motif, key))
}

/// How the capture `taking` wins its piece at once.
fn by_capture(position: &Position, taking: Move) -> Option<Motif> {
    let after = position.after(taking);
    if !position.see_ge(taking, MIN_MATERIAL) {
        let is_discovered = checkers(&after).any(|square| square != taking.to());
        return is_discovered.then_some(Motif::DiscoveredCheck);
    }
    Some(if is_recapture_pinned(position, taking) { Motif::Pin } else { Motif::Hanging })
}

/// How the move `mv` prepares the capture `taking`, which may follow if the opponent does nothing about it.
fn by_move(before: &Position, mv: Move, taking: Move) -> Option<Motif> {
    let after = before.after(mv);
    // The winner to move again.
    let winner = before.side();
    let again = after.with_side_to_move(winner);
    let (target, by) = (taking.to(), taking.from());
    let is_threat = again.is_legal(taking) && again.see_ge(taking, MIN_MATERIAL);
    let was_attacked = attacks(before, by, target);
    if checkers(&after).any(|square| square != mv.to()) && by == mv.to() && attacks(&again, by, target) {
        return Some(Motif::DiscoveredCheck);
    }
    if !is_threat {
        return None;
    }
    if by != mv.to() && !was_attacked && is_between(by, mv.from(), target) && !is_between(by, mv.to(), target) {
        return Some(Motif::DiscoveredAttack);
    }
    let old: Vec<Square> = threats(before).map(Move::to).collect();
    if !old.contains(&target) {
        let mut new: Vec<Square> = threats(&again).map(Move::to).filter(|square| !old.contains(square)).collect();
        new.sort_by_key(|square| square.index());
        new.dedup();
        if new.len() + usize::from(after.in_check()) > 1 {
            return Some(Motif::Fork);
        }
    }
    let defends = |hypothetical: Position| hypothetical.is_legal(Move::new(mv.to(), target));
    let was_defended = before.is_legal(taking) && by != mv.from() && !before.see_ge(taking, MIN_MATERIAL);
    if before.is_capture(mv) && was_defended && defends(before.after(taking)) {
        return Some(Motif::DefenderRemoved);
    }
    if after.in_check() {
        return None;
    }
    if again.legal_moves().iter().any(|mate| again.after(mate).has_no_moves()) {
        return Some(Motif::MateThreat);
    }
    if is_pinned(&after, target) || is_recapture_pinned(&again, taking) {
        return Some(Motif::Pin);
    }
    is_trapped(&after, target).then_some(Motif::Trapped)
}

/// The captures that win something, for the side to move.
fn threats(position: &Position) -> impl Iterator<Item = Move> + '_ {
    let moves: Vec<Move> = position.legal_moves().iter().collect();
    moves.into_iter().filter(|&mv| position.is_capture(mv) && position.see_ge(mv, MIN_MATERIAL))
}

/// Whether the piece on `square`, of the side to move, has moves, but none that its king allows.
fn is_pinned(position: &Position, square: Square) -> bool {
    let any = |test: &dyn Fn(Move) -> bool| Square::all().any(|to| to != square && test(Move::new(square, to)));
    any(&|mv| position.is_pseudo_legal(mv)) && !any(&|mv| position.is_legal(mv))
}

/// Whether pieces could recapture after the capture `taking`, but for their king.
fn is_recapture_pinned(position: &Position, taking: Move) -> bool {
    let after = position.after(taking);
    let is_own = |piece: Piece| piece.color() == after.side() && piece.piece_type() != PieceType::King;
    let own = after.pieces().filter(|&(piece, _)| is_own(piece));
    let recaptures: Vec<Move> = own.map(|(_, from)| Move::new(from, taking.to())).collect();
    let any = |test: &dyn Fn(Move) -> bool| recaptures.iter().any(|&mv| test(mv));
    !after.in_check() && any(&|mv| after.is_pseudo_legal(mv)) && !any(&|mv| after.is_legal(mv))
}

/// Whether the rook, knight or cannon on `square`, of the side to move, is lost wherever it goes.
fn is_trapped(position: &Position, square: Square) -> bool {
    let piece_type = position.piece_at(square).map(|piece| piece.piece_type());
    let is_piece = matches!(piece_type, Some(PieceType::Rook | PieceType::Knight | PieceType::Cannon));
    let moves = position.legal_moves();
    let is_lost = |mv: Move| {
        let gain = position.piece_at(mv.to()).map_or(0, |piece| piece_value(piece.piece_type()));
        let after = position.after(mv);
        after.legal_moves().iter().any(|reply| reply.to() == mv.to() && after.see_ge(reply, MIN_MATERIAL + gain))
    };
    is_piece && moves.iter().filter(|mv| mv.from() == square).all(is_lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::review::mate_pattern::{MatePattern, mate_pattern};
    use std::collections::{BTreeMap, BTreeSet};

    /// The cases of tests/data/motifs.txt: a name, or `no` and a name; the position; the winner's line.
    fn cases() -> impl Iterator<Item = (&'static str, Position, Vec<Move>)> {
        let lines = include_str!("../../../tests/data/motifs.txt").lines();
        lines.filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
            let mut fields = line.split(" | ");
            let mut field = || fields.next().unwrap_or_else(|| panic!("{line}"));
            let (name, position) = (field(), Position::from_fen(field()).unwrap());
            (name, position, field().split(' ').map(|mv| mv.parse().unwrap()).collect())
        })
    }

    #[test]
    fn motifs_and_mates_are_named_and_near_misses_are_not() {
        let mut seen = BTreeMap::<&str, usize>::new();
        for (name, position, line) in cases() {
            let mut end = position.clone();
            line.iter().for_each(|&mv| end.try_make(mv).unwrap());
            let found = match end.has_no_moves() {
                true => mate_pattern(&position, &line).map(|pattern| pattern.names()[0]),
                false => motif(&position, &line, line.len() - 1).map(|(motif, _)| motif.names()[0]),
            };
            // A near miss is named after what it misses: `no fork`.
            match name.strip_prefix("no ") {
                Some(missed) => assert_ne!(found, Some(missed), "{}", position.to_fen()),
                None => assert_eq!(found, Some(name), "{}", position.to_fen()),
            }
            *seen.entry(name).or_default() += 1;
        }
        for (name, count) in &seen {
            assert!(*count >= 3, "{name}: {count}");
        }
        let motifs = Motif::ALL.map(Motif::names).into_iter();
        let all: BTreeSet<String> = motifs
            .chain(MatePattern::ALL.map(MatePattern::names))
            .flat_map(|[name, ..]| [name.to_string(), format!("no {name}")])
            .collect();
        assert_eq!(seen.into_keys().map(str::to_string).collect::<BTreeSet<_>>(), all);
    }
}
