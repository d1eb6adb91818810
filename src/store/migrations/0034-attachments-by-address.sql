-- Several filings may name one attachment, which is fetched for all of them at once.
CREATE INDEX filing_documents_by_url ON filing_documents (url);
