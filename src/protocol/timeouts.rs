//! Timeouts for a client that does not read the output.

use std::time::Duration;

/// Times without anything read of the output, and how its end is noticed.
pub struct Timeouts {
    /// Until the loop ends after `quit`.
    pub after_quit: Duration,
    /// Until commands are refused when the queues are full.
    pub unread: Duration,
    /// Waits until nobody reads the output any more; called at the end of the input.
    pub wait_until_closed: Option<fn()>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { after_quit: Duration::from_secs(5), unread: Duration::from_secs(30), wait_until_closed: None }
    }
}
