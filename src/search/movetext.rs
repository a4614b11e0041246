//! The movetext of a stored game as items: its moves by name, and what stands between them.

use super::moves;
use crate::{
    base::record::MoveForm,
    base::record::MovetextItem,
    games::{
        AnyPosition, BoardGame, Cursor, Stepper,
        variation_tree::{
            Annotation, CorruptTree, PlyRef, TreeEvent, TreeFault, TreeIter, VariationTree,
        },
        with_game,
    },
    games::{
        diagram::Highlights,
        notation::letters::{ENGLISH, Language},
    },
    pgn::writer::VariationText,
    replay::Annotations,
};

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNotation {
    /// Those of draughts.
    pub form: MoveForm,
    /// With whose letters those of chess, in variations too.
    pub language: &'static Language,
}

impl Default for MoveNotation {
    fn default() -> Self {
        MoveForm::Short.into()
    }
}

impl From<MoveForm> for MoveNotation {
    fn from(form: MoveForm) -> Self {
        Self {
            form,
            language: ENGLISH,
        }
    }
}

/// The position of a game after some plies.
#[derive(Debug, Clone)]
pub struct BoardAt {
    /// Where it is.
    pub place: PlyRef,
    /// The position.
    pub position: AnyPosition,
    /// Its FEN.
    pub fen: String,
    /// The move that led to it, as its game writes it; `None` for the start position.
    pub last_move: Option<String>,
    /// What stands out of that move on the board.
    pub marks: Highlights,
}

/// The number of a move `plies` plies later, and whether it is of the side that moves second.
pub(super) const fn number_after((number, is_second): (u32, bool), plies: u32) -> (u32, bool) {
    let half = plies + is_second as u32;
    (number.saturating_add(half / 2), half % 2 == 1)
}

/// A movetext.
#[derive(Debug)]
pub(super) struct StoredMovetext {
    pub(super) items: Vec<MovetextItem>,
    /// The number of its first move, and whether it is of the side that moves second.
    pub(super) first_move: (u32, bool),
    /// The position at the end of the main line.
    pub(super) last: AnyPosition,
}

/// The movetext of a game: from where it begins, its main line and its annotations.
pub(super) fn movetext(
    start: &AnyPosition,
    main_line: &[u8],
    annotations: Option<&Annotations<'_>>,
    writing: MoveNotation,
) -> Result<StoredMovetext, TreeFault> {
    let mut items = Vec::new();
    let last = match annotations {
        None => moves::play(start, main_line, writing.form, |text| {
            let text = moves::in_language(start.has_letters(), text, writing.language);
            items.push(MovetextItem::Move(text));
            true
        }),
        Some(annotations) => with_game!(AnyPosition of start, at => {
            annotated(at, main_line, annotations, writing, &mut items)?.into()
        }),
    };
    Ok(StoredMovetext {
        items,
        first_move: start.number(),
        last,
    })
}

fn annotated<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    annotations: &Annotations<'_>,
    writing: MoveNotation,
    items: &mut Vec<MovetextItem>,
) -> Result<G, TreeFault> {
    let mut reader = annotations.reader(start, main_line)?;
    let mut variation = VariationText::default();
    loop {
        let mut named = None;
        let step = reader.step(|cursor| {
            if let Some(m) = cursor.pending() {
                let text = cursor.at().clone().write_and_play(m, writing.form);
                named = Some(moves::in_language(G::HAS_LETTERS, text, writing.language));
            }
        })?;
        let walk = reader.walk();
        let Some((step, text)) = step else {
            return Ok(walk.at().at().clone());
        };
        let is_main = walk.depth() == 0;
        match step {
            TreeEvent::Ply(_) => {
                let text = named.ok_or(TreeFault::Moves)?;
                if is_main {
                    items.push(MovetextItem::Move(text));
                } else {
                    let (number, is_second) = number_after(start.number(), walk.ply() - 1);
                    variation.ply(number, is_second, &text);
                }
            }
            TreeEvent::Nag(number) if !is_main => variation.nag(number),
            TreeEvent::Nag(number) => items.push(MovetextItem::Nag(number)),
            TreeEvent::Mark(Annotation::VariationStart) => variation.open(walk.depth() > 1),
            TreeEvent::Mark(Annotation::VariationEnd) if is_main => {
                items.push(MovetextItem::Variation(variation.take()));
            }
            TreeEvent::Mark(Annotation::VariationEnd) => variation.close(),
            TreeEvent::Mark(mark) if is_main => items.push(match mark {
                Annotation::VariationText => MovetextItem::Variation(text.into_owned()),
                Annotation::Comment => MovetextItem::Comment(text.into_owned()),
                Annotation::LineComment => MovetextItem::LineComment(text.into_owned()),
                Annotation::Word => MovetextItem::Word(text.into_owned()),
                _ => MovetextItem::Rest(text.into_owned()),
            }),
            TreeEvent::Mark(Annotation::VariationText) => variation.kept(&format!("({text})")),
            TreeEvent::Mark(Annotation::Comment) => variation.comment(&text),
            TreeEvent::Mark(Annotation::LineComment) => variation.line_comment(&text),
            TreeEvent::Mark(_) => variation.kept(&text),
        }
    }
}

/// The position at a place of a game, or at the end of its main line; `None` if it has not
/// the place.
pub(super) fn board_at(
    start: &AnyPosition,
    main_line: &[u8],
    annotations: Option<&Annotations<'_>>,
    place: Option<&PlyRef>,
    writing: MoveNotation,
) -> Result<Option<BoardAt>, CorruptTree> {
    // What is not gone through need not be taken apart.
    let is_inside = place.is_some_and(|place| !place.line.is_main());
    let tree = match annotations.filter(|_| is_inside) {
        None => VariationTree::default(),
        Some(annotations) => annotations.tree().ok_or(CorruptTree)?,
    };
    with_game!(AnyPosition of start, at => board_on(at, main_line, tree, place, writing))
}

fn board_on<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    tree: VariationTree<'_>,
    place: Option<&PlyRef>,
    writing: MoveNotation,
) -> Result<Option<BoardAt>, CorruptTree>
where
    AnyPosition: From<G>,
{
    let mut walk = TreeIter::new(Stepper::new(start), main_line, tree);
    let mut last = None;
    while !place.is_some_and(|place| walk.is_at(place)) {
        let step = walk.step_from(|cursor| {
            last = cursor.pending().map(|m| (cursor.at().clone(), m));
        })?;
        match step {
            None if place.is_none() => break,
            None => return Ok(None),
            // The ply before it is not of its line.
            Some(TreeEvent::Mark(Annotation::VariationStart)) => last = None,
            Some(_) => {}
        }
    }
    let position = AnyPosition::from(walk.at().at().clone());
    let marks = last.as_ref().map(|(before, m)| before.marks(*m));
    let last_move = last.map(|(mut before, m)| {
        let text = before.write_and_play(m, writing.form);
        moves::in_language(G::HAS_LETTERS, text, writing.language)
    });
    Ok(Some(BoardAt {
        place: PlyRef {
            line: walk.path(),
            ply: walk.ply(),
        },
        fen: position.fen(),
        position,
        last_move,
        marks: marks.unwrap_or_default(),
    }))
}
