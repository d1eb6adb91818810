import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { listChangedTerms } from '../../src/store/catalog/market-terms.ts';
import { configFor, NOW, nameMarkets, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket } from './wire-fixtures.ts';

const MARKET = `venue_b:${conditionId(1)}`;

describe('the terms of a market that a definition names', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    nameMarkets(store, [MARKET], '2026-11-10T00:00:00Z');
  });

  const run = async (days: number, changes: Record<string, unknown>) => {
    const rows = [gammaMarket(1, changes), gammaMarket(2, changes)];
    venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent(rows)] }));
    await runIngest(store, configFor(venue.origin), { now: NOW + days * DAY_MS, only: 'venue_b_global' });
  };
  const told = (days: number) =>
    store
      .read((reader) => listChangedTerms(reader, NOW + days * DAY_MS))
      .map(({ market_id, ...each }) => {
        expect(market_id).toBe(MARKET);
        return each;
      });

  it('are compared with those before: a change is told for 30 days, with a further one, unless it is undone', async () => {
    const above = (price: number) => ({ question: `Above ${price}?`, description: `Pays above ${price}.` });
    await run(0, above(100));
    await run(1, { ...above(100), question: 'above 100' });
    expect(told(1)).toEqual([]);
    await run(2, above(110));
    const changed = (price: number) => [
      { term: 'question', before: 'above 100', after: `Above ${price}?` },
      { term: 'rules', before: 'Pays above 100.', after: `Pays above ${price}.` },
    ];
    expect(told(2)).toEqual([{ changed_at: NOW + 2 * DAY_MS, changed: changed(110) }]);
    await run(3, above(110));
    expect(told(3)).toEqual([{ changed_at: NOW + 2 * DAY_MS, changed: changed(110) }]);
    await run(4, above(120));
    expect(told(34 - 1 / DAY_MS)).toEqual([{ changed_at: NOW + 4 * DAY_MS, changed: changed(120) }]);
    expect(told(34)).toEqual([]);
    await run(5, above(100));
    expect(told(5)).toEqual([]);
  });

  it('are as they were where a venue leaves them out, and small steps of the close add up', async () => {
    const closing = (hours: number) => ({
      endDate: new Date(NOW + 9 * DAY_MS + hours * HOUR_MS).toISOString(),
    });
    await run(0, { ...closing(0), description: 'Pays above 100.' });
    await run(1, { ...closing(20), description: null });
    expect(told(1)).toEqual([]);
    await run(2, { ...closing(40), description: 'Pays above 110.' });
    expect(told(2)[0]?.changed.map(({ term }) => term)).toEqual(['rules', 'closes_at']);
  });

  it('are those of a live market: one that closes may set its close anew', async () => {
    await run(0, { endDate: '2026-12-31T00:00:00Z' });
    await run(1, { endDate: '2026-11-11T00:00:00Z', closed: true });
    expect(told(1)).toEqual([]);
  });

  it('are forgotten with the definition that named it', async () => {
    await run(0, { question: 'Above 100?' });
    await run(1, { question: 'Above 110?' });
    expect(told(1)).toHaveLength(1);
    nameMarkets(store, [`venue_b:${conditionId(2)}`], '2026-11-10T00:00:00Z', NOW + DAY_MS);
    await run(2, { question: 'Above 110?' });
    expect(told(2)).toEqual([]);
  });
});
