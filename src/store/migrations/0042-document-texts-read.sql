-- What every run asks of the texts of attachments, apart from the texts: these are long, and were walked through.
CREATE INDEX document_texts_read ON document_texts (digest, extractor, late_readings, markdown IS NOT NULL);
