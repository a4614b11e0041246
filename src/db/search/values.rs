//! Moves by what comments say of them: time left, evaluation, loss.

use super::locate::Replays;
use crate::query::{MoveFilter, Ranges, pattern::ply_set::PlySet};
use crate::{
    base::record::GameId,
    db::{replay::Annotations, store::StoreError},
    games::variation_tree::NoLines,
    pgn::parser::{
        comment::{self, CommandValue, CommentValue},
        eval_view::{EvalEvidence, EvalViews},
    },
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
    /// In hundredths of a pawn, from White's view.
    evaluation: Option<i64>,
}

impl MoveValues {
    fn add(&mut self, name: &str, value: &CommandValue) {
        match *value {
            CommandValue::Time { milliseconds } if matches!(name, "clk" | "mct" | "tl") => {
                self.time_left_ms = i64::try_from(milliseconds).ok();
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
    each_move(replays, game, |before, here, second_moved| {
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
    each_move(replays, game, |before, here, second_moved| {
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

/// Calls `each` with what is known of the moves of a main line that have comments, each with the
/// one before it and whether the side moved that moves second, until it does not want more.
fn each_move(
    replays: &mut Replays<'_>,
    game: GameId,
    mut each: impl FnMut(MoveValues, &MoveValues, bool) -> bool,
) -> Result<(), StoreError> {
    let walked = replays.with_annotations(game, |start, _, annotations| {
        let Some(annotations) = annotations else {
            return Some(());
        };
        let second_begins = start.turn() == 1;
        let second_moved = |plies: u32| (plies % 2 == 1) == second_begins;
        let mut views = None;
        let mut views = || *views.get_or_insert_with(|| views_of(annotations));
        let (tree, texts) = annotations.parts(|| NoLines)?;
        let (mut before, mut here) = (MoveValues::default(), MoveValues::default());
        let mut is_wanted = true;
        texts.of_main_line(&tree, |plies, text| {
            if !is_wanted {
                return;
            }
            if plies != here.plies {
                is_wanted = each(before, &here, second_moved(here.plies));
                before = std::mem::replace(
                    &mut here,
                    MoveValues {
                        plies,
                        ..MoveValues::default()
                    },
                );
            }
            if is_wanted {
                for CommentValue { name, value } in
                    comment::values(text, second_moved(plies), annotations.evals, &mut views)
                {
                    here.add(name, &value);
                }
            }
        })?;
        if is_wanted {
            each(before, &here, second_moved(here.plies));
        }
        Some(())
    })?;
    walked.ok_or_else(|| replays.damaged(format!("comments of game {game}")))
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
