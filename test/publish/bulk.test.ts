import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseString } from 'fast-csv';
import { parquetReadObjects } from 'hyparquet';
import { beforeEach, expect, test } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { DAY_MS, easternDay, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { publish } from '../../src/publish/publish.ts';
import { rollback } from '../../src/publish/rollback.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { encodeId } from '../../src/routes/document-key.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { listIndexDefinitions } from '../../src/store/definitions/definitions.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { findIndexPrint } from '../../src/store/prints/index-prints.ts';
import { findRatePrint } from '../../src/store/prints/rate-prints.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import type { Store } from '../../src/store/store.ts';
import { index, parseDefinitions } from '../helpers/hand-definitions.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { publishStore } from '../helpers/publish-store.ts';
import {
  adopt,
  BASE,
  book,
  IDS,
  INDICES,
  NOW,
  observe,
  openSmallStore,
  put,
  RATES,
  SITES,
} from '../helpers/small-store.ts';
import { keysOf } from './keys-of.ts';

type Row = Record<string, string>;
interface BulkFile {
  key: string;
  rows: number;
  bytes: number;
  sha256: string;
  revision: number;
}

const since = { base_at: formatInstant(BASE), interval_minutes: 360 };
const TOTAL_RETURN = index('SMALL.TR', 'total_return', { ...since, base_index_id: 'SMALL' });
const COMPOSITE = index('MIXED', 'composite', {
  ...since,
  weighting: { categories: { ours: 1 } },
  constituents: ['SMALL', 'GAUGE.K'].map((ticker) => ({ index: ticker, category: 'ours' })),
});

const small = ofEachTest(openSmallStore);
let sink: Sink;
beforeEach(() => {
  sink = folderSink(join(small.folder, 'public'));
});

const publishAt = (now: number, bulk = true) => publishStore(small.store, sink, now, { bulk });

async function bytesOf(key: string): Promise<Buffer> {
  const body = await sink.read(key);
  if (!body) throw new Error(`no ${key}`);
  return body;
}

async function csvOf(key: string): Promise<Row[]> {
  const text = (await bytesOf(key)).toString();
  return new Promise((resolve, reject) => {
    const rows: Row[] = [];
    parseString(text, { headers: true })
      .on('data', (row: Row) => rows.push(row))
      .on('error', reject)
      .on('end', () => resolve(rows));
  });
}

async function parquetOf(key: string): Promise<Record<string, unknown>[]> {
  const body = await bytesOf(key);
  return parquetReadObjects({ file: new Uint8Array(body).buffer });
}

async function filesOf(): Promise<Map<string, BulkFile>> {
  const { files } = JSON.parse((await bytesOf('bulk/manifest.json')).toString()) as { files: BulkFile[] };
  return new Map(files.map((file) => [file.key, file]));
}

test('the manifest names every file with its rows, length, digest and revision', async () => {
  await publishAt(NOW);
  const files = await filesOf();
  expect([...files.keys(), 'bulk/manifest.json'].sort()).toEqual(await keysOf(sink, 'bulk/'));
  for (const { key, bytes, sha256, rows, revision } of files.values()) {
    const body = await bytesOf(key);
    expect([body.byteLength, hash('sha256', body), revision]).toEqual([bytes, sha256, 1]);
    const read = key.endsWith('.csv') ? await csvOf(key) : await parquetOf(key);
    expect(read).toHaveLength(rows);
  }
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('CSV and Parquet agree, and hold no print of a day that is not over', async () => {
  await publishAt(NOW);
  for (const name of [
    'bulk/indices/SMALL/history',
    'bulk/indices/SMALL/constituents',
    'bulk/catalog/2026-04-14',
  ]) {
    const csv = await csvOf(`${name}.csv`);
    const parquet = await parquetOf(`${name}.parquet`);
    expect(csv.length).toBeGreaterThan(0);
    const asText = parquet.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value ?? '')])),
    );
    expect(csv).toEqual(asText);
  }
  const history = await csvOf('bulk/indices/SMALL/history.csv');
  expect(history.every((row) => (row.at ?? '') < '2026-04-15T04:00:00Z')).toBe(true);
});

test.each([
  { of: 'a basket, in cents', ticker: 'SMALL', unit: 100, names: 5 },
  { of: 'a total return, at the level of its base', ticker: 'SMALL.TR', unit: 1, names: 1 },
  { of: 'a composite, at the levels of its indices', ticker: 'MIXED', unit: 1, names: 2 },
])(
  'quantities and marks of a close, with the divisor and cash of its print, give its level: $of',
  async ({ ticker, unit, names }) => {
    adopt(small.store, [...INDICES, TOTAL_RETURN, COMPOSITE], RATES, NOW);
    compute(small.store, NOW, () => {});
    await publishAt(NOW);
    const history = await csvOf(`bulk/indices/${ticker}/history.csv`);
    const rows = await csvOf(`bulk/indices/${ticker}/constituents.csv`);
    const last = rows.filter((row) => row.day === '2026-04-14');
    const print = history.find((row) => row.at === last[0]?.at);
    const value = last.reduce((sum, { quantity, mark }) => sum + (Number(quantity) * Number(mark)) / unit, 0);
    expect(last).toHaveLength(names);
    expect((value + Number(print?.cash)) / Number(print?.divisor)).toBeCloseTo(Number(print?.level), 3);
  },
);

test('no file is remade during a day; after it, those with new prints get a new revision', async () => {
  await publishAt(NOW);
  const first = await filesOf();
  observe(small.store, IDS.steady, [book(NOW + 3_600_000, 0.6)]);
  compute(small.store, NOW + 3_600_000, () => {});
  await publishAt(NOW + 3_600_000);
  expect(await filesOf()).toEqual(first);
  await publishAt(NOW + DAY_MS);
  const second = await filesOf();
  expect(second.get('bulk/indices/SMALL/history.csv')?.revision).toBe(2);
  expect(second.get('bulk/catalog/2026-04-14.csv')).toEqual(first.get('bulk/catalog/2026-04-14.csv'));
  expect(second.has('bulk/catalog/2026-04-15.parquet')).toBe(true);
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('a rollback restores histories, leaves the catalogs of later days, and no revision ever names other bytes', async () => {
  const history = 'bulk/indices/SMALL/history.csv';
  const days = ['2026-04-14', '2026-04-15', '2026-04-16'];
  const revisions = new Map<number, string>();
  const note = async () => {
    const file = (await filesOf()).get(history);
    const sha256 = hash('sha256', await bytesOf(history));
    expect(file?.sha256).toBe(sha256);
    expect(revisions.get(file?.revision ?? 0) ?? sha256).toBe(sha256);
    revisions.set(file?.revision ?? 0, sha256);
    return sha256;
  };
  const compareAt = async (n: number, price: number) => {
    const at = NOW + n * DAY_MS;
    observe(small.store, IDS.steady, [book(at - DAY_MS + 3_600_000, price)]);
    compute(small.store, at, () => {});
    await publishAt(at);
    return note();
  };
  await publishAt(NOW);
  const first = await note();
  await compareAt(1, 0.6);
  await compareAt(2, 0.7);
  const catalogs = await Promise.all(days.map((day) => bytesOf(`bulk/catalog/${day}.csv`)));
  const before = await filesOf();
  await rollback(1, { sink, now: NOW + 2 * DAY_MS + 1, variants: [] });
  expect(await note()).toBe(first);
  expect(await keysOf(sink, 'bulk/catalog/')).toHaveLength(6);
  await expectNamedOnce();
  await compareAt(3, 0.8);
  expect(await Promise.all(days.map((day) => bytesOf(`bulk/catalog/${day}.csv`)))).toEqual(catalogs);
  for (const day of days)
    expect((await filesOf()).get(`bulk/catalog/${day}.parquet`)).toEqual(
      before.get(`bulk/catalog/${day}.parquet`),
    );
  expect([...revisions.keys()]).toEqual([1, 2, 3, 4, 5]);
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('catalogs that were withdrawn with all bulk files return with a generation that has them', async () => {
  await publishAt(NOW);
  await publishAt(NOW + DAY_MS);
  const keys = await keysOf(sink, 'bulk/catalog/');
  const catalogs = await Promise.all(keys.map(bytesOf));
  await publishAt(NOW + 2 * DAY_MS, false);
  expect(await keysOf(sink, 'bulk/')).toEqual([]);
  await rollback(2, { sink, now: NOW + 2 * DAY_MS + 1, variants: [] });
  await publishAt(NOW + 3 * DAY_MS);
  expect(await Promise.all(keys.map(bytesOf))).toEqual(catalogs);
  expect((await filesOf()).has('bulk/catalog/2026-04-17.csv')).toBe(true);
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('a rollback to before the first bulk file leaves the catalogs, and a manifest of nothing else', async () => {
  await publishAt(NOW, false);
  await publishAt(NOW + DAY_MS);
  const catalogs = await keysOf(sink, 'bulk/catalog/');
  await rollback(1, { sink, now: NOW + DAY_MS + 1, variants: [] });
  expect(await keysOf(sink, 'bulk/')).toEqual([...catalogs, 'bulk/manifest.json']);
  await expectNamedOnce();
});

test.each(['indices/SMALL', 'rates/R.MEAN'])(
  'each constituent is as it entered its print: %s',
  async (series) => {
    await publishAt(NOW);
    const rows = await csvOf(`bulk/${series}/constituents.csv`);
    expect(rows.length).toBeGreaterThan(30);
    const find = series.startsWith('indices') ? findIndexPrint : findRatePrint;
    const ticker = series.replace(/.*\//, '');
    for (const row of rows) {
      const { lines = [] } =
        small.store.read((reader) => find(reader, ticker, Date.parse(row.at ?? ''))) ?? {};
      const line = lines.find(({ market_id }) => market_id === row.market_id);
      expect(row).toMatchObject({
        day: easternDay(Date.parse(row.at ?? '')),
        state: line?.state,
        weight: String(line?.weight),
        quantity: String(line?.quantity),
        basis: line?.basis ?? '',
        observed_at: line?.observed_at === undefined ? '' : formatInstant(line.observed_at),
        exclude_reason: line?.exclude_reason ?? '',
      });
    }
  },
);

test('the catalog says of each market what its document says', async () => {
  const more = { closes_at: NOW + DAY_MS, volume: 0, volume_unit: 'usd', open_interest: 7 } as const;
  put(small.store, { market_id: IDS.swinging, ...more }, NOW);
  put(small.store, { market_id: IDS.quiet, volume_unit: 'contracts', open_interest: 0.1 + 0.2 }, NOW);
  put(small.store, { market_id: IDS.oneSided, volume_unit: 'contracts', volume: 0.1 + 0.7 }, NOW);
  await publishAt(NOW);
  const rows = await csvOf('bulk/catalog/2026-04-14.csv');
  for (const row of rows) {
    const key = `api/v1/public/markets/${encodeId(row.market_id ?? '')}.json`;
    const document = JSON.parse((await bytesOf(key)).toString());
    const said = Object.keys(row).map((name) => [name, String(document[name] ?? '')]);
    expect(row).toEqual(Object.fromEntries(said));
  }
  expect(rows.find((row) => row.market_id === IDS.swinging)).toMatchObject({
    volume: '0',
    open_interest: '7',
  });
  expect(rows.every((row) => row.closes_at === '')).toBe(false);
});

test('a day on which the catalog is being rebuilt has none', async () => {
  small.store.write((writer) => setCatalogState(writer, 'rebuilding', NOW));
  await publishAt(NOW);
  expect(await keysOf(sink, 'bulk/catalog/')).toEqual([]);
  expect(await keysOf(sink, 'bulk/indices/')).not.toEqual([]);
});

/** Each bulk file must be in the manifest, once, and nothing else. */
async function expectNamedOnce(): Promise<void> {
  const { files } = JSON.parse((await bytesOf('bulk/manifest.json')).toString());
  const named = files.map(({ key }: BulkFile) => key);
  expect([...named, 'bulk/manifest.json'].sort()).toEqual(await keysOf(sink, 'bulk/'));
}

/** Publishes a store with everything made once a day. */
function publishDaily(store: Store, to: Sink, now: Instant) {
  const explorer = join(small.folder, 'explorer');
  mkdirSync(explorer, { recursive: true });
  const shown = { label: '', bulk: true, explorer, progress: () => {} };
  return publish({ store, sink: to, now, sites: SITES, ...shown });
}

/** Compares the daily files with those of the same store published to an empty place. */
async function expectAsFresh(store: Store, now: Instant): Promise<void> {
  const fresh = folderSink(join(small.folder, 'fresh'));
  await publishDaily(store, fresh, now);
  let compared = 0;
  for (const key of [...(await keysOf(fresh, 'bulk/')), ...(await keysOf(fresh, 'explorer/marks/'))]) {
    // A day's catalog stays as it was published; the manifest counts revisions.
    if (/^bulk\/(manifest|catalog)/.test(key)) continue;
    compared++;
    expect((await sink.read(key))?.equals((await fresh.read(key)) as Buffer), key).toBe(true);
  }
  expect(compared).toBeGreaterThan(10);
}

test('after a store was restored and printed other values, nothing is carried over from before', async () => {
  const other = openSmallStore();
  const print = (store: Store, price: number) => {
    observe(store, IDS.steady, [book(NOW + 3_600_000, price)]);
    compute(store, NOW + 3_600_000, () => {});
  };
  print(small.store, 0.6);
  print(other.store, 0.9);
  await publishDaily(small.store, sink, NOW + DAY_MS);
  await publishDaily(other.store, sink, NOW + DAY_MS);
  await expectAsFresh(other.store, NOW + DAY_MS);
  other.close();
});

test("a day has all its prints, even when an earlier day's print was recorded after the last of them", async () => {
  const { store } = small;
  observe(store, IDS.steady, [book(NOW + HOUR_MS, 0.6)]);
  compute(store, NOW + HOUR_MS, () => {});
  observe(store, IDS.steady, [book(NOW - 2 * DAY_MS + 1, 0.3)]);
  const wish = { tickers: ['R.STEADY'], from: NOW - 3 * DAY_MS, to: NOW - DAY_MS, every_minutes: 60 };
  expect(backfill(store, wish, NOW + 2 * HOUR_MS, () => {})).toMatchObject({ series: 1, added: 1 });
  await publishDaily(store, sink, NOW + 3 * HOUR_MS);
  await publishDaily(store, sink, NOW + DAY_MS);
  await expectAsFresh(store, NOW + DAY_MS);
});

test('every revision of a print is listed with what it replaced, when and why; the newest is in the history', async () => {
  const { store } = small;
  const wish = {
    tickers: ['R.STEADY', 'SMALL'],
    from: NOW - 3 * DAY_MS,
    to: NOW - DAY_MS,
    every_minutes: 60,
  };
  const late = NOW - 2 * DAY_MS;
  observe(store, IDS.steady, [book(late, 0.2), book(late + 1, 0.3)]);
  backfill(store, wish, NOW + HOUR_MS, () => {});
  observe(store, IDS.steady, [book(late + 1, 0.4)]);
  backfill(store, wish, NOW + 2 * HOUR_MS, () => {});
  await publishDaily(store, sink, NOW + DAY_MS);
  for (const name of ['bulk/indices/SMALL', 'bulk/rates/R.STEADY']) {
    const said = await csvOf(`${name}/restatements.csv`);
    const newest = new Map(said.map((row) => [row.at, [row.revision, row.new_value]]));
    const history = (await csvOf(`${name}/history.csv`)).filter(({ revision }) => revision !== '0');
    expect(history.map(({ at, revision, level, price }) => [at, [revision, level ?? price]])).toEqual([
      ...newest,
    ]);
  }
  const first = { revision: '1', reason: 'backfill', recorded_at: '2026-04-15T13:00:00Z' };
  const at = '2026-04-13T13:00:00Z';
  expect(await csvOf('bulk/rates/R.STEADY/restatements.csv')).toEqual([
    { ...first, at: '2026-04-13T12:00:00Z', replaces: '0', old_value: '57.7', new_value: '20' },
    { ...first, at, replaces: '', old_value: '57.7', new_value: '30' },
    {
      ...first,
      at,
      revision: '2',
      replaces: '1',
      old_value: '30',
      new_value: '40',
      recorded_at: '2026-04-15T14:00:00Z',
    },
  ]);
});

test('the ledger of an index is there to the last digit, and goes as far as its prints', async () => {
  const { store } = small;
  const changed = { ...INDICES[0], constituents: INDICES[0]?.constituents?.slice(0, 2) };
  adopt(store, [changed, ...INDICES.slice(1)], RATES, NOW);
  compute(store, NOW, () => {});
  compute(store, NOW + HOUR_MS, () => {});
  const ledger = () => store.read((reader) => listDivisorSteps(reader, 'SMALL'));
  expect(ledger().at(-1)).toMatchObject({ reason: 'reconstitution' });
  await publishAt(NOW + HOUR_MS);
  const asTold = (steps: ReturnType<typeof ledger>) =>
    steps.map(({ at, market_ids, ...rest }) => ({
      ...rest,
      at: formatInstant(at),
      market_ids: JSON.stringify(market_ids),
    }));
  const today = (at: Instant) => easternDay(at) === easternDay(NOW + HOUR_MS);
  expect(await parquetOf('bulk/indices/SMALL/steps.parquet')).toEqual(
    asTold(ledger().filter(({ at }) => !today(at))),
  );
  await publishAt(NOW + DAY_MS);
  expect(await parquetOf('bulk/indices/SMALL/steps.parquet')).toEqual(asTold(ledger()));
  expect(await keysOf(sink, 'bulk/rates/R.MEAN/steps')).toEqual([]);
});

test('the definitions of a public index are there whole, but not who may read it', async () => {
  const { store } = small;
  await publishAt(NOW);
  const rows = await csvOf('bulk/indices/SMALL/definitions.csv');
  expect(rows.map(({ adopted_at, takes_effect_at }) => [adopted_at, takes_effect_at])).toEqual([
    [formatInstant(BASE), ''],
  ]);
  const told = JSON.parse(rows[0]?.definition ?? '');
  expect(told).not.toHaveProperty('visibility');
  const [adopted] = store.read(listIndexDefinitions);
  // The checks of books with their limits are among it, also where a file leaves them out.
  expect(told).toHaveProperty('book_check');
  const { visibility, ...rest } = { ...adopted?.definition } as Record<string, unknown>;
  expect(told).toEqual(rest);
  const [rate] = await csvOf('bulk/rates/R.MEAN/definitions.csv');
  expect(JSON.parse(rate?.definition ?? '')).toMatchObject({
    ticker: 'R.MEAN',
    methodology: 'simple_average',
  });
});

test('a change that is still to take effect is in the definitions when its notice is public, and so is its end', async () => {
  const { store } = small;
  const adoptAt = (now: Instant, names: number, takesEffectAt: Instant) => {
    const constituents = INDICES[0]?.constituents?.slice(0, names);
    const changed = { ...INDICES[0], $schema: '../a.schema.json', constituents };
    store.write((writer) =>
      adoptDefinitions(writer, parseDefinitions([changed, ...INDICES.slice(1)], RATES), now, {
        keepMissing: false,
        effectOf: () => takesEffectAt,
      }),
    );
  };
  const toldAt = async (now: Instant) => {
    await publishAt(now);
    const rows = await csvOf('bulk/indices/SMALL/definitions.csv');
    expect(rows.every(({ definition }) => !definition?.includes('schema'))).toBe(true);
    return rows.map(({ takes_effect_at, definition }) => [
      takes_effect_at,
      JSON.parse(definition ?? '').constituents.length,
    ]);
  };
  const MINUTE = HOUR_MS / 60;
  const effect = NOW + DAY_MS;
  adoptAt(NOW, 3, effect);
  expect(await toldAt(NOW + 14 * MINUTE)).toEqual([['', 6]]);
  expect(await toldAt(NOW + 15 * MINUTE)).toEqual([
    ['', 6],
    [formatInstant(effect), 3],
  ]);
  adoptAt(NOW + HOUR_MS, 2, effect + HOUR_MS);
  const replaced = NOW + HOUR_MS + 14 * MINUTE;
  expect(await toldAt(replaced)).toEqual([
    ['', 6],
    [formatInstant(effect), 3],
  ]);
  expect(await toldAt(replaced + MINUTE)).toEqual([
    ['', 6],
    [formatInstant(effect + HOUR_MS), 2],
  ]);
});

test('text that a spreadsheet would run gets a leading apostrophe in CSV, and numbers stay numbers', async () => {
  put(small.store, { market_id: 'venue_a:FORMULA', question: '=HYPERLINK("http://x")' });
  put(small.store, { market_id: 'venue_a:QUOTED', question: 'a "b", c\nd' });
  await publishAt(NOW);
  const rows = await csvOf('bulk/catalog/2026-04-14.csv');
  const question = (id: string) => rows.find((row) => row.market_id === id)?.question;
  expect(question('venue_a:FORMULA')).toBe('\'=HYPERLINK("http://x")');
  expect(question('venue_a:QUOTED')).toBe('a "b", c\nd');
});

test('no bulk file holds anything of an organization', async () => {
  await publishAt(NOW);
  for (const key of await keysOf(sink, 'bulk/')) {
    expect(key).not.toMatch(/secret/i);
    if (!key.endsWith('.parquet')) expect((await bytesOf(key)).toString()).not.toMatch(/secret|acme|canary/i);
  }
});
