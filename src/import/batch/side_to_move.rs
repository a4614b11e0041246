//! Who moves first in a position whose FEN does not say it.

use super::ParsedGame;
use crate::{
    games::{AnyPosition, variant::Variant},
    pgn::{
        parser::{ItemKind, Syntax},
        tags::game_type,
    },
};

/// What the number of the first move of a game says of a FEN that does not say who moves.
pub(super) enum InferredSideToMove {
    /// The FEN with the side that moves.
    Told(Vec<u8>),
    /// The number is that of a move of Black, but only White can play it: the word stands here.
    Doubtful(u32),
}

/// The FEN of a game with the side to move that the number of its first move gives
/// (`1... Kd7`), if it says none; `None` where it stands as it is (M14).
pub(super) fn of_moves(parsed: &ParsedGame<'_>) -> Option<InferredSideToMove> {
    let fen = parsed.fen.trim_ascii();
    if fen.is_empty() || !lacks_side(fen, parsed.text.raw.syntax) {
        return None;
    }
    let text = parsed.text;
    let first = text
        .raw
        .items
        .iter()
        .find(|item| item.kind == ItemKind::Word)?;
    let before = text.bytes[..first.offset as usize].trim_ascii_end();
    if first.value == 0 || !before.ends_with(b"..") && !before.ends_with("…".as_bytes()) {
        return None;
    }
    let word = String::from_utf8_lossy(text.raw.text(text.bytes, first));
    let can_play = |fen: &[u8]| {
        let row = Variant::by_id(Variant::CHESS);
        let fen = String::from_utf8_lossy(fen);
        let read = row.and_then(|row| AnyPosition::read_fen(row, &fen).ok());
        read.is_some_and(|read| read.at.read_alone(&word).is_some())
    };
    Some(InferredSideToMove::Told(match text.raw.syntax {
        Syntax::Pgn => {
            let [white, black] = [&b" w"[..], b" b"].map(|side| [fen, side].concat());
            let is_of_chess = parsed.variant.is_empty();
            if is_of_chess && !can_play(&black) && can_play(&white) {
                return Some(InferredSideToMove::Doubtful(first.offset));
            }
            black
        }
        Syntax::Pdn => {
            let number = game_type::parse(parsed.game_type).map(|read| read.number);
            let row = number.and_then(Variant::by_game_type);
            let begins = row.and_then(AnyPosition::start).map_or(0, |at| at.turn());
            let second: &[u8] = if begins == 0 { b"B:" } else { b"W:" };
            [second, fen].concat()
        }
    }))
}

/// Whether a position says nothing of who moves: `8/8/8/4k3/8/8/4P3/4K3`, `W31,K5:B12`.
fn lacks_side(fen: &[u8], syntax: Syntax) -> bool {
    match syntax {
        Syntax::Pgn => fen.contains(&b'/') && !fen.iter().any(u8::is_ascii_whitespace),
        Syntax::Pdn => {
            let first = fen.split(|byte| *byte == b':').next().unwrap_or_default();
            first.trim_ascii().len() > 1 && !fen.contains(&b'/')
        }
    }
}
