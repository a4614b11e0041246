//! plydex is a database of board games: it imports archives of chess, its variants, draughts and
//! xiangqi in any usual format, and finds their games by position, by what happens in them, and by
//! players, ratings, dates and tags. A database is one file.
//!
//! ```
//! use plydex::{Database, ImportOptions, Query};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.plydex");
//! // Any number of files and folders: PGN, PDN, EPD and others, compressed or not.
//! let database = Database::create(&path)?;
//! let report = database.import(["sample-data/pgn"], &ImportOptions::default())?;
//! assert!(report.stored > 0);
//!
//! // Moves from the start position, a FEN, or a text in the language of queries.
//! let sicilian = Query::typed("e4 c5")?;
//! for hit in database.search(&sicilian).limit(3).hits()? {
//!     let hit = hit?;
//!     println!("{} - {} {}", hit.header.white, hit.header.black, hit.header.result);
//! }
//!
//! // Queries are parsed from text, and joined.
//! let query = sicilian.and("result:1-0 and Qh5".parse()?);
//! println!("{} games", database.count(&query)?);
//!
//! // The moves of a position, and how they scored.
//! for line in database.tree(&Query::typed("e4")?)?.moves {
//!     println!("{:8} {:6}", line.san, line.score.games);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! - [`Database`] has everything that can be done with a database: import, search, tree, changes
//!   that can be undone, check, backup.
//! - [`Query`] is what is searched for. The language is described in `docs/query-language.md`.
//! - [`Search`] is a query before it runs; [`Hits`] and [`Games`] are its lazy answers.
//! - [`Game`] has tags, movetext and the positions of its main line.
//! - [`read_games()`] reads games without a database, and says what is wrong with each.
//! - [`Error`] says what went wrong; its [kind](ErrorKind) is for programs, its text and its
//!   [hint](Error::hint) for people.
//!
//! A [`Database`] may be cloned and used by several threads. Long calls report to an [`Observer`] and
//! end when a [`CancellationToken`] asks.
//!
//! # Features
//!
//! - `cli` (default) builds the command line and the server. A program that embeds the library does
//!   without: `plydex = { version = "0.1", default-features = false }`.
//! - `parquet` and `sevenz` (default) read tables in Parquet and 7z archives.

/// The modules in their order. They stand in one that is private, for of what stands in a hidden
/// module rustdoc would leave out the methods.
#[path = "."]
#[cfg_attr(
    not(feature = "cli"),
    expect(dead_code, reason = "the command line uses more of the interface")
)]
mod modules {
    pub mod base;
    pub mod blocks;
    pub mod changes;
    pub mod database;
    pub mod draw;
    pub mod formats;
    pub mod games;
    pub mod identity;
    pub mod import;
    pub mod index;
    pub mod input;
    pub mod people;
    pub mod pgn;
    pub mod problems;
    pub mod query;
    pub mod replay;
    pub mod reports;
    pub mod search;
    pub mod store;

    #[cfg(feature = "cli")]
    pub mod cli;
}

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use modules::cli;
#[doc(hidden)]
pub use modules::{
    base, blocks, changes, database, draw, formats, games, identity, import, index, input, people,
    pgn, problems, query, replay, reports, search, store,
};

pub use base::observe::{CancellationToken, Event, NullObserver, Observer};
pub use base::record::{
    GameFormat, GameHeader, GameId, GameRecord, MoveForm, MovetextItem, OpeningName, Outcome,
    PdnFacts, ProblemFacts,
};
pub use database::{
    AccessPath, AmbiguousFormat, ChangeEntry, ChangeKind, CheckReport, ContainedGame, Database,
    DedupeOptions, DedupePolicy, DedupeReport, DeleteReport, DetectedLanguage, DuplicateAction,
    DuplicateGame, DuplicateGroup, EditReport, Error, ErrorKind, EvalChange, EvalOverride,
    EvalsOfSource, Game, GameDiagnostic, Games, Hit, Hits, ImportOptions, ImportReport,
    IncompleteGame, Info, MergeReport, MissingSource, MoveNotation, NameDecision, NameGroup,
    NameGroups, NameSpelling, NameTable, Novelty, OptimizeReport, PlayedMove, Positions, QueryPlan,
    QueryPlanStep, ReadGames, ReimportedDeletion, ReindexReport, RepairReport, RereadReport,
    RereadTarget, Result, ScoreSum, Search, SingleGame, SourceReread, Sources, SqlRows, SqlValue,
    TagEdit, Tree, TreeBranch, TreeMove, UndoReport, UnplayableSource, VariantCount, read_games,
};
pub use games::{
    AnyPosition as Position, Budget, BudgetExceeded, GameEnd, NextMove, variant::Variant,
};
pub use query::{
    Query, SortKey,
    pattern::{QueryError, TextSpan},
};
