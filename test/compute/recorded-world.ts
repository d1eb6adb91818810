import fc from 'fast-check';
import { compute } from '../../src/compute/compute.ts';
import type { MarketStatus } from '../../src/model/catalog.ts';
import type { IndexDefinition } from '../../src/model/definitions/index-definition.ts';
import { type RateDefinition, rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import type { Observation, Series } from '../../src/model/observation.ts';
import { formatInstant, MINUTE_MS } from '../../src/model/time.ts';
import type { Instant, Probability } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { selectIndexPrints } from '../../src/store/prints/index-prints.ts';
import { selectRatePrints } from '../../src/store/prints/rate-prints.ts';
import { listCloses } from '../../src/store/prints/standings.ts';
import type { Store } from '../../src/store/store.ts';
import { rate } from '../helpers/hand-definitions.ts';
import { market } from '../helpers/small-store.ts';
import { define, hour, idOf } from '../methodology/contracts.ts';

/** A market's observation, or a statement of its venue. */
export type Seen =
  | { name: string; kind: 'price'; series: Series; observation: Observation }
  | { name: string; kind: 'status'; at: Instant; status: MarketStatus; payout?: Probability };

export const instantOf = (seen: Seen): Instant =>
  seen.kind === 'price' ? seen.observation.observed_at : seen.at;

export const price = (
  name: string,
  at: Instant,
  prices: Omit<Observation, 'observed_at'>,
  series: Series = 'quote',
): Seen => ({
  name,
  kind: 'price',
  series,
  observation: { observed_at: at, ...prices },
});

export const status = (name: string, at: Instant, status: MarketStatus, payout?: Probability): Seen => ({
  name,
  kind: 'status',
  at,
  status,
  ...(payout === undefined ? {} : { payout }),
});

/** Records what was seen. Statuses must come in time order, prices in any. */
export function keep(store: Store, seen: readonly Seen[], recordedAt: Instant): void {
  store.write((writer) => {
    for (const each of seen) {
      const market_id = idOf(each.name);
      if (each.kind === 'price')
        insertObservations(
          writer,
          marketKey(writer, market_id),
          { series: each.series, observations: [each.observation] },
          recordedAt,
        );
      else
        upsertMarket(
          writer,
          market({
            market_id,
            status: each.status,
            venue_status: each.status,
            ...(each.payout === undefined ? {} : { payout: each.payout, settled_at: each.at }),
          }),
          each.at,
        );
    }
  });
}

export function defineRate(
  ticker: string,
  methodology: RateDefinition['methodology'],
  names: readonly string[],
): RateDefinition {
  return rateDefinition.parse(rate(ticker, names, { start_at: formatInstant(hour(0)), methodology }));
}

/** A basket, a gauge, a rate of one source and a rate of three. */
const DEFINITIONS: { indices: IndexDefinition[]; rates: RateDefinition[] } = {
  indices: [
    define({ A: 3, B: 2, C: 1 }, { ticker: 'BASKET' }),
    define({ A: 3, B: 2, C: 1 }, { ticker: 'GAUGE', family: 'centred' }),
  ],
  rates: [defineRate('ONE', 'event_contract', ['A']), defineRate('MEAN', 'simple_average', ['A', 'B', 'C'])],
};

export function adopt(store: Store, definitions = DEFINITIONS, now = hour(0)): void {
  store.write((writer) => adoptDefinitions(writer, definitions, now, { keepMissing: false }));
}

/** Computes up to an instant; a definition that fails also fails the test. */
export function run(store: Store, now: Instant) {
  const report = compute(store, now, () => {});
  if (report.failures.length > 0) throw new Error(JSON.stringify(report.failures));
  return report;
}

/** Everything published of some definitions: prints with their inputs, the ledger, and closes. */
export function publishedOf(store: Store, { indices, rates } = DEFINITIONS) {
  const tickers = indices.map((each) => each.ticker);
  return store.read((reader) => ({
    // When they were recorded depends on the run.
    prints: tickers.map((ticker) =>
      selectIndexPrints(reader, ticker, 0, Number.MAX_SAFE_INTEGER).map(
        ({ recorded_at: _, ...said }) => said,
      ),
    ),
    steps: tickers.map((ticker) => listDivisorSteps(reader, ticker)),
    rates: rates.map(({ ticker }) =>
      selectRatePrints(reader, ticker, 0, Number.MAX_SAFE_INTEGER).map(({ recorded_at: _, ...said }) => said),
    ),
    closes: tickers.map((ticker) => listCloses(reader, { kind: 'index', ticker })),
  }));
}

export const HOURS = 30;

const side = fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100);
const prices = fc.oneof(
  { weight: 3, arbitrary: side.map((at) => ({ bid: at, ask: at })) },
  { weight: 2, arbitrary: fc.record({ bid: side, ask: side, last: side }, { requiredKeys: [] }) },
);
const lives = fc.record({
  seen: fc.array(
    fc.record({
      minute: fc.integer({ min: -120, max: HOURS * 60 }),
      series: fc.constantFrom<Series>('quote', 'quote', 'candle_60', 'history'),
      prices,
    }),
    { minLength: 4, maxLength: 40, size: 'max' },
  ),
  halts: fc.array(
    fc.record({
      minute: fc.integer({ min: 1, max: HOURS * 60 }),
      to: fc.constantFrom('paused', 'active', 'disputed'),
    }),
    {
      maxLength: 3,
    },
  ),
  settles: fc.option(
    fc.record({ minute: fc.integer({ min: 60, max: HOURS * 60 }), payout: fc.constantFrom(0, 0.5, 1) }),
    { nil: undefined },
  ),
});

/** Thirty hours of three markets, in time order, at most one observation per instant and series. */
export const recordedWorld: fc.Arbitrary<Seen[]> = fc.tuple(lives, lives, lives).map((markets) => {
  const all: Seen[] = [];
  for (const [n, { seen, halts, settles }] of markets.entries()) {
    const name = 'ABC'[n] as string;
    const end = settles?.minute ?? Number.POSITIVE_INFINITY;
    const byPlace = new Map(seen.map((each) => [`${each.minute} ${each.series}`, each]));
    for (const { minute, series, prices } of byPlace.values()) {
      const { bid, ask, last } = prices as { bid?: number; ask?: number; last?: number };
      // A price history has no book.
      const found = series === 'history' ? { last: last ?? bid ?? ask ?? 0.5 } : prices;
      all.push(price(name, hour(0) + minute * MINUTE_MS, found, series));
    }
    const statuses = new Map<number, Seen>([[-180, status(name, hour(-3), 'active')]]);
    for (const { minute, to } of halts)
      if (minute < end) statuses.set(minute, status(name, hour(0) + minute * MINUTE_MS, to as MarketStatus));
    if (settles) statuses.set(end, status(name, hour(0) + end * MINUTE_MS, 'settled', settles.payout));
    all.push(...statuses.values());
  }
  return all.sort((a, b) => instantOf(a) - instantOf(b) || a.kind.localeCompare(b.kind));
});
