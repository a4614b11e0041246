//! Games in which certain pieces of draughts are left: by replay of all of them,
//! for no index knows how many men a side has.

use super::locate::Starts;
use crate::{
    games::{AnyCursor, Cursor, Stepper, draughts::rules::Position, variant::Variant},
    index::facts::Facts,
    position::Draughts,
    query::Material,
    record::GameId,
    store::{LineReader, Store, StoreError},
};

/// Whether a position has the pieces that are asked for.
fn fits(material: Material, position: &Position) -> bool {
    let counts = |set: [u128; 2]| {
        let [white, black] = set.map(|set| set.count_ones() as u8);
        (white, black)
    };
    let men = counts([position.men(0), position.men(1)]);
    let kings = counts([position.kings(0), position.kings(1)]);
    let agree = |turned: bool| {
        let seen = |(white, black)| {
            if turned {
                (black, white)
            } else {
                (white, black)
            }
        };
        material.men.is_none_or(|wanted| wanted == seen(men))
            && material.kings.is_none_or(|wanted| wanted == seen(kings))
    };
    agree(false) || material.either_side && agree(true)
}

/// Where a main line first has the pieces, and the code of the ply played there.
fn first_visit(
    material: Material,
    start: &Stepper<Draughts>,
    mut plies: &[u8],
) -> Option<(Stepper<Draughts>, Option<u16>)> {
    let mut replay = start.clone();
    loop {
        let is_here = fits(material, &replay.at().position);
        let next = replay.peek(&mut plies);
        if is_here {
            return Some((replay, next));
        }
        replay.play(next?);
    }
}

fn is_draughts(facts: &Facts) -> bool {
    u8::try_from(facts.variant)
        .ok()
        .and_then(Variant::by_id)
        .is_some_and(|variant| variant.draughts().is_some())
}

/// Where a game first has the pieces.
pub(super) fn visit(
    store: &Store,
    lines: &mut LineReader<'_>,
    starts: &mut Starts,
    game: GameId,
    material: Material,
) -> Result<Option<(AnyCursor, Option<u16>)>, StoreError> {
    let line = lines.get(game)?;
    let Some((_, AnyCursor::Draughts(start))) = starts.get(store, line.start)? else {
        return Ok(None);
    };
    let visit = first_visit(material, start, line.plies);
    Ok(visit.map(|(at, next)| (AnyCursor::Draughts(Box::new(at)), next)))
}

/// Whether the pieces are left at some point of a game.
pub(super) fn is_met(
    store: &Store,
    material: Material,
) -> impl FnMut(GameId, &Facts) -> Result<bool, StoreError> {
    let (mut lines, mut starts) = (store.lines(), Starts::default());
    move |game, facts| {
        Ok(is_draughts(facts) && visit(store, &mut lines, &mut starts, game, material)?.is_some())
    }
}
