import { describe, expect, it } from 'vitest';
import { type Config, config } from '../../src/model/config.ts';
import { openStore } from '../../src/store/store.ts';
import { configFor, feedOf, NOW, nameMarkets, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

describe('the scope of ingest', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    const event = (name: string, category: string, volume: string) =>
      kalshiEvent([kalshiMarket(`KX-${name}`, { event_ticker: name, volume_fp: volume })], {
        event_ticker: name,
        series_ticker: `S${name}`,
        category,
      });
    venue.on('/kalshi/events', () => ({
      events: [
        event('RAIN', 'Climate', '90.00'),
        event('FED', 'Economics', '10.00'),
        event('CUP', 'Sports', '70.00'),
      ],
      cursor: '',
    }));
  });

  const takenIn = async (scope: Partial<Config['scope']>, now = NOW) => {
    const settings = { ...configFor(venue.origin), scope: config.parse({ scope }).scope };
    const report = await runIngest(store, settings, { only: 'venue_a', now });
    const rows = store.read((reader) =>
      reader.all<{ id: string; event: string | null }>(
        `SELECT markets.native_id AS id, events.native_id AS event FROM markets LEFT JOIN events USING (event_id)
         ORDER BY id`,
      ),
    );
    expect(rows.every(({ event }) => event !== null)).toBe(true);
    const events = store.read((reader) => reader.value<number>('SELECT count(*) FROM events'));
    expect(events).toBe(rows.length);
    return { ids: rows.map(({ id }) => id), out: feedOf(report, 'venue_a/events').rows_out_of_scope };
  };

  it.each<[string, Partial<Config['scope']>, string[]]>([
    ['everything, without a setting', {}, ['KX-CUP', 'KX-FED', 'KX-RAIN']],
    ['some categories, in any letter case', { categories: ['economics', 'SPORTS'] }, ['KX-CUP', 'KX-FED']],
    ['all but some categories', { without_categories: ['Sports'] }, ['KX-FED', 'KX-RAIN']],
    ['some series', { series: ['SRAIN'] }, ['KX-RAIN']],
    ['what has a volume', { min_volume: 70 }, ['KX-CUP', 'KX-RAIN']],
    ['what all settings allow', { categories: ['Sports', 'Economics'], min_volume: 50 }, ['KX-CUP']],
  ])('includes %s', async (_, scope, ids) => {
    expect(await takenIn(scope)).toEqual({ ids, out: 3 - ids.length });
  });

  it('includes an event of Polymarket by its tags, since the newer ones have no category', async () => {
    const tagged = (id: number, ...labels: string[]) =>
      gammaEvent([gammaMarket(id)], {
        id: String(id),
        tags: labels.map((label) => ({ id: '1', label, slug: label.toLowerCase().replace(' ', '-') })),
      });
    venue.on('/gamma/events/keyset', () => ({
      events: [tagged(1, 'Politics', 'US Election'), tagged(2, 'Sports'), { ...tagged(3), tags: null }],
    }));
    const idsWithin = async (scope: Partial<Config['scope']>) => {
      const fresh = openStore(':memory:');
      const settings = { ...configFor(venue.origin), scope: config.parse({ scope }).scope };
      await runIngest(fresh, settings, { only: 'venue_b_global' });
      return fresh.read((reader) =>
        reader
          .all<{ event_id: string }>('SELECT event_id FROM markets ORDER BY 1')
          .map((row) => row.event_id.at(-1)),
      );
    };
    expect(await idsWithin({ categories: ['politics'] })).toEqual(['1']);
    expect(await idsWithin({ categories: ['us-election', 'Sports'] })).toEqual(['1', '2']);
    expect(await idsWithin({ without_categories: ['SPORTS'] })).toEqual(['1', '3']);
  });

  it('always includes what a definition names, and keeps known markets up to date', async () => {
    nameMarkets(store, ['venue_a:KX-FED'], '2026-11-10T00:00:00Z');
    expect(await takenIn({ categories: ['Climate'] })).toEqual({ ids: ['KX-FED', 'KX-RAIN'], out: 1 });
    const all = ['KX-CUP', 'KX-FED', 'KX-RAIN'];
    expect(await takenIn({ categories: ['Sports'] }, NOW + 1)).toEqual({ ids: all, out: 0 });
  });
});
