//! The built-in endgame tables: a value follows from the values after the moves, and a search scores it as that distance.

use super::walk::{check, chosen};
use chuhe::Searcher;
use chuhe::egtb::tables::Tables;
use chuhe::egtb::value::EndgameValue;
use chuhe::internals::egtb::position_of;
use chuhe::position::Position;
use chuhe::search::limits::Limits;
use chuhe::search::settings::SearchSettings;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::{Color, score};
use proptest::prelude::*;
use std::cell::Cell;
use std::sync::{Arc, LazyLock};

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(Tables::built_in()));

/// Positions of the built-in tables.
fn positions() -> impl Strategy<Value = String> {
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()).prop_filter_map(
        "possible",
        |(table, number, is_red)| {
            let table = TABLES.iter().nth(table.index(TABLES.len())).unwrap();
            let side = if is_red { Color::Red } else { Color::Black };
            let position = position_of(table.indexer(), number.index(table.indexer().size()), side)?;
            Some(position.to_fen())
        },
    )
}

fn value(position: &Position) -> EndgameValue {
    TABLES.probe(position).expect("a class that is built in").value
}

#[test]
fn values_follow_from_the_values_after_the_moves() {
    let decided = Cell::new(0);
    check(1_000, positions(), |fen| {
        let mut position = Position::from_fen(&fen).unwrap();
        let own = value(&position);
        // Mates and draws count plies exactly; results by rule are checked by `tests/perpetual_check.rs`.
        let mut best = None;
        for mv in position.legal_moves().iter() {
            position.make(mv);
            let attackers = Color::ALL.iter().any(|&color| position.has_attacking_pieces(color));
            let after = if attackers { value(&position) } else { EndgameValue::Draw };
            position.undo();
            let before = match after {
                EndgameValue::Win(plies) => EndgameValue::Loss(plies + 1),
                EndgameValue::Loss(plies) => EndgameValue::Win(plies + 1),
                EndgameValue::Draw => EndgameValue::Draw,
                EndgameValue::WinByRule(rank) => EndgameValue::LossByRule(rank),
                EndgameValue::LossByRule(rank) => EndgameValue::WinByRule(rank),
            };
            if best.is_none_or(|best: EndgameValue| before.preference() > best.preference()) {
                best = Some(before);
            }
        }
        let best = best.unwrap_or(EndgameValue::Loss(0));
        match (own, best) {
            (EndgameValue::WinByRule(_), EndgameValue::WinByRule(_))
            | (EndgameValue::LossByRule(_), EndgameValue::LossByRule(_)) => {}
            _ => assert_eq!(own, best, "{fen}"),
        }
        decided.set(decided.get() + u32::from(own != EndgameValue::Draw));
    });
    assert!(decided.get() > 0);
}

/// A mate of the tables is a mate in as many plies to the search, from the root, whatever was played before.
#[test]
fn a_search_scores_a_table_mate_by_its_distance() {
    let mated = Cell::new(0);
    check(60, (positions(), any::<u16>()), |(fen, choice)| {
        let mut position = Position::from_fen(&fen).unwrap();
        if let Some(mv) = chosen(&position, choice).filter(|mv| !position.is_capture(*mv)) {
            position.make(mv);
        }
        let expected = match value(&position) {
            EndgameValue::Win(plies) if plies > 0 => score::mate_in(plies as usize),
            EndgameValue::Loss(plies) if plies > 0 => score::mated_in(plies as usize),
            _ => return,
        };
        let settings = SearchSettings { tables: Some(Arc::clone(&TABLES)), ..SearchSettings::default() };
        let limits = Limits { depth: Some(2), settings, ..Limits::default() };
        let table = TranspositionTable::new(1).unwrap();
        let result = Searcher::new().search(&position, &limits, &Signals::new(), &table, &mut |_| {});
        assert_eq!(result.score, expected, "{}", position.to_fen());
        mated.set(mated.get() + 1);
    });
    assert!(mated.get() > 0);
}
