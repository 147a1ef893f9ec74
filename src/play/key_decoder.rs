//! Decodes what a terminal sends: characters in UTF-8, control characters, escape sequences of keys, mouse and pastes.
//!
//! What cannot be decoded is dropped, and nothing that follows it. The sequences are those of xterm ("XTerm Control
//! Sequences"), and of the Linux console for F1 to F5.

use super::event::{Event, Key};

const ESCAPE: u8 = 0x1b;
/// What ends a paste.
const PASTE_END: &[u8] = b"\x1b[201~";
/// Bytes of a paste kept at most.
const MAX_PASTE: usize = 1 << 16;
/// Bytes of an escape sequence at most.
const MAX_SEQUENCE: usize = 32;

/// Decodes bytes as they come.
#[derive(Default)]
pub struct KeyDecoder {
    /// The beginning of a character or an escape sequence.
    pending: Vec<u8>,
    /// The text of a paste that has not ended.
    paste: Option<Paste>,
}

/// A paste.
#[derive(Default)]
struct Paste {
    /// Its first bytes.
    text: Vec<u8>,
    /// Its last bytes, as many as may be a part of its end.
    tail: Vec<u8>,
}

/// What the pending bytes are.
enum Decoded {
    /// The beginning of something.
    Incomplete,
    /// Something, perhaps without an event.
    Complete(Option<Event>),
    /// Nothing: the last byte is not a part of what the others begin.
    Broken,
}

impl KeyDecoder {
    /// Decodes bytes and adds the events to `events`.
    pub fn decode(&mut self, bytes: &[u8], events: &mut Vec<Event>) {
        for &byte in bytes {
            if let Some(paste) = &mut self.paste {
                if paste.push(byte) {
                    events.extend(self.finish());
                }
                continue;
            }
            self.pending.push(byte);
            match decode(&self.pending) {
                Decoded::Incomplete => {}
                Decoded::Complete(event) => {
                    if self.pending == b"\x1b[200~" {
                        self.paste = Some(Paste::default());
                    }
                    self.pending.clear();
                    events.extend(event);
                }
                Decoded::Broken => {
                    // A lone Escape before another sequence is the key.
                    events.extend((self.pending == [ESCAPE, ESCAPE]).then_some(Event::Key(Key::Escape)));
                    self.pending.clear();
                    if let Decoded::Complete(event) = decode(&[byte]) {
                        events.extend(event);
                    } else {
                        self.pending.push(byte);
                    }
                }
            }
        }
    }

    /// The event of what has begun, when nothing follows: the key Escape, or a paste without an end.
    pub fn finish(&mut self) -> Option<Event> {
        if let Some(paste) = self.paste.take() {
            return Some(Event::Paste(String::from_utf8_lossy(&paste.text).into_owned()));
        }
        let is_escape = self.pending == [ESCAPE];
        // A half character may still be completed.
        if self.pending.first() == Some(&ESCAPE) {
            self.pending.clear();
        }
        is_escape.then_some(Event::Key(Key::Escape))
    }
}

impl Paste {
    /// Adds a byte; whether the paste ends with it.
    fn push(&mut self, byte: u8) -> bool {
        self.tail.push(byte);
        if self.tail == PASTE_END {
            return true;
        }
        // What does not begin the end belongs to the text.
        while !PASTE_END.starts_with(&self.tail) {
            let first = self.tail.remove(0);
            if self.text.len() < MAX_PASTE {
                self.text.push(first);
            }
        }
        false
    }
}

fn decode(bytes: &[u8]) -> Decoded {
    match bytes {
        [ESCAPE] => Decoded::Incomplete,
        [ESCAPE, ESCAPE] => Decoded::Broken,
        [ESCAPE, b'[', rest @ ..] => sequence(rest),
        [ESCAPE, b'O'] => Decoded::Incomplete,
        [ESCAPE, b'O', letter] => Decoded::Complete(letter_key(*letter)),
        // With Alt.
        [ESCAPE, rest @ ..] => decode(rest),
        [b'\r' | b'\n'] => Decoded::Complete(Some(Event::Key(Key::Enter))),
        [0x08 | 0x7f] => Decoded::Complete(Some(Event::Key(Key::Backspace))),
        [b'\t'] => Decoded::Complete(Some(Event::Key(Key::Other))),
        [control @ 0x01..=0x1a] => {
            let letter = char::from(control - 1 + b'a');
            Decoded::Complete(Some(Event::Key(Key::Control(letter))))
        }
        [0x00..=0x1f] => Decoded::Complete(None),
        _ => character(bytes),
    }
}

fn character(bytes: &[u8]) -> Decoded {
    match str::from_utf8(bytes) {
        Ok(text) => Decoded::Complete(text.chars().next().map(|letter| Event::Key(Key::Character(letter)))),
        Err(error) if error.error_len().is_none() => Decoded::Incomplete,
        // A byte that begins no character.
        Err(_) if bytes.len() == 1 => Decoded::Complete(None),
        Err(_) => Decoded::Broken,
    }
}

/// A control sequence, without its introducer.
fn sequence(bytes: &[u8]) -> Decoded {
    let Some((&last, parameters)) = bytes.split_last() else { return Decoded::Incomplete };
    match (parameters, last) {
        // The Linux console: F1 to F5.
        ([], b'[') => Decoded::Incomplete,
        ([b'['], b'A'..=b'E') => Decoded::Complete(Some(Event::Key(Key::Function(last - b'A' + 1)))),
        // The mouse of old terminals: three bytes follow.
        ([], b'M') | ([b'M', ..], _) => match parameters {
            [b'M', button, column] => {
                let [button, column, row] = [*button, *column, last].map(|byte| u16::from(byte.saturating_sub(32)));
                Decoded::Complete(mouse(button & !3, column, row, button & 3 != 3, button & 3))
            }
            _ => Decoded::Incomplete,
        },
        (_, 0x20..=0x3f) if bytes.len() < MAX_SEQUENCE => Decoded::Incomplete,
        ([b'<', parameters @ ..], b'M' | b'm') => {
            let numbers: Vec<u16> = numbers(parameters).collect();
            let &[button, column, row] = &numbers[..] else { return Decoded::Complete(None) };
            Decoded::Complete(mouse(button & !3, column, row, last == b'M', button & 3))
        }
        (_, b'~') => Decoded::Complete(numbers(parameters).next().and_then(numbered_key)),
        (_, 0x40..=0x7e) => Decoded::Complete(letter_key(last)),
        _ => Decoded::Broken,
    }
}

/// The numbers of a sequence; what is none counts as 0.
fn numbers(parameters: &[u8]) -> impl Iterator<Item = u16> {
    parameters
        .split(|&byte| byte == b';')
        .map(|number| str::from_utf8(number).ok()?.parse().ok())
        .map(Option::unwrap_or_default)
}

/// A button pressed or released; `None` for what moves or turns (`flags`).
fn mouse(flags: u16, column: u16, row: u16, is_pressed: bool, button: u16) -> Option<Event> {
    const MOTION_OR_WHEEL: u16 = 32 | 64 | 128;
    let (column, row) = (column.saturating_sub(1), row.saturating_sub(1));
    match (is_pressed, button) {
        _ if flags & MOTION_OR_WHEEL != 0 => None,
        (true, 0..=2) => Some(Event::MouseDown { is_left: button == 0, column, row }),
        // Old terminals do not say which button was released.
        (false, 0 | 3) => Some(Event::MouseUp { column, row }),
        _ => None,
    }
}

/// The key of a sequence that ends with a letter.
fn letter_key(letter: u8) -> Option<Event> {
    Some(Event::Key(match letter {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'M' => Key::Enter,
        b'P'..=b'S' => Key::Function(letter - b'P' + 1),
        _ => return None,
    }))
}

/// The key of a sequence that ends with `~`, by its first number.
fn numbered_key(number: u16) -> Option<Event> {
    let function = match number {
        11..=15 => number - 10,
        17..=21 => number - 11,
        23 | 24 => number - 12,
        _ => return None,
    };
    Some(Event::Key(Key::Function(function as u8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of bytes that come in these parts, each as a short text.
    fn events(parts: &[&[u8]]) -> Vec<String> {
        let (mut decoder, mut events) = (KeyDecoder::default(), Vec::new());
        parts.iter().for_each(|part| decoder.decode(part, &mut events));
        events.extend(decoder.finish());
        let text = |event: &Event| match event {
            Event::Key(Key::Character(letter)) => letter.to_string(),
            Event::Key(Key::Control(letter)) => format!("^{letter}"),
            Event::Key(Key::Function(number)) => format!("F{number}"),
            Event::Key(key) => format!("{key:?}"),
            Event::MouseDown { is_left, column, row } => {
                format!("{} down {column} {row}", if *is_left { "left" } else { "other" })
            }
            Event::MouseUp { column, row } => format!("up {column} {row}"),
            Event::Paste(text) => format!("paste {text}"),
        };
        events.iter().map(text).collect()
    }

    #[test]
    fn half_a_character_takes_nothing_with_it() {
        assert_eq!(events(&[b"\xe7\x82h2"]), ["h", "2"]);
        assert_eq!(events(&[b"\xe7\x82\x03"]), ["^c"]);
        assert_eq!(events(&[b"\xe7\x1b[A"]), ["Up"]);
        assert_eq!(events(&[b"\xe7\xe7\x82\xae\xffa\x82b\xc0c"]), ["炮", "a", "b", "c"]);
        assert_eq!(events(&[b"\xe7", b"\x82", b"\xae"]), ["炮"], "a character may come in parts");
    }

    #[test]
    fn keys_are_decoded() {
        for (bytes, key) in [
            (&b"\x1b[A"[..], "Up"),
            (b"\x1b[1;5B", "Down"),
            (b"\x1bOC", "Right"),
            (b"\x1bOD", "Left"),
            (b"\x1bOP", "F1"),
            (b"\x1b[12~", "F2"),
            (b"\x1b[15~", "F5"),
            (b"\x1b[17~", "F6"),
            (b"\x1b[19~", "F8"),
            (b"\x1b[[E", "F5"),
            (b"\r", "Enter"),
            (b"\x7f", "Backspace"),
            (b"\x1a", "^z"),
            (b"\x1b", "Escape"),
            (b"\x1bx", "x"),
            (b"\x1b[<0;12;3M", "left down 11 2"),
            (b"\x1b[<2;12;3M", "other down 11 2"),
            (b"\x1b[<0;12;3m", "up 11 2"),
            (b"\x1b[M ,#", "left down 11 2"),
            (b"\x1b[M#,#", "up 11 2"),
        ] {
            assert_eq!(events(&[bytes]), [key], "{bytes:?}");
            assert_eq!(
                events(&[b"a", bytes, b"b"]),
                ["a", key, "b"]
                    .map(|text| text.replace("Escape", ""))
                    .into_iter()
                    .filter(|text| !text.is_empty())
                    .collect::<Vec<_>>(),
                "{bytes:?}"
            );
        }
        assert_eq!(events(&[b"\x1b\x1b[A"]), ["Escape", "Up"]);
    }

    #[test]
    fn unknown_sequences_are_passed_over() {
        for bytes in [
            &b"\x1b[3~"[..],
            b"\x1b[<35;1;1M",
            b"\x1b[<64;5;5M",
            b"\x1b[<2;5;5m",
            b"\x1b[?62;4c",
            b"\x1b[I",
            b"\0",
            b"\x1b[",
        ] {
            assert!(events(&[bytes]).is_empty(), "{bytes:?}");
        }
        assert_eq!(events(&[b"\x1b[12\x03"]), ["^c"], "a broken sequence");
    }

    #[test]
    fn pastes_are_one_event_and_bounded() {
        assert_eq!(events(&[b"\x1b[200~h2e2\x1b[20\x1b[20", b"1~x"]), ["paste h2e2\u{1b}[20", "x"]);
        assert_eq!(events(&[b"\x1b[200~a"]), ["paste a"], "without an end");
        let long = [b"\x1b[200~", &vec![b'a'; 10 * MAX_PASTE][..], PASTE_END, b"b"].concat();
        let events = events(&[&long]);
        assert_eq!((events.len(), events[0].len(), events[1].as_str()), (2, MAX_PASTE + "paste ".len(), "b"));
    }
}
