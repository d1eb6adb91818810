import { expect, it } from 'vitest';
import type { CatalogFilter } from '../../../src/store/catalog/catalog-filter.ts';
import { eachMarket, listMarkets } from '../../../src/store/catalog/market-lists.ts';
import { memoryStore } from '../../helpers/memory-store.ts';

/** So many that most of them are not looked up one by one. Some name no close or volume, many are alike in both. */
const MARKETS = 30_000;
const NUMBERED = `WITH RECURSIVE numbered (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbered WHERE i < ${MARKETS}),
  named (i, id) AS (SELECT i, iif(i % 16 = 0, 'venue_b:', 'venue_a:') || (i * 7919 % ${MARKETS}) FROM numbered)`;

interface Row {
  market_id: string;
  listed_at: number;
  closes_at: number | null;
  volume: number | null;
}

it('[4.1/1] a date window that holds most of the catalog lists its rows in order, as a small one does', () => {
  const store = memoryStore();
  store.write((writer) => {
    writer.run(`${NUMBERED} INSERT INTO market_names (market_key, market_id) SELECT i, id FROM named`);
    writer.run(`${NUMBERED} INSERT INTO markets (market_key, market_id, family, native_id, question, status, venue_status,
        listed_at, closes_at, volume, first_seen_at, last_seen_at, digest)
      SELECT i, id, 'venue_a', i, 'Rain?', 'active', '', i * 31 % 4001, iif(i % 6 = 0, NULL, i * 13 % 5003),
        iif(i % 5 = 0, NULL, i * 17 % 301), 1, 1, x'' FROM named`);
  });
  const filters: CatalogFilter[] = [
    { closesAfter: 40 },
    { closesAfter: 4, closesBefore: 4900 },
    { closesBefore: 4990, platform: 'venue_a' },
    { closesAfter: 4990 },
    { closesAfter: 4, platform: 'venue_b' },
  ];
  store.read((reader) => {
    const rows = reader.all<Row>('SELECT market_id, listed_at, closes_at, volume FROM markets');
    const lengths = filters.map((filter) => {
      const { closesAfter = 0, closesBefore = Number.MAX_VALUE, platform = '' } = filter;
      const wanted = rows.filter(
        ({ market_id, closes_at }) =>
          closes_at !== null &&
          closes_at >= closesAfter &&
          closes_at <= closesBefore &&
          market_id.startsWith(platform),
      );
      for (const [sort, of] of [
        ['listed', (row: Row) => row.listed_at],
        ['volume', (row: Row) => row.volume],
      ] as const)
        for (const [direction, sign] of [
          ['asc', 1],
          ['desc', -1],
        ] as const) {
          const ordered = wanted.toSorted((a, b) => {
            const [x, y] = [of(a), of(b)];
            if (x === null || y === null) return Number(x === null) - Number(y === null) || byId(a, b) * sign;
            return (x - y || byId(a, b)) * sign;
          });
          const ids = ordered.map((each) => each.market_id);
          const page = listMarkets(reader, filter, { sort, direction }, { limit: 20, offset: 9000 });
          expect(page.map((each) => each.market_id)).toEqual(ids.slice(9000, 9020));
          const all = Array.from(eachMarket(reader, filter, { sort, direction }), (each) => each.market_id);
          expect(all).toEqual(ids);
        }
      return wanted.length;
    });
    expect(lengths.map((length) => length > 20_000)).toEqual([true, true, true, false, false]);
  });
});

function byId(a: Row, b: Row): number {
  return a.market_id < b.market_id ? -1 : 1;
}
