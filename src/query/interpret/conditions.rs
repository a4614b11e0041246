//! What the conditions of a query mean together: its lines, its variants, its positions.

use super::{Interpreter, TextSpan, in_text};
use crate::games::variant;
use crate::query::{
    self, GameCondition, PositionQuery, PositionText, Query, Scope,
    pattern::{
        Expr, PlyCondition, QueryError, Term,
        facts::{self, FactRef},
    },
    position,
};

/// Facts that a query may name.
const FACTS_MAX: usize = 64;

impl Interpreter<'_> {
    /// The query that conditions are in the variants that are known.
    pub(super) fn bind(&mut self, text: &str, expr: Expr) -> Result<Query, QueryError> {
        self.bound(text, expr).map_err(|error| match error.text {
            Some(_) => error,
            None => in_text(text, error),
        })
    }

    fn bound(&mut self, text: &str, mut expr: Expr) -> Result<Query, QueryError> {
        let mut in_variations = self.context.in_variations;
        for (condition, span) in facts::game_conditions(&expr) {
            in_variations |= is_scope(condition, span, &expr)?;
        }
        if let Some((_, span)) = facts::game_conditions(&expr).nth(FACTS_MAX) {
            let error = format!("a query has at most {FACTS_MAX} filters");
            return Err(QueryError::new(error, span.clone()));
        }
        if expects_moves_at_the_end(&expr) {
            self.notes.push(
                "from mate, stalemate and the end of a game no move is played, and these words are about \
                 a move that is; write `next` between them: clock:..10 next mate"
                    .to_owned(),
            );
        }
        let mut like = None;
        for (condition, span) in facts::game_conditions(&expr) {
            let GameCondition::Similar(position) = condition else {
                continue;
            };
            if like.is_some() {
                let error = QueryError::new("a query has one `similar:`", span.clone());
                return Err(error.hint("leave out one of them"));
            }
            let read = self.typed_position(&position.text)?.at;
            let rules = read.variant().rules;
            if self.variants.is_empty() {
                let own = variant::ALL.iter().filter(|row| row.rules == rules);
                self.variants = own.map(|row| row.id).collect();
            }
            like = Some(PositionText {
                read: Some(Box::new(PositionQuery::of(read))),
                ..position.clone()
            });
        }
        if self.variants.is_empty() {
            self.variants = query::variants_of(required_conditions(&expr));
        }
        position::each_condition(&mut expr, &mut |condition, span| {
            position::resolve(condition, &self.variants, &mut self.notes)
                .map_err(|error| QueryError::of_position(error, span.clone()))?;
            if let GameCondition::Position(PositionText {
                read: Some(asked), ..
            }) = condition
            {
                asked.in_variations = in_variations;
            }
            Ok(())
        })?;
        Ok(Query {
            like,
            scope: Scope {
                in_variations,
                ..Scope::default()
            },
            ..Query::of(text, without_settings(expr))
        })
    }
}

/// A query without the conditions that only say how it is searched for.
fn without_settings(expr: Expr) -> Expr {
    let Expr::And(all) = expr else {
        return match expr {
            Expr::Game(condition, _) if condition.is_setting() => Expr::And(Vec::new()),
            other => other,
        };
    };
    let all = all.into_iter().map(without_settings);
    let all = all.filter(|one| !matches!(one, Expr::And(inner) if inner.is_empty()));
    query::all_of(all.collect())
}

/// Whether there is a condition on a move that is played from where nothing is played any more.
fn expects_moves_at_the_end(expr: &Expr) -> bool {
    match expr {
        Expr::And(inner) | Expr::Or(inner) => inner.iter().any(expects_moves_at_the_end),
        Expr::Not(inner) | Expr::Seen(_, inner) => expects_moves_at_the_end(inner),
        Expr::Game(..) | Expr::Saved(..) => false,
        Expr::Chain(chain) => {
            let rest = chain.rest.iter().map(|(_, step)| step);
            let mut steps = std::iter::once(&chain.first).chain(rest);
            steps.any(|step| {
                is_always(&step.holds, &|term| {
                    matches!(term, Term::Move(_) | Term::Annotation(_))
                }) && is_always(&step.holds, &|term| {
                    matches!(
                        term,
                        Term::Mate | Term::Smothered | Term::Stalemate | Term::End
                    )
                })
            })
        }
    }
}

/// Whether a condition of a ply cannot hold without such a term.
fn is_always(condition: &PlyCondition, is_such: &impl Fn(&Term) -> bool) -> bool {
    match condition {
        PlyCondition::And(all) => all.iter().any(|one| is_always(one, is_such)),
        PlyCondition::Or(any) => any.iter().all(|one| is_always(one, is_such)),
        PlyCondition::Not(_) | PlyCondition::Seen(..) => false,
        PlyCondition::Term(term, _) => is_such(term),
    }
}

/// Whether a condition says that variations are searched as well. One that is about the
/// entire query must not be an alternative.
fn is_scope(condition: &GameCondition, span: &TextSpan, expr: &Expr) -> Result<bool, QueryError> {
    let name = match condition {
        GameCondition::InVariations => "in",
        GameCondition::Similar(_) => "similar",
        _ => return Ok(false),
    };
    if required_conditions(expr).any(|own| own == condition) {
        return Ok(name == "in");
    }
    let error = format!("`{name}:` applies to the complete query");
    Err(QueryError::new(error, span.clone())
        .hint("write it first or last, not beside `or` and `not`"))
}

/// The conditions that all games fulfil which are found.
pub(super) fn required_conditions(expr: &Expr) -> impl Iterator<Item = &GameCondition> {
    let facts = facts::facts(expr).into_iter().zip(facts::required(expr));
    facts.filter_map(|(fact, is_required)| match fact {
        FactRef::Game(condition, _) if is_required => Some(condition),
        _ => None,
    })
}
