//! Packed plies with damage: a replay ends, plays no more plies than there are bytes, and
//! its keys are those of its board.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::{
    key::Structure,
    position::{Draughts, Position},
    replay::{Start, Walk},
    rules::chess::man,
    variant::{Variant, draughts},
};
use shakmaty::Chess;

fuzz_target!(|input: (u8, &[u8])| {
    let (number, bytes) = input;
    let start = match usize::from(number) {
        0 => Position::Chess(Chess::default()),
        number @ 1..=8 => {
            let kin = ["crazyhouse", "antichess", "atomic", "horde", "racingkings", "threecheck"];
            let variant = Variant::named(kin[number % kin.len()]);
            let Some(start) = variant.and_then(Position::start) else {
                return;
            };
            start
        }
        number => Position::Draughts(Draughts::start(&draughts::ALL[number % draughts::ALL.len()])),
    };
    let mut replay = Start::new(&start);
    let mut rest = bytes;
    let mut plies = 0;
    while let Some(code) = replay.peek(&mut rest) {
        replay.play(code);
        plies += 1;
        assert!(plies <= bytes.len());
        if let Start::Chess(at) = &replay
            && let Some(position) = at.to_position()
        {
            let men = man::codes(shakmaty::Position::board(&position));
            assert_eq!(at.structure(), Structure::of(&men), "after {plies} plies");
        }
    }
    assert_eq!(replay.ply() as usize, plies);
});
