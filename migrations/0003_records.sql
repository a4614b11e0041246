-- plydex, schema 3: what is told apart and vouched for; layouts in docs/file-format.md.

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
