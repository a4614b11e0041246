-- plydex, schema 15: sources that were read again. While the change stands, the games and the text of
-- a source are those of its successor.
CREATE TABLE reread_source (
    change    INTEGER NOT NULL REFERENCES change (id),
    source    INTEGER NOT NULL REFERENCES source (id),
    successor INTEGER NOT NULL REFERENCES source (id),
    PRIMARY KEY (change, source)
) WITHOUT ROWID;
