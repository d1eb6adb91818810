import { basename } from 'node:path';
import { type BoardEvent, boardCatalogs, type TopOfBook } from '../board.ts';
import { readTable, recordedFiles, recordedSet, type WireRow } from '../recorded.ts';
import { type KalshiCatalog, noKalshi, type Scenario } from '../scenario.ts';
import { complement, inTimeOrder, newestAt } from '../series.ts';

const ticker = 'KXFEDDECISION-25DEC-H0';
const eventTicker = 'KXFEDDECISION-25DEC';
const seriesTicker = 'KXFEDDECISION';

/** Names the Polymarket contract in its identifiers. */
const polymarketKey = 'fed-dec-2025:no-change';

const BEST = ['best_bid_yes', 'best_bid_no', 'depth_best_yes', 'depth_best_no'] as const;
const COLUMNS = ['timestamp_ms', 'poly_mid', ...BEST.flatMap((name) => [`kalshi_${name}`, `poly_${name}`])];

/** Folder of the recorded books of a decision. */
export const decisionFolder = recordedSet('fed-dec-2025-two-venue-books', /^[^\\/]+_30min[^\\/]*\.csv/);

/** The recorded files of each contract, by its name. */
export const contracts: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  recordedFiles(decisionFolder, /_30min/),
  (path) => basename(path).replace(/_30min.*/, ''),
);

/** The half-hours that were recorded of a contract, the first one when left out; the earliest first. */
export function halfHours(contract = [...contracts.keys()][0] ?? ''): Record<string, string>[] {
  const rows = (contracts.get(contract) ?? []).flatMap((path) => readTable(path, COLUMNS));
  return inTimeOrder(rows.map((row) => ({ at_ms: Number(row.timestamp_ms), row }))).map(({ row }) => row);
}

/** A contract on December 2025 on both venues, from the half-hourly best bids and their depth. */
export function fedDec2025(contract?: string): Scenario {
  const table = halfHours(contract);
  const kalshi = table.flatMap((row) => topOfBook(row, 'kalshi'));
  const polymarket = table.flatMap((row) => topOfBook(row, 'poly'));
  return {
    recorded_at: new Date(Number(table.at(-1)?.timestamp_ms ?? 0)).toISOString(),
    kalshi: kalshiCatalog(kalshi),
    polymarket: boardCatalogs([polymarketEvent(table, polymarket)]),
  };
}

/** The No bid at 0.49 is the Yes ask at 0.51, with its size; an empty side is a price of 0. None where the venue was not read. */
function topOfBook(row: Record<string, string>, venue: 'kalshi' | 'poly'): TopOfBook | [] {
  if (BEST.every((name) => row[`${venue}_${name}`] === '')) return [];
  const cell = (name: string): number => Number(row[`${venue}_${name}`]);
  return {
    at_ms: Number(row.timestamp_ms),
    bid: { price: cell('best_bid_yes'), size: cell('depth_best_yes') },
    ask: { price: complement(cell('best_bid_no')), size: cell('depth_best_no') },
  };
}

function polymarketEvent(table: readonly Record<string, string>[], quotes: TopOfBook[]): BoardEvent {
  const read = table.filter((row) => row.poly_mid !== '');
  const points = read.map((row) => ({
    at_ms: Number(row.timestamp_ms),
    price: Number(Number(row.poly_mid).toFixed(6)),
    resolution_seconds: 1800,
  }));
  const market = {
    id: '9100011',
    key: polymarketKey,
    slug: 'no-change-in-fed-interest-rates-after-december-2025-meeting',
    question: 'No change in Fed interest rates after December 2025 meeting?',
    groupItemTitle: 'No change',
    points,
    quotes,
  };
  return {
    id: '910001',
    slug: 'fed-decision-in-december',
    title: 'Fed decision in December?',
    endDate: '2025-12-10T12:00:00Z',
    negRisk: true,
    tick: 0.001,
    markets: [market],
  };
}

function kalshiCatalog(quotes: readonly TopOfBook[]): KalshiCatalog {
  const rowsAt = (now: number, row: (quote: TopOfBook) => WireRow): WireRow[] => {
    const quote = newestAt(quotes, now);
    return quote === undefined ? [] : [row(quote)];
  };
  return {
    ...noKalshi,
    seriesAt: (now) => rowsAt(now, () => series),
    eventsAt: (now) => rowsAt(now, () => event),
    marketsAt: (now) => rowsAt(now, marketRow),
    candlesOf: (asked, _period, now) => {
      return asked === ticker && newestAt(quotes, now) !== undefined ? [] : undefined;
    },
    orderbookAt: (asked, now) => (asked === ticker ? rowsAt(now, orderbook)[0] : undefined),
  };
}

const series: WireRow = {
  ticker: seriesTicker,
  title: 'Fed decision',
  frequency: 'custom',
  category: 'Economics',
  tags: ['Fed'],
  settlement_sources: [{ name: 'Federal Reserve', url: 'https://www.federalreserve.gov' }],
  contract_url: '',
  contract_terms_url: '',
  fee_type: 'quadratic',
  fee_multiplier: 1,
  additional_prohibitions: null,
};

const event: WireRow = {
  event_ticker: eventTicker,
  series_ticker: seriesTicker,
  title: 'Fed decision in December 2025?',
  sub_title: 'In December 2025',
  collateral_return_type: '',
  mutually_exclusive: true,
  category: 'Economics',
  strike_date: '2025-12-10T19:00:00Z',
};

/** Trades, volume and open interest were not recorded and are left out. */
function marketRow({ bid, ask }: TopOfBook): WireRow {
  return {
    ticker,
    event_ticker: eventTicker,
    market_type: 'binary',
    title: 'Will the Federal Reserve leave rates unchanged at its December 2025 meeting?',
    yes_sub_title: 'Fed maintains rate',
    no_sub_title: 'Fed maintains rate',
    open_time: '2025-11-16T00:00:00Z',
    close_time: '2025-12-10T18:55:00Z',
    latest_expiration_time: '2025-12-17T15:00:00Z',
    settlement_timer_seconds: 1800,
    status: 'active',
    result: '',
    can_close_early: true,
    expiration_value: '',
    notional_value_dollars: '1.0000',
    yes_bid_dollars: bid.price.toFixed(4),
    yes_ask_dollars: ask.price.toFixed(4),
    no_bid_dollars: complement(ask.price).toFixed(4),
    no_ask_dollars: complement(bid.price).toFixed(4),
    yes_bid_size_fp: bid.size.toFixed(2),
    yes_ask_size_fp: ask.size.toFixed(2),
    price_level_structure: 'linear_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
    rules_primary: 'Replayed from recorded order books. The rules text of this market was not recorded.',
    rules_secondary: '',
  };
}

function orderbook({ bid, ask }: TopOfBook): WireRow {
  return {
    orderbook_fp: {
      yes_dollars: [[bid.price.toFixed(4), bid.size.toFixed(2)]],
      no_dollars: [[complement(ask.price).toFixed(4), ask.size.toFixed(2)]],
    },
  };
}
