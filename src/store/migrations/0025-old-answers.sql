-- Answers are forgotten after a while: whether anything still refers to one is then asked of each.
CREATE INDEX fetches_by_digest ON fetches (digest);
CREATE INDEX rejects_by_fetch ON rejects (fetch_id);

-- Attachments that were given up while their registry was down are asked for again.
UPDATE filing_documents SET tries = 0;
