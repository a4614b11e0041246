//! Games that were found, each with the place where it was.

use super::{
    super::{
        Hit, comments,
        locate::SearchTarget,
        moves,
        pattern::{self, CompiledFact},
        plan::{AccessPlan, PatternQuery},
        select::SelectedGame,
        tags::WordCondition,
        values,
    },
    GameReader,
};
use crate::{
    base::record::{GameHeader, GameId},
    games::{
        AnyCursor,
        symmetry::{BoardShift, Symmetry},
        variation_tree::PlyRef,
    },
    query::{
        GameCondition,
        pattern::{ply_set::PlySet, similarity::ModelBoard},
    },
    store::StoreError,
};

impl GameReader<'_> {
    /// A hit of a search without a position.
    pub(in crate::modules::search) fn plain_hit(
        &self,
        header: GameHeader,
    ) -> Result<Hit, StoreError> {
        Ok(Hit {
            place: self.place_of(&header)?,
            header,
            ply: None,
            plies_found: Vec::new(),
            next_move: None,
            similarity: None,
            in_variation: false,
            variation: None,
            symmetry: Symmetry::None,
            moved: BoardShift::NOT,
        })
    }

    /// A hit with the ply and the move played there.
    pub(in crate::modules::search) fn hit(
        &mut self,
        header: GameHeader,
        found: SelectedGame,
        targets: &[SearchTarget],
    ) -> Result<Hit, StoreError> {
        let (place, next_move, target) = self.visit(found, targets)?;
        Ok(Hit {
            ply: Some(place.ply),
            next_move,
            in_variation: found.in_variation,
            variation: found.in_variation.then(|| place.line.to_string()),
            symmetry: targets[target].symmetry,
            moved: targets[target].moved,
            ..self.plain_hit(header)?
        })
    }

    /// Whether only variations of a game reach one of the targets; `None` if nothing does.
    pub(in crate::modules::search) fn reaches(
        &mut self,
        game: GameId,
        targets: &[SearchTarget],
    ) -> Result<Option<bool>, StoreError> {
        for in_variation in [false, true] {
            if self.replays.visit(game, in_variation, targets)?.is_some() {
                return Ok(Some(in_variation));
            }
        }
        Ok(None)
    }

    /// Where a game that was found reaches one of the targets, the move played there, and
    /// which target.
    pub(in crate::modules::search) fn visit(
        &mut self,
        SelectedGame { game, in_variation }: SelectedGame,
        targets: &[SearchTarget],
    ) -> Result<(PlyRef, Option<String>, usize), StoreError> {
        let reached = self.replays.visit(game, in_variation, targets)?;
        let (reached, target) = reached.ok_or_else(|| self.unreached(game))?;
        let next_move = self.next_move(game, &reached.at, reached.next)?;
        let place = PlyRef {
            line: reached.line,
            ply: reached.ply,
        };
        Ok((place, next_move, target))
    }

    /// A hit with the ply of a position and the move played there.
    fn hit_at(
        &mut self,
        header: GameHeader,
        (at, next): (AnyCursor, Option<u16>),
    ) -> Result<Hit, StoreError> {
        Ok(Hit {
            ply: Some(at.ply()),
            next_move: self.next_move(header.id, &at, next)?,
            ..self.plain_hit(header)?
        })
    }

    /// A hit of a search by conditions on games alone, at the move or the comment that the first of
    /// such is about.
    pub(in crate::modules::search) fn hit_by_conditions(
        &mut self,
        header: GameHeader,
        conditions: &[GameCondition],
    ) -> Result<Hit, StoreError> {
        let game = header.id;
        let mut of_move = conditions.iter().filter_map(|condition| match condition {
            GameCondition::Move(asked) => Some(asked.clone()),
            _ => None,
        });
        let mut plies_found = Vec::new();
        let ply = if let Some(asked) = of_move.next() {
            let plies = values::moves(&mut self.replays, game, &[Some(asked)])?;
            plies_found.extend(plies.iter().flat_map(PlySet::iter));
            plies_found.first().copied()
        } else {
            let texts = conditions.iter().filter_map(|condition| match condition {
                GameCondition::Comment(text) => Some(WordCondition::of(text)),
                _ => None,
            });
            let texts: Vec<WordCondition> = texts.collect();
            if texts.is_empty() {
                return self.plain_hit(header);
            }
            comments::first_comment(&mut self.replays, game, &texts)?
        };
        let ply = ply.ok_or_else(|| self.unreached(game))?;
        match self.replays.at_ply(game, ply)? {
            Some(reached) => Ok(Hit {
                plies_found,
                ..self.hit_at(header, reached)?
            }),
            // A comment of a game that cannot be played.
            None => self.plain_hit(header),
        }
    }

    /// A hit of a query about positions and moves.
    pub(in crate::modules::search) fn hit_by_pattern(
        &mut self,
        header: GameHeader,
        found: SelectedGame,
        (plan, pattern, facts): (&AccessPlan, &PatternQuery, &[CompiledFact]),
    ) -> Result<Hit, StoreError> {
        let game = header.id;
        let place = pattern::place(self.store, &mut self.replays, found, (pattern, facts))?;
        let Some(&first) = place.plies.first() else {
            // Facts alone were enough.
            return self.hit_by_conditions(header, &plan.conditions.all);
        };
        let (variation, reached) = match &place.line {
            None => (None, self.replays.at_ply(game, first)?),
            Some((path, line)) => {
                let reached = self.replays.at_ply_of(game, line, first)?;
                (Some(path.to_string()), reached)
            }
        };
        let (at, next) = reached.ok_or_else(|| self.unreached(game))?;
        Ok(Hit {
            ply: Some(first),
            plies_found: place.plies,
            next_move: self.next_move(game, &at, next)?,
            in_variation: variation.is_some(),
            variation,
            ..self.plain_hit(header)?
        })
    }

    /// A hit of a search by likeness, where the game comes nearest.
    pub(in crate::modules::search) fn hit_by_likeness(
        &mut self,
        header: GameHeader,
        model: &ModelBoard,
    ) -> Result<Hit, StoreError> {
        let game = header.id;
        let Some((ply, likeness)) = self.replays.most_alike(game, model)? else {
            return self.plain_hit(header);
        };
        let reached = self.replays.at_ply(game, ply)?;
        let reached = reached.ok_or_else(|| self.unreached(game))?;
        Ok(Hit {
            similarity: Some(likeness.share()),
            ..self.hit_at(header, reached)?
        })
    }

    fn unreached(&self, game: GameId) -> StoreError {
        self.store.damaged(format!(
            "the index lists game {game}, which does not reach the position"
        ))
    }

    /// The text of a ply that a game plays somewhere, as the game itself has it; none
    /// if it ends there.
    fn next_move(
        &mut self,
        game: GameId,
        at: &AnyCursor,
        next: Option<u16>,
    ) -> Result<Option<String>, StoreError> {
        let Some(next) = next else {
            return Ok(None);
        };
        let corner = self.replays.game(game)?.and_then(|(at, ..)| at.corner());
        let name = at.next_name(next, self.writing.form, corner);
        let language = self.writing.language;
        Ok(name.map(|name| moves::in_language(at.has_letters(), name, language)))
    }
}
