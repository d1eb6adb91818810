/** Definitions as in their files, over the markets of a `HandStore`. */
import { type IndexDefinition, indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { type RateDefinition, rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';

/** When they begin to print. Noon UTC is the morning of the same day in New York. */
export const START = Date.parse('2026-10-20T12:00:00Z');
/** After every print. */
export const ALL = Number.MAX_SAFE_INTEGER;

/** An instant, in hours from the start. */
export const at = (hours: number): Instant => START + hours * HOUR_MS;

/** Parses definitions in the form of their files. */
export function parseDefinitions(
  indices: readonly unknown[],
  rates: readonly unknown[],
): { indices: IndexDefinition[]; rates: RateDefinition[] } {
  return {
    indices: indices.map((each) => indexDefinition.parse(each)),
    rates: rates.map((each) => rateDefinition.parse(each)),
  };
}

const head = (ticker: string, methodology: string) => ({
  ticker,
  name: ticker,
  methodology,
  visibility: 'public',
  interval_minutes: 60,
});

const markets = (names: readonly string[]) => names.map((name) => ({ market_id: `venue_a:${name}` }));

/** An index of any family. */
export const index = <More extends object>(ticker: string, methodology: string, more: More) => ({
  ...head(ticker, methodology),
  quote_convention: 'points',
  base_at: formatInstant(START),
  ...more,
});

/** A basket of markets in equal shares. */
export const basket = (ticker: string, names: readonly string[], more: object = {}) =>
  index(ticker, 'basket', { weighting: { scheme: 'equal' }, constituents: markets(names), ...more });

/** The mean of markets, or the price of one. */
export const rate = (ticker: string, names: readonly string[], more: object = {}) => ({
  ...head(ticker, names.length > 1 ? 'simple_average' : 'event_contract'),
  start_at: formatInstant(START),
  sources: markets(names),
  ...more,
});
