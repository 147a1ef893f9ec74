//! The program as its users run it: protocols, commands, files.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/data.rs"]
mod data;
#[path = "../common/server.rs"]
mod server;

mod analyse;
mod analyse_output;
mod board;
mod book;
mod cli;
mod cloud;
mod collection;
mod console;
mod conversations;
mod convert;
mod egtb;
mod find;
mod help;
mod input_files;
mod judge;
mod language;
mod log;
mod net;
mod play;
mod puzzles;
mod review;
mod solve;
mod tournament;
mod tuning;
mod ucci;
