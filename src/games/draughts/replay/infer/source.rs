//! Replays of games that name no variant, under every one that they can be of.

use std::{borrow::Cow, rc::Rc};

use super::{
    Corner, DraughtsStart, GameVariant, SourceVariant,
    kind::{KINDS, NamedSquares, SquaresKind, main_words},
};
use crate::{
    games::{
        self, GameText,
        draughts::{Draughts, PLIES_TELLING, rows::DraughtsVariant},
        raw_text::TextDecoder,
        variant::Variant,
    },
    pgn::parser::RawGame,
};

/// Games of a kind that are replayed; more of one source say nothing new.
const GAMES_MAX: usize = 100;
/// Plies that games must come to on average to say anything if none is complete.
const PLIES_MIN: u64 = 4;
/// Words of one game that are looked at.
const WORDS_MAX: usize = 400;

/// What replays of some games in one way came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReplayScore {
    pub(super) variant: &'static DraughtsVariant,
    is_turned: bool,
    pub(super) whole: u32,
    plies: u64,
    /// Games that are complete in an unusual way, but so short that it can be chance.
    brief: u32,
    /// The place of the variant among those of the kind, the commonest first.
    custom: usize,
}

/// The votes of one kind.
#[derive(Debug, Clone, Default)]
pub(super) struct KindScores {
    games: usize,
    by_candidate: Vec<ReplayScore>,
    /// For each game that is complete under some rules, the variants that have these.
    whole: Vec<Vec<&'static DraughtsVariant>>,
    /// Whether the games are of several variants, so that each has to speak for itself.
    pub(super) is_mixed: bool,
}

impl KindScores {
    /// How many games have voted.
    pub(super) const fn games(&self) -> usize {
        self.games
    }

    pub(super) fn by_candidate(&self) -> impl Iterator<Item = &ReplayScore> {
        self.by_candidate.iter()
    }

    /// The variant of the games of a kind; `None` if they say nothing.
    pub(super) fn winner(&self) -> Option<GameVariant> {
        let best = self.by_candidate.iter().map(|vote| vote.whole).max()?;
        // Where no game is complete, how far they go says a little.
        let farthest = self.by_candidate.iter().map(|vote| vote.plies).max()?;
        if best == 0 && farthest < PLIES_MIN * self.games as u64 {
            return self.briefly_whole();
        }
        let fits = |vote: &&ReplayScore| vote.whole == best && (best > 0 || vote.plies == farthest);
        let is_turned = self.by_candidate().filter(fits).all(|vote| vote.is_turned);
        let mut fitting: Vec<&'static DraughtsVariant> = Vec::new();
        for vote in self.by_candidate().filter(fits) {
            // Squares can be named from several corners to the same effect.
            let is_new = fitting.iter().all(|row| row.name != vote.variant.name);
            if is_new && vote.is_turned == is_turned {
                fitting.push(vote.variant);
            }
        }
        Some(GameVariant {
            is_turned,
            ..GameVariant::of(fitting.into_iter(), best == 0)?
        })
    }
}

impl KindScores {
    /// Whether, of the complete games, enough are not complete by the rules of most.
    fn has_several_variants(&self) -> bool {
        /// One in 20: a game can become legal by other rules through a slip of the pen.
        const PARTS: usize = 20;
        let Some(winner) = self.winner().filter(|winner| !winner.weak) else {
            return false;
        };
        let fits = |row: &&'static DraughtsVariant| winner.fits(Variant::of_draughts(row));
        let others = self.whole.iter().filter(|rows| !rows.iter().any(fits));
        others.count() * PARTS >= self.whole.len().max(1)
    }

    /// The variant of short games of a kind that no usual way explains, where an unusual one
    /// explains all of them.
    fn briefly_whole(&self) -> Option<GameVariant> {
        let explains = |vote: &&ReplayScore| self.games > 0 && vote.brief as usize == self.games;
        let mut explaining: Vec<&ReplayScore> = self.by_candidate().filter(explains).collect();
        explaining.sort_by_key(|vote| vote.custom);
        // Squares can be named from several corners to the same effect.
        explaining.dedup_by_key(|vote| vote.custom);
        let fitting = explaining.iter().map(|vote| vote.variant);
        Some(GameVariant {
            is_turned: explaining.first()?.is_turned,
            ..GameVariant::of(fitting, true)?
        })
    }
}

/// A way that games of a kind can be meant in.
#[derive(Debug, Clone)]
struct Meaning {
    /// The start position.
    opening: DraughtsStart,
    /// From where its squares are named, if not as usual in the variant.
    corner: Option<Corner>,
    is_usual: bool,
    /// Whether some game is complete in this way and in no usual one.
    is_met: bool,
}

impl Meaning {
    /// All of a kind, the usual ones first, then those that are unusual for their kind alone.
    fn all(kind: SquaresKind) -> Vec<Self> {
        let usual = kind.usual().count();
        let named = if kind.has_letters() {
            Corner::OfLetters
        } else {
            Corner::OfNumbers
        };
        let mut all = Vec::new();
        for (place, row) in kind.variants().enumerate() {
            let opening = DraughtsStart::new(Draughts::start(row));
            let own = opening.corner(kind.has_letters());
            for corner in (0..4).map(named) {
                let is_own = corner == own;
                all.extend(opening.named_from(corner).map(|turned| Self {
                    opening: if is_own { opening.clone() } else { turned },
                    corner: (!is_own).then_some(corner),
                    is_usual: is_own && place < usual,
                    is_met: false,
                }));
            }
        }
        all.sort_by_key(|candidate| (!candidate.is_usual, candidate.corner.is_some()));
        all
    }

    const fn variant(&self) -> &'static DraughtsVariant {
        self.opening.at.variant
    }

    /// Where a game begins that is meant so; `None` if its FEN cannot be.
    fn opening(&self, fen: Option<&str>) -> Option<Cow<'_, DraughtsStart>> {
        let Some(fen) = fen else {
            return Some(Cow::Borrowed(&self.opening));
        };
        let (read, _) = DraughtsStart::from_fen(Draughts::start(self.variant()), fen, None).ok()?;
        let read = match self.corner {
            Some(corner) => read.named_from(corner)?,
            None => read,
        };
        Some(Cow::Owned(read))
    }

    /// Whether a game read in this way is complete, and how many plies can be played.
    fn replay(&self, text: GameText<'_>, fen: Option<&str>) -> Option<(bool, u32)> {
        let opening = self.opening(fen)?.into_owned();
        let read = games::attempt(&games::StartContext::from(opening), text);
        // A text whose words are mostly no moves is no game of these.
        let is_whole = read.odd_words.is_some_and(|odd| odd < read.plies);
        Some((is_whole, read.plies))
    }
}

/// The text of a `FEN` tag that says something.
fn fen_of(GameText { raw, bytes, decode }: GameText<'_>) -> Option<Cow<'_, str>> {
    let fen = raw.tag(bytes, "FEN").map(decode);
    fen.filter(|fen| !matches!(fen.trim(), "" | "?"))
}

/// How the games of one kind are replayed.
#[derive(Debug, Default)]
struct KindReplays<'a> {
    /// The usual ones first; made when first needed.
    candidates: Vec<Meaning>,
    /// Games that are complete in a usual way. Others of their source can show that something else
    /// was meant.
    settled: Vec<(Rc<RawGame>, &'a [u8])>,
}

/// Replays the games of a source that name no variant, to find it.
#[derive(Debug, Default)]
pub struct VariantInference<'a> {
    said: SourceVariant,
    /// By kind.
    replays: [KindReplays<'a>; KINDS],
}

impl<'a> VariantInference<'a> {
    /// A poll without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a single game says.
    pub fn of_one(GameText { raw, bytes, decode }: GameText<'a>) -> SourceVariant {
        let mut poll = Self::new();
        poll.add(raw, bytes, decode, None);
        poll.said
    }

    /// Lets a game vote. Of each kind the first 100 games with moves count, each
    /// by its first 400 words. A game that says itself what it is votes for that
    /// alone, if its kind can be that: the others of its file are likely the same.
    pub fn add(
        &mut self,
        raw: &RawGame,
        bytes: &'a [u8],
        decode: TextDecoder<'_>,
        declared: Option<&Variant>,
    ) {
        let Some(kind) = NamedSquares::of(raw, bytes).kind(raw, bytes) else {
            return;
        };
        let side = raw
            .tag(bytes, "FEN")
            .and_then(|fen| fen.trim_ascii_start().first());
        self.said.black_moves |= kind == SquaresKind::Upto32 && matches!(side, Some(b'B' | b'b'));
        let words = Rc::new(RawGame {
            items: main_words(raw)
                .take(WORDS_MAX)
                .map(|(_, item)| *item)
                .collect(),
            tags: raw.tags.clone(),
            diagnostics: Vec::new(),
            ..*raw
        });
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
        raw: &Rc<RawGame>,
        bytes: &'a [u8],
        decode: TextDecoder<'_>,
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
        let replays = &mut self.replays[kind as usize];
        if replays.candidates.is_empty() {
            replays.candidates = Meaning::all(kind);
            let none = replays.candidates.iter().map(|candidate| ReplayScore {
                variant: candidate.variant(),
                is_turned: candidate.corner.is_some(),
                whole: 0,
                plies: 0,
                brief: 0,
                custom: kind.by_custom(candidate.variant()),
            });
            votes.by_candidate = none.collect();
        }
        votes.games += 1;
        let text = GameText { raw, bytes, decode };
        let fen = fen_of(text);
        let (mut said, mut is_settled) = (false, false);
        let mut whole_as = Vec::new();
        for (candidate, vote) in replays.candidates.iter_mut().zip(&mut votes.by_candidate) {
            let is_tried = candidate.is_usual || candidate.is_met || !is_settled;
            if !is_tried || !is_asked(candidate.variant()) {
                continue;
            }
            let Some((is_whole, plies)) = candidate.replay(text, fen.as_deref()) else {
                continue;
            };
            if candidate.is_usual {
                vote.plies += u64::from(plies);
                is_settled |= is_whole;
                said |= u64::from(plies) >= PLIES_MIN;
            } else if is_whole && !candidate.is_met {
                if plies < PLIES_TELLING {
                    vote.brief += u32::from(u64::from(plies) >= PLIES_MIN);
                    continue;
                }
                candidate.is_met = true;
                for (raw, bytes) in &replays.settled {
                    let text = GameText { raw, bytes, decode };
                    let replay = candidate.replay(text, fen_of(text).as_deref());
                    vote.whole += u32::from(replay.is_some_and(|(is_whole, _)| is_whole));
                }
            }
            vote.whole += u32::from(is_whole);
            said |= is_whole;
            whole_as.extend(is_whole.then(|| candidate.variant()));
        }
        if !whole_as.is_empty() {
            votes.whole.push(whole_as);
        }
        if is_settled && declared.is_none() {
            replays.settled.push((Rc::clone(raw), bytes));
        }
        said
    }

    /// What the games said.
    pub fn result(mut self) -> SourceVariant {
        for votes in &mut self.said.votes {
            votes.is_mixed = votes.has_several_variants();
        }
        self.said
    }
}
