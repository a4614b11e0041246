//! Answers too simple to be wrong: every game is looked through, position by position.

use plydex::{
    base::record::Outcome,
    db::query::{Filter, PositionQuery},
};
use shakmaty::{Chess, Position};

use crate::openings::last_name;

use super::game::{BLACKS, Known, Stop, WHITES, start};

/// A hit: game, ply, next move, inside a variation.
pub(super) type Hit = (u64, u32, Option<String>, bool);

pub(super) fn is_at(query: &PositionQuery, position: &Chess) -> bool {
    let plydex::games::AnyPosition::Chess(wanted) = &query.position else {
        return false;
    };
    let wanted = wanted.to_position().expect("a position that can be");
    wanted.board() == position.board()
        && (!query.ask_turn || wanted.turn() == position.turn())
        && (!query.ask_castling
            || wanted.castles().castling_rights() == position.castles().castling_rights())
        && (!query.ask_en_passant || wanted.legal_ep_square() == position.legal_ep_square())
}

/// Where each game first reaches the position.
pub(super) fn visits<'g>(
    games: &'g [Known],
    query: &PositionQuery,
    filter: &Filter,
) -> Vec<(u64, &'g Known, &'g Stop, bool)> {
    let mut found = Vec::new();
    for (game, id) in games.iter().zip(1..) {
        if !passes(game, filter) {
            continue;
        }
        let main = game.line.iter().find(|stop| is_at(query, &stop.position));
        let inside = game.inside.iter().find(|stop| is_at(query, &stop.position));
        if let Some(stop) = main {
            found.push((id, game, stop, false));
        } else if let Some(stop) = inside.filter(|_| query.in_variations) {
            found.push((id, game, stop, true));
        }
    }
    found
}

pub(super) fn hits(games: &[Known], query: &PositionQuery, filter: &Filter) -> Vec<Hit> {
    visits(games, query, filter)
        .into_iter()
        .map(|(id, _, stop, inside)| (id, stop.ply, stop.next.clone(), inside))
        .collect()
}

/// Does a name hold every word of a text, whatever the case?
pub(super) fn holds(name: &str, text: &str) -> bool {
    let name = name.to_lowercase();
    text.to_lowercase()
        .split([' ', ','])
        .all(|word| name.contains(word))
}

/// Whether the last of its positions that has a name has one that is asked for.
fn has_opening(game: &Known, filter: &Filter) -> bool {
    let asked = &filter.opening;
    if asked.codes.is_empty() && asked.texts.is_empty() {
        return true;
    }
    let positions = game.line.iter().map(|stop| &stop.position);
    let Some((code, name)) = last_name(positions) else {
        return false;
    };
    let number =
        (code.as_bytes()[0] - b'A') as u16 * 100 + code[1..].parse::<u16>().expect("digits");
    (asked.codes.is_empty()
        || asked
            .codes
            .iter()
            .any(|&(from, to)| from <= number && number <= to))
        && (asked.texts.is_empty() || asked.texts.iter().any(|text| holds(&name, text)))
}

pub(super) fn passes(game: &Known, filter: &Filter) -> bool {
    let spec = &game.spec;
    let (white, black) = (WHITES[spec.names[0]], BLACKS[spec.names[1]]);
    let outcome = Outcome::from_code(spec.result as u8);
    // A part of a date stands for its whole: 1992 ends with its last day.
    let last_day = |date: u32| match (date / 100 % 100, date % 100) {
        (0, _) => date + 9999,
        (_, 0) => date + 99,
        _ => date,
    };
    let dated = filter.date_from.is_none() && filter.date_to.is_none()
        || spec.date > 0
            && filter.date_from.is_none_or(|from| from <= spec.date)
            && filter.date_to.is_none_or(|to| spec.date <= last_day(to));
    let rated = filter.min_elo.is_none() && filter.max_elo.is_none()
        || spec.elos.iter().all(|&elo| {
            elo > 0
                && filter.min_elo.is_none_or(|min| min <= elo)
                && filter.max_elo.is_none_or(|max| elo <= max)
        });
    let from_start = filter
        .start
        .as_ref()
        .is_none_or(|query| is_at(query, &start(spec.start)));
    filter
        .players
        .iter()
        .all(|text| holds(white, text) || holds(black, text))
        && filter.white.as_ref().is_none_or(|text| holds(white, text))
        && filter.black.as_ref().is_none_or(|text| holds(black, text))
        && (filter.results.is_empty() || filter.results.contains(&outcome))
        && dated
        && rated
        && has_opening(game, filter)
        && filter
            .plies
            .is_none_or(|(from, to)| from <= game.plies() && game.plies() <= to)
        && from_start
}

/// A row of the tree: move, games, White wins, draws, Black wins, no result,
/// points and ratings of the side that moves.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Row {
    pub(super) san: String,
    pub(super) games: u64,
    pub(super) results: [u64; 4],
    pub(super) score: Option<f64>,
    pub(super) average: Option<f64>,
    pub(super) years: Option<(u16, u16)>,
}

fn row(san: &str, visits: &[(u64, &Known, &Stop, bool)]) -> Row {
    let mut row = Row {
        san: san.to_owned(),
        games: visits.len() as u64,
        ..Row::default()
    };
    let (mut points, mut decided) = (0.0, 0);
    let mut ratings = Vec::new();
    let mut years = Vec::new();
    for (_, game, stop, _) in visits {
        let spec = &game.spec;
        row.results[spec.result] += 1;
        let mover = usize::from(stop.position.turn().is_black());
        if spec.result != 0 {
            decided += 1;
            points += match spec.result {
                3 => 0.5,
                winner if winner == mover + 1 => 1.0,
                _ => 0.0,
            };
        }
        if spec.elos[mover] > 0 {
            ratings.push(f64::from(spec.elos[mover]));
        }
        if spec.date > 0 {
            years.push((spec.date / 10_000) as u16);
        }
    }
    row.score = (decided > 0).then(|| points / f64::from(decided));
    row.average = (!ratings.is_empty()).then(|| ratings.iter().sum::<f64>() / ratings.len() as f64);
    row.years = years.iter().min().copied().zip(years.iter().max().copied());
    row
}

/// The tree of a position: all games, those that end there, and the moves (one
/// row for each side to move), ordered by text.
pub(super) fn tree(
    games: &[Known],
    query: &PositionQuery,
    filter: &Filter,
) -> (Row, Row, Vec<Row>) {
    let visits = visits(games, query, filter);
    let ends: Vec<_> = visits
        .iter()
        .filter(|visit| visit.2.next.is_none())
        .copied()
        .collect();
    let mut moves: Vec<(String, bool)> = visits
        .iter()
        .filter_map(|visit| Some((visit.2.next.clone()?, visit.2.position.turn().is_black())))
        .collect();
    moves.sort();
    moves.dedup();
    let mut rows: Vec<Row> = moves
        .iter()
        .map(|(san, black)| {
            let of: Vec<_> = visits
                .iter()
                .filter(|visit| {
                    visit.2.next.as_ref() == Some(san)
                        && visit.2.position.turn().is_black() == *black
                })
                .copied()
                .collect();
            row(san, &of)
        })
        .collect();
    sort(&mut rows);
    (row("", &visits), row("", &ends), rows)
}

pub(super) fn sort(rows: &mut [Row]) {
    rows.sort_by(|a, b| {
        (&a.san, a.games, a.results)
            .cmp(&(&b.san, b.games, b.results))
            .then(a.average.partial_cmp(&b.average).expect("numbers"))
            .then(a.years.cmp(&b.years))
    });
}
