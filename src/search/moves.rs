//! The names of plies: what a code of the index means in a position.

use crate::{
    base::record::MoveForm,
    games::{
        AnyPosition, BoardGame, GameKeys, GameNotation, GamePosition, notation::letters::Language,
        symmetry::Symmetry, with_game,
    },
    index::popular::ENDS,
};

/// A move as its game writes it, with the letters of a language where it has letters that
/// differ.
pub(super) fn in_language(has_letters: bool, san: String, language: &Language) -> String {
    if has_letters && !language.is_english() {
        language.of_english(&san)
    } else {
        san
    }
}

/// The code of a ply as it is under a symmetry of the board.
pub(super) fn seen(position: &AnyPosition, code: u16, symmetry: Symmetry) -> u16 {
    if code == ENDS || symmetry == Symmetry::None {
        return code;
    }
    with_game!(AnyPosition of position, at => at.code_transformed(code, symmetry))
}

/// Plays a main line; `each` gets every ply's text, and says whether to go on.
/// The position at the end of it.
pub(super) fn play(
    start: &AnyPosition,
    plies: &[u8],
    form: MoveForm,
    each: impl FnMut(String) -> bool,
) -> AnyPosition {
    with_game!(AnyPosition of start.clone(), at => play_on(at, plies, form, each).into())
}

/// The positions of a main line, from the start on, each with the move that led to it.
pub(super) fn positions(
    start: &AnyPosition,
    plies: &[u8],
    form: MoveForm,
) -> Vec<(AnyPosition, Option<String>)> {
    with_game!(AnyPosition of start.clone(), at => positions_of(at, plies, form))
}

fn positions_of<G: BoardGame>(
    mut at: G,
    mut plies: &[u8],
    form: MoveForm,
) -> Vec<(AnyPosition, Option<String>)>
where
    AnyPosition: From<G>,
{
    let mut slots = at.slots();
    let mut all = vec![(at.clone().into(), None)];
    while let Some(m) = at.unpack(&mut slots, &mut plies) {
        let played = at.write_and_play(m, form);
        all.push((at.clone().into(), Some(played)));
    }
    all
}

fn play_on<G: BoardGame>(
    mut at: G,
    mut plies: &[u8],
    form: MoveForm,
    mut each: impl FnMut(String) -> bool,
) -> G {
    let mut slots = at.slots();
    while let Some(m) = at.unpack(&mut slots, &mut plies) {
        if !each(at.write_and_play(m, form)) {
            break;
        }
    }
    at
}

/// A move in the notation of its game and in one for programs (UCI, or all
/// squares), from the position with that side to move. `taken` is what a move of
/// draughts takes, where its code does not show that, else 0.
pub(super) fn names(position: &AnyPosition, turn: usize, code: u16, taken: u128) -> [String; 2] {
    with_game!(AnyPosition of position, at => at.with_turn(turn).named(code, taken))
}

/// The codes that several moves of a position share, with that side to move.
pub(super) fn shared_codes(position: &AnyPosition, turn: usize) -> Vec<u16> {
    with_game!(AnyPosition of position, at => at.with_turn(turn).shared_codes())
}

/// What a code does not show of a move, under a symmetry of the board.
pub(super) fn taken_seen(position: &AnyPosition, taken: u128, symmetry: Symmetry) -> u128 {
    if taken == 0 {
        return 0;
    }
    with_game!(AnyPosition of position, at => at.detail_transformed(taken, symmetry))
}
