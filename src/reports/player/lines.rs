//! The first moves of a player's games, by positions: whatever the order of moves, a position
//! counts all games that reach it.

use std::collections::{HashMap, HashSet};

use super::games::PlayerGame;
use crate::{
    base::record::GameId,
    games::{self, AnyCursor, AnyPosition, notation::letters::Language},
    search::{self, LineVisit, MoveCode},
    store::{Store, StoreError},
};

/// Plies of a game that are looked at.
pub(super) const PLIES: usize = 24;

/// A position: its board and its state.
pub(super) type LineKey = (u64, u32);

/// A visit of a position: the game by its place among all of the player, and the ply.
pub(super) type LinePlace = (u32, u8);

/// A position that games of the player reached.
#[derive(Debug, Default)]
pub(super) struct LineNode {
    /// The games that reached it, each at its first visit.
    pub(super) visits: Vec<LinePlace>,
    /// The moves that were played then.
    pub(super) moves: HashMap<MoveCode, LineMove>,
    /// Whether the player was to move.
    pub(super) is_own: bool,
}

/// A move that was played in a position.
#[derive(Debug)]
pub(super) struct LineMove {
    pub(super) visits: Vec<LinePlace>,
    /// The position after it.
    pub(super) to: LineKey,
}

/// A move of a position, with what identifies it.
pub(super) type PlacedMove<'l> = (MoveCode, &'l LineMove);

impl LineNode {
    /// The games that went on.
    pub(super) fn chances(&self) -> usize {
        self.moves.values().map(|played| played.visits.len()).sum()
    }

    /// The moves, most played first.
    pub(super) fn sorted(&self) -> Vec<PlacedMove<'_>> {
        let mut moves: Vec<PlacedMove<'_>> =
            self.moves.iter().map(|(&code, m)| (code, m)).collect();
        moves.sort_by_key(|&(code, played)| (std::cmp::Reverse(played.visits.len()), code));
        moves
    }
}

/// The first plies of a game.
#[derive(Debug, Clone, Default)]
struct FirstPlies {
    bytes: Vec<u8>,
    /// Where each ply ends.
    ends: Vec<u16>,
}

/// The first moves of the games of a player.
#[derive(Debug)]
pub(super) struct PlayerLines {
    pub(super) start: AnyPosition,
    pub(super) root: LineKey,
    /// The positions by the player's side.
    pub(super) sides: [HashMap<LineKey, LineNode>; 2],
    games: HashMap<u32, FirstPlies>,
    /// Games from other start positions.
    pub(super) set_ups: u64,
}

pub(super) fn key_of(at: &AnyCursor) -> LineKey {
    (at.board_key(), at.state_bits())
}

/// Calls `each` with every position of the first plies of a line, the move that leaves it, the
/// position after that and the bytes up to there.
pub(super) fn walk(
    start: &AnyPosition,
    line: &[u8],
    (plies, has_details): (usize, bool),
    mut each: impl FnMut(usize, LineKey, MoveCode, LineKey, usize),
) {
    let (mut at, mut rest) = (AnyCursor::new(start), line);
    let mut before = key_of(&at);
    for ply in 0..plies {
        let Some(code) = at.peek(&mut rest) else {
            return;
        };
        let detail = if has_details { at.detail() } else { 0 };
        at.play(code);
        let after = key_of(&at);
        each(ply, before, (code, detail), after, line.len() - rest.len());
        before = after;
    }
}

impl PlayerLines {
    /// Reads the games; `None` if their variant has no usual start position.
    pub(super) fn read(
        store: &Store,
        all: &[PlayerGame],
        start: AnyPosition,
    ) -> Result<Self, StoreError> {
        let has_details = games::crowns(start.variant());
        let ids: Vec<GameId> = all.iter().map(|game| game.id).collect();
        let places: HashMap<GameId, u32> = ids.iter().copied().zip(0..).collect();
        let mut lines = Self {
            root: key_of(&AnyCursor::new(&start)),
            start,
            sides: Default::default(),
            games: HashMap::new(),
            set_ups: 0,
        };
        let mut seen: HashSet<LineKey> = HashSet::new();
        search::each_line(store, &ids, &mut |line| {
            if *line.start != lines.start {
                lines.set_ups += 1;
                return Ok(());
            }
            let place = places[&line.game];
            let side = all[place as usize].side;
            let nodes = &mut lines.sides[side];
            let mut first = FirstPlies::default();
            let first_turn = lines.start.turn() & 1;
            seen.clear();
            walk(
                line.start,
                line.plies,
                (PLIES, has_details),
                |ply, from, code, to, end| {
                    first.ends.push(end as u16);
                    if !seen.insert(from) {
                        return;
                    }
                    let visit = (place, ply as u8);
                    let node = nodes.entry(from).or_default();
                    node.is_own = (first_turn + ply) & 1 == side;
                    node.visits.push(visit);
                    let played = node.moves.entry(code).or_insert_with(|| LineMove {
                        visits: Vec::new(),
                        to,
                    });
                    played.visits.push(visit);
                },
            );
            let end = first.ends.last().copied().unwrap_or_default();
            first.bytes = line.plies[..usize::from(end)].to_vec();
            lines.games.insert(place, first);
            Ok(())
        })?;
        Ok(lines)
    }

    /// The moves by which most of some visits came, with those of `plies` plies after the position,
    /// and the position at their end.
    pub(super) fn line(
        &self,
        visits: &[LinePlace],
        plies: usize,
        language: &Language,
    ) -> (Vec<String>, AnyPosition) {
        let mut ways: HashMap<&[u8], usize> = HashMap::new();
        for (game, ply) in visits {
            let Some(first) = self.games.get(game) else {
                continue;
            };
            let end = match usize::from(*ply) + plies {
                0 => 0,
                last => {
                    (first.ends.get(last - 1)).map_or(first.bytes.len(), |end| usize::from(*end))
                }
            };
            *ways.entry(&first.bytes[..end]).or_default() += 1;
        }
        let most = ways
            .into_iter()
            .max_by_key(|&(way, games)| (games, std::cmp::Reverse(way)));
        let way = most.map_or(&[][..], |(way, _)| way);
        search::line_with_end(&self.start, way, language)
    }

    /// The moves of [`line`](Self::line).
    pub(super) fn moves(&self, visits: &[LinePlace], language: &Language) -> Vec<String> {
        self.line(visits, 1, language).0
    }
}

/// What many players play in the positions of one.
#[derive(Debug, Default)]
pub(super) struct ClassMoves {
    /// Games that reached a position, and how often each move was played.
    positions: HashMap<LineKey, (u64, HashMap<MoveCode, u64>)>,
}

impl ClassMoves {
    /// Counts the first plies of games, in the positions in which the player had the move, and gives
    /// each game to `also`.
    pub(super) fn read(
        store: &Store,
        ids: &[GameId],
        (lines, plies): (&PlayerLines, usize),
        mut also: impl FnMut(&LineVisit<'_>) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let mut class = Self::default();
        for nodes in &lines.sides {
            for (key, _) in nodes.iter().filter(|(_, node)| node.is_own) {
                class.positions.insert(*key, Default::default());
            }
        }
        let has_details = games::crowns(lines.start.variant());
        search::each_line(store, ids, &mut |line| {
            also(line)?;
            if *line.start != lines.start {
                return Ok(());
            }
            let positions = &mut class.positions;
            walk(
                line.start,
                line.plies,
                (plies, has_details),
                |_, from, code, _, _| {
                    if let Some((games, moves)) = positions.get_mut(&from) {
                        *games += 1;
                        *moves.entry(code).or_default() += 1;
                    }
                },
            );
            Ok(())
        })?;
        Ok(class)
    }

    /// How often a move was played, and could be.
    pub(super) fn of(&self, key: LineKey, code: MoveCode) -> (u64, u64) {
        self.positions.get(&key).map_or((0, 0), |(games, moves)| {
            (moves.get(&code).copied().unwrap_or_default(), *games)
        })
    }
}
