//! Packed plies with damage: a replay ends and plays no more plies than there are bytes. As
//! long as they are legal, its position and keys are those of play. In chess's kin, what a
//! code says is packed and unpacked as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::{
    key::Structure,
    notation,
    position::Position,
    games::replay::{Start, Walk, kin},
    rules::chess::{Ply, man},
    variant::ALL,
};
use shakmaty::{Chess, Position as _};

/// The ply of a code is read back of its packed bytes; legal ones have a code that says all.
fn packs_as_it_counts(at: &kin::Replay, code: u16) {
    for ply in at.at().position.legal().into_iter().take(4) {
        assert_eq!(at.ply_of(at.code(ply)), Some(ply), "{:?}", at.at());
    }
    let Some(ply) = at.ply_of(code) else {
        return;
    };
    let mut packed = Vec::new();
    at.pack(ply, &mut packed);
    let mut bytes = packed.as_slice();
    let again = at.unpack(&mut bytes);
    assert_eq!((again.map(|ply| at.code(ply)), bytes.len()), (Some(code), 0), "{ply:?} {:?}", at.at());
}

fuzz_target!(|input: (u8, &[u8])| {
    let (number, bytes) = input;
    let variant = &ALL[usize::from(number) % ALL.len()];
    let Some(start) = notation::position::start(variant) else {
        return;
    };
    let mut replay = Start::new(&start);
    let mut rest = bytes;
    let mut plies = 0;
    let mut legal = match &start {
        Position::Chess(position) => Some(position.clone()),
        _ => None,
    };
    while let Some(code) = replay.peek(&mut rest) {
        if let Start::Kin(at) = &replay {
            packs_as_it_counts(at, code);
        }
        replay.play(code);
        plies += 1;
        assert!(plies <= bytes.len());
        let played = legal.take().and_then(|mut before: Chess| {
            let moves = before.legal_moves();
            let m = *moves
                .iter()
                .find(|m| Ply::from_move(m).map(Ply::bits) == Some(code))?;
            before.play_unchecked(m);
            Some(before)
        });
        if let (Start::Chess(at), Some(position)) = (&replay, played) {
            let men = man::codes(position.board());
            assert_eq!(at.to_position().as_ref(), Some(&position), "after {plies} plies");
            assert_eq!(at.structure(), Structure::of(&men), "after {plies} plies");
            legal = Some(position);
        }
    }
    assert_eq!(replay.ply() as usize, plies);
});
