-- plydex, schema 6: what games leave behind, in columns; layouts in docs/file-format.md.

CREATE TABLE IF NOT EXISTS column_block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
