//! Positions in queries: what a text is read as, and what of it must agree.

use super::{GameCondition, Identity, PositionQuery, pattern::Expr};
use crate::{
    games::{
        AnyPosition,
        position_input::{self, ExpectedVariants, PositionError, TypedPosition, Warning},
        variant::Variant,
    },
    problems,
};

/// Reads a position as people type it, of one of some variants, by their numbers; of any, if none
/// is named. What is worth a look is added to the notes.
///
/// # Errors
///
/// [`PositionError`] if it is none.
pub fn read(
    text: &str,
    variants: &[u8],
    notes: &mut Vec<String>,
) -> Result<TypedPosition, PositionError> {
    let mut rows: Vec<_> = variants
        .iter()
        .filter_map(|&id| Variant::by_id(id))
        .collect();
    // Of several, one that knows of castling reads what the others have besides, whichever is
    // named first.
    rows.sort_by_key(|row| !has_castling(row));
    let is_unknown = !rows.is_empty() && rows.iter().all(|row| row.tier().is_none());
    let expected = ExpectedVariants { rows };
    let read = position_input::requested_position(text, &expected)
        .or_else(|error| match problems::listed_board(text) {
            // Pieces of chess as problems list them are the bare board with them.
            Some(board) => position_input::read_position(&board, &expected).map_err(|of_board| {
                // Other games see no board in its text.
                if expected.rows.is_empty() {
                    of_board
                } else {
                    error
                }
            }),
            None => Err(error),
        })
        .map_err(|error| {
            if is_unknown {
                PositionError {
                    hint: "leave out the POSITION: games of this variant are stored as text and found by their tags".into(),
                    ..error
                }
            } else {
                error
            }
        })?;
    let news = read.warnings.iter().filter(|warning| !warning.is_usual());
    notes.extend(news.map(Warning::to_string));
    Ok(read)
}

/// Whether a side may castle from where games of a variant begin.
fn has_castling(row: &'static Variant) -> bool {
    let fen = AnyPosition::start(row).map(|start| start.fen());
    let rights = fen.as_deref().and_then(|fen| fen.split(' ').nth(2));
    rights.is_some_and(|rights| rights.contains(|c: char| c.is_ascii_alphabetic()))
}

/// A search for a position in any variant of its board. A field that was not given is not searched
/// for, whatever the identity.
pub fn query_of(read: TypedPosition, identity: Identity) -> PositionQuery {
    let fields = read.fields;
    PositionQuery {
        ask_turn: fields.turn && identity != Identity::Placement,
        ask_castling: fields.castling && identity == Identity::Legal,
        ask_en_passant: fields.ep && identity == Identity::Legal,
        ..PositionQuery::of(read.at)
    }
}

/// Reads the positions of conditions on games in variants, by their numbers, where that was not
/// done.
///
/// # Errors
///
/// [`PositionError`] at the first that is none.
pub fn resolve(
    condition: &mut GameCondition,
    variants: &[u8],
    notes: &mut Vec<String>,
) -> Result<(), PositionError> {
    let (position, is_start) = match condition {
        GameCondition::Start(position) => (position, true),
        GameCondition::Position(position) => (position, false),
        _ => return Ok(()),
    };
    if position.read.is_some() {
        return Ok(());
    }
    let read = read(&position.text, variants, notes)?;
    let query = query_of(read, Identity::Legal);
    let ask_variant = variants == [query.position.variant().id] && query.position.tells_variant();
    position.read = Some(Box::new(PositionQuery {
        ask_variant,
        // As a position is that stands alone.
        own_rules: !is_start && variants.is_empty(),
        ..query
    }));
    Ok(())
}

/// The same for conditions that must all hold.
///
/// # Errors
///
/// [`PositionError`] at the first that is none.
pub fn resolve_all(
    conditions: &mut [GameCondition],
    notes: &mut Vec<String>,
) -> Result<(), PositionError> {
    let variants = super::variants_of(&*conditions);
    conditions
        .iter_mut()
        .try_for_each(|condition| resolve(condition, &variants, notes))
}

/// Calls `each` with all conditions on games of an expression, in the order of its text.
///
/// # Errors
///
/// Those of `each`.
pub fn each_condition<E>(
    expr: &mut Expr,
    each: &mut impl FnMut(&mut GameCondition, &super::pattern::TextSpan) -> Result<(), E>,
) -> Result<(), E> {
    match expr {
        Expr::And(inner) | Expr::Or(inner) => inner
            .iter_mut()
            .try_for_each(|one| each_condition(one, each)),
        Expr::Not(inner) | Expr::Seen(_, inner) => each_condition(inner, each),
        Expr::Game(condition, span) => each(condition, span),
        Expr::Chain(_) | Expr::Saved(..) => Ok(()),
    }
}
