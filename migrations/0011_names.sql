-- plydex, schema 11: the names of players once more, packed, with what finds those that can be one
-- person's; layouts in docs/file-format.md.

CREATE TABLE IF NOT EXISTS name_block (first_player INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- A block tells of rows that stand as they were. Rows without a block are read themselves.
CREATE TRIGGER IF NOT EXISTS player_renamed AFTER UPDATE ON player BEGIN
    DELETE FROM name_block WHERE first_player > min(old.id, new.id) - 1024;
END;
CREATE TRIGGER IF NOT EXISTS player_deleted AFTER DELETE ON player BEGIN
    DELETE FROM name_block WHERE first_player > old.id - 1024;
END;
