//! The binary of ChuHe (楚河), a xiangqi engine. The code is in the library.

use chuhe::cli::{Cli, processor};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(instructions) = processor::missing_instructions() {
        eprintln!("chuhe: this program is compiled for processors with {instructions}");
        return ExitCode::FAILURE;
    }
    run()
}

/// Not a part of `main`, so that nothing of it runs before the check.
#[inline(never)]
fn run() -> ExitCode {
    Cli::read().run()
}
