import type { SeriesKind } from '../model/constituent-id.ts';
import type { Instant } from '../model/units.ts';
import { linkHash } from './prints/print-chain.ts';
import type { Reader, Value, Writer } from './store.ts';

/** The hash chain of what is recorded besides prints, whose own chains are one a ticker. */

/** What a record is of. */
export interface RecordName {
  kind: SeriesKind | 'announcement' | 'run';
  /** Null for what concerns all series. */
  ticker: string | null;
  at: Instant;
}

/** A record that is not as it was recorded. */
export interface BrokenRecord extends RecordName {
  reason: string;
}

/**
 * The rows of each kind of record: their id, what they are of, and whatever else their links cover. What these select
 * must never change, since links that are there were made with it.
 */
const RECORDS = {
  definition: {
    named: 'the definition adopted then',
    rows: `SELECT definition_key AS row_id, kind, ticker, adopted_at AS at, digest, takes_effect_at FROM definitions`,
  },
  withdrawal: {
    named: 'the withdrawal of its definition',
    rows: `SELECT definition_key AS row_id, kind, ticker, withdrawn_at AS at FROM definitions
      WHERE withdrawn_at IS NOT NULL`,
  },
  announcement: {
    named: 'it',
    rows: `SELECT announcement_id AS row_id, 'announcement' AS kind, ticker, announced_at AS at, type, title, body,
      effective_at, added, removed, hex(hash) AS hash, deed, calls_off FROM announcements`,
  },
  step: {
    named: 'a line of its ledger',
    rows: `SELECT step_id AS row_id, 'index' AS kind, ticker, at, reason, market_ids, level_before, level_after,
      divisor_before, divisor_after, recalculation_id FROM divisor_steps`,
  },
  recalculation: {
    named: 'the record of its recalculation',
    rows: `SELECT recalculation_id AS row_id, kind, ticker, recorded_at AS at, from_at, until_at, every_minutes,
      grid_until, reason FROM recalculations`,
  },
  run: {
    named: 'the record of the run',
    rows: `SELECT calculated_at AS row_id, 'run' AS kind, NULL AS ticker, calculated_at AS at FROM calculations`,
  },
  unfinished: {
    named: 'the record of a run that did not finish it',
    rows: `SELECT unfinished_id AS row_id, kind, ticker, calculated_at AS at, reached_at FROM unfinished_calculations`,
  },
} as const;

type RecordKind = keyof typeof RECORDS;
type Row = RecordName & { row_id: number } & Record<string, Value>;

const KINDS = Object.keys(RECORDS) as RecordKind[];

/** Adds a row that was just recorded to the chain, or the instant at which it was withdrawn. */
export function linkRecord(writer: Writer, record: RecordKind, rowId: number): void {
  const last = writer.value<Buffer>('SELECT hash FROM record_links ORDER BY link_id DESC LIMIT 1');
  if (last) append(writer, last, record, rowId);
  else linkAll(writer);
}

/** The first links of a store. A store from before there were any has many rows. */
function linkAll(writer: Writer): void {
  let last: Buffer | null = null;
  for (const record of KINDS) {
    const next = `SELECT row_id FROM (${RECORDS[record].rows}) WHERE row_id > ? ORDER BY row_id LIMIT 1000`;
    for (let ids = writer.column<number>(next, Number.MIN_SAFE_INTEGER); ids.length > 0; ) {
      for (const id of ids) last = append(writer, last, record, id);
      ids = writer.column<number>(next, ids.at(-1) as number);
    }
  }
}

function append(writer: Writer, last: Buffer | null, record: RecordKind, rowId: number): Buffer {
  const row = findRow(writer, record, rowId) as Row;
  const hash = hashOf(last, record, row);
  const sql = 'INSERT INTO record_links (record, row_id, kind, ticker, at, hash) VALUES (?, ?, ?, ?, ?, ?)';
  writer.run(sql, record, rowId, row.kind, row.ticker, row.at, hash);
  return hash;
}

function findRow(reader: Reader, record: RecordKind, rowId: number): Row | undefined {
  return reader.get<Row>(`SELECT * FROM (${RECORDS[record].rows}) WHERE row_id = ?`, rowId);
}

function hashOf(last: Buffer | null, record: RecordKind, row: Row): Buffer {
  return linkHash(last, { record, ...row }, []);
}

/**
 * Finds the records besides prints that are not as they were recorded, in the order of recording: altered, missing, or
 * not on the chain.
 */
export function findBrokenRecords(reader: Reader): BrokenRecord[] {
  const broken: BrokenRecord[] = [];
  let last: Buffer | null = null;
  type Link = RecordName & { record: RecordKind; row_id: number; hash: Buffer };
  const sql = 'SELECT record, row_id, kind, ticker, at, hash FROM record_links ORDER BY link_id';
  for (const { record, row_id, hash, ...name } of reader.iterate<Link>(sql)) {
    const named = RECORDS[record]?.named ?? `a ${record}`;
    const row = RECORDS[record] && findRow(reader, record, row_id);
    if (!row) broken.push({ ...name, reason: `${named} is missing` });
    else if (!isNamed(row, name) || !hash.equals(hashOf(last, record, row)))
      broken.push({ ...name, reason: `${named} was altered, or what was recorded before it is missing` });
    last = hash;
  }
  // Before the first run there may be rows from before there was a chain.
  if (last) for (const record of KINDS) broken.push(...listUnlinked(reader, record));
  return broken;
}

function isNamed({ kind, ticker, at }: RecordName, name: RecordName): boolean {
  return kind === name.kind && ticker === name.ticker && at === name.at;
}

function listUnlinked(reader: Reader, record: RecordKind): BrokenRecord[] {
  const { rows, named } = RECORDS[record];
  const names = reader.all<RecordName>(
    `SELECT kind, ticker, at FROM (${rows}) AS row WHERE NOT EXISTS (
       SELECT 1 FROM record_links WHERE record = ? AND row_id = row.row_id) ORDER BY row_id`,
    record,
  );
  return names.map((name) => ({ ...name, reason: `${named} is not on the chain of what was recorded` }));
}
