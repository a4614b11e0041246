//! Boards of draughts as something to draw: as the real board stands, with the names of
//! its squares.
//!
//! Men are discs and kings crowns (`○ ♔`, `● ♚`); a ring within a ring would tell kings
//! from men, but not black from white. As letters they are `w W`, `b B`.

use super::{fen, moves::square::Numbering};
use crate::games::Budget;
use crate::games::diagram::{Diagram, DrawnPiece, Ground, Marks, Place, Shade};
use crate::games::draughts::rules::{DraughtsPiece, Move, Position, Rules, first_path};

/// A position with the names of its squares as the numbering has them, and as the real
/// board stands: the mirror of that of the rules where it is inverted.
///
/// ```
/// use plydex::games::draughts::notation::diagram::diagram;
/// use plydex::games::draughts::{rows::DraughtsVariant, rules::Position};
/// use plydex::draw::board::{BoardStyle, draw};
///
/// let thai = DraughtsVariant::by_name("thai").unwrap();
/// let start = Position::start(&thai.rules);
/// let drawn = draw(&diagram(&start, thai.numbering()), BoardStyle::default());
/// assert_eq!(drawn.lines().nth(1), Some("32 |   b   b   b   b | 29"));
/// ```
pub fn diagram(position: &Position, numbering: Numbering) -> Diagram {
    let (board, is_named) = (numbering.board(), numbering.letters());
    let row = |row: u8| {
        let place = |column: u8| {
            let square = board.cell(row, column);
            Place {
                square,
                shade: match square {
                    None => Shade::Light,
                    Some(_) if board.is_full() && (row + column) % 2 == 1 => Shade::Dusk,
                    Some(_) => Shade::Dark,
                },
                number: square
                    .filter(|_| !is_named)
                    .map(|cell| numbering.number(cell)),
                man: square.and_then(|cell| position.at(cell)).map(drawn),
            }
        };
        let mut places: Vec<Place> = (0..board.width()).map(place).collect();
        if numbering.inverted() {
            places.reverse();
        }
        places
    };
    let rows: Vec<Vec<Place>> = (0..board.height()).map(row).collect();
    let (files, ranks) = if is_named {
        (files(numbering, &rows), ranks(numbering, &rows))
    } else {
        (Vec::new(), Vec::new())
    };
    Diagram {
        title: fen::write(position, numbering),
        ground: Ground::Squares,
        files,
        ranks,
        rows,
        marks: Marks::default(),
    }
}

/// A piece as it is drawn.
const fn drawn(piece: DraughtsPiece) -> DrawnPiece {
    let letter = [['w', 'W'], ['b', 'B']][(piece.side & 1) as usize][piece.king as usize];
    if piece.king {
        DrawnPiece::crowned(letter, piece.side)
    } else {
        DrawnPiece::disc(letter, piece.side)
    }
}

/// The letters of the columns.
fn files(numbering: Numbering, rows: &[Vec<Place>]) -> Vec<char> {
    // Every second square of a row is none: its letter lies between those
    // of its neighbours, whichever way they run.
    let width = numbering.board().width();
    let mut places = (0..).zip(rows.iter().take(1).flatten());
    let first = places.find_map(|(column, place)| Some((column, place.square?)));
    let is_rising = first.is_none_or(|(column, cell)| numbering.file_and_rank(cell).0 == column);
    let names = (0..width).map(|file| char::from(b'a' + file));
    if is_rising {
        names.collect()
    } else {
        names.rev().collect()
    }
}

/// The names of the rows.
fn ranks(numbering: Numbering, rows: &[Vec<Place>]) -> Vec<u8> {
    let cells = rows
        .iter()
        .filter_map(|row| row.iter().find_map(|place| place.square));
    cells.map(|cell| numbering.file_and_rank(cell).1).collect()
}

/// The marks of a move that is legal in a position. Of several ways that a capture can
/// go, the first is marked; none if they are too many.
pub fn marks(before: &Position, rules: &Rules, played: &Move) -> Marks {
    let mut marks = Marks::ends(played.from, played.to);
    let taken = before
        .iter()
        .filter(|(cell, _)| played.captured >> cell & 1 == 1);
    marks.taken = taken.map(|(cell, piece)| (cell, drawn(piece))).collect();
    if played.is_capture()
        && let Ok(Some(path)) = first_path(before, rules, played, Budget::default())
    {
        marks.passed = path.touched(rules.board) & !marks.ends & !played.captured;
    }
    marks
}
