/** Baskets and rates over markets that each have an hourly book: invented prices, the same each time. */
import type { CatalogMarket } from '../../src/model/catalog.ts';
import { type IndexDefinition, indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { type RateDefinition, rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { seededRandom } from '../seeded-random.ts';

export const FIRST = Date.parse('2025-01-01T00:00:00Z');

/** The first hours of a world. */
export function hoursOf(count: number): Instant[] {
  return Array.from({ length: count }, (_none, hour) => FIRST + hour * HOUR_MS);
}

export interface BenchWorld {
  indices: IndexDefinition[];
  rates: RateDefinition[];
  /** One row per market: the mid of its book at each hour. */
  prices: Float64Array[];
  /** The positions of each basket's markets in `prices`. */
  members: number[][];
}

/** A world of some baskets of 10 to 100 names and as many rates of 1 to 6 sources. */
export function makeWorld(indices: number, hours: number): BenchWorld {
  const markets = indices * 20;
  const next = seededRandom(markets);
  const prices = Array.from({ length: markets }, () => walk(hours + 1, next));
  const pick = (count: number) => [
    ...new Set(Array.from({ length: count }, () => Math.floor(next() * markets))),
  ];
  const members = Array.from({ length: indices }, () => pick(10 + Math.floor(next() * 91)));
  const sources = Array.from({ length: indices }, () => pick(1 + Math.floor(next() * 6)));
  return {
    prices,
    members,
    indices: members.map((names, i) => basketOf(i, names)),
    rates: sources.map((names, i) => rateOf(i, names)),
  };
}

/** Fills a store with all but the last hour of the world and adopts its definitions. */
export function fillStore(store: Store, { indices, rates, prices }: BenchWorld): void {
  store.write((writer) => {
    for (const [i, row] of prices.entries()) {
      const observations = Array.from(row.subarray(0, -1), (mid, hour) => bookAt(mid, hour));
      upsertMarket(writer, marketOf(i), FIRST);
      insertObservations(writer, marketKey(writer, idOf(i)), { series: 'candle_60', observations }, FIRST);
    }
    adoptDefinitions(writer, { indices, rates }, FIRST, { keepMissing: false });
  });
}

/** Adds the last hour of the world. */
export function addTick(store: Store, { prices }: BenchWorld): void {
  store.write((writer) => {
    for (const [i, row] of prices.entries()) {
      const hour = row.length - 1;
      const observations = [bookAt(row[hour] as number, hour)];
      insertObservations(writer, marketKey(writer, idOf(i)), { series: 'candle_60', observations }, FIRST);
    }
  });
}

function bookAt(mid: number, hour: number) {
  // In whole cents, as venues quote: other fractions would take four times the space in the store.
  const cents = Math.round(mid * 100);
  return {
    observed_at: FIRST + hour * HOUR_MS,
    bid: (cents - 1) / 100,
    ask: (cents + 1) / 100,
    last: cents / 100,
  };
}

function marketOf(place: number): CatalogMarket {
  return {
    market_id: idOf(place),
    family: 'venue_a',
    native_id: idOf(place).slice('venue_a:'.length),
    question: `Outcome ${place}?`,
    status: 'active',
    venue_status: 'active',
  };
}

function idOf(place: number): string {
  return `venue_a:BENCH-${place}`;
}

function basketOf(i: number, names: readonly number[]): IndexDefinition {
  return indexDefinition.parse({
    ticker: `BENCH${i}`,
    name: `Basket ${i}`,
    description: 'A basket of the bench.',
    methodology: 'basket',
    quote_convention: 'points',
    visibility: 'public',
    base_at: formatInstant(FIRST),
    base_level: 1000,
    interval_minutes: 60,
    weighting: { scheme: 'equal', by: 'value' },
    constituents: names.map((place) => ({ market_id: idOf(place) })),
  });
}

function rateOf(i: number, names: readonly number[]): RateDefinition {
  return rateDefinition.parse({
    ticker: `BENCH.RATE.${i}`,
    name: `Rate ${i}`,
    description: 'A rate of the bench.',
    methodology: 'simple_average',
    visibility: 'public',
    start_at: formatInstant(FIRST),
    interval_minutes: 60,
    sources: names.map((place) => ({ market_id: idOf(place), weight: 1 })),
  });
}

/** Mids in whole cents between 3 and 97. */
function walk(hours: number, next: () => number): Float64Array {
  let cents = 3 + Math.floor(next() * 95);
  return Float64Array.from({ length: hours }, () => {
    cents = Math.max(3, Math.min(97, cents + Math.floor(next() * 3) - 1));
    return cents / 100;
  });
}
