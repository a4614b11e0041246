//! `plydex tree`.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use crate::base::display_path;
use crate::base::observe::{NullObserver, Observer};
use crate::base::record::OpeningName;
use crate::cli::args::output::LanguageArgs;
use crate::cli::args::query::{FilterArgs, PositionArgs, saved_texts};
use crate::cli::args::query_builder::{OnePosition, at, conditions, one_position, output_language};
use crate::cli::args::value_parsers;
use crate::cli::args::view::{ViewArg, ViewArgs};
use crate::cli::commands::{CommandArgs, SavedTexts};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::{Destination, ProtectedFiles};
use crate::cli::render::{csv, json, number, tree, tree_game};
use crate::cli::resolve::{ResolvedQuery, resolve};
use crate::cli::{CommandContext, relax};
use crate::database::{NameMatches, OtherVariantGames, Snapshot, Tree, TreeDepth};
use crate::formats::polyglot;
use crate::games::notation::letters::Language;
use crate::pgn::writer;
use crate::query::{PositionQuery, Query, TreeOrder};

/// Moves behind each other at most.
pub(crate) const DEPTH_MAX: u64 = 100;

/// `plydex tree`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Each game counts once, by the move played when it first reached the position.
Score, rating and performance are those of the side to move. With --depth, a position counts all
games that reach it, by any moves, and appears in the tree once: if another order of moves
reaches it, = points to where it is listed.

Examples:
  plydex tree                             the first moves
  plydex tree e4 c5 --since 1960 --white fischer
  plydex tree 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w'
  plydex tree 32-28 --rotate              draughts, colours exchanged as well
  plydex tree e4 c5 --where 'castles:O-O-O by:white and elo:2500..'
  plydex tree d4 --depth 4 --min-games 2
  plydex tree --format pgn --depth 12 --output openings.pgn
  plydex tree --format polyglot --min-games 2 --min-score 45 --output book.bin"
)]
pub struct TreeArgs {
    /// The position; by default the start position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// Only games that match a query, as in `plydex search`
    #[arg(long = "where", value_name = "QUERY")]
    pub question: Option<String>,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Whose scores are counted.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Depth in plies [default: 1; pgn: 10, polyglot: 30]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u32>(1, DEPTH_MAX))]
    #[arg(help_heading = "Moves")]
    pub depth: Option<u32>,
    /// At most N moves of a position, 0 for all [default: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    #[arg(help_heading = "Moves")]
    pub limit: Option<u64>,
    /// Only moves played in N games or more
    ///
    /// Otherwise all moves of one position; with --depth those of one in a hundred games of the
    /// first position, and in a book those of three games.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    #[arg(help_heading = "Moves")]
    pub min_games: Option<u64>,
    /// Only moves with N percent of the points or more
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u8>(0, 100))]
    #[arg(help_heading = "Moves")]
    pub min_score: Option<u8>,
    /// Sort by games, score, rating, performance, year or move [default: games]
    ///
    /// Numbers are sorted in descending order and moves alphabetically; :asc
    /// and :desc set the order.
    #[arg(long, value_name = "KEY[:asc]", help_heading = "Moves")]
    pub sort: Option<String>,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// table, json, csv, pgn or polyglot
    ///
    /// pgn is one game, whose first line has the first move of each position and whose variations have the
    /// others; of draughts it is PDN. polyglot is an opening book for engines.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TreeFormat,
    /// Write to FILE (.gz and .zst are compressed); not for tables
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Formats of `tree`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TreeFormat {
    /// Aligned columns with a bar, for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
    /// Comma-separated values with a heading line.
    Csv,
    /// One game with variations.
    Pgn,
    /// An opening book of Polyglot.
    Polyglot,
}

/// `tree`.
#[derive(Debug, Clone)]
pub struct TreePlan {
    /// The position.
    pub position: PositionQuery,
    /// The last name on the way there.
    pub opening: Option<OpeningName>,
    /// The games that reach it.
    pub query: Query,
    /// The moves that are given, and how many after each other.
    pub depth: TreeDepth,
    /// Whose scores are counted.
    pub view: Option<ViewArg>,
    /// The language that its moves are written in.
    pub language: &'static Language,
    /// Of the moves.
    pub format: TreeFormat,
    /// Where they go.
    pub output: Option<Destination>,
}

/// Plies of a tree that is written as a game, and of a book.
const PGN_DEPTH: u32 = 10;

const BOOK_DEPTH: u32 = 30;

/// Games of a move that goes into a book.
const BOOK_GAMES: u64 = 3;

pub(crate) fn plan(args: &TreeArgs, warnings: &mut Vec<String>) -> Result<TreePlan, CliError> {
    let wanted = args.position.clone();
    let conditions = conditions(&args.filter, warnings)?;
    let counts = [&wanted.ending, &wanted.value, &wanted.men, &wanted.kings];
    if counts.into_iter().any(Option::is_some) {
        return Err(CliError::new(
            "a tree needs a position, and --ending, --value, --men and --kings do not name one",
        )
        .hint("give a POSITION; `plydex search --men …` finds games by their pieces"));
    }
    if wanted.shift || wanted.turn {
        return Err(CliError::new("--shift cannot be combined with tree")
            .hint("leave out --shift and --orientations; `plydex search` accepts them"));
    }
    let asked = (&wanted, args.question.as_deref());
    let OnePosition {
        position,
        mut query,
        opening,
    } = one_position(asked, &args.filter, conditions, warnings)?;
    args.view.place(&mut query)?;
    let output = args.output.clone().map(|path| {
        let other = "name another file with --output";
        Destination::new(path, args.force, other)
    });
    let output = output.filter(|target| !target.is_stdout());
    match args.format {
        TreeFormat::Table if output.is_some() => {
            return Err(CliError::new("a table is not written to a file")
                .hint("name a format: --format pgn, polyglot, json or csv"));
        }
        TreeFormat::Polyglot if output.is_none() => {
            return Err(
                CliError::new("a book of Polyglot is not a text to be printed")
                    .hint("name a file: --output book.bin"),
            );
        }
        TreeFormat::Polyglot if position.position.book_key().is_none() => {
            let variant = position.position.variant().title;
            return Err(
                CliError::new(format!("a book of Polyglot has no positions of {variant}"))
                    .hint("use --format pgn or json"),
            );
        }
        _ => {}
    }
    Ok(TreePlan {
        opening,
        position,
        depth: depth(args)?,
        query,
        view: args.view.view,
        language: output_language(&args.language)?,
        format: args.format,
        output,
    })
}

/// How far the tree goes, and which moves of each position are in it.
fn depth(args: &TreeArgs) -> Result<TreeDepth, CliError> {
    let sort = args
        .sort
        .as_deref()
        .map(value_parsers::tree_sort)
        .transpose();
    let (by, ascending) = sort.map_err(at("--sort"))?.unwrap_or_default();
    let (usual_depth, usual_games) = match args.format {
        TreeFormat::Pgn => (PGN_DEPTH, 0),
        TreeFormat::Polyglot => (BOOK_DEPTH, BOOK_GAMES),
        TreeFormat::Table | TreeFormat::Json | TreeFormat::Csv => (1, 0),
    };
    let plies = args.depth.unwrap_or(usual_depth);
    let is_open = args.min_games.is_none() && usual_games == 0 && plies > 1;
    Ok(TreeDepth {
        plies,
        percent_min: u64::from(is_open),
        order: TreeOrder {
            by,
            ascending,
            min_games: args.min_games.unwrap_or(usual_games),
            min_score: args.min_score.map(|percent| f64::from(percent) / 100.0),
            limit: args.limit.filter(|limit| *limit > 0),
        },
    })
}

/// A tree, what the names found that selected its games, and where else there are such.
#[derive(Serialize)]
struct TreeResult<'t> {
    #[serde(flatten)]
    tree: serde_json::Value,
    /// Whose scores they are: `player` or `white`; and the player.
    view: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'t str>,
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'t [NameMatches],
    #[serde(skip_serializing_if = "<[OtherVariantGames]>::is_empty")]
    other_variants: &'t [OtherVariantGames],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'t [String],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

pub(crate) fn run(plan: &TreePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    // Before the search, so that a bad path costs no waiting.
    let place = plan.output.as_ref();
    let place = place.map(|target| target.place(&ProtectedFiles::database(&context.db)));
    let place = place.transpose()?;
    let progress = context.progress();
    let found = context.ask(|snapshot| find(plan, snapshot, &progress));
    progress.clear();
    let (ready, found, viewed, is_cut) = found?;
    let player = viewed.as_deref();
    if let Some(place) = &place {
        if is_cut {
            return Err(CliError::interrupted());
        }
        let mut answer = Vec::new();
        let what = write_data(plan, (&ready, &found, player, false), &mut answer)?;
        if found.total.games == 0 {
            context.notes.note("no games found; nothing was written");
            relax::say(&ready.plan, context)?;
            return Ok(Exit::NothingFound);
        }
        let mut out = place.open(&context.stop)?;
        out.put(&answer)?;
        out.finish()?;
        let name = plan
            .output
            .as_ref()
            .map_or("-".into(), |to| display_path::path(&to.path));
        context.notes.note(&format!("{what} written to {name}"));
    } else if plan.format == TreeFormat::Table {
        tree::write(context.out, &context.screen, &found, player)?;
    } else {
        write_data(plan, (&ready, &found, player, is_cut), &mut *context.data())?;
    }
    if is_cut {
        context.out.flush()?;
        return crate::cli::commands::search::interrupted(found.total.games, context);
    }
    ready.explain(plan.query.scope.exact_names, context);
    if found.total.games == 0 {
        context.notes.note("no games found");
        relax::say(&ready.plan, context)?;
    }
    Ok(Exit::found(found.total.games))
}

/// Answers as JSON, with what was said of the query as a note.
pub(crate) fn json(
    plan: &TreePlan,
    said: Vec<String>,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    // The page has columns for White and Black, also where a player is given.
    let plan = &TreePlan {
        view: plan.view.or(Some(ViewArg::White)),
        ..plan.clone()
    };
    let (mut ready, found, viewed, is_cut) = find(plan, snapshot, &NullObserver)?;
    ready.notes.splice(0..0, said);
    if is_cut {
        return Err(CliError::interrupted());
    }
    write_data(plan, (&ready, &found, viewed.as_deref(), is_cut), out)?;
    Ok(())
}

fn find(
    plan: &TreePlan,
    snapshot: &Snapshot<'_>,
    progress: &dyn Observer,
) -> Result<(ResolvedQuery, Tree, Option<String>, bool), CliError> {
    let ready = resolve(snapshot, &plan.query)?;
    let position = ready.plan.position.as_ref().unwrap_or(&plan.position);
    // Books and games have the view of the side to move.
    let viewed = match plan.format {
        TreeFormat::Pgn | TreeFormat::Polyglot => None,
        _ => ViewArgs::viewed(plan.view, snapshot, &ready.plan)?,
    };
    let (conditions, is_part) = snapshot.conditions(&ready.plan)?;
    // The games that were found until the end was requested are still looked at.
    let _pause = is_part.then(|| snapshot.pause_interrupts());
    let asked = (position, &conditions, viewed.as_ref());
    let (mut found, is_cut) = snapshot.deep_tree(asked, plan.depth, plan.language, progress)?;
    // The words may have been read as another game, whose opening is another one.
    if position.position == plan.position.position {
        found.opening.clone_from(&plan.opening);
    }
    let is_cut = is_cut || is_part;
    Ok((ready, found, viewed.map(|viewed| viewed.name), is_cut))
}

/// Writes a tree in a format for programs; what that is.
fn write_data(
    plan: &TreePlan,
    (ready, found, player, interrupted): (&ResolvedQuery, &Tree, Option<&str>, bool),
    out: &mut dyn Write,
) -> Result<String, CliError> {
    let positions = number::counted(found.count(), "position", "positions");
    match plan.format {
        TreeFormat::Csv => csv::tree(out, found, player.is_some())?,
        TreeFormat::Pgn => {
            let mut text = String::new();
            writer::write(&tree_game::of(found), &mut text);
            out.write_all(text.as_bytes())?;
        }
        TreeFormat::Polyglot => {
            let entries = found.book();
            let moves = number::counted(entries.len() as u64, "move", "moves");
            // A book has a position once, however often the tree comes to it.
            let keys: HashSet<u64> = entries.iter().map(|entry| entry.played.key).collect();
            let positions = number::counted(keys.len() as u64, "position", "positions");
            out.write_all(&polyglot::write(entries))?;
            return Ok(format!("a book of {positions} and {moves}"));
        }
        TreeFormat::Table | TreeFormat::Json => json::pretty(
            out,
            &TreeResult {
                names: &ready.names,
                other_variants: &ready.other_variants,
                notes: &ready.notes,
                tree: tree::as_json(found, player.is_some())?,
                view: if player.is_some() { "player" } else { "white" },
                player,
                interrupted,
            },
        )?,
    }
    Ok(format!("a tree of {positions}"))
}

impl CommandArgs for TreeArgs {
    const IS_PAGED: bool = true;
    type Plan = TreePlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(&self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        let question = self.question.as_ref();
        Some(saved_texts(&self.position, question, &mut self.filter))
    }
}
