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

-- Once they are filled:

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
