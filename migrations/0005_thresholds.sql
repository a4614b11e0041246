-- plydex, schema 17: a segment says in how many of its games a position is popular, and how many games
-- of a structure a look-up replays at most. Large segments differ from small ones.
ALTER TABLE segment ADD COLUMN popular_min INTEGER NOT NULL DEFAULT 8;
ALTER TABLE segment ADD COLUMN replays_max INTEGER NOT NULL DEFAULT 512;
-- The variants of the games of a range: without them, the head of its columns is read.
ALTER TABLE column_range ADD COLUMN variants BLOB;
