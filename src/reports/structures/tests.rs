//! Stays against a look at each position of random games.

use std::fmt::Write as _;

use super::{
    EndingSpec, NAMED_STRUCTURES, ReachScan, SkeletonWidth, StayFinder, StayTest, StructureOptions,
    StructureQuery,
    pawns::PawnStructure,
    report::{first_stay, report, skeleton},
};
use crate::games::{
    AnyPosition, Budget, GameCodec, GameNotation, GamePosition,
    chess::{
        basics::{Chess, Color, Position as _, Role},
        rules::{ChessBoard, Ply},
    },
    symmetry::Symmetry,
};
use crate::{
    base::observe::{CancellationToken, NullObserver},
    import::{self, ImportOptions},
    reports::plans::PlanLimits,
    search::{self, AccessPlan},
    store::Store,
};

fn game(state: &mut u64, plies: usize) -> (Vec<u8>, Vec<ChessBoard>) {
    let mut at = ChessBoard::initial();
    let (mut slots, mut bytes, mut boards) = (at.slots(), Vec::new(), vec![at.clone()]);
    for _ in 0..plies {
        let mut legal: Vec<Ply> = Vec::new();
        at.legal(Budget::default(), &mut legal).expect("few moves");
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        let captures: Vec<Ply> = legal
            .iter()
            .copied()
            .filter(|m| at.captured(*m).is_some())
            .collect();
        let from = if captures.is_empty() || state.is_multiple_of(4) {
            &legal
        } else {
            &captures
        };
        let Some(m) = from.get((*state >> 8) as usize % from.len().max(1)) else {
            break;
        };
        at.pack(*m, &mut slots, &mut bytes);
        at.play(*m);
        boards.push(at.clone());
    }
    (bytes, boards)
}

fn shown(board: &ChessBoard) -> Chess {
    board.to_position().expect("legal play")
}

fn pawns(board: &ChessBoard) -> PawnStructure {
    let of = |color: Color| u64::from(shown(board).board().by_piece(Role::Pawn.of(color)));
    PawnStructure {
        own: of(Color::White),
        other: of(Color::Black),
    }
}

/// The first run of positions that are seen in the same way.
fn first_run<T: PartialEq>(seen: &[Option<T>], plies: usize) -> Option<(usize, usize)> {
    let mut at = 0;
    while at < seen.len() {
        let end = (at..seen.len())
            .find(|&end| seen[end] != seen[at])
            .unwrap_or(seen.len());
        if seen[at].is_some() && end - at >= plies {
            return Some((at, end));
        }
        at = end;
    }
    None
}

#[test]
fn skeletons_are_found_where_they_stand() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let start = AnyPosition::from(ChessBoard::initial());
    let mut found = [0, 0];
    let games: Vec<_> = (0..60).map(|_| game(&mut state, 80)).collect();
    for (nth, (_, boards)) in games.iter().enumerate() {
        // What another game has, or the same; seen from the other side in every second one.
        let model = pawns(&boards[(nth * 7 + 9) % boards.len()]);
        let model = if nth % 2 == 0 { model } else { model.flipped() };
        let fen_of = |set: u64, other: u64| {
            let ranks = (0..8).rev().map(|rank| {
                (0..8)
                    .map(|file| {
                        let at = rank * 8 + file;
                        match (set >> at & 1, other >> at & 1) {
                            (1, _) => 'P',
                            (_, 1) => 'p',
                            // A king stands where no pawn can.
                            _ if at == 4 => 'K',
                            _ if at == 60 => 'k',
                            _ => '1',
                        }
                    })
                    .collect::<String>()
            });
            ranks.collect::<Vec<_>>().join("/") + " w - - 0 1"
        };
        let fen = fen_of(model.own, model.other);
        let row = crate::games::variant::Variant::by_name("chess").expect("chess");
        let Ok(asked) = ChessBoard::read_fen(row, &fen) else {
            continue;
        };
        let test = skeleton(&asked.at.into(), SkeletonWidth::Exact);
        let mut finder = StayFinder::new(&test);
        for (bytes, boards) in &games {
            let seen: Vec<Option<Symmetry>> = (boards.iter())
                .map(|board| {
                    let at = pawns(board);
                    let mirror = |at: PawnStructure| PawnStructure {
                        own: at.own.reverse_bits().swap_bytes(),
                        other: at.other.reverse_bits().swap_bytes(),
                    };
                    [
                        (model, Symmetry::None),
                        (model.flipped(), Symmetry::Flip),
                        (mirror(model), Symmetry::Mirror),
                        (mirror(model.flipped()), Symmetry::Rotate),
                    ]
                    .into_iter()
                    .find(|(model, _)| *model == at)
                    .map(|(_, symmetry)| symmetry)
                })
                .collect();
            let expected = first_run(&seen, 6);
            let stays = finder.stays(&start, bytes);
            let own = stays
                .first()
                .map(|stay| (stay.ply as usize, stay.end as usize));
            assert_eq!(own, expected, "{fen}");
            if let (Some(stay), Some((at, _))) = (stays.first(), expected) {
                assert_eq!(Some(stay.symmetry), seen[at]);
                found[usize::from(stay.symmetry.swaps_colours())] += 1;
            }
        }
    }
    assert!(found[0] > 10 && found[1] > 10, "{found:?}");
}

#[test]
fn structures_with_names_and_endings_are_found_where_they_stand() {
    let mut state = 0xdead_beef_1234_5678;
    let start = AnyPosition::from(ChessBoard::initial());
    let (mut named_seen, mut endings_seen, mut reached) = (0, 0, 0);
    let specs = [
        "RvR",
        "RvB",
        "KRPvKR",
        "RNvRB",
        "BvB opposite",
        "BvN",
        "KvK",
        "QvR",
    ];
    for _ in 0..150 {
        let (bytes, boards) = game(&mut state, 260);
        let mut scan = ReachScan::default();
        let (sides, endings) = scan.scan(&start, &bytes, 0);
        let (sides, endings) = (*sides, endings.to_vec());
        for (at, named) in NAMED_STRUCTURES.iter().enumerate() {
            let seen: Vec<Option<Symmetry>> = (boards.iter())
                .map(|board| {
                    let at = pawns(board);
                    if (named.test)(at) {
                        return Some(Symmetry::None);
                    }
                    (named.test)(at.flipped()).then_some(Symmetry::Flip)
                })
                .collect();
            let expected = first_run(&seen, 6);
            let test = StayTest::Named(named);
            let mut finder = StayFinder::new(&test);
            let own = finder.stays(&start, &bytes).first();
            assert_eq!(
                own.map(|stay| (stay.ply as usize, stay.end as usize)),
                expected,
                "{}",
                named.key
            );
            named_seen += usize::from(expected.is_some());
            // Between plies 20 and 60.
            for side in 0..2 {
                let seen: Vec<Option<()>> = (boards.iter().take(61).skip(20))
                    .map(|board| {
                        let at = pawns(board);
                        let at = if side == 0 { at } else { at.flipped() };
                        (named.test)(at).then_some(())
                    })
                    .collect();
                let expected = first_run(&seen, 6).is_some();
                assert_eq!(
                    sides[at] >> side & 1 == 1,
                    expected,
                    "{} of {side}",
                    named.key
                );
                reached += usize::from(expected);
            }
        }
        for text in specs {
            let spec = EndingSpec::read(text).expect(text);
            let seen: Vec<Option<bool>> = boards
                .iter()
                .map(|board| naive_ending(&spec, board))
                .collect();
            let expected = first_run(&seen, 4);
            let test = StayTest::Ending(spec);
            let mut finder = StayFinder::new(&test);
            let own = finder.stays(&start, &bytes).first();
            assert_eq!(
                own.map(|stay| (stay.ply as usize, stay.end as usize)),
                expected,
                "{text}"
            );
            endings_seen += usize::from(expected.is_some());
            if let (Some(_), None) = (expected, spec.pawns) {
                let has = |family: super::EndingFamily| {
                    family == spec.family
                        || spec.family.opposite.is_none()
                            && (family.own, family.other) == (spec.family.own, spec.family.other)
                };
                assert!(
                    endings
                        .iter()
                        .any(|one| has(one.family) || has(one.family.flipped())),
                    "{text}"
                );
            }
        }
    }
    assert!(
        named_seen > 30 && endings_seen > 100 && reached > 15,
        "{named_seen} {endings_seen} {reached}"
    );
}

/// Whether a board has the pieces of an ending, and then whether Black has the first of them.
fn naive_ending(spec: &EndingSpec, board: &ChessBoard) -> Option<bool> {
    let at = shown(board);
    let count = |color: Color, role: Role| at.board().by_piece(role.of(color)).count() as u8;
    let side = |color: Color| {
        [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].map(|role| count(color, role))
    };
    let bishops: Vec<bool> = (at.board().by_role(Role::Bishop).into_iter())
        .map(shakmaty::Square::is_light)
        .collect();
    let fits = |own: Color| {
        side(own) == spec.family.own
            && side(!own) == spec.family.other
            && spec
                .pawns
                .is_none_or(|pawns| pawns == [own, !own].map(|color| count(color, Role::Pawn)))
            && spec
                .family
                .opposite
                .is_none_or(|opposite| (bishops[0] != bishops[1]) == opposite)
    };
    let more = count(Color::Black, Role::Pawn) > count(Color::White, Role::Pawn);
    let first = if spec.family.own == spec.family.other && more {
        Color::Black
    } else {
        Color::White
    };
    [first, !first]
        .into_iter()
        .find(|own| fits(*own))
        .map(|own| own == Color::Black)
}

/// Pawns of a side that has each structure, and of the other.
const EXAMPLES: [(&str, &str); 10] = [
    ("a2 b2 d4 f2 g2 h2", "a7 b7 e6 f7 g7 h7"),
    ("a2 c4 d4 f2 g2 h2", "a7 b6 e6 f7 g7 h7"),
    ("a2 b2 d4 e3 f2 g2 h2", "a7 b7 c6 d5 f7 g7 h7"),
    ("a2 b2 c4 e4 f2 g2 h2", "a7 b7 d6 e7 f7 g6 h7"),
    ("a3 b3 d3 e3 f2 g2 h2", "a7 b6 c5 e5 f7 g7 h7"),
    ("a3 c3 c4 d4 e3 f2 g2 h2", "a7 b7 c5 d6 e6 f7 g7 h7"),
    ("a2 b2 c3 d4 e5 f2 g2 h2", "a7 b7 c5 d5 e6 f7 g7 h7"),
    ("a2 b2 c4 d5 e4 f2 g2 h2", "a7 b7 c7 d6 e5 f7 g6 h7"),
    ("a2 b2 d5 e4 f2 g2 h2", "a7 b7 c5 d6 f7 g6 h7"),
    ("a2 b2 c3 d4 e3 f4 g2 h2", "a7 b7 c5 d5 e6 f7 g7 h7"),
];

/// The FEN of pawns with a king and a rook for each side.
fn fen_of(white: &[&str], black: &[&str]) -> String {
    let mut board = [[' '; 8]; 8];
    let mut put = |square: &str, piece: char| {
        let [file, rank] = square.as_bytes() else {
            panic!("{square}")
        };
        board[usize::from(rank - b'1')][usize::from(file - b'a')] = piece;
    };
    for (square, piece) in [("e1", 'K'), ("a1", 'R'), ("e8", 'k'), ("a8", 'r')] {
        put(square, piece);
    }
    for square in white {
        put(square, 'P');
    }
    for square in black {
        put(square, 'p');
    }
    let ranks: Vec<String> = board
        .iter()
        .rev()
        .map(|rank| rank.iter().collect())
        .collect();
    let mut placement = ranks.join("/");
    for blanks in (1..=8).rev() {
        placement = placement.replace(&" ".repeat(blanks), &blanks.to_string());
    }
    format!("{placement} w - - 0 1")
}

/// The same squares with ranks counted from the other side, or files from the other edge.
fn turned(squares: &[&str], mirrors: bool) -> Vec<String> {
    let turn = |c: char| match c {
        'a'..='h' if mirrors => char::from(b'a' + b'h' - c as u8),
        '1'..='8' if !mirrors => char::from(b'1' + b'8' - c as u8),
        other => other,
    };
    squares
        .iter()
        .map(|square| square.chars().map(turn).collect())
        .collect()
}

/// The columns leave no game out that a look at each position finds.
#[test]
fn candidates_are_all_games_with_a_structure() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pgn = String::new();
    let mut add = |white: &[&str], black: &[&str]| {
        let moves = "Kd1 Kd8 Ke1 Ke8 ".repeat(4);
        let fen = fen_of(white, black);
        let _ = write!(pgn, "[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}*\n\n");
    };
    for (own, other) in EXAMPLES {
        let [own, other] = [own, other].map(|names| names.split(' ').collect::<Vec<&str>>());
        for left_out in 0..=own.len() {
            let mut own = own.clone();
            if left_out < own.len() {
                own.remove(left_out);
            }
            add(&own, &other);
            for mirrors in [false, true] {
                let turned = [turned(&own, mirrors), turned(&other, mirrors)];
                let [own, other] =
                    [0, 1].map(|at: usize| turned[at].iter().map(|s| &s[..]).collect::<Vec<_>>());
                // Counted from the other side, the colours are exchanged as well.
                if mirrors {
                    add(&own, &other);
                } else {
                    add(&other, &own);
                }
            }
        }
    }
    let path = folder.path().join("structures.pgn");
    std::fs::write(&path, pgn).expect("a file");
    let db = folder.path().join("structures.db");
    let store = Store::create_or_open(&db, &CancellationToken::default()).expect("a database");
    import::import(&store, &[path], ImportOptions::default(), &NullObserver).expect("an import");
    let plan = AccessPlan::default();
    let all = search::all_games(&store, &plan).expect("games");
    assert!(all.len() > 150, "{} games", all.len());

    let [own, other] =
        [EXAMPLES[2].0, EXAMPLES[2].1].map(|names| names.split(' ').collect::<Vec<&str>>());
    let carlsbad: AnyPosition =
        AnyPosition::read_fen(&crate::games::variant::ALL[0], &fen_of(&own, &other))
            .expect("a position")
            .at;
    let mut queries: Vec<StructureQuery> =
        NAMED_STRUCTURES.iter().map(StructureQuery::Named).collect();
    queries.push(StructureQuery::Skeleton(carlsbad, SkeletonWidth::Exact));
    queries.push(StructureQuery::Ending(
        EndingSpec::read("RvR").expect("an ending"),
    ));
    queries.push(StructureQuery::Ending(
        EndingSpec::read("BvR").expect("an ending"),
    ));
    for (nth, query) in queries.iter().enumerate() {
        let test = query.test().expect("a test of positions");
        let mut finder = StayFinder::new(&test);
        let mut expected = 0;
        search::each_line(&store, &all, &mut |line| {
            let stays = finder.stays(line.start, line.plies);
            expected += u64::from(first_stay(stays, line, test.plies()).is_some());
            Ok(())
        })
        .expect("lines");
        let options = StructureOptions {
            window: 28,
            limits: PlanLimits::default(),
        };
        let found = report(&store, (&plan, query), &options, &NullObserver).expect("a report");
        assert_eq!(found.results.games, expected, "{}", found.query);
        assert_eq!(found.searched, all.len() as u64);
        assert!(expected > 1 || nth + 1 == queries.len(), "{}", found.query);
    }
}
