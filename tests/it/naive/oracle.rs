//! Answers too simple to be wrong: every game is looked through, position by position.

use shakmaty::{Chess, Position};

use {
    crate::openings::last_name,
    plydex::{
        base::record::Outcome,
        query::{GameCondition, NameField, PositionQuery, RatingField},
        search::GameConditions,
    },
};

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
    filter: &GameConditions,
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

pub(super) fn hits(games: &[Known], query: &PositionQuery, filter: &GameConditions) -> Vec<Hit> {
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

/// The last name that its positions have: its code as a number, and the name.
fn opening(game: &Known) -> Option<(u16, String)> {
    let positions = game.line.iter().map(|stop| &stop.position);
    let (code, name) = last_name(positions)?;
    let letter = (code.as_bytes()[0] - b'A') as u16;
    let digits = code[1..].parse::<u16>().expect("digits");
    Some((letter * 100 + digits, name))
}

pub(super) fn passes(game: &Known, filter: &GameConditions) -> bool {
    filter.all.iter().all(|condition| fulfils(game, condition))
}

fn fulfils(game: &Known, condition: &GameCondition) -> bool {
    let spec = &game.spec;
    let (white, black) = (WHITES[spec.names[0]], BLACKS[spec.names[1]]);
    match condition {
        GameCondition::Name(NameField::Player, text) => holds(white, text) || holds(black, text),
        GameCondition::Name(NameField::White, text) => holds(white, text),
        GameCondition::Name(NameField::Black, text) => holds(black, text),
        GameCondition::Result(results) => results.contains(&Outcome::from_code(spec.result as u8)),
        // A part of a date stands for its whole: 1992 ends with its last day.
        GameCondition::Date(ranges) => {
            let (first, last) = match (spec.date / 100 % 100, spec.date % 100) {
                (0, _) => (spec.date + 101, spec.date + 1231),
                (_, 0) => (spec.date + 1, spec.date + 31),
                _ => (spec.date, spec.date),
            };
            let meets = |&(from, to): &(u32, u32)| from <= last && first <= to;
            spec.date > 0 && ranges.as_slice().iter().any(meets)
        }
        GameCondition::Rating(RatingField::Both, ranges) => spec
            .elos
            .iter()
            .all(|&elo| elo > 0 && ranges.contains(elo.into())),
        GameCondition::Plies(ranges) => ranges.contains(game.plies()),
        GameCondition::Eco(codes) => opening(game).is_some_and(|(code, _)| codes.contains(code)),
        GameCondition::Opening(texts) => {
            opening(game).is_some_and(|(_, name)| texts.iter().any(|text| holds(&name, text)))
        }
        GameCondition::Start(position) => {
            let asked = position.read.as_ref().expect("it was read");
            is_at(asked, &start(spec.start))
        }
        other => panic!("no test asks {other}"),
    }
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
    filter: &GameConditions,
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
