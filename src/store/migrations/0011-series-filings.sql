-- Filings that name the contract terms of a series by the name under which the venue publishes them.
CREATE TABLE series_filings (
  series_id TEXT NOT NULL,
  filing_id INTEGER NOT NULL,
  PRIMARY KEY (series_id, filing_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX series_of_filing ON series_filings (filing_id, series_id);

-- What the pairs were last found in, in short.
CREATE TABLE series_filings_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  found_in TEXT NOT NULL
) STRICT;
