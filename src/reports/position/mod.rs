//! What is known of a position: who plays it, what is played next, what both sides do then, which
//! structures and endings follow, and which games to look at.

mod game;
mod moves;
mod novelties;
mod orders;

use serde::Serialize;

use super::{
    expectation::ExpectedScores,
    figures::{Figures, ScoreRecord, SideResult},
    plans::{PlanLimits, PlanList, PlanMiner, SquareLabels, SquareSymmetry, StepRules},
    sample::{GAMES_MAX, baseline, name_all, rules_of},
    structures::{ReachScan, ReachedFigures, Reaching},
    timeline::{self, YearFigures},
};
use crate::{
    base::{
        observe::{Event, Observer},
        record::OpeningName,
    },
    games::{AnyPosition, notation::letters::Language, symmetry::Symmetry, variant::Variant},
    query::{GroupKey, PositionQuery},
    search::{self, AccessPlan, NameJoining, SingleGame},
    store::{Store, StoreError},
};

use game::ReportGame;
pub(crate) use moves::mark_trends;
pub use moves::{MoveFigures, Trend};
pub use novelties::NoveltyOfYear;
pub use orders::MoveOrder;

/// What a report is to have.
#[derive(Debug, Clone, Copy)]
pub struct ReportOptions {
    /// Plies that games are followed after the position.
    pub window: u32,
    /// Which steps and plans are shown.
    pub limits: PlanLimits,
    /// The language of the moves.
    pub language: &'static Language,
}

/// A player, and the games with the position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerShare {
    /// The name, with other spellings joined.
    pub name: String,
    /// The games.
    pub games: u64,
    /// Points per game of the player, 0 to 1.
    pub score: Option<f64>,
    /// The last year.
    pub last_year: Option<u16>,
}

/// A report on a position. Scores are those of the side to move, except where a part says other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PositionReport {
    /// The position in FEN.
    pub fen: String,
    /// The position.
    #[serde(skip)]
    pub at: AnyPosition,
    /// The number of the next move.
    #[serde(skip)]
    pub number: (u32, bool),
    /// Its name, or the last one on the way there by most games.
    pub opening: Option<OpeningName>,
    /// The moves by which most games reach it.
    pub moves: Vec<String>,
    /// Whose scores these are: `white` or `black`, the side to move.
    pub view: &'static str,
    /// White's advantage in the database, in rating points; `None` where ratings are not used.
    pub white_advantage: Option<f64>,
    /// The games.
    pub results: Figures,
    /// Those who play it as White, most games first.
    pub white_players: Vec<PlayerShare>,
    /// Likewise as Black.
    pub black_players: Vec<PlayerShare>,
    /// The next moves, most played first.
    pub next: Vec<MoveFigures>,
    /// The games that end in the position.
    pub ends_here: u64,
    /// What both sides do; `None` for games whose pieces cannot be followed.
    pub plans: Option<PlanList>,
    /// Why there are no plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plans_why: Option<&'static str>,
    /// Pawn structures that follow, most games first.
    pub structures: Vec<ReachedFigures>,
    /// Endings that follow.
    pub endings: Vec<ReachedFigures>,
    /// The orders of moves that lead here, most games first.
    pub orders: Vec<MoveOrder>,
    /// New moves that others have followed, by year; `None` if there are too many games.
    pub novelties: Option<Vec<NoveltyOfYear>>,
    /// Games that White has won, highest ratings first.
    pub white_models: Vec<SingleGame>,
    /// Games that Black has won.
    pub black_models: Vec<SingleGame>,
    /// The games of each year.
    pub years: Vec<YearFigures>,
    /// Games without a year.
    pub undated: u64,
}

/// Reports on the games of a plan that reach its position.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, or the end was requested.
pub fn report(
    store: &Store,
    (plan, position): (&AccessPlan, &PositionQuery),
    options: &ReportOptions,
    observer: &dyn Observer,
) -> Result<PositionReport, StoreError> {
    let asked = &position.position;
    let view = asked.turn() & 1;
    let rules = rules_of(asked.variant());
    let is_chess = rules == Ok(StepRules::Pieces);
    let games = search::all_games(store, plan)?;
    let _ = observer.on(Event::Phase {
        name: "following games",
        steps: Some(games.len() as u64),
    });
    let own_rules = |id: u32| {
        let row = u8::try_from(id).ok().and_then(Variant::by_id);
        row.is_some_and(|row| row.rules == asked.variant().rules)
    };
    let expectation = is_chess.then(|| ExpectedScores::read(store)).transpose()?;
    let every = games.len().div_ceil(GAMES_MAX).max(1);
    let mut miner = rules.map(|rules| PlanMiner::new(rules, options.window, expectation));
    let as_it_stands = SquareSymmetry::new(&asked.diagram(), Symmetry::None);
    let mut reached = Reaching::default();
    let mut scan = ReachScan::default();
    let mut orders = orders::OrderCounts::default();
    let mut seen = novelties::SeenPositions::default();
    let (mut all, mut facts) = (Vec::with_capacity(games.len()), store.facts());
    search::each_visit(store, position, &games, &mut |visit| {
        let game = ReportGame {
            id: visit.game,
            facts: facts.get(visit.game)?,
            next: visit.next,
        };
        orders.add(visit);
        if every == 1 {
            seen.add(visit);
        }
        if all.len() % every == 0
            && let Ok(miner) = &mut miner
        {
            let line = (visit.start, visit.plies, visit.ply);
            let place = miner.add((game.id, &game.facts), line, &as_it_stands);
            if let Some(place) = place.filter(|_| is_chess) {
                let (structures, endings) = scan.scan(visit.start, visit.plies, visit.ply);
                reached.add(place, structures, endings, view);
            }
        }
        all.push(game);
        if all.len() % 1024 == 0 {
            let _ = observer.on(Event::Steps { steps: 1024 });
        }
        Ok(())
    })?;
    let orders = orders.most(&all, options.language);
    let moves = orders
        .first()
        .map_or_else(Vec::new, |order| order.moves.clone());
    let opening = asked.named_opening().map(OpeningName::from);
    let opening = opening.or_else(|| orders.first().and_then(|order| order.opening.clone()));
    let dated = all.iter().map(|game| (&game.facts, view));
    let (years, undated) = timeline::years(store, dated, expectation.as_ref(), own_rules)?;
    let mut results = ScoreRecord::default();
    for game in &all {
        results.add(&SideResult::of(&game.facts, view), expectation.as_ref());
    }
    let (next, ends_here) =
        moves::next(&all, (asked, view), expectation.as_ref(), options.language);
    let mut report = PositionReport {
        fen: asked.fen(),
        at: asked.clone(),
        number: number_of(asked, &moves),
        opening,
        moves,
        view: ["white", "black"][view],
        white_advantage: expectation.map(|fitted| fitted.advantage),
        results: results.figures(),
        white_players: players(store, plan, GroupKey::White)?,
        black_players: players(store, plan, GroupKey::Black)?,
        next,
        ends_here,
        plans: None,
        plans_why: miner.as_ref().err().copied(),
        structures: Vec::new(),
        endings: Vec::new(),
        orders,
        novelties: None,
        white_models: models(&all, 0),
        black_models: models(&all, 1),
        years,
        undated,
    };
    if let Ok(mut miner) = miner
        && miner.games() > 0
    {
        let ply = report.orders.first().map_or(0, |order| order.plies);
        let baseline = baseline(store, miner.tracker(), own_rules, |_| ply)?;
        let names = SquareLabels::new(&asked.diagram(), true);
        let mut plans = super::plans::mine(&miner, &baseline, &names, (&options.limits, view));
        plans.every = every as u64;
        report.structures = reached.structures(&miner, view);
        report.endings = reached.endings(&miner, view);
        report.plans = Some(plans);
    }
    if every == 1 {
        report.novelties = Some(seen.novelties(store, &all, options.language)?);
    }
    name_games(store, &mut report)?;
    Ok(report)
}

/// The number of the next move: a FEN need not have the one that the games have.
fn number_of(at: &AnyPosition, moves: &[String]) -> (u32, bool) {
    if moves.is_empty() {
        return at.number();
    }
    let second = at.turn() & 1 == 1;
    ((moves.len() as u32 - u32::from(second)) / 2 + 1, second)
}

/// Players in a list.
const PLAYERS: usize = 5;

/// Names with the most games, among whose players those with the most games are.
const JOINED: usize = 60;

fn players(
    store: &Store,
    plan: &AccessPlan,
    side: GroupKey,
) -> Result<Vec<PlayerShare>, StoreError> {
    let groups = search::groups(store, plan, &[side], NameJoining::Most(JOINED), None)?;
    let known = groups
        .groups
        .into_iter()
        .filter(|group| !group.name.is_empty());
    Ok(known
        .take(PLAYERS)
        .map(|group| {
            let sum = &group.score;
            let decided = sum.white_wins + sum.draws + sum.black_wins;
            // Groups of Black's names are seen by Black.
            let points = sum.white_wins as f64 + sum.draws as f64 / 2.0;
            PlayerShare {
                name: group.name,
                games: group.score.games,
                score: (decided > 0).then(|| points / decided as f64),
                last_year: group.score.last_year,
            }
        })
        .collect())
}

/// Model games of a side.
const MODELS: usize = 4;

/// Games that a side has won against the strongest opponents, by the rating of the weaker player;
/// each against another one.
fn models(all: &[ReportGame], side: usize) -> Vec<SingleGame> {
    let won = |game: &&ReportGame| SideResult::of(&game.facts, side).half_points == Some(2);
    let mut games: Vec<&ReportGame> = all.iter().filter(won).collect();
    games.sort_by_key(|game| {
        let lower = game.facts.white_elo.min(game.facts.black_elo);
        (std::cmp::Reverse((lower, game.facts.date)), game.id)
    });
    let mut losers = Vec::new();
    let mut models = Vec::new();
    for game in games {
        let loser = [game.facts.black, game.facts.white][side];
        if !losers.contains(&loser) {
            losers.push(loser);
            models.push(SingleGame {
                id: game.id,
                ..SingleGame::default()
            });
        }
        if models.len() == MODELS {
            break;
        }
    }
    models
}

/// Reads what the lists show of their games.
fn name_games(store: &Store, report: &mut PositionReport) -> Result<(), StoreError> {
    let plans = report.plans.iter_mut().flat_map(PlanList::models);
    let novelties = report
        .novelties
        .iter_mut()
        .flatten()
        .map(|new| &mut new.game);
    let models = report
        .white_models
        .iter_mut()
        .chain(&mut report.black_models);
    name_all(store, plans.chain(novelties).chain(models))
}
