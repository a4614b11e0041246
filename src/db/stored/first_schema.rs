//! Annotations of the first schema, which keeps them as text: read again, and packed.

use serde_json::Value;

use super::Annotations;
use crate::{
    base::record::GameId,
    db::store::{Store, StoreError},
    games::{
        AnyPosition, Cursor, Game,
        language::Expected,
        notation::letters::Language,
        reading::Reading,
        tree::{Lines, Trace, TreeMark, TreeWalk, TreeWriter, WalkStep},
        variation::{self, WrittenItem},
        with_game,
    },
};

/// Plies before an annotation, its kind and its value.
type FirstItem = (u32, String, Value);

/// The kind of the item that names the language of a game.
const LANGUAGE: &str = "l";

/// What came of packing the annotations of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedGame {
    /// They are there.
    pub annotations: Annotations<'static>,
    /// Their plies would not have been found again: the variations are kept as they stand,
    /// and no position in them can be found.
    pub is_text: bool,
}

/// The annotations of a game, if it has any.
pub(super) fn read(
    store: &Store,
    game: GameId,
    start: &AnyPosition,
    main_line: &[u8],
) -> Result<Option<Annotations<'static>>, StoreError> {
    with_items(store, game, |items| {
        with_game!(AnyPosition of start, start => {
            let reading = read_again(items, start, main_line);
            Some(annotations_of(&reading.tree, start, main_line))
        })
    })
}

/// Packs the annotations of a game, if it has any, and compares the result with what is
/// there.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn packed(
    store: &Store,
    game: GameId,
    start: &AnyPosition,
    main_line: &[u8],
) -> Result<Option<PackedGame>, StoreError> {
    with_items(
        store,
        game,
        |items| with_game!(AnyPosition of start, start => pack(items, start, main_line)),
    )
}

/// What `make` makes of the items of a game; nothing is damage.
fn with_items<T>(
    store: &Store,
    game: GameId,
    make: impl FnOnce(&[FirstItem]) -> Option<T>,
) -> Result<Option<T>, StoreError> {
    let made = store.annotation(game, |text| {
        let items: Vec<FirstItem> =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        make(&items).ok_or_else(|| "no such items are written".to_owned())
    })?;
    let damaged = |why| store.damaged(format!("annotations of game {game}: {why}"));
    made.transpose().map_err(damaged)
}

fn pack<G: Game>(items: &[FirstItem], start: &G, main_line: &[u8]) -> Option<PackedGame> {
    let reading = read_again(items, start, main_line);
    let annotations = annotations_of(&reading.tree, start, main_line);
    let trace = reading.tree.trace();
    let is_kept = is_same(items, start, main_line, &annotations, trace) == Some(true);
    if is_kept {
        return Some(PackedGame {
            annotations,
            is_text: false,
        });
    }
    let annotations = annotations_of(&kept_as_text(items, start, main_line), start, main_line);
    let trace = Trace::default();
    let is_kept = is_same(items, start, main_line, &annotations, trace) == Some(true);
    is_kept.then_some(PackedGame {
        annotations,
        is_text: true,
    })
}

fn annotations_of<G: Game>(
    writer: &TreeWriter,
    start: &G,
    main_line: &[u8],
) -> Annotations<'static> {
    let (mut tree, mut texts) = (Vec::new(), Vec::new());
    writer.write_tree(&mut tree);
    if writer.has_texts() {
        writer.write_texts_of(start, main_line, &mut texts);
    }
    Annotations {
        tree: tree.into(),
        texts: texts.into(),
    }
}

/// What an item says; `None` of the language, and of what nobody has written.
fn written((_, kind, value): &FirstItem) -> Option<WrittenItem<'_>> {
    let text = |mark| Some(WrittenItem::Text(mark, value.as_str()?));
    match kind.as_str() {
        "{" => text(TreeMark::Comment),
        ";" => text(TreeMark::LineComment),
        "?" => text(TreeMark::Word),
        "!" => text(TreeMark::Rest),
        "(" => value.as_str().map(WrittenItem::Variation),
        "$" => Some(WrittenItem::Nag(u32::try_from(value.as_u64()?).ok()?)),
        _ => None,
    }
}

/// How the words of a game are meant.
fn convention<G: Game>(items: &[FirstItem], start: &G) -> G::Convention {
    let language = items.iter().find(|(_, kind, _)| kind == LANGUAGE);
    start.convention(Expected {
        language: language.and_then(|(.., code)| Language::for_moves(code.as_str()?)),
        certain: true,
        squares: None,
    })
}

fn read_again<G: Game>(items: &[FirstItem], start: &G, main_line: &[u8]) -> Reading {
    let mut reading = Reading::default();
    let convention = convention(items, start);
    let items = items
        .iter()
        .filter_map(|item| Some((item.0, written(item)?)));
    variation::read_again(start, main_line, &convention, items, &mut reading);
    reading
}

/// All items with the plies before them; `None` if there are some that nobody has written.
fn places<'i, G: Game>(
    items: &'i [FirstItem],
    start: &G,
    mut main_line: &[u8],
) -> Option<Vec<(u32, WrittenItem<'i>)>> {
    let (mut line, mut plies) = (start.cursor(), 0);
    while let Some(code) = line.peek(&mut main_line) {
        line.play(code);
        plies += 1;
    }
    let mut before = 0;
    let items = items.iter().filter(|(_, kind, _)| kind != LANGUAGE);
    items
        .map(|item| {
            before = item.0.min(plies).max(before);
            Some((before, written(item)?))
        })
        .collect()
}

/// The same with variations as they stand.
fn kept_as_text<G: Game>(items: &[FirstItem], start: &G, main_line: &[u8]) -> TreeWriter {
    let mut tree = TreeWriter::default();
    for (plies, item) in places(items, start, main_line).unwrap_or_default() {
        match item {
            WrittenItem::Text(mark, text) => tree.text(mark, text, plies),
            WrittenItem::Nag(number) => tree.nag(number, plies),
            WrittenItem::Variation(text) => tree.text(TreeMark::VariationText, text, plies),
        }
    }
    tree
}

/// Whether packed annotations have every comment, glyph and word of the main line in its
/// place, as many variations, and the plies that were read in them. `None` where they
/// cannot be read.
fn is_same<G: Game>(
    items: &[FirstItem],
    start: &G,
    main_line: &[u8],
    packed: &Annotations<'_>,
    trace: Trace,
) -> Option<bool> {
    let (tree, mut texts) = packed.parts(|| Lines::new(start, main_line))?;
    if TreeWalk::new(start.cursor(), main_line, tree).trace() != Ok(trace) {
        return Some(false);
    }
    let mut items = places(items, start, main_line)?.into_iter();
    let mut walk = TreeWalk::new(start.cursor(), main_line, tree);
    let mut plies = 0;
    while let Some(step) = walk.step().ok()? {
        let depth = walk.depth();
        let text = match step {
            WalkStep::Mark(mark) if mark.is_comment() || mark.is_word() => texts.next(mark)?,
            _ => "".into(),
        };
        let found = match (step, depth) {
            (WalkStep::Ply(_), 0) => {
                plies += 1;
                continue;
            }
            (WalkStep::Mark(TreeMark::VariationStart), 1) => None,
            (WalkStep::Mark(TreeMark::VariationEnd), _) | (_, 1..) => continue,
            (WalkStep::Mark(TreeMark::VariationText), _) => Some(WrittenItem::Variation(&text)),
            (WalkStep::Mark(mark), _) => Some(WrittenItem::Text(mark, &text)),
            (WalkStep::Nag(number), _) => Some(WrittenItem::Nag(number)),
        };
        let (before, item) = items.next()?;
        let is_same = match found {
            Some(found) => found == item,
            None => matches!(item, WrittenItem::Variation(_)),
        };
        if before != plies || !is_same {
            return Some(false);
        }
    }
    Some(items.next().is_none() && texts.is_used_up())
}
