import { beforeEach } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { type FixtureVenue, startFixtureVenue } from './fixture-venue.ts';

/** Those of the test that runs. */
export let venue: FixtureVenue;
export let store: Store;

/**
 * Gives each test of a file or group a venue and an empty store of its own, and closes both after it.
 *
 * @param begin comes before the test, and lets the venue answer
 */
export function withVenueAndStore(begin: () => void = () => {}): void {
  beforeEach(async () => {
    venue = await startFixtureVenue();
    store = openStore(':memory:');
    begin();
    return async () => {
      store.close();
      await venue.close();
    };
  });
}
