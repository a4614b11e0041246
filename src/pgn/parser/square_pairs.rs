//! Runs of numbers in the movetext of PDN: moves, moves that stick together,
//! and results, by their spelling alone.

use super::word::leading_number;

/// The largest square number of any board (12x12).
const SQUARE_MAX: u32 = 72;

/// Scores that end games of draughts and cannot be moves.
const SCORES: [&[u8]; 6] = [b"1-0", b"0-1", b"2-0", b"0-2", b"1-1", b"0-0"];

/// Bytes of the separator between two squares at an offset, 0 if there is none.
pub(super) fn separator_len(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        [b'x' | b'X' | b':', ..] => 1,
        [0xC3, 0x97, ..] | [0xD1, 0x85, ..] | [0xD0, 0xA5, ..] => 2,
        rest => dash_len(rest),
    }
}

/// Bytes of the dash that a text begins with, 0 if there is none.
const fn dash_len(text: &[u8]) -> usize {
    match text {
        [b'-' | 0x96 | 0x97, ..] => 1,
        [0xE2, 0x80, 0x90..=0x95, ..] | [0xE2, 0x88, 0x92, ..] => 3,
        _ => 0,
    }
}

/// Bytes of what is left of a draw whose first `1` was taken for the last digit
/// of a move: `17x81 / 2-1 / 2`, `17x81/2-1/2`; 0 if it is not there.
pub(super) fn draw_tail_len(text: &[u8]) -> usize {
    let Some(half) = [b"/2".as_slice(), b" / 2"]
        .into_iter()
        .find(|half| text.starts_with(half))
    else {
        return 0;
    };
    let blank = |at: usize| at + usize::from(text.get(at) == Some(&b' '));
    let dash = blank(half.len());
    let len = dash_len(&text[dash..]);
    let second = blank(dash + len);
    let is_draw =
        len > 0 && text.get(second) == Some(&b'1') && text[second + 1..].starts_with(half);
    if is_draw { second + 1 + half.len() } else { 0 }
}

/// The file, from 0, whose letter a text begins with, and the bytes of the letter. A
/// Russian keyboard has letters that look or sound like it, in UTF-8 or windows-1251;
/// whether a rank follows is not checked.
pub(super) fn file(text: &[u8]) -> Option<(u8, usize)> {
    let (letter, len) = match *text {
        [letter @ (b'a'..=b'l' | b'A'..=b'L'), ..] => {
            return Some((letter.to_ascii_lowercase() - b'a', 1));
        }
        // The letters of both encodings are in one order.
        [0xD0, low @ 0x90..=0xBF, ..] => (low + 0x30, 2),
        [0xD1, low @ 0x80..=0x8F, ..] => (low + 0x70, 2),
        // Before anything but the rest of a letter in UTF-8.
        [letter @ 0xC0..=0xFF, 0..=0x7F, ..] => (letter, 1),
        _ => return None,
    };
    // Small letters come 32 after their capitals.
    let file = match letter & !0x20 {
        // А, then Б and В, С and Ц, Д, Е, Ф, Г and Ж, Н and Х.
        0xC0 => 0,
        0xC1 | 0xC2 => 1,
        0xD1 | 0xD6 => 2,
        0xC4 => 3,
        0xC5 => 4,
        0xD4 => 5,
        0xC3 | 0xC6 => 6,
        0xCD | 0xD5 => 7,
        _ => return None,
    };
    Some((file, len))
}

/// The runs of digits in a text: where each begins and ends.
pub(super) fn digit_runs(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(u8::is_ascii_digit)?;
        at = start + leading_number(&text[start..]).0;
        Some((start, at))
    })
}

fn is_square(digits: &[u8]) -> bool {
    matches!(digits.len(), 1 | 2) && (1..=SQUARE_MAX).contains(&leading_number(digits).1)
}

/// Whether every number of a text may be a square, and there are two at least.
pub(super) fn is_path(text: &[u8]) -> bool {
    let mut count = 0;
    digit_runs(text).all(|(start, end)| {
        count += 1;
        is_square(&text[start..end])
    }) && count >= 2
}

/// Whether four digits are two squares without a separator.
pub(super) fn is_compact(text: &[u8]) -> bool {
    text.len() == 4
        && text.iter().all(u8::is_ascii_digit)
        && is_square(&text[..2])
        && is_square(&text[2..])
        && text[..2] != text[2..]
}

/// Whether numbers are a move as practically all are written: two different
/// squares with a sign between them, no score. A shortcut past [`pair`] and
/// [`is_path`].
#[inline]
pub(super) fn is_plain_move(text: &[u8]) -> bool {
    let (from, sign, to) = match *text {
        [a, b, sign, c, d] => ([a, b], sign, [c, d]),
        [a, b, sign, d] if b.is_ascii_digit() => ([a, b], sign, [b'0', d]),
        [b, sign, c, d] => ([b'0', b], sign, [c, d]),
        _ => return false,
    };
    let number = |[tens, ones]: [u8; 2]| {
        let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
        if tens > 9 || ones > 9 {
            return 0;
        }
        tens * 10 + ones
    };
    let (from, to) = (number(from), number(to));
    // The squares of the greatest board; a score has a small number in it.
    matches!(sign, b'-' | b'x') && (3..=72).contains(&from) && (3..=72).contains(&to) && from != to
}

/// What two numbers with a dash or colon between them may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberPair {
    /// A score and no move: `2-0`, `1-1`.
    Score,
    /// A move, or the score of some match system: `4-6`.
    Either,
    /// A move.
    Move,
}

/// What a run of numbers may be.
pub(super) fn pair(text: &[u8]) -> NumberPair {
    let mut runs = digit_runs(text);
    let (Some(first), Some(second), None) = (runs.next(), runs.next(), runs.next()) else {
        return NumberPair::Move;
    };
    if text[first.1..second.0]
        .iter()
        .any(|byte| matches!(byte, b'x' | b'X' | 0xC3 | 0xD0 | 0xD1))
    {
        return NumberPair::Move;
    }
    let value = |(start, _)| leading_number(&text[start..]).1;
    match (value(first), value(second)) {
        (0..=2, 0) | (0, 1..=2) | (1, 1) => NumberPair::Score,
        _ => NumberPair::Either,
    }
}

/// Whether two spellings of a score are the same but for blanks.
pub(super) fn is_same_score(one: &[u8], other: &[u8]) -> bool {
    let bare = |byte: &&u8| !byte.is_ascii_whitespace();
    // Scores are short, whatever stands in the tag.
    one.len() <= 32 && other.len() <= 32 && one.iter().filter(bare).eq(other.iter().filter(bare))
}

/// Where the score begins that sticks to the end of a move: `17x81-0` is `17x8`
/// and `1-0`, as no board has a square 81.
pub(super) fn glued_score(text: &[u8]) -> Option<usize> {
    SCORES.iter().find_map(|score| {
        let before = text.strip_suffix(*score)?;
        (before.last().is_some_and(u8::is_ascii_digit) && is_path(before)).then_some(before.len())
    })
}

/// Where one move ends and the next begins within the run of digits `from..to`
/// in the middle of a text, if only one place is possible: `4-822-17` is `4-8 22-17`.
pub(super) fn glue(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut places = (from + 1..to)
        .filter(|&at| is_square(&text[from..at]) && is_square(&text[at..to]) && text[at] != b'0');
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

/// Bytes of a move of numbers at an offset, 0 if there is none. Blanks around
/// the first separator are part of it; zeros make it no move.
pub(super) fn numeric_move_len(bytes: &[u8], at: usize) -> usize {
    /// No recorded capture has more squares.
    const SQUARES_MAX: usize = 48;
    let square_end = |at: usize| {
        let near = bytes.get(at..bytes.len().min(at + 3)).unwrap_or_default();
        let (len, _) = leading_number(near);
        (len > 0 && is_square(&near[..len])).then_some(at + len)
    };
    let skip = |mut at: usize| {
        let start = at;
        while at < start + 2 && bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        at
    };
    let Some(mut end) = square_end(at) else {
        return 0;
    };
    let mut count = 1;
    while count < SQUARES_MAX {
        let before = if count == 1 { skip(end) } else { end };
        let mut next = before + separator_len(bytes, before);
        if next == before {
            break;
        }
        if count == 1 {
            next = skip(next);
        }
        let Some(square) = square_end(next) else {
            break;
        };
        end = square;
        count += 1;
    }
    if count < 2 { 0 } else { end - at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_scores() {
        for text in ["32-28", "06-11", "11x18x25", "1 - 5", "72-66"] {
            assert!(is_path(text.as_bytes()), "{text}");
            assert_eq!(numeric_move_len(text.as_bytes(), 0), text.len(), "{text}");
        }
        for text in ["2-0", "73-1", "4-822-17", "12"] {
            assert!(!is_path(text.as_bytes()), "{text}");
        }
        for text in ["2-0", "1 - 0", "1-1", "0:2", "0–1"] {
            assert_eq!(pair(text.as_bytes()), NumberPair::Score, "{text}");
        }
        for text in ["4-6", "38-26", "0-7"] {
            assert_eq!(pair(text.as_bytes()), NumberPair::Either, "{text}");
        }
        for text in ["1x1", "9-18-27", "2x0"] {
            assert_eq!(pair(text.as_bytes()), NumberPair::Move, "{text}");
        }
        assert!(is_compact(b"3228") && !is_compact(b"3200") && !is_compact(b"7328"));
    }

    #[test]
    fn files_in_the_letters_of_two_alphabets() {
        for (text, expected) in [
            ("a3", Some((0, 1))),
            ("L1", Some((11, 1))),
            ("с3", Some((2, 2))),
            ("Ц3", Some((2, 2))),
            ("х4", Some((7, 2))),
            ("ж4", Some((6, 2))),
            ("ш4", None),
            ("é4", None),
            ("m1", None),
            ("", None),
        ] {
            assert_eq!(file(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(file(b"\xF13"), Some((2, 1)));
        assert_eq!(file(b"\xD1\x813"), Some((2, 2)));
        assert_eq!(file(b"\xE9"), None);
    }

    #[test]
    fn what_sticks_together() {
        assert_eq!(glued_score(b"17x81-0"), Some(4));
        assert_eq!(glued_score(b"23-182-0"), Some(5));
        assert_eq!(glued_score(b"2-0"), None);
        assert_eq!(glue(b"4-822-17", 2, 5), Some(3));
        assert_eq!(glue(b"4-812-17", 2, 5), Some(3));
        assert_eq!(glue(b"4-112-17", 2, 5), None);
        assert_eq!(glue(b"10-1411-16", 3, 7), Some(5));
    }
}
