//! The language of movetext: what a game is expected to be in, and words that could not be
//! played in another.

use std::borrow::Cow;

use crate::games::chess::basics::Chess;

use super::chess::rules::{Board, Ply};
use crate::{
    games::{
        chess::notation::quick_san,
        notation::letters::{self, ENGLISH, Language},
    },
    pgn::parser::{Kind, Parser, RawGame, Syntax},
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

/// A plain move in the letters of a language.
pub(crate) fn quick(board: &Board, word: &str, language: &Language) -> Option<Ply> {
    quick_san::resolve(board, language.to_english(word)?.as_bytes())
}

/// The language in which a game's words make more sense than in the expected one.
pub(crate) fn another(
    start: Option<&Chess>,
    words: &[Cow<'_, str>],
    expected: Option<&'static Language>,
) -> Option<&'static Language> {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    letters::better_language(start?, &words, expected.unwrap_or(ENGLISH))
}

/// The words of a game's main line.
pub(crate) fn main_words<'b>(
    raw: &RawGame,
    bytes: &'b [u8],
    decode: &dyn for<'d> Fn(&'d [u8]) -> Cow<'d, str>,
) -> Vec<Cow<'b, str>> {
    let mut depth = 0_usize;
    let mut words = Vec::new();
    for item in &raw.items {
        match item.kind {
            Kind::VariationStart => depth += 1,
            Kind::VariationEnd => depth = depth.saturating_sub(1),
            Kind::Word if depth == 0 => words.push(decode(raw.text(bytes, item))),
            _ => {}
        }
    }
    words
}

/// Movetext that cannot be played with the plain moves among its words in another
/// language: so what is no move stays none.
pub fn rest_in(text: &str, from: Option<&Language>, to: &Language) -> String {
    let mut raw = RawGame::default();
    Parser::variation(text.as_bytes(), Syntax::Pgn, &mut raw);
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
