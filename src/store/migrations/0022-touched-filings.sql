-- Filings near a market are told to have been touched as well. Kinds of rows more: filing, terms (which filings the terms
-- of a market's contracts are in; without an id, of any).
CREATE TRIGGER filing_added AFTER INSERT ON filings BEGIN
  INSERT INTO touches (kind, id) VALUES ('filing', new.filing_id);
END;

CREATE TRIGGER filing_changed AFTER UPDATE OF filing_id, feed, org, title, description, product_name, product_type,
  category, subcategory, products_affected, remarks, received_day, status, status_day, document_count, first_seen_at,
  source_url ON filings BEGIN
  INSERT INTO touches (kind, id) VALUES ('filing', old.filing_id), ('filing', new.filing_id);
END;

-- Of when it was last seen the US Eastern day is shown, which begins at 4 or 5 hours UTC.
CREATE TRIGGER filing_seen AFTER UPDATE OF last_seen_at ON filings
WHEN (old.last_seen_at - 14400000) / 86400000 <> (new.last_seen_at - 14400000) / 86400000
  OR (old.last_seen_at - 18000000) / 86400000 <> (new.last_seen_at - 18000000) / 86400000 BEGIN
  INSERT INTO touches (kind, id) VALUES ('filing', new.filing_id);
END;

CREATE TRIGGER filing_removed AFTER DELETE ON filings BEGIN
  INSERT INTO touches (kind, id) VALUES ('filing', old.filing_id);
END;

CREATE TRIGGER market_event_changed AFTER UPDATE OF market_id, event_id ON markets
WHEN (old.market_id, old.event_id) IS NOT (new.market_id, new.event_id) BEGIN
  INSERT INTO touches (kind, id) VALUES ('terms', new.market_id);
END;

CREATE TRIGGER event_added AFTER INSERT ON events BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'terms', market_id FROM touch_epoch CROSS JOIN markets WHERE event_id = new.event_id;
END;

CREATE TRIGGER event_series_changed AFTER UPDATE OF event_id, family, series ON events
WHEN (old.event_id, old.family, old.series) IS NOT (new.event_id, new.family, new.series) BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'terms', market_id FROM touch_epoch CROSS JOIN markets WHERE event_id IN (old.event_id, new.event_id);
END;

CREATE TRIGGER event_removed AFTER DELETE ON events BEGIN
  INSERT INTO touches (kind, id)
  SELECT 'terms', market_id FROM touch_epoch CROSS JOIN markets WHERE event_id = old.event_id;
END;

-- Series and their filings are few and seldom differ.
CREATE TRIGGER series_added AFTER INSERT ON series
WHEN EXISTS (SELECT 1 FROM series_filings WHERE series_id = new.series_id) BEGIN
  INSERT INTO touches (kind, id) VALUES ('terms', '');
END;

CREATE TRIGGER series_changed AFTER UPDATE OF series_id, family, native_id ON series
WHEN (old.series_id, old.family, old.native_id) IS NOT (new.series_id, new.family, new.native_id) BEGIN
  INSERT INTO touches (kind, id) VALUES ('terms', '');
END;

CREATE TRIGGER series_removed AFTER DELETE ON series BEGIN
  INSERT INTO touches (kind, id) VALUES ('terms', '');
END;

CREATE TRIGGER series_filing_added AFTER INSERT ON series_filings BEGIN
  INSERT INTO touches (kind, id) VALUES ('terms', '');
END;

CREATE TRIGGER series_filing_changed AFTER UPDATE ON series_filings BEGIN
  INSERT INTO touches (kind, id) VALUES ('terms', '');
END;

CREATE TRIGGER series_filing_removed AFTER DELETE ON series_filings BEGIN
  INSERT INTO touches (kind, id) VALUES ('terms', '');
END;
