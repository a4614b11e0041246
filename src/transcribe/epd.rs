//! Lines of EPD and FEN, of chess and of draughts.

use super::{Hints, Text, Transcript, text::first_line};
use crate::{diagnostic::Code, source::chunk::Lines};

/// Every line is a record of its own.
pub(super) const LINES: Lines = Lines {
    name: "EPD",
    begins: |_, _| true,
};

/// First bytes of comment lines.
const COMMENTS: &[u8] = b"#;%";

/// Whether the first line is a position.
pub(super) fn sniff(beginning: &[u8]) -> bool {
    first_line(beginning, COMMENTS).is_some_and(is_position)
}

/// Whether a line begins with what can be the men of a position: ranks between
/// slashes, or the sides of a position of draughts between colons.
fn is_position(line: &[u8]) -> bool {
    let end = line.iter().position(u8::is_ascii_whitespace);
    let first = &line[..end.unwrap_or(line.len())];
    let slashes = memchr::memchr_iter(b'/', first).count();
    let colons = memchr::memchr_iter(b':', first).count();
    slashes >= 3 || (colons == 2 && matches!(first, [b'W' | b'B' | b'w' | b'b', b':', ..]))
}

pub(super) fn transcribe(text: &Text<'_>, _: &Hints, out: &mut Transcript) {
    for line in text.lines() {
        match line.bytes.first() {
            None => continue,
            Some(first) if COMMENTS.contains(first) => continue,
            Some(_) => {}
        }
        let (written, _) = text.decode(line.bytes);
        if is_position(line.bytes) {
            out.begin(line.at);
            out.tag("FEN", &written);
            out.tag("SetUp", "1");
        } else {
            out.reject(Code::BadFen, line.at, written.into_owned());
        }
    }
    out.end();
}
