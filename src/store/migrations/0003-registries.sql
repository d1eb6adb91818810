-- Filings: what the regulator's registries list. A filing's id is the registry's own number.

CREATE TABLE filings (
  filing_id INTEGER PRIMARY KEY,
  feed TEXT NOT NULL,
  org TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  product_name TEXT,
  product_type TEXT,
  category TEXT,
  subcategory TEXT,
  products_affected TEXT,
  remarks TEXT,
  received_day TEXT,
  status TEXT NOT NULL,
  status_day TEXT,
  document_count INTEGER,
  source_url TEXT NOT NULL,
  revision INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  record_revision INTEGER,
  record_read_at INTEGER,
  digest BLOB NOT NULL
) STRICT;

CREATE INDEX filings_by_status_day ON filings (status_day DESC, filing_id DESC);

-- The searchable text. Kept by triggers, so that it is what the rows say.
CREATE VIRTUAL TABLE filing_search USING fts5 (
  org, description, product_name, product_type, products_affected, filing_id,
  content = 'filings', content_rowid = 'filing_id', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER filing_search_gains AFTER INSERT ON filings BEGIN
  INSERT INTO filing_search (rowid, org, description, product_name, product_type, products_affected, filing_id)
  VALUES (new.filing_id, new.org, new.description, new.product_name, new.product_type, new.products_affected, new.filing_id);
END;

CREATE TRIGGER filing_search_follows
AFTER UPDATE OF org, description, product_name, product_type, products_affected ON filings BEGIN
  INSERT INTO filing_search (filing_search, rowid, org, description, product_name, product_type, products_affected, filing_id)
  VALUES ('delete', old.filing_id, old.org, old.description, old.product_name, old.product_type, old.products_affected, old.filing_id);
  INSERT INTO filing_search (rowid, org, description, product_name, product_type, products_affected, filing_id)
  VALUES (new.filing_id, new.org, new.description, new.product_name, new.product_type, new.products_affected, new.filing_id);
END;

-- The change feed. Its sequence is a cursor of others: rows are never changed, removed or numbered anew.
CREATE TABLE filing_changes (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('received', 'status_changed', 'documents_added')),
  filing_id INTEGER NOT NULL REFERENCES filings,
  feed TEXT NOT NULL,
  observed_at INTEGER NOT NULL,
  day TEXT,
  status TEXT NOT NULL,
  status_before TEXT,
  documents TEXT NOT NULL,
  backfill INTEGER NOT NULL CHECK (backfill IN (0, 1))
) STRICT;

CREATE INDEX filing_changes_by_filing ON filing_changes (filing_id, seq);

CREATE TRIGGER filing_changes_stand BEFORE UPDATE ON filing_changes BEGIN SELECT raise(ABORT, 'filing changes are never changed'); END;
CREATE TRIGGER filing_changes_stay BEFORE DELETE ON filing_changes BEGIN SELECT raise(ABORT, 'filing changes are never removed'); END;

-- Attachments by their address; the digest is that of the bytes it was last found to hold.
CREATE TABLE filing_documents (
  document_key INTEGER PRIMARY KEY,
  filing_id INTEGER NOT NULL REFERENCES filings,
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  digest BLOB,
  fetched_revision INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  UNIQUE (filing_id, url)
) STRICT;

CREATE INDEX filing_documents_by_digest ON filing_documents (digest);

-- What was read out of an attachment's bytes; problem says why there is no text.
CREATE TABLE document_texts (
  digest BLOB PRIMARY KEY,
  extractor TEXT NOT NULL,
  pages INTEGER,
  markdown TEXT,
  problem TEXT
) STRICT;

CREATE TABLE news_articles (
  news_key INTEGER PRIMARY KEY,
  news_id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  source TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT,
  author TEXT,
  published_at INTEGER,
  revision INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT;

CREATE INDEX news_articles_by_publication ON news_articles (coalesce(published_at, first_seen_at) DESC, news_key DESC);
