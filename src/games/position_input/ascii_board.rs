//! Boards that are drawn square by square, as programs print them: eight to ten ranks of
//! as many letters, `-` or `.` for an empty square.

/// Ranks and files that a board can have.
const SIDES: std::ops::RangeInclusive<usize> = 8..=10;

/// A text that begins with such a board, the board in the form of a FEN. Ranks have
/// slashes between them, lines of their own or just a blank; within a rank there may be
/// blanks, and numbers for empty squares as in a FEN.
pub(super) fn as_fen(text: &str) -> Option<String> {
    if text.contains('/') {
        return by_ranks(text, text.split('/'));
    }
    by_ranks(text, text.lines()).or_else(|| by_ranks(text, text.split_whitespace()))
}

/// A board as the parts of a text, each a rank; after the last of them stands the rest.
fn by_ranks<'t>(text: &'t str, parts: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut ranks: Vec<String> = Vec::new();
    let (mut width, mut is_drawn, mut behind) = (0, false, 0);
    for part in parts.take(*SIDES.end()) {
        let Some((rank, squares, end)) = rank(part, width) else {
            break;
        };
        if width == 0 {
            width = squares;
        }
        if squares != width {
            break;
        }
        let drawn = part[..end].trim();
        is_drawn |= drawn.contains(is_empty) || drawn.contains(char::is_whitespace);
        behind = part.as_ptr() as usize - text.as_ptr() as usize + end;
        ranks.push(rank);
        // What follows the last rank ends the board.
        if !part[end..].trim().is_empty() {
            break;
        }
    }
    let is_board = is_drawn && SIDES.contains(&ranks.len()) && SIDES.contains(&width);
    is_board.then(|| ranks.join("/") + &text[behind..])
}

/// The rank with which a part begins, with numbers for its empty squares, how many
/// squares it has, and where it ends in the part; with a width, it ends there.
fn rank(part: &str, width: usize) -> Option<(String, usize, usize)> {
    let mut out = String::new();
    let (mut squares, mut empty, mut end) = (0, 0, 0);
    // Every square has a blank after it, or none has.
    let mut words = part.split_whitespace().map(|word| word.chars().count());
    let is_spaced = words.next() == Some(1) && words.next() == Some(1);
    for (at, c) in part.char_indices() {
        if width > 0 && squares >= width {
            break;
        }
        let here = match c {
            c if c.is_whitespace() && (is_spaced || squares == 0) => continue,
            c if c.is_whitespace() => break,
            c if is_empty(c) => 1,
            '1'..='9' => c as usize - '0' as usize,
            c if c.is_alphabetic() || c == '*' => 0,
            _ => return None,
        };
        if here == 0 {
            if empty > 0 {
                out.push_str(&empty.to_string());
            }
            out.push(c);
            empty = 0;
        }
        empty += here;
        squares += here.max(1);
        end = at + c.len_utf8();
    }
    if empty > 0 {
        out.push_str(&empty.to_string());
    }
    Some((out, squares, end))
}

const fn is_empty(c: char) -> bool {
    matches!(c, '-' | '.')
}
