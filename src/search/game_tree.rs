//! A stored game as a tree of its moves, each with what stands beside it and the position after it.

use super::{
    moves,
    movetext::{MoveNotation, number_after},
};
use crate::{
    base::record::OpeningName,
    games::{
        AnyPosition, BoardGame, Cursor, MoveStyle, Stepper,
        notation::letters::ENGLISH,
        variation_tree::{Annotation, TreeEvent, TreeFault, TreeReader},
        with_game,
    },
    pgn::writer::VariationText,
    replay::Annotations,
};

/// Variations within variations that are lines of the tree; those nested deeper are given as text.
/// With this many, JSON of a tree is less deep than the 128 levels that many parsers accept.
pub const TREE_DEPTH_MAX: usize = 32;

/// A game with its variations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameTree {
    /// The position in which it begins; `None` if that is not known or cannot be played.
    pub start: Option<TreeStart>,
    /// The main line.
    pub main: TreeLine,
}

/// Where a game begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeStart {
    /// Its FEN.
    pub fen: String,
    /// What it is called.
    pub opening: Option<OpeningName>,
}

/// A main line, or a variation, which takes the place of the move that has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TreeLine {
    /// Texts before its first move.
    pub before: Vec<TreeText>,
    /// Its moves.
    pub moves: Vec<TreeNode>,
    /// What could not be played of it, as it is written: from an illegal move on, or all of a
    /// variation that is kept as text.
    pub rest: Option<String>,
}

/// A move of a game, with what stands after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// Plies from the start of the game, this one included.
    pub ply: u32,
    /// The move as the game writes it: SAN in chess, squares in draughts.
    pub name: String,
    /// The move for programs: UCI in chess, all squares in draughts.
    pub uci: String,
    /// The position after it.
    pub fen: String,
    /// Whether the side made it that moves second in the standard start position.
    pub is_second: bool,
    /// Annotation glyphs.
    pub nags: Vec<u32>,
    /// Texts after it.
    pub texts: Vec<TreeText>,
    /// What the position after it is called.
    pub opening: Option<OpeningName>,
    /// Variations in its place.
    pub variations: Vec<TreeLine>,
}

/// A text of a game, as it is written but for its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeText {
    /// A comment, with the commands in it.
    Comment(String),
    /// A word that is not a move.
    Word(String),
}

impl TreeLine {
    fn texts(&mut self) -> &mut Vec<TreeText> {
        match self.moves.last_mut() {
            Some(node) => &mut node.texts,
            None => &mut self.before,
        }
    }

    /// Adds a variation of its last move. One that has no move to replace stays as text.
    fn add(&mut self, variation: Self) {
        if let Some(node) = self.moves.last_mut() {
            node.variations.push(variation);
        } else if let Some(text) = variation.rest {
            self.before.push(TreeText::Word(format!("({text})")));
        }
    }
}

/// The tree of a game: from where it begins, its main line and its annotations.
pub(super) fn game_tree(
    start: &AnyPosition,
    main_line: &[u8],
    annotations: Option<&Annotations<'_>>,
    writing: MoveNotation,
) -> Result<TreeLine, TreeFault> {
    with_game!(AnyPosition of start, at => tree_of(at, main_line, annotations, writing))
}

/// The start position of a game, for its tree.
pub(super) fn start(position: &AnyPosition) -> TreeStart {
    TreeStart {
        fen: position.fen(),
        opening: position.named_opening().map(OpeningName::from),
    }
}

fn tree_of<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    annotations: Option<&Annotations<'_>>,
    writing: MoveNotation,
) -> Result<TreeLine, TreeFault>
where
    AnyPosition: From<G>,
{
    let mut reader = match annotations {
        Some(annotations) => annotations.reader(start, main_line)?,
        None => TreeReader::plain(Stepper::new(start), main_line),
    };
    // The lines that are open, the main line first, and the text of those nested too deep.
    let mut lines = vec![TreeLine::default()];
    let mut deep = VariationText::default();
    loop {
        let mut named = None;
        let step = reader.step(|cursor| {
            if let Some(m) = cursor.pending() {
                let at = cursor.at();
                let uci = if m == G::NULL {
                    let [_, uci] = at.named(at.code(m), G::detail(m));
                    uci
                } else {
                    at.write(m, MoveStyle::Squares, ENGLISH)
                };
                let name = at.clone().write_and_play(m, writing.form);
                let name = moves::in_language(G::HAS_LETTERS, name, writing.language);
                named = Some((name, uci));
            }
        })?;
        let walk = reader.walk();
        let line = lines.last_mut().ok_or(TreeFault::Places)?;
        let Some((step, text)) = step else {
            return lines.pop().ok_or(TreeFault::Places);
        };
        let is_deep = walk.depth() > TREE_DEPTH_MAX;
        match step {
            TreeEvent::Ply(_) => {
                let (name, uci) = named.ok_or(TreeFault::Moves)?;
                let (number, is_second) = number_after(start.number(), walk.ply() - 1);
                if is_deep {
                    deep.ply(number, is_second, &name);
                    continue;
                }
                let position = AnyPosition::from(walk.at().at().clone());
                line.moves.push(TreeNode {
                    ply: walk.ply(),
                    name,
                    uci,
                    fen: position.fen(),
                    is_second,
                    nags: Vec::new(),
                    texts: Vec::new(),
                    opening: position.named_opening().map(OpeningName::from),
                    variations: Vec::new(),
                });
            }
            TreeEvent::Nag(number) if is_deep => deep.nag(number),
            TreeEvent::Nag(number) => match line.moves.last_mut() {
                Some(node) => node.nags.push(number),
                None => line.before.push(TreeText::Word(format!("${number}"))),
            },
            TreeEvent::Mark(Annotation::VariationStart) if is_deep => {
                deep.open(walk.depth() > TREE_DEPTH_MAX + 1);
            }
            TreeEvent::Mark(Annotation::VariationStart) => lines.push(TreeLine::default()),
            TreeEvent::Mark(Annotation::VariationEnd) if is_deep => deep.close(),
            // The first of those that are too deep has ended.
            TreeEvent::Mark(Annotation::VariationEnd) if walk.depth() == TREE_DEPTH_MAX => {
                let rest = Some(deep.take());
                line.add(TreeLine {
                    rest,
                    ..TreeLine::default()
                });
            }
            TreeEvent::Mark(Annotation::VariationEnd) => {
                let variation = lines.pop().ok_or(TreeFault::Places)?;
                lines.last_mut().ok_or(TreeFault::Places)?.add(variation);
            }
            TreeEvent::Mark(mark) if is_deep => match mark {
                Annotation::Comment => deep.comment(&text),
                Annotation::LineComment => deep.line_comment(&text),
                Annotation::VariationText => deep.kept(&format!("({text})")),
                _ => deep.kept(&text),
            },
            TreeEvent::Mark(mark) => {
                let text = text.into_owned();
                match mark {
                    Annotation::Comment | Annotation::LineComment => {
                        line.texts().push(TreeText::Comment(text));
                    }
                    Annotation::VariationText => line.add(TreeLine {
                        rest: Some(text),
                        ..TreeLine::default()
                    }),
                    Annotation::Rest => line.rest = Some(text),
                    _ => line.texts().push(TreeText::Word(text)),
                }
            }
        }
    }
}
