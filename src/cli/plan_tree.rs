//! What the arguments mean that ask for the moves of a position.

use crate::base::record::OpeningName;
use crate::db::search::TreeDepth;
use crate::games::notation::letters::Language;
use crate::query::interpret::{self, Context};
use crate::query::{self, GameCondition, PositionQuery, PositionText, Query, TreeOrder};

use super::args_tree::{TreeArgs, TreeFormat};
use super::error::CliError;
use super::output::Destination;
use super::plan_query::{
    at, conditions, output_language, position_text, question, take, within_its_rules,
};
use super::value_parsers;
use super::view::ViewArg;

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

pub(super) fn tree(args: &TreeArgs, warnings: &mut Vec<String>) -> Result<TreePlan, CliError> {
    let wanted = args.position.clone();
    let mut conditions = conditions(&args.filter, warnings)?;
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
    let mut text = position_text(&wanted, &mut conditions)?;
    if text.is_empty() {
        "startpos".clone_into(&mut text);
    }
    let saved = &args.filter.saved;
    let question = args.question.as_ref().map(|text| {
        let around = (&mut conditions, saved, wanted.in_variations);
        question(text, around, warnings)
    });
    let context = Context {
        variants: query::variants_of(&conditions),
        saved: saved.clone(),
        ..Context::default()
    };
    let read = interpret::interpret_position(&text, &context);
    let (text, read) = take(&text, read, &mut conditions, warnings)?;
    let named = read.named_opening();
    let opening = named.or_else(|| read.last_named().map(|(opening, _)| opening));
    let is_moves = !read.moves.is_empty();
    let position = within_its_rules((&text, read), &wanted, &mut conditions)?;
    let asked = PositionText {
        text,
        is_moves,
        ..PositionText::of(position.clone())
    };
    let mut query = Query::from(GameCondition::Position(asked));
    if let Some(question) = question {
        query = query.and(question?);
    }
    query.require(conditions);
    query.scope.exact_names = args.filter.exact_names;
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
        opening: opening.map(OpeningName::from),
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
