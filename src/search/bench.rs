//! Bench: searches fixed positions to a fixed depth.
//!
//! One thread, an empty hash table for each position, no book, no clock and no random numbers: the total number of
//! nodes depends only on the search and evaluation, and is their signature. A change of the code that changes it
//! changes play.

use crate::position::Position;
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::report::per_second;
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::search::tunables::Tunables;
use std::time::{Duration, Instant};

/// Default depth in plies.
pub(crate) const DEFAULT_DEPTH: u32 = 15;
/// Size of the hash table in megabytes.
const HASH_MEGABYTES: usize = 16;

/// Openings, middlegames, combinations and endgames, with either side to move.
const POSITIONS: [&str; 50] = [
    // The start position, and openings.
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "rnb1kabn1/4a3r/1c2c4/p1p1p1p1p/9/2P6/P3P1P1P/1C2B4/7C1/RN1AKABNR b - - 7 4",
    "r1b1ka1nr/4a4/1cn1b2c1/pC2p1p1p/2p6/9/P1P1P1P1P/4C1N2/4A4/RNBAK1B1R w - - 8 5",
    "r1baka2r/9/1cn1b1n2/p1p1p1C2/8p/2P6/PC2P1P1P/7c1/4A4/RNBAK1BNR w - - 7 6",
    "r1b1kab1r/4a4/nc4nc1/2p1p1p1p/p8/6P2/P1P1P3P/4C2C1/R3A4/1NBAK1BNR w - - 8 5",
    "r1bakab2/9/1c2c1n2/p3n1p1p/2p1p4/2P4R1/P2rPCP1P/1CN1B1N2/4A4/R3KAB2 b - - 19 10",
    "3akabr1/9/c1n1b1n2/2p1p3p/P5pc1/2P4R1/4P1P1P/2C1C1N2/9/1NBAKAB2 b - - 0 11",
    "r1bak2r1/2n1a4/3cb1n1c/4p3p/2p6/CR4P2/P1P1P3P/2NCB1N2/9/3AKAB1R b - - 4 11",
    // Middlegames.
    "4kab2/rr1na4/2c1b2cn/p1p1p1p2/8p/P1PN3R1/4P1P1P/C2C2N2/9/R1BAKAB2 b - - 19 10",
    "2rakab2/1C5C1/2ncb1n1r/p1N1p3p/2c3p2/2B4R1/P3P1P1P/4B1N2/9/1R1AKA3 w - - 13 14",
    "3akab2/r6r1/2n1b2c1/p3p3p/1c3n3/2R6/P3P3P/1CN1C1N2/7R1/2BAKAB2 w - - 1 14",
    "1r2kabr1/4a4/2n1b1n1c/p1p1p3p/4c1p2/1CPN5/P3P1P1P/3CB1N2/5R3/1R1AKAB2 b - - 21 11",
    "3akn3/4a4/4b4/R1p1N1p1p/6r2/7rc/2P1P4/3AB4/9/2BAKCR2 b - - 0 22",
    "2baka1r1/9/c3b1n2/p3p3p/9/1N4p2/P1n1P2cP/2C1B1N2/2C6/2BAKA1R1 w - - 4 17",
    "4kab2/3ra3n/2n1b3c/p1p2RN1p/c2C5/2P3C2/4N3P/9/4A4/2BA1K3 w - - 12 24",
    "2baka1r1/9/c1C1b2R1/4p3p/2p2r3/9/4P3P/N3B4/1R2A4/4KAB2 b - - 0 23",
    "2baka3/1r6n/c1n1b2c1/pNp1p1R1p/6r2/9/P3P3P/2N1BC1C1/4A4/1R2KAB2 w - - 9 22",
    "1n1akab2/9/c3b2c1/p3p1p1p/2r6/5nP2/P3P1C1P/4BC2N/4N4/2BAKA1R1 w - - 2 17",
    "3rkab2/4a4/bc5r1/p1p2R2p/9/1RPN2p2/P3P1c2/C1N1B4/7n1/3AKAB2 w - - 8 19",
    "2bak2r1/4a4/nN1cbn3/2p1pR2p/9/PR7/2r5P/2C1BC3/4A4/3AK1B2 b - - 6 26",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "2baka3/9/4b4/p1P1p3p/4PP1n1/P1N6/7rc/4B4/4C3C/2BAKARc1 b - - 0 1",
    "r1bak4/4a2N1/n3b4/4C1p2/pRp1p4/6P2/P1C5p/9/4Ar3/c3K3c w - - 0 1",
    "2Rak1br1/1R2a4/4c1n2/p3p3p/1n4rc1/9/P3P3P/2NCC1N2/4A4/2B1KAB2 w - - 0 1",
    // Combinations and attacks on the king.
    "4kab2/4a4/2c1b4/4C4/p3p4/6B1P/P2R5/4B4/9/3K1rC2 w - - 0 1",
    "4kab2/4N4/9/p5c1C/2b1P4/9/P7P/4BA3/3NK1n2/5A1c1 b - - 0 1",
    "4kabC1/3Pa4/4b4/2r2R3/8p/3n5/8P/9/4A4/3A1K3 w - - 0 1",
    "2bk1a3/4a4/4b4/5P2p/4N2R1/2P6/P8/5p3/3r5/4K4 b - - 0 1",
    "6b2/3k5/5R3/9/p3N1rcp/4C4/4P3P/4B4/4A4/2BAK4 w - - 0 1",
    "2b1ka3/4a4/3c4b/N7p/9/3n5/P7P/1R1C5/2r1A4/3K1A3 b - - 0 1",
    "4kaR2/4a4/4b4/9/C2c5/4n4/9/N3r4/3KA4/2B6 b - - 0 1",
    // Endgames with many pieces.
    "2bak4/4a4/4b4/p7p/2P1p4/Pr3n3/4P1c1P/Cc1CB1N2/1R7/2BAKA3 w - - 1 25",
    "2bak4/4a4/4b4/p3r4/2n4rp/2B1P4/PR6P/3NR4/4A4/2B1KA3 b - - 17 33",
    "3ak4/4a4/4b4/1c7/c1b4np/3NP4/C1N5P/4B4/4A4/2BAK4 w - - 8 32",
    "4kab2/n1Cca4/4b4/p3p4/5n3/P4NC2/4P3P/9/4A4/4KAB2 w - - 9 29",
    "3akab2/9/4b1c2/1R2C3p/3PC4/4p4/P1rc2P1P/4B4/9/3AKAB2 b - - 0 28",
    "4kab2/4a4/4b4/4C4/2p1P1p2/c8/n2cN2nP/4B4/2C1A4/1N2KAB2 w - - 4 29",
    "4ka3/4a4/3rb3b/2c1p3p/7R1/2B2NP2/n3P3P/2nCB4/C3A4/3AK4 w - - 12 34",
    "4k4/9/4ba2C/p7p/4r4/PN6P/9/1c7/c2K5/R8 b - - 0 1",
    "2ba5/4ak3/4b4/p1P5p/9/P1N6/4c1R2/4B4/4ArC1n/2BK1A3 b - - 0 1",
    // Endgames with few pieces.
    "3ak4/9/4b4/5N3/2b6/9/6n2/9/4A4/3K1C3 b - - 0 1",
    "9/4ak3/4b4/9/2b6/4C1N2/9/4n4/4A4/3K5 b - - 0 1",
    "5a3/3ka4/4b4/9/2b6/N2C5/3n5/9/4A4/4K4 b - - 0 1",
    "3a1k3/9/3a5/4C4/9/4r4/9/4K3C/9/9 w - - 0 1",
    "4k4/9/9/6R2/9/5n3/9/5K3/9/9 b - - 0 1",
    "4Nk3/4a4/5a3/1N7/9/9/9/3K5/9/9 b - - 0 1",
    "9/9/3k4N/9/9/9/9/9/3n5/4K4 w - - 0 1",
    "9/4a4/4k4/9/4P4/9/9/4K4/9/9 w - - 0 1",
    "3k5/C8/3a5/9/9/9/9/B8/9/3K5 w - - 0 1",
    "4k4/9/4b4/9/9/2P1N4/9/9/4p4/3K5 w - - 0 1",
];

/// Searches all positions to `depth` with `searcher` and these parameters, or until stopped. Calls `report` with a line of text for each position and one
/// for the total, `N nodes M nps`. Returns the number of nodes.
///
/// # Errors
/// When there is not enough memory for the hash table: its size in megabytes.
pub(crate) fn run(
    depth: u32,
    tunables: Tunables,
    searcher: &mut Searcher,
    signals: &Signals,
    report: &mut dyn FnMut(String),
) -> Result<u64, usize> {
    let table = TranspositionTable::new(HASH_MEGABYTES).ok_or(HASH_MEGABYTES)?;
    let mut limits = Limits { depth: Some(depth), ..Limits::default() };
    limits.settings.tunables = tunables;
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    for (index, fen) in POSITIONS.iter().enumerate() {
        if signals.is_stopped() {
            break;
        }
        let position = Position::from_fen(fen).expect("invariant: the bench positions are valid");
        table.clear();
        searcher.clear();
        let start = Instant::now();
        let outcome = searcher.search(&position, &limits, signals, &table, &mut |_| {});
        elapsed += start.elapsed();
        nodes += outcome.nodes;
        let best = outcome.best.map_or_else(|| "none".to_string(), |mv| mv.to_string());
        report(format!(
            "{:2}/{}: {best} {:6} {:9} nodes  {fen}",
            index + 1,
            POSITIONS.len(),
            outcome.score,
            outcome.nodes
        ));
    }
    report(format!("{nodes} nodes {} nps", per_second(nodes, elapsed)));
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_have_legal_moves_and_are_distinct() {
        for (index, fen) in POSITIONS.iter().enumerate() {
            let position = Position::from_fen(fen).unwrap();
            assert!(!position.has_no_moves(), "{fen}");
            assert_eq!(position.to_fen(), *fen);
            assert!(!POSITIONS[..index].contains(fen), "{fen}");
        }
    }
}
