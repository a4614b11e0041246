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
stands last.

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
    after_long_help = "The database is then as if the change had not been made; later changes stay. Games that
an import brought are not there any more, except those that a file of another import
has, too; games that were deleted are back under their numbers. Nothing is lost by
it: an undo is a change as well, and undoing that does the change again.

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
listed. Deleted games keep their numbers, and `plydex undo` brings them back. A file
that was imported before does not bring them back, even with new games in it;
another file with them does if it is imported with --duplicates keep.

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
    after_long_help = "A tag that the game has gets the new value, another one is added. The moves, the
comments and the number of the game stay as they are. `plydex undo` takes it back.
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
    /// Given several times, several tags are changed at once.
    #[arg(long, value_name = "NAME=VALUE", required_unless_present = "remove")]
    pub tag: Vec<String>,
    /// Take the tag away
    #[arg(long, value_name = "NAME")]
    pub remove: Vec<String>,
    /// Write the text as given, even if it is not a value of its tag
    ///
    /// Without it, dates, results, ratings and the like must be such.
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
    after_long_help = "Two games are the same if their moves are equal and nothing in their tags contradicts:
players, date, result, round, time, number of the game. Games of unknown players and
positions are never the same. Without --yes the groups are only listed. Removed games
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
    /// tags; first and last are meant in the order of import.
    #[arg(long, value_name = "WHICH", value_parser = value_parsers::one_of(POLICIES))]
    pub keep: Option<DedupePolicy>,
    /// Also games that are only the beginning of another one
    ///
    /// They must agree in players, date and event and have at least 20 plies. The
    /// longest stays.
    #[arg(long)]
    pub parts: bool,
    /// Remove the others; without it they are only listed
    #[arg(long)]
    pub yes: bool,
    /// Groups that are listed at most, 0 for all [default: 20]
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex merge`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "The games of the other database are added as if its sources were imported: with the
names of these sources, with everything that is stored of the games, and without
those that are stored already. Either all of it is done or nothing. The other
database stays as it is.

Examples:
  plydex merge ~/club.db
  plydex merge --duplicates keep other.db"
)]
pub struct MergeArgs {
    /// The other database
    #[arg(value_name = "OTHER.db")]
    pub other: std::path::PathBuf,
    /// Games that are stored already: skip, best or keep [default: skip]
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
    after_long_help = "The position index is put together from fewer parts, and the file is written again
without unused space. As much space again is needed on the disk while that is done.

Games that were deleted or removed as duplicates are kept until --purge gives them up.
Their numbers stay unused, so that no game gets another number. No earlier change can be
undone after that.

Examples:
  plydex optimize
  plydex optimize --purge"
)]
pub struct OptimizeArgs {
    /// Give up removed games for good
    #[arg(long)]
    pub purge: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}
