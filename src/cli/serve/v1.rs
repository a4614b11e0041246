//! What the commands answer, by their own parameters, as JSON (`docs/json.md`).
//!
//! Parameters are the long options of the commands: they become what would have been typed, so
//! that there is one reader of what a filter means.

use std::path::Path;

use clap::{ArgAction, CommandFactory, Parser};

use super::openapi;
use super::plan_serve::first_line;
use super::position::{self, ResolvedPosition};
use super::request::Request;
use super::response::{AnswerWriter, JSON, Response};
use super::router::{HandlerError, HandlerResult};
use crate::cli::args::{
    ClocksArg, ExportArgs, ListArgs, PositionArgs, SearchArgs, SearchFormat, ShowArgs, ShowFormat,
};
use crate::cli::args_output::{BoardStyleArgs, LanguageArgs, NotationArgs};
use crate::cli::args_rules::EcoArgs;
use crate::cli::args_tree::{TreeArgs, TreeFormat};
use crate::cli::eco::EcoPlan;
use crate::cli::error::CliError;
use crate::cli::render::openings;
use crate::cli::{export, plan, plan_rules, plan_tree, saved_queries, search, show, tree};
use crate::db::store::Store;
use crate::games::AnyPosition;
use crate::games::variant::{ALL, Variant};
use crate::games::variation_tree::PlyRef;
use crate::query::{GroupKey, SavedQueries};

/// Games of a page at most.
const GAMES_MAX: u64 = 1_000;

/// Games of PGN, as their own authors have registered it.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// `search`.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct SearchParams {
    #[command(flatten)]
    list: ListArgs,
    /// Count the games by result, year, eco, player, move …
    #[arg(long, value_name = "KEY", value_parser = crate::cli::value_parsers::group_key, value_delimiter = ',')]
    group_by: Vec<GroupKey>,
}

/// `export`.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct ExportParams {
    #[command(flatten)]
    list: ListArgs,
}

/// `tree`.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct TreeParams {
    #[command(flatten)]
    tree: TreeArgs,
}

/// `show`.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct GameParams {
    /// The position after N plies, which JSON has; in variations 23.1/26
    #[arg(long, value_name = "N")]
    ply: Option<PlyRef>,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    language: LanguageArgs,
}

/// `eco`.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct EcoParams {
    #[command(flatten)]
    eco: EcoArgs,
}

/// A path below `/v1/`.
pub(crate) struct Route {
    /// Its name; `{game}` is a number.
    pub(crate) path: &'static str,
    /// What it answers.
    pub(crate) summary: &'static str,
    /// The media type of the answer.
    pub(crate) kind: &'static str,
    /// Parameters that are no options of a command, with what they mean.
    pub(crate) places: &'static [(&'static str, &'static str)],
    /// Those of them that a query needs.
    pub(crate) needs: &'static [&'static str],
    /// Those that are.
    pub(crate) options: fn() -> Vec<clap::Arg>,
    /// Whether it needs no database.
    pub(crate) is_static: bool,
    answer: fn(&Store, &RouteMatch<'_>) -> HandlerResult,
}

/// A query below `/v1/`.
struct RouteMatch<'a> {
    route: &'static Route,
    request: &'a Request,
    /// What stands in the place of `{game}`.
    game: &'a str,
}

/// The parameter that every path has which asks a database.
pub(crate) const DATABASE: (&str, &str) =
    ("database", "Name of the database; by default the first");

const POSITION: (&str, &str) = (
    "position",
    "Moves (e4 c5 Nf3, 32-28 19-23), a FEN or a diagram",
);
const FEN: (&str, &str) = ("fen", "The position in FEN; without it the start position");
const PLAY: (&str, &str) = (
    "play",
    "Moves from there in UCI, or all squares, with commas between",
);
const VARIANT: (&str, &str) = ("variant", "Variant, by any of its names");

const fn none() -> Vec<clap::Arg> {
    Vec::new()
}

/// All paths.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        path: "search",
        summary: "Games, as `plydex search --format json` lists them",
        kind: "application/json",
        places: &[POSITION],
        needs: &[],
        options: options::<SearchParams>,
        is_static: false,
        answer: find,
    },
    Route {
        path: "tree",
        summary: "The moves of a position, as `plydex tree --format json` gives them",
        kind: "application/json",
        places: &[POSITION],
        needs: &[],
        options: options::<TreeParams>,
        is_static: false,
        answer: moves,
    },
    Route {
        path: "export.pgn",
        summary: "Games as `plydex export` writes them: PGN, or PDN",
        kind: "application/x-chess-pgn",
        places: &[POSITION],
        needs: &[],
        options: options::<ExportParams>,
        is_static: false,
        answer: export,
    },
    Route {
        path: "games/{game}",
        summary: "A game, as `plydex show --format json` gives it",
        kind: "application/json",
        places: &[],
        needs: &[],
        options: options::<GameParams>,
        is_static: false,
        answer: |store, asked| game(store, asked, ShowFormat::Json),
    },
    Route {
        path: "games/{game}.pgn",
        summary: "A game as PGN, or PDN",
        kind: "application/x-chess-pgn",
        places: &[],
        needs: &[],
        options: no_ply,
        is_static: false,
        answer: |store, asked| game(store, asked, ShowFormat::Pgn),
    },
    Route {
        path: "variants",
        summary: "The variants, as `plydex variants --format json` gives them",
        kind: "application/json",
        places: &[],
        needs: &[],
        options: none,
        is_static: true,
        answer: |_, asked| variants(asked),
    },
    Route {
        path: "position",
        summary: "A position with its pieces and legal moves, for pages that draw it",
        kind: "application/json",
        places: &[FEN, PLAY, VARIANT],
        needs: &[],
        options: none,
        is_static: true,
        answer: |_, asked| position(asked),
    },
    Route {
        path: "board.svg",
        summary: "A position drawn, each square a group with the attribute data-square",
        kind: "image/svg+xml",
        places: &[FEN, PLAY, VARIANT, ("flip", "1: Black below")],
        needs: &[],
        options: none,
        is_static: true,
        answer: |_, asked| board(asked),
    },
    Route {
        path: "eco",
        summary: "What a position is called, or openings by code or name",
        kind: "application/json",
        places: &[("position", "Moves, a FEN, an ECO code or words of a name")],
        needs: &["position"],
        options: options::<EcoParams>,
        is_static: true,
        answer: |_, asked| eco(asked),
    },
    Route {
        path: "databases",
        summary: "The databases that are served, with their numbers of games",
        kind: "application/json",
        places: &[],
        needs: &[],
        options: none,
        is_static: false,
        // The router knows them all.
        answer: |_, _| {
            Err(HandlerError::Nothing(
                "there is nothing at /v1/databases".to_owned(),
            ))
        },
    },
    Route {
        path: "openapi.json",
        summary: "This description",
        kind: "application/json",
        places: &[],
        needs: &[],
        options: none,
        is_static: true,
        answer: |_, asked| {
            asked.words()?;
            Response::json(&openapi::description())
        },
    },
];

/// Options that name files or the form of an answer, which is JSON.
const NEVER: &[&str] = &["output", "force", "format", "db", "each"];

/// The options that are parameters of a path.
fn options<P: CommandFactory>() -> Vec<clap::Arg> {
    let command = P::command();
    let options = command.get_arguments().filter(|arg| {
        let long = arg.get_long();
        long.is_some_and(|long| !NEVER.contains(&long))
    });
    options.cloned().collect()
}

/// The parameters of a game as text, which has no place for a board.
fn no_ply() -> Vec<clap::Arg> {
    let mut options = options::<GameParams>();
    options.retain(|option| option.get_id() != "ply");
    options
}

impl RouteMatch<'_> {
    /// The parameters as they would have been typed, after `--` those that are no options;
    /// an error if one is unknown.
    fn words(&self) -> Result<Vec<String>, HandlerError> {
        let options = (self.route.options)();
        let (mut words, mut places) = (Vec::new(), Vec::new());
        for (name, value) in &self.request.params {
            // The router has chosen it.
            if name == DATABASE.0 && !self.route.is_static {
                continue;
            }
            if self.route.places.iter().any(|(own, _)| own == name) {
                if !value.trim().is_empty() {
                    places.push(value.clone());
                }
                continue;
            }
            let is_it = |arg: &&clap::Arg| arg.get_long() == Some(name.as_str());
            let Some(option) = options.iter().find(is_it) else {
                return Err(unknown_parameter(name));
            };
            if !matches!(option.get_action(), ArgAction::SetTrue) {
                words.push(format!("--{name}={value}"));
            } else if is_set(name, value)? {
                words.push(format!("--{name}"));
            }
        }
        words.push("--".to_owned());
        words.extend(places);
        Ok(words)
    }

    /// The parameters, read as the command reads them.
    fn read<P: Parser>(&self) -> Result<P, HandlerError> {
        P::try_parse_from(self.words()?).map_err(|error| {
            let text = error.to_string();
            HandlerError::Wrong(CliError::new(first_line(&text)))
        })
    }

    /// The position that `fen`, `play` and `variant` name.
    fn placed(&self) -> Result<(ResolvedPosition, &'static Variant), HandlerError> {
        self.words()?;
        let [fen, play, variant] = ["fen", "play", "variant"].map(|name| self.request.param(name));
        position::read(fen, play, variant)
    }
}

/// That a path has no parameter of a name.
pub(crate) fn unknown_parameter(name: &str) -> HandlerError {
    let error = CliError::new(format!("there is no parameter `{name}`"));
    HandlerError::Wrong(error.hint("/v1/openapi.json lists the parameters of each path"))
}

/// Whether a flag is set.
fn is_set(name: &str, value: &str) -> Result<bool, HandlerError> {
    match value {
        "" | "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => {
            let error = format!("{name}: `{value}` is neither true nor false");
            Err(HandlerError::Wrong(CliError::new(error)))
        }
    }
}

/// What a plan or an answer failed of.
fn refused(error: CliError) -> HandlerError {
    if error.is_of_store() {
        HandlerError::Failed(error)
    } else {
        HandlerError::Wrong(error)
    }
}

/// The route of a path below `/v1/`, with what stands in the place of `{game}`.
fn route_of(path: &str) -> Option<(&'static Route, &str)> {
    ROUTES.iter().find_map(|route| {
        // `{game}` alone has braces.
        let game = match route.path.split_once(['{', '}']) {
            None => (route.path == path).then_some("")?,
            Some((before, rest)) => {
                let after = rest.strip_prefix("game}").unwrap_or_default();
                path.strip_prefix(before)?.strip_suffix(after)?
            }
        };
        // `91.pgn` is no number.
        (!game.contains('.')).then_some((route, game))
    })
}

/// Whether a path asks a database: it is for the page of this server and for programs.
pub(crate) fn is_private(path: &str) -> bool {
    let path = path.strip_prefix("/v1/");
    path.is_some_and(|path| !route_of(path).is_some_and(|(route, _)| route.is_static))
}

/// Whether a request needs no database, asks for a game, or for a position among all games.
pub(crate) fn is_cheap(request: &Request) -> bool {
    const OF_ALL_GAMES: [&str; 6] = ["position", "database", "limit", "offset", "sort", "count"];
    let found = request.path.strip_prefix("/v1/").and_then(route_of);
    let Some((route, game)) = found else {
        return true;
    };
    if route.is_static || !game.is_empty() || route.path == "databases" {
        return true;
    }
    let is_plain = |(name, _): &(String, String)| OF_ALL_GAMES.contains(&name.as_str());
    let position = request.param("position").unwrap_or_default();
    matches!(route.path, "search" | "tree")
        && request.params.iter().all(is_plain)
        && (position.matches('/').count() == 7 || is_line(position))
}

/// Whether a text looks like moves from the start, which is found out without playing them: the first
/// is of a pawn, a knight or a man of draughts, and none has signs of a query.
fn is_line(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    let bare = |word: &str| {
        word.trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start_matches('.')
            .to_owned()
    };
    let begins = words.peek().is_none_or(|word| {
        let san = bare(word);
        let square = san.strip_prefix('N').unwrap_or(&san);
        let is_square = square.len() == 2 && square.starts_with(|c| ('a'..='h').contains(&c));
        is_square || word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['-', 'x'])
    });
    let is_move = |word: &str| {
        word.chars()
            .all(|c| c.is_ascii_alphanumeric() || "+#-=.".contains(c))
            && !word.contains("..=")
            && (word.len() > 1 && !word.starts_with('P'))
    };
    begins && words.all(is_move)
}

/// Answers what is below `/v1/`.
///
/// # Errors
///
/// [`HandlerError`].
pub(crate) fn answer(store: &Store, path: &str, request: &Request) -> HandlerResult {
    let Some((route, game)) = route_of(path) else {
        return Err(HandlerError::Nothing(format!(
            "there is nothing at /v1/{path}"
        )));
    };
    let asked = RouteMatch {
        route,
        request,
        game,
    };
    (route.answer)(store, &asked)
}

/// What names in a query stand for.
fn saved(
    position: &PositionArgs,
    question: Option<&String>,
    store: &Store,
) -> Result<SavedQueries, HandlerError> {
    let texts = position.position.iter().chain(question);
    // Where files are is not for others.
    let name = store.path().file_name().unwrap_or_default();
    let saved = saved_queries::of_texts(texts, store.path(), Path::new(name));
    saved.map_err(HandlerError::Failed)
}

fn find(store: &Store, asked: &RouteMatch<'_>) -> HandlerResult {
    let params: SearchParams = asked.read()?;
    let mut list = params.list;
    list.filter.saved = saved(&list.position, list.question.as_ref(), store)?;
    // All games of a large database are nothing to be sent at once.
    list.page.limit = list.page.limit.map(|limit| match limit {
        0 => GAMES_MAX,
        _ => limit.min(GAMES_MAX),
    });
    let args = SearchArgs {
        list,
        group_by: params.group_by,
        format: SearchFormat::Json,
        ..SearchArgs::default()
    };
    let mut said = Vec::new();
    let plan = plan::search(&args, &mut said).map_err(HandlerError::Wrong)?;
    Response::written(JSON, |out| search::json(&plan, said, store, out), refused)
}

fn moves(store: &Store, asked: &RouteMatch<'_>) -> HandlerResult {
    let params: TreeParams = asked.read()?;
    let mut args = TreeArgs {
        format: TreeFormat::Json,
        ..params.tree
    };
    args.filter.saved = saved(&args.position, args.question.as_ref(), store)?;
    let mut said = Vec::new();
    let plan = plan_tree::tree(&args, &mut said).map_err(HandlerError::Wrong)?;
    Response::written(JSON, |out| tree::json(&plan, said, store, out), refused)
}

fn export(store: &Store, asked: &RouteMatch<'_>) -> HandlerResult {
    let mut list = asked.read::<ExportParams>()?.list;
    list.filter.saved = saved(&list.position, list.question.as_ref(), store)?;
    let args = ExportArgs {
        list,
        ..ExportArgs::default()
    };
    let plan = plan::export(args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    Response::written(PGN, |out| export::data(&plan, store, out), refused)
}

fn variants(asked: &RouteMatch<'_>) -> HandlerResult {
    asked.words()?;
    let all: Vec<_> = ALL.iter().map(|row| AnyPosition::facts(row).json).collect();
    Response::json(&all)
}

fn eco(asked: &RouteMatch<'_>) -> HandlerResult {
    asked.words()?;
    let is_empty = |text: &str| text.trim().is_empty();
    if asked.request.param("position").is_none_or(is_empty) {
        let error = CliError::new("the parameter position is missing");
        return Err(HandlerError::Wrong(error.hint(
            "give a position, a code or a name: position=e4 c5, position=najdorf",
        )));
    }
    let params: EcoParams = asked.read()?;
    let plan = plan_rules::eco(&params.eco, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    match plan {
        EcoPlan::Position(typed) => Response::json(&openings::PositionOpening::of(&typed)),
        EcoPlan::List(asked) => Response::json(&openings::OpeningList::of(&asked.openings())),
    }
}

fn game(store: &Store, asked: &RouteMatch<'_>, format: ShowFormat) -> HandlerResult {
    let params: GameParams = asked.read()?;
    let number = asked.game;
    let nothing = || HandlerError::Nothing(format!("there is no game {number}"));
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let game = number.parse().ok().filter(|&game| game > 0 && is_number);
    let game = game.ok_or_else(nothing)?;
    if store.removed()?.contains(game) {
        return Err(nothing());
    }
    let args = ShowArgs {
        game,
        ply: params.ply,
        look: BoardStyleArgs::default(),
        clocks: ClocksArg::On,
        notation: params.notation,
        language: params.language,
        format,
    };
    let plan = plan::show(&args).map_err(HandlerError::Wrong)?;
    let mut is_there = false;
    let kind = if format == ShowFormat::Pgn { PGN } else { JSON };
    let write = |out: &mut AnswerWriter| {
        is_there = show::data(&plan, store, out)?;
        Ok(())
    };
    let response = Response::written(kind, write, refused)?;
    if is_there {
        Ok(response)
    } else {
        Err(nothing())
    }
}

fn position(asked: &RouteMatch<'_>) -> HandlerResult {
    let (placed, row) = asked.placed()?;
    Response::json(&position::describe(&placed, row)?)
}

fn board(asked: &RouteMatch<'_>) -> HandlerResult {
    let (placed, _) = asked.placed()?;
    let flip = asked.request.param("flip");
    let is_flipped = flip.map_or(Ok(false), |value| is_set("flip", value))?;
    let drawn = position::picture(&placed, is_flipped);
    Ok(Response::new(200, "image/svg+xml", drawn.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing that names a file may come from outside.
    #[test]
    fn no_parameter_names_a_file() {
        for route in ROUTES {
            for option in (route.options)() {
                let long = option.get_long().unwrap_or_default();
                let values = option.get_value_names().unwrap_or_default();
                let names = |name: &str| values.iter().any(|value| value.as_str() == name);
                assert!(!names("FILE") && !names("PATH"), "{}: --{long}", route.path);
                assert!(!NEVER.contains(&long));
            }
        }
    }
}
