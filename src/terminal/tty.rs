//! The terminal: its modes, what it shows, and what the player does at it.

use super::buffer::Buffer;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use crossterm::style::{Attribute, ContentStyle, Print, SetAttribute, SetStyle};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};
use std::io::{self, BufWriter, Write, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{panic, thread};

/// Ctrl-C.
pub const INTERRUPT: Event = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));

/// The terminal with a screen of its own. Dropped, also by a panic, it is as it was.
pub struct Terminal {
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
    pub fn open() -> io::Result<Terminal> {
        terminal::enable_raw_mode()?;
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore();
            hook(panic);
        }));
        // Reading blocks within an escape sequence or a paste that has not ended.
        let (sender, events) = channel();
        thread::spawn(move || {
            while let Ok(event) = event::read()
                && sender.send(event).is_ok()
            {}
        });
        let terminal = Terminal { shown: None, events };
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        // A console of Windows may have none.
        let _ = execute!(stdout(), EnableBracketedPaste);
        Ok(terminal)
    }

    /// A blank buffer of the size of the terminal.
    ///
    /// # Errors
    /// When the size cannot be read, as when the terminal is gone.
    pub fn buffer(&self) -> io::Result<Buffer> {
        let (width, height) = terminal::size()?;
        Ok(Buffer::new(width, height))
    }

    /// Shows a buffer.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn show(&mut self, buffer: Buffer) -> io::Result<()> {
        let shown = self.shown.take().filter(|shown| shown.area() == buffer.area());
        if shown.as_ref() != Some(&buffer) {
            let mut out = BufWriter::new(stdout().lock());
            write_changes(&mut out, shown, &buffer)?;
            out.flush()?;
        }
        self.shown = Some(buffer);
        Ok(())
    }

    /// Waits for an event, at most for `timeout`. Returns it and those that have come with it; an interrupt when no more can
    /// come.
    pub fn events(&self, timeout: Duration) -> Vec<Event> {
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

/// Restores the terminal: once, as that moves the cursor.
fn restore() {
    if terminal::is_raw_mode_enabled().unwrap_or(false) {
        let _ = execute!(stdout(), DisableBracketedPaste);
        let _ = execute!(stdout(), DisableMouseCapture, Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// Writes what is needed so that `next` is shown instead of `shown`: the cells that differ.
fn write_changes(out: &mut impl Write, shown: Option<Buffer>, next: &Buffer) -> io::Result<()> {
    if shown.is_none() {
        queue!(out, Clear(ClearType::All))?;
    }
    let shown = shown.unwrap_or_else(|| Buffer::new(next.area().width, next.area().height));
    let mut style = ContentStyle::default();
    for (y, (row, shown)) in (0..).zip(next.rows.iter().zip(&shown.rows)) {
        // Where the cursor is, if that is known: terminals do not agree on the width of all characters.
        let mut place = None;
        for (x, cell) in row.iter().enumerate() {
            if *cell == shown[x] || cell.text.is_empty() {
                continue;
            }
            if place != Some(x) {
                queue!(out, MoveTo(x as u16, y))?;
            }
            if cell.style != style {
                style = cell.style;
                queue!(out, SetAttribute(Attribute::Reset), SetStyle(style))?;
            }
            queue!(out, Print(&cell.text))?;
            let is_narrow = cell.text.chars().count() == 1 && !row.get(x + 1).is_some_and(|next| next.text.is_empty());
            place = Some(x + 1).filter(|_| is_narrow);
        }
    }
    queue!(out, SetAttribute(Attribute::Reset))?;
    match next.cursor {
        Some((x, y)) => queue!(out, MoveTo(x, y), Show),
        None => queue!(out, Hide),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::buffer::Rect;
    use crossterm::style::{Color, Stylize};

    fn written(shown: Option<Buffer>, next: &Buffer) -> String {
        let mut bytes = Vec::new();
        write_changes(&mut bytes, shown, next).unwrap();
        String::from_utf8(bytes).unwrap().replace('\x1b', "^")
    }

    /// What is written when the second text is shown instead of the first one, before the cursor is hidden.
    fn change(from: &str, to: &str) -> String {
        let buffer = |text: &str| {
            let mut buffer = Buffer::new(4, 2);
            buffer.set_wrapped(Rect::new(0, 0, 4, 2), [text], ContentStyle::default());
            buffer
        };
        written(Some(buffer(from)), &buffer(to)).replace("^[0m^[?25l", "")
    }

    #[test]
    fn only_what_changes_is_written() {
        assert_eq!(change("abc", "abc"), "");
        assert_eq!(change("abc", "axy"), "^[1;2Hxy");
        assert_eq!(change("abcd ef", "xbcy zf"), "^[1;1Hx^[1;4Hy^[2;1Hz", "rows are apart");
        assert_eq!(change("炮炮", "炮马"), "^[1;3H马");
        assert_eq!(change("炮炮", "a炮"), "^[1;1Ha炮^[1;4H ", "each half of 炮 is replaced");
        assert_eq!(change("abcd", "炮炮"), "^[1;1H炮^[1;3H炮", "the width of 炮 is not relied on");
        assert_eq!(change("ab", "b\u{301}c"), "^[1;1Hb\u{301}^[1;2Hc");
    }

    #[test]
    fn a_screen_of_unknown_content_is_drawn_whole() {
        crossterm::style::force_color_output(true);
        let mut buffer = Buffer::new(5, 1);
        let style = ContentStyle::new().with(Color::AnsiValue(160)).on(Color::AnsiValue(16)).bold();
        buffer.set_string(Rect::new(1, 0, 2, 1), "ab", style);
        buffer.set_string(Rect::new(3, 0, 1, 1), "c", ContentStyle::new().underlined());
        buffer.cursor = Some((4, 0));
        let whole = "^[2J^[1;2H^[0m^[48;5;16m^[38;5;160m^[1mab^[0m^[4mc^[0m^[1;5H^[?25h";
        assert_eq!(written(None, &buffer), whole);
    }
}
