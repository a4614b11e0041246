//! Squares, moves and positions of draughts as text: written by the words of
//! PDN 3.0 alone, so that it shares no mistake with the program's own notation.

use plydex::games::Budget;
use plydex::games::draughts::{
    rows::DraughtsVariant,
    rules::{DraughtsBoard, DraughtsMove, DraughtsPosition, DraughtsRules, board::cells_of, moves},
};

/// All legal moves in an order of our own.
pub(super) fn legal(position: &DraughtsPosition, rules: &DraughtsRules) -> Vec<DraughtsMove> {
    let mut all = moves(position, rules, Budget::default()).expect("few captures");
    all.sort_by_key(|m| (m.from, m.to, m.captured, m.promotes));
    all
}

/// The name of a square in the games of a variant.
pub(super) fn square(variant: &DraughtsVariant, cell: u8) -> String {
    let (board, tag) = (variant.rules.board, &variant.tag);
    let (row, column) = (board.row(cell), board.column(cell));
    // The program keeps boards whose left corner is not played in the mirror.
    let column = if tag.inverted {
        board.width() - 1 - column
    } else {
        column
    };
    let place = if board.is_full() { column } else { column / 2 };
    let (height, per_row) = (board.height(), board.per_row());
    // A corner is told as the side sees it that begins.
    let corner = if variant.rules.first == 0 {
        tag.corner
    } else {
        3 - tag.corner
    };
    if tag.letters {
        let file = match corner {
            0 | 2 => column,
            _ => board.width() - 1 - column,
        };
        let rank = match corner {
            0 | 1 => height - row,
            _ => row + 1,
        };
        return format!("{}{rank}", char::from(b'a' + file));
    }
    let number = match corner {
        0 => (height - 1 - row) * per_row + place + 1,
        1 => per_row * height - (row * per_row + place),
        2 => row * per_row + place + 1,
        _ => row * per_row + per_row - place,
    };
    number.to_string()
}

/// The word of a move: squares, and what is taken where they fit several.
/// `None` if it cannot be told from another move by any word.
pub(super) fn word(
    variant: &DraughtsVariant,
    position: &DraughtsPosition,
    played: &DraughtsMove,
    sign: char,
) -> Option<String> {
    let name = |cell| square(variant, cell);
    let (from, to) = (name(played.from), name(played.to));
    if !played.is_capture() {
        return Some(format!("{from}-{to}"));
    }
    let alike: Vec<DraughtsMove> = legal(position, &variant.rules)
        .into_iter()
        .filter(|m| (m.from, m.to) == (played.from, played.to))
        .collect();
    let twins = alike.iter().filter(|m| m.captured == played.captured);
    if twins.count() > 1 {
        return None;
    }
    let short = format!("{from}{sign}{to}");
    if alike.len() == 1 {
        return Some(short);
    }
    let taken: Vec<String> = cells_of(played.captured).map(name).collect();
    Some(format!("{short} <{}>", taken.join(",")))
}

/// A position as a FEN of PDN.
pub(super) fn fen(variant: &DraughtsVariant, position: &DraughtsPosition) -> String {
    let side = |side: u8| {
        let names = |set: u128, sign: &'static str| {
            cells_of(set).map(move |cell| format!("{sign}{}", square(variant, cell)))
        };
        let kings = names(position.kings(side), "K");
        let all: Vec<String> = names(position.men(side), "").chain(kings).collect();
        all.join(",")
    };
    let turn = if position.turn() == 0 { 'W' } else { 'B' };
    format!("{turn}:W{}:B{}", side(0), side(1))
}

/// A position of few pieces that is legal on every board, in places that a
/// number chooses: kings that roam, and men that keep out of their way.
pub(super) fn ending(board: DraughtsBoard, number: u8) -> DraughtsPosition {
    use plydex::games::draughts::rules::DraughtsPiece;
    let count = board.square_count();
    let cell = |place: u8| board.cell_at(place % count).expect("on the board");
    let mut position = DraughtsPosition::empty(number & 1);
    let mut put = |place: u8, side, king| position.put(cell(place), DraughtsPiece { side, king });
    let (third, far) = (count / 3, count - 1);
    put(far - number % 2, 0, true);
    put(third * 2 + number % 7, 0, number.is_multiple_of(3));
    put(number % 2, 1, true);
    put(third + number % 5, 1, number.is_multiple_of(5));
    position
}
