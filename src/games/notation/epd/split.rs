//! Operations as text: opcodes, operands, quotes and semicolons.

use super::opcode::is_name;

/// An operation as it is written.
pub(super) struct Raw<'t> {
    pub(super) opcode: &'t str,
    pub(super) operands: Vec<RawOperand>,
    /// Without the semicolon at its end, with a quote that is never closed, or
    /// with a name that is none.
    pub(super) odd: bool,
}

/// An operand as it is written, without its quotes.
pub(super) struct RawOperand {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// Cuts operations apart. Semicolons may stand before them as well (`;D1 20 ;D2
/// 400`); those in quotes do not count.
pub(super) fn operations(text: &str) -> Vec<Raw<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if rest.is_empty() {
            return found;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || c == ';')
            .unwrap_or(rest.len());
        let mut raw = Raw {
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
                    let (operand, after, closed) = quoted(&rest[1..]);
                    raw.odd |= !closed;
                    raw.operands.push(operand);
                    rest = after;
                }
                Some(_) => {
                    let end = rest
                        .find(|c: char| c.is_whitespace() || c == ';')
                        .unwrap_or(rest.len());
                    raw.operands.push(RawOperand {
                        text: rest[..end].to_owned(),
                        quoted: false,
                    });
                    rest = &rest[end..];
                }
            }
        }
        found.push(raw);
    }
}

/// Reads up to the closing quote: the text, what follows it, whether there was one.
/// A backslash keeps a quote or another backslash from counting.
fn quoted(text: &str) -> (RawOperand, &str, bool) {
    let mut out = String::new();
    let mut chars = text.char_indices();
    let operand = |text: String| RawOperand { text, quoted: true };
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (operand(out), &text[at + 1..], true),
            '\\' if text[at + 1..].starts_with(['"', '\\']) => {
                out.extend(chars.next().map(|(_, c)| c));
            }
            _ => out.push(c),
        }
    }
    (operand(out), "", false)
}
