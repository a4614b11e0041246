//! Answers queries: plans them, finds their games, reads these completely, counts their moves.

mod comments;
mod deep_tree;
mod explain;
mod explorer;
mod filter;
mod game_tree;
mod games;
mod group;
mod locate;
mod moves;
mod movetext;
mod names;
mod novelty;
mod openings;
mod pattern;
mod plan;
pub mod planner;
mod player;
mod repertoire;
mod results;
mod rows;
mod ruleset;
mod select;
mod sort;
pub(crate) mod tags;
mod tree;
mod values;
mod view;
mod visits;

pub use deep_tree::{TreeDepth, deep_tree};
pub use explain::{QueryPlan, QueryPlanStep, explain};
pub use explorer::{PositionSummary, SampleGame, SummaryParts, explore};
pub use game_tree::{GameTree, TREE_DEPTH_MAX, TreeLine, TreeNode, TreeStart, TreeText};
pub use games::{GameReader, StoredGame};
pub use group::{GameGroup, GameGroups, NameJoining, groups};
pub use movetext::{BoardAt, MoveNotation};
pub use names::{NameMatches, NameQuery, no_such_name, spell_out, suggestions};
pub use novelty::{Novelty, NoveltyFinder};
pub use pattern::{BoundQuery, prepare, variants};
pub use plan::{AccessPath, AccessPlan, ColumnUse, GameConditions, PatternQuery, ResolvedNames};
pub use player::{MatchedPlayer, PlayerMatch, SpellingGames, one_player};
pub use repertoire::{
    ComparedMove, ComparedPosition, GapKind, Repertoire, RepertoireGap, RepertoireVisit,
    UnreadVariation, gaps,
};
pub use results::{Hit, ScoreSum, SearchResult, SingleGame, Tree, TreeBranch, TreeMove};
pub use rows::GameTables;
pub use ruleset::{OtherVariantGames, elsewhere, instead, is_played};
pub use tags::{UnknownTag, has_words, unknown_tags};
pub use tree::{rating_difference, tree};
pub use values::MoveAnnotation;
pub use view::ViewedPlayer;
pub use visits::{
    LineVisit, MoveCode, each_line, each_visit, line_moves, line_with_end, move_names,
};

use crate::{
    base::record::GameId,
    query::{GameCondition, pattern::similarity::ModelBoard},
    store::{Store, StoreError, StoreErrorKind},
};
use locate::SearchTarget;
pub use select::GameTally;
use select::{ResultPage, SelectedGame, SelectionStop};

/// How many games a query finds.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn count(store: &Store, plan: &AccessPlan) -> Result<u64, StoreError> {
    tally(store, plan)?.whole(store)
}

/// How many games a query finds, or has found when the end was requested.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn tally(store: &Store, plan: &AccessPlan) -> Result<GameTally, StoreError> {
    let plan = plan.with_limit(Some(0));
    select::each(store, &plan, ResultPage::of(store, &plan, &mut |_| Ok(())))
}

/// All games that a query finds, in the order in which they were imported.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn all_games(store: &Store, plan: &AccessPlan) -> Result<Vec<GameId>, StoreError> {
    let (games, tally) = games_until_stopped(store, plan)?;
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
    plan: &AccessPlan,
) -> Result<(Vec<GameId>, GameTally), StoreError> {
    let plan = plan.with_limit(None);
    let mut games = Vec::new();
    let mut take = |found: SelectedGame| {
        games.push(found.game);
        Ok(())
    };
    let tally = select::each(store, &plan, ResultPage::of(store, &plan, &mut take))?;
    Ok((games, tally))
}

/// The conditions of a plan on games, with its pattern, if it has one, as the numbers of the games that
/// it finds; and whether the end was requested before these were all.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn conditions_of_games(
    store: &Store,
    plan: &AccessPlan,
) -> Result<(GameConditions, bool), StoreError> {
    let mut conditions = plan.conditions.clone();
    if plan.pattern.is_none() {
        return Ok((conditions, false));
    }
    let (games, tally) = games_until_stopped(store, plan)?;
    conditions.all.push(GameCondition::games(&games));
    Ok((conditions, tally.interrupted))
}

/// Finds games, with their next moves written in some way.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn search(
    store: &Store,
    plan: &AccessPlan,
    writing: MoveNotation,
) -> Result<SearchResult, StoreError> {
    let mut hits = Vec::new();
    let tally = each_hit::<StoreError>(store, plan, writing, &mut |hit| {
        hits.push(hit);
        Ok(())
    })?;
    Ok(SearchResult {
        total: tally.games,
        interrupted: tally.interrupted,
        offset: plan.page.offset,
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
    plan: &AccessPlan,
    writing: MoveNotation,
    visit: &mut dyn FnMut(Hit) -> Result<(), E>,
) -> Result<GameTally, E> {
    let targets = plan.position.as_ref().map(SearchTarget::all);
    let diagrams = filter::starts_of(store, &plan.diagrams)?;
    let facts = match &plan.pattern {
        Some(pattern) if !plan.has_position() => pattern::facts_of_hits(store, pattern),
        _ => Ok(Vec::new()),
    };
    let facts = match facts {
        Err(StoreError {
            kind: StoreErrorKind::Interrupted,
            ..
        }) => return Ok(GameTally::NONE_YET),
        facts => facts?,
    };
    let model = plan.like.as_ref().map(ModelBoard::of);
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
        let hit = match (&targets, &plan.pattern) {
            _ if is_drawn => games.plain_hit(header)?,
            (Some(targets), _) => games.hit(header, found, targets)?,
            (None, Some(pattern)) => {
                games.hit_by_pattern(header, found, (plan, pattern, &facts))?
            }
            (None, None) => games.hit_by_conditions(header, &plan.conditions.all)?,
        };
        SelectionStop::at_failure(visit(hit), &mut failed)
    };
    let tally = select::each(store, plan, ResultPage::of(store, plan, &mut dress))?;
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
    plan: &AccessPlan,
    writing: MoveNotation,
    visit: &mut dyn FnMut(&StoredGame) -> Result<(), E>,
) -> Result<bool, E> {
    each_record(store, plan, writing, &mut |_, record| visit(record?))
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
    plan: &AccessPlan,
    writing: MoveNotation,
    visit: &mut RecordVisitor<'_, E>,
) -> Result<bool, E> {
    each_with_reader(store, plan, writing, &mut |games, game| {
        let record = games.record(game).transpose();
        match record.unwrap_or_else(|| Err(missing(store, game))) {
            Ok(record) => visit(game, Ok(&record)),
            Err(error) if matches!(error.kind, StoreErrorKind::Damaged { .. }) => {
                visit(game, Err(error))
            }
            Err(error) => Err(error.into()),
        }
    })
}

/// The same; the visitor gets the number of each game, and what reads it.
///
/// # Errors
///
/// As [`each_game`].
pub fn each_with_reader<E: From<StoreError>>(
    store: &Store,
    plan: &AccessPlan,
    writing: MoveNotation,
    visit: &mut dyn FnMut(&mut GameReader<'_>, GameId) -> Result<(), E>,
) -> Result<bool, E> {
    let mut games = GameReader::new(store).with_writing(writing);
    let mut failed = None;
    let mut read =
        |found: SelectedGame| SelectionStop::at_failure(visit(&mut games, found.game), &mut failed);
    let page = ResultPage::of(store, plan, &mut read).without_total();
    let tally = select::each(store, plan, page)?;
    failed.map_or(Ok(tally.interrupted), Err)
}

fn missing(store: &Store, game: GameId) -> StoreError {
    store.damaged(format!("game {game} is missing"))
}
