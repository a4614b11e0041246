//! The texts of variations.

use std::ops::Range;

use crate::{
    games::{
        BoardGame, Cursor,
        variation_tree::{Annotation, CorruptTree, TreeEvent},
    },
    pgn::writer::VariationText,
    replay::Annotations,
    search::movetext::number_after,
    store::LateTexts,
};

/// A variation that is being written.
struct OpenVariation {
    row: usize,
    /// Where its text begins in that of the outermost.
    from: usize,
}

/// Adds the text of each variation of a game. Those inside another are parts of its text.
pub(super) fn texts<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    annotations: &Annotations<'_>,
    texts: &mut LateTexts,
) -> Result<(), CorruptTree> {
    let LateTexts { text: out, parts } = texts;
    let mut reader = annotations.reader(start, main_line)?;
    let mut variation = VariationText::default();
    let mut open: Vec<OpenVariation> = Vec::new();
    // The parts of the current outermost variation.
    let mut inner: Vec<(usize, Range<usize>)> = Vec::new();
    let mut written = String::new();
    loop {
        let is_inside = reader.walk().depth() > 0;
        written.clear();
        let step = reader.step(|cursor| {
            if is_inside && let Some(m) = cursor.pending() {
                cursor.at().clone().write_onto(m, &mut written);
            }
        })?;
        let Some((event, text)) = step else {
            return Ok(());
        };
        let walk = reader.walk();
        let depth = walk.depth();
        match event {
            TreeEvent::Mark(Annotation::VariationStart) => {
                variation.open(depth > 1);
                open.push(OpenVariation {
                    row: parts.len(),
                    from: if depth > 1 { variation.inner() } else { 0 },
                });
                parts.push(0..0);
            }
            TreeEvent::Mark(Annotation::VariationEnd) => {
                let OpenVariation { row, from } = open.pop().ok_or(CorruptTree)?;
                if depth > 0 {
                    variation.close();
                    inner.push((row, from..variation.inner_end()));
                    continue;
                }
                let (whole, begin) = (variation.take(), out.len());
                inner.push((row, 0..whole.len()));
                for (row, part) in inner.drain(..) {
                    parts[row] = begin + part.start..begin + part.end;
                }
                out.push_str(&whole);
            }
            TreeEvent::Mark(Annotation::VariationText) => {
                parts.push(out.len()..out.len() + text.len());
                out.push_str(&text);
                if depth > 0 {
                    variation.kept(&format!("({text})"));
                }
            }
            _ if depth == 0 => {}
            TreeEvent::Ply(_) => {
                let (number, is_second) = number_after(start.number(), walk.ply() - 1);
                variation.ply(number, is_second, &written);
            }
            TreeEvent::Nag(number) => variation.nag(number),
            TreeEvent::Mark(Annotation::Comment) => variation.comment(&text),
            TreeEvent::Mark(Annotation::LineComment) => variation.line_comment(&text),
            TreeEvent::Mark(_) => variation.kept(&text),
        }
    }
}
