//! What columns say of games before any of them is replayed.

use std::sync::Arc;

use super::super::plan::{ColumnUse, PatternQuery};

use super::super::{explain::QueryPlanStep, plan::AccessPath};
use crate::{
    index::columns::{ColumnAnswer, VariantColumns, set::GameSet},
    query::pattern::{Pattern, matcher::MatchMode, program::QueryPart},
    store::{ColumnRange, SegmentRow, Store, StoreError},
};

/// To replay fewer games than these costs less than to read columns.
const FEW_GAMES: usize = 1000;

/// To read the tree of each game costs less than to read the postings of all variations, if there are
/// fewer games than the segment has divided by this.
const SPARSE_GAMES: usize = 32;

/// Which games of a segment have variations, which is read where it is first needed.
pub(super) struct VariationGames<'s> {
    segment: &'s SegmentRow,
    games: Option<GameSet>,
}

impl<'s> VariationGames<'s> {
    pub(super) const fn of(segment: &'s SegmentRow) -> Self {
        let games = None;
        Self { segment, games }
    }

    /// The games of a stretch that may have plies in their variations, among those that are left of it.
    fn among(
        &mut self,
        store: &Store,
        stretch: &ColumnRange,
        left: Option<&GameSet>,
    ) -> Result<GameSet, StoreError> {
        let games = stretch.games as usize;
        if let Some(left) = left.filter(|left| left.count() * SPARSE_GAMES < games) {
            return Ok(left.clone());
        }
        if self.games.is_none() {
            self.games = Some(store.games_with_variations(self.segment)?);
        }
        let first = (stretch.first_game - self.segment.first_game) as usize;
        let all = self.games.as_ref().map(|all| all.part(first, games));
        let mut found = all.unwrap_or_else(|| GameSet::none(games));
        if let Some(left) = left {
            found.keep(left);
        }
        Ok(found)
    }
}

/// The games of a stretch of a segment, numbered from 0, as far as columns know them.
pub(super) struct Candidates {
    possible: GameSet,
    /// Those that may have plies in their variations, if these are searched: nothing is known of them.
    varied: Option<GameSet>,
    boards: Vec<VariantBounds>,
}

/// What is known of the games of a variant.
struct VariantBounds {
    pattern: Arc<Pattern>,
    /// Those that something is known of.
    members: GameSet,
    /// What is known of the entire query, and of each of its chains, on main lines.
    whole: ColumnAnswer,
    chains: Vec<ColumnAnswer>,
    /// The games of which a beginning of the main line may fulfil the query.
    beginnings: GameSet,
    /// The games in which something is promoted; `None` if that does not matter.
    promoted: Option<GameSet>,
    /// The bytes that were read for each of these.
    read: Vec<usize>,
}

/// What is known of a game.
pub(super) struct GameBounds<'c> {
    board: &'c VariantBounds,
    number: usize,
    is_varied: bool,
    /// The query on its board.
    pub(super) pattern: &'c Arc<Pattern>,
}

impl GameBounds<'_> {
    /// Whether it fulfils the query for sure, as far as that does not depend on facts.
    pub(super) fn is_certain(&self) -> bool {
        self.board.whole.certain.contains(self.number)
    }

    /// How far its main line is to be looked through for an answer; `None` if it cannot fulfil the
    /// query.
    pub(super) fn until(&self) -> Option<MatchMode> {
        let until = match &self.board.promoted {
            Some(promoted) if !promoted.contains(self.number) => MatchMode::DecidedByMaterial,
            _ => MatchMode::Decided,
        };
        (self.board.whole.possible.contains(self.number)).then_some(until)
    }

    /// Whether its main line has a chain, if that is known.
    pub(super) fn chain(&self, at: usize) -> Option<bool> {
        let chain = self.board.chains.get(at)?;
        if chain.certain.contains(self.number) {
            return Some(true);
        }
        (!chain.possible.contains(self.number)).then_some(false)
    }

    /// Whether a variation has a chain, if that is known. One without plies is a beginning of the main
    /// line, which has no chain that the main line has not.
    pub(super) fn chain_of_variation(&self, at: usize) -> Option<bool> {
        let main_line = self.chain(at).filter(|_| !self.is_varied);
        main_line.filter(|has_chain| !has_chain)
    }
}

impl Candidates {
    /// What columns know of the games that are left of a stretch, or of all, if nothing is known
    /// of them.
    pub(super) fn of(
        store: &Store,
        (stretch, variations): (&ColumnRange, &mut VariationGames<'_>),
        asked: &PatternQuery,
        left: Option<&GameSet>,
    ) -> Result<Self, StoreError> {
        let games = stretch.games as usize;
        let mut possible = GameSet::all(games);
        let mut boards = Vec::new();
        let is_worth_it = match asked.columns {
            ColumnUse::Worthwhile => left.is_none_or(|left| left.count() >= FEW_GAMES),
            ColumnUse::Always => true,
            ColumnUse::Never => false,
        };
        let columns = if is_worth_it {
            store.columns(stretch)?
        } else {
            None
        };
        // They know main lines alone.
        let mut varied = None;
        if asked.in_variations && columns.is_some() {
            varied = Some(variations.among(store, stretch, left)?);
        }
        for columns in columns.unwrap_or_default() {
            possible.keep(&columns.members.clone().complement());
            let of_variant = |(id, _): &&(u8, _)| u32::from(*id) == columns.variant;
            if let Some((_, pattern)) = asked.boards.iter().find(of_variant) {
                let board = VariantBounds::of(store, (stretch, left), &columns, pattern)?;
                possible.add(&board.whole.possible);
                if let Some(varied) = &varied {
                    let mut own = varied.clone();
                    own.keep(&board.members);
                    possible.add(&own);
                    possible.add(&board.beginnings);
                }
                boards.push(board);
            }
        }
        if let Some(left) = left {
            possible.keep(left);
        }
        Ok(Self {
            possible,
            varied,
            boards,
        })
    }

    /// The games that may fulfil the query, in order.
    pub(super) fn possible(&self) -> impl Iterator<Item = usize> {
        self.possible.iter()
    }

    /// Adds what is known of each part of a query to what was known of other segments.
    pub(super) fn tell(&self, text: &str, steps: &mut Vec<QueryPlanStep>) {
        for board in &self.boards {
            let known = board.chains.iter().zip(&board.read);
            for (at, ((chain, read), span)) in known.zip(board.pattern.spans()).enumerate() {
                if steps.len() == at {
                    steps.push(QueryPlanStep {
                        condition: text.get(span.clone()).unwrap_or_default().to_owned(),
                        path: AccessPath::Columns,
                        read_bytes: Some(0),
                        possible: Some(0),
                        certain: Some(0),
                    });
                }
                let step = &mut steps[at];
                let add =
                    |sum: &mut Option<u64>, more: usize| *sum = sum.map(|sum| sum + more as u64);
                add(&mut step.read_bytes, *read);
                add(&mut step.possible, chain.possible.count());
                add(&mut step.certain, chain.certain.count());
            }
        }
    }

    /// How many games are candidates because they have variations; `None` if columns are not read or
    /// no variations searched.
    pub(super) fn varied(&self) -> Option<usize> {
        let varied = self.varied.as_ref()?;
        let games = self.boards.iter().map(|board| {
            let mut own = board.members.clone();
            own.keep(varied);
            own.count()
        });
        Some(games.sum())
    }

    /// What is known of a game; `None` if nothing is.
    pub(super) fn known(&self, number: usize) -> Option<GameBounds<'_>> {
        let board = self
            .boards
            .iter()
            .find(|board| board.members.contains(number))?;
        Some(GameBounds {
            board,
            number,
            is_varied: (self.varied.as_ref()).is_some_and(|varied| varied.contains(number)),
            pattern: &board.pattern,
        })
    }
}

impl VariantBounds {
    fn of(
        store: &Store,
        (stretch, left): (&ColumnRange, Option<&GameSet>),
        columns: &VariantColumns,
        pattern: &Arc<Pattern>,
    ) -> Result<Self, StoreError> {
        let mut pages = store.column_pages(stretch);
        let members = columns.members.clone();
        let none = GameSet::none(members.games());
        // What is not known of a fact may be so or not.
        let unknown = || ColumnAnswer {
            possible: members.clone(),
            certain: none.clone(),
        };
        let mut matter = members.clone();
        if let Some(left) = left {
            matter.keep(left);
        }
        let bounds = pattern.bounds();
        let mut chains: Vec<ColumnAnswer> = bounds.iter().map(|_| unknown()).collect();
        let mut read = vec![0; bounds.len()];
        // What all games must fulfil comes first, and of that what leaves the fewest.
        let required = pattern.required_chains();
        let mut order: Vec<usize> = (0..bounds.len()).collect();
        order.sort_by_key(|at| (!required.contains(at), columns.entries(&bounds[*at])));
        for at in order {
            let games = matter.count();
            if games == 0 {
                break;
            }
            pages.read = 0;
            let answer = columns.answer(&bounds[at], games, &mut pages)?;
            read[at] = pages.read;
            chains[at] = ColumnAnswer {
                possible: columns.in_segment(answer.possible),
                certain: columns.in_segment(answer.certain),
            };
            if required.contains(&at) {
                matter.keep(&chains[at].possible);
            }
        }
        let nothing_asked = || ColumnAnswer {
            possible: members.clone(),
            certain: members.clone(),
        };
        let not = |answer: ColumnAnswer| {
            let others = |set: GameSet| {
                let mut others = set.complement();
                others.keep(&members);
                others
            };
            ColumnAnswer {
                possible: others(answer.certain),
                certain: others(answer.possible),
            }
        };
        let and = |mut one: ColumnAnswer, other: ColumnAnswer| {
            one.possible.keep(&other.possible);
            one.certain.keep(&other.certain);
            one
        };
        let of_part = |part| match part {
            QueryPart::Fact(_) => unknown(),
            QueryPart::Chain(at) => chains[at].clone(),
        };
        let promoted = if pattern.needs_pieces() {
            Some(columns.in_segment(columns.promoted(&mut pages)?))
        } else {
            None
        };
        let whole = pattern.joined(&of_part, &nothing_asked, &not, &and);
        // What the main line has for certain, a beginning of it may not have yet.
        let of_beginning = |part| ColumnAnswer {
            certain: none.clone(),
            ..of_part(part)
        };
        let beginnings = pattern.joined(&of_beginning, &nothing_asked, &not, &and);
        Ok(Self {
            pattern: Arc::clone(pattern),
            members,
            whole,
            chains,
            beginnings: beginnings.possible,
            promoted,
            read,
        })
    }
}
