-- Records whose text or group may be another than the one that relations have read: a run looks at these alone. The
-- tables themselves tell it, so that no way of writing them can be forgotten.
CREATE TABLE changed_texts (
  sort TEXT NOT NULL CHECK (sort IN ('market', 'filing', 'news')),
  record_id TEXT NOT NULL,
  PRIMARY KEY (sort, record_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER market_text_added AFTER INSERT ON markets BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('market', new.market_id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER market_text_changed
AFTER UPDATE OF family, question, yes_sub_title, status, closes_at, event_id ON markets
WHEN (old.family, old.question, old.yes_sub_title, old.status, old.closes_at, old.event_id)
  IS NOT (new.family, new.question, new.yes_sub_title, new.status, new.closes_at, new.event_id) BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('market', new.market_id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER event_title_added AFTER INSERT ON events BEGIN
  INSERT INTO changed_texts (sort, record_id)
  SELECT 'market', market_id FROM markets WHERE event_id = new.event_id ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER event_title_changed AFTER UPDATE OF title ON events WHEN old.title <> new.title BEGIN
  INSERT INTO changed_texts (sort, record_id)
  SELECT 'market', market_id FROM markets WHERE event_id = new.event_id ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER filing_text_added AFTER INSERT ON filings BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('filing', new.filing_id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER filing_text_changed
AFTER UPDATE OF title, description, product_name, product_type, products_affected, remarks ON filings BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('filing', new.filing_id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER news_text_added AFTER INSERT ON news_articles BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('news', new.news_id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER news_text_changed AFTER UPDATE OF title, summary ON news_articles BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('news', new.news_id) ON CONFLICT DO NOTHING;
END;

-- A store from before is looked through once more.
INSERT INTO changed_texts (sort, record_id)
SELECT 'market', market_id FROM markets
UNION ALL SELECT 'filing', filing_id FROM filings
UNION ALL SELECT 'news', news_id FROM news_articles;
