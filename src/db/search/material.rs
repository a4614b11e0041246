//! Games in which certain numbers of men and kings are left: by replay of all of them,
//! for no index knows how many men a side has.

use super::locate::Replays;
use crate::{
    base::record::GameId,
    db::{
        index::facts::PackedFacts,
        query::Material,
        store::{Store, StoreError},
    },
    games::{self, AnyCursor, Cursor, Game, variant::Variant, with_game},
};

/// Whether a position has the pieces that are requested.
fn fits<G: Game>(material: Material, position: &G) -> bool {
    let Some([men, kings]) = position.men_and_kings() else {
        return false;
    };
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
fn first_visit<C: Cursor>(
    material: Material,
    start: &C,
    mut plies: &[u8],
) -> Option<(C, Option<u16>)> {
    let mut replay = start.clone();
    loop {
        let is_here = replay.position().is_some_and(|at| fits(material, &at));
        let next = replay.peek(&mut plies);
        if is_here {
            return Some((replay, next));
        }
        replay.play(next?);
    }
}

fn has_kings(facts: &PackedFacts) -> bool {
    let variant = u8::try_from(facts.variant).ok().and_then(Variant::by_id);
    variant.is_some_and(games::crowns)
}

/// Where a game first has the pieces.
pub(super) fn visit(
    replays: &mut Replays<'_>,
    game: GameId,
    material: Material,
) -> Result<Option<(AnyCursor, Option<u16>)>, StoreError> {
    let Some((_, start, plies)) = replays.game(game)? else {
        return Ok(None);
    };
    Ok(with_game!(AnyCursor of start, start => {
        let visit = first_visit(material, &**start, plies);
        visit.map(|(at, next)| (AnyCursor::from(at), next))
    }))
}

/// Whether the pieces are left at some point of a game.
pub(super) fn is_met(
    store: &Store,
    material: Material,
) -> impl FnMut(GameId, &PackedFacts) -> Result<bool, StoreError> {
    let mut replays = Replays::new(store);
    move |game, facts| Ok(has_kings(facts) && visit(&mut replays, game, material)?.is_some())
}
