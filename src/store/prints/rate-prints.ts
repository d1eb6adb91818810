import type { LineColumns, RatePrint } from '../../model/print.ts';
import type { Instant, Probability } from '../../model/units.ts';
import type { RestatementReason } from '../restatements.ts';
import type { Reader, Writer } from '../store.ts';
import { printReads } from './known-prints.ts';
import { hashContents, insertPrintSql } from './print-chain.ts';
import { type Made, PrintRecord } from './print-record.ts';
import { encodeReceipt } from './receipt-codec.ts';
import {
  columnsOfLines,
  decodeIncluded,
  decodeMarketKeys,
  decodeReceipt,
  encodeMarketKeys,
  type Named,
  nameSameMarkets,
} from './receipts.ts';

/** A print without its receipt, as needed for a series. */
export interface RatePrintRow {
  at: Instant;
  revision: number;
  price: Probability;
  spread: Probability;
  definition_key: number;
  methodology_version: string;
}

const INSERT_PRINT = insertPrintSql('rate_prints', ['market_keys', 'receipt']);

interface NamedSources {
  named: readonly Named[];
  market_keys: Buffer;
  /** What stands for them in the hashes of prints. */
  contents: Buffer;
}

export class RateRecord extends PrintRecord<RatePrint> {
  #columns: LineColumns | undefined;
  #sources: NamedSources | undefined;

  constructor(writer: Writer, ticker: string) {
    super(writer, 'rate', ticker);
  }

  valueOf({ price }: RatePrint): number {
    return price;
  }

  add(print: RatePrint, made: Made, revision = 0): void {
    this.#columns = columnsOfLines(print.lines, print.at, this.#columns);
    this.addColumns(print, print.lines, this.#columns, made, revision);
  }

  /** Adds a print whose lines are given as columns. @param sources the markets of the lines, in order */
  addColumns(
    print: Omit<RatePrint, 'lines'>,
    sources: readonly Named[],
    lines: LineColumns,
    made: Made,
    revision = 0,
  ): void {
    const { ticker } = this;
    const { at, price, spread, methodology_version } = print;
    const { definition_key, recorded_at } = made;
    const { market_keys, contents } = this.#named(sources);
    const receipt = encodeReceipt(lines);
    const said = { ticker, at, revision, price, spread };
    const { previous_hash, hash } = this.link(said, methodology_version, made, receipt, contents);
    this.writer.run(
      INSERT_PRINT,
      ...Object.values(said),
      definition_key,
      methodology_version,
      recorded_at,
      previous_hash,
      hash,
      market_keys,
      receipt,
    );
  }

  /** What is stored and hashed of the sources, cached because they change only with the definition. */
  #named(named: readonly Named[]): NamedSources {
    if (!this.#sources || !nameSameMarkets(this.#sources.named, named)) {
      const contents = hashContents(named.map((each) => each.market_id));
      this.#sources = { named, market_keys: encodeMarketKeys(this.writer, named), contents };
    }
    return this.#sources;
  }
}

type FullRow = RatePrintRow & { ticker: string; recorded_at: Instant; market_keys: Buffer; receipt: Buffer };
type FullPrint = RatePrint & { definition_key: number; revision: number; recorded_at: Instant };

export const {
  list: listRatePrints,
  find: findRatePrint,
  select: selectRatePrints,
  selectFirst: selectFirstRatePrints,
} = printReads<RatePrintRow, FullRow, FullPrint>(
  'rate',
  ['price', 'spread', 'definition_key', 'methodology_version'],
  'SELECT * FROM rate_prints AS print',
  fullPrint,
);

/** The newest revisions of a rate's prints up to an instant, each with the weights of the sources it includes. */
export function listWeightedPrints(reader: Reader, ticker: string, until: Instant) {
  const sql = `SELECT at, max(revision) AS revision, price, market_keys, receipt FROM rate_prints
    WHERE ticker = ? AND at <= ? GROUP BY at ORDER BY at`;
  let named: { keys: Buffer; ids: string[] } | undefined;
  return reader
    .all<Pick<FullRow, 'at' | 'revision' | 'price' | 'market_keys' | 'receipt'>>(sql, ticker, until)
    .map(({ at, revision, price, market_keys: keys, receipt }) => {
      // They change only with the definition.
      if (!named?.keys.equals(keys)) named = { keys, ids: decodeMarketKeys(reader, keys) };
      return { at, revision, price, sources: decodeIncluded(named.ids, { ticker, at, receipt }) };
    });
}

/** A print as it was calculated, without the fields that recording adds. */
export function asCalculated({ at, price, spread, methodology_version, lines }: RatePrint): RatePrint {
  return { at, price, spread, methodology_version, lines };
}

/** All revisions of a rate's print at an instant, oldest first. */
export function selectRateRevisions(reader: Reader, ticker: string, at: Instant): FullPrint[] {
  const sql = 'SELECT * FROM rate_prints WHERE ticker = ? AND at = ? ORDER BY revision';
  return reader.all<FullRow>(sql, ticker, at).map((row) => fullPrint(reader, row));
}

/** The instant of a rate's first print after an instant; undefined if there is none. */
export function findNextRatePrint(reader: Reader, ticker: string, after: Instant): Instant | undefined {
  const sql = 'SELECT at FROM rate_prints WHERE ticker = ? AND at > ? ORDER BY at LIMIT 1';
  return reader.value(sql, ticker, after);
}

/**
 * The revised prints of a rate that were restated for a reason, ordered by instant and revision.
 *
 * @param range of instants, both ends inclusive
 * @param recordedAt only those recorded at this instant; all when left out
 */
export function selectRestatedRatePrints(
  reader: Reader,
  ticker: string,
  reason: RestatementReason,
  range: { from: Instant; to: Instant },
  recordedAt?: Instant,
): FullPrint[] {
  const sql = `SELECT print.* FROM restatements AS said
    JOIN rate_prints AS print ON print.ticker = said.ticker AND print.at = said.at AND print.revision = said.revision
    WHERE said.kind = 'rate' AND said.ticker = @ticker AND said.reason = @reason
      AND said.at BETWEEN @from AND @to AND (@recorded_at IS NULL OR said.recorded_at = @recorded_at)
    ORDER BY said.at, said.revision`;
  const wanted = { ticker, reason, ...range, recorded_at: recordedAt ?? null };
  return reader.all<FullRow>(sql, wanted).map((row) => fullPrint(reader, row));
}

function fullPrint(reader: Reader, row: FullRow): FullPrint {
  const { at, price, spread, methodology_version, definition_key, revision, recorded_at } = row;
  const lines = decodeReceipt(reader, row);
  return { at, price, spread, methodology_version, definition_key, revision, recorded_at, lines };
}
