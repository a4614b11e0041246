//! Boards of draughts as something to draw: as the real board stands, with the names of
//! its squares.
//!
//! Men are discs and kings crowns (`○ ♔`, `● ♚`); a ring within a ring would distinguish kings from
//! men, but not black from white. As letters they are `w W`, `b B`.

use super::{fen, moves::square::Numbering};
use crate::games::Budget;
use crate::games::diagram::{
    BoardKind, Diagram, DiagramPiece, DiagramSquare, Highlights, SquareColor,
};
use crate::games::draughts::rules::{
    DraughtsMove, DraughtsPiece, DraughtsPosition, DraughtsRules, first_path,
};

/// A position with the names of its squares as the numbering has them, and as the real
/// board stands: the mirror of that of the rules where it is inverted.
///
/// ```
/// use plydex::games::draughts::notation::diagram::diagram;
/// use plydex::games::draughts::{rows::DraughtsVariant, rules::DraughtsPosition};
/// use plydex::draw::board::{BoardStyle, draw};
///
/// let thai = DraughtsVariant::by_name("thai").unwrap();
/// let start = DraughtsPosition::start(&thai.rules);
/// let drawn = draw(&diagram(&start, thai.numbering()), BoardStyle::default());
/// assert_eq!(drawn.lines().nth(1), Some("32 |   b   b   b   b | 29"));
/// ```
pub fn diagram(position: &DraughtsPosition, numbering: Numbering) -> Diagram {
    let (board, is_named) = (numbering.board(), numbering.letters());
    let row = |row: u8| {
        let place = |column: u8| {
            let square = board.cell(row, column);
            DiagramSquare {
                square,
                shade: match square {
                    None => SquareColor::Light,
                    Some(_) if board.is_full() && (row + column) % 2 == 1 => SquareColor::Dusk,
                    Some(_) => SquareColor::Dark,
                },
                number: square
                    .filter(|_| !is_named)
                    .map(|cell| numbering.number(cell)),
                piece: square.and_then(|cell| position.at(cell)).map(drawn),
            }
        };
        let mut places: Vec<DiagramSquare> = (0..board.width()).map(place).collect();
        if numbering.inverted() {
            places.reverse();
        }
        places
    };
    let (mut files, mut ranks) = (Vec::new(), Vec::new());
    if is_named {
        files.extend((b'a'..).take(board.width().into()).map(char::from));
        ranks.extend((1..=board.height()).rev());
        let corner = numbering.letter_corner();
        if corner & 1 != 0 {
            files.reverse();
        }
        if corner & 2 != 0 {
            ranks.reverse();
        }
    }
    Diagram {
        title: fen::write(position, numbering),
        ground: BoardKind::Squares,
        files,
        ranks,
        rows: (0..board.height()).map(row).collect(),
        marks: Highlights::default(),
    }
}

/// A piece as it is drawn.
pub(in crate::modules::games::draughts) const fn drawn(piece: DraughtsPiece) -> DiagramPiece {
    let letter = [['w', 'W'], ['b', 'B']][(piece.side & 1) as usize][piece.king as usize];
    if piece.king {
        DiagramPiece::crowned(letter, piece.side)
    } else {
        DiagramPiece::disc(letter, piece.side)
    }
}

/// The marks of a move that is legal in a position. Of several ways that a capture can
/// go, the first is marked; none if they are too many.
pub fn marks(
    before: &DraughtsPosition,
    rules: &DraughtsRules,
    played: &DraughtsMove,
) -> Highlights {
    let mut marks = Highlights::ends(played.from, played.to);
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
