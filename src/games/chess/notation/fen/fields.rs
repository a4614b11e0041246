//! The single fields of a FEN.

use crate::games::chess::basics::{
    Bitboard, Board, ByColor, ByRole, Color, File, Rank, Role, Setup, Square,
};
use shakmaty::attacks;

use super::{Extras, FenError, write};
use crate::{
    base::diagnostic::Code,
    games::notation::fen::{self, FenField},
};

/// The castling rights.
const CASTLING: FenField = FenField {
    word: "castling",
    name: "castling rights (third field of the FEN) are",
    allowed: "are KQkq, the letters A-H and a-h of rook files, or -",
};

/// Reads the piece placement, with the pieces in hand and the promoted ones where the
/// variant has them; A2.3 of the notation rules.
pub(super) fn placement(
    text: &str,
    extras: Extras,
    setup: &mut Setup,
    warnings: &mut Vec<Code>,
) -> Result<(), FenError> {
    let has_pockets = extras == Extras::Pockets;
    let (text, pocket) = fen::split_pocket(text, fen::CHESS.ranks, has_pockets);
    let mut pockets = ByColor::<ByRole<u8>>::default();
    // An empty pocket says nothing that standard chess does not say.
    fen::read_pocket(pocket, |c| {
        let role = Role::from_char(c).filter(|&role| has_pockets && role != Role::King);
        let Some(role) = role else { return false };
        let count = &mut pockets[Color::from_white(c.is_ascii_uppercase())][role];
        *count = count.saturating_add(1);
        true
    })?;
    setup.pockets = has_pockets.then_some(pockets);
    let mut by_role = ByRole::<Bitboard>::default();
    let mut by_color = ByColor::<Bitboard>::default();
    fen::read_placement(text, fen::CHESS, warnings, |file, rank, rest| {
        let letter = rest.bytes().next()?;
        let square = Bitboard(1 << (u32::from(rank) * 8 + u32::from(file)));
        if letter == b'~' {
            setup.promoted |= square;
            return has_pockets.then_some(1);
        }
        let role = Role::from_char(char::from(letter))?;
        // What was put on the last file before is beyond the edge.
        if (by_color.white | by_color.black).is_disjoint(square) {
            *by_role.get_mut(role) |= square;
            *by_color.get_mut(Color::from_white(letter.is_ascii_uppercase())) |= square;
        }
        Some(1)
    })?;
    // Each square was set once, so roles and colours cannot contradict.
    setup.board = Board::try_from_bitboards(by_role, by_color)
        .map_err(|error| FenError::impossible("pieces", error.to_string()))?;
    Ok(())
}

/// Reads the castling rights into `setup`, as rook squares; A2.5 and A4.
pub(super) fn castling(
    text: &str,
    setup: &mut Setup,
    warnings: &mut Vec<Code>,
) -> Result<(), FenError> {
    if fen::is_dash(text) {
        return Ok(());
    }
    let known =
        |byte: u8| byte.is_ascii_alphabetic() && matches!(byte | 0x20, b'a'..=b'h' | b'k' | b'q');
    if !text.bytes().all(known) {
        return Err(FenError::field(&CASTLING, text));
    }

    // At most two rights a side; the outermost rook wins, as in X-FEN.
    let mut rights = Bitboard::EMPTY;
    let mut asked = [(0_u8, None); 4];
    let (mut used, mut duplicate, mut dropped) = (0, false, false);
    for byte in text.bytes() {
        let color = Color::from_white(byte.is_ascii_uppercase());
        let Some(rook) = rook_of(byte | 0x20, color, &setup.board) else {
            dropped = true;
            continue;
        };
        if rights.contains(rook) {
            duplicate = true;
            continue;
        }
        let king = setup.board.king_of(color).unwrap_or(rook);
        let side = rights & color.backrank();
        if let Some(other) = side
            .into_iter()
            .find(|&other| (other < king) == (rook < king))
        {
            dropped = true;
            let outer = if rook < king {
                rook < other
            } else {
                rook > other
            };
            if !outer {
                continue;
            }
            rights.discard(other);
            for slot in &mut asked[..used] {
                if slot.1 == Some(other) {
                    *slot = (byte, Some(rook));
                }
            }
            rights.add(rook);
            continue;
        }
        rights.add(rook);
        asked[used] = (byte, Some(rook));
        used += 1;
    }
    setup.castling_rights = rights;

    let classic = rights
        .into_iter()
        .all(|rook| matches!(rook.file(), File::A | File::H) && king_on_e(setup, rook));
    // Compare without building strings where it is surely canonical.
    if !matches!(text, "KQkq" | "KQ" | "kq" | "Kkq" | "Qkq" | "KQk" | "KQq") || !classic {
        let read: String = asked[..used]
            .iter()
            .map(|&(byte, _)| char::from(byte))
            .collect();
        let canonical = used == 0
            || read == write::castling_xfen(setup)
            || (!classic && read == write::castling_shredder(setup));
        if !canonical {
            warnings.push(Code::CastlingSpelling);
        }
    }
    if duplicate {
        warnings.push(Code::CastlingDuplicate);
    }
    if dropped {
        warnings.push(Code::CastlingDropped);
    }
    if !classic {
        warnings.push(Code::Chess960Rights);
    }
    Ok(())
}

fn king_on_e(setup: &Setup, rook: Square) -> bool {
    let color = Color::from_white(rook.rank() == Rank::First);
    setup
        .board
        .king_of(color)
        .is_some_and(|king| king.file() == File::E)
}

/// The outermost rook on each side of a king that stands on its first rank, except where a right
/// with another rook is known.
pub(in crate::modules::games::chess) fn castling_rooks(board: &Board, known: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for color in Color::ALL {
        let king = board.king_of(color);
        for letter in [b'k', b'q'] {
            let Some((rook, king)) = rook_of(letter, color, board).zip(king) else {
                continue;
            };
            let own = known & color.backrank();
            let is_known = own.into_iter().any(|right| (right < king) == (rook < king));
            if !is_known {
                found.add(rook);
            }
        }
    }
    found
}

/// The rook a castling letter (lower case) means, if king and rook stand so.
fn rook_of(letter: u8, color: Color, board: &Board) -> Option<Square> {
    let king = (board.kings() & board.by_color(color)).single_square()?;
    if king.rank() != color.backrank() {
        return None;
    }
    let rooks = board.rooks() & board.by_color(color) & color.backrank();
    match letter {
        b'k' => rooks.last().filter(|&rook| rook > king),
        b'q' => rooks.first().filter(|&rook| rook < king),
        _ => {
            let file = File::from_char(char::from(letter))?;
            let rook = Square::from_coords(file, color.backrank());
            rooks.contains(rook).then_some(rook)
        }
    }
}

/// Reads the en passant square that a double step can have left; `None` where there
/// is none. Whether a capture there is legal decides the warning alone; A2.6.
pub(super) fn en_passant(
    text: &str,
    board: &Board,
    turn: Color,
    warnings: &mut Vec<Code>,
) -> Result<Option<Square>, FenError> {
    if fen::is_dash(text) {
        return Ok(None);
    }
    let square = match *text.as_bytes() {
        [file @ (b'a'..=b'h' | b'A'..=b'H'), rank @ b'1'..=b'8'] => {
            Square::from_ascii(&[file.to_ascii_lowercase(), rank]).ok()
        }
        _ => None,
    };
    let Some(square) = square else {
        return Err(FenError::field(&fen::EN_PASSANT, text));
    };
    if !ep_possible(board, turn, square) {
        warnings.push(Code::EpInvalid);
        return Ok(None);
    }
    if !ep_capturable(board, turn, square) {
        warnings.push(Code::EpNotCapturable);
    }
    Ok(Some(square))
}

/// Whether a double step can have passed over this square.
fn ep_possible(board: &Board, turn: Color, square: Square) -> bool {
    let (rank, pawn, behind) = match turn {
        Color::White => (Rank::Sixth, square.offset(-8), square.offset(8)),
        Color::Black => (Rank::Third, square.offset(8), square.offset(-8)),
    };
    square.rank() == rank
        && !board.occupied().contains(square)
        && behind.is_some_and(|behind| !board.occupied().contains(behind))
        && pawn.is_some_and(|pawn| (board.pawns() & board.by_color(!turn)).contains(pawn))
}

/// Whether a pawn of the side to move can legally capture on `square`. Both
/// pawns leave their rank at once, so the king is looked at afterwards.
pub(super) fn ep_capturable(board: &Board, turn: Color, square: Square) -> bool {
    if !ep_possible(board, turn, square) {
        return false;
    }
    let takers = attacks::pawn_attacks(!turn, square) & board.pawns() & board.by_color(turn);
    let Some(taken) = square.offset(if turn == Color::White { -8 } else { 8 }) else {
        return false;
    };
    takers.into_iter().any(|from| {
        let Some(king) = board.king_of(turn) else {
            return true;
        };
        let occupied = board.occupied().without(from).without(taken).with(square);
        (board.attacks_to(king, !turn, occupied) & occupied)
            .without(taken)
            .is_empty()
    })
}
