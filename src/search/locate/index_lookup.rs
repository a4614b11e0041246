//! What the index has filed of a position in a segment: lists of games, and games to look at.

use super::{ReachingGame, Replays, SearchTarget};
use crate::{
    base::record::GameId,
    index::{popular::PopularState, posting::Section},
    store::{SegmentRow, Store, StoreError},
};

/// What is filed of a target in a segment.
pub(super) struct TargetPostings {
    /// Its lists in the states that fit, each with the side to move.
    pub(super) lists: Vec<(PopularState, usize)>,
    /// Other games that may reach it.
    pub(super) candidates: Vec<u32>,
}

impl TargetPostings {
    /// With at most `games_max` games of each list.
    pub(super) fn of(
        store: &Store,
        segment: &SegmentRow,
        target: &SearchTarget,
        games_max: u64,
    ) -> Result<Self, StoreError> {
        let (mut lists, mut candidates) = (Vec::new(), Vec::new());
        for &(key, turn) in &target.boards {
            let states = store.popular(segment, key, games_max)?;
            if states.is_empty() {
                candidates.extend(unlisted(store, segment, target, key)?);
            }
            let fitting = states
                .into_iter()
                .filter(|state| target.fits_state(state.state));
            lists.extend(fitting.map(|state| (state, turn)));
        }
        Ok(Self { lists, candidates })
    }
}

/// The target that is searched for alone, on main lines of a segment that is indexed.
pub(super) fn lone<'t>(
    targets: &'t [SearchTarget],
    segment: &SegmentRow,
) -> Option<&'t SearchTarget> {
    match targets {
        [target] if !target.in_variations && !segment.is_tail() => Some(target),
        _ => None,
    }
}

/// The games of a list, as far as they were read.
pub(in crate::modules::search) fn listed(
    state: &PopularState,
    turn: usize,
    target: usize,
) -> impl Iterator<Item = ReachingGame> {
    state.games.iter().map(move |&(game, next)| ReachingGame {
        game,
        next: state.moves[usize::from(next)],
        turn: turn as u8,
        in_variation: false,
        target: target as u16,
    })
}

/// The games of a segment that reach one of the targets, in order.
pub(in crate::modules::search) fn matches(
    store: &Store,
    segment: &SegmentRow,
    targets: &[SearchTarget],
) -> Result<Vec<ReachingGame>, StoreError> {
    let filed = if segment.is_tail() {
        vec![TargetPostings {
            lists: Vec::new(),
            candidates: tail_games(store, segment, targets)?,
        }]
    } else {
        let of = |target| TargetPostings::of(store, segment, target, u64::MAX);
        targets.iter().map(of).collect::<Result<_, _>>()?
    };
    gathered(store, segment, targets, filed)
}

/// Those of some games of a segment, in order, that reach one of the targets.
pub(in crate::modules::search) fn matches_among(
    store: &Store,
    segment: &SegmentRow,
    targets: &[SearchTarget],
    games: &[GameId],
) -> Result<Vec<ReachingGame>, StoreError> {
    let mut replays = Replays::new(store);
    let in_variations = targets.iter().any(|target| target.in_variations);
    let mut found = Vec::new();
    for game in games {
        let number = (game - segment.first_game) as u32;
        let mut reaching = replays.find(segment, number, false, targets)?;
        if reaching.is_none() && in_variations {
            reaching = replays.find(segment, number, true, targets)?;
        }
        found.extend(reaching);
    }
    Ok(found)
}

/// The games that reach one of the targets, in order, by all that is filed of each.
pub(super) fn gathered(
    store: &Store,
    segment: &SegmentRow,
    targets: &[SearchTarget],
    filed: Vec<TargetPostings>,
) -> Result<Vec<ReachingGame>, StoreError> {
    let mut found: Vec<ReachingGame> = Vec::new();
    let mut candidates: Vec<u32> = Vec::new();
    for (at, filed) in filed.into_iter().enumerate() {
        candidates.extend(filed.candidates);
        let lists = filed.lists.iter();
        found.extend(lists.flat_map(|(list, turn)| listed(list, *turn, at)));
    }
    found.sort_by_key(|found| found.game);
    // A game listed twice, or listed and a candidate, shows by replay which
    // visit came first.
    let twice = found.windows(2).filter(|pair| pair[0].game == pair[1].game);
    candidates.extend(twice.map(|pair| pair[0].game));
    candidates.sort_unstable();
    candidates.dedup();
    if !candidates.is_empty() {
        found.retain(|found| candidates.binary_search(&found.game).is_err());
        let mut replays = Replays::new(store);
        for &game in &candidates {
            found.extend(replays.find(segment, game, false, targets)?);
        }
        found.sort_by_key(|found| found.game);
    }
    if targets.iter().any(|target| target.in_variations) {
        add_variations(store, segment, targets, &mut found)?;
    }
    Ok(found)
}

/// The games of the tail that may reach a target, also inside a variation.
fn tail_games(
    store: &Store,
    tail: &SegmentRow,
    targets: &[SearchTarget],
) -> Result<Vec<u32>, StoreError> {
    let keys: Vec<u32> = targets
        .iter()
        .map(|target| (target.structure.key() >> 32) as u32)
        .collect();
    store.tail_games(tail, &keys)
}

/// The games that may reach a position that is not popular: few enough to replay.
fn unlisted(
    store: &Store,
    segment: &SegmentRow,
    target: &SearchTarget,
    board_key: u64,
) -> Result<Vec<u32>, StoreError> {
    let structure = target.structure.key();
    let most = segment.thresholds.replays_max;
    let few = store.postings(segment, Section::Structures, structure, most)?;
    match few {
        Some(games) => Ok(games),
        None => store.all_postings(segment, Section::Boards, board_key),
    }
}

/// Adds the games that reach a target inside a variation only.
fn add_variations(
    store: &Store,
    segment: &SegmentRow,
    targets: &[SearchTarget],
    found: &mut Vec<ReachingGame>,
) -> Result<(), StoreError> {
    let mut games = Vec::new();
    if segment.is_tail() {
        games = tail_games(store, segment, targets)?;
    } else {
        for target in targets {
            games.extend(store.all_postings(
                segment,
                Section::Variation,
                target.structure.key(),
            )?);
        }
    }
    games.sort_unstable();
    games.dedup();
    let mut replays = Replays::new(store);
    let mut more = Vec::new();
    for game in games {
        let known = found.binary_search_by_key(&game, |found| found.game);
        if known.is_err() {
            more.extend(replays.find(segment, game, true, targets)?);
        }
    }
    found.extend(more);
    found.sort_by_key(|found| found.game);
    Ok(())
}
