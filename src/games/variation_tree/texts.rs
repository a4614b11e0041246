//! The texts of a tree: comments by their shapes and values where several are alike, all
//! else as it stands.
//!
//! ```text
//! 1, 0xff, varint of bytes      only where comments name lines (`lines.rs`): the packed plies
//!   and these                   of all of them
//! 0
//! varint                        number of shapes
//! varint of bytes and UTF-8     each shape (`shape.rs`)
//! varint of each comment        0: it stands as a text; n: it has the nth shape
//! varint of bytes, and these    the numbers of all values, column by column: a column has the
//!                               values of one name in one slot after moves of one side, in
//!                               the order of the first value; zigzag varints of each value
//!                               less the one before
//! varint of bytes and UTF-8     each value that is a text, then each comment that stands as a
//!                               text, then each word, rest and variation kept as text
//! ```
//!
//! Where comments name lines, a value that is a text begins with a varint that is twice its
//! bytes; an odd one, less one, is twice the first number of the head of a line, and a text
//! follows that only if the line goes on.

use std::{borrow::Cow, collections::HashMap};

use foldhash::fast::FixedState;

use super::{
    Annotation, Lines, NoLines, PLIES, VariationTree,
    comment_template::{self, TemplatePart, TemplateSlot},
    comments::Comments,
    lines::{LineHead, LineSource, PackLine},
    mark_of,
};
use crate::{
    base::varint::{put_bytes, put_varint, take_bytes, take_varint},
    games::BoardGame,
};

/// What begins texts that have lines: no language.
pub(super) const LINED: &[u8] = &[0xff];

/// Appends a value that is a text, of texts that have lines: perhaps a line, and what
/// follows that.
pub(super) fn put_string(line: Option<LineHead>, text: &str, out: &mut Vec<u8>) {
    let Some(line) = line else {
        put_varint(2 * text.len() as u64, out);
        return out.extend_from_slice(text.as_bytes());
    };
    put_varint(2 * line.first() + 1, out);
    line.write(out);
    if line.goes_on {
        put_bytes(text.as_bytes(), out);
    }
}

/// Takes such a value off.
fn take_string<'b>(bytes: &mut &'b [u8]) -> Option<(Option<LineHead>, &'b str)> {
    let first = take_varint(bytes)?;
    let line = if first % 2 == 1 {
        Some(LineHead::take(first / 2, bytes)?)
    } else {
        None
    };
    let length = match line {
        None => first / 2,
        Some(line) if line.goes_on => take_varint(bytes)?,
        Some(_) => 0,
    };
    let (text, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    Some((line, std::str::from_utf8(text).ok()?))
}

pub(super) const fn side_of(plies: u32) -> u8 {
    (plies & 1) as u8
}

/// A shape taken apart.
#[derive(Debug, Clone)]
pub(super) struct SlottedTemplate<'s> {
    pieces: Vec<SlottedPart<'s>>,
    /// The columns of its numbers after moves of each side, once they are looked up.
    columns: [Option<Vec<usize>>; 2],
}

/// Which column has the values of a name after moves of a side.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnNumbers<'s>(HashMap<(NamedSlot<'s>, u8), usize, FixedState>);

impl ColumnNumbers<'_> {
    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A piece of a shape, slots by name.
#[derive(Debug, Clone)]
enum SlottedPart<'s> {
    Text(&'s str),
    Slot(NamedSlot<'s>),
}

/// A slot by the word before it, and how many slots stand between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NamedSlot<'s> {
    slot: TemplateSlot,
    name: &'s str,
    further: u8,
}

impl<'s> SlottedTemplate<'s> {
    pub(super) fn of(shape: &'s str) -> Self {
        let (mut name, mut further) = ("", 0);
        let named = |piece| match piece {
            TemplatePart::Text(text) => {
                let is_letter = |letter: char| letter.is_ascii_alphanumeric();
                let last = text.trim_end_matches(|letter| !is_letter(letter));
                let begin = last.rfind(|letter| !is_letter(letter));
                let word = &last[begin.map_or(0, |at| at + letter_len(last, at))..];
                if !word.is_empty() {
                    (name, further) = (word, 0);
                }
                SlottedPart::Text(text)
            }
            TemplatePart::Slot(slot) => {
                let named = NamedSlot {
                    slot,
                    name,
                    further,
                };
                further = further.saturating_add(1);
                SlottedPart::Slot(named)
            }
        };
        Self {
            pieces: comment_template::pieces(shape).map(named).collect(),
            columns: [None, None],
        }
    }

    fn slots(&self) -> impl Iterator<Item = NamedSlot<'s>> {
        self.pieces.iter().filter_map(|piece| match piece {
            SlottedPart::Slot(named) => Some(*named),
            SlottedPart::Text(_) => None,
        })
    }

    /// The columns of its numbers after moves of a side, in order; those that are new come after
    /// all others. They are looked up once, since a game has few shapes and many values: a look-up
    /// each time takes 8 % of an import of games with engine comments.
    pub(super) fn columns(&mut self, side: u8, all: &mut ColumnNumbers<'s>) -> &[usize] {
        if self.columns[usize::from(side)].is_none() {
            let numbers = self
                .slots()
                .filter(|named| named.slot != TemplateSlot::Text);
            let column = |named| {
                let next = all.0.len();
                *all.0.entry((named, side)).or_insert(next)
            };
            self.columns[usize::from(side)] = Some(numbers.map(column).collect());
        }
        self.columns[usize::from(side)]
            .as_deref()
            .unwrap_or_default()
    }
}

fn letter_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}

/// The texts of a game, read in the order of its marks.
#[derive(Debug, Clone)]
pub struct Texts<'b, L> {
    shapes: Vec<SlottedTemplate<'b>>,
    /// The shape of each comment, and the plies before it.
    comments: std::vec::IntoIter<(u64, u32)>,
    /// What is left of each column, and its last value.
    columns: Vec<(&'b [u8], i64)>,
    numbers: ColumnNumbers<'b>,
    strings: &'b [u8],
    whole: &'b [u8],
    words: &'b [u8],
    /// The packed plies of lines, and who writes them.
    lines: Option<(&'b [u8], L)>,
}

impl<'b, L: LineSource> Texts<'b, L> {
    /// No texts.
    pub fn none() -> Self {
        Self {
            shapes: Vec::new(),
            comments: Vec::new().into_iter(),
            columns: Vec::new(),
            numbers: ColumnNumbers::default(),
            strings: &[],
            whole: &[],
            words: &[],
            lines: None,
        }
    }

    /// Takes the texts of a tree apart; `None` if they are no texts, or not as many as
    /// the tree has places. `source` is called if they name lines.
    pub fn of(
        mut bytes: &'b [u8],
        tree: &VariationTree<'_>,
        source: impl FnOnce() -> L,
    ) -> Option<Self> {
        let lines = match take_lines(&mut bytes) {
            None => None,
            Some(plies) => Some((plies?, source())),
        };
        take_text(&mut bytes)?;
        let count = take_varint(&mut bytes)?;
        let mut shapes = Vec::new();
        for _ in 0..count {
            shapes.push(SlottedTemplate::of(take_text(&mut bytes)?));
        }
        let (mut comments, mut strings, mut whole, mut words) = (Vec::new(), 0, 0, 0);
        for (mark, plies) in places(tree.ops) {
            if mark.is_comment() {
                let number = take_varint(&mut bytes)?;
                let is_text = |slot: &NamedSlot<'_>| slot.slot == TemplateSlot::Text;
                match number.checked_sub(1) {
                    None => whole += 1,
                    Some(at) => {
                        let shape = shapes.get(usize::try_from(at).ok()?)?;
                        strings += shape.slots().filter(is_text).count();
                    }
                }
                comments.push((number, plies));
            }
            words += usize::from(mark.is_word());
        }
        let mut numbers = take_bytes(&mut bytes)?;
        let mut columns = Vec::new();
        while !numbers.is_empty() {
            columns.push((take_bytes(&mut numbers)?, 0));
        }
        let mut part = |count, has_lines| {
            let all = bytes;
            for _ in 0..count {
                if has_lines {
                    take_string(&mut bytes)?;
                } else {
                    take_text(&mut bytes)?;
                }
            }
            Some(&all[..all.len() - bytes.len()])
        };
        let strings = part(strings, lines.is_some())?;
        let (whole, words) = (part(whole, false)?, part(words, false)?);
        bytes.is_empty().then(|| Self {
            shapes,
            comments: comments.into_iter(),
            columns,
            numbers: ColumnNumbers::default(),
            strings,
            whole,
            words,
            lines,
        })
    }

    /// The packed plies of the lines that comments name.
    pub(super) fn packed_lines(&self) -> &'b [u8] {
        self.lines.as_ref().map_or(&[], |(packed, _)| packed)
    }

    /// The text of a mark; of each kind they come in the order of the tree.
    pub fn next(&mut self, mark: Annotation) -> Option<Cow<'b, str>> {
        if mark.is_comment() {
            self.comment()
        } else if mark.is_word() {
            take_text(&mut self.words).map(Cow::Borrowed)
        } else {
            None
        }
    }

    fn comment(&mut self) -> Option<Cow<'b, str>> {
        let (number, plies) = self.comments.next()?;
        let Some(shape) = number.checked_sub(1) else {
            return take_text(&mut self.whole).map(Cow::Borrowed);
        };
        let mut text = Vec::new();
        self.write_comment(shape as usize, plies, &mut text)?;
        String::from_utf8(text).ok().map(Cow::Owned)
    }

    /// Whether the next comment is that text; `scratch` is for its bytes.
    pub(super) fn has_next(&mut self, comment: &str, scratch: &mut Vec<u8>) -> bool {
        let Some((number, plies)) = self.comments.next() else {
            return false;
        };
        let Some(shape) = number.checked_sub(1) else {
            return take_text(&mut self.whole) == Some(comment);
        };
        scratch.clear();
        let written = self.write_comment(shape as usize, plies, scratch);
        written.is_some() && scratch == comment.as_bytes()
    }

    /// Appends a comment of that shape after that many plies; `None` if it is damaged.
    fn write_comment(&mut self, shape: usize, plies: u32, text: &mut Vec<u8>) -> Option<()> {
        let shape = &mut self.shapes[shape];
        shape.columns(side_of(plies), &mut self.numbers);
        let mut columns = shape.columns[usize::from(side_of(plies))].iter().flatten();
        for piece in &shape.pieces {
            match piece {
                SlottedPart::Text(piece) => text.extend_from_slice(piece.as_bytes()),
                SlottedPart::Slot(named) if named.slot == TemplateSlot::Text => {
                    let Some((packed, source)) = &mut self.lines else {
                        text.extend_from_slice(take_text(&mut self.strings)?.as_bytes());
                        continue;
                    };
                    let (line, rest) = take_string(&mut self.strings)?;
                    if let Some(line) = line {
                        source.read(plies, line, packed, text)?;
                    }
                    text.extend_from_slice(rest.as_bytes());
                }
                SlottedPart::Slot(named) => {
                    let (values, last) = self.columns.get_mut(*columns.next()?)?;
                    let further = take_varint(values)?;
                    *last = last.wrapping_add((further >> 1) as i64 ^ -((further & 1) as i64));
                    named.slot.write(*last, text);
                }
            }
        }
        Some(())
    }

    /// Calls `each` with all comments, those of variations too, and the plies of the main line
    /// before them; `None` if they are damaged.
    pub fn of_tree(
        mut self,
        tree: &VariationTree<'_>,
        mut each: impl FnMut(u32, &str),
    ) -> Option<()> {
        let (mut depth, mut on_main_line) = (0_usize, 0);
        for (mark, plies) in places(tree.ops) {
            if depth == 0 {
                on_main_line = plies;
            }
            depth = mark.depth_after(depth);
            if mark.is_comment() {
                each(on_main_line, &self.comment()?);
            }
        }
        Some(())
    }

    /// Calls `each` with the comments of the main line and the plies before them; `None` if
    /// they are damaged.
    pub fn of_main_line(
        mut self,
        tree: &VariationTree<'_>,
        mut each: impl FnMut(u32, &str),
    ) -> Option<()> {
        let mut depth = 0_usize;
        for (mark, plies) in places(tree.ops) {
            depth = mark.depth_after(depth);
            if mark.is_comment() {
                let text = self.comment()?;
                if depth == 0 {
                    each(plies, &text);
                }
            }
        }
        Some(())
    }

    /// Whether there are values that may name lines, and none is packed.
    fn may_have_lines(&self) -> bool {
        let is_text =
            |shape: &SlottedTemplate<'_>| shape.slots().any(|slot| slot.slot == TemplateSlot::Text);
        self.lines.is_none() && self.shapes.iter().any(is_text)
    }

    /// Whether all was read.
    pub fn is_used_up(&self) -> bool {
        self.comments.len() == 0
            && self.columns.iter().all(|(values, _)| values.is_empty())
            && (self.lines.iter()).all(|(packed, _)| !L::UNPACKS || packed.is_empty())
    }
}

/// The texts of a tree with the lines that its comments name as plies, where an older program
/// has kept them as texts. `None` where that changes nothing, or would not come back letter by
/// letter.
pub fn with_lines<G: BoardGame>(
    tree: &VariationTree<'_>,
    texts: &[u8],
    start: &G,
    main_line: &[u8],
) -> Option<Vec<u8>> {
    if !Texts::of(texts, tree, || NoLines)?.may_have_lines() {
        return None;
    }
    let lines = || Lines::new(start, main_line);
    packed_again(tree, (texts, || NoLines), (lines(), lines)).filter(|new| new != texts)
}

/// Texts packed again, their lines in another way. `None` where they are damaged or would not
/// come back letter by letter.
fn packed_again<A: LineSource, B: LineSource>(
    tree: &VariationTree<'_>,
    (texts, from): (&[u8], impl Fn() -> A),
    (to, read): (impl PackLine, impl FnOnce() -> B),
) -> Option<Vec<u8>> {
    let mut old = Texts::of(texts, tree, &from)?;
    let (mut comments, mut words, mut depth) = (Comments::default(), Vec::new(), 0_usize);
    for (mark, plies) in places(tree.ops) {
        depth = mark.depth_after(depth);
        if mark.is_comment() {
            comments.push(&old.comment()?, plies, depth == 0);
        } else if mark.is_word() {
            put_bytes(take_text(&mut old.words)?.as_bytes(), &mut words);
        }
    }
    let mut packed = Vec::new();
    comments.write(&words, true, to, &mut packed);
    let mut new = Texts::of(&packed, tree, read)?;
    let mut old = Texts::of(texts, tree, from)?;
    let are_same = tree.marks().all(|mark| new.next(mark) == old.next(mark));
    (are_same && new.is_used_up()).then_some(packed)
}

/// Texts as older programs packed them: lines as texts.
#[cfg(test)]
pub(crate) fn without_lines<G: BoardGame>(
    tree: &VariationTree<'_>,
    texts: &[u8],
    start: &G,
    main_line: &[u8],
) -> Option<Vec<u8>> {
    let lines = || Lines::new(start, main_line);
    packed_again(tree, (texts, lines), (NoLines, || NoLines)).filter(|new| new != texts)
}

/// Takes the packed plies of lines off texts that have lines.
#[expect(clippy::option_option, reason = "no lines, and damaged ones")]
fn take_lines<'b>(bytes: &mut &'b [u8]) -> Option<Option<&'b [u8]>> {
    let mut rest = *bytes;
    (take_bytes(&mut rest)? == LINED).then(|| {
        *bytes = rest;
        take_bytes(bytes)
    })
}

/// The three parts of texts that blocks of many games keep apart, as they are unlike each
/// other: what is before the values, the values, all that is a text. Those that are
/// damaged are a text.
pub(super) fn parts<'t>(texts: &'t [u8], ops: &[u8]) -> [&'t [u8]; 3] {
    let before_values = || {
        let mut rest = texts;
        if let Some(lines) = take_lines(&mut rest) {
            lines?;
        }
        take_bytes(&mut rest)?;
        for _ in 0..take_varint(&mut rest)? {
            take_bytes(&mut rest)?;
        }
        for _ in places(ops).filter(|(mark, _)| mark.is_comment()) {
            take_varint(&mut rest)?;
        }
        let values = take_varint(&mut rest)?;
        let from = texts.len() - rest.len();
        let to = from.checked_add(usize::try_from(values).ok()?)?;
        (to <= texts.len()).then_some((from, to))
    };
    let (from, to) = before_values().unwrap_or_default();
    [&texts[..from], &texts[from..to], &texts[to..]]
}

fn take_text<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
    std::str::from_utf8(take_bytes(bytes)?).ok()
}

/// The marks of packed ops, each with the plies before it from the start of the game; ends
/// where they are damaged.
pub(super) fn places(mut ops: &[u8]) -> impl Iterator<Item = (Annotation, u32)> {
    let mut lines: Vec<u32> = Vec::new();
    let mut plies = 0_u32;
    std::iter::from_fn(move || {
        let op = take_varint(&mut ops)?;
        plies = plies.wrapping_add((op / PLIES) as u32);
        let mark = mark_of(op);
        match mark {
            Annotation::VariationStart => {
                lines.push(plies);
                plies = plies.saturating_sub(1);
            }
            Annotation::VariationEnd => plies = lines.pop().unwrap_or(0),
            _ => {}
        }
        Some((mark, plies))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::variation_tree::{NoLines, TreeWriter};

    fn read(writer: &TreeWriter) -> Vec<String> {
        let (mut tree, mut texts) = (Vec::new(), Vec::new());
        writer.write_tree(&mut tree);
        writer.write_texts(&mut texts);
        let tree = VariationTree::of(&tree).expect("a tree");
        let mut texts = Texts::of(&texts, &tree, || NoLines).expect("texts");
        let read = tree.marks().filter_map(|mark| texts.next(mark));
        let read = read.map(Cow::into_owned).collect();
        assert!(texts.is_used_up());
        read
    }

    #[test]
    fn clocks_of_both_sides_take_a_byte_each() {
        let mut writer = TreeWriter::default();
        let mut expected = Vec::new();
        for ply in 1..=100 {
            let left = 7200 - ply * 13 + (ply % 2) * 1000;
            let (hours, minutes) = (left / 3600, left / 60 % 60);
            let comment = format!("[%clk {hours}:{minutes:02}:{:02}]", left % 60);
            writer.text(Annotation::Comment, &comment, ply);
            expected.push(comment);
        }
        assert_eq!(read(&writer), expected);
        let mut texts = Vec::new();
        writer.write_texts(&mut texts);
        assert!(
            texts.len() < 240,
            "{}: {}",
            texts.len(),
            String::from_utf8_lossy(&texts)
        );
    }

    proptest! {
        #[test]
        fn texts_come_back(texts in proptest::collection::vec(
            ("(\\[%clk [0-9]:[0-5][0-9]:[0-5][0-9]\\]|[-+]?[0-9]\\.[0-9]{1,3}/[0-9]|a=[a-z ]{0,3},|\\[%[a-z]{0,2}[ x][a-z1]{0,3}\\]|[ -~⟨⟩é]{0,9})", 0_usize..3, 0_u32..3),
            0..40,
        )) {
            let mut writer = TreeWriter::default();
            let mut plies = 0;
            for (text, kind, further) in &texts {
                plies += further;
                writer.text([Annotation::Comment, Annotation::LineComment, Annotation::Word][*kind], text, plies);
            }
            // All comments come before all words, each of them in order.
            let expected: Vec<String> = texts.into_iter().map(|(text, ..)| text).collect();
            prop_assert_eq!(read(&writer), expected);
        }
    }
}
