//! Which languages a diagram can be in: those that make it a board that play can bring about, or at
//! least one that a problem can have.

use crate::games::chess::basics::{Bitboard, Board, Color, Piece, Role};

use super::{Candidate, ForsythError, distinct_languages, placement};
use crate::base::diagnostic::Code;

/// Every board that the text can mean. Boards with impossible material are kept
/// only where there is no other.
pub(super) fn candidates(text: &str) -> Result<Vec<Candidate>, ForsythError> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut error = ForsythError::Empty;
    for language in distinct_languages() {
        let board = placement::read(text, language).and_then(|board| check(&board).map(|()| board));
        match board {
            Ok(board) => match found.iter_mut().find(|known| known.board == board) {
                Some(known) => known.languages.push(language),
                None => found.push(Candidate {
                    board,
                    languages: vec![language],
                }),
            },
            Err(new) if new.stage() > error.stage() => error = new,
            Err(_) => {}
        }
    }
    let possible = |candidate: &Candidate| oddities(&candidate.board).is_empty();
    if found.iter().any(possible) {
        found.retain(possible);
    }
    if found.is_empty() {
        Err(error)
    } else {
        Ok(found)
    }
}

/// Whether a board can be in a diagram at all.
pub(super) fn check(board: &Board) -> Result<(), ForsythError> {
    let kings = |color| (board.kings() & board.by_color(color)).count();
    let (white, black) = (kings(Color::White), kings(Color::Black));
    if (white, black) != (1, 1) {
        return Err(ForsythError::Kings { white, black });
    }
    if let Some(square) = (board.pawns() & Bitboard::BACKRANKS).first() {
        return Err(ForsythError::PawnBackrank { square });
    }
    let in_check = |color: Color| {
        board
            .king_of(color)
            .is_some_and(|king| board.attacks_to(king, !color, board.occupied()).any())
    };
    if Color::ALL.into_iter().all(in_check) {
        return Err(ForsythError::BothInCheck);
    }
    Ok(())
}

/// Material that play cannot bring about.
pub(super) fn oddities(board: &Board) -> Vec<Code> {
    let any = |odd: &dyn Fn(Color) -> bool| Color::ALL.into_iter().any(odd);
    let count = |color, role| board.by_piece(Piece { color, role }).count();
    let mut found = Vec::new();
    if any(&|color| count(color, Role::Pawn) > 8) {
        found.push(Code::TooManyPawns);
    }
    let promoted = |color| {
        [
            (Role::Queen, 1),
            (Role::Rook, 2),
            (Role::Bishop, 2),
            (Role::Knight, 2),
        ]
        .into_iter()
        .map(|(role, usual)| count(color, role).saturating_sub(usual))
        .sum::<usize>()
    };
    let too_many = |color: Color| {
        board.by_color(color).count() > 16
            || promoted(color) > 8_usize.saturating_sub(count(color, Role::Pawn))
    };
    if any(&too_many) {
        found.push(Code::TooManyPieces);
    }
    found
}
