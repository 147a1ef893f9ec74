//! scratch
use chuhe::{position::Position, search::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d: usize = a[2].parse().unwrap();
    let fen = a.get(3).map(|s| s.as_str()).unwrap_or(chuhe::position::START_FEN);
    let mut p = Position::from_fen(fen).unwrap();
    if a[1] == "p" {
        println!("{}", chuhe::tools::perft::perft(&mut p, d));
        return;
    }
    let t = transposition::Table::new(64).unwrap();
    let mut s = Searcher::new();
    let limits = limits::Limits { depth: Some(d as u32), ..Default::default() };
    let o = s.search(&p, &limits, &signals::Signals::new(), &t, &mut |r| {
        if let report::Report::Iteration(i) = r {
            println!("{} {} {} {} {:?} {:?}", i.depth, i.selective_depth, i.score, i.nodes, i.elapsed, i.pv);
        }
    });
    println!("{o:?}");
}
