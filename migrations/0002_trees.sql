-- plydex, schema 2: what a game has besides its main line as packed trees, with their texts
-- beside them. `plydex sql` has tables of what is in them, `plydex unpack` writes such tables.

DROP VIEW comment;
DROP VIEW nag;
DROP VIEW variation;
DROP TABLE annotation;

-- Layouts in docs/file-format.md.
CREATE TABLE tree_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE text_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
