//! Searches of a fixed number of nodes, with each level of `knowledge`: `cargo bench --bench search`.

mod common;

use chuhe::eval::Knowledge;
use chuhe::position::Position;
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::settings::SearchSettings;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use common::Benches;

const NODES: u64 = 100_000;

fn main() {
    let table = TranspositionTable::new(16).unwrap();
    let mut benches = Benches::from_arguments();
    for (name, fen) in [
        ("opening", chuhe::position::START_FEN),
        ("middlegame", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"),
        ("endgame", "3ak4/9/4b4/5N3/2b6/9/6n2/9/4A4/3K1C3 b - - 0 1"),
    ] {
        for knowledge in Knowledge::ALL {
            let (table, position) = (&table, Position::from_fen(fen).unwrap());
            let settings = SearchSettings { knowledge, ..SearchSettings::default() };
            let limits = Limits { nodes: Some(NODES), settings, ..Limits::default() };
            benches.add(format!("{name}, {knowledge:?}"), NODES, move || {
                table.clear();
                Searcher::new().search(&position, &limits, &Signals::new(), table, &mut |_| {})
            });
        }
    }
    benches.run();
}
