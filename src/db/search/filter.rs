//! Filters compiled against a database: names become sets of ids, so that a
//! game passes or fails by its facts alone.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    comments,
    locate::{Replays, Sought},
    openings,
    tagged::{self, Tag, ValueTest, Words},
    values,
};
use crate::{
    base::{
        record::GameId,
        runs::{MarkedRun, MarkedRuns},
    },
    db::{
        index::facts::{FactColumn as Is, FactColumns, PackedFacts},
        query::{Filter, MoveFilter, PositionQuery, Query},
        store::{
            FEW_GAMES, FactReader, NameTable, ProblemText, SegmentRow, Store, StoreError,
            VariantGames,
        },
        stored,
    },
    games::AnyCursor,
    pgn::tags::date::{DateRange, PgnDate},
};

/// A set of numbers that are not much greater than there are of them.
#[derive(Debug, Clone, Default)]
pub(in crate::db) struct IdSet(Vec<u64>);

impl IdSet {
    pub(in crate::db) fn insert(&mut self, id: u32) {
        let at = id as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (id % 64);
    }

    pub(in crate::db) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::db) fn contains(&self, id: u32) -> bool {
        self.0
            .get(id as usize / 64)
            .is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }
}

/// A column of facts.
type ColumnOf = (Is, fn(&PackedFacts) -> u32);

/// What a game passes or fails by its facts alone.
struct Condition {
    /// The columns of facts that it asks.
    reads: Vec<Is>,
    holds: Box<dyn Fn(&PackedFacts) -> bool>,
}

impl Condition {
    fn new(reads: &[Is], holds: impl Fn(&PackedFacts) -> bool + 'static) -> Self {
        Self {
            reads: reads.to_vec(),
            holds: Box::new(holds),
        }
    }
}

/// A filter ready to be asked.
pub(super) struct Compiled {
    /// Those that were asked for; all must hold.
    conditions: Vec<Condition>,
    /// Sets of games that are problems of a kind: a game must be in each.
    problems: Vec<IdSet>,
    tags: Vec<Tag>,
    a_move: Option<MoveFilter>,
    /// Texts of which a game must have comments.
    comments: Vec<Words>,
    /// Sets of games by their numbers: a game must be in each.
    numbered: Vec<MarkedRuns>,
    /// Games that are not there any more.
    removed: MarkedRuns,
    /// The variants of the world that is asked; any if there are none.
    world: Vec<u32>,
    /// Those that were asked for, which are a condition as well.
    variants: Vec<u32>,
}

impl Compiled {
    pub(super) fn new(store: &Store, filter: &Filter) -> Result<Self, StoreError> {
        let mut conditions: Vec<Condition> = Vec::new();
        let further = &filter.further;
        for text in &filter.players {
            let set = names(store, NameTable::Player, text, &further.players)?;
            let has =
                move |facts: &PackedFacts| set.contains(facts.white) || set.contains(facts.black);
            conditions.push(Condition::new(&[Is::White, Is::Black], has));
        }
        let (player, event, site) = (NameTable::Player, NameTable::Event, NameTable::Site);
        let named: [(_, _, _, ColumnOf); 4] = [
            (
                &filter.white,
                player,
                &further.players,
                (Is::White, |facts| facts.white),
            ),
            (
                &filter.black,
                player,
                &further.players,
                (Is::Black, |facts| facts.black),
            ),
            (
                &filter.event,
                event,
                &further.events,
                (Is::Event, |facts| facts.event),
            ),
            (
                &filter.site,
                site,
                &further.sites,
                (Is::Site, |facts| facts.site),
            ),
        ];
        for (text, table, further, (column, id)) in named {
            if let Some(text) = text {
                let set = names(store, table, text, further)?;
                let has = move |facts: &PackedFacts| set.contains(id(facts));
                conditions.push(Condition::new(&[column], has));
            }
        }
        let within = |(from, to): (u32, u32), value: u32| from <= value && value <= to;
        if !filter.results.is_empty() {
            let results = filter.results.iter();
            let bits = results.fold(0_u32, |bits, &result| bits | 1 << (result as u32 & 31));
            let is = move |facts: &PackedFacts| bits >> (facts.outcome & 31) & 1 == 1;
            conditions.push(Condition::new(&[Is::Outcome], is));
        }
        if filter.date_from.is_some() || filter.date_to.is_some() {
            let date = |packed: Option<u32>| packed.map_or(PgnDate::UNKNOWN, PgnDate::from_packed);
            let (from, to) = (date(filter.date_from), date(filter.date_to));
            let dates = DateRange { from, to }.packed();
            conditions.push(Condition::new(&[Is::Date], move |facts| {
                facts.date > 0 && dates.contains(facts.date)
            }));
        }
        if filter.min_elo.is_some() || filter.max_elo.is_some() {
            let least = u32::from(filter.min_elo.unwrap_or(1).max(1));
            let range = (least, u32::from(filter.max_elo.unwrap_or(u16::MAX)));
            conditions.push(Condition::new(
                &[Is::WhiteElo, Is::BlackElo],
                move |facts| within(range, facts.white_elo) && within(range, facts.black_elo),
            ));
        }
        let ratings: [(_, ColumnOf); 2] = [
            (filter.white_elo, (Is::WhiteElo, |facts| facts.white_elo)),
            (filter.black_elo, (Is::BlackElo, |facts| facts.black_elo)),
        ];
        for (range, (column, elo)) in ratings {
            if let Some(range) = range {
                conditions.push(Condition::new(&[column], move |facts| {
                    elo(facts) > 0 && within(range, elo(facts))
                }));
            }
        }
        if !filter.mean_elo.is_empty() {
            let ranges = filter.mean_elo.clone();
            conditions.push(Condition::new(
                &[Is::WhiteElo, Is::BlackElo],
                move |facts| {
                    let (white, black) = (facts.white_elo, facts.black_elo);
                    let is_in = |&range: &_| within(range, u32::midpoint(white, black));
                    white > 0 && black > 0 && ranges.iter().any(is_in)
                },
            ));
        }
        if filter.has_month {
            let has_month = |facts: &PackedFacts| !(facts.date / 100).is_multiple_of(100);
            conditions.push(Condition::new(&[Is::Date], has_month));
        }
        if let Some(is_casual) = filter.is_casual {
            let casual = ids(store, event, |name| name.to_lowercase().contains("casual"))?;
            let is = move |facts: &PackedFacts| casual.contains(facts.event) == is_casual;
            conditions.push(Condition::new(&[Is::Event], is));
        }
        if let Some(range) = filter.elo_difference {
            conditions.push(Condition::new(
                &[Is::WhiteElo, Is::BlackElo],
                move |facts| {
                    let (white, black) = (facts.white_elo, facts.black_elo);
                    white > 0 && black > 0 && within(range, white.abs_diff(black))
                },
            ));
        }
        let mut numbered = numbered(store, filter)?;
        if !filter.opening.is_nothing() {
            if store.has_openings() {
                let set = openings::ids(store, &filter.opening)?;
                let has = move |facts: &PackedFacts| set.contains(facts.opening);
                conditions.push(Condition::new(&[Is::Opening], has));
            } else {
                numbered.push(openings::games(store, &filter.opening)?);
            }
        }
        if !filter.variants.is_empty() {
            let variants: Vec<u32> = filter.variants.iter().map(|&id| id.into()).collect();
            let is = move |facts: &PackedFacts| variants.contains(&facts.variant);
            conditions.push(Condition::new(&[Is::Variant], is));
        }
        if let Some(range) = filter.plies {
            let is = move |facts: &PackedFacts| within(range, facts.plies);
            conditions.push(Condition::new(&[Is::Plies], is));
        }
        if let Some(start) = &filter.start {
            let set = starts(store, start)?;
            let is = move |facts: &PackedFacts| set.contains(facts.start);
            conditions.push(Condition::new(&[Is::Start], is));
        }
        let classes = Some(&filter.time_classes[..]).filter(|classes| !classes.is_empty());
        let tags = (filter.tags.iter().map(ValueTest::of))
            .chain(classes.map(|classes| ValueTest::of_classes(classes, filter.or_unclocked)))
            .map(|asked| Tag::new(store, asked));
        Ok(Self {
            conditions,
            problems: problems(store, filter)?,
            tags: tags.collect::<Result<_, _>>()?,
            a_move: filter.a_move,
            comments: filter.comments.iter().map(|text| Words::of(text)).collect(),
            numbered,
            removed: store.removed()?,
            world: Vec::new(),
            variants: filter.variants.iter().map(|&id| id.into()).collect(),
        })
    }

    /// The games that are not there any more, which never pass.
    pub(super) const fn removed(&self) -> &MarkedRuns {
        &self.removed
    }

    /// The same for games of some variants alone.
    pub(super) fn and_of_variants(mut self, ids: impl Iterator<Item = u8>) -> Self {
        self.world = ids.map(u32::from).collect();
        self
    }

    /// Whether every game of a segment passes that can be played.
    pub(super) fn takes_all(
        &self,
        store: &Store,
        segment: &SegmentRow,
    ) -> Result<bool, StoreError> {
        let left_out = self.left_out(store, segment)?;
        Ok(left_out.is_some_and(|left_out| left_out.is_empty()))
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
        // A game of another variant may be removed besides.
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

    /// The variants of a segment's games, where some are asked for and they are known.
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

    /// Whether every game passes that is there.
    pub(super) const fn is_empty(&self) -> bool {
        self.conditions.is_empty()
            && self.problems.is_empty()
            && self.tags.is_empty()
            && self.numbered.is_empty()
            && !self.asks_annotations()
    }

    /// Whether more is asked than rows and facts tell.
    const fn asks_annotations(&self) -> bool {
        self.a_move.is_some() || !self.comments.is_empty()
    }

    /// Which games of a block its facts do not rule out, numbered from 0; of their columns those
    /// are read that decide.
    pub(super) fn leave(&self, block: &mut FactColumns, left: &mut Vec<u16>) {
        left.clear();
        let Some((first, others)) = self.conditions.split_first() else {
            left.extend(0..block.len() as u16);
            return;
        };
        block.read(&first.reads);
        let held = (0..)
            .zip(block.rows())
            .filter(|(_, facts)| (first.holds)(facts));
        left.extend(held.map(|(at, _)| at));
        for asked in others {
            if left.is_empty() {
                return;
            }
            block.read(&asked.reads);
            let rows = block.rows();
            left.retain(|at| (asked.holds)(&rows[usize::from(*at)]));
        }
    }

    /// The columns of facts that are asked beside these.
    pub(super) fn reads(&self) -> &'static [Is] {
        if self.tags.iter().any(Tag::asks_facts) {
            &Is::ALL
        } else {
            &[Is::Variant]
        }
    }

    /// All columns of facts that it asks.
    pub(super) fn all_reads(&self) -> impl Iterator<Item = Is> {
        let conditions = self.conditions.iter().flat_map(|asked| &asked.reads);
        conditions.chain(self.reads()).copied()
    }

    /// Asks games of a database, best in order.
    pub(super) fn reader<'a>(&'a self, store: &'a Store) -> Passing<'a> {
        Passing {
            filter: self,
            facts: store.facts(),
            replays: self.asks_annotations().then(|| Replays::new(store)),
            tags: self.tags.iter().map(|tag| tag.reader(store)).collect(),
        }
    }
}

/// A filter that looks up what it needs.
pub(super) struct Passing<'a> {
    filter: &'a Compiled,
    facts: FactReader<'a>,
    tags: Vec<tagged::TagReader<'a>>,
    /// Where annotations are asked for.
    replays: Option<Replays<'a>>,
}

impl Passing<'_> {
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
        let conditions = &self.filter.conditions;
        Ok(conditions.iter().all(|asked| (asked.holds)(facts)) && self.passes_rest(game, facts)?)
    }

    /// Whether a game passes that its facts do not rule out ([`Compiled::leave`]).
    pub(super) fn passes_rest(
        &mut self,
        game: GameId,
        facts: &PackedFacts,
    ) -> Result<bool, StoreError> {
        let world = &self.filter.world;
        if self.filter.removed.contains(game)
            || !world.is_empty() && !world.contains(&facts.variant)
            || !(self.filter.numbered.iter()).all(|games| games.contains(game))
        {
            return Ok(false);
        }
        let id = u32::try_from(game).unwrap_or(u32::MAX);
        if !self.filter.problems.iter().all(|set| set.contains(id)) {
            return Ok(false);
        }
        for tag in &mut self.tags {
            if !tag.has(game, facts)? {
                return Ok(false);
            }
        }
        let Some(replays) = &mut self.replays else {
            return Ok(true);
        };
        let (a_move, texts) = (self.filter.a_move, &self.filter.comments);
        if let Some(asked) = a_move
            && values::first_move(replays, game, asked)?.is_none()
        {
            return Ok(false);
        }
        Ok(texts.is_empty() || comments::first_comment(replays, game, texts)?.is_some())
    }
}

/// The games that are asked for by their numbers, and by the files that had them.
fn numbered(store: &Store, filter: &Filter) -> Result<Vec<MarkedRuns>, StoreError> {
    let mut sets = Vec::new();
    if !filter.games.is_empty() {
        let asked = filter.games.iter().map(|&(first, last)| MarkedRun {
            first,
            end: last.saturating_add(1),
            mark: 0,
        });
        sets.push(MarkedRuns::of(asked));
    }
    if let Some(file) = &filter.file {
        sets.push(store.games_of_sources(|name| name.contains(file))?);
    }
    Ok(sets)
}

/// The problems that fulfil each of the conditions on such.
fn problems(store: &Store, filter: &Filter) -> Result<Vec<IdSet>, StoreError> {
    let mut sets = Vec::new();
    let mut add = |what, fits: &dyn Fn(&str) -> bool| -> Result<(), StoreError> {
        let mut set = IdSet::default();
        store.for_each_problem(what, |game, text| {
            if let Ok(id) = u32::try_from(game)
                && fits(text)
            {
                set.insert(id);
            }
        })?;
        sets.push(set);
        Ok(())
    };
    let source = filter.source.as_slice();
    for typed in &filter.authors {
        let words = Words::of(typed);
        let further = filter.further.authors.get(typed);
        let is_further = |name: &str| further.is_some_and(|names| names.contains(name));
        add(ProblemText::Author, &|name| {
            words.are_in(name) || is_further(name)
        })?;
    }
    for (what, texts) in [
        (ProblemText::Source, source),
        (ProblemText::Condition, &filter.conditions),
        (ProblemText::Keyword, &filter.keywords),
    ] {
        for text in texts {
            let words = Words::of(text);
            add(what, &|text| words.are_in(text))?;
        }
    }
    if let Some(pattern) = &filter.stipulation {
        add(ProblemText::Stipulation, &|text| pattern.fits(text))?;
    }
    Ok(sets)
}

/// The start positions that are one of some diagrams. A database of an older schema knows
/// of none, which is an error where nothing else is asked for.
pub(super) fn starts_of(store: &Store, query: &Query) -> Result<IdSet, StoreError> {
    let mut set = IdSet::default();
    if query.position.is_some() && !store.has_problems() {
        return Ok(set);
    }
    for diagram in &query.diagrams {
        for start in store.starts_by_diagram(diagram)? {
            set.insert(start);
        }
    }
    Ok(set)
}

/// The ids of the names that hold every word of a text, whatever the case, and of those that it
/// finds besides.
fn names(
    store: &Store,
    table: NameTable,
    text: &str,
    further: &BTreeMap<String, Vec<u32>>,
) -> Result<IdSet, StoreError> {
    let words = Words::of(text);
    let mut set = ids(store, table, |name| words.are_in(name))?;
    for &id in further.get(text).into_iter().flatten() {
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
    let mut add = |target: &Sought, id| -> Result<(), StoreError> {
        if let Some(position) = stored::start_position(store, id)?
            && target.is_at(&AnyCursor::new(&position))
        {
            set.insert(id);
        }
        Ok(())
    };
    for target in Sought::all(query) {
        add(&target, 0)?;
        for key in target.keys() {
            for row in store.starts_by_key(key)? {
                add(&target, row.id)?;
            }
        }
    }
    Ok(set)
}
