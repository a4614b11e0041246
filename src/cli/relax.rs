//! What is said of a position that finds nothing although its pieces occur in games.

use super::CommandContext;
use super::error::CliError;
use super::render::number;
use crate::database::{AccessPlan, Snapshot};
use crate::query::pattern::facts;
use crate::query::{GameCondition, PositionQuery, position};

/// Says what would find games, if anything, where a plan finds none.
pub(crate) fn say(plan: &AccessPlan, context: &mut CommandContext<'_>) -> Result<(), CliError> {
    let nearly = context.ask(|snapshot| found(snapshot, plan))?;
    if let Some(note) = nearly {
        context.notes.note(&note);
    }
    Ok(())
}

/// What finds games where an exact position finds none, alone or in a query.
pub(crate) fn found(
    snapshot: &Snapshot<'_>,
    plan: &AccessPlan,
) -> Result<Option<String>, CliError> {
    if let Some(position) = &plan.position {
        let with = |looser: PositionQuery| AccessPlan {
            position: Some(looser),
            ..plan.clone()
        };
        let nearly = first_that_finds(snapshot, position, with)?;
        return Ok(nearly.map(|(games, looser)| {
            if position.words.is_none() {
                return shorter(position, &games, &looser);
            }
            let option = if looser.asks_turn {
                "board"
            } else {
                "placement"
            };
            format!("{games}: add --identity {option}")
        }));
    }
    let Some(pattern) = &plan.pattern else {
        return Ok(None);
    };
    let positions = facts::game_conditions(&pattern.expr);
    let positions = positions.filter_map(|(condition, _)| match condition {
        GameCondition::Position(position) => position.read.as_deref(),
        _ => None,
    });
    for (nth, position) in positions.enumerate() {
        let with = |looser: PositionQuery| {
            let mut pattern = pattern.clone();
            let mut left = nth;
            let _ = position::each_condition(&mut pattern.expr, &mut |condition, _| {
                if let GameCondition::Position(own) = condition {
                    if left == 0 {
                        own.read = Some(Box::new(looser.clone()));
                        return Err(());
                    }
                    left -= 1;
                }
                Ok(())
            });
            AccessPlan {
                pattern: Some(pattern),
                ..plan.clone()
            }
        };
        if let Some((games, looser)) = first_that_finds(snapshot, position, with)? {
            return Ok(Some(shorter(position, &games, &looser)));
        }
    }
    Ok(None)
}

/// The FEN that finds some games, with fewer fields than that of a position.
fn shorter(position: &PositionQuery, games: &str, looser: &RelaxedPosition) -> String {
    let fen = position.position.fen();
    let fields = if looser.asks_turn { 2 } else { 1 };
    let fields: Vec<&str> = fen.split(' ').take(fields).collect();
    match &fields[..] {
        [board] if fen.contains(' ') => format!("{games}: write fen:{board}"),
        [board, turn] => format!("{games}: write fen:\"{board} {turn}\""),
        // Boards of other games have the side to move before them.
        _ => games.to_owned(),
    }
}

/// Less than the position of a query.
struct RelaxedPosition {
    asks_turn: bool,
}

/// The first of what is less than a position that finds games, and what is said of these: the same
/// pieces with other rights, or with the other side to move.
fn first_that_finds(
    snapshot: &Snapshot<'_>,
    position: &PositionQuery,
    with: impl Fn(PositionQuery) -> AccessPlan,
) -> Result<Option<(String, RelaxedPosition)>, CliError> {
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
    for (is_asked, looser, differs) in [
        (has_rights, board, "other castling rights or en passant"),
        (position.ask_turn, placement, "the other side to move"),
    ] {
        if is_asked {
            let asks_turn = looser.ask_turn;
            let games = snapshot.count(&with(looser))?;
            if games > 0 {
                let games = number::counted(games, "game", "games");
                let told = format!("{games} with these pieces and {differs}");
                return Ok(Some((told, RelaxedPosition { asks_turn })));
            }
        }
    }
    Ok(None)
}
