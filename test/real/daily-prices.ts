// Tables of prices by day, of one contract or of many: whatever column holds the time, and whatever hold prices.
import { compute } from '../../src/compute/compute.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { usableTrade } from '../../src/model/observation.ts';
import { DAY_MS, formatInstant } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { market } from '../helpers/small-store.ts';
import { conditionOf } from '../replay/board.ts';
import { findInstant, isNone, readTable, recordedFiles, recordedFolders } from '../replay/recorded.ts';
import { electionFolder } from '../replay/states.ts';

/** Prices of a contract, as a table has them. */
export interface PriceSeries {
  name: string;
  prices: { at: Instant; price: number }[];
}

/** Folders with such tables, and those whose tables stand in a folder below. */
const FOLDERS = /daily|^predictit.samples/;
const BELOW = [`${electionFolder}/national`, `${electionFolder}/csv_day`];

type Row = Readonly<Record<string, string>>;

/** The recorded tables by day. */
export function dailyTables(): string[] {
  const folders = [...recordedFolders().filter((each) => FOLDERS.test(each)), ...BELOW];
  return folders
    .flatMap((folder) => recordedFiles(folder, /\.csv(\.gz)?$/))
    .filter((path) => !path.includes('hourly'));
}

/** The series of a recorded table; see {@link seriesIn}. */
export function readSeries(path: string): PriceSeries[] {
  return seriesIn(path, readTable(path));
}

/**
 * The series of a table: one for each column of prices, and where rows are of several contracts, for each of these.
 *
 * @param path names the table
 * @throws Error when no column holds times, or none prices
 */
export function seriesIn(path: string, rows: readonly Row[]): PriceSeries[] {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !rows.every((row) => isNone(row[column])));
  const every = (column: string, holds: (cell: string) => boolean) =>
    rows.every((row) => isNone(row[column]) || holds(row[column] ?? ''));
  const time = columns.find((column) => every(column, (cell) => findInstant(cell) !== undefined));
  const others = columns.filter((column) => column !== time);
  const prices = others.filter((column) => every(column, isPrice));
  if (time === undefined || prices.length === 0)
    throw new Error(`${path} must have a column of times and one of prices from 0 to 1`);
  const words = others.filter(
    (column) => !every(column, (cell) => !Number.isNaN(Number(cell)) || /\d:\d\d/.test(cell)),
  );
  const byName = Map.groupBy(rows, nameIn(rows, time, words));
  const table = path.replace(/^.*\//, '').replace(/\.csv(\.gz)?$/, '');
  return [...byName].flatMap(([who, of]) =>
    prices.map((column) => ({
      name: [table, who, column].filter((each) => each !== '').join(' '),
      prices: of.flatMap((row) => {
        const at = findInstant(row[time] ?? '');
        return at === undefined || isNone(row[column]) ? [] : { at, price: Number(row[column]) };
      }),
    })),
  );
}

/**
 * What tells whose a row is: of the columns of words by which no two rows are of one time, the one that names the
 * fewest, but more than one; all of them where none does that by itself.
 */
function nameIn(rows: readonly Row[], time: string, words: readonly string[]): (row: Row) => string {
  const distinct = (columns: readonly string[]) =>
    new Set(rows.map((row) => JSON.stringify(columns.map((column) => row[column])))).size;
  // A row that a table repeats is one.
  const all = distinct(Object.keys(rows[0] ?? {}));
  const several = words.filter((column) => distinct([column]) > 1);
  const telling = several.filter((column) => distinct([time, column]) === all);
  const [fewest] = telling.sort((a, b) => distinct([a]) - distinct([b]));
  const names = fewest === undefined ? several : [fewest];
  return (row) => names.map((column) => row[column]).join(' ');
}

function isPrice(cell: string): boolean {
  const price = Number(cell);
  return price >= 0 && price <= 1;
}

/**
 * Puts the series into a store as the price histories of contracts and calculates, as of the day after the last, a rate
 * for each that trades, and a gauge of all.
 *
 * @returns tickers of the rates with the names of their series
 */
export function playDailyPrices(store: Store, series: readonly PriceSeries[]): Map<string, string> {
  const traded = series.flatMap(({ name, prices }) => {
    const observations = prices.flatMap(({ at, price }) => {
      const last = usableTrade(price);
      return last === undefined ? [] : { observed_at: at, last };
    });
    return observations.length === 0 ? [] : { name, market_id: `venue_b:${conditionOf(name)}`, observations };
  });
  const instants = traded.flatMap(({ observations }) => observations.map((each) => each.observed_at));
  const first = Math.floor(instants.reduce((a, b) => Math.min(a, b)) / DAY_MS) * DAY_MS;
  const now = instants.reduce((a, b) => Math.max(a, b)) + DAY_MS;
  const common = { visibility: 'public', interval_minutes: 1440 };
  const rates = traded.map(({ name, market_id }, i) =>
    rateDefinition.parse({
      ...common,
      ticker: `DAILY-${i + 1}`,
      name,
      methodology: 'event_contract',
      start_at: formatInstant(first),
      sources: [{ market_id }],
    }),
  );
  const gauge = indexDefinition.parse({
    ...common,
    ticker: 'DAILY',
    name: 'All tables by day',
    methodology: 'gauge',
    quote_convention: 'probability',
    base_at: formatInstant(first),
    weighting: { scheme: 'equal' },
    constituents: traded.map(({ market_id }) => ({ market_id })),
  });
  store.write((writer) => {
    for (const { name, market_id, observations } of traded) {
      const { market_key } = upsertMarket(writer, market({ market_id, question: name }), first);
      insertObservations(writer, market_key, { series: 'history', observations }, now);
    }
    adoptDefinitions(writer, { indices: [gauge], rates }, first, { keepMissing: false });
  });
  const { failures } = compute(store, now, () => {});
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return new Map(rates.map(({ ticker, name }) => [ticker, name]));
}
