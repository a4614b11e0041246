//! What stands around records that are found by signs of their own: text and HTML.

use super::{prose::without_tags, text};

/// Bytes of the text above a record that are kept.
const TEXT_BYTES_MAX: usize = 4096;

/// The text around a record as it may stand in a comment: without HTML, numbers of lists and
/// blanks; empty where it says nothing.
pub(super) fn text_of(around: &str) -> String {
    let from = around.ceil_char_boundary(around.len().saturating_sub(TEXT_BYTES_MAX));
    let plain = without_tags(&around[from..]);
    let words: Vec<&str> = plain.split_whitespace().collect();
    let text = words.join(" ");
    if text.contains(char::is_alphabetic) {
        text
    } else {
        String::new()
    }
}

/// A text as it may stand between braces, and on one line.
pub(super) fn comment_text(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('{', "(").replace('}', ")")
}

/// Whether what stands at a place of a text is quoted by a game of PGN.
pub(super) fn is_quoted(text: &str, at: usize) -> bool {
    text[..at]
        .lines()
        .any(|line| text::is_tag(line.trim().as_bytes()))
}
