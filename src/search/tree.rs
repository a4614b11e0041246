//! The next moves from a position and how they scored.

mod filtered;
mod score;
mod summed;

use std::collections::HashMap;

use foldhash::fast::FixedState;

use filtered::FilteredLists;
pub(super) use score::ScoreAccumulator;
pub use score::rating_difference;
use summed::{PrecomputedList, add_sums};

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
    index::popular::{ENDS, Tally},
    query::{PositionQuery, TreeOrder},
    store::{SegmentRow, Store, StoreError, StoreErrorKind},
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
                let found = match locate::reaching(store, segment, &targets)? {
                    TargetGames::Games(found) => found,
                    TargetGames::Summed(united) if left_out.is_none() => {
                        let mut lists = FilteredLists::new(self, segment);
                        let is_shared = |list: &LongList| {
                            let mut codes = list.state.moves.iter();
                            codes.any(|&code| is_shared(list.turn, code))
                        };
                        if united.lists.iter().any(is_shared) {
                            locate::matches(store, segment, &targets)?
                        } else {
                            for list in &united.lists {
                                lists.count(list, &mut played, &mut shown)?;
                            }
                            united.games
                        }
                    }
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
