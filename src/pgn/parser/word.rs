//! What a word of the movetext is, by its spelling alone.

use super::lookahead::wide_blank_len;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Perhaps a move; the rules decide.
    Move,
    /// An annotation sign with the number of its NAG.
    Nag(u32),
    /// A remark on the move before that says nothing new: `ch`, `mate`, `+`.
    Remark,
    /// Only punctuation.
    Nothing,
}

/// The evaluation signs beyond ASCII, which may stick to a move, with their NAGs.
const SIGNS: &[(&[u8], u32)] = &[
    ("+−".as_bytes(), 18),
    ("−+".as_bytes(), 19),
    ("+/−".as_bytes(), 16),
    ("−/+".as_bytes(), 17),
    ("=/∞".as_bytes(), 44),
    ("=∞".as_bytes(), 44),
    ("↑↑".as_bytes(), 32),
    ("□".as_bytes(), 7),
    ("∞".as_bytes(), 13),
    ("⩲".as_bytes(), 14),
    ("⩱".as_bytes(), 15),
    ("±".as_bytes(), 16),
    ("∓".as_bytes(), 17),
    ("⨀".as_bytes(), 22),
    ("⊙".as_bytes(), 22),
    ("⟳".as_bytes(), 32),
    ("↑".as_bytes(), 36),
    ("→".as_bytes(), 40),
    ("©".as_bytes(), 44),
    ("⇆".as_bytes(), 132),
    ("⊕".as_bytes(), 138),
    ("∆".as_bytes(), 140),
    ("Δ".as_bytes(), 140),
    ("⌓".as_bytes(), 142),
];

/// What the entire word is.
pub(super) fn spelling(word: &[u8]) -> Spelling {
    let nag = match word {
        b"=" => 10,
        b"~" => 13,
        b"+=" | b"+/=" => 14,
        b"=+" | b"=/+" => 15,
        b"+/-" | b"\xB1" => 16,
        b"-/+" => 17,
        b"+-" => 18,
        b"-+" => 19,
        b"+--" => 20,
        b"--+" => 21,
        b"zz" => 22,
        b"+>" => 40,
        b"RR" => 145,
        b"N" | b"TN" => 146,
        b"D" => 220,
        b"+" | b"++" | b"#" | b"ep" | b"ch" | b"dbl" | b"dis" | b"mate" => {
            return Spelling::Remark;
        }
        // Three dashes pass the turn, too, in some hands; the rules decide.
        b"--" | b"---" | b"@@@@" => return Spelling::Move,
        _ if word.is_ascii() => {
            let named = word.iter().any(u8::is_ascii_alphanumeric);
            return if named {
                Spelling::Move
            } else {
                Spelling::Nothing
            };
        }
        _ => match SIGNS.iter().find(|(sign, _)| *sign == word) {
            Some(&(_, nag)) => nag,
            None if is_dashes(word) => return Spelling::Nothing,
            None => return Spelling::Move,
        },
    };
    Spelling::Nag(nag)
}

/// Evaluation signs of ASCII that may stick to a move, the longest first, for some end as others do.
const ASCII_SIGNS: &[&[u8]] = &[
    b"+/-", b"-/+", b"+/=", b"=/+", b"+--", b"--+", b"+=", b"=+", b"+-", b"-+", b"=",
];

/// The evaluation sign that sticks to the end of a word: its bytes and NAG.
pub(super) fn glued_sign(word: &[u8]) -> Option<(usize, u32)> {
    if !matches!(word.last(), Some(b'+' | b'-' | b'=' | 0x80..)) {
        return None;
    }
    let ascii = ASCII_SIGNS.iter().find_map(|sign| {
        let before = word.strip_suffix(*sign)?;
        // `e8=` is half of a promotion, `e2-` of a move.
        let is_promotion = *sign == b"=" && matches!(before, [.., b'a'..=b'h', b'1' | b'8']);
        let is_move = is_move_like(before) && !is_promotion;
        match spelling(sign) {
            Spelling::Nag(nag) if is_move => Some((sign.len(), nag)),
            _ => None,
        }
    });
    ascii.or_else(|| {
        SIGNS
            .iter()
            .find(|(sign, _)| word.len() > sign.len() && word.ends_with(sign))
            .map(|&(sign, nag)| (sign.len(), nag))
    })
}

fn is_dashes(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|text| {
        text.chars()
            .all(|c| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '−'))
    })
}

/// Bytes of the result that sticks to the end of a word (L7), 0 if none does.
pub(super) fn glued_result(word: &[u8]) -> usize {
    [
        &b"1/2-1/2"[..],
        "½-½".as_bytes(),
        b"1/2",
        b"1-0",
        b"0-1",
        "½".as_bytes(),
    ]
    .iter()
    .find(|result| {
        // `0-0-1` and the like are no castling followed by a result.
        word.strip_suffix(**result)
            .is_some_and(|before| !matches!(before, [] | [.., b'-' | b'/' | b':' | b'.']))
    })
    .map_or(0, |result| result.len())
}

/// Digits a word begins with, if what follows makes them a move number
/// (`1e4`, `1:`), else 0 (`0-0`, `1-1`).
pub(super) fn number_len(word: &[u8]) -> usize {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match word[digits..] {
        _ if digits == 0 => 0,
        [] | [b'-', b'-'] | [b'@', ..] => digits,
        // `12:30` is a time.
        [b':', next, ..] if next.is_ascii_digit() => 0,
        [b':', ..] => digits + 1,
        [next, ..] if next.is_ascii_alphabetic() || next >= 0x80 => {
            // `0–0` with a dash beyond ASCII castles, too.
            if is_castling(word) { 0 } else { digits }
        }
        _ => 0,
    }
}

/// The move number a word begins with that is written as in Chinese and Japanese: with signs of
/// these after it (`1、`, `２．`), or in digits of full width alone, where a move or nothing follows
/// (`３`, `３e4`).
pub(super) fn wide_number(word: &[u8]) -> Option<WideNumber> {
    let (mut len, mut value) = (0, 0_u32);
    loop {
        let (digit, width) = match word[len..] {
            [digit @ b'0'..=b'9', ..] => (digit - b'0', 1),
            [0xEF, 0xBC, digit @ 0x90..=0x99, ..] => (digit - 0x90, 3),
            _ => break,
        };
        len += width;
        value = value.saturating_mul(10).saturating_add(u32::from(digit));
    }
    let digits = len;
    loop {
        match wide_dot_len(&word[len..]) {
            0 => break,
            dot => len += dot,
        }
    }
    let is_bare = len == digits;
    let is_wide = || !word[..len].is_ascii() && (len == word.len() || is_move_like(&word[len..]));
    (digits > 0 && (!is_bare || is_wide())).then_some(WideNumber {
        len,
        value,
        is_bare,
    })
}

/// The number of [`wide_number`] at an offset that has a sign after it.
pub(super) fn wide_number_at(bytes: &[u8], at: usize) -> Option<WideNumber> {
    /// Bytes of a number with what stands after it; no move has a greater one.
    const NUMBER_BYTES_MAX: usize = 24;
    let near = &bytes[at..bytes.len().min(at + NUMBER_BYTES_MAX)];
    wide_number(near).filter(|number| !number.is_bare)
}

/// A number of [`wide_number`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WideNumber {
    /// Bytes, with the signs after it.
    pub(super) len: usize,
    /// What it says.
    pub(super) value: u32,
    /// Whether no sign stands after it.
    pub(super) is_bare: bool,
}

/// Bytes of the sign that a text begins with, if it is one that stands after the numbers of moves
/// in Chinese and Japanese: `、`, `。`, `｡`, `．`, and `，` and `：` except within numbers and times.
const fn wide_dot_len(text: &[u8]) -> usize {
    match text {
        [0xEF, 0xBC, 0x8C | 0x9A, b'0'..=b'9', ..]
        | [0xEF, 0xBC, 0x8C | 0x9A, 0xEF, 0xBC, 0x90..=0x99, ..] => 0,
        [0xE3, 0x80, 0x81 | 0x82, ..]
        | [0xEF, 0xBC, 0x8C | 0x8E | 0x9A, ..]
        | [0xEF, 0xBD, 0xA1, ..] => 3,
        _ => 0,
    }
}

/// Whether a word is castling in some spelling: three or two of O, o, 0 or
/// their Cyrillic and Greek look-alikes with any dash between them.
fn is_castling(word: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(word) else {
        return word.starts_with(b"0");
    };
    let mut letters = 0;
    for c in text.trim_end_matches(['+', '#']).chars() {
        match c {
            'O' | 'o' | '0' | 'О' | 'о' | 'Ο' | 'ο' => letters += 1,
            '-' | '\u{2010}'..='\u{2015}' | '−' => {}
            _ => return false,
        }
    }
    matches!(letters, 2 | 3)
}

/// Where castling ends whose signs stand apart (`O - O`, `0 -0-0`), `at` its first letter.
pub(super) fn castling_end(bytes: &[u8], at: usize) -> Option<usize> {
    let is_letter = |at: usize| matches!(bytes.get(at), Some(b'O' | b'o' | b'0'));
    let skip = |mut at: usize| {
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    };
    let (mut end, mut letters) = (at + 1, 1);
    while letters < 3 && is_letter(at) {
        let dash = skip(end);
        let next = skip(dash + 1);
        if bytes.get(dash) != Some(&b'-') || !is_letter(next) {
            break;
        }
        end = next + 1;
        letters += 1;
    }
    let behind = bytes.get(end).copied().unwrap_or(b' ');
    let is_end = !behind.is_ascii_alphanumeric() && !matches!(behind, b'-' | b'.' | b'/' | b':');
    (letters > 1 && is_end).then_some(end)
}

/// Whether a letter that ends at an offset and may be a sign is a piece which stands apart from
/// where it goes: `N xd5`, and where a move is due `N f3`, too.
pub(super) fn is_piece_apart(bytes: &[u8], end: usize, is_due: bool) -> bool {
    let blanks = bytes[end..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    let next = &bytes[end + blanks.count()..];
    let word = next.iter().position(|byte| !byte.is_ascii_alphanumeric());
    match next[..word.unwrap_or(next.len())] {
        [b'x'] | [b'x' | b'1'..=b'8', b'a'..=b'h', b'1'..=b'8'] => true,
        [b'a'..=b'h', b'1'..=b'8'] | [b'a'..=b'h', b'x' | b'a'..=b'h', .., b'1'..=b'8'] => is_due,
        _ => false,
    }
}

/// Whether a word is a piece with its file or the sign of a capture, which stands apart from where it
/// goes: `Nb d7`, `Bx c6`, `ex d5`.
pub(super) fn is_begun_move(bytes: &[u8], start: usize, end: usize) -> bool {
    let is_begun = matches!(
        bytes[start..end],
        [b'A'..=b'Z', b'a'..=b'h' | b'1'..=b'8' | b'x']
            | [b'a'..=b'h', b'x']
            | [b'A'..=b'Z', b'a'..=b'h' | b'1'..=b'8', b'x']
    );
    is_begun && is_piece_apart(bytes, end, true)
}

/// Whether a word is a move of xiangqi in characters: a piece, its file, where it goes, how far
/// (`炮二平五`, `马8进7`).
fn is_in_characters(word: &[u8]) -> bool {
    word.first().is_some_and(|&byte| byte > 0xE3)
        && std::str::from_utf8(word).is_ok_and(|word| {
            let goes = word.chars().nth(2);
            word.chars().count() == 4 && matches!(goes, Some('平' | '进' | '進' | '退'))
        })
}

/// Whether a word is squares that stick together, as transcripts of Othello have them.
pub(super) fn is_of_squares(word: &[u8]) -> bool {
    let (squares, rest) = word.as_chunks::<2>();
    let is_square = |[file, row]: &[u8; 2]| {
        matches!(file, b'a'..=b'h' | b'A'..=b'H') && matches!(row, b'1'..=b'8')
    };
    squares.len() > 1 && rest.is_empty() && squares.iter().all(is_square)
}

/// Whether a word looks like a move in any notation: a letter before a rank's
/// digit, or castling. Distinguishes movetext from prose, not moves from non-moves.
pub(super) fn is_move_like(word: &[u8]) -> bool {
    is_of_squares(word)
        || word.len() <= 16
            && (word.windows(2).any(|two| {
                (two[0].is_ascii_alphabetic() || two[0] >= 0x80) && matches!(two[1], b'1'..=b'8')
            }) || is_castling(word)
                || is_in_characters(word)
                || matches!(word, b"--" | b"Z0" | b"null" | b"pass" | b"@@@@"))
}

/// The next blank or ellipsis beyond ASCII in a word, from an offset on: where
/// and how long. `utf8`: whether the word is UTF-8.
pub(super) fn wide_gap(word: &[u8], from: usize, utf8: bool) -> Option<(usize, usize)> {
    (from..word.len()).find_map(|at| {
        let len = match word[at..] {
            [0..0x80, ..] => 0,
            [0xE2, 0x80, 0xA6, ..] => 3,
            // Within UTF-8 this is the second half of a letter.
            [0xA0, ..] if utf8 => 0,
            _ => wide_blank_len(&word[at..]),
        };
        (len > 0).then_some((at, len))
    })
}

/// Offset after a promotion that is written apart from its move (M8):
/// ` = Q`, ` =Q`, `(Q)`, `(=Q)`. `at` is the end of a pawn's move to the last rank.
pub(super) fn promotion_end(bytes: &[u8], at: usize) -> usize {
    let skip = |mut at: usize| {
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    };
    let is_end = |at: usize| {
        !bytes
            .get(at)
            .is_some_and(|&b| b.is_ascii_alphanumeric() || b >= 0x80)
    };
    let is_piece = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    if bytes.get(at) == Some(&b'(') {
        let piece = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'='));
        if is_piece(piece) && bytes.get(piece + 1) == Some(&b')') {
            return piece + 2;
        }
        return at;
    }
    let sign = skip(at);
    if bytes.get(sign) == Some(&b'=') {
        let piece = skip(sign + 1);
        // A lone file letter or `D` for a diagram stands apart from `=`, too,
        // but never after a pawn on the last rank.
        if is_piece(piece) && is_end(piece + 1) {
            return piece + 1;
        }
    }
    at
}

/// The digits a text begins with: how many, and their value (saturating).
#[inline]
pub(super) fn leading_number(text: &[u8]) -> (usize, u32) {
    let mut number = 0_u32;
    let mut digits = 0;
    while let Some(byte) = text.get(digits)
        && byte.is_ascii_digit()
    {
        number = number
            .saturating_mul(10)
            .saturating_add(u32::from(byte - b'0'));
        digits += 1;
    }
    (digits, number)
}
