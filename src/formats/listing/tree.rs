//! Which values belong to which position: those between the same brackets.

use std::borrow::Cow;

use crate::formats::{shape, sides::SideSaid};
use crate::games::board_shape::BoardShape;
use crate::pgn::lexer::listing::{ListingToken as Token, tokens};

/// A position of a listing.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::formats) struct ListedPosition {
    /// Offset of the string.
    pub(in crate::formats) at: usize,
    /// FEN of any game, perhaps with operations.
    pub(in crate::formats) position: String,
    /// What its place is called, if that says more than `fen` does.
    pub(in crate::formats) name: Option<String>,
    /// What stands beside it.
    pub(in crate::formats) values: Vec<ListedValue>,
    /// Who moves by what stands around it.
    pub(in crate::formats) side: SideSaid,
}

/// A value beside a position.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::formats) struct ListedValue {
    /// What it is called; `None` in a list.
    pub(in crate::formats) key: Option<String>,
    /// What it says.
    pub(in crate::formats) text: String,
    /// Whether it stood without quotes: a number, `true`, `false`.
    pub(in crate::formats) is_bare: bool,
}

/// What stands between two brackets.
#[derive(Debug, Default)]
struct ListingFrame {
    /// How it was opened.
    bracket: Option<u8>,
    key: Option<String>,
    values: Vec<ListedValue>,
    positions: Vec<ListedPosition>,
}

/// Brackets within each other that are told apart; deeper ones do not count.
const DEPTH_MAX: usize = 256;

/// Values between two brackets that are kept; more say nothing of one position.
const VALUES_MAX: usize = 1024;

/// Every position of a text, in order.
pub(super) fn read(text: &str) -> Vec<ListedPosition> {
    let mut reader = ListingReader {
        frames: vec![ListingFrame::default()],
        ..ListingReader::default()
    };
    for (token, span) in tokens(text) {
        reader.take(token, span.start, &text[span]);
    }
    while reader.frames.len() > 1 {
        reader.close();
    }
    let root = reader.frames.pop().unwrap_or_default();
    reader.found.extend(root.positions);
    reader.found.sort_by_key(|found| found.at);
    reader.found
}

#[derive(Default)]
struct ListingReader<'t> {
    /// The one at hand is the last.
    frames: Vec<ListingFrame>,
    /// Brackets that are open beyond the depth.
    deeper: usize,
    /// What the next value is called.
    key: Option<String>,
    /// The token before this one, where it may turn out to be a key.
    before: Option<(Token, &'t str)>,
    found: Vec<ListedPosition>,
}

impl<'t> ListingReader<'t> {
    fn take(&mut self, token: Token, at: usize, slice: &'t str) {
        // A string is a value if no `:` follows, so it waits for the next token.
        let before = self.before.take();
        if token == Token::Is {
            self.key = before.map(|(_, slice)| unquoted(slice).into_owned());
            return;
        }
        self.value(before);
        match token {
            Token::Text if is_position(slice) => {
                let key = self.key.take();
                self.frame().positions.push(ListedPosition {
                    at,
                    position: unquoted(slice).into_owned(),
                    name: key.filter(|key| !is_position_key(key)),
                    values: Vec::new(),
                    side: SideSaid::Nobody,
                });
            }
            Token::Text | Token::Value | Token::Word => self.before = Some((token, slice)),
            Token::Open => {
                if self.frames.len() > DEPTH_MAX {
                    self.deeper += 1;
                } else {
                    let key = self.key.take();
                    self.frames.push(ListingFrame {
                        bracket: slice.bytes().next(),
                        key,
                        ..ListingFrame::default()
                    });
                }
            }
            Token::Close => {
                self.key = None;
                if self.deeper > 0 {
                    self.deeper -= 1;
                } else if self.frames.len() > 1 {
                    self.close();
                }
            }
            Token::Comma => self.key = None,
            Token::Is => {}
        }
    }

    fn frame(&mut self) -> &mut ListingFrame {
        self.frames
            .last_mut()
            .expect("the outermost bracket is never closed")
    }

    /// Keeps a string or a number as a value; a mere word is none.
    fn value(&mut self, token: Option<(Token, &str)>) {
        let Some((token @ (Token::Text | Token::Value), slice)) = token else {
            return;
        };
        let key = self.key.take();
        let values = &mut self.frame().values;
        if values.len() == VALUES_MAX {
            return;
        }
        values.push(ListedValue {
            key,
            text: unquoted(slice).into_owned(),
            is_bare: token == Token::Value,
        });
    }

    /// Closes the innermost brackets.
    fn close(&mut self) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        if let [position] = &mut frame.positions[..] {
            // A list of one is a list, too: it names nobody.
            let key = frame.key.filter(|_| frame.bracket != Some(b'['));
            position.name = position
                .name
                .take()
                .or(key.filter(|key| !is_position_key(key)));
            if frame.values.is_empty() && frame.bracket == Some(b'(') {
                // `FEN("…")`: what belongs to it stands further out.
                self.frame().positions.append(&mut frame.positions);
                return;
            }
            position.values = frame.values;
        } else if frame.positions.is_empty()
            && frame.key.is_some()
            && frame.values.iter().all(|value| value.key.is_none())
        {
            // A list of texts is a value, as moves are.
            let texts: Vec<&str> = frame.values.iter().map(|value| &value.text[..]).collect();
            if !texts.is_empty() {
                self.frame().values.push(ListedValue {
                    key: frame.key,
                    text: texts.join(" "),
                    is_bare: false,
                });
            }
        }
        self.found.append(&mut frame.positions);
    }
}

/// What a string says, without its quotes and escapes.
fn unquoted(token: &str) -> Cow<'_, str> {
    let inner = |quote: char| {
        let inner = token.strip_prefix(quote).unwrap_or(token);
        inner.strip_suffix(quote).unwrap_or(inner)
    };
    if token.starts_with('\'') {
        return inner('\'').into();
    }
    if token.contains('\\')
        && let Ok(text) = serde_json::from_str::<String>(token)
    {
        return text.into();
    }
    inner('"').into()
}

/// Whether a string in quotes is a position of any game.
fn is_position(quoted: &str) -> bool {
    // Shorter than two kings on a board of ranks, and most strings.
    const BYTES_MIN: usize = 5;
    quoted.len() > BYTES_MIN && quoted.contains(['/', ':']) && {
        let text = unquoted(quoted);
        let text = text.trim();
        let is_board = |shape: BoardShape| shape.is_board() && shape.has_kings();
        shape::is_pdn(text) || BoardShape::of(text.as_bytes()).is_some_and(is_board)
    }
}

/// Whether a key says only that its value is a position.
pub(in crate::formats) fn is_position_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["fen", "epd", "position", "board", "setup", "start"]
        .iter()
        .any(|word| key.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "4k3/8/8/8/8/8/8/4K3 w - -";
    const B: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";

    /// Name, values and position of each that is found.
    fn told(text: &str) -> Vec<String> {
        let told = |found: ListedPosition| {
            let values = found.values.iter().map(|value| {
                let key = value.key.as_deref().map(|key| format!("{key}="));
                format!(" {}{}", key.unwrap_or_default(), value.text)
            });
            let position = if found.position == A { "A" } else { "B" };
            let name = found.name.as_deref().unwrap_or("-");
            format!("{name} {position}{}", values.collect::<String>())
        };
        read(text).into_iter().map(told).collect()
    }

    #[test]
    fn values_belong_to_the_position_in_their_brackets() {
        for (text, wanted) in [
            (format!("[\"{A}\", \"{B}\"]"), &["- A", "- B"][..]),
            (
                format!("{{\"all\": {{\"one\": \"{A}\", \"two\": \"{B}\"}}, \"lost\": [\"two\"]}}"),
                &["one A", "two B"],
            ),
            (
                format!(
                    "{{\"list\": [{{\"id\": 7, \"fen\": \"{A}\", \"x\": \"y\"}}, {{\"fen\": \"{B}\"}}]}}"
                ),
                &["- A id=7 x=y", "- B"],
            ),
            (
                format!("{{\"n\": {{\"fen\": \"{A}\", \"moves\": [\"e1e2\", \"e8e7\"]}}}}"),
                &["n A moves=e1e2 e8e7"],
            ),
            (
                format!("List(P(\"1\", FEN(\"{A}\"), \"ab\".some), P(\"2\", FEN(\"{B}\"), \"\"))"),
                &["- A 1 ab", "- B 2 "],
            ),
            (
                format!("P(code = \"#1\",\n fen = FEN(\"{A}\"), // old = \"{B}\"\n moves = \"\")"),
                &["- A code=#1 moves="],
            ),
            (format!("std::string tests[] = {{ '{A}', }};"), &["- A"]),
            (
                format!("start := \"{A}\"; other = \"{B}\""),
                &["- A", "other B"],
            ),
            // Cut in the middle.
            (
                format!("{{\"a\": {{\"x\": 1, \"fen\": \"{A}\", \"y"),
                &["a A x=1"],
            ),
        ] {
            assert_eq!(told(&text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_position_is_passed_over() {
        for text in [
            "\"src/main/scala/draughts/x\"",
            "\"a/b/c/d/e/f/g/h\"",
            "\"8/8/8/8/8/8/8/8\"",
            "\"1/2/3/4/5\"",
            "\"W: 3, B: 4, D: 5\"",
            "\"http://example.org:80/a/b/c\"",
            "\"12:30:15\"",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }

    #[test]
    fn quotes_and_escapes_are_taken_off() {
        assert_eq!(unquoted(r#""a\"b\u00e9""#), "a\"bé");
        assert_eq!(unquoted("'x'"), "x");
        assert_eq!(unquoted("\"open"), "open");
        assert_eq!(unquoted("\""), "");
    }

    #[test]
    fn depth_is_bounded() {
        let deep = 100_000;
        let text = format!("{}\"{A}\"{}", "[".repeat(deep), "]".repeat(deep));
        assert_eq!(read(&text).len(), 1);
        let text = format!("{}\"{A}\"", "]".repeat(deep));
        assert_eq!(read(&text).len(), 1);
    }
}
