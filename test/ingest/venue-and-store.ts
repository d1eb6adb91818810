import { beforeEach } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { type FixtureVenue, startFixtureVenue } from './fixture-venue.ts';

/**
 * Gives each test of a file or group a venue and an empty store of its own, and closes both after it.
 *
 * @param begin takes them before the test, and lets the venue answer
 */
export function withVenueAndStore(begin: (venue: FixtureVenue, store: Store) => void): void {
  beforeEach(async () => {
    const venue = await startFixtureVenue();
    const store = openStore(':memory:');
    begin(venue, store);
    return async () => {
      store.close();
      await venue.close();
    };
  });
}
