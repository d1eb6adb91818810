import type { IndexPrint, LineColumns, ReceiptLine } from '../../model/print.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { bytesOf } from '../prices/price-codec.ts';
import type { Reader, Writer } from '../store.ts';
import { EVER, isNewestKnown, printReads } from './known-prints.ts';
import { hashContents, insertPrintSql } from './print-chain.ts';
import { type Made, PrintRecord } from './print-record.ts';
import { encodeReceipt } from './receipt-codec.ts';
import { columnsOfLines, decodeReceipt, encodeMarketKeys, nameSameMarkets } from './receipts.ts';

/** A print without its receipt, as needed for a series. */
export interface IndexPrintRow {
  at: Instant;
  revision: number;
  level: number;
  divisor: number;
  cash: number;
  coverage: number;
  definition_key: number;
  methodology_version: string;
}

interface Holding {
  holding_id: number;
  market_keys: Buffer;
  quantities: Buffer;
}

const INSERT_PRINT = insertPrintSql('index_prints');

/** Whether two prints hold the same quantities of the same constituents. */
function holdSame(a: readonly ReceiptLine[], b: readonly ReceiptLine[]): boolean {
  return nameSameMarkets(a, b) && a.every((line, i) => Object.is(line.quantity, b[i]?.quantity));
}

export class IndexRecord extends PrintRecord<IndexPrint> {
  #holding: Holding | undefined;
  /** What stands for it in the hashes of prints. */
  #contents: Buffer = Buffer.alloc(0);
  #held: readonly ReceiptLine[] | undefined;

  constructor(writer: Writer, ticker: string) {
    super(writer, 'index', ticker);
    this.#holding = writer.get<Holding>(
      `SELECT holding_id, market_keys, quantities FROM holdings WHERE holding_id = (
         SELECT holding_id FROM index_prints WHERE ticker = ? ORDER BY print_id DESC LIMIT 1)`,
      ticker,
    );
  }

  valueOf({ level }: IndexPrint): number {
    return level;
  }

  add(print: IndexPrint, made: Made, revision = 0): void {
    this.addColumns(print, print.lines, columnsOfLines(print.lines, print.at), made, revision);
  }

  /**
   * Adds a print whose lines are given as columns.
   *
   * @param held lines with the same constituents and quantities, in the same order
   * @throws Error if it is not all numbers, which no document could show
   */
  addColumns(
    print: Omit<IndexPrint, 'lines'>,
    held: readonly ReceiptLine[],
    lines: LineColumns,
    made: Made,
    revision = 0,
  ): void {
    const { at, level, divisor, cash } = print;
    if (!(Number.isFinite(level) && Number.isFinite(divisor) && Number.isFinite(cash)))
      throw new Error(
        `the print of ${formatInstant(at)} has level ${level}, divisor ${divisor} and cash ${cash}`,
      );
    const { ticker } = this;
    const { coverage, methodology_version } = print;
    const { definition_key, recorded_at } = made;
    const receipt = encodeReceipt(lines);
    const { holding_id } = this.#hold(held);
    const said = { ticker, at, revision, level, divisor, cash, coverage };
    const { previous_hash, hash } = this.link(said, methodology_version, made, receipt, this.#contents);
    const { key } = this.writer.run(
      INSERT_PRINT,
      // Bound by position: binding by name takes half as long again.
      ...Object.values(said),
      holding_id,
      definition_key,
      methodology_version,
      recorded_at,
      previous_hash,
      hash,
    );
    this.writer.run('INSERT INTO index_receipts (print_id, receipt) VALUES (?, ?)', key, receipt);
  }

  /** The row of holdings for a print: as long as constituents and quantities stay the same, prints share one. */
  #hold(lines: readonly ReceiptLine[]): Holding {
    const last = this.#holding;
    if (last && this.#held && (this.#held === lines || holdSame(this.#held, lines))) return last;
    this.#held = lines;
    const market_keys = encodeMarketKeys(this.writer, lines);
    const quantities = bytesOf(Float64Array.from(lines, (line) => line.quantity));
    this.#contents = hashContents(
      lines.map((line) => line.market_id),
      quantities,
    );
    if (last?.market_keys.equals(market_keys) && last.quantities.equals(quantities)) return last;
    const sql = 'INSERT INTO holdings (ticker, market_keys, quantities) VALUES (?, ?, ?)';
    const holding_id = this.writer.run(sql, this.ticker, market_keys, quantities).key;
    this.#holding = { holding_id, market_keys, quantities };
    return this.#holding;
  }
}

interface FullRow extends IndexPrintRow {
  ticker: string;
  recorded_at: Instant;
  market_keys: Buffer;
  quantities: Buffer;
  receipt: Buffer;
}

/** A print with the definition that made it, its revision, and when it was recorded. */
export type RecordedPrint = IndexPrint & { definition_key: number; revision: number; recorded_at: Instant };

export const {
  list: listIndexPrints,
  find: findIndexPrint,
  select: selectIndexPrints,
  selectFirst: selectFirstIndexPrints,
} = printReads<IndexPrintRow, FullRow, RecordedPrint>(
  'index',
  ['level', 'divisor', 'cash', 'coverage', 'definition_key', 'methodology_version'],
  `SELECT print.*, market_keys, quantities, receipt
   FROM index_prints AS print JOIN holdings USING (holding_id) JOIN index_receipts USING (print_id)`,
  fullPrint,
);

const KNOWN = isNewestKnown('index_prints');

/** The last level above 0 that an index printed from one instant to another, both inclusive. */
export function findPositiveLevel(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
  known = EVER,
): number | undefined {
  const sql = `SELECT level FROM index_prints AS print
    WHERE ticker = @ticker AND at BETWEEN @from AND @until AND level > 0 AND ${KNOWN} ORDER BY at DESC LIMIT 1`;
  return reader.value(sql, { ticker, from, until, known });
}

/** The instants of a span with a print that was recorded before another instant. */
export function listPrintedInstants(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
  before: Instant,
): Instant[] {
  const sql = `SELECT DISTINCT at FROM index_prints
    WHERE ticker = ? AND at BETWEEN ? AND ? AND recorded_at < ?`;
  return reader.column(sql, ticker, from, until, before);
}

/** The prints of an index from one instant to another, starting with the one in force at the first. */
export function selectPrintsInForce(
  reader: Reader,
  ticker: string,
  from: Instant,
  until: Instant,
  known = EVER,
): IndexPrint[] {
  const first = findIndexPrint(reader, ticker, from, known);
  return selectIndexPrints(reader, ticker, first?.at ?? from, until, known);
}

function fullPrint(reader: Reader, row: FullRow): RecordedPrint {
  const { at, level, divisor, cash, coverage, methodology_version } = row;
  const { definition_key, revision, recorded_at } = row;
  const lines = decodeReceipt(reader, row);
  const made = { definition_key, revision, recorded_at };
  return { at, level, divisor, cash, coverage, methodology_version, ...made, lines };
}
