//! Which variant a game is of that does not say so.
//!
//! Squares say what can be asked at all: letters or numbers, and how far they
//! go. Each kind of games that squares tell apart (`Kind`) has its candidates,
//! stricter rules before laxer ones that allow the same games. Every game is
//! replayed under all of them; the variant under which most games of a source
//! are whole is that of its games of this kind. What ties is told.
//!
//! Variants with the moves of another (`GameType` 96, 97, 98, 28, killer,
//! armenian, pool's own kinds) are never inferred from moves: only the start
//! position of Frysk! speaks for itself.

use super::{opening::Opening, read, solve::Effort, variations};
use crate::{
    notation::{draughts_fen, draughts_move::square::Numbering},
    parse::{Item, Kind as ItemKind, RawGame},
    replay::read::Decode,
    rules::draughts::Position,
    variant::draughts::DraughtsVariant,
};

/// Games of a kind that are replayed; more of one source say nothing new.
const GAMES_MAX: usize = 100;
/// Plies that games must come to on average to say anything if none is whole.
const PLIES_MIN: u64 = 4;
/// Words from which on one that differs is no sign of another board.
const WORDS_TELLING: u32 = 8;
/// Words by whose squares the board is told: the men stand on all of its rows.
const WORDS_NAMING: usize = 64;
/// Words of one game that are looked at.
const WORDS_MAX: usize = 400;

/// Kinds of games as far as their squares tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
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

const KINDS: usize = 7;

const KINDS_ALL: [Kind; KINDS] = [
    Kind::Letters,
    Kind::WideLetters,
    Kind::AllLetters,
    Kind::Upto32,
    Kind::Upto50,
    Kind::Upto72,
    Kind::Frysk,
];

impl Kind {
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
    const fn smaller(self) -> Option<Self> {
        match self {
            Self::WideLetters | Self::AllLetters => Some(Self::Letters),
            Self::Upto72 => Some(Self::Upto50),
            Self::Upto50 => Some(Self::Upto32),
            Self::Letters | Self::Upto32 | Self::Frysk => None,
        }
    }

    fn variants(self) -> impl Iterator<Item = &'static DraughtsVariant> {
        self.candidates()
            .iter()
            .filter_map(|name| DraughtsVariant::by_name(name))
    }
}

/// What was found out about a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Inferred {
    /// The variant.
    pub variant: &'static DraughtsVariant,
    /// The others that fit as well; the variant is but the first of them.
    pub ties: Vec<&'static DraughtsVariant>,
    /// Whether it rests on little: no game of the kind is whole, or none has moves.
    pub weak: bool,
}

/// What replays of some games under one variant came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Vote {
    whole: u32,
    plies: u64,
}

/// The votes of one kind.
#[derive(Debug, Clone, Default)]
struct Votes {
    games: usize,
    by_candidate: Vec<Vote>,
}

/// Replays the games of a source that name no variant, to find it.
#[derive(Debug, Clone)]
pub struct Poll {
    votes: [Votes; KINDS],
    /// By kind and candidate; made when first needed.
    openings: [Vec<Opening>; KINDS],
    /// Whether Black moves in a position on an 8x8 board of numbers.
    black_moves: bool,
}

impl Default for Poll {
    fn default() -> Self {
        Self::new()
    }
}

impl Poll {
    /// A poll without games.
    pub fn new() -> Self {
        Self {
            votes: Default::default(),
            openings: Default::default(),
            black_moves: false,
        }
    }

    /// Lets a game vote. Of each kind the first 100 games with moves count, each
    /// by its first 400 words. A game that says itself what it is votes for that
    /// alone, if its kind can be that: the others of its file are likely the same.
    pub fn add(
        &mut self,
        raw: &RawGame,
        bytes: &[u8],
        decode: Decode<'_>,
        declared: Option<&DraughtsVariant>,
    ) {
        let Some(kind) = kind_of(raw, bytes) else {
            return;
        };
        let side = raw
            .tag(bytes, "FEN")
            .and_then(|fen| fen.trim_ascii_start().first());
        self.black_moves |= kind == Kind::Upto32 && matches!(side, Some(b'B' | b'b'));
        let mut words = main_words(raw);
        if words.is_empty() {
            return;
        }
        words.truncate(WORDS_MAX);
        // One slip of the pen can name a square of a greater board.
        let mut kinds = std::iter::successors(Some(kind), |kind| kind.smaller());
        while let Some(kind) = kinds.next()
            && !self.vote(kind, raw, bytes, decode, declared, &words)
        {}
    }

    /// Replays a game under the variants of a kind; whether it says anything.
    fn vote(
        &mut self,
        kind: Kind,
        raw: &RawGame,
        bytes: &[u8],
        decode: Decode<'_>,
        declared: Option<&DraughtsVariant>,
        words: &[u32],
    ) -> bool {
        let is_asked = |variant: &DraughtsVariant| {
            declared.is_none_or(|declared| declared.name == variant.name)
        };
        if !kind.variants().any(is_asked) {
            return false;
        }
        let votes = &mut self.votes[kind as usize];
        if votes.games >= GAMES_MAX {
            return true;
        }
        let openings = &mut self.openings[kind as usize];
        if openings.is_empty() {
            openings.extend(kind.variants().map(|variant| {
                Opening::new(variant, 0, Numbering::of(&variant.tag, variant.rules.board))
            }));
        }
        votes.games += 1;
        votes.by_candidate.resize(openings.len(), Vote::default());
        let fen = raw
            .tag(bytes, "FEN")
            .map(decode)
            .filter(|fen| !fen.trim().is_empty());
        let mut said = false;
        for (vote, usual) in votes.by_candidate.iter_mut().zip(openings) {
            if !is_asked(usual.variant()) {
                continue;
            }
            let from_fen = fen.as_ref().map(|fen| {
                Opening::from_fen(usual.variant(), 0, usual.numbering(), fen).map(|(it, _)| it)
            });
            let opening = match &from_fen {
                None => &*usual,
                Some(Ok(opening)) => opening,
                Some(Err(_)) => continue,
            };
            let line = read::line_from(raw, bytes, opening, decode, words, Effort::Cheap);
            // A text of which most is no move is no game of these.
            let is_whole = line.end.is_none() && line.skipped.len() < line.steps.len();
            vote.whole += u32::from(is_whole);
            vote.plies += line.steps.len() as u64;
            said |= is_whole || line.steps.len() as u64 >= PLIES_MIN;
        }
        said
    }

    /// What the games said.
    pub fn result(&self) -> Verdict {
        Verdict {
            votes: self.votes.clone(),
            black_moves: self.black_moves,
        }
    }
}

/// What the games of a source that name no variant are.
#[derive(Debug, Clone)]
pub struct Verdict {
    votes: [Votes; KINDS],
    black_moves: bool,
}

impl Verdict {
    /// The variant of one of the games; `None` if it has neither moves nor a
    /// position that say anything, or squares of no known board.
    pub fn of(&self, raw: &RawGame, bytes: &[u8]) -> Option<Inferred> {
        let kind = kind_of(raw, bytes)?;
        if let Some(found) = self.votes[kind as usize].winner(kind) {
            return Some(found);
        }
        if main_words(raw).is_empty() {
            return self.unmoved(kind, raw, bytes);
        }
        // Squares that no board of the others has can be slips of the pen.
        // What the other words name tells which board it is.
        let without_slips = match kind {
            Kind::Upto72 => kind_below(raw, bytes, 50),
            Kind::Upto50 => kind_below(raw, bytes, 32),
            _ => None,
        };
        let first = without_slips
            .filter(|other| *other != kind)
            .or(kind.smaller());
        let smaller = std::iter::successors(first, |kind| kind.smaller());
        let found: Vec<Inferred> = smaller
            .filter_map(|kind| self.votes[kind as usize].winner(kind))
            .collect();
        let strong = found.iter().find(|found| !found.weak);
        strong.or(found.first()).map(|found| Inferred {
            weak: true,
            ..found.clone()
        })
    }

    /// The variant of most of the games that voted, for a record that has neither
    /// moves nor a position; `None` if none did.
    pub fn of_most(&self) -> Option<Inferred> {
        let voted = |kind: &Kind| self.votes[*kind as usize].games;
        // Of equal numbers the first kind.
        let most = KINDS_ALL.into_iter().rev().max_by_key(voted)?;
        let found = self.votes[most as usize].winner(most)?;
        Some(Inferred {
            weak: true,
            ..found
        })
    }

    /// Positions alone: nothing but custom tells 8x8 boards apart.
    fn unmoved(&self, kind: Kind, raw: &RawGame, bytes: &[u8]) -> Option<Inferred> {
        raw.tag(bytes, "FEN")
            .filter(|_| main_words(raw).is_empty())?;
        let mut variants: Vec<_> = kind.variants().collect();
        if kind == Kind::Upto32 {
            // Of English problems some have Black to move, of Italian ones none.
            let usual = if self.black_moves {
                "english"
            } else {
                "italian"
            };
            variants.sort_by_key(|variant| variant.name != usual);
        }
        let mut variants = variants.into_iter();
        Some(Inferred {
            variant: variants.next()?,
            weak: kind != Kind::Frysk && variants.len() > 0,
            ties: variants.collect(),
        })
    }
}

impl Votes {
    /// The variant of the games of a kind; `None` if they say nothing.
    fn winner(&self, kind: Kind) -> Option<Inferred> {
        let best = self.by_candidate.iter().map(|vote| vote.whole).max()?;
        // Where no game is whole, how far they go says a little.
        let farthest = self.by_candidate.iter().map(|vote| vote.plies).max()?;
        if best == 0 && farthest < PLIES_MIN * self.games as u64 {
            return None;
        }
        let fits = |vote: &Vote| vote.whole == best && (best > 0 || vote.plies == farthest);
        let mut fitting = kind
            .variants()
            .zip(&self.by_candidate)
            .filter(|(_, vote)| fits(vote))
            .map(|(variant, _)| variant);
        Some(Inferred {
            variant: fitting.next()?,
            ties: fitting.collect(),
            weak: best == 0,
        })
    }
}

fn main_words(raw: &RawGame) -> Vec<u32> {
    if raw
        .items
        .iter()
        .all(|item| item.kind != ItemKind::VariationStart)
    {
        let is_word = |item: &Item| matches!(item.kind, ItemKind::Word | ItemKind::Setup);
        let words = raw.items.iter().enumerate();
        return words
            .filter(|(_, item)| is_word(item))
            .map(|(at, _)| at as u32)
            .collect();
    }
    variations::lines(raw).swap_remove(0).items
}

/// The squares that a game names.
#[derive(Debug, Clone, Copy, Default)]
struct Squares {
    highest: u8,
    widest: u8,
    letters: bool,
    /// Squares that boards of half the squares do not play.
    light: bool,
}

/// The kind of a game. One word of many with squares that no other has is a slip
/// of the pen: whole games of greater boards name such squares again and again.
fn kind_of(raw: &RawGame, bytes: &[u8]) -> Option<Kind> {
    let read = Named::of(raw, bytes);
    let is_slip = |over: u32| over == 1 && read.words >= WORDS_TELLING;
    let words = if is_slip(read.over_32) {
        read.up_to_32
    } else if is_slip(read.over_50) {
        read.up_to_50
    } else {
        read.all
    };
    kind_by(words, raw, bytes)
}

/// The kind of a game without the words that name squares above a number, which
/// is 32 or 50.
fn kind_below(raw: &RawGame, bytes: &[u8], highest: u8) -> Option<Kind> {
    let read = Named::of(raw, bytes);
    let words = if highest == 32 {
        read.up_to_32
    } else {
        read.up_to_50
    };
    kind_by(words, raw, bytes)
}

/// The squares that the first words of a game name.
#[derive(Debug, Default)]
struct Named {
    all: Squares,
    /// Of the words that name none above that.
    up_to_50: Squares,
    up_to_32: Squares,
    words: u32,
    /// Words that name a square above that.
    over_50: u32,
    over_32: u32,
}

impl Named {
    fn of(raw: &RawGame, bytes: &[u8]) -> Self {
        let mut named = Self::default();
        let is_flat = raw
            .items
            .iter()
            .all(|item| item.kind != ItemKind::VariationStart);
        if is_flat {
            let is_word = |item: &&Item| matches!(item.kind, ItemKind::Word | ItemKind::Setup);
            let words = raw.items.iter().filter(is_word).take(WORDS_NAMING);
            words.for_each(|item| named.add(raw, bytes, item));
        } else {
            for at in main_words(raw).into_iter().take(WORDS_NAMING) {
                if let Some(item) = raw.items.get(at as usize) {
                    named.add(raw, bytes, item);
                }
            }
        }
        named
    }

    fn add(&mut self, raw: &RawGame, bytes: &[u8], item: &Item) {
        let mut of_word = Squares::default();
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

fn kind_by(words: Squares, raw: &RawGame, bytes: &[u8]) -> Option<Kind> {
    let mut squares = words;
    if let Some(fen) = raw.tag(bytes, "FEN") {
        squares.add(fen, true);
        if squares.highest <= 50 && is_frysk(fen) {
            return Some(Kind::Frysk);
        }
    }
    Some(match squares {
        Squares {
            letters: true,
            widest: 8..,
            ..
        } => Kind::WideLetters,
        Squares {
            letters: true,
            light: true,
            ..
        } => Kind::AllLetters,
        Squares { letters: true, .. } => Kind::Letters,
        Squares {
            highest: 1..=32, ..
        } => Kind::Upto32,
        Squares {
            highest: 33..=50, ..
        } => Kind::Upto50,
        Squares { highest: 51.., .. } => Kind::Upto72,
        Squares { highest: 0, .. } => return None,
    })
}

impl Squares {
    /// Takes note of the squares of a word, if it is nothing but squares and
    /// signs, or of a position.
    fn add(&mut self, text: &[u8], is_position: bool) {
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
        let numbering = Numbering::of(&frysk.tag, frysk.rules.board);
        let read = draughts_fen::parse(std::str::from_utf8(fen).ok()?, numbering).ok()?;
        Some(!read.turn_only && read.position == Position::start(&frysk.rules))
    };
    position().unwrap_or(false)
}
