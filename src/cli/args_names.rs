//! What was typed about names of players, events and sites.

use clap::Args as ClapArgs;

use super::args_output::TableFormat;
use super::value_parsers;

/// `plydex players`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "Spellings are one player's if they differ in case, accents, punctuation, the order of
names or initials only, and nothing in the games contradicts: years, ratings, FIDE IDs, or
a game between the two. A name that fits several players is joined to none of them. docs/people.md explains the rules.

Examples:
  plydex players                          those with the most games
  plydex players carlsen --spellings      all spellings, and what was not joined
  plydex players --sort rating:desc --limit 100 --format csv
  plydex players --same 'Polgar, Zsuzsa' 'Polgar, Susan'"
)]
pub struct PlayersArgs {
    /// The names.
    #[command(flatten)]
    pub names: NamesArgs,
}

/// `plydex events`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "Spellings are one event's if they differ in case, accents, blanks and punctuation only.

Examples:
  plydex events                           those with the most games
  plydex events hastings --sort name
  plydex events --same 'Wch' 'World Championship'"
)]
pub struct EventsArgs {
    /// The names.
    #[command(flatten)]
    pub names: NamesArgs,
}

/// `plydex sites`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "Spellings are one site's if they differ in case, accents, blanks and punctuation only.
Addresses of pages are never joined.

Examples:
  plydex sites                            those with the most games
  plydex sites london --spellings
  plydex sites --same 'Moscow' 'Moskva'"
)]
pub struct SitesArgs {
    /// The names.
    #[command(flatten)]
    pub names: NamesArgs,
}

/// Which names are listed, or what is decided about two of them.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct NamesArgs {
    /// Only names that contain all these words
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// Show all spellings, and those that were kept apart, with reasons
    #[arg(long)]
    pub spellings: bool,
    /// At most N names, 0 for all [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// Sort by games, name, year … or name:desc [default: games:desc]
    ///
    /// The keys are games, name, spellings (how many), year (the last), rating (the highest)
    /// and score; with :desc in descending order.
    #[arg(long, value_name = "KEY[:desc]")]
    pub sort: Option<String>,
    /// table, json or csv
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TableFormat,
    /// Treat two spellings as one name
    ///
    /// Write the names as they are in the games. Later decisions override
    /// earlier ones.
    #[arg(long, value_names = ["NAME", "NAME"])]
    #[arg(conflicts_with_all = ["text", "different", "spellings", "limit", "sort"])]
    pub same: Vec<String>,
    /// Treat two spellings as two names
    #[arg(long, value_names = ["NAME", "NAME"])]
    #[arg(conflicts_with_all = ["text", "spellings", "limit", "sort"])]
    pub different: Vec<String>,
}

/// In which order names are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameOrder {
    /// By games.
    Games,
    /// By the name.
    Name,
    /// By the number of spellings.
    Spellings,
    /// By the last year.
    Year,
    /// By the highest rating.
    Rating,
    /// By the share of points.
    Score,
}

/// The words for them.
pub const NAME_ORDERS: &[(&str, NameOrder)] = &[
    ("games", NameOrder::Games),
    ("name", NameOrder::Name),
    ("spellings", NameOrder::Spellings),
    ("year", NameOrder::Year),
    ("rating", NameOrder::Rating),
    ("score", NameOrder::Score),
];
