import { z } from 'zod';
import type { SeriesId } from '../../model/constituent-id.ts';
import { CONSTITUENT_STATES } from '../../model/print.ts';
import { formatInstant } from '../../model/time.ts';
import type { EasternDay, Instant } from '../../model/units.ts';
import { parseRecord } from '../read-record.ts';
import type { Reader, Writer } from '../store.ts';

/** The state of an index or rate after its last calculation, whether or not that made a print. */
export interface Standing<Body> {
  calculated_to: Instant;
  /** The definition used by the calculation. */
  definition_key: number;
  /** Absent before the first print. */
  body?: Body | undefined;
}

const lines = z.array(
  z.object({
    market_id: z.string(),
    state: z.enum(CONSTITUENT_STATES),
    weight: z.number(),
    quantity: z.number(),
  }),
);

/** What a state has at least. */
const BODIES = {
  index: z.object({ level: z.number(), divisor: z.number(), cash: z.number(), lines }),
  rate: z.object({ at: z.number(), price: z.number(), spread: z.number(), lines }),
};

/**
 * The state of an index or rate after its last calculation; undefined when it was never calculated.
 *
 * @throws ForemarkError store_unusable when it is not as it was stored
 */
export function findStanding<Body>(reader: Reader, { kind, ticker }: SeriesId): Standing<Body> | undefined {
  const row = reader.get<{ calculated_to: Instant; definition_key: number; body: string | null }>(
    'SELECT calculated_to, definition_key, body FROM standings WHERE kind = ? AND ticker = ?',
    kind,
    ticker,
  );
  if (!row) return undefined;
  const { body, ...rest } = row;
  if (body === null) return rest;
  const name = `the state of ${ticker} at ${formatInstant(row.calculated_to)}`;
  return { ...rest, body: parseRecord<Body>(body, name, BODIES[kind]) };
}

/**
 * The definition that each index was last constituted by, by its ticker; none before its first print. While a change
 * waits to be calculated, that is not the one in effect.
 */
export function listConstituting(reader: Reader): ReadonlyMap<string, number> {
  return reader.untilWritten('constituting definitions', () => {
    const rows = reader.all<{ ticker: string; definition_key: number }>(
      "SELECT ticker, definition_key FROM standings WHERE kind = 'index' AND body IS NOT NULL",
    );
    return new Map(rows.map((row) => [row.ticker, row.definition_key]));
  });
}

/** Stores the state of an index or rate. Must be in the same transaction as the prints that led to it. */
export function setStanding<Body>(
  writer: Writer,
  { kind, ticker }: SeriesId,
  standing: Standing<Body>,
): void {
  writer.run(
    `INSERT INTO standings (kind, ticker, calculated_to, definition_key, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, ticker) DO UPDATE SET
       calculated_to = excluded.calculated_to, definition_key = excluded.definition_key, body = excluded.body`,
    kind,
    ticker,
    standing.calculated_to,
    standing.definition_key,
    standing.body === undefined ? null : JSON.stringify(standing.body),
  );
}

/** The last instant for which an index or rate was calculated; undefined if never. */
export function findCalculatedTo(reader: Reader, { kind, ticker }: SeriesId): Instant | undefined {
  return reader.value('SELECT calculated_to FROM standings WHERE kind = ? AND ticker = ?', kind, ticker);
}

/** The close of a US Eastern day: its last print. */
export interface CloseRow {
  day: EasternDay;
  at: Instant;
}

/** Stores the close of a day. If the day already has one, the later is kept. */
export function setClose(writer: Writer, { kind, ticker }: SeriesId, close: CloseRow): void {
  writer.run(
    `INSERT INTO daily_closes (kind, ticker, day, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, ticker, day) DO UPDATE SET at = max(at, excluded.at)`,
    kind,
    ticker,
    close.day,
    close.at,
  );
}

const NEVER: EasternDay = '9999-12-31';

/** The last closes of an index or rate before a day, in order; all when day and limit are left out. */
export function listCloses(
  reader: Reader,
  { kind, ticker }: SeriesId,
  before = NEVER,
  limit = Number.MAX_SAFE_INTEGER,
): CloseRow[] {
  const rows = reader.all<CloseRow>(
    'SELECT day, at FROM daily_closes WHERE kind = ? AND ticker = ? AND day < ? ORDER BY day DESC LIMIT ?',
    kind,
    ticker,
    before,
    limit,
  );
  return rows.reverse();
}
