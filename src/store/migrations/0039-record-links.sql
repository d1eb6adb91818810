-- What is recorded besides prints is chained by hash in the order of recording: definitions and their withdrawals,
-- notices, the ledger, runs and recalculations. A link has the hash of its row and of the link before, and says what the
-- row was of, should that be gone. The first link of a store is preceded by those of all rows that are there.
CREATE TABLE record_links (
  link_id INTEGER PRIMARY KEY,
  record TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  ticker TEXT,
  at INTEGER NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (record, row_id)
) STRICT;

CREATE TRIGGER record_links_stand BEFORE UPDATE ON record_links BEGIN SELECT raise(ABORT, 'links are never changed'); END;
CREATE TRIGGER record_links_stay BEFORE DELETE ON record_links BEGIN SELECT raise(ABORT, 'links are never removed'); END;

CREATE TRIGGER definitions_stand BEFORE UPDATE ON definitions
WHEN old.withdrawn_at IS NOT NULL AND new.withdrawn_at IS NOT old.withdrawn_at
  OR (old.definition_key, old.kind, old.ticker, old.digest, old.body, old.adopted_at, old.takes_effect_at)
    IS NOT (new.definition_key, new.kind, new.ticker, new.digest, new.body, new.adopted_at, new.takes_effect_at)
BEGIN SELECT raise(ABORT, 'definitions are never changed'); END;
CREATE TRIGGER definitions_stay BEFORE DELETE ON definitions BEGIN SELECT raise(ABORT, 'definitions are never removed'); END;

CREATE TRIGGER calculations_stand BEFORE UPDATE ON calculations BEGIN SELECT raise(ABORT, 'what a run calculated is never changed'); END;
CREATE TRIGGER calculations_stay BEFORE DELETE ON calculations BEGIN SELECT raise(ABORT, 'what a run calculated is never changed'); END;

-- The same rows in the order of recording, with an id for their links.
DROP TRIGGER unfinished_calculations_stand;
DROP TRIGGER unfinished_calculations_stay;
ALTER TABLE unfinished_calculations RENAME TO unfinished_before;

CREATE TABLE unfinished_calculations (
  unfinished_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('index', 'rate')),
  ticker TEXT NOT NULL,
  calculated_at INTEGER NOT NULL,
  -- The last instant that was calculated by then; none when it is absent.
  reached_at INTEGER,
  UNIQUE (kind, ticker, calculated_at)
) STRICT;

INSERT INTO unfinished_calculations (kind, ticker, calculated_at, reached_at)
SELECT kind, ticker, calculated_at, reached_at FROM unfinished_before ORDER BY calculated_at, kind, ticker;

DROP TABLE unfinished_before;

CREATE TRIGGER unfinished_calculations_stand BEFORE UPDATE ON unfinished_calculations BEGIN SELECT raise(ABORT, 'what a run calculated is never changed'); END;
CREATE TRIGGER unfinished_calculations_stay BEFORE DELETE ON unfinished_calculations BEGIN SELECT raise(ABORT, 'what a run calculated is never changed'); END;
