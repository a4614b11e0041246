//! What the arguments of commands mean that change games or take that back.

use std::path::PathBuf;

use super::args::ListArgs;
use super::args_changes::{DedupeArgs, DeleteArgs, EditArgs, LogArgs, MergeArgs};
use super::args_output::TextFormat;
use super::backend::{DedupeOptions, DuplicateAction};
use super::error::CliError;
use super::plan::SEARCH_LIMIT_DEFAULT;
use super::plan_query::query;
use super::value_parsers;
use crate::base::record::GameId;
use crate::db::changes::TagEdit;
use crate::db::search::MoveNotation;
use crate::query::{Query, interpret::in_shell};

/// Changes where no `--limit` is given.
const LOG_LIMIT_DEFAULT: u64 = 20;

/// Groups of games where no `--limit` is given.
const GROUP_LIMIT_DEFAULT: u64 = 20;

/// `log`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPlan {
    /// How many changes at most; `None` is all.
    pub limit: Option<u64>,
    /// How they are given.
    pub format: TextFormat,
}

/// `delete`.
#[derive(Debug, Clone)]
pub struct DeletePlan {
    /// The games; as many are listed as it asks for.
    pub query: Query,
    /// How moves of the listed games are written.
    pub writing: MoveNotation,
    /// What was typed.
    pub what: String,
    /// Whether they are deleted.
    pub yes: bool,
    /// Of the answer.
    pub format: TextFormat,
}

/// `dedupe`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DedupePlan {
    /// What is searched for, and what stays.
    pub options: DedupeOptions,
    /// What was typed.
    pub what: String,
    /// Whether the others are removed.
    pub yes: bool,
    /// Groups that are listed; `None` is all.
    pub limit: Option<u64>,
    /// Of the answer.
    pub format: TextFormat,
}

/// `merge`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergePlan {
    /// The other database.
    pub other: PathBuf,
    /// What becomes of games that are stored already.
    pub duplicates: DuplicateAction,
    /// Of the answer.
    pub format: TextFormat,
}

/// `edit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditPlan {
    /// Which game.
    pub game: GameId,
    /// Its tags as they are to be.
    pub edits: Vec<TagEdit>,
    /// Whether any text is written, whatever its tag means.
    pub force: bool,
    /// Of the answer.
    pub format: TextFormat,
}

/// What `--limit` says where it is left out, or is 0 for all.
fn limit(given: Option<u64>, default: u64) -> Option<u64> {
    match given {
        Some(0) => None,
        given => Some(given.unwrap_or(default)),
    }
}

pub(super) fn log(args: LogArgs) -> LogPlan {
    LogPlan {
        limit: limit(args.limit, LOG_LIMIT_DEFAULT),
        format: args.answer.format,
    }
}

pub(super) fn dedupe(args: DedupeArgs) -> DedupePlan {
    DedupePlan {
        options: DedupeOptions {
            policy: args.keep.unwrap_or_default(),
            with_parts: args.parts,
        },
        what: value_parsers::typed_behind("dedupe", &["--yes"]),
        yes: args.yes,
        limit: limit(args.limit, GROUP_LIMIT_DEFAULT),
        format: args.answer.format,
    }
}

pub(super) fn merge(args: MergeArgs) -> MergePlan {
    MergePlan {
        other: args.other,
        duplicates: args.duplicates.unwrap_or_default(),
        format: args.answer.format,
    }
}

pub(super) fn delete(args: DeleteArgs, warnings: &mut Vec<String>) -> Result<DeletePlan, CliError> {
    let list = ListArgs {
        position: args.position,
        filter: args.filter,
        question: args.question,
        ..ListArgs::default()
    };
    let query = query(&list, Some(SEARCH_LIMIT_DEFAULT), warnings)?;
    let guess = warnings
        .iter()
        .find_map(|note| note.strip_prefix("read as: "));
    if let (true, Some(guess)) = (args.yes, guess) {
        return Err(
            CliError::new("nothing is deleted by a query that had to be interpreted")
                .hint(format!("write the query as {}", in_shell(guess))),
        );
    }
    if query.is_everything() {
        return Err(CliError::new("delete needs to know which games")
            .hint("name them as in search, or with --games 1-100; for an empty database use another file with --db"));
    }
    Ok(DeletePlan {
        query,
        writing: MoveNotation::default(),
        what: value_parsers::typed_behind("delete", &["--yes"]),
        yes: args.yes,
        format: args.answer.format,
    })
}

pub(super) fn edit(args: EditArgs) -> Result<EditPlan, CliError> {
    let mut edits = Vec::new();
    for text in args.tag {
        let Some((name, value)) = text.split_once('=') else {
            return Err(CliError::new(format!("--tag: `{text}` has no value"))
                .hint("write NAME=VALUE, such as Round=3; --remove NAME takes a tag away"));
        };
        edits.push(TagEdit {
            name: name.trim().to_owned(),
            value: Some(value.to_owned()),
        });
    }
    edits.extend(
        args.remove
            .into_iter()
            .map(|name| TagEdit { name, value: None }),
    );
    for (at, edit) in edits.iter().enumerate() {
        let is_twice = |other: &TagEdit| other.name.eq_ignore_ascii_case(&edit.name);
        if edits[..at].iter().any(is_twice) {
            return Err(
                CliError::new(format!("[{}] is to be changed twice", edit.name))
                    .hint("name each tag once"),
            );
        }
    }
    Ok(EditPlan {
        game: args.game,
        edits,
        force: args.force,
        format: args.answer.format,
    })
}
