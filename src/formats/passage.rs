//! Text with positions in it: FENs among words and in lists, boards that are drawn, and who
//! moves by what stands between them.

use super::{
    ChunkText, Hints, Sample, Transcript,
    boards::{self, TextBoard},
    fens,
    listing::{self, ListedPosition},
    prose,
    recognise::percent,
    sides::{self, SideSaid},
};

/// What a text with a position in it is worth, and one that is nothing but a list of them.
const WORTH: (u32, u32) = (35, 75);

/// Bytes between a board and the FEN of the same position at most.
const NEAR_BYTES: usize = 2048;

/// How much of a sample is lists of positions; text that quotes one is worth something (L1).
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    let (mut all, mut listed, mut has_any) = (0, 0, false);
    for part in parts(&sample.text) {
        let (content, is_listed) = match part {
            PassagePart::Board(board, _) => {
                has_any = true;
                (board.place.len(), true)
            }
            PassagePart::Block(_, block) => {
                let found = fens::all(block);
                has_any |= !found.is_empty();
                (block.trim().len(), prose::is_item(block, &found))
            }
        };
        all += content;
        listed += content * usize::from(is_listed);
    }
    if has_any {
        WORTH.0 + percent(listed, all) * (WORTH.1 - WORTH.0) / 100
    } else {
        0
    }
}

pub(super) fn transcribe(text: &ChunkText<'_>, hints: &Hints, out: &mut Transcript) {
    let source = text.decoded();
    let mut passage = Passage::default();
    let mut put =
        |found: ListedPosition| listing::record(source.offset(found.at), found, hints, out);
    for part in parts(&source.text) {
        match part {
            PassagePart::Board(board, around) => {
                let found = prose::quoted(board.place.start, &board.position, around);
                passage.position(found, true, &mut put);
            }
            PassagePart::Block(at, block) => {
                let found = prose::positions(at, block, hints.table.as_deref());
                if found.is_empty() {
                    passage.words(block);
                }
                for found in found {
                    passage.position(found, false, &mut put);
                }
            }
        }
    }
    passage.end(&mut put);
    out.end();
}

/// A part of a text.
enum PassagePart<'t> {
    /// A board, with the lines right above and right below it.
    Board(TextBoard, [&'t str; 2]),
    /// A block of other text, with its place.
    Block(usize, &'t str),
}

/// The parts of a text, in order.
fn parts(text: &str) -> Vec<PassagePart<'_>> {
    let mut parts = Vec::new();
    let mut boards = boards::all(text).into_iter();
    // The board above, and what stands right above it.
    let mut last: Option<(TextBoard, &str)> = None;
    loop {
        let next = boards.next();
        let from = last.as_ref().map_or(0, |(board, _)| board.place.end);
        let to = next.as_ref().map_or(text.len(), |board| board.place.start);
        let mut gap = from..to;
        // What is right between two boards is about the lower one.
        let above = next.as_ref().map_or("", |_| last_lines(&text[gap.clone()]));
        gap.end -= above.len();
        if let Some((board, before)) = last.take() {
            let behind = first_lines(&text[gap.clone()]);
            gap.start += behind.len();
            parts.push(PassagePart::Board(board, [before, behind]));
        }
        let blocks = prose::blocks(&text[gap.clone()]);
        parts.extend(blocks.map(|(at, block)| PassagePart::Block(gap.start + at, block)));
        let Some(next) = next else {
            return parts;
        };
        last = Some((next, above));
    }
}

/// The lines right above a board that have no position in them.
fn last_lines(text: &str) -> &str {
    let mut from = text.len();
    let mut lines = text.split_inclusive('\n').rev();
    // A line that has no end is the indentation of the board.
    while let Some(line) = lines.next().filter(|line| !line.trim().is_empty()) {
        from -= line.len();
    }
    without_positions(&text[from..])
}

/// The lines right below a board that have no position in them.
fn first_lines(text: &str) -> &str {
    // The end of the board's last line is the first.
    let mut lines = text.split_inclusive('\n');
    let mut to = lines.next().map_or(0, str::len);
    for line in lines.take_while(|line| !line.trim().is_empty()) {
        to += line.len();
    }
    without_positions(&text[..to])
}

fn without_positions(lines: &str) -> &str {
    if fens::all(lines).is_empty() {
        lines
    } else {
        ""
    }
}

/// What of a text waits for what follows.
#[derive(Debug, Default)]
struct Passage {
    /// The last position, and whether it was drawn.
    held: Option<(ListedPosition, bool)>,
    /// How much text without a position stands behind it: blocks.
    blocks: usize,
    /// Who moves by the first of these, and by the last.
    said: [SideSaid; 2],
}

impl Passage {
    /// Takes a block without a position.
    fn words(&mut self, block: &str) {
        if block.trim().is_empty() {
            return;
        }
        if self.blocks == 0 {
            self.said[0] = sides::said(prose::first_sentence(block));
        }
        self.said[1] = sides::said(prose::last_sentence(block));
        self.blocks += 1;
    }

    /// Takes a position, and hands over the one before it.
    fn position(
        &mut self,
        mut found: ListedPosition,
        is_drawn: bool,
        put: &mut impl FnMut(ListedPosition),
    ) {
        let [behind, before] = std::mem::take(&mut self.said);
        // One block between two can be about either.
        let is_open = |found: &ListedPosition| {
            let is_said = || sides::beside(found).and(found.side) != SideSaid::Nobody;
            sides::is_unsaid(&found.position) && !is_said()
        };
        let is_either = self.blocks == 1
            && is_open(&found)
            && self.held.as_ref().is_some_and(|(held, _)| is_open(held));
        self.blocks = 0;
        let [behind, before] = if is_either {
            [SideSaid::Nobody; 2]
        } else {
            [behind, before]
        };
        if is_open(&found) {
            found.side = before;
        }
        if let Some((mut held, was_drawn)) = self.held.take() {
            let is_same = was_drawn != is_drawn
                && found.at - held.at < NEAR_BYTES
                && board_of(&found) == board_of(&held);
            match (is_same, was_drawn) {
                // A program that draws a board writes its FEN, too.
                (true, true) => found.values.append(&mut held.values),
                (true, false) => {
                    held.values.append(&mut found.values);
                    self.held = Some((held, false));
                    return;
                }
                (false, _) => {
                    if is_open(&held) {
                        held.side = behind;
                    }
                    put(held);
                }
            }
        }
        self.held = Some((found, is_drawn));
    }

    /// Hands over the last position.
    fn end(mut self, put: &mut impl FnMut(ListedPosition)) {
        if let Some((mut held, _)) = self.held.take() {
            held.side = held.side.and(self.said[0]);
            put(held);
        }
    }
}

/// The board of a position, without its other fields.
fn board_of(found: &ListedPosition) -> Option<&str> {
    found.position.split_whitespace().next()
}
