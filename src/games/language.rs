//! The language of movetext that a game is expected to be in.

use std::borrow::Cow;

use super::text::GameText;
use crate::{
    games::notation::letters::Language,
    pgn::{parser::ItemKind, tags::game_type::GameType},
};

/// How games are expected to be written.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExpectedNotation {
    /// `None` is English.
    pub language: Option<&'static Language>,
    /// The user said so: no game is in another.
    pub certain: bool,
    /// The tag of the game that says how its squares are named.
    pub squares: Option<GameType>,
}

impl ExpectedNotation {
    /// In that language and in no other.
    pub fn certainly(language: &'static Language) -> Self {
        Self {
            language: (!language.is_english()).then_some(language),
            certain: true,
            squares: None,
        }
    }
}

/// The words of a game's main line.
pub(crate) fn main_words(text: GameText<'_>) -> Vec<Cow<'_, str>> {
    let mut depth = 0_usize;
    let mut words = Vec::new();
    for item in &text.raw.items {
        match item.kind {
            ItemKind::VariationStart => depth += 1,
            ItemKind::VariationEnd => depth = depth.saturating_sub(1),
            ItemKind::Word if depth == 0 => words.push(text.of(item)),
            _ => {}
        }
    }
    words
}
