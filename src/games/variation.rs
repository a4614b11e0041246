//! Variations that stand alone: found again in what is stored of them, and written anew
//! in another language.

use super::{
    branch,
    game::{Game, MoveStyle},
    language,
    line::Line,
    text::{Effort, Text, parsed_line},
};
use crate::{games::notation::letters::Language, pgn::parser::Kind};

/// A position met inside a variation.
#[derive(Debug)]
pub struct InVariation<P, M> {
    /// The position, or what was made of it.
    pub at: P,
    /// Plies from the start of the game.
    pub ply: u32,
    /// The move with which the variation's own line goes on.
    pub next: Option<M>,
}

/// The positions of a variation, and of those inside it, in the order of its text, as
/// far as `keep` makes something of them. It begins at `before`, after `ply` plies.
pub fn variation_positions<G: Game, P>(
    text: &str,
    before: &G,
    ply: u32,
    convention: &G::Convention,
    mut keep: impl FnMut(&G) -> Option<P>,
) -> Vec<InVariation<P, G::Move>> {
    let raw = parsed_line(text, G::SYNTAX);
    let text = Text::alone(&raw, text);
    let mut context = before.context(text, convention, Effort::Variation);
    let mut found: Vec<InVariation<P, G::Move>> = Vec::new();
    let line = Line::new(before.clone(), before.structure(), ply);
    branch::each_word(&raw, line, |line, at| {
        if !G::SETS_UP && raw.items[at].kind == Kind::Setup {
            return;
        }
        line.word(&mut context, text, at, |_, m, line| {
            if let Some(last) = line.kept.take() {
                let last: &mut InVariation<P, G::Move> = &mut found[last];
                last.next = Some(m);
            }
            if let Some(at) = keep(&line.at) {
                line.kept = Some(found.len());
                found.push(InVariation {
                    at,
                    ply: line.ply,
                    next: None,
                });
            }
        });
    });
    found
}

/// The text of a variation with its moves in a language; what is no move stays as it is.
/// It begins at `before`.
pub fn variation_in<G: Game>(
    text: &str,
    before: &G,
    convention: &G::Convention,
    to: &Language,
) -> String {
    if !G::HAS_LETTERS && G::language(convention).is_none() {
        return text.to_owned();
    }
    let raw = parsed_line(text, G::SYNTAX);
    let of_text = Text::alone(&raw, text);
    let mut context = before.context(of_text, convention, Effort::Variation);
    let line = Line::new(before.clone(), before.structure(), 0);
    language::rewritten(text, &raw, line, |line, at, word| {
        let mut spelled = Vec::new();
        line.word(&mut context, of_text, at, |before, m, _| {
            spelled.push(before.write(m, MoveStyle::Usual, to));
        });
        if spelled.is_empty() {
            language::respelled(word, G::language(convention), to)
        } else {
            Some(spelled.join(" "))
        }
    })
}
