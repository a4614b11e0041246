-- plydex, schema 12: which names of players games give which numbers of FIDE; docs/file-format.md.

CREATE TABLE IF NOT EXISTS fide_name (
    player INTEGER NOT NULL,
    fide_id INTEGER NOT NULL,
    PRIMARY KEY (player, fide_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS fide_name_id ON fide_name (fide_id);

-- The row of a name that is gone may be another's.
CREATE TRIGGER IF NOT EXISTS fide_name_deleted AFTER DELETE ON player BEGIN
    DELETE FROM fide_name WHERE player = old.id;
END;
