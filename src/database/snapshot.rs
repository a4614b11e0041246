//! One state of a database: answers to any number of calls belong together.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    ChangeEntry, Error, FindingQuery, FindingTotals, Game, Result, StoredFinding, error::VisitError,
};
use crate::{
    base::{
        observe::{CancellationToken, Observer},
        record::{GameHeader, GameId, GameRecord},
    },
    changes,
    games::{AnyPosition, notation::letters::Language, variation_tree::PlyRef},
    import::{self, findings},
    people::{NameGroups, NameSelection},
    query::{GroupKey, PositionQuery, Query},
    reports::{
        crosstable::{self, CrosstableAnswer, CrosstableOptions},
        departures::{self, DepartureOptions, DepartureReport},
        expectation::ExpectedScores,
        player::{self, PlayerReport, PlayerReportInput, PlayerReportOptions},
        position::{self, PositionReport, ReportOptions},
        structures::{self, StructureOptions, StructureQuery, StructureReport},
    },
    search::{
        self, AccessPlan, BoardAt, ComparedPosition, GameConditions, GameGroups, GameReader,
        GameTally, GameTree, Hit, MatchedPlayer, MoveNotation, NameJoining, Novelty, NoveltyFinder,
        PlayerMatch, PositionSummary, QueryPlan, Repertoire, SearchResult, StoredGame,
        SummaryParts, Tree, TreeDepth, ViewedPlayer,
        planner::{self, Resolution},
    },
    store::{CachedStore, NameTable, NoInterruptGuard, SharedFacts, SourcePlace, Store},
};

/// Takes games one by one, each with its number, or why it cannot be read.
pub type StoredGameVisitor<'v, E> = &'v mut dyn FnMut(GameId, Result<&StoredGame>) -> Result<(), E>;

/// One state of a database. Whatever other programs write meanwhile, its answers belong together.
///
/// Its methods take a query that was [planned](Self::plan), so that what is looked up for one
/// answer serves for the next.
#[derive(Debug)]
pub struct Snapshot<'s>(StoreRef<'s>);

#[derive(Debug)]
enum StoreRef<'s> {
    Own(Box<Store>),
    Lent(&'s Store),
}

impl Snapshot<'static> {
    pub(super) fn own(store: Store) -> Self {
        Self(StoreRef::Own(Box::new(store)))
    }
}

impl<'s> Snapshot<'s> {
    pub(super) const fn of(store: &'s Store) -> Self {
        Self(StoreRef::Lent(store))
    }

    pub(super) fn store(&self) -> &Store {
        match &self.0 {
            StoreRef::Own(store) => store,
            StoreRef::Lent(store) => store,
        }
    }

    /// The file of the database.
    pub fn path(&self) -> &Path {
        self.store().path()
    }

    /// What ends its answers before they are complete.
    pub fn stop(&self) -> &CancellationToken {
        self.store().stop()
    }

    /// Until it is dropped, reads go on although the end was requested: for what was found until
    /// then, and is soon read.
    pub fn pause_interrupts(&self) -> InterruptPause {
        InterruptPause {
            _guard: self.store().fetching(),
        }
    }

    /// The number of the database, and one that every change of it raises.
    ///
    /// # Errors
    ///
    /// If the database cannot be read or is damaged, as for all methods.
    pub fn state(&self) -> Result<[u64; 2]> {
        Ok(self.store().state()?)
    }

    /// The number of the last game. Numbers of deleted games are not given again.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn last_game(&self) -> Result<GameId> {
        Ok(self.store().last_game()?)
    }

    /// How many games there are.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn games(&self) -> Result<u64> {
        let removed = self.store().removed()?.count();
        Ok(self.store().last_game()?.saturating_sub(removed))
    }

    /// The change that has deleted a game, if one has, and whether `optimize` has given it up.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn deletion(&self, game: GameId) -> Result<Option<(i64, bool)>> {
        let Some(change) = self.store().removed()?.mark_of(game) else {
            return Ok(None);
        };
        Ok(Some((change, self.store().purged()?.contains(game))))
    }

    /// What a query means here: which names it finds, which games have its position, and which data
    /// answers each of its conditions.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), and if the database has no board that the query fits.
    pub fn plan(&self, query: &Query) -> Result<Resolution> {
        Ok(planner::plan(self.store(), query)?)
    }

    /// How many games a query finds.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), and [`ErrorKind::Interrupted`](super::ErrorKind::Interrupted).
    pub fn count(&self, plan: &AccessPlan) -> Result<u64> {
        Ok(search::count(self.store(), plan)?)
    }

    /// How many games a query finds, or has found when the end was requested.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn tally(&self, plan: &AccessPlan) -> Result<GameTally> {
        Ok(search::tally(self.store(), plan)?)
    }

    /// How a query is answered, given the number of games that it finds.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn explain(&self, plan: &AccessPlan, found: u64) -> Result<QueryPlan> {
        Ok(search::explain(self.store(), plan, found)?)
    }

    /// The page of games that a query finds.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn search(&self, plan: &AccessPlan, notation: MoveNotation) -> Result<SearchResult> {
        Ok(search::search(self.store(), plan, notation)?)
    }

    /// Gives the games of the page of a query one by one, as they are found, until the visitor
    /// fails. Returns how many games the query finds on all pages.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), and that of the visitor.
    pub fn each_hit<E: From<Error>>(
        &self,
        plan: &AccessPlan,
        notation: MoveNotation,
        visit: &mut dyn FnMut(Hit) -> Result<(), E>,
    ) -> Result<GameTally, E> {
        let mut visit = |hit| visit(hit).map_err(VisitError::Visitor);
        let tally = search::each_hit(self.store(), plan, notation, &mut visit);
        tally.map_err(VisitError::into_own)
    }

    /// Gives the complete games of the page of a query one by one, with their numbers, or why a game
    /// cannot be read, until the visitor fails. Returns whether the end was requested before the
    /// last of them.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), and that of the visitor.
    pub fn each_game<E: From<Error>>(
        &self,
        plan: &AccessPlan,
        notation: MoveNotation,
        visit: StoredGameVisitor<'_, E>,
    ) -> Result<bool, E> {
        let is_cut = search::each_record(self.store(), plan, notation, &mut |game, record| {
            visit(game, record.map_err(Error::from)).map_err(VisitError::Visitor)
        });
        is_cut.map_err(VisitError::into_own)
    }

    /// The numbers of all games that a query finds.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn all_games(&self, plan: &AccessPlan) -> Result<Vec<GameId>> {
        Ok(search::all_games(self.store(), plan)?)
    }

    /// A game; `None` if there is no such game, or it was deleted.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn game(&self, id: GameId) -> Result<Option<Game>> {
        if self.store().removed()?.contains(id) {
            return Ok(None);
        }
        Ok(Game::read(&mut GameReader::new(self.store()), id)?)
    }

    /// Reads games, as several in a row are read faster than each for itself.
    pub fn reader(&self, notation: MoveNotation) -> Reader<'_> {
        Reader(GameReader::new(self.store()).with_writing(notation))
    }

    /// Where a game was read: the first of its sources; `None` if it is not on record.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn place(&self, game: GameId) -> Result<Option<SourcePlace>> {
        Ok(self.store().place(game)?)
    }

    /// The moves that were played in the position of a query, in the games that it finds.
    pub(super) fn tree(&self, query: &Query) -> Result<Tree> {
        let plan = self.plan(query)?.plan;
        let start = PositionQuery::of(AnyPosition::initial());
        let position = plan.position.as_ref().unwrap_or(&start);
        let (conditions, is_cut) = self.conditions(&plan)?;
        if is_cut {
            return Err(self.store().interrupted().into());
        }
        let language = MoveNotation::default().language;
        Ok(search::tree(self.store(), position, &conditions, language)?)
    }

    /// A tree of several plies of a position, in games, of which a player's scores are counted if
    /// one is given; whether the end was requested before it was complete.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn deep_tree(
        &self,
        asked: (&PositionQuery, &GameConditions, Option<&ViewedPlayer>),
        depth: TreeDepth,
        language: &Language,
        observer: &dyn Observer,
    ) -> Result<(Tree, bool)> {
        let tree = search::deep_tree(self.store(), asked, depth, language, observer)?;
        Ok(tree)
    }

    /// What explorers show of a position.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn explore(
        &self,
        asked: (&PositionQuery, &GameConditions),
        parts: SummaryParts,
    ) -> Result<PositionSummary> {
        Ok(search::explore(self.store(), asked, parts)?)
    }

    /// The games of a query, counted by what they have in common.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn groups(
        &self,
        plan: &AccessPlan,
        by: &[GroupKey],
        exact_names: bool,
        viewed: Option<&ViewedPlayer>,
    ) -> Result<GameGroups> {
        let joining = if exact_names {
            NameJoining::None
        } else {
            NameJoining::All
        };
        let groups = search::groups(self.store(), plan, by, joining, viewed)?;
        Ok(groups)
    }

    /// The player whose scores a query counts; `None` if it names none.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn viewed_player(&self, plan: &AccessPlan) -> Result<Option<ViewedPlayer>> {
        Ok(ViewedPlayer::of(self.store(), plan)?)
    }

    /// The table of the event that the games of a plan belong to, or the events if they are several.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), and [`ErrorKind::Interrupted`](super::ErrorKind::Interrupted).
    pub fn crosstable(
        &self,
        plan: &AccessPlan,
        options: &CrosstableOptions,
    ) -> Result<CrosstableAnswer> {
        Ok(crosstable::crosstable(self.store(), plan, options)?)
    }

    /// What ratings let expect of a game of chess, with White's advantage as the games of the
    /// database show it.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn expectation(&self) -> Result<ExpectedScores> {
        Ok(ExpectedScores::read(self.store())?)
    }

    /// A report on a position: what is played there and then, by whom, and how it scored, in the
    /// games of a plan that reach it.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), and [`ErrorKind::Interrupted`](super::ErrorKind::Interrupted).
    pub fn report_position(
        &self,
        asked: (&AccessPlan, &PositionQuery),
        options: &ReportOptions,
        observer: &dyn Observer,
    ) -> Result<PositionReport> {
        Ok(position::report(self.store(), asked, options, observer)?)
    }

    /// The one player that a name means, if it means one.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn one_player(&self, name: &str, is_exact: bool) -> Result<PlayerMatch> {
        Ok(search::one_player(self.store(), name, is_exact)?)
    }

    /// A report on a player in the games of a plan.
    ///
    /// # Errors
    ///
    /// As [`report_position`](Self::report_position).
    pub fn report_player(
        &self,
        asked: (&MatchedPlayer, &AccessPlan),
        input: &PlayerReportInput<'_>,
        options: &PlayerReportOptions,
        observer: &dyn Observer,
    ) -> Result<PlayerReport> {
        Ok(player::report(
            self.store(),
            asked,
            input,
            options,
            observer,
        )?)
    }

    /// A report on a pawn structure or an ending in the games of a plan.
    ///
    /// # Errors
    ///
    /// As [`report_position`](Self::report_position).
    pub fn report_structure(
        &self,
        asked: (&AccessPlan, &StructureQuery),
        options: &StructureOptions,
        observer: &dyn Observer,
    ) -> Result<StructureReport> {
        Ok(structures::report(self.store(), asked, options, observer)?)
    }

    /// The conditions of a query on games, with its other conditions as the numbers of the games
    /// that they find; whether the end was requested before these were all.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn conditions(&self, plan: &AccessPlan) -> Result<(GameConditions, bool)> {
        Ok(search::conditions_of_games(self.store(), plan)?)
    }

    /// Looks up the names of some conditions, with all spellings of the same people.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn look_up_names(&self, conditions: &mut GameConditions) -> Result<()> {
        let GameConditions { all, names } = conditions;
        search::spell_out(self.store(), &*all, names, false)?;
        Ok(())
    }

    /// Names, grouped by whose they are: all, or those that are wanted.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn names(&self, table: NameTable, wanted: Option<NameSelection<'_>>) -> Result<NameGroups> {
        Ok(NameGroups::read(self.store(), table, wanted)?)
    }

    /// Names that are nearly written like a text, at most three.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn similar_names(&self, table: NameTable, text: &str) -> Result<Vec<String>> {
        Ok(search::suggestions(self.store(), table, text)?)
    }

    /// Finds where games left what was known before them.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn novelties(&self, notation: MoveNotation) -> Result<Novelties<'_>> {
        Ok(Novelties(NoveltyFinder::new(self.store(), notation)?))
    }

    /// The games of a database as a repertoire.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn repertoire(&self) -> Result<Repertoire> {
        Ok(Repertoire::read(self.store())?)
    }

    /// The positions of a repertoire for a side (0 White, 1 Black), as the games here reached them.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn compare(
        &self,
        repertoire: &Repertoire,
        asked: (&GameConditions, Option<usize>, &Language),
        observer: &dyn Observer,
    ) -> Result<Vec<ComparedPosition>> {
        Ok(repertoire.compare(self.store(), asked, observer)?)
    }

    /// Where the games of a plan leave a repertoire.
    ///
    /// # Errors
    ///
    /// As [`report_position`](Self::report_position).
    pub fn report_departures(
        &self,
        asked: (&Repertoire, &AccessPlan),
        options: &DepartureOptions,
        observer: &dyn Observer,
    ) -> Result<DepartureReport> {
        Ok(departures::report(self.store(), asked, options, observer)?)
    }

    /// All changes, in order.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn changes(&self) -> Result<Vec<ChangeEntry>> {
        Ok(changes::log(self.store())?)
    }

    /// The number of the last import.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn last_import(&self) -> Result<Option<u64>> {
        Ok(self.store().last_import()?)
    }

    /// Whether there was an import of that number.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn has_import(&self, import: u64) -> Result<bool> {
        Ok(self.store().has_import(import)?)
    }

    /// Those of some folders from which games were imported.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn known_folders(&self, folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
        Ok(import::known_folders(self.store(), folders)?)
    }

    /// Gives the diagnostics of imports one by one, until the visitor fails. Returns how many there
    /// are.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), and that of the visitor.
    pub fn each_finding<E: From<Error>>(
        &self,
        asked: &FindingQuery,
        visit: &mut dyn FnMut(StoredFinding) -> Result<(), E>,
    ) -> Result<FindingTotals, E> {
        let mut visit = |finding| visit(finding).map_err(VisitError::Visitor);
        let totals = findings::each_finding(self.store(), asked, self.stop(), &mut visit);
        totals.map_err(VisitError::into_own)
    }
}

/// Reads on after the end was requested, until it is dropped.
#[derive(Debug)]
#[must_use]
pub struct InterruptPause {
    _guard: NoInterruptGuard,
}

/// Reads games of a [`Snapshot`].
#[derive(Debug)]
pub struct Reader<'s>(GameReader<'s>);

impl Reader<'_> {
    /// What lists show of a game; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// If the database cannot be read or is damaged, as for all methods.
    pub fn header(&mut self, game: GameId) -> Result<Option<GameHeader>> {
        Ok(self.0.header(game)?)
    }

    /// A complete game; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// As [`header`](Self::header).
    pub fn game(&mut self, game: GameId) -> Result<Option<GameRecord>> {
        Ok(self.0.game(game)?)
    }

    /// A complete game, and the problem that it is, if it is one.
    ///
    /// # Errors
    ///
    /// As [`header`](Self::header).
    pub fn record(&mut self, game: GameId) -> Result<Option<StoredGame>> {
        Ok(self.0.record(game)?)
    }

    /// A game as a tree of its moves, with the position after each; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// As [`header`](Self::header).
    pub fn tree(&mut self, game: GameId) -> Result<Option<GameTree>> {
        Ok(self.0.tree(game)?)
    }

    /// The position at a place of a game, or at the end of its main line. `None` if there is no such
    /// game or place, or it cannot be played.
    ///
    /// # Errors
    ///
    /// As [`header`](Self::header).
    pub fn board_at(&mut self, game: GameId, place: Option<&PlyRef>) -> Result<Option<BoardAt>> {
        Ok(self.0.board_at(game, place)?)
    }
}

/// Finds where games of a [`Snapshot`] left what was known before them.
pub struct Novelties<'s>(NoveltyFinder<'s>);

impl Novelties<'_> {
    /// The first position of a game that no earlier game has; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// If the database cannot be read or is damaged.
    pub fn of(&mut self, game: GameId) -> Result<Option<Novelty>> {
        Ok(self.0.of(game)?)
    }
}

/// A database that answers many short queries: it stays open between them, but locks nothing.
#[derive(Debug)]
pub struct CachedDatabase(CachedStore);

impl CachedDatabase {
    /// A database that is opened at the first query. All that share facts are of the same file.
    pub fn new(path: &Path, stop: &CancellationToken, facts: &Arc<SharedFacts>) -> Self {
        Self(CachedStore::new(path, stop, facts))
    }

    /// Runs a query on the newest state, with whether that is another one than the last query saw.
    ///
    /// # Errors
    ///
    /// If the database cannot be read, and those of the query.
    pub fn ask<T, E: From<Error>>(
        &mut self,
        mut query: impl FnMut(&Snapshot<'_>, bool) -> Result<T, E>,
    ) -> Result<T, E> {
        let answer = self
            .0
            .ask(|store, is_new| query(&Snapshot::of(store), is_new).map_err(VisitError::Visitor));
        answer.map_err(VisitError::into_own)
    }

    /// Closes the file if another program has written to it meanwhile: for the time between queries.
    pub fn rest(&mut self) {
        self.0.rest();
    }
}
