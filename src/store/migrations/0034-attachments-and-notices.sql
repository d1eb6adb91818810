-- Several filings may name one attachment, which is fetched for all of them at once.
CREATE INDEX filing_documents_by_url ON filing_documents (url);

-- What a notice announces or calls off, for later runs, which read it in the texts before. No part of what is published,
-- nor of the chain of hashes. The deed of a deletion is the constituent and its price in cents.
ALTER TABLE announcements ADD COLUMN deed TEXT;
ALTER TABLE announcements ADD COLUMN calls_off INTEGER NOT NULL DEFAULT 0 CHECK (calls_off IN (0, 1));

DROP TRIGGER announcements_stand;

UPDATE announcements SET calls_off = 1
WHERE (type = 'rebalance' AND title = 'Change of ' || ticker || ' called off')
  OR (type = 'corporate_action' AND title = 'Deletion from ' || ticker || ' called off');

-- The text behind the last " takes ", since an index may have the word in its name.
WITH RECURSIVE tails (announcement_id, tail) AS (
  SELECT announcement_id, body FROM announcements
  WHERE type = 'corporate_action' AND body LIKE '% takes % out at % cents a contract.'
    AND title IN ('Deletion from ' || ticker, 'Deletion from ' || ticker || ' called off')
  UNION ALL
  SELECT announcement_id, substr(tail, instr(tail, ' takes ') + 7) FROM tails WHERE instr(tail, ' takes ') > 0
)
UPDATE announcements SET deed = replace(replace(tail, ' cents a contract.', ''), ' out at ', ' ')
FROM tails WHERE tails.announcement_id = announcements.announcement_id AND instr(tail, ' takes ') = 0;

CREATE TRIGGER announcements_stand BEFORE UPDATE ON announcements BEGIN SELECT raise(ABORT, 'announcements are never changed'); END;
