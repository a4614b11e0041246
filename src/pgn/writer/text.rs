//! What a stretch of unread movetext leaves open, and how it ends.

use crate::{base::record::Outcome, pgn::tags::result};

/// What matters about movetext that is written without being understood.
#[derive(Debug, Default)]
pub(super) struct TextShape {
    /// Inside a brace comment at its end.
    in_comment: bool,
    /// Inside a `;` comment at its end.
    in_line_comment: bool,
    /// Variations open at its end.
    depth: usize,
    /// Its words outside comments and variations; only the last few.
    words: Vec<String>,
}

/// Words of the longest spelling of a result (`1 / 2-1 / 2`).
const MARKER_WORDS_MAX: usize = 5;

impl TextShape {
    pub(super) fn of(text: &str) -> Self {
        let mut shape = Self::default();
        let mut word = String::new();
        for letter in text.chars() {
            if shape.in_comment {
                shape.in_comment = letter != '}';
                continue;
            }
            if shape.in_line_comment {
                shape.in_line_comment = letter != '\n';
                continue;
            }
            match letter {
                '{' => shape.in_comment = true,
                ';' => shape.in_line_comment = true,
                '(' => shape.depth += 1,
                ')' => shape.depth = shape.depth.saturating_sub(1),
                _ if letter.is_whitespace() => {}
                _ => {
                    if shape.depth == 0 {
                        word.push(letter);
                    }
                    continue;
                }
            }
            shape.take(&mut word);
        }
        shape.take(&mut word);
        shape
    }

    fn take(&mut self, word: &mut String) {
        if !word.is_empty() {
            if self.words.len() == MARKER_WORDS_MAX {
                self.words.remove(0);
            }
            self.words.push(std::mem::take(word));
        }
    }

    /// What closes all that is open.
    pub(super) fn closing(&self) -> String {
        let mut closing = String::new();
        if self.in_comment {
            closing.push('}');
        }
        if self.in_line_comment {
            closing.push('\n');
        }
        closing.extend(std::iter::repeat_n(')', self.depth));
        closing
    }

    /// The last word outside comments and variations; empty if there is none.
    pub(super) fn last_word(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    /// The result that the last words are, if perhaps glued to a move (`Qh5#1-0`).
    /// `0-0` is not taken for one, for it may castle.
    pub(super) fn last_marker(&self) -> Option<Outcome> {
        let spelled = (0..self.words.len()).find_map(|first| {
            let text = self.words[first..].concat();
            result::parse_marker(text.as_bytes()).filter(|_| text != "0-0")
        });
        let glued = || {
            let last = self.words.last()?;
            if last.ends_with('*') {
                return Some(Outcome::Unknown);
            }
            let outcomes = [Outcome::First, Outcome::Second, Outcome::Draw];
            outcomes.into_iter().find(|outcome| {
                let head = last.strip_suffix(outcome.as_pgn());
                head.is_some_and(|head| !head.ends_with(|c: char| c.is_ascii_digit() || "-/".contains(c)))
                    // `e1-0` is nothing, but `Qe1` with `1-0` cut in two is not either.
                    || head.is_some_and(|head| {
                        let mut tail = head.chars().rev();
                        tail.next().is_some_and(|rank| ('1'..='8').contains(&rank))
                            && tail.next().is_some_and(|file| ('a'..='h').contains(&file))
                    })
            })
        };
        spelled.or_else(glued)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_at_the_end() {
        for (text, expected) in [
            ("Ke9 Kd7 1-0", true),
            ("Ke9 1/2 - 1/2 ", true),
            ("Ke9 ½-½\n", true),
            ("Ke9 *", true),
            ("Qh5#1-0", true),
            ("Qe81-0", true),
            ("a6*", true),
            ("Ke9 1-0 {White resigned}", true),
            ("Ke9 {1-0}", false),
            ("Ke9 (1-0)", false),
            ("Ke9 1-0 Kd7", false),
            ("Ke9 {open 1-0", false),
            ("Ke9 0-0", false),
            ("Ke9 0-0-0", false),
            ("Ke9", false),
            ("", false),
        ] {
            assert_eq!(
                TextShape::of(text).last_marker().is_some(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn all_that_is_open_is_closed() {
        for (text, closing) in [
            ("e4 e5", ""),
            ("e4 {text", "}"),
            ("e4 ;text", "\n"),
            ("e4 (d4 (c4 {(", "}))"),
            ("e4 (d4 ;)", "\n)"),
            ("e4) (d4", ")"),
        ] {
            assert_eq!(TextShape::of(text).closing(), closing, "{text}");
        }
    }
}
