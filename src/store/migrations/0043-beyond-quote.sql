-- Whether the last trade, which is the mark, is outside the one remaining quote. Marks of last trades are made anew.
ALTER TABLE market_marks ADD COLUMN beyond_quote INTEGER NOT NULL DEFAULT 0;

INSERT INTO unmarked_markets SELECT market_key FROM market_marks WHERE basis = 'last' ON CONFLICT DO NOTHING;

DROP TRIGGER mark_changed;
CREATE TRIGGER mark_changed AFTER UPDATE OF price, basis, observed_at, beyond_quote ON market_marks BEGIN
  INSERT INTO touched_rows (kind, id, epoch)
  SELECT 'market', market_id, epoch FROM touch_epoch CROSS JOIN markets WHERE market_key = new.market_key
  ON CONFLICT (kind, id) DO UPDATE SET epoch = excluded.epoch WHERE epoch <> excluded.epoch;
END;
