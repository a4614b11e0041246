//! Positions in running text: where a FEN begins and ends that stands among words.

use std::{borrow::Cow, ops::Range};

use super::{epd_fields, links};
use crate::games::{
    board_shape::BoardShape,
    notation::{
        epd, forsyth,
        letters::{ENGLISH, ROLES},
    },
};

/// The positions of a text, in order: boards with as many fields as follow them, and FENs
/// of draughts.
pub(crate) fn all(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in words(text) {
        let mut rest = word;
        loop {
            let from = found.last().map_or(0, |last| last.end);
            if rest.start < from {
                // After a sign there may be another: `…3</td><td>6k1/…`, `…3;6k1/…`.
                let of_position = |c: char| c.is_alphanumeric() || c == '/';
                let behind = text.get(from..rest.end);
                let sign = behind.and_then(|rest| rest.find(|c| !of_position(c)));
                let Some(at) = sign else {
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

/// What a position says that was found in a text: one in a link has other signs for blanks, and
/// lines may end within it.
/// The letters of another language become those of a FEN.
pub(crate) fn written(found: &str) -> Cow<'_, str> {
    let board = found.split(is_between).next().unwrap_or_default();
    match in_english(board) {
        Some(english) => format!("{english}{}", spaced_out(&found[board.len()..])).into(),
        None => spaced_out(found),
    }
}

/// A board with the letters of another language as a FEN has it; `None` if it is in English, or of
/// another game.
fn in_english(board: &str) -> Option<String> {
    let is_own = |c: char| {
        let letters = ROLES.map(|role| ENGLISH.letter(role));
        !c.is_alphabetic() || letters.contains(&&*c.to_ascii_uppercase().encode_utf8(&mut [0; 4]))
    };
    if !forsyth::looks_like_placement(board) || board.chars().all(is_own) {
        return None;
    }
    let is_other = |shape: BoardShape| shape.variant().is_some();
    if BoardShape::of(board.as_bytes()).is_some_and(is_other) {
        return None;
    }
    let read = forsyth::read(board).ok()?;
    Some(forsyth::write(read.board(), ENGLISH))
}

/// A position with plain blanks between its fields.
fn spaced_out(found: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c == ' ' || !is_between(c);
    if found.chars().all(is_plain) {
        return links::written(found);
    }
    let mut out = String::with_capacity(found.len());
    for word in found.split(is_between).filter(|word| !word.is_empty()) {
        let goes_on = out.ends_with('/') || word.starts_with('/');
        if !out.is_empty() && !goes_on {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.into()
}

/// A line with plain blanks between the fields of the position that it begins with.
pub(crate) fn spaced(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return line.into();
    }
    match all(line).first() {
        Some(at) if line[..at.start].chars().all(|c| c == '"' || is_between(c)) => [
            &line[..at.start],
            &written(&line[at.clone()]),
            &line[at.end..],
        ]
        .concat()
        .into(),
        _ => line.into(),
    }
}

/// Whether a sign stands between words: blanks of every kind, also those without any width.
pub(crate) fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{1a}')
}

/// The positions of a text that is nothing but several of them, with signs between.
pub(crate) fn listed(text: &str) -> Option<Vec<Range<usize>>> {
    let found = all(text);
    let (first, last) = (found.first()?, found.last()?);
    let says = |part: &str| part.contains(char::is_alphanumeric);
    let mut between = found
        .windows(2)
        .map(|pair| &text[pair[0].end..pair[1].start]);
    let is_list = found.len() > 1
        && !says(&text[..first.start])
        && !says(&text[last.end..])
        && !between.any(says);
    is_list.then_some(found)
}

/// Whether an entire text is a position, perhaps with operations after it.
pub(crate) fn is_position(text: &str) -> bool {
    let text = &spaced(text)[..];
    let is_board = |shape: BoardShape| shape.is_board() && shape.has_kings();
    let has_digit = text.bytes().any(|b| b.is_ascii_digit());
    has_digit
        && (BoardShape::of(text.as_bytes()).is_some_and(is_board)
            || epd_fields::is_pdn(text.split(';').next().unwrap_or_default()))
}

/// Whether a cell of a table is a position, perhaps with operations after it, and not a
/// sentence that begins with one.
pub(crate) fn is_cell(text: &str) -> bool {
    is_position(text) && {
        let found = all(text).into_iter().next().filter(|at| at.start == 0);
        let behind = found.map_or("", |at| text[at.end..].trim_start());
        // Signs of a sentence may stand between.
        let is_ended = behind.starts_with([',', ':', '.', ')']);
        let behind = behind.trim_start_matches([',', ':', '.', ')', ' ']);
        let word = behind.split_ascii_whitespace().next().unwrap_or_default();
        let is_word = word.len() > 1 && word.chars().all(char::is_alphabetic);
        !is_word || !is_ended && epd::looks_like_opcode(word, &behind[word.len()..])
    }
}

/// The places of the words of a text that can have a position in them.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.filter_map(move |word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        debug_assert!(at >= from);
        from = at + word.len();
        let bytes = word.as_bytes();
        let slashes = memchr::memchr_iter(b'/', bytes).take(3).count();
        // The board may go on in the next line.
        let is_cut = slashes > 0 && bytes.ends_with(b"/");
        let may_be = slashes == 3 || is_cut || bytes.iter().any(|byte| matches!(byte, b':' | b'%'));
        may_be.then_some(at..from)
    })
}

/// The position that begins in a word, with the fields after it.
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
        let is_red = memchr::memchr_iter(b'/', &bytes[start..end]).count() == RED_RANKS - 1;
        let behind = fields_of(text, end, is_red);
        let has_side = behind > end;
        if is_board(&bytes[start..end], has_side) {
            return Some(start..behind);
        }
        if end == word.end
            && let Some(end) = joined(text, start..end)
        {
            return Some(start..fields(text, end));
        }
        from = board_end;
    }
    in_other_letters(text, word.clone()).or_else(|| pdn(text, word))
}

/// A diagram in Greek or Cyrillic letters, with the fields after it.
fn in_other_letters(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let whole = &text[word.clone()];
    if whole.is_ascii() {
        return None;
    }
    let is_around = |c: char| !c.is_alphanumeric();
    let start = word.end - whole.trim_start_matches(is_around).len();
    let end = word.start + whole.trim_end_matches(is_around).len();
    let board = text.get(start..end)?;
    let is_diagram = forsyth::looks_like_placement(board) && forsyth::read(board).is_ok();
    is_diagram.then(|| start..fields(text, end))
}

/// Ranks of the board on which White is red, `r`.
const RED_RANKS: usize = 10;

/// Where a board of chess ends that goes on in the next line, after a slash or before one.
fn joined(text: &str, first: Range<usize>) -> Option<usize> {
    let behind = &text[first.end..];
    let line = behind.trim_start_matches([' ', '\t']);
    let next = line
        .strip_prefix("\r\n")
        .or(line.strip_prefix(['\n', '\r']))?;
    let next = next.trim_start_matches([' ', '\t']);
    let word = next.split(is_between).next()?;
    let of_board = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '~');
    let word = &word[..word.find(|c| !of_board(c)).unwrap_or(word.len())];
    let upper = &text[first.clone()];
    let board = [upper, word].concat();
    let is_split = upper.ends_with('/') != word.starts_with('/');
    (is_split && is_board(board.as_bytes(), false))
        .then(|| next.as_ptr() as usize - text.as_ptr() as usize + word.len())
}

/// Whether bytes without blanks can only be a board: one of chess, of a game that its pieces show,
/// or with a side to move after it one of any.
pub(crate) fn is_board(bytes: &[u8], has_side: bool) -> bool {
    let is_sure = |shape: BoardShape| {
        let is_chess = (shape.files, shape.ranks) == (8, 8);
        let is_known = || is_chess || has_side || shape.variant().is_some();
        shape.is_board() && shape.has_kings() && is_known()
    };
    bytes.iter().any(u8::is_ascii_digit) && BoardShape::of(bytes).is_some_and(is_sure)
}

/// Bytes of pieces in hand right after a board.
fn hand(rest: &[u8]) -> usize {
    let Some(inner) = rest.strip_prefix(b"[") else {
        return 0;
    };
    let is_piece = |b: &&u8| b.is_ascii_alphabetic() || **b == b'-';
    let pieces = inner.iter().take_while(is_piece).count();
    if inner.get(pieces) == Some(&b']') {
        pieces + 2
    } else {
        0
    }
}

/// Whether a word can be a field.
type FieldTest = fn(&str) -> bool;

/// Where the fields of a FEN end that stand after its board.
pub(crate) fn fields(text: &str, from: usize) -> usize {
    fields_of(text, from, false)
}

/// The same where White may be red.
fn fields_of(text: &str, from: usize, is_red: bool) -> usize {
    let side: FieldTest = if is_red {
        |word| matches!(word, "w" | "b" | "W" | "B" | "r" | "R")
    } else {
        |word| matches!(word, "w" | "b" | "W" | "B")
    };
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
    // What belongs together is there completely or not at all: a word after the side to move can be
    // `a`, a number after a FEN can be anything.
    let counted: [&[FieldTest]; 3] = [
        &[checks, counter, counter],
        &[counter, counter, checks],
        &[counter, counter],
    ];
    let counters = |end: usize| {
        let mut ends = counted
            .iter()
            .filter_map(|group| group_end(text, end, group, false));
        ends.next()
    };
    let Some(behind_side) = group_end(text, from, &[side], false) else {
        // All of them stand in the next line.
        let end = group_end(text, from, &[side, castling, ep], true);
        return end.and_then(counters).unwrap_or(from);
    };
    if let Some(end) = group_end(text, behind_side, &[castling, ep], false) {
        return counters(end).unwrap_or(end);
    }
    let end = group_end(text, behind_side, &[castling, ep], true);
    end.and_then(counters).unwrap_or(behind_side)
}

/// Where fields end that stand after an offset, each after blanks, or in the next line if they may;
/// none but the last may have a sign right after it.
fn group_end(text: &str, from: usize, group: &[FieldTest], may_break: bool) -> Option<usize> {
    let is_blank = |c: char| is_between(c) && !matches!(c, '\n' | '\r');
    let mut end = from;
    for (nth, fits) in group.iter().enumerate() {
        let rest = &text[end..];
        let mut field = rest.trim_start_matches(is_blank);
        if may_break {
            let line = field
                .strip_prefix("\r\n")
                .or(field.strip_prefix(['\n', '\r']));
            field = line.unwrap_or(field).trim_start_matches(is_blank);
        }
        let of_field = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-');
        let len = field.find(|c| !of_field(c)).unwrap_or(field.len());
        let next = field[len..].chars().next();
        let is_glued = next.is_some_and(|c| !is_between(c));
        let is_colon = || field[len + 1..].starts_with(is_between);
        let may_be = nth + 1 == group.len()
            && next.is_some_and(|c| match c {
                ':' => is_colon(),
                c => !c.is_alphanumeric() && !matches!(c, '/' | '=' | '_'),
            });
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
    (has_digit && epd_fields::is_pdn(fen)).then_some(start..start + fen.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of these took the square of its length.
    #[test]
    fn a_word_without_end_is_looked_through_once() {
        const LENGTH: usize = 400_000;
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let text = format!("{position}{}", "</a>".repeat(LENGTH));
        let found = all(&text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0], 0..position.len());
        assert_eq!(all(&"a/".repeat(LENGTH)), []);
        assert_eq!(all(&"a/[".repeat(LENGTH)), []);
        assert_eq!(hand(b"[Qp-]w"), 5);
        assert_eq!(hand(b"[Qp"), 0);
        assert_eq!(hand(b"[9]"), 0);
    }

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
    fn positions_go_on_in_the_next_line() {
        const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3";
        for (text, wanted) in [
            (
                format!("x {BOARD}\nb Q - 0 1 is"),
                format!("{BOARD} b Q - 0 1"),
            ),
            (
                format!("x {BOARD} b\r\n- - 0 1."),
                format!("{BOARD} b - - 0 1"),
            ),
            (format!("{BOARD}\nb Q - is"), BOARD.to_owned()),
            (format!("{BOARD} b\n- - or so"), format!("{BOARD} b")),
            (format!("{BOARD}\n{BOARD} w - - 0 1"), BOARD.to_owned()),
            (
                "4k3/8/8/8/\n8/8/4P3/4K3 w - - 0 1".to_owned(),
                format!("{BOARD} w - - 0 1"),
            ),
            (
                "4k3/8/8/8\n /8/8/4P3/4K3 w".to_owned(),
                format!("{BOARD} w"),
            ),
            (
                format!("{BOARD}\u{a0}b\u{2009}-\u{a0}-"),
                format!("{BOARD} b - -"),
            ),
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r".to_owned(),
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r".to_owned(),
            ),
        ] {
            let found = all(&text)
                .first()
                .map(|at| written(&text[at.clone()]).into_owned());
            assert_eq!(found, Some(wanted), "{text}");
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
