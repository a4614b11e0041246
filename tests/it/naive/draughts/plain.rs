//! Games of draughts as letters on squares, for questions that are asked of all games.

use plydex::{
    base::record::Outcome,
    games::draughts::rows::{ALL, DraughtsVariant},
};

use super::game::{Known, Played, Spec};
use super::write;
use crate::naive::game::RESULTS;

/// A position: which letter stands on which squares, as bits in the order of their names, the side to
/// move, and how many pieces the next move takes.
pub(in crate::naive) struct PlainStop {
    pub(in crate::naive) men: Vec<(char, u64)>,
    pub(in crate::naive) turn: usize,
    pub(in crate::naive) jumps: Option<u32>,
}

/// A game: the tags that say what it is, the result as it is written and as it is meant, and the text
/// of its moves.
pub(in crate::naive) struct PlainGame {
    pub(in crate::naive) tags: String,
    pub(in crate::naive) written: &'static str,
    pub(in crate::naive) result: &'static str,
    pub(in crate::naive) moves: String,
    pub(in crate::naive) stops: Vec<PlainStop>,
}

/// The place of a square: of those with letters, rank by rank from a1, else by their numbers.
fn bit(variant: &DraughtsVariant, cell: u8) -> u32 {
    let name = write::square(variant, cell);
    let mut letters = name.bytes();
    match (letters.next(), letters.next()) {
        (Some(file @ b'a'..=b'h'), Some(rank)) => {
            u32::from(rank - b'1') * 4 + u32::from(file - b'a') / 2
        }
        _ => name.parse::<u32>().expect("a number") - 1,
    }
}

/// The game of a variant whose moves are chosen by numbers; start 0 is the usual one.
pub(in crate::naive) fn plain_game(
    name: &str,
    start: u8,
    choices: Vec<u8>,
    result: usize,
) -> PlainGame {
    let variant = ALL.iter().position(|variant| variant.name == name);
    let known = Known::new(Spec {
        variant: variant.expect("a kind of draughts"),
        start,
        drawn: None,
        choices,
        branches: Vec::new(),
        setup: None,
        illegal: false,
        result,
        elos: [0, 0],
        year: 1990,
        names: [0, 0],
    });
    let variant = known.variant.expect("draughts");
    let stops = known.line.iter().map(|stop| {
        let letters = [
            ('M', 0, false),
            ('m', 1, false),
            ('K', 0, true),
            ('k', 1, true),
        ];
        let men = letters.map(|(letter, side, king)| {
            let those = stop.position.iter();
            let those = those.filter(|(_, piece)| (piece.side, piece.king) == (side, king));
            let on = those.fold(0, |on, (cell, _)| on | 1_u64 << bit(variant, cell));
            (letter, on)
        });
        PlainStop {
            men: men.to_vec(),
            turn: usize::from(stop.position.turn()),
            jumps: stop.next.map(|played| match played {
                Played::Move(_, _, captured) => captured.count_ones(),
                other => panic!("no move of draughts: {other:?}"),
            }),
        }
    });
    let stops = stops.collect();
    let (tags, moves) = known.pdn.split_once("\n\n").expect("tags and moves");
    let kept = tags.lines().filter(|line| {
        let mut names = ["[GameType", "[FEN", "[Variant"].iter();
        names.any(|name| line.starts_with(name))
    });
    PlainGame {
        tags: kept.flat_map(|line| [line, "\n"]).collect(),
        written: RESULTS[result],
        result: match known.outcome {
            Outcome::First => "1-0",
            Outcome::Second => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        },
        moves: moves.trim_end().to_owned(),
        stops,
    }
}
