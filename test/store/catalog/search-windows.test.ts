import fc from 'fast-check';
import { expect, it } from 'vitest';
import { upsertMarkets } from '../../../src/store/catalog/catalog.ts';
import { listMatches, listMatchIds } from '../../../src/store/catalog/search.ts';
import { keyOfSearchId } from '../../../src/store/catalog/search-index.ts';
import { memoryStore } from '../../helpers/memory-store.ts';
import { BASE, market } from '../../helpers/small-store.ts';

const MANY = 4_500;

it('[4.1/1] a search within dates finds what holds its words and closes then, titles first, however few close then', () => {
  const store = memoryStore();
  const markets = Array.from({ length: MANY }, (_, i) =>
    market({
      market_id: `${i % 3 === 0 ? 'venue_a' : 'venue_c'}:m-${i}`,
      question: `Common ${i % 2 === 0 ? 'even' : 'odd'} question`,
      description: i % 5 === 0 ? 'it tells of a fifth and of even ones' : '',
      closes_at: BASE + i,
      volume: (i * 7_919) % MANY,
    }),
  );
  const keys = store.write((writer) => upsertMarkets(writer, markets, BASE, new Map())).keys;
  const numbers = new Map(markets.map((each, i) => [keys.get(each.market_id), i]));
  const TITLES: Record<string, (i: number) => boolean> = {
    common: () => true,
    'even question': (i) => i % 2 === 0,
    'common fifth': () => false,
  };
  const TEXTS: Record<string, (i: number) => boolean> = {
    common: () => true,
    'even question': (i) => i % 2 === 0 || i % 5 === 0,
    'common fifth': (i) => i % 5 === 0,
  };
  const within = fc.record({
    text: fc.constantFrom(...Object.keys(TITLES)),
    from: fc.integer({ min: -10, max: MANY }),
    length: fc.constantFrom(0, 20, 900, 1_100, 2_100, 2_400, MANY),
    platform: fc.constantFrom(undefined, 'venue_a' as const),
  });
  fc.assert(
    fc.property(within, ({ text, from, length, platform }) => {
      const expected = markets.flatMap((each, i) => {
        const isIn = i >= from && i <= from + length && (!platform || each.market_id.startsWith(platform));
        return isIn && TEXTS[text]?.(i) ? [i] : [];
      });
      const filter = {
        closesAfter: BASE + from,
        closesBefore: BASE + from + length,
        ...(platform ? { platform } : {}),
      };
      const { ranked, sorted } = store.read((reader) => {
        const ranked: number[] = [];
        for (let hasNext = true; hasNext; ) {
          const page = listMatches(reader, 'market', { text, filter }, { limit: 400, offset: ranked.length });
          ranked.push(...page.keys);
          hasNext = page.has_next;
        }
        return { ranked, sorted: listMatchIds(reader, 'market', { text, filter }).map(keyOfSearchId) };
      });
      const found = ranked.map((key) => numbers.get(key) as number);
      expect(found.toSorted((a, b) => a - b)).toEqual(expected);
      expect(sorted.map((key) => numbers.get(key) as number).sort((a, b) => a - b)).toEqual(expected);
      // Each thousand by itself, the most traded first, by powers of two.
      if (text === 'common') {
        const steps = found.map((i) => Math.floor(Math.log2(1 + ((i * 7_919) % MANY))));
        expect(Math.min(...steps.slice(0, 1_000))).toBeGreaterThanOrEqual(Math.max(0, ...steps.slice(1_000)));
      }
      const byTitle = found.map((i) => (TITLES[text]?.(i) ? 1 : 0));
      expect(byTitle).toEqual(byTitle.toSorted((a, b) => b - a));
    }),
    { numRuns: 40 },
  );
});
