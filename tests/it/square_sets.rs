//! Sets of squares in queries against their definitions, square by square, on positions of random
//! games.

use plydex::games::{AnyPosition, position_input};
use plydex::query::pattern::{
    BoardSpec, Pattern, compile,
    matcher::{GameMatch, MatchMode},
    parser,
};
use shakmaty::{
    Bitboard, Board, Chess, Color, EnPassantMode, Position, Rank, Role, Square, attacks, fen::Fen,
};

/// Positions of random games, with the side to move.
fn positions(count: usize) -> Vec<Chess> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Chess::default();
        for _ in 0..random.usize(5..120) {
            let moves = position.legal_moves();
            // Pawns move more often than they would: their structures are what most sets are about.
            let pawns: Vec<_> = moves.iter().filter(|m| m.role() == Role::Pawn).collect();
            let next = match (random.bool(), &pawns[..]) {
                (true, [_, ..]) => *pawns[random.usize(..pawns.len())],
                _ => match moves.len() {
                    0 => break,
                    many => moves[random.usize(..many)],
                },
            };
            position.play_unchecked(next);
        }
        found.push(position);
    }
    found
}

fn ahead(color: Color, from: Square, to: Square) -> bool {
    match color {
        Color::White => to.rank() > from.rank(),
        Color::Black => to.rank() < from.rank(),
    }
}

fn files_apart(one: Square, other: Square) -> u32 {
    (one.file() as i32 - other.file() as i32).unsigned_abs()
}

fn ranks_apart(one: Square, other: Square) -> u32 {
    (one.rank() as i32 - other.rank() as i32).unsigned_abs()
}

fn attackers(board: &Board, square: Square, by: Color) -> usize {
    let own = board.by_color(by).into_iter();
    own.filter(|from| board.attacks_from(*from).contains(square))
        .count()
}

/// The pawns of a side that fulfil a definition.
fn pawns(board: &Board, color: Color, is: impl Fn(Square, &[Square], &[Square]) -> bool) -> usize {
    let of = |color: Color| -> Vec<Square> {
        (board.by_color(color) & board.by_role(Role::Pawn))
            .into_iter()
            .collect()
    };
    let (own, enemy) = (of(color), of(!color));
    own.iter().filter(|pawn| is(**pawn, &own, &enemy)).count()
}

/// How many squares each set has, by its text for White.
fn expected(position: &Chess) -> Vec<(String, usize)> {
    let board = position.board();
    let mut all = Vec::new();
    for color in Color::ALL {
        let letter = |c: char| match color {
            Color::White => c.to_ascii_uppercase(),
            Color::Black => c.to_ascii_lowercase(),
        };
        let mut put = |text: String, count| all.push((text, count));
        let p = letter('p');
        let passed = pawns(board, color, |pawn, _, enemy| {
            !enemy
                .iter()
                .any(|other| files_apart(pawn, *other) <= 1 && ahead(color, pawn, *other))
        });
        put(format!("passed:{p}"), passed);
        let isolated = pawns(board, color, |pawn, own, _| {
            !own.iter().any(|other| files_apart(pawn, *other) == 1)
        });
        put(format!("isolated:{p}"), isolated);
        let doubled = pawns(board, color, |pawn, own, _| {
            own.iter()
                .any(|other| *other != pawn && other.file() == pawn.file())
        });
        put(format!("doubled:{p}"), doubled);
        let connected = pawns(board, color, |pawn, own, _| {
            own.iter()
                .any(|other| files_apart(pawn, *other) == 1 && ranks_apart(pawn, *other) <= 1)
        });
        put(format!("connected:{p}"), connected);
        let attacks_of = |side: Color, pawn: Square| attacks::pawn_attacks(side, pawn);
        let backward = pawns(board, color, |pawn, own, enemy| {
            let mut neighbours = own
                .iter()
                .filter(|other| files_apart(pawn, **other) == 1)
                .peekable();
            let stop = pawn.offset(if color.is_white() { 8 } else { -8 });
            neighbours.peek().is_some()
                && neighbours.all(|other| ahead(color, pawn, *other))
                && stop.is_some_and(|stop| {
                    enemy
                        .iter()
                        .any(|other| attacks_of(!color, *other).contains(stop))
                })
        });
        put(format!("backward:{p}"), backward);
        let chain = pawns(board, color, |pawn, own, _| {
            own.iter().any(|other| {
                attacks_of(color, *other).contains(pawn) || attacks_of(color, pawn).contains(*other)
            })
        });
        put(format!("chain:{p}"), chain);
        let hanging = pawns(board, color, |pawn, own, enemy| {
            let on = |file: i32| own.iter().filter(move |own| own.file() as i32 == file);
            let file = pawn.file() as i32;
            [file - 1, file].into_iter().any(|first| {
                let pair: Vec<_> = on(first).chain(on(first + 1)).collect();
                on(first).count() == 1
                    && on(first + 1).count() == 1
                    && on(first - 1).count() + on(first + 2).count() == 0
                    && !enemy
                        .iter()
                        .any(|e| (first..=first + 1).contains(&(e.file() as i32)))
                    && ranks_apart(*pair[0], *pair[1]) <= 1
            })
        });
        put(format!("hanging:{p}"), hanging);
        let own = board.by_color(color);
        let count = |is: &dyn Fn(Square) -> bool| own.into_iter().filter(|at| is(*at)).count();
        let any = letter('a');
        put(
            format!("defended:{any}"),
            count(&|at| attackers(board, at, color) > 0),
        );
        put(
            format!("undefended:{any}"),
            count(&|at| attackers(board, at, color) == 0),
        );
        let is_king = |at| board.role_at(at) == Some(Role::King);
        let loose = count(&|at| {
            !is_king(at) && attackers(board, at, !color) > 0 && attackers(board, at, color) == 0
        });
        put(format!("loose:{any}"), loose);
        let king = board.king_of(color).expect("a king");
        let pinned = count(&|at| {
            !is_king(at) && {
                let without = {
                    let mut other = board.clone();
                    other.discard_piece_at(at);
                    other
                };
                let sliders =
                    board.by_color(!color) & (board.rooks() | board.bishops() | board.queens());
                sliders.into_iter().any(|by| {
                    !board.attacks_from(by).contains(king)
                        && without.attacks_from(by).contains(king)
                        && attacks::between(by, king).contains(at)
                })
            }
        });
        put(format!("pinned:{any}"), pinned);
        let outposts = count(&|at| {
            let rank = if color.is_white() {
                at.rank() as u32
            } else {
                7 - at.rank() as u32
            };
            let enemies = board.by_color(!color) & board.by_role(Role::Pawn);
            let own_pawns = own & board.by_role(Role::Pawn);
            board.role_at(at) == Some(Role::Knight)
                && (4..=5).contains(&rank)
                && own_pawns
                    .into_iter()
                    .any(|pawn| attacks_of(color, pawn).contains(at))
                && !enemies
                    .into_iter()
                    .any(|enemy| files_apart(at, enemy) == 1 && ahead(color, at, enemy))
        });
        put(format!("outpost:{}", letter('n')), outposts);
        let rooks = |is: &dyn Fn(Square) -> bool| {
            (own & board.rooks())
                .into_iter()
                .filter(|at| is(*at))
                .count()
        };
        let pawns_on = |color: Option<Color>, file| {
            let of = board
                .pawns()
                .into_iter()
                .filter(move |pawn| pawn.file() == file);
            of.filter(|pawn| color.is_none() || board.color_at(*pawn) == color)
                .count()
        };
        put(
            format!("{}:open", letter('r')),
            rooks(&|at| pawns_on(None, at.file()) == 0),
        );
        let half = rooks(&|at| {
            pawns_on(Some(color), at.file()) == 0 && pawns_on(Some(!color), at.file()) > 0
        });
        put(format!("{}:halfopen", letter('r')), half);
        let around = |is: &dyn Fn(Square) -> bool| {
            let near = |at: Square| files_apart(at, king).max(ranks_apart(at, king)) <= 1;
            Bitboard::FULL
                .into_iter()
                .filter(|at| near(*at) && is(*at))
                .count()
        };
        let k = letter('k');
        put(format!(".:around:{k}"), around(&|at| at != king));
        put(format!(".:zone:{k}"), around(&|_| true));
        let enemy = if color.is_white() { 'a' } else { 'A' };
        let near = around(&|at| at != king && board.color_at(at) == Some(!color));
        put(format!("{enemy}:around:{k}"), near);
        let attacked = |least: usize| {
            let of = |at: &Square| attackers(board, *at, color) >= least;
            Bitboard::FULL.into_iter().filter(of).count()
        };
        put(format!("attacked:{any}"), attacked(1));
        put(format!("attacked2:{any}"), attacked(2));
        put(format!("attacked3:{any}"), attacked(3));
        let zone: Bitboard = Bitboard::FULL
            .into_iter()
            .filter(|at| files_apart(*at, king).max(ranks_apart(*at, king)) <= 1)
            .collect();
        let by = board.by_color(!color).into_iter();
        let attacking = by
            .filter(|from| (board.attacks_from(*from) & zone).any())
            .count();
        put(format!("{enemy}:attackers:zone:{k}"), attacking);
        let front = |pawn: Square| {
            Bitboard::from_file(pawn.file())
                .into_iter()
                .filter(move |at| ahead(color, pawn, *at))
        };
        let fronts: Bitboard = (own & board.pawns()).into_iter().flat_map(front).collect();
        put(format!("front:{p}"), fronts.count());
        let stops: Bitboard = (own & board.pawns())
            .into_iter()
            .filter_map(|pawn| pawn.offset(if color.is_white() { 8 } else { -8 }))
            .collect();
        put(format!("stop:{p}"), stops.count());
        let has_rook = |rank: Rank| {
            (own & board.rooks())
                .into_iter()
                .any(|at| at.rank() == rank)
        };
        let ranks = Rank::ALL.into_iter().filter(|rank| has_rook(*rank)).count();
        put(format!("ranks:{}", letter('r')), 8 * ranks);
    }
    all
}

fn holds(text: &str, at: &AnyPosition) -> bool {
    let expr = parser::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let board = BoardSpec::of(at);
    let pattern: Pattern =
        compile(&expr, &board).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let mut seen = GameMatch::default();
    pattern.is_fulfilled((at, &[]), &mut seen, MatchMode::End, &mut |_| false)
}

#[test]
fn sets_are_what_their_definitions_say() {
    let mut met = std::collections::BTreeMap::new();
    for position in positions(300) {
        let fen = Fen::try_from_setup(position.to_setup(EnPassantMode::Legal)).expect("a position");
        let fen = fen.to_string();
        let at = position_input::read_position(&fen, &position_input::ExpectedVariants::default());
        let at = at.expect("a position").at;
        for (text, count) in expected(&position) {
            assert!(
                holds(&format!("{text}={count}"), &at),
                "{fen}: {text}={count}"
            );
            *met.entry(text).or_insert(0) += usize::from(count > 0);
        }
    }
    // Each of them is met somewhere.
    let never: Vec<_> = met.iter().filter(|(_, times)| **times == 0).collect();
    assert!(never.is_empty(), "{never:?}");
}

/// What holds on a board holds on its mirror image with the colours exchanged, seen from there.
#[test]
fn sets_are_seen_from_either_side() {
    for position in positions(40) {
        let board = position.board();
        let mut turned = board.clone();
        turned.flip_vertical();
        turned.swap_colors();
        let fen =
            |board: &Board, turn: Color| format!("{} {} - - 0 1", board.board_fen(), turn.char());
        let read = |fen: &str| {
            position_input::read_position(fen, &position_input::ExpectedVariants::default())
                .expect("a position")
                .at
        };
        let own = read(&fen(board, position.turn()));
        let other = read(&fen(&turned, !position.turn()));
        for (text, count) in expected(&position) {
            let asked = format!("{text}={count}");
            assert!(holds(&asked, &own), "{asked}");
            assert!(holds(&format!("either {asked}"), &other), "either {asked}");
        }
    }
}

/// Words that other conditions define, against the board.
#[test]
fn defined_words_are_what_they_say() {
    let mut met = std::collections::BTreeMap::new();
    // Few pieces are left after long games.
    let mut random = fastrand::Rng::with_seed(11);
    let mut boards: Vec<(Board, Color)> = Vec::new();
    for position in positions(60) {
        let mut board = position.board().clone();
        boards.push((board.clone(), position.turn()));
        for square in Square::ALL {
            let is_king = board.role_at(square) == Some(Role::King);
            if !is_king && random.u8(..10) < 8 {
                board.discard_piece_at(square);
            }
        }
        boards.push((board, position.turn()));
    }
    for (board, turn) in boards {
        let fen = format!("{} {} - - 0 1", board.board_fen(), turn.char());
        let read =
            position_input::read_position(&fen, &position_input::ExpectedVariants::default());
        // Kings may attack each other now.
        let Ok(read) = read else {
            continue;
        };
        let count =
            |role: Role, color: Color| (board.by_role(role) & board.by_color(color)).count() as i64;
        let value = |color| {
            count(Role::Pawn, color)
                + 3 * (count(Role::Knight, color) + count(Role::Bishop, color))
                + 5 * count(Role::Rook, color)
                + 9 * count(Role::Queen, color)
        };
        let more = value(Color::White) - value(Color::Black);
        let shades = |color| {
            let bishops = board.bishops() & board.by_color(color);
            [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES].map(|shade| (bishops & shade).count())
        };
        let has_pair = |color| shades(color).iter().all(|count| *count > 0);
        let [white, black] = [Color::White, Color::Black].map(shades);
        let is_single = |shades: [usize; 2]| shades.iter().sum::<usize>() == 1;
        let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        let pieces = |color| roles.map(|role| count(role, color));
        let [of_white, of_black] = [Color::White, Color::Black].map(pieces);
        let is_ending = |one: [i64; 4], other: [i64; 4]| {
            of_white == one && of_black == other || of_white == other && of_black == one
        };
        for (text, is) in [
            (format!("value:{more}"), true),
            (format!("value:{}..", more + 1), false),
            (format!("value:w:{}", value(Color::White)), true),
            (format!("value:b:..{}", value(Color::Black) - 1), false),
            ("pair:w".to_owned(), has_pair(Color::White)),
            ("pair:b".to_owned(), has_pair(Color::Black)),
            ("pair:b=0".to_owned(), !has_pair(Color::Black)),
            (
                "opposite-bishops".to_owned(),
                is_single(white) && is_single(black) && white != black,
            ),
            ("ending:pawn".to_owned(), is_ending([0; 4], [0; 4])),
            (
                "ending:rook".to_owned(),
                is_ending([0, 1, 0, 0], [0, 1, 0, 0]),
            ),
            (
                "ending:RvB".to_owned(),
                is_ending([0, 1, 0, 0], [0, 0, 1, 0]),
            ),
            ("ending:Bv".to_owned(), is_ending([0, 0, 1, 0], [0; 4])),
            ("ending:Nv".to_owned(), is_ending([0, 0, 0, 1], [0; 4])),
        ] {
            assert_eq!(holds(&text, &read.at), is, "{fen}: {text}");
            *met.entry(text.split(':').next().map(str::to_owned))
                .or_insert(0) += usize::from(is);
        }
    }
    assert!(met.values().all(|times| *times > 0), "{met:?}");
}
