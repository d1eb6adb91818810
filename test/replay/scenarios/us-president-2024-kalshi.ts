import { basename } from 'node:path';
import { instantIn, readTable, type WireRow } from '../recorded.ts';
import { type KalshiCatalog, noKalshi } from '../scenario.ts';
import { inTimeOrder, newestAt } from '../series.ts';

const eventTicker = 'PRES-2024';
const seriesTicker = 'PRES';
const hourMs = 3_600_000;
const sides = ['open', 'low', 'high', 'close'] as const;

/** Candidates by the end of their contract's ticker. */
const CANDIDATES: Readonly<Record<string, string>> = {
  DJT: 'Donald Trump',
  JB: 'Joe Biden',
  KH: 'Kamala Harris',
};

/** One contract of the event as it was recorded. */
interface Contract {
  ticker: string;
  candidate: string;
  candles: readonly Candle[];
}

/** A recorded hourly candle; `at_ms` is its inclusive end, cells are whole cents, '' where nothing traded. */
interface Candle {
  at_ms: number;
  cells: Record<string, string>;
}

/**
 * Kalshi's presidential contracts from their recorded hourly candles, a table each, named by its ticker. Quotes are the
 * closes of the newest candle; sizes and depth were not recorded, so rows carry no sizes and there is no order book.
 */
export function presidentCandles(paths: readonly string[]): KalshiCatalog {
  const contracts = paths.map(readContract);
  const listedAt = (now: number) => contracts.filter((each) => newestAt(each.candles, now) !== undefined);
  return {
    ...noKalshi,
    seriesAt: (now) => (listedAt(now).length > 0 ? [series] : []),
    eventsAt: (now) => (listedAt(now).length > 0 ? [event] : []),
    marketsAt: (now) => listedAt(now).map((each) => marketRow(each, now)),
    candlesOf: (asked, period, now) => {
      const candles = listedAt(now).find((each) => each.ticker === asked)?.candles;
      if (period !== 60) return candles && [];
      return candles?.filter((candle) => candle.at_ms <= now).map(candleRow(candles));
    },
  };
}

function readContract(path: string): Contract {
  const [ticker] = basename(path).split(/[_.]/) as [string];
  const who = ticker.slice(eventTicker.length + 1);
  const rows = readTable(path, ['timestamp']);
  const candles = inTimeOrder(rows.map((cells): Candle => ({ at_ms: instantIn(cells.timestamp), cells })));
  return { ticker, candidate: CANDIDATES[who] ?? who, candles };
}

const series: WireRow = {
  ticker: seriesTicker,
  title: 'US presidential election winner',
  frequency: 'one_off',
  category: 'Elections',
  tags: null,
  settlement_sources: null,
  contract_url: '',
  contract_terms_url: '',
  fee_type: 'quadratic',
  fee_multiplier: 1,
  additional_prohibitions: null,
};

const event: WireRow = {
  event_ticker: eventTicker,
  series_ticker: seriesTicker,
  title: 'Who will win the 2024 US presidential election?',
  sub_title: 'In 2024',
  collateral_return_type: '',
  mutually_exclusive: true,
  category: 'Elections',
  strike_period: '2024',
};

function marketRow({ ticker, candidate, candles }: Contract, now: number): WireRow {
  const bid = closeAt(candles, 'bid', now);
  const ask = closeAt(candles, 'ask', now);
  const dayAgo = now - 24 * hourMs;
  return {
    ticker,
    event_ticker: eventTicker,
    market_type: 'binary',
    title: `Will ${candidate} win the 2024 US presidential election?`,
    yes_sub_title: candidate,
    no_sub_title: candidate,
    created_time: '2024-10-04T12:00:00Z',
    open_time: '2024-10-04T12:00:00Z',
    close_time: '2025-01-20T15:00:00Z',
    latest_expiration_time: '2025-01-20T15:00:00Z',
    settlement_timer_seconds: 3600,
    status: 'active',
    result: '',
    can_close_early: true,
    expiration_value: '',
    notional_value_dollars: '1.0000',
    yes_bid_dollars: dollars(bid),
    yes_ask_dollars: dollars(ask),
    no_bid_dollars: dollars(100 - ask),
    no_ask_dollars: dollars(100 - bid),
    last_price_dollars: dollars(closeAt(candles, 'price', now)),
    previous_yes_bid_dollars: dollars(closeAt(candles, 'bid', dayAgo)),
    previous_yes_ask_dollars: dollars(closeAt(candles, 'ask', dayAgo)),
    previous_price_dollars: dollars(closeAt(candles, 'price', dayAgo)),
    volume_fp: count(volumeBetween(candles, 0, now)),
    volume_24h_fp: count(volumeBetween(candles, dayAgo, now)),
    open_interest_fp: count(Number(newestAt(candles, now)?.cells.open_interest ?? 0)),
    price_level_structure: 'linear_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
    rules_primary: 'Replayed from recorded candles. The rules text of this market was not recorded.',
    rules_secondary: '',
  };
}

/** Newest recorded close in cents; 0, the venue's word for none, before the first. */
function closeAt(candles: readonly Candle[], name: 'bid' | 'ask' | 'price', now: number): number {
  const column = `${name}_close`;
  const traded = candles.filter((candle) => candle.cells[column] !== '');
  return Number(newestAt(traded, now)?.cells[column] ?? 0);
}

function volumeBetween(candles: readonly Candle[], after: number, until: number): number {
  return candles
    .filter((candle) => candle.at_ms > after && candle.at_ms <= until)
    .reduce((sum, candle) => sum + Number(candle.cells.volume), 0);
}

function candleRow(candles: readonly Candle[]): (candle: Candle) => WireRow {
  return ({ at_ms, cells }) => {
    const previous = closeAt(candles, 'price', at_ms - 1);
    return {
      end_period_ts: at_ms / 1000,
      yes_bid: ohlc(cells, 'bid'),
      yes_ask: ohlc(cells, 'ask'),
      price: {
        ...ohlc(cells, 'price'),
        ...(cells.price_mean === '' ? {} : { mean_dollars: dollars(Number(cells.price_mean)) }),
        ...(previous === 0 ? {} : { previous_dollars: dollars(previous) }),
      },
      volume_fp: count(Number(cells.volume)),
      open_interest_fp: count(Number(cells.open_interest)),
    };
  };
}

/** Open, low, high and close in dollars; a candle without a trade has none. */
function ohlc(cells: Record<string, string>, name: string): WireRow {
  return Object.fromEntries(
    sides
      .filter((side) => cells[`${name}_${side}`] !== '')
      .map((side) => [`${side}_dollars`, dollars(Number(cells[`${name}_${side}`]))]),
  );
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(4);
}

function count(contracts: number): string {
  return contracts.toFixed(2);
}
