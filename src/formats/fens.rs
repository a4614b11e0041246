//! Positions in running text: where a FEN begins and ends that stands among words.

use std::{borrow::Cow, ops::Range};

use super::{links, shape};
use crate::games::{board_shape::BoardShape, notation::epd};

/// The positions of a text, in order: boards with as many fields as follow them, and FENs
/// of draughts.
pub(super) fn all(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in words(text) {
        let mut rest = word;
        loop {
            let from = found.last().map_or(0, |last| last.end);
            if rest.start < from {
                // Behind markup there may be another: `…3</td><td>6k1/…`.
                let markup = text.get(from..rest.end).and_then(|rest| rest.find('<'));
                let Some(at) = markup else {
                    break;
                };
                rest.start = from + at;
            }
            match position_in(text, rest.clone()) {
                Some(next) => found.push(next),
                None => break,
            }
        }
    }
    found
}

/// What a position says that was found in a text: one in a link has other signs for blanks.
pub(super) fn written(found: &str) -> Cow<'_, str> {
    links::written(found)
}

/// Whether a whole text is a position, perhaps with operations behind it.
pub(super) fn is_position(text: &str) -> bool {
    let is_board = |shape: BoardShape| shape.is_board() && shape.has_kings();
    let has_digit = text.bytes().any(|b| b.is_ascii_digit());
    has_digit
        && (BoardShape::of(text.as_bytes()).is_some_and(is_board)
            || shape::is_pdn(text.split(';').next().unwrap_or_default()))
}

/// Whether a cell of a table is a position, perhaps with operations behind it, and not a
/// sentence that begins with one.
pub(super) fn is_cell(text: &str) -> bool {
    is_position(text) && {
        let found = all(text).into_iter().next().filter(|at| at.start == 0);
        let behind = found.map_or("", |at| text[at.end..].trim_start());
        let word = behind.split_ascii_whitespace().next().unwrap_or_default();
        let is_word = word.len() > 1 && word.chars().all(char::is_alphabetic);
        !is_word || epd::looks_like_opcode(word, &behind[word.len()..])
    }
}

/// The places of the words of a text that can have a position in them.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    text.split_ascii_whitespace().filter_map(move |word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        debug_assert!(at >= from);
        from = at + word.len();
        let bytes = word.as_bytes();
        let slashes = memchr::memchr_iter(b'/', bytes).take(3).count();
        let may_be = slashes == 3 || bytes.iter().any(|byte| matches!(byte, b':' | b'%'));
        may_be.then_some(at..from)
    })
}

/// The position that begins in a word, with the fields behind it.
fn position_in(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    if let Some(found) = links::position_in(text, word.clone()) {
        return Some(found);
    }
    let bytes = text.as_bytes();
    let of_board = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'+' | b'~');
    // Markup has slashes of its own: `</p><pre>6k1/…`.
    let mut from = word.start;
    while let Some(slash) = memchr::memchr(b'/', &bytes[from..word.end]) {
        let slash = from + slash;
        let begins = bytes[from..slash].iter().rposition(|b| !of_board(b));
        let start = begins.map_or(from, |at| from + at + 1);
        let ends = bytes[slash..word.end].iter().position(|b| !of_board(b));
        let board_end = ends.map_or(word.end, |at| slash + at);
        let end = board_end + hand(&bytes[board_end..word.end]);
        let behind = fields(text, end);
        let has_side = behind > end;
        if is_board(&bytes[start..end], has_side) {
            return Some(start..behind);
        }
        from = board_end;
    }
    pdn(text, word)
}

/// Whether bytes without blanks can only be a board: one of chess, or with a side to move
/// behind it one of any game.
pub(super) fn is_board(bytes: &[u8], has_side: bool) -> bool {
    let is_sure = |shape: BoardShape| {
        let is_chess = (shape.files, shape.ranks) == (8, 8);
        shape.is_board() && shape.has_kings() && (is_chess || has_side)
    };
    bytes.iter().any(u8::is_ascii_digit) && BoardShape::of(bytes).is_some_and(is_sure)
}

/// Bytes of pieces in hand right behind a board.
fn hand(rest: &[u8]) -> usize {
    match rest.iter().position(|&b| b == b']') {
        Some(end)
            if rest[0] == b'['
                && rest[1..end]
                    .iter()
                    .all(|b| b.is_ascii_alphabetic() || *b == b'-') =>
        {
            end + 1
        }
        _ => 0,
    }
}

/// Whether a word can be a field.
type FieldTest = fn(&str) -> bool;

/// Where the fields of a FEN end that stand behind its board.
pub(super) fn fields(text: &str, from: usize) -> usize {
    let side: FieldTest = |word| matches!(word, "w" | "b" | "W" | "B");
    let castling: FieldTest = |word| {
        let letters = word.bytes().all(|b| b"KQkqABCDEFGHabcdefgh".contains(&b));
        word == "-" || (1..=4).contains(&word.len()) && letters
    };
    let ep: FieldTest = |word| {
        let square = matches!(word.as_bytes(), [b'a'..=b'h', b'3' | b'6']);
        word == "-" || square
    };
    let counter: FieldTest = |word| {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        (1..=4).contains(&word.len()) && digits
    };
    let checks: FieldTest = |word| {
        let mut numbers = word.trim_start_matches('+').split('+');
        numbers.clone().count() == 2
            && numbers.all(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
    };
    // What belongs together is there as a whole or not at all: a word behind the side to
    // move can be `a`, a number behind a FEN can be anything.
    let Some(behind_side) = group_end(text, from, &[side]) else {
        return from;
    };
    let Some(end) = group_end(text, behind_side, &[castling, ep]) else {
        return behind_side;
    };
    let counted: [&[FieldTest]; 3] = [
        &[checks, counter, counter],
        &[counter, counter, checks],
        &[counter, counter],
    ];
    let mut ends = counted
        .iter()
        .filter_map(|group| group_end(text, end, group));
    ends.next().unwrap_or(end)
}

/// Where fields end that stand behind an offset, each behind blanks; none but the last may
/// have a sign right behind it.
fn group_end(text: &str, from: usize, group: &[FieldTest]) -> Option<usize> {
    let mut end = from;
    for (nth, fits) in group.iter().enumerate() {
        let rest = &text[end..];
        let field = rest.trim_start_matches([' ', '\t']);
        let of_field = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-');
        let len = field.find(|c| !of_field(c)).unwrap_or(field.len());
        let next = field[len..].chars().next();
        let is_glued = next.is_some_and(|c| !c.is_whitespace());
        let may_be = nth + 1 == group.len()
            && next.is_some_and(|c| !c.is_alphanumeric() && !matches!(c, '/' | '=' | ':' | '_'));
        if field.len() == rest.len() || (is_glued && !may_be) || !fits(&field[..len]) {
            return None;
        }
        end += rest.len() - field.len() + len;
    }
    Some(end)
}

/// The FEN of draughts that begins in a word: `W:W31,K32:B1-5`. It goes on over a comma
/// only between a square and another.
fn pdn(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let bytes = &text.as_bytes()[..word.end];
    let begins = |&at: &usize| {
        let is_free = at == word.start || !bytes[at - 1].is_ascii_alphanumeric();
        is_free
            && matches!(
                bytes[at..word.end],
                [
                    b'W' | b'B' | b'w' | b'b' | b'?',
                    b':',
                    b'W' | b'B' | b'w' | b'b',
                    ..
                ]
            )
    };
    let start = word.clone().find(begins)?;
    let goes_on = |at: usize| match bytes[at] {
        b',' => {
            bytes[at - 1].is_ascii_digit()
                && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
        }
        b':' | b'-' => true,
        // King moves of Frisian draughts: `:+0+0`.
        b'+' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        byte => byte.is_ascii_alphanumeric(),
    };
    let end = (start..word.end)
        .find(|&at| !goes_on(at))
        .unwrap_or(word.end);
    let fen = text[start..end].trim_end_matches([':', '-']);
    let has_digit = fen.bytes().any(|b| b.is_ascii_digit());
    (has_digit && shape::is_pdn(fen)).then_some(start..start + fen.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_end_where_their_fields_do() {
        const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3";
        for (behind, wanted) in [
            ("", ""),
            (" w - - 0 1", " w - - 0 1"),
            (" w - - 0 1.", " w - - 0 1"),
            (" w - - 0 1[/fen] is drawn", " w - - 0 1"),
            (" b a nice position", " b"),
            (" w KQkq e3 3 moves later", " w KQkq e3"),
            (" w - -, and then", " w - -"),
            (" w - - 3+3 0 1", " w - - 3+3 0 1"),
            (" w - - 0 1 +0+1, so", " w - - 0 1 +0+1"),
            (" White to move", ""),
            (" w - - bm e4;", " w - -"),
        ] {
            for before in ["", "See ", "(", "FEN:", "[fen]", "\"", "„"] {
                let text = format!("{before}{BOARD}{behind}");
                let found: Vec<&str> = all(&text).into_iter().map(|at| &text[at]).collect();
                assert_eq!(found, [format!("{BOARD}{wanted}")], "{text}");
            }
        }
        for (text, wanted) in [
            ("W:W31,K32:B1-5, which is won", "W:W31,K32:B1-5"),
            ("(B:W18,24:B1.)", "B:W18,24:B1"),
            (
                "at W:W31,K32:B1:H4:F12:+0+0, said",
                "W:W31,K32:B1:H4:F12:+0+0",
            ),
            (
                "https://lichess.org/editor/4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1?color=black",
                "4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1",
            ),
            ("see W:Wa1,c3:Bh8.", "W:Wa1,c3:Bh8"),
        ] {
            let found: Vec<&str> = all(text).into_iter().map(|at| &text[at]).collect();
            assert_eq!(found, [wanted], "{text}");
        }
    }

    #[test]
    fn words_are_no_positions() {
        for text in [
            "1/2-1/2 on 3/4/2020, see src/main/scala/a/b/c/d/e or king/kong/kiss/kill",
            "W:W:B w:b B:Black:White at 12:30:15",
            "http://example.org/a/b/c/d/e/f/g/h/1",
            "k1/k2/k3/k4 is a path",
        ] {
            assert_eq!(all(text), [], "{text}");
        }
    }
}
