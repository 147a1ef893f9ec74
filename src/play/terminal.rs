//! The terminal: its modes, its size, and what it shows.
//!
//! The sequences are those of xterm ("XTerm Control Sequences").

use super::buffer::{Buffer, Cell, Style};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The alternate screen.
const ENTER: &str = "\x1b[?1049h";
/// The cursor, and the screen that was there before.
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// The terminal with a screen of its own. Dropped, also by a panic, it is as it was.
pub struct Terminal {
    modes: Arc<Modes>,
    /// What is shown; `None`: unknown.
    shown: Option<Buffer>,
}

impl Terminal {
    /// Opens a screen on the terminal of standard input and output. A panic from now on restores the terminal before it is
    /// told.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub fn open() -> io::Result<Terminal> {
        let modes = Arc::new(Modes { before: system::make_raw()?, is_changed: AtomicBool::new(true) });
        let (hook, of_hook) = (panic::take_hook(), modes.clone());
        panic::set_hook(Box::new(move |panic| {
            of_hook.restore();
            hook(panic);
        }));
        let terminal = Terminal { modes, shown: None };
        write(ENTER)?;
        system::begin_input()?;
        Ok(terminal)
    }

    /// A blank buffer of the size of the terminal.
    ///
    /// # Errors
    /// When the size cannot be read.
    pub fn buffer(&self) -> io::Result<Buffer> {
        let (width, height) = system::size()?;
        Ok(Buffer::new(width, height))
    }

    /// Shows a buffer.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn show(&mut self, buffer: Buffer) -> io::Result<()> {
        let shown = self.shown.take().filter(|shown| shown.area() == buffer.area());
        if shown.as_ref() != Some(&buffer) {
            write(&update(shown, &buffer))?;
        }
        self.shown = Some(buffer);
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.modes.restore();
    }
}

/// The modes of the terminal.
struct Modes {
    before: system::Modes,
    /// Whether they are to be restored: once, as that moves the cursor.
    is_changed: AtomicBool,
}

impl Modes {
    fn restore(&self) {
        if self.is_changed.swap(false, Ordering::Relaxed) {
            let _ = system::end_input();
            let _ = write(LEAVE);
            let _ = system::restore(&self.before);
        }
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// What to write so that `next` is shown instead of `shown`: the cells that differ.
fn update(shown: Option<Buffer>, next: &Buffer) -> String {
    let (mut text, shown) = match shown {
        Some(shown) => (String::new(), shown),
        None => ("\x1b[2J".to_string(), Buffer::new(next.area().width, next.area().height)),
    };
    let width = usize::from(next.area().width);
    let mut style = Style::default();
    // Where the cursor is, if that is known: terminals do not agree on the width of all characters.
    let mut place = None;
    for (index, cell) in next.cells().iter().enumerate() {
        if *cell == shown.cells()[index] || cell.is_covered() {
            continue;
        }
        if place != Some(index) {
            move_to(&mut text, index % width, index / width);
        }
        if cell.style != style {
            style = cell.style;
            select(&mut text, style);
        }
        text.extend(cell.characters());
        let is_narrow = !cell.has_marks() && !next.cells().get(index + 1).is_some_and(Cell::is_covered);
        place = Some(index + 1).filter(|next| is_narrow && next % width > 0);
    }
    if style != Style::default() {
        select(&mut text, Style::default());
    }
    match next.cursor {
        Some((x, y)) => {
            move_to(&mut text, x.into(), y.into());
            text.push_str("\x1b[?25h");
        }
        None => text.push_str("\x1b[?25l"),
    }
    text
}

/// Moves the cursor to a column and row, from 0.
fn move_to(text: &mut String, x: usize, y: usize) {
    let _ = write!(text, "\x1b[{};{}H", y + 1, x + 1);
}

/// Selects the style of what is written next.
fn select(text: &mut String, style: Style) {
    text.push_str("\x1b[0");
    for (is_set, parameter) in [(style.is_bold, ";1"), (style.is_underlined, ";4"), (style.is_reversed, ";7")] {
        text.push_str(if is_set { parameter } else { "" });
    }
    for (layer, color) in [(38, style.foreground), (48, style.background)] {
        if let Some(color) = color {
            let _ = write!(text, ";{layer};5;{color}");
        }
    }
    text.push('m');
}

#[cfg(unix)]
mod system {
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
    use std::io;

    pub type Modes = Termios;

    /// Lets every key through at once and unseen. Returns the modes before.
    pub fn make_raw() -> io::Result<Modes> {
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        restore(&raw)?;
        Ok(before)
    }

    pub fn restore(modes: &Modes) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, modes)?)
    }

    /// Columns and rows.
    pub fn size() -> io::Result<(u16, u16)> {
        let size = tcgetwinsize(io::stdout())?;
        Ok((size.ws_col, size.ws_row))
    }

    /// Clicks with places in digits, and marks around pastes.
    pub fn begin_input() -> io::Result<()> {
        super::write("\x1b[?1000h\x1b[?1006h\x1b[?2004h")
    }

    pub fn end_input() -> io::Result<()> {
        super::write("\x1b[?2004l\x1b[?1006l\x1b[?1000l")
    }
}

#[cfg(windows)]
mod system {
    use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
    use crossterm::{ansi_support, execute, terminal};
    use std::io;

    pub struct Modes;

    /// Lets every key through at once and unseen, and turns on escape sequences.
    pub fn make_raw() -> io::Result<Modes> {
        if !ansi_support::supports_ansi() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        terminal::enable_raw_mode()?;
        Ok(Modes)
    }

    pub fn restore(_: &Modes) -> io::Result<()> {
        terminal::disable_raw_mode()
    }

    /// Columns and rows.
    pub fn size() -> io::Result<(u16, u16)> {
        terminal::size()
    }

    pub fn begin_input() -> io::Result<()> {
        execute!(io::stdout(), EnableMouseCapture)
    }

    pub fn end_input() -> io::Result<()> {
        execute!(io::stdout(), DisableMouseCapture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::buffer::Rect;

    /// What is written when the second text is shown instead of the first one.
    fn change(from: &str, to: &str) -> String {
        let buffer = |text: &str| {
            let mut buffer = Buffer::new(4, 2);
            buffer.set_wrapped(Rect::new(0, 0, 4, 2), [text], Style::default());
            buffer
        };
        update(Some(buffer(from)), &buffer(to)).replace('\x1b', "^")
    }

    #[test]
    fn only_what_changes_is_written() {
        assert_eq!(change("abc", "abc"), "^[?25l");
        assert_eq!(change("abc", "axy"), "^[1;2Hxy^[?25l");
        assert_eq!(change("abcd ef", "xbcy zf"), "^[1;1Hx^[1;4Hy^[2;1Hz^[?25l", "rows are apart");
        assert_eq!(change("炮炮", "炮马"), "^[1;3H马^[?25l");
        assert_eq!(change("炮炮", "a炮"), "^[1;1Ha炮^[1;4H ^[?25l", "each half of 炮 is replaced");
        assert_eq!(change("abcd", "炮炮"), "^[1;1H炮^[1;3H炮^[?25l", "the width of 炮 is not relied on");
        assert_eq!(change("ab", "b\u{301}c"), "^[1;1Hb\u{301}^[1;2Hc^[?25l");
    }

    #[test]
    fn a_screen_of_unknown_content_is_drawn_whole() {
        let mut buffer = Buffer::new(5, 1);
        let style = Style { foreground: Some(160), background: Some(16), is_reversed: true, ..Style::BOLD };
        buffer.set_string(Rect::new(1, 0, 2, 1), "ab", style);
        buffer.set_string(Rect::new(3, 0, 1, 1), "c", Style { is_underlined: true, ..Style::default() });
        buffer.cursor = Some((4, 0));
        let written = update(None, &buffer).replace('\x1b', "^");
        assert_eq!(written, "^[2J^[1;2H^[0;1;7;38;5;160;48;5;16mab^[0;4mc^[0m^[1;5H^[?25h");
    }
}
