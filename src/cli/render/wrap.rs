//! Texts over several lines.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::cli::terminal::{DIM, TerminalInfo};

/// Narrower than this a text is hard to read.
const ROOM_MIN: usize = 20;

/// Writes a text in lines that fit the screen, below each other beside a label. Lines end after
/// `separator`: `", "` keeps the names of a list together, `" "` the words of a sentence.
pub fn wrapped(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    label: &str,
    (text, separator): (&str, &str),
) -> io::Result<()> {
    let room = screen.columns.saturating_sub(label.width()).max(ROOM_MIN);
    let mut lines = vec![String::new()];
    for part in text.split_inclusive(separator) {
        match lines.last_mut() {
            Some(line) if line.is_empty() || line.width() + part.trim_end().width() <= room => {
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    let indent = " ".repeat(label.width());
    for (at, line) in lines.iter().enumerate() {
        let label = if at == 0 { label } else { &indent };
        writeln!(out, "{}{}", screen.paint(DIM, label), line.trim_end())?;
    }
    Ok(())
}
