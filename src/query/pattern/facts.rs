//! The parts of a query that no position shows: conditions on games, and what comments say of moves.

use super::{Expr, PlyCondition, Term, TextSpan};
use crate::query::{GameCondition, MoveFilter};

/// Of the facts that a query names, in the order of [`facts`], whether all games that are found
/// must have each.
pub fn required(asked: &Expr) -> Vec<bool> {
    let mut found = Vec::new();
    let mut open = vec![(asked, true)];
    while let Some((expr, is_required)) = open.pop() {
        match expr {
            Expr::And(inner) => {
                open.extend(inner.iter().rev().map(|one| (one, is_required)));
            }
            Expr::Game(..) => found.push(is_required),
            other => found.resize(found.len() + facts(other).len(), false),
        }
    }
    found
}

/// Whether a query asks nothing of positions and moves, but facts about games alone.
pub fn is_of_facts(asked: &Expr) -> bool {
    match asked {
        Expr::And(inner) | Expr::Or(inner) => inner.iter().all(is_of_facts),
        Expr::Not(inner) => is_of_facts(inner),
        Expr::Game(..) => true,
        Expr::Seen(..) | Expr::Chain(_) | Expr::Saved(..) => false,
    }
}

/// A condition of a query that no position shows.
#[derive(Debug, Clone, Copy)]
pub enum FactRef<'e> {
    /// A condition on the game, and where it stands.
    Game(&'e GameCondition, &'e TextSpan),
    /// What comments say of the move of a ply.
    Ply(&'e MoveFilter),
}

impl FactRef<'_> {
    /// Whether both are one part of the same query.
    pub(super) fn is(&self, other: &FactRef<'_>) -> bool {
        match (self, other) {
            (FactRef::Game(one, _), FactRef::Game(other, _)) => std::ptr::eq(*one, *other),
            (FactRef::Ply(one), FactRef::Ply(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

/// The facts that a query names, about the game and about moves of a ply, in the order of the
/// text.
pub fn facts(asked: &Expr) -> Vec<FactRef<'_>> {
    let mut found = Vec::new();
    let mut open = vec![asked];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::And(inner) | Expr::Or(inner) => open.extend(inner.iter().rev()),
            Expr::Not(inner) | Expr::Seen(_, inner) => open.push(inner),
            Expr::Game(condition, span) => found.push(FactRef::Game(condition, span)),
            Expr::Chain(chain) => {
                let rest = chain.rest.iter().map(|(_, step)| step);
                for step in std::iter::once(&chain.first).chain(rest) {
                    facts_of_ply(&step.holds, &mut found);
                }
            }
            Expr::Saved(..) => {}
        }
    }
    found
}

/// The conditions on games of a query, in the order of the text.
pub fn game_conditions(asked: &Expr) -> impl Iterator<Item = (&GameCondition, &TextSpan)> {
    facts(asked).into_iter().filter_map(|fact| match fact {
        FactRef::Game(condition, span) => Some((condition, span)),
        FactRef::Ply(_) => None,
    })
}

/// Whether a query means the same on all boards that it fits: it names no squares and no pieces by
/// their letters.
pub fn is_of_any_board(asked: &Expr) -> bool {
    match asked {
        Expr::And(inner) | Expr::Or(inner) => inner.iter().all(is_of_any_board),
        Expr::Not(inner) => is_of_any_board(inner),
        Expr::Seen(looks, inner) => !looks.shift_x && !looks.shift_y && is_of_any_board(inner),
        Expr::Game(..) => true,
        Expr::Saved(..) => false,
        Expr::Chain(chain) => {
            let rest = chain.rest.iter().map(|(_, step)| step);
            let mut steps = std::iter::once(&chain.first).chain(rest);
            steps.all(|step| is_ply_of_any_board(&step.holds))
        }
    }
}

fn is_ply_of_any_board(asked: &PlyCondition) -> bool {
    match asked {
        PlyCondition::And(inner) | PlyCondition::Or(inner) => inner.iter().all(is_ply_of_any_board),
        PlyCondition::Not(inner) | PlyCondition::Seen(_, inner) => is_ply_of_any_board(inner),
        PlyCondition::Term(term, _) => matches!(
            term,
            Term::Counts { .. } | Term::Turn(_) | Term::Ply(_) | Term::Pieces(_) | Term::End
        ),
    }
}

/// The parts of a query that must all hold, in the order of the text.
pub fn conjuncts(asked: &Expr) -> Vec<&Expr> {
    match asked {
        Expr::And(all) => all.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

fn facts_of_ply<'e>(asked: &'e PlyCondition, found: &mut Vec<FactRef<'e>>) {
    let mut open = vec![asked];
    while let Some(condition) = open.pop() {
        match condition {
            PlyCondition::And(inner) | PlyCondition::Or(inner) => open.extend(inner.iter().rev()),
            PlyCondition::Not(inner) | PlyCondition::Seen(_, inner) => open.push(inner),
            PlyCondition::Term(Term::Annotation(asked), _) => found.push(FactRef::Ply(asked)),
            PlyCondition::Term(..) => {}
        }
    }
}
