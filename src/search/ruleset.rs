//! The world of a position: the variants that are played by its rules. Others of a database may
//! have it on their boards as well.

use serde::Serialize;

use super::{
    filter::CompiledFilter,
    pattern,
    plan::{AccessPlan, GameConditions, PatternQuery},
    select::{self, ResultPage, SelectedGame},
};
use crate::{
    base::record::GameId,
    games::{
        AnyPosition,
        variant::{self, Variant},
    },
    query::{GameCondition, PositionQuery},
    store::{Store, StoreError},
};

/// Games of a variant of another world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherVariantGames {
    /// Its name.
    pub variant: &'static str,
    /// How many hold the position.
    pub games: u64,
}

/// The variants that a database may have of other worlds on the board of a position.
fn others(store: &Store, at: &AnyPosition) -> Result<Vec<&'static Variant>, StoreError> {
    let (own, board) = (at.variant(), at.placement().board);
    let mut present = store.variants_of_starts()?;
    // The standard start position of chess has no row of its own.
    present.insert(variant::ALL[0].id);
    let rows = present.into_iter().filter_map(Variant::by_id);
    let others = rows.filter(|row| {
        // What has no standard start position may be on any board.
        let shares = || AnyPosition::start(row).is_none_or(|at| at.placement().board == board);
        row.has_rules() && row.rules != own.rules && shares()
    });
    Ok(others.collect())
}

/// Whether a database may have games by the rules of a position: always those of chess, whose
/// standard start position has no row.
fn may_be_played(store: &Store, at: &AnyPosition) -> Result<bool, StoreError> {
    let own = at.variant().rules;
    let is_there = |id: &u8| Variant::by_id(*id).is_some_and(|row| row.rules == own);
    let is_chess = own == variant::ALL[0].rules;
    Ok(is_chess || store.variants_of_starts()?.iter().any(is_there))
}

/// Whether a database has games by the rules of a position.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn is_played(store: &Store, at: &AnyPosition) -> Result<bool, StoreError> {
    let own = at.variant().rules;
    if own != variant::ALL[0].rules {
        return may_be_played(store, at);
    }
    // Only for chess are columns of games looked at.
    let mut present = pattern::variants(store)?.into_iter();
    Ok(present.any(|id| Variant::by_id(id).is_some_and(|row| row.rules == own)))
}

/// The variants to search instead of those of a position's own world, where a database has none of
/// these: a diagram of draughts does not say which kind it is.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn instead(store: &Store, asked: &PositionQuery) -> Result<Vec<&'static Variant>, StoreError> {
    let at = &asked.position;
    if !asked.own_rules || store.variants_of_starts()?.is_empty() {
        return Ok(Vec::new());
    }
    if may_be_played(store, at)? {
        return Ok(Vec::new());
    }
    let mut others = others(store, at)?;
    others.retain(|row| row.id != variant::ALL[0].id);
    Ok(others)
}

/// A filter that games of other worlds do not pass, where a position is limited to its own.
pub(super) fn within(
    store: &Store,
    asked: &PositionQuery,
    filter: CompiledFilter,
) -> Result<CompiledFilter, StoreError> {
    Ok(match of_own_rules(store, asked)? {
        None => filter,
        Some(own) => filter.and_of_variants(own),
    })
}

/// The variants that a position is searched for in, where that is not all of a database:
/// those that are played by its rules, or those searched [instead].
pub(super) fn own(store: &Store, asked: &PositionQuery) -> Result<Option<Vec<u8>>, StoreError> {
    let instead = instead(store, asked)?;
    if !instead.is_empty() {
        return Ok(Some(instead.into_iter().map(|row| row.id).collect()));
    }
    Ok(of_own_rules(store, asked)?.map(Iterator::collect))
}

/// The variants that are played by the rules of a position, where it is limited to its own and
/// others of the database can have it.
fn of_own_rules(
    store: &Store,
    asked: &PositionQuery,
) -> Result<Option<impl Iterator<Item = u8>>, StoreError> {
    let at = &asked.position;
    // Where the state shows the variant, it is part of what is searched for.
    if !asked.own_rules || at.tells_variant() || others(store, at)?.is_empty() {
        return Ok(None);
    }
    let rules = at.variant().rules;
    let own = variant::ALL.iter().filter(move |row| row.rules == rules);
    Ok(Some(own.map(|row| row.id)))
}

/// The games that would be found in other worlds, by variant, most first; also by the conditions
/// beside the position, which are not [prepared](pattern::prepare) yet. None if the end is
/// requested meanwhile.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn elsewhere(store: &Store, plan: &AccessPlan) -> Result<Vec<OtherVariantGames>, StoreError> {
    let Some(asked) = plan.position.as_ref().filter(|asked| asked.own_rules) else {
        return Ok(Vec::new());
    };
    let named = plan.conditions.variants();
    let mut others = others(store, &asked.position)?;
    others.retain(|row| named.is_empty() || named.contains(&row.id));
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let of_position = AccessPlan {
        position: Some(PositionQuery {
            own_rules: false,
            ask_variant: false,
            ..asked.clone()
        }),
        conditions: {
            let mut conditions = plan.conditions.clone();
            conditions.remove_variants();
            let ids = others.iter().map(|row| row.id).collect();
            conditions.all.push(GameCondition::Variant(ids));
            conditions
        },
        ..AccessPlan::default()
    };
    let mut facts = store.facts();
    let (mut games, mut all) = ([0; 256], Vec::new());
    let mut take = |found: SelectedGame| {
        games[facts.get(found.game)?.variant as usize & 255] += 1;
        if plan.pattern.is_some() {
            all.push(found.game);
        }
        Ok(())
    };
    let page = ResultPage::of(store, &of_position, &mut take);
    if select::each(store, &of_position, page)?.interrupted {
        return Ok(Vec::new());
    }
    if let Some(asked) = &plan.pattern {
        for row in &others {
            let count = &mut games[usize::from(row.id)];
            if *count > 0 {
                let Some(fulfilling) = fulfilling(store, asked, (row, &all))? else {
                    return Ok(Vec::new());
                };
                *count = fulfilling;
            }
        }
    }
    let counted = others.iter().map(|row| OtherVariantGames {
        variant: row.name,
        games: games[usize::from(row.id)],
    });
    let mut found: Vec<_> = counted.filter(|found| found.games > 0).collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.games));
    Ok(found)
}

/// How many of some games that are of a variant fulfil a query: none if it cannot be applied to
/// them. `None` if the end is requested meanwhile.
fn fulfilling(
    store: &Store,
    asked: &PatternQuery,
    (row, games): (&Variant, &[GameId]),
) -> Result<Option<u64>, StoreError> {
    let mut asked = asked.clone();
    let conditions = GameConditions::of([
        GameCondition::games(games),
        GameCondition::Variant(vec![row.id]),
    ]);
    if pattern::prepare(store, (&conditions, None), &mut asked)?.is_err() {
        return Ok(Some(0));
    }
    let plan = AccessPlan {
        pattern: Some(asked),
        conditions,
        ..AccessPlan::default()
    };
    let tally = super::tally(store, &plan)?;
    Ok((!tally.interrupted).then_some(tally.games))
}
