//! Telling draughts from chess, and the board from the names of its squares.

use super::line;
use crate::games::draughts::{notation::moves::is_separator, rules::Board};

/// Whether a text is meant as a position or moves of draughts rather than of
/// chess, for callers that were told neither: a FEN with colons, a Hub or DXP
/// string, moves from number to number, or from square to square as no chess
/// game begins. `startpos` alone, and everything else, is chess.
///
/// ```
/// use plydex::games::draughts::notation::typed::looks_like_draughts;
///
/// for draughts in ["W:W31-50:B1-20", "32-28 19-23", "1. 11-15", "c3d4 f6-g5", "B::"] {
///     assert!(looks_like_draughts(draughts), "{draughts}");
/// }
/// for chess in ["8/8/8/4k3/8/8/4P3/4K3 w", "e2e4 e7e5", "1.e4 c5", "startpos", "960:518"] {
///     assert!(!looks_like_draughts(chess), "{chess}");
/// }
/// ```
pub fn looks_like_draughts(text: &str) -> bool {
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{FEFF}' | '"' | '“' | '”'));
    let (head, moves) = super::split_moves(text);
    if is_start(head) {
        return is_line(moves);
    }
    looks_like_position(head) || is_line(text)
}

/// Whether a text is the word for a start position.
pub(super) fn is_start(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let text = text.strip_prefix("position").unwrap_or(&text).trim();
    matches!(text, "startpos" | "start")
}

/// Whether a text has the form of a FEN or of a string of squares.
pub(super) fn looks_like_position(text: &str) -> bool {
    !board_strings(text).is_empty() || looks_like_fen(text)
}

/// Whether all fields are those of a FEN, and one is a side with its squares or
/// all of it says who moves.
fn looks_like_fen(text: &str) -> bool {
    let text = text.trim_matches('/').replace('_', " ");
    if !text.contains(':') {
        return false;
    }
    let mut fields = text.trim_end_matches(['.', ' ']).split(':').map(str::trim);
    let first = fields.next().unwrap_or_default();
    let word = first.split_whitespace().next_back().unwrap_or_default();
    let side = ["w", "b", "z", "white", "black", "?", ""]
        .iter()
        .any(|side| word.eq_ignore_ascii_case(side));
    let mut groups = usize::from(!side && is_group(first));
    if !side && groups == 0 {
        return false;
    }
    for field in fields {
        groups += usize::from(is_group(field));
    }
    // Half a FEN is better told what it lacks than that it is no move of chess.
    groups > 0 || side && !word.is_empty()
}

fn is_group(field: &str) -> bool {
    field.starts_with(['W', 'w', 'B', 'b'])
        && field[1..].chars().all(|c| {
            c.is_ascii_digit()
                || matches!(c, 'a'..='l' | 'A'..='L' | 'P' | ',' | ';' | '-' | '.')
                || c.is_whitespace()
        })
}

/// The boards of which a text is a string of squares.
fn board_strings(text: &str) -> Vec<Board> {
    let Some((b'W' | b'w' | b'B' | b'b' | b'Z' | b'z', squares)) = text.as_bytes().split_first()
    else {
        return Vec::new();
    };
    let codes = b"wWbBzZeE.";
    if !squares.iter().all(|code| codes.contains(code)) {
        return Vec::new();
    }
    Board::ALL
        .into_iter()
        .filter(|board| squares.len() == usize::from(board.square_count()))
        .collect()
}

/// The boards that a FEN or a string of squares can mean, the likeliest first, and
/// whether its squares have letters.
pub(super) fn boards(text: &str) -> (Vec<Board>, bool) {
    let of_string = board_strings(text);
    if !of_string.is_empty() {
        return (of_string, false);
    }
    let (mut number, mut file, mut rank) = (0, 0, 0);
    for field in text.split(':').map(str::trim) {
        if is_group(field) {
            let squares = &field.as_bytes()[1..];
            let mut at = 0;
            while at < squares.len() {
                let digits = squares[at..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                if digits == 0 {
                    at += 1;
                    continue;
                }
                let value = field[1 + at..1 + at + digits].parse::<u32>();
                let value = value.unwrap_or(u32::MAX);
                match at.checked_sub(1).map(|before| squares[before]) {
                    // K is a king rather than a file; G may be lidraughts' mark.
                    Some(letter @ (b'a'..=b'j' | b'l' | b'A'..=b'F' | b'H'..=b'J')) => {
                        file = file.max(letter.to_ascii_lowercase() - b'a' + 1);
                        rank = rank.max(value);
                    }
                    _ => number = number.max(value),
                }
                at += digits;
            }
        }
    }
    let boards = match (file, rank) {
        (0, _) => match number {
            0..=32 => vec![Board::Half8],
            33..=50 => vec![Board::Half10],
            _ => vec![Board::Half12, Board::Full8],
        },
        (11.., _) | (_, 11..) => vec![Board::Half12],
        (_, 9..) => vec![Board::Half10, Board::Half12],
        (9.., _) => vec![Board::Half10x8, Board::Half10],
        // Where both colours of squares are named, all are played.
        _ => vec![Board::Half8, Board::Full8],
    };
    (boards, file > 0)
}

/// Whether a text begins as a line of draughts moves.
fn is_line(text: &str) -> bool {
    let words = line::words(text);
    let Some(word) = words.first() else {
        return false;
    };
    let word = word.to_ascii_lowercase();
    let bytes = word.as_bytes();
    if bytes[0].is_ascii_digit() {
        return is_numeric(&word);
    }
    let [file, rank, ref rest @ ..] = *bytes else {
        return false;
    };
    let rest = rest
        .strip_prefix("–".as_bytes())
        .or_else(|| rest.strip_prefix(b"-"))
        .or_else(|| rest.strip_prefix(b"x"))
        .or_else(|| rest.strip_prefix(b":"))
        .unwrap_or(rest);
    let [file_to, rank_to, ..] = *rest else {
        return false;
    };
    let letter = |byte: u8| byte.is_ascii_lowercase() && byte <= b'l';
    if !letter(file) || !letter(file_to) || !rank.is_ascii_digit() || !rank_to.is_ascii_digit() {
        return false;
    }
    // No game of chess begins with a man that stands on the third rank or beyond.
    let forward = rank >= b'3';
    let (sideways, up) = (file.abs_diff(file_to), rank.abs_diff(rank_to));
    forward && (sideways == up && up > 0 || sideways == 0 && rank == b'3' && up == 1)
}

/// `32-28`, `11x18x25`, `3228`: squares from 1, not `1-0` and `0-0`.
fn is_numeric(word: &str) -> bool {
    let word = word.split('<').next().unwrap_or_default();
    let word = word.trim_end_matches(['!', '?', '*', '+', '#', '.']);
    let squares: Vec<&str> = word.split(is_separator).collect();
    if let [digits] = squares[..] {
        return digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    }
    let square = |text: &&str| {
        (1..=2).contains(&text.len()) && text.parse::<u8>().is_ok_and(|n| (1..=72).contains(&n))
    };
    squares.iter().all(square) && (squares.len() > 2 || squares[0] != squares[1])
}
