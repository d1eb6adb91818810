-- What a page of a listing was read as in the last full crawl, so that the same bytes need not be read again.
CREATE TABLE page_notes (
  feed TEXT NOT NULL,
  -- SHA-256 of its bytes.
  digest BLOB NOT NULL,
  -- What else the reading depended on.
  settings TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  -- The oldest of its markets' newest quotes.
  quoted_at INTEGER NOT NULL,
  reading TEXT NOT NULL CHECK (json_valid(reading)),
  PRIMARY KEY (feed, digest)
) STRICT;
