//! The API of lichess' opening explorer, as its clients know it (`docs/explorer.md`).
//!
//! [`params`] reads the query, [`answer`] writes what is found, [`game_id`] are the names of
//! games. The counting is that of `plydex tree`.

mod answer;
mod game_id;
mod params;

use self::params::{ExplorerParams, ExplorerPath};
use super::handler_error::{HandlerError, HandlerResult};
use super::request::Request;
use super::response::{AnswerWriter, Response};
use crate::base::record::GameId;
use crate::cli::commands::serve::{GameScope, ServePlan};
use crate::cli::commands::show::{self, ShowFormat, ShowPlan};
use crate::cli::error::CliError;
use crate::database::{AccessPlan, GameConditions, MoveNotation, Snapshot, SummaryParts};
use crate::pgn::tags::date::PgnDate;
use crate::pgn::tags::time_control::SpeedClass;
use crate::query::{GameCondition, NameField, PositionQuery, Ranges, RatingField, TagQuery};

/// Where PGN of a game is, by its id, with the old path.
const PGN_PATHS: [&str; 2] = ["/masters/pgn/", "/master/pgn/"];

/// Games of PGN, as lichess names their media type.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// One object of JSON a line.
const NDJSON: &str = "application/x-ndjson; charset=utf-8";

/// The path of a query about a position.
fn path_of(path: &str) -> Option<ExplorerPath> {
    Some(match path {
        "/masters" | "/master" => ExplorerPath::Masters,
        "/lichess" => ExplorerPath::Lichess {
            only_history: false,
        },
        "/lichess/history" => ExplorerPath::Lichess { only_history: true },
        "/player" | "/personal" => ExplorerPath::Player,
        _ => return None,
    })
}

/// Whether a path is one of this API.
pub(crate) fn is_path(path: &str) -> bool {
    path_of(path).is_some() || PGN_PATHS.iter().any(|begin| path.starts_with(begin))
}

/// The name of the database that a path asks, if there is one of that name.
pub(crate) fn source_name(path: &str) -> Option<&'static str> {
    match path_of(path) {
        Some(ExplorerPath::Masters) => Some("masters"),
        Some(ExplorerPath::Lichess { .. } | ExplorerPath::Player) => Some("lichess"),
        None => is_path(path).then_some("masters"),
    }
}

/// Whether a request is a look-up of a position among all games, or of a game.
pub(crate) fn is_cheap(request: &Request) -> bool {
    const OF_ALL_GAMES: [&str; 7] = [
        "fen",
        "play",
        "variant",
        "moves",
        "topGames",
        "recentGames",
        "source",
    ];
    let is_plain = || {
        let mut params = request.params.iter();
        params.all(|(name, _)| OF_ALL_GAMES.contains(&name.as_str()))
    };
    match path_of(&request.path) {
        Some(ExplorerPath::Player) => false,
        Some(_) => is_plain(),
        None => is_path(&request.path),
    }
}

/// Says that pages of other hosts may read it.
pub(crate) fn with_cors(response: Response) -> Response {
    response.with("Access-Control-Allow-Origin", "*")
}

/// What a browser asks before a page of another host may ask.
pub(crate) fn preflight(request: &Request, methods: &'static str) -> Response {
    let response = Response::empty(204);
    if !is_path(&request.path) {
        return response.with("Allow", methods);
    }
    let response = with_cors(response)
        .with("Access-Control-Allow-Methods", methods)
        .with("Access-Control-Allow-Headers", "authorization")
        .with("Access-Control-Max-Age", "86400");
    if request.is_remote {
        return response.with("Access-Control-Allow-Private-Network", "true");
    }
    response
}

/// Answers.
///
/// # Errors
///
/// [`HandlerError`].
pub(crate) fn answer(
    plan: &ServePlan,
    snapshot: &Snapshot<'_>,
    request: &Request,
) -> HandlerResult {
    let Some(path) = path_of(&request.path) else {
        let id = PGN_PATHS
            .iter()
            .find_map(|begin| request.path.strip_prefix(begin));
        return game(snapshot, id.unwrap_or_default());
    };
    let games = match path {
        ExplorerPath::Masters => &plan.masters,
        ExplorerPath::Lichess { .. } | ExplorerPath::Player => &plan.lichess,
    };
    let params = ExplorerParams::read(request, path).map_err(wrong)?;
    let conditions = conditions(snapshot, &params, games)?;
    let [ask_castling, ask_en_passant] = params.placed.knows;
    let position = PositionQuery {
        ask_castling,
        ask_en_passant,
        own_rules: true,
        ..PositionQuery::of(params.placed.at.clone())
    };
    let is_lichess = matches!(path, ExplorerPath::Lichess { .. });
    let top_mean = if is_lichess {
        params.top_mean()
    } else {
        Some(0)
    };
    let wanted = SummaryParts {
        moves: params.moves,
        top: if top_mean.is_some() { params.top } else { 0 },
        top_mean: top_mean.unwrap_or(0),
        recent: params.recent,
        months: params.history,
        // As lichess has it: a client that wants no games gets none.
        singles: !is_lichess || params.top + params.recent > 0,
        side: params.player.as_ref().map(|(_, side)| *side),
    };
    let mut found = snapshot.explore((&position, &conditions), wanted)?;
    if is_lichess {
        found.recent.truncate(8 - found.top.len().min(8));
    }
    let answer = answer::of(found, &params, path);
    if path != ExplorerPath::Player {
        return Response::json(&answer);
    }
    let line = |out: &mut AnswerWriter| Ok(crate::cli::render::json::line(out, &answer)?);
    let response = Response::written(NDJSON, line, HandlerError::Failed)?;
    Ok(response.with("X-Accel-Buffering", "no"))
}

fn wrong(message: String) -> HandlerError {
    HandlerError::Wrong(CliError::new(message))
}

/// The conditions of a request, within the games that its path has.
fn conditions(
    snapshot: &Snapshot<'_>,
    params: &ExplorerParams,
    games: &GameScope,
) -> Result<GameConditions, HandlerError> {
    let mut all = games.conditions.clone();
    if params.is_nothing() {
        all.push(GameCondition::games(&[]));
    }
    let [since, until] = params.dates;
    if since.is_some() || until.is_some() {
        let first = since.map_or(u32::MIN, |date| {
            PgnDate::from_packed(date).first_day().to_packed()
        });
        let last = until.map_or(u32::MAX, |date| {
            PgnDate::from_packed(date).last_day().to_packed()
        });
        all.push(if first <= last {
            GameCondition::Date(Ranges::of(first, last))
        } else {
            GameCondition::games(&[])
        });
    }
    // A game of some day of the year may be none of the month.
    let names_month = |date: &u32| !(date / 100).is_multiple_of(100);
    if [since, until].iter().flatten().any(names_month) {
        all.push(GameCondition::Month(Ranges::of(1, 12)));
    }
    if let Some(speeds) = &params.speeds {
        all.push(GameCondition::TimeClass {
            classes: speeds.clone(),
            or_unknown: speeds.contains(&SpeedClass::Classical),
        });
    }
    if let Some(means) = params.means() {
        all.push(GameCondition::Rating(
            RatingField::Mean,
            Ranges::union(means),
        ));
    }
    match params.modes {
        [true, false] => all.push(GameCondition::Casual(false)),
        [false, true] => all.push(GameCondition::Casual(true)),
        _ => {}
    }
    if let Some((name, side)) = &params.player {
        let field = match side {
            0 => NameField::White,
            _ => NameField::Black,
        };
        // The player whose games are counted comes first.
        all.insert(0, GameCondition::Name(field, name.clone()));
    }
    let mut conditions = GameConditions::of(all);
    snapshot.look_up_names(&mut conditions)?;
    Ok(conditions)
}

/// The PGN of a game by its id.
fn game(snapshot: &Snapshot<'_>, id: &str) -> HandlerResult {
    let number = game_id::read(id);
    let number = number.ok_or_else(|| wrong(format!("`{id}` is not the id of a game")))?;
    let nothing = || HandlerError::Nothing(format!("there is no game {id}"));
    let game = numbered(snapshot, id, number)?.ok_or_else(nothing)?;
    let plan = ShowPlan {
        game,
        board: None,
        writing: MoveNotation::default(),
        has_clocks: true,
        format: ShowFormat::Pgn,
    };
    let game = |out: &mut AnswerWriter| show::data(&plan, snapshot, out).map(|_| ());
    Response::written(PGN, game, HandlerError::Failed)
}

/// The game that has an id: by its number, or as lichess calls it.
fn numbered(
    snapshot: &Snapshot<'_>,
    id: &str,
    number: GameId,
) -> Result<Option<GameId>, HandlerError> {
    let mut games = snapshot.reader(MoveNotation::default());
    let mut is_called_so = |game, or_has_none: bool| -> Result<bool, HandlerError> {
        let Some(found) = games.game(game)? else {
            return Ok(false);
        };
        let tags = found
            .tags
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let own = game_id::at_lichess(tags);
        Ok(own.map_or(or_has_none, |own| own == id))
    };
    let is_there = (1..=snapshot.last_game()?).contains(&number);
    if is_there && snapshot.deletion(number)?.is_none() && is_called_so(number, true)? {
        return Ok(Some(number));
    }
    let of_site = GameConditions::of([GameCondition::Name(
        NameField::Site,
        format!("lichess.org/{id}"),
    )]);
    let of_tag = GameConditions::of([GameCondition::Tag(TagQuery {
        name: "GameId".to_owned(),
        text: id.to_owned(),
        is_whole: true,
    })]);
    for conditions in [of_site, of_tag] {
        let plan = AccessPlan {
            conditions,
            ..AccessPlan::default()
        };
        for game in snapshot.all_games(&plan)? {
            if is_called_so(game, false)? {
                return Ok(Some(game));
            }
        }
    }
    Ok(None)
}
