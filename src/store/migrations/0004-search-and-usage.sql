-- Search: the words of each market and event. The first rows are the most traded, so that the first matches of a
-- common word are those worth ranking; `words` is what ranking goes by (see store/search-index.ts).

CREATE TABLE market_search (
  search_id INTEGER PRIMARY KEY,
  record_key INTEGER NOT NULL UNIQUE REFERENCES markets (market_key),
  digest INTEGER NOT NULL,
  words BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE market_words USING fts5(
  head, body, venue, content = '', contentless_delete = 1, detail = 'column', tokenize = 'ascii'
);

CREATE TABLE event_search (
  search_id INTEGER PRIMARY KEY,
  record_key INTEGER NOT NULL UNIQUE REFERENCES events (event_key),
  digest INTEGER NOT NULL,
  words BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE event_words USING fts5(
  head, body, venue, content = '', contentless_delete = 1, detail = 'column', tokenize = 'ascii'
);

-- By which rules the words were taken; 0 while they are not all there. A store that has a catalog already is
-- indexed by its next run.
CREATE TABLE search_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  rules INTEGER NOT NULL
) STRICT;

INSERT INTO search_state
SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM markets) OR EXISTS (SELECT 1 FROM events) THEN 0 ELSE 1 END;

-- The orders in which market lists can be asked for.
CREATE INDEX markets_by_volume ON markets (volume, market_key);
CREATE INDEX markets_by_close ON markets (closes_at, market_key);
CREATE INDEX markets_of_venue_by_listing
  ON markets (substr(market_id, 1, 7), coalesce(listed_at, first_seen_at), market_key);
CREATE INDEX markets_of_venue_by_volume ON markets (substr(market_id, 1, 7), volume, market_key);
CREATE INDEX markets_of_venue_by_close ON markets (substr(market_id, 1, 7), closes_at, market_key);

-- Requests by account, UTC day and path template. Those refused by a budget are not counted.
CREATE TABLE request_counts (
  organization TEXT NOT NULL,
  day TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  successful INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (organization, day, endpoint)
) STRICT, WITHOUT ROWID;
