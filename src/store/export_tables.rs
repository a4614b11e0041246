//! What is packed in games as plain tables of a new file, which any client of `SQLite` reads.

use std::{ops::ControlFlow, path::Path};

use rusqlite::{
    Connection, params_from_iter,
    types::{ToSqlOutput, Value},
};

use super::{
    Store, StoreError,
    locking::InterruptHandler,
    row::{self, number},
    sql::points_variants,
    statements as sql,
    tables::{GameRows, LateTexts, RowField, SqlTable, TableSource},
};
use crate::base::{
    observe::{Event, Observer},
    record::GameId,
};

/// The columns of the table of games: those of the view `game_list`, which has the last one only
/// where statements are run alone.
const GAME_COLUMNS: [(&str, &str); 17] = [
    ("game", "INTEGER PRIMARY KEY"),
    ("white", "TEXT"),
    ("black", "TEXT"),
    ("event", "TEXT"),
    ("site", "TEXT"),
    ("date", "TEXT"),
    ("round", "TEXT"),
    ("result", "TEXT"),
    ("white_elo", "INTEGER"),
    ("black_elo", "INTEGER"),
    ("eco", "TEXT"),
    ("plies", "INTEGER"),
    ("variant", "TEXT"),
    ("start_fen", "TEXT"),
    ("opening_eco", "TEXT"),
    ("opening_name", "TEXT"),
    ("result_written", "TEXT"),
];

/// Games between two looks at the observer.
const GAMES_A_STEP: u64 = 256;

/// The place of a column of games.
fn column_at(name: &str) -> usize {
    let mut columns = GAME_COLUMNS.iter();
    columns.position(|(own, _)| *own == name).unwrap_or(0)
}

impl GameRows {
    fn value<'r>(&'r self, field: &'r RowField) -> ToSqlOutput<'r> {
        match field {
            RowField::Null => ToSqlOutput::Owned(Value::Null),
            RowField::Integer(number) => (*number).into(),
            RowField::Real(number) => (*number).into(),
            RowField::Word(word) => (*word).into(),
            RowField::Text(part) => self.text_of(part).into(),
        }
    }
}

impl Store {
    /// Writes tables of what is in games, and one of the games, into an empty file. Whether
    /// it was written to the end or the observer broke it off.
    ///
    /// # Errors
    ///
    /// [`StoreError`] of this database or, with its name, of the file.
    pub fn unpack(
        &self,
        to: &Path,
        source: &dyn TableSource,
        tables: &[SqlTable],
        observer: &dyn Observer,
    ) -> Result<ControlFlow<()>, StoreError> {
        let failed = |source| StoreError::sqlite(to, source);
        let mut file = Connection::open(to).map_err(failed)?;
        let watch = InterruptHandler::new(&self.ending, None, &self.displaced);
        watch.over(&mut file).map_err(failed)?;
        // What a crash leaves of it is of no use; the caller that requested it makes it durable.
        for (name, value) in [("journal_mode", "OFF"), ("synchronous", "OFF")] {
            file.pragma_update(None, name, value).map_err(failed)?;
        }
        let last = source.last_game()?;
        let _ = observer.on(Event::Phase {
            name: "unpacking",
            steps: Some(last),
        });
        let done = self.fill(&file, failed, source, tables, last, observer);
        // A statement that was broken off says so in its own way.
        if self.stop().is_cancelled() || done?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        file.close().map_err(|(_, source)| failed(source))?;
        Ok(ControlFlow::Continue(()))
    }

    fn fill(
        &self,
        file: &Connection,
        failed: impl Fn(rusqlite::Error) -> StoreError + Copy,
        source: &dyn TableSource,
        tables: &[SqlTable],
        last: GameId,
        observer: &dyn Observer,
    ) -> Result<ControlFlow<()>, StoreError> {
        let run = |statement: &str| file.execute_batch(statement).map_err(failed);
        run("BEGIN")?;
        self.write_games(file, source, failed)?;
        for table in tables {
            let columns: Vec<_> = table.columns().copied().collect();
            run(&sql::create_table(table.name(), &columns))?;
        }
        let mut writers = Vec::new();
        for &table in tables {
            let insert = sql::insert_row(table.name(), table.columns().count());
            writers.push((table, file.prepare(&insert).map_err(failed)?));
        }
        let (mut rows, mut path) = (GameRows::default(), String::new());
        let mut late: [LateTexts; 3] = Default::default();
        for game in 1..=last {
            source.verify_checksum(game)?;
            rows.clear();
            source.rows(game, tables, u32::MAX, &mut rows)?;
            for (table, writer) in &mut writers {
                let own = table.own_columns().len();
                for (texts, own) in late.iter_mut().zip(0..own) {
                    texts.clear();
                    if let Some(column) = table.late_column(own) {
                        let count = rows.of(*table).places.len();
                        source.late_texts(game, column, 0..=u32::MAX, count, texts)?;
                    }
                }
                let of_table = rows.of(*table);
                for (at, place) in of_table.places.iter().enumerate() {
                    path.clear();
                    rows.paths.write(place.line, &mut path);
                    let shared = [(game as i64).into(), path[..].into(), place.ply.into()];
                    let own =
                        (0..own).map(|own| match (late[own].get(at), of_table.values.get(at)) {
                            (Some(text), _) => text.into(),
                            (None, values) => values
                                .map_or(ToSqlOutput::Owned(Value::Null), |values| {
                                    rows.value(&values[own])
                                }),
                        });
                    let values = shared.into_iter().chain(own);
                    writer.execute(params_from_iter(values)).map_err(failed)?;
                }
            }
            if game.is_multiple_of(GAMES_A_STEP) || game == last {
                let steps = (game - 1) % GAMES_A_STEP + 1;
                if observer.on(Event::Steps { steps }).is_break() || self.stop().is_cancelled() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        drop(writers);
        for table in tables {
            run(&sql::index_by_game(table.name()))?;
        }
        run("COMMIT")?;
        Ok(ControlFlow::Continue(()))
    }

    /// The table of games, as the view has them.
    fn write_games(
        &self,
        file: &Connection,
        source: &dyn TableSource,
        failed: impl Fn(rusqlite::Error) -> StoreError + Copy,
    ) -> Result<(), StoreError> {
        let create = sql::create_table("games", &GAME_COLUMNS);
        file.execute_batch(&create).map_err(failed)?;
        let insert = sql::insert_row("games", GAME_COLUMNS.len());
        let mut writer = file.prepare(&insert).map_err(failed)?;
        let (variant, result) = (column_at("variant"), column_at("result"));
        let in_points = points_variants();
        let (mut written, mut rows) = (Ok(()), GameRows::default());
        self.each_row(sql::GAME_LIST, [], |row| {
            if written.is_err() {
                return Ok(());
            }
            let mut values: Vec<ToSqlOutput<'_>> = (0..GAME_COLUMNS.len() - 1)
                .map(|column| Ok(ToSqlOutput::Borrowed(row.get_ref(column)?)))
                .collect::<rusqlite::Result<_>>()?;
            let variant = row::text_or_null(row, variant)?;
            rows.clear();
            let read = match variant.filter(|name| in_points.contains(name)) {
                Some(_) => source.rows(number(row, 0)?, &[SqlTable::Results], 0, &mut rows),
                None => Ok(()),
            };
            written = read.and_then(|()| {
                let own = rows.of(SqlTable::Results).values.first();
                values.push(match own {
                    Some([_, RowField::Text(part), _]) => rows.text_of(part).into(),
                    _ => ToSqlOutput::Borrowed(row.get_ref_unwrap(result)),
                });
                writer.execute(params_from_iter(values)).map_err(failed)?;
                Ok(())
            });
            Ok(())
        })?;
        written
    }
}
