import { describe, expect, it } from 'vitest';
import { ContractHistory, lifeAt } from '../../src/methodology/contract-views.ts';
import type { MarketStatus, SeenStatus } from '../../src/model/catalog.ts';
import {
  type Observation,
  PRICE_COLUMNS,
  type PriceColumns,
  SERIES,
  type Series,
} from '../../src/model/observation.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { hour } from './contracts.ts';

function columnsOf(rows: readonly (Observation & { series?: Series })[]): PriceColumns {
  const columns: PriceColumns = {
    observed_at: Float64Array.from(rows, (row) => row.observed_at),
    series: Uint8Array.from(rows, (row) => SERIES.indexOf(row.series ?? 'quote')),
  };
  for (const column of PRICE_COLUMNS)
    columns[column] = Float64Array.from(rows, (row) => row[column] ?? Number.NaN);
  return columns;
}

const seen = (at: number, status: MarketStatus, more: Partial<SeenStatus> = {}): SeenStatus => ({
  observed_at: at,
  status,
  settled_at: null,
  payout: null,
  closes_at: null,
  ...more,
});

function contractViews(prices: PriceColumns, statuses: readonly SeenStatus[], instants: readonly number[]) {
  const history = new ContractHistory(prices, statuses);
  return instants.map((at) => history.viewAt(at));
}

describe('what is known of a contract', () => {
  it('uses only what was observed at or before the instant', () => {
    const prices = columnsOf([
      { observed_at: hour(0), bid: 0.1, ask: 0.2 },
      { observed_at: hour(1), bid: 0.3, ask: 0.4 },
    ]);
    const views = contractViews(prices, [], [hour(0) - 1, hour(0), hour(1) - 1, hour(1)]);
    expect(views.map((view) => view.book?.bid)).toEqual([undefined, 0.1, 0.1, 0.3]);
    expect(views.map((view) => view.observed_at)).toEqual([undefined, hour(0), hour(0), hour(1)]);
  });

  it('a new book replaces both sides; a trade holds until the next', () => {
    const prices = columnsOf([
      { observed_at: hour(0), bid: 0.1, ask: 0.2, last: 0.15 },
      { observed_at: hour(1), bid: 0.3 },
    ]);
    const [view] = contractViews(prices, [], [hour(1)]);
    expect(view?.book).toEqual({ bid: 0.3, observed_at: hour(1) });
    expect(view?.last).toEqual({ price: 0.15, observed_at: hour(0) });
  });

  it('a price history is not a book', () => {
    const prices = columnsOf([{ observed_at: hour(0), last: 0.3, series: 'history' }]);
    const [view] = contractViews(prices, [], [hour(0)]);
    expect(view).toEqual({
      status: 'active',
      last: { price: 0.3, observed_at: hour(0) },
      observed_at: hour(0),
    });
  });

  it('a history point beside a book is not a trade; an actual trade is', () => {
    const prices = columnsOf([
      { observed_at: hour(0), last: 0.3, series: 'history' },
      { observed_at: hour(1), ask: 0.2 },
      { observed_at: hour(2), ask: 0.2, last: 0.1 },
      { observed_at: hour(3), last: 0.4, series: 'history' },
      { observed_at: hour(4), last: 0.5, series: 'trades_60' },
    ]);
    const views = contractViews(prices, [], [0, 1, 2, 3, 4].map(hour));
    expect(views.map((view) => view.last?.price)).toEqual([0.3, undefined, 0.1, 0.1, 0.5]);
  });

  it('a book over a day old gives way to a newer price history, but not at exactly a day', () => {
    const prices = columnsOf([
      { observed_at: hour(0), bid: 0.1, ask: 0.2 },
      { observed_at: hour(1), last: 0.5, series: 'history' },
    ]);
    const instants = [hour(1), hour(0) + DAY_MS, hour(0) + DAY_MS + 1];
    const views = contractViews(prices, [], instants);
    expect(views.map((view) => view.book !== undefined)).toEqual([true, true, false]);
    expect(views[2]?.last?.price).toBe(0.5);
  });

  it('a book over a day old stays while no newer history is known, and returns with a newer book', () => {
    const prices = columnsOf([
      { observed_at: hour(0), last: 0.5, series: 'history' },
      { observed_at: hour(1), bid: 0.1, ask: 0.2 },
      { observed_at: hour(40), last: 0.6, series: 'history' },
      { observed_at: hour(50), bid: 0.3, ask: 0.4 },
    ]);
    const views = contractViews(prices, [], [hour(39), hour(40), hour(50)]);
    expect(views.map((view) => view.book?.bid)).toEqual([0.1, undefined, 0.3]);
  });

  it('instants between which nothing changed share the same object', () => {
    const prices = columnsOf([{ observed_at: hour(0), bid: 0.1, ask: 0.2 }]);
    const [first, second] = contractViews(prices, [], [hour(0), hour(1)]);
    expect(second).toBe(first);
  });

  it('a change of status alone makes a new view', () => {
    const prices = columnsOf([{ observed_at: hour(0), bid: 0.1, ask: 0.2 }]);
    const statuses = [seen(hour(0), 'active'), seen(hour(1), 'paused')];
    const views = contractViews(prices, statuses, [hour(0), hour(1)]);
    expect(views.map((view) => view.status)).toEqual(['active', 'paused']);
  });
});

describe('lifeAt', () => {
  it('a status holds until the next', () => {
    const statuses = [seen(hour(1), 'active'), seen(hour(3), 'disputed')];
    expect([1, 2, 3, 4].map((i) => lifeAt(statuses, hour(i)).status)).toEqual([
      'active',
      'active',
      'disputed',
      'disputed',
    ]);
  });

  it('before it was first seen a contract is active until its first announced close', () => {
    const statuses = [
      seen(hour(5), 'closed', { closes_at: hour(2) }),
      seen(hour(6), 'active', { closes_at: hour(9) }),
    ];
    expect(lifeAt(statuses, hour(2) - 1).status).toBe('active');
    expect(lifeAt(statuses, hour(2)).status).toBe('closed');
    expect(lifeAt([], hour(9)).status).toBe('active');
  });

  it('a settlement counts from its own instant, even when it was seen later', () => {
    const statuses = [seen(hour(1), 'active'), seen(hour(9), 'settled', { settled_at: hour(5), payout: 1 })];
    expect(lifeAt(statuses, hour(5) - 1)).toEqual({ status: 'active' });
    expect(lifeAt(statuses, hour(5))).toEqual({
      status: 'settled',
      paid: { payout: 1, at: hour(5) },
    });
  });

  it('a settlement without an instant of its own counts from when it was seen', () => {
    const statuses = [seen(hour(1), 'active'), seen(hour(9), 'settled', { payout: 0 })];
    expect(lifeAt(statuses, hour(9) - 1)).toEqual({ status: 'active' });
    expect(lifeAt(statuses, hour(9))).toEqual({
      status: 'settled',
      paid: { payout: 0, at: hour(9) },
    });
  });

  it('a contract settled with an unknown payoff is not considered active', () => {
    const statuses = [
      seen(hour(1), 'active'),
      seen(hour(2), 'settled'),
      seen(hour(4), 'settled', { payout: 1 }),
    ];
    expect(lifeAt(statuses.slice(0, 2), hour(3))).toEqual({ status: 'settled' });
    expect(lifeAt(statuses, hour(4) + HOUR_MS)).toMatchObject({ paid: { payout: 1 } });
  });
});
