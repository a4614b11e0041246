//! Wires queries to games: search, count, tree, complete games, and the check of
//! the index against its games.

mod check;
mod comments;
pub(in crate::db) mod condition;
mod deep_tree;
mod explain;
mod explorer;
mod filter;
mod games;
mod group;
mod locate;
mod moves;
mod movetext;
mod novelty;
mod openings;
mod pattern;
mod repertoire;
mod results;
mod rows;
mod ruleset;
mod select;
mod sort;
pub(in crate::db) mod tags;
mod tree;
mod values;
mod view;

pub(in crate::db) use filter::IdSet;

pub use check::{CheckReport, check};
pub use deep_tree::{TreeDepth, deep_tree};
pub use explain::{AccessPath, QueryPlan, QueryPlanStep, plan};
pub use explorer::{PositionSummary, SampleGame, SummaryParts, explore};
pub use games::{BoardAt, GameReader, MoveNotation, StoredGame};
pub use group::{GameGroup, GameGroups, groups};
pub use novelty::{Novelty, NoveltyFinder};
pub use pattern::{BoundQuery, prepare, variants};
pub use repertoire::{
    ComparedMove, ComparedPosition, GapKind, Repertoire, RepertoireGap, UnreadVariation, gaps,
};
pub use results::{Hit, ScoreSum, SearchResult, SingleGame, Tree, TreeBranch, TreeMove};
pub use rows::GameTables;
pub use ruleset::{OtherVariantGames, elsewhere, instead, is_played};
pub use tags::{UnknownTag, has_words, unknown_tags};
pub use tree::tree;
pub use view::ViewedPlayer;

use crate::query::{Query, SortKey, pattern::similarity::ModelBoard};
use crate::{
    base::record::GameId,
    db::store::{Store, StoreError, StoreErrorKind},
};
use locate::SearchTarget;
pub use select::GameTally;
use select::{ResultPage, SelectedGame, SelectionStop};

/// How many games a query finds.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn count(store: &Store, query: &Query) -> Result<u64, StoreError> {
    tally(store, query)?.whole(store)
}

/// How many games a query finds, or has found when the end was requested.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn tally(store: &Store, query: &Query) -> Result<GameTally, StoreError> {
    let query = Query {
        sort: SortKey::Id,
        descending: false,
        then: Vec::new(),
        offset: 0,
        limit: Some(0),
        ..query.clone()
    };
    select::each(
        store,
        &query,
        ResultPage::of(store, &query, &mut |_| Ok(())),
    )
}

/// All games that a query finds, in the order in which they were imported.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn all_games(store: &Store, query: &Query) -> Result<Vec<GameId>, StoreError> {
    let (games, tally) = games_until_stopped(store, query)?;
    tally.whole(store)?;
    Ok(games)
}

/// The same games, or those that were found when the end was requested.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn games_until_stopped(
    store: &Store,
    query: &Query,
) -> Result<(Vec<GameId>, GameTally), StoreError> {
    let query = Query {
        sort: SortKey::Id,
        descending: false,
        then: Vec::new(),
        offset: 0,
        limit: None,
        ..query.clone()
    };
    let mut games = Vec::new();
    let mut take = |found: SelectedGame| {
        games.push(found.game);
        Ok(())
    };
    let tally = select::each(store, &query, ResultPage::of(store, &query, &mut take))?;
    Ok((games, tally))
}

/// Finds games, with their next moves written in some way.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn search(
    store: &Store,
    query: &Query,
    writing: MoveNotation,
) -> Result<SearchResult, StoreError> {
    let mut hits = Vec::new();
    let tally = each_hit::<StoreError>(store, query, writing, &mut |hit| {
        hits.push(hit);
        Ok(())
    })?;
    Ok(SearchResult {
        total: tally.games,
        interrupted: tally.interrupted,
        offset: query.offset,
        hits,
    })
}

/// Gives the hits of a query's page one by one, in its order, each as soon as it is
/// found, until the visitor fails. Returns how many games match.
///
/// # Errors
///
/// That of the visitor, or [`StoreError`] if the database cannot be read or is damaged.
pub fn each_hit<E: From<StoreError>>(
    store: &Store,
    query: &Query,
    writing: MoveNotation,
    visit: &mut dyn FnMut(Hit) -> Result<(), E>,
) -> Result<GameTally, E> {
    let targets = query.position.as_ref().map(SearchTarget::all);
    let diagrams = filter::starts_of(store, query)?;
    let facts = match &query.asked {
        Some(asked) => pattern::facts_of_hits(store, asked),
        None => Ok(Vec::new()),
    };
    let facts = match facts {
        Err(StoreError {
            kind: StoreErrorKind::Interrupted,
            ..
        }) => return Ok(GameTally::NONE_YET),
        facts => facts?,
    };
    let asked = query.asked.as_ref();
    let model = asked
        .and_then(|asked| asked.like.as_ref())
        .map(ModelBoard::of);
    let mut games = GameReader::new(store).with_writing(writing);
    let mut failed = None;
    let mut dress = |found: SelectedGame| {
        let is_drawn = !diagrams.is_empty() && games.begins_in(found.game, &diagrams)?;
        let header = games.header(found.game)?;
        let header = header.ok_or_else(|| missing(store, found.game))?;
        if let Some(model) = &model {
            let hit = games.hit_by_likeness(header, model)?;
            return SelectionStop::at_failure(visit(hit), &mut failed);
        }
        if let Some(asked) = &query.asked {
            let hit = games.hit_by_pattern(header, found, (asked, &facts))?;
            return SelectionStop::at_failure(visit(hit), &mut failed);
        }
        let hit = match &targets {
            _ if is_drawn => games.plain_hit(header)?,
            Some(targets) => games.hit(header, found, targets)?,
            None => games.hit_by_conditions(header, &query.filter.all)?,
        };
        SelectionStop::at_failure(visit(hit), &mut failed)
    };
    let tally = select::each(store, query, ResultPage::of(store, query, &mut dress))?;
    failed.map_or(Ok(tally), Err)
}

/// Gives the complete games of a query's page one by one, in its order, until the visitor
/// fails. Returns whether the end was requested before the last of them was given.
///
/// # Errors
///
/// That of the visitor, or [`StoreError`] if the database cannot be read or is damaged.
pub fn each_game<E: From<StoreError>>(
    store: &Store,
    query: &Query,
    writing: MoveNotation,
    visit: &mut dyn FnMut(&StoredGame) -> Result<(), E>,
) -> Result<bool, E> {
    each_record(store, query, writing, &mut |_, record| visit(record?))
}

/// Takes the games of a query one by one, each with its number, or why it cannot be read.
pub type RecordVisitor<'v, E> =
    dyn FnMut(GameId, Result<&StoredGame, StoreError>) -> Result<(), E> + 'v;

/// The same; the visitor also gets the games that are damaged, as errors, and may go on.
///
/// # Errors
///
/// As [`each_game`].
pub fn each_record<E: From<StoreError>>(
    store: &Store,
    query: &Query,
    writing: MoveNotation,
    visit: &mut RecordVisitor<'_, E>,
) -> Result<bool, E> {
    let mut games = GameReader::new(store).with_writing(writing);
    let mut failed = None;
    let mut read = |found: SelectedGame| {
        let record = games.record(found.game).transpose();
        let record = record.unwrap_or_else(|| Err(missing(store, found.game)));
        let said = match record {
            Ok(record) => visit(found.game, Ok(&record)),
            Err(error) if matches!(error.kind, StoreErrorKind::Damaged { .. }) => {
                visit(found.game, Err(error))
            }
            Err(error) => return Err(error.into()),
        };
        SelectionStop::at_failure(said, &mut failed)
    };
    let page = ResultPage::of(store, query, &mut read).without_total();
    let tally = select::each(store, query, page)?;
    failed.map_or(Ok(tally.interrupted), Err)
}

fn missing(store: &Store, game: GameId) -> StoreError {
    store.damaged(format!("game {game} is missing"))
}
