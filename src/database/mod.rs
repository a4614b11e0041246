//! A database of games, as programs use it: one value that imports, searches, changes and checks.

mod changes;
mod copies;
mod error;
mod game;
mod info;
mod read;
mod search;
mod snapshot;
mod sql;

use std::{fmt, ops::ControlFlow, path::Path, sync::Arc};

use crate::{
    base::{
        observe::{CancellationToken, Event, NullObserver, Observer},
        record::GameId,
    },
    query::Query,
    store::Store,
};
use error::VisitError;

pub use crate::{
    changes::{
        ChangeEntry, CheckReport, DeleteReport, EditReport, MergeReport, NameDecision,
        OptimizeOptions, OptimizeReport, TagEdit, UndoReport,
        reindex::ReindexReport,
        repair::{DamagedGames, RepairReport},
        reread::{EvalChange, EvalOverride, RereadReport, RereadTarget, SourceReread},
    },
    identity::{ContainedGame, DedupeOptions, DedupePolicy, DedupeReport, DuplicateGroup},
    import::{
        AmbiguousFormat, DetectedLanguage, DuplicateAction, DuplicateGame, EvalsOfSource, Format,
        ImportOptions, ImportReport, IncompleteGame, MissingSource, NAMED, ReimportedDeletion,
        Sources, UnknownFormat, UnplayableSource, VariantCount,
        findings::{FindingQuery, FindingTotals, LostSource, StoredFinding},
        format_named,
    },
    people::{
        NameGroups, NameSelection,
        cluster::{JoinReason, NameGroup, NameSpelling, OUTWEIGHING},
        stats::SplitReason,
    },
    reports::{
        crosstable::{
            Crosstable, CrosstableAnswer, CrosstableOptions, EventKind, EventSummary, TableCell,
            TableRow, TieBreak,
        },
        departures::{
            DepartureKind, DepartureOptions, DepartureReport, GameDeparture, MoveOutside,
            RepertoireLeaf,
        },
        expectation::ExpectedScores,
        figures::{Difference, FigureRow, Figures, Residuals, ScoreRecord, SideResult},
        plans::{GamePlan, PlanLimits, PlanList, SidePlans, StepFigures, StepResult},
        player::{
            ClassGames, ClockClass, ErrorCounts, ErrorRow, ForecastKind, ForecastLine,
            GamesLeftOut, HeadToHead, LineChange, LineChanges, ModelGame, PlayerClock,
            PlayerEnding, PlayerEndings, PlayerErrors, PlayerIdentity, PlayerLine, PlayerOpening,
            PlayerReport, PlayerReportInput, PlayerReportOptions, RareLine, RepertoireForecast,
            RepertoireInput,
        },
        position::{
            MoveFigures, MoveOrder, NoveltyOfYear, PlayerShare, PositionReport, ReportOptions,
            Trend,
        },
        significance,
        structures::{
            EndingSpec, NAMED_STRUCTURES, NamedStructure, PawnDifference, ReachedFigures,
            SkeletonWidth, StructureOpening, StructureOptions, StructureQuery, StructureReport,
            structure_named,
        },
        timeline::YearFigures,
    },
    search::{
        AccessPath, AccessPlan, BoardAt, BoundQuery, ComparedMove, ComparedPosition,
        GameConditions, GameGroup, GameGroups, GameTally, GameTree, GapKind, Hit, MatchedPlayer,
        MoveNotation, NameMatches, NameQuery, Novelty, OtherVariantGames, PatternQuery,
        PlayerMatch, PositionSummary, QueryPlan, QueryPlanStep, Repertoire, RepertoireGap,
        SampleGame, ScoreSum, SearchResult, SingleGame, SpellingGames, StoredGame, SummaryParts,
        TREE_DEPTH_MAX, Tree, TreeBranch, TreeDepth, TreeLine, TreeMove, TreeNode, TreeStart,
        TreeText, UnreadVariation, ViewedPlayer, gaps, has_words, no_such_name,
        planner::{QueryReading, Resolution},
    },
    store::{ChangeKind, NameTable, SharedFacts, SourcePlace, SqlTable, SqlValue},
};
pub use copies::Replacement;
pub use error::{Error, ErrorKind, Result};
pub use game::{Game, PlayedMove, Positions};
pub use info::{GameDiagnostic, Info, Provenance};
pub use read::{ReadGames, read_games};
pub use search::{Games, Hits, Search};
pub use snapshot::{
    CachedDatabase, InterruptPause, Novelties, Reader, Snapshot, StoredGameVisitor,
};
pub use sql::SqlRows;

/// A database: a file that plydex has written.
///
/// It is cheap to clone, and may be used by several threads at once. Every call works on one state
/// of the database, whatever other programs write meanwhile. A call that changes something does all of it or nothing, but for an
/// import, which keeps what it has read; each change is in the [log](Self::changes) and can be
/// [undone](Self::undo).
///
/// Calls that take long report to an [`Observer`], and end when a [`CancellationToken`] asks.
#[derive(Clone)]
pub struct Database {
    path: Arc<Path>,
    stop: CancellationToken,
    observer: Arc<dyn Observer + Send + Sync>,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Database").field(&self.path).finish()
    }
}

impl Database {
    /// Opens a database that exists.
    ///
    /// # Errors
    ///
    /// If there is no such file, it is not a database, or another version has written it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let database = Self::at(path);
        database.ask(|_| Ok::<_, Error>(()))?;
        Ok(database)
    }

    /// Opens a database to write to it, and makes it if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is not a database.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let database = Self::at(path);
        drop(Store::create_or_open(&database.path, &database.stop)?);
        Ok(database)
    }

    /// The database of a path, at which nothing is looked at before the first call. An import makes
    /// the file if there is none, and leaves none behind if nothing comes of it.
    pub fn at(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().into(),
            stop: CancellationToken::default(),
            observer: Arc::new(NullObserver),
        }
    }

    /// The same database, whose calls report to an observer, and end when that asks: by
    /// [`ControlFlow::Break`] or by its [token](Observer::stop).
    ///
    /// The observer is called by the thread of the call, and by threads that it starts.
    #[must_use]
    pub fn with_observer(self, observer: impl Observer + Send + 'static) -> Self {
        Self {
            stop: self.stop.either(&observer.stop()),
            observer: Arc::new(observer),
            ..self
        }
    }

    /// The same database, whose calls end when the token asks, or one that was given before.
    ///
    /// Calls that keep what they have done until then return a report that says `interrupted`: import,
    /// check, repair and reindex, if they had begun. All others fail with [`ErrorKind::Interrupted`],
    /// and have changed nothing. A call that is soon done may be completed.
    #[must_use]
    pub fn with_cancellation(self, stop: &CancellationToken) -> Self {
        Self {
            stop: self.stop.either(stop),
            ..self
        }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, as all calls below.
    pub fn info(&self) -> Result<Info> {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "a method of a type with a lifetime is not general enough"
        )]
        self.ask(|snapshot| snapshot.info())
    }

    /// The games that a query finds, as they are found: see [`Search`].
    pub fn search(&self, query: &Query) -> Search {
        Search::of(self, query)
    }

    /// How many games a query finds.
    ///
    /// # Errors
    ///
    /// If the database has no board that the query fits, as for all queries.
    pub fn count(&self, query: &Query) -> Result<u64> {
        self.ask(|snapshot| snapshot.count(&snapshot.plan(query)?.plan))
    }

    /// How a query is answered: what each of its conditions costs and leaves.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn explain(&self, query: &Query) -> Result<QueryPlan> {
        self.ask(|snapshot| {
            let plan = snapshot.plan(query)?.plan;
            let found = snapshot.count(&plan)?;
            snapshot.explain(&plan, found)
        })
    }

    /// The moves that were played in the position of a query, with their results, in the games that
    /// it finds. A query without a position has the start position of chess.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn tree(&self, query: &Query) -> Result<Tree> {
        self.ask(|snapshot| snapshot.tree(query))
    }

    /// A game with its tags, moves, comments and variations; `None` if there is no such game, or it
    /// was deleted.
    ///
    /// # Errors
    ///
    /// As [`info`](Self::info).
    pub fn game(&self, id: GameId) -> Result<Option<Game>> {
        self.ask(|snapshot| snapshot.game(id))
    }

    /// The complete games that a query finds, one after the other.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn games(&self, query: &Query) -> Result<Games> {
        self.search(query).games()
    }

    /// Where each game of a query left what earlier games had played, in the order of the query.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn novelties(&self, query: &Query) -> Result<Vec<Novelty>> {
        self.ask(|snapshot| {
            let plan = snapshot.plan(query)?.plan;
            let found = snapshot.search(&plan, MoveNotation::default())?;
            let mut novelties = snapshot.novelties(MoveNotation::default())?;
            let all = found.hits.iter().map(|hit| novelties.of(hit.header.id));
            all.filter_map(Result::transpose).collect()
        })
    }

    /// Names of players, events or sites, with the spellings of each, those with the most games
    /// first.
    ///
    /// # Errors
    ///
    /// As [`info`](Self::info).
    pub fn names(&self, table: NameTable) -> Result<NameGroups> {
        self.ask(|snapshot| snapshot.names(table, None))
    }

    /// All changes, in order: imports, deletions, edits and what undid them.
    ///
    /// # Errors
    ///
    /// As [`info`](Self::info).
    pub fn changes(&self) -> Result<Vec<ChangeEntry>> {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "a method of a type with a lifetime is not general enough"
        )]
        self.ask(|snapshot| snapshot.changes())
    }

    /// One state of the database. While it is held, a writer need not wait, but the file keeps a
    /// log beside it.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    #[doc(hidden)]
    pub fn snapshot(&self) -> Result<Snapshot<'static>> {
        Ok(Snapshot::own(Store::open(&self.path, &self.stop)?))
    }

    /// Runs short queries, whose answers are complete before any of them is used, on one state of
    /// the database. They run again where a writer would have to wait for them.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and those of the queries.
    #[doc(hidden)]
    pub fn ask<T, E: From<Error>>(
        &self,
        mut queries: impl FnMut(&Snapshot<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        Store::ask(&self.path, &self.stop, |store| {
            queries(&Snapshot::of(store)).map_err(VisitError::Visitor)
        })
        .map_err(VisitError::into_own)
    }

    /// What the calls of the modules report to.
    fn watch(&self) -> CallObserver<'_> {
        CallObserver {
            stop: &self.stop,
            observer: &*self.observer,
        }
    }
}

/// The observer of a database, which also ends calls when the token of the database asks.
struct CallObserver<'d> {
    stop: &'d CancellationToken,
    observer: &'d (dyn Observer + Send + Sync),
}

impl Observer for CallObserver<'_> {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        let said = self.observer.on(event);
        if self.stop.is_cancelled() {
            return ControlFlow::Break(());
        }
        said
    }

    fn stop(&self) -> CancellationToken {
        self.stop.clone()
    }
}
