//! Castling rights of Chess960 that a FEN lacks and its game uses.

use super::{ChessBoard, fen};
use crate::{
    base::diagnostic::Code,
    games::{
        FromText, GameText, StartContext, attempt,
        chess::basics::{Bitboard, Chess, EnPassantMode, Position as _, Rank, Setup},
        language::ExpectedNotation,
    },
};

/// What the moves of a game say of its FEN: the position with the rights that make its castling
/// legal, and the finding; `None` where no right makes more of the game legal.
pub(super) fn start_of_text(
    fen: &str,
    text: GameText<'_>,
    expected: ExpectedNotation,
) -> FromText<StartContext<ChessBoard>> {
    let (at, _) = fen::read_position(fen).ok()?;
    let setup = at.to_setup(EnPassantMode::Always);
    let with_rights = |castling_rights| -> Option<StartContext<ChessBoard>> {
        let setup = Setup {
            castling_rights,
            ..setup.clone()
        };
        let at: Chess = fen::set_up(&setup, &mut Vec::new()).ok()?;
        Some(StartContext::expected(
            ChessBoard::from_position(&at),
            expected,
        ))
    };
    let plies = |rights| Some(attempt(&with_rights(rights)?, text).plies);
    let known = setup.castling_rights;
    let missing = fen::castling_rooks(&setup.board, known);
    let most = plies(known | missing)?;
    if most <= plies(known)? {
        return None;
    }
    let mut rights = known | missing;
    if !is_array(&setup) {
        for rook in missing {
            let fewer = rights.without(rook);
            if plies(fewer)? == most {
                rights = fewer;
            }
        }
    }
    let added: Vec<String> = (rights & !known)
        .into_iter()
        .map(|rook| rook.to_string())
        .collect();
    let detail = format!("{}: rook on {}", fen.trim(), added.join(", "));
    Some((with_rights(rights)?, vec![(Code::CastlingPlayed, detail)]))
}

/// Whether no piece has moved: such a position has every right.
fn is_array(setup: &Setup) -> bool {
    let ranks = |ranks: [Rank; 2]| Bitboard::from_rank(ranks[0]) | Bitboard::from_rank(ranks[1]);
    let pawns = ranks([Rank::Second, Rank::Seventh]);
    setup.board.pawns() == pawns
        && setup.board.occupied() == pawns | ranks([Rank::First, Rank::Eighth])
        && setup.fullmoves.get() == 1
}
