//! Steps against a second, slow way to find them: positions of random games one by one, with the
//! rules of shakmaty.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    Baseline, PieceRoute, PieceTracker, PlanLimits, PlanMiner, PlanStep, SquareLabels,
    SquareSymmetry, StepKind, StepPlace, StepRules, mine,
};
use crate::{
    base::record::Outcome,
    blocks::facts::PackedFacts,
    games::{
        AnyPosition, Budget, GameCodec, GamePosition,
        chess::{
            basics::{Chess, Color, Position as _, Role, Square, attacks},
            rules::{ChessBoard, Ply, PlyKind},
        },
        symmetry::Symmetry,
    },
};

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// A random game, packed, and as its positions with the plies that leave them. It castles when it
/// can and often captures, so that exchanges come up.
fn game(state: &mut u64, plies: usize) -> (Vec<u8>, Vec<(Chess, Ply)>, Chess) {
    let mut at = ChessBoard::initial();
    let (mut slots, mut bytes, mut line) = (at.slots(), Vec::new(), Vec::new());
    for _ in 0..plies {
        let mut legal = Vec::new();
        at.legal(Budget::default(), &mut legal).expect("few moves");
        if legal.is_empty() {
            break;
        }
        let is_lively = |m: &&Ply| m.kind() == PlyKind::Castle || at.captured(**m).is_some();
        let lively: Vec<&Ply> = legal.iter().filter(is_lively).collect();
        let m = if lively.is_empty() || random(state).is_multiple_of(3) {
            legal[(random(state) % legal.len() as u64) as usize]
        } else {
            *lively[(random(state) % lively.len() as u64) as usize]
        };
        at.pack(m, &mut slots, &mut bytes);
        line.push((at.to_position().expect("legal"), m));
        at.play(m);
    }
    (bytes, line, at.to_position().expect("legal"))
}

/// A ply as the rules say it.
struct PlayedPly {
    side: Color,
    role: Role,
    from: u8,
    to: u8,
    taken: Option<(u8, Role)>,
    promoted: Option<Role>,
    castling: Option<bool>,
    checked: bool,
}

fn deed(at: &Chess, ply: Ply) -> PlayedPly {
    let square = |at: u8| Square::new(u32::from(at));
    let role = at.board().role_at(square(ply.from())).expect("a piece");
    let is_castling = ply.kind() == PlyKind::Castle;
    let taken_at = if ply.kind() == PlyKind::EnPassant {
        ply.from() & 56 | ply.to() & 7
    } else {
        ply.to()
    };
    let taken = at
        .board()
        .role_at(square(taken_at))
        .filter(|_| !is_castling);
    let promoted = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    PlayedPly {
        side: at.turn(),
        role,
        from: ply.from(),
        to: ply.to(),
        taken: taken.map(|role| (taken_at, role)),
        promoted: promoted
            .into_iter()
            .find(|role| ply.promotion() != 0 && ply.promotion() == u8::from(*role)),
        castling: is_castling.then_some(ply.to() < ply.from()),
        checked: at.is_check(),
    }
}

fn worth(at: &Chess) -> i32 {
    let values = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    let of = |color: Color| -> i32 {
        let count = |role: Role| at.board().by_piece(role.of(color)).count() as i32;
        values
            .iter()
            .map(|(role, value)| value * count(*role))
            .sum()
    };
    of(Color::White) - of(Color::Black)
}

/// The life of a piece: its side, its last role, where it was from which ply on, and when it was
/// taken.
type Life = (Color, Role, Vec<(u8, usize)>, Option<usize>);

fn lives(first: &Chess, deeds: &[PlayedPly]) -> Vec<Life> {
    let mut all: Vec<Life> = Vec::new();
    let mut on: HashMap<u8, usize> = HashMap::new();
    for (square, piece) in first.board().clone() {
        on.insert(u8::from(square), all.len());
        all.push((piece.color, piece.role, vec![(u8::from(square), 0)], None));
    }
    for (ply, deed) in deeds.iter().enumerate() {
        if let Some((square, _)) = deed.taken {
            let gone = on.remove(&square).expect("a piece");
            all[gone].3 = Some(ply);
        }
        let mut goes = vec![(deed.from, deed.to)];
        if let Some(is_long) = deed.castling {
            let rank = deed.from & 56;
            let [king, rook] = if is_long { [2, 3] } else { [6, 5] };
            goes = vec![(deed.from, rank | king), (deed.to, rank | rook)];
        }
        let moved: Vec<(usize, u8)> = (goes.iter())
            .map(|(from, to)| (on.remove(from).expect("a piece"), *to))
            .collect();
        for (piece, to) in moved {
            all[piece].2.push((to, ply));
            if let Some(role) = deed.promoted {
                all[piece].1 = role;
            }
            on.insert(to, piece);
        }
    }
    all
}

/// The steps by their definitions, with ply, route and whether they are breaks; and the plies that
/// were followed.
fn naive(
    line: &[(Chess, Ply)],
    last: &Chess,
    from: usize,
    window: usize,
) -> (BTreeMap<PlanStep, (u32, PieceRoute, bool)>, usize) {
    let boards: Vec<&Chess> = line[from..]
        .iter()
        .map(|(at, _)| at)
        .chain([last])
        .collect();
    let all: Vec<PlayedPly> = line[from..]
        .iter()
        .map(|(at, ply)| deed(at, *ply))
        .collect();
    // The window ends after two quiet plies at which material differs.
    let start = worth(boards[0]);
    let quiet =
        |ply: usize| all[ply - 1].taken.is_none() && (worth(boards[ply]) - start).abs() >= 2;
    let full = window.min(all.len());
    let end = (2..=full)
        .find(|&ply| quiet(ply) && quiet(ply - 1))
        .unwrap_or(full);
    let deeds = &all[..end];
    let takes_at = |ply: usize| deeds[ply].taken.map(|_| deeds[ply].to);
    let recaptures =
        |ply: usize| ply > 0 && takes_at(ply).is_some() && takes_at(ply) == takes_at(ply - 1);
    let forced = |ply: usize| recaptures(ply) || deeds[ply].checked;
    let exchanges: BTreeSet<usize> = (0..end.saturating_sub(1))
        .filter(|&ply| {
            let is_pawn = deeds[ply].role == Role::Pawn
                || deeds[ply].taken.is_some_and(|(_, role)| role == Role::Pawn);
            takes_at(ply).is_some() && !recaptures(ply) && recaptures(ply + 1) && !is_pawn
        })
        .collect();

    let mut found: BTreeMap<PlanStep, (u32, PieceRoute, bool)> = BTreeMap::new();
    let mut add =
        |side: Option<Color>, kind: StepKind, ply: usize, route: PieceRoute, is_break: bool| {
            let side = side.map(|side| u8::from(side == Color::Black));
            let new = (ply as u32, route, is_break);
            let own = found.entry(PlanStep { side, kind }).or_insert(new);
            if new.0 < own.0 {
                *own = new;
            }
        };
    for (ply, deed) in deeds.iter().enumerate() {
        let side = Some(deed.side);
        if let Some(is_long) = deed.castling {
            add(
                side,
                StepKind::Castling { is_long },
                ply,
                PieceRoute::default(),
                false,
            );
        } else if deed.role == Role::Pawn && !forced(ply) {
            let square = deed.to;
            let way = PieceRoute::new([deed.from, deed.to]);
            if deed.taken.is_some() {
                let file = deed.from % 8;
                add(
                    side,
                    StepKind::PawnCapture { file, square },
                    ply,
                    way,
                    false,
                );
            } else {
                let attacked = attacks::pawn_attacks(deed.side, Square::new(u32::from(square)));
                let pawns = boards[ply].board().by_piece(Role::Pawn.of(!deed.side));
                let is_break = (attacked & pawns).any();
                add(side, StepKind::Push { square }, ply, way, is_break);
            }
        }
        if let (true, Some((_, taken))) = (exchanges.contains(&ply), deed.taken) {
            let (square, gives, takes) = (deed.to, deed.role.upper_char(), taken.upper_char());
            if gives == takes {
                let is_light = (gives == 'B').then(|| Square::new(u32::from(square)).is_light());
                let kind = StepKind::Exchange {
                    piece: gives,
                    is_light,
                };
                add(None, kind, ply, PieceRoute::default(), false);
            } else {
                let kind = StepKind::UnequalExchange {
                    gives,
                    takes,
                    square,
                };
                add(side, kind, ply, PieceRoute::default(), false);
            }
        }
    }
    for (side, role, places, gone) in lives(boards[0], deeds) {
        if role == Role::Pawn {
            continue;
        }
        let mut since = 0;
        for at in 1..places.len() {
            let (square, ply) = places[at];
            if deeds[ply].castling.is_some() {
                since = at;
                continue;
            }
            let leaves = places.get(at + 1).map(|(_, next)| *next).or(gone);
            let stays = leaves.is_none_or(|leaves| leaves > ply + 4) || at + 1 == places.len();
            let by_it = deeds[ply].side == side;
            if !stays || by_it && exchanges.contains(&ply) {
                continue;
            }
            let begins = std::mem::replace(&mut since, at);
            if begins + 1 == at && forced(ply) || places[begins].0 == square {
                continue;
            }
            let route = PieceRoute::new(places[begins..=at].iter().map(|(square, _)| *square));
            if role != Role::Rook {
                let piece = role.upper_char();
                add(
                    Some(side),
                    StepKind::Piece { piece, square },
                    ply,
                    route,
                    false,
                );
                continue;
            }
            add(
                Some(side),
                StepKind::RookFile { file: square % 8 },
                ply,
                route,
                false,
            );
            let rank = side.fold_wb(square / 8, 7 - square / 8) + 1;
            if (3..=5).contains(&rank) {
                add(Some(side), StepKind::RookLift { square }, ply, route, false);
            }
            if rank == 7 {
                add(Some(side), StepKind::SeventhRank, ply, route, false);
            }
        }
    }
    (found, end)
}

#[test]
fn steps_are_those_of_their_definitions() {
    let mut state = 0x2545_f491_4f6c_dd1d;
    let start = AnyPosition::from(ChessBoard::initial());
    let mut kinds = BTreeMap::new();
    for nth in 0..400 {
        let (bytes, line, last) = game(&mut state, 30 + nth % 90);
        for (from, window) in [(0, 28), (7, 28), (20, 12), (33, 120)] {
            if from >= line.len() {
                continue;
            }
            let mut tracker = PieceTracker::new(StepRules::Pieces, window);
            let (steps, plies) = tracker.steps(&start, &bytes, from as u32);
            let (expected, end) = naive(&line, &last, from, window as usize);
            assert_eq!(plies as usize, end, "game {nth} from {from}");
            let mut seen = BTreeMap::new();
            for place in steps {
                *kinds.entry(place.step.kind.name()).or_insert(0) += 1;
                let value = (place.ply, place.route, place.is_break);
                assert_eq!(seen.insert(place.step, value), None, "each step once");
            }
            let keys = |all: &BTreeMap<PlanStep, (u32, PieceRoute, bool)>| {
                all.iter()
                    .map(|(step, at)| (*step, at.0, at.2))
                    .collect::<Vec<_>>()
            };
            assert_eq!(keys(&seen), keys(&expected), "game {nth} from {from}");
            // Two pieces can do a step at the same ply only by castling, which is no step of theirs.
            assert_eq!(seen, expected, "game {nth} from {from}");
        }
    }
    // The test is worth something only if all kinds come up.
    for kind in [
        "piece",
        "push",
        "pawn-capture",
        "castling",
        "rook-file",
        "rook-lift",
        "seventh-rank",
        "exchange",
    ] {
        assert!(
            kinds.get(kind).is_some_and(|seen| *seen > 20),
            "{kind}: {kinds:?}"
        );
    }
}

#[test]
fn symmetries_come_back() {
    let diagram = AnyPosition::from(ChessBoard::initial()).diagram();
    let place = StepPlace {
        step: PlanStep {
            side: Some(0),
            kind: StepKind::PawnCapture {
                file: 2,
                square: 35,
            },
        },
        ply: 3,
        route: PieceRoute::new([6, 21]),
        is_break: false,
    };
    for symmetry in [
        Symmetry::None,
        Symmetry::Flip,
        Symmetry::Mirror,
        Symmetry::Rotate,
    ] {
        let by = SquareSymmetry::new(&diagram, symmetry);
        assert_eq!(place.seen(&by).seen(&by), place, "{symmetry:?}");
        let moved = place.seen(&by).step.kind;
        let at = symmetry.of_squares();
        let file = if symmetry.mirrors() { 5 } else { 2 };
        assert_eq!(
            moved,
            StepKind::PawnCapture {
                file,
                square: 35 ^ at
            }
        );
    }
    let long = PieceRoute::new(0..12);
    assert_eq!(long.squares(), [0, 5, 6, 7, 8, 9, 10, 11]);
}

/// A third of the games go on with knights and the h-pawn, and are won.
#[test]
fn steps_of_the_same_games_are_a_plan() {
    let play = |moves: &str| -> Vec<u8> {
        let mut at = ChessBoard::initial();
        let (mut slots, mut bytes) = (at.slots(), Vec::new());
        for uci in moves.split_whitespace() {
            let mut legal = Vec::new();
            at.legal(Budget::default(), &mut legal).expect("few moves");
            let square = |text: &str| text.parse::<Square>().map(u8::from).expect("a square");
            let (from, to) = (square(&uci[..2]), square(&uci[2..]));
            let m = *legal
                .iter()
                .find(|m| (m.from(), m.to()) == (from, to))
                .expect(uci);
            at.pack(m, &mut slots, &mut bytes);
            at.play(m);
        }
        bytes
    };
    let knights = play("g1f3 g8f6 b1c3 b8c6 f3d4 e7e6 h2h4 g7g6 h4h5 d7d6 a2a3 a7a6");
    let pawns = play("a2a4 a7a5 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6");
    let start = AnyPosition::from(ChessBoard::initial());
    let mut miner = PlanMiner::new(StepRules::Pieces, 28, None);
    let as_it_stands = SquareSymmetry::new(&start.diagram(), Symmetry::None);
    for game in 1..=60 {
        let has_knights = game % 3 == 0;
        let facts = PackedFacts {
            outcome: if has_knights {
                Outcome::First
            } else {
                Outcome::Second
            } as u32,
            black: game,
            ..PackedFacts::default()
        };
        let line = if has_knights { &knights } else { &pawns };
        let place = miner.add((u64::from(game), &facts), (&start, line, 0), &as_it_stands);
        assert_eq!(place, Some(game as usize - 1));
    }
    let mut sample = Baseline::default();
    sample.add(miner.tracker(), &start, &pawns, 0);
    assert_eq!(sample.games, 1);
    let names = SquareLabels::new(&start.diagram(), true);
    let limits = PlanLimits {
        lift_min: 0.1,
        ..PlanLimits::default()
    };
    let found = mine(&miner, &sample, &names, (&limits, 0));
    assert_eq!(found.games, 60);
    let plan = &found.white.plans[0];
    let texts: Vec<&str> = plan.steps.iter().map(|step| step.text.as_str()).collect();
    assert_eq!(
        (plan.games, plan.result.score),
        (20, Some(1.0)),
        "{texts:?}"
    );
    assert!(
        plan.steps.len() == 5 && texts.contains(&"Nf3-d4") && texts.contains(&"h5!"),
        "{texts:?}"
    );
    let [h4, h5] = ["h4", "h5!"].map(|text| texts.iter().position(|own| *own == text).expect(text));
    assert!(h4 < h5);
    assert_eq!(plan.models.len(), 2);
    assert!(plan.models.iter().all(|game| game.id % 3 == 0));
    assert!(found.white.setup.is_empty() && found.exchanges.is_empty());
}
