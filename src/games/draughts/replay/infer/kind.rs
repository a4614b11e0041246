//! What the squares that a game names tell: of which board it can be.

use crate::{
    games::draughts::{
        notation::{fen as draughts_fen, moves::square::in_latin},
        rows::DraughtsVariant,
        rules::Position,
    },
    pgn::parser::{Item, Kind as ItemKind, RawGame},
};

/// Words from which on one that differs is no sign of another board.
const WORDS_TELLING: u32 = 8;
/// Words by whose squares the board is told: the men stand on all of its rows.
const WORDS_NAMING: usize = 64;

/// Kinds of games as far as their squares tell.
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

pub(super) const KINDS_ALL: [SquaresKind; KINDS] = [
    SquaresKind::Letters,
    SquaresKind::WideLetters,
    SquaresKind::AllLetters,
    SquaresKind::Upto32,
    SquaresKind::Upto50,
    SquaresKind::Upto72,
    SquaresKind::Frysk,
];

impl SquaresKind {
    /// What can be inferred, in the order in which ties are resolved: of
    /// variants that allow the same games the stricter first.
    const fn candidates(self) -> &'static [&'static str] {
        match self {
            Self::Letters => &["brazilian", "czech", "russian"],
            Self::WideLetters => &["spantsiretti"],
            Self::AllLetters => &["turkish"],
            // A few moves of a greater board can stay below 33.
            Self::Upto32 => &[
                "italian",
                "spanish",
                "english",
                "pool",
                "thai",
                "international",
                "frisian",
            ],
            Self::Upto50 => &["international", "frisian", "canadian"],
            Self::Upto72 => &["canadian"],
            Self::Frysk => &["frysk"],
        }
    }

    /// The kind whose squares are some of this one's.
    pub(super) const fn smaller(self) -> Option<Self> {
        match self {
            Self::WideLetters | Self::AllLetters => Some(Self::Letters),
            Self::Upto72 => Some(Self::Upto50),
            Self::Upto50 => Some(Self::Upto32),
            Self::Letters | Self::Upto32 | Self::Frysk => None,
        }
    }

    pub(super) fn variants(self) -> impl Iterator<Item = &'static DraughtsVariant> {
        self.candidates()
            .iter()
            .filter_map(|name| DraughtsVariant::by_name(name))
    }
}

/// The words and set-ups of a game's main line with their places among its items.
pub(super) fn main_words(raw: &RawGame) -> impl Iterator<Item = (usize, &Item)> {
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

/// The squares that the first words of a game name.
#[derive(Debug, Default)]
pub(super) struct NamedSquares {
    all: SquareSet,
    /// Of the words that name none above that.
    up_to_50: SquareSet,
    up_to_32: SquareSet,
    words: u32,
    /// Words that name a square above that.
    over_50: u32,
    over_32: u32,
}

impl NamedSquares {
    pub(super) fn of(raw: &RawGame, bytes: &[u8]) -> Self {
        let mut named = Self::default();
        let words = main_words(raw).take(WORDS_NAMING);
        words.for_each(|(_, item)| named.add(raw, bytes, item));
        named
    }

    /// Whether the game has words at all.
    pub(super) const fn has_words(&self) -> bool {
        self.words > 0
    }

    /// The kind of the game. One word of many with squares that no other has is a
    /// slip of the pen: whole games of greater boards name such squares again and
    /// again.
    pub(super) fn kind(&self, raw: &RawGame, bytes: &[u8]) -> Option<SquaresKind> {
        let is_slip = |over: u32| over == 1 && self.words >= WORDS_TELLING;
        let words = if is_slip(self.over_32) {
            self.up_to_32
        } else if is_slip(self.over_50) {
            self.up_to_50
        } else {
            self.all
        };
        kind_by(words, raw, bytes)
    }

    /// The kind of the game by the words that name squares of the next smaller
    /// board alone; `None` where there is none.
    pub(super) fn kind_without_slips(
        &self,
        kind: SquaresKind,
        raw: &RawGame,
        bytes: &[u8],
    ) -> Option<SquaresKind> {
        let words = match kind {
            SquaresKind::Upto72 => self.up_to_50,
            SquaresKind::Upto50 => self.up_to_32,
            _ => return None,
        };
        kind_by(words, raw, bytes)
    }

    fn add(&mut self, raw: &RawGame, bytes: &[u8], item: &Item) {
        let mut of_word = SquareSet::default();
        of_word.add(raw.text(bytes, item), item.kind == ItemKind::Setup);
        self.words += 1;
        self.all.join(of_word);
        if of_word.highest <= 50 {
            self.up_to_50.join(of_word);
        } else {
            self.over_50 += 1;
        }
        if of_word.highest <= 32 {
            self.up_to_32.join(of_word);
        } else {
            self.over_32 += 1;
        }
    }
}

fn kind_by(words: SquareSet, raw: &RawGame, bytes: &[u8]) -> Option<SquaresKind> {
    let mut squares = words;
    if let Some(fen) = raw.tag(bytes, "FEN") {
        squares.add(fen, true);
        if squares.highest <= 50 && is_frysk(fen) {
            return Some(SquaresKind::Frysk);
        }
    }
    Some(match squares {
        SquareSet {
            letters: true,
            widest: 8..,
            ..
        } => SquaresKind::WideLetters,
        SquareSet {
            letters: true,
            light: true,
            ..
        } => SquaresKind::AllLetters,
        SquareSet { letters: true, .. } => SquaresKind::Letters,
        SquareSet {
            highest: 1..=32, ..
        } => SquaresKind::Upto32,
        SquareSet {
            highest: 33..=50, ..
        } => SquaresKind::Upto50,
        SquareSet { highest: 51.., .. } => SquaresKind::Upto72,
        SquareSet { highest: 0, .. } => return None,
    })
}

impl SquareSet {
    /// Takes note of the squares of a word, if it is nothing but squares and
    /// signs, or of a position.
    fn add(&mut self, text: &[u8], is_position: bool) {
        let latin = std::str::from_utf8(text).map(in_latin);
        let text = latin.as_ref().map_or(text, |latin| latin.as_bytes());
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
                    return;
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
                return;
            } else {
                at += 1;
            }
        }
        self.join(found);
    }

    fn join(&mut self, other: Self) {
        self.highest = self.highest.max(other.highest);
        self.widest = self.widest.max(other.widest);
        self.letters |= other.letters;
        self.light |= other.light;
    }
}

fn is_frysk(fen: &[u8]) -> bool {
    let position = || {
        let frysk = DraughtsVariant::by_name("frysk")?;
        let fen = std::str::from_utf8(fen).ok()?;
        let read = draughts_fen::parse(fen, frysk.numbering()).ok()?;
        Some(!read.turn_only && read.position == Position::start(&frysk.rules))
    };
    position().unwrap_or(false)
}
