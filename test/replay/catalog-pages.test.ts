import { afterEach, describe, expect, it } from 'vitest';
import { hasRecorded, isRow, readWire, readWireRow, rowsOf, type WireRow } from './recorded.ts';
import { type Replay, scenarioNames, startReplay } from './replay.ts';

describe.skipIf(!hasRecorded)('replay of catalog pages (needs the recorded data, see REAL_DATA)', () => {
  let replay: Replay | undefined;
  afterEach(async () => {
    await replay?.close();
    replay = undefined;
  });

  const start = async (name: string, now?: string): Promise<Replay> => {
    replay = await startReplay(`catalog-pages/${name}`, now === undefined ? {} : { now });
    return replay;
  };
  const ask = async (url: string): Promise<WireRow> => {
    const body: unknown = await (await fetch(url)).json();
    if (!isRow(body)) throw new Error(`${url} did not answer an object`);
    return body;
  };
  const walk = async (url: string, name: string): Promise<WireRow[]> => {
    const rows: WireRow[] = [];
    for (let cursor: unknown = '', pages = 0; pages === 0 || cursor !== ''; pages += 1) {
      const page = await ask(`${url}&cursor=${cursor}`);
      rows.push(...rowsOf(page, name));
      cursor = page.cursor;
      expect(pages).toBeLessThan(20);
    }
    return rows;
  };

  it('answers January 2026 as recorded, byte for byte', async () => {
    const { venue_a } = (await start('kalshi-2026-01')).endpoints;
    const file = (name: string): WireRow => readWireRow(`kalshi-api-2026-01/${name}_response.json`);
    const candles = 'start_ts=1760479690&end_ts=1768255690&period_interval=1440';
    const combo = 'KXMVENFLSINGLEGAME-S202513E70FA7695-688BECB3826';
    const pairs: readonly [path: string, recorded: string][] = [
      ['/series', 'series_list'],
      [`/series/KXELONMARS/markets/KXELONMARS-99/candlesticks?${candles}`, 'series_candlesticks'],
      [`/markets/candlesticks?market_tickers=KXELONMARS-99&${candles}`, 'candlesticks_batch'],
    ];
    for (const [path, recorded] of pairs) expect(await ask(venue_a + path), path).toEqual(file(recorded));
    expect(await ask(`${venue_a}/markets/orderbooks?tickers=${combo}`)).toEqual({
      orderbooks: [{ ticker: combo, ...file('orderbook') }],
    });
    expect(await walk(`${venue_a}/events?limit=2`, 'events')).toEqual(file('events_list').events);
    const listed = await walk(`${venue_a}/markets?limit=2&status=open`, 'markets');
    expect(listed.slice(0, 5)).toEqual(file('markets_list').markets);
    expect(await walk(`${venue_a}/markets?mve_filter=exclude`, 'markets')).toHaveLength(1);
  });

  it('finds a market known from a single answer by ticker and inside its event', async () => {
    const { venue_a } = (await start('kalshi-2026-01')).endpoints;
    expect(await walk(`${venue_a}/markets?tickers=KXELONMARS-99`, 'markets')).toHaveLength(1);
    const [event] = await walk(`${venue_a}/events?tickers=KXELONMARS-99&with_nested_markets=true`, 'events');
    expect(rowsOf(event, 'markets')).toMatchObject([{ ticker: 'KXELONMARS-99', yes_bid: 6 }]);
  });

  it('answers the May 2026 event with its 25 markets and the June 2026 rows in an envelope', async () => {
    const may = (await start('kalshi-2026-05')).endpoints.venue_a;
    const recorded = readWireRow('kalshi-event-nested-2026-05/KXNBAMENTION-26MAY09OKCLAL.json');
    const events = await walk(`${may}/events?with_nested_markets=true&status=open`, 'events');
    expect(events).toEqual([{ ...(recorded.event as WireRow), markets: recorded.markets }]);
    await replay?.close();
    const june = (await start('kalshi-2026-06')).endpoints.venue_a;
    expect(await walk(`${june}/markets?limit=1000`, 'markets')).toEqual(
      readWire('three-venue-markets-2026-06/kalshi_markets.json'),
    );
  });

  it.each([
    ['2025-02-19', 1911],
    ['2025-02-20', 1938],
    ['2025-02-21', 1928],
    ['2025-02-24', 1936],
    ['2025-03-13', 908],
  ])('walks the whole open-event list of %s: %i events', async (day, count) => {
    const { venue_a } = (await start(`kalshi-open-${day}`)).endpoints;
    const events = await walk(`${venue_a}/events?status=open&limit=200`, 'events');
    expect(events).toHaveLength(count);
    expect(events).toEqual(
      readWireRow(`kalshi-open-events-2025/events_${day.replaceAll('-', '')}.json.gz`).events,
    );
  });

  it('answers the thousand-market CLOB page and then its empty last page', async () => {
    const { clob, gamma } = (await start('polymarket-clob-2025-11')).endpoints;
    const first = await ask(`${clob}/markets`);
    expect(first).toEqual(readWireRow('polymarket-wire-2025-11/clob_markets_page1.json.gz'));
    expect(await ask(`${clob}/markets?next_cursor=${first.next_cursor}`)).toEqual({
      data: [],
      next_cursor: 'LTE=',
      limit: 1000,
      count: 0,
    });
    expect(rowsOf(await ask(`${gamma}/events/keyset`), 'events')).toEqual(
      readWire('polymarket-wire-2025-11/gamma_events_by_slug.json'),
    );
  });

  it('answers Gamma samples in keyset envelopes, closed ones only when asked', async () => {
    const { clob, gamma } = (await start('polymarket-samples')).endpoints;
    const open = rowsOf(await ask(`${gamma}/markets/keyset?limit=100`), 'markets');
    const closed = rowsOf(await ask(`${gamma}/markets/keyset?limit=100&closed=true`), 'markets');
    const recorded = rowsOf(readWire('three-venue-markets-2026-06/polymarket_markets.json'));
    expect([open.length, closed.length]).toEqual([8, 6]);
    expect(open).toEqual(expect.arrayContaining(recorded));
    expect(closed).toContainEqual(readWire('polymarket-samples/gamma_market_closed_zero_zero_legacy.json'));
    expect(rowsOf(await ask(`${gamma}/events/keyset`), 'events')).toEqual(
      readWire('polymarket-samples/gamma_event.json'),
    );
    expect(rowsOf(await ask(`${clob}/markets`), 'data')).toHaveLength(100);
  });

  it('is empty before the instant a set was recorded', async () => {
    const { endpoints } = await start('kalshi-open-2025-02-19', '2025-02-19T00:00:00Z');
    expect(await walk(`${endpoints.venue_a}/events?limit=200`, 'events')).toEqual([]);
  });

  it('names its scenarios when asked for another', async () => {
    await expect(startReplay('nowhere')).rejects.toThrow('us-president-2024');
    expect(scenarioNames.filter((name) => name.startsWith('catalog-pages/'))).toHaveLength(10);
  });
});
