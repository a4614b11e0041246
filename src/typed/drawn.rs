//! Boards that are drawn square by square, as programs print them: eight to ten lines of
//! as many letters, `-` or `.` for an empty square.

/// A text that begins with such a board, the board in the form of a FEN. Lines stand
/// behind each other, or have slashes between them.
pub(super) fn as_fen(text: &str) -> Option<String> {
    let first = text.split_whitespace().next()?;
    let lines: Vec<&str> = if first.contains('/') {
        first.split('/').collect()
    } else {
        let width = first.chars().count();
        let words = text.split_whitespace();
        words
            .take_while(|word| word.chars().count() == width && is_line(word))
            .collect()
    };
    let sides = 8..=10;
    let width = lines.first()?.chars().count();
    let is_board = sides.contains(&lines.len())
        && sides.contains(&width)
        && lines
            .iter()
            .all(|line| line.chars().count() == width && is_line(line))
        && lines.iter().any(|line| line.contains(is_empty));
    if !is_board {
        return None;
    }
    let ranks: Vec<String> = lines.iter().map(|line| counted(line)).collect();
    let last = lines.last()?;
    let behind = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    Some(ranks.join("/") + text.get(behind..)?)
}

const fn is_empty(c: char) -> bool {
    matches!(c, '-' | '.')
}

fn is_line(word: &str) -> bool {
    word.chars()
        .all(|c| c.is_alphabetic() || is_empty(c) || c == '*')
}

/// A line with numbers for its empty squares.
fn counted(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut empty = 0;
    for c in line.chars().map(Some).chain([None]) {
        if c.is_some_and(is_empty) {
            empty += 1;
            continue;
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
            empty = 0;
        }
        out.extend(c);
    }
    out
}
