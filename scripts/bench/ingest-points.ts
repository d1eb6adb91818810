/**
 * Measures how price points get from the venues' JSON into the store, compared with the sqlite3 shell's import of the
 * same points, and with JSON.parse alone.
 */
import { median } from 'simple-statistics';
import { parseCandlesPage } from '../../src/ingest/venues/kalshi/parse-candles.ts';
import { parseHistoryPage } from '../../src/ingest/venues/polymarket-global/parse-history.ts';
import { type ObservationBatch, PRICE_COLUMNS, type PriceColumn } from '../../src/model/observation.ts';
import type { Instant } from '../../src/model/units.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { compactTail } from '../../src/store/prices/price-compaction.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { candlePages, historyPages, type Page } from './ingest-data.ts';
import { openNew } from './ingest-store.ts';
import { print } from './print.ts';
import { hasShell, importSeconds, shellRatio } from './sqlite-import.ts';

/** Answers of a venue, and how they are read. */
interface Answers {
  name: string;
  pages: readonly Page[];
  columns: readonly PriceColumn[];
  /** @param place position of the page, which identifies the market of a history: its answer does not name it */
  read(json: unknown, place: number): [marketId: string, batch: ObservationBatch][];
}

/**
 * Answers of both kinds. A candle has some 350 bytes, with prices as texts in nested records; a point of a history has
 * 65.
 */
function answersOf(points: number, now: Instant): Answers[] {
  return [
    {
      name: 'hourly candles of Kalshi',
      pages: candlePages(points, now / 1000),
      columns: PRICE_COLUMNS,
      read: (json) =>
        Array.from(parseCandlesPage(json, now).byTicker, ([ticker, observations]) => [
          `venue_a:${ticker}`,
          { series: 'candle_60', observations },
        ]),
    },
    {
      name: 'price histories of Polymarket',
      pages: historyPages(points, now / 1000),
      columns: ['last'],
      read: (json, place) => [
        [
          `venue_b:0x${place}`,
          { series: 'history', observations: parseHistoryPage(json, now, false).observations },
        ],
      ],
    },
  ];
}

/** Prints what points of each kind cost. */
export function measurePoints(
  folder: string,
  { points, rounds, now }: { points: number; rounds: number; now: Instant },
): void {
  for (const answers of answersOf(points, now)) {
    const { columns, pages } = answers;
    const rows = rowsOf(answers, now);
    const schema = `CREATE TABLE points (observed_at INTEGER, market_key INTEGER, series TEXT, recorded_at INTEGER,
      ${columns.map((column) => `${column} REAL`).join(', ')}, PRIMARY KEY (market_key, observed_at)) WITHOUT ROWID;`;
    const took = { ours: [] as number[], parse: [] as number[], shell: [] as number[] };
    for (let i = 0; i < rounds; i++) {
      const { store, time, close } = openNew(folder);
      took.ours.push(time(() => load(store, answers, now)).wall);
      close();
      const started = performance.now();
      for (const page of pages) JSON.parse(page.toString('utf8'));
      took.parse.push((performance.now() - started) / 1000);
      if (hasShell()) took.shell.push(importSeconds(folder, schema, [{ name: 'points', rows }]));
    }
    const ours = median(took.ours);
    print(
      `points, JSON to column blobs: ${rows.length} of ${answers.name}`,
      `${ours.toFixed(2)} s, ${Math.round(rows.length / ours / 1000)} thousand a second`,
    );
    print('  against the shell’s .import of the rows (2.5 or more wanted)', shellRatio(took.shell, ours));
    print('  against JSON.parse alone (0.7 or more wanted)', `${(median(took.parse) / ours).toFixed(2)} x`);
  }
}

function load(store: Store, { pages, read }: Answers, now: Instant): void {
  for (const [place, page] of pages.entries()) {
    const batches = read(JSON.parse(page.toString('utf8')), place);
    store.write((writer) => {
      for (const [id, batch] of batches) insertObservations(writer, marketKey(writer, id), batch, now);
    });
  }
  store.write((writer) => compactTail(writer));
}

/** The same points as rows for the shell, with markets by number. */
function rowsOf({ pages, columns, read }: Answers, now: Instant): (string | number | null)[][] {
  const rows: (string | number | null)[][] = [];
  let market = 0;
  for (const [place, page] of pages.entries())
    for (const [, { series, observations }] of read(JSON.parse(page.toString('utf8')), place)) {
      for (const each of observations)
        rows.push([each.observed_at, market, series, now, ...columns.map((column) => each[column] ?? null)]);
      market++;
    }
  return rows;
}
