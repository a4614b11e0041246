//! Variations: played on the side while a game is read, and written down as plies.

use super::{
    branch::{Branch, BranchedLines},
    buffers::Reading,
    game::BoardGame,
    line::PlayLine,
    text::GameText,
    variation_tree::Annotation,
};
use crate::pgn::parser::ItemKind;

/// The variations that are open at a place of a text.
#[derive(Debug)]
pub(super) struct Variations<G: BoardGame>(BranchedLines<PlayLine<G>>);

impl<G: BoardGame> Default for Variations<G> {
    fn default() -> Self {
        Self(BranchedLines::new())
    }
}

impl<G: BoardGame> Variations<G> {
    /// Whether the main line goes on.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A variation of the last ply of the main line begins, at an item.
    pub(super) fn open(
        &mut self,
        main: &PlayLine<G>,
        text: GameText<'_>,
        at: usize,
        out: &mut Reading,
    ) {
        if out.keeps_variations_as_text {
            let whole = text.of(&text.raw.items[at]);
            out.text(Annotation::VariationText, whole.trim());
        } else {
            out.open_variation();
        }
        self.0.open(main.branch());
    }

    /// Takes an item inside the variations.
    pub(super) fn item(
        &mut self,
        context: &mut G::Context<'_>,
        text: GameText<'_>,
        at: usize,
        out: &mut Reading,
    ) {
        let item = &text.raw.items[at];
        let is_kept = !out.keeps_variations_as_text;
        match item.kind {
            ItemKind::VariationStart => {
                let is_played = self.0.enter();
                if is_kept && is_played {
                    out.open_variation();
                } else if is_kept && self.0.too_deep() == 1 {
                    out.text(Annotation::VariationText, text.of(item).trim());
                }
            }
            ItemKind::VariationEnd => self.close(out),
            _ if self.0.too_deep() > 0 => {}
            ItemKind::Word | ItemKind::Setup if item.kind == ItemKind::Word || G::SETS_UP => {
                if let Some(line) = self.0.at_hand() {
                    line.word(context, text, at, out);
                }
            }
            _ if !is_kept => {}
            ItemKind::Comment => out.text(Annotation::Comment, &text.of(item)),
            ItemKind::LineComment => out.text(Annotation::LineComment, &text.of(item)),
            ItemKind::Nag => out.nag(item.value),
            ItemKind::Result | ItemKind::Text | ItemKind::Word | ItemKind::Setup => {
                out.aside(&text.of(item));
            }
        }
    }

    /// The variation at hand ends.
    fn close(&mut self, out: &mut Reading) {
        if self.0.leave() && !out.keeps_variations_as_text {
            out.tree.close();
        }
    }

    /// The text ends; so do variations that were not closed.
    pub(super) fn close_all(&mut self, out: &mut Reading) {
        while !self.is_empty() {
            self.close(out);
        }
    }
}
