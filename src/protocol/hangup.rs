//! Noticing that nobody reads standard output any more: then what takes long is done for nothing.

/// Ends the program when the reader of standard output, a pipe, a socket or a terminal, has closed it. For what does
/// nothing but write to it. Without a thread for it, and on other systems than Unix, it is noticed at the next write.
pub(crate) fn exit_when_output_closes() {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        use rustix::io::Errno;
        let watch = || {
            let output = std::io::stdout();
            // No event is asked for: only errors and hang-ups are reported.
            let mut polled = [PollFd::new(&output, PollFlags::empty())];
            loop {
                match poll(&mut polled, None) {
                    Err(Errno::INTR) => {}
                    Ok(_) if polled[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => std::process::exit(0),
                    _ => return,
                }
            }
        };
        let _ = std::thread::Builder::new().name("hangup".into()).spawn(watch);
    }
}
