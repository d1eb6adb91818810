-- The number of these holdings among those of their index, which the hashes of their prints cover. Those that are there
-- have none: their prints' hashes cover the id, which counts the holdings of all indices. The next number follows on it.
ALTER TABLE holdings ADD COLUMN number INTEGER;

CREATE UNIQUE INDEX holdings_by_number ON holdings (ticker, number);
