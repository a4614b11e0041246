//! What a reader of games keeps as text.

use std::borrow::Cow;

pub use super::buffers::Reading;
use super::variation_tree::Annotation;
use crate::pgn::parser::{ItemKind, RawGame, RawItem};

/// Turns the bytes of the source into text.
pub type TextDecoder<'d> = &'d dyn for<'b> Fn(&'b [u8]) -> Cow<'b, str>;

/// Keeps a game that cannot be played as text: the comments before its movetext,
/// and all of that.
pub fn keep_text(raw: &RawGame, bytes: &[u8], decode: TextDecoder<'_>, out: &mut Reading) {
    let before = raw
        .items
        .iter()
        .take_while(|item| item.offset < raw.movetext_span.0);
    for item in before {
        match item.kind {
            ItemKind::Comment => out.text(Annotation::Comment, &decode(raw.text(bytes, item))),
            ItemKind::LineComment => {
                out.text(Annotation::LineComment, &decode(raw.text(bytes, item)));
            }
            _ => {}
        }
    }
    keep_rest(raw, bytes, (raw.movetext_span.0, 0), decode, out);
}

/// Keeps what stands from an offset on, with a number before it unless that is 0.
pub(crate) fn keep_rest(
    raw: &RawGame,
    bytes: &[u8],
    (from, number): (u32, u32),
    decode: TextDecoder<'_>,
    out: &mut Reading,
) {
    let end = raw
        .termination
        .map_or(raw.movetext_span.1, |(start, _)| start);
    let rest = bytes.get(from as usize..end as usize).unwrap_or_default();
    let rest = decode(rest);
    let rest = rest.trim();
    match number {
        _ if rest.is_empty() => {}
        0 => out.text(Annotation::Rest, rest),
        number => out.text(Annotation::Rest, &format!("{number}. {rest}")),
    }
}

/// Where a word begins, the move number before it included.
pub(crate) fn with_number(bytes: &[u8], item: &RawItem) -> u32 {
    if item.value == 0 {
        return item.offset;
    }
    let before = bytes.get(..item.offset as usize).unwrap_or_default();
    let before = before.trim_ascii_end();
    let dots = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b')' | b':'))
        .count();
    let before = before[..before.len() - dots].trim_ascii_end();
    let digits = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits == 0 {
        return item.offset;
    }
    // What touches the number makes it one, without its own dot.
    let before = &before[..before.len() - digits];
    let touching = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b',' | b'"'));
    (before.len() - touching.count()) as u32
}
