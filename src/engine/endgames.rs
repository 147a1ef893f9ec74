//! The endgame tables in use, and the choice of moves by them at the root.

use super::options::Options;
use crate::egtb::tables::{BadTable, Probe, Tables};
use crate::egtb::value::EndgameValue;
use crate::files;
use crate::position::Position;
use crate::rules::{RepetitionVerdict, Rules};
use crate::search::limits::Limits;
use std::path::PathBuf;

/// The folder of endgame tables that is used if no other is given.
pub const TABLE_FOLDER: &str = "egtb";

/// The tables in these folders (without any: in the folder [`TABLE_FOLDER`], if there is one) and those that are built
/// in; and the files and folders that cannot be used.
pub fn open(folders: &[PathBuf]) -> (Tables, Vec<BadTable>) {
    let default: Vec<PathBuf> =
        Some(files::locate(TABLE_FOLDER)).filter(|folder| folder.exists()).into_iter().collect();
    let (mut tables, bad) = Tables::open(if folders.is_empty() { &default } else { folders });
    tables.add_built_in();
    (tables, bad)
}

/// The same with the folders of the options.
pub fn open_as_set(options: &Options) -> (Tables, Vec<BadTable>) {
    let folders = options.egtb_folders.split(';').map(str::trim).filter(|folder| !folder.is_empty());
    open(&folders.map(files::locate).collect::<Vec<_>>())
}

/// Excludes, besides those that are, the root moves that are worse than others by the tables of `limits`: those that give
/// up a win or a draw, win later or lose earlier. Moves that end the game by repetition count as what they lead to. Does nothing where the
/// tables do not have the position, and where the mate takes longer than the move limit allows: then captures decide,
/// which begin its count anew.
///
/// In a decided position a search two plies deep is enough: the positions after the moves have exact scores. (Quiescence
/// search does not use tables.)
///
/// In a drawn position a search for a move does without tables: their draws are all the same, and evaluations tell where
/// the opponent can go wrong. What it reports is a draw.
pub fn restrict_root(position: &Position, rules: &Rules, limits: &mut Limits, is_for_move: bool) {
    let tables = limits.settings.tables.as_deref();
    let Some(mut moves) = tables.and_then(|tables| tables.probe_moves(position)) else { return };
    let plies_left = rules.move_limit.saturating_sub(position.quiet_plies());
    for (mv, probe) in &mut moves {
        match rules.repetition_after(position, *mv) {
            Some(RepetitionVerdict::Win) => *probe = Probe::exact(EndgameValue::Loss(0)),
            Some(RepetitionVerdict::Draw) => *probe = Probe::exact(EndgameValue::Draw),
            Some(RepetitionVerdict::Loss) => *probe = Probe::exact(EndgameValue::Win(1)),
            None => {}
        }
    }
    moves.sort_by_key(|(_, probe)| std::cmp::Reverse(probe.value.preference()));
    let is_allowed = |mv| !limits.banned.contains(&mv);
    let (good, mut bad): (Vec<_>, Vec<_>) = moves.into_iter().partition(|&(mv, _)| is_allowed(mv));
    let Some(best) = good.first().map(|(_, probe)| probe.value) else { return };
    if best.min_plies() > plies_left {
        return;
    }
    bad.extend(good.iter().filter(|(_, probe)| probe.value != best));
    limits.banned = bad.into_iter().map(|(mv, _)| mv).collect();
    if best != EndgameValue::Draw {
        limits.depth = Some(2);
    } else if is_for_move {
        limits.settings.tables = None;
        limits.drawn_by_tables = good.iter().all(|(_, probe)| probe.value != best || probe.is_exact);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egtb::file::{self, TableFile};
    use crate::egtb::generate::{Values, generate};
    use crate::egtb::material::Material;
    use std::sync::Arc;

    /// The moves left at the root, and whether tables are used in the search.
    fn left(fen: &str, is_for_move: bool) -> (Vec<String>, bool) {
        left_without(&[], fen, is_for_move)
    }

    fn left_without(banned: &[&str], fen: &str, is_for_move: bool) -> (Vec<String>, bool) {
        let position = Position::from_fen(fen).unwrap();
        let mut limits = Limits::default();
        limits.settings.tables = Some(Arc::new(Tables::built_in()));
        limits.banned = banned.iter().map(|mv| mv.parse().unwrap()).collect();
        restrict_root(&position, &Rules::default(), &mut limits, is_for_move);
        let legal = position.legal_moves();
        let left = legal.iter().filter(|mv| !limits.banned.contains(mv)).map(|mv| mv.to_string()).collect();
        (left, limits.settings.tables.is_some())
    }

    #[test]
    fn only_the_best_moves_are_left() {
        let mate = "3k5/9/9/9/9/9/R8/9/4K4/9 w - - 0 1";
        // Mate, and stalemate, which loses too.
        assert_eq!(left(mate, true), (vec!["a3d3".to_string(), "a3a8".to_string()], true));
        assert_eq!(left_without(&["a3d3"], mate, true).0, ["a3a8"], "the best of those that are not banned");
        // Not all drawing moves lead to the same position: the search chooses.
        let drawn = "2bak1b2/4a4/9/9/9/9/9/R8/9/4K4 w - - 0 1";
        let (moves, has_tables) = left(drawn, true);
        assert!(moves.len() > 3 && !has_tables, "{moves:?}");
        assert!(left(drawn, false).1, "an analysis uses tables in the search");
        // A win in 49 plies, with 120, 49 and 48 left to the move limit.
        let late = |quiet: u32| left(&format!("4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - {quiet} 1"), true).0;
        assert_eq!(late(0), ["g0g7"]);
        assert_eq!(late(71), ["g0g7"]);
        let all = Position::from_fen("4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w").unwrap().legal_moves().len();
        assert_eq!(late(72).len(), all);
    }
    /// The moves left after a game from `fen`, with the tables of rook against knight besides.
    fn left_after(fen: &str, moves: &str) -> Vec<String> {
        let mut tables = Tables::built_in();
        let built = std::cell::RefCell::new(Vec::new());
        for class in ["KRk", "KNk", "KRkn"].map(|name| Material::read(name).unwrap()) {
            let smaller = |wanted: &Material| {
                built.borrow().iter().find(|values: &&Arc<Values>| values.material == *wanted).cloned()
            };
            let values = generate(&class, &smaller, 2, &mut |_| ()).unwrap();
            tables.add(TableFile::from_bytes(&file::write(&values)).unwrap());
            built.borrow_mut().push(Arc::new(values));
        }
        let mut position = Position::from_fen(fen).unwrap();
        moves.split(' ').filter(|mv| !mv.is_empty()).for_each(|mv| position.make(mv.parse().unwrap()));
        let mut limits = Limits::default();
        limits.settings.tables = Some(Arc::new(tables));
        restrict_root(&position, &Rules::default(), &mut limits, true);
        position.legal_moves().iter().filter(|mv| !limits.banned.contains(mv)).map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn perpetual_check_is_no_defence() {
        let checks = "9/9/4k4/9/9/9/9/9/5K3/5R2n b - - 0 1";
        assert_eq!(left_after(checks, ""), ["i0h2"], "the only moves but for mate are checks");
        assert_eq!(left_after(checks, "i0h2"), ["f1f2"], "the winner repeats and gives no check");
        let twice = "i0h2 f1f2 h2g4 f2f1 g4h2 f1f2 h2g4 f2f1";
        let left = left_after(checks, twice);
        assert!(!left.is_empty() && !left.contains(&"g4h2".to_string()), "a third time loses at once: {left:?}");
        // Before the move limit no position can occur three times.
        let late = "9/9/4k4/9/9/9/9/9/5K3/5R2n b - - 118 1";
        assert!(left_after(late, "").len() > 3);
    }

    #[test]
    fn winning_moves_that_draw_by_repetition_are_not_played() {
        let won = "4kab2/4a4/3R4b/9/9/9/9/9/9/4K4 w - - 0 1";
        let best = ["d7a7", "d7b7", "d7c7"];
        assert_eq!(left_after(won, "d7a7 i7g5 a7d7 g5i7"), best);
        assert_eq!(left_after(won, "d7a7 i7g5 a7d7 g5i7 d7a7 i7g5 a7d7 g5i7"), best[1..]);
    }
}
