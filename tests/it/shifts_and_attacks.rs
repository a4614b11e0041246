//! Pieces anywhere on a board, attacks and pins, in positions of random games of all variants: against
//! a look at the squares of the drawn board one by one, and against the attacks of `shakmaty`.

use plydex::games::{
    AnyPosition, Budget,
    diagram::{DiagramPiece, PieceGlyph},
    variant,
};
use plydex::query::pattern::{
    BoardSpec, compile,
    matcher::{GameMatch, MatchMode},
    parser,
};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

/// Positions of a random game.
fn positions(start: &AnyPosition, random: &mut fastrand::Rng, every: usize) -> Vec<AnyPosition> {
    let (mut at, mut found) = (start.clone(), vec![start.clone()]);
    for ply in 1..120 {
        let Ok(mut moves) = at.moves(Budget::default()) else {
            break;
        };
        if moves.is_empty() {
            break;
        }
        at = moves.swap_remove(random.usize(..moves.len())).behind;
        if ply % every == 0 {
            found.push(at.clone());
        }
    }
    found
}

/// Whether a condition holds in a position; nothing if its board has no such condition.
fn holds(text: &str, at: &AnyPosition) -> Option<bool> {
    let expr = parser::parse(text).ok()?;
    let pattern = compile(&expr, &BoardSpec::of(at)).ok()?;
    let fulfils = |until| {
        let mut seen = GameMatch::default();
        pattern.is_fulfilled((at, &[]), &mut seen, until, &mut |_| false)
    };
    let all = fulfils(MatchMode::End);
    assert_eq!(all, fulfils(MatchMode::Decided), "{}: {text}", at.fen());
    Some(all)
}

/// The letter that queries have for a piece.
fn letter(piece: DiagramPiece) -> char {
    let of = |letter: char| match piece.side {
        0 => letter,
        _ => letter.to_ascii_lowercase(),
    };
    match piece.shape {
        PieceGlyph::Disc => of('M'),
        PieceGlyph::Crowned => of('K'),
        _ => piece.letter,
    }
}

/// A board by its rows from below: what its squares are called, and what stands there.
struct Drawn(Vec<Vec<Option<DrawnSquare>>>);

/// The name of a square, and the piece on it.
type DrawnSquare = (String, Option<char>);

impl Drawn {
    fn of(at: &AnyPosition) -> Self {
        let diagram = at.diagram();
        let rows = diagram.rows.iter().enumerate().rev();
        Self(
            rows.map(|(row, places)| {
                let named = places.iter().enumerate().map(|(column, place)| {
                    place.square?;
                    let name = match diagram.files.get(column) {
                        Some(file) => format!("{file}{}", diagram.ranks[row]),
                        None => place.number?.to_string(),
                    };
                    Some((name, place.piece.map(letter)))
                });
                named.collect()
            })
            .collect(),
        )
    }

    fn at(&self, (column, row): (i32, i32)) -> Option<&DrawnSquare> {
        let row = self.0.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?)?.as_ref()
    }

    fn size(&self) -> (i32, i32) {
        (self.0[0].len() as i32, self.0.len() as i32)
    }
}

/// A piece on a square, perhaps one that must not be there; `_` is no piece.
struct Asked {
    letter: char,
    square: (i32, i32),
    is_denied: bool,
}

impl Asked {
    fn text(&self, board: &Drawn) -> Option<String> {
        let (name, _) = board.at(self.square)?;
        let not = if self.is_denied { "not " } else { "" };
        Some(format!("{not}{}{name}", self.letter))
    }

    /// Whether it is so when the square is moved. Beside the board nothing stands; pawns that are
    /// moved up or down stand on no last rank.
    fn holds(&self, board: &Drawn, (right, up): (i32, i32)) -> bool {
        let (column, row) = (self.square.0 + right, self.square.1 + up);
        let is_last = row == 0 || row == board.size().1 - 1;
        let is_pawn = self.letter.eq_ignore_ascii_case(&'P');
        let stands = match board.at((column, row)) {
            None => self.letter == '_',
            Some(_) if up != 0 && is_last && is_pawn => false,
            Some((_, piece)) => piece.unwrap_or('_') == self.letter,
        };
        stands != self.is_denied
    }
}

/// Some pieces near each other, mostly as they stand somewhere.
fn asked(board: &Drawn, random: &mut fastrand::Rng) -> Vec<Asked> {
    let (columns, rows) = board.size();
    let mut squares = Vec::new();
    for column in 0..columns {
        squares.extend((0..rows).map(|row| (column, row)));
    }
    squares.retain(|square| board.at(*square).is_some());
    let middle = squares[random.usize(..squares.len())];
    let near =
        |(column, row): &&(i32, i32)| (column - middle.0).abs() <= 2 && (row - middle.1).abs() <= 2;
    let near: Vec<(i32, i32)> = squares.iter().filter(near).copied().collect();
    let by = (random.i32(-2..=2), random.i32(-2..=2));
    (0..random.usize(1..4))
        .filter_map(|_| {
            let seen = near[random.usize(..near.len())];
            let stands = board.at(seen)?.1.unwrap_or('_');
            let square = (seen.0 + by.0, seen.1 + by.1);
            board.at(square)?;
            Some(Asked {
                letter: stands,
                square,
                is_denied: random.u8(..6) == 0,
            })
        })
        .collect()
}

#[test]
fn shifted_pieces_are_those_of_a_look_at_every_place() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut missing = 0;
    for start in variant::ALL.iter().filter_map(AnyPosition::start) {
        let (mut compared, mut found) = (0, 0);
        for at in positions(&start, &mut random, 30) {
            let board = Drawn::of(&at);
            let (columns, rows) = board.size();
            for _ in 0..20 {
                let pieces = asked(&board, &mut random);
                let texts = pieces.iter().filter_map(|asked| asked.text(&board));
                let text = texts.collect::<Vec<_>>().join(" ");
                let (word, right, up) = match random.u8(..4) {
                    0 => ("shiftx", columns - 1, 0),
                    1 => ("shifty", 0, rows - 1),
                    _ => ("shift", columns - 1, rows - 1),
                };
                let asked = format!("{word} {{ {text} }}");
                let Some(is) = holds(&asked, &at).filter(|_| !pieces.is_empty()) else {
                    continue;
                };
                let mut places = (-right..=right).flat_map(|x| (-up..=up).map(move |y| (x, y)));
                let wanted =
                    places.any(|place| pieces.iter().all(|piece| piece.holds(&board, place)));
                assert_eq!(is, wanted, "{}: {asked}", at.fen());
                compared += 1;
                found += usize::from(is);
                if compared % 4 == 0 {
                    // Beside another condition, and as what must not be.
                    let both = format!("stm:white {word} {{ {text} }}");
                    assert_eq!(holds(&both, &at), Some(is && at.turn() == 0), "{both}");
                    let none = format!("not {asked}");
                    assert_eq!(holds(&none, &at), Some(!is), "{none}");
                }
            }
        }
        let name = start.variant().name;
        assert!(compared > 10 && found > 0, "{name}: {found} of {compared}");
        missing += compared - found;
    }
    assert!(missing > 100, "{missing}");
}

/// The board of a game whose pieces are those of chess.
fn chess_board(at: &AnyPosition) -> Board {
    let mut board = Board::empty();
    for (row, places) in (0..).zip(&at.diagram().rows) {
        for (column, place) in (0..).zip(places) {
            if let Some(piece) = place
                .piece
                .and_then(|piece| Piece::from_char(letter(piece)))
            {
                board.set_piece_at(Square::new(8 * (7 - row) + column), piece);
            }
        }
    }
    board
}

/// The pieces of some letters.
fn of_letters(board: &Board, letters: &str) -> Bitboard {
    let of = |letter: char| match letter {
        'A' => board.by_color(Color::White),
        'a' => board.by_color(Color::Black),
        'x' => board.occupied(),
        letter => Piece::from_char(letter).map_or(Bitboard::EMPTY, |piece| board.by_piece(piece)),
    };
    letters
        .chars()
        .fold(Bitboard::EMPTY, |all, letter| all | of(letter))
}

fn pins(board: &Board, by: Square, pinned: Bitboard, behind: Bitboard) -> bool {
    let role = board.role_at(by);
    matches!(role, Some(Role::Bishop | Role::Rook | Role::Queen))
        && (board.attacks_from(by) & pinned)
            .into_iter()
            .any(|between| {
                let mut without = board.clone();
                without.discard_piece_at(between);
                let ends = without.attacks_from(by) & behind;
                ends.into_iter()
                    .any(|end| attacks::between(by, end).contains(between))
            })
}

#[test]
fn attacks_and_pins_are_those_of_each_piece() {
    const LETTERS: [&str; 14] = [
        "A", "a", "x", "Q", "q", "RQ", "b", "Bb", "N", "n", "P", "pk", "K", "NBr",
    ];
    let mut random = fastrand::Rng::with_seed(5);
    let starts = variant::ALL.iter().filter_map(AnyPosition::start);
    let mut variants = 0;
    for start in starts.filter(|start| holds("attacks:Q:k", start).is_some()) {
        variants += 1;
        let (mut attacking, mut pinning) = (0, 0);
        for at in positions(&start, &mut random, 12) {
            let board = chess_board(&at);
            for _ in 0..40 {
                let mut letters = || LETTERS[random.usize(..LETTERS.len())];
                let (by, other, behind) = (letters(), letters(), letters());
                let (pieces, square) = (of_letters(&board, by), Square::new(random.u32(..64)));
                let file = Bitboard::from_file(square.file());
                let (targets, each): (String, Vec<Bitboard>) = match random.u8(..5) {
                    0 => (other.to_owned(), vec![of_letters(&board, other)]),
                    1 => (square.to_string(), vec![square.into()]),
                    2 => {
                        let text = format!("{other},{square}");
                        (text, vec![of_letters(&board, other), square.into()])
                    }
                    3 => {
                        let text = format!("{other}/{square}");
                        (text, vec![of_letters(&board, other) | square])
                    }
                    _ => (format!("{}1-8", square.file().char()), vec![file]),
                };
                let attacks = |from: &Square| {
                    let seen = board.attacks_from(*from);
                    each.iter().all(|targets| (seen & *targets).any())
                };
                let count = pieces.into_iter().filter(attacks).count();
                for (range, is) in [
                    (String::new(), count > 0),
                    (format!("={count}"), true),
                    (format!("={}..", count + 1), false),
                    ("=2..".to_owned(), count >= 2),
                ] {
                    let text = format!("attacks:{by}:{targets}{range}");
                    assert_eq!(holds(&text, &at), Some(is), "{}: {text}", at.fen());
                }
                attacking += count;
                let text = format!("pins:{by}:{other}:{behind}");
                let (pinned, last) = (of_letters(&board, other), of_letters(&board, behind));
                let is = pieces.into_iter().any(|by| pins(&board, by, pinned, last));
                assert_eq!(holds(&text, &at), Some(is), "{}: {text}", at.fen());
                pinning += usize::from(is);
            }
        }
        let name = start.variant().name;
        assert!(
            attacking > 0 && pinning > 0,
            "{name}: {attacking}, {pinning}"
        );
    }
    assert!(variants >= 8, "{variants}");
}
