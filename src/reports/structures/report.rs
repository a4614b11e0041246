//! How a pawn structure or an ending is played, from whatever opening.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::{
    candidates,
    endings::EndingSpec,
    pattern,
    pawns::{NAMED_STRUCTURES, NamedStructure},
    reached::{ReachedFigures, Reaching},
    stays::{ReachScan, SkeletonTarget, Stay, StayFinder, StayTest},
};
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    blocks::facts::PackedFacts,
    games::{
        self, AnyCursor, AnyPosition, CASTLING,
        diagram::Diagram,
        opening_names,
        symmetry::Symmetry,
        variant::Variant,
        view::{PieceSets, code_of},
    },
    reports::{
        expectation::ExpectedScores,
        figures::{FigureRow, Figures, ScoreRecord, SideResult},
        plans::{PlanLimits, PlanList, PlanMiner, SquareLabels, SquareSymmetry, StepRules},
        sample::{GAMES_MAX, baseline, name_all, rules_of},
        timeline::{self, YearFigures},
    },
    search::{self, AccessPlan, LineVisit, SingleGame},
    store::{NameTable, Store, StoreError},
};

/// How much two pawn structures must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SkeletonWidth {
    /// Every pawn stands on its square.
    #[default]
    Exact,
    /// Each side has as many pawns on each file; those of the c-, d- and e-file stand on their
    /// squares.
    Files,
}

/// Which structure is looked at.
#[derive(Debug, Clone)]
pub enum StructureQuery {
    /// The pawns, or the men of draughts, of a position.
    Skeleton(AnyPosition, SkeletonWidth),
    /// A pawn structure with a name.
    Named(&'static NamedStructure),
    /// The pieces of an ending.
    Ending(EndingSpec),
    /// Where a query holds, and where it does with the colours exchanged or as it stands.
    Pattern {
        /// The text.
        text: String,
        /// The games in which it holds as it stands.
        plain: Box<AccessPlan>,
        /// The games in which it holds either way.
        either: Box<AccessPlan>,
    },
}

/// What a report is to have.
#[derive(Debug, Clone, Copy)]
pub struct StructureOptions {
    /// Plies that games are followed from the structure on.
    pub window: u32,
    /// Which steps and plans are shown.
    pub limits: PlanLimits,
}

/// An opening from which a structure came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StructureOpening {
    /// The name of the opening, without its variation.
    pub name: String,
    /// Its share of the games, 0 to 1.
    pub share: f64,
    /// The games.
    #[serde(flatten)]
    pub results: Figures,
}

/// Endings with the same number of pawns more on one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PawnDifference {
    /// The pawns that the side has more, or less if negative.
    pub pawns: i8,
    /// The games.
    #[serde(flatten)]
    pub results: Figures,
}

/// A report on a structure. The side that has it counts as White; scores are those of that side,
/// except where a part says other.
#[derive(Debug, Clone, Serialize)]
pub struct StructureReport {
    /// What was asked for.
    pub query: String,
    /// `skeleton`, `named`, `ending` or `query`.
    pub kind: &'static str,
    /// What it is.
    pub title: String,
    /// The squares of the pawns or men of the side and of the other, of a skeleton.
    pub squares: Option<[Vec<String>; 2]>,
    /// The pawns or men alone.
    #[serde(skip)]
    pub diagram: Option<Diagram>,
    /// Plies that the structure stayed on the board at least.
    pub plies: u32,
    /// Games that were searched.
    pub searched: u64,
    /// Games of other variants in which a query holds, which are not counted.
    #[serde(skip_serializing_if = "is_zero")]
    pub other_variants: u64,
    /// White's advantage in the database, in rating points; `None` where ratings are not used.
    pub white_advantage: Option<f64>,
    /// The games.
    pub results: Figures,
    /// The same by the colour of the side.
    pub by_color: Vec<FigureRow>,
    /// Games of chess in which left and right are exchanged.
    pub mirrored: u64,
    /// The ply of the game by which half of the games have it.
    pub from_ply: u32,
    /// Of an ending, by the pawns that the side has more.
    pub pawn_differences: Vec<PawnDifference>,
    /// The openings from which it came, most games first.
    pub openings: Vec<StructureOpening>,
    /// What both sides do from there.
    pub plans: Option<PlanList>,
    /// Endings that follow.
    pub endings: Vec<ReachedFigures>,
    /// The games of each year.
    pub years: Vec<YearFigures>,
    /// Games without a year.
    pub undated: u64,
    /// Games that the side has won, highest ratings first.
    pub models: Vec<SingleGame>,
    /// Games that the other side has won.
    pub other_models: Vec<SingleGame>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(games: &u64) -> bool {
    *games == 0
}

/// A game with the structure.
#[derive(Debug, Clone, Copy)]
struct StructureGame {
    id: GameId,
    facts: PackedFacts,
    stay: Stay,
}

impl StructureGame {
    /// The side that has the structure.
    const fn side(&self) -> usize {
        self.stay.symmetry.swaps_colours() as usize
    }
}

impl StructureQuery {
    fn kind(&self) -> &'static str {
        match self {
            Self::Skeleton(..) => "skeleton",
            Self::Named(_) => "named",
            Self::Ending(_) => "ending",
            Self::Pattern { .. } => "query",
        }
    }

    /// The variant whose games have it.
    pub fn variant(&self) -> &'static Variant {
        match self {
            Self::Skeleton(at, _) => at.variant(),
            _ => &crate::games::variant::ALL[0],
        }
    }

    /// A query that holds in all games that may have it; `None` if there is none.
    fn pattern(&self) -> Option<String> {
        match self {
            Self::Named(named) => Some(candidates::either(named.pattern)),
            Self::Ending(spec) => Some(candidates::of_pieces(spec.family.own, spec.family.other)),
            Self::Skeleton(at, SkeletonWidth::Exact) if games::moves_as_chess(at.variant()) => {
                words(self).2.as_ref().map(candidates::of_pawns)
            }
            Self::Skeleton(..) | Self::Pattern { .. } => None,
        }
    }

    pub(super) fn test(&self) -> Option<StayTest> {
        Some(match self {
            Self::Skeleton(at, width) => skeleton(at, *width),
            Self::Named(named) => StayTest::Named(named),
            Self::Ending(spec) => StayTest::Ending(*spec),
            Self::Pattern { .. } => return None,
        })
    }
}

/// The codes of the pieces that make a structure.
fn codes(variant: &Variant) -> [u8; 2] {
    let letters = if games::crowns(variant) {
        ['M', 'm']
    } else {
        ['P', 'p']
    };
    letters.map(code_of)
}

const FILES_CDE: u64 = 0x1c1c_1c1c_1c1c_1c1c;

pub(super) fn skeleton(at: &AnyPosition, width: SkeletonWidth) -> StayTest {
    let codes = codes(at.variant());
    let is_draughts = games::crowns(at.variant());
    let mut targets: Vec<SkeletonTarget> = Vec::new();
    let bare = at.without_rights(true, true);
    let symmetries = if is_draughts {
        &[Symmetry::None, Symmetry::Rotate][..]
    } else {
        &[
            Symmetry::None,
            Symmetry::Flip,
            Symmetry::Mirror,
            Symmetry::Rotate,
        ]
    };
    let diagram = bare.diagram();
    let sets = PieceSets::of(&diagram);
    for &symmetry in symmetries {
        let seen = SquareSymmetry::new(&diagram, symmetry);
        let mut squares = codes.map(|code| seen.squares(sets.pieces(code)));
        if seen.swaps_sides {
            squares.swap(0, 1);
        }
        let exact = match width {
            SkeletonWidth::Files if !is_draughts => seen.squares(FILES_CDE.into()),
            _ => u128::MAX,
        };
        let target = SkeletonTarget {
            squares,
            exact,
            symmetry,
        };
        let is_new = |own: &SkeletonTarget| (own.squares, own.exact) != (squares, exact);
        if targets.iter().all(is_new) {
            targets.push(target);
        }
    }
    StayTest::Skeleton {
        targets,
        codes,
        plies: if is_draughts {
            1
        } else {
            super::stays::STRUCTURE_PLIES
        },
    }
}

/// The first stay that counts: a mirrored one only once neither side can castle, for enough plies.
pub(super) fn first_stay(stays: &[Stay], line: &LineVisit<'_>, plies: u32) -> Option<Stay> {
    stays.iter().find_map(|stay| {
        if !stay.symmetry.mirrors() || games::crowns(line.start.variant()) {
            return Some(*stay);
        }
        let (mut at, mut rest) = (AnyCursor::new(line.start), line.plies);
        for ply in 0..stay.end {
            if ply >= stay.ply && stay.end - ply >= plies && at.state_bits() & CASTLING == 0 {
                return Some(Stay { ply, ..*stay });
            }
            let code = at.peek(&mut rest)?;
            at.play(code);
        }
        None
    })
}

/// Reports on the games of a plan that have a structure.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, or the end was requested.
pub fn report(
    store: &Store,
    (plan, query): (&AccessPlan, &StructureQuery),
    options: &StructureOptions,
    observer: &dyn Observer,
) -> Result<StructureReport, StoreError> {
    let asked = search::all_games(store, plan)?;
    let mut facts = store.facts();
    let mut of_variant = |game: GameId| Ok::<_, StoreError>(facts.get(game)?.variant);
    let (mut games, variant) = match query {
        StructureQuery::Pattern { plain, either, .. } => {
            let found = pattern::games(store, [plain, either])?;
            let ids = found.iter().map(|(game, _)| *game);
            let mut variant = pattern::most_played(ids, &mut of_variant)?;
            if variant.is_none() {
                variant = pattern::most_played(asked.iter().copied(), &mut of_variant)?;
            }
            (found, variant.unwrap_or_else(|| query.variant()))
        }
        _ => (Vec::new(), query.variant()),
    };
    let own_rules = |id: u32| {
        let row = u8::try_from(id).ok().and_then(Variant::by_id);
        row.is_some_and(|row| row.rules == variant.rules)
    };
    let rules = rules_of(variant);
    let is_chess = rules == Ok(StepRules::Pieces);
    let mut all = Vec::new();
    for game in asked {
        if own_rules(of_variant(game)?) {
            all.push(game);
        }
    }
    let searched = all.len() as u64;
    let mut other_variants = 0;
    if let Some(test) = query.test() {
        if let Some(pattern) = query.pattern() {
            candidates::keep(store, &pattern, &mut all)?;
        }
        let _ = observer.on(Event::Phase {
            name: "looking at structures",
            steps: Some(all.len() as u64),
        });
        let (mut finder, mut done) = (StayFinder::new(&test), 0_u64);
        search::each_line(store, &all, &mut |line| {
            done += 1;
            if done % 4096 == 0 {
                let _ = observer.on(Event::Steps { steps: 4096 });
            }
            let stays = finder.stays(line.start, line.plies);
            games.extend(first_stay(stays, line, test.plies()).map(|stay| (line.game, stay)));
            Ok(())
        })?;
    } else {
        let found = std::mem::take(&mut games);
        for (game, mut stay) in found {
            if !own_rules(of_variant(game)?) {
                other_variants += 1;
                continue;
            }
            // A board of draughts has the colours exchanged if it is turned.
            if games::crowns(variant) && stay.symmetry == Symmetry::Flip {
                stay.symmetry = Symmetry::Rotate;
            }
            games.push((game, stay));
        }
    }
    let mut known = Vec::with_capacity(games.len());
    for (id, stay) in games {
        known.push(StructureGame {
            id,
            facts: facts.get(id)?,
            stay,
        });
    }
    let expectation = is_chess.then(|| ExpectedScores::read(store)).transpose()?;
    let dated = known.iter().map(|game| (&game.facts, game.side()));
    let (years, undated) = timeline::years(store, dated, expectation.as_ref(), own_rules)?;
    let mut report = blank(query, (searched, expectation.as_ref()), &known);
    report.other_variants = other_variants;
    if games::crowns(variant) {
        report.mirrored = 0;
    }
    (report.years, report.undated) = (years, undated);
    report.openings = openings(store, &known, expectation.as_ref())?;
    if let Ok(rules) = rules
        && !known.is_empty()
    {
        let miner = PlanMiner::new(rules, options.window, expectation);
        follow(
            store,
            (miner, &known),
            (options, is_chess),
            own_rules,
            &mut report,
        )?;
    }
    let plans = report.plans.iter_mut().flat_map(PlanList::models);
    name_all(
        store,
        plans
            .chain(&mut report.models)
            .chain(&mut report.other_models),
    )?;
    Ok(report)
}

/// What needs no further look at the games.
fn blank(
    query: &StructureQuery,
    (searched, expectation): (u64, Option<&ExpectedScores>),
    known: &[StructureGame],
) -> StructureReport {
    let mut all = ScoreRecord::default();
    let mut by_color: [ScoreRecord; 2] = Default::default();
    let mut differences: BTreeMap<i8, ScoreRecord> = BTreeMap::new();
    for game in known {
        let side = game.side();
        let view = SideResult::of(&game.facts, side);
        all.add(&view, expectation);
        by_color[side].add(&view, expectation);
        let [own, other] = [game.stay.pawns[side], game.stay.pawns[side ^ 1]];
        let difference = (own as i8 - other as i8).clamp(-2, 2);
        differences
            .entry(difference)
            .or_default()
            .add(&view, expectation);
    }
    let is_ending = matches!(query, StructureQuery::Ending(_));
    let rows = ["white", "black"].into_iter().zip(by_color);
    let (title, text, squares, diagram) = words(query);
    StructureReport {
        query: text,
        kind: query.kind(),
        title,
        squares,
        diagram,
        plies: query
            .test()
            .map_or(super::stays::STRUCTURE_PLIES, |test| test.plies()),
        searched,
        other_variants: 0,
        white_advantage: expectation.map(|fitted| fitted.advantage),
        results: all.figures(),
        by_color: rows
            .map(|(key, record)| FigureRow {
                by: "color",
                key: key.to_owned(),
                figures: record.figures(),
            })
            .collect(),
        mirrored: known
            .iter()
            .filter(|game| game.stay.symmetry.mirrors())
            .count() as u64,
        from_ply: crate::reports::plans::median(known.iter().map(|game| game.stay.ply)),
        pawn_differences: differences
            .into_iter()
            .rev()
            .filter(|_| is_ending)
            .map(|(pawns, record)| PawnDifference {
                pawns,
                results: record.figures(),
            })
            .collect(),
        openings: Vec::new(),
        plans: None,
        endings: Vec::new(),
        years: Vec::new(),
        undated: 0,
        models: models(known, 0),
        other_models: models(known, 1),
    }
}

type StructureWords = (String, String, Option<[Vec<String>; 2]>, Option<Diagram>);

/// What a structure is called, its text, its squares and its board.
fn words(query: &StructureQuery) -> StructureWords {
    match query {
        StructureQuery::Skeleton(at, width) => {
            let mut diagram = at.diagram();
            let codes = codes(at.variant());
            let sets = PieceSets::of(&diagram);
            let names = SquareLabels::new(&diagram, false);
            let is_draughts = games::crowns(at.variant());
            let named = |set: u128| {
                let squares = (0..128_u8).filter(move |at| set >> at & 1 == 1);
                let mut named: Vec<String> =
                    squares.map(|at| names.square(at).to_owned()).collect();
                if !is_draughts {
                    named.sort_unstable();
                }
                named
            };
            let squares = codes.map(|code| named(sets.pieces(code)));
            let both = codes
                .into_iter()
                .fold(0, |both, code| both | sets.pieces(code));
            for place in diagram.rows.iter_mut().flatten() {
                let keeps = place.square.is_some_and(|at| both >> at & 1 == 1);
                place.piece = place.piece.filter(|_| keeps);
            }
            "the structure".clone_into(&mut diagram.title);
            diagram.marks = crate::games::diagram::Highlights::default();
            let title = match (width, is_draughts) {
                (_, true) => "these men of draughts",
                (SkeletonWidth::Exact, false) => "these pawns",
                (SkeletonWidth::Files, false) => "these pawns by file",
            };
            (title.to_owned(), at.fen(), Some(squares), Some(diagram))
        }
        StructureQuery::Named(named) => (named.title.to_owned(), named.key.to_owned(), None, None),
        StructureQuery::Ending(spec) => (spec.family.title(), spec.text(), None, None),
        StructureQuery::Pattern { text, .. } => (text.clone(), text.clone(), None, None),
    }
}

/// Openings in the list.
const OPENINGS: usize = 10;

fn openings(
    store: &Store,
    known: &[StructureGame],
    expectation: Option<&ExpectedScores>,
) -> Result<Vec<StructureOpening>, StoreError> {
    let mut records: HashMap<u32, ScoreRecord> = HashMap::new();
    for game in known {
        let record = records.entry(game.facts.opening).or_default();
        record.add(&SideResult::of(&game.facts, game.side()), expectation);
    }
    let mut named: HashMap<String, ScoreRecord> = HashMap::new();
    store.for_each_name(NameTable::Opening, |id, text| {
        if let Some(record) = records.get(&id) {
            let (_, name) = opening_names::parted(text);
            let family = name.split(':').next().unwrap_or(name);
            named.entry(family.to_owned()).or_default().merge(record);
        }
    })?;
    let mut rows: Vec<StructureOpening> = named
        .into_iter()
        .map(|(name, record)| StructureOpening {
            name,
            share: record.games as f64 / known.len() as f64,
            results: record.figures(),
        })
        .collect();
    rows.sort_by(|one, other| {
        let by_games = other.results.games.cmp(&one.results.games);
        by_games.then_with(|| one.name.cmp(&other.name))
    });
    rows.truncate(OPENINGS);
    Ok(rows)
}

/// Follows the games from the structure on.
fn follow(
    store: &Store,
    (mut miner, known): (PlanMiner, &[StructureGame]),
    (options, is_chess): (&StructureOptions, bool),
    own_rules: impl Fn(u32) -> bool,
    report: &mut StructureReport,
) -> Result<(), StoreError> {
    let every = known.len().div_ceil(GAMES_MAX).max(1);
    let followed: Vec<&StructureGame> = known.iter().step_by(every).collect();
    let ids: Vec<GameId> = followed.iter().map(|game| game.id).collect();
    let mut reached = Reaching::default();
    let mut scan = ReachScan::default();
    let mut symmetries: HashMap<Symmetry, SquareSymmetry> = HashMap::new();
    let (mut at, mut board) = (0, None);
    search::each_line(store, &ids, &mut |line| {
        // A line that cannot be played is not given.
        while followed[at].id != line.game {
            at += 1;
        }
        let game = followed[at];
        let diagram = board.get_or_insert_with(|| line.start.diagram());
        let symmetry = game.stay.symmetry;
        let seen = symmetries.entry(symmetry);
        let seen = seen.or_insert_with(|| SquareSymmetry::new(diagram, symmetry));
        let from = (line.start, line.plies, game.stay.ply);
        let place = miner.add((game.id, &game.facts), from, seen);
        if let Some(place) = place.filter(|_| is_chess) {
            let (_, endings) = scan.scan(line.start, line.plies, game.stay.ply);
            reached.add(place, &[0; NAMED_STRUCTURES.len()], endings, game.side());
        }
        Ok(())
    })?;
    if miner.games() == 0 {
        return Ok(());
    }
    let ply = |at: usize| followed[at % followed.len()].stay.ply;
    let baseline = baseline(store, miner.tracker(), own_rules, ply)?;
    let Some(board) = board else {
        return Ok(());
    };
    let names = SquareLabels::new(&board, false);
    let mut plans = crate::reports::plans::mine(&miner, &baseline, &names, (&options.limits, 0));
    plans.every = every as u64;
    report.endings = reached.endings(&miner, 0);
    if report.kind == "ending" {
        report.endings.clear();
    }
    report.plans = Some(plans);
    Ok(())
}

/// Model games of each side.
const MODELS: usize = 4;

/// Games that the side with the structure (0), or the other one, has won, by the rating of the
/// weaker player.
fn models(known: &[StructureGame], other: usize) -> Vec<SingleGame> {
    let won = |game: &&StructureGame| {
        SideResult::of(&game.facts, game.side() ^ other).half_points == Some(2)
    };
    let mut games: Vec<&StructureGame> = known.iter().filter(won).collect();
    games.sort_by_key(|game| {
        let lower = game.facts.white_elo.min(game.facts.black_elo);
        (std::cmp::Reverse((lower, game.facts.date)), game.id)
    });
    let of = |game: &StructureGame| SingleGame {
        id: game.id,
        ..SingleGame::default()
    };
    games.into_iter().take(MODELS).map(of).collect()
}
