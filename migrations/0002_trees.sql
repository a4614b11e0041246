-- plydex, schema 2: what a game has besides its main line as packed trees, with their texts
-- beside them; layouts in docs/file-format.md. `plydex sql` has tables of what is in them,
-- `plydex unpack` writes such tables.

CREATE TABLE IF NOT EXISTS tree_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS text_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Once they are filled:
DROP VIEW comment;
DROP VIEW nag;
DROP VIEW variation;
DROP TABLE annotation;
