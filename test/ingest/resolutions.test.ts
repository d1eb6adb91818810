import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, nameMarkets, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket } from './wire-fixtures.ts';

const RESOLUTIONS = '/data/v2/resolutions';
const id = (number: number) => `venue_b:${conditionId(number)}`;
const ZEROS = { closed: true, outcomePrices: '["0","0"]', umaResolutionStatus: 'resolved' };

describe('a closed Polymarket market whose prices show no outcome', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    nameMarkets(store, [id(1), id(2)], '2026-11-09T00:00:00Z');
    // One is closed among its open siblings, the other is answered by its id alone; nobody named the third.
    venue.on('/gamma/events/keyset', () => ({
      events: [gammaEvent([gammaMarket(1, ZEROS), gammaMarket(3, ZEROS), gammaMarket(4)])],
    }));
    venue.on('/gamma/markets/keyset', (query) => ({
      markets: query.get('closed') === 'true' ? [gammaMarket(2, { ...ZEROS, outcomes: '["No","Yes"]' })] : [],
    }));
    resolve({ status: 'resolved', payouts: [250_000, 750_000], resolved_at: '2026-11-10T09:00:00Z' });
  });

  const resolve = (changes: object) =>
    venue.on(RESOLUTIONS, (query) => ({
      data: (query.get('condition') ?? '').split(',').map((condition_id) => ({ condition_id, ...changes })),
    }));
  const run = async (now = NOW) =>
    feedOf(
      await runIngest(store, configFor(venue.origin), { now, only: 'venue_b_global' }),
      'venue_b_global/events',
    );
  const market = (number: number) => store.read((reader) => findMarket(reader, id(number)));
  const asked = () => venue.requests.filter(({ path }) => path === RESOLUTIONS);

  it("is settled at the data host's payout of its Yes side", async () => {
    expect((await run()).condition).toBe('good');
    const settled_at = NOW - 3 * HOUR_MS;
    expect(market(1)).toMatchObject({ status: 'settled', payout: 0.25, settled_at });
    expect(market(2)).toMatchObject({ status: 'settled', payout: 0.75, settled_at });
    expect(market(3)).toMatchObject({ status: 'closed', payout: null });
    expect(asked()).toHaveLength(2);
  });

  it('is settled the same way when it is resolved but not closed by the venue', async () => {
    const resolved = { active: false, outcomePrices: null, umaResolutionStatus: 'resolved' };
    venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent([gammaMarket(1, resolved)])] }));
    await run();
    expect(market(1)).toMatchObject({ status: 'settled', payout: 0.25 });
  });

  it('is settled where its id has 31 bytes, though the data host ends it with a byte of zero', async () => {
    const conditionId = `0x01${'ab'.repeat(30)}`;
    nameMarkets(store, [`venue_b:${conditionId}`], '2026-11-09T00:00:00Z');
    venue.on('/gamma/markets/keyset', (query) => ({
      markets: query.getAll('condition_ids').includes(conditionId)
        ? [gammaMarket(5, { ...ZEROS, conditionId })]
        : [],
    }));
    venue.on(RESOLUTIONS, () => ({
      data: [{ condition_id: `${conditionId}00`, status: 'resolved', payouts: [1_000_000, 0] }],
    }));
    await run();
    expect(store.read((reader) => findMarket(reader, `venue_b:${conditionId}`))).toMatchObject({
      status: 'settled',
      payout: 1,
    });
  });

  it.each([
    ['an outcome that is not final', { status: 'disputed', payouts: [1_000_000, 0] }],
    ['no payouts', { status: 'resolved', payouts: [] }],
    ['payouts that are no dollar', { status: 'resolved', payouts: [1_000_000, 1_000_000] }],
  ])('stays closed at %s', async (_, changes) => {
    resolve(changes);
    await run();
    expect(market(1)).toMatchObject({ status: 'closed', payout: null });
  });

  it.each([
    ['resolved without payouts', { status: 'resolved' }, 'payouts must make 1000000, got nothing'],
    [
      'payouts in another unit',
      { status: 'resolved', payouts: [0.25, 0.75] },
      'payouts must make 1000000, got [0.25,0.75]',
    ],
    ['no status', { payouts: [250_000, 750_000] }, 'status must be a text, got nothing'],
  ])('stays settled at an unreadable answer, which is reported: %s', async (_, changes, reason) => {
    await run();
    resolve(changes);
    const { first_reasons } = await run(NOW + HOUR_MS);
    expect(first_reasons[0]).toBe(`${conditionId(1)}: ${reason}`);
    expect(market(1)).toMatchObject({ status: 'settled', payout: 0.25, settled_at: NOW - 3 * HOUR_MS });
  });

  it('stays settled when the data host fails, but not when it withdraws the outcome', async () => {
    await run();
    venue.on(RESOLUTIONS, () => raw('{"error":"internal","retryable":false}', 500));
    expect((await run(NOW + HOUR_MS)).condition).toBe('partial');
    expect(market(1)).toMatchObject({ status: 'settled', payout: 0.25, settled_at: NOW - 3 * HOUR_MS });
    resolve({ status: 'disputed', payouts: [] });
    await run(NOW + DAY_MS);
    expect(market(1)).toMatchObject({ status: 'closed', payout: null });
  });
});
