-- What an embeddings endpoint said of texts, so that no text is asked about twice: one signed byte a dimension.
CREATE TABLE text_embeddings (
  model TEXT NOT NULL,
  digest BLOB NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (model, digest)
) STRICT;

-- Whether the text was compared with its vector.
ALTER TABLE relation_texts ADD COLUMN embedded INTEGER NOT NULL DEFAULT 0;
