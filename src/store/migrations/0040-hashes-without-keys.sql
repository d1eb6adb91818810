-- What the hash of a print covers. 0: the key of its definition, and those of its markets, which count what this store met
-- first. 1: the digest of its definition and the ids of its markets, which are the same in every store.
ALTER TABLE index_prints ADD COLUMN hash_form INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rate_prints ADD COLUMN hash_form INTEGER NOT NULL DEFAULT 0;

-- Only hashes of form 0 cover the number of holdings.
DROP INDEX holdings_by_number;
