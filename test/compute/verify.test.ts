import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { verify } from '../../src/compute/verify.ts';
import { indexDefinition } from '../../src/model/index-definition.ts';
import { rateDefinition } from '../../src/model/rate-definition.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { marketKey, upsertMarket } from '../../src/store/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions.ts';
import { insertObservations } from '../../src/store/prices.ts';
import { openStore } from '../../src/store/store.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const IDS = ['venue_a:ONE', 'venue_a:TWO'] as const;

const index = indexDefinition.parse({
  ticker: 'PAIR',
  name: 'Two names',
  methodology: 'basket',
  quote_convention: 'points',
  visibility: 'public',
  base_at: '2026-03-01T00:00:00Z',
  interval_minutes: 60,
  weighting: { scheme: 'equal' },
  constituents: IDS.map((market_id) => ({ market_id })),
});
const rate = rateDefinition.parse({
  ticker: 'MEAN',
  name: 'Mean of two',
  methodology: 'simple_average',
  visibility: 'public',
  start_at: '2026-03-01T00:00:00Z',
  interval_minutes: 60,
  sources: IDS.map((market_id) => ({ market_id })),
});

describe('verify', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'foremark-verify-'));
    path = join(folder, 'foremark.db');
    const store = openStore(path);
    store.write((writer) => {
      for (const id of IDS)
        upsertMarket(
          writer,
          {
            market_id: id,
            family: 'venue_a',
            native_id: id.slice(8),
            question: id,
            status: 'active',
            venue_status: 'active',
          },
          START,
        );
      adoptDefinitions(writer, { indices: [index], rates: [rate] }, START, { keepMissing: false });
    });
    // Three runs: each brings four hours of quotes and calculates.
    for (const run of [1, 2, 3]) {
      const now = START + run * 4 * HOUR_MS;
      store.write((writer) => {
        for (const [i, id] of IDS.entries())
          for (let hour = 4 * run - 4; hour <= 4 * run; hour++) {
            const bid = 0.3 + 0.01 * ((hour * (i + 2)) % 7);
            const observations = [{ observed_at: START + hour * HOUR_MS, bid, ask: bid + 0.02 }];
            insertObservations(writer, marketKey(writer, id), { series: 'quote', observations }, now);
          }
      });
      compute(store, now, () => {});
    }
    store.close();
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const verified = (tickers: string[] = []) => {
    const store = openStore(path, { readonly: true });
    const report = store.read((reader) => verify(reader, tickers));
    store.close();
    return report;
  };

  /** Alters the file behind the store's back, past the triggers that protect prints. */
  const tamper = (sql: string) => {
    const database = new Database(path);
    database.pragma('foreign_keys = OFF');
    const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const name of triggers) database.exec(`DROP TRIGGER ${name}`);
    database.exec(sql);
    database.close();
  };

  it('calculates every print of every run once more to the same values', () => {
    expect(verified()).toEqual({ tickers: 2, chained: 26, recalculated: 26, differences: [] });
    expect(verified(['PAIR'])).toMatchObject({ tickers: 1, chained: 13, recalculated: 13 });
  });

  it('goes by what was known at each run: a price that came late changes no earlier print', () => {
    const store = openStore(path);
    const late = START + 13 * HOUR_MS;
    store.write((writer) => {
      const observations = [{ observed_at: START + 2 * HOUR_MS, bid: 0.9, ask: 0.92 }];
      insertObservations(writer, marketKey(writer, IDS[0]), { series: 'quote', observations }, late);
    });
    store.close();
    expect(verified().differences).toEqual([]);
  });

  it.each([
    ['a level is altered', 'UPDATE index_prints SET level = level + 1e-9 WHERE print_id = 5', 4],
    [
      'a receipt is altered',
      'UPDATE index_receipts SET receipt = zeroblob(length(receipt)) WHERE print_id = 5',
      4,
    ],
    ['a quantity is altered', 'UPDATE holdings SET quantities = zeroblob(16) WHERE holding_id = 1', 0],
    ['a print is gone', 'DELETE FROM index_prints WHERE print_id = 5', 5],
  ])('names the first print where %s', (_what, sql, hour) => {
    tamper(sql);
    const [first] = verified(['PAIR']).differences;
    expect(first).toMatchObject({ kind: 'index', ticker: 'PAIR', at: START + hour * HOUR_MS });
  });

  it('names the first print that its inputs do not give any more', () => {
    tamper(
      `UPDATE price_tail SET bid = 0.5, ask = 0.52 WHERE observed_at = ${START + 6 * HOUR_MS} AND market_key = 1`,
    );
    const at = START + 6 * HOUR_MS;
    expect(verified().differences).toMatchObject([
      { ticker: 'PAIR', at, reason: 'level differs from what the stored inputs give' },
      { ticker: 'MEAN', at, reason: 'price differs from what the stored inputs give' },
    ]);
  });
});
