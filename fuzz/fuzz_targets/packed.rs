//! Packed plies with damage: a replay ends and plays no more plies than there are bytes. As
//! long as they are legal, its position and keys are those of play.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::Cursor;
use plydex::games::{AnyCursor, AnyPosition, chess::rules::{Ply, piece}, variant::ALL, key::Structure};
use shakmaty::{Chess, Position as _};

fuzz_target!(|input: (u8, &[u8])| {
    let (number, bytes) = input;
    let variant = &ALL[usize::from(number) % ALL.len()];
    let Some(start) = AnyPosition::start(variant) else {
        return;
    };
    let mut replay = AnyCursor::new(&start);
    let mut rest = bytes;
    let mut plies = 0;
    let mut legal = match &start {
        AnyPosition::Chess(position) => position.to_position(),
        _ => None,
    };
    while let Some(code) = replay.peek(&mut rest) {
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
        if let (AnyCursor::Chess(at), Some(position)) = (&replay, played) {
            let pieces = piece::codes(position.board());
            assert_eq!(at.to_position().as_ref(), Some(&position), "after {plies} plies");
            assert_eq!(at.structure(), Structure::of(&pieces), "after {plies} plies");
            legal = Some(position);
        }
    }
    assert_eq!(replay.ply() as usize, plies);
});
