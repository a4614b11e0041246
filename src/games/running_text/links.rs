//! Positions in links: `lichess.org/editor/r1bqkbnr/…_w_KQkq_-_0_1`, also with signs written
//! as `%2F` and `%20`, or with `+` for blanks.

use std::{borrow::Cow, ops::Range};

use super::fen_scanner;
use crate::games::variant::Variant;

/// Bytes of a link that are looked at from where a board may begin.
const LINK_BYTES_MAX: usize = 320;

/// Signs that end a position in a link.
const ENDS: &[u8] = b".\"'`<>()&#?,;\\";

/// The position of chess in a word that is a link, or is written as one.
pub(crate) fn position_in(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let bytes = &text.as_bytes()[word.clone()];
    let is_link = memchr::memchr3(b'_', b'%', b'?', bytes).is_some()
        || memchr::memmem::find(bytes, b"://").is_some();
    if !is_link {
        return None;
    }
    let begins = |at: &usize| {
        let (before, behind) = bytes.split_at(*at);
        let is_apart = matches!(
            before,
            [] | [.., b'/' | b'=' | b':' | b'(' | b'[' | b'"' | b'\''] | [.., b'%', _, _]
        );
        is_apart && begins_rank(behind)
    };
    (0..bytes.len()).filter(begins).find_map(|at| {
        let start = word.start + at;
        let end = text.floor_char_boundary((start + LINK_BYTES_MAX).min(word.end));
        let (plain, ends) = decoded(&text[start..end]);
        let board = plain.split(' ').next().unwrap_or_default();
        let is_usual = |b: u8| matches!(b, b'/' | b'~' | b'1'..=b'8') || is_piece(b);
        let pieces = board.split('[').next().unwrap_or_default();
        if !pieces.bytes().all(is_usual) || !fen_scanner::is_board(board.as_bytes(), true) {
            return None;
        }
        let last = fen_scanner::fields(&plain, board.len());
        Some(start..start + ends[last - 1])
    })
}

/// The name of a variant in a link, by the texts before and after its position: the last
/// folder (`lichess.org/analysis/crazyhouse/…`), or what is called so (`?variant=atomic`).
pub(crate) fn variant<'t>([before, behind]: [&'t str; 2]) -> Option<&'t str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | '<' | '>');
    let link = &before[before.rfind(ends).map_or(0, |at| at + 1)..];
    let rest = &behind[..behind.find(ends).unwrap_or(behind.len())];
    let of_query = |text: &'t str| {
        let mut fields = text.split(['?', '&', '#']);
        fields.find_map(|field| field.strip_prefix("variant="))
    };
    let folder = || link.strip_suffix('/')?.rsplit('/').next();
    let is_link = link.contains('.') && link.contains('/');
    let name = is_link.then(|| of_query(link).or_else(|| of_query(rest)).or_else(folder))?;
    name.filter(|name| Variant::named(name).is_some())
}

/// What the place of such a position says.
pub(crate) fn written(found: &str) -> Cow<'_, str> {
    let is_plain = !found.contains(['_', '%']) && !found.contains("+w+") && !found.contains("+b+");
    if is_plain {
        found.into()
    } else {
        decoded(found).0.into()
    }
}

const fn is_piece(byte: u8) -> bool {
    matches!(
        byte.to_ascii_lowercase(),
        b'p' | b'n' | b'b' | b'r' | b'q' | b'k'
    )
}

/// Whether bytes begin with eight squares and a slash.
fn begins_rank(bytes: &[u8]) -> bool {
    let mut squares = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'1'..=b'8' => squares += byte - b'0',
            b'~' => {}
            byte if is_piece(byte) => squares += 1,
            b'/' => return squares == 8,
            b'%' => return squares == 8 && bytes[at..].to_ascii_uppercase().starts_with(b"%2F"),
            _ => return false,
        }
        if squares > 8 {
            return false;
        }
    }
    false
}

/// A part of a link as plain text, up to what is no part of a position, and where each byte
/// of it ends in the link.
fn decoded(link: &str) -> (String, Vec<usize>) {
    let bytes = link.as_bytes();
    let has_pluses = !bytes.contains(&b'_');
    let (mut plain, mut ends) = (String::new(), Vec::new());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = link.get(at + 1..at + 3).filter(|_| byte == b'%');
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        at += if code.is_some() { 3 } else { 1 };
        let byte = match code.unwrap_or(byte) {
            b'_' => b' ',
            b'+' if has_pluses && code.is_none() => b' ',
            byte => byte,
        };
        let is_over = ENDS.contains(&byte) || byte == b'/' && plain.contains(' ');
        if is_over || !byte.is_ascii() || byte.is_ascii_control() {
            break;
        }
        plain.push(char::from(byte));
        ends.push(at);
    }
    (plain, ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_name_variants() {
        for (before, behind, wanted) in [
            (
                "https://lichess.org/analysis/crazyhouse/",
                "",
                Some("crazyhouse"),
            ),
            ("(lichess.org/editor/atomic/", ")", Some("atomic")),
            ("see https://lichess.org/analysis/none/", "", None),
            ("https://lichess.org/editor/", "?variant=horde.", None),
            (
                "https://lichess.org/editor/",
                "?color=white&variant=horde",
                Some("horde"),
            ),
            (
                "http://a.org/?variant=antichess&fen=",
                "",
                Some("antichess"),
            ),
            ("crazyhouse/", "", None),
        ] {
            assert_eq!(variant([before, behind]), wanted, "{before}{behind}");
        }
    }

    #[test]
    fn links_have_positions() {
        const BOARD: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
        let under = format!("{BOARD}_w_KQkq_-_2_3");
        let percents = format!("{BOARD} w KQkq - 2 3")
            .replace('/', "%2F")
            .replace(' ', "%20");
        let pluses = format!("{BOARD}+b+KQkq+-+2+3");
        for (link, wanted) in [
            (
                format!("https://lichess.org/editor/{under}"),
                "w KQkq - 2 3",
            ),
            (
                format!("(https://lichess.org/analysis/standard/{under})"),
                "w KQkq - 2 3",
            ),
            (
                format!("lichess.org/analysis/{under}?color=black"),
                "w KQkq - 2 3",
            ),
            (
                format!("https://lichess.org/analysis/{under}/black"),
                "w KQkq - 2 3",
            ),
            (
                format!("https://www.chess.com/analysis?fen={percents}&tab=x"),
                "w KQkq - 2 3",
            ),
            (
                format!("[see](https://chess.com/x?a=b&fen={percents})."),
                "w KQkq - 2 3",
            ),
            (format!("chess.com/analysis?fen={percents}"), "w KQkq - 2 3"),
            (format!("http://a.org/?fen={pluses}"), "b KQkq - 2 3"),
            (format!("http://a.org/{BOARD}.png"), ""),
            (under.clone(), "w KQkq - 2 3"),
        ] {
            let found = fen_scanner::all(&link);
            let found: Vec<_> = found
                .into_iter()
                .map(|at| written(&link[at]).into_owned())
                .collect();
            let wanted = format!("{BOARD} {wanted}");
            assert_eq!(found, [wanted.trim_end()], "{link}");
        }
        for link in [
            "https://lichess.org/analysis/standard/abc_w",
            "https://a.org/b/c/d/e/f/g/h/i?j=k",
            "https://lichess.org/analysis/8/8/8/8/8/8/8_w",
            "%%%%%%%%/%2",
        ] {
            assert_eq!(fen_scanner::all(link), [], "{link}");
        }
    }
}
