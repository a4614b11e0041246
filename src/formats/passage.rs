//! Text with positions in it: FENs among words and in lists, boards that are drawn, and who
//! moves by what stands between them.

use std::{borrow::Cow, iter, ops::Range};

use super::{
    ChunkText, PgnTranscript, Sample, StreamHints, epd,
    json_like::{FieldRecord, ObjectPosition},
    move_context, pgn_with_text, prose,
    recognise::percent,
    sentences::{first_sentence, last_sentence},
    table, text,
    text_diagrams::{self, TextBoard},
    text_order::TextOrder,
    yaml_like::{self, KeyedLine},
};
use crate::{
    games::running_text::{
        fen_scanner,
        side_to_move::{self, StatedSide},
    },
    input::chunk::{RECORD_LOOKAHEAD_BYTES, RecordBoundary},
};

/// A paragraph, an item of a list or a board begins a record (L1), if it is not about the
/// position above it.
pub(super) const LINES: RecordBoundary = RecordBoundary {
    name: "text",
    begins,
    may_begin: |_, _| true,
};

/// Whether a record begins at a line, seen from what stands above it.
fn begins(bytes: &[u8], at: usize) -> bool {
    if pgn_with_text::is_within_game(bytes, at) {
        return false;
    }
    let line = &bytes[at..];
    let end = memchr::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
    let line = String::from_utf8_lossy(&line[..end]);
    let near = &bytes[at.saturating_sub(yaml_like::BLOCK_BYTES_MAX)..at];
    if line.starts_with([' ', '\t'])
        && yaml_like::is_in_scalar(&String::from_utf8_lossy(near), &line)
    {
        return false;
    }
    // A fence of Markdown belongs to what stands in it.
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let mut lines = lines_above(&bytes[..at]);
    let Some((mut above, mut is_apart)) = lines.next() else {
        return true;
    };
    if is_fence(&line) {
        return false;
    }
    if is_fence(&above) {
        let Some((next, _)) = lines.next() else {
            return true;
        };
        (above, is_apart) = (next, true);
    }
    if prose::is_heading(&line) {
        return true;
    }
    // A word of as many letters as a rank has squares may stand before moves.
    if is_apart {
        let own = lines.clone().take_while(|&(_, is_apart)| !is_apart);
        let own = iter::once(above.clone()).chain(own.map(|(line, _)| line));
        let mut own =
            own.filter_map(|line| fen_scanner::all(&line).pop().map(|at| line[at].to_owned()));
        let below = paragraph_at(bytes, at);
        let is_played = |position: String| move_context::are_moves(&position, below.trim());
        if own.next().is_some_and(is_played) {
            return false;
        }
    }
    let says = |line: &str| side_to_move::said(line) != StatedSide::Unstated;
    // A line of dashes is a frame only where it stands at a rank.
    let is_plain = |line: &str| !line.contains(|c: char| !"-=_ \t\r".contains(c));
    let is_board = |line: &str| text_diagrams::is_of_board(line) && !is_plain(line);
    let is_below_board = is_board(&above)
        || text_diagrams::is_of_board(&above)
            && lines
                .clone()
                .next()
                .is_some_and(|(line, _)| is_board(&line));
    if is_board(&line) || text_diagrams::is_of_board(&line) && is_below_board {
        let is_headed = text_diagrams::fields(&above).is_some() || says(&above);
        return is_apart && !is_below_board && !is_headed;
    }
    match prose::below_keys(&bytes[..at], &line, is_apart) {
        KeyedLine::Begins => return true,
        KeyedLine::GoesOn if is_apart => return false,
        _ => {}
    }
    let mut further = lines.clone();
    let second = further.next();
    let is_first = second.as_ref().is_none_or(|&(_, is_apart)| is_apart);
    // What is said right below a board is about that.
    if prose::opens(&line) && prose::is_statement(&above) {
        let is_below = !is_first && second.is_some_and(|(line, _)| prose::opens(&line));
        return is_below && (is_apart || prose::is_named(&line));
    }
    if !is_apart {
        return prose::begins_block(&above, &line, is_first);
    }
    if prose::goes_on(&above, &line, true) {
        return false;
    }
    let open = |text: &str| {
        let found = fen_scanner::all(text);
        let mut boards = found.into_iter().map(|at| &text[at]);
        boards.next_back().map(side_to_move::is_unsaid)
    };
    match (open(&line), open(&above)) {
        // The FEN of the board above, or one whose side to move the words above say.
        (Some(is_open), None) => !(is_below_board || is_open && says(&above)),
        // Words that say who moves are about the board above if nothing else says it.
        (None, Some(true)) if says(&line) => lines
            .next()
            .is_some_and(|(line, is_apart)| !is_apart && says(&line)),
        (None, None) if is_below_board && says(&line) => {
            is_whole(&bytes[..at]) && are_headed(lines.map(|(line, _)| line))
        }
        _ => true,
    }
}

/// The paragraph that begins with a line, as far as it is shown.
fn paragraph_at(bytes: &[u8], at: usize) -> String {
    let text = String::from_utf8_lossy(&bytes[at..]);
    let mut paragraph = String::new();
    for line in text.split_inclusive(['\n', '\r']) {
        let is_half = line == "\n" && paragraph.ends_with('\r');
        if line.trim().is_empty() && !is_half {
            return paragraph;
        }
        paragraph.push_str(line);
    }
    if bytes.len() - at >= RECORD_LOOKAHEAD_BYTES {
        // The last word may be longer.
        let end = paragraph.rfind(char::is_whitespace);
        paragraph.truncate(end.unwrap_or(paragraph.len()));
    }
    paragraph
}

/// Whether boards have the sentences that say who moves above them, as the lines above the last
/// rank of one show, the last line first: where boards and sentences stand by turns, the first of
/// them decides.
fn are_headed<'l>(lines: impl Iterator<Item = Cow<'l, str>>) -> bool {
    let mut lines = lines.peekable();
    loop {
        while lines
            .next_if(|line| text_diagrams::is_of_board(line))
            .is_some()
        {}
        if !lines.next().is_some_and(|line| prose::is_statement(&line)) {
            return false;
        }
        if !lines
            .peek()
            .is_some_and(|line| text_diagrams::is_of_board(line))
        {
            return true;
        }
    }
}

/// Whether [`lines_above`] are all there are.
fn is_whole(text: &[u8]) -> bool {
    text.trim_ascii_end().len() <= prose::LINE_BYTES
}

/// The lines above the end of a text that say something, the last one first, and whether
/// empty ones stand below each; no more of them than mean something.
fn lines_above(text: &[u8]) -> impl Iterator<Item = (Cow<'_, str>, bool)> + Clone {
    let said = text.trim_ascii_end();
    // Blanks are no line, however many they are.
    let mut gap = &text[said.len()..];
    let mut rest = &said[said.len().saturating_sub(prose::LINE_BYTES)..];
    iter::from_fn(move || {
        let ends = |sign| memchr::memchr_iter(sign, gap).count();
        let is_apart = ends(b'\n').max(ends(b'\r')) > 1;
        let from = memchr::memrchr2(b'\n', b'\r', rest).map_or(0, |at| at + 1);
        let found = &rest[from..];
        let above = rest[..from].trim_ascii_end();
        gap = &rest[above.len()..from];
        rest = above;
        (!found.is_empty()).then(|| (String::from_utf8_lossy(found), is_apart))
    })
}

/// What a text with a position in it is worth, one that is nothing but a list of them, and one
/// whose words say what its positions do not.
const WORTH: (u32, u32, u32) = (35, 75, 90);

/// Bytes between a board and the FEN of the same position at most.
const NEAR_BYTES: usize = 2048;

/// How much of a sample is lists of positions; text that quotes one is worth something (L1).
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    let (mut all, mut listed, mut has_any) = (0, 0, false);
    // Words that may say who moves, and bare lines of positions, some of which do not say it.
    let (mut words, mut lines, mut is_unsaid) = (Vec::new(), 0, false);
    let (mut said, mut last) = (0, None);
    let has_tables = table::has_several(&sample.text);
    let order = TextOrder::of(&sample.text, sample.is_cut());
    for part in parts(&sample.text, order) {
        let block = match part {
            PassagePart::Block(_, block) => block,
            PassagePart::Board(board, [above, below]) => {
                let content = board.place.len() + above.trim().len() + below.trim().len();
                (all, listed, has_any) = (all + content, listed + content, true);
                continue;
            }
        };
        // The indentation of its first line shows what is below a key.
        let is_game = yaml_like::is_game(block);
        let block = block.trim().trim_end_matches('`');
        let found = fen_scanner::all(block);
        let content = block.trim().len();
        all += content;
        has_any |= !found.is_empty();
        let above = last;
        last = found.last().map(|at| &block[at.clone()]).or(last);
        let is_table = has_tables && block.starts_with('|');
        if is_table && !table::markdown(0, block, None).is_empty() {
            (listed, has_any) = (listed + content, true);
            continue;
        }
        let is_played = |above| move_context::moves_beside(above, block.trim()).is_some();
        if is_said(block, &found) || found.is_empty() && above.is_some_and(is_played) {
            said += content;
        } else if found.is_empty() && is_game || prose::is_item(block, &found) {
            (listed, has_any) = (listed + content, true);
        } else if found.is_empty() {
            words.push(block);
        } else if epd::is_record(block.trim()) {
            lines += content;
            is_unsaid |= side_to_move::is_unsaid(block);
        }
    }
    if !has_any {
        return 0;
    }
    let says = |words: &&str| side_to_move::said(words) != StatedSide::Unstated;
    let words = words.into_iter().filter(|words| is_unsaid && says(words));
    let words: usize = words.map(|words| words.trim().len()).sum();
    let (listed, most) = match words + said {
        0 => (listed, WORTH.1),
        words => (listed + words + lines, WORTH.2),
    };
    WORTH.0 + percent(listed, all) * (most - WORTH.0) / 100
}

/// Whether the lines around the only position of a block say who moves in it, or which moves.
fn is_said(block: &str, found: &[Range<usize>]) -> bool {
    let block = block.trim_end();
    let [at] = found else {
        return false;
    };
    let is_open = side_to_move::is_unsaid(&block[at.clone()]);
    let says = || is_open && block.lines().any(prose::is_statement);
    let behind = &block[at.end..];
    let is_played = || {
        let moves = || move_context::moves_beside(&block[at.clone()], behind.trim());
        at.start == 0 && behind.contains(['\n', '\r']) && moves().is_some()
    };
    block.contains(['\n', '\r']) && (says() || is_played())
}

pub(super) fn transcribe(chunk: &ChunkText<'_>, hints: &StreamHints, out: &mut PgnTranscript) {
    let source = chunk.decoded();
    let passage = || Passage {
        is_side_first: hints.order.is_side_first,
        ..Passage::default()
    };
    let mut at_hand = passage();
    let mut put = |found: FieldRecord| found.write(|at| source.offset(at), hints, out);
    let plain = text::blanked(source.text.as_ref().into());
    for part in parts(&plain, hints.order) {
        match part {
            PassagePart::Board(board, around) => {
                let (position, inferred) = board.taken(hints);
                let mut found = prose::quoted(board.place.start, position, around);
                found.inferred = inferred;
                at_hand.position(found, true, &mut put);
            }
            PassagePart::Block(at, block) => {
                let found = prose::records(at, block, hints.table.as_deref());
                if found.is_empty() {
                    at_hand.words(block);
                }
                for found in found {
                    match found {
                        FieldRecord::Position(found) => {
                            at_hand.position(found, false, &mut put);
                        }
                        FieldRecord::Game(_) => {
                            std::mem::replace(&mut at_hand, passage()).end(&mut put);
                            put(found);
                        }
                    }
                }
            }
        }
    }
    at_hand.end(&mut put);
    out.guessed(source.guessed, chunk.fallback.name());
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
fn parts(text: &str, order: TextOrder) -> Vec<PassagePart<'_>> {
    let mut parts = Vec::new();
    let is_own = |board: &TextBoard| !yaml_like::is_quoted(text, board.place.start);
    let mut boards = text_diagrams::all(text).into_iter().filter(is_own);
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
        let blocks = prose::blocks(&text[gap.clone()], order);
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
    if fen_scanner::all(lines).is_empty() {
        lines
    } else {
        ""
    }
}

/// What of a text waits for what follows.
#[derive(Debug, Default)]
struct Passage<'t> {
    /// The last position, and whether it was drawn.
    held: Option<(ObjectPosition, bool)>,
    /// How many blocks without a position stand after it.
    blocks: usize,
    /// The first of these, and the last.
    between: [&'t str; 2],
    /// As in [`TextOrder`].
    is_side_first: Option<bool>,
}

impl<'t> Passage<'t> {
    /// Takes a block without a position.
    fn words(&mut self, block: &'t str) {
        // A fence says nothing.
        if !block.contains(char::is_alphanumeric) {
            return;
        }
        // Nor does anything else stand between a position and its solution.
        if let Some((held, _)) = self.held.as_mut().filter(|_| self.blocks == 0)
            && let Some(moves) = {
                if is_open(held) {
                    held.side = move_context::side_of_moves(&held.position, block);
                }
                let mut position = held.position.clone();
                side_to_move::complete(&mut position, held.side);
                move_context::moves_beside(&position, block.trim())
            }
        {
            held.values.extend(moves);
            return;
        }
        if self.blocks == 0 {
            self.between[0] = block;
        }
        self.between[1] = block;
        self.blocks += 1;
    }

    /// Takes a position, and hands over the one before it.
    fn position(
        &mut self,
        mut found: ObjectPosition,
        is_drawn: bool,
        put: &mut impl FnMut(FieldRecord),
    ) {
        let [behind, before] = std::mem::take(&mut self.between);
        let blocks = std::mem::take(&mut self.blocks);
        let is_held_open = self.held.as_ref().is_some_and(|(held, _)| is_open(held));
        // One block between two can be about either.
        let is_either = blocks == 1 && is_held_open && is_open(&found);
        let is_about_found = !is_either || self.is_side_first == Some(true);
        let is_about_held = !is_either || self.is_side_first == Some(false);
        if is_about_found && is_open(&found) {
            found.side = side_to_move::said(last_sentence(before));
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
                    if is_about_held && is_held_open {
                        held.side = side_to_move::said(first_sentence(behind));
                    }
                    put(FieldRecord::Position(held));
                }
            }
        }
        self.held = Some((found, is_drawn));
    }

    /// Hands over the last position.
    fn end(mut self, put: &mut impl FnMut(FieldRecord)) {
        if let Some((mut held, _)) = self.held.take() {
            if is_open(&held) {
                held.side = side_to_move::said(first_sentence(self.between[0]));
            }
            put(FieldRecord::Position(held));
        }
    }
}

/// Whether nothing in a position and beside it says who moves.
fn is_open(found: &ObjectPosition) -> bool {
    let is_said = || found.stated_side().and(found.side) != StatedSide::Unstated;
    side_to_move::is_unsaid(&found.position) && !is_said()
}

/// The board of a position, without its other fields.
fn board_of(found: &ObjectPosition) -> Option<&str> {
    found.position.split_whitespace().next()
}
