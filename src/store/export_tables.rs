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
    tables::{GameRows, RowField, SqlTable, TableRow, TableSource},
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

impl RowField {
    fn value(&self) -> ToSqlOutput<'_> {
        match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Integer(number) => (*number).into(),
            Self::Real(number) => (*number).into(),
            Self::Word(word) => (*word).into(),
            Self::Text(text, part) => (&text[part.clone()]).into(),
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
        for game in 1..=last {
            source.verify_checksum(game)?;
            let rows = source.rows(game, tables)?;
            for (table, writer) in &mut writers {
                for TableRow { line, ply, values } in &rows.tables[*table as usize] {
                    let path = rows.paths.of(*line);
                    let shared = [(game as i64).into(), path.into(), (*ply).into()];
                    let own = &values[..table.own_columns().len()];
                    let values = shared.into_iter().chain(own.iter().map(RowField::value));
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
        let mut written = Ok(());
        self.each_row(sql::GAME_LIST, [], |row| {
            if written.is_err() {
                return Ok(());
            }
            let mut values: Vec<ToSqlOutput<'_>> = (0..GAME_COLUMNS.len() - 1)
                .map(|column| Ok(ToSqlOutput::Borrowed(row.get_ref(column)?)))
                .collect::<rusqlite::Result<_>>()?;
            let variant = row::text_or_null(row, variant)?;
            let rows = match variant.filter(|name| in_points.contains(name)) {
                Some(_) => source.rows(number(row, 0)?, &[SqlTable::Results]),
                None => Ok(GameRows::default()),
            };
            written = rows.and_then(|rows| {
                let own = rows.tables[SqlTable::Results as usize].first();
                let own = own.map(|row| &row.values[1]);
                values.push(match own {
                    Some(RowField::Text(text, part)) => text[part.clone()].to_owned().into(),
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
