import type { DivisorStep, IndexPrint } from '../model/print.ts';
import type { Instant } from '../model/units.ts';
import { bytesOf } from './price-codec.ts';
import { PrintChain } from './print-chain.ts';
import { decodeReceipt, encodeMarketKeys, encodeReceipt } from './receipts.ts';
import type { Reader, Writer } from './store.ts';

/** A print without what entered it: enough for a series. */
export interface IndexPrintRow {
  print_id: number;
  at: Instant;
  revision: number;
  level: number;
  coverage: number;
  definition_key: number;
  methodology_version: string;
}

/** How a print came to be recorded. */
export interface Made {
  definition_key: number;
  recorded_at: Instant;
}

interface Holding {
  holding_id: number;
  market_keys: Buffer;
  quantities: Buffer;
}

/** The record of one index, open for prints to be added. A print is never changed afterwards. */
export class IndexRecord {
  readonly #writer: Writer;
  readonly #ticker: string;
  readonly #chain: PrintChain;
  #holding: Holding | undefined;

  constructor(writer: Writer, ticker: string) {
    this.#writer = writer;
    this.#ticker = ticker;
    this.#chain = new PrintChain(writer, 'index_prints', ticker);
    this.#holding = writer.get<Holding>(
      `SELECT * FROM holdings WHERE holding_id = (
         SELECT holding_id FROM index_prints WHERE ticker = ? ORDER BY print_id DESC LIMIT 1)`,
      ticker,
    );
  }

  add(print: IndexPrint, made: Made): void {
    const receipt = encodeReceipt(print.lines, print.at);
    const holding = this.#hold(print);
    const row = {
      ticker: this.#ticker,
      at: print.at,
      revision: 0,
      level: print.level,
      divisor: print.divisor,
      cash: print.cash,
      coverage: print.coverage,
      holding_id: holding.holding_id,
      definition_key: made.definition_key,
      methodology_version: print.methodology_version,
      recorded_at: made.recorded_at,
    };
    const { key } = this.#writer.run(
      `INSERT INTO index_prints (ticker, at, revision, level, divisor, cash, coverage, holding_id, definition_key,
         methodology_version, recorded_at, previous_hash, hash)
       VALUES (@ticker, @at, @revision, @level, @divisor, @cash, @coverage, @holding_id, @definition_key,
         @methodology_version, @recorded_at, @previous_hash, @hash)`,
      { ...row, ...this.#chain.add(row, receipt, holding.market_keys, holding.quantities) },
    );
    this.#writer.run('INSERT INTO index_receipts (print_id, receipt) VALUES (?, ?)', key, receipt);
  }

  /** Between two steps all prints share one row of holdings. */
  #hold(print: IndexPrint): Holding {
    const market_keys = encodeMarketKeys(this.#writer, print.lines);
    const quantities = bytesOf(Float64Array.from(print.lines, (line) => line.quantity));
    const last = this.#holding;
    if (last?.market_keys.equals(market_keys) && last.quantities.equals(quantities)) return last;
    const sql = 'INSERT INTO holdings (ticker, market_keys, quantities) VALUES (?, ?, ?)';
    const holding_id = this.#writer.run(sql, this.#ticker, market_keys, quantities).key;
    this.#holding = { holding_id, market_keys, quantities };
    return this.#holding;
  }
}

/** Adds a line to the continuity ledger of an index. */
export function insertDivisorStep(writer: Writer, ticker: string, step: DivisorStep): void {
  writer.run(
    `INSERT INTO divisor_steps
       (ticker, at, reason, market_ids, level_before, level_after, divisor_before, divisor_after)
     VALUES (@ticker, @at, @reason, @market_ids, @level_before, @level_after, @divisor_before, @divisor_after)`,
    { ...step, ticker, market_ids: JSON.stringify(step.market_ids) },
  );
}

/** The continuity ledger of an index, oldest first. */
export function listDivisorSteps(reader: Reader, ticker: string, from = 0): DivisorStep[] {
  const rows = reader.all<Omit<DivisorStep, 'market_ids'> & { market_ids: string }>(
    `SELECT at, reason, market_ids, level_before, level_after, divisor_before, divisor_after
     FROM divisor_steps WHERE ticker = ? AND at >= ? ORDER BY step_id`,
    ticker,
    from,
  );
  return rows.map((row) => ({ ...row, market_ids: JSON.parse(row.market_ids) as string[] }));
}

/** The newest revisions of an index's prints from one instant to another, both included, in time order. */
export function listIndexPrints(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
): IndexPrintRow[] {
  return reader.all(
    `SELECT print_id, at, revision, level, coverage, definition_key, methodology_version
     FROM standing_index_prints WHERE ticker = ? AND at BETWEEN ? AND ? ORDER BY at`,
    ticker,
    from,
    until,
  );
}

interface FullRow extends IndexPrintRow {
  divisor: number;
  cash: number;
  market_keys: Buffer;
  quantities: Buffer;
  receipt: Buffer;
}

const SELECT_FULL = `SELECT print.*, market_keys, quantities, receipt
  FROM standing_index_prints AS print
  JOIN holdings USING (holding_id) JOIN index_receipts USING (print_id)`;

/** The last print of an index at or before an instant, with all that entered it. */
export function findIndexPrint(
  reader: Reader,
  ticker: string,
  at: Instant,
): (IndexPrint & { definition_key: number; revision: number }) | undefined {
  const sql = `${SELECT_FULL} WHERE print.ticker = ? AND print.at <= ? ORDER BY print.at DESC LIMIT 1`;
  const row = reader.get<FullRow>(sql, ticker, at);
  return row && fullPrint(reader, row);
}

/** The levels that an index printed from one instant to another, and the last before, as first recorded. */
export function listFirstLevels(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
): { at: Instant; value: number }[] {
  return reader.all(
    `SELECT at, level AS value FROM index_prints WHERE ticker = @ticker AND revision = 0 AND at <= @until
       AND at >= coalesce((SELECT max(at) FROM index_prints WHERE ticker = @ticker AND at < @from), 0)
     ORDER BY at`,
    { ticker, from, until },
  );
}

/** The last level above 0 that an index printed from one instant to another, both included. */
export function findPositiveLevel(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
): number | undefined {
  const sql = `SELECT level FROM standing_index_prints
    WHERE ticker = ? AND at BETWEEN ? AND ? AND level > 0 ORDER BY at DESC LIMIT 1`;
  return reader.get<{ level: number }>(sql, ticker, from, until)?.level;
}

/**
 * When the series that an index is in at an instant began: a team index starts anew at a reconstitution, and
 * nothing is compared across that. Undefined before the first print.
 */
export function findSeriesStart(reader: Reader, ticker: string, at: Instant): Instant | undefined {
  const sql = `SELECT max(at) AS start FROM divisor_steps WHERE ticker = ? AND at <= ? AND reason = 'base'`;
  return reader.get<{ start: Instant | null }>(sql, ticker, at)?.start ?? undefined;
}

/** The prints of an index from one instant to another, both included, with all that entered them. */
export function selectIndexPrints(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
): IndexPrint[] {
  const sql = `${SELECT_FULL} WHERE print.ticker = ? AND print.at BETWEEN ? AND ? ORDER BY print.at`;
  return reader.all<FullRow>(sql, ticker, from, until).map((row) => fullPrint(reader, row));
}

/** The prints of an index from one instant to another, with the one in force at the first. */
export function selectPrintsInForce(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
): IndexPrint[] {
  const first = findIndexPrint(reader, ticker, from);
  return selectIndexPrints(reader, ticker, first?.at ?? from, until);
}

function fullPrint(reader: Reader, row: FullRow): IndexPrint & { definition_key: number; revision: number } {
  const { at, level, divisor, cash, coverage, methodology_version, definition_key, revision } = row;
  const lines = decodeReceipt(reader, row.receipt, at, row.market_keys, row.quantities);
  return { at, level, divisor, cash, coverage, methodology_version, definition_key, revision, lines };
}
