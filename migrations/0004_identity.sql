-- plydex, schema 4: the same game once; layouts in docs/file-format.md.

-- Fingerprints of games: checksums, and what games that are the same agree in.
CREATE TABLE IF NOT EXISTS print_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Games of sources that were stored already when they were read: as many that follow each other
-- in the source as follow each other in the database.
CREATE TABLE IF NOT EXISTS repeated_game (
    source INTEGER NOT NULL REFERENCES source (id),
    number INTEGER NOT NULL, -- of the first in the source, from 1
    games  INTEGER NOT NULL,
    game   INTEGER NOT NULL, -- the stored one that the first of them is
    PRIMARY KEY (source, number)
) WITHOUT ROWID;

-- Once they are filled:
DROP TABLE sum_block;
-- Games of a piece of a source that were stored already.
ALTER TABLE source_chunk ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;
CREATE INDEX repeated_game_by_game ON repeated_game (game);
