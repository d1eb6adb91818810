-- What runs told of themselves, which is forgotten: a row that only became shorter would keep its page to itself.
CREATE TABLE run_summaries (
  run_id INTEGER PRIMARY KEY REFERENCES runs,
  summary TEXT NOT NULL
) STRICT;
INSERT INTO run_summaries SELECT run_id, summary FROM runs WHERE summary IS NOT NULL;
ALTER TABLE runs DROP COLUMN summary;
