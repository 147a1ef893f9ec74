//! ChuHe (楚河), a xiangqi engine: the binary. All it does is in the library.

use chuhe::cli::Cli;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::parse().run()
}
