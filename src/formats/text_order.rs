//! The order of the parts of a text, as its beginning shows.

use super::{
    prose::{is_statement, opens},
    text_diagrams, yaml_like,
};

/// The order of the parts of a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextOrder {
    /// Whether records of keys and values begin with their positions.
    pub is_position_first: bool,
    /// Whether lines that say who moves stand above their boards, all of them, or below;
    /// `None` where that is not clear.
    pub is_side_first: Option<bool>,
}

impl TextOrder {
    /// The order of a text that begins so; `is_cut` is one that goes on.
    pub(super) fn of(text: &str, is_cut: bool) -> Self {
        let (mut said, mut listed) = (Vec::new(), Vec::new());
        for line in text.split(['\n', '\r']) {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            if is_statement(line) {
                said.push(at);
            } else if opens(line) {
                listed.push(at);
            }
        }
        // Boards are drawn where they are not written; a text that does both says it twice.
        let by_drawn = || {
            let drawn = text_diagrams::all(text).into_iter();
            let drawn: Vec<usize> = drawn.map(|board| board.place.start).collect();
            is_side_first(&said, &drawn, is_cut)
        };
        let is_several = said.len() > 1;
        Self {
            is_position_first: yaml_like::begins_with_position(text),
            is_side_first: is_side_first(&said, &listed, is_cut)
                .or_else(|| is_several.then(by_drawn).flatten()),
        }
    }
}

/// Whether sentences and boards, at these places, follow each other by turns, and with which of
/// them the text begins.
fn is_side_first(said: &[usize], boards: &[usize], is_cut: bool) -> Option<bool> {
    let sentences = said.iter().map(|at| (*at, true));
    let mut placed: Vec<_> = sentences
        .chain(boards.iter().map(|at| (*at, false)))
        .collect();
    placed.sort_unstable();
    if is_cut && placed.last().map(|(_, is)| is) == placed.first().map(|(_, is)| is) {
        placed.pop();
    }
    let (pairs, rest) = placed.as_chunks::<2>();
    let is_regular = |first: bool| (pairs.iter()).all(|[a, b]| a.1 == first && b.1 != first);
    let is_told = rest.is_empty() && pairs.len() > 1;
    let mut both = [true, false].into_iter();
    both.find(|&first| is_told && is_regular(first))
}
