import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { documentKey } from '../../src/routes/document-key.ts';
import { routes } from '../../src/routes/routes.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { openSmallApp } from '../helpers/small-app.ts';
import { adopt, book, IDS, INDICES, NOW, observe, put, QUIET_SINCE, RATES } from '../helpers/small-store.ts';
import { keysOf } from './keys-of.ts';

const app = ofEachTest(openSmallApp);
let folder: string;
beforeEach(() => {
  folder = join(app.small.folder, 'public');
});

const publishAt = (now: number) => {
  app.clock.now = now;
  const { store } = app.small;
  return publishStore(store, folderSink(folder), now);
};

/** Compares every document of the live tree with the server's answer. @returns how many there were */
async function compareAll(): Promise<number> {
  const documents = await keysOf(folderSink(folder), 'api/');
  const left = new Set(documents);
  const pairs = app.small.store.read((reader) =>
    routes.flatMap((route) =>
      route.tiers.includes('public') && route.documents
        ? [...route.documents(reader)].map((id) => ({ path: route.path, id }))
        : [],
    ),
  );
  for (const { path, id } of pairs) {
    const key = documentKey(path, id);
    const url = `/api/v1/public${path.replace('{id}', encodeURIComponent(id))}`;
    const { status, text } = await app.get(url);
    expect(status, url).toBe(200);
    expect(readFileSync(join(folder, key), 'utf8'), url).toBe(text);
    left.delete(key);
  }
  expect([...left]).toEqual([]);
  return documents.length;
}

describe('published documents and served answers are twins', () => {
  it('[C/4][C/5] every document has the bytes that the server answers at the same instant', async () => {
    await publishAt(NOW);
    // Seven lists, a notice, four indices with eight documents each, four rates with four, three filings with two,
    // all markets with five.
    expect(await compareAll()).toBe(7 + 1 + 4 * 8 + 4 * 4 + 3 * 2 + 5 * Object.keys(IDS).length);
  });

  it('[2.4/2][2.5/2] documents age without new data: unchanged at seven days, quiet a millisecond later', async () => {
    await publishAt(NOW);
    const first = await publishAt(QUIET_SINCE + 7 * DAY_MS);
    expect(first.written).toBe(0);
    expect(await publishAt(QUIET_SINCE + 7 * DAY_MS + 1)).toMatchObject({ generation: first.generation + 1 });
    await compareAll();
    const quiet = JSON.parse(
      readFileSync(join(folder, 'api/v1/public/indices/QUIET.json'), 'utf8'),
    ) as object;
    expect(quiet).not.toHaveProperty('latest_price');
    const rate = JSON.parse(readFileSync(join(folder, 'api/v1/public/rates/R.QUIET.json'), 'utf8')) as object;
    expect(rate).not.toHaveProperty('latest_price');
  });

  it('remain twins after prices, markets and definitions changed', async () => {
    await publishAt(NOW);
    const { store } = app.small;
    const later = NOW + 6 * HOUR_MS;
    observe(store, IDS.steady, [book(later, 0.6)]);
    observe(store, IDS.oneSided, [book(later, 0.2)]);
    put(store, { market_id: 'venue_a:KXNEW', question: 'New? "quoted" \u2028 €' }, later);
    adopt(store, INDICES.slice(1), RATES, later);
    compute(store, later, () => {});
    const report = await publishAt(later);
    expect(report.written).toBeGreaterThan(0);
    expect(report.removed).toBe(8);
    await compareAll();
  });
});
