//! Games of draughts that know all their positions: made from numbers, written
//! as PDN.

use std::fmt::Write as _;

use plydex::{
    base::record::Outcome,
    games::{
        draughts::{
            rows::{ALL, DraughtsVariant},
            rules::{DraughtsMove, DraughtsPiece, DraughtsPosition},
        },
        variant::Variant,
    },
};
use proptest::prelude::*;

use super::write;
use crate::naive::game::{BLACKS, WHITES};

/// What a game is made from.
#[derive(Debug, Clone)]
pub(super) struct Spec {
    /// Which kind of draughts; past the last of them a game of chess.
    pub(super) variant: usize,
    /// 0 is the usual start, other numbers are endings.
    pub(super) start: u8,
    /// Letters only: which man a drawn opening puts where.
    pub(super) drawn: Option<(u8, u8)>,
    pub(super) choices: Vec<u8>,
    pub(super) branches: Vec<Branch>,
    /// Before which ply the position of which ending is set up.
    pub(super) setup: Option<(usize, u8)>,
    /// Ends with a move that is not legal.
    pub(super) illegal: bool,
    pub(super) result: usize,
    pub(super) elos: [u16; 2],
    pub(super) year: u16,
    pub(super) names: [usize; 2],
}

/// A line that might have been played instead of a move.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) at: usize,
    pub(super) choices: Vec<u8>,
    /// A branch of the branch.
    pub(super) inner: Option<(usize, Vec<u8>)>,
}

pub(super) fn specs(games: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Spec>> {
    prop::collection::vec(spec(), games)
}

fn spec() -> impl Strategy<Value = Spec> {
    // Small numbers are the first moves of a list: games stay together for long.
    let choice = prop_oneof![6 => 0_u8..2, 3 => 0_u8..250, 1 => 250_u8..=255];
    let choices = |plies| prop::collection::vec(choice.clone(), plies);
    let inner = prop::option::of((0_usize..4, choices(1..4)));
    let branch = (0_usize..14, choices(1..6), inner).prop_map(|(at, choices, inner)| Branch {
        at,
        choices,
        inner,
    });
    let branches = prop_oneof![
        2 => Just(vec![]).boxed(),
        1 => prop::collection::vec(branch, 1..4).boxed()
    ];
    let seldom = |what| prop::option::weighted(0.1, what);
    let elo = prop_oneof![1 => Just(0_u16), 3 => 1800_u16..1810];
    let line = (
        prop_oneof![6 => 0..ALL.len(), 1 => Just(ALL.len())],
        prop_oneof![3 => Just(0_u8), 2 => 1_u8..4],
        seldom((any::<u8>(), any::<u8>()).boxed()),
        choices(0..24),
        branches,
        prop::option::weighted(0.1, (0_usize..12, 1_u8..4)),
        prop::bool::weighted(0.1),
    );
    let names = (0..WHITES.len(), 0..BLACKS.len());
    (line, 0_usize..7, [elo.clone(), elo], 1990_u16..1995, names).prop_map(
        |(line, result, elos, year, (white, black))| {
            let (variant, start, drawn, choices, branches, setup, illegal) = line;
            Spec {
                variant,
                start,
                drawn,
                choices,
                branches,
                setup,
                illegal,
                result,
                elos,
                year,
                names: [white, black],
            }
        },
    )
}

/// What was played: enough to be told from every other ply of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Played {
    /// From, to, what was taken.
    Move(u8, u8, u128),
    Null,
    Setup,
    Placement(u8, u8),
}

/// A position of a game.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    pub(super) position: DraughtsPosition,
    pub(super) ply: u32,
    pub(super) next: Option<Played>,
}

/// A game with all its positions.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) spec: Spec,
    /// `None` for a game of chess, which no question about draughts may find.
    pub(super) variant: Option<&'static DraughtsVariant>,
    pub(super) line: Vec<Stop>,
    /// Positions inside variations, in the order of the text.
    pub(super) inside: Vec<Stop>,
    pub(super) outcome: Outcome,
    pub(super) pdn: String,
}

/// Results as they are written, and who has won where the first number is White's.
const RESULTS: [(&str, Outcome); 7] = [
    ("*", Outcome::Unknown),
    ("1-0", Outcome::First),
    ("0-1", Outcome::Second),
    ("1/2-1/2", Outcome::Draw),
    ("2-0", Outcome::First),
    ("0-2", Outcome::Second),
    ("1-1", Outcome::Draw),
];

/// A game under way, with its text.
struct Scribe {
    variant: &'static DraughtsVariant,
    text: String,
    number: u32,
}

impl Scribe {
    /// Plays the ply of a number and writes it; `None` if there is none.
    fn step(
        &mut self,
        position: &DraughtsPosition,
        ply: usize,
        choice: u8,
    ) -> Option<(Played, DraughtsPosition)> {
        let rules = &self.variant.rules;
        let mut next = *position;
        if choice >= 250 && ply > 1 {
            self.write(position, "--");
            next.set_turn(position.turn() ^ 1);
            return Some((Played::Null, next));
        }
        let all = write::legal(position, rules);
        // Openings branch little.
        let many = if ply < 4 { all.len().min(3) } else { all.len() };
        let mut choices = (0..many).map(|more| &all[(usize::from(choice) + more) % many]);
        let sign = [self.variant.capture_separator, 'x', '-', ':'][usize::from(choice) / 64];
        let (m, word) =
            choices.find_map(|m| Some((m, write::word(self.variant, position, m, sign)?)))?;
        self.write(position, &word);
        next.play(m);
        Some((Played::Move(m.from, m.to, m.captured), next))
    }

    fn write(&mut self, position: &DraughtsPosition, word: &str) {
        let begins = position.turn() == self.variant.rules.first;
        self.number += u32::from(begins);
        let dots = if begins { "." } else { "..." };
        let _ = write!(self.text, "{}{dots} {word} ", self.number.max(1));
    }

    /// Plays and writes a variation, noting its positions.
    fn branch(&mut self, from: &DraughtsPosition, ply: u32, branch: &Branch) -> Vec<Stop> {
        let number = self.number;
        let mut found: Vec<Stop> = Vec::new();
        let mut last: Option<usize> = None;
        let mut position = *from;
        self.text.push('(');
        for (at, &choice) in branch.choices.iter().enumerate() {
            let Some((played, next)) = self.step(&position, 9, choice) else {
                break;
            };
            if let Some(last) = last {
                found[last].next = Some(played);
            }
            let before = std::mem::replace(&mut position, next);
            let here = ply + at as u32 + 1;
            last = Some(found.len());
            found.push(Stop {
                position,
                ply: here,
                next: None,
            });
            if let Some((_, choices)) = branch.inner.as_ref().filter(|(inner, _)| *inner == at) {
                let inner = Branch {
                    at: 0,
                    choices: choices.clone(),
                    inner: None,
                };
                found.extend(self.branch(&before, here - 1, &inner));
            }
        }
        self.text.push_str(") ");
        self.number = number;
        found
    }
}

impl Known {
    pub(super) fn new(spec: Spec) -> Self {
        match ALL.get(spec.variant) {
            Some(variant) => Self::of_draughts(spec, variant),
            None => Self::of_chess(spec),
        }
    }

    fn of_chess(spec: Spec) -> Self {
        let mut pdn = tags(&spec, None, None);
        pdn.push_str("1. e4 e5 2. Nf3 Nc6 *\n\n");
        Self {
            spec,
            variant: None,
            line: Vec::new(),
            inside: Vec::new(),
            outcome: Outcome::Unknown,
            pdn,
        }
    }

    fn of_draughts(spec: Spec, variant: &'static DraughtsVariant) -> Self {
        let mut position = start(variant, spec.start);
        let mut scribe = Scribe {
            variant,
            text: tags(&spec, Some(variant), Some(&position)),
            number: 0,
        };
        let mut line = vec![Stop {
            position,
            ply: 0,
            next: None,
        }];
        let mut inside = Vec::new();
        if let Some((played, next, word)) = placement(&spec, variant, &position) {
            scribe.write(&position, &word);
            line[0].next = Some(played);
            position = next;
            line.push(Stop {
                position,
                ply: 1,
                next: None,
            });
        }
        for &choice in &spec.choices {
            let ply = line.len() - 1;
            let before = position;
            let played = if let Some((_, number)) = spec.setup.filter(|(at, _)| *at == ply) {
                position = write::ending(variant.rules.board, number);
                let fen = write::fen(variant, &position);
                let _ = write!(scribe.text, "/FEN \"{fen}\"/ ");
                Played::Setup
            } else {
                let Some((played, next)) = scribe.step(&position, ply, choice) else {
                    break;
                };
                position = next;
                played
            };
            line[ply].next = Some(played);
            line.push(Stop {
                position,
                ply: ply as u32 + 1,
                next: None,
            });
            for branch in spec.branches.iter().filter(|branch| branch.at == ply) {
                inside.extend(scribe.branch(&before, ply as u32, branch));
            }
        }
        let (written, outcome) = RESULTS[spec.result];
        if spec.illegal && line.len() > 3 {
            // Nothing moves to where an own piece stands.
            let own: Vec<u8> = position
                .iter()
                .filter(|(_, piece)| piece.side == position.turn())
                .map(|(cell, _)| cell)
                .collect();
            if let [first, .., last] = own[..] {
                let [from, to] = [first, last].map(|cell| write::square(variant, cell));
                scribe.write(&position, &format!("{from}-{to}"));
                scribe.text.push_str("{and so on} ");
            }
        }
        scribe.text.push_str(written);
        scribe.text.push_str("\n\n");
        let meant = match variant.name {
            "english" => outcome.with_colours_swapped(),
            _ => outcome,
        };
        // Who cannot be beaten any more has not lost.
        let proven = position
            .winner(&variant.rules)
            .map(|side| [Outcome::First, Outcome::Second][usize::from(side)]);
        let outcome = proven
            .filter(|proven| proven.with_colours_swapped() == meant)
            .unwrap_or(meant);
        Self {
            spec,
            variant: Some(variant),
            line,
            inside,
            outcome,
            pdn: scribe.text,
        }
    }

    /// A game of one move from a position.
    pub(super) fn of_one_move(
        spec: Spec,
        position: &DraughtsPosition,
        played: &DraughtsMove,
    ) -> Option<Self> {
        let variant = &ALL[spec.variant];
        let mut scribe = Scribe {
            variant,
            text: tags(&spec, Some(variant), Some(position)),
            number: 0,
        };
        let word = write::word(variant, position, played, 'x')?;
        scribe.write(position, &word);
        scribe.text.push_str("*\n\n");
        let mut next = *position;
        next.play(played);
        let captured = Played::Move(played.from, played.to, played.captured);
        let line = [(*position, 0, Some(captured)), (next, 1, None)];
        let stop = |(position, ply, next)| Stop {
            position,
            ply,
            next,
        };
        Some(Self {
            spec,
            variant: Some(variant),
            line: line.map(stop).to_vec(),
            inside: Vec::new(),
            outcome: Outcome::Unknown,
            pdn: scribe.text,
        })
    }

    pub(super) fn plies(&self) -> u32 {
        match self.variant {
            Some(_) => self.line.len() as u32 - 1,
            None => 4,
        }
    }

    /// The number of its variant in the registry.
    pub(super) fn variant_id(&self) -> u8 {
        self.variant
            .map_or(Variant::CHESS, |variant| Variant::of_draughts(variant).id)
    }
}

/// A start position by its number: 0 is the usual one.
pub(super) fn start(variant: &DraughtsVariant, number: u8) -> DraughtsPosition {
    match number {
        0 => DraughtsPosition::start(&variant.rules),
        number => write::ending(variant.rules.board, number),
    }
}

/// A man that is put elsewhere at the start, as in drawn openings.
fn placement(
    spec: &Spec,
    variant: &DraughtsVariant,
    position: &DraughtsPosition,
) -> Option<(Played, DraughtsPosition, String)> {
    let (man, place) = spec.drawn?;
    if !variant.tag.letters || variant.rules.rows != 3 || spec.start != 0 {
        return None;
    }
    let men: Vec<(u8, DraughtsPiece)> = position.iter().collect();
    let (from, piece) = men[usize::from(man) % men.len()];
    let board = variant.rules.board;
    let free: Vec<u8> = (0..board.square_count())
        .filter_map(|index| board.cell_at(index))
        .filter(|cell| position.at(*cell).is_none())
        .collect();
    let to = free[usize::from(place) % free.len()];
    if write::legal(position, &variant.rules)
        .iter()
        .any(|m| (m.from, m.to) == (from, to))
    {
        return None;
    }
    let mut next = *position;
    next.lift(from);
    next.put(to, piece);
    next.set_turn(position.turn() ^ 1);
    let word = format!(
        "{}-{}",
        write::square(variant, from),
        write::square(variant, to)
    );
    Some((Played::Placement(from, to), next, word))
}

fn tags(
    spec: &Spec,
    variant: Option<&DraughtsVariant>,
    start: Option<&DraughtsPosition>,
) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    tag("White", WHITES[spec.names[0]]);
    tag("Black", BLACKS[spec.names[1]]);
    tag("Date", &format!("{}.??.??", spec.year));
    for (name, elo) in ["WhiteElo", "BlackElo"].into_iter().zip(spec.elos) {
        if elo > 0 {
            tag(name, &elo.to_string());
        }
    }
    if let (Some(variant), Some(start)) = (variant, start) {
        tag("Result", RESULTS[spec.result].0);
        let squares = &variant.tag;
        let first = if variant.rules.first == 0 { 'W' } else { 'B' };
        let kind = if squares.letters { 'A' } else { 'N' };
        if let Some(number) = variant.game_type {
            tag(
                "GameType",
                &format!(
                    "{number},{first},{},{},{kind}{},{}",
                    variant.rules.board.width(),
                    variant.rules.board.height(),
                    squares.corner,
                    u8::from(squares.inverted)
                ),
            );
        } else {
            // Those without a number of their own are told by name.
            tag("GameType", if squares.letters { "30" } else { "20" });
            tag("Variant", variant.title);
        }
        if *start != DraughtsPosition::start(&variant.rules) {
            tag("FEN", &write::fen(variant, start));
        }
    } else {
        tag("Result", "*");
    }
    out.push('\n');
    out
}
