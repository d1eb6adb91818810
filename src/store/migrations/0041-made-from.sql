-- Digests, SHA-256 one after the other, of what the long documents of the last publish were made from.
ALTER TABLE answered ADD COLUMN made_from BLOB NOT NULL DEFAULT x'';
