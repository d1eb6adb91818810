-- The newest point of a price history whose meaning its venue does not state: no trade beside a book, but the price of a
-- market that has none.
ALTER TABLE latest_quotes ADD COLUMN point REAL;
ALTER TABLE latest_quotes ADD COLUMN point_at INTEGER;
