//! Says to people why a move cannot be.

use crate::games::chess::basics::{
    Bitboard, CastlingSide, Color, Move, Piece, Position, Role, Square,
};
use shakmaty::san::San;

use super::parse::{CandidateMove, WordParse};

/// "it can be Nab3 or Ncb3".
pub(super) fn ambiguous<'m, P: Position>(
    position: &P,
    moves: impl Iterator<Item = &'m Move>,
) -> String {
    let spelled: Vec<String> = moves
        .map(|m| San::from_move(position, *m).to_string())
        .collect();
    format!("it can be {}", list(&spelled, "or"))
}

/// Why a reading has no legal move.
pub(super) fn illegal<P: Position>(position: &P, reading: WordParse) -> String {
    if position.is_variant_end() {
        return "the game is over by the rules of the variant".to_owned();
    }
    match reading {
        WordParse::Null => "a side in check cannot pass".to_owned(),
        WordParse::Drop { role, to } => drop(position, role, to),
        WordParse::Castle(side) => castling(position, side),
        WordParse::Go(go) => go_reason(position, go),
    }
}

fn drop<P: Position>(position: &P, role: Role, to: Square) -> String {
    let color = side(position.turn());
    let Some(pockets) = position.pockets() else {
        return "pieces are dropped only in Crazyhouse and similar variants".to_owned();
    };
    if *pockets.get(position.turn()).get(role) == 0 {
        format!("{color} has no {} in hand", name(role))
    } else if position.board().piece_at(to).is_some() {
        format!("{to} is occupied")
    } else if role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
        "a pawn cannot be dropped on the first or last rank".to_owned()
    } else {
        format!("{color} would be left in check")
    }
}

fn castling<P: Position>(position: &P, to: CastlingSide) -> String {
    let color = side(position.turn());
    let where_to = if to.is_king_side() {
        "kingside"
    } else {
        "queenside"
    };
    if position.castles().rook(position.turn(), to).is_none() {
        format!("{color} has no right to castle {where_to}")
    } else if position.is_check() {
        format!("{color} is in check and cannot castle")
    } else if (position.castles().path(position.turn(), to) & position.board().occupied()).any() {
        format!("{color} cannot castle {where_to}: there are pieces in the way")
    } else {
        format!("{color} cannot castle {where_to}: the king would cross an attacked square")
    }
}

fn go_reason<P: Position>(position: &P, go: CandidateMove) -> String {
    let (us, board) = (position.turn(), position.board());
    let goal = go.to().map_or_else(
        || format!("the {}-file", go.to_file.char()),
        |to| to.to_string(),
    );
    if let Some(from) = go.from() {
        return match board.piece_at(from) {
            None => format!("there is no piece on {from}"),
            Some(piece) if piece.color != us => {
                format!(
                    "the piece on {from} is {}, but {} is to move",
                    piece.color,
                    side(us)
                )
            }
            Some(piece) => {
                format!(
                    "the {us} {} on {from} cannot go to {goal}",
                    name(piece.role)
                )
            }
        };
    }
    let role = go.role.unwrap_or(Role::Pawn);
    let pieces: Vec<Square> = board
        .by_piece(Piece { color: us, role })
        .into_iter()
        .collect();
    let piece = name(role);
    if matches!(go.promotion, Some(Role::King | Role::Pawn)) {
        return "a pawn promotes to a queen, rook, bishop or knight".to_owned();
    }
    if role == Role::Pawn {
        let verb = if go.capture || go.from_file.is_some() {
            "capture on"
        } else {
            "go to"
        };
        return format!("no {us} pawn can {verb} {goal}");
    }
    let places: Vec<String> = pieces.iter().map(ToString::to_string).collect();
    match &places[..] {
        [] => format!("{} has no {piece}", side(us)),
        [place] => format!("the {us} {piece} on {place} cannot go to {goal}"),
        _ => format!(
            "no {us} {piece} can reach {goal}; the {piece}s stand on {}",
            list(&places, "and")
        ),
    }
}

/// A side as the subject of a sentence.
fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

const fn name(role: Role) -> &'static str {
    ["pawn", "knight", "bishop", "rook", "queen", "king"][role as usize - 1]
}

fn list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., end] => format!("{} {last} {end}", rest.join(", ")),
    }
}
