-- Series that late inputs are to restate. A row goes with its restatement, so one that failed is tried again.
CREATE TABLE late_series (
  kind TEXT NOT NULL CHECK (kind IN ('index', 'rate')),
  ticker TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('late_settlement', 'revised_price')),
  PRIMARY KEY (kind, ticker)
) STRICT, WITHOUT ROWID;
