import { HOUR_MS } from '../../../model/time.ts';
import type { Span } from '../../prices/history-span.ts';

export interface CandlesWanted extends Span {
  ticker: string;
}

export interface CandleRequest extends Span {
  tickers: string[];
}

const MOST_TICKERS = 100;
/** The venue counts tickers × periods of a request, up to 10,000; it counts both ends. */
const MOST_PERIODS = 9000;
/** Up to this many periods in one request cost less than a second request, even if some are not wanted. */
const FEW_PERIODS = 1000;
/** The limit of a request for one market is 5,000. */
const MOST_PERIODS_ALONE = 4900;

/**
 * Plans requests for all wanted candles, each within the venue's limit of tickers × periods. Markets whose spans begin
 * at about the same time share a request. A market that lags far behind is joined only by a few others, which would be
 * asked for all its hours too. A span longer than one request may cover is split.
 */
export function planCandles(wanted: readonly CandlesWanted[]): CandleRequest[] {
  const pieces = wanted
    .flatMap((each) => splitSpan(each, MOST_PERIODS))
    .sort((a, b) => a.from - b.from || a.to - b.to || (a.ticker < b.ticker ? -1 : 1));
  const requests: CandleRequest[] = [];
  let open: CandleRequest | undefined;
  let wantedPeriods = 0;
  for (const { ticker, from, to } of pieces) {
    const wider: Span = open ? { from: open.from, to: Math.max(open.to, to) } : { from, to };
    const ownPeriods = periods({ from, to });
    const asked = ((open?.tickers.length ?? 0) + 1) * periods(wider);
    const isWorthIt = asked <= Math.max(FEW_PERIODS, 2 * (wantedPeriods + ownPeriods));
    if (open && open.tickers.length < MOST_TICKERS && asked <= MOST_PERIODS && isWorthIt) {
      open.to = wider.to;
      open.tickers.push(ticker);
      wantedPeriods += ownPeriods;
    } else {
      open = { from, to, tickers: [ticker] };
      wantedPeriods = ownPeriods;
      requests.push(open);
    }
  }
  return requests;
}

/** Requests for one market each, within the venue's limit of periods. */
export function planOneByOne(wanted: readonly CandlesWanted[]): CandleRequest[] {
  return wanted
    .flatMap((each) => splitSpan(each, MOST_PERIODS_ALONE))
    .map(({ ticker, from, to }) => ({ tickers: [ticker], from, to }));
}

function splitSpan({ ticker, from, to }: CandlesWanted, most: number): CandlesWanted[] {
  const pieces: CandlesWanted[] = [];
  const longest = (most - 2) * HOUR_MS;
  for (let start = from; start < to; start += longest)
    pieces.push({ ticker, from: start, to: Math.min(to, start + longest) });
  return pieces;
}

function periods({ from, to }: Span): number {
  return Math.ceil((to - from) / HOUR_MS) + 1;
}
