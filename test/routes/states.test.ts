import { expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallApp, type Row, rows, rowWith } from '../helpers/small-app.ts';
import { IDS, NOW, put } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

/** The same question to anybody and to a key. */
const both = async (path: string): Promise<Row[]> => [await app.anyone(path), await app.member(path)];

function stateOf({ weight, excluded, exclude_reason, mark }: Row): string {
  if (excluded) return weight === 0 && exclude_reason ? `excluded: ${exclude_reason}` : 'none';
  if (exclude_reason !== undefined) return 'none';
  return Number(weight) > 0 ? 'included' : mark === undefined ? 'not priced yet' : 'none';
}

it('[3/3] a constituent is included, excluded with its reason, or not priced yet, and never two of them', async () => {
  for (const body of await both('/indices/SMALL/constituents'))
    expect(Object.fromEntries(rows(body).map((row) => [row.market_id, stateOf(row)]))).toEqual({
      [IDS.steady]: 'included',
      [IDS.swinging]: 'included',
      [IDS.global]: 'included',
      [IDS.oneSided]: 'excluded: one_sided_book',
      [IDS.neverPriced]: 'not priced yet',
    });
});

it('[3/3] the price of an index is published, with its instant, or there is none yet', async () => {
  for (const body of await both('/indices/SMALL')) {
    expect(body.latest_price).toBeTypeOf('number');
    expect(body.latest_print_at).toBe('2026-04-15T12:00:00Z');
  }
  for (const body of await both('/indices/LATER')) {
    expect(body).not.toHaveProperty('latest_price');
    expect(body).not.toHaveProperty('latest_print_at');
  }
  for (const body of await both('/indices/LATER/prices')) expect(rows(body)).toEqual([]);
  for (const body of await both('/indices')) {
    expect(rowWith(rows(body), 'ticker', 'SMALL')).toHaveProperty('latest_price');
    expect(rowWith(rows(body), 'ticker', 'LATER')).not.toHaveProperty('latest_price');
  }
});

it('[3/3] a source of a rate is active until its market settles, and says so on both tiers', async () => {
  const active = async () =>
    (await both('/rates/R.MEAN')).map((body) =>
      rows(body, 'sources').map((row) => [row.market_id, row.is_active]),
    );
  const all = [IDS.steady, IDS.swinging, IDS.neverPriced].map((id) => [id, true]);
  expect(await active()).toEqual([all, all]);
  put(app.small.store, { market_id: IDS.swinging, status: 'settled', payout: 0 });
  const one = all.map(([id]) => [id, id !== IDS.swinging]);
  expect(await active()).toEqual([one, one]);
});

it('[3/1][4.2/4] a settled contract is no longer a constituent, wherever constituents are shown', async () => {
  const now = NOW + 6 * HOUR_MS;
  const settled = { status: 'settled', payout: 0, settled_at: now } as const;
  put(app.small.store, { market_id: IDS.global, event_id: 'venue_b:900', ...settled }, now);
  compute(app.small.store, now, () => {});
  app.clock.now = now;
  const tickers = rows(await app.anyone('/indices')).map((row) => row.ticker);
  const lists = await Promise.all(
    tickers.map(async (ticker) => rows(await app.anyone(`/indices/${ticker}/constituents`))),
  );
  const constituents = new Set(lists.flat().map((row) => row.market_id));
  expect(constituents.has(IDS.global)).toBe(false);
  expect(constituents.has(IDS.steady)).toBe(true);
  expect(rows(await app.anyone(`/markets/${IDS.global}/indices`))).toEqual([]);
  const scoped = rows(await app.member('/markets?scope=constituents')).map((row) => row.market_id);
  expect(new Set(scoped)).toEqual(constituents);
  for (const event of rows(await app.anyone('/events?embed=markets')))
    for (const market of rows(event, 'markets'))
      expect([market.market_id, market.is_constituent]).toEqual([
        market.market_id,
        constituents.has(market.market_id),
      ]);
});
