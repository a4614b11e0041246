//! Who moves first in a position whose FEN does not say it.

use super::Parsed;
use crate::{
    games::{AnyPosition, variant::Variant},
    pgn::{
        parser::{Kind, Syntax},
        tags::game_type,
    },
};

/// The FEN of a game with the side to move that the number of its first move tells
/// (`1... Kd7`), if it says none; `None` where it stands as it is (M14).
pub(super) fn of_moves(parsed: &Parsed<'_>) -> Option<Vec<u8>> {
    let fen = parsed.fen.trim_ascii();
    if fen.is_empty() || !lacks_side(fen, parsed.text.raw.syntax) {
        return None;
    }
    let text = parsed.text;
    let first = text.raw.items.iter().find(|item| item.kind == Kind::Word)?;
    let before = text.bytes[..first.offset as usize].trim_ascii_end();
    if first.value == 0 || !before.ends_with(b"..") && !before.ends_with("…".as_bytes()) {
        return None;
    }
    Some(match text.raw.syntax {
        Syntax::Pgn => [fen, b" b"].concat(),
        Syntax::Pdn => {
            let number = game_type::parse(parsed.game_type).map(|read| read.number);
            let row = number.and_then(Variant::by_game_type);
            let begins = row.and_then(AnyPosition::start).map_or(0, |at| at.turn());
            let second: &[u8] = if begins == 0 { b"B:" } else { b"W:" };
            [second, fen].concat()
        }
    })
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
