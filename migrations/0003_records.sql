-- plydex, schema 3: what is told apart and vouched for; layouts in docs/file-format.md.

-- Checksums of games.
CREATE TABLE IF NOT EXISTS sum_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Once they are filled:
