import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Mark } from '../../model/mark.ts';
import type { RatePrint, ReceiptLine } from '../../model/print.ts';
import { QUIET_AFTER_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { ContractView, FindView } from '../contract-views.ts';
import { isMark, markOf } from '../marks.ts';
import { meanOfSources } from './mean-of-sources.ts';
import { flagOutliers, NO_OUTLIERS } from './outlier-gate.ts';
import {
  isMean,
  type MeanFamily,
  type OfSources,
  type Pricing,
  type RateFamily,
  type SourceReading,
} from './rate-family.ts';
import { NO_HISTORY, type RateHistory } from './rate-history.ts';
import { pricingOf } from './shares.ts';

/**
 * The mark of a source in a rate, by the ladder, whether its book has one side or two; undefined if its market is
 * settled, halted or disputed, or was not observed for seven days.
 */
export function readSource(view: ContractView | undefined, at: Instant): Mark | undefined {
  if (view?.status !== 'active' || view.observed_at === undefined) return undefined;
  if (at - view.observed_at > QUIET_AFTER_MS) return undefined;
  const mark = markOf(view);
  return isMark(mark) ? mark : undefined;
}

/**
 * The rate at one instant; undefined if no source has a price. The weight of a source that did not enter is its catalog
 * share.
 *
 * @param history volumes and hours of the sources, for a family that needs them
 * @returns price and spread (highest minus lowest mark of the sources that entered) as fractions
 */
export function printRate(
  family: RateFamily,
  definition: RateDefinition,
  view: FindView,
  at: Instant,
  history: RateHistory = NO_HISTORY,
): RatePrint | undefined {
  const readings = definition.sources.map((source) => readingOf(source, family, view, at, history));
  const outlier = new Uint8Array(readings.length);
  const entered = withoutOutliers(definition, readings, outlier);
  const pricing = isMean(family) ? meanPricing(family, entered, at) : family.price(entered, at, history);
  if (!pricing) return undefined;
  const catalog = family.catalogShares(at);
  const lines = definition.sources.map(({ market_id }, i) => {
    const line = lineOf(market_id, readings[i], pricing.shares[i], catalog[i] as number);
    if (outlier[i]) line.outlier = true;
    return line;
  });
  return {
    at,
    price: pricing.price,
    spread: spreadOf(lines),
    methodology_version: family.version,
    lines,
  };
}

/** The mark of a source for Yes, with its volume if the family needs it; undefined if it has no mark. */
function readingOf(
  source: RateDefinition['sources'][number],
  { needs }: RateFamily,
  view: FindView,
  at: Instant,
  history: RateHistory,
): SourceReading | undefined {
  const mark = readSource(view(source.market_id), at);
  const said = mark && 'side' in source && source.side === 'no' ? complementOf(mark) : mark;
  if (!said) return undefined;
  const volume = needs === 'volume' ? history.volume(source.market_id, at) : undefined;
  return volume === undefined ? { mark: said } : { mark: said, volume };
}

/** The readings that enter. @param outlier is set to 1 for each that is too far from the others */
function withoutOutliers(
  definition: RateDefinition,
  readings: OfSources<SourceReading>,
  outlier: Uint8Array,
): OfSources<SourceReading> {
  const gate = 'outlier_gate' in definition ? definition.outlier_gate : undefined;
  const prices = readings.map((reading) => reading?.mark.price ?? Number.NaN);
  const { dropped } = gate ? flagOutliers(prices, gate, outlier) : NO_OUTLIERS;
  return dropped ? readings.map((reading, i) => (outlier[i] ? undefined : reading)) : readings;
}

/** The line of a source in the receipt. @param share in the price; undefined if the source did not enter */
function lineOf(
  market_id: string,
  reading: SourceReading | undefined,
  share: number | undefined,
  catalogShare: number,
): ReceiptLine {
  if (!reading) return { market_id, state: 'unpriced', quantity: 0, weight: catalogShare };
  const { price, basis, observed_at, spread } = reading.mark;
  const line: ReceiptLine =
    share === undefined
      ? { market_id, state: 'consulted', quantity: 0, weight: catalogShare, price, basis, observed_at }
      : { market_id, state: 'included', quantity: 1, weight: share, price, basis, observed_at };
  if (spread !== undefined) line.spread = spread;
  if (reading.volume !== undefined) line.volume = reading.volume;
  return line;
}

/** The highest mark of the sources that entered, minus the lowest. */
function spreadOf(lines: readonly ReceiptLine[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { state, price } of lines) {
    if (state !== 'included') continue;
    least = Math.min(least, price as number);
    most = Math.max(most, price as number);
  }
  return most - least;
}

function meanPricing(
  family: MeanFamily,
  readings: OfSources<SourceReading>,
  at: Instant,
): Pricing | undefined {
  const prices = Float64Array.from(readings, (reading) => reading?.mark.price ?? Number.NaN);
  const volumes = Float64Array.from(readings, (reading) => reading?.volume ?? Number.NaN);
  const shares = new Float64Array(readings.length);
  const enters = (n: number) => readings[n] !== undefined;
  return pricingOf(meanOfSources(family, at, { prices, volumes, enters }, shares), shares);
}

// The mark of a No side as one for Yes. The half-cent floor, which only says that nobody bids for No, has no
// complement.
function complementOf(mark: Mark): Mark | undefined {
  if (mark.basis === 'floor') return undefined;
  const { price, basis, ...rest } = mark;
  const otherSide = basis === 'bid' ? 'ask' : basis === 'ask' ? 'bid' : basis;
  return { ...rest, basis: otherSide, price: 1 - price };
}
