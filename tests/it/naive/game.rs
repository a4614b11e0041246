//! Games that know all their positions: made from numbers, written as PGN.

use std::fmt::Write as _;

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::San, san::SanPlus};

/// Start positions: the usual one, diagrams that differ in rights alone,
/// Chess960, a bare ending.
pub(super) const STARTS: &[(&str, &str)] = &[
    ("", ""),
    ("", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"),
    ("", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w Kq - 0 1"),
    (
        "",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ),
    (
        "",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    ),
    (
        "",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
    ),
    (
        "Chess960",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    ),
    ("", "8/4p3/8/4k3/8/8/4P3/4K3 b - - 0 41"),
    (
        "",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
];

pub(super) const WHITES: &[&str] = &["Adams, Michael", "Baker, Ann", "Čapek, Jan", "?"];
pub(super) const BLACKS: &[&str] = &["Adamson", "Zaitsev, Ann", "Čapek, Jan"];

/// How the movetext ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// With the result.
    Marker,
    /// Without any.
    CutOff,
    /// With a move that is not legal and moves behind it.
    Illegal,
}

/// A line that might have been played instead of a move.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) at: usize,
    pub(super) choices: Vec<u8>,
    /// A branch of the branch.
    pub(super) inner: Option<(usize, Vec<u8>)>,
}

/// What a game is made from.
#[derive(Debug, Clone)]
pub(super) struct Spec {
    pub(super) start: usize,
    pub(super) choices: Vec<u8>,
    pub(super) branches: Vec<Branch>,
    pub(super) tail: Tail,
    pub(super) result: usize,
    pub(super) elos: [u16; 2],
    pub(super) date: u32,
    pub(super) names: [usize; 2],
    pub(super) eco: Option<u16>,
}

pub(super) fn specs(games: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Spec>> {
    prop::collection::vec(spec(), games)
}

fn spec() -> impl Strategy<Value = Spec> {
    let start = prop_oneof![4 => Just(0), 3 => 1..STARTS.len()];
    // Small numbers are the first moves of a list: games stay together for long.
    let choice = prop_oneof![6 => 0_u8..2, 2 => 0_u8..250, 1 => 250_u8..=255];
    let choices = |plies| prop::collection::vec(choice.clone(), plies);
    let branch = (
        0_usize..14,
        choices(1..6),
        prop::option::of((0_usize..4, choices(1..4))),
    )
        .prop_map(|(at, choices, inner)| Branch { at, choices, inner });
    let tail =
        prop_oneof![4 => Just(Tail::Marker), 1 => Just(Tail::CutOff), 1 => Just(Tail::Illegal)];
    let elo = prop_oneof![1 => Just(0_u16), 3 => 1800_u16..1810];
    let date = prop_oneof![1 => Just(0_u32), 4 => (1990_u32..1995, 1_u32..13, 1_u32..29)
        .prop_map(|(year, month, day)| year * 10_000 + month * 100 + day)];
    (
        start,
        choices(0..20),
        prop_oneof![2 => Just(vec![]).boxed(), 1 => prop::collection::vec(branch, 1..4).boxed()],
        tail,
        0_usize..4,
        [elo.clone(), elo],
        date,
        (0..WHITES.len(), 0..BLACKS.len()),
        prop::option::of(0_u16..500),
    )
        .prop_map(
            |(start, choices, branches, tail, result, elos, date, (white, black), eco)| Spec {
                start,
                choices,
                branches,
                tail,
                result,
                elos,
                date,
                names: [white, black],
                eco,
            },
        )
}

/// A position of a game.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    pub(super) position: Chess,
    pub(super) ply: u32,
    /// The move played next, in SAN.
    pub(super) next: Option<String>,
}

/// A game with all its positions.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) spec: Spec,
    pub(super) line: Vec<Stop>,
    /// Positions inside variations, in the order of the text.
    pub(super) inside: Vec<Stop>,
    pub(super) pgn: String,
}

/// A position from a FEN; Chess960 castling holds for all.
pub(super) fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Chess960)
        .expect("a position")
}

pub(super) fn start(number: usize) -> Chess {
    match STARTS[number].1 {
        "" => Chess::default(),
        fen => position(fen),
    }
}

/// Plays the move of a number: `None` if there is none.
fn step(position: &Chess, ply: usize, choice: u8) -> Option<(String, Chess)> {
    if choice >= 250
        && !position.is_check()
        && let Ok(passed) = position.clone().swap_turn()
    {
        return Some(("--".to_owned(), passed));
    }
    let mut moves: Vec<(String, shakmaty::Move)> = position
        .legal_moves()
        .into_iter()
        .map(|m| (SanPlus::from_move(position.clone(), m).to_string(), m))
        .collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    // Openings branch little.
    let many = if ply < 4 {
        moves.len().min(3)
    } else {
        moves.len()
    };
    let (san, m) = moves.get(usize::from(choice).checked_rem(many)?)?.clone();
    let mut next = position.clone();
    next.play_unchecked(m);
    Some((san, next))
}

/// Writes moves with their numbers.
fn write_move(position: &Chess, san: &str, out: &mut String) {
    let dots = if position.turn().is_white() {
        "."
    } else {
        "..."
    };
    let _ = write!(out, "{}{dots} {san} ", position.fullmoves());
}

/// Plays and writes a variation, noting its positions.
fn branch(
    from: &Chess,
    ply: u32,
    choices: &[u8],
    inner: Option<&(usize, Vec<u8>)>,
    inside: &mut Vec<Stop>,
    out: &mut String,
) {
    let mut position = from.clone();
    let mut last: Option<usize> = None;
    out.push('(');
    for (at, &choice) in choices.iter().enumerate() {
        let Some((san, next)) = step(&position, 9, choice) else {
            break;
        };
        if let Some(last) = last {
            inside[last].next = Some(san.clone());
        }
        write_move(&position, &san, out);
        let before = std::mem::replace(&mut position, next);
        let here = ply + at as u32 + 1;
        last = Some(inside.len());
        inside.push(Stop {
            position: position.clone(),
            ply: here,
            next: None,
        });
        if let Some((_, choices)) = inner.filter(|(inner, _)| *inner == at) {
            branch(&before, here - 1, choices, None, inside, out);
        }
    }
    out.push_str(") ");
}

/// A king's move that is not legal, and no castling in another spelling either.
fn illegal(position: &Chess) -> &'static str {
    ["Kd4", "Kc5", "Kg5", "Kb3", "Ke6"]
        .into_iter()
        .find(|word| {
            let san: San = word.parse().expect("a SAN");
            san.to_move(position).is_err()
        })
        .expect("a king cannot go everywhere")
}

pub(super) const RESULTS: [&str; 4] = ["*", "1-0", "0-1", "1/2-1/2"];

impl Known {
    pub(super) fn new(spec: Spec) -> Self {
        Self::with_clocks(spec, &|_| None)
    }

    /// The same with the seconds that are left after moves, by the plies before them.
    pub(super) fn with_clocks(spec: Spec, clock: &dyn Fn(usize) -> Option<u32>) -> Self {
        let mut pgn = tags(&spec);
        let mut position = start(spec.start);
        let mut line = vec![Stop {
            position: position.clone(),
            ply: 0,
            next: None,
        }];
        let mut inside = Vec::new();
        for (at, &choice) in spec.choices.iter().enumerate() {
            let Some((san, next)) = step(&position, at, choice) else {
                break;
            };
            write_move(&position, &san, &mut pgn);
            if let Some(seconds) = clock(at) {
                let _ = write!(pgn, "{{[%clk 0:00:{seconds:02}]}} ");
            }
            line[at].next = Some(san);
            let before = std::mem::replace(&mut position, next);
            line.push(Stop {
                position: position.clone(),
                ply: at as u32 + 1,
                next: None,
            });
            for found in spec.branches.iter().filter(|branch| branch.at == at) {
                branch(
                    &before,
                    at as u32,
                    &found.choices,
                    found.inner.as_ref(),
                    &mut inside,
                    &mut pgn,
                );
            }
        }
        match spec.tail {
            Tail::Marker => pgn.push_str(RESULTS[spec.result]),
            Tail::CutOff => {}
            Tail::Illegal => {
                write_move(&position, illegal(&position), &mut pgn);
                pgn.push_str("Nf3 Nf6 Nc3 ");
                pgn.push_str(RESULTS[spec.result]);
            }
        }
        pgn.push_str("\n\n");
        Self {
            spec,
            line,
            inside,
            pgn,
        }
    }

    pub(super) fn plies(&self) -> u32 {
        self.line.len() as u32 - 1
    }
}

fn tags(spec: &Spec) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    tag("White", WHITES[spec.names[0]]);
    tag("Black", BLACKS[spec.names[1]]);
    tag("Result", RESULTS[spec.result]);
    let date = spec.date;
    if date > 0 {
        let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
        tag("Date", &format!("{year}.{month:02}.{day:02}"));
    }
    for (name, elo) in ["WhiteElo", "BlackElo"].into_iter().zip(spec.elos) {
        if elo > 0 {
            tag(name, &elo.to_string());
        }
    }
    if let Some(eco) = spec.eco {
        let letter = char::from(b'A' + (eco / 100) as u8);
        tag("ECO", &format!("{letter}{:02}", eco % 100));
    }
    let (variant, fen) = STARTS[spec.start];
    if !variant.is_empty() {
        tag("Variant", variant);
    }
    if !fen.is_empty() {
        tag("FEN", fen);
    }
    out.push('\n');
    out
}

/// A position without some of what it has, as a near miss.
pub(super) fn without(position: &Chess, castling: bool, en_passant: bool) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    if castling {
        setup.castling_rights = shakmaty::Bitboard::EMPTY;
    }
    if en_passant {
        setup.ep_square = None;
    }
    setup.position(CastlingMode::Chess960).ok()
}
