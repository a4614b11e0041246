//! What the squares that a game names show: which board it can be on.

use std::borrow::Cow;

use crate::{
    games::draughts::{
        notation::{fen as draughts_fen, moves::square::in_latin},
        rows::DraughtsVariant,
        rules::DraughtsPosition,
    },
    pgn::parser::{ItemKind, RawGame, RawItem},
};

/// Words from which on one that differs is no sign of another board.
const WORDS_TELLING: usize = 8;
/// Words whose squares show the board: the men stand on all of its rows.
const WORDS_NAMING: usize = 64;

/// Kinds of games as far as their squares show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SquaresKind {
    /// Letters up to h, dark squares alone.
    Letters,
    /// Letters up to j.
    WideLetters,
    /// Letters, squares of both colours.
    AllLetters,
    /// Numbers up to 32.
    Upto32,
    /// Numbers up to 50.
    Upto50,
    /// Greater numbers.
    Upto72,
    /// The start position of Frysk!
    Frysk,
}

pub(super) const KINDS: usize = 7;

/// What is known of a kind.
pub(super) struct KindRow {
    pub(super) kind: SquaresKind,
    /// The kind whose squares are some of its own: a few moves of a greater board can stay
    /// below 33.
    smaller: Option<SquaresKind>,
    /// What is usually written so, in the order in which ties are resolved: of variants that
    /// allow the same games the stricter first.
    usual: &'static str,
    /// What is written so now and then: tried where nothing usual fits.
    rare: &'static str,
}

const fn row(
    kind: SquaresKind,
    smaller: Option<SquaresKind>,
    usual: &'static str,
    rare: &'static str,
) -> KindRow {
    KindRow {
        kind,
        smaller,
        usual,
        rare,
    }
}

/// Every kind in their order.
pub(super) static TABLE: [KindRow; KINDS] = {
    use SquaresKind::{AllLetters, Frysk, Letters, Upto32, Upto50, Upto72, WideLetters};
    [
        row(
            Letters,
            None,
            "brazilian czech russian",
            "italian spanish english pool thai",
        ),
        row(WideLetters, Some(Letters), "spantsiretti", ""),
        row(AllLetters, Some(Letters), "turkish", "italian spanish pool"),
        row(
            Upto32,
            None,
            "italian spanish english pool thai international frisian",
            "brazilian czech russian",
        ),
        row(Upto50, Some(Upto32), "international frisian canadian", ""),
        row(Upto72, Some(Upto50), "canadian", ""),
        row(Frysk, None, "frysk", ""),
    ]
};

impl SquaresKind {
    /// The kind whose squares are some of this one's.
    pub(super) const fn smaller(self) -> Option<Self> {
        TABLE[self as usize].smaller
    }

    /// Whether its squares have letters.
    pub(super) const fn has_letters(self) -> bool {
        matches!(self, Self::Letters | Self::WideLetters | Self::AllLetters)
    }

    /// The variants that are usually written so.
    pub(super) fn usual(self) -> impl Iterator<Item = &'static DraughtsVariant> {
        named(TABLE[self as usize].usual)
    }

    /// The place of a variant among those that are written so, the commonest first: where rules
    /// decide nothing. Numbers up to 32 are English as a rule.
    pub(super) fn by_custom(self, variant: &DraughtsVariant) -> usize {
        if self == Self::Upto32 && variant.name == "english" {
            return 0;
        }
        let place = self.variants().position(|row| row.name == variant.name);
        1 + place.unwrap_or_default()
    }

    /// All variants that are written so, the usual ones first.
    pub(super) fn variants(self) -> impl Iterator<Item = &'static DraughtsVariant> {
        self.usual().chain(named(TABLE[self as usize].rare))
    }
}

fn named(names: &'static str) -> impl Iterator<Item = &'static DraughtsVariant> {
    names.split(' ').filter_map(DraughtsVariant::by_name)
}

/// The words and set-ups of a game's main line with their places among its items.
pub(super) fn main_words(raw: &RawGame) -> impl Iterator<Item = (usize, &RawItem)> {
    let mut depth = 0_u32;
    raw.items.iter().enumerate().filter(move |(_, item)| {
        match item.kind {
            ItemKind::VariationStart => depth += 1,
            ItemKind::VariationEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(item.kind, ItemKind::Word | ItemKind::Setup)
    })
}

/// The squares that a game names.
#[derive(Debug, Clone, Copy, Default)]
struct SquareSet {
    highest: u8,
    widest: u8,
    letters: bool,
    /// Squares that boards of half the squares do not play.
    light: bool,
}

/// The squares that each of the first words of a game names.
#[derive(Debug)]
pub(super) struct NamedSquares(Vec<SquareSet>);

impl NamedSquares {
    pub(super) fn of(raw: &RawGame, bytes: &[u8]) -> Self {
        let named = |(_, item): (usize, &RawItem)| {
            SquareSet::of(raw.text(bytes, item), item.kind == ItemKind::Setup)
        };
        Self(main_words(raw).take(WORDS_NAMING).map(named).collect())
    }

    /// Whether the game has words at all.
    pub(super) const fn has_words(&self) -> bool {
        !self.0.is_empty()
    }

    /// The squares of the words that name none above a number.
    fn up_to(&self, most: u8) -> SquareSet {
        let words = self.0.iter().filter(|word| word.highest <= most);
        words.fold(SquareSet::default(), |all, word| all.join(*word))
    }

    /// The kind of the game. If one word of many has squares that no other has, it is a slip of the
    /// pen: complete games on greater boards name such squares again and again.
    pub(super) fn kind(&self, raw: &RawGame, bytes: &[u8]) -> Option<SquaresKind> {
        let is_slip = |most: &u8| {
            let over = self.0.iter().filter(|word| word.highest > *most);
            over.count() == 1 && self.0.len() >= WORDS_TELLING
        };
        let most = [32, 50].into_iter().find(is_slip);
        kind_by(self.up_to(most.unwrap_or(u8::MAX)), raw, bytes)
    }

    /// The kind of the game by the words that name squares of the next smaller
    /// board alone; `None` where there is none.
    pub(super) fn kind_without_slips(
        &self,
        kind: SquaresKind,
        raw: &RawGame,
        bytes: &[u8],
    ) -> Option<SquaresKind> {
        let most = match kind {
            SquaresKind::Upto72 => 50,
            SquaresKind::Upto50 => 32,
            _ => return None,
        };
        kind_by(self.up_to(most), raw, bytes)
    }
}

fn kind_by(words: SquareSet, raw: &RawGame, bytes: &[u8]) -> Option<SquaresKind> {
    let mut squares = words;
    if let Some(fen) = raw.tag(bytes, "FEN") {
        squares = squares.join(SquareSet::of(fen, true));
        if squares.highest <= 50 && is_frysk(fen) {
            return Some(SquaresKind::Frysk);
        }
    }
    if squares.letters {
        return Some(match (squares.widest, squares.light) {
            (8.., _) => SquaresKind::WideLetters,
            (_, true) => SquaresKind::AllLetters,
            _ => SquaresKind::Letters,
        });
    }
    match squares.highest {
        0 => None,
        1..=32 => Some(SquaresKind::Upto32),
        33..=50 => Some(SquaresKind::Upto50),
        51.. => Some(SquaresKind::Upto72),
    }
}

/// The letters of a word in windows-1251, an encoding that squares may be in.
fn of_windows_1251(word: &[u8]) -> String {
    let letter = |&byte: &u8| match byte {
        0xC0.. => char::from_u32(u32::from(byte - 0xC0) + u32::from('А')),
        _ => Some(char::from(byte)),
    };
    word.iter().filter_map(letter).collect()
}

impl SquareSet {
    /// The squares of a word, if it is nothing but squares and signs, or of a position.
    fn of(text: &[u8], is_position: bool) -> Self {
        let written = match std::str::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => of_windows_1251(text).into(),
        };
        let latin = in_latin(&written);
        let text = latin.as_bytes();
        let mut found = Self::default();
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let next = text.get(at + 1).copied().unwrap_or_default();
            let digit = |byte: u8| byte.wrapping_sub(b'0');
            if byte.is_ascii_digit() {
                let two = next.is_ascii_digit();
                let number = if two {
                    digit(byte) * 10 + digit(next)
                } else {
                    digit(byte)
                };
                if matches!(number, 1..=72) {
                    found.highest = found.highest.max(number);
                } else if !is_position {
                    return Self::default();
                }
                at += 1 + usize::from(two);
            } else if next.is_ascii_digit()
                && matches!(byte.to_ascii_lowercase(), b'a'..=b'j')
                && !(is_position && matches!(byte, b'B' | b'H' | b'F' | b'G'))
            {
                let file = byte.to_ascii_lowercase() - b'a';
                found.letters = true;
                found.widest = found.widest.max(file);
                // a1 is played: file from 0 and rank from 1 make an odd sum.
                found.light |= (file + digit(next)).is_multiple_of(2);
                at += 2;
            } else if byte.is_ascii_alphabetic() && !is_position && !matches!(byte, b'x' | b'X') {
                return Self::default();
            } else {
                at += 1;
            }
        }
        found
    }

    fn join(self, other: Self) -> Self {
        Self {
            highest: self.highest.max(other.highest),
            widest: self.widest.max(other.widest),
            letters: self.letters | other.letters,
            light: self.light | other.light,
        }
    }
}

fn is_frysk(fen: &[u8]) -> bool {
    let position = || {
        let frysk = DraughtsVariant::by_name("frysk")?;
        let fen = std::str::from_utf8(fen).ok()?;
        let read = draughts_fen::parse(fen, frysk.numbering()).ok()?;
        Some(!read.turn_only && read.position == DraughtsPosition::start(&frysk.rules))
    };
    position().unwrap_or(false)
}
