//! Boards of draughts drawn in a text.

use super::{fen, moves::square::Numbering};
use crate::games::{
    AsciiBoard, AsciiPosition, ReadConfidence,
    draughts::rules::{BLACK, DraughtsPiece, DraughtsPosition, WHITE, board::cells_of},
};

/// The signs of White's men and kings, and of Black's. Letters come from their names, in English
/// and in Dutch, or look like discs; `r` is the side whose colour is not named.
const SIGNS: [[&str; 4]; 6] = [
    ["w", "W", "b", "B"],
    ["w", "W", "z", "Z"],
    ["o", "O", "x", "X"],
    ["w", "W", "r", "R"],
    ["r", "R", "b", "B"],
    ["○◯⚪⛀", "♔⛁", "●⚫⛂", "♚⛃"],
];

/// More capitals than any player has kings: letters without a small one are men then.
const KINGS_MAX: usize = 8;

/// The position that a drawing is on a board, White below or on top, by the numbers and letters
/// around it or else by the way that men go; `None` if it is none.
pub(in crate::modules::games::draughts) fn read(
    drawing: &AsciiBoard,
    numbering: Numbering,
) -> Option<AsciiPosition> {
    let signs = signs(drawing)?;
    let board = numbering.board();
    let size = (usize::from(board.height()), usize::from(board.width()));
    if drawing.ranks.len() != size.0 || drawing.ranks[0].len() != size.1 {
        return None;
    }
    let is_uncrowned = |at: &DraughtsPosition| at.uncrowned(board) != 0;
    let as_drawn = placed(drawing, &signs, numbering);
    let turned = placed(&drawing.turned(), &signs, numbering);
    let position = match (as_drawn, turned) {
        (Some(as_drawn), Some(turned)) if is_uncrowned(&as_drawn) && !is_uncrowned(&turned) => {
            turned
        }
        (Some(found), _) | (None, Some(found)) => found,
        (None, None) => return None,
    };
    let both = [WHITE, BLACK].map(|side| position.pieces(side).count_ones());
    let most = u32::from(board.square_count() / 2);
    if both.contains(&0) || both.iter().any(|&pieces| pieces > most) {
        return None;
    }
    let fit = if board.is_full() {
        of_full(&position, numbering, &signs)?
    } else {
        ReadConfidence::Own
    };
    let written = fen::write(&position, numbering);
    Some(AsciiPosition {
        fen: format!("?{}", &written[1..]),
        fit,
    })
}

/// How much a position is like one of a board whose squares are all played. On one of half the
/// squares all pieces stand on these, which hardly happens by chance; here men and kings on squares
/// of both colours must decide, and letters other than those of crosses and noughts.
fn of_full(
    position: &DraughtsPosition,
    numbering: Numbering,
    signs: &[&str; 4],
) -> Option<ReadConfidence> {
    let board = numbering.board();
    let is_dark = |cell: u8| (board.row(cell) + board.column(cell)) % 2 == 1;
    let colors = || cells_of(position.occupied()).map(is_dark);
    let men = position.men(WHITE) | position.men(BLACK);
    let kings = position.kings(WHITE) | position.kings(BLACK);
    let has_both = men != 0 && kings != 0;
    if *signs == SIGNS[2] {
        None
    } else if has_both && colors().any(|dark| dark) && colors().any(|dark| !dark) {
        Some(ReadConfidence::Own)
    } else {
        Some(ReadConfidence::Loose)
    }
}

/// The signs that a drawing has for its pieces.
fn signs(drawing: &AsciiBoard) -> Option<[&'static str; 4]> {
    let drawn = || {
        let all = drawing.ranks.iter().flatten().copied();
        all.filter(|&sign| !AsciiBoard::is_empty(sign))
    };
    let has_all = |signs: &[&str; 4]| drawn().all(|sign| signs.iter().any(|s| s.contains(sign)));
    let mut signs = *SIGNS.iter().find(|signs| has_all(signs))?;
    let is_letter = |sign: char| sign.is_ascii_alphabetic();
    if drawn().any(is_letter) {
        if drawn().all(char::is_uppercase as fn(char) -> bool) && drawn().count() > KINGS_MAX {
            signs = [signs[1], "", signs[3], ""];
        }
        return Some(signs);
    }
    // Crowns alone are the kings of chess, but on a board whose light squares are left blank.
    let has_disc = drawn().any(|sign| !matches!(sign, '♔' | '♚'));
    let is_chequered = || {
        let mut all = drawing
            .ranks
            .iter()
            .enumerate()
            .flat_map(|(rank, squares)| {
                let is_even = move |file: usize| (rank + file).is_multiple_of(2);
                squares
                    .iter()
                    .enumerate()
                    .map(move |(file, &sign)| (is_even(file), sign == ' '))
            });
        let blank = all.clone().find(|&(_, is_blank)| is_blank);
        blank.is_some_and(|(color, _)| all.all(|(of, is_blank)| (of == color) == is_blank))
    };
    (has_disc || is_chequered()).then_some(signs)
}

/// The pieces of a drawing that White sees so, with White to move.
fn placed(
    drawing: &AsciiBoard,
    signs: &[&str; 4],
    numbering: Numbering,
) -> Option<DraughtsPosition> {
    let board = numbering.board();
    let cell = |rank: usize, file: usize| {
        let file = if numbering.inverted() {
            board.width().checked_sub(file as u8 + 1)?
        } else {
            file as u8
        };
        board.cell(rank as u8, file)
    };
    if !has_names(drawing, numbering, cell) {
        return None;
    }
    let mut position = DraughtsPosition::empty(WHITE);
    for (rank, squares) in drawing.ranks.iter().enumerate() {
        for (file, &sign) in squares.iter().enumerate() {
            if AsciiBoard::is_empty(sign) {
                continue;
            }
            let kind = signs.iter().position(|signs| signs.contains(sign))?;
            let piece = DraughtsPiece {
                side: [WHITE, BLACK][kind / 2],
                king: kind % 2 == 1,
            };
            position.put(cell(rank, file)?, piece);
        }
    }
    Some(position)
}

/// Whether numbers and letters around a drawing are those of the ranks and files, or the
/// numbers those of the squares.
fn has_names(
    drawing: &AsciiBoard,
    numbering: Numbering,
    cell: impl Fn(usize, usize) -> Option<u8>,
) -> bool {
    let (width, height) = (
        numbering.board().width(),
        u32::from(numbering.board().height()),
    );
    let corner = numbering.letter_corner();
    let of_squares = |rank: usize| {
        let mut cells = (0..usize::from(width)).filter_map(|file| cell(rank, file));
        let first = cells.next().unwrap_or_default();
        [first, cells.next_back().unwrap_or(first)].map(|cell| u32::from(numbering.number(cell)))
    };
    let of_ranks = |rank: usize| {
        let rank = rank as u32;
        [if corner & 2 == 0 {
            height - rank
        } else {
            rank + 1
        }; 2]
    };
    let files = drawing.is_reversed;
    // Squares that have numbers have no letters beside them.
    files.is_none() && drawing.is_numbered() && drawing.has_numbers(of_squares)
        || files.is_none_or(|is_reversed| is_reversed == (corner & 1 != 0))
            && drawing.has_numbers(of_ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::rows::DraughtsVariant;

    fn drawing(text: &str) -> AsciiBoard {
        let ranks: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        AsciiBoard {
            numbers: vec![[None; 2]; ranks.len()],
            ranks,
            is_reversed: None,
        }
    }

    fn read_as(name: &str, text: &str) -> Option<String> {
        let row = DraughtsVariant::by_name(name)?;
        read(&drawing(text), row.numbering()).map(|found| found.fen)
    }

    /// Eight ranks, of them these not empty.
    fn ranks(pieces: &[(usize, &str)]) -> String {
        let rank = |nth| pieces.iter().find(|(rank, _)| *rank == nth);
        let lines = (0..8).map(|nth| rank(nth).map_or("........", |(_, line)| line));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn men_go_away_from_their_own_side() {
        let below = ranks(&[(0, ".b.b...."), (7, "w.w.....")]);
        let above = ranks(&[(0, ".w.w...."), (7, "b.b.....")]);
        let wanted = Some("?:Wa1,c1:Bb8,d8");
        assert_eq!(read_as("russian", &below).as_deref(), wanted);
        assert_eq!(
            read_as("russian", &above).as_deref(),
            Some("?:We1,g1:Bf8,h8")
        );
        assert_eq!(
            read_as("italian", &below),
            None,
            "its dark squares are others"
        );
        assert_eq!(
            read_as("international", &below),
            None,
            "its board is larger"
        );
    }

    #[test]
    fn signs_of_pieces_are_told_apart() {
        let start = |white: &str, black: &str| {
            let [odd, even] = [0, 1].map(|from| {
                move |sign: &str| {
                    (0..8)
                        .map(|at| if at % 2 == from { sign } else { "." })
                        .collect::<String>()
                }
            });
            let lines = [even(black), odd(black), even(black)];
            let below = [odd(white), even(white), odd(white)];
            let all = lines
                .into_iter()
                .chain(["........".to_owned(), "........".to_owned()]);
            all.chain(below).collect::<Vec<_>>().join("\n")
        };
        for (white, black) in [
            ("w", "b"),
            ("W", "B"),
            ("o", "x"),
            ("○", "●"),
            ("⛀", "⛂"),
            ("r", "b"),
            ("w", "z"),
        ] {
            let found = read_as("english", &start(white, black));
            let wanted = "?:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
            assert_eq!(found.as_deref(), Some(wanted), "{white} {black}");
        }
        let kings = ranks(&[(0, ".W......"), (6, ".b......"), (7, "B.......")]);
        assert_eq!(read_as("english", &kings).as_deref(), Some("?:WK1:B25,K29"));
        for other in [
            ranks(&[(0, ".w.....x")]),
            ranks(&[(0, ".w......")]),
            ranks(&[(0, ".w......"), (1, ".b......")]),
            ranks(&[(0, ".♔......"), (7, "♚.......")]),
        ] {
            assert_eq!(read_as("english", &other), None, "{other}");
        }
        let chequered: String = (0..8)
            .map(|rank| {
                let square = |file: usize| match (rank, file) {
                    (0, 1) => '♔',
                    (7, 0) => '♚',
                    _ if (rank + file).is_multiple_of(2) => ' ',
                    _ => '·',
                };
                (0..8).map(square).collect::<String>() + "\n"
            })
            .collect();
        assert_eq!(
            read_as("english", &chequered).as_deref(),
            Some("?:WK1:BK29")
        );
    }
}
