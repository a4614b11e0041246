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

mod declared;
mod kind;

use super::opening::DraughtsOpening;
use crate::{
    games::{
        self, Text,
        draughts::{Draughts, rows::DraughtsVariant},
        keep::Decode,
        variant::Variant,
    },
    pgn::parser::RawGame,
};
pub use declared::declared;
use kind::{KINDS, NamedSquares, SquaresKind, TABLE, main_words};

/// What a game is called of which nothing tells the variant.
pub const OF_SOME_KIND: &str = "draughts of some kind";

/// Games of a kind that are replayed; more of one source say nothing new.
const GAMES_MAX: usize = 100;
/// Plies that games must come to on average to say anything if none is whole.
const PLIES_MIN: u64 = 4;
/// Words of one game that are looked at.
const WORDS_MAX: usize = 400;

/// What was found out about a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Inferred {
    /// The variant.
    pub variant: &'static Variant,
    /// The others that fit as well; the variant is but the first of them.
    pub ties: Vec<&'static Variant>,
    /// Whether it rests on little: no game of the kind is whole, or none has moves.
    pub weak: bool,
}

impl Inferred {
    /// The first of some that fit.
    fn of(mut fitting: impl Iterator<Item = &'static DraughtsVariant>, weak: bool) -> Option<Self> {
        Some(Self {
            variant: Variant::of_draughts(fitting.next()?),
            ties: fitting.map(Variant::of_draughts).collect(),
            weak,
        })
    }
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
#[derive(Debug, Clone, Default)]
pub struct Poll {
    said: Verdict,
    /// By kind and candidate; made when first needed.
    openings: [Vec<DraughtsOpening>; KINDS],
}

impl Poll {
    /// A poll without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets a game vote. Of each kind the first 100 games with moves count, each
    /// by its first 400 words. A game that says itself what it is votes for that
    /// alone, if its kind can be that: the others of its file are likely the same.
    pub fn add(
        &mut self,
        raw: &RawGame,
        bytes: &[u8],
        decode: Decode<'_>,
        declared: Option<&Variant>,
    ) {
        let Some(kind) = NamedSquares::of(raw, bytes).kind(raw, bytes) else {
            return;
        };
        let side = raw
            .tag(bytes, "FEN")
            .and_then(|fen| fen.trim_ascii_start().first());
        self.said.black_moves |= kind == SquaresKind::Upto32 && matches!(side, Some(b'B' | b'b'));
        let words = RawGame {
            items: main_words(raw)
                .take(WORDS_MAX)
                .map(|(_, item)| *item)
                .collect(),
            tags: raw.tags.clone(),
            diagnostics: Vec::new(),
            ..*raw
        };
        if words.items.is_empty() {
            return;
        }
        // One slip of the pen can name a square of a greater board.
        let mut kinds = std::iter::successors(Some(kind), |kind| kind.smaller());
        while let Some(kind) = kinds.next()
            && !self.vote(kind, &words, bytes, decode, declared)
        {}
    }

    /// Replays a game under the variants of a kind; whether it says anything.
    fn vote(
        &mut self,
        kind: SquaresKind,
        raw: &RawGame,
        bytes: &[u8],
        decode: Decode<'_>,
        declared: Option<&Variant>,
    ) -> bool {
        let is_asked = |variant: &DraughtsVariant| {
            declared.is_none_or(|declared| declared.name == variant.name)
        };
        if !kind.variants().any(is_asked) {
            return false;
        }
        let votes = &mut self.said.votes[kind as usize];
        if votes.games >= GAMES_MAX {
            return true;
        }
        let openings = &mut self.openings[kind as usize];
        if openings.is_empty() {
            openings.extend(
                kind.variants()
                    .map(|variant| DraughtsOpening::new(Draughts::start(variant))),
            );
        }
        votes.games += 1;
        votes.by_candidate.resize(openings.len(), Vote::default());
        let fen = raw
            .tag(bytes, "FEN")
            .map(decode)
            .filter(|fen| !fen.trim().is_empty());
        let mut said = false;
        for (vote, usual) in votes.by_candidate.iter_mut().zip(openings) {
            if !is_asked(usual.at.variant) {
                continue;
            }
            let from_fen = fen
                .as_ref()
                .map(|fen| DraughtsOpening::from_fen(usual.at, fen).map(|(it, _)| it));
            let opening = match &from_fen {
                None => &*usual,
                Some(Ok(opening)) => opening,
                Some(Err(_)) => continue,
            };
            let opening = games::Opening::from(opening.clone());
            let read = games::attempt(&opening, Text { raw, bytes, decode });
            // A text of which most is no move is no game of these.
            let is_whole = read.odd_words.is_some_and(|odd| odd < read.plies);
            vote.whole += u32::from(is_whole);
            vote.plies += u64::from(read.plies);
            said |= is_whole || u64::from(read.plies) >= PLIES_MIN;
        }
        said
    }

    /// What the games said.
    pub fn result(&self) -> Verdict {
        self.said.clone()
    }
}

/// What the games of a source that name no variant are.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    votes: [Votes; KINDS],
    /// Whether Black moves in a position on an 8x8 board of numbers.
    black_moves: bool,
}

impl Verdict {
    /// The variant of one of the games; `None` if it has neither moves nor a
    /// position that say anything, or squares of no known board.
    pub fn of(&self, raw: &RawGame, bytes: &[u8]) -> Option<Inferred> {
        let named = NamedSquares::of(raw, bytes);
        let kind = named.kind(raw, bytes)?;
        if let Some(found) = self.votes[kind as usize].winner(kind) {
            return Some(found);
        }
        if !named.has_words() {
            // A kind without words is that of its position.
            return self.unmoved(kind);
        }
        // Squares that no board of the others has can be slips of the pen.
        // What the other words name tells which board it is.
        let without_slips = named.kind_without_slips(kind, raw, bytes);
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
        let voted = |kind: &SquaresKind| self.votes[*kind as usize].games;
        // Of equal numbers the first kind.
        let kinds = TABLE.iter().map(|(kind, ..)| *kind);
        let most = kinds.rev().max_by_key(voted)?;
        let found = self.votes[most as usize].winner(most)?;
        Some(Inferred {
            weak: true,
            ..found
        })
    }

    /// Positions alone: nothing but custom tells 8x8 boards apart.
    fn unmoved(&self, kind: SquaresKind) -> Option<Inferred> {
        let mut variants: Vec<_> = kind.variants().collect();
        if kind == SquaresKind::Upto32 {
            // Of English problems some have Black to move, of Italian ones none.
            let usual = if self.black_moves {
                "english"
            } else {
                "italian"
            };
            variants.sort_by_key(|variant| variant.name != usual);
        }
        let weak = kind != SquaresKind::Frysk && variants.len() > 1;
        Inferred::of(variants.into_iter(), weak)
    }
}

impl Votes {
    /// The variant of the games of a kind; `None` if they say nothing.
    fn winner(&self, kind: SquaresKind) -> Option<Inferred> {
        let best = self.by_candidate.iter().map(|vote| vote.whole).max()?;
        // Where no game is whole, how far they go says a little.
        let farthest = self.by_candidate.iter().map(|vote| vote.plies).max()?;
        if best == 0 && farthest < PLIES_MIN * self.games as u64 {
            return None;
        }
        let fits = |vote: &Vote| vote.whole == best && (best > 0 || vote.plies == farthest);
        let fitting = kind
            .variants()
            .zip(&self.by_candidate)
            .filter(|(_, vote)| fits(vote))
            .map(|(variant, _)| variant);
        Inferred::of(fitting, best == 0)
    }
}
