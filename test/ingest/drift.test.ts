import { describe, expect, it } from 'vitest';
import { countValues, DriftTally, findCandleDrift } from '../../src/ingest/catalog/drift.ts';
import type { ListedMarket } from '../../src/ingest/catalog/listed-market.ts';
import type { Observation } from '../../src/model/observation.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { findMarketKey, type KnownMarket } from '../../src/store/catalog/catalog.ts';
import { openStore } from '../../src/store/store.ts';
import { market, observe, put } from '../helpers/small-store.ts';

const FULL = { bid: 0.4, ask: 0.5, last: 0.45 };
const NOW = Date.parse('2026-11-10T12:00:00Z');

/** A page of active markets, of which the first so many lost something since they were known with all prices. */
function page(count: number, lost: number, losing: (keyof typeof FULL)[]) {
  const listed = Array.from({ length: count }, (_none, i): ListedMarket => {
    const prices: Partial<Observation> = { ...FULL };
    if (i < lost) for (const field of losing) delete prices[field];
    return { market: market({ market_id: `venue_a:M${i}` }), quote: { prices, has_book: true } };
  });
  const known = new Map(
    listed.map(({ market: { market_id } }) => [market_id, { status: 'active', ...FULL } as KnownMarket]),
  );
  return [listed, known] as const;
}

describe('a page is not believed', () => {
  const driftOf = (...asked: Parameters<typeof page>) => new DriftTally([]).findDrift(...page(...asked), NOW);

  it('when more than half of at least 20 known values are gone', () => {
    expect(driftOf(20, 11, ['bid'])).toMatch(/^bid is zero or missing in 11 of 20 rows/);
    expect(driftOf(20, 10, ['bid'])).toBeUndefined();
    expect(driftOf(19, 19, ['bid', 'ask'])).toBeUndefined();
  });

  it('when all of at least five known last trades are gone, which do not go as quotes do', () => {
    expect(driftOf(5, 5, ['last'])).toMatch(/^last is zero or missing in 5 of 5 rows/);
    expect(driftOf(5, 4, ['last'])).toBeUndefined();
    expect(driftOf(4, 4, ['last'])).toBeUndefined();
  });

  it('for active markets alone, and for last trades of rows that can state them', () => {
    const [listed, known] = page(20, 20, ['last']);
    const findDrift = (rows: ListedMarket[], then = known) => new DriftTally([]).findDrift(rows, then, NOW);
    const as = (status: 'closed' | 'paused') => (each: ListedMarket) => ({
      ...each,
      market: { ...each.market, status },
    });
    expect(findDrift(listed.map(as('closed')))).toBeUndefined();
    const paused = Array.from(known, ([id, each]) => [id, { ...each, status: 'paused' } as const] as const);
    expect(findDrift(listed, new Map(paused))).toBeUndefined();
    expect(findDrift(listed, new Map())).toBeUndefined();
    const mute = listed.map(
      ({ market, quote }): ListedMarket => ({
        market,
        ...(quote && { quote: { ...quote, knows_last: false } }),
      }),
    );
    expect(findDrift(mute)).toBeUndefined();
  });

  it('with the pages before it, those that are unchanged too, unless the loss is accepted', () => {
    const tally = new DriftTally([]);
    tally.addUnchanged({ ask: 8 });
    expect(tally.findDrift(...page(10, 9, ['ask']), NOW)).toBeUndefined();
    expect(tally.findDrift(...page(2, 2, ['ask']), NOW)).toMatch(/^ask is zero or missing in 11 of 20 rows/);
    expect(new DriftTally(['bid']).findDrift(...page(20, 20, ['bid']), NOW)).toBeUndefined();
  });
});

describe('a page whose quotes are far from those before', () => {
  /** Rows quoted at 93 cents, the first so many at seven, of markets whose quotes were at 93 so many hours ago. */
  function moved(rows: number, far: number, { hours = 1, ask = 0.08 as number | undefined } = {}) {
    const [listed, known] = page(rows, 0, []);
    for (const [i, { quote }] of listed.entries())
      Object.assign(quote?.prices ?? {}, i < far ? { bid: 0.06, ask } : { bid: 0.92, ask: 0.94 });
    for (const each of known.values())
      Object.assign(each, { bid: 0.92, ask: 0.94, book_at: NOW - hours * HOUR_MS });
    return [listed, known, NOW] as const;
  }
  const driftOf = (...asked: Parameters<typeof moved>) => new DriftTally([]).findDrift(...moved(...asked));

  it('is not believed when they are more than half of at least 20', () => {
    expect(driftOf(20, 11)).toBe(
      'the quotes of 11 of 20 rows are over 50 cents from those before; the page was not stored',
    );
    expect(driftOf(20, 10)).toBeUndefined();
    expect(driftOf(19, 19)).toBeUndefined();
  });

  it('is believed once those before are a day old', () => {
    expect(driftOf(20, 20, { hours: 24 })).toMatch(/^the quotes of 20/);
    expect(driftOf(20, 20, { hours: 25 })).toBeUndefined();
  });

  it('is judged by quotes on two sides, with those of unchanged pages', () => {
    expect(driftOf(20, 9, { ask: undefined })).toBeUndefined();
    const tally = new DriftTally([]);
    tally.addUnchanged({ bid: 30, ask: 10 });
    expect(tally.findDrift(...moved(10, 10))).toBeUndefined();
    expect(tally.findDrift(...moved(2, 2))).toMatch(/^the quotes of 12 of 22 rows/);
  });
});

it('an unchanged page has the values of its active markets that are not zero or missing', () => {
  const [listed] = page(4, 1, ['bid', 'ask']);
  const closed = { ...listed[2], market: { ...listed[2]?.market, status: 'closed' } } as ListedMarket;
  const zero = { ...listed[3], quote: { prices: { ...FULL, last: 0 }, has_book: true } } as ListedMarket;
  expect(countValues([...listed.slice(0, 2), closed, zero])).toMatchObject({ bid: 2, ask: 2, last: 2 });
});

describe('candles are not believed', () => {
  const MARKET = 'venue_a:C';
  /** What is said of candles, some of them empty, of a market whose book was last this. */
  const driftOf = (candles: number, empty: number, book: Partial<Observation>) => {
    const store = openStore(':memory:');
    put(store, { market_id: MARKET });
    observe(store, MARKET, [{ observed_at: 1000, ...book }]);
    const observations = Array.from(
      { length: candles },
      (_none, i): Observation => ({
        observed_at: 2000 + i,
        ...(i < empty ? {} : FULL),
      }),
    );
    return store.read((reader) => {
      const market_key = findMarketKey(reader, MARKET) ?? 0;
      return findCandleDrift(reader, [{ market_key, observations }]);
    });
  };

  it('when more than half of at least 20 are empty, of a market that had at least one side of a book', () => {
    for (const book of [{ bid: 0.4 }, { ask: 0.5 }, FULL])
      expect(driftOf(20, 11, book)).toMatch(/^11 of 20 candles of quoted markets are empty/);
    expect(driftOf(20, 10, FULL)).toBeUndefined();
    expect(driftOf(19, 19, FULL)).toBeUndefined();
    expect(driftOf(20, 20, { last: 0.45 })).toBeUndefined();
  });
});
