//! Errors about options and commands, with what was probably meant. clap proposes the option whose
//! letters are most alike, which for `--elo` is `--eco`.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use super::args::Args;
use super::error::CliError;
use crate::query::{interpret, suggest};

/// Names that other programs have for an option, an option of the commands that have the same, and what
/// to write there.
const OPTIONS: [(&[&str], &str, &str); 14] = [
    (&["rating", "ratings"], "elo", "write --elo 2600..2700"),
    (
        &["year", "years", "from", "to", "after", "before"],
        "date",
        "write --date 1972..1975",
    ),
    (
        &["fen", "position", "pos", "board", "moves", "query"],
        "identity",
        "a position, moves or a query are written without an option: plydex search e4 e5",
    ),
    (
        &["material", "pieces"],
        "identity",
        "write material:KRPvKR in the query",
    ),
    (
        &["time-control", "tc", "speed", "timecontrol"],
        "time",
        "write --time blitz",
    ),
    (&["evals", "score"], "eval", "write --eval 1.5..3"),
    (&["has", "title"], "tag", "write --tag WhiteTitle=GM"),
    (
        &["name", "opponent", "players", "against", "vs"],
        "player",
        "write --player NAME; given twice, games of both",
    ),
    (&["tournament", "tourney"], "event", "write --event NAME"),
    (&["place", "city", "country"], "site", "write --site NAME"),
    (
        &["out", "file", "to-file", "save"],
        "output",
        "write --output FILE",
    ),
    (&["max", "top", "head", "first"], "limit", "write --limit N"),
    (
        &["order", "order-by", "sort-by"],
        "sort",
        "write --sort KEY",
    ),
    (
        &["variations", "lines", "with-variations"],
        "in-variations",
        "write --in-variations",
    ),
];

/// Names that other programs have for a command.
const COMMANDS: [(&[&str], &str); 18] = [
    (
        &["find", "query", "games", "list", "problems", "position"],
        "search",
    ),
    (&["add", "load", "read", "insert", "index"], "import"),
    (&["remove", "rm", "del"], "delete"),
    (&["stats", "status", "statistics"], "info"),
    (&["view", "print", "cat", "game"], "show"),
    (&["open", "web", "server", "http", "explorer"], "serve"),
    (&["names", "player", "people", "spellings"], "players"),
    (&["dump", "tables"], "unpack"),
    (&["vacuum", "compact", "compress"], "optimize"),
    (&["history", "changes"], "log"),
    (&["revert", "rollback"], "undo"),
    (&["openings", "opening"], "eco"),
    (&["fen", "translate"], "convert"),
    (&["save", "write", "output"], "export"),
    (&["verify", "fsck", "test", "repair"], "check"),
    (&["errors", "findings", "warnings", "lint"], "diagnostics"),
    (&["duplicates", "dedup", "doubles"], "dedupe"),
    (&["join", "append"], "merge"),
];

/// The error of a command line that says what may have been meant; `None` where clap's own words are
/// as good.
pub(super) fn explain(error: &clap::Error, words: &[String]) -> Option<CliError> {
    match error.kind() {
        ErrorKind::UnknownArgument => unknown_argument(error, words),
        ErrorKind::InvalidSubcommand => unknown_command(error),
        ErrorKind::ValueValidation => wrong_value(error, words),
        _ => None,
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// The command that a command line names.
fn command(words: &[String]) -> Option<Command> {
    let all = Args::command();
    let found = words
        .iter()
        .skip(1)
        .find_map(|word| all.find_subcommand(word));
    found.cloned()
}

fn unknown_argument(error: &clap::Error, words: &[String]) -> Option<CliError> {
    let typed = text(error, ContextKind::InvalidArg)?;
    let typed = typed.split_once('=').map_or(typed, |(name, _)| name);
    let command = command(words)?;
    let help = format!("`plydex {} --help` lists the options", command.get_name());
    if !typed.starts_with('-') {
        let error = CliError::new(format!(
            "{}: `{typed}` is one word too many",
            command.get_name()
        ));
        let takes_no_words = command.get_positionals().next().is_none();
        return Some(if takes_no_words {
            error.hint(format!(
                "the database is named with --db: plydex --db {typed} {}",
                command.get_name()
            ))
        } else {
            error.hint(help)
        });
    }
    // Clap names what it could not read of `----/-p-` by the first letter.
    let whole = words.iter().skip(1).find(|word| word.starts_with(typed));
    let whole = whole.map_or(typed, String::as_str);
    if whole.contains('/') {
        return Some(
            CliError::new(format!("`{whole}` is read as an option")).hint(format!(
                "write `--` before a position that begins with a minus: plydex {} -- {}",
                command.get_name(),
                interpret::in_shell(whole)
            )),
        );
    }
    let name = typed.trim_start_matches('-').to_ascii_lowercase();
    let error = CliError::new(format!("{} has no option `{typed}`", command.get_name()));
    let globals = ["db", "color", "quiet", "help"];
    let own: Vec<&str> = command
        .get_arguments()
        .filter_map(clap::Arg::get_long)
        .collect();
    let synonym = OPTIONS
        .iter()
        .find(|(names, option, _)| names.contains(&name.as_str()) && own.contains(option));
    if let Some((.., written)) = synonym {
        return Some(error.hint(*written));
    }
    let nearest = suggest::nearest(&name, own.iter().copied().chain(globals));
    Some(match nearest {
        Some(option) => error.hint(format!("did you mean --{option}? {help}")),
        None => error.hint(help),
    })
}

fn unknown_command(error: &clap::Error) -> Option<CliError> {
    let typed = text(error, ContextKind::InvalidSubcommand)?;
    let error = CliError::new(format!("there is no command `{typed}`"));
    let name = typed.to_ascii_lowercase();
    let all = Args::command();
    let names: Vec<&str> = all.get_subcommands().map(Command::get_name).collect();
    if name == "version" {
        return Some(error.hint("`plydex --version` prints the version"));
    }
    let synonym = COMMANDS
        .iter()
        .find(|(names, _)| names.contains(&name.as_str()));
    if let Some((_, command)) = synonym {
        return Some(error.hint(format!("did you mean `plydex {command}`?")));
    }
    if std::path::Path::new(typed).is_file() {
        return Some(error.hint(format!("`plydex import {typed}` reads the games of a file")));
    }
    Some(
        match suggest::nearest(&name, names.into_iter().chain(["help"])) {
            Some(command) => error.hint(format!("did you mean `plydex {command}`?")),
            None => error.hint("`plydex --help` lists the commands; `plydex search …` finds games"),
        },
    )
}

/// A name where the number of a game is wanted.
fn wrong_value(error: &clap::Error, words: &[String]) -> Option<CliError> {
    let (argument, value) = (
        text(error, ContextKind::InvalidArg)?,
        text(error, ContextKind::InvalidValue)?,
    );
    if !argument.contains("<GAME>") {
        return None;
    }
    let command = command(words)?;
    let error = CliError::new(format!(
        "{}: `{value}` is not the number of a game",
        command.get_name()
    ));
    let hint = if value
        .chars()
        .all(|c| c.is_alphabetic() || ", .'-".contains(c))
    {
        let player = interpret::condition_in_shell("player", value);
        format!("`plydex search {player}` lists games with their numbers")
    } else {
        "write the number that `plydex search` lists, such as 91 or #91".to_owned()
    };
    Some(error.hint(hint))
}
