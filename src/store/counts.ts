import type { Reader } from './store.ts';

export interface StoreCounts {
  events: number;
  markets: number;
  priced_markets: number;
  price_chunks: number;
  tail_rows: number;
  index_prints: number;
  rate_prints: number;
  payloads: number;
  payload_bytes: number;
}

/** Counts the rows of the main tables. Cost: one pass over their indexes. */
export function countStore(reader: Reader): StoreCounts {
  const counts = reader.get<StoreCounts>(`SELECT
    (SELECT count(*) FROM events) AS events,
    (SELECT count(*) FROM markets) AS markets,
    (SELECT count(*) FROM market_marks) AS priced_markets,
    (SELECT count(*) FROM price_chunks) AS price_chunks,
    (SELECT count(*) FROM price_tail) AS tail_rows,
    (SELECT count(*) FROM index_prints) AS index_prints,
    (SELECT count(*) FROM rate_prints) AS rate_prints,
    (SELECT count(*) FROM payloads) AS payloads,
    (SELECT coalesce(sum(bytes), 0) FROM payloads) AS payload_bytes`);
  return counts as StoreCounts;
}
