import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { createApp } from '../../src/serve/serve.ts';
import { insertApiKey } from '../../src/store/api-keys.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { type FixtureVenue, startFixtureVenue } from './fixture-venue.ts';
import { configFor, NOW, nameMarkets, runIngest } from './run-ingest.ts';
import { usEvent, usMarket } from './us-fixtures.ts';

const SLUG = 'aec-nfl-car-ari-2026-11-15';
const EVENT = 'nfl-car-ari-2026-11-15';

describe('Polymarket US at the HTTP boundary', () => {
  let venue: FixtureVenue;
  let store: Store;
  let key: string;

  beforeAll(async () => {
    venue = await startFixtureVenue();
    store = openStore(':memory:');
    nameMarkets(store, [`venue_b:us:${SLUG}`], '2026-11-10T00:00:00Z');
    const bare = {
      description: null,
      marketType: null,
      sportsMarketType: null,
      marketSides: null,
      title: null,
    };
    venue.on('/us/v1/events', (query) => ({
      events:
        query.get('offset') === '0'
          ? [
              usEvent([usMarket(SLUG)]),
              usEvent([usMarket('alone')], { slug: 'alone' }),
              usEvent([usMarket('bare', { ...bare, volume: null })], {
                slug: 'b',
                description: null,
                volume: null,
              }),
            ]
          : [],
    }));
    venue.on('/us/v1/markets', () => ({ markets: [] }));
    venue.on('/us/v1/price-history', () => ({
      history: [{ timestamp: NOW / 1000 - 60, longPrice: 0.43, shortPrice: 0.59 }],
    }));
    await runIngest(store, configFor(venue.origin), { only: 'venue_b_us' });
    compute(store, NOW, () => {});
    key = store.write((writer) => {
      setCatalogState(writer, 'serving', NOW);
      return insertApiKey(writer, 'desk', ['markets:read'], NOW);
    });
  });
  afterAll(async () => {
    store.close();
    await venue.close();
  });

  const get = async (path: string): Promise<Record<string, unknown>> => {
    const sites = {
      venue_a: 'https://a.test',
      venue_b_global: 'https://b.test',
      venue_b_us: 'https://us.test',
    };
    const app = createApp({ store, now: () => NOW, sites, label: '', report: () => {} });
    const response = await app.request(`/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };
  const market = (slug: string) => get(`/markets/${encodeURIComponent(`venue_b:us:${slug}`)}`);

  it('[2.1/5] shows the fields that only this family has', async () => {
    expect(await market(SLUG)).toMatchObject({
      market_id: `venue_b:us:${SLUG}`,
      platform: 'venue_b',
      event_ticker: EVENT,
      rules_primary: 'If the home team wins, the market resolves to Yes.',
      yes_sub_title: 'Home team',
      market_type: 'moneyline',
      volume: 1234.5,
      volume_unit: 'shares',
      latest_price: 42,
    });
  });

  it('[2.1/5] leaves out what the venue does not publish', async () => {
    const body = await market('bare');
    expect(body.event_ticker).toBe('b');
    for (const field of ['description', 'rules_primary', 'yes_sub_title', 'market_type', 'volume'])
      expect(body).not.toHaveProperty(field);
  });

  it('[2.1.1/1..4] links to the market below its event, or to the event when both have one slug', async () => {
    expect((await market(SLUG)).link).toBe(`https://us.test/event/${EVENT}/${SLUG}`);
    expect((await market('alone')).link).toBe('https://us.test/event/alone');
  });

  it('[2.1.2/1..3] candles have their source, bid and ask, and no volume', async () => {
    const { data } = await get(`/markets/${encodeURIComponent(`venue_b:us:${SLUG}`)}/candles`);
    expect(data).toEqual([
      {
        end_at: '2026-11-10T12:00:00Z',
        interval_minutes: 60,
        source: 'venue_b_us_price_history',
        bid: 41,
        ask: 43,
      },
    ]);
  });

  it('[2.2/1] an event shows its volume, but no volume or open interest that none of its markets reports', async () => {
    const { data } = (await get('/events?venue=venue_b')) as { data: Record<string, unknown>[] };
    const of = (slug: string) => data.find(({ event_id }) => event_id === `venue_b:us:${slug}`);
    expect(of('b')).not.toHaveProperty('volume');
    expect(of(EVENT)).toMatchObject({ volume: 9000 });
    expect(of(EVENT)).not.toHaveProperty('open_interest');
  });
});
