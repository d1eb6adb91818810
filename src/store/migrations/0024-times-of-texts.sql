-- When an article came out, and when a market was listed: an article from long before a question could be asked is not
-- about it. Texts are read anew by the program that knows of this.
ALTER TABLE relation_texts ADD COLUMN at INTEGER;

DROP TRIGGER market_text_changed;
CREATE TRIGGER market_text_changed
AFTER UPDATE OF family, question, yes_sub_title, status, listed_at, opens_at, closes_at, event_id ON markets
WHEN (old.family, old.question, old.yes_sub_title, old.status, old.listed_at, old.opens_at, old.closes_at,
    old.event_id)
  IS NOT (new.family, new.question, new.yes_sub_title, new.status, new.listed_at, new.opens_at, new.closes_at,
    new.event_id) BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('market', new.market_id) ON CONFLICT DO NOTHING;
END;

DROP TRIGGER news_text_changed;
CREATE TRIGGER news_text_changed AFTER UPDATE OF title, summary, published_at ON news_articles BEGIN
  INSERT INTO changed_texts (sort, record_id) VALUES ('news', new.news_id) ON CONFLICT DO NOTHING;
END;
