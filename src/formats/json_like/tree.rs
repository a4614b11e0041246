//! Which values belong to which position: those between the same brackets.

use std::borrow::Cow;

use super::{
    VARIANTS, markup,
    played::{self, ObjectGame},
};
use crate::{
    games::{
        guess::GameVariant,
        running_text::{
            epd_fields, fen_scanner,
            side_to_move::{self, StatedSide},
        },
    },
    pgn::{
        lexer::listing::{ListingToken as Token, tokens},
        tags::names::decode_entities,
    },
};

/// A position of a listing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in crate::modules::formats) struct ObjectPosition {
    /// Offset of the string.
    pub(in crate::modules::formats) at: usize,
    /// FEN of any game, perhaps with operations.
    pub(in crate::modules::formats) position: String,
    /// What its place is called, if that says more than `fen` does.
    pub(in crate::modules::formats) name: Option<String>,
    /// What stands beside it.
    pub(in crate::modules::formats) values: Vec<ObjectField>,
    /// Who moves by what stands around it.
    pub(in crate::modules::formats) side: StatedSide,
    /// The game that it is taken for, where a drawing of it shows that.
    pub(in crate::modules::formats) inferred: Option<GameVariant>,
    /// Whether operations after it are not as the standard has them: repeated, say.
    pub(in crate::modules::formats) is_odd: bool,
}

impl ObjectPosition {
    /// Who moves by the values beside it.
    pub(in crate::modules::formats) fn stated_side(&self) -> StatedSide {
        let by_name = self
            .name
            .as_deref()
            .map_or(StatedSide::Unstated, side_to_move::said);
        self.values.iter().fold(by_name, |known, own| {
            let key = own.key.as_deref().unwrap_or_default();
            known.and(side_to_move::value(key, &own.text))
        })
    }
}

/// A value beside a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::modules::formats) struct ObjectField {
    /// What it is called; `None` in a list.
    pub(in crate::modules::formats) key: Option<String>,
    /// What it says.
    pub(in crate::modules::formats) text: String,
    /// Whether it stood without quotes: a number, `true`, `false`.
    pub(in crate::modules::formats) is_bare: bool,
}

/// What stands between two brackets.
#[derive(Debug, Default)]
struct ListingFrame {
    /// How it was opened.
    bracket: Option<u8>,
    key: Option<String>,
    values: Vec<ObjectField>,
    positions: Vec<ObjectPosition>,
    /// What each of them is called.
    position_keys: Vec<Option<String>>,
    /// Those that stand among words of its values, and count where there is no other.
    quoted: Vec<ObjectPosition>,
    /// Where it was opened.
    at: usize,
    /// How many positions were found before it was opened.
    found_before: usize,
}

/// Brackets within each other that are distinguished; deeper ones do not count.
pub(super) const DEPTH_MAX: usize = 256;

/// Keys whose value is the name of what has lists of positions in it, the best one first.
const CHAPTER_NAMES: &[&str] = &["chapter", "title", "name"];

/// Bytes of the names of all chapters that a position is in.
const CHAPTER_BYTES_MAX: usize = 240;

/// Values between two brackets that are kept; more say nothing of one position, nor of one game,
/// whose plies may each have several.
const VALUES_MAX: usize = 16 << 10;

/// Positions beside each other that share the values between their brackets; of more, the
/// first has them.
const SHARING_MAX: usize = 8;

/// Bytes of what a value is called, with what the brackets around it are called.
const KEY_BYTES_MAX: usize = 120;

/// What is in a text, each in order.
#[derive(Debug, Default)]
pub(super) struct ListingContents {
    /// The positions that belong to no game.
    pub(super) positions: Vec<ObjectPosition>,
    /// The games.
    pub(super) games: Vec<ObjectGame>,
    /// Where something begins that nothing parts from the value before it. In JSON a comma is
    /// missing there, or a quote before.
    pub(super) unparted: Vec<usize>,
}

/// Every position and every game of a text.
pub(super) fn read(text: &str) -> ListingContents {
    if markup::is_markup(text) {
        return markup::read(text);
    }
    let tokens = tokens(text).map(|(token, span)| (token, span.start, &text[span]));
    of_tokens(ListingReader::default(), tokens)
}

/// The same of the tokens of markup.
pub(super) fn read_tokens<'t>(
    tokens: impl Iterator<Item = (Token, usize, &'t str)>,
) -> ListingContents {
    let reader = ListingReader {
        is_markup: true,
        ..ListingReader::default()
    };
    of_tokens(reader, tokens)
}

fn of_tokens<'t>(
    mut reader: ListingReader<'t>,
    tokens: impl Iterator<Item = (Token, usize, &'t str)>,
) -> ListingContents {
    reader.frames.push(ListingFrame::default());
    let mut last = 0;
    for (token, at, slice) in tokens {
        reader.take(token, at, slice);
        last = at;
    }
    // A stream is cut before a line with a bracket, which cannot stand after a value.
    if reader.is_behind_value && reader.frame().bracket == Some(b'{') && !reader.is_markup {
        reader.unparted.push(last);
    }
    // A string that is cut still says something, where it cannot be what the next one is called.
    if reader.key.is_some() || reader.frame().bracket == Some(b'[') {
        let before = reader.before.take();
        reader.value(before);
    }
    while reader.frames.len() > 1 {
        reader.close();
    }
    let root = reader.frames.pop().unwrap_or_default();
    reader.found.extend(root.positions);
    reader.found.extend(root.quoted);
    reader.found.sort_by_key(|found| found.at);
    reader.games.sort_by_key(|game| game.at);
    ListingContents {
        positions: reader.found,
        games: reader.games,
        unparted: reader.unparted,
    }
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
    before: Option<(Token, usize, &'t str)>,
    found: Vec<ObjectPosition>,
    games: Vec<ObjectGame>,
    /// Whether it stands in markup, which has entities and no quotes.
    is_markup: bool,
    /// Whether the last token ended a value.
    is_behind_value: bool,
    unparted: Vec<usize>,
}

impl<'t> ListingReader<'t> {
    fn take(&mut self, token: Token, at: usize, slice: &'t str) {
        // A string is a value if no `:` follows, so it waits for the next token.
        let before = self.before.take();
        let begins = matches!(
            token,
            Token::Text | Token::Value | Token::Word | Token::Open
        );
        if begins && self.is_behind_value && !self.is_markup {
            self.unparted.push(at);
        }
        self.is_behind_value = !matches!(token, Token::Open | Token::Comma | Token::Is);
        if token == Token::Is {
            self.key = before.map(|(.., slice)| self.said(slice).into_owned());
            return;
        }
        self.value(before);
        match token {
            Token::Text if is_position(slice, &self.said(slice)) => {
                let key = self.key.take();
                let position = self.said(slice).into_owned();
                self.frame().position_keys.push(key.clone());
                self.frame().positions.push(ObjectPosition {
                    at,
                    position,
                    name: key.filter(|key| is_name(key)),
                    ..ObjectPosition::default()
                });
            }
            Token::Text | Token::Value | Token::Word => self.before = Some((token, at, slice)),
            Token::Open => {
                if self.frames.len() > DEPTH_MAX {
                    self.deeper += 1;
                } else {
                    let key = self.key.take();
                    self.frames.push(ListingFrame {
                        bracket: slice.bytes().next(),
                        key,
                        at,
                        found_before: self.found.len(),
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

    /// What a string says.
    fn said<'s>(&self, slice: &'s str) -> Cow<'s, str> {
        if !self.is_markup {
            return unquoted(slice);
        }
        let plain = decode_entities(slice.as_bytes());
        String::from_utf8(plain).map_or(slice.into(), Cow::Owned)
    }

    fn frame(&mut self) -> &mut ListingFrame {
        self.frames
            .last_mut()
            .expect("the outermost bracket is never closed")
    }

    /// Keeps a string or a number as a value; a mere word is none.
    fn value(&mut self, token: Option<(Token, usize, &str)>) {
        let Some((token @ (Token::Text | Token::Value), at, slice)) = token else {
            return;
        };
        let key = self.key.take();
        let text = self.said(slice).into_owned();
        if token == Token::Text && matches!(self.frame().bracket, Some(b'[' | b'{')) {
            let found = fen_scanner::all(&text)
                .into_iter()
                .map(|place| ObjectPosition {
                    at,
                    position: fen_scanner::written(&text[place]).into_owned(),
                    ..ObjectPosition::default()
                });
            self.frame().quoted.extend(found);
        }
        self.keep(ObjectField {
            key,
            text,
            is_bare: token == Token::Value,
        });
    }

    fn keep(&mut self, value: ObjectField) {
        let values = &mut self.frame().values;
        if values.len() < VALUES_MAX {
            values.push(value);
        }
    }

    /// Closes the innermost brackets.
    fn close(&mut self) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        if self.close_game(&mut frame) {
            return;
        }
        // What a text quotes is a record only where nothing else around it is.
        if frame.positions.is_empty() {
            let mut quoted = std::mem::take(&mut frame.quoted);
            let shared = quoted.iter_mut().filter(|found| found.values.is_empty());
            for found in shared.take(SHARING_MAX) {
                found.values.clone_from(&frame.values);
            }
            self.frame().quoted.append(&mut quoted);
        }
        // The game is one for all that stands within.
        if let Some(variant) = frame.values.iter().find(|value| is_one_of(value, VARIANTS)) {
            let unsaid = self.found[frame.found_before..]
                .iter_mut()
                .filter(|found| !found.values.iter().any(|value| is_one_of(value, VARIANTS)));
            for found in unsaid {
                found.values.push(variant.clone());
            }
        }
        if frame.positions.is_empty() && frame.bracket == Some(b'{') {
            self.name_chapter(&frame);
        }
        match frame.positions.len() {
            0 => self.close_values(frame),
            1 => self.close_one(frame),
            _ => self.close_several(frame),
        }
    }

    /// Closes brackets that are a game, or a list of games; whether nothing else is in them.
    fn close_game(&mut self, frame: &mut ListingFrame) -> bool {
        let has_position = !frame.positions.is_empty();
        let is_outermost = self.frames.len() == 1;
        if !has_position && frame.bracket != Some(b'(') {
            let games = played::take_list(&mut frame.values, is_outermost);
            let games = games.into_iter().map(|value| ObjectGame {
                at: frame.at,
                values: vec![value],
                positions: Vec::new(),
            });
            self.games.extend(games);
        }
        let is_one = frame.bracket == Some(b'{')
            && frame.positions.len() == frame.position_keys.len()
            && played::are_game(&frame.values, has_position)
            && !played::is_wrapped(frame.key.as_deref(), &frame.values);
        if is_one {
            let keys = std::mem::take(&mut frame.position_keys);
            let positions = std::mem::take(&mut frame.positions);
            self.games.push(ObjectGame {
                at: frame.at,
                values: std::mem::take(&mut frame.values),
                positions: keys.into_iter().zip(positions).collect(),
            });
        }
        is_one
    }

    /// Names what the positions are of that stand further in: a chapter, of a book.
    fn name_chapter(&mut self, frame: &ListingFrame) {
        let name_at = |name: &&str| {
            let mut values = frame.values.iter();
            values.find(|value| is_one_of(value, &[name]) && !value.text.is_empty())
        };
        let Some(name) = CHAPTER_NAMES.iter().find_map(name_at) else {
            return;
        };
        for found in &mut self.found[frame.found_before..] {
            let is_chapter = |value: &&mut ObjectField| is_one_of(value, &["chapter"]);
            match found.values.iter_mut().find(is_chapter) {
                Some(inner) if inner.text.len() + name.text.len() < CHAPTER_BYTES_MAX => {
                    inner.text = format!("{}: {}", name.text, inner.text);
                    inner.is_bare = false;
                }
                None if name.text.len() < CHAPTER_BYTES_MAX => found.values.push(ObjectField {
                    key: Some("chapter".to_owned()),
                    ..name.clone()
                }),
                _ => {}
            }
        }
    }

    /// Closes brackets with a position.
    fn close_one(&mut self, mut frame: ListingFrame) {
        let position = &mut frame.positions[0];
        let is_named = frame.key.is_some();
        // A list of one is a list, too: it has no name.
        let names = frame.bracket != Some(b'[') && !self.is_markup;
        let key = frame.key.filter(|_| names);
        position.name = position.name.take().or(key.filter(|key| is_name(key)));
        let is_wrapped = frame.bracket == Some(b'(') || frame.bracket == Some(b'{') && is_named;
        if frame.values.is_empty() && is_wrapped {
            // `FEN("…")`, `"position": {"fen": "…"}`: what belongs to it stands further out.
            self.frame().positions.append(&mut frame.positions);
            return;
        }
        position.values = frame.values;
        self.found.append(&mut frame.positions);
    }

    /// Closes brackets with several positions: named values are about each of them.
    fn close_several(&mut self, mut frame: ListingFrame) {
        frame.values.retain(|value| value.key.is_some());
        let of_all = |value: &&ObjectField| is_one_of(value, VARIANTS);
        let variant: Vec<ObjectField> = frame.values.iter().filter(of_all).cloned().collect();
        let is_few = frame.positions.len() <= SHARING_MAX;
        for (nth, position) in frame.positions.iter_mut().enumerate() {
            let shared = if is_few || nth == 0 {
                &frame.values
            } else {
                &variant
            };
            position.values.clone_from(shared);
        }
        self.found.append(&mut frame.positions);
    }

    /// Closes brackets without a position: what stands in them says something of the one
    /// beside them.
    fn close_values(&mut self, frame: ListingFrame) {
        if frame.bracket == Some(b'(') && frame.key.is_none() {
            return;
        }
        let is_list = frame.values.iter().all(|value| value.key.is_none());
        if is_list && frame.key.is_some() {
            // A list of texts is a value, as moves are.
            let texts: Vec<&str> = frame.values.iter().map(|value| &value.text[..]).collect();
            let text = texts.join(" ");
            self.keep(ObjectField {
                key: frame.key,
                text,
                is_bare: false,
            });
            return;
        }
        let of_moves = |key: &str| played::is_of_moves(key) || played::is_move(key);
        let is_of_moves = frame.key.as_deref().is_some_and(of_moves);
        for mut value in frame.values {
            // The numbers of moves that stand one by one.
            let is_number = value.text.bytes().all(|b| b.is_ascii_digit());
            if is_of_moves && is_number && is_one_of(&value, &["n", "nr", "no", "number"]) {
                continue;
            }
            let is_played = |key: &str| key.split('.').all(played::is_move);
            value.key = match (&frame.key, value.key) {
                // Moves one by one, or of both sides by pairs, in the order of play.
                (Some(outer), Some(key)) if is_of_moves && is_played(&key) => Some(outer.clone()),
                (Some(outer), Some(key)) if outer.len() + key.len() < KEY_BYTES_MAX => {
                    Some(format!("{outer}.{key}"))
                }
                (outer, key) => key.or_else(|| outer.clone()),
            };
            self.keep(value);
        }
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

/// Whether a string in quotes is a position of any game, or several.
fn is_position(quoted: &str, text: &str) -> bool {
    // Shorter than two kings on a board of ranks, and most strings.
    const BYTES_MIN: usize = 5;
    quoted.len() > BYTES_MIN && quoted.contains(['/', ':', '\\']) && {
        let text = text.trim();
        epd_fields::is_pdn(text)
            || fen_scanner::is_cell(text)
            || fen_scanner::listed(text).is_some()
    }
}

/// Whether a value is called by one of these names.
pub(super) fn is_one_of(value: &ObjectField, keys: &[&str]) -> bool {
    let key = value.key.as_deref();
    key.is_some_and(|key| keys.iter().any(|known| key.eq_ignore_ascii_case(known)))
}

/// Whether what stands before a position names it, and says more than that it is one.
pub(in crate::modules::formats) fn is_name(label: &str) -> bool {
    const WORDS: [&str; 15] = [
        "positions",
        "fens",
        "starting",
        "position",
        "initial",
        "current",
        "string",
        "start",
        "setup",
        "board",
        "chess",
        "fen",
        "epd",
        "pos",
        "the",
    ];
    let mut rest = label.to_ascii_lowercase();
    for word in WORDS {
        rest = rest.replace(word, "");
    }
    rest.contains(char::is_alphanumeric)
}

/// Whether a key can be one of positions.
pub(in crate::modules::formats) fn is_position_key(key: &str) -> bool {
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
        let told = |found: ObjectPosition| {
            let values = found.values.iter().map(|value| {
                let key = value.key.as_deref().map(|key| format!("{key}="));
                format!(" {}{}", key.unwrap_or_default(), value.text)
            });
            let position = if found.position == A { "A" } else { "B" };
            let name = found.name.as_deref().unwrap_or("-");
            format!("{name} {position}{}", values.collect::<String>())
        };
        read(text).positions.into_iter().map(told).collect()
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
            assert_eq!(read(text).positions, [], "{text}");
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
        assert_eq!(read(&text).positions.len(), 1);
        let text = format!("{}\"{A}\"", "]".repeat(deep));
        assert_eq!(read(&text).positions.len(), 1);
    }
}
