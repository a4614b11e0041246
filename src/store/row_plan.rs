//! Which rows of a table of games a statement can need: planned from its conditions, and
//! determined once their values are known.

use std::{ffi::c_int, ops::RangeInclusive};

use rusqlite::{
    Result,
    fallible_iterator::FallibleIterator,
    types::ValueRef,
    vtab::{Filters, IndexConstraintOp as Op, IndexInfo},
};

/// What reading without an argument is taken to cost: anything else is tried before.
pub(super) const COST_OF_ALL: f64 = 1e12;

// Columns that all tables of games have.
const GAME: c_int = 0;
const PLY: c_int = 2;

// What an argument of a cursor bounds, as digits of the plan's number to base 16.
const LOWER: c_int = 1;
const UPPER: c_int = 2;
/// The bound itself is left out.
const STRICT: c_int = 4;
/// It is a list of values.
const LIST: c_int = LOWER | UPPER | STRICT;
/// It bounds the ply, not the game.
const OF_PLY: c_int = 8;
const DIGIT_BITS: usize = 4;
/// More conditions are left to `SQLite`, which looks at all of them anyway.
const BOUNDS_MAX: usize = 7;
/// The rows of each game are requested by ply.
const BY_PLY: c_int = 1 << (DIGIT_BITS * BOUNDS_MAX);

/// Plans a reading; the hidden column that is the argument of the table is a game.
pub(super) fn plan(info: &mut IndexInfo, argument: c_int) -> Result<()> {
    let mut bounds = Vec::new();
    for (at, constraint) in info.constraints().enumerate() {
        let of_ply = match constraint.column() {
            PLY => OF_PLY,
            column if column == GAME || column == argument => 0,
            _ => continue,
        };
        let sides = match constraint.operator() {
            Op::SQLITE_INDEX_CONSTRAINT_EQ => LOWER | UPPER,
            Op::SQLITE_INDEX_CONSTRAINT_GT => LOWER | STRICT,
            Op::SQLITE_INDEX_CONSTRAINT_GE => LOWER,
            Op::SQLITE_INDEX_CONSTRAINT_LT => UPPER | STRICT,
            Op::SQLITE_INDEX_CONSTRAINT_LE => UPPER,
            _ => continue,
        };
        if !constraint.is_usable() || bounds.len() == BOUNDS_MAX {
            continue;
        }
        if info.is_in_constraint(at)? {
            // Game by game, but not ply by ply: each would go through all games again.
            bounds.push((at, of_ply | if of_ply == 0 { sides } else { LIST }, false));
        } else {
            // Other values are compared by rules of SQLite that are left to it.
            let is_exact = matches!(info.rhs_value(at)?, Some(ValueRef::Integer(_)));
            bounds.push((at, of_ply | sides, is_exact));
        }
    }
    let mut number = 0;
    for (&(at, digit, is_exact), count) in bounds.iter().zip(0..) {
        number |= digit << (DIGIT_BITS * count as usize);
        if digit & LIST == LIST {
            info.set_in_constraint(at, true)?;
        }
        let mut usage = info.constraint_usage(at);
        usage.set_argv_index(count + 1);
        usage.set_omit(is_exact);
    }
    let has = |digit: c_int| bounds.iter().any(|bound| bound.1 == digit);
    let is_one = has(LOWER | UPPER);
    let is_bounded = bounds.iter().any(|bound| bound.1 & OF_PLY == 0);
    let (mut cost, mut rows) = match (is_one, is_bounded) {
        (true, _) => (100.0, 100),
        (_, false) => (COST_OF_ALL, 100_000_000),
        _ => (COST_OF_ALL / 10.0, 10_000_000),
    };
    if has(LOWER | UPPER | OF_PLY) {
        (cost, rows) = (cost * 0.75, rows / 50);
    }
    info.set_estimated_cost(cost);
    info.set_estimated_rows(rows);
    let order = info.order_bys();
    let order: Vec<_> = (order.map(|by| (by.column(), by.is_order_by_desc()))).collect();
    let by_ply = match order[..] {
        [(GAME, false)] => Some(0),
        [(GAME, false), (PLY, false)] => Some(BY_PLY),
        [(PLY, false)] if is_one => Some(BY_PLY),
        _ => None,
    };
    info.set_idx_num(number | by_ply.unwrap_or(0));
    info.set_order_by_consumed(by_ply.is_some());
    Ok(())
}

/// The rows that are needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowRange {
    /// The numbers of games.
    pub(super) games: RangeInclusive<i64>,
    /// Their plies.
    pub(super) plies: RangeInclusive<u32>,
    /// Whether the rows of each game are requested by ply, not in the order of its text.
    pub(super) by_ply: bool,
}

impl RowRange {
    /// The rows of a plan, with the values of its conditions.
    pub(super) fn of(plan: c_int, args: &Filters<'_>) -> Result<Self> {
        let mut ranges = [i64::MIN..=i64::MAX, 0..=i64::from(u32::MAX)];
        for (at, value) in args.iter().enumerate() {
            let digit = plan >> (DIGIT_BITS * at);
            let range = &mut ranges[usize::from(digit & OF_PLY != 0)];
            let is_list = digit & LIST == LIST;
            let found = if is_list {
                list_bounds(args, at)?
            } else {
                bounds(value)
            };
            let step = i64::from(digit & STRICT != 0 && !is_list);
            let (mut from, mut to) = range.clone().into_inner();
            match found {
                None => (from, to) = (1, 0),
                Some((lower, upper)) => {
                    if digit & LOWER != 0 {
                        from = from.max(lower.saturating_add(step));
                    }
                    if digit & UPPER != 0 {
                        to = to.min(upper.saturating_sub(step));
                    }
                }
            }
            *range = from..=to;
        }
        let [games, plies] = ranges;
        let (from, to) = plies.into_inner();
        Ok(Self {
            games: if from > to {
                RangeInclusive::new(1, 0)
            } else {
                games
            },
            plies: from as u32..=to as u32,
            by_ply: plan & BY_PLY != 0,
        })
    }
}

/// The [bounds] of all values of a list.
fn list_bounds(args: &Filters<'_>, at: usize) -> Result<Option<(i64, i64)>> {
    let mut values = args.in_values(at)?;
    let mut found: Option<(i64, i64)> = None;
    while let Some(value) = values.next()? {
        if let Some((from, to)) = bounds(value) {
            let known = found.get_or_insert((from, to));
            *known = (known.0.min(from), known.1.max(to));
        }
    }
    Ok(found)
}

/// The numbers that a value can be compared with, as a bound from below and from above; `None`
/// where nothing is equal to it, greater or less.
fn bounds(value: ValueRef<'_>) -> Option<(i64, i64)> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some((number, number)),
        ValueRef::Real(number) => Some((number.floor() as i64, number.ceil() as i64)),
        // SQLite compares as it does with such values.
        ValueRef::Text(_) | ValueRef::Blob(_) => Some((i64::MIN, i64::MAX)),
    }
}
