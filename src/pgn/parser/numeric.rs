//! Moves of chess in numbers alone, as players by post write them: `5254` is e2-e4, `57581`
//! promotes to a queen (`1` to `4`: queen, rook, bishop, knight). Castling is the king's move.
//!
//! Numbers stand in movetext for much else, so what is around one counts as well.

use super::lookahead::gap;
use super::prose;
use super::word::leading_number;
use super::{ItemKind, RawGame, RawItem};

/// Whether a word is such a move: where from, where to, perhaps what a pawn becomes.
pub fn is_numeric_move(word: &[u8]) -> bool {
    let is_square = |square: &[u8]| square.iter().all(|byte| matches!(byte, b'1'..=b'8'));
    match word {
        [from @ .., _, _] if word.len() == 4 => is_square(word) && *from != word[2..],
        [_, b'2', _, b'1', b'1'..=b'4'] | [_, b'7', _, b'8', b'1'..=b'4'] => is_square(word),
        _ => false,
    }
}

/// Whether it is one of White's first moves.
pub(super) fn is_first_move(word: &[u8]) -> bool {
    match word {
        [from @ b'1'..=b'8', b'2', to, b'3' | b'4'] => from == to,
        _ => matches!(word, b"2113" | b"2133" | b"7163" | b"7183"),
    }
}

/// The digits that stand at an offset.
pub(super) fn digits_at(bytes: &[u8], at: usize) -> &[u8] {
    let rest = bytes.get(at..).unwrap_or_default();
    &rest[..leading_number(rest).0]
}

/// Whether the digits in `bytes[start..end]`, which no dot follows, are such a move: after a
/// `number` that a move is due for, or after another move. A year and its like, which stand beside
/// words of sentences or alone in parentheses, are none, nor is a number that goes on counting from
/// the `last` one.
pub(super) fn is_move_at(
    game: &RawGame,
    bytes: &[u8],
    (start, end): (usize, usize),
    (number, last): (u32, u32),
) -> bool {
    let (_, value) = leading_number(&bytes[start..end]);
    if !is_numeric_move(&bytes[start..end]) || value == last.saturating_add(1) {
        return false;
    }
    let text = |item: &RawItem| &bytes[item.offset as usize..][..item.len as usize];
    let is_behind = |item: &&RawItem| !matches!(item.kind, ItemKind::Nag);
    let before = game.items.iter().rev().find(is_behind);
    let before_is_numeric =
        before.is_some_and(|item| item.kind == ItemKind::Word && is_numeric_move(text(item)));
    if number > 0 || before_is_numeric {
        return true;
    }
    let next = gap(bytes, end).next;
    let behind = &bytes[next.min(bytes.len())..];
    match before {
        Some(item) if item.kind == ItemKind::VariationStart => {
            is_numeric_move(digits_at(bytes, next))
        }
        Some(item) if item.kind == ItemKind::Word && prose::ends_in_prose(text(item)) => false,
        Some(_) => !prose::is_prose(prose::word_at(behind, 0)),
        None => is_numeric_move(digits_at(bytes, next)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_squares_and_a_promotion_are_a_move() {
        for word in ["5254", "7163", "2836", "57581", "42314", "1122"] {
            assert!(is_numeric_move(word.as_bytes()), "{word}");
        }
        for word in [
            "1984", "5205", "5252", "52541", "57585", "525", "525455", "", "12",
        ] {
            assert!(!is_numeric_move(word.as_bytes()), "{word}");
        }
        assert!(is_first_move(b"5254") && is_first_move(b"2133"));
        assert!(!is_first_move(b"5255") && !is_first_move(b"5264"));
    }
}
