import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogMarket } from '../../../src/model/catalog.ts';
import { given } from '../../../src/model/given.ts';
import {
  findKnownMarkets,
  findMarket,
  toCatalogMarket,
  upsertMarket,
  upsertMarkets,
} from '../../../src/store/catalog/catalog.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { market } from '../../helpers/small-store.ts';

const listed: fc.Arbitrary<CatalogMarket> = fc
  .record({
    id: fc.integer({ min: 0, max: 60 }),
    question: fc.constantFrom('Who wins the cup?', 'Rain in Oslo?'),
    volume: fc.constantFrom(0, 1, 70, 4000),
    settled: fc.boolean(),
  })
  .map(({ id, question, volume, settled }) =>
    market({
      market_id: `venue_a:M-${id}`,
      native_id: `M-${id}`,
      question,
      volume,
      ...(settled ? { status: 'settled', settled_at: 1, payout: 1 } : { status: 'active' }),
    }),
  );
const pages = fc.array(
  fc.uniqueArray(listed, { selector: (each) => each.market_id, minLength: 1, maxLength: 50 }),
  { minLength: 1, maxLength: 3 },
);

const TABLES = ['market_names', 'markets', 'market_statuses', 'market_search', 'late_inputs'];

function contents(store: Store) {
  return store.read((reader) => [
    ...TABLES.map((table) => reader.all(`SELECT * FROM ${table} ORDER BY 1, 2`)),
    reader.all("SELECT rowid FROM market_words('head : won OR win OR rain')"),
  ]);
}

/** Records that a market has settled. @returns since when it has, and its earlier statuses */
function settledIn(store: Store) {
  return (seenAt: number, told: { payout: number; settled_at?: number }) =>
    store.write((writer) => {
      upsertMarket(writer, market({ market_id: 'venue_a:M', status: 'settled', ...told }), seenAt);
      return [
        findMarket(writer, 'venue_a:M')?.settled_at,
        ...writer.all('SELECT settled_at FROM market_statuses ORDER BY observed_at'),
      ];
    });
}

describe('upsertMarkets', () => {
  it('leaves the same rows as each market upserted by itself', () => {
    fc.assert(
      fc.property(pages, (walk) => {
        const [together, each] = [openStore(':memory:'), openStore(':memory:')];
        for (const [seenAt, page] of walk.entries()) {
          const ids = page.map(({ market_id }) => market_id);
          const { keys, changed } = together.write((writer) =>
            upsertMarkets(writer, page, seenAt, findKnownMarkets(writer, ids)),
          );
          const alone = page.map((one) => each.write((writer) => upsertMarket(writer, one, seenAt)));
          expect(ids.map((id) => keys.get(id))).toEqual(alone.map(({ market_key }) => market_key));
          expect(changed).toBe(alone.filter((one) => one.changed).length);
        }
        expect(contents(together)).toEqual(contents(each));
      }),
      { numRuns: 30 },
    );
  });

  it('leaves a market as it was listed last, whatever changed', () => {
    const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const version = fc.record({
      question: fc.constantFrom('A?', 'B?'),
      description: maybe(fc.constantFrom('long', 'longer')),
      event_id: maybe(fc.constantFrom('venue_a:E', 'venue_a:F')),
      closes_at: maybe(fc.constantFrom(1, 2)),
      volume: maybe(fc.constantFrom(0, 1.5, 2000)),
      status: fc.constantFrom('active' as const, 'closed' as const),
    });
    fc.assert(
      fc.property(fc.array(version, { minLength: 2, maxLength: 4 }), (versions) => {
        const store = openStore(':memory:');
        for (const [seenAt, { question, status, ...more }] of versions.entries()) {
          const listing = market({ market_id: 'venue_a:M', question, status, ...given(more) });
          store.write((writer) => upsertMarket(writer, listing, seenAt));
          const row = store.read((reader) => findMarket(reader, listing.market_id));
          expect(row && toCatalogMarket(row)).toEqual(listing);
          expect(row?.last_seen_at).toBe(seenAt);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps when a market settled where a later row omits it, as long as the payout is the same', () => {
    const settledAt = settledIn(openStore(':memory:'));
    const [first, second, none] = [5, 7, null].map((settled_at) => ({ settled_at }));
    expect(settledAt(10, { payout: 1, settled_at: 5 })).toEqual([5, first]);
    expect(settledAt(11, { payout: 1 })).toEqual([5, first]);
    expect(settledAt(12, { payout: 1, settled_at: 7 })).toEqual([7, first, second]);
    expect(settledAt(13, { payout: 0 })).toEqual([null, first, second, none]);
  });

  it('dates a settlement by when it was seen, where its venue dates it later', () => {
    const settledAt = settledIn(openStore(':memory:'));
    const [seen, dated] = [10, 30].map((settled_at) => ({ settled_at }));
    expect(settledAt(10, { payout: 1, settled_at: 30 })).toEqual([10, seen]);
    expect(settledAt(20, { payout: 1, settled_at: 30 })).toEqual([10, seen]);
    expect(settledAt(31, { payout: 1, settled_at: 30 })).toEqual([30, seen, dated]);
  });

  it('takes the last of two rows of one market', () => {
    const store = openStore(':memory:');
    const rows = [1, 2].map((volume) => market({ market_id: 'venue_a:M', volume }));
    store.write((writer) => upsertMarkets(writer, rows, 1, new Map()));
    expect(store.read((reader) => reader.all('SELECT volume FROM markets'))).toEqual([{ volume: 2 }]);
  });
});
