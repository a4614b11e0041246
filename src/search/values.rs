//! Moves by what comments and glyphs say of them: time left and spent, evaluation, loss.

use super::locate::Replays;
use crate::{
    base::record::GameId,
    games::variation_tree::{NoLines, VariationTree},
    pgn::{
        parser::{
            comment::{self, CommandValue, CommentValue},
            eval_view::{EvalEvidence, EvalViews},
        },
        tags::time_control::TimeControl,
    },
    query::{MoveFilter, Ranges, pattern::ply_set::PlySet},
    replay::Annotations,
    store::StoreError,
};

/// What a mate counts for, less a hundredth for each move: more than any pawns.
const MATE: i64 = 1 << 40;

/// Beyond this many hundredths of a pawn nothing more can be lost.
const LOSS_MAX: i64 = 1000;

/// What is known of a move.
#[derive(Debug, Clone, Copy, Default)]
struct MoveValues {
    /// Plies up to it, itself included.
    plies: u32,
    time_left_ms: Option<i64>,
    /// As a comment says, or by the clocks.
    spent_ms: Option<i64>,
    /// Its glyphs up to 255, as bits.
    glyphs: [u64; 4],
    /// In hundredths of a pawn, from White's view.
    evaluation: Option<i64>,
}

impl MoveValues {
    fn add(&mut self, name: &str, value: &CommandValue) {
        match *value {
            CommandValue::Time { milliseconds } if matches!(name, "clk" | "mct" | "tl") => {
                self.time_left_ms = i64::try_from(milliseconds).ok();
            }
            CommandValue::Time { milliseconds } if matches!(name, "emt" | "mt") => {
                self.spent_ms = i64::try_from(milliseconds).ok();
            }
            CommandValue::Centipawns { centipawns, .. } => {
                self.evaluation = Some(centipawns.into());
            }
            CommandValue::Mate { moves, .. } => {
                let moves = i64::from(moves);
                let is_whites = moves > 0;
                self.evaluation = Some(if is_whites { MATE } else { -MATE } - moves);
            }
            _ => {}
        }
    }

    const fn has(&self, glyph: u8) -> bool {
        self.glyphs[glyph as usize / 64] >> (glyph % 64) & 1 == 1
    }

    fn add_glyph(&mut self, glyph: u32) {
        if let Some(bits) = self.glyphs.get_mut(glyph as usize / 64) {
            *bits |= 1 << (glyph % 64);
        }
    }

    /// Whether it is such a move as is requested, after another one.
    fn fits(&self, before: Self, asked: &MoveFilter, second_moved: bool) -> bool {
        let within = |ranges: &Option<Ranges<i64>>, value: Option<i64>| match (ranges, value) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(ranges), Some(value)) => ranges.contains(value),
        };
        let is_next = before.plies + 1 == self.plies;
        let loss = before.evaluation.filter(|_| is_next).zip(self.evaluation);
        let loss = loss.map(|(before, after)| {
            let [before, after] =
                [before, after].map(|evaluation| evaluation.clamp(-LOSS_MAX, LOSS_MAX));
            if second_moved {
                after - before
            } else {
                before - after
            }
        });
        self.plies > 0
            && within(&asked.time_left_ms, self.time_left_ms)
            && within(&asked.spent_ms, self.spent_ms)
            && asked
                .glyphs
                .iter()
                .all(|any| any.iter().any(|glyph| self.has(*glyph)))
            && within(&asked.evaluation, self.evaluation)
            && within(&asked.loss, loss)
    }
}

/// The first move of the main line of a game that is such a one: plies before it.
pub(super) fn first_move(
    replays: &mut Replays<'_>,
    game: GameId,
    asked: &MoveFilter,
) -> Result<Option<u32>, StoreError> {
    let mut first = None;
    let needs = MoveNeeds::of(std::iter::once(asked));
    each_move(replays, game, needs, |before, here, second_moved| {
        let fits = here.fits(before, asked, second_moved);
        first = fits.then(|| here.plies - 1);
        !fits
    })?;
    Ok(first)
}

/// The moves of the main line of a game that are of this kind, for each kind requested: plies
/// before them.
pub(super) fn moves(
    replays: &mut Replays<'_>,
    game: GameId,
    asked: &[Option<MoveFilter>],
) -> Result<Vec<PlySet>, StoreError> {
    let mut found = vec![PlySet::default(); asked.len()];
    let needs = MoveNeeds::of(asked.iter().flatten());
    each_move(replays, game, needs, |before, here, second_moved| {
        for (asked, found) in asked.iter().zip(&mut found) {
            if asked
                .as_ref()
                .is_some_and(|asked| here.fits(before, asked, second_moved))
            {
                found.insert(here.plies - 1);
            }
        }
        true
    })?;
    Ok(found)
}

/// What conditions need beside comments.
#[derive(Debug, Clone, Copy)]
struct MoveNeeds {
    glyphs: bool,
    increments: bool,
}

impl MoveNeeds {
    fn of<'m>(asked: impl Iterator<Item = &'m MoveFilter>) -> Self {
        let mut needs = Self {
            glyphs: false,
            increments: false,
        };
        for asked in asked {
            needs.glyphs |= !asked.glyphs.is_empty();
            needs.increments |= asked.spent_ms.is_some();
        }
        needs
    }
}

/// Goes through the moves of a main line that have comments or glyphs.
struct MoveScan<G, E> {
    /// The glyphs to come and the plies up to their moves.
    glyphs: G,
    next_glyph: Option<(u32, u32)>,
    /// The time control; none where the time that was spent does not matter.
    control: Option<TimeControl>,
    /// The last time on the clock of each side, with the plies up to it.
    clocks: [Option<(u32, i64)>; 2],
    before: MoveValues,
    here: MoveValues,
    second_begins: bool,
    is_wanted: bool,
    each: E,
}

impl<G, E> MoveScan<G, E>
where
    G: Iterator<Item = (u32, u32)>,
    E: FnMut(MoveValues, &MoveValues, bool) -> bool,
{
    const fn second_moved(&self, plies: u32) -> bool {
        (plies % 2 == 1) == self.second_begins
    }

    /// Goes on to the move that is this ply, counted from 1.
    fn go_to(&mut self, plies: u32) {
        while self.is_wanted {
            let glyph = self.next_glyph.filter(|(at, _)| *at <= plies);
            let next = glyph.map_or(plies, |(at, _)| at);
            if next != self.here.plies {
                self.give();
                self.here = MoveValues {
                    plies: next,
                    ..MoveValues::default()
                };
            }
            let Some((_, glyph)) = glyph else {
                return;
            };
            self.here.add_glyph(glyph);
            self.next_glyph = self.glyphs.next();
        }
    }

    /// Gives away the move at hand, which is known.
    fn give(&mut self) {
        let second_moved = self.second_moved(self.here.plies);
        if let Some(control) = &self.control {
            let plies = self.here.plies;
            let clock = &mut self.clocks[usize::from(second_moved)];
            let before = clock.filter(|(at, _)| at + 2 == plies);
            if let (Some((_, before)), Some(after), None) =
                (before, self.here.time_left_ms, self.here.spent_ms)
            {
                let increment = control.increment_at(plies.div_ceil(2));
                let spent = before - after + i64::from(increment) * 1000;
                // A clock to which time was added does not show it.
                self.here.spent_ms = (spent >= 0).then_some(spent);
            }
            if let Some(left) = self.here.time_left_ms {
                *clock = Some((plies, left));
            }
        }
        self.is_wanted = (self.each)(self.before, &self.here, second_moved);
        self.before = self.here;
    }
}

/// Calls `each` with what is known of the moves of a main line that have comments or glyphs, each
/// with the one before it and whether the side moved that moves second, until it does not want more.
fn each_move(
    replays: &mut Replays<'_>,
    game: GameId,
    needs: MoveNeeds,
    each: impl FnMut(MoveValues, &MoveValues, bool) -> bool,
) -> Result<(), StoreError> {
    let control = needs.increments.then(|| replays.time_control(game));
    let control = control.transpose()?;
    let walked = replays.with_annotations(game, |start, _, annotations| {
        let Some(annotations) = annotations else {
            return Some(());
        };
        let mut views = None;
        let mut views = || *views.get_or_insert_with(|| views_of(annotations));
        let (tree, texts) = annotations.parts(|| NoLines)?;
        let glyphs = if needs.glyphs {
            tree
        } else {
            VariationTree::default()
        };
        let mut glyphs = glyphs.main_line_glyphs();
        let mut scan = MoveScan {
            next_glyph: glyphs.next(),
            glyphs,
            control,
            clocks: [None; 2],
            before: MoveValues::default(),
            here: MoveValues::default(),
            second_begins: start.turn() == 1,
            is_wanted: true,
            each,
        };
        texts.of_main_line(&tree, |plies, text| {
            scan.go_to(plies);
            if scan.is_wanted {
                let second_moved = scan.second_moved(plies);
                for CommentValue { name, value } in
                    comment::values(text, second_moved, annotations.evals, &mut views)
                {
                    scan.here.add(name, &value);
                }
            }
        })?;
        scan.go_to(u32::MAX);
        Some(())
    })?;
    walked.ok_or_else(|| replays.damaged(format!("comments of game {game}")))
}

/// A move of a main line by what its comments say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveAnnotation {
    /// Its number among the plies of the game, from 1.
    pub ply: u32,
    /// Who moved: 0 the side that usually begins, 1 the other.
    pub side: usize,
    /// The time on the clock of that side after it, in milliseconds.
    pub time_left_ms: Option<i64>,
    /// The evaluation after it, in hundredths of a pawn from White's view; a mate is more than any
    /// pawns.
    pub evaluation: Option<i64>,
}

/// The moves of a main line whose comments have a time or an evaluation, in order.
pub(super) fn annotations(
    replays: &mut Replays<'_>,
    game: GameId,
) -> Result<Vec<MoveAnnotation>, StoreError> {
    let needs = MoveNeeds {
        glyphs: false,
        increments: false,
    };
    let mut found = Vec::new();
    each_move(replays, game, needs, |_, here, second_moved| {
        if here.plies > 0 && (here.time_left_ms.is_some() || here.evaluation.is_some()) {
            found.push(MoveAnnotation {
                ply: here.plies,
                side: usize::from(second_moved),
                time_left_ms: here.time_left_ms,
                evaluation: here.evaluation,
            });
        }
        true
    })?;
    Ok(found)
}

/// How the evaluations of a game are read.
pub(super) fn views_of(annotations: &Annotations<'_>) -> EvalViews {
    let mut evidence = EvalEvidence::default();
    if let Some((tree, texts)) = annotations.parts(|| NoLines) {
        // Where comments are damaged, those before that are of use.
        let _ = texts.of_main_line(&tree, |plies, text| evidence.look_at(plies, text));
    }
    evidence.views(annotations.evals)
}
