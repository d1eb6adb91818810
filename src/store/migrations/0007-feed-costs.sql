-- What a feed cost when it was last asked, and how its tries of the US Eastern day ended.
ALTER TABLE feeds ADD COLUMN requests INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN seconds REAL NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN day TEXT;
ALTER TABLE feeds ADD COLUMN tries_of_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN good_of_day INTEGER NOT NULL DEFAULT 0;
