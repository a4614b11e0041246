//! Answers too simple to be wrong: every game is looked through, position by
//! position, without any key.

use super::game::{Known, Played, Stop, start};
use {
    crate::naive::{
        game::{BLACKS, WHITES},
        oracle::{Row, holds},
    },
    plydex::{
        base::record::Outcome,
        games::{
            AnyPosition,
            draughts::{
                Draughts,
                rules::{DraughtsBoard, DraughtsPosition},
            },
            symmetry::Symmetry,
        },
        query::{GameCondition, NameField, PositionQuery, RatingField},
        search::GameConditions,
    },
};

/// A visit: game number, game, where, inside a variation, seen in which way.
pub(super) type Visit<'g> = (u64, &'g Known, &'g Stop, bool, Symmetry);

/// The position that is asked for.
pub(super) fn asked(query: &PositionQuery) -> &Draughts {
    match &query.position {
        AnyPosition::Draughts(at) => at,
        _ => panic!("questions are about draughts"),
    }
}

/// Cells seen in another way; what half boards do not have is never asked.
fn seen_cell(board: DraughtsBoard, cell: u8, symmetry: Symmetry) -> u8 {
    let turned = |cell: u8| {
        let index = board.square_count() - 1 - board.index(cell);
        board.cell_at(index).expect("on the board")
    };
    let mirrored = |cell: u8| board.row(cell) * 8 + 7 - board.column(cell);
    match symmetry {
        Symmetry::None => cell,
        Symmetry::Rotate => turned(cell),
        Symmetry::Mirror => mirrored(cell),
        Symmetry::Flip => mirrored(turned(cell)),
    }
}

/// A position seen in another way, piece by piece.
pub(super) fn seen(
    board: DraughtsBoard,
    position: &DraughtsPosition,
    symmetry: Symmetry,
) -> DraughtsPosition {
    let swaps = u8::from(symmetry.swaps_colours());
    let mut out = DraughtsPosition::empty(position.turn() ^ swaps);
    for (cell, mut piece) in position.iter() {
        piece.side ^= swaps;
        out.put(seen_cell(board, cell, symmetry), piece);
    }
    out
}

pub(super) fn seen_ply(board: DraughtsBoard, played: Played, symmetry: Symmetry) -> Played {
    let cell = |cell| seen_cell(board, cell, symmetry);
    match played {
        Played::Move(from, to, captured) => {
            let cells = plydex::games::draughts::rules::board::cells_of(captured);
            let captured = cells.fold(0, |set, taken| set | 1_u128 << cell(taken));
            Played::Move(cell(from), cell(to), captured)
        }
        Played::Placement(from, to) => Played::Placement(cell(from), cell(to)),
        other => other,
    }
}

/// The ways of looking that a query asks for, as far as the board has them.
fn ways(query: &PositionQuery) -> Vec<Symmetry> {
    let full = asked(query).variant.rules.board.is_full();
    let mut ways = vec![Symmetry::None];
    ways.extend(
        query
            .symmetries
            .iter()
            .copied()
            .filter(|way| full || *way == Symmetry::Rotate),
    );
    ways
}

/// In which way a position is the one that is asked for, if it is.
fn is_at(query: &PositionQuery, game: &Known, position: &DraughtsPosition) -> Option<Symmetry> {
    let wanted = asked(query);
    let board = wanted.variant.rules.board;
    let variant = game.variant?;
    let is_one = query.ask_variant || query.own_rules;
    if variant.rules.board != board || is_one && variant.name != wanted.variant.name {
        return None;
    }
    ways(query).into_iter().find(|&way| {
        let wanted = seen(board, &wanted.position, way);
        let mut other = *position;
        if !query.ask_turn {
            other.set_turn(wanted.turn());
        }
        other == wanted
    })
}

/// Where each game first reaches the position.
pub(super) fn visits<'g>(
    games: &'g [Known],
    query: &PositionQuery,
    filter: &GameConditions,
) -> Vec<Visit<'g>> {
    let mut found = Vec::new();
    for (game, id) in games.iter().zip(1..) {
        if !passes(game, filter) {
            continue;
        }
        let first = |stops: &'g [Stop]| {
            let at = |stop: &'g Stop| Some((stop, is_at(query, game, &stop.position)?));
            stops.iter().find_map(at)
        };
        if let Some((stop, way)) = first(&game.line) {
            found.push((id, game, stop, false, way));
        } else if query.in_variations
            && let Some((stop, way)) = first(&game.inside)
        {
            found.push((id, game, stop, true, way));
        }
    }
    found
}

/// Where each game first has the pieces.
pub(super) fn material<'g>(
    games: &'g [Known],
    [wanted_men, wanted_kings]: [Option<(u8, u8)>; 2],
    either_side: bool,
    filter: &GameConditions,
) -> Vec<(u64, &'g Known, &'g Stop)> {
    let count = |set: u128| set.count_ones() as u8;
    let is_it = |stop: &&Stop| {
        let at = &stop.position;
        [false, true]
            .into_iter()
            .take(1 + usize::from(either_side))
            .any(|swap| {
                let (own, other) = if swap { (1, 0) } else { (0, 1) };
                let men = (count(at.men(own)), count(at.men(other)));
                let kings = (count(at.kings(own)), count(at.kings(other)));
                wanted_men.is_none_or(|wanted| wanted == men)
                    && wanted_kings.is_none_or(|wanted| wanted == kings)
            })
    };
    let numbered = games.iter().zip(1..);
    numbered
        .filter(|(game, _)| passes(game, filter))
        .filter_map(|(game, id)| Some((id, game, game.line.iter().find(is_it)?)))
        .collect()
}

pub(super) fn passes(game: &Known, filter: &GameConditions) -> bool {
    filter.all.iter().all(|condition| fulfils(game, condition))
}

fn fulfils(game: &Known, condition: &GameCondition) -> bool {
    let spec = &game.spec;
    let (white, black) = (WHITES[spec.names[0]], BLACKS[spec.names[1]]);
    match condition {
        GameCondition::Name(NameField::Player, text) => holds(white, text) || holds(black, text),
        GameCondition::Result(results) => results.contains(&game.outcome),
        GameCondition::Date(ranges) => {
            let year = u32::from(spec.year) * 10_000;
            let meets = |&(from, to): &(u32, u32)| from <= year + 1231 && year + 101 <= to;
            year > 0 && ranges.as_slice().iter().any(meets)
        }
        GameCondition::Rating(RatingField::Both, ranges) => spec
            .elos
            .iter()
            .all(|&elo| elo > 0 && ranges.contains(elo.into())),
        GameCondition::Variant(ids) => ids.contains(&game.variant_id()),
        GameCondition::Plies(ranges) => ranges.contains(game.plies()),
        GameCondition::Start(position) => {
            let asked = position.read.as_ref().expect("it was read");
            game.variant
                .is_some_and(|variant| is_at(asked, game, &start(variant, spec.start)).is_some())
        }
        other => panic!("no test asks {other}"),
    }
}

/// What stands in a row of the tree for some visits, as whoever asked sees it.
pub(super) fn row(name: &str, visits: &[Visit<'_>]) -> Row {
    let mut row = Row {
        san: name.to_owned(),
        games: visits.len() as u64,
        ..Row::default()
    };
    let (mut points, mut decided) = (0.0, 0);
    let (mut ratings, mut years) = (Vec::new(), Vec::new());
    for (_, game, stop, _, way) in visits {
        let mover = usize::from(stop.position.turn());
        let outcome = match game.outcome {
            outcome if way.swaps_colours() => outcome.with_colours_swapped(),
            outcome => outcome,
        };
        row.results[outcome as usize] += 1;
        // Points are those of the side that moves, whatever its colour is called.
        let won = [Outcome::First, Outcome::Second][mover];
        if game.outcome != Outcome::Unknown {
            decided += 1;
            points += match game.outcome {
                Outcome::Draw => 0.5,
                outcome if outcome == won => 1.0,
                _ => 0.0,
            };
        }
        if game.spec.elos[mover] > 0 {
            ratings.push(f64::from(game.spec.elos[mover]));
        }
        years.push(game.spec.year);
    }
    row.score = (decided > 0).then(|| points / f64::from(decided));
    row.average = (!ratings.is_empty()).then(|| ratings.iter().sum::<f64>() / ratings.len() as f64);
    row.years = years.iter().min().copied().zip(years.iter().max().copied());
    row
}
