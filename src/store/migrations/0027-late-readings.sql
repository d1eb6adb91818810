-- How often in a row an attachment could not be read in time by the reader that tried it last.
ALTER TABLE document_texts ADD COLUMN late_readings INTEGER NOT NULL DEFAULT 0;
