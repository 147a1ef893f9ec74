//! What a player does at a terminal.

/// A key, a click or a paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// A button of the mouse was pressed.
    MouseDown {
        /// Whether it is the left one.
        is_left: bool,
        /// The column, from 0.
        column: u16,
        /// The row, from 0.
        row: u16,
    },
    /// The left button of the mouse was released.
    MouseUp {
        /// The column, from 0.
        column: u16,
        /// The row, from 0.
        row: u16,
    },
    /// A text was pasted.
    Paste(String),
}

/// A key; with Alt, the same as without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Key {
    Character(char),
    /// A letter with Ctrl.
    Control(char),
    /// A function key, from 1.
    Function(u8),
    Enter,
    Backspace,
    Escape,
    Up,
    Down,
    Left,
    Right,
    /// A key without a meaning here.
    Other,
}

/// Ctrl-C.
pub const INTERRUPT: Event = Event::Key(Key::Control('c'));
