-- Inputs that came or changed after prints had rested on what was known: the next run restates those prints.
CREATE TABLE late_inputs (
  late_input_id INTEGER PRIMARY KEY,
  market_key INTEGER NOT NULL REFERENCES market_names,
  valid_at INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('late_settlement', 'revised_price'))
) STRICT;

-- Spans of a series that were calculated once more, with what was known when that was recorded.
CREATE TABLE recalculations (
  recalculation_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('index', 'rate')),
  ticker TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  -- A finer grid than that of the runs, up to an instant.
  every_minutes INTEGER,
  grid_until INTEGER,
  reason TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;

CREATE INDEX recalculations_by_ticker ON recalculations (kind, ticker);

CREATE TRIGGER recalculations_stand BEFORE UPDATE ON recalculations BEGIN SELECT raise(ABORT, 'recalculations are never changed'); END;
CREATE TRIGGER recalculations_stay BEFORE DELETE ON recalculations BEGIN SELECT raise(ABORT, 'recalculations are never removed'); END;

-- 0: a step of the run that calculated first.
ALTER TABLE divisor_steps ADD COLUMN recalculation_id INTEGER NOT NULL DEFAULT 0;

-- The steps that count: those of the newest calculation of their instant.
CREATE VIEW standing_divisor_steps AS
SELECT * FROM divisor_steps AS step
WHERE NOT EXISTS (
  SELECT 1 FROM recalculations AS later
  WHERE later.kind = 'index' AND later.ticker = step.ticker AND step.at BETWEEN later.from_at AND later.until_at
    AND later.recalculation_id > step.recalculation_id
);
