import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogEvent } from '../../../src/model/catalog.ts';
import { upsertEvents, upsertMarket } from '../../../src/store/catalog/catalog.ts';
import { EVENT_SORTS, listEvents, listFoundEvents } from '../../../src/store/catalog/event-lists.ts';
import {
  listFoundMarkets,
  listMarkets,
  listSortedMatches,
  MARKET_SORTS,
} from '../../../src/store/catalog/market-lists.ts';
import { setMarketMark } from '../../../src/store/catalog/market-marks.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { market } from '../../helpers/small-store.ts';

const IDS = ['venue_a:A', 'venue_a:B', 'venue_a:C', 'venue_b:0x1', 'venue_b:us:a', 'venue_c:7'];
const PAGE = { limit: 4, offset: 1 };
const WAYS = ['asc', 'desc'] as const;

/** Markets and events that tie in every sort key, in an order of arrival. */
function storeOf(ids: readonly string[]): Store {
  const store = openStore(':memory:');
  store.write((writer) => {
    for (const id of ids) {
      const alike = { question: 'Rain in Oslo?', volume: 7, closes_at: 9, listed_at: 5 };
      const { market_key } = upsertMarket(writer, market({ market_id: id, ...alike }), 1);
      setMarketMark(writer, market_key, { price: 0.5, basis: 'mid', observed_at: 1, spread: 0 });
      const event: CatalogEvent = {
        event_id: id,
        family: 'venue_a',
        native_id: id,
        title: 'Rain',
        listed_at: 5,
      };
      upsertEvents(writer, [{ ...event, closes_at: 9, volume: 7 }], 1);
    }
  });
  return store;
}

describe('[2.3/1] rows that tie in the sort key of a list', () => {
  it('are ordered by id, whichever came first', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(IDS, { minLength: IDS.length }), (ids) => {
        const store = storeOf(ids);
        store.read((reader) => {
          for (const direction of WAYS) {
            const sorted = direction === 'asc' ? IDS : IDS.toReversed();
            const expected = sorted.slice(PAGE.offset, PAGE.offset + PAGE.limit);
            for (const sort of MARKET_SORTS) {
              const listed = listMarkets(reader, {}, { sort, direction }, PAGE);
              expect(listed.map((each) => each.market_id)).toEqual(expected);
              const { rows } = listSortedMatches(reader, 'rain', {}, { sort, direction }, PAGE);
              expect(rows.map((each) => each.market_id)).toEqual(expected);
            }
            for (const sort of EVENT_SORTS) {
              const listed = listEvents(reader, {}, { sort, direction }, PAGE);
              expect(listed.map((each) => each.event_id)).toEqual(expected);
              const { rows } = listFoundEvents(reader, 'rain', {}, { sort, direction }, PAGE);
              expect(rows.map((each) => each.event_id)).toEqual(expected);
            }
          }
        });
        store.close();
      }),
      { numRuns: 20 },
    );
  });

  it('are ordered by id in a ranking too: stores filled in different orders answer alike', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(IDS, { minLength: IDS.length }),
        fc.nat(6),
        fc.nat(6),
        (ids, offset, limit) => {
          const store = storeOf(ids);
          store.read((reader) => {
            const [page, expected] = [{ offset, limit }, IDS.slice(offset, offset + limit)];
            const markets = listFoundMarkets(reader, 'oslo', {}, page);
            expect(markets.rows.map((each) => each.market_id)).toEqual(expected);
            const events = listFoundEvents(reader, 'rain', {}, undefined, page);
            expect(events.rows.map((each) => each.event_id)).toEqual(expected);
            for (const { has_next } of [markets, events]) expect(has_next).toBe(offset + limit < IDS.length);
          });
          store.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});
