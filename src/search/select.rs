//! The games that a query finds, one after the other in its order, so that lists
//! of any length are answered in little memory.

use super::{
    filter::{self, CompiledFilter},
    locate::{self, SearchTarget},
    pattern,
    plan::AccessPlan,
    ruleset,
    sort::{BATCH_GAMES, GameKey, SortKeys, Sorter},
};
use crate::{
    base::{id_set::IdSet, range_map::RangeMap, record::GameId},
    blocks::facts::{FactColumn, PackedFacts},
    query::{PositionQuery, SortKey},
    store::{NoInterruptGuard, Store, StoreError, StoreErrorKind},
};

/// A game that was selected, and whether only a variation of it reaches the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SelectedGame {
    pub(super) game: GameId,
    pub(super) in_variation: bool,
}

impl SelectedGame {
    /// A game selected without a position.
    pub(super) const fn plain(game: GameId) -> Self {
        Self {
            game,
            in_variation: false,
        }
    }
}

/// How many games a query finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameTally {
    /// The number of games, all pages together.
    pub games: u64,
    /// The end was requested before every game was looked at: there may be more.
    pub interrupted: bool,
}

impl GameTally {
    /// The end was requested before any game was found.
    pub(super) const NONE_YET: Self = Self {
        games: 0,
        interrupted: true,
    };

    /// The number, if it is the complete one.
    pub(super) fn whole(self, store: &Store) -> Result<u64, StoreError> {
        if self.interrupted {
            return Err(store.interrupted());
        }
        Ok(self.games)
    }
}

/// Why a selection ends before its last match.
#[derive(Debug)]
pub(super) enum SelectionStop {
    /// No more are wanted.
    Enough,
    Failed(StoreError),
}

impl From<StoreError> for SelectionStop {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl SelectionStop {
    /// Ends where a visitor has failed, and keeps why.
    pub(super) fn at_failure<E>(said: Result<(), E>, failed: &mut Option<E>) -> Result<(), Self> {
        said.map_err(|error| {
            *failed = Some(error);
            Self::Enough
        })
    }
}

/// Takes the matches of a query as they are found, hands on those that are on the
/// page, and counts all.
pub(super) struct ResultPage<'v> {
    store: &'v Store,
    skip: u64,
    room: u64,
    total: u64,
    /// The matches after the page are counted.
    counts_all: bool,
    hand_on: &'v mut dyn FnMut(SelectedGame) -> Result<(), SelectionStop>,
}

impl<'v> ResultPage<'v> {
    /// A page of all matches.
    fn of_all(
        store: &'v Store,
        hand_on: &'v mut dyn FnMut(SelectedGame) -> Result<(), SelectionStop>,
    ) -> Self {
        Self {
            store,
            skip: 0,
            room: u64::MAX,
            total: 0,
            counts_all: true,
            hand_on,
        }
    }

    /// The page of a query.
    pub(super) fn of(
        store: &'v Store,
        plan: &AccessPlan,
        hand_on: &'v mut dyn FnMut(SelectedGame) -> Result<(), SelectionStop>,
    ) -> Self {
        Self {
            store,
            skip: plan.page.offset,
            room: plan.page.limit.unwrap_or(u64::MAX),
            total: 0,
            counts_all: true,
            hand_on,
        }
    }

    /// The same for a caller that does not need the number of all.
    pub(super) fn without_total(self) -> Self {
        Self {
            counts_all: false,
            ..self
        }
    }

    /// How many of the matches to come matter for more than their number.
    const fn wanted(&self) -> u64 {
        if self.room == 0 {
            0
        } else {
            self.skip.saturating_add(self.room)
        }
    }

    /// Whether the matches to come matter for nothing but their number.
    const fn only_counts(&self) -> bool {
        self.room == 0 && self.counts_all
    }

    /// Takes the next match.
    pub(super) fn push(&mut self, found: SelectedGame) -> Result<(), SelectionStop> {
        self.total += 1;
        self.pass_on(found)
    }

    fn pass_on(&mut self, found: SelectedGame) -> Result<(), SelectionStop> {
        if self.room > 0 {
            if self.skip > 0 {
                self.skip -= 1;
                return Ok(());
            }
            self.room -= 1;
            // What was found is handed on, whether or not more of it is waited for.
            let _fetching = self.store.fetching();
            (self.hand_on)(found)?;
        }
        if self.room == 0 && !self.counts_all {
            return Err(SelectionStop::Enough);
        }
        Ok(())
    }
}

/// Gives a page the games of its query. Returns how many there are in all.
pub(super) fn each(
    store: &Store,
    plan: &AccessPlan,
    mut page: ResultPage<'_>,
) -> Result<GameTally, StoreError> {
    let selected = if plan.page.sort == SortKey::Id && !plan.page.descending {
        as_imported(store, plan, &mut page)
    } else if plan.page.then.is_empty() {
        sorted::<u64>(store, plan, &mut page)
    } else {
        sorted::<u128>(store, plan, &mut page)
    };
    let tally = |interrupted| GameTally {
        games: page.total,
        interrupted,
    };
    match selected {
        // What was found is found, even if the user does not want to wait for the rest.
        Err(SelectionStop::Failed(error)) if matches!(error.kind, StoreErrorKind::Interrupted) => {
            Ok(tally(true))
        }
        Err(SelectionStop::Failed(error)) => Err(error),
        Ok(()) | Err(SelectionStop::Enough) => Ok(tally(false)),
    }
}

fn sorted<K: GameKey>(
    store: &Store,
    plan: &AccessPlan,
    page: &mut ResultPage<'_>,
) -> Result<(), SelectionStop> {
    let mut keys = SortKeys::new(store, plan)?;
    let mut left = Some(K::LEAST);
    // Once the end was requested: what was found until then is what there is.
    let mut cut: Option<(StoreError, NoInterruptGuard)> = None;
    page.counts_all = false;
    while let Some(from) = left {
        let mut sorter = Sorter::new(page.wanted(), from);
        let (mut waiting, mut seen) = (Vec::new(), 0);
        let is_first = from == K::LEAST;
        let most = if is_first { u64::MAX } else { page.total };
        let mut gather = |found| {
            if seen == most {
                return Err(SelectionStop::Enough);
            }
            seen += 1;
            waiting.push(found);
            if waiting.len() == BATCH_GAMES {
                keys.keys_of(&waiting)?
                    .into_iter()
                    .for_each(|key| sorter.push(key));
                waiting.clear();
            }
            Ok(())
        };
        match as_imported(store, plan, &mut ResultPage::of_all(store, &mut gather)) {
            Err(SelectionStop::Failed(error))
                if is_first && matches!(error.kind, StoreErrorKind::Interrupted) =>
            {
                cut = Some((error, store.fetching()));
            }
            Err(SelectionStop::Enough) => {}
            other => other?,
        }
        page.total = seen;
        keys.keys_of(&waiting)?
            .into_iter()
            .for_each(|key| sorter.push(key));
        let (sorted, bound) = sorter.finish();
        let shown = sorted.map(SortKeys::selected).try_for_each(|found| {
            store.go_on()?;
            page.pass_on(found)
        });
        match shown {
            // A full page of a part of the games is not one of all of them.
            Err(SelectionStop::Enough) if cut.is_some() => break,
            shown => shown?,
        }
        left = bound;
    }
    cut.map_or(Ok(()), |(error, _)| Err(error.into()))
}

fn as_imported(
    store: &Store,
    plan: &AccessPlan,
    page: &mut ResultPage<'_>,
) -> Result<(), SelectionStop> {
    if let Some(pattern) = &plan.pattern {
        let (filter, in_variation) = around_pattern(store, plan)?;
        if !plan.has_position() {
            return pattern::select(store, pattern, &filter, page);
        }
        let mut take = |found: SelectedGame| {
            page.push(SelectedGame {
                in_variation: in_variation.contains_game(found.game),
                ..found
            })
        };
        return pattern::select(
            store,
            pattern,
            &filter,
            &mut ResultPage::of_all(store, &mut take),
        );
    }
    let filter = CompiledFilter::new(store, &plan.conditions)?;
    let starts = filter::starts_of(store, &plan.diagrams)?;
    let mut begins = |_, facts: &PackedFacts| Ok(starts.contains(facts.start));
    match &plan.position {
        Some(position) => {
            let mut drawn = Vec::new();
            if !starts.is_empty() {
                let mut take = |found| {
                    drawn.push(found);
                    Ok(())
                };
                let look = (&[FactColumn::Start][..], &mut begins as _);
                by_facts(
                    store,
                    &filter,
                    &mut ResultPage::of_all(store, &mut take),
                    Some(look),
                )?;
            }
            let filter = ruleset::within(store, position, filter)?;
            by_position(store, position, &filter, drawn, page)
        }
        None if !plan.diagrams.is_empty() => {
            let look = (&[FactColumn::Start][..], &mut begins as _);
            by_facts(store, &filter, page, Some(look))
        }
        None if filter.is_empty() => everything(store, filter.removed(), page),
        None => by_facts(store, &filter, page, None),
    }
}

/// What games must be like beside the pattern of a plan: its conditions hold, and they reach its
/// position, which the index knows; with the games that do in variations alone.
pub(super) fn around_pattern(
    store: &Store,
    plan: &AccessPlan,
) -> Result<(CompiledFilter, IdSet), StoreError> {
    let mut filter = CompiledFilter::new(store, &plan.conditions)?;
    if !plan.has_position() {
        return Ok((filter, IdSet::default()));
    }
    let reaching = pattern::reaching(store, plan.position.as_ref(), &plan.diagrams)?;
    filter.limit_games(reaching.games);
    Ok((filter, reaching.in_variation))
}

/// The games that reach a position and pass the filter, in order with others that are given.
fn by_position(
    store: &Store,
    position: &PositionQuery,
    filter: &CompiledFilter,
    others: Vec<SelectedGame>,
    page: &mut ResultPage<'_>,
) -> Result<(), SelectionStop> {
    let is_alone = others.is_empty();
    let mut others = others.into_iter().peekable();
    let targets = SearchTarget::all(position);
    let mut passing = filter.reader(store);
    for segment in store.index()? {
        store.go_on()?;
        let select = |found: &locate::ReachingGame| SelectedGame {
            game: segment.first_game + u64::from(found.game),
            in_variation: found.in_variation,
        };
        if !filter.may_take_any(store, &segment)? {
            continue;
        }
        let few = filter.few_in(store, &segment)?;
        // Unfiltered, a list is counted by its head and read as far as the page goes.
        if few.is_none()
            && is_alone
            && let Some(left_out) = filter.left_out(store, &segment)?
            && let most = page.wanted().saturating_add(left_out.len() as u64)
            && let Some(united) = locate::united(store, &segment, &targets, most)?
        {
            let left_out = locate::matches_among(store, &segment, &targets, &left_out)?;
            let total = page.total + united.count().saturating_sub(left_out.len() as u64);
            let is_out = |game| left_out.iter().any(|out| out.game == game);
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let listed = united.in_order().into_iter().take(most);
            for found in listed.filter(|found| !is_out(found.game)) {
                store.go_on()?;
                page.push(select(&found))?;
            }
            page.total = total;
            continue;
        }
        let found = match few {
            Some(few) => locate::matches_among(store, &segment, &targets, &few)?,
            None => locate::matches(store, &segment, &targets)?,
        };
        for found in found {
            store.go_on()?;
            let found = select(&found);
            while let Some(other) = others.next_if(|other| other.game < found.game) {
                page.push(other)?;
            }
            if passing.passes(found.game)? {
                page.push(found)?;
            }
        }
    }
    others.try_for_each(|other| page.push(other))
}

/// Every game there is, counted by the last one's number.
fn everything(
    store: &Store,
    removed: &RangeMap,
    page: &mut ResultPage<'_>,
) -> Result<(), SelectionStop> {
    let last = store.last_game()?;
    let first = if removed.is_empty() {
        std::mem::take(&mut page.skip).saturating_add(1)
    } else {
        1
    };
    for game in first..=last {
        if page.room == 0 {
            break;
        }
        store.go_on()?;
        if !removed.contains(game) {
            page.push(SelectedGame::plain(game))?;
        }
    }
    page.total = last - removed.count();
    Ok(())
}

/// A further look at games, and the columns of facts that it needs.
type ExtraPredicate<'l> = (
    &'l [FactColumn],
    &'l mut dyn FnMut(GameId, &PackedFacts) -> Result<bool, StoreError>,
);

/// The games whose facts pass the filter and a further look, if there is one.
fn by_facts(
    store: &Store,
    filter: &CompiledFilter,
    page: &mut ResultPage<'_>,
    mut look: Option<ExtraPredicate<'_>>,
) -> Result<(), SelectionStop> {
    if filter.takes_none() {
        return Ok(());
    }
    let is_decided = look.is_none() && !filter.asks_annotations();
    if is_decided && let Some(mut games) = filter.games_by_number() {
        return games.try_for_each(|game| {
            store.go_on()?;
            page.push(SelectedGame::plain(game))
        });
    }
    let (mut passing, mut blocks) = (filter.reader(store), store.fact_blocks(1));
    while let Some(first) = blocks.advance()? {
        store.go_on()?;
        let mut left = filter.leave(first, &mut blocks)?;
        passing.leave(first, &mut blocks, &mut left)?;
        if is_decided && page.only_counts() {
            page.total += left.count();
            continue;
        }
        if left.is_empty() {
            continue;
        }
        if let Some((looks_at, _)) = &look {
            blocks.read(looks_at)?;
        }
        for place in left.iter() {
            store.go_on()?;
            let game = first + place as u64;
            if let Some((_, look)) = &mut look
                && !look(game, &blocks.columns().row(place))?
            {
                continue;
            }
            if is_decided || passing.passes_annotations(game)? {
                page.push(SelectedGame::plain(game))?;
            }
        }
    }
    Ok(())
}
