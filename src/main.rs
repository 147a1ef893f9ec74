//! The binary of ChuHe (楚河), a xiangqi engine: the check of the processor, and the call of the command line or, without the
//! feature `cli`, of the protocol loop.

use chuhe::program;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(instructions) = program::missing_instructions() {
        let _ = writeln!(io::stderr(), "chuhe: this program is compiled for processors with {instructions}");
        return ExitCode::FAILURE;
    }
    program::make_the_file_size_limit_an_error();
    run()
}

/// Not a part of `main`, so that nothing of it runs before the check.
#[cfg(feature = "cli")]
#[inline(never)]
fn run() -> ExitCode {
    program::run()
}

/// The lean engine: UCCI and UCI on standard input and output, no command line.
#[cfg(not(feature = "cli"))]
#[inline(never)]
fn run() -> ExitCode {
    use chuhe::protocol::{self, RunError};
    use std::io::ErrorKind;
    if let Some(argument) = std::env::args_os().nth(1) {
        let _ = writeln!(io::stderr(), "error: {:?}: this program has no command line (feature `cli`)", argument);
        return ExitCode::from(2);
    }
    match protocol::run_on_standard_streams(chuhe::engine::Engine::new(), Vec::new()) {
        Ok(()) => ExitCode::SUCCESS,
        // The client closed the pipe.
        Err(RunError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
