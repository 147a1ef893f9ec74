//! The terminal: its modes, what it shows, and what the player does at it.

use super::buffer::Buffer;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use crossterm::style::{Attribute, Print, SetAttribute, SetStyle};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};
use std::io::{self, BufWriter, IsTerminal, Write, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;
use std::{panic, thread};

/// Ctrl-C.
pub(super) const INTERRUPT: Event = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));

/// The terminal with a screen of its own. Dropped, also by a panic, it is as it was.
pub(super) struct Terminal {
    /// What is shown; `None`: unknown.
    shown: Option<Buffer>,
    events: Receiver<Event>,
}

impl Terminal {
    /// Opens a screen on the terminal of standard input and output. A panic from now on restores the terminal before it is
    /// told.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub(super) fn open() -> io::Result<Terminal> {
        terminal::enable_raw_mode()?;
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore();
            hook(panic);
        }));
        let (sender, events) = channel();
        let terminal = Terminal { shown: None, events };
        signal_interrupts(sender.clone())?;
        // On a thread of its own, as it blocks within an escape sequence or a paste that has not ended.
        thread::Builder::new().spawn(move || {
            while let Ok(event) = event::read()
                && sender.send(event).is_ok()
            {}
        })?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        // A console of Windows may have none.
        let _ = execute!(stdout(), EnableBracketedPaste);
        Ok(terminal)
    }

    /// A blank buffer of the size of the terminal.
    ///
    /// # Errors
    /// When the size cannot be read, as when the terminal is gone.
    pub(super) fn buffer(&self) -> io::Result<Buffer> {
        if !stdout().is_terminal() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let (width, height) = terminal::size()?;
        Ok(Buffer::new(width, height))
    }

    /// Shows a buffer.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn show(&mut self, buffer: Buffer) -> io::Result<()> {
        let size = |buffer: &Buffer| (buffer.width, buffer.height());
        let shown = self.shown.take().filter(|shown| size(shown) == size(&buffer));
        if shown.as_ref() != Some(&buffer) {
            let mut out = BufWriter::new(stdout().lock());
            write_changes(&mut out, shown.as_ref(), &buffer)?;
            out.flush()?;
        }
        self.shown = Some(buffer);
        Ok(())
    }

    /// Waits for an event, at most for `timeout`. Returns it and those that have come with it; an interrupt when no more can
    /// come.
    pub(super) fn events(&self, timeout: Duration) -> Vec<Event> {
        match self.events.recv_timeout(timeout) {
            Ok(event) => [event].into_iter().chain(self.events.try_iter()).collect(),
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => vec![INTERRUPT],
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Lets Ctrl-C interrupt also within an escape sequence that has not ended, which would swallow it: the system makes a
/// signal of it. A terminal that does not control the program sends none, and stays raw.
#[cfg(unix)]
fn signal_interrupts(sender: Sender<Event>) -> io::Result<()> {
    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcgetpgrp, tcsetattr};
    use std::io::Read;
    /// The value of a special character that there is none (`_POSIX_VDISABLE`).
    const NONE: u8 = if cfg!(any(target_os = "linux", target_os = "android")) { 0 } else { 0xff };
    let input = io::stdin();
    if tcgetpgrp(&input).is_err() {
        return Ok(());
    }
    let (mut signals, handler) = std::os::unix::net::UnixStream::pair()?;
    signal_hook::low_level::pipe::register(signal_hook::consts::SIGINT, handler)?;
    thread::Builder::new()
        .spawn(move || while signals.read_exact(&mut [0]).is_ok() && sender.send(INTERRUPT).is_ok() {})?;
    let mut modes = tcgetattr(&input)?;
    modes.local_modes |= LocalModes::ISIG;
    modes.special_codes[SpecialCodeIndex::VINTR] = b'c' & 0x1f;
    modes.special_codes[SpecialCodeIndex::VQUIT] = NONE;
    modes.special_codes[SpecialCodeIndex::VSUSP] = NONE;
    Ok(tcsetattr(&input, OptionalActions::Now, &modes)?)
}

#[cfg(not(unix))]
fn signal_interrupts(_: Sender<Event>) -> io::Result<()> {
    Ok(())
}

/// Restores the terminal: once, as that moves the cursor.
fn restore() {
    if terminal::is_raw_mode_enabled().unwrap_or(false) {
        let _ = execute!(stdout(), DisableBracketedPaste);
        let _ = execute!(stdout(), DisableMouseCapture, Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// Writes what is needed so that `next` is shown instead of `shown`: the rows that differ.
fn write_changes(out: &mut impl Write, shown: Option<&Buffer>, next: &Buffer) -> io::Result<()> {
    queue!(out, BeginSynchronizedUpdate)?;
    for (y, row) in next.rows.iter().enumerate() {
        if shown.is_some_and(|shown| shown.rows[y] == *row) {
            continue;
        }
        let y = y as u16;
        queue!(out, MoveTo(0, y), SetAttribute(Attribute::Reset), Clear(ClearType::UntilNewLine))?;
        for (x, (text, style)) in row {
            queue!(out, MoveTo(*x, y), SetAttribute(Attribute::Reset), SetStyle(*style), Print(text))?;
        }
    }
    match next.cursor {
        Some((x, y)) => queue!(out, MoveTo(x, y), Show),
        None => queue!(out, Hide),
    }?;
    queue!(out, SetAttribute(Attribute::Reset), EndSynchronizedUpdate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::style::{Color, ContentStyle, Stylize};

    #[test]
    fn rows_that_change_are_written() {
        crossterm::style::force_color_output(true);
        let mut buffer = Buffer::new(5, 2);
        let style = ContentStyle::new().with(Color::AnsiValue(160)).on(Color::AnsiValue(16)).bold();
        buffer.put((1, 0), 4, "炮b", style);
        buffer.put((4, 0), 1, "c", ContentStyle::new().underlined());
        buffer.cursor = Some((4, 0));
        let written = |shown: Option<&Buffer>, next: &Buffer| {
            let mut bytes = Vec::new();
            write_changes(&mut bytes, shown, next).unwrap();
            let text = String::from_utf8(bytes).unwrap().replace('\x1b', "^");
            text.replace("^[?2026h", "").replace("^[0m^[?2026l", "")
        };
        let first = "^[1;1H^[0m^[K^[1;2H^[0m^[48;5;16m^[38;5;160m^[1m炮b^[1;5H^[0m^[4mc";
        assert_eq!(written(None, &buffer), format!("{first}^[2;1H^[0m^[K^[1;5H^[?25h"));
        let blank = Buffer::new(5, 2);
        assert_eq!(written(Some(&buffer), &buffer), "^[1;5H^[?25h");
        assert_eq!(written(Some(&blank), &buffer), format!("{first}^[1;5H^[?25h"));
        assert_eq!(written(Some(&buffer), &blank), "^[1;1H^[0m^[K^[?25l");
    }
}
