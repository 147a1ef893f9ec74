//! Parsing a command never panics, and every legal move of a parsed position can be made and undone.

#![no_main]

use chuhe::position::{Position, Variant};
use chuhe::protocol::command::Command;
use chuhe::protocol::dialect::Dialect;
use chuhe::protocol::parse::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        let Ok(Some(Command::Position(setup) | Command::Probe(setup))) = parse(&text, dialect) else { continue };
        for variant in [Variant::Standard, Variant::Promotion] {
            let Ok((mut position, _)) = setup.position(variant) else { continue };
            // Its FEN round-trips, and every legal move can be made and undone.
            let fen = position.to_fen();
            assert_eq!(Position::from_fen(&fen).expect("its own FEN is understood").to_fen(), fen);
            for mv in position.legal_moves().iter() {
                position.make(mv, &mut ());
                position.undo(&mut ());
            }
            assert_eq!(position.to_fen(), fen);
        }
    }
});
