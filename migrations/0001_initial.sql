-- plydex, schema 1. Every table and view is described in docs/file-format.md.
-- Numbers of games are 1-based and follow the order of import.

CREATE TABLE identity (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, generation INTEGER NOT NULL);

CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE event  (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE site   (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- Values of other tags that occur more than once.
CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT NOT NULL);

-- The tag names of games, in order, as a JSON array. A name stands for a value
-- that the columns of `game` give back to the letter; "+Name" takes the next
-- value of `game.extra`; "Name|nAME" keeps another spelling than ours.
CREATE TABLE tag_layout (id INTEGER PRIMARY KEY, names TEXT NOT NULL);

CREATE TABLE variant (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- Start positions other than the usual one of chess; those of draughts without
-- a FEN are the usual ones of their variants. `board_key` is null where the
-- position or its variant cannot be played.
CREATE TABLE start_position (
    id        INTEGER PRIMARY KEY,
    variant   INTEGER NOT NULL REFERENCES variant (id),
    fen       TEXT NOT NULL, -- as written in the tag
    canonical TEXT,          -- as we write it; null where it is the same, or cannot be played
    board_key INTEGER,       -- 64 bits, signed
    state     INTEGER,       -- castling rights and en passant, or the variant of draughts, see docs
    corner    INTEGER        -- draughts: where square 1 is, if not where the variant has it
);
CREATE INDEX start_position_by_key ON start_position (board_key);

CREATE TABLE game (
    id        INTEGER PRIMARY KEY,
    white     INTEGER REFERENCES player (id),
    black     INTEGER REFERENCES player (id),
    event     INTEGER REFERENCES event (id),
    site      INTEGER REFERENCES site (id),
    date      INTEGER,          -- yyyymmdd, unknown parts 0
    round     TEXT,
    result    INTEGER NOT NULL, -- 0 unknown, 1 White won, 2 Black won, 3 drawn
    white_elo INTEGER,
    black_elo INTEGER,
    eco       TEXT,
    plies     INTEGER NOT NULL, -- of the legal main line
    variant   INTEGER NOT NULL REFERENCES variant (id),
    start     INTEGER REFERENCES start_position (id), -- null: the usual one of chess
    layout    INTEGER NOT NULL REFERENCES tag_layout (id),
    extra     TEXT,             -- JSON array: texts, or numbers of rows of `text`
    variant_by TEXT             -- null: told by the tags; `inferred`, `forced`, see docs
);

-- Comments, NAGs, variations and stray text: a JSON array of
-- [plies played before it, kind, text]; kinds: "{" comment, ";" comment to the
-- end of the line, "$" NAG, "(" variation, "?" word, "!" rest of the movetext
-- that is not played.
CREATE TABLE annotation (game INTEGER PRIMARY KEY REFERENCES game (id), items TEXT NOT NULL);

CREATE TABLE import (
    id          INTEGER PRIMARY KEY,
    started_at  TEXT NOT NULL, -- UTC, ISO 8601
    finished_at TEXT,          -- null: interrupted
    program     TEXT NOT NULL,
    seen        INTEGER NOT NULL DEFAULT 0,
    stored      INTEGER NOT NULL DEFAULT 0,
    duplicate   INTEGER NOT NULL DEFAULT 0,
    rejected    INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE source (
    id     INTEGER PRIMARY KEY,
    import INTEGER NOT NULL REFERENCES import (id),
    name   TEXT NOT NULL
);

-- What was read of each source, chunk by chunk; `chain` is a hash of the whole
-- stream up to the chunk's end, so that known beginnings are recognised.
CREATE TABLE source_chunk (
    chain        BLOB PRIMARY KEY,
    parent       BLOB NOT NULL,
    source       INTEGER NOT NULL REFERENCES source (id),
    offset_bytes INTEGER NOT NULL, -- in the decompressed stream
    bytes        INTEGER NOT NULL, -- hashed on top of the parent
    split_bytes  INTEGER NOT NULL, -- how many of them belong to an earlier chunk that this one prolongs
    last         INTEGER NOT NULL, -- 1: the stream ended, or broke off, with it
    first_number INTEGER NOT NULL, -- 1-based number of its first game in the source
    first_game   INTEGER NOT NULL, -- id of that game
    games        INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX source_chunk_by_parent ON source_chunk (parent);
CREATE INDEX source_chunk_by_game ON source_chunk (first_game);

CREATE TABLE diagnostic (
    id           INTEGER PRIMARY KEY,
    source       INTEGER NOT NULL REFERENCES source (id),
    game         INTEGER REFERENCES game (id),
    code         TEXT NOT NULL,
    offset_bytes INTEGER NOT NULL, -- in the decompressed stream
    detail       TEXT
);
CREATE TABLE diagnostic_count (
    import INTEGER NOT NULL REFERENCES import (id),
    code   TEXT NOT NULL,
    count  INTEGER NOT NULL,
    PRIMARY KEY (import, code)
) WITHOUT ROWID;

-- The packed part: layouts in docs/file-format.md.
CREATE TABLE move_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE fact_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE segment (
    id                 INTEGER PRIMARY KEY,
    first_game         INTEGER NOT NULL,
    games              INTEGER NOT NULL,
    positions          INTEGER NOT NULL,
    key_version        INTEGER NOT NULL,
    game_bits          INTEGER NOT NULL,
    coarse_key_bits    INTEGER NOT NULL,
    coarse_key_rice    INTEGER NOT NULL,
    fine_key_bits      INTEGER NOT NULL,
    fine_key_rice      INTEGER NOT NULL,
    variation_key_bits INTEGER NOT NULL,
    variation_key_rice INTEGER NOT NULL
);
CREATE TABLE posting_block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE hot_block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- For people who ask in SQL.

CREATE VIEW game_list AS
SELECT g.id AS game,
       w.name AS white,
       b.name AS black,
       e.name AS event,
       s.name AS site,
       CASE WHEN g.date IS NULL THEN NULL
            WHEN g.date % 10000 = 0 THEN printf('%04d', g.date / 10000)
            WHEN g.date % 100 = 0 THEN printf('%04d-%02d', g.date / 10000, g.date / 100 % 100)
            ELSE printf('%04d-%02d-%02d', g.date / 10000, g.date / 100 % 100, g.date % 100)
       END AS date,
       g.round AS round,
       CASE g.result WHEN 1 THEN '1-0' WHEN 2 THEN '0-1' WHEN 3 THEN '1/2-1/2' ELSE '*' END AS result,
       g.white_elo AS white_elo,
       g.black_elo AS black_elo,
       g.eco AS eco,
       g.plies AS plies,
       v.name AS variant,
       p.fen AS start_fen
  FROM game g
  LEFT JOIN player w ON w.id = g.white
  LEFT JOIN player b ON b.id = g.black
  LEFT JOIN event e ON e.id = g.event
  LEFT JOIN site s ON s.id = g.site
  LEFT JOIN variant v ON v.id = g.variant
  LEFT JOIN start_position p ON p.id = g.start;

-- Each layout is taken apart once, not once for every game that has it.
CREATE VIEW tag AS
WITH entry AS MATERIALIZED (
    SELECT l.id AS layout, n.key AS ordinal, n.value AS entry,
           CASE instr(n.value, '|') WHEN 0 THEN n.value
                ELSE substr(n.value, 1, instr(n.value, '|') - 1) END AS spelled,
           sum(n.value LIKE '+%') OVER (PARTITION BY l.id ORDER BY n.key) - 1 AS nth
      FROM tag_layout l, json_each(l.names) n
)
SELECT g.id AS game,
       entry.ordinal AS ordinal,
       ltrim(entry.spelled, '+') AS name,
       CASE WHEN entry.entry LIKE '+%' THEN
                CASE json_type(g.extra, '$[' || entry.nth || ']')
                     WHEN 'integer' THEN (SELECT value FROM text WHERE id = json_extract(g.extra, '$[' || entry.nth || ']'))
                     ELSE json_extract(g.extra, '$[' || entry.nth || ']') END
            ELSE CASE entry.spelled
                 WHEN 'White' THEN (SELECT name FROM player WHERE id = g.white)
                 WHEN 'Black' THEN (SELECT name FROM player WHERE id = g.black)
                 WHEN 'Event' THEN (SELECT name FROM event WHERE id = g.event)
                 WHEN 'Site' THEN (SELECT name FROM site WHERE id = g.site)
                 WHEN 'Date' THEN CASE WHEN g.date IS NULL THEN '????.??.??' ELSE
                      CASE WHEN g.date / 10000 = 0 THEN '????' ELSE printf('%04d', g.date / 10000) END || '.' ||
                      CASE WHEN g.date / 100 % 100 = 0 THEN '??' ELSE printf('%02d', g.date / 100 % 100) END || '.' ||
                      CASE WHEN g.date % 100 = 0 THEN '??' ELSE printf('%02d', g.date % 100) END END
                 WHEN 'Round' THEN g.round
                 WHEN 'Result' THEN CASE g.result WHEN 1 THEN '1-0' WHEN 2 THEN '0-1' WHEN 3 THEN '1/2-1/2' ELSE '*' END
                 WHEN 'WhiteElo' THEN CAST(g.white_elo AS TEXT)
                 WHEN 'WhiteRating' THEN CAST(g.white_elo AS TEXT)
                 WHEN 'BlackElo' THEN CAST(g.black_elo AS TEXT)
                 WHEN 'BlackRating' THEN CAST(g.black_elo AS TEXT)
                 WHEN 'ECO' THEN g.eco
                 WHEN 'FEN' THEN (SELECT fen FROM start_position WHERE id = g.start)
                 END
       END AS value
  FROM game g JOIN entry ON entry.layout = g.layout;

CREATE VIEW comment AS
SELECT a.game AS game, j.value ->> 0 AS ply, j.value ->> 2 AS text
  FROM annotation a, json_each(a.items) j WHERE j.value ->> 1 IN ('{', ';');

CREATE VIEW nag AS
SELECT a.game AS game, j.value ->> 0 AS ply, j.value ->> 2 AS nag
  FROM annotation a, json_each(a.items) j WHERE j.value ->> 1 = '$';

CREATE VIEW variation AS
SELECT a.game AS game, j.value ->> 0 AS ply, j.value ->> 2 AS text
  FROM annotation a, json_each(a.items) j WHERE j.value ->> 1 = '(';
