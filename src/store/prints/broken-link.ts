import type { SeriesId } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Value } from '../store.ts';
import { PRINTS } from './known-prints.ts';
import { HASHED_FIELDS, hashContents, type Link, linkHash } from './print-chain.ts';
import { decodeMarketKeys } from './receipts.ts';

/** The first print of a ticker at which the hash chain is broken. */
export interface BrokenLink {
  at: Instant;
  revision: number;
  reason: string;
}

type Row = Record<string, Value> &
  Link & {
    at: Instant;
    revision: number;
    hash_form: number;
    receipt: Buffer | null;
    market_keys: Buffer | null;
    /** Of an index only. */
    quantities?: Buffer | null;
  };

const MADE = 'made.digest AS definition, made.adopted_at';

// The number of holdings is that among those of their index; the oldest are numbered by their ids.
const INDEX_ROWS = `SELECT print.*, coalesce(number, held.holding_id) AS holding_id, ${MADE}, receipt, market_keys, quantities
  FROM index_prints AS print LEFT JOIN definitions AS made USING (definition_key)
    LEFT JOIN index_receipts USING (print_id)
    LEFT JOIN holdings AS held ON held.holding_id = print.holding_id AND held.ticker = print.ticker
  WHERE print.ticker = ? ORDER BY print_id`;

const RATE_ROWS = `SELECT print.*, ${MADE}
  FROM rate_prints AS print LEFT JOIN definitions AS made USING (definition_key)
  WHERE print.ticker = ? ORDER BY print_id`;

/**
 * Verifies the hash chain of a ticker's prints from the first one on.
 *
 * @returns the number of prints verified, and the first one that is not as it was recorded, if any
 */
export function findBrokenLink(
  reader: Reader,
  { kind, ticker }: SeriesId,
): { prints: number; broken?: BrokenLink } {
  const forms = HASHED_FIELDS[PRINTS[kind].table];
  const contentsOf = contentsHasher(reader);
  let last: Buffer | null = null;
  let prints = 0;
  for (const row of reader.iterate<Row>(kind === 'index' ? INDEX_ROWS : RATE_ROWS, ticker)) {
    const { at, revision } = row;
    const broken = (reason: string) => ({ prints, broken: { at, revision, reason } });
    const blobs = blobsOf(row, contentsOf);
    if (!blobs) return broken('its inputs are missing');
    if (!sameHash(row.previous_hash, last)) return broken('the print before it is missing or was replaced');
    const fields = forms[row.hash_form] ?? [];
    const hashed = Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));
    if (!sameHash(row.hash, linkHash(last, hashed, blobs))) return broken('it was altered');
    last = row.hash;
    prints++;
  }
  return { prints };
}

/** What the hash of a print covers besides its fields, in order; undefined if something is missing. */
function blobsOf(
  { hash_form, receipt, market_keys, quantities }: Row,
  contentsOf: (marketKeys: Buffer, quantities?: Buffer) => Buffer,
): Buffer[] | undefined {
  if (!receipt || !market_keys || quantities === null) return undefined;
  if (hash_form === 1) return [receipt, contentsOf(market_keys, quantities)];
  return quantities ? [receipt, market_keys, quantities] : [market_keys, receipt];
}

/** A function that returns the hash of what prints hold. Consecutive prints mostly hold the same. */
function contentsHasher(reader: Reader): (marketKeys: Buffer, quantities?: Buffer) => Buffer {
  let last: { marketKeys: Buffer; quantities: Buffer | undefined; contents: Buffer } | undefined;
  return (marketKeys, quantities) => {
    const isSame =
      last?.marketKeys.equals(marketKeys) &&
      (quantities ? last.quantities?.equals(quantities) : !last.quantities);
    if (!last || !isSame) {
      const contents = hashContents(decodeMarketKeys(reader, marketKeys), quantities);
      last = { marketKeys, quantities, contents };
    }
    return last.contents;
  };
}

function sameHash(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
