//! What was typed about changes to a database, and how they are taken back.

use clap::Args as ClapArgs;

use super::args_output::AnswerArgs;
use super::args_query::{FilterArgs, PositionArgs};
use super::backend::{DedupePolicy, DuplicateAction};
use super::value_parsers;

/// `plydex log`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Every import, deletion, edit, merge and undo is a change with a number. The newest
is last.

Examples:
  plydex log
  plydex log --limit 0                    all changes
  plydex undo 12                          take change 12 back"
)]
pub struct LogArgs {
    /// Only the last N changes, 0 for all [default: 20]
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex undo`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Removes the effect of one change and keeps later ones. Games of an
undone import are removed, except those that another import has as well; deleted games
are restored under their numbers. Nothing is lost: an undo is itself a change, and you
can undo it.

Examples:
  plydex log                              the changes and their numbers
  plydex undo 12"
)]
pub struct UndoArgs {
    /// Number of the change, from the first column of log
    #[arg(value_name = "CHANGE", value_parser = value_parsers::whole::<i64>(1, i64::MAX as u64))]
    pub change: i64,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex delete`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Takes every option that selects games in search. Without --yes the games are only
listed. Deleted games keep their numbers, and `plydex undo` brings them back.
Importing the same file again does not; `import --restore-deleted` does, and another file with
`--duplicates keep` adds them as new games.

Examples:
  plydex delete --games 17,20-25          list these games
  plydex delete --games 17,20-25 --yes    delete them
  plydex delete --from-file old.pgn       all that was read from old.pgn
  plydex delete --variant bughouse --yes
  plydex undo 3                           take the deletion back"
)]
pub struct DeleteArgs {
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Only games that also match this query
    #[arg(long = "where", value_name = "QUERY", help_heading = "Position")]
    pub question: Option<String>,
    /// Delete them; without it they are only listed
    #[arg(long)]
    pub yes: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex edit`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "An existing tag gets the new value; a new tag is added. The moves, the
comments and the number of the game stay as they are. `plydex undo` undoes it.
Values of tags with a meaning are checked: a date must be a date, a rating a number.

Examples:
  plydex edit 17 --tag 'White=Carlsen, Magnus'
  plydex edit 17 --tag Date=2024.05.01 --tag Round=3
  plydex edit 17 --remove Annotator"
)]
pub struct EditArgs {
    /// Number of the game, from the first column of search
    #[arg(value_name = "GAME", value_parser = value_parsers::whole::<u64>(1, u64::MAX))]
    pub game: u64,
    /// The tag and its new value
    ///
    /// You can give it several times.
    #[arg(long, value_name = "NAME=VALUE", required_unless_present = "remove")]
    pub tag: Vec<String>,
    /// Remove the tag
    #[arg(long, value_name = "NAME")]
    pub remove: Vec<String>,
    /// Accept a text that is not a valid value of the tag
    ///
    /// Otherwise dates, results, ratings and so on must be valid.
    #[arg(long)]
    pub force: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// Which record of a game stays.
const POLICIES: &[(&str, DedupePolicy)] = &[
    ("best", DedupePolicy::Best),
    ("first", DedupePolicy::First),
    ("last", DedupePolicy::Last),
];

/// `plydex dedupe`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Two games are duplicates if their moves are equal and their tags do not contradict:
players, date, result, round, time, game ID. Games with an unknown player, and positions,
are duplicates only if everything stored about them is equal. Without --yes the groups are only listed. Removed games
keep their numbers, and `plydex undo` brings them back.

Examples:
  plydex dedupe                           list games that are stored twice
  plydex dedupe --parts                   also those that break off early
  plydex dedupe --yes                     keep the best record of each game"
)]
pub struct DedupeArgs {
    /// The record that stays: best, first or last [default: best]
    ///
    /// best is the longest, then the one with most annotations, then the one with most
    /// tags; first and last are in the order of import.
    #[arg(long, value_name = "WHICH", value_parser = value_parsers::one_of(POLICIES))]
    pub keep: Option<DedupePolicy>,
    /// Also games that are only the beginning of another
    ///
    /// They must agree in players, date and event and have at least 20 plies. The
    /// longest stays.
    #[arg(long)]
    pub parts: bool,
    /// Remove the others; without it they are only listed
    #[arg(long)]
    pub yes: bool,
    /// Maximum number of groups to list, 0 for all [default: 20]
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex merge`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "Adds the games of the other database as if you imported its sources: with the names of
these sources, with everything stored about the games, and without duplicates. The merge
happens completely or not at all. The other database does not change.

Examples:
  plydex merge ~/club.db
  plydex merge --duplicates keep other.db"
)]
pub struct MergeArgs {
    /// The other database
    #[arg(value_name = "OTHER.db")]
    pub other: std::path::PathBuf,
    /// What to do with duplicates: skip, best or keep [default: skip]
    ///
    /// As for import.
    #[arg(long, value_name = "HOW", value_parser = value_parsers::one_of(super::args::DUPLICATES))]
    pub duplicates: Option<DuplicateAction>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex optimize`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Joins the parts of the position index and rewrites the file without unused space. While
it runs, it needs as much free disk space as the file has.

Games that were deleted or removed as duplicates are kept until you pass --purge. Their
numbers stay unused, so that no game is renumbered. After that you cannot undo earlier
changes.

Examples:
  plydex optimize
  plydex optimize --purge"
)]
pub struct OptimizeArgs {
    /// Permanently delete removed games
    #[arg(long)]
    pub purge: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}
