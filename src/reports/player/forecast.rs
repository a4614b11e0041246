//! What a player is likely to play against a repertoire: how often each of its lines comes up, and
//! where the player leaves it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::Serialize;

use super::{
    games::PlayerGame,
    lines::{LineKey, key_of, walk},
    results,
};
use crate::{
    base::record::GameId,
    games::{self as rules, AnyCursor, AnyPosition, notation::letters::Language},
    reports::{expectation::ExpectedScores, figures::Figures},
    search::{self, Repertoire},
    store::{Store, StoreError},
};

/// Games are shorter: what comes up after this number of plies is no further way.
const PLIES_MAX: usize = 1000;

/// A repertoire, whose side plays against the player.
#[derive(Debug, Clone, Copy)]
pub struct RepertoireInput<'r> {
    /// What it is called, such as the name of its file.
    pub name: &'r str,
    /// The side that has it: 0 White, 1 Black.
    pub side: usize,
    /// Its positions.
    pub known: &'r Repertoire,
}

/// Why a line of a forecast ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum ForecastKind {
    /// The player leaves the repertoire by a move that it does not have.
    Missing,
    /// The repertoire has no move for its own side.
    Unanswered,
    /// The line of the repertoire ends, and the player has the move.
    End,
    /// The player has the move, and has not been there before.
    Unknown,
}

/// A place where a repertoire ends, or the player leaves it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForecastLine {
    /// Why it ends there.
    pub kind: ForecastKind,
    /// The moves, in the order of the repertoire; a move that it does not have is the last.
    pub moves: Vec<String>,
    /// How often the line comes up, 0 to 1: the player plays as in earlier games, the repertoire's
    /// side each of its moves equally often.
    pub probability: f64,
    /// Games in which the player could choose the move that is missing; of other ends those with the
    /// position.
    pub chances: u64,
    /// The player's games in which the line ended there.
    #[serde(flatten)]
    pub results: Figures,
    /// Those lately.
    pub recent: u64,
    /// The last year.
    pub last_year: Option<u32>,
    /// The position in FEN.
    pub fen: String,
    /// The position.
    #[serde(skip)]
    pub at: AnyPosition,
}

/// What is likely to come up of a repertoire against a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepertoireForecast {
    /// What the repertoire is called.
    pub name: String,
    /// Its side: `white` or `black`.
    pub side: &'static str,
    /// How many positions it has.
    pub positions: u64,
    /// The player's games with the other side from the standard start position.
    pub games: u64,
    /// How often the player leaves it, or it has no move, 0 to 1.
    pub left: f64,
    /// How often a line comes to its end.
    pub ended: f64,
    /// How often a line comes to where the player has not been before.
    pub unknown: f64,
    /// Where the player leaves it, and where it has no move, most probable first.
    pub holes: Vec<ForecastLine>,
    /// The other ends of its lines, most probable first.
    pub ends: Vec<ForecastLine>,
}

/// A move of the player from a position of the repertoire.
#[derive(Debug, Default)]
struct PlayedMove {
    games: Vec<u32>,
    /// The moves of the first of these games, packed.
    way: Vec<u8>,
}

/// What the player did in a position of the repertoire.
#[derive(Debug, Default)]
struct MetPosition {
    /// The games that reached it.
    games: Vec<u32>,
    /// The moves from there.
    next: BTreeMap<LineKey, PlayedMove>,
}

impl MetPosition {
    /// The games that went on from there.
    fn chances(&self) -> usize {
        self.next.values().map(|played| played.games.len()).sum()
    }
}

struct ForecastWalk<'w> {
    repertoire: &'w RepertoireInput<'w>,
    language: &'w Language,
    root: usize,
    start: AnyPosition,
    /// Positions by the same rules.
    places: HashMap<LineKey, usize>,
    met: HashMap<usize, MetPosition>,
    games: u64,
}

/// What to expect of a repertoire against a player; `None` if it does not have the start position.
pub(super) fn read(
    store: &Store,
    (all, start): (&[PlayerGame], AnyPosition),
    repertoire: &RepertoireInput<'_>,
    (expectation, language): (Option<&ExpectedScores>, &Language),
) -> Result<Option<RepertoireForecast>, StoreError> {
    let known = repertoire.known;
    let Some(root) = known.place(&start) else {
        return Ok(None);
    };
    let own_rules = |place: &usize| {
        let variant = known.position(*place).variant();
        variant.rules == start.variant().rules
    };
    let places = (0..known.len()).filter(own_rules);
    let places = places.map(|place| (key_of(&AnyCursor::new(known.position(place))), place));
    let mut walk = ForecastWalk {
        repertoire,
        language,
        root,
        places: places.collect(),
        start,
        met: HashMap::new(),
        games: 0,
    };
    walk.follow(store, all)?;
    Ok(Some(walk.forecast(all, expectation)))
}

impl ForecastWalk<'_> {
    /// Follows the games of the player with the other side.
    fn follow(&mut self, store: &Store, all: &[PlayerGame]) -> Result<(), StoreError> {
        let is_met = |(_, game): &(u32, &PlayerGame)| game.side != self.repertoire.side;
        let own: Vec<(u32, GameId)> = ((0..).zip(all).filter(is_met))
            .map(|(place, game)| (place, game.id))
            .collect();
        let ids: Vec<GameId> = own.iter().map(|&(_, id)| id).collect();
        let has_details = rules::crowns(self.start.variant());
        let mut at = 0;
        search::each_line(store, &ids, &mut |line| {
            // A line that cannot be played is not given.
            while own[at].1 != line.game {
                at += 1;
            }
            let game = own[at].0;
            if *line.start != self.start {
                return Ok(());
            }
            self.games += 1;
            self.met.entry(self.root).or_default().games.push(game);
            let choice = (usize::MAX, has_details);
            walk(line.start, line.plies, choice, |_, from, _, to, end| {
                if let Some(&place) = self.places.get(&from)
                    && self.is_players(place)
                {
                    let met = self.met.entry(place).or_default();
                    let is_first = (met.next.values()).all(|m| m.games.last() != Some(&game));
                    if is_first {
                        let played = met.next.entry(to).or_default();
                        if played.games.is_empty() {
                            played.way = line.plies[..end].to_vec();
                        }
                        played.games.push(game);
                    }
                }
                if let Some(&place) = self.places.get(&to) {
                    let reached = &mut self.met.entry(place).or_default().games;
                    if reached.last() != Some(&game) {
                        reached.push(game);
                    }
                }
            });
            Ok(())
        })
    }

    fn is_players(&self, place: usize) -> bool {
        self.repertoire.known.position(place).turn() & 1 != self.repertoire.side
    }

    /// The moves from the start to each position, the fewest that there are.
    fn lines(&self) -> HashMap<usize, Vec<String>> {
        let mut lines = HashMap::from([(self.root, Vec::new())]);
        let mut queue = VecDeque::from([self.root]);
        while let Some(place) = queue.pop_front() {
            for (san, to) in self.repertoire.known.moves(place, self.language) {
                if !lines.contains_key(&to) {
                    let mut line = lines[&place].clone();
                    line.push(san);
                    lines.insert(to, line);
                    queue.push_back(to);
                }
            }
        }
        lines
    }

    /// How often each end comes up, with the move of the player by which it does.
    fn ends(&self) -> BTreeMap<(ForecastKind, usize, Option<LineKey>), f64> {
        let known = self.repertoire.known;
        let mut ends: BTreeMap<(ForecastKind, usize, Option<LineKey>), f64> = BTreeMap::new();
        let mut now = BTreeMap::from([(self.root, 1.0)]);
        for _ in 0..PLIES_MAX {
            let mut next: BTreeMap<usize, f64> = BTreeMap::new();
            for (place, probability) in std::mem::take(&mut now) {
                let moves = known.moves(place, self.language);
                let met = self.met.get(&place).filter(|met| !met.next.is_empty());
                let mut end = |kind, key, part: f64| {
                    *ends.entry((kind, place, key)).or_default() += part;
                };
                match (moves.is_empty(), self.is_players(place), met) {
                    (true, false, _) => end(ForecastKind::Unanswered, None, probability),
                    (true, true, None) => end(ForecastKind::End, None, probability),
                    (false, true, None) => end(ForecastKind::Unknown, None, probability),
                    (false, false, _) => {
                        let share = probability / moves.len() as f64;
                        for (_, to) in moves {
                            *next.entry(to).or_default() += share;
                        }
                    }
                    (is_end, true, Some(met)) => {
                        let chances = met.chances() as f64;
                        for (key, played) in &met.next {
                            let part = probability * played.games.len() as f64 / chances;
                            match (self.places.get(key), is_end) {
                                // By another order of moves it may come back.
                                (Some(&to), _) => *next.entry(to).or_default() += part,
                                (None, true) => end(ForecastKind::End, None, part),
                                (None, false) => end(ForecastKind::Missing, Some(*key), part),
                            }
                        }
                    }
                }
            }
            now = next;
            if now.is_empty() {
                break;
            }
        }
        ends
    }

    fn forecast(
        &self,
        all: &[PlayerGame],
        expectation: Option<&ExpectedScores>,
    ) -> RepertoireForecast {
        let known = self.repertoire.known;
        let lines = self.lines();
        let mut ends = self.ends();
        // Ends to which nothing leads as the player plays are listed too.
        for &place in lines.keys() {
            if known.moves(place, self.language).is_empty() {
                let kind = if self.is_players(place) {
                    ForecastKind::End
                } else {
                    ForecastKind::Unanswered
                };
                ends.entry((kind, place, None)).or_default();
            }
        }
        let nobody = MetPosition::default();
        let mut forecast = RepertoireForecast {
            name: self.repertoire.name.to_owned(),
            side: ["white", "black"][self.repertoire.side],
            positions: known.len() as u64,
            games: self.games,
            left: 0.0,
            ended: 0.0,
            unknown: 0.0,
            holes: Vec::new(),
            ends: Vec::new(),
        };
        for ((kind, place, key), probability) in ends {
            let met = self.met.get(&place).unwrap_or(&nobody);
            let mut moves = lines.get(&place).cloned().unwrap_or_default();
            let (games, chances, at) = match key.map(|key| &met.next[&key]) {
                Some(played) => {
                    let (way, at) = search::line_with_end(&self.start, &played.way, self.language);
                    moves.extend(way.into_iter().next_back());
                    (&played.games, met.chances(), at)
                }
                None => (&met.games, met.games.len(), known.position(place).clone()),
            };
            let own = || games.iter().map(|&game| &all[game as usize]);
            let line = ForecastLine {
                kind,
                moves,
                probability,
                chances: chances as u64,
                results: results::figures(own(), expectation),
                recent: own().filter(|game| game.is_recent).count() as u64,
                last_year: own().map(PlayerGame::year).max().filter(|&year| year > 0),
                fen: at.fen(),
                at,
            };
            let (sum, list) = match kind {
                ForecastKind::Missing | ForecastKind::Unanswered => {
                    (&mut forecast.left, &mut forecast.holes)
                }
                ForecastKind::End => (&mut forecast.ended, &mut forecast.ends),
                ForecastKind::Unknown => (&mut forecast.unknown, &mut forecast.ends),
            };
            *sum += probability;
            list.push(line);
        }
        for list in [&mut forecast.holes, &mut forecast.ends] {
            list.sort_by(|one, other| {
                let by_probability = other.probability.total_cmp(&one.probability);
                by_probability.then_with(|| one.moves.cmp(&other.moves))
            });
        }
        forecast
    }
}
