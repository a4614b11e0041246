-- plydex, schema 3: what is told apart and vouched for; layouts in docs/file-format.md.

-- Which structures the games may have that no segment has yet: an import is under way, or was
-- broken off.
CREATE TABLE IF NOT EXISTS tail_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Once they are filled:
