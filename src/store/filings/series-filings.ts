import type { Family } from '../../model/platform.ts';
import type { Reader, Writer } from '../store.ts';

export interface SeriesTerms {
  series_id: string;
  contract_url: string | null;
  contract_terms_url: string | null;
}

/** The series of a venue for which an address of the contract terms is known, in order: a fingerprint is made of them. */
export function listSeriesTerms(reader: Reader, family: Family): SeriesTerms[] {
  return reader.all(
    `SELECT series_id, contract_url, contract_terms_url FROM series
     WHERE family = ? AND coalesce(contract_url, contract_terms_url) IS NOT NULL ORDER BY native_id`,
    family,
  );
}

/** The texts of the filings of some organizations and of their attachments; a filing may occur several times. */
export function eachFilingText(
  reader: Reader,
  organizations: readonly string[],
): IterableIterator<{ filing_id: number; text: string }> {
  const among = 'lower(org) IN (SELECT lower(value) FROM json_each(@organizations))';
  return reader.iterate(
    `SELECT filing_id, concat_ws(char(10), title, product_name, description, products_affected, remarks) AS text
     FROM filings WHERE ${among}
     UNION ALL
     SELECT filing_id, markdown FROM filings JOIN filing_documents USING (filing_id)
       JOIN document_texts ON document_texts.digest = filing_documents.digest WHERE ${among} AND markdown IS NOT NULL`,
    { organizations: JSON.stringify(organizations) },
  );
}

/**
 * A fingerprint of the texts of filings and attachments in the store, which changes when any of them does: a filing that
 * changes gets a new text to compare, and an attachment that is read anew another version of the extractor.
 */
export function findFilingTextState(reader: Reader): object | undefined {
  return reader.get<object>(
    `SELECT (SELECT max(text_key) FROM relation_texts WHERE sort = 'filing') AS newest,
       (SELECT count(digest) FROM filing_documents) AS documents,
       (SELECT json_group_object(extractor, texts) FROM (
          SELECT extractor, sum(markdown IS NOT NULL) AS texts FROM document_texts INDEXED BY document_texts_read
          GROUP BY extractor)) AS texts`,
  );
}

/** The fingerprint of the texts in which the pairs were last found, stored by {@link setSeriesFilings}. */
export function findFoundIn(reader: Reader): string | undefined {
  return reader.value('SELECT found_in FROM series_filings_state');
}

/** Stores which filings mention the terms of which series, replacing the earlier pairs. */
export function setSeriesFilings(
  writer: Writer,
  pairs: readonly { series_id: string; filing_id: number }[],
  foundIn: string,
): void {
  const named = JSON.stringify(pairs.map(({ series_id, filing_id }) => [series_id, filing_id]));
  const values = `SELECT value ->> 0 AS series_id, value ->> 1 AS filing_id FROM json_each(?)`;
  writer.run(`DELETE FROM series_filings WHERE (series_id, filing_id) NOT IN (${values})`, named);
  writer.run(`INSERT OR IGNORE INTO series_filings (series_id, filing_id) ${values}`, named);
  writer.run('INSERT OR REPLACE INTO series_filings_state (only, found_in) VALUES (1, ?)', foundIn);
}

/** The filings that mention the contract terms of a market's series, newest first. */
export function listFilingsOfTerms(reader: Reader, marketId: string, limit: number): number[] {
  const sql = `SELECT filing_id FROM series_filings WHERE series_id = (
       SELECT series_id FROM markets JOIN events USING (event_id)
         JOIN series ON series.family = events.family AND series.native_id = events.series
       WHERE market_id = +?)
     ORDER BY filing_id DESC LIMIT +?`;
  return reader.reading('terms', '', () =>
    reader.reading('terms', marketId, () => reader.column(sql, marketId, limit)),
  );
}

/** The active markets of the series whose contract terms a filing mentions, most traded first. */
export function listMarketsOfTerms(reader: Reader, filingId: number, limit: number): string[] {
  // The cross joins keep SQLite from scanning all markets by volume for a few matches: most filings have none.
  return reader.column(
    `SELECT market_id FROM series_filings CROSS JOIN series USING (series_id)
       CROSS JOIN events ON events.family = series.family AND events.series = series.native_id
       CROSS JOIN markets USING (event_id)
     WHERE filing_id = ? AND markets.status = 'active'
     ORDER BY markets.volume DESC NULLS LAST, market_id LIMIT ?`,
    filingId,
    limit,
  );
}
