-- How many markets and events there are of each venue: to count a million anew takes a hundred times as long as to read
-- a page of them. The tables themselves tell it.
CREATE TABLE catalog_counts (
  kind TEXT NOT NULL CHECK (kind IN ('market', 'event')),
  platform TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, platform)
) STRICT, WITHOUT ROWID;

INSERT INTO catalog_counts SELECT 'market', substr(market_id, 1, 7), count(*) FROM markets GROUP BY 2;
INSERT INTO catalog_counts SELECT 'event', substr(event_id, 1, 7), count(*) FROM events GROUP BY 2;

CREATE TRIGGER market_counted AFTER INSERT ON markets BEGIN
  INSERT INTO catalog_counts VALUES ('market', substr(new.market_id, 1, 7), 1)
  ON CONFLICT (kind, platform) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER event_counted AFTER INSERT ON events BEGIN
  INSERT INTO catalog_counts VALUES ('event', substr(new.event_id, 1, 7), 1)
  ON CONFLICT (kind, platform) DO UPDATE SET count = count + 1;
END;

-- No run takes a row out; whoever does so by hand is followed.
CREATE TRIGGER market_counted_off AFTER DELETE ON markets BEGIN
  UPDATE catalog_counts SET count = count - 1 WHERE kind = 'market' AND platform = substr(old.market_id, 1, 7);
END;

CREATE TRIGGER event_counted_off AFTER DELETE ON events BEGIN
  UPDATE catalog_counts SET count = count - 1 WHERE kind = 'event' AND platform = substr(old.event_id, 1, 7);
END;
