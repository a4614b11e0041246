-- plydex, schema 2: what a game has besides its main line as packed trees, with their texts
-- beside them; layouts in docs/file-format.md. `plydex sql` has tables of what is in them,
-- `plydex unpack` writes such tables.

CREATE TABLE IF NOT EXISTS tree_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS text_block (first_game INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Once they are filled:
DROP VIEW comment;
DROP VIEW nag;
DROP VIEW variation;
DROP TABLE annotation;

-- The same views as before, each column with a type: programs such as DuckDB ask for it.

DROP VIEW game_list;
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

DROP VIEW tag;
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
       CAST(entry.ordinal AS INTEGER) AS ordinal,
       CAST(ltrim(entry.spelled, '+') AS TEXT) AS name,
       CAST(CASE WHEN entry.entry LIKE '+%' THEN
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
       END AS TEXT) AS value
  FROM game g JOIN entry ON entry.layout = g.layout;
