-- The hash of a notice is over that of the notice before it. One from before this has none; the next that is recorded
-- covers it.
ALTER TABLE announcements ADD COLUMN hash BLOB;
