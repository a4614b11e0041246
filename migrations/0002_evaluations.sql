-- plydex, schema 14: how the evaluations of a source are read, where their form leaves it open. What
-- all its games show has `by_hand` 0, what was given by a person 1, and counts for more; null is not known.
CREATE TABLE evaluation_reading (
    source  INTEGER NOT NULL REFERENCES source (id),
    by_hand INTEGER NOT NULL,
    unit    TEXT, -- `pawns`, `centipawns`
    command TEXT, -- whose view a command `[%eval …]` has: `white`, `mover` (who moved)
    short   TEXT, -- the same of a score without a command: `+0.31/12 2.3s`
    PRIMARY KEY (source, by_hand)
) WITHOUT ROWID;
