-- Runs that did not calculate a series to their own instant: they were cut off, or its calculation failed. The next run
-- that calculates goes on from where they ended.
CREATE TABLE unfinished_calculations (
  kind TEXT NOT NULL CHECK (kind IN ('index', 'rate')),
  ticker TEXT NOT NULL,
  calculated_at INTEGER NOT NULL,
  -- The last instant that was calculated by then; none when it is absent.
  reached_at INTEGER,
  PRIMARY KEY (kind, ticker, calculated_at)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER unfinished_calculations_stand BEFORE UPDATE ON unfinished_calculations BEGIN SELECT raise(ABORT, 'what a run calculated is never changed'); END;
CREATE TRIGGER unfinished_calculations_stay BEFORE DELETE ON unfinished_calculations BEGIN SELECT raise(ABORT, 'what a run calculated is never changed'); END;

-- When trading was to end, as the venue said when the market was seen so: the catalog only has what it says today.
ALTER TABLE market_statuses ADD COLUMN closes_at INTEGER;

UPDATE market_statuses SET closes_at = markets.closes_at FROM markets WHERE markets.market_key = market_statuses.market_key;
