//! The limit on the size of files (`ulimit -f`): a write beyond it is an error, as on a full disk.

/// Keeps the signal that comes with the error (SIGXFSZ) from ending the process. To be called before a file is written.
pub fn make_an_error() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // The flag that the handler sets is not read: the write fails, with EFBIG. Without the handler the signal ends the
        // process, as it did before.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
