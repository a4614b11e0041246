//! Text of other people on a terminal: what would drive it is made visible.
//!
//! A tag value may hold escape sequences that recolour the screen or rename
//! the window, and marks that turn the reading direction so that a line shows
//! something else than it says.

use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a character would drive the terminal or turn the text around.
const fn is_driving(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' // C0, DEL, C1
        | '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' // invisible and direction marks
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' // separators, embeddings, isolates
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_bad = |c: char| is_driving(c) && !keep(c);
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !is_bad(c) => safe.push(c),
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            c => {
                // The standard's own notation for what cannot be shown.
                safe.push_str("\\u{");
                safe.extend(char::escape_unicode(c).skip(3));
            }
        }
    }
    Cow::Owned(safe)
}

/// Text that is to stay on one line.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// Text that may have line breaks and tabs.
pub fn text(text: &str) -> Cow<'_, str> {
    escape(text, |c| matches!(c, '\n' | '\t'))
}

/// A writer that makes data safe on their way to a terminal. Data in a pipe
/// or a file are never changed: there it is not used.
pub struct TerminalEscaper<W> {
    inner: W,
    /// The beginning of a character whose rest has not come yet.
    partial: Vec<u8>,
}

impl<W: Write> TerminalEscaper<W> {
    /// Guards a writer.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            partial: Vec::new(),
        }
    }
}

impl<W: Write> Write for TerminalEscaper<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.partial.extend_from_slice(bytes);
        // Keep back at most the three bytes of an unfinished character.
        let ready = match std::str::from_utf8(&self.partial) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.partial.len(),
        };
        let safe = String::from_utf8_lossy(&self.partial[..ready]);
        let safe = escape(&safe, |c| matches!(c, '\n' | '\r' | '\t')).into_owned();
        self.inner.write_all(safe.as_bytes())?;
        self.partial.drain(..ready);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_drives_a_terminal_is_shown() {
        assert!(matches!(line("Réti, Richárd 王"), Cow::Borrowed(_)));
        assert_eq!(line("a\u{1b}[31mred"), "a\\u{1b}[31mred");
        assert_eq!(line("two\nlines\t."), "two\\nlines\\t.");
        assert_eq!(text("two\nlines\u{7}"), "two\nlines\\u{7}");
        assert_eq!(line("\u{202e}dlrow"), "\\u{202e}dlrow");
        assert_eq!(line("\u{9b}2J"), "\\u{9b}2J");
    }

    #[test]
    fn the_guard_survives_characters_cut_in_two() -> io::Result<()> {
        let mut seen = Vec::new();
        let mut guard = TerminalEscaper::new(&mut seen);
        for byte in "é\u{1b}\n王".bytes() {
            guard.write_all(&[byte])?;
        }
        guard.flush()?;
        assert_eq!(seen, "é\\u{1b}\n王".as_bytes());
        Ok(())
    }
}
