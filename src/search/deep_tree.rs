//! Trees that go on after their moves. Each position stands in a tree once, where the fewest
//! moves lead to it; elsewhere it is a transposition.

use std::collections::HashMap;

use super::{
    Tree, TreeBranch, movetext::number_after, plan::GameConditions, tree::PositionTrees,
    view::ViewedPlayer,
};
use crate::{
    base::observe::{Event, Observer},
    formats::polyglot::BookEntry,
    games::{AnyCursor, AnyPosition, Budget, NextMove, notation::letters::Language, variant},
    query::{PositionQuery, TreeOrder},
    store::{Store, StoreError, StoreErrorKind},
};

/// How far a tree goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeDepth {
    /// This many moves after each other; 1 is the tree of a position alone.
    pub plies: u32,
    /// Which moves of each position.
    pub order: TreeOrder,
    /// Only moves of this many of a hundred games of the first position, or more.
    pub percent_min: u64,
}

/// A tree that goes on after its moves, and whether the end was requested before it was complete:
/// then it has the games that were counted until then, or goes on after some of its moves alone.
/// Scores are those of the viewed player, else of the side to move.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn deep_tree(
    store: &Store,
    (position, filter, viewed): (&PositionQuery, &GameConditions, Option<&ViewedPlayer>),
    depth: TreeDepth,
    language: &Language,
    observer: &dyn Observer,
) -> Result<(Tree, bool), StoreError> {
    let trees = PositionTrees::new(store, position, filter, language)?.seen_by(viewed);
    let (mut root, mut interrupted) = trees.of_games_until_stopped(position)?;
    let share = (root.total.games.saturating_mul(depth.percent_min)).div_ceil(100);
    let order = TreeOrder {
        min_games: depth.order.min_games.max(share),
        ..depth.order
    };
    root.arrange(&order);
    let mut grown = TreeBuilder {
        trees,
        query: position.clone(),
        order,
        known: HashMap::from([(key_of(&position.position), String::new())]),
    };
    // Level by level, so that the shortest way to a position is the first.
    let mut level = vec![TreeNode {
        tree: &mut root,
        line: String::new(),
    }];
    for ply in 2..=depth.plies {
        if interrupted {
            break;
        }
        let mut next = Vec::new();
        let name = format!("looking at ply {ply}");
        let steps = Some(level.len() as u64);
        let _ = observer.on(Event::Phase { name: &name, steps });
        for twig in level {
            let _ = observer.on(Event::Steps { steps: 1 });
            match grown.grow(twig, &mut next) {
                Err(error) if matches!(error.kind, StoreErrorKind::Interrupted) => {
                    interrupted = true;
                    break;
                }
                other => other?,
            }
        }
        level = next;
        if level.is_empty() {
            break;
        }
    }
    Ok((root, interrupted))
}

/// The position after a move of a tree, by its name for programs; `None` where the name does not
/// show it, as that of a position which was set up.
pub(super) fn behind(at: &AnyPosition, legal: &[NextMove], uci: &str) -> Option<AnyPosition> {
    let is_it = |m: &&NextMove| m.names[1] == uci;
    let found = legal.iter().find(is_it).map(|m| m.behind.clone());
    found.or_else(|| {
        let passed = at.null_move(uci);
        passed.filter(|m| is_it(&m)).map(|m| m.behind)
    })
}

/// What identifies a position: its board and its state, and the rules of its variant,
/// given as the first variant that has them.
pub(super) type TreeKey = (u64, u32, u8);

pub(super) fn key_of(position: &AnyPosition) -> TreeKey {
    let at = AnyCursor::new(position);
    let rules = position.variant().rules;
    let first = variant::ALL.iter().find(|row| row.rules == rules);
    let first = first.map_or(0, |row| row.id);
    (at.board_key(), at.state_bits(), first)
}

/// A position of the tree, and the moves that lead to it.
struct TreeNode<'t> {
    tree: &'t mut Tree,
    line: String,
}

struct TreeBuilder<'a> {
    trees: PositionTrees<'a>,
    query: PositionQuery,
    order: TreeOrder,
    /// The positions that stand in the tree, with the moves that lead there.
    known: HashMap<TreeKey, String>,
}

impl TreeBuilder<'_> {
    /// Puts the trees of the positions after its moves into a tree.
    fn grow<'t>(
        &mut self,
        TreeNode {
            tree,
            line: way_there,
        }: TreeNode<'t>,
        next: &mut Vec<TreeNode<'t>>,
    ) -> Result<(), StoreError> {
        let legal = tree.at.moves(Budget::default()).unwrap_or_default();
        let number = tree.number;
        for line in &mut tree.moves {
            let Some(behind) = behind(&tree.at, &legal, &line.uci) else {
                continue;
            };
            let way = with_move(&way_there, number, &line.san);
            if let Some(known) = self.known.get(&key_of(&behind)) {
                line.after = Some(TreeBranch::Transposition {
                    transposes_to: known.clone(),
                });
                continue;
            }
            self.query.position = behind.clone();
            let mut tree = self.trees.of(&self.query)?;
            tree.number = number_after(number, 1);
            tree.arrange(&self.order);
            self.known.insert(key_of(&behind), way.clone());
            let branch = line.after.insert(TreeBranch::Tree(Box::new(tree)));
            if let TreeBranch::Tree(tree) = branch {
                next.push(TreeNode { tree, line: way });
            }
        }
        Ok(())
    }
}

impl Tree {
    /// Visits each position of the tree, with the moves that lead there.
    pub fn each<'t>(&'t self, visit: &mut impl FnMut(&str, &'t Self)) {
        let mut left = vec![(String::new(), self)];
        while let Some((line, tree)) = left.pop() {
            visit(&line, tree);
            for played in tree.moves.iter().rev() {
                if let Some(TreeBranch::Tree(behind)) = &played.after {
                    left.push((with_move(&line, tree.number, &played.san), behind));
                }
            }
        }
    }

    /// How many positions it has.
    pub fn count(&self) -> u64 {
        let mut positions = 0;
        self.each(&mut |_, _| positions += 1);
        positions
    }

    /// Its moves as those of an opening book, with two points for a game that was won and one
    /// for a draw, and for a game whose result is not known.
    pub fn book(&self) -> Vec<BookEntry> {
        let mut entries = Vec::new();
        self.each(&mut |_, tree| {
            for played in &tree.moves {
                let score = &played.score;
                let won = [score.white_wins, score.black_wins][tree.at.turn() & 1];
                let points = 2 * won + score.draws + score.no_result;
                let played = tree.at.book_move(&played.uci);
                entries.extend(played.map(|played| BookEntry { played, points }));
            }
        });
        entries
    }
}

/// A line of moves with one more.
pub(super) fn with_move(line: &str, (number, is_second): (u32, bool), san: &str) -> String {
    match (line.is_empty(), is_second) {
        (true, false) => format!("{number}. {san}"),
        (true, true) => format!("{number}... {san}"),
        (false, false) => format!("{line} {number}. {san}"),
        (false, true) => format!("{line} {san}"),
    }
}
