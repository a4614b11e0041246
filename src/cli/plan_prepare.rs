//! What the arguments mean that prepare for games.

use std::path::PathBuf;

use crate::base::record::GameId;
use crate::db::search::MoveNotation;
use crate::games::notation::letters::Language;
use crate::query::Query;

use super::args::ListArgs;
use super::args_output::TableFormat;
use super::args_prepare::{NoveltyArgs, RepertoireArgs, SideArg};
use super::error::CliError;
use super::plan_query::{conditions, output_language, query, question, writing};

/// `novelty`.
#[derive(Debug, Clone)]
pub struct NoveltyPlan {
    /// The games.
    pub query: Query,
    /// How moves are written.
    pub writing: MoveNotation,
    /// Of the answer.
    pub format: TableFormat,
}

/// `repertoire`.
#[derive(Debug, Clone)]
pub struct RepertoirePlan {
    /// The file.
    pub file: PathBuf,
    /// Whose it is: 0 White, 1 Black; `None` if the file says.
    pub side: Option<usize>,
    /// The games that it is compared with.
    pub query: Query,
    /// Lines of each table; `None` is all.
    pub limit: Option<u64>,
    /// Games of a move that is worth a word.
    pub min_games: u64,
    /// The language that moves are written in.
    pub language: &'static Language,
    /// Of the answer.
    pub format: TableFormat,
}

/// Lines of a table: a screenful.
const LINES_DEFAULT: u64 = 20;

pub(super) fn novelty(
    args: &NoveltyArgs,
    warnings: &mut Vec<String>,
) -> Result<NoveltyPlan, CliError> {
    let mut list = args.list.clone();
    if let Some(word) = game_and_position(&list.position.position) {
        let number = word.trim_start_matches('#');
        let error = format!("`{word}` names a game, and what follows a position");
        return Err(CliError::new(error).hint(format!(
            "write one of them, or --games {number} for that game if it reaches the position"
        )));
    }
    if let Some(game) = game_number(&list) {
        list.position.position.clear();
        list.filter.conditions.add("games", &game.to_string());
    }
    Ok(NoveltyPlan {
        query: query(&list, Some(LINES_DEFAULT), warnings)?,
        writing: writing(list.notation, &list.language)?,
        format: args.format,
    })
}

/// The game, if nothing but a number was typed for a position.
fn game_number(list: &ListArgs) -> Option<GameId> {
    let [word] = &list.position.position[..] else {
        return None;
    };
    let number = word.strip_prefix('#').unwrap_or(word);
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| is_number)
}

/// The number of a game before the words of a position. With 1, and before another number, it is
/// one of a move or a square.
fn game_and_position(words: &[String]) -> Option<&str> {
    let mut words = words.iter().flat_map(|word| word.split_whitespace());
    let (word, next) = (words.next()?, words.next()?);
    let number = word.strip_prefix('#').unwrap_or(word);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_moves = number == "1" || next.starts_with(|c: char| c.is_ascii_digit());
    (is_number && (number != word || !is_of_moves)).then_some(word)
}

pub(super) fn repertoire(
    args: RepertoireArgs,
    warnings: &mut Vec<String>,
) -> Result<RepertoirePlan, CliError> {
    let mut conditions = conditions(&args.filter, warnings)?;
    let mut query = match &args.question {
        Some(text) => question(text, (&mut conditions, &args.filter.saved, false), warnings)?,
        None => Query::default(),
    };
    query.require(conditions);
    query.scope.exact_names = args.filter.exact_names;
    Ok(RepertoirePlan {
        side: args.side.map(|side| match side {
            SideArg::White => 0,
            SideArg::Black => 1,
        }),
        query,
        limit: Some(args.limit.unwrap_or(LINES_DEFAULT)).filter(|limit| *limit > 0),
        min_games: args.min_games.unwrap_or(1),
        language: output_language(&args.language)?,
        file: args.file,
        format: args.format,
    })
}
