import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { configFor, feedOf, NOW, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

describe('a venue that ignores what it is asked for', () => {
  withVenueAndStore(() => answerAsTwoVenues(venue));

  const run = async (only: 'venue_a' | 'venue_b_global', hours: number) =>
    feedOf(
      await runIngest(store, configFor(venue.origin), { only, now: NOW + hours * HOUR_MS }),
      `${only}/events`,
    );
  const statusOf = (id: string) => store.read((reader) => findMarket(reader, id)?.status);

  it.each([
    ['venue_a', '/kalshi/events', kalshiEvent(undefined), 'venue_a:KX-1'],
    ['venue_b_global', '/gamma/events/keyset', gammaEvent([]), `venue_b:${conditionId(1)}`],
  ] as const)(
    '%s: events without their markets are no list, and close none',
    async (only, path, event, id) => {
      await run(only, 0);
      venue.on(path, () => ({ events: [event], cursor: '' }));
      for (const hours of [1, 2, 30])
        expect(await run(only, hours)).toMatchObject({
          condition: 'partial',
          message: 'the venue listed 1 events without any market; markets missing from it are not closed',
        });
      expect(statusOf(id)).toBe('active');
    },
  );

  it.each([
    ['venue_a', '/kalshi/markets', { markets: [kalshiMarket('KX-50')], cursor: '' }, 'KX-50', 'venue_a:KX-2'],
    [
      'venue_b_global',
      '/gamma/markets/keyset',
      { markets: [gammaMarket(50)] },
      conditionId(50),
      `venue_b:${conditionId(2)}`,
    ],
  ] as const)(
    '%s: a look-up that returns other markets stores none of them, and closes none',
    async (only, path, others, other, left) => {
      await run(only, 0);
      listOnKalshi(venue, 'KX-1');
      venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent([gammaMarket(1)])] }));
      venue.on(path, () => others);
      for (const hours of [1, 2, 3])
        expect(await run(only, hours)).toMatchObject({
          condition: 'partial',
          message: `a look-up by ids was answered with ${other}, which was not asked for`,
        });
      expect(statusOf(left)).toBe('active');
      expect(statusOf(`${only.slice(0, 7)}:${other}`)).toBeUndefined();
    },
  );
});
