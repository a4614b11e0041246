-- plydex, schema 7: openings by position; layouts in docs/file-format.md.

-- Names of openings that games have reached: a code, a blank and the name.
CREATE TABLE IF NOT EXISTS opening (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
-- Which table of names they are from.
CREATE TABLE IF NOT EXISTS opening_table (hash INTEGER PRIMARY KEY);

-- Once they are filled:
-- The last position of the main line that has a name; null: none has.
ALTER TABLE game_row ADD COLUMN opening INTEGER REFERENCES opening (id);

DROP VIEW game;
CREATE VIEW game AS
SELECT id, white, black, event, site, date, round, result, white_elo, black_elo, eco, plies,
       variant, start, layout, extra, variant_by, opening,
       CAST((SELECT substr(o.name, 1, 3) FROM opening o WHERE o.id = game_row.opening) AS TEXT) AS opening_eco,
       CAST((SELECT substr(o.name, 5) FROM opening o WHERE o.id = game_row.opening) AS TEXT) AS opening_name
  FROM game_row WHERE removed IS NULL;

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
