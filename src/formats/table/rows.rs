//! The rows of a table: lines, but for the ends of lines that stand in quotes (RFC 4180).

use std::{borrow::Cow, collections::VecDeque};

use super::{fen_scanner, games, layout::cell_end};

/// Lines and bytes of a row at most; a quote that is not closed within them is a sign like
/// others.
const ROW_MAX: (usize, usize) = (64, 64 << 10);

/// Bytes above a line that are looked at to see whether it begins a row.
const ABOVE_BYTES: usize = 4096;

/// Lines with their places as rows, where cells are separated by a sign and may stand in
/// quotes; what goes on in another line has a blank there.
pub(super) fn joined<'l>(
    mut lines: impl Iterator<Item = (usize, Cow<'l, str>)>,
    delimiter: Option<char>,
) -> impl Iterator<Item = (usize, Cow<'l, str>)> {
    let mut ahead: VecDeque<(usize, Cow<'l, str>)> = VecDeque::new();
    std::iter::from_fn(move || {
        let (at, line) = ahead.pop_front().or_else(|| lines.next())?;
        let Some(delimiter) = delimiter.filter(|&delimiter| is_open(&line, delimiter)) else {
            return Some((at, line));
        };
        let mut whole = line.to_string();
        for nth in 0..ROW_MAX.0 {
            if ahead.len() == nth {
                ahead.extend(lines.next());
            }
            let Some((_, next)) = ahead.get(nth) else {
                break;
            };
            whole.push(' ');
            whole.push_str(next);
            if whole.len() > ROW_MAX.1 {
                break;
            }
            if next.contains('"') && !is_open(&whole, delimiter) {
                ahead.drain(..=nth);
                return Some((at, whole.into()));
            }
        }
        Some((at, line))
    })
}

/// Whether a cell of a line begins with a quote that is not closed in it.
fn is_open(line: &str, delimiter: char) -> bool {
    let mut rest = line;
    loop {
        let cell = rest.trim_start_matches(' ');
        if cell.strip_prefix('"').is_some_and(|rest| !is_closed(rest)) {
            return true;
        }
        let end = cell_end(rest, delimiter);
        if end == rest.len() {
            return false;
        }
        rest = &rest[end + delimiter.len_utf8()..];
    }
}

/// Whether a quote ends in the text after it, where a quote is written twice.
fn is_closed(quoted: &str) -> bool {
    let mut rest = quoted;
    while let Some((_, behind)) = rest.split_once('"') {
        match behind.strip_prefix('"') {
            Some(behind) => rest = behind,
            None => return true,
        }
    }
    false
}

/// Whether a line at an offset begins a row: it has its position outside of quotes that are
/// open, or the line above it is a complete row.
pub(super) fn begins(bytes: &[u8], at: usize) -> bool {
    let line = &bytes[at..];
    let end = memchr::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
    let line = String::from_utf8_lossy(&line[..end]);
    if position_at(&line).is_some() {
        return true;
    }
    let has_game = games::is_in_row(&line);
    let above = bytes[..at].trim_ascii_end();
    let above = &above[above.len().saturating_sub(ABOVE_BYTES)..];
    let from = memchr::memrchr2(b'\n', b'\r', above).map_or(0, |at| at + 1);
    let above = String::from_utf8_lossy(&above[from..]);
    if has_game {
        return games::is_in_row(&above);
    }
    position_at(&above).is_some() && quotes(&above).is_multiple_of(2)
}

/// Where the position of a row stands, if no quote is open before its own.
fn position_at(line: &str) -> Option<usize> {
    let cells = line.split(['\t', '|', ';', ',']);
    let mut cells =
        cells.filter(|cell| fen_scanner::is_position(cell.trim().trim_matches(['"', '`'])));
    let at = match cells.next() {
        Some(cell) => cell.as_ptr() as usize - line.as_ptr() as usize,
        None => fen_scanner::all(line).first()?.start,
    };
    let before = line[..at].trim_end();
    let before = before.strip_suffix('"').unwrap_or(before);
    quotes(before).is_multiple_of(2).then_some(at)
}

pub(super) fn quotes(text: &str) -> usize {
    memchr::memchr_iter(b'"', text.as_bytes()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    #[test]
    fn rows_go_on_within_quotes() {
        let text =
            format!("1,\"a\nb, \"\"c\"\"\n\",{A}\n2,x,{A}\n3,\"never closed,{A}\n4,\"\",{A}\n");
        let lines = text.lines().map(|line| (0, line.into()));
        let rows: Vec<String> = joined(lines, Some(','))
            .map(|(_, row)| row.replace(A, "A"))
            .collect();
        assert_eq!(
            rows,
            [
                "1,\"a b, \"\"c\"\" \",A",
                "2,x,A",
                "3,\"never closed,A",
                "4,\"\",A"
            ]
        );
    }

    #[test]
    fn rows_begin_outside_of_quotes() {
        let text = format!("1,\"a\nb\nc\",\"{A}\"\n2,\"x\",{A}\nno position\n{A},\"y\nz\"\n");
        let begins: Vec<&str> = text
            .match_indices('\n')
            .filter(|(at, _)| at + 1 < text.len() && begins(text.as_bytes(), at + 1))
            .map(|(at, _)| &text[at + 1..at + 3])
            .collect();
        assert_eq!(begins, ["2,", "no", "4k"]);
    }
}
