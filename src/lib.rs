//! ChuHe (楚河): a xiangqi (Chinese chess) engine, as a library and one binary.
//!
//! A board with fast move generation, the rules of repetition, notations and game records, a static evaluation by a
//! neural network, and an alpha-beta search. Without default features only these are built; the feature `engine` adds
//! the engine behind the protocols UCCI and UCI, the feature `cli` (default) the command line and training.
//!
//! # Examples
//!
//! Read a FEN and list the legal moves:
//!
//! ```
//! use chuhe::Position;
//!
//! let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1")?;
//! let moves: Vec<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
//! assert_eq!(moves.len(), 17);
//! assert!(moves.contains(&"e1d1".to_string()));
//! # Ok::<(), chuhe::position::FenError>(())
//! ```
//!
//! Play a game and judge it by the rules:
//!
//! ```
//! use chuhe::{GameStatus, Position, Rules, judge};
//!
//! let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/1R3K3 w - - 0 1")?;
//! for text in ["R9+7", "将4平5", "b0b9"] {
//!     let mv = chuhe::notation::read(&position, text)?; // ICCS, WXF or Chinese
//!     position.try_make(mv)?;
//! }
//! let GameStatus::Won { winner, .. } = judge(&position, &Rules::default(), 3) else { panic!() };
//! assert_eq!(winner, chuhe::Color::Red);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Search a position:
//!
//! ```
//! use chuhe::{Limits, Position, Searcher, Signals, TranspositionTable};
//!
//! let position = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/1R3K3 w - - 0 1")?;
//! let table = TranspositionTable::new(16).expect("16 MB of memory");
//! let limits = Limits { depth: Some(6), ..Limits::default() };
//! let result = Searcher::new().search(&position, &limits, &Signals::new(), &table, &mut |_report| {});
//! assert_eq!(result.best.unwrap().to_string(), "b0b9"); // mate
//! # Ok::<(), chuhe::position::FenError>(())
//! ```
//!
//! Read game records, whose moves are trees ([`games::GameStream`] reads files of every format):
//!
//! ```
//! use chuhe::games::games;
//!
//! let text = "[Red \"A\"]\n[Black \"B\"]\n1. C2.5 H8+7 (1... h7e7 {as well}) 2. 马二进三 1-0";
//! let game = games(text).next().unwrap()?;
//! assert_eq!(game.moves().iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7", "h0g2"]);
//! let first = game.tree.main_line().next().unwrap();
//! let replies: Vec<_> = game.tree.children(first).filter_map(|node| game.tree.mv(node)).collect();
//! assert_eq!(replies.iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h9g7", "h7e7"]);
//! # Ok::<(), chuhe::games::ReadError>(())
//! ```
//!
//! Ask the built-in endgame tables, and use them in a search, which does not by default:
//!
//! ```
//! use chuhe::egtb::tables::Tables;
//! use chuhe::egtb::value::EndgameValue;
//! use chuhe::types::score::is_mate;
//! use chuhe::{Limits, Position, Searcher, Signals, TranspositionTable};
//! use std::sync::Arc;
//!
//! let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4N4/4K4 w - - 0 1")?; // a knight wins against a bare king
//! let tables = Arc::new(Tables::built_in());
//! let probe = tables.probe(&position).expect("there is a table");
//! assert!(matches!(probe.value, EndgameValue::Win(_)));
//!
//! let mut limits = Limits { depth: Some(4), ..Limits::default() };
//! limits.settings.tables = Some(tables);
//! let table = TranspositionTable::new(16).expect("16 MB of memory");
//! let result = Searcher::new().search(&position, &limits, &Signals::new(), &table, &mut |_report| {});
//! assert!(is_mate(result.score));
//! # Ok::<(), chuhe::position::FenError>(())
//! ```
//!
//! Evaluate a position without searching, in engine units (a knight or a cannon is about 400; [`eval::wdl`] has
//! probabilities, and the centipawns that GUIs show):
//!
//! ```
//! use chuhe::{Evaluator, Knowledge, Network, Position, Rules};
//!
//! let position = Position::from_fen("3k5/9/9/9/p8/9/9/9/4R4/4K4 w - - 0 1")?;
//! let mut evaluator = Evaluator::new(Knowledge::Large, &Network::built_in(), &Rules::default());
//! let score = evaluator.evaluate(&position);
//! assert!(score > 400 && chuhe::eval::wdl::centipawns(score) > 100);
//! # Ok::<(), chuhe::position::FenError>(())
//! ```
//!
//! # Map of the source
//!
//! Layers; a module imports only from its own layer and those below it (`tests/library/layers.rs`).
//!
//! ```text
//! L6  interface    cli         command line
//!                  training    self-play, training of networks, tuning, growing of opening books
//!                  tournament  matches and tournaments between engines, as their client or inside this process
//!                  protocol    three threads read, execute and write; UCCI, UCI, console
//!                  terminal    a game in the terminal: `chuhe play`
//!                  analysis    positions analysed in parallel, games reviewed, exercises
//!                  page        reviews as a page for browsers
//!                  diagram     the board as SVG and PNG
//!                  display     board, verdicts, evaluation and errors as texts, English and Chinese
//!                  processor   whether it has the instructions that the program needs
//!                  parallel    ordered parallel map
//!                  rng         reproducible random numbers
//! L5  engine       engine      game, options, hash table, searcher, opening and cloud books
//! L4  search       mate        mates proven by proof-number search
//!                  search      alpha-beta, quiescence, move ordering, transposition table, time management, Lazy SMP
//! L3  knowledge    eval        static evaluation: piece-square tables, classical terms, network
//!                  book        opening book formats, names of openings
//!                  cloud       the cloud database: queries, answers, client
//!                  egtb        endgame tables: building, files, probing
//!                  files       reading, writing and locking of files
//!                  games       games as trees, read and written in every usual format
//!                  notation    ICCS, WXF and Chinese notation
//!                  rules       repetition, move limit, insufficient material
//! L2  position     position    board, history, making moves, legality, move generation, SEE, FEN
//! L1  tables       tables      slide tables, leapers, Zobrist keys, computed at compile time
//! L0  types        types       square, piece, move, score, bound, move list
//! ```
//!
//! From a command to its answer: [`protocol`] parses a line of standard input once into a typed command, the engine
//! thread executes it on the [`engine`], the [`search`] works on its own copy of the game and emits reports,
//! [`protocol`] formats them for the client. Nothing below L6 reads input or prints. No layer below L5 knows the names
//! of options, except for the search parameters of the feature `tuning`.
#![cfg_attr(not(feature = "engine"), allow(rustdoc::broken_intra_doc_links))]
// Maps of modules name private ones.
#![allow(rustdoc::private_intra_doc_links)]

// The library: boards, rules, files, evaluation, search.
pub mod book;
pub mod cloud;
pub mod egtb;
pub mod eval;
pub mod games;
pub mod mate;
pub mod notation;
pub mod position;
pub mod rules;
pub mod search;
pub mod types;

// The engine: what a client of a protocol talks to.
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
pub mod protocol;

// The program.
#[cfg(feature = "cli")]
mod analysis;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod diagram;
#[cfg(feature = "engine")]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "the lean engine shows less"))]
mod display;
mod files;
#[cfg(feature = "cli")]
mod page;
#[cfg(feature = "cli")]
mod parallel;
#[cfg(feature = "engine")]
mod processor;
#[cfg(feature = "cli")]
mod rng;
mod tables;
#[cfg(feature = "play")]
mod terminal;
#[cfg(feature = "cli")]
mod tournament;
#[cfg(feature = "cli")]
mod training;

/// What the binary calls.
#[cfg(feature = "engine")]
pub mod program {
    #[cfg(feature = "cli")]
    pub use crate::cli::run;
    pub use crate::files::size_limit::make_an_error as make_the_file_size_limit_an_error;
    pub use crate::processor::missing_instructions;
}

/// What the crate's own tests and benches use besides. It may change with any version.
#[doc(hidden)]
pub mod internals {
    pub mod book {
        pub use crate::book::sqlite_writer::*;
    }
    pub mod egtb {
        pub use crate::egtb::{forward_search::*, index::*, sets::*, statistics::*, verify::*};
    }
    pub mod eval {
        pub use crate::eval::{accumulator::*, features::*};
    }
    pub mod cbridge {
        pub use crate::games::cbridge::*;
    }
    pub mod dhtmlxq {
        pub use crate::games::dhtmlxq::*;
    }
    pub mod search {
        pub use crate::search::{history::*, picker::*, pruning::*, time_management::*};
    }
    pub mod xqf {
        pub use crate::games::xqf::*;
    }
    #[cfg(feature = "cli")]
    pub use crate::analysis::answer_file;
    #[cfg(feature = "engine")]
    pub use crate::files::lock as file_lock;
    pub use crate::tables::{slides, zobrist};
    #[cfg(feature = "play")]
    pub use crate::terminal::{clock, game, game_file};
    #[cfg(feature = "tuning")]
    pub use crate::training::spsa;
    #[cfg(feature = "cli")]
    pub use crate::training::{loss, outcome, sample_stream, samples, shard, train, training_games};
}

#[cfg(test)]
#[path = "../tests/common/data.rs"]
mod test_data;

pub use eval::network::Network;
pub use eval::{Evaluator, Knowledge};
pub use notation::{Notation, Script};
pub use position::{Position, PositionBuilder, START_FEN};
pub use rules::Rules;
pub use rules::game_status::{GameStatus, judge};
pub use search::Searcher;
pub use search::limits::Limits;
pub use search::report::{Report, SearchResult};
pub use search::settings::SearchSettings;
pub use search::signals::Signals;
pub use search::transposition::TranspositionTable;
pub use types::{Color, Move, MoveList, Piece, PieceType, Score, Square};
