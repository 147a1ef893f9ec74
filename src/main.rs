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
    use chuhe::protocol::timeouts::Timeouts;
    use chuhe::protocol::{self, RunError, hangup};
    use std::io::{BufReader, ErrorKind};
    if let Some(argument) = std::env::args_os().nth(1) {
        let _ = writeln!(io::stderr(), "error: {:?}: this program has no command line (feature `cli`)", argument);
        return ExitCode::from(2);
    }
    let timeouts = Timeouts { wait_until_closed: Some(hangup::wait_until_output_closes), ..Timeouts::default() };
    match protocol::run_with(timeouts, chuhe::engine::Engine::new(), BufReader::new(io::stdin()), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // The client closed the pipe.
        Err(RunError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
