//! The language of movetext: what a game is expected to be in, and words that could not be
//! played in another.

use std::borrow::Cow;

use super::text::{Text, parsed_line};
use crate::{
    games::notation::letters::{ENGLISH, Language},
    pgn::parser::{Kind, Syntax},
};

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

/// Movetext that cannot be played with the plain moves among its words in another
/// language: so what is no move stays none.
pub fn rest_in(text: &str, from: Option<&Language>, to: &Language) -> String {
    let raw = parsed_line(text, Syntax::Pgn);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for item in raw.items.iter().filter(|item| item.kind == Kind::Word) {
        let begin = item.offset as usize;
        let end = begin + item.len as usize;
        // Words stand between characters; if not, nothing is cut.
        if let (Some(before), Some(word)) = (text.get(done..begin), text.get(begin..end))
            && let Some(english) = from.unwrap_or(ENGLISH).to_english(word)
        {
            out.push_str(before);
            out.push_str(&to.of_english(english.as_str()));
            done = end;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}
