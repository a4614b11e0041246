//! Every SQL statement of the program (the schema is in `migrations/`).

mod dynamic;

pub(super) use dynamic::*;

pub(super) const INSERT_VARIANT: &str = "INSERT OR IGNORE INTO variant (id, name) VALUES (?1, ?2)";

pub(super) const INSERT_START: &str = "INSERT INTO start_position \
    (id, variant, fen, canonical, board_key, state, corner, diagram) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
pub(super) const UPDATE_START: &str =
    "UPDATE start_position SET board_key = ?2, state = ?3 WHERE id = ?1";
pub(super) const ALL_STARTS: &str = "SELECT id, variant, fen, coalesce(canonical, iif(board_key IS NULL, NULL, fen)), corner, diagram \
    FROM start_position";
pub(super) const STARTS_BY_DIAGRAM: &str = "SELECT id FROM start_position WHERE diagram = ?1";
pub(super) const START_BY_ID: &str = "SELECT id, variant, fen, coalesce(canonical, iif(board_key IS NULL, NULL, fen)), corner, diagram \
    FROM start_position WHERE id = ?1";
pub(super) const STARTS_BY_KEY: &str = "SELECT id, variant, fen, coalesce(canonical, fen), corner, NULL FROM start_position WHERE board_key = ?1";

pub(super) const INSERT_GAME: &str = "INSERT INTO game_row (id, white, black, event, site, date, round, \
    result, white_elo, black_elo, eco, plies, variant, start, layout, extra, \
    variant_by, opening) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";
pub(super) const DATE_OF_GAME: &str = "SELECT date FROM game_row WHERE id = ?1";
pub(super) const GAME_BY_ID: &str = "SELECT w.name AS white, b.name AS black, e.name AS event, s.name AS site, g.date, g.round, g.result, \
    g.white_elo, g.black_elo, g.eco, g.plies, g.variant, g.start, g.layout, g.extra, \
    g.variant_by, o.name AS opening \
    FROM game_row g LEFT JOIN player w ON w.id = g.white LEFT JOIN player b ON b.id = g.black \
    LEFT JOIN event e ON e.id = g.event LEFT JOIN site s ON s.id = g.site \
    LEFT JOIN opening o ON o.id = g.opening WHERE g.id = ?1";
/// The same with numbers where it has names.
pub(super) const GAME_NUMBERS_BY_ID: &str = "SELECT white, black, event, site, date, round, result, \
    white_elo, black_elo, eco, plies, variant, start, layout, extra, variant_by, opening \
    FROM game_row WHERE id = ?1";
/// Their entries as names, `+` before those that take a further value of a game.
pub(super) const ALL_LAYOUTS: &str = "SELECT l.id, iif(json_valid(l.names), (SELECT \
    json_group_array(iif(n.value < 0, '+', '') || t.name ORDER BY n.key) \
    FROM json_each(l.names) n LEFT JOIN tag_name t ON t.id = abs(n.value)), '[null') AS names \
    FROM tag_layout l";
pub(super) const LAYOUT_BY_ID: &str = "SELECT iif(json_valid(l.names), (SELECT \
    json_group_array(iif(n.value < 0, '+', '') || t.name ORDER BY n.key) \
    FROM json_each(l.names) n LEFT JOIN tag_name t ON t.id = abs(n.value)), '[null') AS names \
    FROM tag_layout l WHERE l.id = ?1";
pub(super) const INSERT_TAG_NAMES: &str =
    "INSERT OR IGNORE INTO tag_name (name) SELECT ltrim(value, '+') FROM json_each(?1)";
pub(super) const INSERT_LAYOUT: &str = "INSERT INTO tag_layout (id, names) SELECT ?1, \
    json_group_array(iif(n.value LIKE '+%', -t.id, t.id) ORDER BY n.key) \
    FROM json_each(?2) n JOIN tag_name t ON t.name = ltrim(n.value, '+')";
pub(super) const PLAIN_GAMES: &str = "SELECT id, white, black, event, site, date, result, white_elo, \
    black_elo, eco, plies, variant, start, opening FROM game_row WHERE id >= ?1 AND id <= ?2 ORDER BY id";
pub(super) const TEXT_BY_ID: &str = "SELECT value FROM text WHERE id = ?1";
pub(super) const LAST_GAME: &str = "SELECT coalesce(max(id), 0) AS id, \
    (SELECT coalesce(max(first_game), 0) FROM fact_block) AS first_game FROM game_row";

pub(super) const INSERT_PROBLEM: &str = "INSERT INTO problem (game, stipulation, play, goal, asked_plies, date, \
    volume, issue, number, title, award, solutions, format) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
pub(super) const INSERT_PROBLEM_AUTHOR: &str =
    "INSERT INTO problem_author (problem, nth, author) VALUES (?1, ?2, ?3)";
pub(super) const FIRST_AUTHOR: &str =
    "SELECT author FROM problem_author WHERE problem = ?1 ORDER BY nth LIMIT 1";
pub(super) const INSERT_PROBLEM_PART: &str =
    "INSERT INTO problem_part (problem, kind, nth, name, value) VALUES (?1, ?2, ?3, ?4, ?5)";
pub(super) const PROBLEM_BY_GAME: &str =
    "SELECT stipulation, date, number FROM problem WHERE game = ?1";
pub(super) const COLUMNS_OF_PROBLEM: &str = "SELECT game, stipulation, play, goal, asked_plies, date, \
    volume, issue, number, title, award, solutions, format FROM problem WHERE game = ?1";
pub(super) const PARTS_OF_PROBLEM: &str = "SELECT problem, kind, nth, name, value FROM problem_part WHERE problem = ?1 ORDER BY kind, nth";
pub(super) const AUTHORS_OF_PROBLEM: &str = "SELECT a.name FROM problem_author p \
    JOIN author a ON a.id = p.author WHERE p.problem = ?1 ORDER BY p.nth";
pub(super) const PROBLEMS_BY_AUTHOR: &str =
    "SELECT p.problem, a.name FROM problem_author p JOIN author a ON a.id = p.author";
pub(super) const PROBLEMS_BY_STIPULATION: &str = "SELECT game, stipulation FROM problem";
pub(super) const PROBLEMS_BY_SOURCE: &str = "SELECT p.game, e.name FROM problem p \
    JOIN game_row g ON g.id = p.game JOIN event e ON e.id = g.event";
pub(super) const PROBLEMS_BY_CONDITION: &str =
    "SELECT problem, value FROM problem_part WHERE kind = 'condition'";
pub(super) const PROBLEMS_BY_KEYWORD: &str =
    "SELECT problem, value FROM problem_part WHERE kind = 'keyword'";

pub(super) const INSERT_IMPORT: &str =
    "INSERT INTO import (started_at, program) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1)";
pub(super) const UPDATE_IMPORT: &str = "UPDATE import SET seen = ?2, stored = ?3, duplicate = ?4, \
    rejected = ?5, finished_at = CASE WHEN ?6 THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') END WHERE id = ?1";
pub(super) const INSERT_SOURCE: &str = "INSERT INTO source (import, name) VALUES (?1, ?2)";
pub(super) const INSERT_CHUNK: &str = "INSERT OR REPLACE INTO source_chunk \
    (chain, parent, source, offset_bytes, bytes, split_bytes, last, first_number, first_game, games, repeated) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
pub(super) const ALL_CHUNKS: &str = "SELECT chain, parent, bytes, split_bytes, last, games + repeated, first_game, games, source \
    FROM source_chunk WHERE length(chain) = 16 AND bytes > 0";
pub(super) const ANY_REJECTED: &str = "SELECT count(*) FROM diagnostic_count WHERE code = ?1";
pub(super) const REJECTED: &str = "SELECT (SELECT c.chain FROM source_chunk c \
    WHERE c.source = d.source AND length(c.chain) = 16 AND c.offset_bytes <= d.offset_bytes \
    ORDER BY c.offset_bytes DESC LIMIT 1), count(*) \
    FROM diagnostic d WHERE d.code = ?1 AND d.game IS NULL GROUP BY 1";
pub(super) const INSERT_REPEATED: &str =
    "INSERT OR REPLACE INTO repeated_game (source, number, games, game) VALUES (?1, ?2, ?3, ?4)";
pub(super) const REPEATED_FROM: &str = "SELECT number, games FROM repeated_game WHERE source = ?1 AND number >= ?2 AND number < ?2 + \
    (SELECT games + repeated FROM source_chunk WHERE first_game = ?3 AND source = ?1 AND games > 0) \
    ORDER BY number";
pub(super) const REPEATS_BETWEEN: &str = "SELECT number, games, game FROM repeated_game \
    WHERE source = ?1 AND number >= ?2 AND number < ?3 ORDER BY number";
pub(super) const ALL_REPEATED: &str =
    "SELECT source, number, games, game FROM repeated_game ORDER BY source, number";
pub(super) const REPEATED_OF_GAME: &str = "SELECT s.name, r.number + ?1 - r.game, s.import, s.id \
    FROM repeated_game r JOIN source s ON s.id = r.source \
    WHERE r.game <= ?1 AND r.game > ?1 - ?2 AND r.game + r.games > ?1 ORDER BY r.source, r.number";
/// One row of the runs of games that sources had again.
pub(super) const REPEATED_AT: &str = "SELECT s.name, r.number + ?1 - r.game, s.import, s.id \
    FROM repeated_game r JOIN source s ON s.id = r.source WHERE r.source = ?2 AND r.number = ?3";
/// How many runs have their first games just before a game, if they are not more than the limit.
pub(super) const NEAR_REPEATS: &str = "SELECT count(*) FROM \
    (SELECT 1 FROM repeated_game WHERE game < ?1 AND game > ?1 - ?2 LIMIT ?3)";
pub(super) const LONG_REPEATS: &str = "SELECT game, games, source, number FROM repeated_game WHERE games > 1 ORDER BY game, source, number";
pub(super) const PLACE_OF_GAME: &str = "SELECT s.name, c.first_number + ?1 - c.first_game, s.import, s.id, c.first_number, c.first_game \
    FROM source_chunk c JOIN source s ON s.id = c.source \
    WHERE c.first_game <= ?1 AND c.games > 0 AND c.first_game + c.games > ?1 \
    ORDER BY c.first_game DESC LIMIT 1";
pub(super) const INSERT_DIAGNOSTIC: &str =
    "INSERT INTO diagnostic (source, game, code, offset_bytes, detail) VALUES (?1, ?2, ?3, ?4, ?5)";
pub(super) const INSERT_DIAGNOSTIC_COUNT: &str = "INSERT INTO diagnostic_count (import, code, count) \
    VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET count = count + excluded.count";
pub(super) const DIAGNOSTICS_OF_GAME: &str =
    "SELECT code, offset_bytes, detail FROM diagnostic WHERE game = ?1 ORDER BY id";
pub(super) const ALL_DIAGNOSTICS: &str = "SELECT d.source, s.name, s.import, d.game, d.code, d.offset_bytes, d.detail \
    FROM diagnostic d JOIN source s ON s.id = d.source \
    WHERE ?1 IS NULL OR s.import = ?1 ORDER BY d.id";
pub(super) const ALL_DIAGNOSTIC_COUNTS: &str = "SELECT import, code, count FROM diagnostic_count \
    WHERE ?1 IS NULL OR import = ?1 ORDER BY code";
pub(super) const IMPORTS: &str = "SELECT id FROM import ORDER BY id";
pub(super) const ANY_IMPORT: &str = "SELECT id FROM import WHERE id = ?1";
pub(super) const PIECES_OF_SOURCE: &str = "SELECT offset_bytes, bytes, split_bytes, parent, substr(chain, 1, 16) \
    FROM source_chunk WHERE source = ?1 ORDER BY offset_bytes";

/// All rows of a name, whether that is a text or bytes.
pub(super) const SOURCES_NAMED: &str = "SELECT id, import FROM source \
    WHERE CAST(name AS BLOB) = ?1 AND (?2 IS NULL OR import = ?2) ORDER BY id";
pub(super) const SOURCE_OF_GAME: &str = "SELECT c.source, s.import, CAST(s.name AS BLOB) \
    FROM source_chunk c JOIN source s ON s.id = c.source \
    WHERE c.first_game <= ?1 AND c.games > 0 AND c.first_game + c.games > ?1 \
    ORDER BY c.first_game DESC LIMIT 1";
pub(super) const SOURCE_ROWS: &str =
    "SELECT id, import, CAST(name AS BLOB) FROM source ORDER BY id";
pub(super) const SOURCE_OF_PIECE: &str = "SELECT c.source, s.import, CAST(s.name AS BLOB) \
    FROM source_chunk c JOIN source s ON s.id = c.source WHERE c.chain = ?1";
pub(super) const CHUNKS_OF_SOURCE: &str = "SELECT offset_bytes, bytes, split_bytes, parent, substr(chain, 1, 16), \
    last, first_number, first_game, games, repeated FROM source_chunk WHERE source = ?1 \
    ORDER BY offset_bytes, bytes";
pub(super) const PUT_CHUNK: &str = "INSERT OR REPLACE INTO source_chunk \
    (offset_bytes, bytes, split_bytes, parent, chain, last, first_number, first_game, games, repeated, source) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
pub(super) const ENTRIES_OF_SOURCE: &str = "SELECT game, code, offset_bytes, coalesce(detail, '') \
    FROM diagnostic WHERE source = ?1 ORDER BY id";
pub(super) const GAMES_WITH_CODES: &str = "SELECT DISTINCT game FROM diagnostic \
    WHERE game >= ?1 AND game < ?2 AND code IN (SELECT value FROM json_each(?3))";
pub(super) const PUT_FINDING: &str = "INSERT INTO diagnostic (source, game, code, offset_bytes, detail) \
    VALUES (?1, ?2, ?3, ?4, nullif(?5, ''))";
pub(super) const IDLE_AUTHORS: &str =
    "SELECT id FROM author EXCEPT SELECT author FROM problem_author";
pub(super) const IDLE_STARTS: &str =
    "SELECT id FROM start_position EXCEPT SELECT start FROM game_row";

pub(super) const INSERT_TAIL: &str =
    "INSERT OR REPLACE INTO tail_block (first_game, data) VALUES (?1, ?2)";
pub(super) const TAIL_FROM: &str =
    "SELECT first_game, data FROM tail_block WHERE first_game >= ?1 ORDER BY first_game";
pub(super) const CLEAR_TAIL: &str = "DELETE FROM tail_block";
/// Blocks that are not full yet are replaced.
pub(super) const INSERT_MOVES: &str =
    "INSERT OR REPLACE INTO move_block (first_game, data) VALUES (?1, ?2)";
pub(super) const MOVES_OF: &str = "SELECT first_game, data FROM move_block WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
pub(super) const INSERT_TREES: &str = "INSERT INTO tree_block (first_game, data) VALUES (?1, ?2)";
pub(super) const INSERT_TEXTS: &str = "INSERT INTO text_block (first_game, data) VALUES (?1, ?2)";
pub(super) const DELETE_TREES: &str = "DELETE FROM tree_block WHERE first_game >= ?1";
pub(super) const DELETE_PROBLEMS: &str = "DELETE FROM problem_block WHERE first_game >= ?1";
pub(super) const DELETE_TEXTS: &str = "DELETE FROM text_block WHERE first_game >= ?1";
pub(super) const TREES_OF: &str = "SELECT first_game, data FROM tree_block WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
pub(super) const TEXTS_OF: &str = "SELECT first_game, data FROM text_block WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
pub(super) const TREES_FROM: &str =
    "SELECT first_game, data FROM tree_block WHERE first_game >= ?1 ORDER BY first_game LIMIT 1";
pub(super) const TEXTS_FROM: &str =
    "SELECT first_game, data FROM text_block WHERE first_game >= ?1 ORDER BY first_game LIMIT 1";
pub(super) const INSERT_PROBLEMS: &str =
    "INSERT INTO problem_block (first_game, data) VALUES (?1, ?2)";
pub(super) const PROBLEMS_OF: &str = "SELECT first_game, data FROM problem_block WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
pub(super) const PROBLEMS_FROM: &str =
    "SELECT first_game, data FROM problem_block WHERE first_game >= ?1 ORDER BY first_game LIMIT 1";
pub(super) const INSERT_FACTS: &str =
    "INSERT OR REPLACE INTO fact_block (first_game, data) VALUES (?1, ?2)";
pub(super) const FACTS_OF: &str = "SELECT first_game, data FROM fact_block WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
pub(super) const INSERT_SUMS: &str =
    "INSERT OR REPLACE INTO print_block (first_game, data) VALUES (?1, ?2)";
pub(super) const PRINTS_OF: &str = "SELECT first_game, data FROM print_block WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
pub(super) const ALL_PRINTS: &str = "SELECT first_game, data FROM print_block ORDER BY first_game";
pub(super) const FIRST_FACTS_FROM: &str =
    "SELECT first_game FROM fact_block WHERE first_game >= ?1 ORDER BY first_game LIMIT 1";
pub(super) const FACTS_FROM: &str =
    "SELECT first_game, data FROM fact_block WHERE first_game >= ?1 ORDER BY first_game LIMIT 1";

pub(super) const INSERT_SEGMENT: &str = "INSERT INTO segment (id, first_game, games, positions, key_version, \
    game_bits, coarse_key_bits, coarse_key_rice, fine_key_bits, fine_key_rice, variation_key_bits, \
    variation_key_rice, popular_min, replays_max) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
pub(super) const ALL_SEGMENTS: &str = "SELECT id, first_game, games, positions, key_version, game_bits, \
    coarse_key_bits, coarse_key_rice, fine_key_bits, fine_key_rice, variation_key_bits, variation_key_rice, \
    popular_min, replays_max FROM segment ORDER BY first_game";
/// The same of a file of an older schema.
pub(super) const ALL_SEGMENTS_ONCE: &str = "SELECT id, first_game, games, positions, key_version, game_bits, \
    coarse_key_bits, coarse_key_rice, fine_key_bits, fine_key_rice, variation_key_bits, variation_key_rice, \
    8, 512 FROM segment ORDER BY first_game";
pub(super) const DELETE_SEGMENT: &str = "DELETE FROM segment WHERE id = ?1";
pub(super) const INSERT_POSTINGS: &str = "INSERT INTO posting_block (id, data) VALUES (?1, ?2)";
pub(super) const POSTINGS_OF: &str =
    "SELECT id, data FROM posting_block WHERE id <= ?1 AND id >= ?2 ORDER BY id DESC LIMIT 1";
pub(super) const POSTINGS_BETWEEN: &str =
    "SELECT id, data FROM posting_block WHERE id >= ?1 AND id <= ?2 ORDER BY id";
pub(super) const POSTINGS_AT: &str = "SELECT data FROM posting_block WHERE id = ?1";
pub(super) const COUNT_POSTINGS: &str =
    "SELECT count(*) FROM posting_block WHERE id >= ?1 AND id <= ?2";
pub(super) const DELETE_POSTINGS: &str = "DELETE FROM posting_block WHERE id >= ?1 AND id <= ?2";
pub(super) const INSERT_POPULAR: &str = "INSERT INTO hot_block (id, data) VALUES (?1, ?2)";
pub(super) const POPULAR_OF: &str =
    "SELECT id, data FROM hot_block WHERE id <= ?1 AND id >= ?2 ORDER BY id DESC LIMIT 1";
pub(super) const POPULAR_BETWEEN: &str =
    "SELECT id, data FROM hot_block WHERE id >= ?1 AND id <= ?2 ORDER BY id";
pub(super) const POPULAR_AT: &str = "SELECT data FROM hot_block WHERE id = ?1";
pub(super) const COUNT_POPULAR: &str = "SELECT count(*) FROM hot_block WHERE id >= ?1 AND id <= ?2";
pub(super) const INSERT_COLUMNS: &str = "INSERT INTO column_block (id, data) VALUES (?1, ?2)";
pub(super) const COLUMN_PAGE: &str = "SELECT data FROM column_block WHERE id = ?1";
pub(super) const COLUMNS_BETWEEN: &str =
    "SELECT id, data FROM column_block WHERE id >= ?1 AND id <= ?2 ORDER BY id";
pub(super) const TOP_GAMES_OF: &str =
    "SELECT id, data FROM column_block WHERE id <= ?1 AND id >= ?2 ORDER BY id DESC LIMIT 1";
pub(super) const COUNT_COLUMNS: &str =
    "SELECT count(*) FROM column_block WHERE id >= ?1 AND id <= ?2";
pub(super) const DELETE_COLUMNS: &str = "DELETE FROM column_block WHERE id >= ?1 AND id <= ?2";
pub(super) const COLUMN_RANGES: &str = "SELECT first_game, games, number, stretch FROM column_range \
    WHERE first_game >= ?1 AND first_game < ?2 ORDER BY first_game";
pub(super) const INSERT_COLUMN_RANGE: &str =
    "INSERT INTO column_range (first_game, games, number, stretch) VALUES (?1, ?2, ?3, 0)";
pub(super) const RANGE_VARIANTS: &str = "SELECT first_game, variants FROM column_range \
    WHERE first_game >= ?1 AND first_game < ?2 AND variants IS NOT NULL";
pub(super) const NOTE_RANGE_VARIANTS: &str =
    "UPDATE column_range SET variants = ?2 WHERE first_game = ?1";
pub(super) const DELETE_COLUMN_RANGE: &str = "DELETE FROM column_range WHERE first_game = ?1";
// A number that no range has: 0, or one more than that of another.
pub(super) const FREE_COLUMN_NUMBER: &str = "SELECT min(n) FROM (SELECT 0 AS n UNION ALL \
    SELECT number + 1 FROM column_range) WHERE n NOT IN (SELECT number FROM column_range)";
pub(super) const DELETE_POPULAR: &str = "DELETE FROM hot_block WHERE id >= ?1 AND id <= ?2";

pub(super) const COUNTS: &str = "SELECT (SELECT count(*) FROM player), (SELECT count(*) FROM event), \
    (SELECT count(*) FROM site), (SELECT count(DISTINCT name) FROM source)";
pub(super) const SIZES: &str =
    "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE ORDER BY pgsize DESC";
pub(super) const JOURNAL_MODE: &str = "PRAGMA journal_mode";
pub(super) const DATA_VERSION: &str = "PRAGMA data_version";
pub(super) const INTEGRITY: &str = "PRAGMA integrity_check(20)";
pub(super) const TAKE_LOG: &str = "PRAGMA journal_mode = WAL";
pub(super) const FOLD_LOG: &str = "PRAGMA wal_checkpoint(PASSIVE)";
pub(super) const MAKE_PLAIN: &str = "PRAGMA journal_mode = DELETE";
pub(super) const STATE: &str = "SELECT number, generation FROM identity";
pub(super) const IDENTITY: &str = "SELECT number FROM identity";
pub(super) const INSERT_IDENTITY: &str =
    "INSERT INTO identity (id, number, generation) VALUES (1, ?1, 0)";
pub(super) const RAISE_GENERATION: &str = "UPDATE identity SET generation = generation + 1";
pub(super) const RENUMBER: &str = "UPDATE identity SET number = ?1";
pub(super) const RANDOM: &str = "SELECT random()";
pub(super) const LOCAL_TIME: &str = "SELECT datetime('now', 'localtime')";
pub(super) const FREE_PAGES: &str = "PRAGMA freelist_count";
pub(super) const COLUMNS: &str = "SELECT t.name, c.name, c.type, c.\"notnull\" OR c.pk \
    FROM sqlite_schema t, pragma_table_info(t.name) c \
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY t.rowid, c.cid";
pub(super) const DANGLING: &str = "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check \
    GROUP BY \"table\", parent";

pub(super) const OBJECTS: &str = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema \
    WHERE name NOT LIKE 'sqlite%' ORDER BY type, name";
pub(super) const IDLE_PLAYERS: &str =
    "SELECT id FROM player EXCEPT SELECT white FROM game_row EXCEPT SELECT black FROM game_row";
pub(super) const IDLE_EVENTS: &str = "SELECT id FROM event EXCEPT SELECT event FROM game_row";
pub(super) const IDLE_SITES: &str = "SELECT id FROM site EXCEPT SELECT site FROM game_row";
pub(super) const IDLE_OPENINGS: &str = "SELECT id FROM opening EXCEPT SELECT opening FROM game_row";
pub(super) const OPENING_TABLE: &str = "SELECT hash FROM opening_table";
pub(super) const FORGET_OPENING_TABLE: &str = "DELETE FROM opening_table";
pub(super) const NOTE_OPENING_TABLE: &str = "INSERT INTO opening_table (hash) VALUES (?1)";
pub(super) const UPDATE_OPENING: &str = "UPDATE game_row SET opening = ?2 WHERE id = ?1";
pub(super) const IDLE_LAYOUTS: &str =
    "SELECT id FROM tag_layout EXCEPT SELECT layout FROM game_row";
/// A tag that says at what time of the day a game was played, in whatever spelling.
pub(super) const ANY_TIME: &str = "SELECT id FROM tag_name \
    WHERE name IN ('Time', 'UTCTime') OR name GLOB 'Time|*' OR name GLOB 'UTCTime|*' LIMIT 1";
pub(super) const IDLE_TAG_NAMES: &str = "SELECT id FROM tag_name \
    EXCEPT SELECT abs(j.value) FROM tag_layout, \
    json_each(iif(json_valid(names), names, '[]')) j";
pub(super) const IDLE_TEXTS: &str = "SELECT id FROM text \
    EXCEPT SELECT j.value FROM game_row, json_each(iif(json_valid(extra), extra, '[]')) j WHERE j.type = 'integer'";
pub(super) const VARIANTS_OF_STARTS: &str = "SELECT DISTINCT variant FROM start_position";
pub(super) const VARIANTS: &str = "SELECT id, name FROM variant";
pub(super) const START_KEYS: &str = "SELECT id, board_key, state FROM start_position";
pub(super) const ODD_IMPORTS: &str = "SELECT count(*), min(id) FROM import \
    WHERE seen <> stored + duplicate + rejected";
pub(super) const STORED_GAMES: &str = "SELECT coalesce(sum(stored), 0) FROM import";
pub(super) const CHUNK_GAMES: &str =
    "SELECT first_game, games FROM source_chunk WHERE games > 0 ORDER BY first_game";
pub(super) const CODES: &str =
    "SELECT code FROM diagnostic UNION SELECT code FROM diagnostic_count";
pub(super) const UNCOUNTED: &str = "SELECT s.import, d.code FROM diagnostic d \
    JOIN source s ON s.id = d.source JOIN import i ON i.id = s.import \
    WHERE i.finished_at IS NOT NULL GROUP BY s.import, d.code \
    HAVING count(*) > coalesce((SELECT n.count FROM diagnostic_count n \
    WHERE n.import = s.import AND n.code = d.code), 0)";
pub(super) const STRAY_POSTINGS: &str = "SELECT count(*), min(id) FROM posting_block \
    WHERE id >> 44 NOT IN (SELECT id FROM segment) OR (id >> 40 & 15) > 3";
pub(super) const STRAY_POPULAR: &str = "SELECT count(*), min(id) FROM hot_block \
    WHERE id >> 48 NOT IN (SELECT id FROM segment)";
pub(super) const STRAY_COLUMNS: &str = "SELECT count(*), min(id) FROM column_block \
    WHERE CASE WHEN (id >> 40 & 15) < 3 THEN id >> 44 NOT IN (SELECT number FROM column_range) \
    ELSE id >> 44 NOT IN (SELECT id FROM segment) OR (id >> 40 & 15) > 3 END";
pub(super) const STRAY_COLUMN_RANGES: &str = "SELECT count(*), min(first_game) FROM column_range r \
    WHERE NOT EXISTS (SELECT 1 FROM segment s WHERE r.first_game >= s.first_game \
    AND r.first_game + r.games <= s.first_game + s.games)";
pub(super) const STRAY_SIGNATURES: &str = "SELECT count(*), min(first_game) FROM tail_block \
    WHERE first_game < (SELECT coalesce(max(first_game + games), 1) FROM segment)";
pub(super) const ALL_MOVES: &str = "SELECT first_game, data FROM move_block ORDER BY first_game";
pub(super) const ALL_FACTS: &str = "SELECT first_game, data FROM fact_block ORDER BY first_game";

pub(super) const ANY_GAME_TABLE: &str =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'game_row'";
pub(super) const LAST_ROW: &str = "SELECT max(id) FROM game_row";
pub(super) const LOST_SOURCE: &str = "INSERT INTO source (import, name) VALUES (?1, ?2)";
pub(super) const LOST_CHUNK: &str = "INSERT INTO source_chunk (chain, parent, source, \
    offset_bytes, bytes, split_bytes, last, first_number, first_game, games) \
    VALUES (randomblob(16), zeroblob(16), ?1, 0, 0, 0, 1, ?4, ?2, ?3)";
pub(super) const DROP_SOURCES: &str =
    "DELETE FROM source WHERE import NOT IN (SELECT id FROM import)";
pub(super) const DROP_CHUNKS: &str =
    "DELETE FROM source_chunk WHERE source NOT IN (SELECT id FROM source)";
pub(super) const DROP_DIAGNOSTICS: &str = "DELETE FROM diagnostic \
    WHERE source NOT IN (SELECT id FROM source) OR game NOT IN (SELECT id FROM game_row)";
/// What was read of a source is not known any more where its games are lost.
pub(super) const DROP_CHUNKS_BEHIND: &str =
    "DELETE FROM source_chunk WHERE games > 0 AND first_game + games - 1 > ?1";
pub(super) const IMPORTS_FROM_LAST: &str = "SELECT id, stored FROM import ORDER BY id DESC";
pub(super) const TAKE_STORED: &str =
    "UPDATE import SET stored = stored - ?2, seen = seen - ?2 WHERE id = ?1";
pub(super) const DROP_REPEATS: &str = "DELETE FROM repeated_game \
    WHERE source NOT IN (SELECT id FROM source) OR game NOT IN (SELECT id FROM game_row)";
/// What was found was counted, and more may be counted than is there.
pub(super) const COUNT_DIAGNOSTICS_AGAIN: &str = "INSERT INTO diagnostic_count (import, code, count) \
    SELECT s.import, d.code, count(*) FROM diagnostic d JOIN source s ON s.id = d.source WHERE true \
    GROUP BY s.import, d.code ON CONFLICT (import, code) DO UPDATE SET count = max(count, excluded.count)";
pub(super) const DROP_REMOVALS: &str =
    "DELETE FROM removal WHERE change NOT IN (SELECT id FROM change)";
pub(super) const DROP_EDITS: &str = "DELETE FROM edit WHERE change NOT IN (SELECT id FROM change)";
pub(super) const DROP_RULES: &str =
    "DELETE FROM name_rule WHERE change NOT IN (SELECT id FROM change)";
pub(super) const DROP_EVALS: &str =
    "DELETE FROM evaluation_reading WHERE source NOT IN (SELECT id FROM source)";
pub(super) const DROP_REREADS: &str = "DELETE FROM reread_source WHERE change NOT IN (SELECT id FROM change) \
    OR source NOT IN (SELECT id FROM source) OR successor NOT IN (SELECT id FROM source)";
pub(super) const FORGET_LOST_IMPORTS: &str =
    "UPDATE change SET import = NULL WHERE import NOT IN (SELECT id FROM import)";
pub(super) const DROP_COUNTS: &str =
    "DELETE FROM diagnostic_count WHERE import NOT IN (SELECT id FROM import)";

pub(super) const REMOVED_FOR: &str = "SELECT r.first + ?1 - r.kept FROM removal r JOIN change c ON c.id = r.change \
    WHERE (c.is_done OR EXISTS (SELECT 1 FROM game_row g WHERE g.id = r.first + ?1 - r.kept AND g.removed = c.id)) \
    AND r.kept <= ?1 AND r.kept > ?1 - ?2 AND r.kept + r.games > ?1 ORDER BY 1";
/// One row of the runs of games that changes removed.
pub(super) const REMOVED_AT: &str = "SELECT r.first + ?1 - r.kept FROM removal r JOIN change c ON c.id = r.change \
    WHERE (c.is_done OR EXISTS (SELECT 1 FROM game_row g WHERE g.id = r.first + ?1 - r.kept AND g.removed = c.id)) \
    AND r.change = ?2 AND r.first = ?3";
pub(super) const NEAR_REMOVALS: &str = "SELECT count(*) FROM \
    (SELECT 1 FROM removal WHERE kept < ?1 AND kept > ?1 - ?2 LIMIT ?3)";
pub(super) const LONG_REMOVALS: &str = "SELECT kept, games, change, first FROM removal \
    WHERE games > 1 AND kept IS NOT NULL ORDER BY kept, change, first";
pub(super) const ALL_CHANGES: &str =
    "SELECT id, at, kind, what, import, undoes, is_done, is_final FROM change ORDER BY id";
pub(super) const INSERT_CHANGE: &str = "INSERT INTO change (at, kind, what, import, undoes, is_done, is_final) \
    VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3, ?4, 1, 0)";
pub(super) const SET_DONE: &str = "UPDATE change SET is_done = ?2 WHERE id = ?1";
pub(super) const END_ALL_CHANGES: &str = "UPDATE change SET is_final = 1 WHERE NOT is_final";
pub(super) const PURGED_GAMES: &str = "SELECT r.first, r.games, r.change \
    FROM change c JOIN removal r ON r.change = c.id WHERE c.kind = ?1";
pub(super) const INSERT_REMOVAL: &str =
    "INSERT INTO removal (change, first, games, kept) VALUES (?1, ?2, ?3, ?4)";
pub(super) const REMOVALS_OF: &str =
    "SELECT first, games, kept FROM removal WHERE change = ?1 ORDER BY first";
pub(super) const REMOVALS_DONE: &str = "SELECT r.first, r.games, r.change, r.kept \
    FROM change c JOIN removal r ON r.change = c.id WHERE c.is_done ORDER BY r.change, r.first";
/// The same without rereads: what a game read as before is another game.
pub(super) const STAND_INS: &str = "SELECT r.first, r.games, r.change, r.kept \
    FROM change c JOIN removal r ON r.change = c.id WHERE c.is_done AND c.kind <> 'reread' ORDER BY r.change, r.first";
/// Of imports that were undone: what they put in the place of other games may still be there.
pub(super) const REPLACED_BY_UNDONE: &str = "SELECT r.first, r.games, r.change, r.kept \
    FROM change c JOIN removal r ON r.change = c.id \
    WHERE NOT c.is_done AND c.kind IN ('import', 'merge') AND r.kept IS NOT NULL ORDER BY r.change, r.first";
pub(super) const DELETIONS_DONE: &str = "SELECT r.first, r.games, r.change \
    FROM change c JOIN removal r ON r.change = c.id WHERE c.is_done AND c.kind = ?1";
pub(super) const INSERT_EDIT: &str =
    "INSERT INTO edit (change, game, before, after) VALUES (?1, ?2, ?3, ?4)";
pub(super) const EDITS_OF: &str =
    "SELECT game, before, after FROM edit WHERE change = ?1 ORDER BY game";
pub(super) const TOLD_BEFORE: &str = "SELECT e.game, e.before FROM edit e JOIN change c ON c.id = e.change \
    WHERE c.is_done ORDER BY c.id DESC";
pub(super) const EDITED_GAMES: &str = "SELECT e.game, e.change FROM edit e JOIN change c ON c.id = e.change \
    WHERE c.is_done ORDER BY e.change DESC";
pub(super) const RULES_OF: &str = "SELECT r.a, r.b, r.is_same FROM name_rule r JOIN change c ON c.id = r.change \
    WHERE c.is_done AND r.kind = ?1 ORDER BY c.id";
pub(super) const HAS_TABLE: &str = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
pub(super) const ALL_EVALS: &str =
    "SELECT by_hand, unit, command, short, source FROM evaluation_reading";
pub(super) const PARTS_BY_GAME: &str =
    "SELECT first_game, games, source FROM source_chunk WHERE games > 0 ORDER BY first_game";
pub(super) const EVALS_OF_SOURCE: &str =
    "SELECT by_hand, unit, command, short FROM evaluation_reading WHERE source = ?1";
pub(super) const DELETE_EVALS: &str = "DELETE FROM evaluation_reading WHERE source = ?1";
pub(super) const INSERT_EVALS: &str = "INSERT INTO evaluation_reading \
    (source, by_hand, unit, command, short) VALUES (?1, ?2, ?3, ?4, ?5)";
pub(super) const INSERT_RULE: &str =
    "INSERT INTO name_rule (change, kind, a, b, is_same) VALUES (?1, ?2, ?3, ?4, ?5)";
pub(super) const UNDONE_IMPORT: &str =
    "SELECT id FROM change WHERE import = ?1 AND NOT is_done LIMIT 1";
pub(super) const ALL_REMOVED: &str =
    "SELECT id, removed FROM game_row WHERE removed IS NOT NULL ORDER BY id";
pub(super) const SET_REMOVED: &str = "UPDATE game_row SET removed = ?3 WHERE id >= ?1 AND id < ?2";
pub(super) const GAMES_OF_IMPORT: &str = "SELECT k.first_game, k.games, s.import \
    FROM source s JOIN source_chunk k ON k.source = s.id WHERE s.import = ?1";
pub(super) const REPEATS_OF_IMPORT: &str = "SELECT coalesce(sum(r.games), 0) \
    FROM source s JOIN repeated_game r ON r.source = s.id WHERE s.import = ?1";
pub(super) const ALL_SOURCES: &str = "SELECT id, name FROM source";
pub(super) const GAMES_BY_SOURCE: &str =
    "SELECT first_game, games, source FROM source_chunk WHERE games > 0";
pub(super) const REPEATS_BY_SOURCE: &str = "SELECT game, games, source FROM repeated_game";
pub(super) const SOURCES_OF_IMPORT: &str = "SELECT name FROM source WHERE import = ?1 ORDER BY id";
/// Games of imports that were undone, with the last change that did it.
pub(super) const ORPHANED_GAMES: &str = "SELECT k.first_game, k.games, \
    coalesce((SELECT max(u.id) FROM change u WHERE u.undoes = c.id AND u.is_done), c.id) \
    FROM change c JOIN source s ON s.import = c.import JOIN source_chunk k ON k.source = s.id \
    WHERE NOT c.is_done";
/// Games that sources had again, but for sources of imports that were undone, with the sources.
pub(super) const REPEATS_HELD: &str = "SELECT r.game, r.games, r.source \
    FROM repeated_game r JOIN source s ON s.id = r.source \
    WHERE s.import NOT IN (SELECT import FROM change WHERE import IS NOT NULL AND NOT is_done)";
/// Of texts that are known.
pub(super) const PIECES_OF_ALL: &str = "SELECT k.chain, k.parent, k.bytes, k.split_bytes, s.import, s.id, \
    CAST(s.name AS BLOB) FROM source_chunk k JOIN source s ON s.id = k.source WHERE length(k.chain) = 16";
pub(super) const CHANGE_OF_SOURCE: &str = "SELECT c.id, s.name FROM source s JOIN change c ON c.import = s.import \
    WHERE s.id = ?1 ORDER BY c.id LIMIT 1";
/// After the hash stands the source then: nothing else has it, and the hash is not lost.
pub(super) const FORGET_TEXTS: &str = "UPDATE source_chunk SET chain = CAST(chain || printf('%016d', source) AS BLOB) \
    WHERE length(chain) = 16 AND source IN (SELECT id FROM source WHERE import = ?1)";
pub(super) const FORGET_TEXTS_REPEATING: &str = "UPDATE source_chunk SET chain = CAST(chain || printf('%016d', source) AS BLOB) \
    WHERE length(chain) = 16 AND source IN (SELECT r.source \
    FROM repeated_game r JOIN source s ON s.id = r.source JOIN change c ON c.import = s.import \
    WHERE c.id > ?1 AND ?2 BETWEEN r.game AND r.game + r.games - 1)";
pub(super) const REMEMBER_TEXTS: &str = "UPDATE source_chunk SET chain = substr(chain, 1, 16) \
    WHERE length(chain) > 16 AND source IN (SELECT id FROM source WHERE import = ?1) \
    AND source NOT IN (SELECT r.source FROM reread_source r JOIN change c ON c.id = r.change WHERE c.is_done)";
pub(super) const READ_SINCE: &str = "SELECT c.id, s.name \
    FROM source_chunk mine JOIN source_chunk k ON k.chain = substr(mine.chain, 1, 16) \
    JOIN source s ON s.id = k.source JOIN change c ON c.import = s.import \
    WHERE length(mine.chain) > 16 AND mine.source IN (SELECT id FROM source WHERE import = ?1) \
    AND mine.source NOT IN (SELECT r.source FROM reread_source r JOIN change d ON d.id = r.change WHERE d.is_done) LIMIT 1";
pub(super) const INSERT_REREAD: &str =
    "INSERT INTO reread_source (change, source, successor) VALUES (?1, ?2, ?3)";
/// Sources that rereads which stand have replaced, and those that have their games now.
pub(super) const REPLACED_SOURCES: &str = "SELECT r.source, r.successor FROM reread_source r \
    JOIN change c ON c.id = r.change WHERE c.is_done";
pub(super) const REPLACED_BY: &str =
    "SELECT source, successor FROM reread_source WHERE change = ?1 ORDER BY source";
pub(super) const ORPHANED_BY_REREAD: &str = "SELECT k.first_game, k.games, r.change FROM reread_source r \
    JOIN change c ON c.id = r.change JOIN source_chunk k ON k.source = r.source WHERE c.is_done AND k.games > 0";
pub(super) const FORGET_REPLACED_TEXTS: &str = "UPDATE source_chunk SET chain = CAST(chain || printf('%016d', source) AS BLOB) \
    WHERE length(chain) = 16 AND source IN (SELECT source FROM reread_source WHERE change = ?1)";
pub(super) const REMEMBER_REPLACED_TEXTS: &str = "UPDATE source_chunk SET chain = substr(chain, 1, 16) \
    WHERE length(chain) > 16 AND source IN (SELECT r.source FROM reread_source r JOIN source s ON s.id = r.source \
    WHERE r.change = ?1 AND s.import NOT IN (SELECT import FROM change WHERE import IS NOT NULL AND NOT is_done))";
pub(super) const REPLACED_READ_SINCE: &str = "SELECT c.id, s.name \
    FROM source_chunk mine JOIN source_chunk k ON k.chain = substr(mine.chain, 1, 16) \
    JOIN source s ON s.id = k.source JOIN change c ON c.import = s.import \
    WHERE length(mine.chain) > 16 AND mine.source IN (SELECT source FROM reread_source WHERE change = ?1) LIMIT 1";
/// A game of an import that was read again by itself: by which change, and which game it is.
pub(super) const GAME_REREAD_OF: &str = "SELECT c.id, r.first FROM change c JOIN removal r ON r.change = c.id \
    JOIN source_chunk k ON r.first >= k.first_game AND r.first < k.first_game + k.games \
    JOIN source s ON s.id = k.source \
    WHERE c.is_done AND c.kind = 'reread' AND s.import = ?1 \
    AND c.id NOT IN (SELECT change FROM reread_source) LIMIT 1";
/// Findings of replaced sources, which their imports have counted.
pub(super) const REPLACED_FINDINGS: &str = "SELECT s.import, d.code, count(*) FROM reread_source r \
    JOIN change c ON c.id = r.change JOIN source s ON s.id = r.source JOIN diagnostic d ON d.source = s.id \
    WHERE c.is_done GROUP BY s.import, d.code";

pub(super) const FIRST_VARIANT: &str = "SELECT name FROM variant ORDER BY id";

pub(super) const TABLES: &str = "SELECT name FROM sqlite_schema \
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' ORDER BY name";

pub(super) const COLUMNS_OF: &str = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1";

pub(super) const GAME_LIST: &str = "SELECT * FROM game_list ORDER BY game";

/// The rows of a game in `player` (0), `event`, `site`, `start_position`, `tag_layout`, `text` (5).
pub(super) const ROWS_OF_GAME: &str = "SELECT 0, white FROM game_row WHERE id = ?1 \
    UNION SELECT 0, black FROM game_row WHERE id = ?1 UNION SELECT 1, event FROM game_row WHERE id = ?1 \
    UNION SELECT 2, site FROM game_row WHERE id = ?1 UNION SELECT 3, start FROM game_row WHERE id = ?1 \
    UNION SELECT 4, layout FROM game_row WHERE id = ?1 UNION SELECT 5, j.value FROM game_row, \
    json_each(iif(json_valid(extra), extra, '[]')) j WHERE game_row.id = ?1 AND j.type = 'integer'";

pub(super) const PLAYERS_FROM: &str = "SELECT id, name FROM player WHERE id >= ?1 ORDER BY id";
pub(super) const LAST_PLAYER: &str = "SELECT max(id) FROM player";
pub(super) const LAST_NAME_BLOCK: &str = "SELECT max(first_player) FROM name_block";
pub(super) const OUTDATED_NAME_BLOCK: &str =
    "SELECT min(first_player) FROM name_block WHERE substr(data, 1, 1) <> ?1";
pub(super) const ALL_NAME_BLOCKS: &str =
    "SELECT first_player, data FROM name_block ORDER BY first_player";
pub(super) const INSERT_NAME_BLOCK: &str =
    "INSERT INTO name_block (first_player, data) VALUES (?1, ?2)";
pub(super) const DELETE_NAME_BLOCKS_FROM: &str = "DELETE FROM name_block WHERE first_player >= ?1";

pub(super) const INSERT_FIDE_NAME: &str =
    "INSERT OR IGNORE INTO fide_name (player, fide_id) VALUES (?1, ?2)";
pub(super) const FIDE_IDS_OF: &str = "SELECT fide_id FROM fide_name WHERE player = ?1";
pub(super) const PLAYERS_OF_FIDE_ID: &str = "SELECT player FROM fide_name WHERE fide_id = ?1";
pub(super) const ANY_FIDE_NAME: &str = "SELECT player FROM fide_name LIMIT 1";
