//! The texts of a tree: comments by their shapes and values where several are alike, all
//! else as it stands.
//!
//! ```text
//! varint of bytes and UTF-8     the language of the words; empty for English
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

use std::{borrow::Cow, collections::HashMap};

use foldhash::fast::FixedState;

use super::{
    GameTree, PLIES, TreeMark, mark_of,
    shape::{self, Piece, Slot, Value},
};
use crate::base::varint::{put_bytes, put_varint, take_bytes, take_varint};

/// Comments of a game, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Comments {
    text: String,
    /// Where each ends, and the side (0 or 1) whose ply is before it.
    ends: Vec<(usize, u8)>,
}

impl Comments {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.text.len() + size_of_val(&self.ends[..])
    }

    /// Adds a comment behind so many plies.
    pub(super) fn push(&mut self, comment: &str, plies: u32) {
        self.text.push_str(comment);
        self.ends.push((self.text.len(), side_of(plies)));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, u8)> {
        let mut from = 0;
        self.ends.iter().map(move |&(end, side)| {
            let comment = &self.text[from..end];
            from = end;
            (comment, side)
        })
    }

    /// Appends the texts of a game; whether comments of one shape share it.
    pub(super) fn write(&self, language: &str, words: &[u8], shares: bool, out: &mut Vec<u8>) {
        let (mut shape, mut values) = (String::new(), Vec::new());
        // The shape of each comment, counted from 1, and where its values are.
        let mut of_each = Vec::with_capacity(self.ends.len());
        let mut shapes: Vec<(String, u32)> = Vec::new();
        let mut known: HashMap<String, usize, FixedState> = HashMap::default();
        for (comment, _) in self.iter() {
            let first = values.len();
            shape.clear();
            if !shares || !shape::shape(comment, &mut shape, &mut values) {
                values.truncate(first);
                of_each.push((0, first..first));
                continue;
            }
            let number = known.get(&shape).copied().unwrap_or_else(|| {
                shapes.push((shape.clone(), 0));
                shapes.len()
            });
            if number == shapes.len() && shapes[number - 1].1 == 0 {
                known.insert(shape.clone(), number);
            }
            shapes[number - 1].1 += 1;
            of_each.push((number, first..values.len()));
        }
        // Those that several comments have are numbered anew.
        let mut count = 0;
        let numbers: Vec<u64> = (shapes.iter())
            .map(|(_, comments)| {
                count += u64::from(*comments > 1);
                if *comments > 1 { count } else { 0 }
            })
            .collect();
        put_bytes(language.as_bytes(), out);
        put_varint(count, out);
        let shared = shapes.iter().filter(|(_, comments)| *comments > 1);
        for (shape, _) in shared.clone() {
            put_bytes(shape.as_bytes(), out);
        }
        let shared: Vec<CommentShape<'_>> =
            shared.map(|(shape, _)| CommentShape::of(shape)).collect();
        let mut columns = Columns::default();
        let (mut strings, mut whole) = (Vec::new(), Vec::new());
        for ((comment, side), (number, place)) in self.iter().zip(of_each) {
            let number = if number == 0 { 0 } else { numbers[number - 1] };
            put_varint(number, out);
            if number == 0 {
                put_bytes(comment.as_bytes(), &mut whole);
                continue;
            }
            let slots = shared[number as usize - 1].slots();
            for (slot, value) in slots.zip(&values[place]) {
                match value {
                    Value::Number(value) => columns.of(slot, side).push(*value),
                    Value::Text(text) => put_bytes(text.as_bytes(), &mut strings),
                }
            }
        }
        let mut numbers = Vec::new();
        for column in columns.columns {
            put_bytes(&column.bytes, &mut numbers);
        }
        put_bytes(&numbers, out);
        for part in [&strings[..], &whole, words] {
            out.extend_from_slice(part);
        }
    }
}

const fn side_of(plies: u32) -> u8 {
    (plies & 1) as u8
}

/// A shape taken apart.
#[derive(Debug, Clone)]
struct CommentShape<'s> {
    pieces: Vec<ShapePiece<'s>>,
}

/// A piece of a shape, slots by name.
#[derive(Debug, Clone)]
enum ShapePiece<'s> {
    Text(&'s str),
    Slot(Named<'s>),
}

/// A slot by the word before it, and how many slots stand between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Named<'s> {
    slot: Slot,
    name: &'s str,
    further: u8,
}

impl<'s> CommentShape<'s> {
    fn of(shape: &'s str) -> Self {
        let (mut name, mut further) = ("", 0);
        let named = |piece| match piece {
            Piece::Text(text) => {
                let is_letter = |letter: char| letter.is_ascii_alphanumeric();
                let last = text.trim_end_matches(|letter| !is_letter(letter));
                let begin = last.rfind(|letter| !is_letter(letter));
                let word = &last[begin.map_or(0, |at| at + letter_len(last, at))..];
                if !word.is_empty() {
                    (name, further) = (word, 0);
                }
                ShapePiece::Text(text)
            }
            Piece::Slot(slot) => {
                let named = Named {
                    slot,
                    name,
                    further,
                };
                further = further.saturating_add(1);
                ShapePiece::Slot(named)
            }
        };
        Self {
            pieces: shape::pieces(shape).map(named).collect(),
        }
    }

    fn slots(&self) -> impl Iterator<Item = Named<'s>> {
        self.pieces.iter().filter_map(|piece| match piece {
            ShapePiece::Slot(named) => Some(*named),
            ShapePiece::Text(_) => None,
        })
    }
}

fn letter_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}

/// Values of one name after the moves of one side.
#[derive(Debug, Default)]
struct ValueColumn {
    bytes: Vec<u8>,
    last: i64,
}

impl ValueColumn {
    fn push(&mut self, value: i64) {
        let further = value.wrapping_sub(self.last);
        put_varint(((further << 1) ^ (further >> 63)) as u64, &mut self.bytes);
        self.last = value;
    }
}

#[derive(Debug, Default)]
struct Columns<'s> {
    columns: Vec<ValueColumn>,
    numbers: HashMap<(Named<'s>, u8), usize, FixedState>,
}

impl<'s> Columns<'s> {
    fn of(&mut self, slot: Named<'s>, side: u8) -> &mut ValueColumn {
        let next = self.columns.len();
        let number = *self.numbers.entry((slot, side)).or_insert(next);
        if number == next {
            self.columns.push(ValueColumn::default());
        }
        &mut self.columns[number]
    }
}

/// The texts of a game, read in the order of its marks.
#[derive(Debug, Clone)]
pub struct Texts<'b> {
    /// The code of the language of its words; empty for English.
    pub language: &'b str,
    shapes: Vec<CommentShape<'b>>,
    /// The shape of each comment, and the side before it.
    comments: std::vec::IntoIter<(u64, u8)>,
    /// What is left of each column, and its last value.
    columns: Vec<(&'b [u8], i64)>,
    numbers: HashMap<(Named<'b>, u8), usize, FixedState>,
    strings: &'b [u8],
    whole: &'b [u8],
    words: &'b [u8],
}

impl<'b> Texts<'b> {
    /// No texts.
    pub fn none() -> Self {
        Self {
            language: "",
            shapes: Vec::new(),
            comments: Vec::new().into_iter(),
            columns: Vec::new(),
            numbers: HashMap::default(),
            strings: &[],
            whole: &[],
            words: &[],
        }
    }

    /// Takes the texts of a tree apart; `None` if they are no texts, or not as many as
    /// the tree has places.
    pub fn of(mut bytes: &'b [u8], tree: &GameTree<'_>) -> Option<Self> {
        let language = take_text(&mut bytes)?;
        let count = take_varint(&mut bytes)?;
        let mut shapes = Vec::new();
        for _ in 0..count {
            shapes.push(CommentShape::of(take_text(&mut bytes)?));
        }
        let (mut comments, mut strings, mut whole, mut words) = (Vec::new(), 0, 0, 0);
        for (mark, plies) in places(tree.ops) {
            if mark.is_comment() {
                let number = take_varint(&mut bytes)?;
                let is_text = |slot: &Named<'_>| slot.slot == Slot::Text;
                match number.checked_sub(1) {
                    None => whole += 1,
                    Some(at) => {
                        let shape = shapes.get(usize::try_from(at).ok()?)?;
                        strings += shape.slots().filter(is_text).count();
                    }
                }
                comments.push((number, side_of(plies)));
            }
            words += usize::from(mark.is_word());
        }
        let mut numbers = take_bytes(&mut bytes)?;
        let mut columns = Vec::new();
        while !numbers.is_empty() {
            columns.push((take_bytes(&mut numbers)?, 0));
        }
        let mut part = |count| {
            let all = bytes;
            for _ in 0..count {
                take_text(&mut bytes)?;
            }
            Some(&all[..all.len() - bytes.len()])
        };
        let (strings, whole, words) = (part(strings)?, part(whole)?, part(words)?);
        bytes.is_empty().then(|| Self {
            language,
            shapes,
            comments: comments.into_iter(),
            columns,
            numbers: HashMap::default(),
            strings,
            whole,
            words,
        })
    }

    /// The three parts of texts that blocks of many games keep apart, as they are unlike each
    /// other: what is before the values, the values, all that is a text. Those that are
    /// damaged are a text.
    pub(super) fn parts<'t>(texts: &'t [u8], ops: &[u8]) -> [&'t [u8]; 3] {
        let before_values = || {
            let mut rest = texts;
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

    /// The text of a mark; of each kind they come in the order of the tree.
    pub fn next(&mut self, mark: TreeMark) -> Option<Cow<'b, str>> {
        if mark.is_comment() {
            self.comment()
        } else if mark.is_word() {
            take_text(&mut self.words).map(Cow::Borrowed)
        } else {
            None
        }
    }

    fn comment(&mut self) -> Option<Cow<'b, str>> {
        let (number, side) = self.comments.next()?;
        let Some(at) = number.checked_sub(1) else {
            return take_text(&mut self.whole).map(Cow::Borrowed);
        };
        let mut text = String::new();
        for piece in &self.shapes[at as usize].pieces {
            match piece {
                ShapePiece::Text(piece) => text.push_str(piece),
                ShapePiece::Slot(named) if named.slot == Slot::Text => {
                    text.push_str(take_text(&mut self.strings)?);
                }
                ShapePiece::Slot(named) => {
                    let next = self.numbers.len();
                    let column = *self.numbers.entry((*named, side)).or_insert(next);
                    let (values, last) = self.columns.get_mut(column)?;
                    let further = take_varint(values)?;
                    *last = last.wrapping_add((further >> 1) as i64 ^ -((further & 1) as i64));
                    named.slot.write(*last, &mut text);
                }
            }
        }
        Some(text.into())
    }

    /// Calls `each` with the comments of the main line and the plies before them; `None` if
    /// they are damaged.
    pub fn of_main_line(
        mut self,
        tree: &GameTree<'_>,
        mut each: impl FnMut(u32, &str),
    ) -> Option<()> {
        let mut depth = 0_usize;
        for (mark, plies) in places(tree.ops) {
            match mark {
                TreeMark::VariationStart => depth += 1,
                TreeMark::VariationEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            if mark.is_comment() {
                let text = self.comment()?;
                if depth == 0 {
                    each(plies, &text);
                }
            }
        }
        Some(())
    }

    /// Whether all was read.
    pub fn is_used_up(&self) -> bool {
        self.comments.len() == 0 && self.columns.iter().all(|(values, _)| values.is_empty())
    }
}

fn take_text<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
    std::str::from_utf8(take_bytes(bytes)?).ok()
}

/// The marks of packed ops, each with the plies before it from the start of the game; ends
/// where they are damaged.
pub(super) fn places(mut ops: &[u8]) -> impl Iterator<Item = (TreeMark, u32)> {
    let mut lines: Vec<u32> = Vec::new();
    let mut plies = 0_u32;
    std::iter::from_fn(move || {
        let op = take_varint(&mut ops)?;
        plies = plies.wrapping_add((op / PLIES) as u32);
        let mark = mark_of(op);
        match mark {
            TreeMark::VariationStart => {
                lines.push(plies);
                plies = plies.saturating_sub(1);
            }
            TreeMark::VariationEnd => plies = lines.pop().unwrap_or(0),
            _ => {}
        }
        Some((mark, plies))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::tree::TreeWriter;

    fn read(writer: &TreeWriter) -> Vec<String> {
        let (mut tree, mut texts) = (Vec::new(), Vec::new());
        writer.write_tree(&mut tree);
        writer.write_texts(&mut texts);
        let tree = GameTree::of(&tree).expect("a tree");
        let mut texts = Texts::of(&texts, &tree).expect("texts");
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
            writer.text(TreeMark::Comment, &comment, ply);
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
            ("(\\[%clk [0-9]:[0-5][0-9]:[0-5][0-9]\\]|[-+]?[0-9]\\.[0-9]{1,3}/[0-9]|a=[a-z ]{0,3},|[ -~⟨⟩é]{0,9})", 0_usize..3, 0_u32..3),
            0..40,
        )) {
            let mut writer = TreeWriter::default();
            let mut plies = 0;
            for (text, kind, further) in &texts {
                plies += further;
                writer.text([TreeMark::Comment, TreeMark::LineComment, TreeMark::Word][*kind], text, plies);
            }
            // All comments come before all words, each of them in order.
            let expected: Vec<String> = texts.into_iter().map(|(text, ..)| text).collect();
            prop_assert_eq!(read(&writer), expected);
        }
    }
}
