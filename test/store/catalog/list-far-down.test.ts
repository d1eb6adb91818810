import { afterAll, beforeAll, expect, it } from 'vitest';
import { upsertEvents, upsertMarket } from '../../../src/store/catalog/catalog.ts';
import { eachEvent, listEvents } from '../../../src/store/catalog/event-lists.ts';
import { eachMarket, listMarkets } from '../../../src/store/catalog/market-lists.ts';
import { setMarketMark } from '../../../src/store/catalog/market-marks.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { market } from '../../helpers/small-store.ts';

const ROWS = 4_300;
const OF_A = { platform: 'venue_a' } as const;
const OF_EARLY = { closesBefore: 4_000 };

let store: Store;
beforeAll(() => {
  store = openStore(':memory:');
  store.write((writer) => {
    for (let i = 0; i < ROWS; i++) {
      const platform = i % 9 === 0 ? 'venue_b' : 'venue_a';
      const given = market({ market_id: `${platform}:M${(i * 7919) % ROWS}`, closes_at: i });
      const { market_key } = upsertMarket(writer, given, 1);
      if (i % 3 > 0)
        setMarketMark(writer, market_key, { price: (i % 40) / 100, basis: 'mid', observed_at: 1 });
    }
  });
});
afterAll(() => store.close());

it.each([
  [{}, 'asc'],
  [{}, 'desc'],
  [OF_A, 'asc'],
  [OF_A, 'desc'],
  [OF_EARLY, 'desc'],
] as const)(
  '[C/5] pages of the markets of %j by price %s match the list, however far down',
  (filter, direction) => {
    const order = { sort: 'latest_price', direction } as const;
    store.read((reader) => {
      const all = [...eachMarket(reader, filter, order)].map((each) => each.market_id);
      expect(all.length).toBeGreaterThan(3_500);
      const listed: string[] = [];
      for (let offset = 0; offset < ROWS; offset += 500)
        listed.push(
          ...listMarkets(reader, filter, order, { limit: 500, offset }).map((each) => each.market_id),
        );
      expect(listed).toEqual(all);
    });
  },
);

it('writing a price moves its market on pages far down', () => {
  const order = { sort: 'latest_price', direction: 'desc' } as const;
  const last = () =>
    store.read((reader) =>
      listMarkets(reader, {}, order, { limit: 1, offset: ROWS - 1 }).map((each) => each.market_key),
    );
  const [before] = last();
  store.write((writer) =>
    setMarketMark(writer, before as number, { price: 0.99, basis: 'mid', observed_at: 2 }),
  );
  expect(last()).not.toEqual([before]);
});

it.each([{}, OF_A, { listedUntil: 600 }])(
  '[C/5] pages of the events of %j by volume match the list, even after a volume was written',
  (filter) => {
    const own = openStore(':memory:');
    const volumeOf = (i: number, volume: number) =>
      own.write((writer) => {
        const event_id = `${i % 9 === 0 ? 'venue_b' : 'venue_a'}:E${i}`;
        const family = i % 9 === 0 ? ('venue_b_global' as const) : ('venue_a' as const);
        upsertEvents(writer, [{ event_id, family, native_id: `E${i}`, title: 'Which?', listed_at: i }], 1);
        upsertMarket(writer, market({ market_id: `${event_id}-M`, event_id, volume }), 1);
      });
    for (let i = 0; i < 900; i++) volumeOf(i, (i * 7919) % 300);
    const order = { sort: 'volume', direction: 'desc' } as const;
    const [all, paged] = [eachEvent, laidEndToEnd].map(
      (list) => () => own.read((reader) => Array.from(list(reader, filter, order), (each) => each.event_id)),
    ) as [() => string[], () => string[]];
    const before = all();
    expect(before.length).toBeGreaterThan(550);
    expect(paged()).toEqual(before);
    volumeOf(1, 1_000);
    expect(paged()).toEqual(['venue_a:E1', ...before.filter((each) => each !== 'venue_a:E1')]);
    own.close();
  },
);

function* laidEndToEnd(...[reader, filter, order]: Parameters<typeof eachEvent>) {
  for (let offset = 0; offset < 900; offset += 100)
    yield* listEvents(reader, filter, order, { limit: 100, offset });
}
