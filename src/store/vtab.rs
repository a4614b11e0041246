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
    SqlError, StoreError,
    row_plan::{self, COST_OF_ALL, RowRange},
    statements as sql,
    tables::{
        GameRows, LateColumn, LateTexts, POSITION_COLUMNS, PlyRange, PositionRow, RowField,
        RowPlace, SqlTable, TableSource,
    },
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

/// A table of what is in games.
#[repr(C)]
struct GameTable {
    base: sqlite3_vtab,
    table: SqlTable,
}

/// The hidden column is the argument: `comments(5)`.
const ARGUMENT: (&str, &str) = ("in_game", "INTEGER HIDDEN");

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
        row_plan::plan(info, self.table.columns().count() as c_int)?;
        Ok(true)
    }

    fn open(&mut self) -> Result<GameCursor> {
        Ok(GameCursor {
            base: sqlite3_vtab_cursor::default(),
            table: self.table,
            next: 1,
            last: 0,
            is_one: false,
            plies: 0..=u32::MAX,
            by_ply: false,
            game: 0,
            last_ply: 0,
            rows: GameRows::default(),
            order: Vec::new(),
            at: 0,
            late: RefCell::default(),
            path: RefCell::default(),
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
    /// Whether only one is requested.
    is_one: bool,
    /// Rows of other plies are passed over.
    plies: PlyRange,
    /// Whether the rows of a game are requested by ply.
    by_ply: bool,
    /// The current game, the last ply of which the rows are known, and these; game 0 is none.
    game: GameId,
    last_ply: u32,
    rows: GameRows,
    /// Its rows by ply, where that is another order.
    order: Vec<u32>,
    at: usize,
    /// The late columns among the table's own.
    late: RefCell<[LateValues; 2]>,
    /// The line whose path was requested last, and that path.
    path: RefCell<(u32, String)>,
}

/// The values of a late column in a game, or in none.
struct LateValues {
    game: GameId,
    plies: PlyRange,
    texts: LateTexts,
}

impl Default for LateValues {
    fn default() -> Self {
        Self {
            game: 0,
            plies: 0..=0,
            texts: LateTexts::default(),
        }
    }
}

impl GameCursor {
    fn places(&self) -> &[RowPlace] {
        &self.rows.of(self.table).places
    }

    /// The current row, counted in the order of the text.
    fn row(&self) -> usize {
        self.order.get(self.at).map_or(self.at, |&row| row as usize)
    }

    /// Goes to the next game that has rows, unless the current one still has one.
    #[inline]
    fn settle(&mut self) -> Result<()> {
        loop {
            while let Some(place) = self.places().get(self.row()) {
                if self.plies.contains(&place.ply) {
                    return Ok(());
                }
                self.at += 1;
            }
            if self.next > self.last {
                return Ok(());
            }
            self.load(self.next)?;
            self.next += 1;
            self.at = 0;
        }
    }

    /// Makes a game the current one.
    fn load(&mut self, game: GameId) -> Result<()> {
        // Two tables are often joined game by game.
        let last_ply = if self.is_one {
            u32::MAX
        } else {
            *self.plies.end()
        };
        if self.game != game || self.last_ply < last_ply {
            self.game = 0;
            self.rows.clear();
            self.path.get_mut().0 = 0;
            with_source(|source| {
                Ok(source.rows(game, &[self.table], last_ply, &mut self.rows)?)
            })?;
            (self.game, self.last_ply) = (game, last_ply);
        }
        self.order.clear();
        let places = &self.rows.of(self.table).places;
        if self.by_ply && !places.is_sorted_by_key(|place| place.ply) {
            self.order.extend(0..places.len() as u32);
            (self.order).sort_by_key(|&row| places[row as usize].ply);
        }
        Ok(())
    }

    /// Gives a value one of the table's own columns.
    fn own(&self, context: &mut Context, own: usize) -> Result<()> {
        let row = self.row();
        if let Some(column) = self.table.late_column(own) {
            return self.late(context, own, column);
        }
        match &self.rows.of(self.table).values[row][own] {
            RowField::Null => context.set_result(Value::Null),
            RowField::Integer(number) => context.set_result(*number),
            RowField::Real(number) => context.set_result(*number),
            RowField::Word(word) => context.set_result(*word),
            RowField::Text(part) => context.set_result(self.rows.text_of(part)),
        }
    }

    fn late(&self, context: &mut Context, own: usize, column: LateColumn) -> Result<()> {
        let row = self.row();
        let ply = self.places()[row].ply;
        let LateValues { game, plies, texts } = &mut self.late.borrow_mut()[own];
        if *game != self.game || !plies.contains(&ply) {
            // Who comes back to a game may look at all of it, ply by ply.
            *plies = if *game == self.game {
                0..=u32::MAX
            } else {
                self.plies.clone()
            };
            *game = 0;
            texts.clear();
            with_source(|source| {
                let count = row + 1;
                Ok(source.late_texts(self.game, column, plies.clone(), count, texts)?)
            })?;
            *game = self.game;
        }
        context.set_result(texts.get(row).unwrap_or_default())
    }

    fn path(&self, context: &mut Context) -> Result<()> {
        let line = self.places()[self.row()].line;
        if line == 0 {
            return context.set_result("");
        }
        let (known, path) = &mut *self.path.borrow_mut();
        if *known != line {
            *known = line;
            path.clear();
            self.rows.paths.write(line, path);
        }
        context.set_result(&path[..])
    }
}

#[expect(unsafe_code, reason = "the base stands first, in the layout of C")]
// SAFETY: `repr(C)` and the first field are as the trait requires.
unsafe impl VTabCursor for GameCursor {
    fn filter(&mut self, plan: c_int, _: Option<&str>, args: &Filters<'_>) -> Result<()> {
        let last = with_source(|source| Ok(source.last_game()?))? as i64;
        let RowRange {
            games,
            plies,
            by_ply,
        } = RowRange::of(plan, args)?;
        self.next = (*games.start()).max(1) as GameId;
        self.last = (*games.end()).clamp(0, last) as GameId;
        self.is_one = self.next == self.last;
        (self.plies, self.by_ply) = (plies, by_ply);
        // The current game may be requested again.
        self.at = usize::MAX;
        self.settle()
    }

    #[inline]
    fn next(&mut self) -> Result<()> {
        self.at += 1;
        self.settle()
    }

    #[inline]
    fn eof(&self) -> bool {
        self.at >= self.places().len()
    }

    #[inline]
    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        match column as usize {
            1 => self.path(context),
            2 => context.set_result(self.places()[self.row()].ply),
            column
                if column < SqlTable::SHARED.len() + self.table.own_columns().len()
                    && column > 2 =>
            {
                self.own(context, column - SqlTable::SHARED.len())
            }
            _ => context.set_result(self.game as i64),
        }
    }

    fn rowid(&self) -> Result<i64> {
        // No game has as many rows: `limits::ITEMS_PER_GAME_MAX` and `PLIES_MAX` are far below.
        Ok(((self.game << 24) + self.row() as u64) as i64)
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
type VisitPlace = (GameId, u32, Option<String>);

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
    place: RefCell<Option<VisitPlace>>,
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
