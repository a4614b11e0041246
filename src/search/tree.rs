//! The next moves from a position and how they scored.

mod score;

use std::collections::HashMap;

use foldhash::fast::FixedState;

pub(super) use score::ScoreAccumulator;

use super::{
    GameConditions, GameReader, SingleGame, Tree, TreeMove,
    filter::CompiledFilter,
    locate::{self, LongList, Replays, SearchTarget, TargetGames},
    moves, openings, ruleset,
    view::{ViewedPlayer, with_colours_swapped},
};
use crate::{
    base::record::GameId,
    blocks::facts::{FactColumn, PackedFacts},
    games::{AnyCursor, AnyPosition, notation::letters::Language, symmetry::Symmetry},
    index::{
        popular::{ENDS, Tally},
        top_games::TopGames,
    },
    query::{PositionQuery, TreeOrder},
    store::{FactReader, SegmentRow, Store, StoreError, StoreErrorKind},
};

/// The tree of a position: each game at its first visit, with moves of chess in the
/// letters of a language.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn tree(
    store: &Store,
    position: &PositionQuery,
    filter: &GameConditions,
    language: &Language,
) -> Result<Tree, StoreError> {
    PositionTrees::new(store, position, filter, language)?.of(position)
}

/// How many games of a move are looked at for one of a year.
const YEARS_LOOKED_AT: usize = 4096;

/// After how many games a request for the end is checked for.
const LOOK_AFTER: usize = 1 << 14;

/// The trees of one position after the other, all of them under one filter.
pub(super) struct PositionTrees<'a> {
    store: &'a Store,
    filter: CompiledFilter,
    language: &'a Language,
    /// The segments that can have games that pass, with the others if these are few and known.
    segments: Vec<(SegmentRow, Option<Vec<GameId>>)>,
    /// The columns of facts that are needed and summed up.
    reads: Vec<FactColumn>,
    /// Which games count, and for whom.
    counting: TreeScope,
    /// Whose results and opponents are summed up instead, whatever their side.
    viewed: Option<&'a ViewedPlayer>,
}

/// Which games a tree counts, and whose ratings and points.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TreeScope {
    /// Games without a result are left out.
    pub(super) only_decided: bool,
    /// Years are not needed.
    pub(super) no_years: bool,
    /// The side (0 the first) whose results and opponents are summed up; the side that moves, if
    /// none.
    pub(super) side: Option<usize>,
}

/// The columns of facts that are summed up.
const SUMMED: [FactColumn; 4] = [
    FactColumn::Date,
    FactColumn::Outcome,
    FactColumn::WhiteElo,
    FactColumn::BlackElo,
];

/// Looks at each game that a tree counts, its facts as they are counted (date, result
/// and ratings), and what it played.
pub(super) type GameVisitor<'e> = dyn FnMut(GameId, &PackedFacts, MoveKey) + 'e;

/// The visitor of the games that a tree counts.
pub(super) enum TreeGameVisitor<'e> {
    /// No visitor.
    None,
    /// A visitor of this many of the highest ratings, and of the newest, that have a result
    /// and go on, [`TOP_GAMES`](crate::index::top_games::TOP_GAMES) at most: all of those, and
    /// others perhaps.
    Greatest(usize, &'e mut GameVisitor<'e>),
    /// A visitor of all.
    All(&'e mut GameVisitor<'e>),
}

/// Games that played the same move.
#[derive(Debug, Clone, Copy, Default)]
struct MoveGames {
    tally: Tally,
    /// The last of them that was looked at; none where sums covered them.
    last: Option<GameId>,
}

/// A game that a list has and that does not count: its number in the segment, the code of the ply
/// with which it goes on, and its facts.
type ExcludedGame = (u32, u16, PackedFacts);

/// A list whose sums describe its games, and what is known of them.
struct PrecomputedList {
    list: LongList,
    /// The games of it that do not count, in order.
    out: Vec<ExcludedGame>,
    top_games: Option<TopGames>,
}

/// The games of each move.
type GamesByMove = HashMap<MoveKey, MoveGames, FixedState>;

impl<'a> PositionTrees<'a> {
    /// Makes the trees of a position ready, and of what comes of it.
    pub(super) fn new(
        store: &'a Store,
        position: &PositionQuery,
        filter: &GameConditions,
        language: &'a Language,
    ) -> Result<Self, StoreError> {
        let filter = ruleset::within(store, position, CompiledFilter::new(store, filter)?)?;
        let mut segments = Vec::new();
        for segment in store.index()? {
            if filter.may_take_any(store, &segment)? {
                let left_out = filter.left_out(store, &segment)?;
                segments.push((segment, left_out));
            }
        }
        let mut reads = SUMMED.to_vec();
        reads.extend(filter.all_reads());
        Ok(Self {
            store,
            filter,
            language,
            segments,
            reads,
            counting: TreeScope::default(),
            viewed: None,
        })
    }

    /// With other games that count, or for another side.
    pub(super) fn counting(self, counting: TreeScope) -> Self {
        Self { counting, ..self }
    }

    /// As a player sees the games, if there is one.
    pub(super) fn seen_by(mut self, viewed: Option<&'a ViewedPlayer>) -> Self {
        if viewed.is_some() {
            self.reads.extend([FactColumn::White, FactColumn::Black]);
            // The player has the first side of what is counted.
            self.counting.side = Some(0);
            self.viewed = viewed;
        }
        self
    }

    /// The tree of a position.
    pub(super) fn of(&self, position: &PositionQuery) -> Result<Tree, StoreError> {
        self.whole(self.of_games_until_stopped(position)?)
    }

    /// The tree of a position: of all its games, or, where the end is requested meanwhile, of those
    /// that were counted until then; and whether that was so.
    pub(super) fn of_games_until_stopped(
        &self,
        position: &PositionQuery,
    ) -> Result<(Tree, bool), StoreError> {
        let (mut tree, is_cut) = self.counted_until_stopped(position, TreeGameVisitor::None)?;
        let _fetching = is_cut.then(|| self.store.fetching());
        self.name_single_games(&mut tree)?;
        Ok((openings::named(tree, &position.position), is_cut))
    }

    /// A tree that must be of all games.
    fn whole(&self, (tree, is_cut): (Tree, bool)) -> Result<Tree, StoreError> {
        if is_cut {
            return Err(self.store.interrupted());
        }
        Ok(tree)
    }

    /// The tree of a position without names of openings and of players; its games are shown to
    /// a visitor.
    pub(super) fn counted(
        &self,
        position: &PositionQuery,
        shown: TreeGameVisitor<'_>,
    ) -> Result<Tree, StoreError> {
        self.whole(self.counted_until_stopped(position, shown)?)
    }

    fn counted_until_stopped(
        &self,
        position: &PositionQuery,
        mut shown: TreeGameVisitor<'_>,
    ) -> Result<(Tree, bool), StoreError> {
        let (store, filter) = (self.store, &self.filter);
        let targets = SearchTarget::all(position);
        let asked = &position.position;
        let mut played = GamesByMove::default();
        let mut facts = store.facts_in(&self.reads);
        let mut passing = filter.reader(store);
        let shared = [0, 1].map(|turn| moves::shared_codes(asked, turn));
        let is_shared = |turn: usize, code| shared[turn & 1].contains(&code);
        let mut replays = Replays::new(store);
        let mut summed: Vec<(&SegmentRow, PrecomputedList)> = Vec::new();
        let mut count = || {
            for (segment, left_out) in &self.segments {
                let reaching = if left_out.is_some() {
                    locate::reaching(store, segment, &targets)?
                } else {
                    TargetGames::Games(locate::matches(store, segment, &targets)?)
                };
                let found = match reaching {
                    TargetGames::Games(found) => found,
                    TargetGames::Summed(united) => {
                        let left_out = left_out.as_deref().unwrap_or_default();
                        let mut lists = Vec::new();
                        for list in united.lists {
                            lists.push(self.precomputed(segment, list, left_out, &mut facts)?);
                        }
                        let mut sums = Vec::new();
                        for list in &lists {
                            sums.push(self.sums(segment, list, &shared, &mut facts)?);
                        }
                        if let Some(sums) = sums.into_iter().collect::<Option<Vec<_>>>() {
                            for (list, sums) in lists.into_iter().zip(sums) {
                                add_sums(segment, &list, sums, &mut played);
                                self.show(segment, &list, &mut shown)?;
                                summed.push((segment, list));
                            }
                            united.games
                        } else {
                            locate::matches(store, segment, &targets)?
                        }
                    }
                };
                for (seen, found) in found.into_iter().enumerate() {
                    if seen % LOOK_AFTER == 0 {
                        store.go_on()?;
                    }
                    let game = segment.first_game + u64::from(found.game);
                    let mut facts = facts.get(game)?;
                    if self.counting.only_decided && facts.outcome == 0
                        || !passing.passes_with(game, &facts)?
                    {
                        continue;
                    }
                    let seen = self.viewed.map(|viewed| viewed.seen(&facts));
                    let symmetry = targets[usize::from(found.target)].symmetry;
                    let code = moves::seen(asked, found.next, symmetry);
                    let mut turn = usize::from(found.turn);
                    if asked.swaps_sides(symmetry) {
                        turn ^= 1;
                        facts = with_colours_swapped(facts);
                    }
                    let facts = seen.unwrap_or(facts);
                    let taken = if is_shared(turn, code) {
                        let visit = replays.visit(game, found.in_variation, &targets)?;
                        let at = visit.map(|(reached, _)| reached.at);
                        let detail = at.as_ref().map_or(0, AnyCursor::detail);
                        moves::taken_seen(asked, detail, symmetry)
                    } else {
                        0
                    };
                    let games = played.entry((turn, code, taken)).or_default();
                    games.tally.add(&facts, self.counting.side.unwrap_or(turn));
                    games.last = Some(game);
                    if let TreeGameVisitor::Greatest(_, each) | TreeGameVisitor::All(each) =
                        &mut shown
                    {
                        each(game, &facts, (turn, code, taken));
                    }
                }
            }
            Ok(())
        };
        let is_cut = match count() {
            Err(StoreError {
                kind: StoreErrorKind::Interrupted,
                ..
            }) => true,
            counted => counted.map(|()| false)?,
        };
        let _fetching = is_cut.then(|| store.fetching());
        self.find_single_games(&summed, &mut played)?;
        if self.counting.no_years {
            for games in played.values_mut() {
                (games.tally.first_year, games.tally.last_year) = (0, 0);
            }
        }
        let played = with_same_moves_added(position, played);
        let tree = dress(asked, played, self.language, self.counting.side);
        Ok((tree, is_cut))
    }

    /// A list whose sums are added, without games that are counted elsewhere or left out.
    fn precomputed(
        &self,
        segment: &SegmentRow,
        list: LongList,
        left_out: &[GameId],
        facts: &mut FactReader<'_>,
    ) -> Result<PrecomputedList, StoreError> {
        let mut games = list.counted_elsewhere.clone();
        let left_out = list.among(self.store, segment, left_out)?;
        games.extend(left_out.iter().map(|found| (found.game, found.next)));
        games.sort_unstable();
        games.dedup();
        let mut out = Vec::new();
        for (game, next) in games {
            out.push((game, next, facts.get(segment.first_game + u64::from(game))?));
        }
        let top_games = locate::top_games(self.store, segment, &list)?;
        Ok(PrecomputedList {
            list,
            out,
            top_games,
        })
    }

    /// The sums of the moves of a list; `None` if they do not show all that is wanted of its games.
    fn sums(
        &self,
        segment: &SegmentRow,
        PrecomputedList {
            list,
            out,
            top_games,
        }: &PrecomputedList,
        shared: &[Vec<u16>; 2],
        facts: &mut FactReader<'_>,
    ) -> Result<Option<Vec<Tally>>, StoreError> {
        let LongList { state, turn, .. } = list;
        let is_shared = |code| shared[turn & 1].contains(code);
        if self.viewed.is_some()
            || self.counting.side.is_some_and(|side| side != *turn)
            || state.moves.iter().any(is_shared)
        {
            return Ok(None);
        }
        let led = |at: usize| top_games.as_ref().and_then(|led| led.moves.get(at));
        let counts = |facts: &PackedFacts| !self.counting.only_decided || facts.outcome != 0;
        let (mut all, mut games) = (Vec::new(), None);
        let sums = state.moves.iter().zip(state.sums.iter().flatten());
        for (at, (&code, sum)) in sums.enumerate() {
            let mut tally = if self.counting.only_decided && sum.outcomes[0] > 0 {
                led(at).and_then(|led| led.decided)
            } else {
                Some(*sum)
            };
            let own = out.iter().filter(|(_, played, _)| *played == code);
            let mut years = Vec::new();
            for (.., facts) in own.filter(|(.., facts)| counts(facts)) {
                tally = tally.and_then(|tally| tally.without(facts, *turn));
                years.extend(facts.year().map(u64::from));
            }
            let Some(tally) = tally else {
                return Ok(None);
            };
            all.push(tally);
            let ends = [tally.first_year, tally.last_year];
            let unsure = ends.into_iter().filter(|end| years.contains(end));
            if self.counting.no_years || tally.games == 0 {
                continue;
            }
            for year in unsure {
                if games.is_none() {
                    games = Some(list.read(self.store, segment, u64::MAX)?);
                }
                let own = games.iter().flat_map(|list| &list.games);
                let own = own.filter(|(game, next)| usize::from(*next) == at && !has(out, *game));
                let own = own.map(|(game, _)| segment.first_game + u64::from(*game));
                // In many databases games follow each other by date.
                let ends = own.clone().take(YEARS_LOOKED_AT);
                let mut ends = ends.chain(own.rev().take(YEARS_LOOKED_AT));
                let is_of_year = |game| {
                    let facts = facts.get(game)?;
                    Ok(counts(&facts) && facts.year().map(u64::from) == Some(year))
                };
                if !any_of(&mut ends, is_of_year)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(all))
    }

    /// Shows the games of a list that was counted by its sums.
    fn show(
        &self,
        segment: &SegmentRow,
        PrecomputedList {
            list,
            out,
            top_games,
        }: &PrecomputedList,
        shown: &mut TreeGameVisitor<'_>,
    ) -> Result<(), StoreError> {
        let is_enough =
            |top_games: &TopGames, most| top_games.are_enough(most, |game| has(out, game));
        let mut facts = self.store.facts_in(&self.reads);
        let each = match (shown, top_games) {
            (TreeGameVisitor::None, _) => return Ok(()),
            (TreeGameVisitor::Greatest(most, each), Some(top_games))
                if is_enough(top_games, *most) =>
            {
                for &(game, next) in &top_games.games {
                    if let Some(&code) = list.state.moves.get(usize::from(next))
                        && !has(out, game)
                    {
                        let game = segment.first_game + u64::from(game);
                        each(game, &facts.get(game)?, (list.turn, code, 0));
                    }
                }
                return Ok(());
            }
            (TreeGameVisitor::Greatest(_, each) | TreeGameVisitor::All(each), _) => each,
        };
        let state = list.read(self.store, segment, u64::MAX)?;
        for (seen, found) in locate::listed(&state, list.turn, 0).enumerate() {
            if seen % LOOK_AFTER == 0 {
                self.store.go_on()?;
            }
            if !has(out, found.game) {
                let game = segment.first_game + u64::from(found.game);
                each(game, &facts.get(game)?, (list.turn, found.next, 0));
            }
        }
        Ok(())
    }

    /// Finds the games of moves that only one game played, where sums covered it.
    fn find_single_games(
        &self,
        summed: &[(&SegmentRow, PrecomputedList)],
        played: &mut GamesByMove,
    ) -> Result<(), StoreError> {
        let mut facts = self.store.facts_in(&self.reads);
        for (segment, PrecomputedList { list, out, .. }) in summed {
            let is_single = |games: &MoveGames| games.tally.games == 1 && games.last.is_none();
            if !played.values().any(is_single) {
                break;
            }
            let turn = list.turn;
            let codes: Vec<u16> = (list.state.moves.iter().copied())
                .filter(|&code| played.get(&(turn, code, 0)).is_some_and(is_single))
                .collect();
            if codes.is_empty() {
                continue;
            }
            let state = list.read(self.store, segment, u64::MAX)?;
            for found in locate::listed(&state, turn, 0) {
                if !codes.contains(&found.next) || has(out, found.game) {
                    continue;
                }
                let game = segment.first_game + u64::from(found.game);
                let counts = !self.counting.only_decided || facts.get(game)?.outcome != 0;
                if let Some(games) = played.get_mut(&(turn, found.next, 0)).filter(|_| counts) {
                    games.last = Some(game);
                }
            }
        }
        Ok(())
    }

    /// Says whose games they are.
    fn name_single_games(&self, tree: &mut Tree) -> Result<(), StoreError> {
        let mut games = GameReader::new(self.store);
        for game in tree.moves.iter_mut().filter_map(|line| line.game.as_mut()) {
            if let Some(header) = games.header(game.id)? {
                *game = SingleGame::from(header);
            }
        }
        Ok(())
    }
}

/// Adds the sums of the moves of a list.
fn add_sums(
    segment: &SegmentRow,
    PrecomputedList {
        list,
        out,
        top_games,
    }: &PrecomputedList,
    sums: Vec<Tally>,
    played: &mut GamesByMove,
) {
    for (at, (&code, tally)) in list.state.moves.iter().zip(sums).enumerate() {
        if tally.games == 0 {
            continue;
        }
        let games = played.entry((list.turn, code, 0)).or_default();
        games.tally.merge(&tally);
        let led = top_games.as_ref().and_then(|led| led.moves.get(at));
        if tally.games == 1
            && let Some(game) = led.and_then(|led| led.single)
            && !has(out, game)
        {
            games.last = Some(segment.first_game + u64::from(game));
        }
    }
}

/// Whether one of some games passes a test that may fail.
fn any_of(
    games: &mut impl Iterator<Item = GameId>,
    mut passes: impl FnMut(GameId) -> Result<bool, StoreError>,
) -> Result<bool, StoreError> {
    for game in games {
        if passes(game)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a game of a segment is among those that do not count, which are in order.
fn has(out: &[ExcludedGame], game: u32) -> bool {
    out.binary_search_by_key(&game, |(own, ..)| *own).is_ok()
}

/// Adds up moves that are the same in the ways of looking at the board that
/// were requested: where the position looks as it does, as the start of Othello
/// from four sides. They have the name of the one that most games played.
fn with_same_moves_added(query: &PositionQuery, tallies: GamesByMove) -> GamesByMove {
    let position = &query.position;
    let looks_alike = |symmetry: &Symmetry| {
        !position.swaps_sides(*symmetry)
            && position.transformed(*symmetry).as_ref() == Some(position)
    };
    let alike: Vec<Symmetry> = (query.symmetries.iter().copied())
        .filter(looks_alike)
        .collect();
    if alike.is_empty() {
        return tallies;
    }
    let mut added = GamesByMove::default();
    // The most played first, so that the others find it.
    let mut tallies: Vec<(MoveKey, MoveGames)> = tallies.into_iter().collect();
    tallies.sort_unstable_by_key(|(played, games)| (std::cmp::Reverse(games.tally.games), *played));
    for (played, games) in tallies {
        let (turn, code, taken) = played;
        let mut same = vec![(code, taken)];
        let mut at = 0;
        while let Some(&(code, taken)) = same.get(at) {
            for &symmetry in &alike {
                let taken = moves::taken_seen(position, taken, symmetry);
                let seen = (moves::seen(position, code, symmetry), taken);
                if !same.contains(&seen) {
                    same.push(seen);
                }
            }
            at += 1;
        }
        let mut names = same.into_iter().map(|(code, taken)| (turn, code, taken));
        let name = names.find(|name| added.contains_key(name));
        let all = added.entry(name.unwrap_or(played)).or_default();
        all.tally.merge(&games.tally);
        all.last = games.last.or(all.last);
    }
    added
}

/// What was played: the side to move, the code of the ply and, where several
/// captures share that, what it takes.
pub(super) type MoveKey = (usize, u16, u128);

impl TreeMove {
    /// A legal move, by its names, that no game has played.
    pub(super) fn unplayed(at: &AnyPosition, names: &[String; 2], language: &Language) -> Self {
        let [san, uci] = names.clone();
        Self {
            san: moves::in_language(at.has_letters(), san, language),
            uci,
            opening: None,
            score: ScoreAccumulator::default().score(),
            game: None,
            after: None,
        }
    }
}

/// Names the moves and works the scores out, of a side or of the one that moves.
fn dress(
    position: &AnyPosition,
    tallies: GamesByMove,
    language: &Language,
    side: Option<usize>,
) -> Tree {
    let mut total = ScoreAccumulator::default();
    let mut ends_here = ScoreAccumulator::default();
    let mut moves = Vec::new();
    // In an order of their own, or moves that are equal in all that is shown
    // would stand in another order each time.
    let mut tallies: Vec<(MoveKey, MoveGames)> = tallies.into_iter().collect();
    tallies.sort_unstable_by_key(|&(played, _)| played);
    for ((turn, code, taken), MoveGames { tally, last }) in tallies {
        let scored = side.unwrap_or(turn);
        total.add(&tally, scored);
        if code == ENDS {
            ends_here.add(&tally, scored);
            continue;
        }
        let mut sum = ScoreAccumulator::default();
        sum.add(&tally, scored);
        let [san, uci] = moves::names(position, turn, code, taken);
        moves.push(TreeMove {
            san: moves::in_language(position.has_letters(), san, language),
            uci,
            opening: None,
            score: sum.score(),
            game: last.filter(|_| tally.games == 1).map(SingleGame::of),
            after: None,
        });
    }
    let mut tree = Tree {
        fen: position.fen(),
        at: position.clone(),
        number: position.number(),
        opening: None,
        total: total.score(),
        moves,
        moves_omitted: 0,
        ends_here: ends_here.score(),
    };
    tree.arrange(&TreeOrder::default());
    tree
}
