//! What queries see of a line is what any game shows of it: pieces determined by drawings, moves by
//! the difference of two boards.

use super::{
    reader::{games_of, raw_of},
    *,
};
use crate::games::view::{self, MoveInfo, PositionView, PositionVisitor, code_of};
use crate::games::{
    self, BoardGame, GameEnd, GameNotation, GameText,
    draughts::replay::pack,
    raw_text::{Reading, TextDecoder},
    variant::Variant,
};

/// All that a position can be queried for.
#[derive(Debug, PartialEq)]
struct Shown {
    men: Vec<u128>,
    turn: usize,
    ply: u32,
    next_move: Option<MoveInfo>,
    last: Option<MoveInfo>,
    check: (bool, (bool, bool)),
    end: Option<GameEnd>,
}

/// Writes down what it sees, until it has seen enough.
struct Record {
    shown: Vec<Shown>,
    most: usize,
}

impl PositionVisitor for Record {
    fn see<S: PositionView>(&mut self, sight: &S) -> bool {
        self.shown.push(Shown {
            men: (0..64).map(|code| sight.pieces(code)).collect(),
            turn: sight.turn(),
            ply: sight.ply(),
            next_move: sight.next_move(),
            last: sight.last(),
            check: (sight.is_check(), sight.gives()),
            end: sight.end(),
        });
        self.shown.len() < self.most
    }
}

/// Compares what a line shows with what any game would show of it; which kinds of plies it had.
fn compare(start: &Draughts, plies: &[u8], most: usize) -> Vec<MoveInfo> {
    let record = || Record {
        shown: Vec::new(),
        most,
    };
    let (mut own, mut plain) = (record(), record());
    start.show(plies, &mut own);
    view::show(start, plies, &mut plain);
    assert_eq!(own.shown.len(), plain.shown.len(), "{}", start.variant.name);
    for (own, plain) in own.shown.iter().zip(&plain.shown) {
        assert_eq!(own, plain, "{} {}", start.variant.name, start.fen());
    }
    own.shown
        .iter()
        .filter_map(|shown| shown.next_move)
        .collect()
}

#[test]
fn random_lines_are_shown_as_those_of_any_game() {
    let mut dice = Dice(17);
    for variant in ALL {
        let board = variant.rules.board;
        let (mut several, mut crowned, mut kings) = (0, 0, 0);
        for game in 0..40 {
            let position = if game % 2 == 1 {
                random_position(&variant.rules, &mut dice)
            } else {
                DraughtsPosition::start(&variant.rules)
            };
            let start = placed(variant, position);
            let mut bytes = Vec::new();
            let last = random_game(position, &variant.rules, &mut dice, |at, _, m| {
                pack::pack(&DraughtsPly::Move(*m), at, board, &mut bytes);
            });
            // What is no move of the game, and moves from there.
            let (mut at, mut by_hand) = (last, Vec::new());
            for _ in 0..3 {
                let set_up = DraughtsPly::Setup(random_position(&variant.rules, &mut dice));
                let free = cells_of(board.cells() & !at.occupied());
                let placement = (cells_of(at.occupied()).last().zip(free.last()))
                    .map(|(from, to)| DraughtsPly::Placement { from, to });
                for step in [Some(DraughtsPly::Null), placement, Some(set_up)]
                    .into_iter()
                    .flatten()
                {
                    pack::pack(&step, &at, board, &mut by_hand);
                    step.play(&mut at);
                }
            }
            random_game(at, &variant.rules, &mut dice, |at, _, m| {
                pack::pack(&DraughtsPly::Move(*m), at, board, &mut by_hand);
            });
            bytes.extend(by_hand);
            for next_move in compare(&start, &bytes, usize::MAX) {
                several += u32::from(next_move.jumps > 1);
                crowned += u32::from(next_move.promoted != 0);
                kings += u32::from([11, 43].contains(&next_move.piece));
            }
            compare(&start, &bytes, 1 + dice.below(20));
            // What is damaged ends both alike, wherever it does.
            for _ in 0..5 {
                let mut damaged = bytes.clone();
                for _ in 0..4 {
                    let at = dice.below(damaged.len());
                    damaged[at] = dice.below(256) as u8;
                }
                compare(&start, &damaged, usize::MAX);
            }
        }
        let seen = [several, crowned, kings];
        assert!(
            seen.iter().all(|count| *count > 10),
            "{} {seen:?}",
            variant.name
        );
    }
}

/// A capture of four that ends where it began.
#[test]
fn a_capture_that_comes_back_is_shown_as_that_of_any_game() {
    let variant = variant("international");
    let board = variant.rules.board;
    let cell = |row, column| board.cell(row, column).unwrap();
    for king in [false, true] {
        let mut position = DraughtsPosition::empty(0);
        position.put(cell(6, 3), DraughtsPiece { side: 0, king });
        for (row, column) in [(5, 4), (3, 4), (3, 2), (5, 2)] {
            let king = row == 3;
            position.put(cell(row, column), DraughtsPiece { side: 1, king });
        }
        let legal = moves(&position, &variant.rules, Budget::default()).unwrap();
        let m = legal.into_iter().find(|m| m.from == m.to).unwrap();
        let mut bytes = Vec::new();
        pack::pack(&DraughtsPly::Move(m), &position, board, &mut bytes);
        let deeds = compare(&placed(variant, position), &bytes, usize::MAX);
        assert_eq!(deeds[0].jumps, 4);
        assert_eq!((deeds[0].from, deeds[0].to), (1 << m.from, 1 << m.from));
        assert_eq!(deeds[0].piece, code_of(if king { 'K' } else { 'M' }));
    }
}

#[test]
fn the_samples_are_shown_as_those_of_any_game() {
    let decode: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let (mut lines, mut deeds) = (0, 0);
    for text in [
        include_str!("../../../../../sample-data/pdn/classics.pdn"),
        include_str!("../../../../../sample-data/pdn/kinds.pdn"),
        include_str!("../../../../../sample-data/pdn/problems.pdn"),
    ] {
        for game in games_of(text) {
            let raw = raw_of(game);
            let tag = |name: &str| {
                let mut tags = raw.tags.iter();
                let found =
                    tags.find(|tag| &game[tag.name.0 as usize..tag.name.1 as usize] == name)?;
                Some(&game[found.value.0 as usize..found.value.1 as usize])
            };
            let row = Variant::named(tag("GameType").unwrap()).unwrap();
            let start = Draughts::start(row.draughts().unwrap());
            let opening = match tag("FEN") {
                Some(fen) => DraughtsStart::from_fen(start, fen, None).unwrap().0,
                None => DraughtsStart::new(start),
            };
            let mut out = Reading::default();
            let bytes = game.as_bytes();
            let raw = &raw;
            let ended = games::read(
                &opening.clone().into(),
                GameText { raw, bytes, decode },
                &mut out,
            );
            let at = ended.other.unwrap_or(opening).at;
            lines += 1;
            deeds += compare(&at, &out.plies, usize::MAX).len();
        }
    }
    assert_eq!((lines, deeds), (36, 113 + 1654 + 71));
}
