//! The commands: a file for each, and their list.
//!
//! A command is a type of arguments with [`CommandArgs`]. From the list below come the parser, the
//! help, the tables of options in the documents and the tests.

pub mod backup;
pub mod board;
pub mod check;
pub mod completions;
pub mod convert;
pub mod crosstable;
pub mod dedupe;
pub mod delete;
pub mod diagnostics;
pub mod eco;
pub mod edit;
pub mod events;
pub mod export;
pub mod import;
pub mod info;
pub mod log;
pub mod man;
pub mod merge;
pub mod moves;
pub mod names;
pub mod novelty;
pub mod optimize;
pub mod perft;
pub mod players;
pub mod prepare;
pub mod reindex;
pub mod repertoire;
pub mod report;
pub mod reread;
pub mod restore;
pub mod search;
pub mod serve;
pub mod show;
pub mod sites;
pub mod sql;
pub mod structure;
#[cfg(test)]
mod toy;
pub mod tree;
pub mod undo;
pub mod unpack;
pub mod variants;

use clap::{Args as ClapArgs, Subcommand};

use crate::cli::CommandContext;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::query::SavedQueries;

/// Texts of a command that may name saved queries, and where what these are is kept.
pub type SavedTexts<'a> = (Vec<&'a String>, &'a mut SavedQueries);

/// The arguments of a command, and what they do.
pub trait CommandArgs: ClapArgs {
    /// What the arguments mean.
    type Plan: std::fmt::Debug + Clone;

    /// Whether `--db` may name several databases.
    const TAKES_DATABASES: bool = false;
    /// Whether the first Ctrl-C lets the command end in order.
    const STOPS_IN_ORDER: bool = true;
    /// Whether its answer is a text that may be longer than a screen.
    const IS_PAGED: bool = false;

    /// Finds out what the arguments mean. Contradictions end here, before any file is touched;
    /// what is worth a look is added to the warnings.
    ///
    /// # Errors
    ///
    /// If the arguments contradict each other, or a value cannot be read.
    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError>;

    /// Runs the command: data go to the output of the context, everything else to its notes.
    ///
    /// # Errors
    ///
    /// If it cannot be carried out.
    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError>;

    /// The texts that may name saved queries, if the command has any.
    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        None
    }
}

/// Makes the commands of a list; one after `@test` is there for tests alone.
macro_rules! commands {
    ($($(@$only:meta)? $(#[$about:meta])* $name:ident($args:ty),)*) => {
        /// The commands.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($(#[cfg($only)])? $(#[$about])* $name($args),)*
        }

        /// What a command is to do.
        #[derive(Debug, Clone)]
        pub enum Plan {
            $(
                $(#[cfg($only)])?
                #[doc = concat!("`", stringify!($name), "`.")]
                $name(Box<<$args as CommandArgs>::Plan>),
            )*
        }

        impl Command {
            /// Turns what was typed into what it means; with warnings of what is worth a look.
            ///
            /// # Errors
            ///
            /// As [`CommandArgs::plan`].
            pub fn plan(self) -> Result<(Plan, Vec<String>), CliError> {
                let mut warnings = Vec::new();
                let plan = match self {
                    $($(#[cfg($only)])? Self::$name(args) => Plan::$name(Box::new(args.plan(&mut warnings)?)),)*
                };
                Ok((plan, warnings))
            }

            /// Whether `--db` may name several databases.
            pub(crate) const fn takes_databases(&self) -> bool {
                match self {
                    $($(#[cfg($only)])? Self::$name(_) => <$args>::TAKES_DATABASES,)*
                }
            }

            /// Whether the first Ctrl-C lets the command end in order.
            pub(crate) const fn stops_in_order(&self) -> bool {
                match self {
                    $($(#[cfg($only)])? Self::$name(_) => <$args>::STOPS_IN_ORDER,)*
                }
            }

            /// Whether its answer is a text that may be longer than a screen.
            pub(crate) const fn is_paged(&self) -> bool {
                match self {
                    $($(#[cfg($only)])? Self::$name(_) => <$args>::IS_PAGED,)*
                }
            }

            /// The texts that may name saved queries.
            pub(crate) fn saved(&mut self) -> Option<SavedTexts<'_>> {
                match self {
                    $($(#[cfg($only)])? Self::$name(args) => args.saved(),)*
                }
            }
        }

        impl Plan {
            /// Carries it out.
            pub(crate) fn run(&self, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
                match self {
                    $($(#[cfg($only)])? Self::$name(plan) => <$args>::run(plan, context),)*
                }
            }
        }
    };
}

commands! {
    /// Read games into the database
    Import(import::ImportArgs),
    /// Find games by position, player, date, result …
    Search(search::SearchArgs),
    /// Show the moves played from a position, and how they scored
    Tree(tree::TreeArgs),
    /// Find novelties: the first new move of each game
    Novelty(novelty::NoveltyArgs),
    /// Report on a position: its moves, plans, structures, players and model games
    ///
    /// Report on a position: who plays it, what is played next, what both sides plan then, which
    /// structures and endings follow, new moves, model games
    Report(report::ReportArgs),
    /// Report on a pawn structure or an ending, from whatever opening
    Structure(structure::StructureArgs),
    /// Prepare for a player: results, lines, changes, games lost
    Prepare(prepare::PrepareArgs),
    /// Compare a repertoire with the database to find gaps
    Repertoire(repertoire::RepertoireArgs),
    /// Show the crosstable of an event, with what is missing
    Crosstable(crosstable::CrosstableArgs),
    /// Show one game, with a board on request
    Show(show::ShowArgs),
    /// Write the games of a search as PGN or PDN
    Export(export::ExportArgs),
    /// List the players, with their spellings
    ///
    /// List the players with their numbers of games, years and ratings; the spellings of a name
    /// are joined
    Players(players::PlayersArgs),
    /// List the events
    Events(events::EventsArgs),
    /// List the sites
    Sites(sites::SitesArgs),
    /// List the findings of imports: warnings and errors in the data
    Diagnostics(diagnostics::DiagnosticsArgs),
    /// Show what is in the database
    Info(info::InfoArgs),
    /// Check the database and its index
    ///
    /// Check every page, table and game of the database against its checksums, and the index
    /// against a replay; with --repair, copy what is intact to a new file
    Check(check::CheckArgs),
    /// Import a source or game again with other settings
    ///
    /// Correct what an import guessed wrong: import a source or a game again as a format,
    /// variant or language that you name, and replace its games
    Reread(reread::RereadArgs),
    /// Change tags of a game
    Edit(edit::EditArgs),
    /// Delete games; `undo` restores them
    Delete(delete::DeleteArgs),
    /// Find duplicate games and keep the best of each
    Dedupe(dedupe::DedupeArgs),
    /// Merge another database into this one
    Merge(merge::MergeArgs),
    /// Compact the file and speed up the index
    Optimize(optimize::OptimizeArgs),
    /// List the changes made to the database
    Log(log::LogArgs),
    /// Undo a change: an import, deletion, edit …
    Undo(undo::UndoArgs),
    /// Rebuild an index written by an older plydex
    Reindex(reindex::ReindexArgs),
    /// Back up the database, even while it is in use
    Backup(backup::BackupArgs),
    /// Replace the database with a backup, keeping the old file
    Restore(restore::RestoreArgs),
    /// Run an SQL query over games, comments, moves …
    ///
    /// Run one SQL statement that reads, over tables of games, names, tags, comments,
    /// variations, moves, clocks, evaluations and positions
    Sql(sql::SqlArgs),
    /// Write comments, variations … as plain tables of an SQLite file
    ///
    /// Write games, comments, glyphs, variations, clocks and evaluations as plain tables
    /// of a new SQLite file, for other programs
    Unpack(unpack::UnpackArgs),
    /// Serve a web page and a Lichess-compatible explorer API
    ///
    /// Serve over HTTP on this computer: a page for the browser, lichess' opening explorer API for
    /// other programs, and the results of the commands as JSON
    Serve(serve::ServeArgs),
    /// Draw a position, on the screen or as SVG
    Board(board::BoardArgs),
    /// List the legal moves of a position and draw it
    Moves(moves::MovesArgs),
    /// Show what an opening is called, or list openings by code or name
    Eco(eco::EcoArgs),
    /// Count the lines of legal moves to a depth, as engines do
    Perft(perft::PerftArgs),
    /// Write a position in another notation
    Convert(convert::ConvertArgs),
    /// List the variants of chess and draughts, or explain the rules of one
    Variants(variants::VariantsArgs),
    /// Print a script that completes commands in your shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page of a command, or write all pages
    Man(man::ManArgs),
    @test
    /// Write a name
    #[command(hide = true)]
    Toy(toy::ToyArgs),
}

#[cfg(test)]
mod help_tests;
#[cfg(test)]
mod tests;
