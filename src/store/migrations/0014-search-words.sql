-- The words that ranking goes by stand together with those of names and texts, against which a query is checked. An
-- index from before is built anew by the next run; where there is nothing to be found it is up to date.
UPDATE search_state SET rules = 2
WHERE rules = 1 AND NOT EXISTS (SELECT 1 FROM markets) AND NOT EXISTS (SELECT 1 FROM events);
