-- plydex, schema 5: every change is on record and can be taken back; layouts in docs/file-format.md.

-- What was done to the database, in order.
CREATE TABLE IF NOT EXISTS change (
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
CREATE TABLE IF NOT EXISTS removal (
    change INTEGER NOT NULL REFERENCES change (id),
    first  INTEGER NOT NULL,
    games  INTEGER NOT NULL,
    kept   INTEGER,               -- the game that stands for the first, and so on; null: none does
    PRIMARY KEY (change, first)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS removal_by_kept ON removal (kept) WHERE kept IS NOT NULL;
-- The tags of games before a change and after it: JSON arrays of texts, the code of the outcome
-- first, then names and values in turn.
CREATE TABLE IF NOT EXISTS edit (
    change INTEGER NOT NULL REFERENCES change (id),
    game   INTEGER NOT NULL,
    before TEXT NOT NULL,
    after  TEXT NOT NULL,
    PRIMARY KEY (change, game)
) WITHOUT ROWID;
-- Names that a person has said to be of one player, event or site, or of two.
CREATE TABLE IF NOT EXISTS name_rule (
    change  INTEGER NOT NULL REFERENCES change (id),
    kind    TEXT NOT NULL,        -- `player`, `event`, `site`
    a       TEXT NOT NULL,
    b       TEXT NOT NULL,
    is_same INTEGER NOT NULL,
    PRIMARY KEY (change, kind, a, b)
) WITHOUT ROWID;

-- Once they are filled:
INSERT INTO change (at, kind, what, import, is_done, is_final)
SELECT started_at, 'import', '', id, 1, 0 FROM import ORDER BY id;

-- Games that were removed keep their rows; `game` has the others.
DROP VIEW game_list;
DROP VIEW tag;
DROP VIEW problem_list;
ALTER TABLE game RENAME TO game_row;
ALTER TABLE game_row ADD COLUMN removed INTEGER; -- the change that did it; null: it is there
CREATE INDEX removed_game ON game_row (id, removed) WHERE removed IS NOT NULL;

CREATE VIEW game AS
SELECT id, white, black, event, site, date, round, result, white_elo, black_elo, eco, plies,
       variant, start, layout, extra, variant_by
  FROM game_row WHERE removed IS NULL;

-- The same views as before.

CREATE VIEW game_list AS
SELECT g.id AS game,
       w.name AS white,
       b.name AS black,
       e.name AS event,
       s.name AS site,
       CAST(CASE WHEN g.date IS NULL THEN NULL
            WHEN g.date % 10000 = 0 THEN printf('%04d', g.date / 10000)
            WHEN g.date % 100 = 0 THEN printf('%04d-%02d', g.date / 10000, g.date / 100 % 100)
            ELSE printf('%04d-%02d-%02d', g.date / 10000, g.date / 100 % 100, g.date % 100)
       END AS TEXT) AS date,
       g.round AS round,
       CAST(CASE g.result WHEN 1 THEN '1-0' WHEN 2 THEN '0-1' WHEN 3 THEN '1/2-1/2' ELSE '*' END AS TEXT) AS result,
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
