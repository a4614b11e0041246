-- plydex, schema 16: columns belong to ranges of games. A segment that is joined of several keeps
-- the columns that these had.
CREATE TABLE column_range (
    first_game INTEGER PRIMARY KEY,
    games      INTEGER NOT NULL,
    number     INTEGER NOT NULL,  -- with `stretch`, where its pages stand in `column_block`
    stretch    INTEGER NOT NULL
);
-- Until now a segment had columns for every 524,288 of its games, under its own number.
WITH RECURSIVE stretch (first_game, games, number, nth) AS (
    SELECT first_game, games, id, 0 FROM segment
    UNION ALL
    SELECT first_game + 524288, games - 524288, number, nth + 1 FROM stretch WHERE games > 524288
)
INSERT INTO column_range SELECT first_game, min(games, 524288), number, nth FROM stretch;
