import type { SeriesId } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Value } from '../store.ts';
import { HASHED_FIELDS, HOLDING_NUMBER, type Link, linkHash } from './print-chain.ts';

/** The first print of a ticker at which the hash chain is broken. */
export interface BrokenLink {
  at: Instant;
  revision: number;
  reason: string;
}

type Row = Record<string, Value> & { at: Instant; revision: number };

const fields = (table: keyof typeof HASHED_FIELDS) =>
  HASHED_FIELDS[table]
    .map((each) => (each === 'holding_id' ? `${HOLDING_NUMBER} AS holding_id` : `print.${each}`))
    .join(', ');

const INDEX_ROWS = `SELECT ${fields('index_prints')}, print.previous_hash, print.hash,
    receipt AS blob_1, market_keys AS blob_2, quantities AS blob_3
  FROM index_prints AS print LEFT JOIN index_receipts USING (print_id)
    LEFT JOIN holdings USING (holding_id, ticker)
  WHERE print.ticker = ? ORDER BY print_id`;

const RATE_ROWS = `SELECT ${fields('rate_prints')}, print.previous_hash, print.hash,
    market_keys AS blob_1, receipt AS blob_2
  FROM rate_prints AS print WHERE print.ticker = ? ORDER BY print_id`;

/**
 * Verifies the hash chain of a ticker's prints from the first one on.
 *
 * @returns the number of prints verified, and the first one that is not as it was recorded, if any
 */
export function findBrokenLink(
  reader: Reader,
  { kind, ticker }: SeriesId,
): { prints: number; broken?: BrokenLink } {
  let last: Buffer | null = null;
  let prints = 0;
  for (const found of reader.iterate<Row & Link>(kind === 'index' ? INDEX_ROWS : RATE_ROWS, ticker)) {
    const { previous_hash, hash, blob_1, blob_2, blob_3, ...row } = found;
    const { at, revision } = row as Row;
    const broken = (reason: string) => ({ prints, broken: { at, revision, reason } });
    const blobs = [blob_1, blob_2, blob_3].filter((blob) => blob !== undefined);
    if (!blobs.every((blob) => Buffer.isBuffer(blob))) return broken('its inputs are missing');
    if (!sameHash(previous_hash, last)) return broken('the print before it is missing or was replaced');
    if (!sameHash(hash, linkHash(last, row as Row, blobs))) return broken('it was altered');
    last = hash;
    prints++;
  }
  return { prints };
}

function sameHash(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
