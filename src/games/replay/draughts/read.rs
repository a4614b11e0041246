//! From a raw game of draughts to its plies and what was written around them.

use std::borrow::Cow;

use super::{
    opening::Opening,
    pack,
    solve::{Effort, End, Line, Solver},
    structure, variations, word,
};
use crate::{
    diagnostic::Code,
    games::replay::read::{Decode, Reading, keep_rest, with_number},
    notation::draughts_move::{Form, write},
    parse::{Item, Kind, RawGame},
    rules::draughts::{Budget, Position, moves},
    variant::draughts::ResultOrder,
};

/// Legal moves that are named where a move is not one of them.
const NAMED_MOVES_MAX: usize = 8;
/// Jumps that are looked at to name them.
const NAMING: Budget = Budget(2_000);

/// Reads a game from a start position. Where the squares turn out to be
/// numbered from another corner, or the position to be meant so, the opening
/// that fits is returned: the game begins there, and its squares have those
/// names. `None`: as given.
pub fn read(
    raw: &RawGame,
    bytes: &[u8],
    opening: &Opening,
    decode: Decode<'_>,
    out: &mut Reading,
) -> Option<Opening> {
    let lines = variations::lines(raw);
    let (line, other) = main_line(raw, bytes, opening, decode, &lines[0].items);
    let first_word = lines[0]
        .items
        .first()
        .and_then(|at| raw.items.get(*at as usize));
    if let (Some(other), Some(item)) = (&other, first_word) {
        const NAMES: [&str; 4] = ["bottom left", "bottom right", "top left", "top right"];
        let corner = usize::from(other.numbering().number_corner() & 3);
        out.report(Code::SquareNumbers, item.offset, NAMES[corner]);
    }
    let used = other.as_ref().unwrap_or(opening);
    let mut emitter = Emitter {
        raw,
        bytes,
        decode,
        opening: used,
        out,
    };
    let until = emitter.emit(&line, &lines[0].items);
    if lines.len() > 1 {
        let board = used.variant().rules.board;
        let start = (*used.position(), 0);
        variations::each(
            raw,
            bytes,
            decode,
            used,
            &lines,
            line,
            start,
            until,
            |position, _, _| {
                out.note_variation(structure(position, board).key());
            },
        );
    }
    other
}

/// The main line, and the opening under which it is read if that is another.
fn main_line(
    raw: &RawGame,
    bytes: &[u8],
    opening: &Opening,
    decode: Decode<'_>,
    words: &[u32],
) -> (Line, Option<Opening>) {
    let line = line_from(raw, bytes, opening, decode, words, Effort::Dear);
    if line.end.is_none() || line.has_moves() {
        return (line, None);
    }
    // Not even the first move: numbers may run from another corner.
    let usual = opening.numbering().number_corner();
    let mut best = (line, None);
    for corner in (0..4).filter(|&corner| corner != usual) {
        let Some(other) = opening.with_number_corner(corner) else {
            continue;
        };
        let line = line_from(raw, bytes, &other, decode, words, Effort::Cheap);
        let good = |line: &Line| (line.end.is_none(), line.steps.len());
        // A single move can be legal by chance wherever pieces are not in rows.
        let enough = match &line.end {
            None => 1 + usize::from(!other.is_usual()),
            Some(_) => 4,
        };
        if line.has_moves() && line.steps.len() >= enough && good(&line) > good(&best.0) {
            best = (line, Some(other));
        }
    }
    best
}

/// The main line as it is read under an opening.
pub(super) fn line_from(
    raw: &RawGame,
    bytes: &[u8],
    opening: &Opening,
    decode: Decode<'_>,
    words: &[u32],
    effort: Effort,
) -> Line {
    let rules = &opening.variant().rules;
    let result = raw
        .termination
        .and_then(|(start, end)| bytes.get(start as usize..end as usize))
        .filter(|text| *text != b"*")
        .or_else(|| raw.tag(bytes, "Result"))
        .unwrap_or_default();
    let fits = |position: &Position| {
        let result = decode(result);
        match (word::is_decisive(&result), position.winner(rules)) {
            (Some(true), Some(winner)) => {
                // Whose win the first number is, sources disagree about; but
                // that someone has won is better than that nobody has.
                let first = result.trim_start().starts_with(['1', '2']);
                let white = first == (opening.variant().result_order == ResultOrder::WhiteFirst);
                1 + u32::from(white == (winner == 0))
            }
            (Some(false), None) => 1,
            _ => 0,
        }
    };
    Solver::new(raw, bytes, decode, opening, Some(effort)).solve(opening.position(), words, fits)
}

struct Emitter<'a> {
    raw: &'a RawGame,
    bytes: &'a [u8],
    decode: Decode<'a>,
    opening: &'a Opening,
    out: &'a mut Reading,
}

impl Emitter<'_> {
    fn text(&self, item: &Item) -> Cow<'_, str> {
        (self.decode)(self.raw.text(self.bytes, item))
    }

    /// Packs a line and keeps what stands around its words; the item at which
    /// it ends.
    fn emit(&mut self, line: &Line, words: &[u32]) -> usize {
        let board = self.opening.variant().rules.board;
        let mut position = *self.opening.position();
        let mut last = structure(&position, board);
        self.out.structures.push((last.key() >> 32) as u32);
        let mut found: Vec<_> = line.found.iter().collect();
        found.sort_by_key(|finding| finding.word);
        let mut found = found.into_iter().peekable();
        let mut skipped = line.skipped.iter().peekable();
        let mut steps = line.steps.iter().peekable();
        let mut word = 0_u32;
        let mut depth = 0_u32;
        for (at, item) in self.raw.items.iter().enumerate() {
            if self.out.is_over() {
                break;
            }
            if depth > 0 {
                match item.kind {
                    Kind::VariationStart => depth += 1,
                    Kind::VariationEnd => depth -= 1,
                    _ => {}
                }
                continue;
            }
            match item.kind {
                Kind::Word | Kind::Setup => {
                    debug_assert_eq!(words.get(word as usize), Some(&(at as u32)));
                    while let Some(finding) = found.next_if(|finding| finding.word <= word) {
                        let detail = match &finding.detail {
                            detail if detail.is_empty() => self.text(item).into_owned().into(),
                            detail => detail.clone(),
                        };
                        self.out.report(finding.code, item.offset, detail);
                    }
                    if let Some(end) = line.end.as_ref().filter(|end| end.word == word) {
                        self.end(item, end);
                        return at;
                    }
                    while let Some(played) = steps.next_if(|played| played.word == word) {
                        let step = &played.step;
                        pack::pack(step, &position, board, &mut self.out.plies);
                        let changes = step.may_change_structure(&position);
                        step.play(&mut position);
                        self.out.ply_count += 1;
                        if changes {
                            let now = structure(&position, board);
                            if now != last {
                                self.out.structures.push((now.key() >> 32) as u32);
                                last = now;
                            }
                        }
                    }
                    if skipped.next_if(|&&skipped| skipped == word).is_some() {
                        let text = self.text(item);
                        // One that only repeats who moves still says what it is.
                        if item.kind == Kind::Setup {
                            let sign = format!("/FEN \"{text}\"/");
                            self.out.annotate("?", &sign);
                        } else {
                            let text = text.into_owned();
                            self.out.annotate("?", &text);
                        }
                    }
                    if line.result == Some(word) {
                        self.out.result = Some(self.text(item).trim().to_owned());
                    }
                    word += 1;
                }
                Kind::Comment => self.annotate("{", item),
                Kind::LineComment => self.annotate(";", item),
                Kind::Nag => self.out.annotate_number("$", item.value),
                Kind::Result => self.annotate("?", item),
                Kind::VariationStart => {
                    let text = self.text(item).trim().to_owned();
                    self.out.annotate("(", &text);
                    depth = 1;
                }
                Kind::VariationEnd => {}
            }
        }
        self.raw.items.len()
    }

    fn annotate(&mut self, kind: &str, item: &Item) {
        let text = (self.decode)(self.raw.text(self.bytes, item));
        self.out.annotate(kind, &text);
    }

    /// The line ends before a word: says why and keeps the rest.
    fn end(&mut self, item: &Item, end: &End) {
        let detail = match end.code {
            Code::IllegalMove => self.complaint(item, end),
            _ => end.detail.to_string(),
        };
        self.out.report(end.code, item.offset, detail);
        let from = if item.kind == Kind::Setup {
            // The rest is kept with the sign that begins a set-up.
            let before = &self.bytes[..(item.offset as usize).min(self.bytes.len())];
            let sign = before.iter().rposition(|&byte| byte == b'/');
            sign.map_or(item.offset, |sign| sign as u32)
        } else {
            with_number(self.bytes, item)
        };
        keep_rest(self.raw, self.bytes, from, self.decode, self.out);
    }

    /// What is wrong with a move, and what would be right.
    fn complaint(&self, item: &Item, end: &End) -> String {
        let word = self.text(item);
        let ply = self.out.ply_count + 1;
        let mut detail = format!("{word} at ply {ply}");
        if !end.detail.is_empty() {
            detail.push_str(": ");
            detail.push_str(&end.detail);
        }
        let variant = self.opening.variant();
        let rules = &variant.rules;
        let Ok(legal) = moves(&end.position, rules, NAMING) else {
            return detail;
        };
        if legal.is_empty() {
            detail.push_str("; no move is legal");
            return detail;
        }
        detail.push_str("; legal: ");
        let mut names: Vec<String> = Vec::new();
        for other in &legal {
            let name = write(
                &end.position,
                rules,
                self.opening.numbering(),
                other,
                Form::Short,
                variant.capture_separator,
                NAMING,
            );
            if names.len() == NAMED_MOVES_MAX {
                names.push("…".to_owned());
                break;
            }
            names.extend(name);
        }
        detail.push_str(&names.join(", "));
        detail
    }
}
