//! Whatever comes in, reading it does not panic, and what is understood can be carried out.

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
            // What it says of itself is understood again, and every move can be made and taken back.
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
