//! Positions as lists of pieces, White's before Black's: `Ke1 Qd1 / Ke8`.

use crate::games::chess::basics::{Board, Chess, Color, Piece, Role, Setup, Square};

use super::set_up;
use crate::games::{
    ParsedPosition, ReadFailure,
    chess::notation::fen::Fields,
    notation::letters::{LANGUAGES, Language, fold},
};

/// Words before a list that say whose it is.
const SIDES: [&str; 6] = ["white:", "black:", "w:", "b:", "weiß:", "schwarz:"];

/// Reads two lists with a slash or a semicolon between them, in the first language of
/// which each side has one king; a square without a letter is that of a pawn, or of the
/// piece before a comma. `None`: there are none.
pub(super) fn read(text: &str) -> Option<Result<ParsedPosition<Chess>, ReadFailure>> {
    let (white, black) = text.split_once(['/', ';'])?;
    let (black, turn) = match black.trim_end().rsplit_once(char::is_whitespace) {
        Some((black, "w")) => (black, Some(Color::White)),
        Some((black, "b")) => (black, Some(Color::Black)),
        _ => (black, None),
    };
    let board = LANGUAGES
        .iter()
        .filter_map(|language| board([white, black], language))
        .find(|board| Color::ALL.map(|side| kings(board, side)) == [1; 2])?;
    let setup = Setup {
        board,
        turn: turn.unwrap_or(Color::White),
        ..Setup::empty()
    };
    let fields = Fields {
        turn: turn.is_some(),
        ..Fields::default()
    };
    Some(set_up(setup, fields, Vec::new()))
}

fn kings(board: &Board, side: Color) -> usize {
    (board.kings() & board.by_color(side)).count()
}

/// The board of two lists; `None` if a word of them is no piece on a square of its own.
fn board(lists: [&str; 2], language: &Language) -> Option<Board> {
    let mut board = Board::empty();
    for (list, color) in lists.into_iter().zip(Color::ALL) {
        let list = list.trim();
        let (first, rest) = list.split_once(char::is_whitespace).unwrap_or((list, ""));
        let is_side = SIDES.contains(&first.to_lowercase().as_str());
        let list = if is_side { rest } else { list };
        for word in list.split_whitespace() {
            let mut role = Role::Pawn;
            for part in word.split(',').filter(|part| !part.is_empty()) {
                let chars: Vec<char> = fold(part).chars().collect();
                let (named, length) = language.piece_at_start(&chars).unwrap_or((role, 0));
                role = named;
                let [file, rank] = chars[length..] else {
                    return None;
                };
                let file = language.files.chars().position(|c| c == file)?;
                let rank = rank.to_digit(9)?.checked_sub(1)?;
                let square = Square::try_from(8 * rank as usize + file).ok()?;
                if board.piece_at(square).is_some() {
                    return None;
                }
                board.set_piece_at(square, Piece { color, role });
            }
        }
    }
    Some(board)
}
