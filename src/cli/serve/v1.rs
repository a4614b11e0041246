//! What the commands answer, by their own parameters, as JSON (`docs/json.md`).
//!
//! Parameters are the long options of the commands: they become what would have been typed, so
//! that there is one reader of what a filter means.

use clap::{ArgAction, CommandFactory, Parser};

use super::asking::Asking;
use super::desk::{Answer, Refused};
use super::placed;
use super::plan_serve::first_line;
use super::reply::{JSON, Reply};
use crate::cli::args::{ExportArgs, ListArgs, SearchArgs, SearchFormat, ShowArgs, ShowFormat};
use crate::cli::args_output::{LanguageArgs, NotationArgs};
use crate::cli::args_rules::EcoArgs;
use crate::cli::args_tree::{TreeArgs, TreeFormat};
use crate::cli::eco::EcoPlan;
use crate::cli::error::CliError;
use crate::cli::render::openings;
use crate::cli::{export, plan, plan_rules, plan_tree, search, show, tree};
use crate::db::query::GroupKey;
use crate::db::store::Store;
use crate::games::AnyPosition;
use crate::games::variant::ALL;

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
    #[arg(long, value_name = "KEY", value_parser = crate::cli::values::one_of(crate::cli::args::GROUP_KEYS))]
    group_by: Option<GroupKey>,
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

/// Options that name files or the form of an answer, which is JSON.
const NEVER: &[&str] = &["output", "force", "format", "db", "each", "file"];

/// The options that are parameters of a path.
fn options<P: CommandFactory>() -> Vec<clap::Arg> {
    let command = P::command();
    let options = command.get_arguments().filter(|arg| {
        let long = arg.get_long();
        long.is_some_and(|long| !NEVER.contains(&long))
    });
    options.cloned().collect()
}

/// The parameters of a path as they were typed, read as the command reads them.
fn read<P: Parser>(asking: &Asking, position: &[&str]) -> Result<P, Refused> {
    let options = options::<P>();
    let (mut words, mut places) = (Vec::new(), Vec::new());
    for (name, value) in &asking.params {
        if position.contains(&name.as_str()) {
            if !value.trim().is_empty() {
                places.push(value.clone());
            }
            continue;
        }
        let is_it = |arg: &&clap::Arg| {
            let aliases = arg.get_visible_aliases().unwrap_or_default();
            arg.get_long() == Some(name.as_str()) || aliases.contains(&name.as_str())
        };
        let Some(option) = options.iter().find(is_it) else {
            let error = CliError::new(format!("there is no parameter `{name}`"));
            return Err(Refused::Wrong(
                error.hint("/v1/openapi.json lists the parameters of each path"),
            ));
        };
        if matches!(option.get_action(), ArgAction::SetTrue) {
            match value.as_str() {
                "" | "1" | "true" | "yes" | "on" => words.push(format!("--{name}")),
                "0" | "false" | "no" | "off" => {}
                _ => {
                    let error = format!("{name}: `{value}` is neither true nor false");
                    return Err(Refused::Wrong(CliError::new(error)));
                }
            }
        } else {
            words.push(format!("--{name}={value}"));
        }
    }
    if !places.is_empty() {
        words.push("--".to_owned());
        words.extend(places);
    }
    P::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        Refused::Wrong(CliError::new(first_line(&text)))
    })
}

/// What a plan or an answer failed of.
fn refused(error: CliError) -> Refused {
    if error.is_of_store() {
        Refused::Failed(error)
    } else {
        Refused::Wrong(error)
    }
}

/// Answers what is below `/v1/`.
///
/// # Errors
///
/// [`Refused`].
pub(crate) fn answer(store: &Store, path: &str, asking: &Asking) -> Answer {
    match path {
        "search" => find(store, asking),
        "tree" => moves(store, asking),
        "export.pgn" => export(store, asking),
        "variants" => variants(),
        "position" | "board.svg" => position(asking, path == "board.svg"),
        "eco" => eco(asking),
        _ => match path.strip_prefix("games/") {
            Some(name) => game(store, name, asking),
            None => Err(Refused::Nothing(format!("there is nothing at /v1/{path}"))),
        },
    }
}

fn find(store: &Store, asking: &Asking) -> Answer {
    let params: SearchParams = read(asking, &["position"])?;
    let mut list = params.list;
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
    let plan = plan::search(&args, &mut Vec::new()).map_err(Refused::Wrong)?;
    Reply::written(JSON, |out| search::json(&plan, store, out)).map_err(refused)
}

fn moves(store: &Store, asking: &Asking) -> Answer {
    let params: TreeParams = read(asking, &["position"])?;
    let args = TreeArgs {
        format: TreeFormat::Json,
        ..params.tree
    };
    let plan = plan_tree::tree(&args, &mut Vec::new()).map_err(Refused::Wrong)?;
    Reply::written(JSON, |out| tree::json(&plan, store, out)).map_err(refused)
}

fn export(store: &Store, asking: &Asking) -> Answer {
    let params: ExportParams = read(asking, &["position"])?;
    let args = ExportArgs {
        list: params.list,
        ..ExportArgs::default()
    };
    let plan = plan::export(args, &mut Vec::new()).map_err(Refused::Wrong)?;
    Reply::written(PGN, |out| export::data(&plan, store, out)).map_err(refused)
}

fn variants() -> Answer {
    let all: Vec<_> = ALL.iter().map(|row| AnyPosition::facts(row).json).collect();
    Reply::json(&all).map_err(Refused::Failed)
}

fn eco(asking: &Asking) -> Answer {
    let params: EcoParams = read(asking, &["position"])?;
    if params.eco.asked.is_empty() {
        let error = CliError::new("the parameter position is missing");
        return Err(Refused::Wrong(error.hint(
            "give a position, a code or a name: position=e4 c5, position=najdorf",
        )));
    }
    let plan = plan_rules::eco(&params.eco, &mut Vec::new()).map_err(Refused::Wrong)?;
    match plan {
        EcoPlan::Position(typed) => Reply::json(&openings::OfPosition::of(&typed)),
        EcoPlan::List(asked) => Reply::json(&openings::List::of(&asked.openings())),
    }
    .map_err(Refused::Failed)
}

fn game(store: &Store, name: &str, asking: &Asking) -> Answer {
    let params: GameParams = read(asking, &[])?;
    let (number, format) = match name.strip_suffix(".pgn") {
        Some(number) => (number, ShowFormat::Pgn),
        None => (name, ShowFormat::Json),
    };
    let nothing = || Refused::Nothing(format!("there is no game {number}"));
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let game = number.parse().ok().filter(|&game| game > 0 && is_number);
    let game = game.ok_or_else(nothing)?;
    if store.removed()?.contains(game) {
        return Err(nothing());
    }
    let args = ShowArgs {
        game,
        ply: None,
        look: Default::default(),
        notation: params.notation,
        language: params.language,
        format,
    };
    let plan = plan::show(&args).map_err(Refused::Wrong)?;
    let mut is_there = false;
    let kind = if format == ShowFormat::Pgn { PGN } else { JSON };
    let reply = Reply::written(kind, |out| {
        is_there = show::data(&plan, store, out)?;
        Ok(())
    });
    let reply = reply.map_err(refused)?;
    if is_there { Ok(reply) } else { Err(nothing()) }
}

fn position(asking: &Asking, is_drawn: bool) -> Answer {
    let known: &[&str] = if is_drawn {
        &["fen", "play", "variant", "flip"]
    } else {
        &["fen", "play", "variant"]
    };
    let unknown = asking
        .params
        .iter()
        .find(|(name, _)| !known.contains(&name.as_str()));
    if let Some((name, _)) = unknown {
        let error = format!("there is no parameter `{name}`");
        return Err(Refused::Wrong(CliError::new(error)));
    }
    let [fen, play, variant] = ["fen", "play", "variant"].map(|name| asking.param(name));
    let (placed, row) = placed::read(fen, play, variant)?;
    if is_drawn {
        let flipped = matches!(asking.param("flip"), Some("1" | "true" | "yes" | "on" | ""));
        let drawn = placed::picture(&placed, flipped);
        return Ok(Reply::new(200, "image/svg+xml", drawn.into_bytes()));
    }
    Reply::json(&placed::describe(&placed, row)?).map_err(Refused::Failed)
}
