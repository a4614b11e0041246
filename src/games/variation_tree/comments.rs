//! The comments of a game while it is read, and how they are packed.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::{
    comment_template::{self, TemplateValue},
    lines::PackLine,
    texts::{ColumnNumbers, LINED, SlottedTemplate, put_string, side_of},
};
use crate::base::varint::{put_bytes, put_varint};

/// Comments of a game, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Comments {
    text: String,
    /// Where each ends, the plies before it, and whether these are of the main line.
    ends: Vec<(usize, u32, bool)>,
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

    /// Adds a comment after that many plies.
    pub(super) fn push(&mut self, comment: &str, plies: u32, is_main: bool) {
        self.text.push_str(comment);
        self.ends.push((self.text.len(), plies, is_main));
    }

    /// The comments, each with the plies before it, and whether these are of the main line.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, u32, bool)> {
        let mut from = 0;
        self.ends.iter().map(move |&(end, plies, is_main)| {
            let comment = &self.text[from..end];
            from = end;
            (comment, plies, is_main)
        })
    }

    /// Appends the texts of a game; whether comments of one shape share it. The lines that
    /// are not in the texts as they stand.
    pub(super) fn write(
        &self,
        words: &[u8],
        shares: bool,
        mut pack: impl PackLine,
        out: &mut Vec<u8>,
    ) -> Vec<&str> {
        let (mut shape, mut values) = (String::new(), Vec::new());
        // The shape of each comment, counted from 1, and where its values are.
        let mut of_each = Vec::with_capacity(self.ends.len());
        let mut shapes: Vec<(String, u32)> = Vec::new();
        let mut known: HashMap<String, usize, FixedState> = HashMap::default();
        // The number of the shape that either side had last, which it has mostly again.
        let mut last = [0_usize; 2];
        for (comment, behind, _) in self.iter() {
            let first = values.len();
            shape.clear();
            if !shares || !comment_template::shape(comment, &mut shape, &mut values) {
                values.truncate(first);
                of_each.push((0, first..first));
                continue;
            }
            let last = &mut last[usize::from(side_of(behind))];
            if last.checked_sub(1).is_none_or(|at| shapes[at].0 != shape) {
                *last = known.get(&shape).copied().unwrap_or_else(|| {
                    shapes.push((shape.clone(), 0));
                    known.insert(shape.clone(), shapes.len());
                    shapes.len()
                });
            }
            let number = *last;
            shapes[number - 1].1 += 1;
            of_each.push((number, first..values.len()));
        }
        // Those that several comments have are numbered again.
        let mut count = 0;
        let numbers: Vec<u64> = (shapes.iter())
            .map(|(_, comments)| {
                count += u64::from(*comments > 1);
                if *comments > 1 { count } else { 0 }
            })
            .collect();
        let mut front = Vec::new();
        put_varint(0, &mut front);
        put_varint(count, &mut front);
        let shared = shapes.iter().filter(|(_, comments)| *comments > 1);
        for (shape, _) in shared.clone() {
            put_bytes(shape.as_bytes(), &mut front);
        }
        let mut shared: Vec<SlottedTemplate<'_>> = shared
            .map(|(shape, _)| SlottedTemplate::of(shape))
            .collect();
        let (mut columns, mut named) = (Vec::new(), ColumnNumbers::default());
        let (mut strings, mut whole, mut plies) = (Vec::new(), Vec::new(), Vec::new());
        let mut lines = Vec::new();
        for ((comment, behind, is_main), (number, place)) in self.iter().zip(of_each) {
            let number = if number == 0 { 0 } else { numbers[number - 1] };
            put_varint(number, &mut front);
            if number == 0 {
                put_bytes(comment.as_bytes(), &mut whole);
                continue;
            }
            let shape = &mut shared[number as usize - 1];
            let mut places = shape.columns(side_of(behind), &mut named).iter();
            columns.resize_with(named.len(), ValueColumn::default);
            for value in &values[place] {
                match *value {
                    TemplateValue::Number(value) => {
                        let place = places.next().and_then(|&place| columns.get_mut(place));
                        place.expect("a column for each number").push(value);
                    }
                    TemplateValue::Text(text) => {
                        let packs = is_main.then(|| pack.pack(behind, text, &mut plies));
                        let (bytes, line) = packs.flatten().unzip();
                        let (moves, rest) = text.split_at(bytes.unwrap_or(0));
                        lines.extend(line.map(|_| moves));
                        strings.push((line, rest));
                    }
                }
            }
        }
        if !lines.is_empty() {
            put_bytes(LINED, out);
            put_bytes(&plies, out);
        }
        out.extend_from_slice(&front);
        let mut numbers = Vec::new();
        for column in columns {
            put_bytes(&column.bytes, &mut numbers);
        }
        put_bytes(&numbers, out);
        for (line, text) in strings {
            match line {
                _ if lines.is_empty() => put_bytes(text.as_bytes(), out),
                _ => put_string(line, text, out),
            }
        }
        for part in [&whole, words] {
            out.extend_from_slice(part);
        }
        lines
    }
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
