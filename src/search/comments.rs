//! Games by the words of their comments.

use super::{locate::Replays, tags::WordCondition};
use crate::{base::record::GameId, games::variation_tree::NoLines, store::StoreError};

/// Whether a game has a comment for each of some texts that holds all words of it, on its main
/// line or inside a variation. If it has: the plies of the main line before the one for the
/// first text. Moves that a comment names are no words.
pub(super) fn first_comment(
    replays: &mut Replays<'_>,
    game: GameId,
    asked: &[WordCondition],
) -> Result<Option<u32>, StoreError> {
    let found = replays.with_annotations(game, |_, _, annotations| {
        let Some(annotations) = annotations else {
            return Some(None);
        };
        let (tree, texts) = annotations.parts(|| NoLines)?;
        let mut found = vec![None; asked.len()];
        texts.of_tree(&tree, |plies, text| {
            for (words, found) in asked.iter().zip(&mut found) {
                if found.is_none() && words.are_in(text) {
                    *found = Some(plies);
                }
            }
        })?;
        let first = found.first().copied().flatten();
        Some(first.filter(|_| found.iter().all(Option::is_some)))
    })?;
    found.ok_or_else(|| replays.damaged(format!("comments of game {game}")))
}
