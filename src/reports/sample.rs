//! Which games are followed for plans, and the sample that they are compared with.

use super::plans::{Baseline, PieceTracker, StepRules};
use crate::{
    games::{self, variant::Variant},
    search::{self, GameReader, SingleGame},
    store::{Store, StoreError},
};

/// Games that are followed at most; of more, one of every few.
pub(super) const GAMES_MAX: usize = 50_000;

/// Games that steps are compared with.
const SAMPLE_GAMES: u64 = 2500;

/// Which steps the games of a variant have, or why none can be found.
pub(super) fn rules_of(variant: &Variant) -> Result<StepRules, &'static str> {
    if games::crowns(variant) {
        Ok(StepRules::Men)
    } else if games::moves_as_chess(variant) {
        Ok(StepRules::Pieces)
    } else {
        Err("plans are found in chess and draughts alone")
    }
}

/// Steps of a sample of all games by the same rules, from the ply of each on.
pub(super) fn baseline(
    store: &Store,
    tracker: &mut PieceTracker,
    own_rules: impl Fn(u32) -> bool,
    ply: impl Fn(usize) -> u32,
) -> Result<Baseline, StoreError> {
    let removed = store.removed()?;
    let last = store.last_game()?;
    let step = (last / SAMPLE_GAMES).max(1);
    let mut facts = store.facts();
    let mut games = Vec::new();
    for game in (1..=last).step_by(usize::try_from(step).unwrap_or(1)) {
        if !removed.contains(game) && own_rules(facts.get(game)?.variant) {
            games.push(game);
        }
    }
    let mut baseline = Baseline::default();
    let mut at = 0;
    search::each_line(store, &games, &mut |line| {
        baseline.add(tracker, line.start, line.plies, ply(at));
        at += 1;
        Ok(())
    })?;
    Ok(baseline)
}

/// Reads what lists show of games that are known by their numbers.
pub(super) fn name_all<'g>(
    store: &Store,
    games: impl Iterator<Item = &'g mut SingleGame>,
) -> Result<(), StoreError> {
    let mut reader = GameReader::new(store);
    for game in games {
        if let Some(header) = reader.header(game.id)? {
            *game = SingleGame::from(header);
        }
    }
    Ok(())
}
