//! Which games are searched for a query whose positions are of some variants.

use std::collections::BTreeSet;

use super::super::plan::PatternQuery;

use super::super::ruleset;
use crate::{
    games::variant::{self, Variant},
    query::{
        GameCondition, PositionQuery, PositionText,
        pattern::{Expr, QueryError, TextSpan, facts},
    },
    store::{Store, StoreError},
};

/// A position of a query, and the variants whose games can have it.
struct RuleSet {
    text: String,
    span: TextSpan,
    title: &'static str,
    variants: BTreeSet<u8>,
}

/// The positions of a query, and the one that stands beside it.
pub(super) struct RuleSets {
    named: Vec<RuleSet>,
    beside: Option<RuleSet>,
}

impl RuleSets {
    pub(super) fn of(
        store: &Store,
        asked: &PatternQuery,
        beside: Option<&PositionQuery>,
    ) -> Result<Self, StoreError> {
        let world = |text: &str, span: TextSpan, position: &PositionQuery| {
            Ok::<_, StoreError>(RuleSet {
                text: text.to_owned(),
                span,
                title: position.position.variant().title,
                variants: variants_of(store, position)?,
            })
        };
        let mut named = Vec::new();
        for (condition, span) in facts::game_conditions(&asked.expr) {
            if let GameCondition::Position(PositionText {
                read: Some(position),
                text,
                ..
            }) = condition
            {
                named.push(world(text, span.clone(), position)?);
            }
        }
        let is_limited = |position: &&PositionQuery| position.own_rules || position.ask_variant;
        let beside = beside.filter(is_limited);
        Ok(Self {
            named,
            beside: beside
                .map(|position| world("", 0..0, position))
                .transpose()?,
        })
    }

    /// The variants that a query is about for its positions; `None` if these are any.
    pub(super) fn variants(&self, asked: &Expr) -> Result<Option<BTreeSet<u8>>, QueryError> {
        let own = self.of_expr(asked)?;
        let beside = self.beside.as_ref().map(|world| world.variants.clone());
        self.both(beside, own)
    }

    fn of_expr(&self, asked: &Expr) -> Result<Option<BTreeSet<u8>>, QueryError> {
        Ok(match asked {
            Expr::Game(GameCondition::Position(position), _) => {
                let mut named = self.named.iter();
                let world = named.find(|world| world.text == position.text);
                world.map(|world| world.variants.clone())
            }
            Expr::Game(..) | Expr::Chain(_) | Expr::Saved(..) => None,
            Expr::Not(inner) | Expr::Seen(_, inner) => self.of_expr(inner)?,
            Expr::And(all) => all.iter().try_fold(None, |before, one| {
                let own = self.of_expr(one)?;
                self.both(before, own)
            })?,
            // Games of either are searched, and all games if something else will do.
            Expr::Or(any) => {
                let any: Vec<_> = any
                    .iter()
                    .map(|one| self.of_expr(one))
                    .collect::<Result<_, _>>()?;
                let all: Option<Vec<BTreeSet<u8>>> = any.into_iter().collect();
                all.map(|all| all.into_iter().flatten().collect())
            }
        })
    }

    /// The variants of two conditions that must both hold.
    fn both(
        &self,
        one: Option<BTreeSet<u8>>,
        other: Option<BTreeSet<u8>>,
    ) -> Result<Option<BTreeSet<u8>>, QueryError> {
        let (Some(one), Some(other)) = (&one, &other) else {
            return Ok(one.or(other));
        };
        let both: BTreeSet<u8> = one & other;
        if both.is_empty() {
            return Err(self.apart());
        }
        Ok(Some(both))
    }

    /// The error that no game can have all positions, at the first one of another game.
    fn apart(&self) -> QueryError {
        let mut all = self.beside.iter().chain(&self.named);
        let first = all.next();
        let is_other = |world: &&RuleSet| {
            first.is_some_and(|first| first.variants.is_disjoint(&world.variants))
        };
        let (other, first) = (all.find(is_other), first.map_or("", |first| first.title));
        let title = other.map_or(first, |other| other.title);
        QueryError::new(
            format!("this is a position of {title}, and another one is of {first}"),
            other.map_or(0..0, |other| other.span.clone()),
        )
        .hint("no game has both; write `or` between them, or run two queries")
    }

    /// What is wrong if only games of some variants are searched, and others in the database are
    /// those that a position is of.
    pub(super) fn left_out(
        &self,
        asked: &[&'static Variant],
        present: &BTreeSet<u8>,
    ) -> Option<QueryError> {
        let asked_ids: BTreeSet<u8> = asked.iter().map(|row| row.id).collect();
        let is_left_out = |world: &&RuleSet| {
            world.variants.is_disjoint(&asked_ids) && !world.variants.is_disjoint(present)
        };
        let world = self.named.iter().find(is_left_out)?;
        let others = asked.first().map_or("", |row| row.title);
        let message = format!(
            "this is a position of {}, and the rest of the query is about {others}",
            world.title
        );
        let error = QueryError::new(message, world.span.clone());
        Some(error.hint("run it as a separate query"))
    }
}

/// The variants that are played by the rules of a position, or those searched
/// [instead](ruleset::instead).
fn variants_of(store: &Store, position: &PositionQuery) -> Result<BTreeSet<u8>, StoreError> {
    let instead = ruleset::instead(store, position)?;
    if !instead.is_empty() {
        return Ok(instead.iter().map(|row| row.id).collect());
    }
    let rules = position.position.variant().rules;
    let own = variant::ALL.iter().filter(|row| row.rules == rules);
    Ok(own.map(|row| row.id).collect())
}
