-- plydex, schema 13. Every table and view is described in docs/file-format.md.
-- Numbers of games are 1-based and follow the order of import.

-- What tells this database from others; one row. The first table, so that page 2 is its root.
CREATE TABLE identity (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, generation INTEGER NOT NULL);

-- Names and texts that games refer to.

CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE event  (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE site   (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- Values of other tags that occur more than once.
CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT NOT NULL);

-- The names of tags that layouts are made of; "Name|nAME" keeps another spelling than ours.
CREATE TABLE tag_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- The tags of games, in order, as a JSON array of numbers of rows of `tag_name`. A name stands
-- for a value that the columns of `game` give back to the letter; one with a minus takes the
-- next value of `game.extra`.
CREATE TABLE tag_layout (id INTEGER PRIMARY KEY, names TEXT NOT NULL);

CREATE TABLE variant (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- Names of openings that games have reached: a code, a blank and the name.
CREATE TABLE opening (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
-- Which table of names they are from.
CREATE TABLE opening_table (hash INTEGER PRIMARY KEY);

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
    corner    INTEGER,       -- draughts: where square 1 is, if not where the variant has it
    diagram   TEXT           -- what stands on a board that cannot be played from, in Forsyth's notation
);
CREATE INDEX start_position_by_key ON start_position (board_key);
CREATE INDEX start_position_by_diagram ON start_position (diagram) WHERE diagram IS NOT NULL;

-- Games. Those that were removed keep their rows; the view `game` has the others.
CREATE TABLE game_row (
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
    variant_by TEXT,            -- null: told by the tags; `inferred`, `forced`, see docs
    removed   INTEGER,          -- the change that did it; null: it is there
    opening   INTEGER REFERENCES opening (id) -- of the last position of the main line that has a name; null: none has
);
CREATE INDEX removed_game ON game_row (id, removed) WHERE removed IS NOT NULL;

-- Chess problems: games without tags whose start is the diagram and whose moves are the
-- solution. Everything about them is in `problem_block`, the text of their records with it.
CREATE TABLE problem (
    game        INTEGER PRIMARY KEY REFERENCES game_row (id),
    stipulation TEXT NOT NULL, -- as written
    play        TEXT,          -- `direct`, `help` …; null where it is not understood, as the next two
    goal        TEXT,          -- its sign: `#`, `=` …
    asked_plies INTEGER,       -- twice the number of moves; studies have none
    date        TEXT,          -- as `yyyy.mm.dd`, as far as it is known
    volume      TEXT,
    issue       TEXT,
    number      TEXT,
    title       TEXT,
    award       TEXT,
    solutions   TEXT,
    format      TEXT           -- of its record, where the text of that is kept
);
CREATE TABLE problem_author (
    problem INTEGER NOT NULL REFERENCES problem (game),
    nth     INTEGER NOT NULL, -- from 1, as printed
    author  INTEGER NOT NULL REFERENCES author (id),
    PRIMARY KEY (problem, nth)
) WITHOUT ROWID;
CREATE TABLE problem_part (
    problem INTEGER NOT NULL REFERENCES problem (game),
    kind    TEXT NOT NULL,    -- `condition`, `option`, `keyword`, `twin`
    nth     INTEGER NOT NULL, -- from 1
    name    TEXT,             -- of a twin: `b`
    value   TEXT NOT NULL,
    PRIMARY KEY (problem, kind, nth)
) WITHOUT ROWID;

-- Where games are from.

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
    games        INTEGER NOT NULL,
    repeated     INTEGER NOT NULL DEFAULT 0 -- games of it that were stored already
) WITHOUT ROWID;
CREATE INDEX source_chunk_by_parent ON source_chunk (parent);
CREATE INDEX source_chunk_by_game ON source_chunk (first_game);

-- Games of sources that were stored already when they were read: as many that follow each other
-- in the source as follow each other in the database.
CREATE TABLE repeated_game (
    source INTEGER NOT NULL REFERENCES source (id),
    number INTEGER NOT NULL, -- of the first in the source, from 1
    games  INTEGER NOT NULL,
    game   INTEGER NOT NULL, -- the stored one that the first of them is
    PRIMARY KEY (source, number)
) WITHOUT ROWID;
CREATE INDEX repeated_game_by_game ON repeated_game (game);

CREATE TABLE diagnostic (
    id           INTEGER PRIMARY KEY,
    source       INTEGER NOT NULL REFERENCES source (id),
    game         INTEGER REFERENCES game_row (id),
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

-- What was done to the database, in order; every change is on record and can be taken back.
CREATE TABLE change (
    id       INTEGER PRIMARY KEY,
    at       TEXT NOT NULL,       -- UTC, ISO 8601
    kind     TEXT NOT NULL,       -- `import`, `reread`, `merge`, `delete`, `dedupe`, `edit`, `names`, `undo`
    what     TEXT NOT NULL,       -- as it was asked for
    import   INTEGER REFERENCES import (id),
    undoes   INTEGER REFERENCES change (id),
    is_done  INTEGER NOT NULL,    -- 0: it was undone
    is_final INTEGER NOT NULL     -- 1: what it took away is not there any more
);
-- Games that a change has removed, as many as follow each other.
CREATE TABLE removal (
    change INTEGER NOT NULL REFERENCES change (id),
    first  INTEGER NOT NULL,
    games  INTEGER NOT NULL,
    kept   INTEGER,               -- the game that stands for the first, and so on; null: none does
    PRIMARY KEY (change, first)
) WITHOUT ROWID;
CREATE INDEX removal_by_kept ON removal (kept) WHERE kept IS NOT NULL;
-- The tags of games before a change and after it: JSON arrays of texts, the code of the outcome
-- first, then names and values in turn.
CREATE TABLE edit (
    change INTEGER NOT NULL REFERENCES change (id),
    game   INTEGER NOT NULL,
    before TEXT NOT NULL,
    after  TEXT NOT NULL,
    PRIMARY KEY (change, game)
) WITHOUT ROWID;
-- Names that a person has said to be of one player, event or site, or of two.
CREATE TABLE name_rule (
    change  INTEGER NOT NULL REFERENCES change (id),
    kind    TEXT NOT NULL,        -- `player`, `event`, `site`
    a       TEXT NOT NULL,
    b       TEXT NOT NULL,
    is_same INTEGER NOT NULL,
    PRIMARY KEY (change, kind, a, b)
) WITHOUT ROWID;

-- The packed part: layouts in docs/file-format.md. `plydex sql` has tables of what is in it,
-- `plydex unpack` writes such tables.

CREATE TABLE move_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE fact_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- What a game has besides its main line, as a tree, and the texts of that.
CREATE TABLE tree_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE text_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE problem_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- Fingerprints of games: checksums, and what games that are the same agree in.
CREATE TABLE print_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The position index.
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
-- What games leave behind, in columns; behind those what explorers show of crowded positions.
CREATE TABLE column_block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- Which structures the games may have that no segment has yet: an import is under way, or was
-- broken off.
CREATE TABLE tail_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The names of players once more, packed, with what finds those that can be one person's.
CREATE TABLE name_block (first_player INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- A block tells of rows that stand as they were. Rows without a block are read themselves.
CREATE TRIGGER player_renamed AFTER UPDATE ON player BEGIN
    DELETE FROM name_block WHERE first_player > min(old.id, new.id) - 1024;
END;
CREATE TRIGGER player_deleted AFTER DELETE ON player BEGIN
    DELETE FROM name_block WHERE first_player > old.id - 1024;
END;

-- Which names of players games give which numbers of FIDE.
CREATE TABLE fide_name (
    player INTEGER NOT NULL,
    fide_id INTEGER NOT NULL,
    PRIMARY KEY (player, fide_id)
) WITHOUT ROWID;
CREATE INDEX fide_name_id ON fide_name (fide_id);
-- The row of a name that is gone may be another's.
CREATE TRIGGER fide_name_deleted AFTER DELETE ON player BEGIN
    DELETE FROM fide_name WHERE player = old.id;
END;

-- For people who ask in SQL. Each column has a type: programs such as DuckDB ask for it.

CREATE VIEW game AS
SELECT id, white, black, event, site, date, round, result, white_elo, black_elo, eco, plies,
       variant, start, layout, extra, variant_by, opening,
       CAST((SELECT substr(o.name, 1, 3) FROM opening o WHERE o.id = game_row.opening) AS TEXT) AS opening_eco,
       CAST((SELECT substr(o.name, 5) FROM opening o WHERE o.id = game_row.opening) AS TEXT) AS opening_name
  FROM game_row WHERE removed IS NULL;

-- In words that DuckDB means as SQLite does, where a quotient of whole numbers is no whole number.
CREATE VIEW game_list AS
SELECT g.id AS game,
       w.name AS white,
       b.name AS black,
       e.name AS event,
       s.name AS site,
       CAST(CASE WHEN g.date IS NULL THEN NULL
            WHEN g.date % 10000 = 0 THEN printf('%04d', CAST(g.date / 10000 AS INTEGER))
            WHEN g.date % 100 = 0 THEN printf('%04d-%02d', CAST(g.date / 10000 AS INTEGER), CAST(g.date / 100 AS INTEGER) % 100)
            ELSE printf('%04d-%02d-%02d', CAST(g.date / 10000 AS INTEGER), CAST(g.date / 100 AS INTEGER) % 100, g.date % 100)
       END AS TEXT) AS date,
       g.round AS round,
       CAST(CASE g.result WHEN 1 THEN '1-0' WHEN 2 THEN '0-1' WHEN 3 THEN '1/2-1/2' ELSE '*' END AS TEXT) AS result,
       g.white_elo AS white_elo,
       g.black_elo AS black_elo,
       g.eco AS eco,
       g.plies AS plies,
       v.name AS variant,
       p.fen AS start_fen,
       g.opening_eco AS opening_eco,
       g.opening_name AS opening_name
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
    SELECT l.id AS layout, n.key AS ordinal, n.value < 0 AS is_extra,
           CASE instr(t.name, '|') WHEN 0 THEN t.name
                ELSE substr(t.name, 1, instr(t.name, '|') - 1) END AS name,
           sum(n.value < 0) OVER (PARTITION BY l.id ORDER BY n.key) - 1 AS nth
      FROM tag_layout l, json_each(l.names) n LEFT JOIN tag_name t ON t.id = abs(n.value)
)
SELECT g.id AS game,
       CAST(entry.ordinal AS INTEGER) AS ordinal,
       CAST(entry.name AS TEXT) AS name,
       CAST(CASE WHEN entry.is_extra THEN
                CASE json_type(g.extra, '$[' || entry.nth || ']')
                     WHEN 'integer' THEN (SELECT value FROM text WHERE id = json_extract(g.extra, '$[' || entry.nth || ']'))
                     ELSE json_extract(g.extra, '$[' || entry.nth || ']') END
            ELSE CASE entry.name
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
       END AS TEXT) AS value
  FROM game g JOIN entry ON entry.layout = g.layout;

CREATE VIEW problem_list AS
SELECT p.game AS game,
       CAST((SELECT group_concat(name, ' & ') FROM
           (SELECT a.name AS name FROM problem_author o JOIN author a ON a.id = o.author
             WHERE o.problem = p.game ORDER BY o.nth)) AS TEXT) AS authors,
       p.stipulation AS stipulation,
       p.play AS play,
       p.goal AS goal,
       CAST(p.asked_plies / 2.0 AS REAL) AS moves,
       e.name AS source,
       p.volume AS volume,
       p.issue AS issue,
       p.number AS number,
       p.date AS date,
       p.title AS title,
       p.award AS award,
       p.solutions AS solutions,
       CAST((SELECT group_concat(value, '; ') FROM
           (SELECT value FROM problem_part WHERE problem = p.game AND kind = 'condition'
             ORDER BY nth)) AS TEXT) AS conditions,
       CAST((SELECT group_concat(value, '; ') FROM
           (SELECT value FROM problem_part WHERE problem = p.game AND kind = 'keyword'
             ORDER BY nth)) AS TEXT) AS keywords,
       CAST((SELECT count(*) FROM problem_part
              WHERE problem = p.game AND kind = 'twin') AS INTEGER) AS twins,
       CAST(coalesce(s.diagram, s.fen) AS TEXT) AS diagram
  FROM problem p
  JOIN game g ON g.id = p.game
  LEFT JOIN event e ON e.id = g.event
  LEFT JOIN start_position s ON s.id = g.start;
