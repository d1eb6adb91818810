import { describe, expect, it } from 'vitest';
import { parseBooksPage } from '../../src/ingest/venues/kalshi/parse-books.ts';
import { parseMarketsPage } from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { book } from '../../src/ingest/venues/kalshi/wire.ts';
import { parseCsv } from '../../src/ingest/wire/csv.ts';
import { htmlToText } from '../../src/ingest/wire/html.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { usEvent, usMarket } from './us-fixtures.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const DEEP = 100_000;
const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);

describe('an answer made to break its reader', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
  });

  it('with lists nested a hundred thousand deep, as an id, a price or a text: the row is named', () => {
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

  it.each([
    ['a field that nobody reads', 'unread', true, []],
    ['a price', 'yes_bid_dollars', false, ['KX-1: yes_bid_dollars must be 0 to 1, got ["…"]']],
  ])('nested deeper than any stack in %s: it costs a row at most', async (_, field, isKept, reasons) => {
    const market = kalshiMarket('KX-1', { [field]: 'DEEP' });
    const page = { events: [kalshiEvent([market, kalshiMarket('KX-2')])], cursor: '' };
    const body = JSON.stringify(page).replace('"DEEP"', `${'[{"a":'.repeat(DEEP)}0${'}]'.repeat(DEEP)}`);
    venue.on('/kalshi/events', () => raw(body));
    const report = await runIngest(store, configFor(venue.origin));
    expect(feedOf(report, 'venue_a/events')).toMatchObject({ condition: 'good', first_reasons: reasons });
    const isKnown = (id: string) => store.read((reader) => findMarket(reader, `venue_a:${id}`)) !== undefined;
    expect([isKnown('KX-1'), isKnown('KX-2')]).toEqual([isKept, true]);
  });

  it('with a title of millions of characters, which related documents would repeat: it is cut', () => {
    const title = `Will ${'it '.repeat(1_000_000)}be?`;
    const [listed] = parseMarketsPage({ markets: [kalshiMarket('KX-1', { title })], cursor: '' }).markets;
    expect(listed?.market.question).toHaveLength(20_000);
    expect(listed?.market.question).toMatch(/^Will it it .* it…$/);
  });

  it.each([
    ['nested', '['.repeat(2_500_000) + ']'.repeat(2_500_000)],
    ['side by side', `{"events":[${'{},'.repeat(2_500_000)}{}],"cursor":""}`],
  ])('of millions of lists, which would take gigabytes to parse: it is not parsed (%s)', async (_, body) => {
    venue.on('/kalshi/events', () => raw(body));
    const report = await runIngest(store, configFor(venue.origin, { max_body_bytes: 32 * 2 ** 20 }));
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'failed',
      message: expect.stringContaining('answer has more than 2000000 lists and records'),
    });
    expect(feedOf(report, 'venue_b_global/events').condition).toBe('good');
  });

  it('as nested HTML: its text is read', () => {
    expect(htmlToText(`<p>before</p>${'<b>'.repeat(DEEP)}`)).toBe('before');
    expect(htmlToText(`${'<div>'.repeat(5000)}inside${'</div>'.repeat(5000)}`)).toBe('inside');
  });

  describe('as a page of the registry', () => {
    const ended = async (rows: string, seconds: number) => {
      venue.on('/cftc/IndustryOversight/IndustryFilings/PTCDCMRules', () =>
        raw(`<html>${rows}</html>`, 200, { 'content-type': 'text/html' }),
      );
      const settings = configFor(venue.origin);
      settings.registries.cftc.enabled = true;
      settings.registries.cftc.feeds = ['ptc_dcm_rules'];
      settings.ingest.parse_timeout_seconds = seconds;
      const report = await runIngest(store, settings);
      for (const feed of ['venue_a/events', 'venue_b_global/events'])
        expect(feedOf(report, feed).condition).toBe('good');
      return feedOf(report, 'cftc/ptc_dcm_rules');
    };

    it('nested deeper than the stack: its feed ends, and no other', async () => {
      const cell = `<td>${'<b>'.repeat(16_000)}`;
      // More than it takes on a machine that does other work meanwhile.
      expect(await ended(`<table><tr>${cell}</table>`, 60)).toMatchObject({
        condition: 'failed',
        message: 'answer is nested too deep to be read',
      });
    });

    it('with nested tables, all of which are searched: it is abandoned after the time that parsing may take', async () => {
      expect(await ended('<table>'.repeat(20_000), 1)).toMatchObject({
        condition: 'failed',
        message: 'answer could not be read in 1 s',
      });
    });
  });

  it('as a page of nothing but invalid rows: it is abandoned before it fills the memory', async () => {
    venue.on('/kalshi/events', () => ({ events: Array(100_001).fill(0), cursor: '' }));
    const report = await runIngest(store, configFor(venue.origin));
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'failed',
      message: expect.stringMatching(
        /^more than 100000 rows of an answer were left out, the last one because /,
      ),
    });
    expect(feedOf(report, 'venue_b_global/events').condition).toBe('good');
  });

  it('as a list in a row: it is abandoned at its first wrong entry', () => {
    const rungs = [['0.5', '10'], ['0.4', 'many'], ...Array(1000).fill(0)];
    const { rejections } = parseBooksPage({
      orderbooks: [{ ticker: 'KX-1', orderbook_fp: { yes_dollars: rungs } }],
    });
    expect(rejections).toEqual([
      {
        position: 0,
        native_id: 'KX-1',
        path: 'orderbook_fp.yes_dollars.1.1',
        reason: 'orderbook_fp.yes_dollars.1.1 must be 0 or more, got "many"',
      },
    ]);
    expect(
      book.safeParse({ ticker: 'KX-1', orderbook_fp: { yes_dollars: rungs } }).error?.issues,
    ).toHaveLength(1);
  });

  it('as an overlong list in a row: the row is named', () => {
    const rungs = Array(100_001).fill(['0.5', '10']);
    const { rejections } = parseBooksPage({
      orderbooks: [{ ticker: 'KX-1', orderbook_fp: { no_dollars: rungs } }],
    });
    expect(rejections.map(({ reason }) => reason)).toEqual([
      'orderbook_fp.no_dollars must have at most 100000 entries, got 100001',
    ]);
  });

  it('as a file of a million empty lines', async () => {
    const file = Buffer.from(`a,b\n1,2${'\n'.repeat(1_000_000)}`);
    await expect(parseCsv(file)).rejects.toThrow('file has more than 1000000 lines');
  });

  it.each([`"${'x'.repeat(8_000_000)}"`, ','.repeat(8_000_000)])(
    'as a file with an endless line: only the line is lost',
    async (line) => {
      const { rows, unreadable } = await parseCsv(Buffer.from(`a,b\n1,2\n${line}\n3,4\n`));
      expect(rows.map(({ cells }) => cells)).toEqual([
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ]);
      expect(unreadable).toMatchObject([{ position: 1, reason: 'row has more than 20000 characters' }]);
      await expect(parseCsv(Buffer.from(line))).rejects.toThrow('header has more than 20000 characters');
    },
  );

  it.each(['a,a\n1,2\n', 'a,"b\n1,2\n'])('as a file with the header of %j', async (file) => {
    await expect(parseCsv(Buffer.from(file))).rejects.toThrow('file is not CSV');
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
    listOnKalshi(venue, 'KX-1', { ticker: 7 });
    const report = await runIngest(store, configFor(venue.origin));
    expect(feedOf(report, 'venue_b_global/events')).toMatchObject({ condition: 'good', rows_read: 8 });
    expect(feedOf(report, 'venue_a/events').first_reasons).toEqual([
      '7: event_ticker must be an id, got nothing',
    ]);
  });

  it('that the venue fails at where a page is long is requested in a shorter one, once', async () => {
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

  it.each([
    ['fails at', () => raw('upstream timed out', 504), /events\?tickers=E-70&.* answered 504 \(3 tries\)$/],
    [
      'answers at a length that none may have',
      () => raw(' '.repeat(400_000)),
      /events\?tickers=E-70&.*: answer is longer than 300000 bytes$/,
    ],
  ])(
    'an event that Kalshi %s, however short the page, is reported and left out; the rest is read',
    async (_, spoilt, message) => {
      let spoiling = false;
      venue.on('/kalshi/events', (query) => {
        const from = Number(query.get('cursor') ?? 0);
        const tickers = query.get('tickers')?.split(',');
        const ids = tickers?.map((each) => Number(each.slice(2))) ?? Array.from({ length: 150 }, (_, i) => i);
        const page = ids.slice(from, from + Number(query.get('limit')));
        const nested = query.get('with_nested_markets') === 'true';
        if (spoiling && nested && page.includes(70)) return spoilt();
        const events = page.map((i) => {
          const event_ticker = `E-${i}`;
          return kalshiEvent(nested ? [kalshiMarket(`KX-${i}`, { event_ticker })] : undefined, {
            event_ticker,
          });
        });
        const next = from + page.length;
        return { events, cursor: next < ids.length ? String(next) : '' };
      });
      const settings = configFor(venue.origin, { max_body_bytes: 300_000 });
      const run = async (hours: number) =>
        feedOf(
          await runIngest(store, settings, { only: 'venue_a', now: NOW + hours * HOUR_MS }),
          'venue_a/events',
        );
      expect(await run(0)).toMatchObject({ condition: 'good', rows_read: 300, rows_changed: 300 });
      spoiling = true;
      for (const hours of [2, 4, 6])
        expect(await run(hours)).toMatchObject({
          condition: 'partial',
          message: expect.stringMatching(message),
          catalog_whole: true,
        });
      const unseen = store.read((reader) =>
        reader.column<string>('SELECT native_id FROM markets WHERE last_seen_at < ?', NOW + 6 * HOUR_MS),
      );
      expect(unseen).toEqual(['KX-70']);
      expect(store.read((reader) => findMarket(reader, 'venue_a:KX-70')?.status)).toBe('active');
    },
  );

  it('beyond the size limit is requested in smaller pages, until one row alone is too long', async () => {
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
