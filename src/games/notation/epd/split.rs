//! Operations as text: opcodes, operands, quotes and semicolons.

use super::{Operand, opcode::is_name};

/// An operation as it is written.
pub(super) struct RawOperation<'t> {
    pub(super) opcode: &'t str,
    /// Texts and words.
    pub(super) operands: Vec<Operand>,
    /// Without the semicolon at its end, with a quote that is never closed, or
    /// with a name that is none.
    pub(super) odd: bool,
}

/// Cuts operations apart. Semicolons may stand before them as well (`;D1 20 ;D2
/// 400`); those in quotes do not count.
pub(super) fn operations(text: &str) -> Vec<RawOperation<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(ends_word);
        if rest.is_empty() {
            return found;
        }
        let end = rest.find(ends_word).unwrap_or(rest.len());
        let mut raw = RawOperation {
            opcode: &rest[..end],
            operands: Vec::new(),
            odd: !is_name(&rest[..end]),
        };
        rest = &rest[end..];
        loop {
            rest = rest.trim_start();
            match rest.chars().next() {
                None => {
                    raw.odd = true;
                    break;
                }
                Some(';') => break,
                Some('"') => {
                    let (text, after, closed) = quoted(&rest[1..]);
                    raw.odd |= !closed;
                    raw.operands.push(Operand::Text(text));
                    rest = after;
                }
                Some(_) => {
                    let end = rest.find(ends_word).unwrap_or(rest.len());
                    raw.operands.push(Operand::Word(rest[..end].to_owned()));
                    rest = &rest[end..];
                }
            }
        }
        found.push(raw);
    }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || c == ';'
}

/// Reads up to the closing quote: the text, what follows it, whether there was one.
/// A backslash keeps a quote or another backslash from counting.
fn quoted(text: &str) -> (String, &str, bool) {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (out, &text[at + 1..], true),
            '\\' if text[at + 1..].starts_with(['"', '\\']) => {
                out.extend(chars.next().map(|(_, c)| c));
            }
            _ => out.push(c),
        }
    }
    (out, "", false)
}
