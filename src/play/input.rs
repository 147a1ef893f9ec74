//! Keys, clicks and pastes of a terminal.
//!
//! On Unix the bytes are decoded here: crossterm's decoder drops the key after an incomplete character.

use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// Events kept at most; of more, only Ctrl-C counts.
const MAX_EVENTS: usize = 10_000;

/// What was typed, pasted and clicked and has not been taken.
#[derive(Default)]
pub struct Input {
    events: VecDeque<Event>,
    #[cfg(unix)]
    decoder: super::key_decoder::KeyDecoder,
}

impl Input {
    /// Waits for events, if there is none, at most for `timeout`; then reads those that are there, for at most as long.
    ///
    /// # Errors
    /// When the terminal cannot be read.
    pub fn read(&mut self, timeout: Duration) -> io::Result<()> {
        let start = Instant::now();
        let mut wait = if self.events.is_empty() { timeout } else { Duration::ZERO };
        while self.read_some(wait)? && start.elapsed() < timeout {
            wait = Duration::ZERO;
        }
        Ok(())
    }

    /// The next event.
    pub fn take(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Whether there is an event for which `is_wanted` holds.
    pub fn has(&self, is_wanted: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(is_wanted)
    }

    /// Reads some events; whether there were some.
    #[cfg(unix)]
    fn read_some(&mut self, wait: Duration) -> io::Result<bool> {
        use ratatui::crossterm::event::KeyEvent;
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdin = io::stdin();
        let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
        let waits = !wait.is_zero();
        let wait = Timespec { tv_sec: wait.as_secs() as _, tv_nsec: wait.subsec_nanos() as _ };
        let is_ready = match poll(&mut polled, Some(&wait)) {
            Err(rustix::io::Errno::INTR) => return Ok(false),
            ready => ready? > 0,
        };
        if !is_ready {
            // A paste or a sequence may come in pieces: it is ended only when nothing follows for a while.
            if waits {
                let unfinished = self.decoder.finish();
                unfinished.into_iter().for_each(|event| self.push(event));
            }
            return Ok(false);
        }
        let mut bytes = [0; 4096];
        let length = rustix::io::read(&stdin, &mut bytes)?;
        // The terminal is gone.
        if length == 0 {
            self.push(Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
            return Ok(false);
        }
        let mut events = Vec::new();
        self.decoder.decode(&bytes[..length], &mut events);
        events.into_iter().for_each(|event| self.push(event));
        Ok(true)
    }

    /// Reads an event; whether there was one.
    #[cfg(not(unix))]
    fn read_some(&mut self, wait: Duration) -> io::Result<bool> {
        use ratatui::crossterm::event::{poll, read};
        let is_ready = poll(wait)?;
        if is_ready {
            let event = read()?;
            self.push(event);
        }
        Ok(is_ready)
    }

    /// Appends an event, unless there are too many.
    pub fn push(&mut self, event: Event) {
        if self.events.len() < MAX_EVENTS || is_interrupt(&event) {
            self.events.push_back(event);
        }
    }
}

/// Whether the event is Ctrl-C.
pub fn is_interrupt(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    let is_pressed = key.kind != KeyEventKind::Release && key.modifiers.contains(KeyModifiers::CONTROL);
    is_pressed && key.code == KeyCode::Char('c')
}
