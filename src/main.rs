//! ChuHe (楚河), a xiangqi engine: the binary. All it does is in the library.

use chuhe::cli::Cli;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Clients merge standard error into what they read: nothing is logged unless asked for.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    Cli::parse().run()
}
