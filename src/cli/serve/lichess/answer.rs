//! What the explorer answers, field by field as lichess does.

use std::sync::Arc;

use serde::Serialize;

use super::game_id;
use super::params::{ExplorerParams, ExplorerPath, SPEEDS};
use crate::base::record::OpeningName;
use crate::cli::serve::position::king_takes_rook;
use crate::database::{PositionSummary, SampleGame, TreeMove};
use crate::games::AnyPosition;
use crate::pgn::tags::time_control;

/// The complete answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExplorerAnswer {
    white: u64,
    draws: u64,
    black: u64,
    moves: Vec<ExplorerMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_games: Option<Vec<ExplorerGame>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recent_games: Option<Vec<ExplorerGame>>,
    opening: Option<OpeningName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<HistoryEntry>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExplorerMove {
    uci: String,
    san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_rating: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_opponent_rating: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<i64>,
    white: u64,
    draws: u64,
    black: u64,
    game: Option<SoleGameJson>,
    opening: Option<OpeningName>,
}

/// A game in a list.
#[derive(Debug, Serialize)]
struct ExplorerGame {
    uci: String,
    #[serde(flatten)]
    game: SoleGameJson,
}

#[derive(Debug, Serialize)]
struct SoleGameJson {
    id: String,
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    white: PlayerLabel,
    black: PlayerLabel,
    year: u32,
    month: Option<String>,
}

#[derive(Debug, Serialize)]
struct PlayerLabel {
    name: String,
    rating: u32,
}

#[derive(Debug, Serialize)]
struct HistoryEntry {
    month: String,
    white: u64,
    draws: u64,
    black: u64,
}

/// Puts together what was found.
pub(crate) fn of(
    found: PositionSummary,
    params: &ExplorerParams,
    path: ExplorerPath,
) -> ExplorerAnswer {
    let PositionSummary {
        tree,
        singles,
        top,
        recent,
        months,
    } = found;
    let (all, ended) = (&tree.total, &tree.ends_here);
    let at = &params.placed.at;
    let mut singles = singles.into_iter();
    let moves = tree.moves.into_iter().map(|line| {
        let single = singles.next().flatten();
        explorer_move(at, line, single, path)
    });
    let list = |games: Vec<Arc<SampleGame>>| -> Vec<ExplorerGame> {
        let listed = games.into_iter().map(|game| ExplorerGame {
            uci: king_takes_rook(at, &game.played[0], &game.played[1]),
            game: SoleGameJson::of(&game, path),
        });
        listed.collect()
    };
    ExplorerAnswer {
        white: all.white_wins - ended.white_wins,
        draws: all.draws - ended.draws,
        black: all.black_wins - ended.black_wins,
        moves: moves.collect(),
        top_games: (path != ExplorerPath::Player).then(|| list(top)),
        recent_games: (path != ExplorerPath::Masters).then(|| list(recent)),
        opening: params.placed.opening.map(OpeningName::from),
        queue_position: (path == ExplorerPath::Player).then_some(0),
        history: params.history.then(|| {
            let first = params.dates[0].map(|since| since / 100);
            history(&months, first)
        }),
    }
}

fn explorer_move(
    at: &AnyPosition,
    line: TreeMove,
    single: Option<Arc<SampleGame>>,
    path: ExplorerPath,
) -> ExplorerMove {
    let score = &line.score;
    let rounded = |mean: Option<f64>| mean.map(|mean| mean.round() as i64);
    let is_player = path == ExplorerPath::Player;
    ExplorerMove {
        uci: king_takes_rook(at, &line.san, &line.uci),
        average_rating: rounded(score.average_rating.filter(|_| !is_player)),
        average_opponent_rating: rounded(score.average_opponent_rating.filter(|_| is_player)),
        performance: rounded(score.finer_performance.filter(|_| is_player)),
        white: score.white_wins,
        draws: score.draws,
        black: score.black_wins,
        game: single.map(|game| SoleGameJson::of(&game, path)),
        opening: line.opening,
        san: line.san,
    }
}

impl SoleGameJson {
    fn of(game: &SampleGame, path: ExplorerPath) -> Self {
        let (facts, header) = (&game.facts, &game.header);
        let player = |name: &str, rating| PlayerLabel {
            name: name.to_owned(),
            rating,
        };
        let is_casual = header.event.to_lowercase().contains("casual");
        let is_masters = path == ExplorerPath::Masters;
        let (year, month) = (facts.date / 10_000, facts.date / 100 % 100);
        Self {
            id: id_of(game),
            winner: match facts.outcome {
                1 => Some("white"),
                2 => Some("black"),
                _ => None,
            },
            speed: (!is_masters).then(|| speed_of(game)),
            mode: (!is_masters).then_some(if is_casual { "casual" } else { "rated" }),
            white: player(&header.white, facts.white_elo),
            black: player(&header.black, facts.black_elo),
            year,
            month: (month > 0).then(|| month_text(facts.date / 100)),
        }
    }
}

/// The id of a game: that of lichess, or its number.
fn id_of(game: &SampleGame) -> String {
    let tags = game.tags.iter();
    let tags = tags.map(|(name, value)| (name.as_str(), value.as_str()));
    let known = game_id::at_lichess(tags).map(str::to_owned);
    known.unwrap_or_else(|| game_id::written(game.header.id))
}

/// The speed of a game; one that does not say is classical, as games over the board are.
fn speed_of(game: &SampleGame) -> &'static str {
    let mut tags = game.tags.iter();
    let control = tags.find(|(name, _)| name == "TimeControl");
    let class = control.and_then(|(_, value)| time_control::parse(value.as_bytes()).class());
    let name = SPEEDS.iter().find(|(_, own)| Some(*own) == class);
    name.map_or("classical", |(name, _)| name)
}

/// A month that is packed as `yyyymm`.
fn month_text(month: u32) -> String {
    format!("{:04}-{:02}", month / 100, month % 100)
}

/// All months from the first that was requested, or that has a game, to the last that has one.
fn history(
    months: &std::collections::BTreeMap<u32, [u64; 3]>,
    first: Option<u32>,
) -> Vec<HistoryEntry> {
    let known = months.keys().next().zip(months.keys().next_back());
    let Some((&least, &last)) = known else {
        return Vec::new();
    };
    let next = |month: &u32| {
        let year = month / 100;
        Some(if month % 100 >= 12 {
            (year + 1) * 100 + 1
        } else {
            month + 1
        })
    };
    let from = first.unwrap_or(least).max(1);
    let all = std::iter::successors(Some(from), next).take_while(|&month| month <= last);
    let counted = all.map(|month| {
        let [white, draws, black] = months.get(&month).copied().unwrap_or_default();
        HistoryEntry {
            month: month_text(month),
            white,
            draws,
            black,
        }
    });
    counted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_have_no_gaps() {
        let months = [(201_511, [1, 2, 3]), (201_602, [4, 0, 0])].into();
        let text = |first| {
            let all = history(&months, first);
            let all = all.iter().map(|one| format!("{} {}", one.month, one.white));
            all.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(text(None), "2015-11 1, 2015-12 0, 2016-01 0, 2016-02 4");
        assert_eq!(
            text(Some(201_510)),
            "2015-10 0, 2015-11 1, 2015-12 0, 2016-01 0, 2016-02 4"
        );
        assert!(history(&std::collections::BTreeMap::new(), Some(201_510)).is_empty());
    }
}
