//! The variant of a game that does not name it.
//!
//! Squares say which variants are possible: letters or numbers, and how far they go. Each kind of
//! games that squares distinguish (`SquaresKind`) has its candidates, stricter rules before laxer
//! ones that allow the same games. Every game is replayed under all of them (`poll`); the variant
//! under which most games of a source are complete is that of its games of this kind. Ties are
//! reported.
//!
//! Variants with the moves of another (`GameType` 96, 97, 98, 28, killer,
//! armenian, pool's own kinds) are never inferred from moves: only the start
//! position of Frysk! speaks for itself.

mod declared;
mod kind;
mod source;

use std::{borrow::Cow, cmp::Reverse};

use super::start::{Corner, DraughtsStart};
use crate::{
    games::{GameText, draughts::rows::DraughtsVariant, variant::Variant},
    pgn::parser::RawGame,
};
pub use declared::declared;
use kind::{KINDS, NamedSquares, SquaresKind, TABLE};
use source::KindScores;
pub use source::VariantInference;

/// The name of a game whose variant nothing determines.
pub const OF_SOME_KIND: &str = "draughts of some kind";

/// How the variant of a game is known that does not say it.
pub const INFERRED: &str = "inferred";

/// What stands before the other variants that a game can be of.
pub const OR: &str = "; or ";

/// What was found out about a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameVariant {
    /// The variant.
    pub variant: &'static Variant,
    /// The others that fit as well; the variant is but the first of them.
    pub ties: Vec<&'static Variant>,
    /// Whether it rests on little: no game of the kind is complete, or none has moves.
    pub weak: bool,
    /// Whether squares are named from another corner than is usual there.
    pub is_turned: bool,
}

impl GameVariant {
    /// How the variant is known, as databases hold it: whether for sure, and what else it can be.
    pub fn by(&self) -> Cow<'static, str> {
        let mut by = Cow::Borrowed(INFERRED);
        if self.weak {
            by.to_mut().push_str(", weakly");
        }
        if !self.ties.is_empty() {
            let names: Vec<&str> = self.ties.iter().map(|tie| tie.name).collect();
            by.to_mut().push_str(OR);
            by.to_mut().push_str(&names.join(", "));
        }
        by
    }

    /// Whether a variant is among those that fit.
    pub fn fits(&self, variant: &Variant) -> bool {
        self.variant == variant || self.ties.contains(&variant)
    }

    /// The first of some that fit.
    fn of(mut fitting: impl Iterator<Item = &'static DraughtsVariant>, weak: bool) -> Option<Self> {
        Some(Self {
            variant: Variant::of_draughts(fitting.next()?),
            ties: fitting.map(Variant::of_draughts).collect(),
            weak,
            is_turned: false,
        })
    }
}

/// What the games of a source that name no variant are.
#[derive(Debug, Clone, Default)]
pub struct SourceVariant {
    votes: [KindScores; KINDS],
    /// Whether Black moves in a position on an 8x8 board of numbers.
    black_moves: bool,
}

impl SourceVariant {
    /// The variant of one of the games; `None` if it has neither moves nor a
    /// position that say anything, or squares of no known board.
    pub fn of(&self, raw: &RawGame, bytes: &[u8]) -> Option<GameVariant> {
        let named = NamedSquares::of(raw, bytes);
        let kind = named.kind(raw, bytes)?;
        if let Some(found) = self.votes[kind as usize].winner() {
            return Some(found);
        }
        if !named.has_words() {
            // A kind without words is that of its position.
            return self.unmoved(kind);
        }
        // Squares that no board of the others has can be slips of the pen. What the other words
        // name shows which board it is.
        let without_slips = named.kind_without_slips(kind, raw, bytes);
        let first = without_slips
            .filter(|other| *other != kind)
            .or(kind.smaller());
        let smaller = std::iter::successors(first, |kind| kind.smaller());
        let found: Vec<GameVariant> = smaller
            .filter_map(|kind| self.votes[kind as usize].winner())
            .collect();
        let strong = found.iter().find(|found| !found.weak);
        strong.or(found.first()).map(|found| GameVariant {
            weak: true,
            ..found.clone()
        })
    }

    /// Whether the games with squares like those of a game are of several variants, so that each
    /// has to speak for itself.
    pub fn is_mixed(&self, raw: &RawGame, bytes: &[u8]) -> bool {
        let kind = NamedSquares::of(raw, bytes).kind(raw, bytes);
        kind.is_some_and(|kind| self.votes[kind as usize].is_mixed)
    }

    /// The variant of a game that is complete under some rules, whatever the others of its source
    /// are: of several rules those that make most of these complete. `None` where it is complete
    /// under none.
    pub fn of_alone(&self, text: GameText<'_>) -> Option<GameVariant> {
        let alone = VariantInference::of_one(text).of(text.raw, text.bytes)?;
        let mut fitting = alone.ties.clone();
        fitting.insert(0, alone.variant);
        fitting.sort_by_key(|variant| Reverse(self.games_whole_as(variant)));
        let variant = fitting.remove(0);
        (!alone.weak).then_some(GameVariant {
            variant,
            ties: fitting,
            ..alone
        })
    }

    /// Games of the source that are complete under the rules of a variant.
    fn games_whole_as(&self, variant: &Variant) -> u32 {
        let votes = self.votes.iter().flat_map(KindScores::by_candidate);
        let own = votes.filter(|vote| vote.variant.name == variant.name);
        own.map(|vote| vote.whole).sum()
    }

    /// The variant of most of the games that voted, for a record that has neither
    /// moves nor a position; `None` if none did.
    pub fn of_most(&self) -> Option<GameVariant> {
        let voted = |kind: &SquaresKind| self.votes[*kind as usize].games();
        // Of equal numbers the first kind.
        let kinds = TABLE.iter().map(|row| row.kind);
        let most = kinds.rev().max_by_key(voted)?;
        let found = self.votes[most as usize].winner()?;
        Some(GameVariant {
            weak: true,
            ..found
        })
    }

    /// Positions alone: only custom distinguishes 8x8 boards.
    fn unmoved(&self, kind: SquaresKind) -> Option<GameVariant> {
        let mut variants: Vec<_> = kind.usual().collect();
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
        GameVariant::of(variants.into_iter(), weak)
    }
}
