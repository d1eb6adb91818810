-- Series: what a venue's recurring events have in common, with the terms that were filed for their contracts.
CREATE TABLE series (
  series_id TEXT PRIMARY KEY,
  family TEXT NOT NULL,
  native_id TEXT NOT NULL,
  title TEXT NOT NULL,
  category TEXT,
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  settlement_sources TEXT NOT NULL CHECK (json_valid(settlement_sources)),
  contract_url TEXT,
  contract_terms_url TEXT,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX series_by_name ON series (family, native_id);
