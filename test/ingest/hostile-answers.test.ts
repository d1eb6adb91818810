import { describe, expect, it } from 'vitest';
import { parseMarketsPage } from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { htmlToText } from '../../src/ingest/wire/html.ts';
import type { Store } from '../../src/store/store.ts';
import { type FixtureVenue, raw } from './fixture-venue.ts';
import { configFor, feedOf, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { usEvent, usMarket } from './us-fixtures.ts';
import { withVenueAndStore } from './venue-and-store.ts';
import { gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const DEEP = 100_000;
const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);

describe('an answer that is made to break its reader', () => {
  let venue: FixtureVenue;
  let store: Store;
  withVenueAndStore((freshVenue, freshStore) => {
    venue = freshVenue;
    store = freshStore;
    answerAsTwoVenues(venue);
  });

  it('with lists in each other a hundred thousand deep, as an id, a price or a text: the row is named', () => {
    const page = JSON.stringify({ markets: ['ticker', 'yes_bid_dollars', 'status', 'x'], cursor: '' });
    const body = page.replaceAll(/"(\w+)"(?=[,\]])/g, (_, field: string) =>
      JSON.stringify(kalshiMarket('KX-1', { [field]: 'DEEP' })).replace('"DEEP"', nested('[', ']')),
    );
    const read = parseMarketsPage(JSON.parse(body));
    expect(read.rejections.map(({ path, reason }) => [path, reason])).toEqual([
      ['ticker', 'ticker must be an id, got ["…"]'],
      ['yes_bid_dollars', 'yes_bid_dollars must be 0 to 1, got ["…"]'],
      ['status', 'status must be a text, got ["…"]'],
    ]);
    expect(read.markets).toHaveLength(1);
  });

  it('as HTML in each other: its text is read', () => {
    expect(htmlToText(`<p>before</p>${'<b>'.repeat(DEEP)}`)).toBe('before');
    expect(htmlToText(`${'<div>'.repeat(5000)}inside${'</div>'.repeat(5000)}`)).toBe('inside');
  });

  describe('as a page of the registry', () => {
    const ended = async (rows: string) => {
      venue.on('/cftc/IndustryOversight/IndustryFilings/PTCDCMRules', () =>
        raw(`<html>${rows}</html>`, 200, { 'content-type': 'text/html' }),
      );
      const settings = configFor(venue.origin);
      settings.registries.cftc.enabled = true;
      settings.registries.cftc.feeds = ['ptc_dcm_rules'];
      const report = await runIngest(store, settings);
      for (const feed of ['venue_a/events', 'venue_b_global/events'])
        expect(feedOf(report, feed).condition).toBe('good');
      return feedOf(report, 'cftc/ptc_dcm_rules');
    };

    it('deeper than the stack: its feed ends, and no other', async () => {
      const cell = `<td>${'<b>'.repeat(16_000)}`;
      expect(await ended(`<table><tr>${cell}</table>`)).toMatchObject({
        condition: 'failed',
        message: 'answer is nested too deep to be read',
      });
    });

    it('with tables in each other, all of which are searched: it is left after a few seconds', async () => {
      expect(await ended('<table>'.repeat(20_000))).toMatchObject({
        condition: 'failed',
        message: 'answer could not be read in 5 s',
      });
    });
  });

  it('that no reader foresaw ends its feed and no other', async () => {
    const settings = configFor(venue.origin);
    settings.venues.venue_a.base_url = 'no address';
    const report = await runIngest(store, settings);
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'failed',
      message: 'its answer could not be handled: Invalid URL',
    });
    expect(feedOf(report, 'venue_b_global/events').condition).toBe('good');
  });

  it('ids written as numbers tell pages apart, and name a row that is left out', async () => {
    const page = (from: number) =>
      [from, from + 1].map((id) => gammaEvent([{ question: '' }], { id, slug: `event-${id}` }));
    venue.on('/gamma/events/keyset', (query) =>
      query.has('after_cursor') ? { events: page(3) } : { events: page(1), next_cursor: 'b' },
    );
    venue.on('/kalshi/events', () => ({
      events: [kalshiEvent([kalshiMarket('KX-1'), { ticker: 7 }])],
      cursor: '',
    }));
    const report = await runIngest(store, configFor(venue.origin));
    expect(feedOf(report, 'venue_b_global/events')).toMatchObject({ condition: 'good', rows_read: 8 });
    expect(feedOf(report, 'venue_a/events').first_reasons).toEqual([
      '7: event_ticker must be an id, got nothing',
    ]);
  });

  it('that the venue fails at where a page is long is asked for in a shorter one, once', async () => {
    const limits: number[] = [];
    const listing = (most: number) =>
      venue.on('/kalshi/events', (query) => {
        const limit = Number(query.get('limit'));
        if (limit !== limits.at(-1)) limits.push(limit);
        if (limit > most && query.has('cursor')) return raw('upstream timed out', 504);
        const name = query.get('cursor') ?? 'a';
        const market = kalshiMarket(`KX-${name}`, { event_ticker: name });
        return { events: [kalshiEvent([market], { event_ticker: name })], cursor: name === 'a' ? 'b' : '' };
      });
    const run = async () =>
      feedOf(await runIngest(store, configFor(venue.origin), { only: 'venue_a' }), 'venue_a/events');
    listing(50);
    expect(await run()).toMatchObject({ condition: 'good', rows_read: 4 });
    expect(limits).toEqual([200, 50]);
    limits.length = 0;
    listing(20);
    expect(await run()).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(/limit=50&.* answered 504 \(3 tries\)$/),
    });
    expect(limits).toEqual([200, 50]);
  });

  it('longer than one may be is asked for in smaller pages, until one row alone is too long', async () => {
    const long = Array.from({ length: 30 }, (_, i) => i);
    const slice = (query: URLSearchParams, from: number) =>
      long.slice(from, from + Number(query.get('limit')));
    const next = (query: URLSearchParams, from: number) => {
      const after = from + slice(query, from).length;
      return after < long.length ? String(after) : '';
    };
    venue.on('/kalshi/events', (query) => {
      const from = Number(query.get('cursor') ?? 0);
      const events = slice(query, from).map((i) =>
        kalshiEvent([kalshiMarket(`KX-${i}`, { event_ticker: `E-${i}` })], { event_ticker: `E-${i}` }),
      );
      return { events, cursor: next(query, from) };
    });
    venue.on('/gamma/events/keyset', (query) => {
      const from = Number(query.get('after_cursor') ?? 0);
      const events = slice(query, from).map((i) => gammaEvent([gammaMarket(i + 1)], { id: String(i) }));
      return { events, next_cursor: next(query, from) };
    });
    venue.on('/us/v1/events', (query) => ({
      events: slice(query, Number(query.get('offset'))).map((i) =>
        usEvent([usMarket(`m-${i}`)], { slug: `e-${i}` }),
      ),
    }));
    const settings = configFor(venue.origin, { max_body_bytes: 12_000 });
    settings.venues.venue_b_us.enabled = true;
    const report = await runIngest(store, settings);
    for (const feed of ['venue_a/events', 'venue_b_global/events', 'venue_b_us/events'])
      expect(feedOf(report, feed)).toMatchObject({ condition: 'good', rows_read: 60 });
    const short = configFor(venue.origin, { max_body_bytes: 500 });
    const { condition, message } = feedOf(
      await runIngest(store, short, { only: 'venue_a' }),
      'venue_a/events',
    );
    expect([condition, message]).toEqual([
      'failed',
      expect.stringMatching(/limit=1&.*: answer is longer than 500 bytes$/),
    ]);
  });
});
