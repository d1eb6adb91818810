import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionOf, tokenPairOf } from './board.ts';
import { hasRecorded, isRow, readTable, rowsOf, type WireRow } from './recorded.ts';
import { type Replay, startReplay } from './replay.ts';
import { states } from './states.ts';

const key = (code: string): string => `us-president-2024:${code}:Donald Trump`;
const seconds = (iso: string): number => Date.parse(iso) / 1000;

describe.skipIf(!hasRecorded)('replay of us-president-2024 (needs the recorded data, see REAL_DATA)', () => {
  let replay: Replay;
  beforeAll(async () => {
    replay = await startReplay('us-president-2024', { now: '2024-11-05T00:00:00Z' });
  });
  afterAll(() => replay.close());

  const ask = async (
    base: 'venue_a' | 'gamma' | 'clob' | 'data',
    path: string,
  ): Promise<[number, WireRow]> => {
    const response = await fetch(replay.endpoints[base] + path);
    const body: unknown = await response.json();
    if (!isRow(body)) throw new Error(`${path} did not answer an object`);
    return [response.status, body];
  };
  const history = async (query: string): Promise<WireRow[]> => {
    const [yes] = tokenPairOf(key('PA'));
    return rowsOf((await ask('data', `/v2/prices-history?token_id=${yes}&${query}`))[1], 'data');
  };

  it('lists thirty state events of three outcomes and the national board of seventeen', async () => {
    const [, page] = await ask('gamma', '/events/keyset?limit=500');
    const sizes = rowsOf(page, 'events').map((event) => rowsOf(event, 'markets').length);
    expect(sizes.filter((size) => size === 3)).toHaveLength(30);
    expect(sizes.filter((size) => size === 17)).toHaveLength(1);
  });

  it('walks the market list once to its end', async () => {
    const [, first] = await ask('gamma', '/markets/keyset?limit=100');
    const [, second] = await ask('gamma', `/markets/keyset?limit=100&after_cursor=${first.next_cursor}`);
    const ids = [...rowsOf(first, 'markets'), ...rowsOf(second, 'markets')].map((market) => market.id);
    expect(new Set(ids).size).toBe(107);
    expect(second).not.toHaveProperty('next_cursor');
  });

  it('finds a market by condition id, at its newest price before the clock and without a book', async () => {
    const [, page] = await ask('gamma', `/markets/keyset?condition_ids=${conditionOf(key('PA'))}`);
    expect(rowsOf(page, 'markets')[0]).toMatchObject({
      question: 'Will Donald Trump win Pennsylvania in the 2024 US presidential election?',
      lastTradePrice: 0.555,
      outcomePrices: '["0.555","0.445"]',
    });
    expect(rowsOf(page, 'markets')[0]).not.toHaveProperty('bestBid');
    expect(await ask('clob', `/book?token_id=${tokenPairOf(key('PA'))[0]}`)).toEqual([
      404,
      { error: 'No orderbook exists for the requested token id' },
    ]);
  });

  it('answers every recorded hourly point of a window at its recorded second', async () => {
    const [start, end] = [seconds('2024-09-01T00:00:00Z'), seconds('2024-09-16T00:00:00Z')];
    const recorded = readTable('us-president-2024-by-state/csv_hour/PA_hourly.csv.gz')
      .map((row) => [Number(row['Timestamp (UTC)']), Number(row['Donald Trump'])] as const)
      .filter(([at]) => at >= start && at < end);
    const points = await history(`start=${start}&end=${end}&bucket_seconds=3600`);
    expect(points.map((point) => [point.timestamp, point.price])).toEqual(recorded);
    expect(recorded).toHaveLength(360);
  });

  it('keeps the last point of a wider bucket and answers nothing finer than was recorded', async () => {
    const window = `start=${seconds('2024-09-01T00:00:00Z')}&end=${seconds('2024-09-02T00:00:00Z')}`;
    const wide = await history(`${window}&bucket_seconds=10800`);
    const hourly = await history(`${window}&bucket_seconds=3600`);
    expect(wide.map((point) => point.timestamp)).toEqual(
      hourly.filter((_, i) => i % 3 === 2).map((point) => point.timestamp),
    );
    expect(await history(`${window}&bucket_seconds=1800`)).toEqual([]);
  });

  it('answers daily points before the hourly file begins, and for Kansas after it ends', async () => {
    const march = await history(
      `start=${seconds('2024-03-08T00:00:00Z')}&end=${seconds('2024-03-12T00:00:00Z')}`,
    );
    expect(march.map((point) => point.resolution_seconds)).toEqual([86_400, 86_400, 86_400, 86_400]);
    const [yes] = tokenPairOf(key('KS'));
    const [, kansas] = await ask(
      'data',
      `/v2/prices-history?token_id=${yes}&start=${seconds('2024-10-29T00:00:00Z')}`,
    );
    expect(rowsOf(kansas, 'data').map((point) => point.resolution_seconds)).toEqual([
      ...Array<number>(7).fill(86_400),
      0,
    ]);
  });

  it('answers the other token at the complement and pages by cursor', async () => {
    const [yes, no] = tokenPairOf(key('PA'));
    const day = seconds('2024-11-04T00:00:00Z');
    const [, one] = await ask('data', `/v2/prices-history?token_id=${no}&start=${day}&limit=1`);
    const [, two] = await ask('data', `/v2/prices-history?token_id=${yes}&start=${day}&limit=1&cursor=1`);
    expect(one).toMatchObject({
      data: [{ price: 0.445 }],
      pagination: { has_more: true, next_cursor: '1' },
    });
    expect(two).toMatchObject({ data: [{ price: 0.545 }], pagination: { offset: 1 } });
  });

  it('falls back to the CLOB history, whose market parameter is a token', async () => {
    const [yes] = tokenPairOf(key('PA'));
    const [, body] = await ask(
      'clob',
      `/prices-history?market=${yes}&startTs=${seconds('2024-11-04T00:00:00Z')}&fidelity=60`,
    );
    expect(rowsOf(body, 'history').at(-1)).toEqual({ t: 1_730_698_862, p: 0.555 });
  });

  it('knows nothing after the clock, and no market before its first recorded price', async () => {
    replay.setNow('2024-03-10T12:00:00Z');
    const points = await history('interval=max');
    const [, page] = await ask('gamma', '/events/keyset?limit=500');
    const [, kalshi] = await ask('venue_a', '/markets?status=open');
    replay.setNow('2024-11-05T00:00:00Z');
    expect(points.at(-1)).toMatchObject({ timestamp: seconds('2024-03-10T00:00:02Z') });
    // Arizona, Georgia, Nevada and Pennsylvania from 8 March, Michigan from 9 March, and the national board.
    expect(rowsOf(page, 'events')).toHaveLength(6);
    expect(rowsOf(kalshi, 'markets')).toEqual([]);
  });

  it('quotes the Kalshi contract at the closes of its newest candle, without sizes', async () => {
    const [, body] = await ask('venue_a', '/markets?tickers=PRES-2024-DJT,NONE');
    expect(rowsOf(body, 'markets')).toHaveLength(1);
    expect(rowsOf(body, 'markets')[0]).toMatchObject({
      yes_bid_dollars: '0.5500',
      yes_ask_dollars: '0.5600',
      no_bid_dollars: '0.4400',
      last_price_dollars: '0.5600',
    });
    expect(rowsOf(body, 'markets')[0]).not.toHaveProperty('yes_bid_size_fp');
  });

  it('answers the recorded candles one by one and in a batch, and a period without a trade', async () => {
    const window = `start_ts=${seconds('2024-10-15T12:00:00Z')}&end_ts=${seconds('2024-10-15T14:00:00Z')}`;
    const [, one] = await ask(
      'venue_a',
      `/series/PRES/markets/PRES-2024-DJT/candlesticks?${window}&period_interval=60`,
    );
    const [, many] = await ask(
      'venue_a',
      `/markets/candlesticks?market_tickers=PRES-2024-DJT,NONE&${window}&period_interval=60`,
    );
    expect(rowsOf(one, 'candlesticks')[0]).toMatchObject({
      end_period_ts: seconds('2024-10-15T12:00:00Z'),
      price: { previous_dollars: '0.5500' },
      volume_fp: '0.00',
    });
    expect(rowsOf(many, 'markets')).toEqual([
      { market_ticker: 'PRES-2024-DJT', candlesticks: one.candlesticks },
    ]);
  });

  it('holds every constituent of the committed definitions, at the weights of the states', () => {
    for (const ticker of ['uspres24-r', 'uspres24-r-gauge']) {
      const path = resolve(import.meta.dirname, `../../data/us-president-2024/indices/${ticker}.json`);
      const definition: unknown = JSON.parse(readFileSync(path, 'utf8'));
      expect(rowsOf(definition, 'constituents')).toEqual(
        states.map((state) => ({
          market_id: `venue_b:${conditionOf(key(state.code))}`,
          weight: state.electoral_votes,
          groups: { state: state.code },
        })),
      );
    }
  });
});
