//! Lines beside the main line: played on the side for the index, found again by a
//! search, and written anew in another language.

use super::{
    Replay,
    read::{family, has_square, ranks, text_of},
};
use crate::{
    games::replay::{
        branch::{self, Branch, InVariation},
        read::Decode,
        tongue,
    },
    notation::{
        kin::{has_letters, resolve_all, san_in},
        letters::Language,
        move_error::MoveError,
        xiangqi::Ranks,
    },
    parse::{Parser, RawGame},
};

/// A line of play inside a variation.
struct Line {
    at: Replay,
    /// The position before the last ply: what a variation of it begins from.
    before: Option<Box<Replay>>,
    /// An unreadable move has cut the line.
    cut: bool,
    /// The language of its words; `None` is English.
    language: Option<&'static Language>,
}

impl Branch for Line {
    fn branch(&self) -> Self {
        Self {
            at: self.before.as_deref().unwrap_or(&self.at).clone(),
            before: None,
            cut: self.cut || self.before.is_none(),
            language: self.language,
        }
    }
}

impl Line {
    fn new(at: &Replay, language: Option<&'static Language>) -> Self {
        Self {
            at: at.clone(),
            before: None,
            cut: false,
            language,
        }
    }

    /// Plays a word; `each` sees the code of every ply and the game behind it.
    fn play(&mut self, word: &str, ranks: Ranks, mut each: impl FnMut(u16, &Replay)) {
        if self.cut {
            return;
        }
        let read = resolve_all(&self.at.at.position, word, ranks, self.language);
        for ply in read.plies {
            let code = self.at.code(ply);
            let before = self.at.clone();
            self.at.play_ply(ply);
            self.before = Some(Box::new(before));
            each(code, &self.at);
        }
        if let Some(stop) = read.stop {
            let rest = word.get(stop.at..).unwrap_or(word);
            self.cut = stop.error != MoveError::Unreadable || has_square(rest);
        }
    }
}

/// The positions of a variation, and of those inside it, from its text, as far as
/// `keep` makes something of them. `before` is the game where it begins.
pub fn variation_positions<P>(
    text: &str,
    before: &Replay,
    language: Option<&'static Language>,
    mut keep: impl FnMut(&Replay) -> Option<P>,
) -> Vec<InVariation<P>> {
    let bytes = text.as_bytes();
    let decode: Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let position = &before.at.position;
    let mut raw = RawGame::default();
    Parser::variation(bytes, family(position), &mut raw);
    let ranks = ranks(&raw, bytes, decode, position);
    let line = Line::new(before, language);
    branch::positions(&raw, line, before.ply, |line, item, met| {
        let word = text_of(&raw, bytes, item, decode, position);
        line.play(&word, ranks, |code, at| met(code, keep(at)));
    })
}

/// Calls `each` with the positions of a variation, which are not kept.
pub(super) fn each_position(
    text: &str,
    before: &Replay,
    language: Option<&'static Language>,
    mut each: impl FnMut(&Replay),
) {
    let _: Vec<InVariation<()>> = variation_positions(text, before, language, |at| {
        each(at);
        None
    });
}

/// The text of a variation with its moves in another language, where the game has
/// letters of men. `before` is the position in which it begins.
pub fn variation_in(
    text: &str,
    before: &Replay,
    from: Option<&'static Language>,
    to: &Language,
) -> String {
    if !has_letters(&before.at.position) {
        return text.to_owned();
    }
    tongue::rewritten(text, Line::new(before, from), |line, word| {
        let mut at = line.at.at.position.clone();
        let plies = resolve_all(&at, word, Ranks::Either, from).plies;
        line.play(word, Ranks::Either, |_, _| ());
        let mut spelled = Vec::new();
        for ply in plies {
            spelled.push(san_in(&at, ply, to));
            at.play(ply);
        }
        if spelled.is_empty() {
            return tongue::respelled(word, from, to);
        }
        Some(spelled.join(" "))
    })
}
