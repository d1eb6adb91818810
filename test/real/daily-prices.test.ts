import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { DAY_MS } from '../../src/model/time.ts';
import { listRatePrints } from '../../src/store/prints/rate-prints.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { compareStores, hasPython } from '../oracle/season/season.ts';
import { hasRecorded } from '../replay/recorded.ts';
import { dailyTables, playDailyPrices, readSeries, seriesIn } from './daily-prices.ts';

const DAY = Date.parse('2026-01-02T00:00:00Z');

it('a table of any columns is read: times, prices, and their contracts', () => {
  const wide = ['0.4', ''].map((cell, i) => ({
    'Date (UTC)': '01-02-2026 00:00',
    'Timestamp (UTC)': String(DAY / 1000 + i * 86_400),
    Ann: '0.5',
    Bob: cell,
  }));
  const both = { at: DAY, price: 0.5 };
  expect(seriesIn('board/prices_daily.csv.gz', wide)).toEqual([
    { name: 'prices_daily Ann', prices: [both, { at: DAY + DAY_MS, price: 0.5 }] },
    { name: 'prices_daily Bob', prices: [{ at: DAY, price: 0.4 }] },
  ]);
  const long = ['Ann', 'Bob'].map((who) => ({ who, won: '0.5', pulled: '2026-01-02T00:00:00+00:00' }));
  expect(seriesIn('long.csv', long)).toEqual([
    { name: 'long Ann won', prices: [both] },
    { name: 'long Bob won', prices: [both] },
  ]);
  // Whatever else a table tells of a name, in whatever order, and however often: here who is of which party.
  const more = ['Ann', 'Bob', 'Cal', 'Cal'].map((who, i) => ({
    remark: '',
    party: i === 0 ? 'left' : 'right',
    source: 'a site',
    won: `0.${i === 3 ? 4 : i + 2}`,
    who,
    pulled: '2026-01-02T00:00:00+00:00',
  }));
  expect(seriesIn('more.csv', more).map(({ name, prices }) => [name, ...prices])).toEqual([
    ['more Ann won', { at: DAY, price: 0.2 }],
    ['more Bob won', { at: DAY, price: 0.3 }],
    ['more Cal won', { at: DAY, price: 0.4 }, { at: DAY, price: 0.4 }],
  ]);
  const gap = ['0.4', 'nan', '0.5'].map((won, i) => ({ day: `2026-01-0${i + 2}`, won }));
  expect(seriesIn('gap.csv', gap).map(({ prices }) => prices.map(({ price }) => price))).toEqual([
    [0.4, 0.5],
  ]);
  expect(() => seriesIn('x.csv', [{ date: '2026-01-02', score: '3' }])).toThrow(
    'x.csv must have a column of',
  );
});

it.skipIf(!hasRecorded)(
  'a rate on one recorded market prints the prices that were recorded, day by day',
  () => {
    const folder = temporaryFolder();
    const path = join(folder, 'foremark.db');
    const store = openStore(path);
    const [series] = dailyTables()
      .filter((each) => each.includes('single-market'))
      .flatMap(readSeries);
    const recorded = series?.prices ?? [];
    expect(recorded.length).toBeGreaterThan(200);
    playDailyPrices(store, series ? [series] : []);
    const prints = store.read((reader) => listRatePrints(reader, 'DAILY-1', 0, Number.MAX_SAFE_INTEGER));
    expect(prints.map(({ at, price }) => ({ at, price }))).toEqual(recorded);
    expect(store.read((reader) => verify(reader, []))).toMatchObject({ differences: [] });
    if (hasPython) expect(compareStores([path]).differences).toBe('');
    store.close();
  },
);
