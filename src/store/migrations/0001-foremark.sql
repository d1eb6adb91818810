-- Catalog: what the venues list. Absent at the venue is NULL here, never 0 or ''.

CREATE TABLE events (
  event_key INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL,
  native_id TEXT NOT NULL,
  title TEXT NOT NULL,
  slug TEXT,
  series TEXT,
  category TEXT,
  description TEXT,
  listed_at INTEGER,
  closes_at INTEGER,
  volume REAL,
  open_interest REAL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT;

CREATE INDEX events_by_listing ON events (coalesce(listed_at, first_seen_at) DESC, event_key DESC);

-- A market's key for good: prices and prints name it, also when the catalog has never seen it or is rebuilt.
CREATE TABLE market_names (
  market_key INTEGER PRIMARY KEY,
  market_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE markets (
  market_key INTEGER PRIMARY KEY REFERENCES market_names,
  market_id TEXT NOT NULL UNIQUE,
  event_id TEXT,
  family TEXT NOT NULL,
  native_id TEXT NOT NULL,
  question TEXT NOT NULL,
  description TEXT,
  slug TEXT,
  event_slug TEXT,
  rules_primary TEXT,
  yes_sub_title TEXT,
  market_type TEXT,
  status TEXT NOT NULL,
  venue_status TEXT NOT NULL,
  price_token TEXT,
  listed_at INTEGER,
  opens_at INTEGER,
  closes_at INTEGER,
  settled_at INTEGER,
  payout REAL CHECK (payout BETWEEN 0 AND 1),
  volume REAL,
  volume_unit TEXT,
  open_interest REAL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT;

CREATE INDEX markets_by_event ON markets (event_id);
CREATE INDEX markets_by_listing ON markets (coalesce(listed_at, first_seen_at) DESC, market_key DESC);

-- Every status a market was seen in, so that a print of an earlier instant uses the status of that instant.
CREATE TABLE market_statuses (
  market_key INTEGER NOT NULL REFERENCES market_names,
  observed_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  settled_at INTEGER,
  payout REAL,
  PRIMARY KEY (market_key, observed_at)
) STRICT, WITHOUT ROWID;

-- Prices: fresh observations as rows keyed by time, history as one blob a column (see README, Decisions).

CREATE TABLE price_tail (
  observed_at INTEGER NOT NULL,
  market_key INTEGER NOT NULL REFERENCES market_names,
  series TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  bid REAL,
  ask REAL,
  last REAL,
  open REAL,
  high REAL,
  low REAL,
  volume REAL,
  open_interest REAL,
  PRIMARY KEY (observed_at, market_key, series, recorded_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE price_chunks (
  chunk_id INTEGER PRIMARY KEY,
  market_key INTEGER NOT NULL REFERENCES market_names,
  series TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  points INTEGER NOT NULL CHECK (points > 0),
  observed BLOB NOT NULL,
  recorded BLOB NOT NULL,
  bid BLOB,
  ask BLOB,
  last BLOB,
  open BLOB,
  high BLOB,
  low BLOB,
  volume BLOB,
  open_interest BLOB
) STRICT;

CREATE INDEX price_chunks_by_market ON price_chunks (market_key, series, first_at, last_at);

-- The newest that is known of each market's book and last trade: what the catalog's mark is made of.
CREATE TABLE latest_quotes (
  market_key INTEGER PRIMARY KEY REFERENCES market_names,
  book_at INTEGER,
  bid REAL,
  ask REAL,
  last REAL,
  last_at INTEGER,
  history_at INTEGER
) STRICT;

CREATE TABLE market_marks (
  market_key INTEGER PRIMARY KEY REFERENCES market_names,
  price REAL NOT NULL CHECK (price BETWEEN 0 AND 1),
  basis TEXT NOT NULL,
  observed_at INTEGER NOT NULL,
  spread REAL
) STRICT;

-- Definitions as they were adopted. A ticker's newest row is in force.

CREATE TABLE definitions (
  definition_key INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('index', 'rate')),
  ticker TEXT NOT NULL,
  digest TEXT NOT NULL,
  body TEXT NOT NULL,
  position INTEGER NOT NULL,
  adopted_at INTEGER NOT NULL,
  withdrawn_at INTEGER
) STRICT;

CREATE INDEX definitions_by_ticker ON definitions (kind, ticker, definition_key);

-- Prints are records: never changed, never removed. A recomputation that differs is a new revision.

-- What an index holds between two steps: market keys (4 bytes each) and quantities (8 bytes each).
CREATE TABLE holdings (
  holding_id INTEGER PRIMARY KEY,
  ticker TEXT NOT NULL,
  market_keys BLOB NOT NULL,
  quantities BLOB NOT NULL
) STRICT;

CREATE TABLE index_prints (
  print_id INTEGER PRIMARY KEY,
  ticker TEXT NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  level REAL NOT NULL,
  divisor REAL,
  cash REAL NOT NULL,
  coverage REAL NOT NULL,
  holding_id INTEGER NOT NULL REFERENCES holdings,
  definition_key INTEGER NOT NULL REFERENCES definitions,
  methodology_version TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  previous_hash BLOB,
  hash BLOB NOT NULL,
  UNIQUE (ticker, at, revision)
) STRICT;

-- The order of recording, which the hash chain follows.
CREATE INDEX index_prints_in_order ON index_prints (ticker, print_id);

CREATE TABLE index_receipts (
  print_id INTEGER PRIMARY KEY REFERENCES index_prints,
  receipt BLOB NOT NULL
) STRICT;

CREATE TABLE divisor_steps (
  step_id INTEGER PRIMARY KEY,
  ticker TEXT NOT NULL,
  at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  market_ids TEXT NOT NULL,
  level_before REAL NOT NULL,
  level_after REAL NOT NULL,
  divisor_before REAL NOT NULL,
  divisor_after REAL NOT NULL
) STRICT;

CREATE INDEX divisor_steps_by_ticker ON divisor_steps (ticker, at);

CREATE TABLE rate_prints (
  print_id INTEGER PRIMARY KEY,
  ticker TEXT NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  price REAL NOT NULL CHECK (price BETWEEN 0 AND 1),
  spread REAL NOT NULL,
  definition_key INTEGER NOT NULL REFERENCES definitions,
  methodology_version TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  market_keys BLOB NOT NULL,
  receipt BLOB NOT NULL,
  previous_hash BLOB,
  hash BLOB NOT NULL,
  UNIQUE (ticker, at, revision)
) STRICT;

CREATE INDEX rate_prints_in_order ON rate_prints (ticker, print_id);

CREATE TABLE restatements (
  restatement_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  ticker TEXT NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  old_value REAL NOT NULL,
  new_value REAL NOT NULL,
  reason TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  UNIQUE (kind, ticker, at, revision)
) STRICT;

CREATE TRIGGER index_prints_stand BEFORE UPDATE ON index_prints BEGIN SELECT raise(ABORT, 'prints are never changed'); END;
CREATE TRIGGER index_prints_stay BEFORE DELETE ON index_prints BEGIN SELECT raise(ABORT, 'prints are never removed'); END;
CREATE TRIGGER index_receipts_stand BEFORE UPDATE ON index_receipts BEGIN SELECT raise(ABORT, 'prints are never changed'); END;
CREATE TRIGGER index_receipts_stay BEFORE DELETE ON index_receipts BEGIN SELECT raise(ABORT, 'prints are never removed'); END;
CREATE TRIGGER rate_prints_stand BEFORE UPDATE ON rate_prints BEGIN SELECT raise(ABORT, 'prints are never changed'); END;
CREATE TRIGGER rate_prints_stay BEFORE DELETE ON rate_prints BEGIN SELECT raise(ABORT, 'prints are never removed'); END;
CREATE TRIGGER holdings_stand BEFORE UPDATE ON holdings BEGIN SELECT raise(ABORT, 'prints are never changed'); END;
CREATE TRIGGER holdings_stay BEFORE DELETE ON holdings BEGIN SELECT raise(ABORT, 'prints are never removed'); END;
CREATE TRIGGER divisor_steps_stand BEFORE UPDATE ON divisor_steps BEGIN SELECT raise(ABORT, 'the ledger is never changed'); END;
CREATE TRIGGER divisor_steps_stay BEFORE DELETE ON divisor_steps BEGIN SELECT raise(ABORT, 'the ledger is never changed'); END;
CREATE TRIGGER restatements_stand BEFORE UPDATE ON restatements BEGIN SELECT raise(ABORT, 'restatements are never changed'); END;
CREATE TRIGGER restatements_stay BEFORE DELETE ON restatements BEGIN SELECT raise(ABORT, 'restatements are never removed'); END;

-- The newest revision of each print is the one that counts.
CREATE VIEW standing_index_prints AS
SELECT * FROM index_prints AS print
WHERE NOT EXISTS (
  SELECT 1 FROM index_prints AS newer
  WHERE newer.ticker = print.ticker AND newer.at = print.at AND newer.revision > print.revision
);

CREATE VIEW standing_rate_prints AS
SELECT * FROM rate_prints AS print
WHERE NOT EXISTS (
  SELECT 1 FROM rate_prints AS newer
  WHERE newer.ticker = print.ticker AND newer.at = print.at AND newer.revision > print.revision
);

-- How constituents and sources stood when the definition was last calculated, whether or not it printed.
CREATE TABLE standings (
  kind TEXT NOT NULL,
  ticker TEXT NOT NULL,
  calculated_to INTEGER NOT NULL,
  definition_key INTEGER NOT NULL REFERENCES definitions,
  body TEXT,
  PRIMARY KEY (kind, ticker)
) STRICT, WITHOUT ROWID;

-- The instants of the runs that calculated: with what was known then, verify calculates the same once more.
CREATE TABLE calculations (
  calculated_at INTEGER PRIMARY KEY
) STRICT;

-- The last print of each US Eastern day; follows the newest revision.
CREATE TABLE daily_closes (
  kind TEXT NOT NULL,
  ticker TEXT NOT NULL,
  day TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (kind, ticker, day)
) STRICT, WITHOUT ROWID;

-- Runs, feeds, raw payloads and what was left out of them.

CREATE TABLE runs (
  run_id INTEGER PRIMARY KEY,
  command TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  outcome TEXT,
  summary TEXT
) STRICT;

CREATE TABLE feeds (
  feed TEXT PRIMARY KEY,
  tried_at INTEGER NOT NULL,
  good_at INTEGER,
  condition TEXT NOT NULL,
  message TEXT,
  rows_read INTEGER NOT NULL,
  rows_left_out INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
  feed TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (feed, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE payloads (
  digest BLOB PRIMARY KEY,
  bytes INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE fetches (
  fetch_id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs,
  feed TEXT NOT NULL,
  request TEXT NOT NULL,
  observed_at INTEGER NOT NULL,
  digest BLOB NOT NULL REFERENCES payloads
) STRICT;

CREATE TABLE rejects (
  reject_id INTEGER PRIMARY KEY,
  fetch_id INTEGER NOT NULL REFERENCES fetches,
  feed TEXT NOT NULL,
  position INTEGER NOT NULL,
  native_id TEXT,
  path TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;

-- The list catalog's state: serving, or rebuilding while lists answer 503.
CREATE TABLE catalog_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  state TEXT NOT NULL CHECK (state IN ('serving', 'rebuilding')),
  since INTEGER NOT NULL
) STRICT;

INSERT INTO catalog_state VALUES (1, 'rebuilding', 0);

-- Keys are kept as digests; a key itself is shown once and never stored.
CREATE TABLE api_keys (
  key_id TEXT PRIMARY KEY,
  digest BLOB NOT NULL,
  organization TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
