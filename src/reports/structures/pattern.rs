//! Games in which a query on a structure holds.

use std::collections::{BTreeMap, HashMap};

use super::stays::Stay;
use crate::{
    base::record::GameId,
    games::{symmetry::Symmetry, variant::Variant},
    search::{self, AccessPlan},
    store::{Store, StoreError},
};

/// The games of a query on a pattern, with the side that has it.
pub(super) fn games(
    store: &Store,
    [plain, either]: [&AccessPlan; 2],
) -> Result<Vec<(GameId, Stay)>, StoreError> {
    let mut plies: HashMap<GameId, u32> = HashMap::new();
    let mut found = Vec::new();
    let writing = search::MoveNotation::default();
    search::each_hit::<StoreError>(store, &plain.with_limit(None), writing, &mut |hit| {
        plies.insert(hit.header.id, hit.ply.unwrap_or_default());
        Ok(())
    })?;
    search::each_hit::<StoreError>(store, &either.with_limit(None), writing, &mut |hit| {
        let (game, ply) = (hit.header.id, hit.ply.unwrap_or_default());
        let is_plain = plies.get(&game).is_some_and(|own| *own <= ply);
        let symmetry = if is_plain {
            Symmetry::None
        } else {
            Symmetry::Flip
        };
        let stay = Stay {
            ply,
            end: ply,
            symmetry,
            pawns: [0; 2],
        };
        found.push((game, stay));
        Ok(())
    })?;
    Ok(found)
}

/// The variant of most of some games.
pub(super) fn most_played(
    games: impl Iterator<Item = GameId>,
    of_variant: &mut impl FnMut(GameId) -> Result<u32, StoreError>,
) -> Result<Option<&'static Variant>, StoreError> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for game in games {
        *counts.entry(of_variant(game)?).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(id, games)| (games, std::cmp::Reverse(id)));
    Ok(most.and_then(|(id, _)| Variant::by_id(u8::try_from(id).ok()?)))
}
