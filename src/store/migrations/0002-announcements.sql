-- Notices of index changes: never changed, never removed.

CREATE TABLE announcements (
  announcement_id INTEGER PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN ('rebalance', 'methodology_update', 'corporate_action')),
  ticker TEXT,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  announced_at INTEGER NOT NULL,
  effective_at INTEGER NOT NULL,
  added TEXT NOT NULL,
  removed TEXT NOT NULL
) STRICT;

CREATE INDEX announcements_by_date ON announcements (announced_at, announcement_id);

CREATE TRIGGER announcements_stand BEFORE UPDATE ON announcements BEGIN SELECT raise(ABORT, 'announcements are never changed'); END;
CREATE TRIGGER announcements_stay BEFORE DELETE ON announcements BEGIN SELECT raise(ABORT, 'announcements are never removed'); END;

-- From when on a definition says what is priced; 0: from the beginning.
ALTER TABLE definitions ADD COLUMN takes_effect_at INTEGER NOT NULL DEFAULT 0;
