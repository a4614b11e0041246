//! Queries that a program builds, from values that need no quotes.

use std::ops::{Bound, Not, RangeBounds};

use super::{
    GameCondition, NameField, PositionQuery, PositionText, Query, Ranges, RatingField, TagQuery,
    pattern::Expr,
};
use crate::{
    base::record::{GameId, Outcome},
    games::AnyPosition,
};

impl Query {
    /// The games that reach a position on their main lines, by the rules of its variant.
    pub fn reaching(position: AnyPosition) -> Self {
        let position = PositionQuery {
            own_rules: true,
            ..PositionQuery::of(position)
        };
        GameCondition::Position(PositionText::of(position)).into()
    }

    /// The games of a player: by a name, a part of it, or a number of FIDE. All spellings of the
    /// same player are found.
    pub fn player(name: &str) -> Self {
        GameCondition::player(name).into()
    }

    /// The games in which a player has White.
    pub fn white(name: &str) -> Self {
        GameCondition::white(name).into()
    }

    /// The games in which a player has Black.
    pub fn black(name: &str) -> Self {
        GameCondition::Name(NameField::Black, name.to_owned()).into()
    }

    /// The games of an event: by its name, or a part of it.
    pub fn event(name: &str) -> Self {
        GameCondition::Name(NameField::Event, name.to_owned()).into()
    }

    /// The games that ended so.
    pub fn outcome(outcome: Outcome) -> Self {
        GameCondition::Result(vec![outcome]).into()
    }

    /// The games in which the ratings of both players are known and within a range: `2600..`,
    /// `2000..=2200`. No game if the range is empty.
    pub fn elo(range: impl RangeBounds<u16>) -> Self {
        let from = match range.start_bound() {
            Bound::Included(&from) => Some(from),
            Bound::Excluded(&from) => from.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let to = match range.end_bound() {
            Bound::Included(&to) => Some(to),
            Bound::Excluded(&to) => to.checked_sub(1),
            Bound::Unbounded => Some(u16::MAX),
        };
        let bounds = from.zip(to).filter(|(from, to)| from <= to);
        match bounds {
            Some((from, to)) => {
                let ranges = Ranges::of(u32::from(from), u32::from(to));
                GameCondition::Rating(RatingField::Both, ranges).into()
            }
            None => Self::games(&[]),
        }
    }

    /// The games with a tag of that value, whatever the case of both.
    pub fn tag(name: &str, value: &str) -> Self {
        let tag = TagQuery {
            name: name.to_owned(),
            text: value.to_owned(),
            is_whole: true,
        };
        GameCondition::Tag(tag).into()
    }

    /// Games by their numbers; none if there are none.
    pub fn games(ids: &[GameId]) -> Self {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        GameCondition::games(&ids).into()
    }

    /// The games that this query finds, or another one. The page is that of this one.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_everything() || other.is_everything() {
            return Self {
                page: self.page,
                ..Self::default()
            };
        }
        self.with(other, |one, other| {
            let mut any = Vec::new();
            for expr in [one, other] {
                match expr {
                    Expr::Or(own) => any.extend(own),
                    own => any.push(own),
                }
            }
            Expr::Or(any)
        })
    }
}

/// The games that a query does not find. The page stays.
impl Not for Query {
    type Output = Self;

    fn not(self) -> Self {
        if self.is_everything() {
            return Self {
                page: self.page,
                ..Self::games(&[])
            };
        }
        let expr = match self.expr {
            Expr::Not(inner) => *inner,
            expr => Expr::Not(Box::new(expr)),
        };
        Self {
            expr,
            text: String::new(),
            ..self
        }
    }
}
