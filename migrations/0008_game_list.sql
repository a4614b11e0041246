-- plydex, schema 8: the list of games in words that DuckDB means as SQLite does, where a quotient of
-- whole numbers is no whole number; layouts in docs/file-format.md.

-- Once they are filled:
DROP VIEW game_list;
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
