//! Where games left what had been played before them.

use std::{collections::HashMap, fmt::Write as _};

use serde::Serialize;

use super::{
    GameReader, MoveNotation, SingleGame, Tree,
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
    base::record::{GameHeader, GameId, GameRecord, MovetextItem},
    games::AnyPosition,
    pgn::tags::date::{self, PgnDate},
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
    /// The latest of these games.
    pub last: Option<SingleGame>,
}

/// The glyph of a novelty.
const NOVELTY: u32 = 146;

/// Moves of earlier games that a comment names.
const NAMED: usize = 5;

impl Novelty {
    /// Notes the novelty in its game, at the new move: the glyph of a novelty, and a comment with what the
    /// earlier games played. They stand after the glyphs and comments that the game has there.
    /// Returns whether there is a new move to note, and the game has it.
    pub fn annotate(&self, game: &mut GameRecord) -> bool {
        let (Some(comment), Some(ply)) = (self.comment(), self.new_ply) else {
            return false;
        };
        let moves = game.items.iter().enumerate();
        let mut moves = moves.filter(|(_, item)| matches!(item, MovetextItem::Move(_)));
        let Some((at, _)) = moves.nth((ply as usize).saturating_sub(1)) else {
            return false;
        };
        let after = &game.items[at + 1..];
        let glyphs = after
            .iter()
            .take_while(|item| matches!(item, MovetextItem::Nag(_)));
        let glyphs = glyphs.count();
        let is_own = |item: &&MovetextItem| {
            matches!(
                item,
                MovetextItem::Nag(_) | MovetextItem::Comment(_) | MovetextItem::LineComment(_)
            )
        };
        let own = after.iter().take_while(is_own).count();
        let new = MovetextItem::Comment(comment);
        if !after[..own].contains(&new) {
            game.items.insert(at + 1 + own, new);
        }
        let glyph = MovetextItem::Nag(NOVELTY);
        if !game.items[at + 1..][..own].contains(&glyph) {
            game.items.insert(at + 1 + glyphs, glyph);
        }
        true
    }

    /// What the earlier games played instead of the new move, in a sentence; `None` if there is
    /// no new move.
    fn comment(&self) -> Option<String> {
        let (known, _) = self.known.as_ref().zip(self.new_move.as_ref())?;
        let (number, is_second) = self.number;
        let dots = if is_second { "..." } else { "." };
        let games = known.total.games;
        let noun = if games == 1 { "game" } else { "games" };
        let mut text = if self.by_date {
            format!("N; {games} {noun} before")
        } else {
            format!("N; {games} other {noun}")
        };
        for (at, played) in known.moves.iter().take(NAMED).enumerate() {
            let before = if at == 0 { ":" } else { "," };
            let (san, games) = (&played.san, played.score.games);
            let _ = write!(text, "{before} {number}{dots}{san} ({games})");
        }
        if let Some(others @ 1..) = known.moves.len().checked_sub(NAMED) {
            let _ = write!(text, ", {others} more");
        }
        if let Some(last) = &self.last {
            let surname = |name: &str| {
                let name = name.split(',').next().unwrap_or_default();
                let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                if name.is_empty() {
                    "?".to_owned()
                } else {
                    name
                }
            };
            let (white, black) = (surname(&last.white), surname(&last.black));
            let _ = write!(text, ", last {white}–{black}");
            // Dates of draughts often begin with the day.
            let year = date::parse(last.date.as_bytes()).0.to_packed() / 10_000;
            if year > 0 {
                let _ = write!(text, " {year}");
            }
        }
        // A brace would end the comment.
        Some(text.replace(['{', '}'], "|"))
    }
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
            last: None,
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
                let (known, last) = self.known(game, day, &before)?;
                found.known = Some(known);
                let last = last.map(|last| self.games.header(last)).transpose()?;
                found.last = last.flatten().map(SingleGame::from);
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

    /// What was played in a position before a day, with the latest of these games; in all games but
    /// one, if the day is unknown.
    fn known(
        &self,
        of: GameId,
        day: Option<u32>,
        at: &AnyPosition,
    ) -> Result<(Tree, Option<GameId>), StoreError> {
        let mut earlier = Vec::new();
        let mut latest = None;
        self.each_game(at, |game, last_day| {
            if day.map_or(game != of, |day| last_day < day) {
                earlier.push(game);
                // A game without a date is earlier than those that have one.
                let is_dated = last_day != u32::MAX;
                latest = latest.max(Some((is_dated, last_day, game)));
            }
        })?;
        earlier.sort_unstable();
        let filter = GameConditions::of([GameCondition::games(&earlier)]);
        let query = asked(at);
        let trees = PositionTrees::new(self.store, &query, &filter, self.writing.language)?;
        Ok((trees.of(&query)?, latest.map(|(_, _, game)| game)))
    }
}

/// A position of a game as it is searched for in others.
fn asked(at: &AnyPosition) -> PositionQuery {
    PositionQuery {
        own_rules: true,
        ..PositionQuery::of(at.clone())
    }
}
