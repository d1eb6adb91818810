-- A text that waits to be compared with all others waits by itself (compared = 0), or as one of all texts (-1): what is
-- looked for differs, also where a run was cut off between them.
DROP INDEX relation_texts_to_compare;
CREATE INDEX relation_texts_to_compare ON relation_texts (text_key) WHERE compared < 1;
