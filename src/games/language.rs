//! The language of movetext: what a game is expected to be in, and variations
//! written anew in another.

use std::borrow::Cow;

use super::{
    branch::{self, Branch},
    text::{Text, parsed_line},
};
use crate::{
    games::notation::letters::{ENGLISH, Language},
    pgn::parser::{Kind, RawGame, Syntax},
};

/// The kind of annotation that names the language of the game's variations.
pub const LANGUAGE_KIND: &str = "l";

/// The language in which games are expected to be written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected {
    /// `None` is English.
    pub language: Option<&'static Language>,
    /// Somebody said so: no game is in another.
    pub certain: bool,
}

impl Expected {
    /// In that language and in no other.
    pub fn certainly(language: &'static Language) -> Self {
        Self {
            language: (!language.is_english()).then_some(language),
            certain: true,
        }
    }
}

/// The words of a game's main line.
pub(crate) fn main_words(text: Text<'_>) -> Vec<Cow<'_, str>> {
    let mut depth = 0_usize;
    let mut words = Vec::new();
    for item in &text.raw.items {
        match item.kind {
            Kind::VariationStart => depth += 1,
            Kind::VariationEnd => depth = depth.saturating_sub(1),
            Kind::Word if depth == 0 => words.push(text.of(item)),
            _ => {}
        }
    }
    words
}

/// The text of a variation with other words for its moves: `spell` plays a word on
/// its line and says how it is written; what it does not know stays as it is.
pub(crate) fn rewritten<L: Branch>(
    text: &str,
    raw: &RawGame,
    line: L,
    mut spell: impl FnMut(&mut L, usize, &str) -> Option<String>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    branch::each_word(raw, line, |line, at| {
        let item = &raw.items[at];
        let from = item.offset as usize;
        let to = from + item.len as usize;
        // Words stand between characters; if not, nothing is cut.
        if let (Some(before), Some(word)) = (text.get(done..from), text.get(from..to))
            && let Some(words) = spell(line, at, word)
        {
            out.push_str(before);
            out.push_str(&words);
            done = to;
        }
    });
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Movetext that cannot be played with the plain moves among its words in another
/// language: so what is no move stays none.
pub fn rest_in(text: &str, from: Option<&Language>, to: &Language) -> String {
    let raw = parsed_line(text, Syntax::Pgn);
    rewritten(text, &raw, Unplayed, |_, _, word| respelled(word, from, to))
}

/// A word in another language, by its letters alone.
pub(crate) fn respelled(word: &str, from: Option<&Language>, to: &Language) -> Option<String> {
    let english = from.unwrap_or(ENGLISH).to_english(word)?;
    Some(to.of_english(english.as_str()))
}

/// A line of words that nobody plays.
struct Unplayed;

impl Branch for Unplayed {
    fn branch(&self) -> Self {
        Self
    }
}
