//! Keys, clicks and pastes of a terminal.
//!
//! On Unix the bytes are decoded by `key_decoder`, on Windows the records of the console by crossterm.

use super::event::{Event, INTERRUPT};
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

    /// Whether Ctrl-C waits.
    pub fn has_interrupt(&self) -> bool {
        self.events.contains(&INTERRUPT)
    }

    /// Reads some events; whether there were some.
    #[cfg(unix)]
    fn read_some(&mut self, wait: Duration) -> io::Result<bool> {
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
            self.push(INTERRUPT);
            return Ok(false);
        }
        let mut events = Vec::new();
        self.decoder.decode(&bytes[..length], &mut events);
        events.into_iter().for_each(|event| self.push(event));
        Ok(true)
    }

    /// Reads an event; whether there was one.
    #[cfg(windows)]
    fn read_some(&mut self, wait: Duration) -> io::Result<bool> {
        use crossterm::event::{poll, read};
        let is_ready = poll(wait)?;
        if is_ready {
            event(read()?).into_iter().for_each(|event| self.push(event));
        }
        Ok(is_ready)
    }

    /// Appends an event, unless there are too many.
    pub fn push(&mut self, event: Event) {
        if self.events.len() < MAX_EVENTS || event == INTERRUPT {
            self.events.push_back(event);
        }
    }
}

/// The event of one of crossterm's, if it is one here.
#[cfg(windows)]
fn event(event: crossterm::event::Event) -> Option<Event> {
    use super::event::Key;
    use crossterm::event::{Event as Given, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
    match event {
        Given::Key(key) if key.kind != KeyEventKind::Release => Some(Event::Key(match key.code {
            KeyCode::Char(letter) if key.modifiers.contains(KeyModifiers::CONTROL) => Key::Control(letter),
            KeyCode::Char(letter) => Key::Character(letter),
            KeyCode::F(number) => Key::Function(number),
            KeyCode::Enter => Key::Enter,
            KeyCode::Backspace => Key::Backspace,
            KeyCode::Esc => Key::Escape,
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            _ => Key::Other,
        })),
        Given::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(button) => {
                Some(Event::MouseDown { is_left: button == MouseButton::Left, column: mouse.column, row: mouse.row })
            }
            MouseEventKind::Up(MouseButton::Left) => Some(Event::MouseUp { column: mouse.column, row: mouse.row }),
            _ => None,
        },
        _ => None,
    }
}
