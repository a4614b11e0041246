-- plydex, schema 3: what is told apart and vouched for; layouts in docs/file-format.md.

-- Chess problems: games without tags whose start is the diagram and whose moves are the
-- solution. Everything about them is in `problem_block`, the text of their records with it.
CREATE TABLE IF NOT EXISTS author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS problem (
    game        INTEGER PRIMARY KEY REFERENCES game (id),
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
CREATE TABLE IF NOT EXISTS problem_author (
    problem INTEGER NOT NULL REFERENCES problem (game),
    nth     INTEGER NOT NULL, -- from 1, as printed
    author  INTEGER NOT NULL REFERENCES author (id),
    PRIMARY KEY (problem, nth)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS problem_part (
    problem INTEGER NOT NULL REFERENCES problem (game),
    kind    TEXT NOT NULL,    -- `condition`, `option`, `keyword`, `twin`
    nth     INTEGER NOT NULL, -- from 1
    name    TEXT,             -- of a twin: `b`
    value   TEXT NOT NULL,
    PRIMARY KEY (problem, kind, nth)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS problem_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- Checksums of games.
CREATE TABLE IF NOT EXISTS sum_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Which structures the games may have that no segment has yet: an import is under way, or was
-- broken off.
CREATE TABLE IF NOT EXISTS tail_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The names of tags that layouts are made of; "Name|nAME" keeps another spelling than ours.
CREATE TABLE IF NOT EXISTS tag_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- Once they are filled:

-- The tags of a layout are numbers of rows of `tag_name` from now on, those that take the next
-- value of `game.extra` with a minus.
INSERT OR IGNORE INTO tag_name (name)
SELECT ltrim(n.value, '+') FROM tag_layout l, json_each(l.names) n ORDER BY l.id, n.key;
UPDATE tag_layout SET names = (
    SELECT json_group_array(iif(n.value LIKE '+%', -t.id, t.id) ORDER BY n.key)
      FROM json_each(tag_layout.names) n JOIN tag_name t ON t.name = ltrim(n.value, '+')
);

DROP VIEW tag;
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

-- What stands on a board that cannot be played from, in Forsyth's notation.
ALTER TABLE start_position ADD COLUMN diagram TEXT;
CREATE INDEX start_position_by_diagram ON start_position (diagram) WHERE diagram IS NOT NULL;

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
