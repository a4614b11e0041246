//! What a single word of draughts movetext says, before any rule is consulted.

use crate::games::notation::is_dash;

/// Whether a word stands for a move that is not known: `...`, `--`, `- -`.
pub(crate) fn is_unknown_move(word: &str) -> bool {
    let signs = || word.chars().filter(|c| !c.is_whitespace());
    let count = signs().count();
    let dots = signs().all(|c| c == '.') && count >= 3;
    let dashes = signs().all(is_dash) && count == 2;
    dots || dashes || word.trim() == "…"
}

const fn is_between(c: char) -> bool {
    is_dash(c) || c == ':'
}

/// Points that both players have together at most, by any system of scores.
const POINTS_MAX: u32 = 24;

/// Whether a word that is no legal move can be a result: two numbers, halves
/// among them, or signs.
pub(crate) fn is_result(word: &str) -> bool {
    let points = word
        .split(is_between)
        .map(|part| part.trim().parse::<u32>());
    let total = points.sum::<Result<u32, _>>();
    if total.is_ok_and(|total| total > POINTS_MAX) {
        return false;
    }
    let mut parts = word.split(is_between);
    let is_number = |part: Option<&str>| {
        part.is_some_and(|part| {
            !part.is_empty()
                && part
                    .chars()
                    .all(|c| c.is_ascii_digit() || matches!(c, '/' | '½' | '+' | '.' | ',' | ' '))
        })
    };
    is_number(parts.next()) && is_number(parts.next()) && parts.next().is_none()
}

/// Whether a result has a winner; `None` if it says nothing.
pub(crate) fn is_decisive(result: &str) -> Option<bool> {
    if result.contains(['/', '½']) {
        return Some(false);
    }
    let (first, second) = result.split_once(is_between)?;
    let number = |text: &str| text.trim().parse::<f32>().ok();
    let (first, second) = (number(first)?, number(second)?);
    // A double forfeit is no draw on the board.
    ((first, second) != (0.0, 0.0)).then_some((first - second).abs() > f32::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_moves_are_dots_and_dashes() {
        for word in ["...", "--", "- -", "…", "....", "– –"] {
            assert!(is_unknown_move(word), "{word}");
        }
        for word in ["-", ".", "1-1", "", "---", "..", "a-b"] {
            assert!(!is_unknown_move(word), "{word}");
        }
    }

    #[test]
    fn results_are_two_numbers() {
        for word in ["1-0", "2-0", "1/2-1/2", "½-½", "0.5-0.5", "20-4"] {
            assert!(is_result(word), "{word}");
        }
        for word in ["1-", "-", "a1-b2", "1-2-3", "", "38-26", "7-40"] {
            assert!(!is_result(word), "{word}");
        }
        assert_eq!(is_decisive("1-0"), Some(true));
        assert_eq!(is_decisive("0-2"), Some(true));
        assert_eq!(is_decisive("1-1"), Some(false));
        assert_eq!(is_decisive("1/2-1/2"), Some(false));
        assert_eq!(is_decisive("0-0"), None);
        assert_eq!(is_decisive("*"), None);
    }
}
