//! Stays against a look at each position of random games.

use super::{
    EndingSpec, NAMED_STRUCTURES, ReachScan, SkeletonWidth, StayFinder, StayTest,
    pawns::PawnStructure, report::skeleton,
};
use crate::games::{
    AnyPosition, Budget, GameCodec, GameNotation, GamePosition,
    chess::{
        basics::{Chess, Color, Position as _, Role},
        rules::{ChessBoard, Ply},
    },
    symmetry::Symmetry,
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
