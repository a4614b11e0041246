//! Filters compiled against a database: names become sets of ids, so that a
//! game passes or fails by its facts alone.

use super::{
    locate::Target,
    tagged::{self, Tag, Words},
};
use crate::{
    base::record::GameId,
    db::{
        index::facts::Facts,
        query::{Filter, PositionQuery},
        store::{FactReader, NameTable, Store, StoreError},
        stored,
    },
    games::AnyCursor,
    pgn::tags::date::{DateRange, PackedRange, PgnDate},
};

/// A set of numbers that are not much greater than there are of them.
#[derive(Debug, Clone, Default)]
pub(super) struct IdSet(Vec<u64>);

impl IdSet {
    pub(super) fn insert(&mut self, id: u64) {
        let at = id as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (id % 64);
    }

    pub(super) fn contains(&self, id: u64) -> bool {
        self.0
            .get(id as usize / 64)
            .is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }
}

/// A filter ready to be asked.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    empty: bool,
    players: Vec<IdSet>,
    white: Option<IdSet>,
    black: Option<IdSet>,
    event: Option<IdSet>,
    site: Option<IdSet>,
    results: Vec<u32>,
    dates: Option<PackedRange>,
    elo: Option<(u32, u32)>,
    eco: Vec<(u32, u32)>,
    variants: Vec<u32>,
    plies: Option<(u32, u32)>,
    starts: Option<IdSet>,
    tags: Vec<Tag>,
}

impl Compiled {
    pub(super) fn new(store: &Store, filter: &Filter) -> Result<Self, StoreError> {
        let name = |table, text: &Option<String>| {
            text.as_ref()
                .map(|text| names(store, table, text))
                .transpose()
        };
        Ok(Self {
            empty: filter.is_empty(),
            players: filter
                .players
                .iter()
                .map(|text| names(store, NameTable::Player, text))
                .collect::<Result<_, _>>()?,
            white: name(NameTable::Player, &filter.white)?,
            black: name(NameTable::Player, &filter.black)?,
            event: name(NameTable::Event, &filter.event)?,
            site: name(NameTable::Site, &filter.site)?,
            results: filter
                .results
                .iter()
                .map(|outcome| *outcome as u32)
                .collect(),
            dates: (filter.date_from.is_some() || filter.date_to.is_some()).then(|| {
                let date =
                    |packed: Option<u32>| packed.map_or(PgnDate::UNKNOWN, PgnDate::from_packed);
                DateRange {
                    from: date(filter.date_from),
                    to: date(filter.date_to),
                }
                .packed()
            }),
            elo: (filter.min_elo.is_some() || filter.max_elo.is_some()).then(|| {
                (
                    u32::from(filter.min_elo.unwrap_or(1).max(1)),
                    u32::from(filter.max_elo.unwrap_or(u16::MAX)),
                )
            }),
            eco: filter
                .eco
                .iter()
                .map(|&(from, to)| (u32::from(from) + 1, u32::from(to) + 1))
                .collect(),
            variants: filter
                .variants
                .iter()
                .map(|&variant| u32::from(variant))
                .collect(),
            plies: filter.plies,
            starts: filter
                .start
                .as_ref()
                .map(|start| starts(store, start))
                .transpose()?,
            tags: filter
                .tags
                .iter()
                .map(|tag| Tag::new(store, tag))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Whether every game passes.
    pub(super) const fn is_empty(&self) -> bool {
        self.empty
    }

    /// Whether a game of these facts passes, its tags aside.
    fn passes(&self, facts: &Facts) -> bool {
        let held = |set: &Option<IdSet>, id: u32| {
            let id = u64::from(id);
            set.as_ref().is_none_or(|set| set.contains(id))
        };
        let (white, black) = (u64::from(facts.white), u64::from(facts.black));
        let within = |(from, to): (u32, u32), value: u32| from <= value && value <= to;
        self.players
            .iter()
            .all(|set| set.contains(white) || set.contains(black))
            && held(&self.white, facts.white)
            && held(&self.black, facts.black)
            && held(&self.event, facts.event)
            && held(&self.site, facts.site)
            && (self.results.is_empty() || self.results.contains(&facts.outcome))
            && self
                .dates
                .as_ref()
                .is_none_or(|dates| facts.date > 0 && dates.contains(facts.date))
            && self.elo.is_none_or(|range| {
                within(range, facts.white_elo) && within(range, facts.black_elo)
            })
            && (self.eco.is_empty() || self.eco.iter().any(|&range| within(range, facts.eco)))
            && (self.variants.is_empty() || self.variants.contains(&facts.variant))
            && self.plies.is_none_or(|range| within(range, facts.plies))
            && held(&self.starts, facts.start)
    }

    /// Asks games of a database, best in order.
    pub(super) fn reader<'a>(&'a self, store: &'a Store) -> Passing<'a> {
        Passing {
            filter: self,
            facts: store.facts(),
            tags: self.tags.iter().map(|tag| tag.reader(store)).collect(),
        }
    }
}

/// A filter that looks up what it needs.
pub(super) struct Passing<'a> {
    filter: &'a Compiled,
    facts: FactReader<'a>,
    tags: Vec<tagged::Reader<'a>>,
}

impl Passing<'_> {
    pub(super) fn passes(&mut self, game: GameId) -> Result<bool, StoreError> {
        if self.filter.is_empty() {
            return Ok(true);
        }
        let facts = self.facts.get(game)?;
        self.passes_with(game, &facts)
    }

    /// Whether a game of these facts passes.
    pub(super) fn passes_with(&mut self, game: GameId, facts: &Facts) -> Result<bool, StoreError> {
        if !self.filter.passes(facts) {
            return Ok(false);
        }
        for tag in &mut self.tags {
            if !tag.has(game, facts)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The ids of the names that hold every word of a text, whatever the case.
fn names(store: &Store, table: NameTable, text: &str) -> Result<IdSet, StoreError> {
    let words = Words::of(text);
    ids(store, table, |name| words.are_in(name))
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
            set.insert(u64::from(id));
        }
    })?;
    Ok(set)
}

/// The start positions that are this one; 0 is the usual one of chess.
fn starts(store: &Store, query: &PositionQuery) -> Result<IdSet, StoreError> {
    let mut set = IdSet::default();
    let mut add = |target: &Target, id| -> Result<(), StoreError> {
        if let Some(position) = stored::start_position(store, id)?
            && target.is_at(&AnyCursor::new(&position))
        {
            set.insert(u64::from(id));
        }
        Ok(())
    };
    for target in Target::all(query) {
        add(&target, 0)?;
        for key in target.keys() {
            for row in store.starts_by_key(key)? {
                add(&target, row.id)?;
            }
        }
    }
    Ok(set)
}
