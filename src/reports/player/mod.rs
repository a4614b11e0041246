//! What there is to know of a player before a game: results, openings, what has come up and gone,
//! games that the player lost.

mod changes;
mod clock;
mod endings;
mod errors;
mod forecast;
mod games;
mod lines;
mod openings;
mod results;
mod speed;
mod tree;

use std::collections::HashSet;

use serde::Serialize;

pub use changes::{LineChange, LineChanges, RareLine};
pub use clock::{ClockClass, PlayerClock};
pub use endings::{PlayerEnding, PlayerEndings};
pub use errors::{ErrorCounts, ErrorRow, PlayerErrors};
pub use forecast::{ForecastKind, ForecastLine, RepertoireForecast, RepertoireInput};
pub use games::GamesLeftOut;
pub use openings::PlayerOpening;
pub use tree::PlayerLine;

use super::{
    expectation::ExpectedScores,
    figures::{FigureRow, SCORE_MIN, SideResult},
    sample::{GAMES_MAX, name_all},
    structures::ReachScan,
};
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    blocks::facts::FactColumn,
    games::{self as rules, AnyPosition, notation::letters::Language},
    pgn::tags::date::PgnDate,
    search::{self, AccessPlan, GameReader, MatchedPlayer, SingleGame, SpellingGames},
    store::{Store, StoreError},
};
use clock::ClockTally;
use endings::UsualEndings;
use errors::ErrorTally;
use games::{PlayerGame, PlayerGames};
use lines::{ClassMoves, PlayerLines};

/// How far below the player's median both players of a game are rated that is compared with.
const CLASS_BELOW: u16 = 200;

/// Games that are listed of those that the player lost, of each side; and against one opponent.
const MODELS: usize = 8;
const MEETINGS: usize = 12;

/// Games of one line among those that the player lost.
const MODELS_OF_LINE: usize = 2;

/// Between the first and the last game of one player there are hardly more years.
const CAREER_YEARS: u32 = 60;

/// What a report on a player has.
#[derive(Debug, Clone, Copy)]
pub struct PlayerReportOptions {
    /// The first day that is recent; `None` is 24 months before the last dated game.
    pub since: Option<PgnDate>,
    /// The side that the reader will have: the player's lines with the other side come first.
    pub reader_side: Option<usize>,
    /// The share of the games of a side down to which lines are shown, 0 to 1.
    pub share_min: f64,
    /// The language of the moves.
    pub language: &'static Language,
}

/// Who the player is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerIdentity {
    /// The spelling that most games have.
    pub name: String,
    /// All spellings that are joined, with their games.
    pub spellings: Vec<SpellingGames>,
    /// The FIDE IDs in the games.
    pub fide_ids: Vec<u32>,
    /// The first and the last year.
    pub years: Option<(u32, u32)>,
    /// The highest rating.
    pub top_rating: Option<u16>,
    /// The median of the ratings.
    pub median_rating: Option<u16>,
    /// Other players whose names fit as well, and whose games are not counted.
    pub others: Vec<SpellingGames>,
}

/// The games of others that lines are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct ClassGames {
    /// Both players are rated this or higher; `None` if the player has no rating.
    pub min_rating: Option<u16>,
    /// The games.
    pub games: u64,
    /// One of how many games was looked at.
    pub every: u64,
}

/// A game that the player lost in one of the lines.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelGame {
    /// The player's side.
    pub color: &'static str,
    /// The line.
    pub line: Vec<String>,
    /// The game.
    #[serde(flatten)]
    pub game: SingleGame,
    /// The opponent's rating.
    pub opponent_rating: Option<u16>,
}

/// The games against one opponent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeadToHead {
    /// The opponent.
    pub name: String,
    /// All games, and those with each side.
    pub results: Vec<FigureRow>,
    /// The last games, latest first.
    pub games: Vec<SingleGame>,
    /// The opponent's spellings.
    #[serde(skip)]
    pub spellings: Vec<String>,
}

/// A report on a player. Scores are the player's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerReport {
    /// Who it is.
    pub player: PlayerIdentity,
    /// Whose scores these are: `player`.
    pub view: &'static str,
    /// The variant of the games.
    pub variant: &'static str,
    /// The side of the player that comes first.
    pub first_color: &'static str,
    /// White's advantage in the database, in rating points; `None` where ratings are not used.
    pub white_advantage: Option<f64>,
    /// The first day that is recent.
    pub since: String,
    /// What is left out.
    pub left_out: GamesLeftOut,
    /// What may be wrong with the games.
    pub warnings: Vec<String>,
    /// Results: all, by colour, recent, by time class, by opponents, by year.
    pub results: Vec<FigureRow>,
    /// All games, if they are fewer than six.
    pub few_games: Vec<SingleGame>,
    /// The lines, those of the first side first.
    pub lines: Vec<PlayerLine>,
    /// Why there are no lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_why: Option<&'static str>,
    /// The games of others that lines are compared with.
    pub compared_with: ClassGames,
    /// What stands out among the lines.
    #[serde(flatten)]
    pub changes: LineChanges,
    /// The openings of both sides.
    pub openings: Vec<PlayerOpening>,
    /// The endings that games reach.
    pub endings: PlayerEndings,
    /// The pawn structures that games reach.
    pub structures: PlayerEndings,
    /// Games by the clock.
    pub clock: PlayerClock,
    /// Errors by the evaluations in the games.
    pub errors: PlayerErrors,
    /// Games that the player lost in these lines.
    pub models: Vec<ModelGame>,
    /// The games against one opponent, if one was named.
    pub against: Option<HeadToHead>,
    /// What to expect of a repertoire, if one was given that has the start position.
    pub repertoire: Option<RepertoireForecast>,
    /// The games.
    #[serde(skip)]
    pub games: Vec<GameId>,
    /// Whether these are all games of the variant by players of these spellings.
    #[serde(skip)]
    pub has_all_games: bool,
    /// Those of which nothing is expected, as their ratings are of other games.
    #[serde(skip)]
    pub not_expected: Vec<GameId>,
    /// Whether moves are in English.
    #[serde(skip)]
    pub is_english: bool,
}

/// What a report on a player also looks at.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayerReportInput<'i> {
    /// The games against this player.
    pub against: Option<&'i MatchedPlayer>,
    /// What to expect of this repertoire.
    pub repertoire: Option<RepertoireInput<'i>>,
}

/// Reports on a player, in the games of a plan.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, or the end was requested.
pub fn report(
    store: &Store,
    (player, plan): (&MatchedPlayer, &AccessPlan),
    input: &PlayerReportInput<'_>,
    options: &PlayerReportOptions,
    observer: &dyn Observer,
) -> Result<PlayerReport, StoreError> {
    let mut plan = plan.clone();
    player.require(&mut plan);
    let ids = search::all_games(store, &plan)?;
    let since = options.since.map(PgnDate::to_packed);
    let mut known = PlayerGames::read(store, player, &ids, since)?;
    let _ = observer.on(Event::Phase {
        name: "following games",
        steps: None,
    });
    let is_chess = rules::moves_as_chess(known.variant);
    let expectation = is_chess.then(|| ExpectedScores::read(store)).transpose()?;
    let expectation = expectation.as_ref();
    let since = PgnDate::from_packed(known.since).iso_prefix();
    let sides = match options.reader_side {
        Some(0) => [1, 0],
        _ => [0, 1],
    };
    let (mut lines, mut changes, mut class) = Default::default();
    let (mut models, mut lines_why) = (Vec::new(), None);
    let mut repertoire = None;
    let mut usual = UsualEndings::default();
    let mut own_games = 0;
    match AnyPosition::start(known.variant) {
        Some(start) if !known.all.is_empty() => {
            if let Some(input) = &input.repertoire {
                let place = (&known.all[..], start.clone());
                let asked = (expectation, options.language);
                repertoire = forecast::read(store, place, input, asked)?;
            }
            let first = PlayerLines::read(store, &known.all, start)?;
            known.left_out.set_ups = first.set_ups;
            lines = lines_of(&first, &known.all, sides, (expectation, options));
            let moves;
            let compared = (&mut usual, expectation);
            (class, moves, own_games) = class_of(store, (player, &ids), &known, &first, compared)?;
            changes = changes::find(&first, &known.all, &moves, options.language);
            models = models_of(store, &lines, &known.all)?;
        }
        Some(_) => {}
        None => lines_why = Some("the variant has no standard start position"),
    }
    let (endings, structures) = if is_chess {
        endings::read(store, &known.all, &usual, expectation)?
    } else {
        Default::default()
    };
    let (clock, errors) = annotated(store, &known.all, expectation, is_chess)?;
    let few: &[PlayerGame] = match known.all.len() as u64 {
        0..SCORE_MIN => &known.all,
        _ => &[],
    };
    let against = (input.against)
        .map(|opponent| head_to_head(store, opponent, &known.all, expectation))
        .transpose()?;
    Ok(PlayerReport {
        player: identity(player, &known),
        view: "player",
        variant: known.variant.name,
        first_color: ["white", "black"][sides[0]],
        white_advantage: expectation.map(|fitted| fitted.advantage),
        left_out: known.left_out,
        warnings: warnings(player, &known),
        results: results::rows(&known.all, &since, expectation),
        since,
        few_games: single(store, few.iter())?,
        lines,
        lines_why,
        compared_with: class,
        changes,
        openings: openings::read(store, &known.all, expectation)?,
        endings,
        structures,
        clock,
        errors,
        models,
        against,
        repertoire,
        has_all_games: known.all.len() as u64 == own_games,
        games: known.all.iter().map(|game| game.id).collect(),
        not_expected: (known.all.iter())
            .filter(|game| speed::NOT_EXPECTED.contains(&game.speed))
            .map(|game| game.id)
            .collect(),
        is_english: options.language.is_english(),
    })
}

fn identity(player: &MatchedPlayer, known: &PlayerGames) -> PlayerIdentity {
    PlayerIdentity {
        name: player.name.clone(),
        spellings: player.spellings.clone(),
        fide_ids: player.fide_ids.clone(),
        years: known.years(),
        top_rating: known.ratings.map(|(_, top)| top),
        median_rating: known.ratings.map(|(median, _)| median),
        others: player.others.clone(),
    }
}

fn warnings(player: &MatchedPlayer, known: &PlayerGames) -> Vec<String> {
    let mut warnings = Vec::new();
    if let [one, other, ..] = player.fide_ids[..] {
        warnings.push(format!(
            "the games have several FIDE IDs, such as {one} and {other}: they may be of several players"
        ));
    }
    if let Some((first, last)) = known.years()
        && last - first > CAREER_YEARS
    {
        warnings.push(format!(
            "from {first} to {last} is long for a career: the games may be of several players"
        ));
    }
    warnings
}

fn lines_of(
    first: &PlayerLines,
    games: &[PlayerGame],
    sides: [usize; 2],
    (expectation, options): (Option<&ExpectedScores>, &PlayerReportOptions),
) -> Vec<PlayerLine> {
    let mut lines = Vec::new();
    for side in sides {
        let own = games.iter().filter(|game| game.side == side).count();
        let games_min = (own as f64 * options.share_min).ceil() as usize;
        lines.append(&mut tree::of_side(
            first,
            (games, side),
            games_min,
            (expectation, options.language),
        ));
    }
    lines
}

/// Games of others of like strength, what they play in the player's positions, and how many games
/// the player's names have.
fn class_of(
    store: &Store,
    (player, ids): (&MatchedPlayer, &[GameId]),
    known: &PlayerGames,
    lines: &PlayerLines,
    (usual, expectation): (&mut UsualEndings, Option<&ExpectedScores>),
) -> Result<(ClassGames, ClassMoves, u64), StoreError> {
    let min_rating = known
        .ratings
        .map(|(median, _)| median.saturating_sub(CLASS_BELOW));
    let least = min_rating.map_or(0, u32::from);
    let own: HashSet<GameId> = ids.iter().copied().collect();
    let removed = store.removed()?;
    let columns = [
        FactColumn::White,
        FactColumn::Black,
        FactColumn::WhiteElo,
        FactColumn::BlackElo,
        FactColumn::Variant,
    ];
    let rows = player.rows();
    let (mut others, mut own_games) = (Vec::new(), 0);
    store.for_each_facts(&columns, |game, facts| {
        let is_own = rows.contains(&facts.white) || rows.contains(&facts.black);
        let is_same = facts.variant == u32::from(known.variant.id);
        own_games += u64::from(is_own && is_same && !removed.contains(game));
        if facts.white_elo >= least
            && facts.black_elo >= least
            && is_same
            && !is_own
            && !own.contains(&game)
            && !removed.contains(game)
        {
            others.push(game);
        }
    })?;
    let every = others.len().div_ceil(GAMES_MAX).max(1);
    let others: Vec<GameId> = others.into_iter().step_by(every).collect();
    let mut facts = store.facts();
    let plies = usize::from(changes::PLIES);
    let moves = ClassMoves::read(store, &others, (lines, plies), |line| {
        if let Some(expectation) = expectation {
            let white = SideResult::of(&facts.get(line.game)?, 0);
            usual.add(line, &white, expectation);
        }
        Ok(())
    })?;
    let class = ClassGames {
        min_rating,
        games: others.len() as u64,
        every: every as u64,
    };
    Ok((class, moves, own_games))
}

/// What the clocks and the evaluations in games say; evaluations are of chess.
fn annotated(
    store: &Store,
    games: &[PlayerGame],
    expectation: Option<&ExpectedScores>,
    is_chess: bool,
) -> Result<(PlayerClock, PlayerErrors), StoreError> {
    let mut reader = GameReader::new(store);
    let (mut clock, mut errors) = (ClockTally::default(), ErrorTally::default());
    let mut scan = ReachScan::default();
    for game in games {
        store.go_on()?;
        let moves = reader.move_annotations(game.id)?;
        let mut base = None;
        if moves.iter().any(|own| own.time_left_ms.is_some()) {
            base = clock::base_of(&reader.time_control(game.id)?);
        }
        if let Some(base) = base {
            clock.add(game, &moves, base);
        }
        if is_chess && moves.iter().any(|own| own.evaluation.is_some()) {
            let line = reader.main_line(game.id)?;
            let ending = line.and_then(|(start, plies)| {
                let (_, endings) = scan.scan(&start, &plies, 0);
                Some(endings.first()?.ply)
            });
            errors.add(game, &moves, (ending, base.map(|(base, _)| base)));
        }
    }
    Ok((clock.figures(expectation), errors.figures(expectation)))
}

/// Games that the player lost in the lines: first to opponents who were rated no higher, then the
/// latest.
fn models_of(
    store: &Store,
    lines: &[PlayerLine],
    games: &[PlayerGame],
) -> Result<Vec<ModelGame>, StoreError> {
    // The deepest line of each game.
    let mut of_game: Vec<Option<usize>> = vec![None; games.len()];
    for (at, line) in lines.iter().enumerate() {
        for &(game, _) in &line.places {
            let deepest = &mut of_game[game as usize];
            if deepest.is_none_or(|other| lines[other].moves.len() < line.moves.len()) {
                *deepest = Some(at);
            }
        }
    }
    let mut lost: Vec<(usize, &PlayerGame)> = (of_game.iter().zip(games))
        .filter(|(_, game)| game.lost())
        .filter_map(|(line, game)| Some(((*line)?, game)))
        .collect();
    lost.sort_by_key(|(_, game)| {
        let is_stronger = game.view.opponent_rating > game.view.rating;
        (is_stronger, std::cmp::Reverse(game.facts.date), game.id)
    });
    let mut models: Vec<ModelGame> = Vec::new();
    for (at, game) in lost {
        let line = &lines[at];
        let of_side = models.iter().filter(|model| model.color == line.color);
        let of_line = of_side.clone().filter(|model| model.line == line.moves);
        if of_side.count() < MODELS && of_line.count() < MODELS_OF_LINE {
            models.push(ModelGame {
                color: line.color,
                line: line.moves.clone(),
                game: SingleGame {
                    id: game.id,
                    ..SingleGame::default()
                },
                opponent_rating: game.view.opponent_rating,
            });
        }
    }
    name_all(store, models.iter_mut().map(|model| &mut model.game))?;
    Ok(models)
}

fn single<'g>(
    store: &Store,
    games: impl Iterator<Item = &'g PlayerGame>,
) -> Result<Vec<SingleGame>, StoreError> {
    let mut single: Vec<SingleGame> = games
        .map(|game| SingleGame {
            id: game.id,
            ..SingleGame::default()
        })
        .collect();
    name_all(store, single.iter_mut())?;
    Ok(single)
}

fn head_to_head(
    store: &Store,
    opponent: &MatchedPlayer,
    games: &[PlayerGame],
    expectation: Option<&ExpectedScores>,
) -> Result<HeadToHead, StoreError> {
    let mut met: Vec<&PlayerGame> = (games.iter())
        .filter(|game| opponent.side(game.id, &game.facts) != game.side)
        .filter(|game| {
            let row = [game.facts.black, game.facts.white][game.side];
            opponent.rows().contains(&row)
        })
        .collect();
    let row =
        |by: &'static str, key: &str, games: &mut dyn Iterator<Item = &PlayerGame>| FigureRow {
            by,
            key: key.to_owned(),
            figures: results::figures(games, expectation),
        };
    let mut results = vec![row("all", "all", &mut met.iter().copied())];
    for (side, key) in ["white", "black"].into_iter().enumerate() {
        let mut own = met.iter().copied().filter(|game| game.side == side);
        results.push(row("color", key, &mut own));
    }
    met.sort_by_key(|game| std::cmp::Reverse((game.facts.date, game.id)));
    Ok(HeadToHead {
        name: opponent.name.clone(),
        results,
        games: single(store, met.into_iter().take(MEETINGS))?,
        spellings: (opponent.spellings.iter())
            .map(|one| one.name.clone())
            .collect(),
    })
}
