//! The one reader and the one writer of what stands on a grid of squares, rank by rank from
//! the top. Which letters there are and what they mean is the game's.

use super::FenError;
use crate::{base::diagnostic::Code, games::notation::clip};

/// What a game says of its placements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacementFacts {
    /// Files of the board.
    pub(crate) files: u8,
    /// Ranks of the board.
    pub(crate) ranks: u8,
    /// The letters of the first side's pieces, for messages.
    pub(crate) letters: &'static str,
}

/// The board of chess.
pub(crate) const CHESS: PlacementFacts = PlacementFacts {
    files: 8,
    ranks: 8,
    letters: "KQRBNP",
};

/// Takes the pieces in hand off the end of a placement: in brackets, or, where they may stand so,
/// after one more slash.
pub(crate) fn split_pocket(text: &str, ranks: u8, behind_slash: bool) -> (&str, Option<&str>) {
    match text.find('[') {
        Some(open) => (&text[..open], Some(&text[open..])),
        None if behind_slash && text.matches('/').count() == usize::from(ranks) => {
            let (placed, pocket) = text.rsplit_once('/').unwrap_or((text, ""));
            (placed, Some(pocket))
        }
        None => (text, None),
    }
}

/// The letters of a pocket, as it was [split off](split_pocket): `put` says whether such
/// a piece can be in hand.
pub(crate) fn read_pocket(
    pocket: Option<&str>,
    mut put: impl FnMut(char) -> bool,
) -> Result<(), FenError> {
    let Some(text) = pocket else {
        return Ok(());
    };
    let bare = match text.strip_prefix('[') {
        Some(rest) => rest.trim_end_matches(']'),
        None => text,
    };
    if bare.chars().all(|c| c == '-' || put(c)) {
        Ok(())
    } else {
        let text = clip(text);
        Err(FenError::Pocket { text })
    }
}

/// What stands between the ranks of a placement: `\` where nothing else does.
pub(crate) fn slash_of(text: &str) -> char {
    if text.contains('\\') && !text.contains('/') {
        '\\'
    } else {
        '/'
    }
}

/// Reads a placement. `put` gets file and rank, both from 0, and the text from there on;
/// it says how many bytes of that are the letter of a piece, `None` if there is no such
/// piece. A `~` after a piece is offered with the place of that piece.
pub(crate) fn read_placement(
    text: &str,
    shape: PlacementFacts,
    warnings: &mut Vec<Code>,
    mut put: impl FnMut(u8, u8, &str) -> Option<usize>,
) -> Result<(), FenError> {
    let PlacementFacts {
        files,
        ranks,
        letters,
    } = shape;
    let mut text = text;
    if let Some(rest) = text.strip_suffix('/') {
        text = rest;
        warnings.push(Code::TrailingSlash);
    }
    let slash = slash_of(text);
    if slash != '/' {
        warnings.push(Code::Backslashes);
    }
    let found = text.split(slash).count();
    if found != usize::from(ranks) {
        let expected = ranks;
        return Err(FenError::RankCount { found, expected });
    }
    let width = usize::from(files);
    let mut adjacent = false;
    for (rank, line) in (0..ranks).rev().zip(text.split(slash)) {
        let mut file = 0;
        let mut after_number = false;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some(number) = number(rest, width, width.saturating_sub(file)) {
                adjacent |= after_number;
                after_number = true;
                file += number.0;
                rest = &rest[number.1..];
                continue;
            }
            after_number = false;
            let is_mark = c == '~' && file > 0;
            let place = if is_mark { file - 1 } else { file };
            // What lies beyond the edge is no less checked for being a piece.
            let Some(length) = put(place.min(width - 1) as u8, rank, rest) else {
                // Control characters must not reach a terminal.
                let found = if c.is_control() { '\u{FFFD}' } else { c };
                return Err(FenError::BadChar {
                    rank: rank + 1,
                    found,
                    letters,
                    files,
                });
            };
            rest = &rest[length..];
            file += usize::from(!is_mark);
        }
        if file != width {
            return Err(FenError::RankWidth {
                rank: rank + 1,
                found: file,
                expected: files,
                text: clip(line),
            });
        }
    }
    if adjacent {
        warnings.push(Code::AdjacentDigits);
    }
    Ok(())
}

/// The number of empty squares that a text begins with, and its length: two
/// digits where that many squares are left, one otherwise; `None` for digits that
/// no rank of the board has.
fn number(text: &str, width: usize, left: usize) -> Option<(usize, usize)> {
    let digit = |at: usize| {
        let byte = *text.as_bytes().get(at)?;
        byte.is_ascii_digit().then(|| usize::from(byte - b'0'))
    };
    let first = digit(0).filter(|&digit| digit > 0 && digit <= width)?;
    match digit(1) {
        Some(second) if first * 10 + second <= left => Some((first * 10 + second, 2)),
        _ => Some((first, 1)),
    }
}

/// Writes a placement: `at` has what stands on file and rank, both from 0, and `push`
/// writes it.
pub(crate) fn write_placement<P>(
    files: u8,
    ranks: u8,
    at: impl Fn(u8, u8) -> Option<P>,
    push: impl Fn(P, &mut String),
) -> String {
    let mut out = String::with_capacity(96);
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..=files {
            let piece = if file < files { at(file, rank) } else { None };
            if file < files && piece.is_none() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                out.push_str(&empty.to_string());
                empty = 0;
            }
            if let Some(piece) = piece {
                push(piece, &mut out);
            }
        }
        if rank > 0 {
            out.push('/');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(text: &str) -> Result<Vec<(u8, char)>, FenError> {
        let shape = PlacementFacts {
            files: 10,
            ranks: 1,
            letters: "K",
        };
        let mut found = Vec::new();
        let put = |file, _, rest: &str| {
            let c = rest.chars().next()?;
            found.push((file, c));
            (c == '~' || c.is_alphabetic()).then_some(c.len_utf8())
        };
        read_placement(text, shape, &mut Vec::new(), put)?;
        Ok(found)
    }

    #[test]
    fn numbers_are_as_long_as_the_board_allows() {
        for text in ["10", "55", "91", "19", "28", "82"] {
            assert_eq!(widths(text), Ok(vec![]), "{text}");
        }
        assert_eq!(widths("k9"), Ok(vec![(0, 'k')]));
        assert_eq!(widths("8k1"), Ok(vec![(8, 'k')]));
        assert_eq!(widths("8ké~"), Ok(vec![(8, 'k'), (9, 'é'), (9, '~')]));
        assert_eq!(widths("k10").unwrap_err().word(), "bad-char");
        assert_eq!(widths("11").unwrap_err().word(), "rank-width");
        assert_eq!(widths("0k9").unwrap_err().word(), "bad-char");
        assert_eq!(widths("kkkkkkkkkkkk").unwrap_err().word(), "rank-width");
        assert_eq!(widths("5/5").unwrap_err().word(), "rank-count");
    }

    #[test]
    fn what_is_written_is_read() {
        let write = |stands: &[u8]| {
            let at = |file, rank| stands.contains(&(rank * 10 + file)).then_some('k');
            write_placement(10, 1, at, |letter, out| out.push(letter))
        };
        assert_eq!(write(&[]), "10");
        assert_eq!(write(&[0, 9]), "k8k");
        assert_eq!(write(&[3]), "3k6");
    }

    #[test]
    fn pockets_stand_in_brackets_or_behind_a_slash() {
        assert_eq!(split_pocket("1/1[Q]", 2, true), ("1/1", Some("[Q]")));
        assert_eq!(split_pocket("1/1/Q", 2, true), ("1/1", Some("Q")));
        assert_eq!(split_pocket("1/1/Q", 2, false), ("1/1/Q", None));
        let read = |text| read_pocket(Some(text), |c| c == 'Q');
        assert_eq!(
            (read("[]"), read("[-]"), read("[QQ]")),
            (Ok(()), Ok(()), Ok(()))
        );
        assert_eq!(read("[Qp]").unwrap_err().word(), "pocket-not-allowed");
    }
}
