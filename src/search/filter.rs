//! Filters compiled against a database: names become sets of ids, so that a
//! game passes or fails by its facts alone.

use std::{collections::BTreeMap, sync::Arc};

mod add;
mod sieve;

use super::{
    comments,
    locate::{Replays, SearchTarget},
    plan::{AccessPath, GameConditions, ResolvedNames},
    tags::{self, TagCondition, WordCondition},
    values,
};
use crate::{
    base::id_set::IdSet,
    base::{range_map::RangeMap, record::GameId},
    blocks::{
        fact_predicate::{BlockGames, FactPredicate},
        facts::{FactColumn as Is, PackedFacts},
    },
    games::AnyCursor,
    query::{GameCondition, MoveFilter, PositionQuery},
    replay,
    store::{
        FEW_GAMES, FactBlocks, FactReader, NameTable, SegmentRow, Store, StoreError, VariantGames,
    },
};

/// A condition with the games that are known to fulfil it.
struct ConstantPredicate {
    condition: Box<dyn FactPredicate>,
    games: Arc<RangeMap>,
}

/// A filter ready for use.
pub(super) struct CompiledFilter {
    /// Those that were requested; all must hold.
    conditions: Vec<Box<dyn FactPredicate>>,
    /// Others, likewise.
    known: Vec<ConstantPredicate>,
    /// Whether something is wanted that does not exist at all: no game passes.
    takes_none: bool,
    /// Sets of games, problems of a kind or those that reach a position: a game must be in each.
    listed: Vec<IdSet>,
    tags: Vec<TagCondition>,
    /// A game must have a move of each kind.
    moves: Vec<MoveFilter>,
    /// Texts; a game must have comments with each.
    comments: Vec<WordCondition>,
    /// Sets of games by their numbers: a game must be in each.
    numbered: Vec<RangeMap>,
    /// Games that are not there any more.
    removed: RangeMap,
    /// The variants of the world that is searched; any if there are none.
    world: Vec<u32>,
    /// Those that were requested, which are a condition as well.
    variants: Vec<u32>,
}

impl CompiledFilter {
    pub(super) fn new(store: &Store, filter: &GameConditions) -> Result<Self, StoreError> {
        Self::of(store, &filter.all, &filter.names)
    }

    /// The filter of conditions that must all hold, whose names find what was looked up.
    pub(super) fn of<'c>(
        store: &Store,
        all: impl IntoIterator<Item = &'c GameCondition>,
        found: &ResolvedNames,
    ) -> Result<Self, StoreError> {
        let mut filter = Self {
            conditions: Vec::new(),
            known: Vec::new(),
            takes_none: false,
            listed: Vec::new(),
            tags: Vec::new(),
            moves: Vec::new(),
            comments: Vec::new(),
            numbered: Vec::new(),
            removed: store.removed()?,
            world: Vec::new(),
            variants: Vec::new(),
        };
        for condition in all {
            filter.add(store, condition, found)?;
        }
        Ok(filter)
    }

    /// Only these games pass.
    pub(super) fn limit_games(&mut self, games: IdSet) {
        self.takes_none |= games.is_empty();
        self.listed.push(games);
    }

    /// Only these variants pass.
    fn limit_variants(&mut self, variants: &[u32]) {
        if self.variants.is_empty() {
            self.variants = variants.to_vec();
        } else if !variants.is_empty() {
            self.variants.retain(|id| variants.contains(id));
            self.takes_none |= self.variants.is_empty();
        }
    }

    /// The games that are not there any more, which never pass.
    pub(super) const fn removed(&self) -> &RangeMap {
        &self.removed
    }

    /// The same for games of some variants alone.
    pub(super) fn and_of_variants(mut self, ids: impl Iterator<Item = u8>) -> Self {
        self.world = ids.map(u32::from).collect();
        self
    }

    /// The games of a segment that do not pass though they can be played, if these are few and are
    /// known without a look at any.
    pub(super) fn left_out(
        &self,
        store: &Store,
        segment: &SegmentRow,
    ) -> Result<Option<Vec<GameId>>, StoreError> {
        let (first, end) = (segment.first_game, segment.first_game + segment.games);
        if !self.is_empty() || self.removed.count_between(first, end) > FEW_GAMES as u64 {
            return Ok(None);
        }
        let mut left_out = self.removed.between(first, end);
        if self.world.is_empty() {
            return Ok(Some(left_out));
        }
        let Some(variants) = store.variants_of(segment)? else {
            return Ok(None);
        };
        for (variant, games) in variants.iter() {
            match games {
                _ if self.world.contains(variant) => {}
                Some(games) => left_out.extend(games),
                None => return Ok(None),
            }
        }
        // A game of another variant may be removed as well.
        left_out.sort_unstable();
        left_out.dedup();
        Ok((left_out.len() <= FEW_GAMES).then_some(left_out))
    }

    /// Whether a game of a segment that can be played may pass, as far as its variant goes.
    pub(super) fn may_take_any(
        &self,
        store: &Store,
        segment: &SegmentRow,
    ) -> Result<bool, StoreError> {
        let variants = self.variants_in(store, segment)?;
        let takes = |(variant, _): &VariantGames| self.takes_variant(*variant);
        Ok(variants.is_none_or(|variants| variants.iter().any(takes)))
    }

    /// The games of a segment that are of the variants that may pass, if these are few and known.
    pub(super) fn few_in(
        &self,
        store: &Store,
        segment: &SegmentRow,
    ) -> Result<Option<Vec<GameId>>, StoreError> {
        let mut few = Vec::new();
        let Some(variants) = self.variants_in(store, segment)? else {
            return Ok(None);
        };
        for (_, games) in (variants.iter()).filter(|(variant, _)| self.takes_variant(*variant)) {
            match games {
                Some(games) => few.extend_from_slice(games),
                None => return Ok(None),
            }
        }
        few.sort_unstable();
        Ok((few.len() <= FEW_GAMES).then_some(few))
    }

    fn takes_variant(&self, variant: u32) -> bool {
        let passes = |named: &[u32]| named.is_empty() || named.contains(&variant);
        passes(&self.world) && passes(&self.variants)
    }

    /// The variants of a segment's games, where some are requested and they are known.
    fn variants_in(
        &self,
        store: &Store,
        segment: &SegmentRow,
    ) -> Result<Option<Arc<[VariantGames]>>, StoreError> {
        if self.world.is_empty() && self.variants.is_empty() {
            return Ok(None);
        }
        store.variants_of(segment)
    }

    /// The data that its conditions need which costs the most to look up; `None` if it has none.
    pub(super) fn path(&self) -> Option<AccessPath> {
        let is_name = |column: &Is| matches!(column, Is::White | Is::Black | Is::Event | Is::Site);
        if self.asks_annotations() {
            Some(AccessPath::Annotations)
        } else if !self.tags.is_empty() {
            Some(AccessPath::Tags)
        } else if self
            .each_condition()
            .any(|one| !one.reads().iter().any(is_name))
        {
            Some(AccessPath::Facts)
        } else if !self.listed.is_empty()
            || self.each_condition().next().is_some()
            || self.takes_none
        {
            Some(AccessPath::Names)
        } else {
            (!self.numbered.is_empty()).then_some(AccessPath::Numbers)
        }
    }

    /// Whether every game passes that is there.
    pub(super) const fn is_empty(&self) -> bool {
        self.conditions.is_empty()
            && self.known.is_empty()
            && self.listed.is_empty()
            && self.tags.is_empty()
            && self.numbered.is_empty()
            && !self.asks_annotations()
    }

    /// Whether more is wanted than rows and facts show.
    pub(super) const fn asks_annotations(&self) -> bool {
        !self.moves.is_empty() || !self.comments.is_empty()
    }

    /// Whether it is known that no game passes.
    pub(super) const fn takes_none(&self) -> bool {
        self.takes_none
    }

    /// Which games of a block, which begins with the game `first`, its facts do not rule out; of
    /// their columns those are read that decide.
    pub(super) fn leave(
        &self,
        first: GameId,
        blocks: &mut FactBlocks<'_>,
    ) -> Result<BlockGames, StoreError> {
        let games = blocks.columns().len();
        let mut left = BlockGames::first(games);
        for known in &self.known {
            left.keep(&BlockGames::among(&known.games, first, games));
        }
        for asked in &self.conditions {
            if left.is_empty() {
                break;
            }
            blocks.read(asked.reads())?;
            asked.sift(blocks.columns(), &mut left);
        }
        Ok(left)
    }

    /// The games that pass, if their numbers alone decide: those in which players have been met.
    pub(super) fn games_by_number(&self) -> Option<impl Iterator<Item = GameId>> {
        let is_all = self.conditions.is_empty() && self.tags.is_empty() && self.world.is_empty();
        let (first, others) = self.known.split_first().filter(|_| is_all)?;
        let games = first.games.ranges_between(0, GameId::MAX).flatten();
        Some(games.filter(move |&game| {
            let is_known = |known: &ConstantPredicate| known.games.contains(game);
            others.iter().all(is_known) && self.may_take(game, 0)
        }))
    }

    /// Whether games pass by their numbers and their variants, whichever these are.
    const fn takes_any_number(&self) -> bool {
        self.removed.is_empty()
            && self.world.is_empty()
            && self.numbered.is_empty()
            && self.listed.is_empty()
    }

    /// Whether a game of a variant passes by these.
    fn may_take(&self, game: GameId, variant: u32) -> bool {
        let id = u32::try_from(game).unwrap_or(u32::MAX);
        !self.removed.contains(game)
            && (self.world.is_empty() || self.world.contains(&variant))
            && self.numbered.iter().all(|games| games.contains(game))
            && self.listed.iter().all(|set| set.contains(id))
    }

    /// The columns of facts that it needs beside its conditions.
    fn reads(&self) -> impl Iterator<Item = Is> {
        let variant = (!self.world.is_empty()).then_some(Is::Variant);
        let tags = self.tags.iter().filter_map(TagCondition::reads);
        variant.into_iter().chain(tags)
    }

    /// All conditions on facts.
    fn each_condition(&self) -> impl Iterator<Item = &dyn FactPredicate> {
        let known = self.known.iter().map(|known| &*known.condition);
        self.conditions.iter().map(|asked| &**asked).chain(known)
    }

    /// All columns of facts that it needs.
    pub(super) fn all_reads(&self) -> impl Iterator<Item = Is> {
        let reads = self.each_condition().flat_map(FactPredicate::reads);
        reads.copied().chain(self.reads())
    }

    /// Tests games of a database, best in order.
    pub(super) fn reader<'a>(&'a self, store: &'a Store) -> FilterReader<'a> {
        FilterReader {
            filter: self,
            facts: store.facts(),
            replays: self.asks_annotations().then(|| Replays::new(store)),
            tags: self.tags.iter().map(|tag| tag.reader(store)).collect(),
        }
    }
}

/// A filter that looks up what it needs.
pub(super) struct FilterReader<'a> {
    filter: &'a CompiledFilter,
    facts: FactReader<'a>,
    tags: Vec<tags::TagReader<'a>>,
    /// Where annotations are needed.
    replays: Option<Replays<'a>>,
}

impl FilterReader<'_> {
    pub(super) fn passes(&mut self, game: GameId) -> Result<bool, StoreError> {
        if self.filter.is_empty() && self.filter.world.is_empty() {
            return Ok(!self.filter.removed.contains(game));
        }
        let facts = self.facts.get(game)?;
        self.passes_with(game, &facts)
    }

    /// Whether a game of these facts passes.
    pub(super) fn passes_with(
        &mut self,
        game: GameId,
        facts: &PackedFacts,
    ) -> Result<bool, StoreError> {
        let mut conditions = self.filter.each_condition();
        // Of namesakes' names the rows are the same.
        let mut known = self.filter.known.iter();
        if !conditions.all(|asked| asked.holds(facts))
            || !known.all(|known| known.games.contains(game))
            || !self.filter.may_take(game, facts.variant)
        {
            return Ok(false);
        }
        for tag in &mut self.tags {
            if !tag.has(game, |column| facts.get(column))? {
                return Ok(false);
            }
        }
        self.passes_annotations(game)
    }

    /// Of some games of a block, which begins with the game `first`, leaves those that pass as far
    /// as their annotations are not needed.
    pub(super) fn leave(
        &mut self,
        first: GameId,
        blocks: &mut FactBlocks<'_>,
        left: &mut BlockGames,
    ) -> Result<(), StoreError> {
        let filter = self.filter;
        if !left.is_empty() && !filter.takes_any_number() {
            blocks.read(&[Is::Variant])?;
            let variants = blocks.columns().values(Is::Variant);
            let may_take = |place| filter.may_take(first + place as u64, variants[place]);
            left.retain(|place| Ok::<_, StoreError>(may_take(place)))?;
        }
        for (tag, asked) in self.tags.iter_mut().zip(&filter.tags) {
            if left.is_empty() {
                break;
            }
            if let Some(column) = asked.reads() {
                blocks.read(&[column])?;
            }
            let block = blocks.columns();
            left.retain(|place| {
                tag.has(first + place as u64, |column| block.values(column)[place])
            })?;
        }
        Ok(())
    }

    /// Whether a game has the annotations that are requested.
    pub(super) fn passes_annotations(&mut self, game: GameId) -> Result<bool, StoreError> {
        let Some(replays) = &mut self.replays else {
            return Ok(true);
        };
        let (moves, texts) = (&self.filter.moves, &self.filter.comments);
        for asked in moves {
            if values::first_move(replays, game, asked)?.is_none() {
                return Ok(false);
            }
        }
        Ok(texts.is_empty() || comments::first_comment(replays, game, texts)?.is_some())
    }
}

/// The start positions that are one of some diagrams.
pub(super) fn starts_of(store: &Store, diagrams: &[String]) -> Result<IdSet, StoreError> {
    let mut set = IdSet::default();
    for diagram in diagrams {
        for start in store.starts_by_diagram(diagram)? {
            set.insert(start);
        }
    }
    Ok(set)
}

/// The ids of the names that a text finds: those that were [found](crate::search::spell_out)
/// or, where no search was made, those that hold all its words, whatever the case.
pub(super) fn names(
    store: &Store,
    table: NameTable,
    text: &str,
    found: &BTreeMap<String, Vec<u32>>,
) -> Result<IdSet, StoreError> {
    let Some(found) = found.get(text) else {
        let words = WordCondition::of(text);
        return ids(store, table, |name| words.are_in(name));
    };
    let mut set = IdSet::default();
    for &id in found {
        set.insert(id);
    }
    Ok(set)
}

/// The ids of the texts of a table that fit.
pub(super) fn ids(
    store: &Store,
    table: NameTable,
    fits: impl Fn(&str) -> bool,
) -> Result<IdSet, StoreError> {
    let mut set = IdSet::default();
    store.for_each_name(table, |id, name| {
        if fits(name) {
            set.insert(id);
        }
    })?;
    Ok(set)
}

/// The start positions that are this one; 0 is the usual one of chess.
fn starts(store: &Store, query: &PositionQuery) -> Result<IdSet, StoreError> {
    let mut set = IdSet::default();
    let mut add = |target: &SearchTarget, id| -> Result<(), StoreError> {
        if let Some(position) = replay::start_position(store, id)?
            && target.is_at(&AnyCursor::new(&position))
        {
            set.insert(id);
        }
        Ok(())
    };
    for target in SearchTarget::all(query) {
        add(&target, 0)?;
        for key in target.keys() {
            for row in store.starts_by_key(key)? {
                add(&target, row.id)?;
            }
        }
    }
    Ok(set)
}
