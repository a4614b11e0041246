//! Where a record begins that has no tags (rules M17 and R1).

use super::Syntax;
use super::lookahead::{
    before_wide_blank, gap, is_pair_start, line_end, skip_on_line, wrapper_len,
};
use super::numeric::{self, is_numeric_move};
use super::square_pairs::{NumberPair, file, is_compact, numeric_move_len, pair};
use super::word::{is_move_like, is_of_squares, wide_number_at};

/// The word at an offset.
fn word_at(bytes: &[u8], at: usize) -> &[u8] {
    let len = bytes[at..]
        .iter()
        .take(32)
        .take_while(|byte| !matches!(byte, 0..=b' ' | b'{' | b'(' | b')' | b'!' | b'?' | b'.'))
        .count();
    before_wide_blank(&bytes[at..at + len])
}

/// Bytes of squares that stick together and are a game of their own: four of them, since two can
/// be one move of chess.
const TRANSCRIPT_BYTES_MIN: usize = 8;

/// Whether movetext begins at `at`, outside of any game (M17): a number with
/// its dot and a move, two moves, which may stick together, or a move and an annotation. In a
/// file of draughts a single move will do (R1).
pub(super) fn is_movetext_start(bytes: &[u8], at: usize, hint: Syntax) -> bool {
    if let Some(number) = wide_number_at(bytes, at) {
        let next = gap(bytes, at + number.len).next;
        return is_move_like(word_at(bytes, next)) || is_numeric_start(bytes, next, hint);
    }
    let digits = bytes[at..]
        .iter()
        .take(10)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits > 0 {
        let mut next = skip_on_line(bytes, at + digits);
        let dots = next;
        while matches!(bytes.get(next), Some(b'.' | b')' | b':'))
            || bytes[next..].starts_with("…".as_bytes())
        {
            next += if bytes[next] == 0xE2 { 3 } else { 1 };
        }
        let word = word_at(bytes, gap(bytes, next).next);
        if next > dots && is_numeric_start(bytes, gap(bytes, next).next, hint) {
            return true;
        }
        if next > dots || next > at + digits {
            return is_move_like(word)
                || next > dots && begins_in_numbers(bytes, gap(bytes, next).next)
                || next > dots && begins_in_squares(bytes, gap(bytes, next).next)
                || is_numeric_start(bytes, at, hint);
        }
    }
    if is_numeric_start(bytes, at, hint) || bytes[at..].starts_with(b"/FEN") {
        return true;
    }
    if let Some(next) = xiangqi_move_end(bytes, at) {
        return xiangqi_move_end(bytes, gap(bytes, next).next).is_some();
    }
    let first = word_at(bytes, at);
    let is_square =
        file(first).is_some_and(|(_, len)| matches!(first[len..], [b'1'..=b'9', _, ..]));
    if hint == Syntax::Pdn && is_square {
        return is_move_like(first);
    }
    // Lines of a patch begin with signs.
    let is_signed = matches!(first, [b'+' | b'-', sign, ..] if *sign != b'-');
    if is_signed || !is_move_like(first) {
        return false;
    }
    // Several moves, as transcripts of Othello have them: a game of one word.
    if is_transcript(bytes, at) {
        return true;
    }
    let next = gap(bytes, at + first.len()).next;
    matches!(bytes.get(next), Some(b'{' | b'$' | b'!' | b'?' | b'*'))
        || is_move_like(word_at(bytes, next))
}

/// Whether moves that stick together, a game of Othello, stand at `at`.
pub(super) fn is_transcript(bytes: &[u8], at: usize) -> bool {
    let word = word_at(bytes, at);
    word.len() >= TRANSCRIPT_BYTES_MIN && is_of_squares(word)
}

/// Where a move of xiangqi ends that begins at `at` in the notation of the World Xiangqi
/// Federation: a piece, its file or which of two it is, how it goes, and a number (`C2.5`, `h8+7`,
/// `R+-1`).
fn xiangqi_move_end(bytes: &[u8], at: usize) -> Option<usize> {
    let is_move = matches!(
        bytes.get(at..at + 4)?,
        [
            b'A'..=b'Z' | b'a'..=b'z',
            b'1'..=b'9' | b'+' | b'-',
            b'.' | b'=' | b'+' | b'-',
            b'1'..=b'9',
        ]
    );
    let is_end = bytes
        .get(at + 4)
        .is_none_or(|&byte| byte <= b' ' || matches!(byte, b'!' | b'?' | b'{'));
    (is_move && is_end).then_some(at + 4)
}

/// Whether moves of draughts stand at `at` that have two digits for each square and no sign
/// between them (`2420 1116`): two of them that are none of chess in numbers, and after them the
/// second number, a comment, a variation or a result. Years are as likely elsewhere.
pub(super) fn begins_in_squares(bytes: &[u8], at: usize) -> bool {
    let first = numeric::digits_at(bytes, at);
    if !is_compact(first) {
        return false;
    }
    let next = gap(bytes, at + first.len()).next;
    let second = numeric::digits_at(bytes, next);
    let is_chess = numeric::is_first_move(first) && is_numeric_move(second);
    if !is_compact(second) || is_chess {
        return false;
    }
    let behind = gap(bytes, next + second.len()).next;
    let rest = bytes.get(behind..).unwrap_or_default();
    matches!(rest, [b'*' | b'{' | b'(', ..] | [b'2', b'.', ..])
}

/// Whether two moves of chess in numbers stand at `at`, the first of them a possible first move of
/// a game: a list of years has none.
fn begins_in_numbers(bytes: &[u8], at: usize) -> bool {
    let first = numeric::digits_at(bytes, at);
    let second = numeric::digits_at(bytes, gap(bytes, at + first.len()).next);
    numeric::is_first_move(first) && is_numeric_move(second)
}

/// Whether a move in numbers stands at `at` that begins a record: any in a file
/// of draughts, elsewhere one that goes on as games do.
fn is_numeric_start(bytes: &[u8], at: usize, hint: Syntax) -> bool {
    let len = numeric_move_len(bytes, at);
    if len == 0 {
        // `1. 2-0` and `1. ... 7-12`, in files where that is usual.
        let word = word_at(bytes, at);
        return hint == Syntax::Pdn
            && (word.len() == 3 && pair(word) == NumberPair::Score && word != b"0-0"
                || bytes[at..].starts_with(b".."));
    }
    if hint == Syntax::Pdn {
        return true;
    }
    let next = gap(bytes, at + len).next;
    let rest = &bytes[next..];
    numeric_move_len(bytes, next) > 0
        || matches!(rest, [b'{' | b'$' | b'!' | b'?' | b'*' | b'(' | b';', ..])
        || rest.starts_with(b"1/2")
        || rest.starts_with(b"2.")
        || word_at(bytes, next).len() == 3 && pair(&rest[..3]) == NumberPair::Score
}

/// Where the search goes on after a place at which no game begins: at a tag
/// pair or a first move within the line, else on the next line.
pub(super) fn prelude_line_end(bytes: &[u8], at: usize, hint: Syntax) -> usize {
    let end = line_end(bytes, at);
    let mut from = at + 1;
    while from < end {
        let Some(n) = memchr::memchr3(b'[', b'1', b'{', &bytes[from..end]) else {
            break;
        };
        let hit = from + n;
        let starts = match bytes[hit] {
            b'[' => is_pair_start(bytes, hit) || wrapper_len(bytes, hit) > 0,
            b'1' => {
                bytes[hit - 1].is_ascii_whitespace()
                    && bytes.get(hit + 1) == Some(&b'.')
                    && is_movetext_start(bytes, hit, hint)
            }
            _ => false,
        };
        if starts {
            return hit;
        }
        from = hit + 1;
    }
    end
}
