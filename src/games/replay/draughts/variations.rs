//! Lines beside the main line, played on the side for the index.
//!
//! A game is cut into its lines first, each a list of words with the line and
//! the place that it branches from, in the order in which they begin. So nesting
//! needs no recursion. What a variation is read as depends on its words and the
//! position that it begins from alone: reading a game and reading a stored
//! variation later find the same positions.

use super::{
    Step,
    opening::Opening,
    solve::{Line, Played, Solver},
};
use crate::{
    games::replay::read::Decode,
    parse::{Family, Kind, Parser, RawGame},
    rules::draughts::Position,
};

/// The words of one line.
#[derive(Debug, Default)]
pub(super) struct Words {
    parent: usize,
    /// How many of the parent's words come before it; it replaces what the last
    /// of them was.
    after: u32,
    has_children: bool,
    /// The item that begins it.
    pub(super) first_item: usize,
    /// Its words and set-ups as indices of items.
    pub(super) items: Vec<u32>,
}

/// Cuts a game into its lines; the first is the main line.
pub(super) fn lines(raw: &RawGame) -> Vec<Words> {
    let mut lines = vec![Words::default()];
    lines[0].items.reserve(raw.items.len());
    let mut open = vec![0];
    for (at, item) in raw.items.iter().enumerate() {
        let Some(&line) = open.last() else { break };
        match item.kind {
            Kind::Word | Kind::Setup => lines[line].items.push(at as u32),
            Kind::VariationStart => {
                lines[line].has_children = true;
                let after = lines[line].items.len() as u32;
                open.push(lines.len());
                lines.push(Words {
                    parent: line,
                    after,
                    first_item: at,
                    ..Words::default()
                });
            }
            Kind::VariationEnd if open.len() > 1 => {
                open.pop();
            }
            _ => {}
        }
    }
    lines
}

/// A line that was played, for those that branch from it.
struct PlayedLine {
    steps: Vec<Played>,
    /// Before each step, and after the last.
    positions: Vec<Position>,
    /// Plies of the game before it.
    ply: u32,
    /// The word that it ends before.
    end: u32,
}

impl PlayedLine {
    fn new(line: Line, start: Position, ply: u32) -> Self {
        let mut positions = Vec::with_capacity(line.steps.len() + 1);
        positions.push(start);
        let mut position = start;
        for played in &line.steps {
            played.step.play(&mut position);
            positions.push(position);
        }
        Self {
            steps: line.steps,
            positions,
            ply,
            end: line.end.map_or(u32::MAX, |end| end.word),
        }
    }

    /// The position that a line after some words branches from, and its ply.
    fn branch(&self, after: u32) -> Option<(Position, u32)> {
        let played = self.steps.partition_point(|step| step.word < after);
        if self.end < after {
            return None;
        }
        let last = played.checked_sub(1)?;
        Some((*self.positions.get(last)?, self.ply + last as u32))
    }
}

/// Plays all lines but the first, which was read as `main` from `start` after
/// `ply` plies, up to the one that begins at an item. `visit` sees each ply with
/// the position after it and the plies up to there, and the ply after that.
#[allow(clippy::too_many_arguments)]
pub(super) fn each(
    raw: &RawGame,
    bytes: &[u8],
    decode: Decode<'_>,
    opening: &Opening,
    lines: &[Words],
    main: Line,
    start: (Position, u32),
    until: usize,
    mut visit: impl FnMut(&Position, u32, Option<&Played>),
) {
    let mut solver = Solver::new(raw, bytes, decode, opening, None);
    let mut done: Vec<Option<PlayedLine>> = Vec::with_capacity(lines.len());
    done.push(Some(PlayedLine::new(main, start.0, start.1)));
    for line in &lines[1..] {
        if line.first_item > until {
            break;
        }
        let branch = done
            .get(line.parent)
            .and_then(Option::as_ref)
            .and_then(|parent| parent.branch(line.after));
        let Some((position, ply)) = branch else {
            done.push(None);
            continue;
        };
        let read = solver.solve(&position, &line.items, |_| 0);
        let played = PlayedLine::new(read, position, ply);
        played.visit(&mut visit);
        done.push(line.has_children.then_some(played));
    }
}

impl PlayedLine {
    fn visit(&self, visit: &mut impl FnMut(&Position, u32, Option<&Played>)) {
        for (at, position) in self.positions.iter().enumerate().skip(1) {
            visit(position, self.ply + at as u32, self.steps.get(at));
        }
    }
}

/// A position met inside a variation.
#[derive(Debug, Clone, Copy)]
pub struct InVariation {
    /// The position.
    pub position: Position,
    /// Plies from the start of the game.
    pub ply: u32,
    /// How the variation's own line goes on.
    pub next: Option<Step>,
}

/// The positions of a variation, and of those inside it, from its text.
/// `before` is the position in which it begins, after `ply` plies; squares are
/// named as in `opening`.
pub fn variation_positions(
    text: &str,
    opening: &Opening,
    before: &Position,
    ply: u32,
) -> Vec<InVariation> {
    let mut raw = RawGame {
        family: Family::Draughts,
        ..RawGame::default()
    };
    Parser::variation(text.as_bytes(), Family::Draughts, &mut raw);
    positions_in(&raw, text.as_bytes(), opening, before, ply)
}

/// As [`variation_positions`], from a variation whose text was parsed.
pub fn positions_in(
    raw: &RawGame,
    bytes: &[u8],
    opening: &Opening,
    before: &Position,
    ply: u32,
) -> Vec<InVariation> {
    let decode: Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let lines = lines(raw);
    let mut found = Vec::new();
    let mut visit = |position: &Position, ply: u32, next: Option<&Played>| {
        found.push(InVariation {
            position: *position,
            ply,
            next: next.map(|played| played.step),
        });
    };
    let mut solver = Solver::new(raw, bytes, decode, opening, None);
    let main = solver.solve(before, &lines[0].items, |_| 0);
    PlayedLine::new(main.clone(), *before, ply).visit(&mut visit);
    each(
        raw,
        bytes,
        decode,
        opening,
        &lines,
        main,
        (*before, ply),
        usize::MAX,
        visit,
    );
    found
}
