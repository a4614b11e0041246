//! What is said of a position that finds nothing although its pieces are there.

use super::Context;
use super::error::CliError;
use super::render::number;
use crate::db::query::{PositionQuery, Query};
use crate::db::search;
use crate::db::store::Store;

/// Says what would find games, if anything, where a query that was made ready finds none.
pub(crate) fn say(query: &Query, context: &mut Context<'_>) -> Result<(), CliError> {
    let nearly = context.ask(|store| nearly_found(store, query))?;
    if let Some(note) = nearly {
        context.notes.note(&note);
    }
    Ok(())
}

/// What finds games where an exact position finds none: the same pieces with other rights, or
/// with the other side to move.
fn nearly_found(store: &Store, query: &Query) -> Result<Option<String>, CliError> {
    let Some(position) = &query.position else {
        return Ok(None);
    };
    let board = PositionQuery {
        ask_castling: false,
        ask_en_passant: false,
        ..position.clone()
    };
    let placement = PositionQuery {
        ask_turn: false,
        ..board.clone()
    };
    let has_rights = position.ask_castling || position.ask_en_passant;
    for (is_asked, looser, differs, option) in [
        (
            has_rights,
            board,
            "other castling rights or en passant",
            "board",
        ),
        (
            position.ask_turn,
            placement,
            "the other side to move",
            "placement",
        ),
    ] {
        if is_asked {
            let query = Query {
                position: Some(looser),
                ..query.clone()
            };
            let games = search::count(store, &query)?;
            if games > 0 {
                let games = number::counted(games, "game", "games");
                return Ok(Some(format!(
                    "{games} with these pieces and {differs}: add --identity {option}"
                )));
            }
        }
    }
    Ok(None)
}
