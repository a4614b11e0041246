//! What games have besides their main lines, out of the store: of databases of the first
//! schema, which keep it as text, read again.

use std::borrow::Cow;

use serde_json::Value;

use crate::{
    base::record::GameId,
    db::store::{RecordKind, RecordReader, Store, StoreError},
    games::{
        AnyPosition, Game,
        language::Expected,
        notation::letters::Language,
        reading::Reading,
        tree::{Mark, Texts, Tree},
        variation::{self, Written},
        with_game,
    },
};

/// The packed tree of a game and its texts ([`games::tree`](crate::games::tree)).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Annotations<'b> {
    tree: Cow<'b, [u8]>,
    texts: Cow<'b, [u8]>,
}

impl Annotations<'_> {
    /// The records that hold them, in the order of [`RecordKind::ALL`]; empty where there is
    /// nothing to hold.
    pub fn records(&self) -> [&[u8]; 2] {
        [&self.tree, &self.texts]
    }

    /// Takes them apart; `None` where they are damaged.
    pub fn parts(&self) -> Option<(Tree<'_>, Texts<'_>)> {
        let tree = Tree::of(&self.tree)?;
        let texts = match &self.texts[..] {
            [] => Texts::none(),
            texts => Texts::of(texts, &tree)?,
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
}

impl<'s> AnnotationReader<'s> {
    /// A reader of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            trees: store.records(RecordKind::Tree),
            texts: store.records(RecordKind::Texts),
        }
    }

    /// The packed tree of a game that begins at a position and has that main line; `None` if
    /// it has nothing besides.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn tree(
        &mut self,
        game: GameId,
        start: &AnyPosition,
        main_line: &[u8],
    ) -> Result<Option<Cow<'_, [u8]>>, StoreError> {
        if self.store.keeps_variations_as_text() {
            let read = first_schema(self.store, game, start, main_line)?;
            return Ok(read.map(|annotations| annotations.tree));
        }
        Ok(self.trees.get(game)?.map(Cow::Borrowed))
    }

    /// The same with its texts.
    ///
    /// # Errors
    ///
    /// As [`Self::tree`].
    pub fn get(
        &mut self,
        game: GameId,
        start: &AnyPosition,
        main_line: &[u8],
    ) -> Result<Option<Annotations<'_>>, StoreError> {
        if self.store.keeps_variations_as_text() {
            return first_schema(self.store, game, start, main_line);
        }
        let Some(tree) = self.trees.get(game)? else {
            return Ok(None);
        };
        let texts = self.texts.get(game)?.unwrap_or_default();
        Ok(Some(Annotations {
            tree: tree.into(),
            texts: texts.into(),
        }))
    }
}

/// The annotations of a game as the first schema has them.
fn first_schema(
    store: &Store,
    game: GameId,
    start: &AnyPosition,
    main_line: &[u8],
) -> Result<Option<Annotations<'static>>, StoreError> {
    let read = store.annotation(game, |items| {
        let items: Vec<(u32, String, Value)> = serde_json::from_str(items)?;
        Ok(with_game!(AnyPosition of start, start => read_again(&items, start, main_line)))
    })?;
    let damaged =
        |error: serde_json::Error| store.damaged(format!("annotations of game {game}: {error}"));
    read.transpose().map_err(damaged)
}

/// Annotations that are kept as text: plies before each, its kind and its value.
fn read_again<G: Game>(
    items: &[(u32, String, Value)],
    start: &G,
    main_line: &[u8],
) -> Annotations<'static> {
    let language = items.iter().find(|(_, kind, _)| kind == "l");
    let language = language.and_then(|(.., code)| Language::for_moves(code.as_str()?));
    let convention = start.convention(Expected {
        language,
        certain: true,
    });
    let items = items.iter().filter_map(|(ply, kind, value)| {
        let text = value.as_str().unwrap_or_default();
        let item = match kind.as_str() {
            "{" => Written::Text(Mark::Comment, text),
            ";" => Written::Text(Mark::LineComment, text),
            "?" => Written::Text(Mark::Word, text),
            "!" => Written::Text(Mark::Rest, text),
            "(" => Written::Variation(text),
            "$" => Written::Nag(u32::try_from(value.as_u64()?).ok()?),
            _ => return None,
        };
        Some((*ply, item))
    });
    let mut reading = Reading::default();
    variation::read_again(start, main_line, &convention, items, &mut reading);
    let (mut tree, mut texts) = (Vec::new(), Vec::new());
    reading.tree.write_tree(&mut tree);
    if reading.tree.has_texts() {
        reading.tree.write_texts(&mut texts);
    }
    Annotations {
        tree: tree.into(),
        texts: texts.into(),
    }
}
