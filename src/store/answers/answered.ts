import type { Instant } from '../../model/units.ts';
import { RowInsertion } from '../many-rows.ts';
import type { Reader, RowKind, Writer } from '../store.ts';
import { rowChecksum } from './tracked-reader.ts';

/** The last publish from this store. */
export interface Answered {
  /** Digest of the generation's record. */
  generation: string;
  /** Rows touched in this epoch or later may have changed since the publish. */
  epoch: number;
  as_of: Instant;
  /** Identifies the program and the settings that made the answers; {@link CUT_OFF} if one that began later did not end. */
  answered_by: string;
  /** Digests, in hex, of what its long documents were made from. */
  made_from: ReadonlySet<string>;
}

/** Stands for the program while a publish is under way, and after one that was interrupted or refused. */
export const CUT_OFF = '';

/** The last publish from this store that came to its end; undefined if there is none. */
export function findAnswered(reader: Reader): Answered | undefined {
  const row = reader.get<Omit<Answered, 'made_from'> & { made_from: string }>(
    'SELECT generation, epoch, as_of, answered_by, lower(hex(made_from)) AS made_from FROM answered',
  );
  return row && { ...row, made_from: new Set(row.made_from.match(/.{64}/g)) };
}

/** Whether a publish from this store ever began. For a store from before there were epochs, its runs show this. */
export function hasPublished(reader: Reader): boolean {
  const sql = `SELECT 1 FROM touch_epoch UNION ALL
    SELECT 1 FROM runs WHERE command IN ('run', 'publish') AND outcome IN ('complete', 'partial')`;
  return reader.get(sql) !== undefined;
}

/**
 * Begins an epoch, and marks the last publish as {@link CUT_OFF} until {@link noteAnswered} writes the new one: after an
 * interrupted publish the next one answers everything again.
 *
 * @returns the new epoch
 */
export function beginEpoch(writer: Writer): number {
  writer.run('UPDATE answered SET answered_by = ?', CUT_OFF);
  return writer.value<number>(`INSERT INTO touch_epoch (only, epoch) VALUES (1, 1)
    ON CONFLICT (only) DO UPDATE SET epoch = epoch + 1 RETURNING epoch`) as number;
}

/** Records a publish, and deletes the touched rows of earlier epochs. */
export function noteAnswered(writer: Writer, answered: Answered): void {
  const { generation, epoch, as_of, answered_by } = answered;
  const made_from = Buffer.from([...answered.made_from].join(''), 'hex');
  const sql = `INSERT OR REPLACE INTO answered (only, generation, epoch, as_of, answered_by, made_from)
    VALUES (1, ?, ?, ?, ?, ?)`;
  writer.run(sql, generation, epoch, as_of, answered_by, made_from);
  writer.run('DELETE FROM touched_rows WHERE epoch < ?', epoch);
}

/** Checksums of the rows that were touched since an epoch began. */
export function findTouchedRows(reader: Reader, since: number): Set<number> {
  const touched = new Set<number>();
  const sql = 'SELECT kind, id FROM touched_rows WHERE epoch >= ?';
  for (const { kind, id } of reader.iterate<{ kind: RowKind; id: string }>(sql, since))
    touched.add(rowChecksum(kind, id));
  return touched;
}

/** The rows that the documents of a market were made from. */
export interface MarketRows {
  market_id: string;
  /** Checksums by document, in the order of their routes. */
  rows: readonly Uint32Array[];
}

/** The rows that the documents of each market were made from, ordered by id; an empty list where unknown. */
export function* eachMarketRows(reader: Reader): Generator<MarketRows> {
  const sql = `SELECT market_id, row_checksums FROM markets LEFT JOIN answered_from USING (market_id)
    ORDER BY market_id`;
  const found = reader.iterate<{ market_id: string; row_checksums: Buffer | null }>(sql);
  for (const { market_id, row_checksums } of found)
    yield { market_id, rows: row_checksums ? decode(row_checksums) : [] };
}

const rowsOfMarkets = new RowInsertion({
  table: 'answered_from',
  columns: ['market_id', 'row_checksums'],
  otherwise: 'ON CONFLICT (market_id) DO UPDATE SET row_checksums = excluded.row_checksums',
});

/** Stores the rows that the documents of markets were made from, replacing earlier ones. */
export function setMarketRows(writer: Writer, markets: readonly MarketRows[]): void {
  rowsOfMarkets.insert(
    writer,
    markets.flatMap(({ market_id, rows }) => [market_id, encode(rows)]),
  );
}

function encode(rows: readonly Uint32Array[]): Buffer {
  const numbers = Uint32Array.from(rows.flatMap((each) => [each.length, ...each]));
  return Buffer.from(numbers.buffer);
}

function decode(blob: Buffer): Uint32Array[] {
  const numbers = new Uint32Array(Uint8Array.from(blob).buffer);
  const rows: Uint32Array[] = [];
  for (let at = 0; at < numbers.length; ) {
    const from = at + 1;
    at = from + (numbers[at] as number);
    rows.push(numbers.subarray(from, at));
  }
  return rows;
}
