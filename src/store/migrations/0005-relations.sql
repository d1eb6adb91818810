-- Relations: texts as numbers of terms, and their nearest neighbours. All of it can be made anew from the records.

-- A term's number stands for good; holders is how many texts had it when rarity was last weighed.
CREATE TABLE relation_terms (
  term_id INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE,
  holders INTEGER NOT NULL
) STRICT;

-- A text that changes gets a new key, so that lists that hold the old one hold nothing.
CREATE TABLE relation_texts (
  text_key INTEGER PRIMARY KEY AUTOINCREMENT,
  sort TEXT NOT NULL CHECK (sort IN ('market', 'rate', 'filing', 'news')),
  record_id TEXT NOT NULL,
  text_group INTEGER NOT NULL,
  digest BLOB NOT NULL,
  term_ids BLOB NOT NULL,
  weights BLOB NOT NULL,
  -- 0 until the text has been compared with the others.
  compared INTEGER NOT NULL DEFAULT 0,
  UNIQUE (sort, record_id)
) STRICT;

CREATE INDEX relation_texts_to_compare ON relation_texts (text_key) WHERE compared = 0;

-- The nearest texts of one group, the nearest first: keys (4 bytes each), then similarities (4 bytes each).
CREATE TABLE neighbours (
  text_key INTEGER NOT NULL,
  text_group INTEGER NOT NULL,
  nearest BLOB NOT NULL,
  PRIMARY KEY (text_key, text_group)
) STRICT, WITHOUT ROWID;

-- The reading that the texts were last read with, and how many there were when rarity was last weighed.
CREATE TABLE relation_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  reading TEXT NOT NULL,
  weighed_texts INTEGER NOT NULL
) STRICT;
