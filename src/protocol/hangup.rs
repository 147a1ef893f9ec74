//! Noticing that nobody reads standard output any more: then what takes long is done for nothing.

use std::process;
use std::thread;

/// Waits until the reader of standard output, a pipe, a socket or a terminal, has closed it. Returns only then.
pub fn wait_until_output_closes() {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        let output = std::io::stdout();
        // No event is asked for: only errors and hang-ups are reported.
        let mut polled = [PollFd::new(&output, PollFlags::empty())];
        loop {
            match poll(&mut polled, None) {
                Ok(_) if polled[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => return,
                Err(rustix::io::Errno::INTR) => {}
                _ => break,
            }
        }
    }
    loop {
        thread::park();
    }
}

/// Ends the program when nobody reads standard output any more. For commands that do nothing but write to it. Without a
/// thread for it, they end when they next write.
pub fn exit_when_output_closes() {
    let watch = || {
        wait_until_output_closes();
        process::exit(0);
    };
    let _ = thread::Builder::new().name("hangup".into()).spawn(watch);
}
