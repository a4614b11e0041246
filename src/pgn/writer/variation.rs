//! The text of a variation, made of its moves.

use std::fmt::Write as _;

/// A variation as it grows, on one line but for comments that end theirs.
#[derive(Debug, Default)]
pub struct VariationText {
    text: String,
    /// Variations that begin with the next word.
    opening: usize,
    /// Whether a move needs its number although the other side had the one before.
    interrupted: bool,
}

impl VariationText {
    /// The text; a new one begins.
    pub fn take(&mut self) -> String {
        std::mem::take(self).text
    }

    fn word(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        for _ in 0..std::mem::take(&mut self.opening) {
            self.text.push('(');
        }
        self.text.push_str(word);
    }

    /// Where the text of the variation begins that was opened last.
    pub fn inner(&self) -> usize {
        let is_apart = self.opening > 0 && !self.text.is_empty() && !self.text.ends_with('\n');
        self.text.len() + usize::from(is_apart) + self.opening
    }

    /// Where the text of the inner variation ends that was closed last.
    pub fn inner_end(&self) -> usize {
        self.text.len().saturating_sub(1)
    }

    /// A variation begins within the one at hand, or that at hand itself.
    pub const fn open(&mut self, is_inner: bool) {
        self.interrupted = true;
        if is_inner {
            self.opening += 1;
        }
    }

    /// An inner variation ends.
    pub fn close(&mut self) {
        if self.opening > 0 {
            self.word("");
        }
        self.text.push(')');
        self.interrupted = true;
    }

    /// A move: its number, whether it is of the side that moves second, and its text.
    pub fn ply(&mut self, number: u32, is_second: bool, text: &str) {
        let mut word = String::new();
        if text.starts_with('/') {
            // A position that is set up has no number, nor has what follows it.
            word.push_str(text);
        } else {
            let _ = match (is_second, self.interrupted) {
                (false, _) => write!(word, "{number}. {text}"),
                (true, true) => write!(word, "{number}... {text}"),
                (true, false) => write!(word, "{text}"),
            };
        }
        self.word(&word);
        self.interrupted = text.starts_with('/');
    }

    /// A numeric annotation glyph.
    pub fn nag(&mut self, number: u32) {
        self.word(&format!("${number}"));
    }

    /// A comment; one that braces cannot hold runs to the end of its line.
    pub fn comment(&mut self, text: &str) {
        if text.contains('}') {
            return self.line_comment(text);
        }
        self.word(&format!("{{{text}}}"));
        self.interrupted = true;
    }

    /// A comment to the end of its line, one for each line of the text.
    pub fn line_comment(&mut self, text: &str) {
        for line in text.split('\n') {
            self.word(&format!(";{}\n", line.strip_suffix('\r').unwrap_or(line)));
        }
        self.interrupted = true;
    }

    /// Something that is kept as it stands.
    pub fn kept(&mut self, text: &str) {
        self.word(&on_one_line(text));
        self.interrupted = true;
    }
}

/// A text with one blank for each run of white space outside comments, for an export breaks
/// lines there. What ends a comment stays.
fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_braces, mut in_line) = (false, false);
    for letter in text.chars() {
        let was_in_line = in_line;
        match letter {
            '{' if !in_line => in_braces = true,
            '}' if !in_line => in_braces = false,
            ';' if !in_braces => in_line = true,
            '\n' => in_line = false,
            _ => {}
        }
        if in_braces || was_in_line || !letter.is_ascii_whitespace() {
            out.push(letter);
        } else if !out.ends_with([' ', '\n']) {
            out.push(' ');
        }
    }
    out
}

/// The pieces of a variation between which lines may be broken: at blanks outside comments,
/// and not after the number of a move.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(' ');
        if rest.is_empty() {
            return None;
        }
        let (mut in_braces, mut in_line) = (false, false);
        let mut last = b' ';
        let end = rest.bytes().position(|byte| {
            let before = std::mem::replace(&mut last, byte);
            match byte {
                b' ' if !in_braces && !in_line => return before != b'.',
                b'{' if !in_line => in_braces = true,
                b'}' if !in_line => in_braces = false,
                b';' if !in_braces => in_line = true,
                b'\n' => in_line = false,
                _ => {}
            }
            false
        });
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_written_as_people_write_it() {
        let mut text = VariationText::default();
        text.open(false);
        text.ply(1, true, "c5");
        text.ply(2, false, "Nf3");
        text.open(true);
        let outer = text.inner();
        text.open(true);
        let inner = text.inner();
        text.ply(2, false, "c3");
        text.close();
        let inner = inner..text.inner_end();
        text.close();
        let outer = outer..text.inner_end();
        assert_eq!([&text.text[outer], &text.text[inner]], ["(2. c3)", "2. c3"]);
        text.ply(2, true, "d6");
        text.nag(1);
        text.ply(3, false, "d4");
        text.comment(" two  blanks ");
        text.ply(3, true, "cxd4");
        text.comment("a } brace\nin it");
        text.open(true);
        text.close();
        assert_eq!(
            text.take(),
            "1... c5 2. Nf3 ((2. c3)) 2... d6 $1 3. d4 { two  blanks } 3... cxd4 ;a } brace\n;in it\n()"
        );
        assert_eq!(text.take(), "");
    }

    #[test]
    fn lines_are_broken_outside_comments_only() {
        let text = "1. e4 {a b\nc d} (1... e5 ;f g\n2. Nf3) ";
        let found: Vec<_> = pieces(text).collect();
        assert_eq!(found, ["1. e4", "{a b\nc d}", "(1... e5", ";f g\n2. Nf3)"]);
    }
}
