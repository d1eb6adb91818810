-- An attachment is its bytes: bytes that replace others under one address are a row of their own, and the earlier row stays.
-- The validators are those of the server's answer with these bytes, as JSON.
CREATE TABLE new_filing_documents (
  document_key INTEGER PRIMARY KEY,
  filing_id INTEGER NOT NULL REFERENCES filings,
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  digest BLOB,
  replaced_at INTEGER,
  fetched_revision INTEGER,
  asked_at INTEGER,
  validators TEXT,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO new_filing_documents (document_key, filing_id, position, url, title, first_seen_at, last_seen_at, digest,
  fetched_revision, asked_at, tries)
SELECT document_key, filing_id, position, url, title, first_seen_at, last_seen_at, digest,
  fetched_revision, iif(digest IS NULL, NULL, first_seen_at), tries
FROM filing_documents;

DROP TABLE filing_documents;
ALTER TABLE new_filing_documents RENAME TO filing_documents;

CREATE INDEX filing_documents_by_digest ON filing_documents (digest);
CREATE INDEX filing_documents_by_url ON filing_documents (url);
CREATE INDEX filing_documents_by_filing ON filing_documents (filing_id, position);
CREATE UNIQUE INDEX filing_documents_now ON filing_documents (filing_id, url) WHERE replaced_at IS NULL;
