//! Queries that have names: `@iqp` stands for what was saved as it.

use std::sync::Arc;

use super::{
    GameCondition, PositionText,
    pattern::{
        self, BoardSpec, Expr, PlyCondition, QueryError, Sequence, Step, StepGap, Symmetries, Term,
        TextSpan, facts, parser,
    },
    position, suggest,
};
use crate::games::AnyPosition;

/// How often a name may stand in what another stands for, one after the other.
const DEPTH_MAX: usize = 16;
/// Bytes of all queries that take the places of names.
const BYTES_MAX: usize = 1 << 16;

/// Names and the queries that they stand for.
#[derive(Debug, Clone, Default)]
pub struct SavedQueries {
    queries: Arc<[(String, String)]>,
    place: Arc<str>,
}

impl SavedQueries {
    /// Queries by their names, and the file that has them, for advice.
    pub fn new(queries: Vec<(String, String)>, place: &str) -> Self {
        Self {
            queries: queries.into(),
            place: place.into(),
        }
    }

    /// The same with other texts.
    #[must_use]
    pub fn map(&self, text: impl Fn(&str) -> String) -> Self {
        let queries = self.queries.iter();
        let queries = queries.map(|(name, query)| (name.clone(), text(query)));
        Self {
            queries: queries.collect(),
            place: self.place.clone(),
        }
    }

    fn text(&self, name: &str, span: &TextSpan) -> Result<&str, QueryError> {
        if let Some((_, query)) = self.queries.iter().find(|(known, _)| known == name) {
            return Ok(query);
        }
        let known: Vec<&str> = self.queries.iter().map(|(known, _)| &known[..]).collect();
        let error = QueryError::new(format!("there is no saved query @{name}"), span.clone());
        let place = &self.place;
        Err(
            match (suggest::nearest(name, known.iter().copied()), &known[..]) {
                (Some(meant), _) => error.hint(format!("did you mean @{meant}?")),
                (None, _) if place.is_empty() => error,
                (None, []) => error.hint(format!("write {name} = QUERY into a line of {place}")),
                (None, known) => error.hint(format!("{place} has {}", known.join(", "))),
            },
        )
    }

    /// The text that another one stands for which is nothing but a name.
    ///
    /// # Errors
    ///
    /// [`QueryError`] if nothing has that name, or it stands for itself.
    pub fn text_of(&self, text: &str) -> Result<Option<String>, QueryError> {
        let mut resolver = Resolver::new(self);
        let begin = text.len() - text.trim_start().len();
        let span = begin..begin + text.trim().len();
        let mut found = None;
        while let Some(name) = name_of(found.as_deref().unwrap_or(text).trim()) {
            let name = name.to_owned();
            let query = resolver.take(&name, &span)?;
            resolver.within.push(name);
            found = Some(query);
        }
        Ok(found)
    }
}

/// Whether a text can be the name of a query: letters, digits, `-` and `_`.
pub fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.chars().all(is_letter)
}

/// The name that a word has with its sign.
pub fn name_of(word: &str) -> Option<&str> {
    word.strip_prefix('@').filter(|name| is_name(name))
}

/// Whether a text may have names of saved queries in it.
pub fn has_names(text: &str) -> bool {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}');
    text.split(is_end).any(|word| name_of(word).is_some())
}

/// Puts queries in the places of their names: each as a whole, whatever stands beside it.
///
/// # Errors
///
/// [`QueryError`] at the first name that nothing has, that stands for itself, or that stands for more
/// than its place can have.
pub fn resolve(expr: Expr, saved: &SavedQueries) -> Result<Expr, QueryError> {
    Resolver::new(saved).expr(expr)
}

/// The error that a name was not resolved.
pub(super) fn unresolved(name: &str, span: &TextSpan) -> QueryError {
    QueryError::new(format!("there is no saved query @{name}"), span.clone())
}

struct Resolver<'s> {
    saved: &'s SavedQueries,
    /// The names whose queries are being read, the outermost first.
    within: Vec<String>,
    bytes: usize,
}

impl<'s> Resolver<'s> {
    const fn new(saved: &'s SavedQueries) -> Self {
        Self {
            saved,
            within: Vec::new(),
            bytes: 0,
        }
    }

    /// The text of a name.
    fn take(&mut self, name: &str, span: &TextSpan) -> Result<String, QueryError> {
        let text = self.saved.text(name, span)?;
        self.bytes += text.len();
        let wrong = if self.within.iter().any(|own| own == name) {
            format!("@{name} stands for itself in the end")
        } else if self.within.len() == DEPTH_MAX {
            format!("@{name} is nested in {DEPTH_MAX} other saved queries")
        } else if self.bytes > BYTES_MAX {
            format!(
                "@{name} stands for more than {} KiB of text",
                BYTES_MAX >> 10
            )
        } else {
            return Ok(text.to_owned());
        };
        let error = QueryError::new(wrong, span.clone());
        Err(match &self.saved.place[..] {
            "" => error,
            place => error.hint(format!("change its line in {place}")),
        })
    }

    /// The query of a name, all of it at the place of that name.
    fn named(&mut self, name: &str, span: &TextSpan) -> Result<Expr, QueryError> {
        let text = self.take(name, span)?;
        let at_name = |error: QueryError| QueryError {
            span: span.clone(),
            ..error
        };
        self.within.push(name.to_owned());
        let read = match (parser::parse(&text), position_of(&text)) {
            (_, Some(position)) => Ok(Expr::Game(position, 0..0)),
            (Ok(expr), None) => self.expr(expr).map_err(at_name),
            (Err(error), None) => Err(at_name(QueryError {
                message: format!("in @{name}: {}", error.message),
                ..error
            })),
        };
        self.within.pop();
        let mut expr = read?;
        put(&mut expr, span);
        Ok(expr)
    }

    fn each(&mut self, all: Vec<Expr>) -> Result<Vec<Expr>, QueryError> {
        all.into_iter().map(|one| self.expr(one)).collect()
    }

    fn expr(&mut self, expr: Expr) -> Result<Expr, QueryError> {
        Ok(match expr {
            Expr::And(all) => and(self.each(all)?),
            Expr::Or(any) => {
                let any = self.each(any)?.into_iter().flat_map(|one| match one {
                    Expr::Or(inner) => inner,
                    other => vec![other],
                });
                Expr::Or(any.collect())
            }
            Expr::Not(inner) => Expr::Not(Box::new(self.expr(*inner)?)),
            Expr::Seen(looks, inner) => Expr::Seen(looks, Box::new(self.expr(*inner)?)),
            Expr::Saved(name, span) => self.named(&name, &span)?,
            Expr::Chain(sequence) => self.sequence(sequence)?,
            Expr::Game(..) => expr,
        })
    }

    /// A sequence, with conditions on games that stood in it for themselves.
    fn sequence(&mut self, sequence: Sequence) -> Result<Expr, QueryError> {
        let first = (StepGap::Then, sequence.first);
        let is_alone = sequence.rest.is_empty();
        let (mut steps, mut aside) = (Vec::new(), Vec::new());
        for (gap, step) in std::iter::once(first).chain(sequence.rest) {
            let is_plain = step.times == 1 && step.looks == Symmetries::default();
            if is_plain && let PlyCondition::Term(Term::Saved(name), span) = &step.holds {
                match self.named(name, span)? {
                    // Alone it stands in braces.
                    Expr::Chain(own) if !is_alone || own.rest.is_empty() => {
                        steps.push((gap, own.first));
                        steps.extend(own.rest);
                    }
                    other => {
                        let holds = one_step(other).ok_or_else(|| no_step(name, span))?;
                        steps.push((gap, Step { holds, ..step }));
                    }
                }
                continue;
            }
            let holds = self.ply(step.holds, Some(&mut aside))?;
            steps.push((gap, Step { holds, ..step }));
        }
        let (_, first) = steps.remove(0);
        aside.insert(0, Expr::Chain(Sequence { first, rest: steps }));
        Ok(and(aside))
    }

    /// Conditions of one ply; those on games that stand side by side with them go aside, if they may.
    fn ply(
        &mut self,
        condition: PlyCondition,
        mut aside: Option<&mut Vec<Expr>>,
    ) -> Result<PlyCondition, QueryError> {
        Ok(match condition {
            PlyCondition::And(all) => {
                let mut own = Vec::new();
                for one in all {
                    if let (PlyCondition::Term(Term::Saved(name), span), Some(aside)) =
                        (&one, &mut aside)
                    {
                        let expr = self.named(name, span)?;
                        if facts::is_of_facts(&expr) {
                            aside.push(expr);
                        } else {
                            own.push(one_step(expr).ok_or_else(|| no_step(name, span))?);
                        }
                    } else {
                        own.push(self.ply(one, None)?);
                    }
                }
                let own = own.into_iter().flat_map(|one| match one {
                    PlyCondition::And(inner) => inner,
                    other => vec![other],
                });
                PlyCondition::And(own.collect())
            }
            PlyCondition::Or(any) => {
                let any = any.into_iter().map(|one| self.ply(one, None));
                PlyCondition::Or(any.collect::<Result<_, _>>()?)
            }
            PlyCondition::Not(inner) => PlyCondition::Not(Box::new(self.ply(*inner, None)?)),
            PlyCondition::Seen(looks, inner) => {
                PlyCondition::Seen(looks, Box::new(self.ply(*inner, None)?))
            }
            PlyCondition::Term(Term::Saved(name), span) => {
                let expr = self.named(&name, &span)?;
                one_step(expr).ok_or_else(|| no_step(&name, &span))?
            }
            PlyCondition::Term(..) => condition,
        })
    }
}

/// The position that a text is, if it is moves or a FEN and makes no sense as a query about chess.
fn position_of(text: &str) -> Option<GameCondition> {
    let board = BoardSpec::of(&AnyPosition::initial());
    let read = parser::parse(text);
    if has_names(text) || read.is_ok_and(|expr| pattern::compile(&expr, &board).is_ok()) {
        return None;
    }
    let typed = position::read(text, &[], &mut Vec::new()).ok()?;
    Some(GameCondition::Position(PositionText {
        is_moves: !typed.moves.is_empty(),
        text: text.to_owned(),
        read: None,
        diagrams: Vec::new(),
    }))
}

/// The error that what a name stands for is no condition of one ply.
fn no_step(name: &str, span: &TextSpan) -> QueryError {
    let error = format!("@{name} is not a condition on one ply");
    QueryError::new(error, span.clone()).hint("write `and` between it and what stands beside it")
}

/// An expression as a condition of one ply, if it is one step.
fn one_step(expr: Expr) -> Option<PlyCondition> {
    let (looks, inner) = match expr {
        Expr::Seen(looks, inner) => (looks, *inner),
        other => (Symmetries::default(), other),
    };
    let Expr::Chain(Sequence { first, rest }) = inner else {
        return None;
    };
    let seen = |looks: Symmetries, holds: PlyCondition| {
        if looks == Symmetries::default() {
            holds
        } else {
            PlyCondition::Seen(looks, Box::new(holds))
        }
    };
    (rest.is_empty() && first.times == 1).then(|| seen(looks, seen(first.looks, first.holds)))
}

/// All of some conditions.
fn and(all: Vec<Expr>) -> Expr {
    let all = all.into_iter().flat_map(|one| match one {
        Expr::And(inner) => inner,
        other => vec![other],
    });
    let mut all: Vec<Expr> = all.collect();
    if all.len() == 1 {
        all.remove(0)
    } else {
        Expr::And(all)
    }
}

/// Puts an expression at a place.
fn put(expr: &mut Expr, at: &TextSpan) {
    match expr {
        Expr::And(inner) | Expr::Or(inner) => {
            for one in inner {
                put(one, at);
            }
        }
        Expr::Not(inner) | Expr::Seen(_, inner) => put(inner, at),
        Expr::Game(_, span) | Expr::Saved(_, span) => span.clone_from(at),
        Expr::Chain(sequence) => {
            put_ply(&mut sequence.first.holds, at);
            for (_, step) in &mut sequence.rest {
                put_ply(&mut step.holds, at);
            }
        }
    }
}

fn put_ply(condition: &mut PlyCondition, at: &TextSpan) {
    match condition {
        PlyCondition::And(inner) | PlyCondition::Or(inner) => {
            for one in inner {
                put_ply(one, at);
            }
        }
        PlyCondition::Not(inner) | PlyCondition::Seen(_, inner) => put_ply(inner, at),
        PlyCondition::Term(_, span) => span.clone_from(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved() -> SavedQueries {
        let queries = [
            ("iqp", "Pd4 Pc/e=0 pd=0"),
            ("mine", "player:\"Doe, J\" or player:roe"),
            ("end", "mate or stalemate"),
            ("both", "@iqp q and @mine"),
            ("gift", "move:Bxh7 next move:Kxh7"),
            ("line", "e4 c5"),
            ("loop", "not @loop"),
            ("roe", "player:roe"),
            ("wrong", "Pd4 and"),
        ];
        let mut queries: Vec<_> = queries.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
        for depth in 0..=DEPTH_MAX {
            queries.push((format!("d{depth}"), format!("not @d{}", depth + 1)));
        }
        SavedQueries::new(queries, "my.db.queries")
    }

    fn resolved(text: &str) -> String {
        let read = parser::parse(text).and_then(|expr| resolve(expr, &saved()));
        read.map_or_else(
            |error| format!("error at {}: {}", &text[error.span], error.message),
            |expr| expr.to_string(),
        )
    }

    #[test]
    fn names_stand_for_queries() {
        for (text, meant) in [
            ("@iqp Q", "Pd4 Pc/e=0 pd=0 Q"),
            ("Q @iqp", "Q Pd4 Pc/e=0 pd=0"),
            ("@end and player:x", "(mate or stalemate) and player:x"),
            ("@end player:x", "(mate or stalemate) and player:x"),
            ("not @end", "not (mate or stalemate)"),
            ("not {@iqp}", "not Pd4 Pc/e=0 pd=0"),
            ("{ not @iqp or q }", "{ not (Pd4 Pc/e=0 pd=0) or q }"),
            ("either @iqp", "either (Pd4 Pc/e=0 pd=0)"),
            ("@gift then q", "move:Bxh7 next move:Kxh7 then q"),
            ("@roe @iqp", "Pd4 Pc/e=0 pd=0 and player:roe"),
            (
                "@both",
                "Pd4 Pc/e=0 pd=0 q and (player:\"Doe, J\" or player:roe)",
            ),
            ("@line and q", "moves:\"e4 c5\" and q"),
            ("event:\"a @iqp b\"", "event:\"a @iqp b\""),
            (
                "q and @loop",
                "error at @loop: @loop stands for itself in the end",
            ),
            (
                "q and @d0",
                "error at @d0: @d16 is nested in 16 other saved queries",
            ),
            ("@iq and q", "error at @iq: there is no saved query @iq"),
            (
                "q @gift",
                "error at @gift: @gift is not a condition on one ply",
            ),
            (
                "{ @end }",
                "error at @end: @end is not a condition on one ply",
            ),
            (
                "{ @gift }",
                "error at @gift: @gift is not a condition on one ply",
            ),
            ("{ @iqp } for 3", "Pd4 Pc/e=0 pd=0 for 3"),
            (
                "{ q @end }",
                "error at @end: @end is not a condition on one ply",
            ),
            (
                "@wrong",
                "error at @wrong: in @wrong: a condition is missing at the end",
            ),
        ] {
            assert_eq!(resolved(text), meant, "{text}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let saved = saved();
        let hint = |name: &str| saved.text(name, &(0..1)).expect_err(name).hint;
        assert_eq!(hint("iq").as_deref(), Some("did you mean @iqp?"));
        let other = hint("greek").expect("a hint");
        assert!(other.starts_with("my.db.queries has iqp, mine"), "{other}");
    }

    #[test]
    fn a_text_that_is_a_name_stands_for_any_text() {
        assert_eq!(saved().text_of(" @line "), Ok(Some("e4 c5".to_owned())));
        assert_eq!(saved().text_of("@line q"), Ok(None));
    }
}
