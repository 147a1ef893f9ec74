//! The binary of ChuHe (楚河), a xiangqi engine. The code is in the library.

use chuhe::cli::Cli;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::parse().run()
}
