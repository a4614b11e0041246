//! What games have in addition to their main lines, out of the store.

use std::borrow::Cow;

use crate::{
    base::record::GameId,
    games::{
        BoardGame, Stepper,
        variation_tree::{LineSource, Lines, Texts, TreeFault, TreeReader, VariationTree},
    },
    pgn::parser::eval_view::{EvalReading, SourceEvals},
    store::{EvalReadings, RecordKind, RecordReader, Store, StoreError},
};

/// The packed tree of a game and its texts ([`games::variation_tree`](crate::games::variation_tree)).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Annotations<'b> {
    pub(super) tree: Cow<'b, [u8]>,
    pub(super) texts: Cow<'b, [u8]>,
    /// How the evaluations of the source are read.
    pub evals: SourceEvals,
}

impl Annotations<'_> {
    /// A packed tree and its texts.
    pub const fn of(tree: Vec<u8>, texts: Vec<u8>) -> Annotations<'static> {
        Annotations {
            tree: Cow::Owned(tree),
            texts: Cow::Owned(texts),
            evals: SourceEvals {
                by_hand: EvalReading::UNKNOWN,
                by_evidence: EvalReading::UNKNOWN,
            },
        }
    }

    /// The records that hold them, in the order of [`RecordKind::ALL`]; empty where there is
    /// nothing to hold.
    pub fn records(&self) -> [&[u8]; 2] {
        [&self.tree, &self.texts]
    }

    /// The tree; `None` where it is damaged.
    pub fn tree(&self) -> Option<VariationTree<'_>> {
        VariationTree::of(&self.tree)
    }

    /// A reader of the game that begins at a position and has that main line.
    ///
    /// # Errors
    ///
    /// [`TreeFault`], where they are damaged.
    pub fn reader<'r, G: BoardGame>(
        &'r self,
        start: &'r G,
        main_line: &'r [u8],
    ) -> Result<TreeReader<'r, Stepper<G>, Lines<'r, G>>, TreeFault> {
        let lines = || Lines::new(start, main_line);
        TreeReader::new(
            Stepper::new(start),
            main_line,
            &self.tree,
            &self.texts,
            lines,
        )
    }

    /// Takes them apart; `None` where they are damaged. Lines that comments name come from
    /// a source.
    pub fn parts<L: LineSource>(
        &self,
        source: impl FnOnce() -> L,
    ) -> Option<(VariationTree<'_>, Texts<'_, L>)> {
        let tree = self.tree()?;
        let texts = match &self.texts[..] {
            [] => Texts::none(),
            texts => Texts::of(texts, &tree, source)?,
        };
        Some((tree, texts))
    }
}

/// Reads the annotations of games.
#[derive(Debug)]
pub struct AnnotationReader<'s> {
    store: &'s Store,
    trees: RecordReader<'s>,
    texts: RecordReader<'s>,
    /// Once it is requested.
    evals: Option<EvalReadings>,
}

impl<'s> AnnotationReader<'s> {
    /// A reader of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            trees: store.records(RecordKind::Tree),
            texts: store.records(RecordKind::Texts),
            evals: None,
        }
    }

    /// The packed tree of a game; `None` if it has nothing but its main line.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn tree(&mut self, game: GameId) -> Result<Option<&[u8]>, StoreError> {
        self.trees.get(game)
    }

    /// The same with its texts.
    ///
    /// # Errors
    ///
    /// As [`Self::tree`].
    pub fn get(&mut self, game: GameId) -> Result<Option<Annotations<'_>>, StoreError> {
        if self.evals.is_none() {
            self.evals = Some(self.store.eval_readings()?);
        }
        let Some(tree) = self.trees.get(game)? else {
            return Ok(None);
        };
        let texts = self.texts.get(game)?.unwrap_or_default();
        Ok(Some(Annotations {
            tree: tree.into(),
            texts: texts.into(),
            evals: (self.evals.as_ref()).map_or_else(SourceEvals::default, |of| of.of_game(game)),
        }))
    }
}
