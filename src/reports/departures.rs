//! Where games leave a repertoire: who leaves it, at which move, and how these games end.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    expectation::ExpectedScores,
    figures::{FigureRow, Figures, ScoreRecord, SideResult},
    sample::name_all,
};
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    games::{self, AnyPosition, notation::letters::Language, variant::Variant},
    search::{
        self, AccessPlan, MoveCode, Repertoire, RepertoireVisit, SingleGame, ViewedPlayer,
        move_names,
    },
    store::{Store, StoreError},
};

/// Games of a move of the opponent that is a hole of a repertoire, at least.
const HOLE_GAMES: u64 = 2;

/// What a report on departures has.
#[derive(Debug, Clone, Copy)]
pub struct DepartureOptions {
    /// The side of the repertoire: 0 White, 1 Black.
    pub side: usize,
    /// At most this many games are listed, the latest; `None` is all.
    pub games_max: Option<usize>,
    /// The language of the moves.
    pub language: &'static Language,
}

/// Who leaves a repertoire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DepartureKind {
    /// The side of the repertoire.
    Own,
    /// The opponent.
    Opponent,
    /// Neither: the repertoire has no move in the position.
    FileEnd,
    /// Neither: the game ends in a position of the repertoire that has moves.
    GameEnd,
}

/// All kinds, in the order in which they are shown.
const KINDS: [(DepartureKind, &str); 4] = [
    (DepartureKind::Own, "own"),
    (DepartureKind::Opponent, "opponent"),
    (DepartureKind::FileEnd, "file-end"),
    (DepartureKind::GameEnd, "game-end"),
];

impl DepartureKind {
    /// The name that programs read.
    pub const fn name(self) -> &'static str {
        KINDS[self as usize].1
    }
}

/// A game, and where it leaves a repertoire.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameDeparture {
    /// The game.
    #[serde(flatten)]
    pub game: SingleGame,
    /// Who leaves the repertoire.
    pub left_by: DepartureKind,
    /// Plies before the last position that the repertoire has.
    pub ply: u32,
    /// The moves by which the repertoire gets there.
    pub line: String,
    /// The number of the next move, and whether it is of the side that moves second.
    #[serde(skip)]
    pub number: (u32, bool),
    /// The move of the game there.
    pub san: Option<String>,
    /// The same moves with it.
    pub played: String,
    /// The moves of the repertoire there.
    pub in_file: Vec<String>,
}

/// A position in which games leave a repertoire.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepertoireLeaf {
    /// The moves that lead there; empty at the start.
    pub line: String,
    /// The position in FEN.
    pub fen: String,
    /// The moves of the repertoire there.
    pub in_file: Vec<String>,
    /// Games that the side of the repertoire leaves there.
    pub own: u64,
    /// Games that the opponent leaves there.
    pub opponent: u64,
    /// Games that go on where the repertoire ends.
    pub file_end: u64,
    /// Games that end there, although the repertoire goes on.
    pub game_end: u64,
    /// All these games.
    #[serde(flatten)]
    pub results: Figures,
}

/// A move by which games leave a repertoire.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveOutside {
    /// The moves that lead there, with this one.
    pub line: String,
    /// The position before it in FEN.
    pub fen: String,
    /// That position.
    #[serde(skip)]
    pub at: AnyPosition,
    /// The move.
    pub san: String,
    /// The move for programs.
    pub uci: String,
    /// The moves of the repertoire in its place.
    pub in_file: Vec<String>,
    /// Points that these games lie below what the ratings let expect, of the games with both
    /// ratings; `None` if there are none.
    pub lost_points: Option<f64>,
    /// These games.
    #[serde(flatten)]
    pub results: Figures,
}

/// Where games leave a repertoire. Scores are those of its side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DepartureReport {
    /// The side of the repertoire: `white` or `black`.
    pub view: &'static str,
    /// White's advantage in the database, in rating points.
    pub white_advantage: f64,
    /// Games in which the player has the other side, which are not counted.
    pub other_side: u64,
    /// Games without a position of the repertoire, which are not counted.
    pub elsewhere: u64,
    /// All games, and those by who leaves the repertoire.
    pub results: Vec<FigureRow>,
    /// Moves of the opponent that the repertoire lacks, of two games or more: those that lose most
    /// points first, then those of games without ratings.
    pub holes: Vec<MoveOutside>,
    /// Moves of the repertoire's side that it lacks, most games first.
    pub own_moves: Vec<MoveOutside>,
    /// The positions in which games leave the repertoire, most games first.
    pub leaves: Vec<RepertoireLeaf>,
    /// The games, latest first.
    pub games: Vec<GameDeparture>,
}

/// A game that was followed to its last position in the repertoire.
#[derive(Debug, Clone, Copy)]
struct FollowedGame {
    id: GameId,
    date: u32,
    visit: RepertoireVisit,
    kind: DepartureKind,
}

/// The games that leave a repertoire in one position.
#[derive(Debug, Default)]
struct LeafGames {
    results: ScoreRecord,
    counts: [u64; KINDS.len()],
    moves: BTreeMap<MoveCode, ScoreRecord>,
}

/// Reports where the games of a plan leave a repertoire. A position of it counts however a game
/// gets there: a game leaves the repertoire after the last of its positions. If the plan
/// names a player who may have either side, only games with the side of the repertoire count.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, or the end was requested.
pub fn report(
    store: &Store,
    (repertoire, plan): (&Repertoire, &AccessPlan),
    options: &DepartureOptions,
    observer: &dyn Observer,
) -> Result<DepartureReport, StoreError> {
    let side = options.side;
    let player = ViewedPlayer::of(store, plan)?.filter(ViewedPlayer::has_either);
    let mut ids = search::all_games(store, plan)?;
    let mut facts = store.facts();
    let found = ids.len();
    if let Some(player) = &player {
        let mut own = Vec::with_capacity(found);
        for id in ids {
            if player.has_second(&facts.get(id)?) == (side == 1) {
                own.push(id);
            }
        }
        ids = own;
    }
    let _ = observer.on(Event::Phase {
        name: "following games",
        steps: Some(ids.len() as u64),
    });
    let expectation = ExpectedScores::read(store)?;
    let mut total = ScoreRecord::default();
    let mut by_kind: [ScoreRecord; KINDS.len()] = Default::default();
    let mut leaves: BTreeMap<usize, LeafGames> = BTreeMap::new();
    let mut followed = Vec::new();
    search::each_line(store, &ids, &mut |line| {
        let _ = observer.on(Event::Steps { steps: 1 });
        let Some(visit) = repertoire.last_visit(line) else {
            return Ok(());
        };
        let facts = facts.get(line.game)?;
        let view = SideResult::of(&facts, side);
        let variant = u8::try_from(facts.variant).ok().and_then(Variant::by_id);
        let expected = Some(&expectation).filter(|_| variant.is_some_and(games::moves_as_chess));
        let kind = kind_of(repertoire, &visit, side);
        let leaf = leaves.entry(visit.place).or_default();
        leaf.counts[kind as usize] += 1;
        let is_outside = matches!(kind, DepartureKind::Own | DepartureKind::Opponent);
        let outside = visit.next.filter(|_| is_outside);
        let outside = outside.map(|code| leaf.moves.entry(code).or_default());
        let records = [&mut total, &mut by_kind[kind as usize], &mut leaf.results];
        for record in records.into_iter().chain(outside) {
            record.add(&view, expected);
        }
        followed.push(FollowedGame {
            id: line.game,
            date: facts.date,
            visit,
            kind,
        });
        Ok(())
    })?;
    let by_kind = KINDS.iter().zip(&by_kind);
    let by_kind = by_kind.map(|((_, key), record)| ("left_by", *key, record));
    let results = [("all", "all", &total)].into_iter().chain(by_kind);
    let mut report = DepartureReport {
        view: ["white", "black"][side & 1],
        white_advantage: expectation.advantage,
        other_side: (found - ids.len()) as u64,
        elsewhere: (ids.len() - followed.len()) as u64,
        results: (results.filter(|(_, _, record)| record.games > 0))
            .map(|(by, key, record)| FigureRow {
                by,
                key: key.to_owned(),
                figures: record.figures(),
            })
            .collect(),
        holes: Vec::new(),
        own_moves: Vec::new(),
        leaves: Vec::new(),
        games: list(store, repertoire, followed, options)?,
    };
    for (place, leaf) in &leaves {
        report.add(repertoire, *place, leaf, options);
    }
    report.holes.retain(|hole| hole.results.games >= HOLE_GAMES);
    report.holes.sort_by(|one, other| {
        let points = |hole: &MoveOutside| hole.lost_points.unwrap_or(f64::NEG_INFINITY);
        let by_points = points(other).total_cmp(&points(one));
        by_points.then(other.results.games.cmp(&one.results.games))
    });
    let games = |figures: &Figures| std::cmp::Reverse(figures.games);
    report.own_moves.sort_by_key(|own| games(&own.results));
    report.leaves.sort_by_key(|leaf| games(&leaf.results));
    Ok(report)
}

/// Who leaves the repertoire, if a visit is the last one.
fn kind_of(repertoire: &Repertoire, visit: &RepertoireVisit, side: usize) -> DepartureKind {
    match visit.next {
        _ if !repertoire.has_moves(visit.place) => DepartureKind::FileEnd,
        None => DepartureKind::GameEnd,
        Some(_) if repertoire.position(visit.place).turn() & 1 == side => DepartureKind::Own,
        Some(_) => DepartureKind::Opponent,
    }
}

/// The moves that the file has in a position.
fn moves_in(repertoire: &Repertoire, place: usize, language: &Language) -> Vec<String> {
    let moves = repertoire.moves(place, language).into_iter();
    moves.map(|(san, _)| san).collect()
}

/// The latest games, with their names.
fn list(
    store: &Store,
    repertoire: &Repertoire,
    mut followed: Vec<FollowedGame>,
    options: &DepartureOptions,
) -> Result<Vec<GameDeparture>, StoreError> {
    followed.sort_by_key(|game| std::cmp::Reverse((game.date, game.id)));
    followed.truncate(options.games_max.unwrap_or(usize::MAX));
    let departures = followed.into_iter().map(|game| {
        let place = game.visit.place;
        let at = repertoire.position(place);
        let san = (game.visit.next).map(|code| {
            let [san, _] = move_names(at, code, options.language);
            san
        });
        let line = repertoire.line(place).to_owned();
        GameDeparture {
            game: SingleGame::of(game.id),
            left_by: game.kind,
            ply: game.visit.ply,
            played: (san.as_deref())
                .map_or_else(|| line.clone(), |san| repertoire.line_with(place, san)),
            line,
            number: repertoire.number(place),
            san,
            in_file: moves_in(repertoire, place, options.language),
        }
    });
    let mut departures: Vec<GameDeparture> = departures.collect();
    name_all(
        store,
        departures.iter_mut().map(|departure| &mut departure.game),
    )?;
    Ok(departures)
}

impl DepartureReport {
    /// Adds a position in which games leave the repertoire, and the moves by which they do.
    fn add(
        &mut self,
        repertoire: &Repertoire,
        place: usize,
        leaf: &LeafGames,
        options: &DepartureOptions,
    ) {
        let at = repertoire.position(place);
        let (fen, in_file) = (at.fen(), moves_in(repertoire, place, options.language));
        let outside = leaf.moves.iter().map(|(&code, record)| {
            let [san, uci] = move_names(at, code, options.language);
            let expected = record.residuals.mean();
            MoveOutside {
                line: repertoire.line_with(place, &san),
                fen: fen.clone(),
                at: at.clone(),
                san,
                uci,
                in_file: in_file.clone(),
                // Score less expected score, summed up.
                lost_points: expected.map(|mean| -mean.value * record.residuals.games as f64),
                results: record.figures(),
            }
        });
        if at.turn() & 1 == options.side {
            self.own_moves.extend(outside);
        } else {
            self.holes.extend(outside);
        }
        let [own, opponent, file_end, game_end] = leaf.counts;
        self.leaves.push(RepertoireLeaf {
            line: repertoire.line(place).to_owned(),
            fen,
            in_file,
            own,
            opponent,
            file_end,
            game_end,
            results: leaf.results.figures(),
        });
    }
}
