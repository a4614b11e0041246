//! What a query means in a database: what its names are called there, which of its games it is about,
//! and which data answers each of its conditions.

use crate::{
    games::{
        AnyPosition,
        position_input::{self, ExpectedVariants},
        variant::Variant,
    },
    query::{
        self, GameCondition, PositionQuery, PositionText, Query, interpret,
        pattern::{self, Expr, QueryError, facts},
    },
    search::{
        self, AccessPlan, BoundQuery, NameMatches, OtherVariantGames, PatternQuery, UnknownTag,
    },
    store::{Store, StoreError},
};

/// What a query means in a database.
#[derive(Debug, Clone)]
pub struct Resolution {
    /// How it is answered.
    pub plan: AccessPlan,
    /// What its names find.
    pub names: Vec<NameMatches>,
    /// Games that have its position by other rules.
    pub other_variants: Vec<OtherVariantGames>,
    /// How it was understood, where it could mean something else.
    pub reading: Option<QueryReading>,
    /// Tags that no game has.
    pub unknown_tags: Vec<UnknownTag>,
}

/// How a query was understood, by what a database has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryReading {
    /// These words are moves, and could be pieces on squares.
    Moves(String),
    /// These words are pieces on squares, for no game of the variant in which they are moves is
    /// stored.
    Pieces(String, &'static Variant),
    /// No game of the variant of its position is stored; games of others are searched.
    Instead(&'static Variant, Vec<&'static Variant>),
    /// Its position is one of a variant of which no game is stored.
    NotStored(&'static Variant),
    /// Only games of some variants are searched.
    Variants(BoundQuery),
}

/// Why a query cannot be answered.
#[derive(Debug)]
pub enum PlanError {
    /// The database cannot be read, or is damaged.
    Store(StoreError),
    /// It fits none of its games.
    Query(QueryError),
}

impl From<StoreError> for PlanError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Makes a query ready for a database.
///
/// # Errors
///
/// [`PlanError`] if the database cannot be read, or has no board that the query fits.
pub fn plan(store: &Store, query: &Query) -> Result<Resolution, PlanError> {
    let mut query = query.clone();
    let reading = read_as_stored(store, &mut query)?;
    let is_exact = query.scope.exact_names;
    let mut plan = access(query);
    let conditions = &mut plan.conditions;
    let mut names = search::spell_out(store, &conditions.all, &mut conditions.names, is_exact)?;
    if let Some(pattern) = &mut plan.pattern {
        let conditions = facts::game_conditions(&pattern.expr).map(|(condition, _)| condition);
        for found in search::spell_out(store, conditions, &mut pattern.names, is_exact)? {
            if names.iter().all(|known| known.typed != found.typed) {
                names.push(found);
            }
        }
    }
    // A condition of a query names the games that it means.
    let is_typed = |position: &PositionQuery| position.words.is_some();
    let other_variants = if plan.position.as_ref().is_some_and(is_typed) {
        search::elsewhere(store, &plan)?
    } else {
        Vec::new()
    };
    let mut bound = None;
    if let Some(pattern) = &mut plan.pattern {
        let around = (&plan.conditions, plan.position.as_ref());
        let prepared = search::prepare(store, around, pattern)?;
        bound = Some(prepared.map_err(|error| {
            PlanError::Query(match error.text {
                Some(_) => error,
                None => interpret::in_text(&pattern.text, error),
            })
        })?);
    }
    let unknown_tags = search::unknown_tags(store, plan.tags().map(|tag| &tag.name[..]))?;
    let of_variants = bound.filter(|bound| !bound.others.is_empty());
    Ok(Resolution {
        plan,
        names,
        other_variants,
        reading: reading.or(of_variants.map(QueryReading::Variants)),
        unknown_tags,
    })
}

/// Which data answers which conditions: the position that all games reach has its index, conditions on
/// games that all of them fulfil are tested one after the other, and what is left is a pattern.
fn access(query: Query) -> AccessPlan {
    let only = query.position().cloned();
    let mut plan = AccessPlan {
        like: query.like.and_then(|like| Some(like.read?.position)),
        page: query.page,
        ..AccessPlan::default()
    };
    let (mut rest, mut on_line) = (Vec::new(), None);
    for part in conjuncts(query.expr) {
        match part {
            Expr::Game(GameCondition::Position(position), span)
                if only.as_ref() == Some(&position)
                    && (position.read.is_some() || !position.diagrams.is_empty()) =>
            {
                let read = position.read.as_deref();
                // One line has both it and what is asked beside it.
                if query.scope.in_variations && read.is_some_and(|read| read.words.is_none()) {
                    on_line = Some(pattern::on_line(position.clone(), span));
                }
                plan.position = position.read.map(|read| *read);
                plan.diagrams = position.diagrams;
            }
            Expr::Game(condition, _) if !matches!(condition, GameCondition::Position(_)) => {
                // What a text and an option say is asked once.
                if !plan.conditions.all.contains(&condition) {
                    plan.conditions.all.push(condition);
                }
            }
            part => rest.push(part),
        }
    }
    if !rest.is_empty() {
        rest.extend(on_line);
        let in_variations = query.scope.in_variations;
        let mut rest = query::all_of(rest);
        if in_variations {
            rest = pattern::of_lines(rest);
        }
        plan.pattern = Some(PatternQuery {
            in_variations,
            ..PatternQuery::of(&query.text, rest)
        });
    }
    plan
}

/// The parts of an expression that must all hold.
fn conjuncts(expr: Expr) -> Vec<Expr> {
    match expr {
        Expr::And(all) => all.into_iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

/// Reads the position of a query as one of a game that a database has, if it has none of its own.
fn read_as_stored(store: &Store, query: &mut Query) -> Result<Option<QueryReading>, StoreError> {
    let asked = query.position().and_then(|asked| asked.read.clone());
    let Some(asked) = asked.filter(|asked| asked.own_rules) else {
        return Ok(None);
    };
    let row = asked.position.variant();
    let words = asked.words.clone().unwrap_or_default();
    if search::is_played(store, &asked.position)? {
        return Ok(asked.pieces.is_some().then_some(QueryReading::Moves(words)));
    }
    if let Some(position) = other_reading(store, &asked)? {
        let mut rows = search::instead(store, &asked)?;
        // On a board that several kinds have, any of them may be meant.
        let own_rules = rows.is_empty();
        if own_rules {
            rows.push(position.variant());
        }
        let read = PositionQuery {
            own_rules,
            ask_variant: false,
            position,
            ..*asked
        };
        replace_position(&mut query.expr, |position| {
            let read = Some(Box::new(read));
            Expr::Game(
                GameCondition::Position(PositionText { read, ..position }),
                0..0,
            )
        });
        return Ok(Some(QueryReading::Instead(row, rows)));
    }
    if let Some(pieces) = asked.pieces {
        query.text = if query.text.is_empty() {
            words.clone()
        } else {
            String::new()
        };
        replace_position(&mut query.expr, |_| *pieces);
        return Ok(Some(QueryReading::Pieces(words, row)));
    }
    Ok(Some(QueryReading::NotStored(row)))
}

/// Puts another expression in the place of the only position of one.
fn replace_position(expr: &mut Expr, with: impl FnOnce(PositionText) -> Expr) {
    let mut with = Some(with);
    let parts = conjuncts(std::mem::replace(expr, Expr::And(Vec::new())));
    let parts = parts.into_iter().map(|part| match part {
        Expr::Game(GameCondition::Position(position), span) => match with.take() {
            Some(with) => with(position),
            None => Expr::Game(GameCondition::Position(position), span),
        },
        part => part,
    });
    *expr = Expr::And(parts.collect());
}

/// What the words of a position are in the first game that a database has, if they are anything.
fn other_reading(store: &Store, asked: &PositionQuery) -> Result<Option<AnyPosition>, StoreError> {
    let Some(words) = &asked.words else {
        return Ok(None);
    };
    let own = asked.position.variant().rules;
    let present = search::variants(store)?.into_iter();
    let rows = present.filter_map(Variant::by_id);
    let others = rows.filter(|row| row.has_rules() && row.rules != own);
    let mut read = others.map(|row| {
        position_input::requested_position(words, &ExpectedVariants { rows: vec![row] })
    });
    Ok(read.find_map(|read| Some(read.ok()?.at)))
}
