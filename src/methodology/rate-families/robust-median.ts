import { mean } from 'simple-statistics';
import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import { HOUR_MS } from '../../model/time.ts';
import type { Instant, Weight } from '../../model/units.ts';
import { sum } from '../sum.ts';
import { readSource } from './print-rate.ts';
import type { OfSources, PrintPart, RateFamily } from './rate-family.ts';
import type { RateHistory, SourceHour } from './rate-history.ts';
import { configuredShares } from './shares.ts';
import { type Weighted, weightedMedian } from './weighted-median.ts';

/** Parts of the hour before a print. */
export const PARTS = 12;
export const PART_MS = HOUR_MS / PARTS;

/** The median of one part of the hour, and the weight of each source in it. */
interface MedianPart extends PrintPart {
  shares: Weight[];
}

/**
 * The mean of twelve medians, one for each five minutes of the hour before the print: of the trades, weighted by
 * volume, or if too few traded, of the sources' marks, weighted by the time that each was valid. A single trade or
 * quote can move only one part. Parts in which no source had a price are skipped. The first trade or quote of a source
 * takes the place of the half-cent floor before it, here as in the prints before.
 */
export const robustMedian = (definition: RateDefinitionOf<'robust_median'>): RateFamily => ({
  version: 'robust_median-1.7',
  represents: definition.sources,
  needs: 'hour',
  price(readings, at, history) {
    const parts = medianParts(definition, (i) => readings[i] !== undefined, at, history);
    if (parts.length === 0) return undefined;
    return {
      price: mean(parts.map((part) => part.price)),
      shares: readings.map((reading, i) => reading && mean(parts.map((part) => part.shares[i] as number))),
    };
  },
  breakdown: (enters, at, history) => medianParts(definition, enters, at, history),
  catalogShares: () => configuredShares(definition.sources),
  formula: () => `mean of the medians of the ${PARTS} parts of the hour before`,
});

/**
 * The parts of the hour before a print in which a source had a price.
 *
 * @param enters whether a source has a part in the print, by its position in the definition
 */
function medianParts(
  { sources, least_trades }: RateDefinitionOf<'robust_median'>,
  enters: (source: number) => boolean,
  at: Instant,
  history: RateHistory,
): MedianPart[] {
  const hours = sources.map(({ market_id }, i) => (enters(i) ? history.hour(market_id, at) : undefined));
  return Array.from({ length: PARTS }, (_none, part) => at - HOUR_MS + part * PART_MS).flatMap(
    (from) => pricePart(hours, from, least_trades) ?? [],
  );
}

function pricePart(hours: OfSources<SourceHour>, from: Instant, leastTrades: number): MedianPart | undefined {
  const traded = hours.map((hour) => listTrades(hour, from));
  const enough = traded.flat().length >= leastTrades;
  const behind = enough ? traded : hours.map((hour) => listMarks(hour, from));
  const price = weightedMedian(behind.flat());
  if (price === undefined) return undefined;
  const weights = behind.map((values) => sum(values.map((each) => each.weight)));
  const total = sum(weights);
  const shares = weights.map((weight) => weight / total);
  return { from, to: from + PART_MS, price, of: `median of ${enough ? 'trades' : 'marks'}`, shares };
}

function listTrades(hour: SourceHour | undefined, from: Instant): Weighted[] {
  const trades = hour?.trades.filter((trade) => trade.at > from && trade.at <= from + PART_MS) ?? [];
  return trades.map((trade) => ({ value: trade.price, weight: trade.volume }));
}

/**
 * The marks of a source in one part of the hour, each weighted by the milliseconds that it was valid. The half-cent floor
 * is one only if the source is still on it at the print.
 */
function listMarks(hour: SourceHour | undefined, from: Instant): Weighted[] {
  const views = hour?.views.filter((each) => each.at >= from && each.at < from + PART_MS) ?? [];
  const last = hour?.views.at(-1);
  const onFloor = last !== undefined && readSource(last.view, last.at)?.basis === 'floor';
  return views.flatMap(({ at, view }, i) => {
    const mark = readSource(view, at);
    if (!mark || (mark.basis === 'floor' && !onFloor)) return [];
    const until = views[i + 1]?.at ?? from + PART_MS;
    return [{ value: mark.price, weight: until - at }];
  });
}
