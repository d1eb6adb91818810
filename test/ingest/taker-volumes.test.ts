import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket } from './wire-fixtures.ts';

const VOLUMES = '/data/v2/live-volume';
const id = (number: number) => `venue_b:${conditionId(number)}`;

describe('the volume of a Polymarket market', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    nameMarkets(store, [id(1), id(2)], '2026-11-09T00:00:00Z');
    list({ volumeNum: undefined, volume: undefined });
    venue.on(VOLUMES, () => ({
      data: {
        taker_volume_total: 12.5,
        conditions: [
          { condition_id: conditionId(1).toUpperCase().replace('0X', '0x'), taker_volume: 12.5 },
          { condition_id: conditionId(2), taker_volume: null },
          { condition_id: conditionId(3), taker_volume: 7 },
        ],
      },
    }));
  });

  const list = (changes: object) =>
    venue.on('/gamma/events/keyset', () => ({
      events: [gammaEvent([1, 2, 3].map((number) => gammaMarket(number, { ...changes })))],
    }));
  const run = async (now = NOW) =>
    feedOf(
      await runIngest(store, configFor(venue.origin), { now, only: 'venue_b_global' }),
      'venue_b_global/events',
    );
  const volumeOf = (number: number) => {
    const row = store.read((reader) => findMarket(reader, id(number)));
    return [row?.volume, row?.volume_unit];
  };
  const asked = () => venue.requests.filter(({ path }) => path === VOLUMES).map(({ query }) => String(query));

  it('is what takers traded where the market is named and the catalog states none', async () => {
    expect((await run()).condition).toBe('good');
    expect(asked()).toEqual(['id=30829']);
    expect([1, 2, 3].map(volumeOf)).toEqual([
      [12.5, 'shares'],
      [null, null],
      [null, null],
    ]);
    expect(pricesOf(store, id(1), 'quote')).toMatchObject([{ bid: 0.4, ask: 0.42, volume: 12.5 }]);
  });

  it('is found where the id has 31 bytes, though the data host ends it with a byte of zero', async () => {
    const native = `0x01${'ab'.repeat(30)}`;
    nameMarkets(store, [`venue_b:${native}`], '2026-11-09T00:00:00Z');
    list({ conditionId: native, volumeNum: undefined, volume: undefined });
    venue.on(VOLUMES, () => ({ data: { conditions: [{ condition_id: `${native}00`, taker_volume: 9 }] } }));
    await run();
    expect(store.read((reader) => findMarket(reader, `venue_b:${native}`))?.volume).toBe(9);
  });

  it('stays missing when it is missing in dollars, and when the data host does not answer', async () => {
    list({});
    await run();
    expect(asked()).toEqual([]);
    list({ volumeNum: undefined, volume: undefined });
    for (const minutes of [1, 2, 3]) await run(NOW + minutes * MINUTE_MS);
    expect([asked(), volumeOf(1)]).toEqual([[], [null, null]]);
  });

  it.each([
    ['nothing of the event', { data: null }, 'good'],
    ['with a failure', raw('{"error":"internal","retryable":false}', 500), 'partial'],
  ])('is left out when the data host answers %s', async (_, answer, condition) => {
    venue.on(VOLUMES, () => answer);
    expect((await run()).condition).toBe(condition);
    expect(volumeOf(1)).toEqual([null, null]);
  });
});
