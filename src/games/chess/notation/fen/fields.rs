//! The single fields of a FEN.

use crate::games::chess::basics::{
    Bitboard, Board, ByColor, ByRole, Color, File, Rank, Setup, Square,
};
use shakmaty::attacks;

use super::{FenError, write};
use crate::{base::diagnostic::Code, games::notation::clip};

/// Reads the piece placement; A2.3 of the notation rules.
pub(super) fn placement(text: &str, warnings: &mut Vec<Code>) -> Result<Board, FenError> {
    let mut text = text;
    if let Some(open) = text.find('[') {
        let pocket = &text[open..];
        // An empty pocket says nothing that standard chess does not say.
        if !matches!(pocket, "[]" | "[-]") {
            return Err(FenError::Pocket { text: clip(pocket) });
        }
        text = &text[..open];
    }
    if let Some(rest) = text.strip_suffix('/') {
        text = rest;
        warnings.push(Code::TrailingSlash);
    }
    let slashes = text.bytes().filter(|&byte| byte == b'/').count();
    if slashes != 7 {
        return Err(FenError::RankCount { found: slashes + 1 });
    }

    let mut by_role = ByRole::<Bitboard>::default();
    let mut by_color = ByColor::<Bitboard>::default();
    let mut adjacent = false;
    for (rank, line) in (0_u8..8).rev().zip(text.split('/')) {
        let mut file = 0_usize;
        let mut after_digit = false;
        for (at, byte) in line.bytes().enumerate() {
            let bad = || FenError::BadChar {
                rank: rank + 1,
                // Control characters must not reach a terminal.
                found: line[at..]
                    .chars()
                    .next()
                    .filter(|c| !c.is_control())
                    .unwrap_or('\u{FFFD}'),
            };
            if matches!(byte, b'1'..=b'8') {
                adjacent |= after_digit;
                after_digit = true;
                file += usize::from(byte - b'0');
                continue;
            }
            after_digit = false;
            let role = match byte | 0x20 {
                b'p' => &mut by_role.pawn,
                b'n' => &mut by_role.knight,
                b'b' => &mut by_role.bishop,
                b'r' => &mut by_role.rook,
                b'q' => &mut by_role.queen,
                b'k' => &mut by_role.king,
                _ => return Err(bad()),
            };
            if !byte.is_ascii_alphabetic() {
                return Err(bad());
            }
            if file < 8 {
                let square = Bitboard(1 << (u32::from(rank) * 8 + file as u32));
                *role |= square;
                *by_color.get_mut(Color::from_white(byte & 0x20 == 0)) |= square;
            }
            file += 1;
        }
        if file != 8 {
            return Err(FenError::RankWidth {
                rank: rank + 1,
                found: file,
                text: clip(line),
            });
        }
    }
    if adjacent {
        warnings.push(Code::AdjacentDigits);
    }
    // Each square was set once, so roles and colours cannot contradict.
    Board::try_from_bitboards(by_role, by_color).map_err(|_| FenError::RankCount { found: 8 })
}

/// Reads the side to move; A2.4.
pub(super) fn turn(text: &str, warnings: &mut Vec<Code>) -> Result<Color, FenError> {
    match text {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ if text.eq_ignore_ascii_case("white") => {
            warnings.push(Code::TurnWord);
            Ok(Color::White)
        }
        _ if text.eq_ignore_ascii_case("black") => {
            warnings.push(Code::TurnWord);
            Ok(Color::Black)
        }
        _ => Err(FenError::Turn { text: clip(text) }),
    }
}

pub(super) fn is_dash(text: &str) -> bool {
    matches!(text, "-" | "–" | "—" | "‐" | "‑" | "−")
}

/// Reads the castling rights into `setup`, as rook squares; A2.5 and A4.
pub(super) fn castling(
    text: &str,
    setup: &mut Setup,
    warnings: &mut Vec<Code>,
) -> Result<(), FenError> {
    if is_dash(text) {
        return Ok(());
    }
    let known =
        |byte: u8| byte.is_ascii_alphabetic() && matches!(byte | 0x20, b'a'..=b'h' | b'k' | b'q');
    if !text.bytes().all(known) {
        return Err(FenError::Castling { text: clip(text) });
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
    if is_dash(text) {
        return Ok(None);
    }
    let square = match *text.as_bytes() {
        [file @ (b'a'..=b'h' | b'A'..=b'H'), rank @ b'1'..=b'8'] => {
            Square::from_ascii(&[file.to_ascii_lowercase(), rank]).ok()
        }
        _ => None,
    };
    let Some(square) = square else {
        return Err(FenError::Ep { text: clip(text) });
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

/// Whether a double step can have left this square behind.
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

/// Reads a move counter; A2.7. `None`: not a number.
pub(super) fn counter(text: &str, default: u32, warnings: &mut Vec<Code>) -> Option<u32> {
    if is_dash(text) {
        warnings.push(Code::ClockDash);
        return Some(default);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if digits.len() < text.len() {
        warnings.push(Code::ClockRange);
        return Some(0);
    }
    // Beyond ten digits nothing is meant any more; it must only not wrap.
    Some(digits.parse().unwrap_or(u32::MAX))
}
