-- Markets of which something has changed that their mark is made of since they were last marked. The tables themselves
-- tell it, so that no way of writing them can be forgotten.
CREATE TABLE unmarked_markets (
  market_key INTEGER PRIMARY KEY
) STRICT;

INSERT INTO unmarked_markets SELECT market_key FROM markets;

CREATE TRIGGER market_to_mark AFTER INSERT ON markets BEGIN
  INSERT INTO unmarked_markets VALUES (new.market_key) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER market_to_mark_anew AFTER UPDATE OF status, payout, settled_at ON markets BEGIN
  INSERT INTO unmarked_markets VALUES (new.market_key) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER quote_to_mark AFTER INSERT ON latest_quotes BEGIN
  INSERT INTO unmarked_markets VALUES (new.market_key) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER quote_to_mark_anew AFTER UPDATE ON latest_quotes BEGIN
  INSERT INTO unmarked_markets VALUES (new.market_key) ON CONFLICT DO NOTHING;
END;

-- Books that give way to a newer price history once they are too old.
CREATE INDEX latest_quotes_to_give_way ON latest_quotes (book_at) WHERE history_at > book_at;
