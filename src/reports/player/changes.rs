//! What a player has taken up and dropped, and plays more often than others do.

use serde::Serialize;

use super::{
    games::PlayerGame,
    lines::{ClassMoves, LineKey, LineNode, LinePlace, PlayerLines},
    tree,
};
use crate::{
    games::notation::letters::Language,
    reports::position::{Trend, mark_trends},
    search::MoveCode,
};

/// A change is tested if the player had at least this number of chances lately, and before.
const RECENT_CHANCES: u64 = 5;
const EARLIER_CHANCES: u64 = 10;

/// Games and share of a pet line, and how many times the share of others it is.
const PET_GAMES: usize = 6;
const PET_SHARE: f64 = 0.30;
const PET_TIMES: f64 = 3.0;

/// The share of others up to which a move is a surprise, and its games if it is not recent.
const SURPRISE_SHARE: f64 = 0.02;
const SURPRISE_GAMES: usize = 3;

/// Games of others in a position that say what is usual there.
const CLASS_MIN: u64 = 50;

/// Plies within which pet lines and surprises are looked for.
pub(super) const PLIES: u8 = 16;

/// Lines that are listed at most, of each kind.
const LISTED: usize = 12;

/// A move that the player has taken up or dropped.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineChange {
    /// The player's side.
    pub color: &'static str,
    /// The moves by which most games came; the last is the player's.
    pub moves: Vec<String>,
    /// How often it was played lately and before.
    pub trend: Trend,
}

/// A move that the player plays more often than others of like strength do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RareLine {
    /// The player's side.
    pub color: &'static str,
    /// The moves by which most games came; the last is the player's.
    pub moves: Vec<String>,
    /// Games of the player with the move.
    pub games: u64,
    /// Games of the player in which it could be played.
    pub chances: u64,
    /// Games of others with the move.
    pub class_games: u64,
    /// Games of others in which it could be played.
    pub class_chances: u64,
    /// The player's lately.
    pub recent: u64,
    /// The last year.
    pub last_year: Option<u32>,
}

/// Moves that stand out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LineChanges {
    /// How many moves were tested for a change.
    pub tested: u64,
    /// What was taken up or dropped, the least probable by chance first.
    pub changes: Vec<LineChange>,
    /// Pet lines: moves that the player often plays and others hardly ever.
    pub pet_lines: Vec<RareLine>,
    /// Moves that hardly anybody else plays, latest first.
    pub surprises: Vec<RareLine>,
}

struct OwnMove<'l> {
    side: usize,
    key: LineKey,
    code: MoveCode,
    visits: &'l [LinePlace],
    node: &'l LineNode,
}

/// All moves of the player, in a fixed order.
fn own_moves(lines: &PlayerLines) -> Vec<OwnMove<'_>> {
    let mut all = Vec::new();
    for (side, nodes) in lines.sides.iter().enumerate() {
        for (&key, node) in nodes.iter().filter(|(_, node)| node.is_own) {
            all.extend(node.moves.iter().map(|(&code, played)| OwnMove {
                side,
                key,
                code,
                visits: &played.visits,
                node,
            }));
        }
    }
    all.sort_by_key(|own| (own.visits[0].1, own.side, own.key, own.code));
    all
}

/// Finds what stands out. Without a class there are neither pet lines nor surprises.
pub(super) fn find(
    lines: &PlayerLines,
    games: &[PlayerGame],
    class: &ClassMoves,
    language: &Language,
) -> LineChanges {
    let own = own_moves(lines);
    let mut found = LineChanges::default();
    let mut tested: Vec<(&OwnMove<'_>, Trend)> = (own.iter())
        .filter(|own| own.node.chances() as u64 >= RECENT_CHANCES + EARLIER_CHANCES)
        .map(|own| {
            let chances = tree::chances_of(own.node);
            (own, tree::trend(games, own.visits, &chances))
        })
        .filter(|(_, trend)| {
            trend.recent_chances >= RECENT_CHANCES
                && trend.before_chances >= EARLIER_CHANCES
                // Where there was no choice nothing can change.
                && trend.recent + trend.before < trend.recent_chances + trend.before_chances
                && trend.recent + trend.before >= 3
        })
        .collect();
    found.tested = tested.len() as u64;
    mark_trends(tested.iter_mut().map(|(_, trend)| trend));
    tested.retain(|(_, trend)| trend.sign.is_some());
    tested.sort_by(|one, other| one.1.p.total_cmp(&other.1.p));
    found.changes = (tested.iter().take(LISTED))
        .map(|(own, trend)| LineChange {
            color: ["white", "black"][own.side],
            moves: lines.moves(own.visits, language),
            trend: *trend,
        })
        .collect();
    let rare = |own: &OwnMove<'_>, of_class: (u64, u64)| RareLine {
        color: ["white", "black"][own.side],
        moves: lines.moves(own.visits, language),
        games: own.visits.len() as u64,
        chances: own.node.chances() as u64,
        class_games: of_class.0,
        class_chances: of_class.1,
        recent: recent(games, own.visits),
        last_year: last_year(games, own.visits),
    };
    let known: Vec<(&OwnMove<'_>, (u64, u64))> = (own.iter())
        .filter(|own| own.visits[0].1 < PLIES)
        .map(|own| (own, class.of(own.key, own.code)))
        .filter(|(_, (_, chances))| *chances >= CLASS_MIN)
        .collect();
    let mut pets: Vec<(f64, RareLine)> = (known.iter())
        .filter_map(|(own, of_class)| {
            let (games, chances) = (own.visits.len(), own.node.chances());
            let share = games as f64 / chances as f64;
            let usual = (of_class.0 as f64 + 0.5) / (of_class.1 as f64 + 1.0);
            let is_pet = games >= PET_GAMES && share >= PET_SHARE && share >= PET_TIMES * usual;
            // How far the share is from what is usual, in standard errors.
            let error = (usual * (1.0 - usual) / chances as f64).sqrt();
            is_pet.then(|| ((share - usual) / error, rare(own, *of_class)))
        })
        .collect();
    pets.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.pet_lines = shallowest(pets.into_iter().map(|(_, line)| line));
    let mut surprises: Vec<RareLine> = (known.iter())
        .filter(|(own, of_class)| {
            let share = of_class.0 as f64 / of_class.1 as f64;
            share <= SURPRISE_SHARE
                && (own.visits.len() >= SURPRISE_GAMES || recent(games, own.visits) > 0)
        })
        .map(|(own, of_class)| rare(own, *of_class))
        .filter(|line| {
            found
                .pet_lines
                .iter()
                .all(|pet| !is_below(&line.moves, pet))
        })
        .collect();
    surprises
        .sort_by_key(|line| std::cmp::Reverse((line.recent.min(3), line.last_year, line.games)));
    found.surprises = shallowest(surprises.into_iter());
    found
}

/// Whether moves lead through a line, or to its end.
fn is_below(moves: &[String], line: &RareLine) -> bool {
    moves.starts_with(&line.moves)
}

/// The first lines, without those that lead through others.
fn shallowest(lines: impl Iterator<Item = RareLine>) -> Vec<RareLine> {
    let mut all: Vec<RareLine> = Vec::new();
    for line in lines {
        let is_part = |other: &RareLine| {
            other.color == line.color
                && (is_below(&line.moves, other) || is_below(&other.moves, &line))
        };
        match all.iter().position(is_part) {
            Some(at) if all[at].moves.len() > line.moves.len() => all[at] = line,
            None if all.len() < LISTED => all.push(line),
            _ => {}
        }
    }
    all
}

fn recent(games: &[PlayerGame], visits: &[LinePlace]) -> u64 {
    let is_recent = |&&(game, _): &&LinePlace| games[game as usize].is_recent;
    visits.iter().filter(is_recent).count() as u64
}

fn last_year(games: &[PlayerGame], visits: &[LinePlace]) -> Option<u32> {
    let years = visits.iter().map(|&(game, _)| games[game as usize].year());
    years.max().filter(|&year| year > 0)
}
