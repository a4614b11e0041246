//! How a player scores in endings and pawn structures, against what is to be expected of them.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::{games::PlayerGame, results};
use crate::{
    base::record::GameId,
    reports::{
        expectation::ExpectedScores,
        figures::{DIFF_MIN, Difference, Figures, SCORE_MIN, ScoreRecord, SideResult},
        significance::discoveries,
        structures::{EndingFamily, NAMED_STRUCTURES, ReachScan, ReachedEnding},
    },
    search,
    store::{Store, StoreError},
};

/// Pawns more or fewer that make a difference of their own: further ones count as these.
const PAWNS_MAX: i8 = 2;

/// Games of others with an ending and a pawn difference that say what is usual there.
const USUAL_MIN: u64 = 15;

/// What is left of a difference of ratings once an ending is on the board.
const RATING_PART: f64 = 0.5;

/// One mark in ten may be false.
const FALSE_RATE: f64 = 0.10;

/// An ending as one side has it: its pieces, and its pawns less those of the other side.
type EndingCase = (EndingFamily, i8);

fn case_of(ending: &ReachedEnding, side: usize) -> EndingCase {
    let (family, pawns) = match side {
        0 => (ending.family, ending.pawn_difference),
        _ => (ending.family.flipped(), -ending.pawn_difference),
    };
    (family, pawns.clamp(-PAWNS_MAX, PAWNS_MAX))
}

/// How endings of a kind went.
#[derive(Debug, Clone, Copy, Default)]
struct UsualScore {
    games: u64,
    score: f64,
    squares: f64,
    expected: f64,
}

impl UsualScore {
    fn mean(&self) -> f64 {
        self.score / self.games as f64
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        (self.squares / self.games as f64 - mean * mean).max(0.0)
    }
}

/// How endings go between others.
#[derive(Debug, Default)]
pub(super) struct UsualEndings {
    cases: HashMap<EndingCase, UsualScore>,
    games: u64,
    scan: ReachScan,
}

impl UsualEndings {
    /// Adds a game of others, seen from White; only with both ratings and a result.
    pub(super) fn add(
        &mut self,
        line: &search::LineVisit<'_>,
        white: &SideResult,
        expectation: &ExpectedScores,
    ) {
        let Some((score, expected)) = expected_score(white, expectation) else {
            return;
        };
        self.games += 1;
        let (_, endings) = self.scan.scan(line.start, line.plies, 0);
        for ending in endings {
            for side in 0..2 {
                let (score, expected) = match side {
                    0 => (score, expected),
                    _ => (1.0 - score, 1.0 - expected),
                };
                let usual = self.cases.entry(case_of(ending, side)).or_default();
                usual.games += 1;
                usual.score += score;
                usual.squares += score * score;
                usual.expected += expected;
            }
        }
    }
}

/// The score of a game and what its ratings let expect, if both are known.
fn expected_score(view: &SideResult, expectation: &ExpectedScores) -> Option<(f64, f64)> {
    let residual = view.residual(expectation)?;
    let score = f64::from(view.half_points?) / 2.0;
    Some((score, score - residual))
}

/// Endings of a player, or structures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerEnding {
    /// The pieces of both sides, the player's first: `KRvKB`; of a structure its word: `iqp`.
    pub key: String,
    /// What players call it.
    pub title: String,
    /// Of a structure, who has it: `player` or `opponent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whose: Option<&'static str>,
    /// The games. Of endings the expected score and the difference are those of the kind of ending.
    #[serde(flatten)]
    pub results: Figures,
    /// How probable such a distance from the player's own mean is by chance; `None` of fewer than 20
    /// games.
    pub p: Option<f64>,
    /// `up` or `down` if the distance is more than chance.
    pub marked: Option<&'static str>,
}

/// The endings or structures of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct PlayerEndings {
    /// All of them: a game counts in each that it reaches.
    pub games: u64,
    /// The player's mean difference, with which each kind is compared.
    pub diff: Option<f64>,
    /// Two standard errors of it.
    pub diff_2se: Option<f64>,
    /// Games of others that say how such endings go; `None` of structures.
    pub usual_games: Option<u64>,
    /// How many kinds were tested.
    pub tested: u64,
    /// The kinds with six games or more, most games first.
    pub kinds: Vec<PlayerEnding>,
}

/// Endings of a kind, summed up.
#[derive(Debug, Default)]
struct EndingSum {
    record: ScoreRecord,
    games: u64,
    expected: f64,
    residual: f64,
    squares: f64,
    /// The spread that is usual, summed up.
    usual: f64,
    /// Games by case, each with the variance of what is expected of it.
    cases: BTreeMap<EndingCase, (u64, f64)>,
}

impl EndingSum {
    fn add(&mut self, view: &SideResult, (case, usual): (EndingCase, &UsualScore), expected: f64) {
        let Some(half_points) = view.half_points else {
            return;
        };
        let residual = f64::from(half_points) / 2.0 - expected;
        self.record.add(view, None);
        self.games += 1;
        self.expected += expected;
        self.residual += residual;
        self.squares += residual * residual;
        let variance = usual.variance();
        self.usual += variance;
        let of_case = self.cases.entry(case).or_default();
        *of_case = (of_case.0 + 1, variance / usual.games as f64);
    }

    /// The mean of score less expected score. Its error is that of these games, whose spread is at
    /// least the usual one, and of the games that it is expected by.
    fn difference(&self) -> Option<Difference> {
        if self.games < DIFF_MIN {
            return None;
        }
        let games = self.games as f64;
        let value = self.residual / games;
        let spread = (self.squares / games - value * value) * games / (games - 1.0);
        let own = spread.max(self.usual / games) / games;
        let expected = self.cases.values().map(|&(of_case, variance)| {
            let part = of_case as f64 / games;
            part * part * variance
        });
        Some(Difference {
            value,
            error: (own + expected.sum::<f64>()).sqrt(),
        })
    }

    fn figures(&self) -> Figures {
        let diff = self.difference();
        let mut figures = self.record.figures();
        figures.rated = self.games;
        figures.expected = figures.score.map(|_| self.expected / self.games as f64);
        figures.diff = diff.map(|diff| diff.value);
        figures.diff_2se = diff.map(|diff| 2.0 * diff.error);
        figures.why = match self.games {
            ..SCORE_MIN => Some("fewer than 6 games with a result"),
            SCORE_MIN..DIFF_MIN => Some("fewer than 20 games with both ratings"),
            _ => None,
        };
        figures
    }
}

/// Tests kinds against the player's own mean, and marks those that are away from it.
fn mark(kinds: &mut [PlayerEnding], own: Option<f64>) -> u64 {
    let Some(own) = own else {
        return 0;
    };
    for kind in &mut *kinds {
        let diff = kind.results.diff.zip(kind.results.diff_2se);
        kind.p = diff.map(|(value, error)| {
            let away = Difference {
                value: value - own,
                error: error / 2.0,
            };
            away.probability()
        });
    }
    let tested: Vec<f64> = kinds.iter().filter_map(|kind| kind.p).collect();
    let found = discoveries(&tested, FALSE_RATE);
    let with_p = kinds.iter_mut().filter(|kind| kind.p.is_some());
    for (kind, is_found) in with_p.zip(found) {
        let is_above = kind.results.diff.is_some_and(|diff| diff > own);
        kind.marked = is_found.then_some(if is_above { "up" } else { "down" });
    }
    tested.len() as u64
}

/// The endings and the structures of a player's games.
pub(super) fn read(
    store: &Store,
    games: &[PlayerGame],
    usual: &UsualEndings,
    expectation: Option<&ExpectedScores>,
) -> Result<(PlayerEndings, PlayerEndings), StoreError> {
    let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
    let mut scan = ReachScan::default();
    let mut all = EndingSum::default();
    let mut families: HashMap<EndingFamily, EndingSum> = HashMap::new();
    let mut structures: BTreeMap<(usize, bool), Vec<&PlayerGame>> = BTreeMap::new();
    let mut at = 0;
    search::each_line(store, &ids, &mut |line| {
        while ids[at] != line.game {
            at += 1;
        }
        let game = &games[at];
        let (reached, endings) = scan.scan(line.start, line.plies, 0);
        for (structure, sides) in reached.iter().enumerate() {
            for side in (0..2).filter(|side| sides >> side & 1 == 1) {
                let place = (structure, side == game.side);
                structures.entry(place).or_default().push(game);
            }
        }
        let Some(fitted) = game.expected(expectation) else {
            return Ok(());
        };
        let Some((_, expected)) = expected_score(&game.view, fitted) else {
            return Ok(());
        };
        for ending in endings {
            let case = case_of(ending, game.side);
            let Some(usual) = usual.cases.get(&case) else {
                continue;
            };
            if usual.games >= USUAL_MIN {
                let edge = expected - usual.expected / usual.games as f64;
                let expected = (usual.mean() + RATING_PART * edge).clamp(0.0, 1.0);
                all.add(&game.view, (case, usual), expected);
                let family = families.entry(case.0).or_default();
                family.add(&game.view, (case, usual), expected);
            }
        }
        Ok(())
    })?;
    let mut endings = PlayerEndings {
        games: all.games,
        usual_games: Some(usual.games),
        ..PlayerEndings::default()
    };
    endings.own(all.difference());
    let kinds = families.into_iter().map(|(family, sum)| PlayerEnding {
        key: family.letters(),
        title: family.title(),
        whose: None,
        results: sum.figures(),
        p: None,
        marked: None,
    });
    endings.put(kinds);
    let mut of_structures = PlayerEndings::default();
    let own = results::record(games.iter(), expectation);
    of_structures.own(
        own.residuals
            .mean()
            .filter(|_| own.residuals.games >= DIFF_MIN),
    );
    let kinds = structures.into_iter().map(|((structure, is_own), games)| {
        let named = &NAMED_STRUCTURES[structure];
        of_structures.games += games.len() as u64;
        PlayerEnding {
            key: named.key.to_owned(),
            title: named.title.to_owned(),
            whose: Some(if is_own { "player" } else { "opponent" }),
            results: results::figures(games.into_iter(), expectation),
            p: None,
            marked: None,
        }
    });
    let kinds: Vec<PlayerEnding> = kinds.collect();
    of_structures.put(kinds.into_iter());
    Ok((endings, of_structures))
}

impl PlayerEndings {
    fn own(&mut self, diff: Option<Difference>) {
        self.diff = diff.map(|diff| diff.value);
        self.diff_2se = diff.map(|diff| 2.0 * diff.error);
    }

    /// Takes the kinds, and tests them.
    fn put(&mut self, kinds: impl Iterator<Item = PlayerEnding>) {
        let is_enough = |kind: &PlayerEnding| kind.results.games >= SCORE_MIN;
        self.kinds = kinds.filter(is_enough).collect();
        self.kinds.sort_by(|one, other| {
            let by_games = other.results.games.cmp(&one.results.games);
            by_games.then_with(|| (&one.key, one.whose).cmp(&(&other.key, other.whose)))
        });
        self.tested = mark(&mut self.kinds, self.diff);
    }
}
