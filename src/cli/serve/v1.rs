//! What the commands answer, by their own parameters, as JSON (`docs/json.md`).
//!
//! Parameters are conditions of the query language, and settings that are called like options.

use std::path::Path;

use super::handler_error::{HandlerError, HandlerResult};
use super::openapi;
use super::params::{self, Params};
use super::position::{self, ResolvedPosition};
use super::reports;
use super::request::Request;
use super::response::{AnswerWriter, JSON, Response};
use crate::cli::args::output::{AnswerArgs, BoardStyleArgs};
use crate::cli::args::query::ListArgs;
use crate::cli::commands::eco::{self, EcoArgs, EcoPlan};
use crate::cli::commands::export::{self, ExportArgs};
use crate::cli::commands::search::{self, SearchArgs, SearchFormat};
use crate::cli::commands::show::{self, ClocksArg, ShowArgs, ShowFormat};
use crate::cli::commands::tree::{self, TreeArgs, TreeFormat};
use crate::cli::error::CliError;
use crate::cli::render::openings;
use crate::cli::saved_queries;
use crate::database::Snapshot;
use crate::games::AnyPosition;
use crate::games::variant::{ALL, Variant};
use crate::query::words;

/// Games of a page at most.
const GAMES_MAX: u64 = 1_000;

/// Games of PGN, as their own authors have registered it.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// A path below `/v1/`.
pub(crate) struct Route {
    /// Its name; `{game}` is a number.
    pub(crate) path: &'static str,
    /// What it answers.
    pub(crate) summary: &'static str,
    /// The media type of the answer.
    pub(crate) kind: &'static str,
    /// Parameters that name a place or a game, with what they mean.
    pub(crate) places: &'static [(&'static str, &'static str)],
    /// Those of them that a query needs.
    pub(crate) needs: &'static [&'static str],
    /// Whether conditions on games are parameters.
    pub(crate) has_conditions: bool,
    /// The settings that are, in groups.
    pub(crate) settings: &'static [&'static [&'static str]],
    /// The command whose options have the same names.
    pub(crate) command: &'static str,
    /// Whether it needs no database.
    pub(crate) is_static: bool,
    pub(super) answer: fn(&Snapshot<'_>, &RouteMatch<'_>) -> HandlerResult,
}

/// A query below `/v1/`.
pub(super) struct RouteMatch<'a> {
    route: &'static Route,
    pub(super) request: &'a Request,
    /// What stands in the place of `{game}`.
    game: &'a str,
}

/// The parameter that every path has which asks a database.
pub(crate) const DATABASE: (&str, &str) =
    ("database", "Name of the database; by default the first");

pub(super) const POSITION: (&str, &str) = (
    "position",
    "Moves (e4 c5 Nf3, 32-28 19-23), a FEN or a diagram",
);
const FEN: (&str, &str) = ("fen", "The position in FEN; without it the start position");
const PLAY: (&str, &str) = (
    "play",
    "Moves from there in UCI, or all squares, with commas between",
);
const FORM: (&str, &str) = (
    "form",
    "items: the movetext in order (the default); tree: variations as moves, with the position \
     after every move",
);
const VARIANT: (&str, &str) = ("variant", "Variant, by any of its names");

/// How a position is compared.
pub(super) const COMPARISON: &[&str] = &[
    "identity",
    "in-variations",
    "any-variant",
    "rotate",
    "mirror",
    "flip",
    "shift",
    "orientations",
    "ballot",
    "ending",
    "value",
    "men",
    "kings",
    "where",
];
/// What selects games besides conditions.
pub(super) const SELECTION: &[&str] =
    &["exact-names", "since", "until", "min-elo", "max-elo", "tag"];
/// Which of the games are given, and how.
pub(super) const PAGE: &[&str] = &["limit", "offset", "sort"];
/// How moves are written.
pub(super) const MOVES: &[&str] = &["notation", "language"];
/// The moves of a tree.
const TREE: &[&str] = &[
    "side",
    "view",
    "depth",
    "limit",
    "min-games",
    "min-score",
    "sort",
    "language",
];

/// All paths.
pub(crate) fn routes() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().chain(reports::ROUTES)
}

/// All but those of reports.
const ROUTES: &[Route] = &[
    Route {
        path: "search",
        summary: "Games, as `plydex search --format json` lists them",
        kind: "application/json",
        places: &[POSITION],
        needs: &[],
        has_conditions: true,
        settings: &[COMPARISON, SELECTION, PAGE, MOVES, &["group-by"]],
        command: "search",
        is_static: false,
        answer: find,
    },
    Route {
        path: "tree",
        summary: "The moves of a position, as `plydex tree --format json` gives them",
        kind: "application/json",
        places: &[POSITION],
        needs: &[],
        has_conditions: true,
        settings: &[COMPARISON, SELECTION, TREE],
        command: "tree",
        is_static: false,
        answer: moves,
    },
    Route {
        path: "export.pgn",
        summary: "Games as `plydex export` writes them: PGN, or PDN",
        kind: "application/x-chess-pgn",
        places: &[POSITION],
        needs: &[],
        has_conditions: true,
        settings: &[COMPARISON, SELECTION, PAGE, MOVES],
        command: "export",
        is_static: false,
        answer: export,
    },
    Route {
        path: "games/{game}",
        summary: "A game, as `plydex show --format json` or `--format tree` gives it",
        kind: "application/json",
        places: &[FORM],
        needs: &[],
        has_conditions: false,
        settings: &[&["ply"], MOVES],
        command: "show",
        is_static: false,
        answer: |snapshot, asked| game(snapshot, asked, form(asked.request)?),
    },
    Route {
        path: "games/{game}.pgn",
        summary: "A game as PGN, or PDN",
        kind: "application/x-chess-pgn",
        places: &[],
        needs: &[],
        has_conditions: false,
        settings: &[MOVES],
        command: "show",
        is_static: false,
        answer: |snapshot, asked| game(snapshot, asked, ShowFormat::Pgn),
    },
    Route {
        path: "variants",
        summary: "The variants, as `plydex variants --format json` gives them",
        kind: "application/json",
        places: &[],
        needs: &[],
        has_conditions: false,
        settings: &[],
        command: "",
        is_static: true,
        answer: |_, asked| variants(asked),
    },
    Route {
        path: "position",
        summary: "A position with its pieces and legal moves, for pages that draw it",
        kind: "application/json",
        places: &[FEN, PLAY, VARIANT],
        needs: &[],
        has_conditions: false,
        settings: &[],
        command: "",
        is_static: true,
        answer: |_, asked| position(asked),
    },
    Route {
        path: "board.svg",
        summary: "A position drawn, each square a group with the attribute data-square",
        kind: "image/svg+xml",
        places: &[FEN, PLAY, VARIANT, ("flip", "1: Black below")],
        needs: &[],
        has_conditions: false,
        settings: &[],
        command: "",
        is_static: true,
        answer: |_, asked| board(asked),
    },
    Route {
        path: "eco",
        summary: "What a position is called, or openings by code or name",
        kind: "application/json",
        places: &[("position", "Moves, a FEN, an ECO code or words of a name")],
        needs: &["position"],
        has_conditions: false,
        settings: &[&["variant"]],
        command: "eco",
        is_static: true,
        answer: |_, asked| eco(asked),
    },
    Route {
        path: "databases",
        summary: "The databases that are served, with their numbers of games",
        kind: "application/json",
        places: &[],
        needs: &[],
        has_conditions: false,
        settings: &[],
        command: "",
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
        has_conditions: false,
        settings: &[],
        command: "",
        is_static: true,
        answer: |_, asked| {
            asked.read()?;
            Response::json(&openapi::description())
        },
    },
];

impl RouteMatch<'_> {
    /// The parameters; an error if one is unknown.
    pub(super) fn read(&self) -> Result<Params, HandlerError> {
        params::read(self.request, self.route)
    }

    /// The position that `fen`, `play` and `variant` name.
    fn placed(&self) -> Result<(ResolvedPosition, &'static Variant), HandlerError> {
        self.read()?;
        let [fen, play, variant] = ["fen", "play", "variant"].map(|name| self.request.param(name));
        position::read(fen, play, variant)
    }
}

/// That a path has no parameter of a name.
pub(crate) fn unknown_parameter(name: &str) -> HandlerError {
    let error = CliError::new(format!("there is no parameter `{name}`"));
    HandlerError::Wrong(if words::is_position_condition(&name.to_lowercase()) {
        error.hint(format!(
            "conditions on positions are part of a query: where={name}:VALUE"
        ))
    } else {
        error.hint("/v1/openapi.json lists the parameters of each path")
    })
}

/// What a plan or an answer failed of.
pub(super) fn refused(error: CliError) -> HandlerError {
    if error.is_of_store() {
        HandlerError::Failed(error)
    } else {
        HandlerError::Wrong(error)
    }
}

/// The route of a path below `/v1/`, with what stands in the place of `{game}`.
fn route_of(path: &str) -> Option<(&'static Route, &str)> {
    routes().find_map(|route| {
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
pub(crate) fn answer(snapshot: &Snapshot<'_>, path: &str, request: &Request) -> HandlerResult {
    let Some((route, game)) = route_of(path) else {
        return Err(match path {
            "sources" => HandlerError::Moved("ask /v1/databases"),
            _ => HandlerError::Nothing(format!("there is nothing at /v1/{path}")),
        });
    };
    let asked = RouteMatch {
        route,
        request,
        game,
    };
    (route.answer)(snapshot, &asked)
}

/// The games that parameters select, with what names in their queries stand for.
pub(super) fn saved(mut list: ListArgs, snapshot: &Snapshot<'_>) -> Result<ListArgs, HandlerError> {
    let texts = list.position.position.iter().chain(&list.question);
    // Where files are is not for others.
    let name = snapshot.path().file_name().unwrap_or_default();
    let saved = saved_queries::of_texts(texts, snapshot.path(), Path::new(name));
    list.filter.saved = saved.map_err(HandlerError::Failed)?;
    Ok(list)
}

fn find(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let params = asked.read()?;
    let mut list = saved(params.list, snapshot)?;
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
    let plan = search::plan(&args, &mut said).map_err(HandlerError::Wrong)?;
    Response::written(
        JSON,
        |out| search::json(&plan, said, snapshot, out),
        refused,
    )
}

fn moves(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let params = asked.read()?;
    let list = saved(params.list, snapshot)?;
    let args = TreeArgs {
        position: list.position,
        question: list.question,
        filter: list.filter,
        view: params.view,
        depth: params.depth,
        limit: list.page.limit,
        min_games: params.min_games,
        min_score: params.min_score,
        sort: list.page.sort,
        language: list.language,
        format: TreeFormat::Json,
        ..TreeArgs::default()
    };
    let mut said = Vec::new();
    let plan = tree::plan(&args, &mut said).map_err(HandlerError::Wrong)?;
    Response::written(JSON, |out| tree::json(&plan, said, snapshot, out), refused)
}

fn export(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let args = ExportArgs {
        list: saved(asked.read()?.list, snapshot)?,
        ..ExportArgs::default()
    };
    let plan = export::plan(args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    Response::written(PGN, |out| export::data(&plan, snapshot, out), refused)
}

fn variants(asked: &RouteMatch<'_>) -> HandlerResult {
    asked.read()?;
    let all: Vec<_> = ALL.iter().map(|row| AnyPosition::facts(row).json).collect();
    Response::json(&all)
}

fn eco(asked: &RouteMatch<'_>) -> HandlerResult {
    asked.read()?;
    let is_empty = |text: &str| text.trim().is_empty();
    if asked.request.param("position").is_none_or(is_empty) {
        let error = CliError::new("the parameter position is missing");
        return Err(HandlerError::Wrong(error.hint(
            "give a position, a code or a name: position=e4 c5, position=najdorf",
        )));
    }
    let params = asked.read()?;
    let args = EcoArgs {
        asked: params.list.position.position,
        variant: params.variant,
        answer: AnswerArgs::default(),
    };
    let plan = eco::plan(&args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    match plan {
        EcoPlan::Position(typed) => Response::json(&openings::PositionOpening::of(&typed)),
        EcoPlan::List(asked) => Response::json(&openings::OpeningList::of(&asked.openings())),
    }
}

/// The form of a game that is requested.
fn form(request: &Request) -> Result<ShowFormat, HandlerError> {
    match request.param(FORM.0).unwrap_or_default() {
        "" | "items" => Ok(ShowFormat::Json),
        "tree" => Ok(ShowFormat::Tree),
        other => {
            let error = CliError::new(format!("form: `{other}` is not a form of a game"));
            Err(HandlerError::Wrong(error.hint("use items or tree")))
        }
    }
}

fn game(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>, format: ShowFormat) -> HandlerResult {
    let params = asked.read()?;
    let number = asked.game;
    let nothing = || HandlerError::Nothing(format!("there is no game {number}"));
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let game = number.parse().ok().filter(|&game| game > 0 && is_number);
    let game = game.ok_or_else(nothing)?;
    if snapshot.deletion(game)?.is_some() {
        return Err(nothing());
    }
    let args = ShowArgs {
        game,
        ply: params.ply,
        look: BoardStyleArgs::default(),
        clocks: ClocksArg::On,
        notation: params.list.notation,
        language: params.list.language,
        format,
    };
    let plan = show::plan(&args).map_err(HandlerError::Wrong)?;
    let mut is_there = false;
    let kind = if format == ShowFormat::Pgn { PGN } else { JSON };
    let write = |out: &mut AnswerWriter| {
        is_there = show::data(&plan, snapshot, out)?;
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
    let is_flipped = flip.map_or(Ok(false), |value| params::is_set("flip", value))?;
    let drawn = position::picture(&placed, is_flipped);
    Ok(Response::new(200, "image/svg+xml", drawn.into_bytes()))
}
