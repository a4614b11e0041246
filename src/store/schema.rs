//! The schema: numbered steps, and which of them a file has taken.

use super::{Store, StoreError, StoreErrorKind, statements};

/// Marks the file as ours in the `SQLite` header: `plyd` in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x706c_7964;

/// A step of the schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Migration {
    /// The `user_version` that a file has after it.
    pub(super) version: u32,
    pub(super) sql: &'static str,
}

/// The steps of the schema, in order.
pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        version: FIRST_SCHEMA,
        sql: include_str!("../../migrations/0001_initial.sql"),
    },
    Migration {
        version: 14,
        sql: include_str!("../../migrations/0002_evaluations.sql"),
    },
    Migration {
        version: 15,
        sql: include_str!("../../migrations/0003_rereads.sql"),
    },
    Migration {
        version: 16,
        sql: include_str!("../../migrations/0004_column_ranges.sql"),
    },
    Migration {
        version: THRESHOLDS_SCHEMA,
        sql: include_str!("../../migrations/0005_thresholds.sql"),
    },
];

/// The schema that the first step makes; files of those before it are rejected.
pub(super) const FIRST_SCHEMA: u32 = 13;

/// The schema from which on segments have thresholds.
pub(super) const THRESHOLDS_SCHEMA: u32 = 17;

/// The newest schema this program knows.
pub const SCHEMA_VERSION: u32 = MIGRATIONS[MIGRATIONS.len() - 1].version;

impl Store {
    /// The file's schema version; 0 for an empty file.
    pub(super) fn version(&self) -> Result<u32, StoreError> {
        // At once, for another process may just be making the schema.
        self.execute("BEGIN")?;
        let numbers =
            ["page_count", "application_id", "user_version"].map(|name| self.number(name));
        self.roll_back();
        let [pages, application, version] = numbers;
        let (pages, application, version) = (pages?, application?, version?);
        if pages == 0 && application == 0 && version == 0 {
            return Ok(0);
        }
        if application != i64::from(APPLICATION_ID) || version <= 0 {
            return Err(self.error(StoreErrorKind::Foreign));
        }
        let found = u32::try_from(version).unwrap_or(u32::MAX);
        let known = SCHEMA_VERSION;
        match found {
            ..FIRST_SCHEMA => Err(self.error(StoreErrorKind::TooOld { found, known })),
            found if found > known => Err(self.error(StoreErrorKind::TooNew { found, known })),
            found => Ok(found),
        }
    }

    /// Brings the file up to our schema, if it is of an earlier one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is empty, foreign, too old or too new, or cannot be brought up.
    pub(super) fn look_at_schema(&self) -> Result<(), StoreError> {
        match self.version()? {
            0 => Err(self.error(StoreErrorKind::Empty)),
            SCHEMA_VERSION => Ok(()),
            // It can be read as it is.
            _ if self.is_read_only() => Ok(()),
            // It has its number.
            _ => self.make_schema(MIGRATIONS, 0),
        }
    }

    /// Gives the file the steps of the schema that it has not yet, each in a transaction of its
    /// own; an empty file takes all of them, and the number.
    pub(super) fn make_schema(&self, steps: &[Migration], number: u64) -> Result<(), StoreError> {
        for step in steps {
            self.begin_plainly()?;
            self.take_step(step, number)
                .inspect_err(|_| self.roll_back())?;
            self.commit()?;
        }
        Ok(())
    }

    fn take_step(&self, step: &Migration, number: u64) -> Result<(), StoreError> {
        // Another program may have done it while we waited.
        let before = self.number("user_version")?;
        if before >= i64::from(step.version) {
            return Ok(());
        }
        if before > 0 {
            self.run(statements::RAISE_GENERATION, [])?;
        }
        self.execute(step.sql)?;
        if before == 0 {
            self.run(statements::INSERT_IDENTITY, [number.cast_signed()])?;
            self.note_opening_table()?;
            self.pragma("application_id", APPLICATION_ID)?;
        }
        self.pragma("user_version", step.version)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::OpenFlags;

    use super::*;
    use crate::base::observe::CancellationToken;

    fn fresh() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        let store =
            Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
        (folder, store)
    }

    /// What a step after those of today may do.
    const NEXT: Migration = Migration {
        version: SCHEMA_VERSION + 1,
        sql: "ALTER TABLE player ADD COLUMN title TEXT; \
            INSERT INTO player (id, name, title) VALUES (7, 'Tal', 'GM')",
    };

    /// The version, and who has which title.
    fn told(store: &Store) -> (i64, Option<String>) {
        let asked = "SELECT title FROM player WHERE id = 7";
        let title = store.connection.query_row(asked, [], |row| row.get(0));
        (store.number("user_version").expect("a version"), title.ok())
    }

    #[test]
    fn a_file_takes_the_steps_that_it_has_not_yet() {
        let (_folder, store) = fresh();
        let steps = [MIGRATIONS, &[NEXT]].concat();
        assert_eq!(told(&store), (i64::from(SCHEMA_VERSION), None));
        let next = (i64::from(NEXT.version), Some("GM".to_owned()));
        for _ in 0..2 {
            store.make_schema(&steps, 1).expect("a step, once");
            assert_eq!(told(&store), next);
        }
        let version = store.version().expect_err("a newer schema").kind;
        assert!(matches!(version, StoreErrorKind::TooNew { .. }));
        let folder = tempfile::tempdir().expect("a folder");
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let new = folder.path().join("new.db");
        let new = Store::connect(&new, flags, &CancellationToken::default()).expect("a database");
        new.make_schema(&steps, 1).expect("all steps");
        assert_eq!(told(&new), next);
    }

    #[test]
    fn a_step_that_fails_leaves_the_file_as_it_was() {
        let (_folder, store) = fresh();
        let before = std::fs::read(store.path()).expect("a file");
        let broken = Migration {
            sql: "ALTER TABLE player ADD COLUMN title TEXT; INSERT INTO nowhere VALUES (1)",
            ..NEXT
        };
        store.make_schema(&[broken], 1).expect_err("no such table");
        assert_eq!(told(&store), (i64::from(SCHEMA_VERSION), None));
        assert!(std::fs::read(store.path()).expect("a file") == before);
        // Those before it stand.
        let behind = Migration {
            version: NEXT.version + 1,
            ..broken
        };
        let failed = store.make_schema(&[NEXT, behind], 1);
        failed.expect_err("no such table");
        assert_eq!(told(&store).0, i64::from(NEXT.version));
    }

    #[test]
    fn the_identity_is_one_row_of_the_first_table() {
        let (_folder, store) = fresh();
        let asked = "SELECT rootpage, (SELECT count(*) FROM identity) FROM sqlite_schema \
            WHERE name = 'identity'";
        let found = store.connection.query_row(asked, [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
        });
        assert_eq!(found.expect("a row"), (2, 1));
    }

    #[test]
    fn a_file_of_the_first_schema_is_brought_up_or_read_as_it_is() {
        let (_folder, old) = fresh();
        let path = old.path().to_path_buf();
        let before = "DROP TABLE evaluation_reading; DROP TABLE reread_source; \
            DROP TABLE column_range; ALTER TABLE segment DROP COLUMN popular_min; \
            ALTER TABLE segment DROP COLUMN replays_max; PRAGMA user_version = 13";
        old.execute(before).expect("what the first step has made");
        drop(old);
        let permit = |is_read_only| {
            let mut permissions = std::fs::metadata(&path).expect("a file").permissions();
            permissions.set_readonly(is_read_only);
            std::fs::set_permissions(&path, permissions).expect("permissions");
        };
        permit(true);
        // Where permissions do not bind (as root), the file is brought up.
        let read = Store::open(&path, &CancellationToken::default()).expect("a database");
        let evals = read.eval_readings().expect("none, or an empty table");
        assert_eq!(
            evals.of_game(1),
            crate::pgn::parser::eval_view::SourceEvals::default()
        );
        assert!(read.replaced_sources().expect("none").is_empty());
        drop(read);
        permit(false);
        let brought_up = Store::open(&path, &CancellationToken::default()).expect("a database");
        assert_eq!(
            brought_up.number("user_version").expect("a version"),
            i64::from(SCHEMA_VERSION)
        );
        assert_eq!(
            brought_up.odd_schema().expect("readable"),
            Vec::<String>::new()
        );
    }
}
