//! Where games left what had been played before them.

use std::collections::HashMap;

use serde::Serialize;

use super::{
    GameReader, MoveNotation, Tree,
    deep_tree::{TreeKey, key_of},
    filter::CompiledFilter,
    locate::{self, Replays, SearchTarget},
    moves,
    movetext::number_after,
    plan::GameConditions,
    ruleset,
    tree::PositionTrees,
};
use crate::{
    base::record::{GameHeader, GameId},
    games::AnyPosition,
    pgn::tags::date::PgnDate,
    query::{GameCondition, PositionQuery},
    store::{SegmentRow, Store, StoreError},
};

/// Where a game left what was known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Novelty {
    /// The game's facts.
    #[serde(flatten)]
    pub header: GameHeader,
    /// Whether games count as earlier by their dates. Against a game without a date all others
    /// count.
    pub by_date: bool,
    /// Plies before the first position that was new; 0 is the start of the game, `None` a game
    /// that never left what was known.
    pub new_ply: Option<u32>,
    /// The move that led to it, as its game writes it.
    pub new_move: Option<String>,
    /// The number of that move, and whether it is of the side that moves second.
    #[serde(skip)]
    pub number: (u32, bool),
    /// The new position in FEN.
    pub fen: Option<String>,
    /// What the earlier games played in the position before it.
    pub known: Option<Tree>,
}

/// When a position was on the board.
#[derive(Debug, Clone, Copy)]
struct PositionDates {
    /// The earliest of the last days that the dates of its games can mean; greater than every
    /// date if none is known.
    by: u32,
    /// How many games have it.
    games: u64,
}

/// Positions that are remembered at most: all but the first of most games are of that game alone.
const SEEN_MAX: usize = 1 << 16;

/// Finds where games left what was known.
pub struct NoveltyFinder<'s> {
    store: &'s Store,
    games: GameReader<'s>,
    replays: Replays<'s>,
    segments: Vec<SegmentRow>,
    seen: HashMap<TreeKey, PositionDates>,
    writing: MoveNotation,
}

impl<'s> NoveltyFinder<'s> {
    /// Makes a database ready.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read or is damaged; likewise below.
    pub fn new(store: &'s Store, writing: MoveNotation) -> Result<Self, StoreError> {
        Ok(Self {
            store,
            games: GameReader::new(store).with_writing(writing),
            replays: Replays::new(store),
            segments: store.index()?,
            seen: HashMap::new(),
            writing,
        })
    }

    /// The first position of a game's main line that no earlier game has; `None` if there is no
    /// such game. A game is earlier if the last day that its date can mean lies before the first
    /// that the date of this one can mean. If that one is unknown, all other games are earlier.
    pub fn of(&mut self, game: GameId) -> Result<Option<Novelty>, StoreError> {
        let Some(header) = self.games.header(game)? else {
            return Ok(None);
        };
        let date = PgnDate::from_packed(self.store.facts().get(game)?.date);
        let day = (date != PgnDate::UNKNOWN).then(|| date.first_day().to_packed());
        let form = self.writing.form;
        let line = (self.replays.game(game)?)
            .map(|(start, _, plies)| moves::positions(start, plies, form))
            .unwrap_or_default();
        let mut found = Novelty {
            header,
            by_date: day.is_some(),
            new_ply: None,
            new_move: None,
            number: (0, false),
            fen: None,
            known: None,
        };
        let first = line.first().map_or((1, false), |(at, _)| at.number());
        let mut before: Option<AnyPosition> = None;
        for (ply, (at, played)) in line.into_iter().enumerate() {
            self.store.go_on()?;
            let seen = self.seen(&at)?;
            if day.map_or(seen.games > 1, |day| seen.by < day) {
                before = Some(at);
                continue;
            }
            found.new_ply = Some(ply as u32);
            found.fen = Some(at.fen());
            if let (Some(before), Some(played)) = (before, played) {
                found.number = number_after(first, ply as u32 - 1);
                let language = self.writing.language;
                found.new_move = Some(moves::in_language(before.has_letters(), played, language));
                found.known = Some(self.known(game, day, &before)?);
            }
            break;
        }
        Ok(Some(found))
    }

    fn seen(&mut self, at: &AnyPosition) -> Result<PositionDates, StoreError> {
        let key = key_of(at);
        if let Some(seen) = self.seen.get(&key) {
            return Ok(*seen);
        }
        let mut seen = PositionDates {
            by: u32::MAX,
            games: 0,
        };
        self.each_game(at, |_, last_day| {
            seen.by = seen.by.min(last_day);
            seen.games += 1;
        })?;
        if self.seen.len() == SEEN_MAX {
            self.seen.clear();
        }
        self.seen.insert(key, seen);
        Ok(seen)
    }

    /// Calls `each` with every game that reaches a position, and the last day that its date can
    /// mean; that of an unknown one is after all others.
    fn each_game(
        &self,
        at: &AnyPosition,
        mut each: impl FnMut(GameId, u32),
    ) -> Result<(), StoreError> {
        let query = asked(at);
        let all = CompiledFilter::new(self.store, &GameConditions::default())?;
        let filter = ruleset::within(self.store, &query, all)?;
        let mut passing = filter.reader(self.store);
        let mut facts = self.store.facts();
        let targets = SearchTarget::all(&query);
        for segment in &self.segments {
            for found in locate::matches(self.store, segment, &targets)? {
                let game = segment.first_game + u64::from(found.game);
                let facts = facts.get(game)?;
                if passing.passes_with(game, &facts)? {
                    let date = PgnDate::from_packed(facts.date);
                    let is_known = date != PgnDate::UNKNOWN;
                    let last_day = is_known.then(|| date.last_day().to_packed());
                    each(game, last_day.unwrap_or(u32::MAX));
                }
            }
        }
        Ok(())
    }

    /// What was played in a position before a day; in all games but one, if that is unknown.
    fn known(&self, of: GameId, day: Option<u32>, at: &AnyPosition) -> Result<Tree, StoreError> {
        let mut earlier = Vec::new();
        self.each_game(at, |game, last_day| {
            if day.map_or(game != of, |day| last_day < day) {
                earlier.push(game);
            }
        })?;
        earlier.sort_unstable();
        let filter = GameConditions::of([GameCondition::games(&earlier)]);
        let query = asked(at);
        PositionTrees::new(self.store, &query, &filter, self.writing.language)?.of(&query)
    }
}

/// A position of a game as it is searched for in others.
fn asked(at: &AnyPosition) -> PositionQuery {
    PositionQuery {
        own_rules: true,
        ..PositionQuery::of(at.clone())
    }
}
