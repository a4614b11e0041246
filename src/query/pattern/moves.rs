//! Moves as a query writes them.

use super::{
    Area, Geometry, MoveTerm, QueryError, TextSpan,
    compile::{Compiler, IfOnBoard},
    move_test::MoveTest,
    transform::Transform,
};
use crate::games::view::{EMPTY, both_sides};

/// What to do about a move that cannot be read.
const MOVES: &str = "write it as in English PGN, such as move:Nxe5, or by its squares, uci:f3e5; \
                     letters of another language need --language, such as --language de";

/// A move as far as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mark of its own")]
pub(super) struct WrittenMove {
    /// The letter of the piece, in capitals; none where the notation has none.
    pub(super) piece: Option<char>,
    pub(super) from: Option<Area>,
    pub(super) to: Option<Area>,
    pub(super) takes: bool,
    pub(super) promotes: Option<char>,
    /// A piece in hand is set down.
    pub(super) is_drop: bool,
    /// 1 the h-side, 2 the a-side, 0 neither.
    pub(super) castles: u8,
    pub(super) check: bool,
    pub(super) mate: bool,
}

/// Reads a move in the notation of a board; `None` where it is none.
pub(super) fn written(text: &str, ground: &Geometry, crowns: bool) -> Option<WrittenMove> {
    let text = text.trim_end_matches(['!', '?']);
    if crowns || ground.is_numbered() {
        return between_squares(text);
    }
    let mut read = WrittenMove::default();
    let bare = text.trim_end_matches(['+', '#']);
    read.mate = text[bare.len()..].contains('#');
    read.check = bare.len() < text.len();
    read.castles = match bare {
        "O-O" | "0-0" => 1,
        "O-O-O" | "0-0-0" => 2,
        _ => 0,
    };
    if read.castles != 0 {
        return Some(read);
    }
    if let Some((piece, to)) = bare.split_once('@') {
        return dropped(piece, to);
    }
    let (body, promotes) = match bare.split_once('=') {
        Some((body, letter)) => (body, Some(only(letter)?)),
        None => match bare.char_indices().last()? {
            (at, letter) if letter.is_ascii_uppercase() && at > 0 => (&bare[..at], Some(letter)),
            _ => (bare, None),
        },
    };
    read.promotes = promotes.map(|letter| letter.to_ascii_uppercase());
    let first = body.chars().next()?;
    let body = if first.is_ascii_uppercase() {
        read.piece = Some(first);
        &body[1..]
    } else {
        read.piece = Some('P');
        body
    };
    let at = body.rfind(|c: char| c.is_ascii_lowercase() && c != 'x')?;
    let (before, to) = body.split_at(at);
    read.to = Some(square(to)?);
    let before = match before.strip_suffix('x') {
        Some(before) => {
            read.takes = true;
            before
        }
        None => before,
    };
    if !before.is_empty() {
        read.from = Some(Area::read(before).filter(|_| !before.contains(['-', ',']))?);
    }
    Some(read)
}

/// `32-28`, `28x19`, `c3:e5`.
fn between_squares(text: &str) -> Option<WrittenMove> {
    let takes = text.contains(['x', ':']);
    let mut squares = text.split(['-', 'x', ':']);
    let (from, to) = (squares.next()?, squares.next_back()?);
    let area =
        |text: &str| Area::read(text).filter(|_| text.contains(|c: char| c.is_ascii_digit()));
    Some(WrittenMove {
        from: Some(area(from)?),
        to: Some(area(to)?),
        takes,
        ..WrittenMove::default()
    })
}

/// `N@f3`, `@e4` of a pawn.
fn dropped(piece: &str, to: &str) -> Option<WrittenMove> {
    let piece = if piece.is_empty() { 'P' } else { only(piece)? };
    Some(WrittenMove {
        piece: Some(piece.to_ascii_uppercase()),
        to: Some(square(to)?),
        is_drop: true,
        ..WrittenMove::default()
    })
}

/// Reads `b1d2`, `e7e8q`, `N@f3`.
pub(super) fn by_squares(text: &str) -> Option<WrittenMove> {
    if let Some((piece, to)) = text.split_once('@') {
        return dropped(piece, to);
    }
    let (body, promotes) = match text.char_indices().last()? {
        (at, letter) if letter.is_ascii_alphabetic() => (&text[..at], Some(letter)),
        _ => (text, None),
    };
    let at = 1 + body.get(1..)?.find(|c: char| c.is_ascii_lowercase())?;
    Some(WrittenMove {
        from: Some(square(&body[..at])?),
        to: Some(square(&body[at..])?),
        promotes: promotes.map(|letter| letter.to_ascii_uppercase()),
        ..WrittenMove::default()
    })
}

fn only(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters
        .next()
        .filter(|letter| letters.next().is_none() && letter.is_ascii_alphabetic())
}

/// A single square.
fn square(text: &str) -> Option<Area> {
    let area = Area::read(text)?;
    match area {
        Area::Named {
            files: Some((file, other)),
            ranks: Some((rank, last)),
        } if file == other && rank == last => Some(area),
        _ => None,
    }
}

impl Compiler<'_> {
    /// What a query asks of a move; `None` where it is not on the board.
    pub(super) fn a_move(
        &self,
        asked: &MoveTerm,
        span: &TextSpan,
        views: &[Transform],
    ) -> IfOnBoard<Box<MoveTest>> {
        let mut test = MoveTest {
            explodes: self.board.explodes(),
            ..MoveTest::ANY
        };
        let bits = |letters: &str| -> Result<u64, QueryError> {
            if letters == "x" {
                return Ok(!(1 << EMPTY));
            }
            let mut bits = 0;
            for letter in letters.chars() {
                self.kinds(&letter.to_string(), span)?;
                bits |= both_sides(self.board.own(letter));
            }
            Ok(bits)
        };
        let unread = || {
            let what = format!("this is no move of {}", self.board.title);
            Err(QueryError::new(what, span.clone()).hint_if(self.board.moves_as_chess, MOVES))
        };
        match asked {
            MoveTerm::Written(text) => {
                match written(text, &self.board.ground, self.board.crowns) {
                    Some(mut read) => {
                        // A lone square is a disc's where there are no pawns.
                        read.piece = read
                            .piece
                            .filter(|piece| *piece != 'P' || self.board.has(*piece));
                        let test = self.written(&read, span, views)?;
                        return Ok(test.map(|test| {
                            let steps = read.castles == 0 && read.piece == Some('K');
                            Box::new(MoveTest { steps, ..*test })
                        }));
                    }
                    None => return unread(),
                }
            }
            MoveTerm::Squares(text) => {
                let Some(read) = by_squares(text) else {
                    return unread();
                };
                let Some(mut test) = self.written(&read, span, views)? else {
                    return Ok(None);
                };
                let [files, ranks] = self.way(&read);
                test.takes_rook = ranks == 0;
                // A knight's leap, which others have as well, but none of these.
                if matches!((files, ranks), (1, 2) | (2, 1)) {
                    let others = "KQRBP".chars();
                    test.pieces &=
                        others.fold(u64::MAX, |pieces, letter| pieces & !both_sides(letter));
                }
                return Ok(Some(test));
            }
            MoveTerm::Moved(letters) => test.pieces = bits(letters)?,
            MoveTerm::Captured(letters) => test.taken = bits(letters)?,
            MoveTerm::Promotes(letters) => test.promoted = bits(letters)?,
            MoveTerm::From(areas) | MoveTerm::To(areas) => {
                let (mask, _) = self.mask(areas, span, views)?;
                if mask == 0 {
                    return Ok(None);
                }
                match asked {
                    MoveTerm::From(_) => test.from = mask,
                    _ => test.to = mask,
                }
            }
            MoveTerm::Castles(side) => {
                self.royal("castling", span)?;
                let side = side.unwrap_or(0);
                let read = WrittenMove {
                    castles: if side == 0 { 3 } else { side },
                    ..WrittenMove::default()
                };
                return self.written(&read, span, views);
            }
            MoveTerm::EnPassant => test.en_passant = true,
            MoveTerm::Capture => test.jumps = (1, u32::MAX),
            MoveTerm::Quiet => (test.jumps, test.stays) = ((0, 0), true),
            MoveTerm::Jumps(numbers) => test.jumps = *numbers,
            MoveTerm::Checks => {
                self.royal("check", span)?;
                test.check = true;
            }
            MoveTerm::Mates => {
                self.royal("mate", span)?;
                test.mate = true;
            }
        }
        Ok(Some(Box::new(test)))
    }

    /// How many files and ranks a move between two squares goes.
    fn way(&self, read: &WrittenMove) -> [u8; 2] {
        let place = |area: Option<Area>| match self.board.ground.placed(area?)?.first() {
            Some(Area::Placed {
                columns: Some((column, _)),
                rows: Some((row, _)),
            }) => Some([*column, *row]),
            _ => None,
        };
        match (place(read.from), place(read.to)) {
            (Some(from), Some(to)) => [0, 1].map(|at: usize| from[at].abs_diff(to[at])),
            _ => [0, 0],
        }
    }

    fn written(
        &self,
        read: &WrittenMove,
        span: &TextSpan,
        views: &[Transform],
    ) -> IfOnBoard<Box<MoveTest>> {
        let mut test = MoveTest {
            castles: read.castles,
            check: read.check,
            mate: read.mate,
            explodes: self.board.explodes(),
            ..MoveTest::ANY
        };
        let is_turned = views.iter().any(|view| view.mirrors || view.by != (0, 0));
        if read.castles != 0 && is_turned {
            return Err(QueryError::new(
                "castling has no mirror image and cannot be moved over the board",
                span.clone(),
            )
            .hint("`either` alone is possible"));
        }
        if let Some(piece) = read.piece {
            self.kinds(&piece.to_string(), span)?;
            test.pieces = both_sides(self.board.own(piece));
            test.is_drop = (read.is_drop || self.board.has_drops).then_some(read.is_drop);
        }
        if let Some(letter) = read.promotes {
            self.kinds(&letter.to_string(), span)?;
            test.promoted = both_sides(self.board.own(letter));
        }
        if read.takes {
            test.jumps = (1, u32::MAX);
        }
        for (area, mask) in [(read.from, &mut test.from), (read.to, &mut test.to)] {
            if let Some(area) = area {
                match self.mask(&[area], span, views)? {
                    (0, _) => return Ok(None),
                    (seen, _) => *mask = seen,
                }
            }
        }
        Ok(Some(Box::new(test)))
    }
}
