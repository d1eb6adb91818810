-- Which rows that documents are answered from may be others than when all was last published, so that a document of
-- which none is touched need not be answered again. The tables themselves tell it, so that no way of writing them can
-- be forgotten. Kinds of rows: market (all of it, with its mark), near (what is shown of a market near others), status
-- (of a market), lists (of a record's neighbours), text (with its market's status), article.
CREATE TABLE touched_rows (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- The epoch that rows are touched in; each publish begins one. Nothing is noted before the first.
CREATE TABLE touch_epoch (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  epoch INTEGER NOT NULL
) STRICT;

-- The generation that was last published from this store, and since which epoch rows may differ from those it was
-- answered from. Without a row nobody knows.
CREATE TABLE answered (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  generation TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  as_of INTEGER NOT NULL,
  -- The program and the settings that answered.
  answered_by TEXT NOT NULL
) STRICT;

-- The rows that the documents of each market were answered from: of each document their number, then their checksums,
-- 4 bytes each.
CREATE TABLE answered_from (
  market_id TEXT PRIMARY KEY,
  row_checksums BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- To touch a row is to insert it here.
CREATE VIEW touches AS SELECT kind, id FROM touched_rows;

CREATE TRIGGER touch INSTEAD OF INSERT ON touches BEGIN
  INSERT INTO touched_rows (kind, id, epoch) SELECT new.kind, new.id, epoch FROM touch_epoch WHERE true
  ON CONFLICT (kind, id) DO UPDATE SET epoch = excluded.epoch;
END;

CREATE TRIGGER market_added AFTER INSERT ON markets BEGIN
  INSERT INTO touches (kind, id)
  VALUES ('market', new.market_id), ('near', new.market_id), ('status', new.market_id);
  INSERT INTO touches (kind, id)
  SELECT 'text', text_key FROM relation_texts WHERE sort = 'market' AND record_id = new.market_id;
END;

-- Of all columns but those that say when it was seen: who writes a row names the columns that differ.
CREATE TRIGGER market_changed AFTER UPDATE OF market_id, event_id, family, native_id, question, description, slug,
  event_slug, rules_primary, yes_sub_title, market_type, status, venue_status, price_token, listed_at, opens_at,
  closes_at, settled_at, payout, volume, volume_unit, open_interest ON markets BEGIN
  INSERT INTO touches (kind, id) VALUES ('market', old.market_id), ('market', new.market_id);
END;

CREATE TRIGGER near_market_changed AFTER UPDATE OF market_id, market_key, question, description ON markets BEGIN
  INSERT INTO touches (kind, id) VALUES ('near', old.market_id), ('near', new.market_id);
END;

CREATE TRIGGER market_status_changed AFTER UPDATE OF market_id, status ON markets BEGIN
  INSERT INTO touches (kind, id) VALUES ('status', old.market_id), ('status', new.market_id);
  INSERT INTO touches (kind, id)
  SELECT 'text', text_key FROM relation_texts WHERE sort = 'market' AND record_id IN (old.market_id, new.market_id);
END;

CREATE TRIGGER market_removed AFTER DELETE ON markets BEGIN
  INSERT INTO touches (kind, id)
  VALUES ('market', old.market_id), ('near', old.market_id), ('status', old.market_id);
  INSERT INTO touches (kind, id)
  SELECT 'text', text_key FROM relation_texts WHERE sort = 'market' AND record_id = old.market_id;
END;

CREATE TRIGGER mark_added AFTER INSERT ON market_marks BEGIN
  INSERT INTO touches (kind, id)
  SELECT column1, market_id FROM markets, (VALUES ('market'), ('near')) WHERE market_key = new.market_key;
END;

CREATE TRIGGER mark_changed AFTER UPDATE OF market_key, price, basis, observed_at ON market_marks BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'market', market_id FROM markets WHERE market_key IN (old.market_key, new.market_key);
END;

-- A list of what is near shows of a mark the price alone, which stands more often than it is seen again.
CREATE TRIGGER mark_price_changed AFTER UPDATE OF market_key, price ON market_marks
WHEN (old.market_key, old.price) <> (new.market_key, new.price) BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'near', market_id FROM markets WHERE market_key IN (old.market_key, new.market_key);
END;

CREATE TRIGGER mark_removed AFTER DELETE ON market_marks BEGIN
  INSERT INTO touches (kind, id)
  SELECT column1, market_id FROM markets, (VALUES ('market'), ('near')) WHERE market_key = old.market_key;
END;

CREATE TRIGGER text_added AFTER INSERT ON relation_texts BEGIN
  INSERT INTO touches (kind, id) VALUES ('text', new.text_key), ('lists', new.sort || ' ' || new.record_id);
END;

CREATE TRIGGER text_changed AFTER UPDATE OF text_key, sort, record_id, text_group ON relation_texts BEGIN
  INSERT INTO touches (kind, id) VALUES
    ('text', old.text_key), ('lists', old.sort || ' ' || old.record_id),
    ('text', new.text_key), ('lists', new.sort || ' ' || new.record_id);
END;

CREATE TRIGGER text_removed AFTER DELETE ON relation_texts BEGIN
  INSERT INTO touches (kind, id) VALUES ('text', old.text_key), ('lists', old.sort || ' ' || old.record_id);
END;

CREATE TRIGGER neighbours_added AFTER INSERT ON neighbours BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'lists', sort || ' ' || record_id FROM relation_texts WHERE text_key = new.text_key;
END;

CREATE TRIGGER neighbours_changed AFTER UPDATE ON neighbours
WHEN (old.text_key, old.text_group, old.nearest) <> (new.text_key, new.text_group, new.nearest) BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'lists', sort || ' ' || record_id FROM relation_texts WHERE text_key IN (old.text_key, new.text_key);
END;

-- Where the text went before its lists, that has told.
CREATE TRIGGER neighbours_removed AFTER DELETE ON neighbours BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'lists', sort || ' ' || record_id FROM relation_texts WHERE text_key = old.text_key;
END;

CREATE TRIGGER article_added AFTER INSERT ON news_articles BEGIN
  INSERT INTO touches (kind, id) VALUES ('article', new.news_id);
END;

CREATE TRIGGER article_changed AFTER UPDATE OF news_id, url, source, title, summary, author, published_at
  ON news_articles BEGIN
  INSERT INTO touches (kind, id) VALUES ('article', old.news_id), ('article', new.news_id);
END;

CREATE TRIGGER article_removed AFTER DELETE ON news_articles BEGIN
  INSERT INTO touches (kind, id) VALUES ('article', old.news_id);
END;
