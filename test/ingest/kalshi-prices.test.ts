import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planCandles } from '../../src/ingest/venues/kalshi/candle-plan.ts';
import { parseBooksPage } from '../../src/ingest/venues/kalshi/parse-books.ts';
import { parseCandlesPage, parseOneMarketCandles } from '../../src/ingest/venues/kalshi/parse-candles.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { NOW } from './run-ingest.ts';
import { kalshiCandle } from './wire-fixtures.ts';

const END = NOW / 1000;
const candles = (...candlesticks: unknown[]) =>
  parseCandlesPage({ markets: [{ market_ticker: 'KX-1', candlesticks }] }, NOW);

describe('an answer of Kalshi candles', () => {
  it('ends at its closing bid and ask; the previous trade is the last trade', () => {
    const traded = {
      open_dollars: '0.4000',
      high_dollars: '0.4400',
      low_dollars: '0.3900',
      close_dollars: '0.4200',
    };
    const page = candles(
      kalshiCandle(END - 7200, { price: { ...traded, previous_dollars: '0.3800' }, volume_fp: '9.50' }),
      kalshiCandle(END - 3600, { price: { previous_dollars: '0.4200' } }),
      kalshiCandle(END),
    );
    expect(page.byTicker.get('KX-1')).toEqual([
      {
        observed_at: NOW - 2 * HOUR_MS,
        bid: 0.41,
        ask: 0.43,
        last: 0.42,
        open: 0.4,
        high: 0.44,
        low: 0.39,
        volume: 9.5,
        open_interest: 10,
      },
      { observed_at: NOW - HOUR_MS, bid: 0.41, ask: 0.43, last: 0.42, volume: 0, open_interest: 10 },
      { observed_at: NOW, bid: 0.41, ask: 0.43, volume: 0, open_interest: 10 },
    ]);
  });

  it('reads cents with null prices', () => {
    const range = (close: number) => ({ open: close, high: close, low: close, close });
    const price = { open: null, high: null, low: null, close: null, mean: null, previous: 11 };
    const row = {
      end_period_ts: END,
      yes_bid: range(8),
      yes_ask: range(100),
      price,
      volume: 0,
      open_interest: 12432,
    };
    expect(candles(row).byTicker.get('KX-1')).toEqual([
      { observed_at: NOW, bid: 0.08, last: 0.11, volume: 0, open_interest: 12432 },
    ]);
  });

  it('reads dollars written as texts under names without a unit, whichever route answers so', () => {
    const range = (close: string | null) => ({ open: close, high: close, low: close, close });
    const none = { ...range(null), mean: null, previous: null };
    const book = { yes_bid: range('0.0900'), yes_ask: range('0.1400'), open_interest: '393.00' };
    const traded = { open: '0.1200', high: '0.1300', low: '0.1100', close: '0.1200', previous: '0.1300' };
    const rows = [
      { ...book, end_period_ts: END - 7200, price: none, volume: '0.00', yes_bid: range(null) },
      { ...book, end_period_ts: END - 3600, price: { ...none, previous: '1.0000' }, volume: '0.00' },
      { ...book, end_period_ts: END, price: { ...traded, mean: '0.1200' }, volume: '222.00' },
    ];
    const read = [
      { observed_at: NOW - 2 * HOUR_MS, ask: 0.14, volume: 0, open_interest: 393 },
      { observed_at: NOW - HOUR_MS, bid: 0.09, ask: 0.14, volume: 0, open_interest: 393 },
      {
        ...{ observed_at: NOW, bid: 0.09, ask: 0.14, last: 0.12, open: 0.12, high: 0.13, low: 0.11 },
        ...{ volume: 222, open_interest: 393 },
      },
    ];
    expect(candles(...rows).byTicker.get('KX-1')).toEqual(read);
    const one = parseOneMarketCandles({ ticker: 'KX-1', candlesticks: rows }, NOW);
    expect(one.byTicker.get('KX-1')).toEqual(read);
    expect(candles({ ...rows[2], yes_bid: range('41.0') }).rejections).toMatchObject([
      { reason: 'yes_bid.close must be 0 to 1, got "41.0"' },
    ]);
  });

  it('leaves the current hour for the next run, and refuses what ends later', () => {
    const ends = [END + 1800, END * 1000, END - 0.5, 0, END + 7200];
    const page = candles(...ends.map((each) => kalshiCandle(each)));
    expect(page.byTicker.get('KX-1')).toEqual([]);
    expect(page.rejections.map((each) => each.reason)).toEqual([
      `end_period_ts must be whole seconds since 1970, got ${NOW}`,
      `end_period_ts must be whole seconds since 1970, got ${END - 0.5}`,
      'end_period_ts must be whole seconds since 1970, got 0',
      `end_period_ts must not be more than an hour ahead, got ${formatInstant((END + 7200) * 1000)}`,
    ]);
  });

  it('leaves out only the one candle that cannot be read', () => {
    const page = candles(
      kalshiCandle(END - 3600, { yes_bid: { close_dollars: '1.7000' } }),
      kalshiCandle(END - 1800, { yes_bid: undefined }),
      kalshiCandle(END - 1800, { yes_ask: { closing_dollars: '0.4300' } }),
      kalshiCandle(END),
    );
    expect(page.rejections.map(({ native_id, path, reason }) => [native_id, path, reason])).toEqual([
      ['KX-1', 'candlesticks.0.yes_bid.close_dollars', 'yes_bid.close_dollars must be 0 to 1, got "1.7000"'],
      // Neither is an empty side, which is told as 0 or 1.
      ['KX-1', 'candlesticks.1.yes_bid', 'a candle must have a yes_bid'],
      ['KX-1', 'candlesticks.2.yes_ask.close', 'yes_ask must have a close'],
    ]);
    expect(page.byTicker.get('KX-1')).toHaveLength(1);
  });

  it('tells a market that was left out from one without candles', () => {
    const page = parseCandlesPage({ markets: [{ market_ticker: 'KX-2', candlesticks: [] }] }, NOW);
    expect([page.byTicker.has('KX-1'), page.byTicker.get('KX-2')]).toEqual([false, []]);
  });

  it('gives prices within 0 and 1 or none, whatever number is written', () => {
    const anything = fc.oneof(
      fc.double(),
      fc.double().map(String),
      fc.integer(),
      fc.string(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(anything, anything, anything, (bid, ask, close) => {
        const row = {
          end_period_ts: END,
          yes_bid: { close_dollars: bid },
          yes_ask: { close: ask },
          price: { close_dollars: close },
        };
        const page = candles(row);
        const kept = page.byTicker.get('KX-1') ?? [];
        expect(kept.length + page.rejections.length).toBe(1);
        for (const { observed_at: _, ...prices } of kept)
          for (const price of Object.values(prices)) expect(price > 0 && price < 1).toBe(true);
      }),
    );
  });
});

describe('an answer of Kalshi books', () => {
  const bookOf = (row: object) =>
    parseBooksPage({ orderbooks: [{ ticker: 'KX-1', ...row }] }).byId.get('KX-1');

  it('takes the highest bid of each side, in any order; the ask is the complement of the No bid', () => {
    const orderbook_fp = {
      yes_dollars: [
        ['0.4000', '5.00'],
        ['0.4100', '9.00'],
        ['0.0100', '1.00'],
      ],
      no_dollars: [['0.4100', '7.00']],
    };
    expect(bookOf({ orderbook_fp })).toEqual({ bid: 0.41, ask: 0.59 });
  });

  it('skips rungs without size', () => {
    expect(
      bookOf({
        orderbook_fp: {
          yes_dollars: [
            ['0.4100', '0.00'],
            ['0.4000', '1.00'],
          ],
          no_dollars: [],
        },
      }),
    ).toEqual({ bid: 0.4 });
  });

  it('reads a book with all sides null, and one in cents', () => {
    expect(bookOf({ orderbook: { yes: null, yes_dollars: null, no: null, no_dollars: null } })).toEqual({});
    expect(bookOf({ orderbook: { yes: [[6, 10]], no: [[93, 4]] } })).toEqual({ bid: 0.06, ask: 0.07 });
  });

  it('leaves out a book with an invalid price', () => {
    const page = parseBooksPage({
      orderbooks: [{ ticker: 'KX-1', orderbook_fp: { yes_dollars: [['1.70', '1.00']] } }],
    });
    expect(page.rejections[0]?.reason).toBe('orderbook_fp.yes_dollars.0.0 must be 0 to 1, got "1.70"');
  });
});

describe('the plan of candle requests', () => {
  const span = fc.record({
    start: fc.integer({ min: 0, max: 30_000 }),
    hours: fc.integer({ min: 1, max: 30_000 }),
  });

  it('requests every wanted hour, within 100 tickers and 9,000 tickers × periods', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 150 }), (spans) => {
        const wanted = spans.map(({ start, hours }, i) => ({
          ticker: `KX-${i}`,
          from: start * HOUR_MS,
          to: (start + hours) * HOUR_MS,
        }));
        const plan = planCandles(wanted);
        for (const { tickers, from, to } of plan) {
          expect(tickers.length).toBeLessThanOrEqual(100);
          expect(tickers.length * ((to - from) / HOUR_MS + 1)).toBeLessThanOrEqual(9000);
        }
        for (const { ticker, from, to } of wanted) {
          const asked = plan.filter((each) => each.tickers.includes(ticker)).sort((a, b) => a.from - b.from);
          expect(asked[0]?.from).toBeLessThanOrEqual(from);
          expect(asked.at(-1)?.to).toBeGreaterThanOrEqual(to);
          for (const [i, each] of asked.entries())
            if (i > 0) expect(each.from).toBeLessThanOrEqual(asked[i - 1]?.to ?? 0);
        }
      }),
    );
  });

  it('requests a hundred markets with a few missing hours at once', () => {
    const wanted = Array.from({ length: 250 }, (_, i) => ({ ticker: `KX-${i}`, from: 0, to: 3 * HOUR_MS }));
    expect(planCandles(wanted).map((each) => each.tickers.length)).toEqual([100, 100, 50]);
  });

  it('does not request the days that only another, quiet market lacks', () => {
    const to = 200 * HOUR_MS;
    const fresh = Array.from({ length: 40 }, (_, i) => ({ ticker: `KX-${i}`, from: to - 3 * HOUR_MS, to }));
    const plan = planCandles([{ ticker: 'KX-QUIET', from: 0, to }, ...fresh]);
    // A few ride along, since another request costs more than their days would.
    expect(plan.map(({ tickers, from }) => [tickers.length, (to - from) / HOUR_MS])).toEqual([
      [4, 200],
      [37, 3],
    ]);
  });
});
