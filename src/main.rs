//! scratch
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d: usize = a[1].parse().unwrap();
    let fen = a.get(2).map(|s| s.as_str()).unwrap_or(chuhe::position::START_FEN);
    let mut p = chuhe::position::Position::from_fen(fen).unwrap();
    println!("{}", chuhe::tools::perft::perft(&mut p, d));
}
