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
    parse::{Family, Item, Kind, Parser, RawGame},
    rules::chess::{Board, Packer, Ply, man},
};

pub use super::reading::Reading;
use super::tongue::{self, Branch, Expected};

/// Turns the bytes of the source into text.
pub type Decode<'d> = &'d dyn for<'b> Fn(&'b [u8]) -> Cow<'b, str>;

/// A start position made ready for reading games from it.
#[derive(Debug, Clone)]
pub struct Opening {
    board: Board,
    packer: Packer,
    structure: Structure,
}

impl Opening {
    /// Makes a position ready.
    pub fn new(start: &Chess) -> Self {
        let board = Board::from_position(start);
        let packer = Packer::new(board.men());
        let structure = Structure::of(board.men());
        Self {
            board,
            packer,
            structure,
        }
    }
}

/// A line of play inside a variation.
#[derive(Debug, Clone)]
struct Line {
    board: Board,
    /// The board before the last move: what a variation of that move begins from.
    before: Option<Board>,
    /// An unreadable move has cut the line.
    cut: bool,
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

pub(super) fn keep_rest(
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
        main: Line {
            board: opening.board.clone(),
            before: None,
            cut: false,
        },
        packer: opening.packer.clone(),
        structure: opening.structure,
        keeps_before: annotated,
        variations: Vec::new(),
        skipped: false,
        first_number: None,
    };
    out.begin_in(language);
    out.structures.push((opening.structure.key() >> 32) as u32);
    for (at, item) in raw.items.iter().enumerate() {
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
                reader.enter();
            }
            Kind::VariationEnd => {}
        }
    }
    None
}

/// Where a word begins, the move number before it included.
pub(super) fn with_number(bytes: &[u8], item: &Item) -> u32 {
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
    packer: Packer,
    structure: Structure,
    /// Whether the board before each move is kept: only if there are variations.
    keeps_before: bool,
    variations: Vec<Line>,
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
        let man = match ply {
            Ply::NULL => man::of(board.turn(), man::KING),
            _ => board.men()[usize::from(ply.from())],
        };
        let captured = board.captured(ply);
        self.packer.push(ply, man, captured, &mut out.plies);
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

    /// Enters a variation of the last move of the line at hand.
    fn enter(&mut self) {
        let branch = self.variations.last().unwrap_or(&self.main).branch();
        self.variations.push(branch);
    }

    /// Takes an item inside a variation.
    fn inside(&mut self, item: &Item, out: &mut Reading) {
        match item.kind {
            Kind::VariationStart => self.enter(),
            Kind::VariationEnd => {
                self.variations.pop();
            }
            Kind::Word => {
                let text = self.raw.text(self.bytes, item);
                if let Some(line) = self.variations.last_mut() {
                    line.play((text, self.decode), self.language, |_, board| {
                        out.note_variation(Structure::of(board.men()).key());
                    });
                }
            }
            _ => {}
        }
    }
}

impl Line {
    /// Plays a word of a variation; `each` sees every ply and the board after it.
    fn play(
        &mut self,
        (text, decode): (&[u8], Decode<'_>),
        language: Option<&Language>,
        mut each: impl FnMut(Ply, &Board),
    ) {
        if self.cut {
            return;
        }
        let plain = match language {
            None => quick_san::resolve(&self.board, text),
            Some(language) => tongue::quick(&self.board, &decode(text), language),
        };
        if let Some(ply) = plain {
            self.advance(ply);
            each(ply, &self.board);
            return;
        }
        let word = decode(text);
        let Some(position) = self.board.to_position() else {
            self.cut = true;
            return;
        };
        match lenient_move::resolve_in(&position, &word, language) {
            Ok(resolved) => {
                for ply in resolved.plies.into_iter().map(to_ply) {
                    self.advance(ply);
                    each(ply, &self.board);
                }
            }
            Err(MoveError::NotAMove { .. }) => {}
            Err(_) => self.cut = true,
        }
    }

    fn advance(&mut self, ply: Ply) {
        self.before = Some(self.board.clone());
        self.board.play(ply);
    }
}

impl Branch for Line {
    fn branch(&self) -> Self {
        Self {
            board: self.before.clone().unwrap_or_else(|| self.board.clone()),
            before: None,
            cut: self.cut || self.before.is_none(),
        }
    }
}

fn to_ply(ply: lenient_move::Ply) -> Ply {
    match ply {
        lenient_move::Ply::Move(m) => Ply::from_move(&m).unwrap_or(Ply::NULL),
        lenient_move::Ply::Null => Ply::NULL,
    }
}

fn is_zero_zero(word: &str) -> bool {
    matches!(word, "0-0" | "0–0" | "0:0")
}

/// A position met inside a variation.
#[derive(Debug)]
pub struct InVariation {
    /// The position.
    pub board: Board,
    /// Plies from the start of the game.
    pub ply: u32,
    /// How the variation's own line goes on.
    pub next: Option<Ply>,
}

/// The positions of a variation, and of those inside it, from its text.
/// `before` is the position in which it begins, after `ply` plies.
pub fn variation_positions(
    text: &str,
    before: &Chess,
    ply: u32,
    language: Option<&Language>,
) -> Vec<InVariation> {
    /// A line with its plies so far and the index of its last position.
    struct Level {
        line: Line,
        ply: u32,
        last: Option<usize>,
    }
    let bytes = text.as_bytes();
    let mut raw = RawGame::default();
    Parser::variation(bytes, Family::Chess, &mut raw);
    let decode: Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let line = Line {
        board: Board::from_position(before),
        before: None,
        cut: false,
    };
    let mut positions: Vec<InVariation> = Vec::new();
    let mut levels = vec![Level {
        line,
        ply,
        last: None,
    }];
    for item in &raw.items {
        let Some(level) = levels.last_mut() else {
            break;
        };
        match item.kind {
            Kind::VariationStart => {
                let ply = level.ply.saturating_sub(1);
                let line = level.line.branch();
                levels.push(Level {
                    line,
                    ply,
                    last: None,
                });
            }
            Kind::VariationEnd => {
                levels.pop();
            }
            Kind::Word => {
                let Level { line, ply, last } = level;
                line.play(
                    (raw.text(bytes, item), decode),
                    language,
                    |played, board| {
                        if let Some(last) = last.replace(positions.len()) {
                            positions[last].next = Some(played);
                        }
                        *ply += 1;
                        positions.push(InVariation {
                            board: board.clone(),
                            ply: *ply,
                            next: None,
                        });
                    },
                );
            }
            _ => {}
        }
    }
    positions
}

/// The text of a variation with its moves in another language. `before` is the
/// position in which it begins.
pub fn variation_in(text: &str, before: &Chess, from: Option<&Language>, to: &Language) -> String {
    let line = Line {
        board: Board::from_position(before),
        before: None,
        cut: false,
    };
    tongue::rewritten(text, line, |line, word| {
        let decode: Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
        let mut board = line.board.clone();
        let mut words: Vec<String> = Vec::new();
        line.play((word.as_bytes(), decode), from, |ply, _| {
            let mut san = String::new();
            quick_san::write_and_play(&mut board, ply, &mut san);
            words.push(to.of_english(&san));
        });
        if words.is_empty() {
            tongue::respelled(word, from, to)
        } else {
            Some(words.join(" "))
        }
    })
}
