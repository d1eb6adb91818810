import { expect, it } from 'vitest';
import { upsertEvent, upsertMarket } from '../../src/store/catalog.ts';
import { listEvents } from '../../src/store/event-lists.ts';
import { eachMarket, listMarkets } from '../../src/store/market-lists.ts';
import { openStore } from '../../src/store/store.ts';
import { market, NOW } from '../small-store.ts';

const IDS = ['venue_c:B', 'venue_a:C', 'venue_c:A', 'venue_b:D'];
const NEWEST = { sort: 'listed', direction: 'desc' } as const;
const PAGE = { limit: 3, offset: 0 };

/** What is listed of markets and events that were first seen at once, none of which says when it was listed. */
function listedOf(ids: readonly string[]) {
  const store = openStore(':memory:');
  store.write((writer) => {
    for (const id of ids) {
      const { family, native_id } = market({ market_id: id });
      upsertMarket(writer, market({ market_id: id }), NOW);
      upsertEvent(writer, { event_id: id, family, native_id, title: id }, NOW);
    }
  });
  return store.read((reader) => ({
    page: listMarkets(reader, {}, NEWEST, PAGE).map((each) => each.market_id),
    whole: [...eachMarket(reader, {}, NEWEST)].map((each) => each.market_id),
    events: listEvents(reader, {}, NEWEST, PAGE).map((each) => each.event_id),
  }));
}

it('[4.1/1][4.2/2] lists are the same whichever of the venues that are read side by side was quicker', () => {
  const whole = [...IDS].sort().reverse();
  const expected = { page: whole.slice(0, 3), whole, events: whole.slice(0, 3) };
  expect(listedOf(IDS)).toEqual(expected);
  expect(listedOf([...IDS].reverse())).toEqual(expected);
});
