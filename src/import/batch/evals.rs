//! What the games of a chunk show of how their evaluations are meant.

use memchr::{memchr, memmem};

use super::{BatchGame, ChunkParser};
use crate::{
    games::variation_tree::{NoLines, Texts, VariationTree},
    pgn::parser::eval_view::EvalEvidence,
};

/// Games of a chunk whose evaluations are looked at: more do not show more.
pub(super) const GAMES_MAX: u32 = 40;

impl ChunkParser<'_> {
    /// Notes what the comments of the main line show of their evaluations.
    pub(super) fn look_at_evals(&mut self, game: &mut BatchGame) {
        let texts = &self.batch.texts[game.texts.clone()];
        // Commands have the word, and scores without one a slash before the depth.
        let may_have = memmem::find(texts, b"eval").is_some() || memchr(b'/', texts).is_some();
        if self.evals_left == 0 || !may_have {
            return;
        }
        let mut evidence = EvalEvidence::default();
        if let Some(tree) = VariationTree::of(&self.batch.trees[game.tree.clone()])
            && let Some(texts) = Texts::of(texts, &tree, || NoLines)
        {
            let read = texts.of_main_line(&tree, |plies, text| evidence.look_at(plies, text));
            debug_assert!(read.is_some(), "comments that were just packed");
        }
        if !evidence.is_empty() {
            self.evals_left -= 1;
            game.evals = Some(Box::new(evidence));
        }
    }
}
