//! A diagram of chess in other places of the board, and laid down in other ways.

use crate::games::chess::basics::{
    Bitboard, CastlingMode, Chess, EnPassantMode, Position as _, Role,
};
use crate::games::chess::basics::{Setup, Square};
use shakmaty::PositionError;

use super::rules::ChessBoard;
use crate::games::symmetry::{BoardShift, Symmetry};

/// Whether pieces can be moved alike without another meaning: there are no castling rights
/// and no en passant.
fn can_shift(at: &Chess) -> bool {
    at.castles().is_empty() && at.ep_square(EnPassantMode::Legal).is_none()
}

/// The same without castling rights and en passant, as requested.
pub(super) fn without_rights(at: &Chess, castling: bool, en_passant: bool) -> Option<Chess> {
    let mut setup = at.to_setup(EnPassantMode::Legal);
    if castling {
        setup.castling_rights = Bitboard::EMPTY;
    }
    if en_passant {
        setup.ep_square = None;
    }
    leniently(setup)
}

/// The position in all eight orientations of the board, as it stands first; none where pawns or
/// rights determine the orientation.
pub(super) fn orientations(at: &Chess) -> Vec<(BoardShift, ChessBoard)> {
    if !can_shift(at) || at.board().pawns().any() {
        return Vec::new();
    }
    let setup = at.to_setup(EnPassantMode::Legal);
    let turned = |turned: u8| {
        let mut setup = setup.clone();
        if turned & 4 != 0 {
            setup.board.flip_horizontal();
        }
        match turned & 3 {
            1 => setup.board.rotate_90(),
            2 => setup.board.rotate_180(),
            3 => setup.board.rotate_270(),
            _ => {}
        }
        let moved = BoardShift {
            turned,
            ..BoardShift::NOT
        };
        Some((moved, ChessBoard::from_position(&leniently(setup)?)))
    };
    (0..8).filter_map(turned).collect()
}

/// The position at every place of the board where all its pieces still stand on it, and no
/// pawn on the first or last rank; as it stands first.
pub(super) fn shifts(at: &Chess) -> Vec<(BoardShift, ChessBoard)> {
    if !can_shift(at) {
        return Vec::new();
    }
    let setup = at.to_setup(EnPassantMode::Legal);
    let shifted = |files: i8, ranks: i8| {
        let mut board = Setup::empty().board;
        for (square, piece) in setup.board.clone() {
            let file = square.file().offset(i32::from(files))?;
            let rank = square.rank().offset(i32::from(ranks))?;
            let goal = Square::from_coords(file, rank);
            if piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(goal) {
                return None;
            }
            board.set_piece_at(goal, piece);
        }
        let position = leniently(Setup {
            board,
            ..setup.clone()
        })?;
        let moved = BoardShift {
            turned: 0,
            files,
            ranks,
        };
        Some((moved, ChessBoard::from_position(&position)))
    };
    let near = |n: &i8| n.unsigned_abs();
    let mut steps: Vec<(i8, i8)> = (-7..=7)
        .flat_map(|ranks| (-7..=7).map(move |files| (files, ranks)))
        .collect();
    steps.sort_by_key(|(files, ranks)| near(files) + near(ranks));
    steps
        .into_iter()
        .filter_map(|(files, ranks)| shifted(files, ranks))
        .collect()
}

/// The position seen in another way.
pub(super) fn transformed(at: &Chess, symmetry: Symmetry) -> Option<Chess> {
    if symmetry == Symmetry::None {
        return Some(at.clone());
    }
    let mut setup = at.to_setup(EnPassantMode::Legal);
    if symmetry.swaps_colours() {
        // Top to bottom with colours and turn.
        setup.mirror();
    }
    if symmetry.mirrors() {
        // A king castles to the g-file; in the mirror it would have to go to the b-file.
        if setup.castling_rights.any() {
            return None;
        }
        setup.board.flip_horizontal();
        setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
    }
    leniently(setup)
}

/// A position, however it came about.
fn leniently(setup: Setup) -> Option<Chess> {
    setup
        .position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
