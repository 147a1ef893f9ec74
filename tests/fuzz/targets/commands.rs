//! Lines of UCCI and UCI: every line is read or refused; positions are valid, and the game written as a `position` line
//! is the same game.

use super::check_position;
use chuhe::engine::options::Options;
use chuhe::games::setup::GameSetup;
use chuhe::notation::Ranks;
use chuhe::position::Variant;
use chuhe::protocol::command::Command;
use chuhe::protocol::dialect::Dialect;
use chuhe::protocol::parse::parse;
use chuhe::types::Color;

/// Checks the text as a line of either protocol.
pub fn check(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        match parse(&line, dialect) {
            Ok(Some(Command::Position(setup) | Command::Probe(setup))) => check_setup(&setup),
            Ok(Some(Command::Set(setting))) => {
                let mut options = Options::default();
                setting.apply(&mut options);
                let once = options.clone();
                setting.apply(&mut options);
                assert_eq!(options, once);
            }
            Ok(Some(Command::Go(go))) => {
                for side in Color::ALL {
                    let limits = go.limits(&Options::default(), side);
                    assert!(limits.nodes == go.nodes && limits.ponder == go.ponder);
                }
            }
            Ok(_) => {}
            Err(error) => assert!(error.to_string().len() < 1_000),
        }
    }
}

fn check_setup(setup: &GameSetup) {
    for variant in [Variant::Standard, Variant::Promotion] {
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            let Ok(game) = setup.set_up(variant, None, ranks) else { continue };
            check_position(&game.position);
            let mut start = game.position.clone();
            let moves: Vec<String> = game
                .position
                .history()
                .rev()
                .map(|past| past.mv.map_or_else(|| "0000".to_string(), |mv| mv.to_string()))
                .collect();
            (0..moves.len()).for_each(|_| start.undo());
            let line = format!("position fen {} moves {}", start.to_fen(), moves.join(" "));
            let Ok(Some(Command::Position(again))) = parse(&line, Dialect::Ucci) else { panic!("{line}") };
            let again = again.set_up(variant, None, Ranks::FromZero).expect("its own FEN is understood");
            assert_eq!((again.error, again.position.to_fen()), (None, game.position.to_fen()));
        }
    }
}
