//! The virtual tables of statements: how `SQLite` gets rows of what is packed in games.
//!
//! `SQLite` keeps its tables as long as the connection, the source of their rows lives only
//! while a statement runs. So the source is lent to the thread for that long ([`lend`]).

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    ffi::{CStr, CString, c_int},
    mem::transmute,
    ptr::NonNull,
};

use rusqlite::{
    Connection, Error, Result,
    types::{Value, ValueRef},
    vtab::{
        Context, Filters, IndexConstraintOp as Op, IndexInfo, Module, VTab, VTabConnection,
        VTabCursor, sqlite3_vtab, sqlite3_vtab_cursor,
    },
};

use super::{
    SqlError, StoreError, statements as sql,
    tables::{GameRows, POSITION_COLUMNS, PositionRow, RowField, SqlTable, TableRow, TableSource},
};
use crate::base::record::GameId;

/// What a statement reads from, and why that failed if it did: `SQLite` only passes a
/// message on.
struct TableContext {
    source: NonNull<dyn TableSource>,
    failure: RefCell<Option<SqlError>>,
}

thread_local! {
    static LENT: Cell<Option<NonNull<TableContext>>> = const { Cell::new(None) };
}

/// Takes the source back from the thread, however the work has ended.
struct ReturnGuard(Option<NonNull<TableContext>>);

impl Drop for ReturnGuard {
    fn drop(&mut self) {
        LENT.set(self.0);
    }
}

/// Does some work while the tables have their rows from a source; and why a table could
/// give no row, if it could not.
#[expect(
    unsafe_code,
    reason = "the source outlives the work, and is taken back after it"
)]
pub(super) fn lend<T>(source: &dyn TableSource, work: impl FnOnce() -> T) -> (T, Option<SqlError>) {
    let source = NonNull::from(source);
    // SAFETY: only the lifetime is another one. `with_source` alone uses the pointer, and
    // finds it only until `ReturnGuard` is dropped, which is before the borrow ends.
    let source =
        unsafe { transmute::<NonNull<dyn TableSource + '_>, NonNull<dyn TableSource>>(source) };
    let lent = TableContext {
        source,
        failure: RefCell::default(),
    };
    let taken_back = ReturnGuard(LENT.replace(Some(NonNull::from(&lent))));
    let done = work();
    drop(taken_back);
    (done, lent.failure.into_inner())
}

/// Uses the source that was lent.
#[expect(unsafe_code, reason = "what was lent is there until it is taken back")]
fn with_source<T>(
    ask: impl FnOnce(&dyn TableSource) -> std::result::Result<T, SqlError>,
) -> Result<T> {
    let failed = |what: String| Error::ModuleError(what);
    let Some(lent) = LENT.get() else {
        return Err(failed("no games to read".to_owned()));
    };
    // SAFETY: `lend` has put it there, on this thread, and has not returned.
    let (lent, source) = unsafe {
        let lent = lent.as_ref();
        (lent, lent.source.as_ref())
    };
    ask(source).map_err(|error| {
        let what = error.to_string();
        lent.failure.replace(Some(error));
        failed(what)
    })
}

/// Makes the tables known to a connection.
pub(super) fn register(connection: &Connection) -> Result<()> {
    const GAME: Module<'_, GameTable> = Module::eponymous_only_module();
    const POSITION: Module<'_, PositionTable> = Module::eponymous_only_module();
    for table in SqlTable::ALL {
        connection.create_module(table.name(), &GAME, Some(table))?;
    }
    connection.create_module("positions", &POSITION, None)
}

fn declaration(columns: &[(&str, &str)]) -> Result<Cow<'static, CStr>> {
    let text = CString::new(sql::create_table("x", columns));
    text.map(Cow::Owned).map_err(Error::NulError)
}

/// What reading without an argument is taken to cost: anything else is tried before.
const COST_OF_ALL: f64 = 1e12;

/// A table of what is in games.
#[repr(C)]
struct GameTable {
    base: sqlite3_vtab,
    table: SqlTable,
}

/// The hidden column is the argument: `comments(5)`.
const ARGUMENT: (&str, &str) = ("in_game", "INTEGER HIDDEN");

// What an argument of a cursor bounds, as digits of the plan's number to base 4.
const LOWER: c_int = 1;
const UPPER: c_int = 2;
/// More conditions are left to `SQLite`, which looks at all of them anyway.
const BOUNDS_MAX: c_int = 8;

#[expect(unsafe_code, reason = "the base stands first, in the layout of C")]
// SAFETY: `repr(C)` and the first field are as the trait requires.
unsafe impl VTab<'_> for GameTable {
    type Aux = SqlTable;
    type Cursor = GameCursor;

    fn connect(
        _: &mut VTabConnection,
        aux: Option<&SqlTable>,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let table = *aux.ok_or_else(|| Error::ModuleError("no table".to_owned()))?;
        let columns: Vec<_> = table.columns().copied().chain([ARGUMENT]).collect();
        let base = sqlite3_vtab::default();
        Ok((declaration(&columns)?, Self { base, table }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let argument = self.table.columns().count() as c_int;
        let (mut plan, mut count, mut is_one) = (0, 0, false);
        for (constraint, mut usage) in info.constraints_and_usages() {
            let is_game = constraint.column() == 0 || constraint.column() == argument;
            if !is_game || !constraint.is_usable() || count == BOUNDS_MAX {
                continue;
            }
            let bounds = match constraint.operator() {
                Op::SQLITE_INDEX_CONSTRAINT_EQ => LOWER | UPPER,
                Op::SQLITE_INDEX_CONSTRAINT_GT | Op::SQLITE_INDEX_CONSTRAINT_GE => LOWER,
                Op::SQLITE_INDEX_CONSTRAINT_LT | Op::SQLITE_INDEX_CONSTRAINT_LE => UPPER,
                _ => continue,
            };
            is_one |= bounds == LOWER | UPPER;
            plan |= bounds << (2 * count);
            count += 1;
            usage.set_argv_index(count);
        }
        info.set_idx_num(plan);
        let (cost, rows) = match (is_one, count) {
            (true, _) => (100.0, 100),
            (_, 0) => (COST_OF_ALL, 100_000_000),
            _ => (COST_OF_ALL / 10.0, 10_000_000),
        };
        info.set_estimated_cost(cost);
        info.set_estimated_rows(rows);
        let by_game =
            |order: rusqlite::vtab::OrderBy<'_>| order.column() == 0 && !order.is_order_by_desc();
        if info.num_of_order_by() == 1 && info.order_bys().all(by_game) {
            info.set_order_by_consumed(true);
        }
        Ok(true)
    }

    fn open(&mut self) -> Result<GameCursor> {
        Ok(GameCursor {
            base: sqlite3_vtab_cursor::default(),
            table: self.table,
            next: 1,
            last: 0,
            rows: None,
            at: 0,
        })
    }
}

/// Goes through the games of a table.
#[repr(C)]
struct GameCursor {
    base: sqlite3_vtab_cursor,
    table: SqlTable,
    /// The game after the current one, and the last to come.
    next: GameId,
    last: GameId,
    /// The current game and its rows.
    rows: Option<(GameId, GameRows)>,
    at: usize,
}

impl GameCursor {
    fn of_game(&self) -> &[TableRow] {
        match &self.rows {
            Some((_, rows)) => &rows.tables[self.table as usize],
            None => &[],
        }
    }

    /// Goes to the next game that has rows, unless the current one still has one.
    fn settle(&mut self) -> Result<()> {
        while self.at >= self.of_game().len() && self.next <= self.last {
            let (game, table) = (self.next, self.table);
            // Two tables are often joined game by game.
            if self.rows.as_ref().is_none_or(|(known, _)| *known != game) {
                let rows = with_source(|source| Ok(source.rows(game, &[table])?))?;
                self.rows = Some((game, rows));
            }
            self.next += 1;
            self.at = 0;
        }
        Ok(())
    }
}

/// The numbers of games that a value can be compared with, as a bound from below and from
/// above; `None` where nothing is equal to it, greater or less.
fn bounds(value: ValueRef<'_>) -> Option<(i64, i64)> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some((number, number)),
        ValueRef::Real(number) => Some((number.floor() as i64, number.ceil() as i64)),
        // SQLite compares as it does with such values.
        ValueRef::Text(_) | ValueRef::Blob(_) => Some((i64::MIN, i64::MAX)),
    }
}

#[expect(unsafe_code, reason = "the base stands first, in the layout of C")]
// SAFETY: `repr(C)` and the first field are as the trait requires.
unsafe impl VTabCursor for GameCursor {
    fn filter(&mut self, plan: c_int, _: Option<&str>, args: &Filters<'_>) -> Result<()> {
        let (mut first, mut last) = (1, with_source(|source| Ok(source.last_game()?))? as i64);
        for (at, value) in args.iter().enumerate() {
            let Some((from, to)) = bounds(value) else {
                (first, last) = (1, 0);
                break;
            };
            let of_this = plan >> (2 * at);
            if of_this & LOWER != 0 {
                first = first.max(from);
            }
            if of_this & UPPER != 0 {
                last = last.min(to);
            }
        }
        self.next = first as GameId;
        self.last = last.max(0) as GameId;
        // The current game may be requested again.
        self.at = usize::MAX;
        self.settle()
    }

    fn next(&mut self) -> Result<()> {
        self.at += 1;
        self.settle()
    }

    fn eof(&self) -> bool {
        self.at >= self.of_game().len()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let Some((game, rows)) = &self.rows else {
            return Ok(());
        };
        let row = &self.of_game()[self.at];
        match column {
            1 => context.set_result(rows.paths.of(row.line)),
            2 => context.set_result(row.ply),
            3.. if (column as usize) < SqlTable::SHARED.len() + self.table.own_columns().len() => {
                match &row.values[column as usize - SqlTable::SHARED.len()] {
                    RowField::Null => context.set_result(Value::Null),
                    RowField::Integer(number) => context.set_result(number),
                    RowField::Real(number) => context.set_result(number),
                    RowField::Word(word) => context.set_result(word),
                    RowField::Text(text, part) => context.set_result(&text[part.clone()]),
                }
            }
            _ => context.set_result(*game as i64),
        }
    }

    fn rowid(&self) -> Result<i64> {
        // No game has as many rows: `limits::ITEMS_PER_GAME_MAX` and `PLIES_MAX` are far below.
        let game = self.rows.as_ref().map_or(0, |(game, _)| *game);
        Ok(((game << 24) + self.at as u64) as i64)
    }
}

// Plans of the table of positions; 0 is that there is none.
const ALL_GAMES: c_int = 1;
const ONE_GAME: c_int = 2;

/// The table of games that reach a position.
#[repr(C)]
struct PositionTable {
    base: sqlite3_vtab,
}

#[expect(unsafe_code, reason = "the base stands first, in the layout of C")]
// SAFETY: `repr(C)` and the first field are as the trait requires.
unsafe impl VTab<'_> for PositionTable {
    type Aux = ();
    type Cursor = PositionCursor;

    fn connect(
        _: &mut VTabConnection,
        _: Option<&()>,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let base = sqlite3_vtab::default();
        Ok((declaration(&POSITION_COLUMNS)?, Self { base }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let argument = POSITION_COLUMNS.len() as c_int - 1;
        let (mut text, mut game, mut comes_later) = (None, None, false);
        for (at, constraint) in info.constraints().enumerate() {
            if constraint.operator() != Op::SQLITE_INDEX_CONSTRAINT_EQ {
                continue;
            }
            match (constraint.column(), constraint.is_usable()) {
                (column, true) if column == argument => text = text.or(Some(at)),
                (column, false) if column == argument => comes_later = true,
                (0, true) => game = game.or(Some(at)),
                _ => {}
            }
        }
        let Some(text) = text else {
            // Without any, the cursor says what is missing.
            info.set_estimated_cost(COST_OF_ALL);
            return Ok(!comes_later);
        };
        let mut usage = info.constraint_usage(text);
        usage.set_argv_index(1);
        usage.set_omit(true);
        if let Some(game) = game {
            info.constraint_usage(game).set_argv_index(2);
        }
        info.set_idx_num(if game.is_some() { ONE_GAME } else { ALL_GAMES });
        info.set_estimated_cost(if game.is_some() { 100.0 } else { 1e6 });
        info.set_estimated_rows(if game.is_some() { 1 } else { 100_000 });
        Ok(true)
    }

    fn open(&mut self) -> Result<PositionCursor> {
        Ok(PositionCursor {
            base: sqlite3_vtab_cursor::default(),
            text: String::new(),
            rows: Vec::new(),
            next_part: None,
            at: 0,
            place: RefCell::default(),
        })
    }
}

/// A place that was looked up: the game, its ply and its next move.
type RowPlace = (GameId, u32, Option<String>);

/// Goes through the games that reach a position.
#[repr(C)]
struct PositionCursor {
    base: sqlite3_vtab_cursor,
    text: String,
    /// The rows of the current part.
    rows: Vec<PositionRow>,
    /// The part after it, if there may be one.
    next_part: Option<usize>,
    at: usize,
    place: RefCell<Option<RowPlace>>,
}

impl PositionCursor {
    /// Goes to the next part that has rows, unless the current one still has one.
    fn settle(&mut self) -> Result<()> {
        while let (true, Some(part)) = (self.at >= self.rows.len(), self.next_part) {
            let rows = with_source(|source| source.positions(&self.text, part))?;
            self.next_part = rows.is_some().then_some(part + 1);
            self.rows = rows.unwrap_or_default();
            self.at = 0;
        }
        Ok(())
    }

    /// Gives a value what is known of the place of the current row.
    fn place(&self, context: &mut Context, is_ply: bool) -> Result<()> {
        let mut known = self.place.borrow_mut();
        let row = self.rows[self.at];
        if known.as_ref().is_none_or(|(game, ..)| *game != row.game) {
            let (ply, next) = with_source(|source| source.place(&self.text, row))?;
            *known = Some((row.game, ply, next));
        }
        match &*known {
            Some((_, ply, _)) if is_ply => context.set_result(*ply),
            Some((.., next)) => context.set_result(next.as_deref()),
            None => Ok(()),
        }
    }
}

#[expect(unsafe_code, reason = "the base stands first, in the layout of C")]
// SAFETY: `repr(C)` and the first field are as the trait requires.
unsafe impl VTabCursor for PositionCursor {
    fn filter(&mut self, plan: c_int, _: Option<&str>, args: &Filters<'_>) -> Result<()> {
        self.at = 0;
        self.place.take();
        self.rows.clear();
        self.next_part = None;
        if plan == 0 {
            return with_source(|_| {
                Err(SqlError::statement(
                    "positions needs a position",
                    "write one as for `plydex search`, such as positions('e4 c5')",
                ))
            });
        }
        // Nothing equals null.
        let Some(text) = args.get::<Option<String>>(0)? else {
            return Ok(());
        };
        self.text = text;
        let game = (plan == ONE_GAME).then(|| args.iter().nth(1)).flatten();
        match game {
            Some(ValueRef::Null) => {}
            Some(ValueRef::Integer(game)) => {
                let game = GameId::try_from(game).unwrap_or(0);
                let row = with_source(|source| source.position_in(&self.text, game))?;
                self.rows.extend(row);
            }
            // SQLite compares with whatever else it is.
            _ => {
                self.next_part = Some(0);
                self.settle()?;
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        self.at += 1;
        self.settle()
    }

    fn eof(&self) -> bool {
        self.at >= self.rows.len()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        match column {
            0 => context.set_result(self.rows[self.at].game as i64),
            1 => self.place(context, true),
            2 => self.place(context, false),
            3 => context.set_result(self.rows[self.at].in_variation),
            _ => context.set_result(&self.text[..]),
        }
    }

    fn rowid(&self) -> Result<i64> {
        // A game is listed once.
        Ok(self.rows[self.at].game as i64)
    }
}

impl From<SqlError> for Error {
    fn from(error: SqlError) -> Self {
        Self::ModuleError(error.to_string())
    }
}

impl From<StoreError> for SqlError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
