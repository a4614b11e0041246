//! From a raw game to its legal plies and what was written around them.
//!
//! The movetext's words are resolved one after the other; the first one that is
//! no legal move ends the main line, and the rest is kept as text (rule M10).
//! Comments, NAGs, variations and stray words are kept with the number of plies
//! before them. Variations are played on the side, for the index only: what is
//! stored of them is their text.

use std::borrow::Cow;

use shakmaty::Chess;

use crate::{
    diagnostic::Code,
    key::Structure,
    limits::PLIES_MAX,
    notation::{
        lenient_move::{self, MoveError},
        letters::{self, ENGLISH, Language},
        quick_san,
    },
    parse::{Item, Kind, RawGame},
    rules::chess::{Board, Ply, Slots, man},
};

mod line;

pub use super::reading::Reading;
use super::{
    branch::{Branch, Lines},
    tongue::{self, Expected},
};
use line::{Line, to_ply};
pub use line::{variation_in, variation_positions};

/// Turns the bytes of the source into text.
pub type Decode<'d> = &'d dyn for<'b> Fn(&'b [u8]) -> Cow<'b, str>;

/// A start position made ready for reading games from it.
#[derive(Debug, Clone)]
pub struct Opening {
    board: Board,
    slots: Slots,
    structure: Structure,
}

impl Opening {
    /// Makes a position ready.
    pub fn new(start: &Chess) -> Self {
        let board = Board::from_position(start);
        let slots = Slots::new(board.men());
        let structure = Structure::of(board.men());
        Self {
            board,
            slots,
            structure,
        }
    }
}

/// Keeps a game that cannot be played as text: the comments before its movetext,
/// and all of that.
pub fn keep_text(raw: &RawGame, bytes: &[u8], decode: Decode<'_>, out: &mut Reading) {
    let before = raw
        .items
        .iter()
        .take_while(|item| item.offset < raw.movetext_span.0);
    for item in before {
        match item.kind {
            Kind::Comment => out.annotate("{", &decode(raw.text(bytes, item))),
            Kind::LineComment => out.annotate(";", &decode(raw.text(bytes, item))),
            _ => {}
        }
    }
    keep_rest(raw, bytes, raw.movetext_span.0, decode, out);
}

pub(crate) fn keep_rest(
    raw: &RawGame,
    bytes: &[u8],
    from: u32,
    decode: Decode<'_>,
    out: &mut Reading,
) {
    let end = raw
        .termination
        .map_or(raw.movetext_span.1, |(start, _)| start);
    let rest = bytes.get(from as usize..end as usize).unwrap_or_default();
    let rest = decode(rest);
    let rest = rest.trim();
    if !rest.is_empty() {
        out.annotate("!", rest);
    }
}

/// Reads a game from a start position, in the expected language or, if that does
/// not fit its letters, in another.
pub fn read(raw: &RawGame, bytes: &[u8], opening: &Opening, decode: Decode<'_>, out: &mut Reading) {
    let Expected { language, certain } = out.expected;
    let mark = out.mark();
    if let Some(other) = read_in(raw, bytes, opening, decode, (language, !certain), out) {
        out.forget(mark);
        let other = (!other.is_english()).then_some(other);
        read_in(raw, bytes, opening, decode, (other, false), out);
    }
}

/// Reads a game in a language. If that may be doubted and another fits the game
/// better, stops and gives the other.
fn read_in(
    raw: &RawGame,
    bytes: &[u8],
    opening: &Opening,
    decode: Decode<'_>,
    (language, doubted): (Option<&'static Language>, bool),
    out: &mut Reading,
) -> Option<&'static Language> {
    let annotated = raw
        .items
        .iter()
        .any(|item| item.kind == Kind::VariationStart);
    let mut reader = Reader {
        raw,
        bytes,
        decode,
        opening,
        language,
        doubted,
        instead: None,
        main: Line::new(opening.board.clone()),
        slots: opening.slots.clone(),
        structure: opening.structure,
        keeps_before: annotated,
        variations: Lines::default(),
        skipped: false,
        first_number: None,
    };
    out.begin_in(language);
    out.structures.push((opening.structure.key() >> 32) as u32);
    for (at, item) in raw.items.iter().enumerate() {
        if out.is_over() {
            break;
        }
        if !reader.variations.is_empty() {
            reader.inside(item, out);
            continue;
        }
        match item.kind {
            Kind::Word => {
                if !reader.word(at, item, out) {
                    if reader.instead.is_none() {
                        keep_rest(raw, bytes, with_number(bytes, item), decode, out);
                    }
                    return reader.instead;
                }
            }
            Kind::Comment => out.annotate("{", &decode(raw.text(bytes, item))),
            Kind::LineComment => out.annotate(";", &decode(raw.text(bytes, item))),
            Kind::Nag => out.annotate_number("$", item.value),
            Kind::Result | Kind::Setup => out.annotate("?", &decode(raw.text(bytes, item))),
            Kind::VariationStart => {
                out.annotate("(", decode(raw.text(bytes, item)).trim());
                reader.variations.open(reader.main.branch());
            }
            Kind::VariationEnd => {}
        }
    }
    None
}

/// Where a word begins, the move number before it included.
pub(crate) fn with_number(bytes: &[u8], item: &Item) -> u32 {
    if item.value == 0 {
        return item.offset;
    }
    let before = bytes.get(..item.offset as usize).unwrap_or_default();
    let before = before.trim_ascii_end();
    let dots = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b')' | b':'))
        .count();
    let before = before[..before.len() - dots].trim_ascii_end();
    let digits = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits == 0 {
        item.offset
    } else {
        (before.len() - digits) as u32
    }
}

struct Reader<'a> {
    raw: &'a RawGame,
    bytes: &'a [u8],
    decode: Decode<'a>,
    opening: &'a Opening,
    /// The language of the words; `None` is English.
    language: Option<&'static Language>,
    /// Whether it may be another, which is looked into once.
    doubted: bool,
    /// The language to read the game in instead.
    instead: Option<&'static Language>,
    main: Line,
    slots: Slots,
    structure: Structure,
    /// Whether the board before each move is kept: only if there are variations.
    keeps_before: bool,
    variations: Lines<Line>,
    /// A word was skipped, so move numbers are watched (rule M10).
    skipped: bool,
    /// The first move number, and the board's own there: numbering may be relative.
    first_number: Option<(u32, u32)>,
}

impl Reader<'_> {
    /// Plays a word of the main line; false if the main line ends before it.
    #[inline]
    fn word(&mut self, at: usize, item: &Item, out: &mut Reading) -> bool {
        if self.skipped && self.contradicts(item) {
            let detail = format!("{} is not the number of the next move", item.value);
            out.report(Code::NumberMismatch, item.offset, detail);
            return false;
        }
        if out.ply_count as usize >= PLIES_MAX {
            out.report(Code::PliesCut, item.offset, "");
            return false;
        }
        let text = self.raw.text(self.bytes, item);
        let own_number = self.main.board.move_number().0;
        let played = out.ply_count;
        let plain = match self.language {
            None => quick_san::resolve(&self.main.board, text),
            Some(language) => tongue::quick(&self.main.board, &(self.decode)(text), language),
        };
        let goes_on = match plain {
            Some(ply) => {
                self.play(ply, out);
                true
            }
            None => self.unusual_word(at, item, text, out),
        };
        // Only a move tells how the moves are numbered.
        if item.value > 0 && self.first_number.is_none() && out.ply_count > played {
            self.first_number = Some((item.value, own_number));
        }
        goes_on
    }

    #[inline]
    fn play(&mut self, ply: Ply, out: &mut Reading) {
        let board = &mut self.main.board;
        let (man, from) = board.mover(ply);
        let captured = board.captured(ply);
        self.slots.push(ply, (man, from), captured, &mut out.plies);
        if captured.is_some() || (man::role(man) == man::PAWN && ply != Ply::NULL) {
            if let Some(square) = captured {
                self.structure
                    .lift(board.men()[usize::from(square)], square);
            }
            if man::role(man) == man::PAWN {
                self.structure.lift(man, ply.from());
                let becomes = match ply.promotion() {
                    man::NONE => man,
                    promotion => man::of(board.turn(), promotion),
                };
                self.structure.put(becomes, ply.to());
            }
            out.structures.push((self.structure.key() >> 32) as u32);
        }
        if self.keeps_before {
            self.main.before = Some(board.clone());
        }
        board.play(ply);
        out.ply_count += 1;
    }

    /// A word that is no export-format SAN of a legal move.
    #[cold]
    fn unusual_word(&mut self, at: usize, item: &Item, text: &[u8], out: &mut Reading) -> bool {
        let word = (self.decode)(text);
        let language = self.language.unwrap_or(ENGLISH);
        if letters::is_foreign(&word, language) && self.turns_to_another() {
            return false;
        }
        let Some(position) = self.main.board.to_position() else {
            out.report(Code::IllegalMove, item.offset, word.into_owned());
            return false;
        };
        match lenient_move::resolve_in(&position, &word, self.language) {
            Ok(resolved) => {
                for &code in &resolved.findings {
                    out.report(code, item.offset, word.clone().into_owned());
                }
                for &ply in &resolved.plies {
                    self.play(to_ply(ply), out);
                }
                if let Some(result) = resolved.trailing_result {
                    out.result = Some(result.to_owned());
                }
                true
            }
            Err(MoveError::NotAMove { .. }) => {
                out.report(Code::UnknownWord, item.offset, word.clone().into_owned());
                out.annotate("?", &word);
                self.skipped = true;
                true
            }
            // A double forfeit, where castling is not legal and nothing follows.
            Err(_)
                if is_zero_zero(&word)
                    && at + 1 == self.raw.items.len()
                    && self.raw.termination.is_none() =>
            {
                out.result = Some("0-0".to_owned());
                true
            }
            Err(_) if self.turns_to_another() => false,
            Err(error) => {
                let code = match error {
                    MoveError::Ambiguous { .. } => Code::AmbiguousMove,
                    _ => Code::IllegalMove,
                };
                out.report(code, item.offset, error.to_string());
                false
            }
        }
    }

    /// Looks, once a game, whether its words are rather in another language.
    fn turns_to_another(&mut self) -> bool {
        if std::mem::take(&mut self.doubted) {
            let words = tongue::main_words(self.raw, self.bytes, self.decode);
            let start = self.opening.board.to_position();
            self.instead = tongue::another(start.as_ref(), &words, self.language);
        }
        self.instead.is_some()
    }

    /// Whether the number before a word cannot be that of the next move.
    fn contradicts(&self, item: &Item) -> bool {
        if item.value == 0 {
            return false;
        }
        let (number, black) = self.main.board.move_number();
        let (written, own) = self.first_number.unwrap_or((number, number));
        let expected = number.wrapping_sub(own).wrapping_add(written);
        let before = self.bytes.get(..item.offset as usize).unwrap_or_default();
        let dots = before
            .trim_ascii_end()
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'.')
            .count();
        item.value != expected || (black && dots == 1)
    }

    /// Takes an item inside a variation.
    fn inside(&mut self, item: &Item, out: &mut Reading) {
        match item.kind {
            Kind::VariationStart => self.variations.enter(),
            Kind::VariationEnd => self.variations.leave(),
            Kind::Word => {
                let text = self.raw.text(self.bytes, item);
                if let Some(line) = self.variations.at_hand() {
                    line.play((text, self.decode), self.language, |_, board| {
                        out.note_variation(Structure::of(board.men()).key());
                    });
                }
            }
            _ => {}
        }
    }
}

fn is_zero_zero(word: &str) -> bool {
    matches!(word, "0-0" | "0–0" | "0:0")
}
