//! What the texts of a game say, however they are spaced and wrapped.

use super::{Annotation, NoLines, Texts, VariationTree};
use crate::{
    base::varint::{put_bytes, put_varint},
    pgn::parser::{ItemKind, Parser, RawGame, Syntax},
};

/// The words that could not be played of a game by its packed tree and texts, with one blank between
/// them: without comments, glyphs and variations. `None` if all of it was played.
pub fn rest_words(tree: &[u8], texts: &[u8]) -> Option<String> {
    let tree = VariationTree::of(tree)?;
    if tree.marks().last() != Some(Annotation::Rest) {
        return None;
    }
    let mut texts = Texts::of(texts, &tree, || NoLines)?;
    let words = tree.marks().filter(|mark| mark.is_word());
    let rest = words.map(|mark| texts.next(mark)).last()??;
    Some(words_of(&rest))
}

/// The words of movetext.
fn words_of(movetext: &str) -> String {
    let bytes = movetext.as_bytes();
    let mut raw = RawGame::default();
    Parser::variation(bytes, Syntax::Pgn, &mut raw);
    let (mut words, mut depth) = (Vec::new(), 0_usize);
    for item in &raw.items {
        match item.kind {
            ItemKind::VariationStart => depth += 1,
            ItemKind::VariationEnd => depth = depth.saturating_sub(1),
            ItemKind::Word | ItemKind::Result | ItemKind::Setup if depth == 0 => {
                words.push(String::from_utf8_lossy(raw.text(bytes, item)));
            }
            _ => {}
        }
    }
    let mut told = spaced(words.iter().map(AsRef::as_ref));
    // What no movetext is counts as it stands.
    let left = movetext.get(raw.movetext_span.1 as usize..);
    let left = left.filter(|left| !left.trim().is_empty());
    if let Some(left) = left.or(told.is_empty().then_some(movetext)) {
        told.push('\n');
        told.push_str(&spaced(left.split_whitespace()));
    }
    told
}

/// A text with one blank for each run of white space, and none at its ends.
pub fn respaced(text: &str) -> String {
    spaced(text.split_whitespace())
}

fn spaced<'t>(words: impl Iterator<Item = &'t str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// Appends all that a packed tree and its texts say, white space apart; as they stand where they
/// are damaged.
pub fn append_content(tree: &[u8], texts: &[u8], out: &mut Vec<u8>) {
    let from = out.len();
    put_bytes(tree, out);
    if put_texts(tree, texts, out).is_none() {
        out.truncate(from);
        put_bytes(tree, out);
        put_bytes(texts, out);
    }
}

fn put_texts(tree: &[u8], texts: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let tree = VariationTree::of(tree)?;
    if texts.is_empty() {
        return Some(());
    }
    let mut texts = Texts::of(texts, &tree, || NoLines)?;
    // Lines that comments name are packed, and no texts.
    put_bytes(texts.packed_lines(), out);
    for mark in tree.marks() {
        if mark.is_comment() || mark.is_word() {
            put_varint(mark as u64, out);
            put_bytes(respaced(&texts.next(mark)?).as_bytes(), out);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn words_are_those_of_the_main_line() {
        for text in [
            "13. Qa8 Nf3\r\n14. Be3",
            "13. Qa8 {so\nit is} Nf3!? (13... e5 {or} (13... a6) 14. d4) 14.Be3 $14",
            "13.Qa8\n  Nf3 ; or so\n14. Be3",
        ] {
            assert_eq!(words_of(text), "Qa8 Nf3 Be3");
        }
        assert_ne!(words_of("Qa8 Nf3"), words_of("Qa8 Nd2"));
        assert_ne!(words_of("{a}"), words_of("{b}"));
        assert_eq!(words_of(" {a\nb} "), words_of("{a b}"));
    }
}
