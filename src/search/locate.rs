//! Finds the games of a segment that reach a position.
//!
//! Hot positions have their games listed. All others are looked for among the
//! games of their structure (or, where that is crowded, of their board key) by
//! replay, so answers are exact although filed keys are truncated.

use shakmaty::Position;

use crate::{
    import::{stored_start, variations_of},
    index::{
        CROWDED_GAMES_MIN,
        hot::{ENDS, HotState},
        posting::Section,
    },
    key::{self, Structure},
    query::PositionQuery,
    record::GameId,
    replay::{
        Walk,
        chess::{Replay, State},
    },
    rules::chess::man,
    store::{LineReader, SegmentRow, Store, StoreError},
};

/// A game of a segment that reaches the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    /// Numbered from 0 within the segment.
    pub(super) game: u32,
    /// The ply's code played there first; [`ENDS`] if the game ends.
    pub(super) next: u16,
    /// The side to move there.
    pub(super) turn: u8,
    pub(super) in_variation: bool,
}

/// A position that is looked for.
#[derive(Debug, Clone)]
pub(super) struct Target {
    men: [u8; 64],
    /// Board keys with their sides to move: both, if the side is not asked for.
    boards: Vec<(u64, usize)>,
    /// Bits of the state that are asked for, and what they must be.
    state_mask: u32,
    state: u32,
    structure: Structure,
    in_variations: bool,
}

/// Where a game first reaches a target.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    /// The position there.
    pub(super) replay: Replay,
    /// The ply's code played there; none if the game ends.
    pub(super) next: Option<u16>,
}

impl Target {
    pub(super) fn new(query: &PositionQuery) -> Self {
        let men = man::codes(query.position.board());
        let turn = usize::from(query.position.turn().is_black());
        let turns = if query.ask_turn {
            vec![turn]
        } else {
            vec![0, 1]
        };
        let mask = |asked: bool, bits: u32| if asked { bits } else { 0 };
        let state_mask = mask(query.ask_castling, State::CASTLING)
            | mask(query.ask_en_passant, State::EN_PASSANT);
        Self {
            men,
            boards: turns
                .into_iter()
                .map(|turn| (key::board_key(&men, turn), turn))
                .collect(),
            state_mask,
            state: State::of(&query.position).bits() & state_mask,
            structure: Structure::of(&men),
            in_variations: query.in_variations,
        }
    }

    const fn fits_state(&self, state: u32) -> bool {
        state & self.state_mask == self.state
    }

    fn is_at(&self, replay: &Replay) -> bool {
        self.boards
            .iter()
            .any(|(key, _)| *key == replay.board_key())
            && self.men == *replay.men()
            && (self.state_mask == 0 || self.fits_state(replay.state().bits()))
    }

    /// The first visit of a main line.
    pub(super) fn first_visit(&self, start: &Replay, mut plies: &[u8]) -> Option<Visit> {
        let mut replay = start.clone();
        let mut met = false;
        loop {
            let here = replay.structure() == self.structure;
            // A structure that was left never comes back.
            if met && !here {
                return None;
            }
            met |= here;
            let found = here && self.is_at(&replay);
            let visit = found.then(|| replay.clone());
            let next = Walk::peek(&mut replay, &mut plies);
            if let Some(replay) = visit {
                return Some(Visit { replay, next });
            }
            Walk::play(&mut replay, next?);
        }
    }
}

/// The start positions of games, kept while they are asked for.
#[derive(Debug, Default)]
pub(super) struct Starts {
    known: std::collections::HashMap<u32, Option<Replay>>,
}

impl Starts {
    pub(super) fn get(&mut self, store: &Store, start: u32) -> Result<Option<&Replay>, StoreError> {
        if let std::collections::hash_map::Entry::Vacant(e) = self.known.entry(start) {
            let replay = stored_start(store, start)?.map(|position| Replay::new(&position));
            e.insert(replay);
        }
        Ok(self.known.get(&start).and_then(Option::as_ref))
    }
}

/// The one list of games that answers for a segment, if it is one: a hot
/// position in one fitting state, and no other way to reach the target. With at
/// most `games_max` of its games.
pub(super) fn single_list(
    store: &Store,
    segment: &SegmentRow,
    target: &Target,
    games_max: u64,
) -> Result<Option<(HotState, usize)>, StoreError> {
    if target.in_variations {
        return Ok(None);
    }
    let mut single = None;
    for &(key, turn) in &target.boards {
        let states = store.hot(segment, key, games_max)?;
        if states.is_empty() && !unlisted(store, segment, target, key)?.is_empty() {
            return Ok(None);
        }
        for state in states
            .into_iter()
            .filter(|state| target.fits_state(state.state))
        {
            if single.replace((state, turn)).is_some() {
                return Ok(None);
            }
        }
    }
    Ok(single)
}

/// The games of a list, as far as they were read.
pub(super) fn listed(state: &HotState, turn: usize) -> impl Iterator<Item = Match> {
    state.games.iter().map(move |&(game, next)| Match {
        game,
        next: state.moves[usize::from(next)],
        turn: turn as u8,
        in_variation: false,
    })
}

/// The games of a segment that reach the target, in order.
pub(super) fn matches(
    store: &Store,
    segment: &SegmentRow,
    target: &Target,
) -> Result<Vec<Match>, StoreError> {
    let mut found: Vec<Match> = Vec::new();
    let mut candidates: Vec<u32> = Vec::new();
    for &(key, turn) in &target.boards {
        let states = store.hot(segment, key, u64::MAX)?;
        if states.is_empty() {
            candidates.extend(unlisted(store, segment, target, key)?);
        }
        for state in states.iter().filter(|state| target.fits_state(state.state)) {
            found.extend(listed(state, turn));
        }
    }
    found.sort_by_key(|found| found.game);
    // A game listed twice, or listed and a candidate, tells by replay which
    // visit came first.
    let twice = found.windows(2).filter(|pair| pair[0].game == pair[1].game);
    candidates.extend(twice.map(|pair| pair[0].game));
    candidates.sort_unstable();
    candidates.dedup();
    if !candidates.is_empty() {
        found.retain(|found| candidates.binary_search(&found.game).is_err());
        let (mut lines, mut starts) = (store.lines(), Starts::default());
        for &game in &candidates {
            let id = segment.first_game + u64::from(game);
            if let Some(visit) = visit(store, &mut lines, &mut starts, id, target)? {
                let next = visit.next.unwrap_or(ENDS);
                let turn = visit.replay.turn() as u8;
                found.push(Match {
                    game,
                    next,
                    turn,
                    in_variation: false,
                });
            }
        }
        found.sort_by_key(|found| found.game);
    }
    if target.in_variations {
        add_variations(store, segment, target, &mut found)?;
    }
    Ok(found)
}

/// The games that may reach a position that is not hot: few enough to replay.
fn unlisted(
    store: &Store,
    segment: &SegmentRow,
    target: &Target,
    board_key: u64,
) -> Result<Vec<u32>, StoreError> {
    let games = store.postings(segment, Section::Coarse, target.structure.key())?;
    if games.len() <= CROWDED_GAMES_MIN {
        return Ok(games);
    }
    store.postings(segment, Section::Fine, board_key)
}

/// Where a game first reaches the target on its main line.
pub(super) fn visit(
    store: &Store,
    lines: &mut LineReader<'_>,
    starts: &mut Starts,
    game: GameId,
    target: &Target,
) -> Result<Option<Visit>, StoreError> {
    let line = lines.get(game)?;
    let start = starts.get(store, line.start)?;
    Ok(start.and_then(|start| target.first_visit(start, line.plies)))
}

/// A visit inside a variation: the position, plies from the game's start, the
/// next ply's code.
pub(super) type VariationVisit = (crate::rules::chess::Board, u32, Option<u16>);

/// Where the variations of a game first reach the target, in the order of the text.
pub(super) fn visit_in_variations(
    store: &Store,
    lines: &mut LineReader<'_>,
    starts: &mut Starts,
    game: GameId,
    target: &Target,
) -> Result<Option<VariationVisit>, StoreError> {
    let Some(items) = store.annotation(game)? else {
        return Ok(None);
    };
    let line = lines.get(game)?;
    let Some(start) = starts.get(store, line.start)? else {
        return Ok(None);
    };
    let found = variations_of(&items, start, line.plies)
        .into_iter()
        .find(|found| {
            found.board.men() == &target.men
                && target
                    .boards
                    .iter()
                    .any(|(_, turn)| *turn == found.board.turn())
                && (target.state_mask == 0
                    || found
                        .board
                        .to_position()
                        .is_some_and(|position| target.fits_state(State::of(&position).bits())))
        });
    Ok(found.map(|found| {
        (
            found.board,
            found.ply,
            found.next.map(crate::rules::chess::Ply::bits),
        )
    }))
}

/// Adds the games that reach the target inside a variation only.
fn add_variations(
    store: &Store,
    segment: &SegmentRow,
    target: &Target,
    found: &mut Vec<Match>,
) -> Result<(), StoreError> {
    let games = store.postings(segment, Section::Variation, target.structure.key())?;
    let (mut lines, mut starts) = (store.lines(), Starts::default());
    let mut more = Vec::new();
    for game in games {
        if found
            .binary_search_by_key(&game, |found| found.game)
            .is_ok()
        {
            continue;
        }
        let id = segment.first_game + u64::from(game);
        let visit = visit_in_variations(store, &mut lines, &mut starts, id, target)?;
        if let Some((board, _, next)) = visit {
            let next = next.unwrap_or(ENDS);
            more.push(Match {
                game,
                next,
                turn: board.turn() as u8,
                in_variation: true,
            });
        }
    }
    found.extend(more);
    found.sort_by_key(|found| found.game);
    Ok(())
}
